"""What no common map can do: (1.7) of arXiv 2411.04551 as a number.

Without attention every measure moves by the SAME map, so an atom shared by inputs i and j goes to one place. If
plans send it to y in target i and to y' in target j, then for any place t of the sphere
d(t, y)^2 + d(t, y')^2 >= d(y, y')^2 / 2. Hence for shared mass m (the common part of the two inputs),

    W2_i^2 + W2_j^2 >= (1/2) min { sum pi d^2 : pi a partial plan of mass m between the targets },

and the worse of the two is at least sqrt(of half of that).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree

from mtm_viz.diagnostics.wasserstein import least_common_cost
from mtm_viz.measures.measure import SAME_POINT, Measure


@dataclass(frozen=True)
class CommonMapBound:
    """The pair of inputs for which a common map is worst: at least `w2` (rad) for one of them, `shared` atoms in common."""

    w2: float
    first: int
    second: int
    shared: int


def common_map_bound(inputs: tuple[Measure, ...], targets: tuple[Measure, ...]) -> CommonMapBound | None:
    """The largest pairwise bound; None where no two inputs share an atom."""
    best: CommonMapBound | None = None
    for j in range(len(inputs)):
        tree = KDTree(inputs[j].points)
        for i in range(j):
            distance, partner = tree.query(inputs[i].points)
            same = distance <= SAME_POINT
            if not same.any():
                continue
            mass = float(np.minimum(inputs[i].weights[same], inputs[j].weights[np.asarray(partner)[same]]).sum())
            x, y = targets[i], targets[j]
            cost = least_common_cost(x.points, x.weights, y.points, y.weights, min(mass, 1.0))
            bound = CommonMapBound(float(np.sqrt(cost / 4)), i, j, int(same.sum()))
            if best is None or bound.w2 > best.w2:
                best = bound
    return best
