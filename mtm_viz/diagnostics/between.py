"""How far two moving measures are from each other."""

from __future__ import annotations

import numpy as np

from mtm_viz.diagnostics.thinning import thinned
from mtm_viz.diagnostics.wasserstein import w2

#: Of more atoms in a measure, as many stand for all; and at most so many moments are looked at.
MOST_ATOMS, MOST_MOMENTS = 200, 41

LABEL = "W2 between measures"
FORMULA = (
    "The root of the least mean squared angle that carries one measure to the other, in degrees, by exact optimal transport"
    f" (of at most {MOST_ATOMS} particles each, evenly chosen by mass)."
)
SOURCE = "arXiv 2411.04551, Section 1; POT"


def w2_between(
    x: np.ndarray, x_weights: np.ndarray, y: np.ndarray, y_weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(frames (m,), W2 (m,) in radians) between trajectories x (F, n, d) and y (F, k, d), at evenly spaced frames.

    Squared geodesic cost; see `thinned` for how measures of more than MOST_ATOMS particles are represented.
    """
    rows, a = thinned(x_weights, MOST_ATOMS)
    columns, b = thinned(y_weights, MOST_ATOMS)
    frames = np.unique(np.linspace(0, len(x) - 1, min(len(x), MOST_MOMENTS)).round().astype(int))
    values = [w2(np.asarray(x[f][rows], dtype=float), a, np.asarray(y[f][columns], dtype=float), b) for f in frames]
    return frames, np.array(values)
