"""Another measure of n equally weighted atoms that stands for a given one: three ways, all the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.spatial import KDTree

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.sphere import normalise, tangent_basis

#: How far apart copies of one atom are set: a flow is injective and cannot part atoms that coincide.
COPY_DEG = 0.5
_ROUNDS = 300


def drawn(measure: Measure, n: int, seed: int) -> Measure:
    """n i.i.d. draws from the measure."""
    rng = np.random.default_rng(seed)
    return _set_apart(measure, rng.choice(len(measure), size=n, p=measure.weights / measure.weights.sum()), rng)


def evened(measure: Measure, n: int, seed: int) -> Measure:
    """Low discrepancy: one draw from each n-th of the mass, along an order in which neighbours are near.

    Every region keeps its mass to within one atom for each time the order leaves it.
    """
    rng = np.random.default_rng(seed)
    order = _tour(measure.points)
    total = np.cumsum(measure.weights[order])
    at = (np.arange(n) + rng.random()) / n * total[-1]
    return _set_apart(measure, order[np.searchsorted(total, at, side="right").clip(max=len(measure) - 1)], rng)


def quantised(measure: Measure, n: int, seed: int) -> Measure:
    """k-means: n centres, each in the middle of the atoms nearest to it; weights are the masses of the cells.

    Lloyd's iteration on the sphere from a seeded k-means++ start. Not equally weighted; the other two are.
    """
    merged = measure.merged() if len(measure) <= 4000 else measure
    if n >= len(merged):
        return merged
    rng = np.random.default_rng(seed)
    x, w = merged.points, merged.weights
    centres = _far_starts(x, w, n, rng)
    for _ in range(_ROUNDS):
        nearest = KDTree(centres).query(x)[1]
        mass = np.bincount(nearest, weights=w, minlength=n)
        sums = np.stack([np.bincount(nearest, weights=w * column, minlength=n) for column in x.T], axis=1)
        size = np.linalg.norm(sums, axis=1)
        settled = np.where((size > 1e-12)[:, None], sums / np.maximum(size, 1e-300)[:, None], centres)
        moved = float(np.abs(settled - centres).max())
        centres = settled
        if moved < 1e-9:
            break
    nearest = KDTree(centres).query(x)[1]
    mass = np.bincount(nearest, weights=w, minlength=n)
    kept = mass > 0
    return Measure(normalise(centres[kept]), mass[kept] / mass.sum())


#: Every way by name, the one offered first first.
WAYS: dict[str, Callable[[Measure, int, int], Measure]] = {"even": evened, "k-means": quantised, "random": drawn}


def resampled(measure: Measure, way: str, n: int, seed: int) -> Measure:
    """`measure` by n atoms. Raises InputError for an unknown way or n below 1."""
    if way not in WAYS:
        raise InputError(f'the way "{way}" is unknown: use one of {", ".join(WAYS)}')
    if n < 1:
        raise InputError(f"n is {n}: give at least 1")
    return WAYS[way](measure, n, seed)


def _set_apart(measure: Measure, picked: np.ndarray, rng: np.random.Generator) -> Measure:
    """The picked atoms; a second copy of one is set COPY_DEG beside it, a third twice as far round a golden spiral."""
    points = measure.points[picked].copy()
    first, inverse = np.unique(picked, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(inverse, minlength=len(first)))[:-1]])
    copy = np.empty(len(picked), dtype=int)
    copy[order] = np.arange(len(picked)) - starts[inverse[order]]
    turn = rng.random() * 2 * np.pi
    for j in np.flatnonzero(copy):
        basis = tangent_basis(points[j])
        angle = turn + copy[j] * np.pi * (3 - np.sqrt(5))
        step = np.deg2rad(COPY_DEG) * np.sqrt(copy[j])
        across = basis[1] if len(basis) > 1 else -basis[0]
        points[j] += step * (np.cos(angle) * basis[0] + np.sin(angle) * across)
    return Measure(normalise(points))


def _tour(points: np.ndarray) -> np.ndarray:
    """An order that visits neighbours one after another: a Z-order curve over the cube the sphere lies in."""
    bits = max(1, min(16, 62 // points.shape[1]))
    cells = ((points + 1.0) / 2.0 * (2**bits - 1)).astype(np.int64).clip(0, 2**bits - 1)
    key = np.zeros(len(points), dtype=np.int64)
    for bit in range(bits - 1, -1, -1):
        for column in cells.T:
            key = (key << 1) | ((column >> bit) & 1)
    return np.argsort(key, kind="stable")


def _far_starts(x: np.ndarray, w: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """k-means++: each start drawn with probability proportional to weight times squared distance from those before."""
    picked = [int(rng.choice(len(x), p=w / w.sum()))]
    gap = ((x - x[picked[0]]) ** 2).sum(axis=1)
    while len(picked) < n:
        mass = w * gap
        total = mass.sum()
        j = int(np.searchsorted(np.cumsum(mass), rng.random() * total)) if total > 0 else int(gap.argmax())
        picked.append(min(j, len(x) - 1))
        gap = np.minimum(gap, ((x - x[picked[-1]]) ** 2).sum(axis=1))
    return x[picked]
