"""Segments of a scenario's schedule as data: what each does in words, and the same list with one of them changed."""

from __future__ import annotations

from typing import Any

import numpy as np

from mtm_viz.dynamics.law import Law
from mtm_viz.dynamics.law_file import DEFAULTS
from mtm_viz.dynamics.matrices import read_matrix
from mtm_viz.dynamics.models.sa import Softmax
from mtm_viz.dynamics.schedule import Segment
from mtm_viz.dynamics.stages import Stage, in_segment
from mtm_viz.errors import InputError
from mtm_viz.rendering.reading import Reading, read_segment
from mtm_viz.ui.words import degrees, number

Segments = list[dict[str, Any]]

#: What of a segment is edited by name, in the order of the formula.
PARTS = ("V", "beta", "B", "W", "U", "b")


def duplicated(segments: Segments, k: int) -> Segments:
    """The same segment once more, just behind.

    >>> duplicated([{"duration": 1}, {"duration": 2}], 0)
    [{'duration': 1}, {'duration': 1}, {'duration': 2}]
    """
    return [*segments[: k + 1], segments[k], *segments[k + 1 :]]


def without(segments: Segments, k: int) -> Segments:
    return [*segments[:k], *segments[k + 1 :]]


def moved(segments: Segments, k: int, to: int) -> Segments:
    """Segment k at place `to`; the others keep their order."""
    rest = without(segments, k)
    return [*rest[:to], segments[k], *rest[to:]]


def changed(segments: Segments, k: int, **said: Any) -> Segments:
    """Segment k with some of what it says replaced."""
    return [*segments[:k], segments[k] | said, *segments[k + 1 :]]


def part(dynamics: dict[str, Any], segment: dict[str, Any], name: str) -> Any:
    """V, beta, B, W, U or b of a segment: its own, or what the whole scenario says."""
    return in_segment(dynamics, segment).get(name, DEFAULTS[name])


def scaled(said: Any, name: str, c: float, dimension: int, seed: int) -> Any:
    """A part times c, as a scenario file says it; a named matrix becomes its numbers. Raises InputError for a random one's bad name.

    >>> scaled("rotation", "V", 2.0, 2, 0)
    [[0.0, -2.0], [2.0, 0.0]]
    """
    if isinstance(said, int | float):
        return c * said
    if isinstance(said, str | dict):
        return (c * read_matrix(said, name, dimension, dimension, seed) + 0.0).tolist()
    try:
        return (c * np.array(said, dtype=float) + 0.0).tolist()
    except (TypeError, ValueError) as problem:
        raise InputError(f'"{name}" holds something that is not a number: give numbers') from problem


def plain_segment(stage: Stage) -> Segment | None:
    """The stage as a segment of the paper's model; None for several heads or another model."""
    law = stage.law
    if len(law.heads) != 1 or not isinstance(law.model, Softmax):
        return None
    d = len(law.heads[0].V)
    W, U, b = (np.zeros((d, 1)), np.zeros((1, d)), np.zeros(1)) if law.W is None else (law.W, law.U, law.b)
    assert U is not None and b is not None
    return Segment(stage.end - stage.start, law.heads[0].V, law.heads[0].B, W, U, b, "match")


def kind(stage: Stage) -> str:
    """What a stage does, in two words: for a table.

    Gates, rotations and drifts are read off the perceptron as the player reads them.
    """
    names = []
    if stage.law.uses_attention:
        names.append("attention")
    read = _read(stage)
    if read is not None:
        names += ["gate"] if len(read.gates) == 1 else [f"{len(read.gates)} gates"] if read.gates else []
        names += ["rotation"] if read.rotation is not None else []
        names += ["drift"] if read.drift is not None else []
        if not names and np.any(stage.law.W if stage.law.W is not None else 0):
            names.append("perceptron")
    elif stage.law.W is not None:
        names.append("perceptron")
    if stage.law.is_random:
        names.append("noise")
    return " + ".join(names) or "rest"


def in_words(stage: Stage) -> str:
    """One stage in a sentence or two."""
    law, parts = stage.law, []
    if law.uses_attention:
        parts.append(_attention(law))
    read = _read(stage)
    if read is not None:
        if read.rotation is not None:
            angle = float(np.linalg.norm(read.rotation)) / 2**0.5 * (stage.end - stage.start)
            parts.append(f"Everything turns rigidly by {degrees(angle)}°.")
        if read.drift is not None:
            parts.append(f"A drift towards {place(read.drift)} is felt everywhere.")
        for gate in read.gates[:3]:
            cap = degrees(float(np.arccos(np.clip(gate.tau, -1, 1))))
            parts.append(
                f"A gate is open in the cap of {cap}° around {place(gate.a)}: what is inside slides towards {place(gate.drift)}."
            )
        if len(read.gates) > 3:
            parts.append(f"So do {len(read.gates) - 3} more gates.")
    elif law.W is not None:
        parts.append(f"A perceptron of {len(law.W[0])} units is added.")
    if law.is_random:
        parts.append(f"Noise {number(max(law.noise, law.common_noise))} shakes everything.")
    return " ".join(parts) or "Nothing moves."


def _attention(law: Law) -> str:
    if len(law.heads) != 1:
        return f"{len(law.heads)} heads of attention ({law.model.label}) pull at once."
    V, B = law.heads[0].V, law.heads[0].B
    size = number(float(np.linalg.norm(V, 2)))
    how = (
        "all counting alike (B = 0)"
        if not np.any(B)
        else f"near ones counting more (‖B‖ = {number(float(np.linalg.norm(B, 2)))})"
    )
    return f"Attention pulls every particle by V (‖V‖ = {size}) times the mean of its own measure, {how}."


def _read(stage: Stage) -> Reading | None:
    segment = plain_segment(stage)
    return None if segment is None else read_segment(segment)


def place(x: np.ndarray) -> str:
    """A direction as people say it: longitude and latitude on the sphere of R^3, coordinates elsewhere.

    >>> place(np.array([0.0, 1.0, 0.0])), place(np.array([0.6, 0.8]))
    ('90° E 0° N', '(0.6, 0.8)')
    """
    x = np.asarray(x, dtype=float) / max(float(np.linalg.norm(x)), 1e-300)
    if len(x) == 3:
        lon, lat = np.rad2deg(np.arctan2(x[1], x[0])), np.rad2deg(np.arctan2(x[2], np.hypot(x[0], x[1])))
        return f"{abs(lon):.0f}° {'E' if lon >= 0 else 'W'} {abs(lat):.0f}° {'N' if lat >= 0 else 'S'}"
    shown = ", ".join(f"{v:.2g}" for v in x[:4])
    return f"({shown}{', …' if len(x) > 4 else ''})"
