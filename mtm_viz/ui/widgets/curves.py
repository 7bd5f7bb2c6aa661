"""Small charts beside the player, as Vega-Lite specifications: a curve against layer time, and a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mtm_viz.diagnostics.observables import observables
from mtm_viz.ui.observing import Curves

Bands = Sequence[tuple[float, float, str]]


def curve(name: str, times: np.ndarray, curves: Curves, colours: list[str], bands: Bands = (), band: str = "#f5d5e3") -> dict[str, Any]:  # fmt: skip
    """One observable against layer time, a line for every measure; bands: (start, end, words) of the plateaus."""
    kind = observables()[name]
    top = kind.most if kind.most is not None and kind.unit == "" else None
    scale = {"zero": kind.counts or kind.unit != "", "nice": True} | ({"domain": [0, top]} if top else {})
    labels = [f"measure {k + 1}" for k in range(len(curves))]
    lines = dict(zip(labels, curves, strict=True))
    return lines_chart(times, lines, colours, kind.label, scale, bands, band, "d" if kind.counts else ".4g")


def lines_chart(
    times: np.ndarray,
    lines: dict[str, tuple[np.ndarray, np.ndarray]],
    colours: list[str],
    title: str,
    scale: dict[str, Any],
    bands: Bands = (),
    band: str = "#f5d5e3",
    number: str = ".4g",
) -> dict[str, Any]:
    """Lines against layer time, over bands; whole numbers ("d") move in steps."""
    rows = [
        {"t": float(times[f]), "value": float(v), "measure": label}
        for label, (frames, values) in lines.items()
        for f, v in zip(frames, values, strict=True)
    ]
    x = {"field": "t", "type": "quantitative", "title": None, "scale": {"nice": False}}
    behind = {
        "data": {"values": [{"t": a, "end": b, "says": says} for a, b, says in bands]},
        "mark": {"type": "rect", "color": band, "opacity": 0.7},
        "encoding": {"x": x, "x2": {"field": "end"}, "tooltip": {"field": "says", "title": "plateau"}},
    }
    line = {
        "data": {"values": rows},
        "mark": {
            "type": "line",
            "strokeWidth": 2,
            "interpolate": "step-after" if number == "d" else "linear",
            "point": {"opacity": 0, "size": 60},
            "clip": True,
        },
        "encoding": {
            "x": x | {"axis": {"tickCount": 5, "grid": False}},
            "y": {
                "field": "value",
                "type": "quantitative",
                "title": None,
                "axis": {"tickCount": 2, "grid": True},
                "scale": scale,
            },
            "color": {
                "field": "measure",
                "type": "nominal",
                "legend": None,
                "scale": {"domain": list(lines), "range": [colours[k % len(colours)] for k in range(len(lines))]},
            },
            "tooltip": [
                {"field": "t", "type": "quantitative", "format": ".3g", "title": "layer time"},
                {"field": "value", "type": "quantitative", "format": number, "title": title},
            ],
        },
    }
    return {
        "height": 60,
        "padding": {"left": 0, "top": 4, "right": 4, "bottom": 0},
        "layer": [behind, line] if bands else [line],
        "config": {"view": {"stroke": None}},
    }


def matrix(P: np.ndarray, rows: np.ndarray, scheme: str) -> dict[str, Any]:
    """A matrix of shares as squares; row i attends to column j. Particles are numbered from 1."""
    names = [int(row) + 1 for row in rows]
    values = [
        {"i": i, "j": j, "from": names[i], "to": names[j], "P": round(float(P[i, j]), 6)}
        for i in range(len(P))
        for j in range(len(P))
    ]

    def axis(field: str) -> dict[str, Any]:
        return {"field": field, "type": "ordinal", "axis": None, "scale": {"padding": 0}}

    shade = {"field": "P", "type": "quantitative", "scale": {"scheme": scheme, "domainMin": 0}, "legend": None}
    return {
        "data": {"values": values},
        "height": 290,
        "padding": 0,
        "mark": {"type": "rect", "strokeWidth": 0.6},
        "encoding": {
            "x": axis("j"),
            "y": axis("i"),
            "color": shade,
            # A rim of its own colour, or squares of a broken number of pixels would have a grid between them.
            "stroke": shade,
            "tooltip": [
                {"field": "from", "title": "particle"},
                {"field": "to", "title": "attends to"},
                {"field": "P", "format": ".3g", "title": "share"},
            ],
        },
        "config": {"view": {"stroke": None}},
    }
