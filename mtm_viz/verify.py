"""The certificate: integrate a schedule from the raw inputs by a general integrator, and measure W2 exactly."""

from __future__ import annotations

import os
import platform
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from mtm_viz.diagnostics import replay as integration
from mtm_viz.diagnostics.common_map import common_map_bound
from mtm_viz.diagnostics.wasserstein import Transport, geodesic_costs, w2
from mtm_viz.dynamics.schedule import Schedule
from mtm_viz.errors import Cancelled, InputError
from mtm_viz.measures.source import Generated
from mtm_viz.pacing import pace
from mtm_viz.problem import Problem
from mtm_viz.run import Run

Progress = Callable[[str, float], None]

METHOD, RTOL = "dop853", 1e-10
#: Pairs of atoms up to which W2 is exact at every frame, and how near it is told above, relative to the curve's height.
MOST_EXACT, WITHIN = 250_000, 0.008
#: A statistic needs no ten digits.
FRESH_RTOL = 1e-6


def replay(
    problem: Problem,
    schedule: Schedule,
    *,
    attention: bool = True,
    eps: float = 1e-4,
    reachable: Sequence[float] | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Run:
    """The run of `schedule` on the problem's inputs, with every pair's W2 to its target at every frame.

    attention=False replays the same parameters with V = 0; fresh=True: see `fresh_samples`. Shares nothing with the constructor: DOP853 at
    rtol 1e-10 on the definition of the field, projected after each accepted step, and POT's exact transport.
    Raises InputError where the schedule's dimension is not the problem's.
    """
    if schedule.dimension != problem.dimension:
        raise InputError(
            f"the schedule is for dimension {schedule.dimension} and the problem for dimension {problem.dimension}: "
            "give the problem it was made for"
        )
    report = progress or (lambda _sentence, _fraction: None)
    sentence = "checking with an independent integrator" if attention else "replaying with attention off"
    inputs, targets = problem.inputs, problem.targets
    film = integration.replay(
        tuple(measure.points for measure in inputs),
        tuple(measure.weights for measure in inputs),
        schedule,
        rtol=RTOL,
        method=METHOD,
        attention=attention,
        tick=lambda fraction: report(sentence, 0.8 * fraction),
    )
    said = "measuring W2 and sending a fresh sample through the schedule" if fresh else "measuring W2"
    curves, samples = _measured(
        film.trajectories, problem, schedule if fresh else None, lambda share: report(said, 0.8 + 0.2 * share)
    )
    goals = list(reachable) if reachable is not None else [0.0] * len(inputs)
    pairs = [
        {
            "name": pair.name,
            "w2": float(curve[-1]),
            "reachable": goal,
            "passed": bool(curve[-1] <= goal + eps),
            "fresh": sample,
        }
        for pair, curve, goal, sample in zip(problem.pairs, curves, goals, samples, strict=True)
    ]
    off = max(float(np.abs(np.linalg.norm(trajectory, axis=-1) - 1).max()) for trajectory in film.trajectories)
    certificate = {
        "passed": all(pair["passed"] for pair in pairs),
        "eps": eps,
        "attention": attention,
        "pairs": pairs,
        "integrator": {"method": METHOD, "rtol": RTOL, "steps": film.steps, "largest_distance_from_sphere": off},
        "transport": _transport(problem),
        "switches": schedule.switches,
        "sup_norm": schedule.normalised().sup_norm,
    }
    return Run(
        problem=problem,
        schedule=schedule,
        times=film.times,
        segment=film.segment,
        display=pace(film.times, film.segment, [segment.phase for segment in schedule]),
        trajectories=film.trajectories,
        weights=tuple(measure.weights for measure in inputs),
        targets=tuple(measure.points for measure in targets),
        target_weights=tuple(measure.weights for measure in targets),
        w2=tuple(curves),
        certificate=certificate,
    )


def verify(
    schedule: Schedule,
    problem: Problem,
    *,
    eps: float = 1e-4,
    reachable: Sequence[float] | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The certificate of `replay` alone: {"passed", "pairs": [{"name", "w2", "reachable", "passed"}], ...}, plain JSON."""
    run = replay(problem, schedule, eps=eps, reachable=reachable, progress=progress)
    return run.certificate | {"versions": versions()}


def _measured(
    trajectories: tuple[np.ndarray, ...],
    problem: Problem,
    schedule: Schedule | None,
    tick: Callable[[float], None],
) -> tuple[list[np.ndarray], list[dict[str, Any] | None]]:
    """(a W2 curve a pair, what the schedule does to fresh samples, none without a schedule), on as many threads as
    there are cores (the transport solver releases the interpreter)."""
    curves = len(trajectories)
    done, stop = [0.0] * (curves + 1), threading.Event()

    def step(k: int, share: float) -> None:
        if stop.is_set():
            raise Cancelled
        done[k] = share

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        samples = pool.submit(fresh_samples, problem, schedule, partial(step, curves)) if schedule else None
        waiting = [
            pool.submit(w2_curve, trajectory, source.weights, target.points, target.weights, partial(step, k))
            for k, (trajectory, source, target) in enumerate(
                zip(trajectories, problem.inputs, problem.targets, strict=True)
            )
        ]
        everything: list[Future[Any]] = [*waiting, *([samples] if samples else [])]
        try:
            while not all(future.done() for future in everything):
                tick(sum(done) / len(everything))
                wait(everything, timeout=0.05)
        except BaseException:
            stop.set()
            raise
        nothing: list[dict[str, Any] | None] = [None] * curves
        return [future.result() for future in waiting], samples.result() if samples else nothing


def w2_curve(
    trajectory: np.ndarray,
    weights: np.ndarray,
    target: np.ndarray,
    target_weights: np.ndarray,
    tick: Callable[[float], None],
) -> np.ndarray:
    """W2 to the target at every frame, shape (F,); only atoms that moved have their costs computed anew.

    Exact up to MOST_EXACT pairs of atoms, and at the first and the last frame. For larger measures a frame between is
    solved where the solution before does not tell its distance to within WITHIN of the curve's height, by duality.
    """
    curve = np.empty(len(trajectory))
    transport, costs = Transport(weights, target_weights), np.empty(0)
    for f, points in enumerate(trajectory):
        tick(f / len(trajectory))
        if 0 < f < len(trajectory) - 1:
            moved = (points != trajectory[f - 1]).any(axis=1)
            costs[moved] = geodesic_costs(points[moved], target)
            if not moved.any():
                curve[f] = curve[f - 1]
                continue
            if costs.size > MOST_EXACT:
                below, above = transport.bounds(costs, moved)
                curve[f] = (below + above) / 2
                if above - below <= 2 * WITHIN * curve[:f].max():
                    continue
        else:
            costs = geodesic_costs(points, target)
        curve[f] = transport.distance(costs)
    return curve


def common_map(problem: Problem, pairs: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The W2 that no common map (no attention) can beat on the worse of two pairs that share atoms, beside ours."""
    bound = common_map_bound(problem.inputs, problem.targets)
    if bound is None:
        return None
    ours = max(pairs[bound.first]["w2"], pairs[bound.second]["w2"])
    return {
        "w2": bound.w2,
        "ours": ours,
        "shared_atoms": bound.shared,
        "pairs": [problem.pairs[bound.first].name, problem.pairs[bound.second].name],
    }


def fresh_samples(problem: Problem, schedule: Schedule, tick: Callable[[float], None]) -> list[dict[str, Any] | None]:
    """For every pair whose input is random: the same theta on another sample of it, and what a sample is worth.

    w2: from the fresh sample's image to the target; before: W2 of the fresh sample to the target;
    yardstick: W2 of the sample to the fresh sample.
    """
    results: list[dict[str, Any] | None] = [None] * len(problem.pairs)
    chosen = []
    for i, pair in enumerate(problem.pairs):
        if isinstance(pair.input, Generated):
            again = pair.input.fresh(pair.input.seed + 1)
            sample = again.measure(problem.dimension)
            if not np.array_equal(sample.points, problem.inputs[i].points):
                chosen.append((i, again.seed, sample))
    if not chosen:
        return results
    film = integration.replay(
        tuple(sample.points for _, _, sample in chosen),
        tuple(sample.weights for _, _, sample in chosen),
        schedule,
        rtol=FRESH_RTOL,
        method="dopri54",
        frames=1,
        tick=tick,
    )
    for (i, seed, sample), trajectory in zip(chosen, film.trajectories, strict=True):
        source, target = problem.inputs[i], problem.targets[i]
        results[i] = {
            "w2": w2(trajectory[-1], sample.weights, target.points, target.weights),
            "before": w2(sample.points, sample.weights, target.points, target.weights),
            "yardstick": w2(source.points, source.weights, sample.points, sample.weights),
            "seed": seed,
            "n": len(sample),
        }
    return results


def _transport(problem: Problem) -> str:
    largest = max(len(source) * len(target) for source, target in zip(problem.inputs, problem.targets, strict=True))
    between = f"; between first and last frame within {WITHIN:.1%} of a curve's height"
    return "POT exact, squared geodesic cost" + (between if largest > MOST_EXACT else "")


def versions() -> dict[str, str]:
    """What computed the numbers."""
    said = {"python": platform.python_version()}
    for name in ("mtm_viz", "numpy", "scipy", "pot"):
        try:
            said[name] = version(name)
        except PackageNotFoundError:
            said[name] = "not installed as a package"
    return said
