"""Several gates at once, one a row of U: x' = P_x sum_r (<a_r, x> - tau_r)_+ w_r.

A point that meets one of the caps only is carried as by that gate alone, since the others are closed where it is.
A gate leaves its cap invariant, since the speed is zero on the rim: gates with pairwise disjoint caps commute, and
all at once they do to every measure what they do one after another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mtm_viz.backend import beside, to_host
from mtm_viz.dynamics.exact.gate import DEGENERATE, Gate
from mtm_viz.dynamics.schedule import Segment
from mtm_viz.sphere import angles


@dataclass(frozen=True, eq=False)
class Gates:
    """g gates, open on the caps {<a_r, x> > tau_r} of unit vectors a (g, d), tau (g,), with drifts (g, d), for `duration`.

    A negative duration runs them backwards.
    """

    a: np.ndarray
    tau: np.ndarray
    drifts: np.ndarray
    duration: float

    @classmethod
    def together(cls, gates: Sequence[Gate]) -> Gates:
        """Gates of positive duration T_r in one segment as long as the longest, T: w_r = omega_r T_r / T, so that all land together."""
        durations = np.array([gate.duration for gate in gates])
        longest = float(durations.max())
        omegas = np.stack([gate.omega for gate in gates])
        return cls(
            np.stack([gate.a for gate in gates]),
            np.array([gate.tau for gate in gates]),
            omegas * (durations / longest)[:, None],
            longest,
        )

    @cached_property
    def gates(self) -> tuple[Gate, ...]:
        """Each as a gate of unit drift, with its own duration."""
        speeds = np.linalg.norm(self.drifts, axis=1)
        parts = zip(self.a, self.tau, self.drifts, speeds, strict=True)
        return tuple(Gate(a, float(tau), w / s, float(s) * self.duration) for a, tau, w, s in parts)

    @property
    def disjoint(self) -> bool:
        """Whether no two caps meet: then the closed form holds on the whole sphere."""
        radii = np.arccos(self.tau)
        apart = angles(self.a, self.a) >= radii[:, None] + radii
        return bool((apart | np.eye(len(radii), dtype=bool)).all())

    def flow(self, points: Any, weights: Any = None) -> Any:
        """The images of points (n, d), each carried by the one gate whose cap it meets.

        Raises ValueError where a point meets two caps on its way: no closed form is known there.
        """
        here = to_host(points)
        images, meets = here.copy(), np.zeros((len(here), len(self.tau)), dtype=bool)
        for r, gate in enumerate(self.gates):
            moving = np.flatnonzero(gate.inside(here))
            images[moving] = gate.flow(here[moving])
            meets[moving, r] = True
            meets[moving] |= (highest(self.a, here[moving], images[moving]) > self.tau[:, None]).T
        if (meets.sum(axis=1) > 1).any():
            raise ValueError("a point meets two of the gates: integrate the segment instead")
        return beside(images, points)

    def stretch(self, points: np.ndarray) -> np.ndarray:
        """The largest singular value of the differential at each point."""
        return np.prod([gate.stretch(points) for gate in self.gates], axis=0)

    def segment(self, phase: str, width: int | None = None) -> Segment:
        """Row r of U is a_k, b_r = -tau_k, column r of W is w_k / c_k: k = r modulo g, c_k the number of rows gate k has.

        Raises ValueError where the width is less than the number of gates.
        """
        g, d = self.a.shape
        p = width or max(d, g)
        if p < g:
            raise ValueError(f"{g} gates do not fit into {p} rows")
        of_row = np.arange(p) % g
        columns = np.sign(self.duration) * self.drifts / np.bincount(of_row)[:, None]
        zero = np.zeros((d, d))
        return Segment(abs(self.duration), zero, zero, columns[of_row].T, self.a[of_row], -self.tau[of_row], phase)

    @classmethod
    def of(cls, segment: Segment) -> Gates | None:
        """Read off a segment's rows, those of one half-space together; None where a row is not a gate's or two caps meet."""
        lengths = np.linalg.norm(segment.U, axis=1)
        if segment.uses_attention or not lengths.all():
            return None
        half_spaces = np.c_[segment.U, segment.b] / lengths[:, None]
        of_row = (np.abs(half_spaces[:, None] - half_spaces[None]).max(axis=2) <= 1e-15).argmax(axis=1)
        kept = np.unique(of_row)
        columns = segment.W * lengths
        drifts = np.stack([columns[:, of_row == r].sum(axis=1) for r in kept])
        gates = cls(half_spaces[kept, :-1], -half_spaces[kept, -1], drifts, segment.duration)
        speeds = np.linalg.norm(drifts, axis=1)
        if not speeds.all():
            return None
        height = np.sum(gates.a * drifts, axis=1) / speeds
        near = np.minimum(np.abs(height - gates.tau), np.abs(height + gates.tau))
        return gates if (np.abs(gates.tau) < 1).all() and (near > DEGENERATE).all() and gates.disjoint else None


def highest(a: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """(k, n): max <a_k, x> over x on the geodesic from start_n to end_n; a (k, d), start and end (n, d)."""
    cosine = np.sum(start * end, axis=1)
    side = end - cosine[:, None] * start
    sine = np.linalg.norm(side, axis=1)
    side = side / np.maximum(sine, 1e-300)[:, None]
    here, there = a @ start.T, a @ side.T
    peak = np.arctan2(there, here)
    on_the_way = (peak > 0) & (peak < np.arctan2(sine, cosine))
    return np.where(on_the_way, np.hypot(here, there), np.maximum(here, a @ end.T))
