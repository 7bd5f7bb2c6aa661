"""Attention on, off, or both: the same schedule replayed with V = 0 shows what attention was for."""

from __future__ import annotations

import streamlit as st

from mtm_viz.run import Run
from mtm_viz.ui import cached, jobs, state
from mtm_viz.ui.cached import Kept
from mtm_viz.ui.jobs import Job, Progress
from mtm_viz.ui.state import View
from mtm_viz.ui.words import number

VIEWS: list[View] = ["on", "off", "both"]
CHOICES: dict[View, str] = {"on": "On", "off": "Off", "both": "Side by side"}


def attention_switch() -> Job | None:
    """Draw the switch. Returns the job that computes what it asks for, while that runs."""
    run = state.run()
    if run is None:
        return None
    chosen = st.segmented_control(
        "Attention",
        VIEWS,
        default=state.view(),
        required=True,
        format_func=CHOICES.__getitem__,
        # A new key where the view was changed by the program, so that the control follows.
        key=f"view-{id(run)}-{state.kept('view_resets')}",
        help="Off: the same schedule replayed with V = 0, every gate as it was.",
    )
    state.set_view("off" if chosen == "off" else "both" if chosen == "both" else "on")
    # A session has one job at a time, and a solve is worth more than this.
    if state.view() == "on" or state.ablation() is not None or state.job("solve") is not None:
        return None
    if state.job("ablate") is None:
        text, kept = state.run_text(), cached.ablated()
        job = jobs.start(cached.pool(), text, lambda report: replay_without_attention(run, text, kept, report))
        state.take_job(job, "ablate")
    return state.job("ablate")


def replay_without_attention(run: Run, text: str, kept: Kept, report: Progress) -> Run:
    """The same schedule with V = 0 throughout, by the independent integrator; kept for whoever asks again."""
    from mtm_viz.verify import replay

    key = f"{run.schedule.switches} {run.schedule.sup_norm!r} {text}"
    known = kept.get(key)
    if known is None:
        known = replay(run.problem, run.schedule, attention=False, progress=report)
        kept.put(key, known)
    return known


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
