"""How many clusters there are, seen at a stated angle."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree

from mtm_viz.diagnostics.observable import Observable

#: Particles nearer than this, in degrees, belong together.
ANGLE_DEG = 5.0
#: Up to so many neighbours a particle, on average, they are listed; of more a table is quicker.
FEW_NEIGHBOURS = 30


class Clusters(Observable):
    """The number of connected components of the graph in which particles nearer than ANGLE_DEG are joined.

    Particles of no weight do not count. Source: single-linkage clustering cut at that angle.
    """

    label = "Clusters"
    formula = f"How many groups remain when particles less than {ANGLE_DEG:g}° apart are joined, and those joined to them, and so on (connected components)."
    source = "single-linkage clustering"
    counts = True

    def value(self, points: np.ndarray, weights: np.ndarray, B: np.ndarray) -> float:
        return float(cluster_of(points[weights > 0]).max() + 1)


def cluster_of(points: np.ndarray) -> np.ndarray:
    """The cluster of each row of points (n, d), numbered from 0 in the order of their first particles, shape (n,)."""
    # Chords, not cosines, which cannot tell small angles apart.
    chord, tree = 2.0 * np.sin(np.deg2rad(ANGLE_DEG) / 2), KDTree(points)
    n = len(points)
    if tree.count_neighbors(tree, chord) > FEW_NEIGHBOURS * n:
        return _filled(2.0 - 2.0 * (points @ points.T) < chord**2)
    pairs = tree.query_pairs(chord, output_type="ndarray")
    graph = coo_array((np.ones(len(pairs), dtype=bool), (pairs[:, 0], pairs[:, 1])), shape=(n, n))
    return _in_order(connected_components(graph, directed=False)[1])


def _filled(near: np.ndarray) -> np.ndarray:
    """Components of a graph with many edges, (n, n) bool, from one particle after another to all its neighbours."""
    found, count = np.full(len(near), -1), 0
    while (found < 0).any():
        edge = np.zeros(len(near), dtype=bool)
        edge[np.argmax(found < 0)] = True
        while edge.any():
            found[edge] = count
            edge = near[edge].any(axis=0) & (found < 0)
        count += 1
    return found


def _in_order(labels: np.ndarray) -> np.ndarray:
    """The same labels, numbered in the order in which they first occur."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]
