"""Which atom is outermost along each of many directions, as atoms leave one by one."""

from __future__ import annotations

import numpy as np

from mtm_viz.sphere import normalise, tangent_basis

TILTS = np.radians([-35.0, -28.0, -21.0, -14.0, -7.0, 0.0, 7.0, 14.0, 21.0, 28.0, 35.0])


def around(pole: np.ndarray, count: int, seed: int) -> np.ndarray:
    """`count` unit vectors orthogonal to the pole: evenly spaced for d = 3, seeded random ones above."""
    basis = tangent_basis(pole)
    if len(pole) == 3:
        turn = 2 * np.pi * np.arange(count) / count
        return np.outer(np.cos(turn), basis[0]) + np.outer(np.sin(turn), basis[1])
    return normalise(np.random.default_rng(seed).normal(size=(count, len(pole) - 1))) @ basis


def cap_directions(pole: np.ndarray, atoms: int, seed: int) -> np.ndarray:
    """Centres a of candidate caps: near the equator of the pole, so that a cap can hold one atom of either side.

    The more atoms, the narrower the cone of caps that hold just one of them, the more directions.
    """
    horizontal = around(pole, min(90 + atoms // 3, 400) if len(pole) == 3 else 450, seed)
    return np.concatenate([np.cos(t) * horizontal + np.sin(t) * pole for t in TILTS])


def waypoints(pole: np.ndarray, seed: int) -> np.ndarray:
    """Candidate stops on the way, on five parallels of the free belt."""
    parallels = ((0.0, 48), (0.35, 40), (-0.35, 40), (0.65, 32), (-0.65, 32))
    more = 1 if len(pole) == 3 else 3
    return np.concatenate(
        [np.sqrt(1 - z * z) * around(pole, more * count, seed + k) + z * pole for k, (z, count) in enumerate(parallels)]
    )


class Frontier:
    """For each direction a_k the remaining atom with the largest <a_k, x> and the value of the runner-up.

    Each direction's atoms are sorted once and two cursors move past those that have left: O(K n log n) in all.
    An index of `len(points)` stands for "none left"; its value is -1.
    """

    def __init__(self, directions: np.ndarray, points: np.ndarray) -> None:
        k, n = len(directions), len(points)
        values = directions @ points.T
        self._order = np.c_[np.argsort(-values, axis=1), np.full((k, 2), n)]
        self._values = np.c_[values, np.full(k, -1.0)]
        self._remains = np.ones(n + 1, dtype=bool)
        self._rows = np.arange(k)
        self._first, self._second = np.zeros(k, dtype=int), np.ones(k, dtype=int)
        self._advance()

    def remove(self, atoms: np.ndarray | int) -> None:
        self._remains[atoms] = False
        self._advance()

    @property
    def top(self) -> np.ndarray:
        return self._order[self._rows, self._first]

    @property
    def top_value(self) -> np.ndarray:
        return self._values[self._rows, self.top]

    @property
    def second_value(self) -> np.ndarray:
        return self._values[self._rows, self._order[self._rows, self._second]]

    def _advance(self) -> None:
        self._skip(self._first)
        np.maximum(self._second, self._first + 1, out=self._second)
        np.minimum(self._second, self._order.shape[1] - 1, out=self._second)
        self._skip(self._second)

    def _skip(self, cursor: np.ndarray) -> None:
        while (gone := ~self._remains[self._order[self._rows, cursor]]).any():
            cursor[gone] += 1


def filling_order(
    directions: np.ndarray, targets: np.ndarray, pole: np.ndarray, kinds: np.ndarray | None = None
) -> list[int]:
    """Deepest first: the reverse of peeling the targets from outside, widest gap first.

    Every target is then outermost, among those already filled, along the direction it was peeled by; and the
    peeling gate must leave room for a waypoint on the equator (a cap about a tilted a reaches it at cos(tilt)).
    With `kinds` one kind is peeled after the other, each to and fro between targets far apart as far as the gaps allow.
    Another sample that lies a little aside gives more to all early slices and less to all late ones; so shared out,
    what neighbouring targets have too much and too little of makes up for each other.
    """
    frontier = Frontier(directions, targets)
    reach = 0.8 * np.sqrt(1 - (directions @ pole) ** 2)
    peeled: list[int] = []
    for _ in range(len(targets)):
        gaps = np.minimum(frontier.top_value, reach) - np.maximum(frontier.second_value, 0.0)
        outermost = int(frontier.top[gaps.argmax()])
        if kinds is not None and peeled:
            outermost = _farthest(peeled[-1], frontier.top, gaps, targets, kinds, outermost)
        peeled.append(outermost)
        frontier.remove(outermost)
    return peeled[::-1]


#: A gap is wide enough for the far target to be preferred to the widest gap.
WIDE_ENOUGH = 0.004


def _farthest(last: int, top: np.ndarray, gaps: np.ndarray, targets: np.ndarray, kinds: np.ndarray, widest: int) -> int:
    """The target of the last one's kind farthest from it that has a wide enough gap; else the widest of all."""
    candidates = np.unique(top[gaps > WIDE_ENOUGH])
    candidates = candidates[candidates < len(targets)]
    candidates = candidates[kinds[candidates] == kinds[last]]
    if len(candidates) == 0:
        return widest
    return int(candidates[(targets[candidates] @ targets[last]).argmin()])
