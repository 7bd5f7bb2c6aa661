"""The measure in hand on the brush, the others about it as ghosts."""

from __future__ import annotations

import numpy as np
import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.ui import cached, desk, state
from mtm_viz.ui.components.brush import Ghost, brush
from mtm_viz.ui.draft import MOST_ATOMS_SHOWN, SIDES
from mtm_viz.ui.drawing import drawn
from mtm_viz.ui.stroke import Stroke


def measure_in_hand() -> Measure | None:
    """The measure that is edited, or None while it has no atoms or cannot be drawn."""
    pair, side = desk.edited()
    try:
        return cached.measure(getattr(pair, side), state.draft().dimension)
    except InputError:
        return None


def drawing_desk() -> None:
    """The brush, or why there is none in this dimension."""
    draft = state.draft()
    if draft.dimension != 3:
        st.info(
            f"Drawing needs the sphere of R³ and this problem has dimension {draft.dimension}: "
            "bring in files, change the shape, or resample at the right.",
            icon=":material/draw:",
        )
        return
    pair, side = desk.edited()
    measure = measure_in_hand()
    k = draft.pairs.index(pair)
    brush(
        measure.points if measure else np.empty((0, 3)),
        measure.weights if measure else np.empty(0),
        key="brush",
        name=f"{side} of “{pair.name}”",
        subject=f"{pair.uid}/{side}",
        source=desk.source_of(getattr(pair, side), "brush"),
        colour=k,
        hollow=side == "target",
        ghosts=_ghosts(),
        most=MOST_ATOMS_SHOWN,
        on_stroke=_take,
        on_fault=state.say,
    )


def _take(stroke: Stroke) -> None:
    pair, side = desk.edited()
    # A stroke that was still on its way when another measure was chosen belongs to the one it was drawn on.
    if stroke.subject == f"{pair.uid}/{side}":
        # A shape's own atoms may go to the link's grid with the drawn ones; those of a file keep every bit.
        before = None if "generator" in getattr(pair, side) else measure_in_hand()
        desk.made(drawn(stroke, before), "brush")


def _ghosts() -> list[Ghost]:
    found = []
    pair, side = desk.edited()
    for k, other in enumerate(state.draft().pairs):
        for each in SIDES:
            if (other.uid, each) == (pair.uid, side):
                continue
            try:
                points = cached.measure(getattr(other, each), 3).points
            except InputError:
                continue  # its card says what is wrong with it
            found.append(Ghost(points, k, each == "target"))
    return found
