"""Entropy relative to the uniform measure, of the density seen at a stated resolution."""

from __future__ import annotations

import numpy as np

from mtm_viz.diagnostics.observable import Observable
from mtm_viz.diagnostics.predictions import mean_kernel
from mtm_viz.dynamics.attention import attend

#: Width of the kernel that makes a density of particles.
WIDTH_DEG = 10.0


class Entropy(Observable):
    """S = -sum_i w_i log rho(x_i), rho(x) = sum_j w_j e^{k (<x, x_j> - 1)} / mean of e^{k (<x, .> - 1)}, k = WIDTH_DEG^{-2}.

    rho is a kernel estimate of the density against the uniform measure, so that S = 0 for the uniform measure and less for
    any other. A single point has log(mean kernel), the least: what is finer than the kernel is not seen. Each particle
    counts in its own density: few of them look less even than they are. Source: Hall, Watson, Cabrera, Biometrika
    74 (1987) for the density.
    """

    label = "Entropy"
    formula = f"−Σᵢ wᵢ log ρ(xᵢ), relative to the uniform measure, which has 0; ρ is the density seen through a von Mises-Fisher kernel of width {WIDTH_DEG:g}°. It falls as particles gather, and is least where they are one."
    source = "Hall, Watson and Cabrera, Biometrika 74 (1987)"
    most_particles = None

    def value(self, points: np.ndarray, weights: np.ndarray, B: np.ndarray) -> float:
        d = points.shape[1]
        k = float(np.deg2rad(WIDTH_DEG)) ** -2
        log_density = attend(points, weights, k * np.eye(d), rtol=1e-12).log_partition - k - np.log(mean_kernel(k, d))
        return float(-(weights @ log_density))
