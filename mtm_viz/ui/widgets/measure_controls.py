"""Choosing one measure: a generator by name and its parameters, or the points that came with a file."""

from __future__ import annotations

from typing import Any

import streamlit as st

from mtm_viz.measures.generators import generators
from mtm_viz.parameters import Direction, parameters
from mtm_viz.ui.widgets.parameter_controls import parameter_control

GIVEN = "given points"


def measure_controls(said: dict[str, Any], key: str, dimension: int) -> dict[str, Any]:
    """Draw the controls of one measure and return it as now set. Its atoms are counted elsewhere, a pair at a time."""
    kinds = choices(dimension)
    now = said.get("generator", GIVEN)
    # A file may name a generator that has no meaning in this dimension: it stays listed, and the problem says what is wrong.
    names = list(dict.fromkeys([now, *kinds]))
    chosen = st.selectbox(
        "Shape",
        names,
        index=names.index(now),
        format_func=lambda name: (
            generators()[name].label if name in generators() else f"{len(said.get('points', []))} given points"
        ),
        key=f"{key}/kind",
        help="Where this measure's atoms lie.",
    )
    # A browser that comes back to a restarted server may still say a choice that is none any more.
    if chosen != now and chosen in names:
        said = taking_over(said, chosen, dimension)
    if chosen == GIVEN or chosen not in generators():
        return said
    return _parameters(said, f"{key}/{chosen}", dimension)


def choices(dimension: int) -> list[str]:
    """The generators that have a meaning on S^{dimension-1}."""
    return [
        name
        for name, kind in generators().items()
        if kind.least_dimension <= dimension and (kind.most_dimension is None or dimension <= kind.most_dimension)
    ]


def taking_over(said: dict[str, Any], chosen: str, dimension: int) -> dict[str, Any]:
    """The measure of generator `chosen` that keeps of `said` its place, size, atoms and seed where it can.

    >>> taking_over({"generator": "cap", "params": {"center": [1, 0, 0], "radius_deg": 20}, "n": 9, "seed": 4}, "ring", 3)["params"]
    {'center': [1, 0, 0], 'radius_deg': 20}
    """
    before = said.get("params", {})
    place = next((value for value in before.values() if isinstance(value, list) and len(value) == dimension), None)
    params = generators()[chosen]().to_params()
    for name, parameter in parameters(generators()[chosen]).items():
        if isinstance(parameter, Direction):
            params[name] = place if place is not None else params[name]
        elif name in before:
            params[name] = before[name]
    n = said.get("n", len(said.get("points", [])) or 60)
    return {"generator": chosen, "params": params, "n": n, "seed": said.get("seed", 0)}


def _parameters(said: dict[str, Any], key: str, dimension: int) -> dict[str, Any]:
    kind = generators()[said["generator"]]
    given = said.get("params", {})
    defaults = kind().to_params()
    params = {}
    for name, parameter in parameters(kind).items():
        value = parameter_control(parameter, given.get(name, defaults[name]), f"{key}/{name}", dimension)
        # A default that was never said stays unsaid, so that looking at a preset does not change it.
        if name in given or value != defaults[name]:
            params[name] = value
    changed = said | {"params": params}
    if kind.random:
        changed["seed"] = int(
            st.number_input(
                "Seed",
                0,
                999_999,
                int(said.get("seed", 0)),
                key=f"{key}/seed",
                help="Another seed draws another sample.",
            )
        )
    return changed if changed != {"params": {}, "seed": 0} | said else said
