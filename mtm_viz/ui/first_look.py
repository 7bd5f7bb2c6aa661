"""A first look at a scenario: the same run in fewer frames, looser steps and, where each pair counts, fewer particles."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from mtm_viz.diagnostics.thinning import thinned as fewer
from mtm_viz.dynamics.exact import ClosedForm, MeanField, recognise
from mtm_viz.dynamics.models.hardmax import Hardmax
from mtm_viz.dynamics.stages import Stage
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.source import Points, Source
from mtm_viz.scenario import Scenario
from mtm_viz.simulation import Simulation
from mtm_viz.ui.segments import plain_segment

FRAMES = 60
#: Error of a particle in a step: a tenth of a degree. A schedule's gates magnify it, so they get less.
RTOL, RTOL_SCHEDULE = 1e-3, 1e-4
#: Particles a measure where attention sums over all pairs, or steps are many; and for the curves.
MOST_PAIRED, MOST_MEASURED = 200, 120
#: Positions of particles that are computed and measured at once, without a first look.
QUICK = 40_000


def is_quick(scenario: Scenario) -> bool:
    """Whether the whole run takes no longer than one waits."""
    n = sum(len(measure) for measure in scenario.measures)
    return n * len(scenario.segment) <= QUICK and not scenario.schedule and not (_pairs(scenario) and n > MOST_PAIRED)


def first_look(scenario: Scenario, report: Callable[[str, float], None]) -> Simulation:
    """The run, soon. Its particles are some of the scenario's own, in their order."""
    from mtm_viz.simulate import simulate  # imported here: the page does not wait for the kernels

    coarse = replace(scenario, frames=min(scenario.frames, FRAMES))
    forms = [_closed_form(stage) for stage in coarse.stages] if coarse.schedule else [None]
    if None not in forms:
        return _by_closed_forms(coarse, [form for form in forms if form is not None], report)
    if _pairs(scenario):
        coarse = replace(coarse, initial=tuple(_some(measure, MOST_PAIRED) for measure in scenario.measures))
    rtol = RTOL_SCHEDULE if scenario.schedule else RTOL
    return simulate(coarse, backend="numpy", rtol=rtol, progress=report)


def _closed_form(stage: Stage) -> ClosedForm | None:
    """The flow of a solved schedule's segment, known without steps; None for most others."""
    law, segment = stage.law, plain_segment(stage)
    special = law.causal or law.is_random or law.residual or law.layers is not None or law.placement != "sphere"
    return None if segment is None or special else recognise(segment)


def _by_closed_forms(scenario: Scenario, forms: list[ClosedForm], report: Callable[[str, float], None]) -> Simulation:
    """Every segment's flow in one go, where each is known."""
    started = time.perf_counter()
    measures = scenario.measures
    start = np.concatenate([measure.points for measure in measures])
    parts = np.split(np.arange(len(start)), np.cumsum([len(measure) for measure in measures])[:-1])
    film = np.empty((len(scenario.times), *start.shape))
    film[0] = start
    for f, (t, k) in enumerate(zip(scenario.times[1:], scenario.segment[1:].tolist(), strict=True), start=1):
        report("letting particles go", f / len(scenario.times))
        stage = scenario.stages[k]
        form = replace(forms[k], duration=forms[k].duration * (t - stage.start) / (stage.end - stage.start))
        if isinstance(form, MeanField):
            for part, measure in zip(parts, measures, strict=True):
                film[f, part] = form.flow(start[part], measure.weights)
        else:
            film[f] = form.flow(start)  # particles do not feel each other: all measures at once
        if f + 1 == len(scenario.times) or scenario.segment[f + 1] != k:
            start = film[f]
    record = {"integrator": {"method": "closed forms", "steps": len(forms)}, "equilibrium": None}
    record["seconds"] = round(time.perf_counter() - started, 3)
    weights = tuple(measure.weights for measure in measures)
    return Simulation(scenario, scenario.times, tuple(film[:, part] for part in parts), weights, record)


def thinned(found: Simulation) -> Simulation:
    """Some of its particles, for curves that are drawn soon."""
    rows, weights = zip(*(fewer(w, MOST_MEASURED) for w in found.weights), strict=True)
    trajectories = tuple(x[:, k] for x, k in zip(found.trajectories, rows, strict=True))
    return replace(found, trajectories=trajectories, weights=weights, radii=())


def _pairs(scenario: Scenario) -> bool:
    """Whether a step costs as many sums as there are pairs of particles, or there are many steps."""
    laws = [stage.law for stage in scenario.stages]
    return scenario.dimension > 3 or any(law.causal or law.is_random or isinstance(law.model, Hardmax) for law in laws)


def _some(measure: Measure, most: int) -> Source:
    rows, weights = fewer(measure.weights, most)
    return Points(Measure(measure.points[rows], weights))
