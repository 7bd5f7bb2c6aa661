"""The order parameter: how far the barycentre is from the centre of the sphere."""

from __future__ import annotations

import numpy as np

from mtm_viz.diagnostics.observable import Observable


class Order(Observable):
    """r = |sum_i w_i x_i|, 0 where particles balance and 1 where all are one.

    With noise sigma and beta = 0 it settles at the root of r = I_{d/2}(kappa r) / I_{d/2 - 1}(kappa r), kappa = 2 /
    sigma^2. Source: Kuramoto (1975); arXiv 2606.05140.
    """

    label = "Order parameter"
    formula = "|Σᵢ wᵢ xᵢ|, the length of the barycentre: 1 where all particles are one, 0 where they balance."
    source = "Kuramoto (1975); arXiv 2606.05140"
    most = 1.0
    most_particles = None

    def value(self, points: np.ndarray, weights: np.ndarray, B: np.ndarray) -> float:
        return float(np.linalg.norm(weights @ points))
