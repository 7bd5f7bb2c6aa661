"""The Fibonacci lattice on S^2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from mtm_viz.measures.generator import Generator
from mtm_viz.sphere import normalise


@final
@dataclass(frozen=True)
class Fibonacci(Generator):
    """Point k at height 1 - (2k + 1)/n and longitude k times the golden angle pi (3 - sqrt 5)."""

    label: ClassVar[str] = "Fibonacci lattice"
    help: ClassVar[str] = "Fills the whole sphere evenly, as the seeds of a sunflower do."
    random: ClassVar[bool] = False
    least_dimension: ClassVar[int] = 3
    most_dimension: ClassVar[int] = 3

    def points(self, n: int, dimension: int, rng: np.random.Generator) -> np.ndarray:
        k = np.arange(n)
        height = 1.0 - (2.0 * k + 1.0) / n
        longitude = np.pi * (3.0 - np.sqrt(5.0)) * k
        across = np.sqrt((1.0 - height) * (1.0 + height))
        return normalise(np.stack([across * np.cos(longitude), across * np.sin(longitude), height], axis=1))
