"""The Solve button: what it will cost, how far it is, how to stop it, and what to do when it cannot be."""

from __future__ import annotations

import streamlit as st

from mtm_viz.errors import InputError, Refusal
from mtm_viz.problem import Problem
from mtm_viz.run import Run
from mtm_viz.ui import cached, jobs, state
from mtm_viz.ui.jobs import Job, Progress
from mtm_viz.ui.remedies import remedy
from mtm_viz.ui.words import seconds, sentence

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
    running = state.job("solve")
    if running is not None:
        st.fragment(progress, run_every=POLL)(running)
        return
    try:
        problem = cached.problem(state.draft().text)
    except InputError as fault:
        st.error(sentence(str(fault)), icon=":material/error:")
        st.button(
            "Solve", type="primary", width="stretch", disabled=True, help="First put right what the message names."
        )
        return
    _ready(problem)


def _ready(problem: Problem) -> None:
    text, run = state.draft().text, state.run()
    if run is not None and state.run_text() == text:
        if st.button("Solve again", icon=":material/replay:", width="stretch", key="solve", help=HELP):
            _start(problem, text)
        st.caption(f"Solved: {run.schedule.switches:,} switches")
    else:
        _predicted(problem, text)
    _failure(problem)


def _predicted(problem: Problem, text: str) -> None:
    try:
        switches, wait = cached.prediction(text)
    except Refusal as refusal:
        st.button("Solve", type="primary", icon=":material/play_arrow:", width="stretch", disabled=True, key="solve")
        _refused(str(refusal), problem)
        return
    if st.button("Solve", type="primary", icon=":material/play_arrow:", width="stretch", key="solve", help=HELP):
        _start(problem, text)
    st.caption(f"Expected: {switches:,} switches, {seconds(wait)}")


def _start(problem: Problem, text: str) -> None:
    state.take_job(jobs.start(cached.pool(), text, lambda report: solve(problem, text, report)), "solve")
    st.rerun()


def solve(problem: Problem, text: str, report: Progress) -> Run:
    """The whole of a solve job: construct, verify, remember for a reload."""
    from mtm_viz.interpolate import interpolate

    run = interpolate(problem, progress=report)
    cached.solved().put(text, run)
    return run


def progress(running: Job) -> None:
    """One look at a running job. Ends the polling by rerunning the page once the job has ended."""
    if running.outcome is not None:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.progress(running.fraction, sentence(running.sentence).rstrip("."))
        stop = st.button("Cancel", icon=":material/stop:", key="cancel", help="What you made stays as it is.")
    if stop:
        state.cancel()
        st.rerun()


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
    if st.button(known.label, icon=":material/healing:", width="stretch", key="remedy", help=known.reason):
        state.edit(known.apply())
        state.forget_failure()
        st.rerun()
