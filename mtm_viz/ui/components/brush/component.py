"""Mounts the brush. One message comes back a finished stroke; a rerun never disturbs the drawing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.rendering.style import style
from mtm_viz.ui import desk, state
from mtm_viz.ui.components.served import served
from mtm_viz.ui.stroke import Stroke, packed

ASSETS = Path(__file__).parent / "assets"


@dataclass(frozen=True)
class Ghost:
    """Another measure, shown faintly: its points (n, 3), the number of its colour, hollow for a target."""

    points: np.ndarray
    colour: int
    hollow: bool


def brush(
    points: np.ndarray,
    weights: np.ndarray,
    *,
    key: str,
    name: str,
    subject: str,
    source: str,
    colour: int,
    hollow: bool,
    ghosts: Sequence[Ghost] = (),
    most: int = 2_000,
    on_stroke: Callable[[Stroke], None],
    on_fault: Callable[[str], None],
) -> None:
    """Let a person draw the measure with these atoms.

    subject: what is drawn; another one brings its own history. source: changes whenever the atoms come from elsewhere
    than the brush itself, and only then are they taken over, as a step that can be undone.
    on_stroke is called with every finished stroke before the page is drawn again, on_fault with a sentence.
    """

    def heard() -> None:
        take(state.sent(key, "stroke"))

    def take(message: Any) -> bool:
        if not isinstance(message, dict) or not desk.is_news(key, message.get("number")):
            return False
        try:
            on_stroke(Stroke.from_message(message, most))
        except InputError as problem:
            on_fault(str(problem))
        return True

    data = {
        "points": packed(points),
        "weights": packed(weights * len(weights)),
        "name": name,
        "subject": subject,
        "source": source,
        "colour": colour,
        "hollow": hollow,
        "ghosts": [{"points": packed(g.points), "colour": g.colour, "hollow": g.hollow} for g in ghosts],
        "most": most,
        "style": style(),
    }
    result = served("brush", ASSETS, "brush.css")(key=key, data=data, on_stroke_change=heard)
    # A session that has just begun, after a restart of the server, knows no callback yet for the stroke that began it.
    if take(result.stroke):
        st.rerun()
