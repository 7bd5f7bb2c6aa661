"""Where every atom is at any display time: frames are stored, movers slide along the great circle between two of them.

The same rules as the player's motion.js and clock.js, so that a film and the player agree at every moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mtm_viz.run import Run


@dataclass(frozen=True)
class Place:
    """Interval f, between frames f and f + 1, and the part of it that has passed."""

    f: int
    part: float


def place_at(display: np.ndarray, at: float) -> Place:
    """Where display time `at` lies."""
    last = len(display) - 1
    if last == 0:
        return Place(0, 0.0)
    f = min(max(int(np.searchsorted(display, at, side="right")) - 1, 0), last - 1)
    length = display[f + 1] - display[f]
    return Place(f, float(np.clip((at - display[f]) / length, 0, 1)) if length > 0 else 0.0)


def between(x: np.ndarray, y: np.ndarray, s: float) -> np.ndarray:
    """Rows of x (n, d) moved the part s toward rows of y along great circles; antipodes jump half-way."""
    if s <= 0:
        return x
    theta = 2 * np.arctan2(np.linalg.norm(x - y, axis=1), np.linalg.norm(x + y, axis=1))
    c = np.sin(theta)
    # Below a hundredth of a radian chord and arc agree to 1e-6.
    short, opposite = theta < 0.01, (theta >= 0.01) & (c < 1e-6)
    safe = np.where(short | opposite, 1.0, c)
    p = np.where(short, 1 - s, np.where(opposite, float(s < 0.5), np.sin((1 - s) * theta) / safe))
    q = np.where(short, s, np.where(opposite, float(s >= 0.5), np.sin(s * theta) / safe))
    return p[:, None] * x + q[:, None] * y


@dataclass(frozen=True, eq=False)
class Moments:
    """A run seen through `rows` (3, d): the atoms of every measure, their W2 and the running segment at any display time."""

    run: Run
    rows: np.ndarray

    def positions(self, i: int, at: float) -> np.ndarray:
        """Atoms of measure i at display time `at`, (n, 3)."""
        where = place_at(self.run.display, at)
        trajectory = self.run.trajectories[i]
        now = trajectory[where.f]
        if where.part > 0:
            now = between(now, trajectory[where.f + 1], where.part)
        return now @ self.rows.T

    def targets(self, i: int) -> np.ndarray:
        """Where measure i must arrive, (m, 3)."""
        return self.run.targets[i] @ self.rows.T

    def w2(self, i: int, at: float) -> float:
        return self._mixed(self.run.w2[i], at)

    def layer_time(self, at: float) -> float:
        return self._mixed(self.run.times, at)

    def segment(self, at: float) -> int:
        """Index of the running segment."""
        return int(self.owners[place_at(self.run.display, at).f])

    @cached_property
    def owners(self) -> np.ndarray:
        """The segment of each interval between frames, told by its midpoint (however boundary frames are labelled)."""
        times = self.run.times
        if len(times) < 2:
            return np.zeros(1, dtype=int)
        ends = self.run.schedule.boundaries[1:-1] / self.run.schedule.duration
        middle = (times[:-1] + times[1:]) / 2
        return np.searchsorted(ends, middle - 1e-15, side="left")

    @cached_property
    def segment_starts(self) -> np.ndarray:
        """Display time at which each segment starts, 1 appended; a segment without frames starts with the next one."""
        starts = np.full(len(self.run.schedule) + 1, np.nan)
        for f in range(len(self.owners) - 1, -1, -1):
            starts[self.owners[f]] = self.run.display[f]
        starts[-1] = 1.0
        for s in range(len(starts) - 2, -1, -1):
            if np.isnan(starts[s]):
                starts[s] = starts[s + 1]
        return starts

    def frames_of(self, s: int) -> tuple[int, int] | None:
        """First and last frame of a segment, both at its boundaries; None where it has none."""
        inside = np.flatnonzero(self.owners == s)
        if not len(inside) or len(self.run.times) < 2:
            return None
        return int(inside[0]), int(inside[-1]) + 1

    def _mixed(self, values: np.ndarray, at: float) -> float:
        where = place_at(self.run.display, at)
        if where.part == 0:
            return float(values[where.f])
        return float(values[where.f] + where.part * (values[where.f + 1] - values[where.f]))


def coordinate_rows(dimension: int, which: tuple[int, int, int] | None = None) -> np.ndarray:
    """The (3, d) rows that show coordinates `which`, counted from 0; below dimension 3 the missing ones are zero."""
    rows = np.zeros((3, dimension))
    for r, k in enumerate(which or (0, 1, 2)):
        if k < dimension:
            rows[r, k] = 1.0
    return rows


def spread_rows(run: Run) -> np.ndarray:
    """The three directions in which first frame and targets together spread most, (3, d), signs fixed."""
    points = np.concatenate([*(x[0] for x in run.trajectories), *run.targets])
    _, vectors = np.linalg.eigh(points.T @ points)
    rows = vectors[:, ::-1].T[:3]
    largest = np.abs(rows).argmax(axis=1)
    return rows * np.sign(rows[np.arange(len(rows)), largest])[:, None]
