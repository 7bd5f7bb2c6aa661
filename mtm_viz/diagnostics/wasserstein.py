"""Exact optimal transport between measures on the sphere; the only file that imports POT."""

from __future__ import annotations

import numpy as np
import ot

from mtm_viz.sphere import angle


def geodesic_costs(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Squared angles between rows of x (n, d) and y (m, d), shape (n, m), radians squared."""
    return angle(x[:, None, :], y[None, :, :]) ** 2


def w2(x: np.ndarray, x_weights: np.ndarray, y: np.ndarray, y_weights: np.ndarray) -> float:
    """W2 in radians by the exact transport plan with squared geodesic cost (network simplex)."""
    return transport_distance(x_weights, y_weights, geodesic_costs(x, y))


def transport_plan(
    x: np.ndarray, x_weights: np.ndarray, y: np.ndarray, y_weights: np.ndarray
) -> tuple[np.ndarray, float]:
    """(an optimal plan (n, m), W2 in radians)."""
    costs = geodesic_costs(x, y)
    plan = np.asarray(ot.emd(_masses(x_weights), _masses(y_weights), costs, numItermax=10_000_000))
    return plan, float(np.sqrt(max(0.0, float((plan * costs).sum()))))


def transport_distance(a: np.ndarray, b: np.ndarray, costs: np.ndarray) -> float:
    """sqrt of the least sum pi_ij c_ij over plans pi with marginals a (n,) and b (m,).

    Weights are cast to float64 and made to sum to exactly the same number: otherwise POT may return a plan of zeros.
    """
    plan = np.asarray(ot.emd(_masses(a), _masses(b), costs, numItermax=10_000_000))
    # The plan's own cost, not the solver's dual value: exactly zero when every atom stays.
    return float(np.sqrt(max(0.0, float((plan * costs).sum()))))


def least_common_cost(x: np.ndarray, x_weights: np.ndarray, y: np.ndarray, y_weights: np.ndarray, mass: float) -> float:
    """min over partial plans of total mass `mass` between the two measures of sum pi d(x, y)^2 (exact, POT)."""
    a, b = _masses(x_weights), _masses(y_weights)
    if mass >= 1.0 - 1e-12:
        return w2(x, a, y, b) ** 2
    costs = geodesic_costs(x, y)
    plan = np.asarray(ot.partial.partial_wasserstein(a, b, costs, m=mass, nb_dummies=1))
    return float((plan * costs).sum())


def _masses(weights: np.ndarray) -> np.ndarray:
    w = np.asarray(weights, dtype=np.float64)
    return w / w.sum()
