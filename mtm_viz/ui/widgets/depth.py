"""How deep a network must be: W2 to the target against the number of layers, and the depth that reaches a given eps."""

from __future__ import annotations

from typing import Any

import streamlit as st

from mtm_viz.network import Depth, layers_needed
from mtm_viz.rendering.style import MEASURES_LIGHT
from mtm_viz.run import Run
from mtm_viz.ui import cached, jobs, state
from mtm_viz.ui.jobs import Done, Failed, Job
from mtm_viz.ui.words import number, sentence

POLL = 0.25
ACCURACIES = (0.1, 0.03, 0.01, 3e-3, 1e-3)


def depth_panel(run: Run) -> None:
    """Ask for an accuracy; see how many layers reach it and how W2 falls on the way."""
    making = state.kept("making")
    with st.container(key="depth-panel"):
        eps = st.select_slider(
            "W₂ within (rad)", ACCURACIES, 0.03, format_func=number, key="depth-eps",
            help="How close the discrete network must end to where the continuous Transformer ends.",
        )  # fmt: skip
        key = (id(run), eps)
        running: Job | None = making.get("depth_job")
        if running is not None:
            outcome = running.outcome
            if outcome is None:
                st.fragment(_progress, run_every=POLL)(running)
                return
            making["depth_job"] = None
            if isinstance(outcome, Done):
                making["depth"] = outcome.value
            elif isinstance(outcome, Failed):
                st.error(sentence(outcome.sentence), icon=":material/error:")
        found = making.get("depth")
        if found is None or found[0] != key:
            if st.button(
                "How many layers?", icon=":material/stacks:", key="depth-find", help="Tries networks of growing depth."
            ):
                making["depth_job"] = jobs.start(
                    cached.pool(), "depth", lambda report: (key, *layers_needed(run, eps, report))
                )  # fmt: skip
                st.rerun()
            return
        _, best, tried = found
        st.markdown(said(best, eps, len(run.schedule)))
        st.vega_lite_chart(chart(tried, run.names, eps), width="stretch", key="depth-chart")


def said(best: Depth | None, eps: float, segments: int) -> str:
    """The answer in a sentence."""
    if best is None:
        return f"No network of up to 100,000 layers comes within {number(eps)} rad of every target."
    per = best.layers / segments
    return (
        f"**{best.layers:,} layers** bring every measure within {number(eps)} rad of where the continuous Transformer "
        f"brings it: {per:.1f} layers for each of its {segments:,} segments."
    )


def chart(tried: list[Depth], names: tuple[str, ...], eps: float) -> dict[str, Any]:
    """W2 of every pair against depth, both logarithmic, with the accuracy asked for: a Vega-Lite specification."""
    rows = [
        {"layers": depth.layers, "pair": f"{i + 1}. {name}", "w2": max(depth.w2[i], 1e-12)}
        for depth in tried
        for i, name in enumerate(names)
    ]
    order = [f"{i + 1}. {name}" for i, name in enumerate(names)]
    colors = [MEASURES_LIGHT[i % len(MEASURES_LIGHT)] for i in range(len(names))]
    lines = {
        "mark": {"type": "line", "point": {"size": 40}, "strokeWidth": 2},
        "encoding": {
            "x": {"field": "layers", "type": "quantitative", "scale": {"type": "log", "nice": False}, "title": "layers"},
            "y": {"field": "w2", "type": "quantitative", "scale": {"type": "log"}, "title": "W₂ to target (rad)"},
            "color": {"field": "pair", "type": "nominal", "sort": order, "scale": {"domain": order, "range": colors}, "title": None},
        },
    }  # fmt: skip
    goal = {
        "data": {"values": [{"eps": eps}]},
        "mark": {"type": "rule", "strokeDash": [4, 4]},
        "encoding": {"y": {"field": "eps", "type": "quantitative"}},
    }
    return {"data": {"values": rows}, "height": 280, "layer": [lines, goal], "config": {"legend": {"orient": "top"}}}


def _progress(running: Job) -> None:
    if running.outcome is not None:
        st.rerun()
    st.progress(running.fraction, sentence(running.sentence))
    if st.button("Cancel", icon=":material/stop:", key="depth-cancel"):
        running.cancel()
        state.kept("making")["depth_job"] = None
        st.rerun()
