"""The strategy `separation`: (Phi_targets)^{-1} o match o Phi_inputs, one theta for all measures (Theorem 1.2).

Each side is gathered, rotated, unbalanced where needed and disentangled by attention; atoms are matched by
separating gates; the targets' side is then run backwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mtm_viz.construction.cluster import cluster
from mtm_viz.construction.disentangle import EXACT, GENERAL, Demand, as_stage
from mtm_viz.construction.gather import gather
from mtm_viz.construction.journey import Carried, Side
from mtm_viz.construction.match import Matcher
from mtm_viz.construction.reverse import reverse
from mtm_viz.construction.rotate import align, rotate
from mtm_viz.construction.stage import Cloud, Clouds, Stage
from mtm_viz.construction.unbalance import unbalance
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


#: Input atoms times places above which only the first way that works is rehearsed.
MOST_REHEARSED = 200_000


@dataclass(frozen=True, eq=False)
class Construction:
    """A solved problem: stages in the order in which they run, and the journeys of the match."""

    stages: tuple[Stage, ...]
    journeys: tuple[Carried, ...]
    schedule: Schedule
    atoms: int

    @property
    def gates(self) -> int:
        return sum(len(carried.gates) for carried in self.journeys)


Judge = Callable[[Construction], float]


def construct(
    inputs: Clouds,
    goals: tuple[Goal, ...],
    *,
    judge: Judge | None = None,
    seed: int = 0,
    width: int | None = None,
    progress: Progress,
) -> Construction:
    """One schedule that sends input i to the places of goal i for every i.

    Inputs are pairwise different measures of distinct atoms in dimension d >= 3; goals are pairwise different
    unless marked alike. With a judge room is made for other samples of the inputs: of several ways to do so the first
    is taken that the judge finds good enough, with a value of at most 1, else the best. Raises Refusal where the
    strategy finds no way.
    """
    if judge is None:
        return _built(inputs, goals, EXACT, seed, width, progress)
    best, least, refused = None, np.inf, None
    work = sum(len(cloud.points) for cloud in inputs) * sum(len(goal.places) for goal in goals)
    for k, demand in enumerate(GENERAL):
        if best is not None and (np.isinf(demand.long_chains) or k * work > MOST_REHEARSED):
            break
        try:
            solved = _built(inputs, goals, demand, seed, width, progress)
        except Refusal as error:
            refused = refused or error
            continue
        progress("rehearsing with other samples", 1.0)
        value = judge(solved)
        if value < least:
            best, least = solved, value
        if least <= 1.0:
            break
    if best is None:
        assert refused is not None
        raise refused
    return best


def _built(
    inputs: Clouds, goals: tuple[Goal, ...], demand: Demand, seed: int, width: int | None, progress: Progress
) -> Construction:
    d = inputs[0].points.shape[1]
    general = demand.general
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
    wobbles = _wobbles(outward, inputs, seed) if general else [np.zeros(d)] * len(inputs)
    matcher = Matcher(*_sides(sources, landings, goals, wobbles), pole, seed, demand)
    journeys = tuple(matcher.run(lambda done, total: progress(f"matching atom {done + 1} of {total}", done / total)))
    forms = tuple(gate for carried in journeys for gate in carried.gates)
    margin = min((carried.margin for carried in journeys), default=np.inf)
    match = Stage("match", forms, "every resting atom is at least this far from every open gate", float(margin))
    stages = (*outward, match, *reverse((*inward, turn)))
    segments = [segment for stage in stages for segment in stage.segments(width or d)]
    atoms = sum(len(cloud.points) for cloud in inputs)
    return Construction(stages, journeys, Schedule(tuple(segments)).normalised(), atoms)


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


def _wobbles(stages: list[Stage], clouds: Clouds, seed: int) -> list[np.ndarray]:
    """For every measure the direction in which another sample of it would be carried elsewhere, as long as twice the
    standard deviation: by a bootstrap of the weights through the disentangling. Zero without one.
    """
    rng = np.random.default_rng(seed)
    wobbles = [np.zeros(clouds[0].points.shape[1]) for _ in clouds]
    for stage in stages:
        if stage.phase == "disentangle" and stage.forms:
            for i, (points, weights) in enumerate(clouds):
                image = stage.forms[0].flow(points, weights)
                again = rng.multinomial(len(points), weights / weights.sum(), size=BOOTSTRAP) / len(points)
                moved = np.array([(stage.forms[0].flow(points, w) - image).mean(axis=0) for w in again])
                _, size, axes = np.linalg.svd(moved / np.sqrt(BOOTSTRAP))
                wobbles[i] = 2.0 * size[0] * axes[0]
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
        unbalanced, candidate = unbalance(apart, centre, demand, lambda: progress(f"disentangling the {side}", 0.0))
        if candidate is None:
            raise Refusal(
                f"no attention segment within the allowed contraction pulls the {side} apart: "
                "two of them are nearly equal; make them differ more or use fewer measures"
            )
        add(unbalanced)
        clouds = tuple(Cloud(candidate.form.flow(*cloud), cloud.weights) for cloud in clouds)
        stages.append(as_stage(candidate, tuple(clouds[i] for i in different)))
    return stages, clouds, centre
