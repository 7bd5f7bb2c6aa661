"""Attention under a causal mask: atom i feels atoms 1..i only, itself among them."""

from __future__ import annotations

from typing import Any

from array_api_compat import device

from mtm_viz.backend import namespace
from mtm_viz.dynamics.attention.dense import BLOCK


def causal_sums(points: Any, weights: Any, z: Any) -> tuple[Any, Any]:
    """(A (n, d), log Z (n,)) with Z_i = sum_{j <= i} w_j e^{<z_i, y_j>}, logit vectors z (n, d), one an atom.

    In linear time where all z are zero (prefix sums); otherwise in blocks, never holding n x n. An atom that feels no
    mass (the first ones, where their weights are zero) is pulled nowhere.
    """
    xp = namespace(points, weights, z)
    n = points.shape[0]
    if not bool(xp.any(z != 0)):
        mass = xp.cumulative_sum(weights)
        return _divided(xp.cumulative_sum(weights[:, None] * points, axis=0), mass[:, None]), _log(mass)
    rows = max(1, BLOCK // n)
    values, logs = [], []
    for start in range(0, n, rows):
        end = min(n, start + rows)
        logits = z[start:end, :] @ points[:end, :].T
        felt = xp.logical_and(weights[:end] > 0, allowed(start, end, end, points))
        largest = xp.max(xp.where(felt, logits, -1e300), axis=1, keepdims=True)
        kernel = xp.where(felt, xp.exp(xp.minimum(logits - largest, xp.zeros_like(logits))), 0.0) * weights[:end]
        total = xp.sum(kernel, axis=1, keepdims=True)
        values.append(_divided(kernel @ points[:end, :], total))
        logs.append(_log(total[:, 0]) + largest[:, 0])
    return xp.concat(values, axis=0), xp.concat(logs)


def allowed(start: int, end: int, n: int, like: Any) -> Any:
    """Which of n atoms the atoms start..end-1 may feel, (end - start, n), bool."""
    xp = namespace(like)
    rows = xp.arange(start, end, device=device(like))
    return xp.arange(n, device=device(like))[None, :] <= rows[:, None]


def _divided(sums: Any, mass: Any) -> Any:
    xp = namespace(sums)
    return sums / xp.where(mass > 0, mass, xp.ones_like(mass))


def _log(mass: Any) -> Any:
    xp = namespace(mass)
    return xp.where(mass > 0, xp.log(xp.where(mass > 0, mass, xp.ones_like(mass))), -1e300)
