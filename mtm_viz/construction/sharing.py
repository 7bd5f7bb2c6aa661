"""The match for a given width: two ways to plan it, and of these the one that is shallower once gates share segments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mtm_viz.construction.disentangle import Demand
from mtm_viz.construction.journey import Carried, Side
from mtm_viz.construction.match import Matcher
from mtm_viz.construction.spread import Spreading
from mtm_viz.construction.width import Order
from mtm_viz.dynamics.exact import Gate, Gates

#: Targets above which the way for wide networks is not planned: it takes longer than the rest of the construction.
MOST_SPREAD = 500
#: By how much an atom's error may grow on its journey there, unless it does so in the other way, too.
MOST_STRETCH = 1e4
#: Gates an atom, on average, above which the way for wide networks is not taken: for the usual width d, and beyond it.
MOST_GATES, MOST_GATES_WIDE = 2.0, 2.5
#: The widest network whose depth is told.
WIDEST = 64


@dataclass(frozen=True, eq=False)
class Matching:
    """journeys; forms: one closed form a segment; clearance: how far every atom stays from every gate that does not carry
    it; depths: (width, least segments for it) with widths doubling from 1.
    """

    journeys: tuple[Carried, ...]
    forms: tuple[Gate | Gates, ...]
    clearance: float
    depths: tuple[tuple[int, int], ...]


def matching(
    sources: Side,
    targets: Side,
    pole: np.ndarray,
    seed: int,
    demand: Demand,
    width: int,
    progress: Callable[[str, float], None],
) -> Matching:
    """The journeys of all atoms, in segments of at most `width` gates. Raises Refusal where two atoms coincide."""
    matcher = Matcher(sources, targets, pole, seed, demand)
    spreads = not (demand.general or matcher.sliced) and len(matcher.targets) <= MOST_SPREAD

    def ordered(matcher: Matcher, doing: str, since: float, share: float) -> Order:
        def tick(done: int, total: int) -> None:
            progress(f"{doing} atom {done + 1} of {total}", since + share * done / total)

        return Order(tuple(matcher.run(tick)), matcher.sources, regions=demand.general)

    orders = [ordered(matcher, "matching", 0.0, 0.3 if spreads else 1.0)]
    if spreads:
        spread = ordered(Spreading(sources, targets, pole, seed, demand), "spreading out", 0.3, 0.7)
        if _stretch(spread) < max(_stretch(orders[0]), MOST_STRETCH):
            orders.append(spread)

    def best(width: int) -> Order:
        """The shallowest for this width."""
        most = MOST_GATES if width <= len(pole) else MOST_GATES_WIDE
        few = [order for order in orders[1:] if len(order.gates) <= most * len(order.journeys)]
        return min([orders[0], *few], key=lambda order: len(order.layers(width)))

    chosen = best(width)
    depths = _depths(lambda width: len(best(width).layers(width)))
    return Matching(chosen.journeys, chosen.forms(width), chosen.clearance, depths)


def _stretch(order: Order) -> float:
    return max(carried.stretch for carried in order.journeys)


def _depths(depth: Callable[[int], int]) -> tuple[tuple[int, int], ...]:
    """(width, depth) for widths 1, 2, 4, ... up to where no more depth is saved."""
    found: list[tuple[int, int]] = []
    width = 1
    while width <= WIDEST and (len(found) < 2 or found[-1][1] < found[-2][1]):
        found.append((width, depth(width)))
        width *= 2
    return tuple(found)
