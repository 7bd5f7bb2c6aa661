"""The strategy `separation`: (Phi_targets)^{-1} o match o Phi_inputs, one theta for all measures (Theorem 1.2).

Each side is gathered, rotated, unbalanced where needed and disentangled by attention; atoms are matched by
separating gates; the targets' side is then run backwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mtm_viz.construction.disentangle import as_stage
from mtm_viz.construction.gather import gather
from mtm_viz.construction.match import Carried, Matcher
from mtm_viz.construction.reverse import reverse
from mtm_viz.construction.rotate import align, rotate
from mtm_viz.construction.stage import Cloud, Clouds, Stage
from mtm_viz.construction.unbalance import unbalance
from mtm_viz.dynamics.schedule import Schedule
from mtm_viz.errors import Refusal

Progress = Callable[[str, float], None]


@dataclass(frozen=True, eq=False)
class Construction:
    """A solved problem: stages in the order in which they run, and the journeys of the match."""

    stages: tuple[Stage, ...]
    journeys: tuple[Carried, ...]
    schedule: Schedule
    atoms: int

    @property
    def gates(self) -> int:
        return sum(len(carried.moves) for carried in self.journeys)


def construct(
    inputs: Clouds, targets: Clouds, *, seed: int = 0, width: int | None = None, progress: Progress
) -> Construction:
    """One schedule that sends input i to target i for every i.

    Clouds have pairwise distinct atoms of equal weight, as many in input i as in target i; inputs are pairwise
    different measures, and so are targets; d >= 3. Raises Refusal where the strategy finds no way.
    """
    d = inputs[0].points.shape[1]
    progress("gathering and disentangling the inputs", 0.0)
    outward, sources, pole = _disentangled(inputs, None, "inputs", progress)
    progress("gathering and disentangling the targets", 0.0)
    inward, landings, _ = _disentangled(targets, -pole, "targets", progress)
    turn = align(landings, sources, pole)
    landings = turn.flow(landings)
    matcher = Matcher([cloud.points for cloud in sources], [cloud.points for cloud in landings], pole, seed)
    journeys = tuple(matcher.run(lambda done, total: progress(f"matching atom {done + 1} of {total}", done / total)))
    forms = tuple(move.gate for carried in journeys for move in carried.moves)
    margin = min((carried.margin for carried in journeys), default=np.inf)
    match = Stage("match", forms, "every resting atom is at least this far from every open gate", float(margin))
    stages = (*outward, match, *reverse((*inward, turn)))
    segments = [segment for stage in stages for segment in stage.segments(width or d)]
    return Construction(stages, journeys, Schedule(tuple(segments)).normalised(), matcher.sources.shape[0])


def _disentangled(
    clouds: Clouds, pole: np.ndarray | None, side: str, progress: Progress
) -> tuple[list[Stage], Clouds, np.ndarray]:
    """(stages, clouds after them, pole). Without a pole the gathered cap's centre becomes it."""
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
    if len(clouds) > 1:
        unbalanced, candidate = unbalance(clouds, centre, lambda: progress(f"disentangling the {side}", 0.0))
        if candidate is None:
            raise Refusal(
                f"no attention segment within the allowed contraction pulls the {side} apart: "
                "two of them are nearly equal; make them differ more or use fewer measures"
            )
        add(unbalanced)
        after = tuple(Cloud(candidate.form.flow(*cloud), cloud.weights) for cloud in clouds)
        stages.append(as_stage(candidate, after))
        clouds = after
    return stages, clouds, centre
