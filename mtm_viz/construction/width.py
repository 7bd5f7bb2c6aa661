"""Width against depth: which gates of the match may share a segment, and how few segments then do (Section 1.4.4).

Two gates commute if neither finds anything in its cap that the other carries. Every other pair keeps its order: a
directed acyclic graph, and layers of at most p gates that respect it are a network of width p. Its longest path is the
depth that no width can beat.
"""

from __future__ import annotations

import heapq
from typing import cast

import numpy as np
from scipy.linalg import schur

from mtm_viz.construction.journey import Carried
from mtm_viz.construction.stage import Stage
from mtm_viz.dynamics.exact import Boost, ClosedForm, Gate, Gates, Rotation
from mtm_viz.dynamics.exact.gates import highest
from mtm_viz.sphere import angles

#: An atom that another gate carries past, or leaves behind, stays this far below a cap's boundary <a, x> = tau.
APART = 5e-4
#: Gates compared with all others at a time, to save memory.
ROWS = 256
#: How far one triple of boosts turns at most, in radians: a longer way round stretches what it carries more.
ONE_TRIPLE = np.pi / 2 + 1e-9


class Order:
    """The gates of journeys in sequence, and what must come before what.

    regions: whether whole caps have to be disjoint, so that gates commute for every measure and not only for these atoms.
    """

    def __init__(self, journeys: tuple[Carried, ...], sources: np.ndarray, regions: bool) -> None:
        self.journeys = journeys
        self.gates = tuple(gate for carried in journeys for gate in carried.gates)
        over = _over(self.gates, *_paths(journeys, sources))
        meet = (over > -APART) | (over.T > -APART)
        if regions:
            meet |= _caps_meet(self.gates)
        #: How far from a cap's boundary every atom stays that some other gate carries, in whatever layers.
        self.clearance = min(
            float(-over[~meet].max(initial=-np.inf)), *(carried.clearance for carried in journeys), np.inf
        )
        count = len(self.gates)
        self._after = [np.flatnonzero(meet[k, k + 1 :]) + k + 1 for k in range(count)]
        self._waits_for = np.array([int(meet[k, :k].sum()) for k in range(count)], dtype=int)
        # How many gates the longest chain from each on has.
        self._rank = np.ones(count, dtype=int)
        for k in range(count - 1, -1, -1):
            self._rank[k] += self._rank[self._after[k]].max(initial=0)
        self._found: dict[int, list[list[int]]] = {}

    def layers(self, width: int) -> list[list[int]]:
        """Indices of gates, at most `width` a layer, every gate in a later layer than those it must follow.

        Of the gates that may go those with the longest chain behind them go first (list scheduling). Never more layers
        than for a lesser width.
        """
        if width not in self._found:
            found = self._listed(width)
            if len(found) > self._rank.max(initial=0) and width > 1:
                found = min(found, self.layers(width - 1), key=len)
            self._found[width] = found
        return self._found[width]

    def forms(self, width: int) -> tuple[Gate | Gates, ...]:
        """One closed form a layer."""
        layers = [[self.gates[k] for k in layer] for layer in self.layers(width)]
        return tuple(layer[0] if len(layer) == 1 else Gates.together(layer) for layer in layers)

    def _listed(self, width: int) -> list[list[int]]:
        waits_for = self._waits_for.copy()
        ready = [(-int(self._rank[k]), k) for k in np.flatnonzero(waits_for == 0).tolist()]
        heapq.heapify(ready)
        layers = []
        while ready:
            layers.append([heapq.heappop(ready)[1] for _ in range(min(width, len(ready)))])
            for k in layers[-1]:
                after = self._after[k]
                waits_for[after] -= 1
                for j in after[waits_for[after] == 0].tolist():
                    heapq.heappush(ready, (-int(self._rank[j]), j))
        return layers


def narrowed(stage: Stage, width: int) -> Stage:
    """The stage with rotations replaced where the width is less than d: a unit always open drifts, d of them turn."""
    forms: list[ClosedForm] = []
    for form in stage.forms:
        if isinstance(form, Rotation) and width < len(form.generator):
            forms += boosts_for(form)
        else:
            forms.append(form)
    return Stage(stage.phase, tuple(forms), stage.claim, stage.value)


def depth_by_width(stages: tuple[Stage, ...], depths: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """(width, segments of the whole schedule) for every (width, segments of the match)."""
    return tuple(
        (width, depth + sum(len(narrowed(stage, width).forms) for stage in stages if stage.phase != "match"))
        for width, depth in depths
    )


def boosts_for(rotation: Rotation) -> list[Boost]:
    """The same map by boosts, which need one unit each: three for every plane and every ONE_TRIPLE that it turns by."""
    blocks, basis = cast("tuple[np.ndarray, np.ndarray]", schur(rotation.generator * rotation.duration, output="real"))
    boosts = []
    for k in range(len(blocks) - 1):
        turn = float(blocks[k + 1, k])
        if abs(turn) > 1e-12:
            x, e = basis[:, k], basis[:, k + 1]
            pieces = int(np.ceil(abs(turn) / ONE_TRIPLE))
            boosts += _triangle(x, e, turn / pieces) * pieces
    return boosts


def _triangle(x: np.ndarray, e: np.ndarray, turn: float) -> list[Boost]:
    """Three boosts in the plane of (x, e) whose product turns x toward e by `turn`, 0 < |turn| < pi.

    A boost is a translation of hyperbolic space, the sphere its boundary. Three of them round an equilateral triangle
    turn by its angle defect |turn| = pi - 3 alpha; its sides have cosh(side/2) = 1 / (2 sin(alpha/2)).
    """
    alpha = (np.pi - abs(turn)) / 3
    side = 2 * float(np.arccosh(1 / (2 * np.sin(alpha / 2))))
    # The frame that travels along does not turn, so from one side to the next the direction does.
    exterior = (np.pi - alpha) * np.sign(turn)
    return [Boost(np.cos(k * exterior) * x + np.sin(k * exterior) * e, side) for k in range(3)]


def _caps_meet(gates: tuple[Gate, ...]) -> np.ndarray:
    """(g, g): whether the caps have a point in common."""
    a, radii = np.array([gate.a for gate in gates]), np.arccos([gate.tau for gate in gates])
    return angles(a, a) < radii[:, None] + radii


def _over(gates: tuple[Gate, ...], starts: np.ndarray, ends: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """(g, g): the highest <a_k, x> - tau_k on the paths of what gate j carries."""
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    over = np.empty((len(gates), len(gates)))
    for k in range(0, len(gates), ROWS):
        some = gates[k : k + ROWS]
        heights = np.maximum.reduceat(highest(np.array([gate.a for gate in some]), starts, ends), first, axis=1)
        over[k : k + ROWS] = heights - np.array([[gate.tau] for gate in some])
    return over


def _paths(journeys: tuple[Carried, ...], sources: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(starts, ends, owner): the geodesics that gates carry atoms along, and the index of each one's gate, rising."""
    starts, ends, owner = [], [], []
    gate = 0
    for carried in journeys:
        if carried.peel is not None:
            starts += list(sources[carried.sources])
            ends += [carried.peel.omega] * len(carried.sources)
            owner += [gate] * len(carried.sources)
            gate += 1
        for move in carried.moves:
            starts.append(move.start)
            ends.append(move.end)
            owner.append(gate)
            gate += 1
    return np.array(starts), np.array(ends), np.array(owner)
