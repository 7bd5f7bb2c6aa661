"""Whether particles leave the cap that they start in."""

from __future__ import annotations

import numpy as np

from mtm_viz.diagnostics.observable import Observable
from mtm_viz.sphere import angle, smallest_cap

#: A start smaller than this, in degrees, counts as this large.
LEAST_DEG = 1.0


class Escape(Observable):
    """max_i angle(c, x_i(t)) / r, with (c, r) the smallest cap that holds all particles at the start.

    1 at the start. It never exceeds 1 where r < 90 degrees and V = I: such a cap is convex, and every particle is pulled
    into it. Source: arXiv 2411.04551, Proposition 2.1.
    """

    label = "Escape"
    formula = f"The largest angle from the centre of the smallest cap that held all particles at the start, over that cap's radius (at least {LEAST_DEG:g}°). Above 1 some have left it; under V = I none leaves a cap smaller than a hemisphere."
    source = "arXiv 2411.04551, Proposition 2.1"

    def begin(self, points: np.ndarray, weights: np.ndarray) -> None:
        self.centre, radius = smallest_cap(points[weights > 0])
        self.radius = max(radius, np.deg2rad(LEAST_DEG))

    def value(self, points: np.ndarray, weights: np.ndarray, B: np.ndarray) -> float:
        return float(angle(points[weights > 0], self.centre[None]).max() / self.radius)
