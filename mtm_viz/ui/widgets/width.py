"""Width against depth: how many segments the schedule has, and would have with other widths of the perceptron."""

from __future__ import annotations

from typing import Any

import streamlit as st

from mtm_viz.rendering.style import MEASURES_LIGHT
from mtm_viz.run import Run

#: This run's own point stands out by colour, shape and size.
OTHERS, OWN = MEASURES_LIGHT[0], MEASURES_LIGHT[1]


def width_panel(run: Run) -> None:
    """The chart with a sentence; nothing for a run of an earlier version, which does not tell."""
    depths = run.certificate.get("depths")
    if depths:
        st.markdown(said(depths))
        st.vega_lite_chart(chart(depths, run.schedule.width, len(run.schedule)), width="stretch", key="width-chart")


def said(depths: list[list[int]]) -> str:
    """The trade in a sentence or two.

    >>> said([[1, 322], [2, 199], [4, 112], [8, 112]])
    'Wider is shallower: gates far from each other open together, one a unit. **322 segments** of width 1 become **112** of width 4, and no wider network is shallower with these gates (arXiv 2411.04551, Section 1.4.4).'
    """
    fewest = min(segments for _, segments in depths)
    width = next(width for width, segments in depths if segments == fewest)
    end = ", and no wider network is shallower with these gates" if width < depths[-1][0] else ""
    if width == 1:
        return "Width saves no depth here: every gate waits for the one before (arXiv 2411.04551, Section 1.4.4)."
    return (
        f"Wider is shallower: gates far from each other open together, one a unit. **{depths[0][1]:,} segments** of "
        f"width 1 become **{fewest:,}** of width {width}{end} (arXiv 2411.04551, Section 1.4.4)."
    )


def chart(depths: list[list[int]], width: int, segments: int) -> dict[str, Any]:
    """Segments against width, both logarithmic, this run's own marked: a Vega-Lite specification."""
    rows = [{"width": p, "segments": count} for p, count in depths]
    own = {"width": width, "segments": segments}
    both = {
        "x": {
            "field": "width",
            "type": "quantitative",
            "title": "width p",
            "scale": {"type": "log", "base": 2, "nice": False},
            "axis": {"values": [row["width"] for row in rows], "grid": False},
        },
        "y": {
            "field": "segments",
            "type": "quantitative",
            "title": "segments",
            "scale": {"type": "log", "base": 2, "domain": [min(x["segments"] for x in [*rows, own]) * 0.7, rows[0]["segments"] * 1.4]},
        },
        "tooltip": [{"field": "width", "title": "width"}, {"field": "segments", "title": "segments"}],
    }  # fmt: skip
    line = {"mark": {"type": "line", "strokeWidth": 2, "point": {"size": 60}, "color": OTHERS}, "encoding": both}
    mark = {"type": "point", "shape": "diamond", "size": 220, "filled": True, "opacity": 1, "color": OWN}
    here = {"data": {"values": [own]}, "mark": mark, "encoding": both}
    words = {"type": "text", "align": "left", "dx": 12, "dy": -10, "fontSize": 14, "color": OWN}
    label = here | {"mark": words, "encoding": both | {"text": {"value": f"this run: {segments:,}"}}}
    return {"data": {"values": rows}, "height": 240, "layer": [line, here, label]}
