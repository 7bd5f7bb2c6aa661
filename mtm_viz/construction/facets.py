"""The path that always exists: through the facets of the convex hull of the resting atoms (Lemma B.1's chain of caps)."""

from __future__ import annotations

import heapq
from itertools import pairwise

import numpy as np
from scipy.spatial import ConvexHull

from mtm_viz.construction.gates import Move, landing, widest_cap
from mtm_viz.sphere import normalise


def facet_path(start: np.ndarray, end: np.ndarray, resting: np.ndarray) -> list[Move] | None:
    """Moves that carry `start` to `end` while `resting` atoms rest, by overlapping empty caps.

    The facets of the hull of the resting atoms cut off exactly the maximal empty caps; the points +-e_k are
    added so that no cap exceeds a hemisphere. The widest chain (largest least overlap) is found by Dijkstra's
    method; then each stretch of the path is run through as far as one separating gate reaches.
    None only where an end point lies on a resting atom.
    """
    d = len(start)
    corners = np.vstack([np.eye(d), -np.eye(d)])
    # A corner on top of an end point would close the cap around it.
    corners = corners[np.minimum(np.linalg.norm(corners - start, axis=1), np.linalg.norm(corners - end, axis=1)) > 0.05]
    hull = ConvexHull(np.vstack([resting, corners]) if len(resting) else corners, qhull_options="QJ")
    centres, heights = hull.equations[:, :-1], -hull.equations[:, -1]
    chain = _widest_chain(centres, heights, hull.neighbors, centres @ start - heights, centres @ end - heights)
    if chain is None:
        return None
    stops = [start, *(_overlap(centres, heights, i, j)[0] for i, j in pairwise(chain)), end]
    return _shortened(stops, resting)


def _widest_chain(
    centres: np.ndarray, heights: np.ndarray, neighbours: np.ndarray, at_start: np.ndarray, at_end: np.ndarray
) -> list[int] | None:
    """Facets from one whose cap holds the start to one whose cap holds the end, least overlap as large as possible."""
    queue = [(-float(margin), k, -1) for k, margin in enumerate(at_start) if margin > 1e-12]
    heapq.heapify(queue)
    before: dict[int, int] = {}
    goal = len(centres)
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
        for j in neighbours[k]:
            if j not in before and (overlap := _overlap(centres, heights, k, j)[1]) > 0:
                heapq.heappush(queue, (max(width, -overlap), int(j), k))
    return None


def _overlap(centres: np.ndarray, heights: np.ndarray, i: int, j: int) -> tuple[np.ndarray, float]:
    """(g, margin): the point between the two centres that lies deepest in both caps."""
    share = np.linspace(0.0, 1.0, 41)[:, None]
    between = normalise((1 - share) * centres[i] + share * centres[j] + 1e-300)
    depth = np.minimum(between @ centres[i] - heights[i], between @ centres[j] - heights[j])
    k = int(depth.argmax())
    return between[k], float(depth[k])


def _shortened(stops: list[np.ndarray], resting: np.ndarray) -> list[Move] | None:
    """Greedy: from each stop the farthest later stop that one gate reaches."""
    moves, k = [], 0
    while k < len(stops) - 1:
        for j in range(len(stops) - 1, k, -1):
            cap = widest_cap(np.stack([stops[k], stops[j]]), resting)
            if cap is not None and (cap[2] > 1e-4 or j == k + 1):
                moves.append(landing(cap[0], cap[1], stops[k], stops[j], cap[2]))
                k = j
                break
        else:
            return None
    return moves
