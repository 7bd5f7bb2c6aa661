"""The Solve button: what it will cost, how far it is, how to stop it, and what to do when it cannot be."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from mtm_viz.errors import InputError, Refusal
from mtm_viz.problem import Problem
from mtm_viz.run import Run
from mtm_viz.ui import cached, jobs, state
from mtm_viz.ui.cached import Kept
from mtm_viz.ui.jobs import Job, Progress
from mtm_viz.ui.remedies import remedy
from mtm_viz.ui.widgets.lighten import lighten
from mtm_viz.ui.words import number, seconds, sentence

#: How often a running job is looked at, in seconds: cancelling is felt at once, and the network stays quiet.
POLL = 0.25
HELP = "Compute one schedule for all pairs, then check it with an independent integrator."


def show_known_run() -> None:
    """Show at once a run that needs no solving: it came with a preset, or was solved since the server began."""
    text = state.draft().text
    known = cached.known_run(text)
    if known is not None and state.run_text() != text:
        state.show(known, text)


def solving() -> None:
    """Draw the button with its prediction, or the progress of the running solve."""
    text = state.draft().text
    try:
        problem = cached.problem(text)
    except InputError as fault:
        state.take_wish()
        st.error(sentence(str(fault)), icon=":material/error:")
        _button("Solve", ":material/play_arrow:", "primary", disabled=True)
        return
    if state.take_wish():
        kept = cached.solved()
        state.take_job(jobs.start(cached.pool(), text, lambda report: solve(problem, text, kept, report)), "solve")
    running = state.job("solve")
    if running is not None:
        st.fragment(progress, run_every=POLL)(running)
        return
    run = state.run()
    if run is not None and state.run_text() == text:
        _button("Solve again", ":material/replay:", "secondary")
        st.caption(f"Solved: {run.schedule.switches:,} switches")
    else:
        _predicted(problem, text)
    _failure(problem)


def _predicted(problem: Problem, text: str) -> None:
    try:
        said = cached.prediction(text)
    except Refusal as refusal:
        _button("Solve", ":material/play_arrow:", "primary", disabled=True)
        _refused(str(refusal), problem)
        return
    _button("Solve", ":material/play_arrow:", "primary")
    st.caption(f"Expected: {max(said.segments - 1, 0):,} switches, {seconds(said.seconds)}")
    for pair, reachable, notes in zip(problem.pairs, said.reachable, said.notes, strict=True):
        if notes:
            st.caption(f"**{pair.name}**: at best W₂ {number(reachable)} rad. {sentence('; '.join(notes))}")
    lighten(problem)


def _button(label: str, icon: str, kind: Literal["primary", "secondary"], disabled: bool = False) -> None:
    # The click is noted by a callback, which runs before all else, so that no rerun in between swallows it; it is acted
    # on further down, when the last edits at the left have been taken over.
    st.button(
        label, type=kind, icon=icon, width="stretch", key="solve", help=HELP, disabled=disabled, on_click=state.wish
    )


def solve(problem: Problem, text: str, kept: Kept, report: Progress) -> Run:
    """The whole of a solve job: construct, verify, remember for a reload."""
    from mtm_viz.interpolate import interpolate

    run = interpolate(problem, progress=report)
    kept.put(text, run)
    return run


def progress(running: Job) -> None:
    """One look at a running job. Ends the polling by rerunning the page once the job has ended or was cancelled."""
    if running.outcome is not None:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.progress(running.fraction, sentence(running.sentence).rstrip("."))
        st.button(
            "Cancel", icon=":material/stop:", key="cancel", help="What you made stays as it is.", on_click=state.cancel
        )


def _failure(problem: Problem) -> None:
    failure = state.failure()
    if failure is None:
        return
    if failure.refused:
        _refused(failure.sentence, problem)
    else:
        st.error(sentence(failure.sentence), icon=":material/error:")


def _refused(reason: str, problem: Problem) -> None:
    """Why there is no schedule, and the one change that helps, where one is known."""
    st.error(sentence(reason), icon=":material/block:")
    known = remedy(state.draft(), problem)
    if known is None:
        return
    st.button(
        known.label,
        icon=":material/healing:",
        width="stretch",
        key="remedy",
        help=known.reason,
        on_click=lambda: state.edit(known.apply()),
    )
