"""The rank of the attention matrix: how many different things particles still look at."""

from __future__ import annotations

import numpy as np

from mtm_viz.diagnostics.observable import Observable

#: What may be left of the matrix, as a share of its Frobenius norm.
SMALL = 1e-2


class Rank(Observable):
    """How many rows of P_ij = w_j e^{<Bx_i, x_j>} / sum_k w_k e^{<Bx_i, x_k>} span it up to SMALL of its Frobenius norm.

    Rows are chosen greedily, the one that is farthest from the span first (Gram-Schmidt with pivoting). It falls to 1
    where all rows agree. Source: arXiv 2103.03404 (rank collapse); arXiv 2305.05465.
    """

    label = "Rank of attention"
    formula = f"How many rows of the softmax matrix exp⟨Bxᵢ, xⱼ⟩ / Σₖ exp⟨Bxᵢ, xₖ⟩ span it up to {SMALL:.0%}: the clusters that attention tells apart, 1 at rank collapse."
    source = "arXiv 2103.03404; arXiv 2305.05465"
    counts = True
    cost = 20.0
    most_particles = 300

    def value(self, points: np.ndarray, weights: np.ndarray, B: np.ndarray) -> float:
        logits = points @ B.T @ points.T
        rest = np.exp(logits - logits.max(axis=1, keepdims=True)) * weights
        rest /= rest.sum(axis=1, keepdims=True)
        lengths, rank = (rest**2).sum(axis=1), 0
        allowed = SMALL**2 * lengths.sum()
        # Products row by row, not by BLAS: on busy cores its threads wait for each other longer than they compute.
        while lengths.sum() > allowed:
            row = rest[np.argmax(lengths)]
            row = row / np.sqrt((row**2).sum())
            rest = rest - (rest * row).sum(axis=1, keepdims=True) * row
            lengths, rank = (rest**2).sum(axis=1), rank + 1
        return float(rank)
