"""A great circle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from mtm_viz.measures.generator import Generator
from mtm_viz.measures.placing import axis, circle
from mtm_viz.parameters import Direction


@final
@dataclass(frozen=True)
class GreatCircle(Generator):
    """Evenly spaced on a great circle orthogonal to `normal`; in d > 3 on one of them, see tangent_frame."""

    label: ClassVar[str] = "Great circle"
    help: ClassVar[str] = "Evenly spaced on a circle that halves the sphere."
    random: ClassVar[bool] = False
    least_dimension: ClassVar[int] = 3

    normal: tuple[float, ...] | None = Direction("Normal", "The axis the circle turns about.").field(None)

    def points(self, n: int, dimension: int, rng: np.random.Generator) -> np.ndarray:
        return circle(axis(self.normal, dimension), np.pi / 2, n)
