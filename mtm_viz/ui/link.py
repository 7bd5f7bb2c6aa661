"""A problem of generators and drawn points as text short enough for a link, and back; a link is hostile until read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mtm_viz.files import load_json
from mtm_viz.problem import Problem
from mtm_viz.ui.draft import SIDES, canonical, refuse_too_large
from mtm_viz.ui.packing import deflated, inflated, pack_points, unpack_points


def pack(said: dict[str, Any]) -> str | None:
    """The problem as URL-safe text, or None where that would be too long, or would not bring back every bit."""
    said = _each_side(said, _packed)
    if said is None:
        return None
    return deflated(canonical(said).encode())


def unpack(text: str) -> dict[str, Any]:
    """The problem in a link, checked. Raises InputError for anything else, without unpacking more than it should."""
    said = _each_side(load_json(inflated(text)), _unpacked)
    refuse_too_large(said)
    return Problem.from_json(said).to_json()


def _each_side(said: Any, change: Callable[[Any], Any]) -> Any:
    """The problem with every measure changed; None where one cannot be. What is no problem stays as it is."""
    if not isinstance(said, dict) or not isinstance(said.get("pairs"), list):
        return said
    pairs = []
    for pair in said["pairs"]:
        if not isinstance(pair, dict):
            return said
        changed = {side: change(pair[side]) for side in SIDES if side in pair}
        if None in changed.values():
            return None
        pairs.append(pair | changed)
    return said | {"pairs": pairs}


def _packed(measure: dict[str, Any]) -> dict[str, Any] | None:
    if "points" not in measure:
        return measure
    packed = pack_points(np.array(measure["points"], dtype=float)) if measure["points"] else None
    return None if packed is None else {key: measure[key] for key in measure if key != "points"} | {"packed": packed}


def _unpacked(measure: Any) -> Any:
    if not isinstance(measure, dict) or not isinstance(measure.get("packed"), str):
        return measure
    points = unpack_points(measure["packed"]).tolist()
    return {key: measure[key] for key in measure if key != "packed"} | {"points": points}
