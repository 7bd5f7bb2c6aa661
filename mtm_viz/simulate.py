"""From a scenario to its trajectories: each measure moves under its own attention and one law."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import device

from mtm_viz.backend import Backend, memory_errors, namespace, resolve, to_backend, to_host
from mtm_viz.dynamics.attention import attend
from mtm_viz.dynamics.evolve import (
    Journey,
    Keep,
    adaptive_frames,
    brownian,
    joined,
    lone_frames,
    sliding,
    stepped_frames,
)
from mtm_viz.dynamics.law import Law
from mtm_viz.errors import InputError
from mtm_viz.scenario import Scenario
from mtm_viz.simulation import Simulation
from mtm_viz.sphere import norm
from mtm_viz.verify import versions

Progress = Callable[[str, float], None]

#: Largest error of a particle in one step, for measures of up to MANY particles; COARSE beyond, where nobody sees more.
FINE, COARSE, MANY = 1e-9, 1e-6, 5_000
#: Trajectories of more numbers than this are kept in float32.
MANY_NUMBERS = 20_000_000
#: Noise, and coarsely a field that jumps, are integrated with steps of at most this, shortened where drift or noise are strong.
NOISY_STEP = 0.01
#: The same for a field that jumps, finely.
JUMPING_STEP = 0.002


@dataclass(frozen=True, eq=False)
class _Film:
    """One measure's frames."""

    trajectory: np.ndarray
    radii: np.ndarray | None
    journey: Journey
    method: str


def simulate(
    scenario: Scenario, *, backend: str = "auto", rtol: float | None = None, progress: Progress | None = None
) -> Simulation:
    """Let the scenario's measures go, and keep `frames` moments equally spaced from 0 to the horizon.

    Where parameters change with time, every change is a moment too: see `Scenario.times`.

    rtol: largest error of a particle in one step (a chord), by default FINE or COARSE. The same scenario gives the same start on every
    backend and trajectories that agree to that tolerance. progress(sentence, fraction) may raise to cancel. Where a
    device runs out of memory the host does it again, and the record says so.

    Raises InputError for a backend that is not there, or particles faster than any step or without a direction.
    """
    started = time.perf_counter()
    chosen = resolve(backend)
    report = progress or (lambda _sentence, _fraction: None)
    notes: list[str] = []
    try:
        films = _films(scenario, chosen, rtol, report)
    except memory_errors():
        notes.append("the device has too little memory for this many particles: computed on the host instead")
        report(notes[0], 0.0)
        chosen = "numpy"
        films = _films(scenario, chosen, rtol, report)
    if not all(np.isfinite(film.trajectory).all() for film in films):
        raise InputError(
            "some particles ran out of the range of numbers, or into the origin, where they have no direction: "
            "shorten the horizon, or normalise on the sphere"
        )
    record = _record(scenario, chosen, films, rtol) | {
        "notes": notes,
        "seconds": round(time.perf_counter() - started, 3),
        "versions": versions(),
    }
    return Simulation(
        scenario,
        scenario.times,
        tuple(film.trajectory for film in films),
        tuple(measure.weights for measure in scenario.measures),
        record,
        tuple(film.radii for film in films if film.radii is not None),
    )


def _films(scenario: Scenario, backend: Backend, rtol: float | None, report: Progress) -> list[_Film]:
    count = len(scenario.measures)
    films = []
    # One stream of random numbers for all measures, so that common noise may be told apart from their own.
    for k, measure in enumerate(scenario.measures):

        def tick(fraction: float, k: int = k) -> None:
            report("letting particles go", (k + min(fraction, 1.0)) / count)

        films.append(_film(scenario, k, measure.points, measure.weights, backend, tolerance(len(measure), rtol), tick))
    return films


def tolerance(particles: int, rtol: float | None = None) -> float:
    """The largest error of a particle in one step."""
    return rtol or (FINE if particles <= MANY else COARSE)


def _film(
    scenario: Scenario,
    k: int,
    points: np.ndarray,
    weights: np.ndarray,
    backend: Backend,
    rtol: float,
    tick: Callable[[float], None],
) -> _Film:
    times, first = scenario.times, scenario.stages[0].law
    x, w = to_backend(points, backend), to_backend(weights, backend)
    shape = (len(times), *points.shape)
    xp = namespace(x)
    kind = xp.float64 if np.prod(shape) <= MANY_NUMBERS else xp.float32
    # Where the particles are: a device hands over the whole film once, narrowed already.
    film = xp.empty(shape, dtype=kind, device=device(x))
    radii = None if first.is_on_sphere else xp.empty(shape[:2], dtype=kind, device=device(x))
    state = x

    def keep(f: int, found: Any) -> None:
        nonlocal state
        state = found
        if radii is not None:
            length = norm(found)
            radii[f, ...] = xp.astype(length[:, 0], kind, copy=False)
            found = found / length
        film[f, ...] = xp.astype(found, kind, copy=False)

    accuracy = max(1e-10, min(1e-8, 0.1 * rtol))
    method = "dopri54" if scenario.integrator == "auto" else scenario.integrator
    # The particles' own noise and the common one, which is the same for every measure.
    generators = np.random.default_rng([scenario.seed, k, 1]), np.random.default_rng([scenario.seed, 0])
    # The last frame of each stage, where the next one starts.
    ends = np.searchsorted(scenario.segment, np.arange(len(scenario.stages)), side="right") - 1
    journeys, before = [], 0
    for stage, end in zip(scenario.stages, ends.tolist(), strict=True):

        def keep_here(f: int, found: Any, before: int = before) -> None:
            keep(before + f, found)

        def say(t: float, start: float = stage.start) -> None:
            tick((start + t) / scenario.horizon)

        moments = times[before : end + 1] - stage.start
        journeys.append(_through(stage.law, state, w, moments, keep_here, accuracy, method, rtol, generators, say))
        before = end
    lengths = None if radii is None else to_host(radii)
    return _Film(to_host(film), lengths, joined(journeys), _method(first, x, w, accuracy))


def _through(
    law: Law,
    x: Any,
    w: Any,
    times: np.ndarray,
    keep: Keep,
    accuracy: float,
    method: str,
    rtol: float,
    generators: tuple[np.random.Generator, np.random.Generator],
    say: Callable[[float], None],
) -> Journey:
    """One law from times[0] = 0 to the last of them."""
    if law.layers is not None:
        layer = law.layer(x, w, accuracy, law.layers)
        return stepped_frames(lambda x, _: layer(x), x, law.layers, times, keep, say)
    velocity = law.velocity(x, w, accuracy)
    if law.is_random or law.jumps:
        strength = law.strength + law.noise**2 + law.common_noise**2
        longest = NOISY_STEP if law.is_random or rtol >= COARSE else JUMPING_STEP
        # The frames' spacing is a whole number of steps, so that each frame is a state.
        spacing = times[1] - times[0]
        step = float(spacing / np.ceil(spacing * max(1.0, strength) / longest))
        advance = (
            brownian(velocity, x, step, law.noise, law.common_noise, *generators)
            if law.is_random
            else sliding(velocity, step, law.is_on_sphere, rtol)
        )
        return stepped_frames(advance, x, step, times, keep, say)
    frames = adaptive_frames if law.uses_attention else lone_frames
    return frames(velocity, x, times, keep, on_sphere=law.is_on_sphere, rtol=rtol, method=method, tick=say)


def _method(law: Law, x: Any, w: Any, accuracy: float) -> str:
    """How attention is computed for the first head, as the door to its methods says."""
    if law.causal or type(law.model).__module__.rsplit(".", 1)[-1] not in ("sa", "usa"):
        return "by definition"
    return attend(
        x, w, to_backend(law.heads[0].B, "numpy" if isinstance(x, np.ndarray) else "cupy"), rtol=accuracy
    ).method


def _record(scenario: Scenario, backend: Backend, films: list[_Film], rtol: float | None) -> dict[str, Any]:
    """How it was computed, and what must hold of it: unit rows, finite numbers, the mass it started with."""
    laws = [stage.law for stage in scenario.stages]
    off = max(float(np.abs(np.linalg.norm(film.trajectory, axis=-1) - 1.0).max()) for film in films)
    layers, fixed = (
        laws[0].layers is not None,
        all(law.layers is not None or law.is_random or law.jumps for law in laws),
    )
    stepped = "geometric Euler-Maruyama" if any(law.is_random for law in laws) else "Heun, fixed steps"
    rests = [film.journey.rest for film in films]
    return {
        "model": scenario.dynamics.get("model", "sa") if isinstance(scenario.dynamics, dict) else "sa",
        "backend": backend,
        "seed": scenario.seed,
        "integrator": {
            "method": ("layers" if layers else stepped)
            if fixed
            else ("dopri54" if scenario.integrator == "auto" else scenario.integrator),
            "rtol": None if fixed else max(tolerance(film.trajectory.shape[1], rtol) for film in films),
            "steps": sum(film.journey.steps for film in films),
            "rejected": sum(film.journey.rejected for film in films),
            "evaluations": sum(film.journey.evaluations for film in films),
            "shortest_step": min((film.journey.shortest for film in films if film.journey.steps), default=None),
        },
        "attention": [film.method for film in films],
        "largest_distance_from_sphere": off,
        "finite": bool(all(np.isfinite(film.trajectory).all() for film in films)),
        "mass": [float(measure.weights.sum()) for measure in scenario.measures],
        "equilibrium": max((t for t in rests if t is not None), default=None) if None not in rests else None,
        "precision": str(films[0].trajectory.dtype),
    }
