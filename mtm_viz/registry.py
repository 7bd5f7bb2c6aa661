"""Folders in which every module is one thing, found by its name: to add one, add its file."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from typing import TypeVar

Kind = TypeVar("Kind")


def one_a_module(package: str, path: Iterable[str], base: type[Kind]) -> dict[str, type[Kind]]:
    """The subclass of `base` that each module of the package defines, by the module's name.

    Raises ValueError where a module defines none or several.
    """
    found: dict[str, type[Kind]] = {}
    for name in sorted(module.name for module in pkgutil.iter_modules(path)):
        home = f"{package}.{name}"
        (found[name],) = (
            kind
            for kind in vars(importlib.import_module(home)).values()
            if isinstance(kind, type) and issubclass(kind, base) and kind.__module__ == home
        )
    return found
