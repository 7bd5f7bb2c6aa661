"""Fewer particles for what costs more than linear time."""

from __future__ import annotations

import numpy as np


def thinned(weights: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """(rows (m,), weights (m,)): at most `most` particles that stand for all, evenly chosen by mass; all of few.

    Systematic sampling: the particles at the middles of `most` equal parts of the mass, each with the parts it holds.
    The same particles at every moment, whatever their places.

    >>> thinned(np.array([0.5, 0.25, 0.25]), 2)
    (array([0, 1]), array([0.5, 0.5]))
    """
    if len(weights) <= most:
        return np.arange(len(weights)), weights
    reached = np.cumsum(weights)
    middles = (np.arange(most) + 0.5) / most * reached[-1]
    rows, parts = np.unique(np.searchsorted(reached, middles), return_counts=True)
    return rows, parts / most
