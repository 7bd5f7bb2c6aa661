"""Every colour and size of the pictures: one table for the player, the HTML export and still figures.

Measures wear the Okabe-Ito colours (safe for colour-blind eyes) and a symbol each, so that colour is never alone.
The dark set lightens them just enough to keep 3:1 against the dark page.
"""

from __future__ import annotations

from typing import Any

# Okabe and Ito (2008): blue, vermilion, bluish green, reddish purple, sky blue, orange, grey for black, yellow.
MEASURES_LIGHT = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#3a9bd9", "#c28f00", "#5b6470", "#807f00")
MEASURES_DARK = ("#4ba3ea", "#ff8a3d", "#2fc997", "#e49ac3", "#9bd7ff", "#f0b429", "#b9c1cc", "#f0e442")

# The first five exist in Plotly's 3D symbols too, so that both ways of drawing agree.
SYMBOLS = ("circle", "diamond", "square", "cross", "x", "triangle", "star", "hexagon")

LIGHT: dict[str, Any] = {
    "page": "#ffffff",
    "panel": "#f6f7f9",
    "line": "#dde1e7",
    "ink": "#1b2430",
    "quiet": "#566273",
    "accent": "#1f5fbf",
    "sphere": "#f4f6fa",
    "sphere_shadow": "#bcc6d6",
    "sphere_rim": "#94a3ba",
    "graticule": "#8b98ad",
    "outline": "#ffffff",
    "positive": "#b35806",
    "negative": "#2166ac",
    "zero": "#f3f4f6",
    "measures": MEASURES_LIGHT,
    "phases": {
        "gather": "#cfe3f5",
        "rotate": "#d3ecdf",
        "unbalance": "#f7e6bf",
        "isolate": "#f3d9cc",
        "disentangle": "#e0d8f3",
        "cluster": "#f5d5e3",
        "match": "#dde2ea",
    },
}

DARK: dict[str, Any] = {
    "page": "#0e1117",
    "panel": "#171c26",
    "line": "#2c3442",
    "ink": "#eef2f7",
    "quiet": "#a4b0c0",
    "accent": "#7db2ff",
    "sphere": "#2a3343",
    "sphere_shadow": "#0c1017",
    "sphere_rim": "#5f7391",
    "graticule": "#8497b3",
    "outline": "#0e1117",
    "positive": "#f4a259",
    "negative": "#67a9e8",
    "zero": "#222936",
    "measures": MEASURES_DARK,
    "phases": {
        "gather": "#24435f",
        "rotate": "#23503c",
        "unbalance": "#5a4a1d",
        "isolate": "#5c3a29",
        "disentangle": "#443868",
        "cluster": "#5c2f47",
        "match": "#394252",
    },
}

SIZES: dict[str, Any] = {
    # Marker diameters in CSS pixels, for few and for many atoms; projector mode multiplies.
    "marker_few": 10.5,
    "marker_many": 3.4,
    "many": 10000,
    "ghost": 1.05,
    # Behind the sphere, drawn smaller: a cue of depth, and fewer pixels to fill.
    "behind": 0.85,
    "projector": 1.5,
    # Markers float a hair above the surface so that none sinks into it.
    "radius": 1.012,
    "line": 2.2,
    # Seconds a film lasts at speed 1, before the number of segments adds to it.
    "shortest": 14.0,
    "longest": 60.0,
    "per_segment": 0.07,
    "eye": (0.86, 1.1, 0.6),
}


def style() -> dict[str, Any]:
    """The table as the player reads it (JSON)."""
    return {"light": LIGHT, "dark": DARK, "symbols": SYMBOLS, "sizes": SIZES}
