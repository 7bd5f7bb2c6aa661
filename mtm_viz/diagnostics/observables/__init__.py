"""Observables. Every module of this folder is one, found by its name: to add one, add its file."""

from __future__ import annotations

from functools import cache

import numpy as np

from mtm_viz.diagnostics.observable import Observable
from mtm_viz.diagnostics.thinning import thinned
from mtm_viz.errors import InputError
from mtm_viz.registry import one_a_module

#: Pairs of particles looked at for one curve: fewer moments where there are many particles.
PAIRS = 2e7
FEWEST, MOST = 25, 121


@cache
def observables() -> dict[str, type[Observable]]:
    """Every observable by its name, which is its module's."""
    return one_a_module(__name__, __path__, Observable)


def observable(name: str) -> Observable:
    """The observable of that name. Raises InputError listing the known ones."""
    kind = observables().get(name)
    if kind is None:
        raise InputError(f'observable "{name[:40]}" is unknown: use one of {", ".join(observables())}')
    return kind()


def observed(
    name: str, trajectory: np.ndarray, weights: np.ndarray, B: np.ndarray, frames: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """(frames (m,), values (m,)) of one observable along a trajectory (F, n, d), by default at `moments` of it.

    B: the attention's, (d, d), or one a frame, (F, d, d). Of more particles than the observable's `most_particles`, so many are looked at, see `thinned`.
    """
    kind = observable(name)
    rows, weights = thinned(weights, kind.most_particles or len(weights))
    frames = moments(trajectory.shape[0], len(rows), kind.cost) if frames is None else frames
    kind.begin(np.asarray(trajectory[0][rows], dtype=float), weights)
    values = [
        kind.value(np.asarray(trajectory[f][rows], dtype=float), weights, B[f] if B.ndim == 3 else B) for f in frames
    ]
    return frames, np.array(values)


def moments(frames: int, particles: int, cost: float = 1.0) -> np.ndarray:
    """Which of the frames are looked at: all of few particles, evenly spaced ones of many; first and last always.

    >>> moments(5, 10), len(moments(201, 1000))
    (array([0, 1, 2, 3, 4]), 25)
    """
    count = min(frames, int(np.clip(PAIRS / (cost * particles**2), FEWEST, MOST)))
    return np.unique(np.linspace(0, frames - 1, count).round().astype(int))
