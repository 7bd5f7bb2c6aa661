"""Hardmax attention: the limit of softmax as B grows, where only the best match counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from array_api_compat import device

from mtm_viz.backend import namespace
from mtm_viz.dynamics.attention.causal import allowed
from mtm_viz.dynamics.attention.dense import BLOCK
from mtm_viz.dynamics.model import Model, shares

#: Matches this near to the best one tie with it: equal points must not be told apart by round-off.
TIE = 1e-12


class Hardmax(Model):
    """The mean of argmax_j <Bx, x_j>, by weight where several tie. Source: arXiv 2407.01602, (1.2)."""

    label = "Hardmax"
    help = "Each particle follows its best match alone. On the sphere with B = I that is itself, and nothing moves."
    jumps = True

    def pull(self, points: Any, weights: Any, B: Any, *, causal: bool, rtol: float) -> Any:
        xp = namespace(points, weights, B)
        n = points.shape[0]
        rows = max(1, BLOCK // n)
        found = []
        for start in range(0, n, rows):
            share = _shares(points, weights, B, causal, start, min(n, start + rows))
            total = xp.sum(share, axis=1, keepdims=True)
            found.append((share @ points) / xp.where(total > 0, total, xp.ones_like(total)))
        return xp.concat(found, axis=0)

    def matrix(self, points: np.ndarray, weights: np.ndarray, B: np.ndarray, *, causal: bool) -> np.ndarray:
        return shares(_shares(points, weights, B, causal, 0, len(points)))


def _shares(points: Any, weights: Any, B: Any, causal: bool, start: int, end: int) -> Any:
    """The weights of the best matches of particles start..end-1 and zeros, (end - start, n)."""
    xp = namespace(points, weights, B)
    match = points[start:end, :] @ B.T @ points.T
    zero, tie = xp.zeros((), dtype=match.dtype, device=device(match)), TIE * (1.0 + float(xp.max(xp.abs(B))))
    if causal:
        match = xp.where(allowed(start, end, points.shape[0], points), match, -xp.inf)
    if not bool(xp.all(weights > 0)):
        match = xp.where(weights > 0, match, -xp.inf)
    best = xp.max(match, axis=1, keepdims=True)
    # Where nobody may be felt nobody is the best.
    best = xp.where(best > -xp.inf, best - tie, xp.inf)
    return xp.where(match >= best, weights, zero)
