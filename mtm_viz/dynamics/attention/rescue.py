"""Queries whose series has lost its digits: tilt the weights to where their mass is, and expand about there.

den = sum_j w_j e^{<z,y_j> - |z|} tiny (all mass in a cap, the query at its antipode) means that large terms cancelled. With
w'_j = w_j e^{<z0,y_j>} the same sum is one in z - z0, which is short, and den' = sum_j w'_j e^{<z-z0,y_j> - |z-z0|} / sum_j w'_j
is at least e^{-2|z-z0|}. So such queries are put into cells of z, each with its own z0. A cell that is not good enough is
divided, and one with few queries is summed directly: every answer is checked, whatever way it came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mtm_viz.backend import beside, namespace, row_dot, to_host

#: Round-off of a series, relative to its largest possible sum (measured: at most 1.5 eps; 8 allows for unlucky clouds).
ROUND_OFF = 8.0 * 2.0**-52
#: Sides of the cells in turn. Within the last, |z - z0| <= 2 sqrt(3)/2, the least den' is e^{-3.5}: it cannot fail.
SIDES = (8.0, 4.0, 2.0)
#: Queries of a cell below which summing them directly is cheaper than a series for them.
FEW = 64

Series = Callable[[Any, Any, Any, Any, float, float], tuple[Any, Any, int]]
Direct = Callable[[Any, Any, Any], tuple[Any, Any]]


@dataclass
class Rescue:
    """What was done: queries rescued, by how many cells, and how many of them directly."""

    queries: int = 0
    cells: int = 0
    direct: int = 0


def least(mass: float, tolerance: float, rtol: float) -> float:
    """The least den that is good enough: den, and so A, is off by at most (tolerance + round-off) sum_j w_j / den."""
    return (tolerance + ROUND_OFF) * mass / rtol


def rescue(
    points: Any, weights: Any, z: Any, series: Series, direct: Direct, tolerance: float, rtol: float
) -> tuple[Any, Any, Rescue]:
    """(A (m, d), log Z (m,), what was done) at logit vectors z (m, d) that the plain series cannot answer."""
    xp = namespace(points, weights, z)
    done = Rescue(queries=z.shape[0])
    host = to_host(z)
    left = np.arange(z.shape[0])
    few: list[np.ndarray] = []
    found: list[tuple[np.ndarray, Any, Any]] = []
    for side in SIDES:
        again: list[np.ndarray] = []
        for cell in _cells(host, left, side):
            if len(cell) < FEW:
                few.append(cell)
                continue
            done.cells += 1
            z0 = beside(host[cell].mean(axis=0), z)
            tilted, kept, log_mass = _tilt(points, weights, z0, side)
            near = xp.take(z, xp.asarray(cell), axis=0) - z0
            r = xp.sqrt(row_dot(near, near))
            a, den, _ = series(xp.take(points, kept, axis=0), tilted, near, r, float(xp.max(r)), tolerance)
            log = xp.log(xp.where(den > 0, den, xp.ones_like(den))) + r + log_mass
            fine = to_host(den) >= least(1.0, tolerance, rtol)
            good = xp.asarray(np.flatnonzero(fine))
            found.append((cell[fine], xp.take(a, good, axis=0), xp.take(log, good)))
            again.append(cell[~fine])
        left = np.concatenate(again) if again else np.empty(0, dtype=int)
        if not len(left):
            break
    rest = np.concatenate([*few, left])
    done.direct = len(rest)
    if len(rest):
        found.append((rest, *direct(points, weights, xp.take(z, xp.asarray(rest), axis=0))))
    order = xp.asarray(np.argsort(np.concatenate([indices for indices, _, _ in found])))
    values = xp.take(xp.concat([a for _, a, _ in found], axis=0), order, axis=0)
    return values, xp.take(xp.concat([log for _, _, log in found]), order), done


def _cells(z: np.ndarray, indices: np.ndarray, side: float) -> Iterator[np.ndarray]:
    """The indices, grouped by the cube of that side their row of z lies in."""
    keys = np.floor(z[indices] / side).astype(np.int64)
    _, group = np.unique(keys, axis=0, return_inverse=True)
    order = np.argsort(group.ravel(), kind="stable")
    yield from np.split(indices[order], np.cumsum(np.bincount(group.ravel()))[:-1])


def _tilt(points: Any, weights: Any, z0: Any, side: float) -> tuple[Any, Any, Any]:
    """(w'_j / sum w', indices of the atoms that matter, log sum w') for w'_j = w_j e^{<z0,y_j>}."""
    xp = namespace(points, weights)
    logits = points @ z0
    largest = xp.max(xp.where(weights > 0, logits, -xp.inf))
    tilted = xp.where(weights > 0, xp.exp(xp.minimum(logits - largest, xp.zeros_like(logits))), 0.0) * weights
    mass = xp.sum(tilted)
    # An atom left out could have weighed e^{2 |z - z0|} times more in the sum.
    reach = np.exp(-side * np.sqrt(points.shape[1])) * 1e-17 / points.shape[0]
    kept = xp.nonzero(tilted > reach * mass)[0]
    return xp.take(tilted, kept) / mass, kept, xp.log(mass) + largest
