"""Exact optimal transport between measures on the sphere; the only file that imports POT."""

from __future__ import annotations

import numpy as np
import ot

from mtm_viz.sphere import angles


def geodesic_costs(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Squared angles between rows of x (n, d) and y (m, d), shape (n, m), radians squared."""
    return angles(x, y) ** 2


def w2(x: np.ndarray, x_weights: np.ndarray, y: np.ndarray, y_weights: np.ndarray) -> float:
    """W2 in radians by the exact transport plan with squared geodesic cost (network simplex)."""
    return Transport(x_weights, y_weights).distance(geodesic_costs(x, y))


def transport_plan(
    x: np.ndarray, x_weights: np.ndarray, y: np.ndarray, y_weights: np.ndarray
) -> tuple[np.ndarray, float]:
    """(an optimal plan (n, m), W2 in radians)."""
    costs = geodesic_costs(x, y)
    plan = np.asarray(ot.emd(_masses(x_weights), _masses(y_weights), costs, numItermax=10_000_000))
    return plan, float(np.sqrt(max(0.0, float((plan * costs).sum()))))


class Transport:
    """The exact distance between two fixed sets of weights a (n,) and b (m,), for one matrix of costs after another.

    Each programme starts from the dual potentials of the one before: the answer is the same, and sooner found where
    the costs have changed a little.
    """

    def __init__(self, a: np.ndarray, b: np.ndarray) -> None:
        self._masses = _masses(a), _masses(b)
        self._potentials: tuple[np.ndarray, np.ndarray] | None = None
        self._plan: tuple[np.ndarray, np.ndarray, np.ndarray] = (np.empty(0, int), np.empty(0, int), np.empty(0))

    def distance(self, costs: np.ndarray) -> float:
        """sqrt of the least sum pi_ij c_ij over plans pi with marginals a and b."""
        plan, log = ot.emd(
            *self._masses, costs, numItermax=10_000_000, log=True, center_dual=False, potentials_init=self._potentials
        )
        self._potentials = (log["u"], log["v"])
        rows, columns = np.nonzero(plan)
        self._plan = rows, columns, np.asarray(plan)[rows, columns]
        return self._last(costs)

    def bounds(self, costs: np.ndarray, changed: np.ndarray) -> tuple[float, float]:
        """Below and above the distance, by the last solution alone, where rows `changed` (n,) of the costs are others now.

        Above: what the last plan costs now. Below, by duality: sum a_i u_i + sum b_j v_j with the last v and
        u_i = min_j c_ij - v_j. (0, inf) before there is one.
        """
        if self._potentials is None:
            return 0.0, float("inf")
        u, v = self._potentials
        u[changed] = (costs[changed] - v).min(axis=1)
        least = float(self._masses[0] @ u + self._masses[1] @ v)
        return float(np.sqrt(max(0.0, least))), self._last(costs)

    def _last(self, costs: np.ndarray) -> float:
        """By the plan's own cost, not the solver's dual value: exactly zero when every atom stays."""
        rows, columns, masses = self._plan
        return float(np.sqrt(max(0.0, float((masses * costs[rows, columns]).sum()))))


def least_common_cost(x: np.ndarray, x_weights: np.ndarray, y: np.ndarray, y_weights: np.ndarray, mass: float) -> float:
    """min over partial plans of total mass `mass` between the two measures of sum pi d(x, y)^2 (exact, POT)."""
    a, b = _masses(x_weights), _masses(y_weights)
    if mass >= 1.0 - 1e-12:
        return w2(x, a, y, b) ** 2
    costs = geodesic_costs(x, y)
    plan = np.asarray(ot.partial.partial_wasserstein(a, b, costs, m=mass, nb_dummies=1))
    return float((plan * costs).sum())


def _masses(weights: np.ndarray) -> np.ndarray:
    """Weights in float64 that sum to the same number on both sides: otherwise POT may return a plan of zeros."""
    w = np.asarray(weights, dtype=np.float64)
    return w / w.sum()
