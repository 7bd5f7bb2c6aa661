"""The strategy `separation`: (Phi_targets)^{-1} o match o Phi_inputs, one theta for all measures (Theorem 1.2).

Each side is gathered, rotated, unbalanced where needed and disentangled by attention; atoms are matched by
separating gates; the targets' side is then run backwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from mtm_viz.construction.cluster import cluster
from mtm_viz.construction.condition import Conditions, conditions
from mtm_viz.construction.disentangle import Demand, as_stage
from mtm_viz.construction.gather import gather
from mtm_viz.construction.journey import Carried, Side
from mtm_viz.construction.one_at_a_time import one_at_a_time
from mtm_viz.construction.reverse import reverse
from mtm_viz.construction.rotate import align, rotate
from mtm_viz.construction.sharing import matching
from mtm_viz.construction.stage import Cloud, Clouds, Stage
from mtm_viz.construction.unbalance import least_gap, unbalance
from mtm_viz.construction.width import depth_by_width, narrowed
from mtm_viz.dynamics.schedule import Schedule
from mtm_viz.errors import Refusal
from mtm_viz.sphere import angle

Progress = Callable[[str, float], None]


#: Spread (rad) to which attention clusters a measure on its way to a Dirac.
CLUSTERED = 1e-9
#: Resamples of each input from which the wobble of its barycentre is estimated.
BOOTSTRAP = 24


class Goal(NamedTuple):
    """Where one input is to land: places (k, d), weights (k,), counts (k,) of atoms; like: an earlier goal that is
    nearly the same measure and is disentangled as one with it, or None.
    """

    places: np.ndarray
    weights: np.ndarray
    counts: np.ndarray
    like: int | None = None


@dataclass(frozen=True, eq=False)
class Construction:
    """A solved problem: stages in the order in which they run, and the journeys of the match.

    road: how the inputs were disentangled, in words; condition: of every stage and of the whole map; depths: (width,
    segments) of schedules for the same problem, with widths doubling from 1.
    """

    stages: tuple[Stage, ...]
    journeys: tuple[Carried, ...]
    schedule: Schedule
    atoms: int
    road: str
    condition: Conditions
    depths: tuple[tuple[int, int], ...]

    @property
    def gates(self) -> int:
        return sum(len(carried.gates) for carried in self.journeys)


def construct(
    inputs: Clouds,
    goals: tuple[Goal, ...],
    *,
    demand: Demand | None = None,
    seed: int = 0,
    width: int | None = None,
    progress: Progress,
) -> Construction:
    """One schedule of width `width` (default: d) that sends input i to the places of goal i for every i.

    Inputs are pairwise different measures of distinct atoms in dimension d >= 3; goals are pairwise different
    unless marked alike. Raises Refusal where no way is found that meets the demand.
    """
    d = inputs[0].points.shape[1]
    p = width or d
    demand = demand or Demand()
    progress("gathering and disentangling the inputs", 0.0)
    outward, sources, pole = _disentangled(inputs, tuple(range(len(inputs))), None, "inputs", demand, progress)
    progress("gathering and disentangling the targets", 0.0)
    targets = tuple(Cloud(goal.places, goal.weights) for goal in goals)
    different = tuple(i for i, goal in enumerate(goals) if goal.like is None)
    inward, landings, _ = _disentangled(targets, different, -pole, "targets", demand, progress)
    turn = align(landings, sources, pole)
    landings = turn.flow(landings)
    if all(len(goal.places) == 1 for goal in goals) and any(len(cloud.points) > 1 for cloud in sources):
        clustered = cluster(sources, CLUSTERED)
        outward.append(clustered)
        sources = clustered.flow(sources)
    wobbles = _wobbles(outward, inputs, seed, demand.strays) if demand.general else [np.zeros(d)] * len(inputs)
    sides = _sides(sources, landings, goals, wobbles)
    matched = matching(*sides, pole, seed, demand, p, progress)
    journeys = _atom_by_atom(matched.journeys, sides[0], sources)
    claim = "every atom is at least this far from every open gate but its own"
    match = Stage("match", matched.forms, claim, matched.clearance)
    wide = (*outward, match, *reverse((*inward, turn)))
    stages = tuple(narrowed(stage, p) for stage in wide)
    segments = [segment for stage in stages for segment in stage.segments(p)]
    atoms = sum(len(cloud.points) for cloud in inputs)
    condition = conditions(stages, journeys, inputs, lambda: progress("measuring the condition", 1.0))
    schedule = Schedule(tuple(segments)).normalised()
    depths = depth_by_width(wide, matched.depths)
    return Construction(stages, journeys, schedule, atoms, road(outward), condition, depths)


def _sides(sources: Clouds, landings: Clouds, goals: tuple[Goal, ...], wobbles: list[np.ndarray]) -> tuple[Side, Side]:
    """Both sides of the match. Atoms are of one kind if they belong to one measure and have one weight."""
    source_kinds, target_kinds, counts = [], [], []
    first = 0
    points = []
    for cloud, goal in zip(sources, goals, strict=True):
        # A clustered measure travels as one atom.
        whole = len(goal.places) == 1 and float(angle(cloud.points, cloud.points[:1]).max()) < 10 * CLUSTERED
        weights = cloud.weights[:1] * len(cloud.weights) if whole else cloud.weights
        points.append(cloud.points[:1] if whole else cloud.points)
        counts.append(np.ones(1, dtype=int) if whole else goal.counts)
        if whole or (goal.counts > 1).any():
            source_kinds.append(np.full(len(points[-1]), first))
            target_kinds.append(np.full(len(goal.places), first))
            first += 1
            continue
        classes = np.unique(np.round(weights, 12), return_inverse=True)
        source_kinds.append(first + classes[1])
        nearest = np.abs(goal.weights[:, None] - classes[0][None, :]).argmin(axis=1)
        target_kinds.append(first + nearest)
        first += len(classes[0])
    return (
        Side(points, source_kinds, [np.ones(len(x), dtype=int) for x in points], wobbles),
        Side([cloud.points for cloud in landings], target_kinds, counts, wobbles),
    )


def _atom_by_atom(journeys: tuple[Carried, ...], side: Side, sources: Clouds) -> tuple[Carried, ...]:
    """The journeys with all atoms of a clustered measure in place of the one it travels as."""
    members, first = [], 0
    for points, cloud in zip(side.points, sources, strict=True):
        indices = np.arange(first, first + len(cloud.points))
        members += [indices] if len(points) < len(indices) else list(indices[:, None])
        first += len(indices)
    return tuple(
        replace(carried, sources=np.concatenate([members[k] for k in carried.sources])) for carried in journeys
    )


def road(stages: list[Stage]) -> str:
    """How these stages disentangle, in words."""
    forms = {stage.phase: len(stage.forms) for stage in stages}
    count = forms.get("disentangle", 0)
    if count == 0:
        return "no attention is needed"
    first = "after an unbalancing segment " if forms.get("unbalance") else ""
    return first + (
        "one attention segment for all" if count == 1 else f"{count} attention segments, one measure at a time"
    )


def _wobbles(stages: list[Stage], clouds: Clouds, seed: int, strays: float) -> list[np.ndarray]:
    """For every measure the direction in which another sample of it would be carried elsewhere, as long as `strays`
    standard deviations: by a bootstrap of the weights through the disentangling. Zero without one.
    """
    rng = np.random.default_rng(seed)
    wobbles = [np.zeros(clouds[0].points.shape[1]) for _ in clouds]
    for stage in stages:
        if stage.phase == "disentangle" and stage.forms:
            for i, (points, weights) in enumerate(clouds):
                ((image, _),) = stage.flow((Cloud(points, weights),))
                again = rng.multinomial(len(points), weights / weights.sum(), size=BOOTSTRAP) / len(points)
                moved = np.array([(stage.flow((Cloud(points, w),))[0].points - image).mean(axis=0) for w in again])
                _, size, axes = np.linalg.svd(moved / np.sqrt(BOOTSTRAP))
                wobbles[i] = strays * size[0] * axes[0]
        clouds = stage.flow(clouds)
    return wobbles


def _disentangled(
    clouds: Clouds, different: tuple[int, ...], pole: np.ndarray | None, side: str, demand: Demand, progress: Progress
) -> tuple[list[Stage], Clouds, np.ndarray]:
    """(stages, clouds after them, pole). Without a pole the gathered cap's centre becomes it.

    Only the clouds listed in `different` are pulled apart; the others are carried along.
    """
    stages = []

    def add(stage: Stage) -> None:
        nonlocal clouds
        stages.append(stage)
        clouds = stage.flow(clouds)

    gathered, centre = gather(clouds)
    add(gathered)
    if pole is not None:
        add(rotate(centre, pole))
        centre = pole
    if len(different) > 1:
        apart = tuple(clouds[i] for i in different)
        tick = partial(progress, f"disentangling the {side}", 0.0)
        unbalanced, candidate = unbalance(apart, centre, demand, tick)
        add(unbalanced)
        forms = (candidate.form,) if candidate is not None else one_at_a_time(apart, centre, demand.margin, tick)
        if forms is None:
            raise Refusal(
                f"attention does not pull the {side} apart within the allowed contraction, neither at once nor one at a "
                f"time: the barycentres of two of them are only {least_gap(apart):.1e} apart; make these differ more, or "
                "use fewer measures"
            )
        for form in forms:
            clouds = tuple(Cloud(form.flow(*cloud), cloud.weights) for cloud in clouds)
        stages.append(as_stage(forms, tuple(clouds[i] for i in different)))
    return stages, clouds, centre
