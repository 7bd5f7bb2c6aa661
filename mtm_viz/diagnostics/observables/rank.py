"""The rank of the attention matrix: how many different things particles still look at."""

from __future__ import annotations

import numpy as np

from mtm_viz.diagnostics.observable import Observable

#: A singular value below this share of the largest counts as zero.
SMALL = 1e-2
#: Of more particles than this, as many evenly chosen ones are looked at: singular values take n^3 operations.
MOST_PARTICLES = 300


class Rank(Observable):
    """The number of singular values of P_ij = w_j e^{<Bx_i, x_j>} / sum_k w_k e^{<Bx_i, x_k>} above SMALL times the largest.

    It falls to 1 where all rows agree. Source: arXiv 2103.03404 (rank collapse); arXiv 2305.05465.
    """

    label = "Rank of the attention matrix"
    formula = f"How many singular values of the softmax matrix exp⟨Bxᵢ, xⱼ⟩ / Σₖ exp⟨Bxᵢ, xₖ⟩ exceed {SMALL:.0%} of the largest (of at most {MOST_PARTICLES} particles): the clusters that attention tells apart, 1 at rank collapse."
    source = "arXiv 2103.03404; arXiv 2305.05465"
    counts = True

    def value(self, points: np.ndarray, weights: np.ndarray, B: np.ndarray) -> float:
        if len(points) > MOST_PARTICLES:
            chosen = np.linspace(0, len(points) - 1, MOST_PARTICLES).round().astype(int)
            points, weights = points[chosen], weights[chosen]
        logits = points @ B.T @ points.T
        kernel = np.exp(logits - logits.max(axis=1, keepdims=True)) * weights
        spectrum = np.linalg.svd(kernel / kernel.sum(axis=1, keepdims=True), compute_uv=False)
        return float((spectrum > SMALL * spectrum[0]).sum())
