"""From a problem to a certified run: construct the schedule, replay it independently, measure, and say so."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mtm_viz.construction.pipeline import Construction, Goal
from mtm_viz.construction.planner import EXACT, GENERAL, MOST_COMPARED, plan
from mtm_viz.construction.sharing import MOST_SPREAD, WIDEST
from mtm_viz.construction.stage import Cloud, Clouds
from mtm_viz.diagnostics.bounds import switches_bound
from mtm_viz.errors import InputError, Refusal
from mtm_viz.measures.measure import Measure
from mtm_viz.problem import Problem
from mtm_viz.rehearsal import Rehearsal
from mtm_viz.run import Run
from mtm_viz.task import STRATEGIES, Task, prepare
from mtm_viz.verify import common_map, replay, versions

Progress = Callable[[str, float], None]

#: Segments of the match over gates, from that width on: where atoms leave from many places at once, and where not.
SHARED_APART, SHARED = ((1, 1.0), (2, 0.65), (3, 0.47), (8, 0.35)), ((1, 1.0), (2, 0.85))

#: A construction with at most this condition is not compared with others.
CALM = 1e6
#: A miss below this is never put down to the condition.
LEAST_MISS = 1e-6


@dataclass(frozen=True)
class Prediction:
    """What a problem will cost and what it can reach, said before it is solved.

    reachable: least W2 of every pair's landing places to its target, radians; notes: what will be done to every
    pair's measures (merged duplicates, places between target atoms), sentences.
    """

    atoms: int
    segments: int
    seconds: float
    reachable: tuple[float, ...]
    notes: tuple[tuple[str, ...], ...]


def predict(
    problem: Problem,
    *,
    strategy: str = "separation",
    cells: int | None = None,
    width: int | None = None,
    seed: int = 0,
) -> Prediction:
    """Expected size and time. Raises Refusal where the problem will be refused.

    Fitted to the presets and cases on two cores: 1.7 gates a journey between several measures, 1.3 for one alone;
    seconds are for construction, certificate and W2 curve together.
    """
    task = prepare(problem, strategy, cells, seed)
    journeys = sum(len(landing.places) for landing in task.landings)
    sliced = sum(int((landing.counts > 1).sum()) for landing in task.landings)
    several = len(task.inputs) > 1
    gates = (1.7 if several else 1.3) * journeys + sliced
    atoms = sum(len(measure) for measure in task.inputs)
    apart = sliced == 0 and journeys <= MOST_SPREAD
    shared = [share for least, share in (SHARED_APART if apart else SHARED) if least <= (width or problem.dimension)]
    largest = max(len(measure) for measure in (*problem.inputs, *problem.targets))
    compared = sum(len(measure) for measure in task.inputs) * journeys <= MOST_COMPARED
    cuts = 0.05 * journeys * (2 if compared else 1) if strategy == "cells" else 0.0
    seconds = 0.5 + cuts + journeys * (0.016 + 2e-5 * journeys) + (0.4 * len(task.inputs) if several else 0.0)
    return Prediction(
        atoms,
        round(shared[-1] * gates) + (7 if several else 4),
        seconds + gates * 5e-8 * largest**2,
        tuple(task.landings[i].reachable for i in task.of_pair),
        tuple((*merged, *task.landings[i].notes) for merged, i in zip(task.merged, task.of_pair, strict=True)),
    )


def interpolate(
    problem: Problem,
    *,
    strategy: str = "separation",
    cells: int | None = None,
    width: int | None = None,
    eps: float = 1e-4,
    seed: int = 0,
    progress: Progress | None = None,
) -> Run:
    """ONE schedule that sends every input of the problem to its target, with its certificate.

    strategy: "separation" carries atoms one by one, or in slices where several share a target atom; "cells" always
    takes `cells` slices of equal mass an input (default: one a target atom, at most 100), so that the same schedule
    also carries other samples of the input near the target. width: units of the perceptron, at most WIDEST (default: the
    dimension); gates far from each other share a segment, one a unit, so wider is shallower. `progress(sentence, fraction)` is called many times a
    second and may raise Cancelled. The run passes (certificate["passed"]) if W2 <= reachable + eps, in radians, for
    every pair; reachable is what whole atoms can reach (mtm_viz.reach).

    Raises Refusal with the reason and a remedy where no schedule exists or the strategy does not apply
    (Theorem 1.2 of arXiv 2411.04551 asks for d >= 3), InputError for bad arguments.
    """
    if width is not None and not 1 <= width <= WIDEST:
        raise InputError(f"width {width}: give 1 to {WIDEST} units")
    if not eps > 0:
        raise InputError(f"eps is {eps}: give a positive number of radians")
    report = progress or _silent
    began = time.perf_counter()
    task = prepare(problem, strategy, cells, seed)
    goals = tuple(
        Goal(landing.places, landing.weights, landing.counts, like)
        for landing, like in zip(task.landings, task.alike, strict=True)
    )
    solved, attempts = plan(
        _clouds(task.inputs),
        goals,
        demands=GENERAL if strategy == "cells" else EXACT,
        judge=Rehearsal(problem, task, seed) if strategy == "cells" else _by_condition,
        seed=seed,
        width=width,
        progress=lambda s, f: report(s, 0.4 * f),
    )
    built = time.perf_counter()
    reachable = [task.landings[i].reachable for i in task.of_pair]
    run = replay(
        problem,
        solved.schedule,
        eps=eps,
        reachable=reachable,
        fresh=True,
        progress=lambda s, f: report(s, 0.4 + 0.6 * f),
    )
    said = run.certificate
    _refuse_what_float64_cannot(said, solved)
    said |= {"strategy": strategy, "cells": cells, "seed": seed}
    said |= {"plan": [attempt.to_json() for attempt in attempts]} | _structure(problem, solved, task)
    said["common_map"] = common_map(problem, said["pairs"])
    for pair, merged, i in zip(said["pairs"], task.merged, task.of_pair, strict=True):
        pair["notes"] = [*merged, *task.landings[i].notes]
    said["seconds"] = {"construction": built - began, "total": time.perf_counter() - began}
    said["versions"] = versions()
    report("done", 1.0)
    return run


def _by_condition(solved: Construction) -> float:
    return solved.condition.whole / CALM


def _refuse_what_float64_cannot(certificate: dict[str, Any], solved: Construction) -> None:
    """Raise Refusal where a pair is missed and the condition explains it: no number of digits was promised then."""
    missed = max(pair["w2"] - pair["reachable"] for pair in certificate["pairs"])
    if missed > max(certificate["eps"], LEAST_MISS) and solved.condition.whole > CALM:
        raise Refusal(
            f"the schedule would miss by {missed:.1e} rad: its condition is {solved.condition.whole:.1e}, by which the "
            "integrator's last digits grow; use fewer atoms, strategy cells, or move apart the atoms that are too close"
        )


def _structure(problem: Problem, solved: Construction, task: Task) -> dict[str, Any]:
    """What the constructor promises of each phase, and the sizes that the paper bounds."""
    condition = solved.condition
    gates = [len(carried.gates) for carried in solved.journeys]
    return {
        "phases": [
            {
                "phase": stage.phase,
                "claim": stage.claim,
                "value": stage.value,
                "segments": len(stage.forms),
                "condition": c,
            }
            for stage, c in zip(solved.stages, condition.stages, strict=True)
        ],
        "atoms": solved.atoms,
        "gates": {"total": sum(gates), "mean": float(np.mean(gates)), "most": max(gates)},
        "switches": solved.schedule.switches,
        "width": solved.schedule.width,
        "depths": [list(each) for each in solved.depths],
        "paper_bound": switches_bound(problem.dimension, len(task.inputs), sum(len(x.places) for x in task.landings)),
        "sup_norm": solved.schedule.sup_norm,
        "condition": condition.whole,
    }


def _clouds(measures: tuple[Measure, ...]) -> Clouds:
    return tuple(Cloud(measure.points, measure.weights) for measure in measures)


def _silent(_: str, __: float) -> None:
    return None


__all__ = ["STRATEGIES", "Prediction", "Progress", "interpolate", "predict"]
