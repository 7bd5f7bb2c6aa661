"""How many clusters there are, seen at a stated angle."""

from __future__ import annotations

import numpy as np

from mtm_viz.diagnostics.observable import Observable

#: Particles nearer than this, in degrees, belong together.
ANGLE_DEG = 5.0


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
    near = 2.0 - 2.0 * (points @ points.T) < 4.0 * np.sin(np.deg2rad(ANGLE_DEG) / 2) ** 2
    found, count = np.full(len(points), -1), 0
    while (found < 0).any():
        edge = np.zeros(len(points), dtype=bool)
        edge[np.argmax(found < 0)] = True
        while edge.any():
            found[edge] = count
            edge = near[edge].any(axis=0) & (found < 0)
        count += 1
    return found
