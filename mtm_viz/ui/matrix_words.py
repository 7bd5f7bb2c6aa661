"""Matrices as people choose and type them."""

from __future__ import annotations

import json
import re
from typing import Any

from mtm_viz.errors import InputError

#: What a person chooses among, by the name a scenario file uses.
NAMES = {
    "identity": "I",
    "minus-identity": "−I",
    "zero": "0",
    "rotation": "Quarter turn",
    "line": "Onto a line",
    "random-symmetric": "Random symmetric",
    "random-orthogonal": "Random orthogonal",
    "random-gaussian": "Random Gaussian",
}
TYPED = "Typed in"


def choice_of(said: Any) -> str:
    """The entry of NAMES, or TYPED, that a matrix of a scenario file is."""
    return said if isinstance(said, str) and said in NAMES else TYPED


def written(said: Any, dimension: int) -> str:
    """A matrix as text to be edited, a row a line.

    >>> print(written([[1, 0.5], [0, 1]], 2))
    1 0.5
    0 1
    """
    if isinstance(said, list) and all(isinstance(row, list) for row in said):
        return "\n".join(" ".join(f"{x:.12g}" for x in row) for row in said)
    if isinstance(said, int | float | dict):
        return json.dumps(said)
    return "\n".join(" ".join("1" if i == j else "0" for j in range(dimension)) for i in range(dimension))


def typed(text: str, name: str) -> Any:
    """The matrix that was typed: rows of numbers, one number c for c I, a name of NAMES, or the JSON of a file.

    >>> typed("1, 0; 0, 1", "V"), typed("2", "V"), typed("rotation", "V")
    ([[1.0, 0.0], [0.0, 1.0]], 2.0, 'rotation')
    """
    text = text.strip()
    if text in NAMES:
        return text
    if text.startswith(("{", "[")):
        try:
            return json.loads(text)
        except ValueError as problem:
            raise InputError(f'"{name}" is not JSON yet: check brackets, commas and quotes') from problem
    try:
        rows = [
            [float(x) for x in re.split(r"[\s,]+", row.strip(" ,"))] for row in re.split(r"[\n;]", text) if row.strip()
        ]
    except ValueError as problem:
        raise InputError(
            f'"{name}" holds something that is not a number: give rows of numbers, one a line'
        ) from problem
    if not rows:
        raise InputError(f'"{name}" is empty: give rows of numbers, one a line')
    return rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else rows
