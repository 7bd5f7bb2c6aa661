"""Bringing in a measure: a file dropped, a block pasted; looked at before it is accepted."""

from __future__ import annotations

import os
from typing import Any

import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers import Limits, readers
from mtm_viz.measures.readers.ink import Ink
from mtm_viz.measures.readers.limits import MOST_ATOMS
from mtm_viz.parameters import parameters
from mtm_viz.ui import cached, desk, state
from mtm_viz.ui.draft import MOST_ATOMS_SHOWN
from mtm_viz.ui.drawing import said_of
from mtm_viz.ui.intake import COMFORTABLE, Proposal, joined, read_file, read_paste
from mtm_viz.ui.widgets.drawing_desk import measure_in_hand
from mtm_viz.ui.widgets.look import colour
from mtm_viz.ui.widgets.parameter_controls import parameter_control
from mtm_viz.ui.widgets.thumbnail import image, measure_svg
from mtm_viz.ui.words import degrees, sentence


def limits() -> Limits:
    """The bounds of an upload, set by whoever runs the server: its setting for files, and a variable for atoms."""
    atoms = os.environ.get("MTM_VIZ_MOST_ATOMS", "")
    return Limits(
        bytes=int(st.get_option("server.maxUploadSize")) * 1_000_000,
        atoms=int(atoms) if atoms.isdecimal() and int(atoms) > 0 else MOST_ATOMS,
    )


def bring_in() -> None:
    """The ways in, or what has come in and waits."""
    waiting = desk.proposal()
    if waiting is None:
        _ways_in()
    else:
        _proposed(waiting)


def _ways_in() -> None:
    file = st.file_uploader(
        "Drop a file",
        type=[suffix.removeprefix(".") for suffix in readers()],
        key=f"measure-file-{state.uploads()}",
        max_upload_size=limits().bytes // 1_000_000,
        help="Tables have columns x, y, z or lon, lat (degrees) and perhaps weight. Pictures and drawings: dark is mass.",
    )
    st.caption(f"CSV, TSV, Parquet, NPY, NPZ, GeoJSON, JSON, PNG, JPEG or SVG, {limits().sentence}.")
    if file is not None:
        _read(lambda: read_file(file.name, file.getvalue(), limits()))
    with st.form("paste", border=False, enter_to_submit=False):
        text = st.text_area(
            "Or paste numbers",
            placeholder="x\ty\tz\n1\t0\t0\n0\t1\t0",
            height=110,
            help="A block copied from a spreadsheet: one row a point, with or without a header.",
        )
        if st.form_submit_button("Read", icon=":material/content_paste_go:"):
            _read(lambda: read_paste(text, limits()))


def _read(reading: Any) -> None:
    try:
        found = reading()
    except InputError as problem:
        st.error(sentence(str(problem)), icon=":material/error:")
        return
    desk.propose(found)
    state.uploaded()
    st.rerun()


def _proposed(waiting: Proposal) -> None:
    # The verdict and its buttons stand above the controls of a picture, in sight, but say what those were just set to.
    verdict = st.container()
    if waiting.is_picture:
        waiting = _laid_anew(waiting)
    with verdict:
        st.markdown(f"**{_escaped(waiting.name[:60])}**")
        measure = _small_enough(waiting)
        fits = measure.dimension == state.draft().dimension and len(measure) <= MOST_ATOMS_SHOWN
        pair, side = desk.edited()
        picture, facts = st.columns([2, 5], gap="small", vertical_alignment="center")
        if measure.dimension >= 3:
            paint = colour(state.draft().pairs.index(pair))
            picture.html(image(measure_svg(measure, paint, 96, hollow=side == "target"), "how it lies"))
        facts.caption("\n".join(f"- {_escaped(fact)}" for fact in waiting.facts()))
        if measure.dimension != state.draft().dimension:
            st.error(
                f"Its points have {measure.dimension} coordinates and the problem has dimension {state.draft().dimension}: "
                "make them agree.",
                icon=":material/error:",
            )
        with st.container(horizontal=True, gap="small"):
            st.button("Use it", type="primary", key="use-it", disabled=not fits, on_click=_take, args=(measure,))
            beside = fits and _fits_beside(measure)
            st.button("Add to the atoms", key="add-it", disabled=not beside, on_click=_add, args=(measure,))
            st.button("Not this", key="drop-it", type="tertiary", on_click=desk.propose, args=(None,))


def _laid_anew(waiting: Proposal) -> Proposal:
    """The picture's own controls: where it lies and how many atoms it becomes."""
    assert waiting.options is not None
    said = dict(waiting.options)
    defaults = {name: parameter.write(getattr(Ink(), name)) for name, parameter in parameters(Ink).items()}
    left, right = st.columns(2, gap="small")
    for name, parameter in parameters(Ink).items():
        if name in ("center", "size_deg") and said.get("placement") == "world":
            continue
        with (
            left if name in ("placement", "size_deg", "seed") else right if name in ("n", "invert") else st.container()
        ):
            value = parameter_control(parameter, said.get(name, defaults[name]), f"ink/{name}", 3)
        if name in said or value != defaults[name]:
            said[name] = value
    try:
        changed = waiting.laid(said, limits())
    except InputError as problem:
        st.error(sentence(str(problem)), icon=":material/error:")
        return waiting
    if changed is not waiting:
        desk.propose(changed)
    return changed


def _small_enough(waiting: Proposal) -> Measure:
    """The measure itself, or where it is large a smaller one that stands for it, with the distance between them."""
    measure = waiting.measure
    if waiting.is_picture or len(measure) <= COMFORTABLE:
        return measure
    must = len(measure) > MOST_ATOMS_SHOWN
    why = (
        f"this page draws at most {MOST_ATOMS_SHOWN:,}"
        if must
        else f"with more than {COMFORTABLE} a solve takes minutes"
    )
    wanted = must or st.checkbox(f"Take fewer atoms: {why}", True, key="fewer")
    if not wanted:
        return measure
    if must:
        st.caption(f"It has {len(measure):,} atoms and {why}, so fewer stand for them.")
    most = min(MOST_ATOMS_SHOWN, len(measure))
    n = int(st.number_input("Atoms", 1, most, min(200, most), 10, key="fewer-n"))
    smaller = cached.resampled(measure, "even", n, 0)
    apart, exact = cached.distance(measure, smaller)
    st.caption(f"W₂ between the two: {'' if exact else 'about '}{degrees(apart)}°")
    return smaller


def _fits_beside(measure: Measure) -> bool:
    before = measure_in_hand()
    return before is None or len(before) + len(measure) <= MOST_ATOMS_SHOWN


def _take(measure: Measure) -> None:
    desk.edit_measure(said_of(measure))
    desk.propose(None)


def _add(measure: Measure) -> None:
    _take(joined(measure_in_hand(), measure))


def _escaped(text: str) -> str:
    """A file's own words must not become Markdown."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]()#+-!|<>$:~" else c for c in text)
