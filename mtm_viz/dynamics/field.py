"""The vector field of one segment, by its definition: what every closed form and construction is checked against."""

from typing import Any

from mtm_viz.backend import namespace
from mtm_viz.dynamics.attention import attention
from mtm_viz.dynamics.schedule import Segment
from mtm_viz.sphere import project_tangent


def velocity(points: Any, weights: Any, segment: Segment) -> Any:
    """v[mu](x) = P_x(V A_B[mu](x) + W (U x + b)_+) at every atom of mu; (n, d). Source: arXiv 2411.04551, (1.2)."""
    xp = namespace(points, weights)
    U, b, W = xp.asarray(segment.U), xp.asarray(segment.b), xp.asarray(segment.W)
    gates = points @ U.T + b
    drift = xp.where(gates > 0, gates, xp.zeros_like(gates)) @ W.T
    if segment.uses_attention:
        drift = drift + attention(points, weights, xp.asarray(segment.B)) @ xp.asarray(segment.V).T
    return project_tangent(points, drift)
