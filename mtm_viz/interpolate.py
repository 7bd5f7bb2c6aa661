"""From a problem to a certified run: construct the schedule, replay it independently, measure, and say so."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial import KDTree

from mtm_viz.construction.condition import conditions
from mtm_viz.construction.pipeline import Construction, construct
from mtm_viz.construction.stage import Cloud, Clouds
from mtm_viz.diagnostics.bounds import switches_bound
from mtm_viz.errors import InputError, Refusal
from mtm_viz.measures.measure import Measure
from mtm_viz.problem import Problem
from mtm_viz.run import Run
from mtm_viz.verify import common_map, fresh_samples, replay, versions

Progress = Callable[[str, float], None]

STRATEGIES = ("separation",)
#: Measures closer than this, atom by atom, are the same measure to a flow in float64.
SAME_MEASURE = 1e-9


@dataclass(frozen=True)
class Prediction:
    """What a problem will cost, said before it is solved."""

    atoms: int
    segments: int
    seconds: float


def predict(problem: Problem) -> Prediction:
    """Expected size and time by `separation`. Raises Refusal where the problem will be refused.

    Fitted to the presets and cases on two cores: 1.7 gates an atom between several measures, 1.3 for one alone;
    seconds are for construction, certificate and W2 curve together.
    """
    inputs, targets = _solvable(problem)
    atoms = sum(len(measure) for measure in inputs)
    several = len(inputs) > 1
    gates = (1.7 if several else 1.3) * atoms
    largest = max(len(measure) for measure in (*inputs, *targets))
    seconds = 0.5 + atoms * (0.016 + 2e-5 * atoms) + (0.4 * len(inputs) if several else 0.0) + gates * 5e-8 * largest**2
    return Prediction(atoms, round(gates) + (7 if several else 4), seconds)


def interpolate(
    problem: Problem,
    *,
    strategy: str = "separation",
    eps: float = 1e-4,
    seed: int = 0,
    progress: Progress | None = None,
) -> Run:
    """ONE schedule that sends every input of the problem to its target, with its certificate.

    `progress(sentence, fraction)` is called many times a second and may raise Cancelled. The run passes
    (certificate["passed"]) if W2 <= reachable + eps, in radians, for every pair.

    Raises Refusal with the reason and a remedy where no schedule exists or the strategy does not apply
    (Theorem 1.2 of arXiv 2411.04551 asks for d >= 3 and flows are injective), InputError for bad arguments.
    """
    if strategy not in STRATEGIES:
        raise InputError(f"strategy '{strategy}' is unknown: use {', '.join(STRATEGIES)}")
    if not eps > 0:
        raise InputError(f"eps is {eps}: give a positive number of radians")
    report = progress or _silent
    began = time.perf_counter()
    inputs, targets = _solvable(problem)
    solved = construct(_clouds(inputs), _clouds(targets), seed=seed, progress=lambda s, f: report(s, 0.4 * f))
    built = time.perf_counter()
    run = replay(problem, solved.schedule, eps=eps, progress=lambda s, f: report(s, 0.4 + 0.45 * f))
    report("measuring the condition", 0.86)
    said = run.certificate
    said |= {"strategy": strategy, "seed": seed}
    said |= _structure(problem, solved, inputs, lambda: report("measuring the condition", 0.88))
    said["common_map"] = common_map(problem, said["pairs"])
    fresh = fresh_samples(
        problem, solved.schedule, lambda f: report("sending a fresh sample through the schedule", 0.9 + 0.1 * f)
    )
    for pair, sample in zip(said["pairs"], fresh, strict=True):
        pair["fresh"] = sample
    said["seconds"] = {"construction": built - began, "total": time.perf_counter() - began}
    said["versions"] = versions()
    report("done", 1.0)
    return run


def _structure(
    problem: Problem, solved: Construction, inputs: tuple[Measure, ...], tick: Callable[[], None]
) -> dict[str, Any]:
    """What the constructor promises of each phase, and the sizes that the paper bounds."""
    condition = conditions(solved.stages, solved.journeys, _clouds(inputs), tick)
    gates = [len(carried.moves) for carried in solved.journeys]
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
        "paper_bound": switches_bound(problem.dimension, len(problem.pairs), solved.atoms),
        "sup_norm": solved.schedule.sup_norm,
        "condition": condition.whole,
    }


def _solvable(problem: Problem) -> tuple[tuple[Measure, ...], tuple[Measure, ...]]:
    """Inputs and targets with coinciding atoms merged and repeated pairs left out; Refusal where there is no answer."""
    if problem.dimension < 3:
        raise Refusal(
            "on the circle (dimension 2) particles cannot pass each other, so measures cannot be matched: "
            "use dimension 3 or more"
        )
    inputs = [measure.merged() for measure in problem.inputs]
    targets = [measure.merged() for measure in problem.targets]
    kept: list[int] = []
    for k, pair in enumerate(problem.pairs):
        if not _matchable(inputs[k], targets[k]):
            raise Refusal(
                f'pair {k + 1} ("{pair.name}") has {_size(inputs[k])} and {_size(targets[k])}, and this strategy sends '
                "equal atoms to as many equal atoms: resample both to the same number of equal atoms"
            )
        twin = next((j for j in kept if _same(inputs[j], inputs[k])), None)
        if twin is None:
            kept.append(k)
        elif not _same(targets[twin], targets[k]):
            raise Refusal(
                f'pairs {twin + 1} and {k + 1} ("{problem.pairs[twin].name}", "{pair.name}") start from the same input but '
                "have different targets, and one flow sends one input to one place: change one of the inputs"
            )
    for a in kept:
        for b in kept:
            if b < a and _same(targets[a], targets[b]):
                raise Refusal(
                    f'pairs {b + 1} and {a + 1} ("{problem.pairs[b].name}", "{problem.pairs[a].name}") end at the same target '
                    "from different inputs, and a flow never merges measures: move one of the targets a little"
                )
    return tuple(inputs[k] for k in kept), tuple(targets[k] for k in kept)


def _matchable(x: Measure, y: Measure) -> bool:
    return len(x) == len(y) and x.has_equal_weights and y.has_equal_weights


def _size(measure: Measure) -> str:
    return f"{len(measure)} {'equal' if measure.has_equal_weights else 'unequal'} atoms"


def _same(x: Measure, y: Measure) -> bool:
    """Whether two merged measures agree atom by atom, in any order."""
    if len(x) != len(y):
        return False
    distance, partner = KDTree(y.points).query(x.points)
    return bool(
        (distance <= SAME_MEASURE).all()
        and np.unique(partner).size == len(x)
        and np.allclose(x.weights, y.weights[partner], rtol=0, atol=1e-12)
    )


def _clouds(measures: tuple[Measure, ...]) -> Clouds:
    return tuple(Cloud(measure.points, measure.weights) for measure in measures)


def _silent(_: str, __: float) -> None:
    return None


__all__ = ["STRATEGIES", "Prediction", "Progress", "interpolate", "predict"]
