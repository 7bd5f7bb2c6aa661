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
        felt = points[weights > 0]
        # Chords, not cosines, which cannot tell small angles apart.
        near = 2.0 - 2.0 * (felt @ felt.T) < 4.0 * np.sin(np.deg2rad(ANGLE_DEG) / 2) ** 2
        free, count = np.ones(len(felt), dtype=bool), 0
        while free.any():
            count += 1
            edge = np.zeros(len(felt), dtype=bool)
            edge[np.argmax(free)] = True
            while edge.any():
                free &= ~edge
                edge = near[edge].any(axis=0) & free
        return float(count)
