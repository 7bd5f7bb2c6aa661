"""How well a construction carries OTHER samples of its inputs: what the planner of strategy `cells` chooses by.

An estimate for a choice, by the constructor's own closed forms; the certificate's fresh sample is another one, and is
integrated and measured independently.
"""

from __future__ import annotations

import numpy as np

from mtm_viz.construction.pipeline import Construction
from mtm_viz.construction.stage import Cloud, Clouds
from mtm_viz.diagnostics.wasserstein import w2
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.resample import drawn
from mtm_viz.measures.source import Generated
from mtm_viz.problem import Problem
from mtm_viz.reach import Landing
from mtm_viz.task import Task

#: Other samples of each input, and the first of the seeds they are drawn with (the certificate's is the input's + 1).
SAMPLES, FIRST_SEED = 6, 7_000_000
#: Draws of the masses from which the unavoidable error is estimated.
DRAWS = 32
#: A construction this much above the unavoidable error is good enough.
ENOUGH = 1.05
#: Radians below which nothing is gained.
LEAST = 1e-3


class Rehearsal:
    """Called with a construction: W2 on other samples (root mean square, the worst pair), over ENOUGH times the largest
    that is unavoidable. 1 or less is good enough.

    Other samples come from the input's generator, else by drawing from its atoms.
    Unavoidable: n atoms cut into k cells of equal mass leave the masses of the cells uncertain (Dirichlet), and n
    other atoms are shared among them (multinomial); the places being given, mass must move between them.
    """

    def __init__(self, problem: Problem, task: Task, seed: int) -> None:
        self.targets = [problem.targets[task.of_pair.index(i)] for i in range(len(task.inputs))]
        sources = [problem.pairs[task.of_pair.index(i)].input for i in range(len(task.inputs))]
        self.samples: list[Clouds] = [
            tuple(
                _cloud(
                    source.fresh(again + i).measure(problem.dimension)
                    if isinstance(source, Generated)
                    else drawn(measure, len(measure), again + i)
                )
                for i, (source, measure) in enumerate(zip(sources, task.inputs, strict=True))
            )
            for again in range(FIRST_SEED + seed, FIRST_SEED + seed + 100 * SAMPLES, 100)
        ]
        rng = np.random.default_rng(seed)
        self.unavoidable = [
            _by_mass_alone(landing, target, rng) for landing, target in zip(task.landings, self.targets, strict=True)
        ]

    def __call__(self, solved: Construction) -> float:
        ends = np.array([self._carried(solved, clouds) for clouds in self.samples])
        return float(np.sqrt((ends**2).mean(axis=0)).max() / (ENOUGH * max(*self.unavoidable, LEAST)))

    def _carried(self, solved: Construction, clouds: Clouds) -> list[float]:
        for stage in solved.stages:
            clouds = stage.flow(clouds)
        return [w2(*cloud, target.points, target.weights) for cloud, target in zip(clouds, self.targets, strict=True)]


def _by_mass_alone(landing: Landing, target: Measure, rng: np.random.Generator) -> float:
    """Mean W2 to the target from the landing's places with the masses that another sample would bring."""
    n = int(landing.counts.sum())
    masses = [rng.multinomial(n, rng.dirichlet(landing.counts)) / n for _ in range(DRAWS)]
    return float(np.mean([w2(landing.places, mass, target.points, target.weights) for mass in masses]))


def _cloud(measure: Measure) -> Cloud:
    return Cloud(measure.points, measure.weights)
