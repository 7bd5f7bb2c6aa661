"""Separating gates: one cap that holds a mover's whole path and no resting atom, landed exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from mtm_viz.dynamics.exact import Gate
from mtm_viz.dynamics.exact.gate import DEGENERATE
from mtm_viz.sphere import angle, rotation_between


@dataclass(frozen=True, eq=False)
class Move:
    """One atom carried from `start` to `end` by one gate; margin: least distance of path and resting atoms to its boundary.

    stretch: the factor (<a,x> - tau) sin(theta) end over start, by which the mover's error along its path grows.
    """

    gate: Gate
    start: np.ndarray
    end: np.ndarray
    margin: float
    stretch: float


#: tau's weight in the norm that is minimised: small, since only |a| counts.
OFFSET_WEIGHT = 0.1
#: Below this residual the inequalities contradict each other: no cap has a margin above it.
CONTRADICTION = 1e-9
#: Rows that the programme begins with, and how many join at a time.
FIRST_ROWS, MORE_ROWS = 12, 6
#: A row counts as violated where it falls short of its margin by more than this part of it.
VIOLATED = 1e-9


def widest_cap(
    inside: np.ndarray, resting: np.ndarray, shares: np.ndarray | None = None
) -> tuple[np.ndarray, float, float] | None:
    """(a, tau, margin): the cap <a, x> > tau, tau >= 0, that holds `inside`, leaves `resting` out, and is farthest from both.

    The maximum-margin programme min |a|^2 over <a, x> - tau >= s for rows x of `inside`, <a, o> - tau <= -s for
    rows o of `resting`, tau >= 0, then a is made unit; margin 1/|a|. The shares s (one a row, first those of
    `inside`; 1 by default) say how the margin is dealt out. It is solved as a least-distance programme by
    non-negative least squares (Lawson and Hanson, Solving Least Squares Problems, ch. 23), which gives the
    Euclidean margin, where a linear programme gives one in the maximum norm, and is faster besides.

    None where no cap has a positive margin. tau >= 0 keeps the cap within a hemisphere, so that it holds the
    geodesic between any two of its points.
    """
    d, n = inside.shape[1], len(inside) + len(resting)
    system = np.empty((d + 2, n + 1))
    system[:d, : len(inside)] = inside.T
    system[:d, len(inside) : n] = -resting.T
    system[d, : len(inside)] = -1 / OFFSET_WEIGHT
    system[d, len(inside) : n] = 1 / OFFSET_WEIGHT
    system[d + 1, :n] = 1.0 if shares is None else shares
    system[:, n] = np.eye(d + 2)[d]
    near = len(inside) + largest(resting @ inside.sum(axis=0), FIRST_ROWS)
    residual = least_distance(system, np.r_[np.arange(len(inside)), near, n])
    if residual is None:
        return None
    # The last entry is |residual|^2, hence positive: a has the direction of minus the first d.
    length = float(np.linalg.norm(residual[:d]))
    if length == 0:
        return None
    a = -residual[:d] / length
    # The programme's round-off is not to be trusted for the boundary: put it in the middle of the measured gap.
    heights, own = resting @ a, 1.0 if shares is None else shares[0]
    theirs = np.ones(len(resting)) if shares is None else shares[len(inside) :]
    low = float((inside @ a).min())
    tau = max(0.0, float(((theirs * low + own * heights) / (theirs + own)).max(initial=(low - 1) / 2)))
    margin = min((low - tau) / own, float(((tau - heights) / theirs).min(initial=tau + 1)))
    return (a, tau, margin) if margin > 0 else None


def least_distance(system: np.ndarray, first: np.ndarray) -> np.ndarray | None:
    """The residual of min |e - system lambda|, lambda >= 0, e the last unit vector; None where it vanishes.

    system (k, n): a column an inequality. Few columns of many count: beginning with those of indices `first`, the
    programme is solved for some, then those it violates most join, until it violates none (its dual then is the whole's).
    """
    goal = np.eye(len(system))[-1]
    chosen = first
    while True:
        try:
            multipliers, size = nnls(system[:, chosen], goal, maxiter=20 * len(chosen))
        except RuntimeError:
            return None  # it cycled between near-parallel rows: no margin worth having
        if size < CONTRADICTION:
            return None
        residual = goal - system[:, chosen] @ multipliers
        excess = residual @ system
        excess[chosen] = 0.0
        worst = largest(excess, MORE_ROWS)
        worst = worst[excess[worst] > VIOLATED * size**2]
        if len(worst) == 0:
            return residual
        chosen = np.r_[chosen, worst]


def largest(values: np.ndarray, count: int) -> np.ndarray:
    """Indices of the `count` largest, in no order; of all where there are no more."""
    return np.argpartition(-values, count)[:count] if len(values) > count else np.arange(len(values))


def landing(a: np.ndarray, tau: float, start: np.ndarray, end: np.ndarray, margin: float) -> Move:
    """The gate of the cap (a, tau) that carries `start` exactly to `end`.

    The drift target omega lies on the geodesic beyond `end`, as far from it as `start` is from -omega: then
    sin(theta) is the same at both ends, and the move costs least time.
    """
    e, length = rotation_between(start, end)
    for beyond in (0.5, 0.4, 0.6, 0.3, 0.7):
        turn = length + beyond * (np.pi - length)
        omega = np.cos(turn) * start + np.sin(turn) * e
        omega /= np.linalg.norm(omega)
        A = float(a @ omega)
        if min(abs(A - tau), abs(A + tau)) > 10 * DEGENERATE:
            break
    gate = Gate(a, tau, omega, 0.0)
    side = np.sin(turn) * start - np.cos(turn) * e  # the unit tangent at omega toward start
    theta = angle(np.stack([start, end]), omega[None, :])
    duration = float(gate.travel_time(theta[:1], theta[1:], side[None, :])[0])
    ahead, behind = (float(x @ a) - tau for x in (end, start))
    stretch = ahead * np.sin(theta[1]) / (behind * np.sin(theta[0]))
    return Move(Gate(a, tau, omega, duration), start, end, margin, float(stretch))
