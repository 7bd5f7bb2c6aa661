"""From a scenario to its trajectories: each measure moves under its own attention and one law."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mtm_viz.backend import Backend, memory_errors, namespace, resolve, to_backend, to_host
from mtm_viz.dynamics.attention import attend
from mtm_viz.dynamics.evolve import Journey, adaptive_frames, brownian, stepped_frames
from mtm_viz.dynamics.law import Law
from mtm_viz.scenario import Scenario
from mtm_viz.simulation import Simulation
from mtm_viz.sphere import norm
from mtm_viz.verify import versions

Progress = Callable[[str, float], None]

#: Largest error of a particle in one step, for measures of up to MANY particles; COARSE beyond, where nobody sees more.
FINE, COARSE, MANY = 1e-9, 1e-6, 5_000
#: Trajectories of more numbers than this are kept in float32.
MANY_NUMBERS = 20_000_000
#: Noise is integrated with steps of at most this, shortened where the drift or the noise is strong.
NOISY_STEP = 0.01


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

    rtol: largest error of a particle in one step (a chord), by default FINE or COARSE. The same scenario gives the same start on every
    backend and trajectories that agree to that tolerance. progress(sentence, fraction) may raise to cancel. Where a
    device runs out of memory the host does it again, and the record says so.

    Raises InputError for a backend that is not there, or particles faster than any step.
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
    record = _record(scenario, chosen, films, rtol) | {
        "notes": notes,
        "seconds": round(time.perf_counter() - started, 3),
        "versions": versions(),
    }
    return Simulation(
        scenario,
        np.linspace(0.0, scenario.horizon, scenario.frames),
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
    law, horizon = scenario.law, scenario.horizon
    times = np.linspace(0.0, horizon, scenario.frames)
    x, w = to_backend(points, backend), to_backend(weights, backend)
    shape = (scenario.frames, *points.shape)
    small = np.prod(shape) <= MANY_NUMBERS
    film = np.empty(shape, dtype=np.float64 if small else np.float32)
    radii = None if law.is_on_sphere else np.empty(shape[:2], dtype=film.dtype)

    def keep(f: int, state: Any) -> None:
        if radii is not None:
            length = norm(state)
            radii[f] = to_host(length)[:, 0]
            state = state / length
        # Narrowed before it leaves a device.
        film[f] = to_host(state if small else namespace(state).astype(state, namespace(state).float32))

    accuracy = max(1e-10, min(1e-8, 0.1 * rtol))

    def say(t: float) -> None:
        tick(t / horizon)

    if law.layers is not None:
        layer = law.layer(x, w, accuracy, law.layers)
        journey = stepped_frames(lambda x, _: layer(x), x, law.layers, times, keep, say)
    elif law.is_random:
        velocity = law.velocity(x, w, accuracy)
        strength = law.strength + law.noise**2 + law.common_noise**2
        # The frames' spacing is a whole number of steps, so that each frame is a state.
        spacing = times[1] - times[0]
        step = spacing / np.ceil(spacing * max(1.0, strength) / NOISY_STEP)
        advance = _noisy(law, velocity, x, float(step), (scenario.seed, k))
        journey = stepped_frames(advance, x, float(step), times, keep, say)
    else:
        journey = adaptive_frames(
            law.velocity(x, w, accuracy),
            x,
            times,
            keep,
            on_sphere=law.is_on_sphere,
            rtol=rtol,
            method="dopri54" if scenario.integrator == "auto" else scenario.integrator,
            tick=say,
        )
    return _Film(film, radii, journey, _method(law, x, w, accuracy))


def _noisy(law: Law, velocity: Any, x: Any, step: float, seed: tuple[int, int]) -> Any:
    """One step of noise; a common noise is the same for every measure, the particles' own is not."""
    own, common = np.random.default_rng([*seed, 1]), np.random.default_rng([seed[0], 0])
    return brownian(velocity, x, step, law.noise, law.common_noise, own, common)


def _method(law: Law, x: Any, w: Any, accuracy: float) -> str:
    """How attention is computed for the first head, as the door to its methods says."""
    if law.causal or type(law.model).__module__.rsplit(".", 1)[-1] not in ("sa", "usa"):
        return "by definition"
    return attend(
        x, w, to_backend(law.heads[0].B, "numpy" if isinstance(x, np.ndarray) else "cupy"), rtol=accuracy
    ).method


def _record(scenario: Scenario, backend: Backend, films: list[_Film], rtol: float | None) -> dict[str, Any]:
    """How it was computed, and what must hold of it: unit rows, finite numbers, the mass it started with."""
    law = scenario.law
    off = max(float(np.abs(np.linalg.norm(film.trajectory, axis=-1) - 1.0).max()) for film in films)
    fixed = law.layers is not None or law.is_random
    rests = [film.journey.rest for film in films]
    return {
        "model": scenario.dynamics.get("model", "sa") if isinstance(scenario.dynamics, dict) else "sa",
        "backend": backend,
        "seed": scenario.seed,
        "integrator": {
            "method": ("layers" if law.layers is not None else "geometric Euler-Maruyama")
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
