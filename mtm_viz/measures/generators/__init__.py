"""Named families of measures. Every module of this folder is one, found by its name: to add one, add its file."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.measures.generator import Generator
from mtm_viz.measures.measure import Measure
from mtm_viz.registry import one_a_module


@cache
def generators() -> dict[str, type[Generator]]:
    """Every generator by its name, which is its module's."""
    return one_a_module(__name__, __path__, Generator)


def generator(name: str, params: dict[str, Any]) -> Generator:
    """The generator `name` with its parameters read. Raises InputError naming the parameter and the remedy."""
    kind = generators().get(name)
    if kind is None:
        raise InputError(f'generator "{name}" is unknown: use one of {", ".join(generators())}')
    try:
        return kind.from_params(params)
    except InputError as problem:
        raise InputError(f'generator "{name}": {problem}') from problem


def generate(name: str, params: dict[str, Any], *, n: int, seed: int, dimension: int) -> Measure:
    """n equally weighted atoms on S^{dimension-1}: the same arguments give the same atoms on every machine.

    Randomness is drawn on the host by numpy.random.default_rng(seed).
    """
    if n < 1 or seed < 0:
        raise InputError(
            f'generator "{name}": n is {n} and seed is {seed}: give n of at least 1 and a seed of at least 0'
        )
    family = generator(name, params)
    try:
        family.require_dimension(dimension)
        return Measure(family.points(n, dimension, np.random.default_rng(seed)))
    except InputError as problem:
        raise InputError(f'generator "{name}": {problem}') from problem
