"""The vector field of one segment, by its definition: what every closed form and construction is checked against."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mtm_viz.backend import beside, namespace
from mtm_viz.dynamics.attention import attention
from mtm_viz.dynamics.schedule import Segment
from mtm_viz.sphere import project_tangent


def vector_field(segment: Segment, like: Any) -> Callable[[Any, Any], Any]:
    """(points (n, d), weights (n,)) -> v[mu](x_i), with theta in the namespace and on the device of `like`.

    v[mu](x) = P_x(V A_B[mu](x) + W (U x + b)_+). Source: arXiv 2411.04551, (1.2).
    """
    xp = namespace(like)
    V, B, W, U, b = (beside(array, like) for array in (segment.V, segment.B, segment.W.T, segment.U.T, segment.b))
    zero = beside(np.zeros(()), like)
    attends = segment.uses_attention

    def field(points: Any, weights: Any) -> Any:
        drift = xp.maximum(points @ U + b, zero) @ W
        if attends:
            # By its definition: this field is what fast kernels are checked against.
            drift = drift + attention(points, weights, B, method="dense") @ V.T
        return project_tangent(points, drift)

    return field


def velocity(points: Any, weights: Any, segment: Segment) -> Any:
    """The field at every atom of mu once; (n, d)."""
    return vector_field(segment, points)(points, weights)
