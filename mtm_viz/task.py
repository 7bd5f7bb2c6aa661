"""What a problem asks of the constructor: different inputs, places to land, and what of it is said beforehand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree

from mtm_viz.errors import InputError, Refusal
from mtm_viz.measures.measure import Measure
from mtm_viz.problem import Problem
from mtm_viz.reach import Landing, landing, offset

STRATEGIES = ("separation", "cells")
#: Measures closer than this, atom by atom, are the same measure to a flow in float64.
SAME_MEASURE = 1e-9
#: The number of cells an input is cut into where nothing is said and the target has more atoms.
MOST_CELLS = 100


@dataclass(frozen=True, eq=False)
class Task:
    """inputs: pairwise different measures of distinct atoms; landings: where each lands; alike: an earlier landing of
    the same target, or None; of_pair: for every pair of the problem the index of its input; merged: for every pair
    what was merged, in words.
    """

    inputs: tuple[Measure, ...]
    landings: tuple[Landing, ...]
    alike: tuple[int | None, ...]
    of_pair: tuple[int, ...]
    merged: tuple[tuple[str, ...], ...]


def prepare(problem: Problem, strategy: str = "separation", cells: int | None = None, seed: int = 0) -> Task:
    """Merge, compare and place. Raises Refusal where no flow can do what is asked, InputError for bad arguments."""
    if strategy not in STRATEGIES:
        raise InputError(f"strategy '{strategy}' is unknown: use {' or '.join(STRATEGIES)}")
    if cells is not None and cells < 1:
        raise InputError(f"{cells} cells: give at least 1")
    if cells is not None and strategy != "cells":
        raise InputError(f"{cells} cells were asked for with strategy {strategy}: choose strategy cells")
    if problem.dimension < 3:
        raise Refusal(
            "on the circle (dimension 2) particles cannot pass each other, so measures cannot be matched: "
            "use dimension 3 or more"
        )
    inputs = [measure.merged() for measure in problem.inputs]
    targets = [measure.merged() for measure in problem.targets]
    of_pair, kept = _different_inputs(problem, inputs, targets)
    landings: list[Landing] = []
    alike: list[int | None] = []
    for position, k in enumerate(kept):
        if strategy == "cells" and not inputs[k].has_equal_weights:
            raise Refusal(
                f'pair {k + 1} ("{problem.pairs[k].name}") has unequal weights, and cells are slices of equal mass: '
                "resample the input to equal weights, or use strategy separation"
            )
        share = None if strategy == "separation" else cells or min(len(targets[k]), MOST_CELLS)
        placed = landing(inputs[k], targets[k], cells=share, seed=seed)
        twin = next((j for j in range(position) if alike[j] is None and _same(targets[kept[j]], targets[k])), None)
        if twin is not None:
            turns = 1 + sum(other == twin for other in alike)
            placed = offset(placed, targets[k], turns)
        landings.append(placed)
        alike.append(twin)
    merged = tuple(
        (*_said(x, y, "input"), *_said(u, v, "target"))
        for x, y, u, v in zip(problem.inputs, inputs, problem.targets, targets, strict=True)
    )
    return Task(tuple(inputs[k] for k in kept), tuple(landings), tuple(alike), of_pair, merged)


def _different_inputs(
    problem: Problem, inputs: list[Measure], targets: list[Measure]
) -> tuple[tuple[int, ...], list[int]]:
    """(index into the kept pairs for every pair, the kept pairs): a pair said twice is solved once."""
    kept: list[int] = []
    of_pair: list[int] = []
    for k, pair in enumerate(problem.pairs):
        twin = next((j for j in kept if _same(inputs[j], inputs[k])), None)
        if twin is None:
            kept.append(k)
        elif not _same(targets[twin], targets[k]):
            raise Refusal(
                f'pairs {twin + 1} and {k + 1} ("{problem.pairs[twin].name}", "{pair.name}") start from the same input but '
                "have different targets, and one flow sends one input to one place: change one of the inputs"
            )
        of_pair.append(kept.index(k if twin is None else twin))
    return tuple(of_pair), kept


def _said(given: Measure, merged: Measure, side: str) -> tuple[str, ...]:
    lost = len(given) - len(merged)
    if lost == 0:
        return ()
    return (f"{lost} of {len(given)} {side} atoms lie on others or weigh nothing and were merged: no flow parts them",)


def _same(x: Measure, y: Measure) -> bool:
    """Whether two merged measures agree atom by atom, in any order."""
    if len(x) != len(y):
        return False
    distance, partner = KDTree(y.points).query(x.points)
    partner = np.asarray(partner)
    return bool(
        (np.asarray(distance) <= SAME_MEASURE).all()
        and np.unique(partner).size == len(x)
        and np.allclose(x.weights, y.weights[partner], rtol=0, atol=1e-12)
    )
