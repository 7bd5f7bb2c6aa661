"""The Solve button: what it will cost, how far it is, how to stop it, and what to do when it cannot be."""

from __future__ import annotations

from typing import Any, Literal

import streamlit as st

from mtm_viz.errors import InputError, Refusal
from mtm_viz.problem import Problem
from mtm_viz.run import Run
from mtm_viz.ui import cached, jobs, state, steps
from mtm_viz.ui.cached import Kept
from mtm_viz.ui.choice import Choice
from mtm_viz.ui.jobs import Job, Progress
from mtm_viz.ui.remedies import remedy
from mtm_viz.ui.widgets.easing import eases, lighten, offer, part
from mtm_viz.ui.words import degrees, number, powers, seconds, sentence

#: How often a running job is looked at, in seconds: cancelling is felt at once, and the network stays quiet.
POLL = 0.25
#: Half the distance from 1 to the next float64: the error of every coordinate given.
ROUND_OFF = 2.0**-53
#: Below this W2 (rad) a promise is exact: what a person gave in float64 carries no more.
EXACT = 1e-9
HELP = "Compute one schedule for all pairs, then check it with an independent integrator."


def show_known_run() -> None:
    """Show at once a run that needs no solving: it came with a preset, or was solved since the server began."""
    key = state.wanted()
    known = cached.known_run(key)
    if known is not None and state.run_text() != key:
        state.show(known, key)


def solving() -> None:
    """Draw the button with its prediction, or the progress of the running solve."""
    key, choice = state.wanted(), state.choice()
    try:
        problem = cached.problem(state.draft().text)
    except InputError as fault:
        state.take_wish()
        st.error(sentence(str(fault)), icon=":material/error:")
        _button("Solve", ":material/play_arrow:", "primary", disabled=True)
        _undo()
        return
    if state.take_wish():
        kept = cached.solved()
        work = jobs.start(cached.pool(), key, lambda report: solve(problem, choice, key, kept, report))
        state.take_job(work, "solve")
    running = state.job("solve")
    if running is not None:
        st.fragment(progress, run_every=POLL)(running)
        return
    run = state.run()
    if run is not None and state.run_text() == key:
        _button("Solve again", ":material/replay:", "secondary")
        st.caption(f"Solved: {run.schedule.switches:,} switches")
        _doubt(run, problem)
    else:
        _predicted(problem)
    _failure(problem)
    _undo()


def _predicted(problem: Problem) -> None:
    try:
        said = cached.prediction(state.draft().text, state.choice())
    except Refusal as refusal:
        _button("Solve", ":material/play_arrow:", "primary", disabled=True)
        _refused(str(refusal), problem)
        return
    _button("Solve", ":material/play_arrow:", "primary")
    exact = not any(said.notes) and max(said.reachable) < EXACT
    st.caption(
        f"Expected: {max(said.segments - 1, 0):,} switches, {seconds(said.seconds)}"
        f"{'. Every target can be reached exactly.' if exact and state.failure() is None else ''}"
    )
    for pair, reachable, notes in zip(problem.pairs, said.reachable, said.notes, strict=True):
        if not exact:
            st.caption(promise(pair.name, reachable, notes))
    part(problem, said.reachable, EXACT)
    lighten(problem)


def promise(name: str, reachable: float, notes: tuple[str, ...]) -> str:
    """What a pair can reach, and why no better.

    >>> promise("a", 0.1, ("whole atoms do not fit",))
    '**a** can end W₂ = 0.1 rad (5.73°) from its target at best. Whole atoms do not fit.'
    """
    best = "can be reached exactly"
    if reachable >= EXACT:
        best = f"can end W₂ = {number(reachable)} rad ({degrees(reachable)}°) from its target at best"
    return " ".join([f"**{name}** {best}.", *(sentence(powers(note)) for note in notes)])


def doubt(certificate: dict[str, Any]) -> str | None:
    """Why a solved problem may not be what was promised; None where it is.

    Errors grow by at most the condition on the way; no float64 is better than its round-off.
    """
    condition, eps = certificate.get("condition", 0.0), certificate["eps"]
    grown = condition * ROUND_OFF
    if grown > eps:
        return (
            f"The condition is {number(condition)}: round-off alone may grow to {number(grown)} rad, "
            f"more than the {number(eps)} promised, so float64 cannot keep that promise"
        )
    if not certificate["passed"]:
        return "not every pair arrives: errors grow too much on the way. An easier problem may"
    return None


def _doubt(run: Run, problem: Problem) -> None:
    reason = doubt(run.certificate)
    if reason is not None:
        st.warning(sentence(reason), icon=":material/warning:")
        offer(eases(problem))


def _undo() -> None:
    """Take back what a remedy changed, or do it again."""
    for label, icon, done, act in (
        ("Undo", "undo", steps.undoable(), steps.undo),
        ("Redo", "redo", steps.redoable(), steps.redo),
    ):
        if done is not None:
            st.button(
                f"{label}: {done[0].lower()}{done[1:]}", icon=f":material/{icon}:", type="tertiary",
                key=f"steps-{icon}", on_click=act,
            )  # fmt: skip


def _button(label: str, icon: str, kind: Literal["primary", "secondary"], disabled: bool = False) -> None:
    # The click is noted by a callback, which runs before all else, so that no rerun in between swallows it; it is acted
    # on further down, when the last edits at the left have been taken over.
    st.button(
        label, type=kind, icon=icon, width="stretch", key="solve", help=HELP, disabled=disabled, on_click=state.wish
    )


def solve(problem: Problem, choice: Choice, key: str, kept: Kept, report: Progress) -> Run:
    """The whole of a solve job: construct, verify, remember for a reload."""
    from mtm_viz.interpolate import interpolate

    run = interpolate(problem, **choice.arguments(), progress=report)
    kept.put(key, run)
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
    """Why there is no schedule, and the one change that lifts it, or else what may help."""
    st.error(sentence(powers(reason)), icon=":material/block:")
    known = remedy(state.draft(), problem)
    if known is None:
        offer(eases(problem))
        return
    st.button(
        known.label,
        icon=":material/healing:",
        width="stretch",
        key="remedy",
        help=known.reason,
        on_click=lambda: steps.take(known.label, known.apply(), state.choice()),
    )
