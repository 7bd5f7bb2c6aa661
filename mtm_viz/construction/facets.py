"""The path that always exists: through the facets of the convex hull of the resting atoms (Lemma B.1's chain of caps)."""

from __future__ import annotations

import heapq
from itertools import pairwise

import numpy as np
from scipy.spatial import ConvexHull

from mtm_viz.construction.gates import Move, landing, widest_cap
from mtm_viz.errors import Refusal
from mtm_viz.sphere import MOST_HULL, angle, project_tangent

#: A longer stride must leave this margin; of a long path so many strides are tried at each stop.
WORTHWHILE, MOST_TRIED = 1e-4, 40


def facet_path(start: np.ndarray, end: np.ndarray, resting: np.ndarray) -> list[Move] | None:
    """Moves that carry `start` to `end` while `resting` atoms rest, by overlapping empty caps.

    The facets of the hull of the resting atoms cut off exactly the maximal empty caps; the points +-e_k are
    added so that no cap exceeds a hemisphere. The widest chain (largest least overlap) is found by Dijkstra's
    method; then each stretch of the path is run through as far as one separating gate reaches.
    None only where an end point lies on a resting atom. Raises Refusal above MOST_HULL dimensions, where the hull has
    too many facets.
    """
    d = len(start)
    if d > MOST_HULL:
        raise Refusal(
            f"two atoms are parted by no one, two or three caps, and longer chains are sought up to dimension {MOST_HULL} only, "
            f"not in dimension {d}: use fewer atoms, or move apart those that are near each other"
        )
    corners = np.vstack([np.eye(d), -np.eye(d)])
    # A corner on top of an end point would close the cap around it.
    corners = corners[np.minimum(np.linalg.norm(corners - start, axis=1), np.linalg.norm(corners - end, axis=1)) > 0.05]
    hull = ConvexHull(np.vstack([resting, corners]) if len(resting) else corners, qhull_options="QJ")
    centres, heights = hull.equations[:, :-1], -hull.equations[:, -1]
    stops, depths = _overlaps(centres, heights, hull.neighbors)
    chain = _widest_chain(hull.neighbors, depths, centres @ start - heights, centres @ end - heights)
    if chain is None:
        return None
    between = [stops[i, list(hull.neighbors[i]).index(j)] for i, j in pairwise(chain)]
    return _shortened([start, *between, end], resting)


def _widest_chain(
    neighbours: np.ndarray, depths: np.ndarray, at_start: np.ndarray, at_end: np.ndarray
) -> list[int] | None:
    """Facets from one whose cap holds the start to one whose cap holds the end, least overlap as large as possible."""
    queue = [(-float(margin), int(k), -1) for k, margin in enumerate(at_start) if margin > 1e-12]
    heapq.heapify(queue)
    before: dict[int, int] = {}
    goal = len(neighbours)
    while queue:
        width, k, origin = heapq.heappop(queue)
        if k in before:
            continue
        before[k] = origin
        if k == goal:
            chain = []
            while (k := before[k]) != -1:
                chain.append(k)
            return chain[::-1]
        if at_end[k] > 1e-12:
            heapq.heappush(queue, (max(width, -float(at_end[k])), goal, k))
        for j, depth in zip(neighbours[k].tolist(), depths[k].tolist(), strict=True):
            if depth > 0 and j not in before:
                heapq.heappush(queue, (max(width, -depth), j, k))
    return None


def _overlaps(centres: np.ndarray, heights: np.ndarray, neighbours: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For every facet and neighbour the point deepest in both caps, (F, d, d), and its depth there, (F, d).

    On the arc of length psi between the centres the depths cos(phi) - h and cos(psi - phi) - h' agree at
    phi = psi/2 - asin((h - h') / (2 sin(psi/2))).
    """
    here, there = centres[:, None, :], centres[neighbours]
    psi = angle(np.broadcast_to(here, there.shape), there)
    half = np.maximum(np.sin(psi / 2), 1e-300)
    difference = heights[:, None] - heights[neighbours]
    phi = np.clip(psi / 2 - np.arcsin(np.clip(difference / (2 * half), -1, 1)), 0, psi)
    side = project_tangent(np.broadcast_to(here, there.shape), there)
    side /= np.linalg.norm(side, axis=-1, keepdims=True) + 1e-300
    stops = np.cos(phi)[..., None] * here + np.sin(phi)[..., None] * side
    return stops, np.minimum(np.cos(phi) - heights[:, None], np.cos(psi - phi) - heights[neighbours])


def _shortened(stops: list[np.ndarray], resting: np.ndarray) -> list[Move] | None:
    """Greedy: from each stop the farthest of MOST_TRIED later ones, evenly spaced, that one gate reaches."""
    moves, k = [], 0
    while k < len(stops) - 1:
        spaced = np.linspace(len(stops) - 1, k + 1, min(len(stops) - 1 - k, MOST_TRIED))
        for j in np.unique(np.rint(spaced).astype(int))[::-1].tolist():
            cap = widest_cap(np.stack([stops[k], stops[j]]), resting)
            if cap is not None and (cap[2] > WORTHWHILE or j == k + 1):
                moves.append(landing(cap[0], cap[1], stops[k], stops[j], cap[2]))
                k = j
                break
        else:
            return None
    return moves
