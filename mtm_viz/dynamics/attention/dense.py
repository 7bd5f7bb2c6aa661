"""Attention by its definition, in blocks so that no n x n array is ever held: portable, for every dimension and B."""

from __future__ import annotations

from typing import Any

from mtm_viz.backend import namespace

#: Entries of the block of logits held at once; larger blocks leave the cache and are slower.
BLOCK = 500_000


def sums(points: Any, weights: Any, z: Any) -> tuple[Any, Any]:
    """(A (m, d), log Z (m,)) at logit vectors z (m, d), with Z_i = sum_j w_j e^{<z_i, y_j>} and A_i its mean of y.

    The largest logit is taken off before the exponential, so no z overflows; weights may be zero.
    """
    xp = namespace(points, weights, z)
    rows = max(1, BLOCK // points.shape[0])
    all_heavy = bool(xp.all(weights > 0))
    values, logs = [], []
    for start in range(0, z.shape[0], rows):
        logits = z[start : min(start + rows, z.shape[0]), :] @ points.T
        if all_heavy:
            largest = xp.max(logits, axis=1, keepdims=True)
            logits -= largest
            kernel = xp.exp(logits)
            kernel *= weights
        else:
            # Weightless atoms must not set the shift, or every other term could underflow.
            largest = xp.max(xp.where(weights > 0, logits, -xp.inf), axis=1, keepdims=True)
            kernel = xp.where(weights > 0, xp.exp(xp.minimum(logits - largest, xp.zeros_like(logits))), 0.0) * weights
        total = xp.sum(kernel, axis=1, keepdims=True)
        values.append((kernel @ points) / total)
        logs.append((xp.log(total) + largest)[:, 0])
    return xp.concat(values, axis=0), xp.concat(logs, axis=0)
