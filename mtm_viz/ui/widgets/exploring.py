"""The page's left side and its picture: controls to a scenario, the scenario to a run, and what stands in its way."""

from __future__ import annotations

import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.scenario import Scenario
from mtm_viz.ui import cached, explore
from mtm_viz.ui.components.player import player
from mtm_viz.ui.jobs import Job
from mtm_viz.ui.scenario_link import pack_scenario, read_scenario
from mtm_viz.ui.slots import Slots
from mtm_viz.ui.widgets.law_controls import law_controls, more_law_controls, unsaid
from mtm_viz.ui.widgets.observables_panel import observables_panel
from mtm_viz.ui.widgets.scenario_file import scenario_file
from mtm_viz.ui.widgets.start_controls import start_controls
from mtm_viz.ui.widgets.watch_controls import watch_controls
from mtm_viz.ui.words import number, sentence

POLL = 0.25
OWN = "Your own scenario"
OWN_SENTENCE = "Move a control and watch what it does; the address of this page brings exactly this run back."


def choose_example() -> None:
    """What is looked at, and the way to all examples, each with its sentence."""
    now = cached.examples().get(explore.example() or "")
    # Another key after each choice, so that it comes back closed.
    with st.popover(now.title if now else OWN, icon=":material/apps:", width="stretch", key=f"examples-{explore.source()}"):  # fmt: skip
        for name, example in cached.examples().items():
            with st.container(gap=None, key=f"example-{name}"):
                st.button(f"**{example.title}**", key=f"take-example-{name}", type="tertiary",
                          on_click=explore.take_example, args=(example,))  # fmt: skip
                st.caption(example.sentence)


def controls() -> Scenario | None:
    """Draw all controls, take over what they say, and return the scenario; None where it cannot be, which is then said."""
    said, slots, key = explore.said(), Slots(), f"explore{explore.source()}"
    dimension = said["dimension"]
    law = law_controls(said["dynamics"], dimension, key, slots)
    initial = start_controls(said["initial"], dimension, key, slots)
    with st.expander("Everything", icon=":material/tune:", key=f"{key}/everything"):
        changed = watch_controls(said, key, slots)
        law = unsaid(more_law_controls(law, dimension, key, slots), said["dynamics"])
        changed |= {"dynamics": law, "initial": initial}
        scenario_file()
    explore.edit(changed)
    if changed["dimension"] != dimension:
        st.rerun()
    try:
        return read_scenario(changed)
    except InputError as fault:
        slots.show(str(fault))
        return None


def heading() -> None:
    """What is shown, what to look for, and how far a longer run is."""
    chosen = cached.examples().get(explore.example() or "")
    running = explore.running()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="heading"):
        with st.container(gap="xxsmall", width="stretch"):
            st.header(chosen.title if chosen else OWN, anchor=False)
            st.markdown(chosen.sentence if chosen else OWN_SENTENCE)
        if running is not None:
            # Beside the sentence, so that the picture beneath stays where it is.
            with st.container(width=300):
                st.fragment(_progress, run_every=POLL)(running)
    if explore.notice():
        st.info(explore.notice(), icon=":material/link_off:")
    if explore.failure():
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.error(sentence(explore.failure()), icon=":material/error:")
            st.button("Compute", icon=":material/replay:", key="explore-again", on_click=explore.again)
    if not explore.example() and pack_scenario(explore.said()) is None:
        st.caption(
            "These points are too many for a link: save the scenario's file, under Everything, to come back to it."
        )


def _progress(running: Job) -> None:
    """One look at the running job; ends the polling by rerunning the page once it has ended."""
    if running.outcome is not None:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.progress(running.fraction, sentence(running.sentence).rstrip("."))
        st.button("Cancel", icon=":material/stop:", key="explore-cancel", on_click=explore.cancel,
                  help="The picture stays as it is.")  # fmt: skip


def picture_and_curves(fits: bool) -> None:
    """The player, and at its right the observables; of the last good run where there is no newer one."""
    found = explore.shown()
    if found is None:
        return
    if not fits:
        st.caption("The picture still shows the last scenario that could be run.")
    left, right = st.columns([15, 6], gap="small")
    with left:
        hide = ("caption", "numbers", "curves", "matrices") + (("legend",) if len(found.names) == 1 else ())
        player(found, key="explore-player", hide=hide)
    with right:
        observables_panel(found)
        st.caption(_how(found.record))


def _how(record: dict) -> str:
    """How it was computed, in a line."""
    integrator = record["integrator"]
    rest = record["equilibrium"]
    said = f"{integrator['steps']:,} steps of {integrator['method']}, {number(record['seconds'])} s"
    return said + (f"; at rest from time {rest:.3g}" if rest is not None else "")
