"""The match for wide networks: atoms leave and land at many places at once, each by its own narrow gate.

As in `match` one atom goes after another and all others rest; but each goes by one or two stops in the free belt, through
caps as narrow as its neighbours allow, and of many such ways the one is taken whose last gate can run in the earliest
segment. Then gates far from each other have nothing in their caps that the others carry, and share segments. There are
more gates than `match` needs, about two an atom, in fewer segments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mtm_viz.construction.disentangle import Demand
from mtm_viz.construction.frontier import Frontier
from mtm_viz.construction.gates import landing
from mtm_viz.construction.journey import Carried, Side
from mtm_viz.construction.match import Matcher
from mtm_viz.construction.width import APART
from mtm_viz.dynamics.exact.gates import highest

#: What a gate carries stays this far within its cap, where there is room; and at least this far.
ROOM, LEAST = 0.03, 5e-4
#: Targets that are peeled in one round, from outside in: caps about directions this far apart, with gaps this wide.
APART_IN_ROUND, GAP = np.cos(np.radians(25.0)), 0.003
#: So many stops are tried for every target, this far apart.
STOPS, APART_STOPS = 8, np.cos(np.radians(25.0))
#: So many targets of each measure are tried.
PER_MEASURE = 3


@dataclass(frozen=True, eq=False)
class Way:
    """A journey that may be: an atom, a target, the places from one to the other (k + 1, d), and the k caps on the way,
    their directions a (k, d), tau (k,) and margins (k,).
    """

    source: int
    target: int
    places: np.ndarray
    a: np.ndarray
    tau: np.ndarray
    margin: np.ndarray


class Spreading(Matcher):
    """A Matcher that looks for ways which can be gone at the same time."""

    def __init__(self, sources: Side, targets: Side, pole: np.ndarray, seed: int, demand: Demand) -> None:
        super().__init__(sources, targets, pole, seed, demand)
        self.queue = peeled_in_rounds(self.routes.directions, self.targets, pole)
        d = len(pole)
        self._exits: dict[int, Exits] = {}
        # Of the gates so far: cap, path, and the earliest segment it can be in.
        self.a, self.tau, self.segment = np.empty((0, d)), np.empty(0), np.empty(0, dtype=int)
        self.starts, self.ends = np.empty((0, d)), np.empty((0, d))

    def _next(self) -> Carried:
        self._exits.clear()
        ways = [way for target in self._next_targets() for way in self._ways(target)]
        carried: Carried | None = None
        if ways:
            lands = [segments[-1] for segments in self._earliest(ways)]
            narrow = [float(way.tau.min()) for way in ways]
            for k in sorted(range(len(ways)), key=lambda k: (lands[k], -narrow[k])):
                if not self._would_enclose(ways[k].target):
                    carried = _gone(ways[k])
                    break
        carried = carried or super()._next()
        self._remember(carried)
        return carried

    def _next_targets(self) -> list[int]:
        seen: dict[int, int] = {}
        found = []
        for target in self.queue:
            label = int(self.target_label[target])
            seen[label] = seen.get(label, 0) + 1
            if seen[label] <= PER_MEASURE:
                found.append(target)
        return found

    def _ways(self, target: int) -> list[Way]:
        """Ways of two narrow gates by stops in different quarters; where there are none, of three."""
        top, value = self.frontier.top, self.frontier.top_value
        resting = np.maximum(self.frontier.second_value, self.landed_value)
        # Where the mover is gone or not on top, everything on top rests.
        everything = np.maximum(value, self.landed_value)
        at, at_target = self.routes.at_stops, self.routes.at_targets[:, target]
        label = int(self.target_label[target])
        if label not in self._exits:
            own = np.append(self.source_label == label, False)
            self._exits[label] = exits(at, value, resting, own[top])
        leaving, first = self._exits[label]
        arriving, last = exits(at, at_target, everything, np.ones(len(at), dtype=bool))

        def way(stops: list[int], between: list[int]) -> Way:
            rows = [int(leaving[stops[0]]), *between, int(arriving[stops[-1]])]
            source = int(top[rows[0]])
            places = np.stack([self.sources[source], *self.routes.stops[stops], self.targets[target]])
            a = self.routes.directions[rows]
            rests = np.array([resting[rows[0]], *everything[rows[1:]]])
            low = np.minimum(np.sum(a * places[:-1], axis=1), np.sum(a * places[1:], axis=1))
            tau = narrowest(low, rests)
            return Way(source, target, places, a, tau, np.minimum(low - tau, tau - rests))

        one = self._apart(np.minimum(first, last))
        if one:
            return [way([g], []) for g in one]
        outer, inner = self._apart(first), self._apart(last)
        ways = []
        for g in outer:
            for h in inner:
                hop = narrowest(np.minimum(at[:, g], at[:, h]), everything)
                row = int(hop.argmax())
                if hop[row] >= 0:
                    ways.append(way([g, h], [row]))
        return ways

    def _apart(self, tau: np.ndarray) -> list[int]:
        """The stops with the narrowest caps, none near another."""
        chosen: list[int] = []
        for g in np.argsort(-tau).tolist():
            if tau[g] < 0 or len(chosen) == STOPS:
                break
            if (self.routes.stops[chosen] @ self.routes.stops[g] < APART_STOPS).all():
                chosen.append(g)
        return chosen

    def _earliest(self, ways: list[Way]) -> list[list[int]]:
        """For every gate of every way the earliest segment it can be in, after all gates so far that it must not share
        one with.
        """
        a, tau = np.concatenate([way.a for way in ways]), np.concatenate([way.tau for way in ways])
        starts = np.concatenate([way.places[:-1] for way in ways])
        ends = np.concatenate([way.places[1:] for way in ways])
        meets = highest(a, self.starts, self.ends) > tau[:, None] - APART
        meets |= (highest(self.a, starts, ends) > self.tau[:, None] - APART).T
        free = np.where(meets, self.segment + 1, 0).max(axis=1, initial=0).tolist()
        found, k = [], 0
        for way in ways:
            segments: list[int] = []
            for _ in way.tau:
                segments.append(max(free[k], segments[-1] + 1 if segments else 0))
                k += 1
            found.append(segments)
        return found

    def _remember(self, carried: Carried) -> None:
        moves = carried.moves
        a, tau = np.stack([move.gate.a for move in moves]), np.array([move.gate.tau for move in moves])
        places = np.stack([moves[0].start, *(move.end for move in moves)])
        way = Way(int(carried.sources[0]), carried.target, places, a, tau, tau)
        self.segment = np.append(self.segment, self._earliest([way])[0])
        self.a, self.tau = np.concatenate([self.a, a]), np.append(self.tau, tau)
        self.starts, self.ends = np.concatenate([self.starts, places[:-1]]), np.concatenate([self.ends, places[1:]])


class Exits(NamedTuple):
    """For every stop the row of the direction with the narrowest cap between it and a place, and that cap's tau, -1 where
    there is none.
    """

    rows: np.ndarray
    tau: np.ndarray


def exits(at_stops: np.ndarray, at_place: np.ndarray, resting: np.ndarray, allowed: np.ndarray) -> Exits:
    """Ways between every stop and a place of height at_place in every allowed direction (k,), above what rests."""
    rows = np.flatnonzero(allowed & (at_place > resting + 2 * LEAST))
    if len(rows) == 0:
        none = np.zeros(at_stops.shape[1])
        return Exits(none.astype(int), none - 1.0)
    tau = narrowest(np.minimum(at_place[rows, None], at_stops[rows]), resting[rows, None])
    best = tau.argmax(axis=0)
    return Exits(rows[best], tau[best, np.arange(tau.shape[1])])


def narrowest(low: np.ndarray, resting: np.ndarray) -> np.ndarray:
    """tau of the narrowest cap that holds what reaches down to `low`, above what rests up to `resting`; -1 where none."""
    gap = low - resting
    return np.where(gap > 2 * LEAST, low - np.minimum(ROOM, gap / 2), -1.0)


def peeled_in_rounds(directions: np.ndarray, targets: np.ndarray, pole: np.ndarray) -> list[int]:
    """The order in which targets are filled: the reverse of peeling them from outside, all around in every round."""
    frontier = Frontier(directions, targets)
    reach = 0.9 * np.sqrt(1 - (directions @ pole) ** 2)
    peeled: list[int] = []
    while len(peeled) < len(targets):
        low, resting = np.minimum(frontier.top_value, reach), np.maximum(frontier.second_value, 0.0)
        gaps = low - resting
        tau = low - np.minimum(ROOM, gaps / 2)
        rows: list[int] = []
        here: list[int] = []
        # Wide gaps first, and among those narrow caps.
        for k in np.argsort(-(np.minimum(gaps, 2 * ROOM) + 0.02 * low)).tolist():
            target = int(frontier.top[k])
            if here and gaps[k] < GAP:
                break
            if target in here or (directions[rows] @ directions[k] > APART_IN_ROUND).any():
                continue
            if (targets[here] @ directions[k] > tau[k]).any() or (directions[rows] @ targets[target] > tau[rows]).any():
                continue
            rows.append(k)
            here.append(target)
        peeled += here
        frontier.remove(np.array(here))
    return peeled[::-1]


def _gone(way: Way) -> Carried:
    parts = zip(way.a, way.tau, way.places[:-1], way.places[1:], way.margin, strict=True)
    moves = tuple(landing(a, float(tau), start, end, float(margin)) for a, tau, start, end, margin in parts)
    return Carried(np.array([way.source]), way.target, moves)
