"""Writing a measure to a file. Every module of this folder that has a WRITER is one, found by suffix."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure


@dataclass(frozen=True)
class Writer:
    """One format. `loss` says what a round trip changes, "" where every bit comes back."""

    label: str
    suffix: str
    mime: str
    write: Callable[[Measure], bytes]
    loss: str = ""


@cache
def writers() -> dict[str, Writer]:
    """Every writer by suffix."""
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    found = [vars(importlib.import_module(f"{__name__}.{module}"))["WRITER"] for module in modules]
    return {writer.suffix: writer for writer in found}


def writer_of(name: str) -> Writer:
    """The writer for a file of this name. Raises InputError listing the suffixes that are written."""
    suffix = PurePath(name).suffix.lower()
    if suffix not in writers():
        raise InputError(f"{name} is not a {' or '.join(writers())} file: name the output with one of these suffixes")
    return writers()[suffix]
