"""What the brush sends when a stroke ends: the whole measure as now drawn, hostile until read."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Any

import numpy as np

from mtm_viz.errors import InputError


def packed(numbers: np.ndarray) -> str:
    """float64, little-endian, base64."""
    return base64.b64encode(np.ascontiguousarray(numbers, dtype="<f8").tobytes()).decode()


@dataclass(frozen=True)
class Stroke:
    """The drawn atoms: points (n, 3), weights (n,) beside one another; what was done, in a few words.

    No atoms at all are a drawing too: everything was erased.
    """

    subject: str
    points: np.ndarray
    weights: np.ndarray
    what: str

    @classmethod
    def from_message(cls, said: Any, most: int) -> Stroke:
        """Read what the browser sent. Raises InputError for anything a brush would not send."""
        if not isinstance(said, dict) or not all(
            isinstance(said.get(key), str) for key in ("subject", "points", "weights", "what")
        ):
            raise InputError("the drawing was not understood: reload the page")
        points, weights = _unpacked(said["points"], 3 * most), _unpacked(said["weights"], most)
        if len(points) != 3 * len(weights):
            raise InputError("the drawing was not understood: reload the page")
        return cls(said["subject"], points.reshape(-1, 3), weights, said["what"][:100])


def _unpacked(text: str, most: int) -> np.ndarray:
    if len(text) > 4 * (most * 8 // 3 + 2):
        raise InputError("the drawing holds more atoms than the page takes: erase some")
    try:
        numbers = np.frombuffer(base64.b64decode(text, validate=True), dtype="<f8")
    except (binascii.Error, ValueError) as problem:
        raise InputError("the drawing was not understood: reload the page") from problem
    if not np.isfinite(numbers).all():
        raise InputError("the drawing holds a number that is not finite: undo the last stroke")
    return numbers.astype(np.float64)
