"""Attention by its definition, in blocks so that no n x n array is ever held."""

from typing import Any

from mtm_viz.backend import namespace
from mtm_viz.errors import InputError

#: Entries of the block of logits held at once; larger blocks leave the cache and are slower.
BLOCK = 500_000


def attention(points: Any, weights: Any, B: Any, *, queries: Any = None) -> Any:
    """A_B[mu](x_i) = sum_j w_j e^{<B x_i, x_j>} x_j / sum_j w_j e^{<B x_i, x_j>}.

    points (n, d) and weights (n,) are mu; queries (m, d), by default the points, are where it is
    evaluated; B (d, d). Returns (m, d). The largest logit is taken off before the exponential, so no
    B overflows; weights may be zero. Source: arXiv 2411.04551, (1.2).

    Raises InputError for an empty measure.

    >>> import numpy as np
    >>> attention(np.eye(3), np.array([0.5, 0.5, 0.0]), np.zeros((3, 3)))[0]
    array([0.5, 0.5, 0. ])
    """
    xp = namespace(points, weights, B)
    n = points.shape[0]
    if n == 0:
        raise InputError("attention over no points is not defined: give at least one")
    x = points if queries is None else queries
    if not bool(xp.any(B != 0)):
        mean = xp.sum(weights[:, None] * points, axis=0) / xp.sum(weights)
        return xp.broadcast_to(mean, x.shape)
    rows = max(1, BLOCK // n)
    blocks = []
    for start in range(0, x.shape[0], rows):
        logits = (x[start : start + rows, :] @ B.T) @ points.T
        # Weightless atoms must not set the shift, or every other term could underflow.
        largest = xp.max(xp.where(weights > 0, logits, -xp.inf), axis=1, keepdims=True)
        kernel = xp.where(weights > 0, xp.exp(xp.minimum(logits - largest, xp.zeros_like(logits))), 0.0) * weights
        blocks.append((kernel @ points) / xp.sum(kernel, axis=1, keepdims=True))
    return xp.concat(blocks, axis=0)
