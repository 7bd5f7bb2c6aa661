"""The two sides of a match, and one journey between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mtm_viz.construction.gates import Move
from mtm_viz.dynamics.exact import Gate


@dataclass(frozen=True, eq=False)
class Carried:
    """One journey: the atoms `sources` go to the place `target` (indices into the unions).

    peel: where several atoms travel as one, the gate that first collapses them to a point; peel_margin: how far from
    its boundary every atom is, within and without.
    """

    sources: np.ndarray
    target: int
    moves: tuple[Move, ...]
    peel: Gate | None = None
    peel_margin: float = np.inf

    @property
    def gates(self) -> tuple[Gate, ...]:
        """All gates in order."""
        return (*(() if self.peel is None else (self.peel,)), *(move.gate for move in self.moves))

    @property
    def margin(self) -> float:
        return min(move.margin for move in self.moves)

    @property
    def clearance(self) -> float:
        """How far every resting atom stays from every gate of the journey."""
        return min(self.margin, self.peel_margin)

    @property
    def stretch(self) -> float:
        """By how much the atom's error along its path grows over all its gates."""
        return float(np.prod([move.stretch for move in self.moves]))


class Side(NamedTuple):
    """The places of one side of the match, measure by measure.

    kinds: atoms go to places of the same kind (a measure and a weight); counts: how many atoms a place takes;
    wobbles: how far, and where, other samples of each measure stray; zero where only these atoms count.
    """

    points: list[np.ndarray]
    kinds: list[np.ndarray]
    counts: list[np.ndarray]
    wobbles: list[np.ndarray]
