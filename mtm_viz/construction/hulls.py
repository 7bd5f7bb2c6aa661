"""Are measures disentangled? Separation of their geodesic hulls by hyperplanes through the origin (Prop 3.1)."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

#: How much of the covariance's mean variance is added to it before it is inverted.
RIDGES = (0.3, 0.1, 0.02)


def separation(clouds: list[np.ndarray], enough: float = np.inf) -> float:
    """A lower bound of the least, over pairs, of max_{|a|=1} min(min_i <a, x_i>, min_j -<a, y_j>).

    Positive exactly when the bound proves every pair's hulls disjoint; the hulls then lie at least
    2 arcsin(value) apart. Directions tried, a pair: the bisector of the centres and Fisher's directions.
    Returns early, with a value below zero or the running least, as soon as a pair fails.
    """
    least = enough
    means = [cloud.mean(axis=0) for cloud in clouds]
    for i in range(len(clouds)):
        for j in range(i):
            least = min(least, _pair(clouds[i], clouds[j], means[i], means[j]))
            if least <= 0:
                return least
    return least


def _pair(x: np.ndarray, y: np.ndarray, mean_x: np.ndarray, mean_y: np.ndarray) -> float:
    centre_x, centre_y = mean_x / np.linalg.norm(mean_x), mean_y / np.linalg.norm(mean_y)
    gap = centre_x - centre_y
    if np.linalg.norm(gap) < 1e-9:
        return -1.0
    x0, y0 = x - mean_x, y - mean_y
    within = x0.T @ x0 / len(x) + y0.T @ y0 / len(y)
    size = np.trace(within) / len(within) + 1e-12
    ridged = within + size * np.array(RIDGES)[:, None, None] * np.eye(len(within))
    directions = np.vstack(
        [gap, np.linalg.solve(ridged, np.broadcast_to(gap, (len(RIDGES), len(gap)))[..., None])[..., 0]]
    )
    middle = centre_x + centre_y
    if (length := np.linalg.norm(middle)) > 1e-9:
        # A hyperplane through the origin that halves the angle between the centres.
        middle = middle / length
        directions = directions - np.outer(directions @ middle, middle)
    directions = directions / (np.linalg.norm(directions, axis=1, keepdims=True) + 1e-300)
    return float(np.minimum((x @ directions.T).min(axis=0), -(y @ directions.T).max(axis=0)).max())


def certified_separation(clouds: list[np.ndarray]) -> float:
    """The same least margin with each pair's hyperplane improved by a linear programme; negative where one pair overlaps."""
    least = np.inf
    for i in range(len(clouds)):
        for j in range(i):
            quick = _pair(clouds[i], clouds[j], clouds[i].mean(axis=0), clouds[j].mean(axis=0))
            least = min(least, max(quick, _programme(clouds[i], clouds[j])))
    return float(least)


def _programme(x: np.ndarray, y: np.ndarray) -> float:
    d = x.shape[1]
    rows = np.vstack([np.c_[-x, np.ones(len(x))], np.c_[y, np.ones(len(y))]])
    bounds: list[tuple[float | None, float | None]] = [(-1.0, 1.0)] * d + [(None, 1.0)]
    found = linprog(np.append(np.zeros(d), -1.0), A_ub=rows, b_ub=np.zeros(len(rows)), bounds=bounds, method="highs")
    if found.status != 0 or not np.any(found.x[:d]):
        return -1.0
    a = found.x[:d] / np.linalg.norm(found.x[:d])
    return float(min((x @ a).min(), -(y @ a).max()))
