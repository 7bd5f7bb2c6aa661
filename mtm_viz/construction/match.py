"""Match: atoms to atoms by the perceptron alone, one atom at a time, all others at rest (Prop 4.1, 4.2).

Sources lie about the pole, targets about its antipode. Targets are filled deepest first; to each the most easily
separated remaining source of its measure is sent (any pairing within a measure is a transport map; this one is
neither the optimal-transport map nor the paper's). One separating gate where there is one, else two or three
with stops in the free belt, else a path through the facets of the resting atoms' hull.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from mtm_viz.construction.disentangle import Demand
from mtm_viz.construction.facets import facet_path
from mtm_viz.construction.frontier import Frontier, filling_order
from mtm_viz.construction.gates import Move, landing, widest_cap
from mtm_viz.construction.journey import Carried, Side
from mtm_viz.construction.routes import Routes
from mtm_viz.construction.slices import Slicing, slicing
from mtm_viz.errors import Refusal
from mtm_viz.sphere import normalise

#: A chain of gates with at least this margin is good enough: shorter chains are preferred to wider ones.
COMFORTABLE = 0.01
#: Below this margin a longer chain or another target is tried first.
TIGHT = 5e-4
#: The margin asked of gates that carry slices where other samples must go along.
ROOM = 0.06
#: How a gate's margin is dealt out then: to what it carries, already a point, and to what has landed, beside 1 to what
#: still rests at the start, of which other samples have atoms elsewhere.
CARRIED, LANDED = 0.25, 0.1
#: What an independent integrator cannot tell from a boundary.
CLEAR = 1e-10
#: How many targets of each measure may be taken out of turn.
PER_MEASURE = 2


class Matcher:
    """The state of the matching: what remains on the pole's side, what has landed, in which order targets are filled."""

    def __init__(self, sources: Side, targets: Side, pole: np.ndarray, seed: int, demand: Demand) -> None:
        self.sources, self.targets = np.concatenate(sources.points), np.concatenate(targets.points)
        self.source_label, self.target_label = np.concatenate(sources.kinds), np.concatenate(targets.kinds)
        self.counts = np.concatenate(targets.counts)
        self.sliced = set(self.target_label[self.counts > 1].tolist())
        self.slicings: dict[int, Slicing] = {}
        self.upwards: dict[int, np.ndarray] = {}
        self.highest: dict[tuple[int, int], np.ndarray] = {}
        self.wobbles = {int(kinds[0]): wobble for kinds, wobble in zip(sources.kinds, sources.wobbles, strict=True)}
        # Where atoms of other samples may be: every gate treats these places as if an atom rested there too.
        wobble = np.concatenate([np.tile(w, (len(x), 1)) for x, w in zip(sources.points, sources.wobbles, strict=True)])
        self.strays = (
            np.stack([normalise(self.sources + wobble), normalise(self.sources - wobble)]) if demand.general else None
        )
        self.taken: dict[int, int] = {}
        self.long_chains = demand.long_chains
        # Other samples have atoms beyond these: gates that carry a slice keep well clear of what rests.
        self.room = ROOM if demand.general else TIGHT
        self.routes = Routes(pole, self.targets, seed)
        directions = self.routes.directions
        self.queue = filling_order(directions, self.targets, pole, self.target_label if demand.general else None)
        self.frontier = Frontier(directions, self.sources)
        self.remaining = np.ones(len(self.sources), dtype=bool)
        self.landed = np.zeros(len(self.targets), dtype=bool)
        # tau >= 0 is asked of every gate, as if an atom rested at height 0.
        self.landed_value = np.zeros(len(directions))

    def run(self, tick: Callable[[int, int], None] | None = None) -> Iterator[Carried]:
        """Carry every atom, in order. Raises Refusal where two atoms coincide."""
        total = len(self.queue)
        while self.queue:
            if tick is not None:
                tick(total - len(self.queue), total)
            carried = self._next()
            self.remaining[carried.sources] = False
            self.landed[carried.target] = True
            self.queue.remove(carried.target)
            self.frontier.remove(carried.sources)
            label = int(self.target_label[carried.target])
            self.long_chains -= len(carried.moves) > 3
            self.taken[label] = self.taken.get(label, 0) + len(carried.sources)
            np.maximum(self.landed_value, self.routes.at_targets[:, carried.target], out=self.landed_value)
            yield carried

    def _next(self) -> Carried:
        """The first target in turn that is easily filled; else the most easily filled of those next in turn."""
        best: Carried | None = None
        for target in self._in_turn():
            if self._would_enclose(target):
                continue
            carried = self._carry(target)
            if carried is not None and (best is None or carried.margin > 2 * best.margin):
                best = carried
            if best is not None and best.margin > TIGHT and len(best.moves) <= 2:
                return best
        return best if best is not None else self._by_facets(self.queue[0])

    def _in_turn(self) -> list[int]:
        """The next target overall, then the next ones of each measure, in filling order."""
        seen: dict[int, int] = {}
        turn = []
        for target in self.queue:
            label = int(self.target_label[target])
            if seen.setdefault(label, 0) < PER_MEASURE:
                seen[label] += 1
                turn.append(target)
        return turn

    def _would_enclose(self, target: int) -> bool:
        """Whether filling `target` out of turn would leave a target that comes before it without a cap of its own."""
        before = self.queue[: self.queue.index(target)]
        if not before:
            return False
        landed = np.maximum(self.landed_value, self.routes.at_targets[:, target])
        return bool(((self.routes.at_targets[:, before] - landed[:, None]).max(axis=0) <= TIGHT).any())

    def _carry(self, target: int) -> Carried | None:
        """The best chain of one to three gates that fills `target`."""
        if int(self.target_label[target]) in self.sliced:
            return self._carry_slice(target)
        top, value = self.frontier.top, self.frontier.top_value
        resting = np.maximum(self.frontier.second_value, self.landed_value)
        own = np.append(self.source_label == self.target_label[target], False)
        rows = np.flatnonzero((value > resting) & own[top])
        if len(rows) == 0:
            return None
        at_target = self.routes.at_targets[:, target]
        single = np.minimum(value[rows], at_target[rows]) - resting[rows]
        best = None
        if single.max() > 0:
            best = self._realised(int(top[rows[single.argmax()]]), target, [])
        if best is not None and best.margin > COMFORTABLE:
            return best
        # In all other caps the mover itself has left the sources, or is not on top: everything on top rests.
        everything = np.maximum(value, self.landed_value)
        arriving = np.flatnonzero(at_target > everything)
        if len(arriving) == 0:
            return best
        first = np.minimum(value[rows, None], self.routes.at_stops[rows]) - resting[rows, None]
        last = (np.minimum(at_target[arriving, None], self.routes.at_stops[arriving]) - everything[arriving, None]).max(
            axis=0
        )
        both = np.minimum(first, last)
        row, stop = np.unravel_index(int(both.argmax()), both.shape)
        if both[row, stop] > 0:
            best = _better(best, self._realised(int(top[rows[row]]), target, [int(stop)]))
        if best is not None and best.margin > TIGHT:
            return best
        source, between = self.routes.two_stops(rows, first, last, everything)
        return best if between is None else _better(best, self._realised(int(top[source]), target, between))

    def _realised(self, source: int, target: int, stops: list[int]) -> Carried | None:
        """The chain with each cap made as wide as it can be; None where one has no margin after all."""
        atoms = np.array([source])
        moves = self._moves(
            [self.sources[source], *self.routes.stops[stops], self.targets[target]], self._resting(atoms)
        )
        return None if moves is None else Carried(atoms, target, moves)

    @staticmethod
    def _moves(
        places: list[np.ndarray], resting: np.ndarray, shares: np.ndarray | None = None
    ) -> tuple[Move, ...] | None:
        moves = []
        for start, end in pairwise(places):
            if np.array_equal(start, end):
                continue  # an exit that is itself a stop
            cap = widest_cap(np.stack([start, end]), resting, shares)
            if cap is None:
                return None
            moves.append(landing(cap[0], cap[1], start, end, cap[2]))
        return tuple(moves)

    def _resting(self, atoms: np.ndarray) -> np.ndarray:
        others = self.remaining.copy()
        others[atoms] = False
        strays = () if self.strays is None else self.strays[:, others]
        return np.concatenate([self.sources[others], *strays, self.targets[self.landed]])

    def _carry_slice(self, target: int, far: bool = False) -> Carried | None:
        """Collapse the next slice of the target's measure into its exit and carry it from there; far: by any number of caps."""
        label = int(self.target_label[target])
        cut = self._slicing(label)
        if cut is None:
            return None
        own = np.flatnonzero(self.source_label == label)
        others = np.flatnonzero(self.source_label != label)
        alone = not self.remaining[others].any()
        gate, clear, chosen = cut.peel(
            self.taken.get(label, 0), int(self.counts[target]), self.sources[own], self._resting(own), alone
        )
        if clear < CLEAR:
            return None  # out of turn, the cut may fall between atoms that tie
        atoms = own[chosen]
        resting = self._resting(atoms)
        staying = len(resting) - int(self.landed.sum())
        shares = np.r_[CARRIED, CARRIED, np.ones(staying), np.full(len(resting) - staying, LANDED)]
        reach = self._reach(label, len(atoms))
        best: Carried | None = None
        for part in (1.0, 0.5, 0.2, 0.0):
            everything = np.maximum(reach + part * self.room, self.landed_value)
            for stops in self.routes.ways(cut.exit, target, everything):
                moves = self._moves([cut.exit, *self.routes.stops[stops], self.targets[target]], resting, shares)
                if moves is not None:
                    best = _better(best, Carried(atoms, target, moves, gate, clear))
                if best is not None and best.margin > self.room:
                    return best
            # Narrower ways come next: they are worth a look only where this one came out narrower than it promised.
            if best is not None and best.margin > part * self.room:
                return best
        if best is None and far and (path := facet_path(cut.exit, self.targets[target], resting)):
            best = Carried(atoms, target, tuple(path), gate, clear)
        return best

    def _reach(self, label: int, leaving: int) -> np.ndarray:
        """How high what has not left yet reaches in every direction, without the measure's next slice; gates keep as far
        above it as they can. Atoms of a sliced measure leave in its order, so this is looked up, not computed anew.
        """
        reach = np.full(len(self.routes.directions), -1.0)
        for other in np.unique(self.source_label):
            gone = self.taken.get(other, 0) + (leaving if other == label else 0)
            sliced = other in self.slicings
            np.maximum(reach, self._upwards(other)[:, gone] if sliced else self._height_of_all(other), out=reach)
        return reach

    def _height_of_all(self, label: int) -> np.ndarray:
        """How high what remains of a measure that has not been sliced reaches in every direction."""
        gone = self.taken.get(label, 0)
        if (label, gone) not in self.highest:
            atoms = np.flatnonzero((self.source_label == label) & self.remaining)
            self.highest[label, gone] = self._heights(atoms).max(axis=1, initial=-1.0)
        return self.highest[label, gone]

    def _upwards(self, label: int) -> np.ndarray:
        """Column k: how high the measure's atoms from the k-th to leave on reach, in every direction."""
        if label not in self.upwards:
            atoms = np.flatnonzero(self.source_label == label)[self.slicings[label].order]
            upwards = np.maximum.accumulate(self._heights(atoms)[:, ::-1], axis=1)[:, ::-1]
            self.upwards[label] = np.c_[upwards, np.full(len(upwards), -1.0)]
        return self.upwards[label]

    def _heights(self, atoms: np.ndarray) -> np.ndarray:
        """The height of each atom in every direction, or that of the place it may stray to if that is higher."""
        places = [self.sources[atoms]] if self.strays is None else [self.sources[atoms], *self.strays[:, atoms]]
        return np.max([self.routes.directions @ x.T for x in places], axis=0)

    def _slicing(self, label: int) -> Slicing | None:
        """The measure's nested caps, chosen when its first slice is taken."""
        if label not in self.slicings:
            own = self.source_label == label
            rest = self.remaining & ~own
            strays = () if self.strays is None else self.strays[:, rest]
            others = np.concatenate([self.sources[rest], *strays, self.targets])
            sizes = [int(self.counts[target]) for target in self.queue if self.target_label[target] == label]
            found = slicing(self.sources[own], others, self.routes.stops, sizes, self.wobbles[label])
            if found is None:
                return None
            self.slicings[label] = found
        return self.slicings[label]

    def _by_facets(self, target: int) -> Carried:
        """The way that always exists, for the source of the target's measure that it serves best."""
        if int(self.target_label[target]) in self.sliced:
            if self.long_chains <= 0:
                raise Refusal(
                    "more slices than allowed would need a long chain of caps: use fewer cells, or fewer measures"
                )
            carried = self._carry_slice(target, far=True)
            if carried is not None:
                return carried
            raise Refusal(
                "no direction peels a measure in slices of equal mass while the others rest: "
                "use as many input atoms as target atoms, or fewer measures"
            )
        candidates = np.flatnonzero(self.remaining & (self.source_label == self.target_label[target]))
        best = None
        for source in candidates[np.argsort(-(self.sources[candidates] @ self.targets[target]))][:3]:
            moves = facet_path(self.sources[source], self.targets[target], self._resting(np.array([source])))
            if moves:
                best = _better(best, Carried(np.array([source]), target, tuple(moves)))
        if best is None:
            everything = np.concatenate([self.sources, self.targets])
            gaps = np.sort(np.linalg.norm(everything - self.targets[target], axis=1))
            raise Refusal(
                f"no empty cap leads to atom {target + 1} of the targets: another atom lies {gaps[1]:.1e} from it once they "
                "are disentangled, too near for a gate between them; move such atoms apart, or merge them"
            )
        return best


def _better(one: Carried | None, other: Carried | None) -> Carried | None:
    """The wider chain; a longer one must be twice as wide."""
    if one is None or other is None:
        return other if one is None else one
    return other if other.margin > 2 * one.margin else one
