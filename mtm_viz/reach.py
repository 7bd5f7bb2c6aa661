"""What can be reached: where the atoms of an input must land so that the image is as near the target as it can be.

A map sends an atom of weight a whole to one place, so the image of n atoms has at most n atoms with their weights.
Where the target is no such measure, the least W2 is positive; it is measured here, BEFORE anything is built.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtm_viz.diagnostics.wasserstein import transport_plan, w2
from mtm_viz.measures.measure import Measure
from mtm_viz.sphere import angle, normalise, project_tangent, rotate_in_plane, tangent_basis

#: Atoms of unequal weight that share a target atom land on a disc of this radius (rad): flows are injective.
SPREAD = 2e-5
#: A target that several inputs share is turned by this angle (rad) for all but the first of them.
OFFSET = 3e-4
#: Weights nearer than this are the same weight.
SAME_WEIGHT = 1e-12
#: Starts and steps of the search for the best landing where no exact one is known.
STARTS, STEPS = 12, 60


@dataclass(frozen=True, eq=False)
class Landing:
    """Where the n atoms of one input are to land.

    places (k, d): distinct points; weights (k,): what lands there; counts (k,): how many atoms, all of equal
    weight where one count exceeds 1; reachable: W2 in radians from the places to the target.
    """

    places: np.ndarray
    weights: np.ndarray
    counts: np.ndarray
    reachable: float
    notes: tuple[str, ...] = ()


def landing(source: Measure, target: Measure, *, cells: int | None = None, seed: int = 0) -> Landing:
    """The landing of the merged measure `source` for the merged measure `target`.

    As many equal atoms on both sides: the target itself. Otherwise atoms are packed whole into target atoms (best
    fit, largest first); where they do not fit exactly, alternating optimal transport and Frechet means (Lloyd's
    method for the best n-atom approximation) finds places between target atoms. With `cells` the atoms are taken in
    that many groups of equal mass, one place a group.
    """
    if cells is not None and cells < len(source):
        grouped = Measure(
            normalise(np.random.default_rng(seed).normal(size=(cells, target.dimension))), _shares(len(source), cells)
        )
        coarse = landing(grouped, target, seed=seed)
        counts = np.rint(coarse.weights * len(source)).astype(int)
        notes = tuple(note.replace("atoms", "cells", 1) for note in coarse.notes)
        return Landing(coarse.places, coarse.weights, counts, coarse.reachable, notes)
    n = len(source)
    if source.has_equal_weights and target.has_equal_weights and n == len(target):
        return Landing(target.points, source.weights, np.ones(n, dtype=int), 0.0)
    z, reachable = _best_places(source.weights, target, seed)
    return _collected(z, source, target, reachable)


def offset(landing: Landing, target: Measure, turns: int) -> Landing:
    """The same places turned by `turns` OFFSETs, for a target that an earlier pair already fills."""
    pole = landing.places[0]
    e = tangent_basis(pole)[0]
    places = normalise(rotate_in_plane(landing.places, pole, e, turns * OFFSET))
    reachable = w2(places, landing.weights, target.points, target.weights)
    note = f"another pair has this target: the places are turned by {turns * OFFSET:.1e} rad, which costs {reachable - landing.reachable:.1e} rad"
    return Landing(places, landing.weights, landing.counts, reachable, (*landing.notes, note))


def _shares(n: int, cells: int) -> np.ndarray:
    """n atoms in `cells` groups that differ by at most one atom, as weights."""
    return np.array([len(part) for part in np.array_split(np.arange(n), cells)]) / n


def _best_places(weights: np.ndarray, target: Measure, seed: int) -> tuple[np.ndarray, float]:
    """One place an atom, and W2 from them to the target."""
    rng = np.random.default_rng(seed)
    packed, exact = _packed(weights, target)
    if exact:
        return target.points[packed], 0.0
    best, least = packed_places(packed, weights, target), np.inf
    # A larger problem has many near-equal optima and dearer steps: fewer starts.
    for start in range(STARTS if len(weights) * len(target) < 5000 else 2):
        z = packed_places(packed, weights, target) if start == 0 else _random_start(rng, weights, target)
        z, distance = _lloyd(z, weights, target)
        if distance < least - 1e-12:
            best, least = z, distance
    return best, least


def _packed(weights: np.ndarray, target: Measure) -> tuple[np.ndarray, bool]:
    """(target atom of every atom, whether all fit whole): best fit, heaviest first; -1 where none has room."""
    room = target.weights.copy()
    chosen = np.full(len(weights), -1)
    for j in np.argsort(-weights, kind="stable"):
        fits = np.flatnonzero(room >= weights[j] - SAME_WEIGHT)
        if len(fits):
            k = fits[room[fits].argmin()]
            chosen[j] = k
            room[k] -= weights[j]
    return chosen, bool((chosen >= 0).all() and np.abs(room).max() <= 1e-9)


def packed_places(packed: np.ndarray, weights: np.ndarray, target: Measure) -> np.ndarray:
    """Places of a partial packing: atoms left over start at the middle of what is left over."""
    room = target.weights - np.bincount(packed[packed >= 0], weights[packed >= 0], minlength=len(target))
    middle = normalise(np.maximum(room, 0) @ target.points + 1e-9 * target.points[0])
    return np.where((packed >= 0)[:, None], target.points[packed], middle)


def _random_start(rng: np.random.Generator, weights: np.ndarray, target: Measure) -> np.ndarray:
    chosen = target.points[rng.choice(len(target), size=len(weights), p=target.weights)]
    return normalise(chosen + 0.05 * rng.normal(size=chosen.shape))


def _lloyd(z: np.ndarray, weights: np.ndarray, target: Measure) -> tuple[np.ndarray, float]:
    """Alternate the exact plan and the Frechet mean of each atom's share of it, until W2 no longer falls."""
    plan, distance = transport_plan(z, weights, target.points, target.weights)
    for _ in range(STEPS):
        moved = _frechet_means(z, plan, target.points)
        plan, shorter = transport_plan(moved, weights, target.points, target.weights)
        if shorter > distance - 1e-9:
            break
        z, distance = moved, shorter
    return z, distance


def _frechet_means(z: np.ndarray, plan: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The point nearest, in mean square angle, to each row's share of the target: a few Karcher steps from z."""
    share = plan / plan.sum(axis=1, keepdims=True)
    single = share.max(axis=1) > 1 - 1e-9
    row, column = np.nonzero(share)  # of a basic plan: at most n + m - 1
    there, mass = y[column], share[row, column][:, None]
    for _ in range(12):
        here = z[row]
        tangent = project_tangent(here, there)
        length = np.linalg.norm(tangent, axis=1, keepdims=True)
        stretch = np.where(length > 1e-12, angle(here, there)[:, None] / np.maximum(length, 1e-12), 1.0)
        step = np.zeros_like(z)
        np.add.at(step, row, mass * stretch * tangent)
        z = normalise(z + step)
    return np.where(single[:, None], y[share.argmax(axis=1)], z)


def _collected(z: np.ndarray, source: Measure, target: Measure, reachable: float) -> Landing:
    """Places that coincide made one (equal weights: atoms travel as one slice) or spread on a tiny disc (unequal)."""
    group = _groups(z)
    if source.has_equal_weights:
        counts = np.bincount(group)
        places = np.array([z[group == k][0] for k in range(len(counts))])
        note = _note(reachable)
        return Landing(places, counts / counts.sum(), counts, reachable, note)
    spread = z.copy()
    crowded = 0
    for k in np.flatnonzero(np.bincount(group) > 1):
        members = np.flatnonzero(group == k)
        basis = tangent_basis(z[members[0]])[:2]
        # A sunflower: from the centre outward every point is outside the hull of those before it.
        turn, r = np.arange(len(members)) * 2.399963, SPREAD * np.sqrt(np.arange(len(members)) / len(members))
        spread[members] = normalise(
            z[members] + (r * np.cos(turn))[:, None] * basis[0] + (r * np.sin(turn))[:, None] * basis[1]
        )
        crowded += len(members)
    reached = w2(spread, source.weights, target.points, target.weights)
    notes = _note(reachable)
    if crowded:
        notes = (*notes, f"{crowded} atoms share target atoms and land up to {SPREAD:.0e} rad beside them")
    return Landing(spread, source.weights, np.ones(len(z), dtype=int), reached, notes)


def _groups(z: np.ndarray) -> np.ndarray:
    """Index of the group of coinciding places each row belongs to."""
    group = np.full(len(z), -1)
    for j in range(len(z)):
        if group[j] < 0:
            group[(angle(z, z[j][None, :]) < 1e-7) & (group < 0)] = group.max() + 1
    return group


def _note(reachable: float) -> tuple[str, ...]:
    if reachable < 1e-9:
        return ()
    return ("whole atoms do not fit the target exactly, so they land as near as was found",)
