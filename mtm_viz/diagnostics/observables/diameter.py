"""The largest angle between two particles."""

from __future__ import annotations

import numpy as np

from mtm_viz.diagnostics.observable import Observable
from mtm_viz.sphere import angle


class Diameter(Observable):
    """max_ij angle(x_i, x_j) in degrees, over particles that have weight.

    Inside an open hemisphere it shrinks to 0 under V = I. Source: arXiv 2411.04551, Proposition 2.1.
    """

    label = "Diameter"
    formula = "The largest angle between two particles. Inside an open hemisphere it shrinks to 0 where V = I."
    source = "arXiv 2411.04551, Proposition 2.1"
    unit = "°"
    most = 180.0

    def value(self, points: np.ndarray, weights: np.ndarray, B: np.ndarray) -> float:
        felt = points[weights > 0]
        i, j = np.unravel_index(np.argmin(felt @ felt.T), (len(felt), len(felt)))
        return float(np.rad2deg(angle(felt[i], felt[j])))
