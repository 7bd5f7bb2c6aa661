"""For each refusal, one change that makes the problem solvable: found by looking at the problem, applied with one click."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mtm_viz.measures.generators import generator
from mtm_viz.measures.measure import Measure
from mtm_viz.problem import Problem
from mtm_viz.ui.draft import SIDES, Draft, Side

Measures = tuple[Measure, ...]

#: How far a point is nudged to make two equal inputs differ.
NUDGE_DEG = 1.0


@dataclass(frozen=True)
class Remedy:
    """What the button says, why it helps, and the changed draft."""

    label: str
    reason: str
    apply: Callable[[], Draft]


def remedy(draft: Draft, problem: Problem) -> Remedy | None:
    """The first change that lifts a reason for refusal, or None where this file knows none."""
    if problem.dimension == 2:
        return Remedy(
            "Move the circle into the sphere",
            "On the circle particles cannot pass each other. As the equator of a sphere they can.",
            lambda: _each(draft, 3, lambda m: Measure(np.c_[m.points, np.zeros(len(m))], m.weights), problem),
        )
    twins = _equal(problem.inputs, problem.targets)
    if twins is not None:
        return _tell_apart(
            draft, problem, twins, "input", "start as the same measure, and one flow sends it to one place."
        )
    return None


def _equal(these: Measures, others: Measures) -> tuple[int, int] | None:
    """Two pairs that are the same on this side and differ on the other."""
    n = len(these)
    for i in range(n):
        for j in range(i + 1, n):
            if _same(these[i], these[j]) and not _same(others[i], others[j]):
                return i, j
    return None


def _same(a: Measure, b: Measure) -> bool:
    if len(a) != len(b):
        return False
    rows = [np.c_[m.points, m.weights][np.lexsort(m.points.T)] for m in (a, b)]
    return bool(np.abs(rows[0] - rows[1]).max() <= 1e-9)


def _tell_apart(draft: Draft, problem: Problem, twins: tuple[int, int], side: Side, why: str) -> Remedy:
    """Give the second of two equal measures another sample, or nudge its points where there is none to draw."""
    i, j = twins
    pair = draft.pairs[j]
    said: dict[str, Any] = getattr(pair, side)
    reason = f'"{draft.pairs[i].name}" and "{pair.name}" {why}'
    if "generator" in said and generator(said["generator"], said.get("params", {})).is_random:
        changed = said | {"seed": said.get("seed", 0) + 1}
        label = f'Draw another {side} for "{pair.name}"'
        return Remedy(label, reason, lambda: draft.edited(pair.uid, **{side: changed}))

    def nudged() -> Draft:
        measure = getattr(problem, f"{side}s")[j]
        moved = measure.points + np.deg2rad(NUDGE_DEG) * np.random.default_rng(0).standard_normal(measure.points.shape)
        moved /= np.linalg.norm(moved, axis=1, keepdims=True)
        return draft.edited(pair.uid, **{side: Measure(moved, measure.weights).to_json()})

    return Remedy(f'Nudge the {side} of "{pair.name}" by a degree', reason, nudged)


def _each(draft: Draft, dimension: int, change: Callable[[Measure], Measure], problem: Problem) -> Draft:
    """Every measure of the draft replaced by `change` of it, as points."""
    changed = Draft(dimension, draft.pairs)
    for k, pair in enumerate(draft.pairs):
        sides = {side: change(getattr(problem, f"{side}s")[k]).to_json() for side in SIDES}
        changed = changed.edited(pair.uid, **sides)
    return changed
