"""What a segment does, read off its matrices: gates, drift, rotation, attention. The same rules as the player's segment.js."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtm_viz.dynamics.schedule import Segment
from mtm_viz.rendering.moments import Moments

#: An atom that moved less than this in a segment counts as at rest: two steps of the player's int16.
STILL = 2 / 32767


@dataclass(frozen=True, eq=False)
class Gate:
    """Open where <a, x> > tau; what is inside slides toward the unit vector `drift`."""

    a: np.ndarray
    tau: float
    drift: np.ndarray


@dataclass(frozen=True, eq=False)
class Reading:
    """gates; drift (d,) open everywhere, or None; rotation: the skew matrix (d, d), or None; whether attention acts."""

    gates: tuple[Gate, ...]
    drift: np.ndarray | None
    rotation: np.ndarray | None
    attends: bool


@dataclass(frozen=True, eq=False)
class Mover:
    """An atom that a segment carries: of which measure, from and to (d,)."""

    measure: int
    start: np.ndarray
    end: np.ndarray


def read_segment(segment: Segment) -> Reading:
    """Gates, drift and rotation of one segment; rows with the same half-space are one gate."""
    W, U, b = segment.W, segment.U, segment.b
    size = np.linalg.norm(U, axis=1)
    if (size > 1e-12).all() and (b >= size * (1 - 1e-6)).all():
        return _affine(W @ U, W @ b, segment.uses_attention)
    drift = np.zeros(len(W))
    found: list[tuple[np.ndarray, float, np.ndarray]] = []
    for r, u in enumerate(U):
        w = W[:, r]
        if not w.any():
            continue
        if size[r] < 1e-12:
            drift = drift + w * max(b[r], 0.0)
            continue
        a, tau, push = u / size[r], -b[r] / size[r], w * size[r]
        if tau >= 1:
            continue
        same = [k for k, (c, t, _) in enumerate(found) if abs(t - tau) < 1e-6 and np.linalg.norm(c - a) < 1e-6]
        if same:
            c, t, before = found[same[0]]
            found[same[0]] = (c, t, before + push)
        else:
            found.append((a, float(tau), push))
    gates = tuple(Gate(a, tau, push / max(np.linalg.norm(push), 1e-300)) for a, tau, push in found)
    return Reading(gates, drift if drift.any() else None, None, segment.uses_attention)


def _affine(A: np.ndarray, push: np.ndarray, attends: bool) -> Reading:
    """Rows open on the whole sphere make the field A x + push: a rotation where A is skew."""
    size = float(np.linalg.norm(A))
    skew = size > 0 and bool((np.abs(A + A.T) < 1e-4 * size).all())
    drifts = bool(np.linalg.norm(push) > 1e-4 * size)
    return Reading((), push if drifts else None, A if skew else None, attends)


def movers_of(moments: Moments, s: int) -> list[Mover]:
    """Atoms that are somewhere else at the end of segment s than at its start."""
    at = moments.frames_of(s)
    if at is None:
        return []
    found = []
    for i, trajectory in enumerate(moments.run.trajectories):
        first, last = trajectory[at[0]], trajectory[at[1]]
        moved = np.flatnonzero(np.abs(first - last).max(axis=1) > STILL)
        found += [Mover(i, first[j], last[j]) for j in moved]
    return found
