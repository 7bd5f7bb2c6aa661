"""Taking a run home: choose a film, a picture, data or the network; see its size; make it; fetch it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.export._estimate import estimate
from mtm_viz.rendering.options import Options
from mtm_viz.rendering.paths import CameraPath
from mtm_viz.run import Run
from mtm_viz.ui import cached, jobs, state
from mtm_viz.ui.export_choices import GROUPS, SIZES, TRANSPARENT, Kind, Made, file_stem, kinds_of, make, size_in_words
from mtm_viz.ui.jobs import Done, Failed, Job
from mtm_viz.ui.words import seconds, sentence

POLL = 0.25
PARTS = {"caption": "Phase", "legend": "Legend", "timeline": "Timeline", "curve": "W₂ curve", "targets": "Targets",
         "segment": "Running segment", "trails": "Trails"}  # fmt: skip
CAMERAS = {
    "fixed": "As the player starts",
    "turn": "Slow turn",
    "follow": "Follow a measure",
    "eye": "The view of a copied link",
}
LOOPS = {"loop": "Forward", "pingpong": "There and back"}


def export_panel(run: Run, name: str = "run") -> None:
    """Draw the panel for `run`; files are called after `name`. One export a session at a time; it can be cancelled."""
    with st.container(key="export-panel"):
        group = st.segmented_control("Take home", GROUPS, default="Film", required=True, key="export-group")
        offered = kinds_of(group or "Film")
        kind = st.selectbox(
            "Format", offered, format_func=lambda kind: kind.label, key=f"export-kind-{group}",
        )  # fmt: skip
        st.caption(kind.help)
        try:
            options = _options(run, kind)
            # Read here, so that a wrong view is said beside its field and not after a minute's work.
            CameraPath.parse(options.camera, run.names)
            expected = estimate(run, kind.suffix, options)
        except InputError as fault:
            st.error(sentence(str(fault)), icon=":material/error:")
            return
        film = f"{expected.frames:,} frames, {expected.lasts:.0f} s long. " if expected.frames else ""
        st.caption(f"{film}About {size_in_words(expected.size)}, {seconds(expected.seconds)} to make.")
        _make_and_fetch(run, kind, file_stem(name), options)


def _make_and_fetch(run: Run, kind: Kind, stem: str, options: Options) -> None:
    making = state.kept("making")
    key = (id(run), kind.suffix, stem, options)
    running: Job | None = making.get("job")
    if running is not None:
        outcome = running.outcome
        if outcome is None:
            st.fragment(_progress, run_every=POLL)(running)
            return
        making["job"] = None
        making["failed"] = outcome if isinstance(outcome, Failed) else None
        if isinstance(outcome, Done):
            making["made"] = outcome.value
    failed: Failed | None = making.get("failed")
    if failed is not None:
        st.error(sentence(failed.sentence), icon=":material/error:")
    made: Made | None = making.get("made")
    if made is not None and made.key == key:
        st.download_button(
            f"Save {made.name} ({size_in_words(len(made.content))})", made.content, made.name, made.mime,
            type="primary", icon=":material/download:", on_click="ignore", width="stretch", key="export-save",
        )  # fmt: skip
        for note in made.notes:
            st.caption(sentence(note))
    elif st.button(f"Make {stem}{kind.suffix}", icon=":material/movie:", width="stretch", key="export-make"):
        making["failed"] = None
        making["job"] = jobs.start(
            cached.pool(), "export", lambda report: make(run, kind, stem, options, key, report)
        )  # fmt: skip
        st.rerun()


def _progress(running: Job) -> None:
    """One look at the running export; ends the polling once it has ended."""
    if running.outcome is not None:
        st.rerun()
    st.progress(running.fraction, sentence(running.sentence))
    if st.button("Cancel", icon=":material/stop:", width="stretch", key="export-cancel"):
        running.cancel()
        state.kept("making")["job"] = None
        st.rerun()


def _options(run: Run, kind: Kind) -> Options:
    """The controls of a format, and what they say."""
    if kind.group == "Film" and kind.suffix != ".html":
        return _film(run, kind)
    if kind.group == "Picture":
        return _picture(run, kind)
    if kind.suffix == ".safetensors":
        from mtm_viz.export.safetensors import default_layers

        fewest, usual = len(run.schedule), default_layers(run)
        layers = st.number_input(
            "Layers, about", fewest, max(100_000, usual), usual, step=100, key="export-layers",
            help="More layers follow the continuous flow more closely; see how W₂ falls with depth.",
        )  # fmt: skip
        return Options(layers=int(layers))
    return Options()


def _film(run: Run, kind: Kind) -> Options:
    left, right = st.columns(2)
    usual = "Square, 600 × 600" if kind.suffix == ".gif" else "Full HD, 1920 × 1080"
    with left:
        size = st.selectbox("Size", list(SIZES), list(SIZES).index(usual), key=f"export-size-{kind.suffix}")
        fps = st.selectbox("Frames a second", (10.0, 12.5, 20.0, 25.0, 30.0, 60.0), 1 if kind.suffix == ".gif" else 4,
                           format_func=lambda f: f"{f:g}", key=f"export-fps-{kind.suffix}")  # fmt: skip
    with right:
        lasts = st.slider("Length (s)", 2, 90, 10, key="export-seconds")
        loop = st.selectbox("Direction", list(LOOPS), format_func=LOOPS.__getitem__, key="export-loop")
    given: dict[str, Any] = _look(run, kind, ["caption", "legend", "timeline", "curve", "targets", "segment"])
    if kind.suffix == ".gif":
        most = st.selectbox("At most", (None, 2, 6, 15), format_func=lambda m: "any size" if m is None else f"{m} MB", key="export-most",
                            help="Colours are taken away until it fits.")  # fmt: skip
        given["most_bytes"] = None if most is None else most * 1_000_000
        given["dither"] = "bayer" if st.toggle("Dither colours", value=True, key="export-dither") else "none"
    frames = max(1, round(lasts * fps))
    return Options(size=SIZES[size], frames=frames, fps=fps, loop="pingpong" if loop == "pingpong" else "loop", **given)


def _picture(run: Run, kind: Kind) -> Options:
    at = st.slider(
        "Moment",
        0.0,
        1.0,
        1.0,
        0.005,
        key="export-at",
        help="Place on the player's timeline: 0 is the start, 1 the end.",
    )
    size = st.selectbox("Size", ["4:3, 1600 × 1200", *SIZES], key="export-size-still")
    pixels = SIZES.get(size, (1600, 1200))
    return Options(size=pixels, at=at, **_look(run, kind, ["legend", "targets", "segment"]))


def _look(run: Run, kind: Kind, shown: list[str]) -> dict[str, Any]:
    """Camera, colours, words: what films and pictures share."""
    camera = st.selectbox("Camera", list(CAMERAS), format_func=CAMERAS.__getitem__, key="export-camera")
    path = camera
    if camera == "turn":
        path = f"turn:{st.slider('Degrees in all', -720, 720, 360, 15, key='export-degrees')}"
    elif camera == "follow":
        numbers = range(1, len(run.names) + 1)
        path = f"follow:{st.selectbox('Measure', numbers, format_func=lambda k: run.names[k - 1], key='export-follow')}"
    elif camera == "eye":
        said = st.text_input("Eye, or a link that the player copied", "0.86,1.1,0.6", key="export-eye")
        path = eye_of(said)
    themes = ["light", "dark"] + (["transparent", "transparent-dark"] if kind.suffix in TRANSPARENT else [])
    theme = st.selectbox(
        "Colours",
        themes,
        format_func=lambda t: t.replace("-", ", for ").capitalize(),
        key=f"export-theme-{len(themes)}",
    )
    title = st.text_input("Title", max_chars=200, key="export-title", placeholder="none")
    parts = st.multiselect(
        "In the picture", list(PARTS), shown, format_func=PARTS.__getitem__, key=f"export-parts-{kind.group}"
    )
    axes = "1,2,3"
    if run.schedule.dimension > 3:
        axes = st.text_input("Coordinates shown", axes, key="export-axes", help="Three numbers, or `spread`.")
    return {"camera": path, "theme": theme, "title": title.strip(), "show": frozenset(parts), "axes": axes}


def eye_of(said: str) -> str:
    """The eye that a copied link names, or what was typed.

    >>> eye_of("http://localhost:8501/?at=0.5&eye=1.000%2C0.500%2C0.600&show=targets")
    '1.000,0.500,0.600'
    >>> eye_of(" 1,2,0 ")
    '1,2,0'
    """
    from urllib.parse import parse_qs, urlsplit

    found = parse_qs(urlsplit(said.strip()).query).get("eye")
    return found[0] if found else said.strip()
