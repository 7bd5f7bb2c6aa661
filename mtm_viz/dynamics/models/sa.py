"""Softmax attention (SA): the mean of the others, weighed by e^{<Bx,y>}."""

from __future__ import annotations

from typing import Any

from mtm_viz.dynamics.attention import attention
from mtm_viz.dynamics.attention.causal import causal_sums
from mtm_viz.dynamics.model import Model


class Softmax(Model):
    """A_B[mu](x) = sum_j w_j e^{<Bx, x_j>} x_j / sum_j w_j e^{<Bx, x_j>}. Source: arXiv 2411.04551, (1.2)."""

    label = "Softmax (SA)"
    help = "Each particle is pulled to a mean of the others, nearer ones counting more: what a Transformer computes."

    def pull(self, points: Any, weights: Any, B: Any, *, causal: bool, rtol: float) -> Any:
        if causal:
            return causal_sums(points, weights, points @ B.T)[0]
        return attention(points, weights, B, rtol=rtol)
