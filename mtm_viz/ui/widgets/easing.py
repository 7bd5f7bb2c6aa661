"""Ways to an easier problem where one cannot be solved, or not to the digits promised: one click each, each undoable."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import streamlit as st
from scipy.spatial import KDTree

from mtm_viz.measures.measure import Measure
from mtm_viz.problem import Problem
from mtm_viz.ui import cached, state, steps
from mtm_viz.ui.choice import CELLS, SEPARATION, Choice
from mtm_viz.ui.draft import SIDES, Draft
from mtm_viz.ui.drawing import said_of
from mtm_viz.ui.intake import COMFORTABLE
from mtm_viz.ui.words import degrees, number

#: Enough to look like the measure, few enough to be solved while one waits.
FEWER = 200
#: Fewer atoms than this are no measure any more.
LEAST = 8
#: Atoms nearer than this (rad) are too near for a gate between them once they are carried about.
NEAR = 1e-3
SEED = 0

Measures = tuple[Measure, ...]


@dataclass(frozen=True)
class Ease:
    """One button: what it does, why that helps, what it costs in W2, and the problem and the choice it leads to."""

    key: str
    label: str
    icon: str
    reason: str
    cost: str
    draft: Draft
    choice: Choice


def lighten(problem: Problem) -> None:
    """Offered beside Solve where a measure has more atoms than a person waits for; nothing otherwise."""
    if max(len(m) for m in (*problem.inputs, *problem.targets)) > COMFORTABLE:
        offer([_fewer(problem, COMFORTABLE, FEWER)])


def part(problem: Problem, reachable: tuple[float, ...], exact: float) -> None:
    """Offered beside Solve where atoms that coincide, and would travel as one, keep a pair from its target."""
    if any(
        r > exact and len(m.merged()) < np.count_nonzero(m.weights)
        for m, r in zip(problem.inputs, reachable, strict=True)
    ):
        offer([_nudge(problem)])


def offer(eases: list[Ease]) -> None:
    """A button each, with what it costs beneath."""
    for ease in eases:
        st.button(
            ease.label,
            icon=f":material/{ease.icon}:",
            width="stretch",
            key=f"ease-{ease.key}",
            help=ease.reason,
            on_click=steps.take,
            args=(ease.label, ease.draft, ease.choice),
        )
        if ease.cost:
            st.caption(ease.cost)


def eases(problem: Problem) -> list[Ease]:
    """What may help where nothing is known to: atoms too near moved apart, slices in place of atoms, fewer atoms."""
    choice, found = state.choice(), []
    if any(_crowded(m) for m in (*problem.inputs, *problem.targets)):
        found.append(_nudge(problem))
    even = all(m.merged().has_equal_weights for m in problem.inputs)
    if choice.strategy == SEPARATION and even:
        reason = "Slices of equal mass are carried whole: far fewer journeys than atoms, and coarser."
        found.append(Ease("cells", "Carry cells, not atoms", "stacks", reason, "", state.draft(), Choice(CELLS)))
    if choice.strategy == CELLS:
        found.append(_atoms())
        if not even:
            found.append(_equal_weights(problem))
    largest = max(len(m) for m in (*problem.inputs, *problem.targets))
    if largest >= 2 * LEAST:
        most = FEWER if largest > COMFORTABLE else largest // 2
        found.append(_fewer(problem, most, most))
    return found


def replaced(draft: Draft, problem: Problem, change: Callable[[Measure], Measure | None]) -> Draft:
    """The draft with every measure m replaced by change(m), as points, where that is not None."""
    for k, pair in enumerate(draft.pairs):
        for side in SIDES:
            changed = change(getattr(problem, f"{side}s")[k])
            if changed is not None:
                draft = draft.edited(pair.uid, **{side: said_of(changed)})
    return draft


def fewer(measure: Measure, most: int, n: int) -> Measure | None:
    """n atoms for a measure of more than `most`: even ones where weights are equal, so that whole atoms still fit; else k-means."""
    if len(measure) <= most:
        return None
    return cached.resampled(measure, "even" if measure.has_equal_weights else "k-means", n, SEED)


def parted(measure: Measure) -> Measure | None:
    """The measure with atoms nearer than NEAR nudged apart; None where there are none."""
    return cached.nudged(measure, NEAR, SEED) if _crowded(measure) else None


def _fewer(problem: Problem, most: int, n: int) -> Ease:
    reason = (
        f"A measure here has more than {COMFORTABLE} atoms, which takes minutes to solve."
        if most >= COMFORTABLE
        else "Fewer atoms leave wider gaps for the gates between them."
    )
    return _ease("fewer", f"Take {n} atoms a measure", "grain", reason, problem, lambda m: fewer(m, most, n))


def _nudge(problem: Problem) -> Ease:
    reason = f"Atoms less than {number(NEAR)} rad from another or on it step just as far away; all others stay."
    return _ease("nudge", "Nudge atoms that are too near", "arrow_split", reason, problem, parted)


def _atoms() -> Ease:
    reason = "Any weights will do; the schedule is for these very atoms."
    return Ease("separation", "Carry atoms one by one", "scatter_plot", reason, "", state.draft(), Choice(SEPARATION))


def _equal_weights(problem: Problem) -> Ease:
    inputs = {id(m) for m in problem.inputs}

    def even(measure: Measure) -> Measure | None:
        if id(measure) not in inputs or measure.merged().has_equal_weights:
            return None
        return cached.resampled(measure, "even", max(len(measure), LEAST), SEED)

    reason = "As many atoms of one weight each: cells are slices of equal mass."
    return _ease("equal", "Give the inputs equal weights", "balance", reason, problem, even)


def _ease(
    key: str, label: str, icon: str, reason: str, problem: Problem, change: Callable[[Measure], Measure | None]
) -> Ease:
    apart = [cached.distance(m, after) for m, after in _changed(problem, change)]
    worst, exact = max(a for a, _ in apart), all(e for _, e in apart)
    cost = f"W₂ from the measures as they are: {'' if exact else 'about '}{degrees(worst)}° or less"
    return Ease(key, label, icon, reason, cost, replaced(state.draft(), problem, change), state.choice())


def _changed(problem: Problem, change: Callable[[Measure], Measure | None]) -> Iterator[tuple[Measure, Measure]]:
    for measure in (*problem.inputs, *problem.targets):
        after = change(measure)
        if after is not None:
            yield measure, after


def _crowded(measure: Measure) -> bool:
    """Whether two of its atoms are nearer than NEAR."""
    points = measure.points
    if len(points) < 2:
        return False
    gaps = np.asarray(KDTree(points).query(points, k=2)[0])[:, 1]
    return bool(gaps.min() < 2 * np.sin(NEAR / 2))
