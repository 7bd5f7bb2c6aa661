"""The von Mises-Fisher measure, the normal distribution's cousin on the sphere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from mtm_viz.measures.generator import Generator
from mtm_viz.measures.placing import at_haversines, axis
from mtm_viz.parameters import Direction, Number


@final
@dataclass(frozen=True)
class VonMisesFisher(Generator):
    """Density proportional to exp(kappa <mean, x>); kappa = 0 is uniform."""

    label: ClassVar[str] = "von Mises-Fisher cloud"
    help: ClassVar[str] = "A round cloud about a mean direction, tighter for larger kappa."

    mean: tuple[float, ...] | None = Direction("Mean direction", "Where the cloud is densest.").field(None)
    kappa: float = Number("Concentration kappa", "0 is uniform; 100 is about 6 degrees wide.", min=0, max=1e6).field(
        20.0
    )

    def points(self, n: int, dimension: int, rng: np.random.Generator) -> np.ndarray:
        return at_haversines(axis(self.mean, dimension), self._haversines(n, dimension - 1, rng), rng)

    def _haversines(self, n: int, m: int, rng: np.random.Generator) -> np.ndarray:
        """sin(theta/2)^2 of the angle from the mean, by Ulrich's exact rejection (as corrected by Wood 1994).

        With z ~ Beta(m/2, m/2), the proposal cos(theta) = (1 - (1 + b) z) / (1 - (1 - b) z) is accepted
        with probability exp(kappa (cos - x0)) ((1 - x0 cos) / (1 - x0^2))^m.
        """
        b = m / (2.0 * self.kappa + np.hypot(2.0 * self.kappa, m))
        x0 = (1.0 - b) / (1.0 + b)
        accepted = np.empty(0)
        while len(accepted) < n:
            z = rng.beta(m / 2, m / 2, size=n)
            haversine = b * z / (1.0 - (1.0 - b) * z)
            cosine = 1.0 - 2.0 * haversine
            chance = self.kappa * (cosine - x0) + m * np.log((1.0 - x0 * cosine) / (1.0 - x0 * x0))
            accepted = np.concatenate([accepted, haversine[np.log1p(-rng.random(n)) <= chance]])
        return accepted[:n]
