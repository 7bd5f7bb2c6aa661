"""Kuramoto coupling: everybody is pulled to the barycentre alike. On the circle, the Kuramoto model."""

from __future__ import annotations

from typing import Any

import numpy as np

from mtm_viz.backend import namespace
from mtm_viz.dynamics.attention.causal import causal_sums
from mtm_viz.dynamics.model import Model


class Kuramoto(Model):
    """sum_j w_j x_j, whatever B: attention with beta = 0. In dimension 2, theta_i' = sum_j w_j sin(theta_j - theta_i)."""

    label = "Kuramoto"
    help = "Every particle feels the barycentre alike: attention with beta = 0. On the circle, coupled oscillators."

    def pull(self, points: Any, weights: Any, B: Any, *, causal: bool, rtol: float) -> Any:
        xp = namespace(points, weights)
        if causal:
            return causal_sums(points, weights, xp.zeros_like(points))[0]
        return xp.broadcast_to(weights @ points, points.shape)

    def matrix(self, points: np.ndarray, weights: np.ndarray, B: np.ndarray, *, causal: bool) -> np.ndarray:
        return super().matrix(points, weights, np.zeros_like(B), causal=causal)
