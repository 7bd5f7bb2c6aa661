"""Models of attention. Every module of this folder is one, found by its name: to add one, add its file."""

from __future__ import annotations

from functools import cache

from mtm_viz.dynamics.model import Model
from mtm_viz.errors import InputError
from mtm_viz.registry import one_a_module


@cache
def models() -> dict[str, type[Model]]:
    """Every model by its name, which is its module's."""
    return one_a_module(__name__, __path__, Model)


def model(name: str) -> Model:
    """The model of that name. Raises InputError listing the known ones."""
    kind = models().get(name)
    if kind is None:
        raise InputError(f'"model" is "{name[:40]}": use one of {", ".join(models())}')
    return kind()
