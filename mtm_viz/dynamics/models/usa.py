"""Unnormalised self-attention (USA): the sum that softmax divides, left as it is."""

from __future__ import annotations

from typing import Any

from mtm_viz.backend import namespace
from mtm_viz.dynamics.attention import attend
from mtm_viz.dynamics.attention.causal import causal_sums
from mtm_viz.dynamics.model import Model


class Unnormalised(Model):
    """sum_j w_j e^{<Bx, x_j>} x_j: a gradient flow where V = B is symmetric. Source: arXiv 2312.10794, (USA)."""

    label = "Unnormalised (USA)"
    help = "As softmax, without dividing by the sum of the weights: the gradient flow of the interaction energy."
    #: e^50 is 5e21: no step would be short enough.
    largest = 50.0

    def pull(self, points: Any, weights: Any, B: Any, *, causal: bool, rtol: float) -> Any:
        xp = namespace(points)
        if causal:
            values, log_partition = causal_sums(points, weights, points @ B.T)
        else:
            found = attend(points, weights, B, rtol=rtol)
            values, log_partition = found.values, found.log_partition
        return values * xp.exp(log_partition)[:, None]
