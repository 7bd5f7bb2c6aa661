"""The page's left side and its picture: controls to a scenario, the scenario to a run, and what stands in its way."""

from __future__ import annotations

import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.scenario import Scenario
from mtm_viz.ui import cached, explore
from mtm_viz.ui.changes import changes
from mtm_viz.ui.components.player import player
from mtm_viz.ui.examples import Example
from mtm_viz.ui.scenario_link import read_scenario
from mtm_viz.ui.slots import Slots
from mtm_viz.ui.watching import Watched
from mtm_viz.ui.widgets.comparing import compare_controls, readings_table, what_changed
from mtm_viz.ui.widgets.law_controls import law_controls, more_law_controls, unsaid
from mtm_viz.ui.widgets.observables_panel import observables_panel
from mtm_viz.ui.widgets.other_measures import other_measures
from mtm_viz.ui.widgets.scenario_file import scenario_file
from mtm_viz.ui.widgets.start_controls import start_controls
from mtm_viz.ui.widgets.watch_controls import watch_controls
from mtm_viz.ui.words import number, sentence

POLL = 0.25
#: Of the player, in CSS pixels: with its controls it fits a projector of 1366 x 768.
HEIGHT = 580
OWN = "Your own scenario"
REPLAY_SENTENCE = "A solved schedule on any measures: change a segment below and watch who goes astray."
OWN_SENTENCE = "Move a control and watch what it does; the address of this page brings exactly this run back."


def choose_example() -> None:
    """What is looked at, and the way to all examples, each with its sentence."""
    now = cached.examples().get(explore.example() or "")
    # Another key after each choice, so that it comes back closed.
    with st.popover(now.title if now else explore.title() or OWN, icon=":material/apps:", width="stretch", key=f"examples-{explore.source()}"):  # fmt: skip
        for name, example in cached.examples().items():
            with st.container(gap=None, key=f"example-{name}"):
                st.button(f"**{example.title}**", key=f"take-example-{name}", type="tertiary",
                          on_click=explore.take_example, args=(example,))  # fmt: skip
                st.caption(example.sentence)


def controls() -> tuple[Scenario | None, str]:
    """Draw all controls, take over what they say, and return the scenario, None where it cannot be run; what is wrong
    is said beside its control, and returned where it is about a segment."""
    said, slots, key = explore.said(), Slots(), f"explore{explore.source()}"
    dimension, segments, typed = said["dimension"], said.get("schedule", []), explore.typed()
    law = law_controls(said["dynamics"], segments, dimension, key, slots)
    initial = start_controls(said["initial"], dimension, key, slots)
    if segments:
        other_measures()
    with st.expander("Everything", icon=":material/tune:", key=f"{key}/everything"):
        st.caption("**How long, where, by which seed**")
        changed = watch_controls(said, key, slots)
        law = unsaid(more_law_controls(law, dimension, key, slots), said["dynamics"])
        changed |= {"dynamics": law, "initial": initial}
        st.caption("**Time and files**")
        if not segments:
            st.button("Change with time", icon=":material/timeline:", key="divide", on_click=explore.divide,
                      help="Cuts the run into segments, each with parameters of its own.")  # fmt: skip
        scenario_file()
    explore.edit(changed)
    reshaped = changed["dimension"] != dimension or (law.get("heads") is None) != (
        said["dynamics"].get("heads") is None
    )
    if reshaped or explore.typed() != typed:
        st.rerun()  # what was drawn above is of another shape, or shows what stood there before
    try:
        return read_scenario(changed), ""
    except InputError as fault:
        if segments and str(fault).startswith(("segment ", '"schedule"')):
            return None, str(fault)
        slots.show(str(fault))
        return None, ""


def follow(scenario: Scenario | None) -> None:
    """Let the pictures follow what the controls say, and A what it was."""
    if scenario is not None:
        explore.now().follow(scenario)
    before, watched = explore.compared_with(), explore.beside()
    # One after the other: both would share the interpreter.
    if before is not None and watched is not None and explore.now().job is None:
        watched.follow(read_scenario(before))


def heading() -> None:
    """What is shown, what to look for, and how far a longer run is."""
    chosen = cached.examples().get(explore.example() or "")
    running = [one for one in (explore.now(), explore.beside()) if one is not None and one.job is not None]
    title, sentence_beneath = _about(chosen)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="heading"):
        with st.container(gap="xxsmall", width="stretch"):
            st.header(title, anchor=False)
            st.markdown(sentence_beneath)
        if running:
            # Beside the sentence, so that the picture beneath stays where it is.
            with st.container(width=300):
                st.fragment(_progress, run_every=POLL)(running)
        else:
            compare_controls()
    if explore.notice():
        st.info(explore.notice(), icon=":material/link_off:")
    failed = explore.now().failure
    if failed is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.error(sentence(failed.sentence), icon=":material/error:")
            st.button("Compute", icon=":material/replay:", key="explore-again", on_click=explore.now().again)


def _about(chosen: Example | None) -> tuple[str, str]:
    """Title and sentence: an example's, or what has been changed since."""
    title = chosen.title if chosen else explore.title() or OWN
    changed = changes(explore.original(), explore.said())
    if chosen is None and explore.title() and changed:
        title += ", changed"
    if explore.compared_with() is not None:
        return title, what_changed()
    if chosen is not None:
        return title, chosen.sentence
    if explore.title() and changed:
        return title, f"Changed: {'; '.join(changed)}."
    return title, REPLAY_SENTENCE if "schedule" in explore.said() else OWN_SENTENCE


def _progress(running: list[Watched]) -> None:
    """One look at the running jobs; ends the polling by rerunning the page once one has brought something, or was let go."""
    job = running[0].job
    if job is None or any(one.has_news for one in running):
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        said = sentence(job.sentence).rstrip(".")
        st.progress(job.fraction, f"A first look; {said}" if running[0].is_first_look else said)
        st.button("Cancel", icon=":material/stop:", key="explore-cancel", on_click=_cancel,
                  help="The picture stays as it is.")  # fmt: skip


def _cancel() -> None:
    for one in (explore.now(), explore.beside()):
        if one is not None and one.job is not None:
            one.cancel()


def picture_and_curves(fits: bool) -> None:
    """The player, and at its right the observables; of the last good run where there is no newer one."""
    now, other = explore.now(), explore.beside()
    if now.shown is None or now.curves is None:
        return
    if not fits:
        st.caption("The picture still shows the last scenario that could be run.")
    hide = ("caption", "numbers", "curves", "matrices") + (("legend",) if len(now.shown.names) == 1 else ())
    a, a_curves = (other.shown, other.curves) if other is not None else (None, None)
    # The same two columns in both cases: elsewhere on the page the player would start anew.
    left, right = st.columns([15, 6] if a is None else [1000, 1], gap="small" if a is None else None)
    if a is not None and a_curves is not None:
        with left:
            player(a, beside=now.shown, titles=("A", "B"), key="explore-player", height=HEIGHT, hide=(*hide, "legend"))
        st.html(readings_table(a_curves, now.curves))
        return
    with left:
        player(now.shown, key="explore-player", height=HEIGHT, hide=hide)
    with right:
        observables_panel(now.curves)
        if now.is_first_look:
            st.caption(f"A first look: curves of {len(now.curves.weights[0]):,} particles, in few frames.")
        else:
            st.caption(_how(now.shown.record))


def about_link() -> None:
    """Where the address cannot bring this back, what can."""
    if not explore.fits_link():
        st.caption("This is too much for a link: save the scenario's file, under Everything, to come back to it.")


def _how(record: dict) -> str:
    """How it was computed, in a line."""
    integrator = record["integrator"]
    rest = record["equilibrium"]
    said = f"{integrator['steps']:,} steps of {integrator['method']}, {number(record['seconds'])} s"
    return said + (f"; at rest from time {rest:.3g}" if rest is not None else "")
