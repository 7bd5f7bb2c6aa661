"""The uniform measure on a spherical cap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from scipy.special import betainc, betaincinv

from mtm_viz.measures.generator import Generator
from mtm_viz.measures.placing import at_haversines, axis
from mtm_viz.parameters import Direction, Number


@final
@dataclass(frozen=True)
class Cap(Generator):
    """Uniform on {angle(x, center) <= radius}.

    On the whole sphere h = sin(theta/2)^2 is Beta(a, a) with a = (d - 1)/2, so on the cap it is that law cut
    at sin(radius/2)^2, drawn by inverting its distribution function.
    """

    label: ClassVar[str] = "Cap"
    help: ClassVar[str] = "Uniform on a round patch."

    center: tuple[float, ...] | None = Direction("Centre", "The middle of the cap.").field(None)
    radius_deg: float = Number("Radius", "Angle from the centre to the rim.", min=0.01, max=180, unit="deg").field(30.0)

    def points(self, n: int, dimension: int, rng: np.random.Generator) -> np.ndarray:
        a = (dimension - 1) / 2
        mass = betainc(a, a, np.sin(np.deg2rad(self.radius_deg) / 2) ** 2)
        haversine = betaincinv(a, a, mass * rng.random(n))
        return at_haversines(axis(self.center, dimension), haversine, rng)
