"""Observables against time, one small curve each, with its formula in a tooltip."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from mtm_viz.diagnostics.observables import observables
from mtm_viz.simulation import Simulation
from mtm_viz.ui.observing import Curves, measured, names, reading
from mtm_viz.ui.widgets.look import palette


def observables_panel(found: Simulation) -> None:
    """All of them, one below the other."""
    kinds = observables()
    for name in names():
        kind, curves = kinds[name], measured(found, name)
        with st.container(gap=None, key=f"observable-{name}"):
            st.markdown(f"**{kind.label}** {reading(name, curves)}", help=f"{kind.formula}\n\nSource: {kind.source}.")
            chart = curve(name, found.times, curves, list(palette()["measures"]))
            st.vega_lite_chart(chart, width="stretch", key=f"curve-{name}")


def curve(name: str, times: np.ndarray, curves: Curves, colours: list[str]) -> dict[str, Any]:
    """One observable against layer time, a line for every measure: a Vega-Lite specification."""
    kind = observables()[name]
    rows = [
        {"t": float(times[f]), "value": float(v), "measure": f"measure {k + 1}"}
        for k, (frames, values) in enumerate(curves)
        for f, v in zip(frames, values, strict=True)
    ]
    order = [f"measure {k + 1}" for k in range(len(curves))]
    top = kind.most if kind.most is not None and kind.unit == "" else None
    tooltip = [
        {"field": "t", "type": "quantitative", "format": ".3g", "title": "layer time"},
        {"field": "value", "type": "quantitative", "format": "d" if kind.counts else ".4g", "title": kind.label},
    ]
    y: dict[str, Any] = {
        "field": "value",
        "type": "quantitative",
        "title": None,
        "axis": {"tickCount": 2, "grid": True},
    }
    y["scale"] = {"zero": kind.counts or kind.unit != "", "nice": True} | ({"domain": [0, top]} if top else {})
    return {
        "data": {"values": rows},
        "height": 60,
        "padding": {"left": 0, "top": 4, "right": 4, "bottom": 0},
        "mark": {
            "type": "line",
            "strokeWidth": 2,
            "interpolate": "step-after" if kind.counts else "linear",
            "point": {"opacity": 0, "size": 60},
            "clip": True,
        },
        "encoding": {
            "x": {
                "field": "t",
                "type": "quantitative",
                "title": None,
                "axis": {"tickCount": 5, "grid": False},
                "scale": {"nice": False},
            },
            "y": y,
            "color": {
                "field": "measure",
                "type": "nominal",
                "legend": None,
                "scale": {"domain": order, "range": [colours[k % len(colours)] for k in range(len(order))]},
            },
            "tooltip": tooltip,
        },
        "config": {"view": {"stroke": None}},
    }
