"""Models of attention. Every module of this folder is one, found by its name: to add one, add its file."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from mtm_viz.dynamics.model import Model
from mtm_viz.errors import InputError


@cache
def models() -> dict[str, type[Model]]:
    """Every model by its name, which is its module's."""
    found = {}
    for module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        content = vars(importlib.import_module(f"{__name__}.{module}"))
        (found[module],) = (
            kind
            for kind in content.values()
            if isinstance(kind, type) and issubclass(kind, Model) and kind.__module__ == f"{__name__}.{module}"
        )
    return found


def model(name: str) -> Model:
    """The model of that name. Raises InputError listing the known ones."""
    kind = models().get(name)
    if kind is None:
        raise InputError(f'"model" is "{name[:40]}": use one of {", ".join(models())}')
    return kind()
