"""How many clusters the eigenvalues of an affinity matrix tell: blurred where single linkage is all or nothing."""

from __future__ import annotations

import numpy as np

from mtm_viz.diagnostics.observable import Observable
from mtm_viz.diagnostics.observables.clusters import ANGLE_DEG


class Spectral(Observable):
    """The k with the largest gap between the k-th and the next eigenvalue of D^{-1/2} K D^{-1/2}.

    K_ij = sqrt(w_i w_j) e^{(<x_i, x_j> - 1) / s^2} with s = ANGLE_DEG, D_i = sum_j w_j e^{(<x_i, x_j> - 1) / s^2}: k clusters far
    apart give k eigenvalues 1 and the rest 0. A thin bridge does not join what it connects. Source: von Luxburg,
    arXiv 0711.0189, Section 8.3 (the eigengap heuristic).
    """

    label = "Clusters, spectral"
    formula = f"Where the eigenvalues of the normalised affinity exp((⟨xᵢ, xⱼ⟩ − 1) / s²), s = {ANGLE_DEG:g}°, fall most: after as many as there are clusters. A thin bridge between two does not make them one."
    source = "the eigengap heuristic, arXiv 0711.0189"
    counts = True
    cost = 20.0
    most_particles = 200

    def value(self, points: np.ndarray, weights: np.ndarray, B: np.ndarray) -> float:
        x, w = points[weights > 0], weights[weights > 0]
        squares = ((x[:, None] - x[None]) ** 2).sum(axis=2)
        kernel = np.exp(-squares / (2.0 * np.deg2rad(ANGLE_DEG) ** 2))
        scale = np.sqrt(w / (kernel @ w))
        values = np.linalg.eigvalsh(scale[:, None] * kernel * scale)[::-1]
        gaps = values - np.append(values[1:], 0.0)
        # Of equal gaps, to round-off, the first: fewer clusters.
        return float(1 + np.argmax(gaps >= gaps.max() - 1e-9))
