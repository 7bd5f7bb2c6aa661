"""A probability measure with finitely many atoms on the sphere: validated once, never changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree

from mtm_viz.errors import InputError
from mtm_viz.sphere import norm

#: Points farther than this from the sphere are projected with a note; nearer ones silently.
OFF_SPHERE = 1e-6
#: Atoms closer than this are one atom: the flow cannot tell them apart in float64.
SAME_POINT = 1e-12


@dataclass(frozen=True, eq=False, init=False)
class Measure:
    """mu = sum_j w_j delta_{x_j} on S^{d-1}.

    points: (n, d) float64, unit rows; weights: (n,) float64, positive or zero, sum 1; both read-only.
    weights left out are equal; notes: what validation changed (projection, normalisation), one sentence each.

    Raises InputError naming the row: a number that is not finite, a zero vector, a negative weight,
    no rows, all weights zero, or shapes that do not fit.
    """

    points: np.ndarray
    weights: np.ndarray
    notes: tuple[str, ...]

    def __init__(self, points: ArrayLike, weights: ArrayLike | None = None, notes: tuple[str, ...] = ()) -> None:
        x, projected = _on_the_sphere(points)
        w, scaled = _normalised(weights, len(x))
        x.flags.writeable = False
        w.flags.writeable = False
        object.__setattr__(self, "points", x)
        object.__setattr__(self, "weights", w)
        object.__setattr__(self, "notes", (*notes, *projected, *scaled))

    def __len__(self) -> int:
        return len(self.points)

    @property
    def dimension(self) -> int:
        return self.points.shape[1]

    @property
    def barycentre(self) -> np.ndarray:
        """E_mu[x] = sum_j w_j x_j in R^d."""
        return self.weights @ self.points

    @property
    def has_equal_weights(self) -> bool:
        return bool(np.ptp(self.weights) <= 1e-12 / len(self))

    def merged(self) -> Measure:
        """The same measure with coinciding atoms joined (first occurrence keeps its place) and weightless ones left out."""
        heavy = np.flatnonzero(self.weights > 0)
        # Equal rows first: a thousand copies of one point have half a million near pairs.
        distinct, row = np.unique(self.points[heavy], axis=0, return_inverse=True)
        near = KDTree(distinct).query_pairs(SAME_POINT, output_type="ndarray")
        if len(distinct) == len(self) and len(near) == 0:
            return self
        graph = coo_array((np.ones(len(near)), (near[:, 0], near[:, 1])), shape=(len(distinct),) * 2)
        atom = connected_components(graph, directed=False)[1][row.ravel()]
        first = np.unique(atom, return_index=True)[1]
        order = np.argsort(first)
        weights = np.bincount(atom, weights=self.weights[heavy])
        return Measure(self.points[heavy[first[order]]], weights[order])

    def to_json(self) -> dict[str, Any]:
        """{"points": [[...]], "weights": [...]?}: weights only where they are not all equal."""
        said: dict[str, Any] = {"points": self.points.tolist()}
        if not self.has_equal_weights:
            said["weights"] = self.weights.tolist()
        return said


def _on_the_sphere(points: Any) -> tuple[np.ndarray, list[str]]:
    try:
        x = np.array(points, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as problem:
        raise InputError(
            "points must be rows of equally many numbers: make every row as long as the first"
        ) from problem
    if x.ndim != 2 or x.shape[0] == 0:
        raise InputError("a measure needs at least one point: give a list of rows of coordinates")
    if x.shape[1] < 2:
        raise InputError(f"points have {x.shape[1]} coordinate a row: the sphere needs at least 2")
    finite = np.isfinite(x).all(axis=1)
    if not finite.all():
        row = int(np.flatnonzero(~finite)[0])
        raise InputError(f"point {row + 1} has a coordinate that is not a finite number: correct or remove that row")
    # Scale first, so that neither 1e300 nor 1e-300 overflows or vanishes in the square.
    largest = np.abs(x).max(axis=1, keepdims=True)
    if (largest == 0).any():
        row = int(np.flatnonzero(largest[:, 0] == 0)[0])
        raise InputError(f"point {row + 1} is the zero vector, which has no direction: correct or remove that row")
    lengths = norm(x / largest) * largest
    distance = np.abs(lengths[:, 0] - 1.0)
    # Rows already unit to the last digits are kept bit for bit, so that files round-trip exactly.
    off = distance > 4e-16
    x[off] = (x[off] / largest[off]) / norm(x[off] / largest[off])
    far = distance > OFF_SPHERE
    if not far.any():
        return x, []
    return x, [
        f"{int(far.sum())} of {len(x)} points were projected to the sphere (largest distance {distance.max():.3g})"
    ]


def _normalised(weights: Any, n: int) -> tuple[np.ndarray, list[str]]:
    if weights is None:
        return np.full(n, 1.0 / n), []
    try:
        w = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as problem:
        raise InputError("weights must be numbers, one a point") from problem
    if w.shape != (n,):
        raise InputError(f"there are {n} points and {w.size} weights: give one weight a point")
    bad = ~np.isfinite(w) | (w < 0)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise InputError(f"weight {row + 1} is {w[row]:g}: weights must be finite and not negative")
    with np.errstate(over="ignore"):  # told below, in words
        total = float(w.sum())
    if total == 0:
        raise InputError("all weights are zero: give at least one point a positive weight")
    if not np.isfinite(total):
        raise InputError("the weights add up to more than a float64 holds: divide them by their largest")
    if abs(total - 1.0) <= 1e-12:
        return w, []
    return w / total, [f"weights were divided by their sum {total:.6g}"]
