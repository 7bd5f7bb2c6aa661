"""Interaction energy, scaled so that one cluster has energy 1."""

from __future__ import annotations

import numpy as np

from mtm_viz.diagnostics.observable import Observable
from mtm_viz.dynamics.attention import attend


class Energy(Observable):
    """E[mu] = sum_ij w_i w_j e^{<Bx_i, x_j>} / max_{|x|=1} e^{<Bx, x>}.

    It never decreases along noiseless SA and USA where V = B is symmetric positive. For B = beta I and clusters of masses
    m_k it tends to sum m_k^2 as beta grows, so that merging two of them adds 2 m_p m_q. Source: arXiv 2312.10794;
    arXiv 2410.06833.
    """

    label = "Energy"
    formula = "The interaction energy Σᵢⱼ wᵢ wⱼ exp⟨Bxᵢ, xⱼ⟩, divided by its value for one cluster, which therefore has 1. It never falls along noiseless softmax or unnormalised attention where V = B is symmetric and positive; a merge of clusters is a step up."
    source = "arXiv 2312.10794; arXiv 2410.06833"
    most_particles = None

    def value(self, points: np.ndarray, weights: np.ndarray, B: np.ndarray) -> float:
        strongest = float(np.linalg.eigvalsh((B + B.T) / 2)[-1])
        # sum_j w_j e^{<Bx_i, x_j>} is what softmax divides by: in linear time where attention is.
        return float(weights @ np.exp(attend(points, weights, B, rtol=1e-12).log_partition - strongest))
