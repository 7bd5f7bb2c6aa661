"""What a model of attention is: what a particle is pulled to, given the others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np


class Model(ABC):
    """A way for particles to feel each other; each final class is one file of mtm_viz/dynamics/models.

    `label` and `help` name it for people. `largest`: beyond this |Bx| the model's own speed leaves float64. `jumps`: the pull
    is not continuous in the points.
    """

    label: ClassVar[str]
    help: ClassVar[str]
    largest: ClassVar[float] = float("inf")
    jumps: ClassVar[bool] = False

    @abstractmethod
    def pull(self, points: Any, weights: Any, B: Any, *, causal: bool, rtol: float) -> Any:
        """What every particle is pulled to, (n, d), before V; points (n, d) unit rows, weights (n,), B (d, d).

        causal: particle i feels only j <= i. rtol: largest relative error of a row.
        """

    def matrix(self, points: np.ndarray, weights: np.ndarray, B: np.ndarray, *, causal: bool) -> np.ndarray:
        """How much of its attention each particle gives to each, (n, n), rows that sum to 1: here softmax.

        P_ij = w_j e^{<Bx_i, x_j>} / sum_k w_k e^{<Bx_i, x_k>}. For few particles: it holds n x n numbers.
        """
        logits = points @ B.T @ points.T
        felt = np.broadcast_to(weights > 0, logits.shape)
        if causal:
            felt = felt & np.tri(len(points), dtype=bool)
        largest = np.where(felt, logits, -np.inf).max(axis=1, keepdims=True)
        return shares(np.where(felt, np.exp(np.minimum(logits - largest, 0.0)), 0.0) * weights)


def shares(rows: np.ndarray) -> np.ndarray:
    """Each row over its sum; a row of zeros, a particle that feels nobody, stays."""
    total = rows.sum(axis=1, keepdims=True)
    return rows / np.where(total > 0, total, 1.0)
