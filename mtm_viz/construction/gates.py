"""Separating gates: one cap that holds a mover's whole path and no resting atom, landed exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

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


def widest_cap(inside: np.ndarray, resting: np.ndarray) -> tuple[np.ndarray, float, float] | None:
    """(a, tau, margin): the half-space <a, x> > tau, tau >= 0, with `inside` on one side and `resting` on the other.

    The linear programme max m over -1 <= a_k <= 1, <a, x> - tau >= m for rows x of `inside`,
    <a, o> - tau <= -m for rows o of `resting`, then a is made unit. None where no cap has a positive margin.
    tau >= 0 keeps the cap within a hemisphere, so that it holds the geodesic between any two of its points.
    """
    d = inside.shape[1]
    rows = np.concatenate(
        [
            np.c_[-inside, np.ones((len(inside), 2))],
            np.c_[resting, -np.ones(len(resting)), np.ones(len(resting))],
        ]
    )
    bounds: list[tuple[float | None, float | None]] = [(-1.0, 1.0)] * d + [(0.0, None), (None, 1.0)]
    found = linprog(
        np.append(np.zeros(d + 1), -1.0), A_ub=rows, b_ub=np.zeros(len(rows)), bounds=bounds, method="highs"
    )
    if found.status != 0 or found.x[-1] <= 0:
        return None
    length = float(np.linalg.norm(found.x[:d]))
    a, tau = found.x[:d] / length, float(found.x[d]) / length
    # The programme's round-off is not to be trusted for the margin: measure it.
    margin = min(float((inside @ a).min()) - tau, tau - float((resting @ a).max(initial=-1.0)))
    return (a, tau, margin) if margin > 0 else None


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
