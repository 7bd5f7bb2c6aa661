"""Attention on, off, or both: the same schedule replayed with V = 0 shows what attention was for."""

from __future__ import annotations

import streamlit as st

from mtm_viz.run import Run
from mtm_viz.ui import cached, jobs, state
from mtm_viz.ui.jobs import Progress
from mtm_viz.ui.state import View
from mtm_viz.ui.widgets.solving import POLL, progress
from mtm_viz.ui.words import number

VIEWS: list[View] = ["on", "off", "both"]
CHOICES: dict[View, str] = {"on": "On", "off": "Off", "both": "Side by side"}


def attention_switch() -> None:
    """The switch; what it needs is computed the first time it is asked for."""
    run = state.run()
    if run is None:
        return
    chosen = st.segmented_control(
        "Attention",
        VIEWS,
        default=state.view(),
        required=True,
        format_func=CHOICES.__getitem__,
        # A new key where the view was changed by the program, so that the control follows.
        key=f"view-{id(run)}-{state.view_resets()}",
        help="Off: the same schedule replayed with V = 0, every gate as it was.",
    )
    state.set_view(next((view for view in VIEWS if view == chosen), "on"))
    if state.view() != "on" and state.ablation() is None:
        _replay(run)


def _replay(run: Run) -> None:
    if state.job("ablate") is None:
        text = state.run_text()
        state.take_job(jobs.start(cached.pool(), text, lambda report: replay_without_attention(run, report)), "ablate")
    running = state.job("ablate")
    assert running is not None
    st.fragment(progress, run_every=POLL)(running)


def replay_without_attention(run: Run, report: Progress) -> Run:
    """The same schedule with V = 0 throughout, by the independent integrator."""
    from mtm_viz.verify import replay

    return replay(run.problem, run.schedule, attention=False, progress=report)


def verdict(ablated: Run) -> str:
    """Where the pairs end without attention, in one sentence."""
    ends = [float(w2[-1]) for w2 in ablated.w2]
    worst = max(range(len(ends)), key=ends.__getitem__)
    if ends[worst] < 1e-3:
        return (
            "Even without attention every pair arrives: these measures share no atom, and this schedule never used V."
        )
    return (
        f"Without attention the same gates open, but the clouds were never pulled apart: "
        f'"{ablated.names[worst]}" ends {number(ends[worst])} rad from its target.'
    )
