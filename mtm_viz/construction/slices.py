"""Slices of equal mass by nested caps, each collapsed to one point outside the cloud (Claim 1 of Section 5.1).

A direction a and an exit point g with <a, g> above <a, x> for the measure's own points make g the top of every
nested cap {<a, x> > tau_k}: the gate (a, tau_k) with drift target g drives everything in the cap into g, atoms and
whatever else of the measure lies there, which is why a fresh sample goes along.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mtm_viz.construction.gates import FIRST_ROWS, OFFSET_WEIGHT, largest, least_distance
from mtm_viz.dynamics.exact import Gate
from mtm_viz.dynamics.exact.gate import DEGENERATE
from mtm_viz.sphere import angle, normalise, project_tangent, tangent_basis

#: A collapsed slice is this wide (rad): small beside every margin, large beside round-off.
COLLAPSED = 1e-9
#: How far into the gap before the nearest resting atom the last cap of a measure reaches.
LAST_REACH = 0.5
#: The same where no other measure is left to be spared.
LAST_REACH_ALONE = 0.9
#: Atoms on either side of a cut whose heights differ by less than this tie: round-off might take one for the other.
TIED = 1e-5
#: How much steadiness under a shift counts against a wide margin.
STEADY = 2.0


@dataclass(frozen=True, eq=False)
class Slicing:
    """The nested caps of one measure: direction a, exit g, the margin of both, and the atoms from the top down."""

    a: np.ndarray
    exit: np.ndarray
    margin: float
    order: np.ndarray
    heights: np.ndarray
    stray: float

    def peel(
        self, taken: int, count: int, points: np.ndarray, resting: np.ndarray, alone: bool
    ) -> tuple[Gate, float, np.ndarray]:
        """(gate, its margin, atoms): the next `count` atoms after the first `taken` have left, driven into the exit.

        The measure's last cap reaches toward what rests elsewhere; farther where it is alone on its side.
        """
        atoms = self.order[taken : taken + count]
        lowest = float(self.heights[taken + count - 1])
        last = taken + count == len(self.order)
        below = float((resting @ self.a).max(initial=0.0)) if last else float(self.heights[taken + count])
        if last and not alone and lowest - self.stray > below:
            lowest -= self.stray
        tau = lowest - (LAST_REACH_ALONE if alone and last else LAST_REACH) * (lowest - below)
        A = float(self.a @ self.exit)
        if abs(A + tau) < 10 * DEGENERATE:
            tau += 20 * DEGENERATE if lowest - tau > 40 * DEGENERATE else 0.0
        gate = Gate(self.a, tau, self.exit, 0.0)
        x = points[atoms]
        e = project_tangent(np.broadcast_to(self.exit, x.shape), x)
        e = e / np.maximum(np.linalg.norm(e, axis=1, keepdims=True), 1e-300)
        theta = angle(x, self.exit[None, :])
        times = gate.travel_time(theta, np.full(len(x), COLLAPSED), e)
        least = float(self.heights[taken + count - 1])
        highest = max(float((resting @ self.a).max(initial=-1.0)), -1.0 if last else float(self.heights[taken + count]))
        return Gate(self.a, tau, self.exit, max(float(times.max()), 1e-6)), min(least - tau, tau - highest), atoms


def slicing(
    own: np.ndarray, others: np.ndarray, exits: np.ndarray, sizes: list[int], wobble: np.ndarray
) -> Slicing | None:
    """The best nested caps over candidate exits; `sizes` are the counts of the slices to come, for their gaps.

    wobble: how far other samples of the measure stray. Cuts across that direction vary in mass from sample to
    sample and cuts along it do not; and the caps must hold what strays.

    For each exit g the least-distance programme <a, g - x> >= 1 and <a, x> - tau >= 1 for own points x,
    <a, o> - tau <= -1 for others o, tau >= 0. None where no exit serves.
    """
    centre = own.mean(axis=0)
    direction = wobble / max(float(np.linalg.norm(wobble)), 1e-300)
    strays = np.concatenate([own, normalise(own + wobble), normalise(own - wobble)]) if wobble.any() else own
    cuts = np.cumsum(sizes)[:-1]
    best: Slicing | None = None
    best_value = 0.0
    for g in exits[np.argsort(-(exits @ centre))]:
        found = _programme(strays, others, g)
        if found is None:
            continue
        for a, margin in _tilted(*found, strays, others, g):
            heights = own @ a
            order = np.argsort(-heights, kind="stable")
            gap = float((heights[order][cuts - 1] - heights[order][cuts]).min(initial=margin))
            # A slice is as safe as the gap at its cut; a wide margin also makes the collapse quick.
            steady = (1.05 - abs(float(a @ direction))) ** STEADY
            value = margin * (1 + 20 * gap) * steady * min(1.0, max(gap / TIED, 1e-9))
            if value > best_value:
                best = Slicing(a, g, margin, order, heights[order], abs(float(a @ wobble)))
                best_value = value
            if gap > TIED:
                break
    return best


def _tilted(
    a: np.ndarray, margin: float, own: np.ndarray, others: np.ndarray, g: np.ndarray
) -> Iterator[tuple[np.ndarray, float]]:
    """(a, margin), and a tilted a little along every axis: in symmetric measures atoms then no longer tie at a cut."""
    yield a, margin
    for axis in tangent_basis(a):
        for sign in (1.0, -1.0):
            tilted = normalise(a + sign * margin / 3 * axis)
            if (left := _margin(tilted, own, others, g)) > 0:
                yield tilted, left


def _margin(a: np.ndarray, own: np.ndarray, others: np.ndarray, g: np.ndarray) -> float:
    """The least of the exit's lead over the measure's atoms and half the gap between these and the others."""
    inside, outside = own @ a, (others @ a).max(initial=0.0)
    return min(float(g @ a - inside.max()), float(inside.min() - outside) / 2)


def _programme(own: np.ndarray, others: np.ndarray, g: np.ndarray) -> tuple[np.ndarray, float] | None:
    d, n, m = own.shape[1], len(own), len(others)
    system = np.zeros((d + 2, 2 * n + m + 1))
    system[:d, :n] = (g - own).T
    system[:d, n : 2 * n] = own.T
    system[:d, 2 * n : -1] = -others.T
    system[d, n : 2 * n] = -1 / OFFSET_WEIGHT
    system[d, 2 * n : -1] = 1 / OFFSET_WEIGHT
    system[d + 1, :-1] = 1.0
    system[d, -1] = 1.0
    centre = own.mean(axis=0)
    residual = least_distance(
        system,
        np.r_[
            largest(own @ g, FIRST_ROWS),
            n + largest(-(own @ centre), FIRST_ROWS),
            2 * n + largest(others @ centre, FIRST_ROWS),
            2 * n + m,
        ],
    )
    if residual is None or not (length := float(np.linalg.norm(residual[:d]))):
        return None
    a = -residual[:d] / length
    margin = _margin(a, own, others, g)
    return (a, margin) if margin > 0 else None
