"""What is let go: the initial measures and how many particles each has."""

from __future__ import annotations

from typing import Any

import streamlit as st

from mtm_viz.measures.generators import generators
from mtm_viz.ui import explore
from mtm_viz.ui.scenario_link import MOST_PARTICLES
from mtm_viz.ui.slots import Slots
from mtm_viz.ui.widgets.measure_controls import measure_controls

#: Particles to choose among; what a scenario has beside these is added.
COUNTS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 50, 75, 100, 150, 200, 300, 400, 600, 800, 1000)
MOST_MEASURES_SHOWN = 4


def start_controls(initial: Any, dimension: int, key: str, slots: Slots) -> Any:
    """Draw them and return the initial measure, or the list of them, as a scenario file says it."""
    listed = initial if isinstance(initial, list) else [initial]
    changed = []
    for k, measure in enumerate(listed):
        name = "Start" if len(listed) == 1 else f"Start {k + 1}"
        changed.append(_measure(measure, k, name, dimension, f"{key}/start{k}", slots))
    return changed if isinstance(initial, list) else changed[0]


def _measure(said: dict[str, Any], k: int, name: str, dimension: int, key: str, slots: Slots) -> dict[str, Any]:
    generated = "generator" in said
    label = generators()[said["generator"]].label if generated else f"{len(said['points'])} given points"
    if generated:
        said = _count(said, k, name, key, slots)
    with st.popover(f"{name}: {label}", width="stretch", key=f"{key}/shape"):
        said = measure_controls(said, key, dimension)
    slots.here("initial")
    return said


def _count(said: dict[str, Any], k: int, name: str, key: str, slots: Slots) -> dict[str, Any]:
    """A slider for the usual counts, and a number beside it; too many are named in a sentence and stay typed."""
    n = said.get("n", 200)
    at = min(max(int(n), 1), MOST_PARTICLES)
    counts = sorted({*COUNTS, at} - ({2, 3} if at > 3 else set()))
    label = "Particles n" if name == "Start" else f"Particles n, {name.lower()}"
    left, right = st.columns([5, 2], gap="small", vertical_alignment="bottom")
    moved = left.select_slider(
        label, counts, at, key=f"{key}/n/{explore.typed()}", help="How many particles the measure is made of, all of one weight.",
    )  # fmt: skip
    now = n if moved == at else int(moved)
    typed = int(right.number_input(
        f"{label} as a number", value=int(now), step=None, key=f"{key}/n/as/{now}/{explore.typed()}",
        label_visibility="collapsed",
    ))  # fmt: skip
    slots.here(f"initial measure {k + 1}/n", "n")
    if typed != now:
        explore.note_typed()
        now = typed
    return said if now == n else said | {"n": now}
