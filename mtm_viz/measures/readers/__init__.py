"""Reading a measure from a file. Every module of this folder that has a FORMAT is a reader: to add one, add its file.

A file is hostile until it has been read: nothing is unpickled, nothing is fetched, every size is bounded before memory
is taken, and whatever is wrong ends as one InputError that names the file, the place in it and the remedy.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePath
from typing import Any

from mtm_viz.errors import InputError
from mtm_viz.files import named, read_bytes
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers.format import Format
from mtm_viz.measures.readers.limits import Limits, Watch

__all__ = ["Format", "Limits", "format_of", "measure_from_bytes", "read_measure", "readers"]

DEFAULT = Limits()


@cache
def readers() -> dict[str, Format]:
    """Every reader by suffix."""
    found: dict[str, Format] = {}
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.endswith("_child")):
        content = vars(importlib.import_module(f"{__name__}.{module}"))
        if isinstance(content.get("FORMAT"), Format):
            found |= dict.fromkeys(content["FORMAT"].suffixes, content["FORMAT"])
    return found


def format_of(name: str) -> Format:
    """The reader for a file of this name. Raises InputError listing the suffixes that are read."""
    suffix = PurePath(name).suffix.lower()
    if suffix not in readers():
        said = (
            f"the format '{suffix[:20]}' is not read" if suffix else "a name without a suffix does not say its format"
        )
        raise InputError(f"{said}: use one of {', '.join(sorted(readers()))}")
    return readers()[suffix]


def measure_from_bytes(
    name: str, content: bytes, options: Mapping[str, Any] | None = None, limits: Limits = DEFAULT
) -> Measure:
    """The measure in a file's content; its name says the format. Raises InputError naming file, place and remedy."""
    with named(PurePath(name).name[:100] or "the file"):
        kind = format_of(name)
        read = kind.with_options(dict(options or {}))
        limits.require_bytes(len(content))
        if not content:
            raise InputError("the file is empty (0 bytes): save it again with its points")
        try:
            measure = kind.read(content, read, Watch(limits))
        except MemoryError as problem:
            raise InputError("the file needs more memory than this machine has: make it smaller") from problem
        limits.require_atoms(len(measure))
        return measure


def read_measure(path: Path, options: Mapping[str, Any] | None = None, limits: Limits = DEFAULT) -> Measure:
    """Read any accepted measure file from disk."""
    with named(path.name):
        format_of(path.name)
        content = read_bytes(path, limits.bytes)
    return measure_from_bytes(path.name, content, options, limits)
