"""Reading a measure from a file: one function a format, found by suffix."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from mtm_viz.errors import InputError
from mtm_viz.files import load_json, named, read_bytes
from mtm_viz.measures.measure import Measure


def read_json(content: bytes) -> Measure:
    """{"points": [[x, y, z], ...], "weights": [w, ...]?}, or a bare list of rows."""
    said: Any = load_json(content)
    if isinstance(said, list):
        return Measure(said)
    if isinstance(said, dict) and "points" in said:
        return Measure(said["points"], said.get("weights"))
    raise InputError('the JSON is no measure: give {"points": [[x, y, z], ...], "weights": [...]}')


READERS: dict[str, Callable[[bytes], Measure]] = {".json": read_json}


def read_measure(path: Path) -> Measure:
    """Read any accepted measure file. Raises InputError naming the file, the place and the remedy."""
    with named(path.name):
        reader = READERS.get(path.suffix.lower())
        if reader is None:
            raise InputError(f"the format '{path.suffix}' is not read: use one of {', '.join(READERS)}")
        return reader(read_bytes(path))
