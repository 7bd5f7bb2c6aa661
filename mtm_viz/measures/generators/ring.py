"""A circle about a centre."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from mtm_viz.measures.generator import Generator
from mtm_viz.measures.placing import axis, circle
from mtm_viz.parameters import Direction, Number


@final
@dataclass(frozen=True)
class Ring(Generator):
    """Evenly spaced on a circle {angle(x, center) = radius}; in d > 3 one circle of that sphere, see tangent_frame."""

    label: ClassVar[str] = "Ring"
    help: ClassVar[str] = "Evenly spaced on a circle about a centre."
    random: ClassVar[bool] = False
    least_dimension: ClassVar[int] = 3

    center: tuple[float, ...] | None = Direction("Centre", "The middle of the ring.").field(None)
    radius_deg: float = Number("Radius", "Angle from the centre to the ring.", min=0.01, max=179.99, unit="deg").field(
        30.0
    )

    def points(self, n: int, dimension: int, rng: np.random.Generator) -> np.ndarray:
        return circle(axis(self.center, dimension), float(np.deg2rad(self.radius_deg)), n)
