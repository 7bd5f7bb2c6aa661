"""How large a cap must be to hold all particles."""

from __future__ import annotations

import numpy as np

from mtm_viz.diagnostics.observable import Observable
from mtm_viz.sphere import smallest_cap


class Hull(Observable):
    """The least r such that a cap of radius r degrees holds all particles that have weight.

    Below 90 all lie in an open hemisphere, and under V = I they then shrink to a point. Source: arXiv 2411.04551, Proposition 2.1.
    """

    label = "Enclosing cap"
    formula = "The radius of the smallest cap that holds all particles. Below 90° all lie in an open hemisphere: under V = I they then shrink to one point."
    source = "arXiv 2411.04551, Proposition 2.1"
    unit = "°"
    most = 180.0
    cost = 10.0
    most_particles = 300

    def value(self, points: np.ndarray, weights: np.ndarray, B: np.ndarray) -> float:
        return float(np.rad2deg(smallest_cap(points[weights > 0])[1]))
