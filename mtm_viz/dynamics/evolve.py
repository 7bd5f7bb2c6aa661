"""Particles through time, kept at given moments: adaptive steps with dense output, or fixed steps where steps are meant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from array_api_compat import device
from scipy.integrate import RK23, RK45

from mtm_viz.backend import beside, namespace, read, row_dot
from mtm_viz.dynamics.integrate import METHODS, combine
from mtm_viz.errors import InputError
from mtm_viz.sphere import exp, norm, normalise, project_tangent

Field = Callable[[Any], Any]
Keep = Callable[[int, Any], None]
Tick = Callable[[float], None]

#: Pairs whose last stage is the first of the next step, with the polynomial that fills the step (SciPy's coefficients).
DENSE: dict[str, np.ndarray] = {"dopri54": np.asarray(RK45.P), "bs32": np.asarray(RK23.P)}
MOST_STEPS = 200_000
#: Steps of this share of all time are shorter than any motion: the state grows without bound in a finite time.
SHORTEST = 1e-14
#: A start slower than this is an equilibrium: round-off moves it no faster.
STILL = 1e-15
#: How many times its allowed error a step may move particles that count as resting.
HOVER = 10.0


@dataclass
class Journey:
    """How it went: accepted and rejected steps, evaluations of the field, and when all came to rest, if they did."""

    steps: int = 0
    rejected: int = 0
    evaluations: int = 0
    rest: float | None = None
    shortest: float = field(default=float("inf"))


def adaptive_frames(
    velocity: Field,
    x: Any,
    times: np.ndarray,
    keep: Keep,
    *,
    on_sphere: bool,
    rtol: float,
    method: str = "dopri54",
    tick: Tick | None = None,
) -> Journey:
    """Integrate x' = velocity(x) through `times` (F,), rising, calling keep(f, state) at each.

    A step is accepted where the largest particle's estimated error is at most rtol (times |x| where x is not on the
    sphere); then rows are normalised (on_sphere) and the last stage is evaluated THERE, so that it serves as the next
    step's first. Frames inside a step come from its dense output, normalised too. Once a step would move nobody
    farther than a few times its allowed error, and speeds are not growing, the rest of the frames are that state: near
    a stable equilibrium an explicit method hovers at such a distance. tick(time) is called once a step and may raise.

    Raises InputError for an unknown method, or where MOST_STEPS do not do.
    """
    if method not in DENSE:
        raise InputError(f"integrator '{method}' is unknown: use auto or one of {', '.join(DENSE)}")
    tableau, filling = METHODS[method], DENSE[method]
    journey = Journey(evaluations=1)
    t, frame, end = float(times[0]), 0, float(times[-1])
    first = velocity(x)
    (speed,) = read(_farthest(first))
    if speed <= STILL:
        journey.rest = t
        for f in range(len(times)):
            keep(f, x)
        return journey
    h = min(end - t, 0.1 / speed)
    while True:
        while frame < len(times) and times[frame] <= t:
            keep(frame, x)
            frame += 1
        if frame == len(times):
            return journey
        if journey.steps + journey.rejected >= MOST_STEPS:
            raise InputError(
                f"{MOST_STEPS} steps reached only time {t:.3g} of {end:g}: lower beta or shorten the horizon"
            )
        if tick is not None:
            tick(t)
        if h < SHORTEST * end:
            raise InputError(
                f"particles run away at time {t:.3g}, faster than any step: lower beta, or end the horizon before"
            )
        h = min(h, end - t)
        moved, stages = _stages(velocity, x, first, h, tableau.a, tableau.b, on_sphere)
        journey.evaluations += len(tableau.b) - 1
        assert tableau.error is not None
        # What decides about the step, in one go: a device is waited for once a step, beside what attention asks.
        asked = [combine(tableau.error, stages), stages[-1, ...]]
        off, next_speed, *size = read(*map(_farthest, asked if on_sphere else [*asked, x]))
        scale = rtol * max(1.0, *size) if size else rtol
        error = h * off / scale
        if not error <= 1.0:
            journey.rejected += 1
        else:
            later = t + h if h < end - t else end
            while frame < len(times) and times[frame] < later:
                theta = (float(times[frame]) - t) / h
                inside = x + h * combine(filling @ theta ** np.arange(1.0, filling.shape[1] + 1), stages)
                keep(frame, normalise(inside) if on_sphere else inside)
                frame += 1
            journey.steps += 1
            journey.shortest = min(journey.shortest, h)
            t, x, first = later, moved, stages[-1, ...]
            before, speed = speed, next_speed
            if speed * h <= HOVER * scale and speed <= before:
                journey.rest = t
                for f in range(frame, len(times)):
                    keep(f, x)
                return journey
        if not np.isfinite(error):
            error = 1e6
        h *= min(8.0, max(0.2, 0.9 * max(error, 1e-12) ** (-1.0 / (tableau.error_order + 1))))


def lone_frames(velocity: Field, x: Any, times: np.ndarray, keep: Keep, *, on_sphere: bool, **how: Any) -> Journey:
    """As adaptive_frames, for a velocity under which particles do not feel each other.

    One that rests then rests for ever (uniqueness), and only the others are computed.
    """
    moving = norm(velocity(x))[:, 0] > 0
    if not on_sphere or bool(namespace(x).all(moving)) or not isinstance(x, np.ndarray):
        return adaptive_frames(velocity, x, times, keep, on_sphere=on_sphere, **how)
    if not moving.any():
        for f in range(len(times)):
            keep(f, x)
        return Journey(evaluations=1, rest=float(times[0]))

    def keep_all(f: int, moved: Any) -> None:
        whole = x.copy()
        whole[moving] = moved
        keep(f, whole)

    return adaptive_frames(velocity, x[moving], times, keep_all, on_sphere=on_sphere, **how)


def joined(journeys: list[Journey]) -> Journey:
    """Laws one after another as one journey, which comes to rest only where it has one law."""
    return Journey(
        sum(one.steps for one in journeys),
        sum(one.rejected for one in journeys),
        sum(one.evaluations for one in journeys),
        journeys[0].rest if len(journeys) == 1 else None,
        min(one.shortest for one in journeys),
    )


def _stages(
    velocity: Field, x: Any, first: Any, h: float, a: np.ndarray, b: np.ndarray, on_sphere: bool
) -> tuple[Any, Any]:
    """(the state after the step, stages (s, n, d)) of a pair whose last row of a is b."""
    xp = namespace(x)
    stages = xp.empty((len(b), *x.shape), dtype=x.dtype, device=device(x))
    stages[0, ...] = first
    for i in range(1, len(b) - 1):
        stages[i, ...] = velocity(x + h * combine(a[i, :i], stages[:i, ...]))
    moved = x + h * combine(a[-1, :-1], stages[:-1, ...])
    if on_sphere:
        moved = normalise(moved)
    stages[-1, ...] = velocity(moved)
    return moved, stages


def _farthest(rows: Any) -> Any:
    """The largest norm of a row."""
    xp = namespace(rows)
    return xp.sqrt(xp.max(row_dot(rows, rows)))


def stepped_frames(
    advance: Callable[[Any, int], Any], x: Any, step: float, times: np.ndarray, keep: Keep, tick: Tick | None = None
) -> Journey:
    """States after fixed steps: keep(f, state) with the state after the last whole step at or before times[f].

    advance(x, k) is step k; where it returns x itself, all rest from there on. A frame between two steps shows the
    earlier one: layers have no moments in between.
    """
    journey, done = Journey(shortest=step), 0
    for frame, time in enumerate(times):
        # A whole number of steps computed in floating point may fall short by a rounding.
        due = int(np.floor(time / step * (1 + 1e-12) + 1e-9))
        while done < due and journey.rest is None:
            if tick is not None:
                tick(done * step)
            before, x = x, advance(x, done)
            if x is before:
                journey.rest = done * step
            done += 1
        keep(frame, x)
    journey.steps = journey.evaluations = done
    return journey


def sliding(velocity: Field, step: float, on_sphere: bool, rtol: float) -> Callable[[Any, int], Any]:
    """One step of Heun's method, for velocities that jump: x + step (v(x) + v(x + step v(x))) / 2.

    Across a jump no step is short enough for an estimate of the error, and a particle that is sent back and forth between
    two regions crosses one in every step. A mean of values of the field needs no estimate: as the step falls, to first
    order in it, particles slide along the jump as Filippov's solution does, and where nothing jumps the error is of
    second order. All rest, and x itself is returned, where a time of 1 would move nobody farther than a few times rtol and
    speeds are not growing.
    Source: Dontchev and Lempio, SIAM Review 34 (1992), Section 3.
    """

    before = STILL

    def advance(x: Any, k: int) -> Any:
        nonlocal before
        if k >= MOST_STEPS:
            raise InputError(f"{MOST_STEPS} steps reached only time {k * step:.3g}: shorten the horizon")
        first = velocity(x)
        (speed,) = read(_farthest(first))
        slowing, before = speed <= before, speed
        if slowing and speed <= HOVER * rtol:
            return x
        there = x + step * first
        moved = x + 0.5 * step * (first + velocity(normalise(there) if on_sphere else there))
        return normalise(moved) if on_sphere else moved

    return advance


def brownian(
    velocity: Field,
    like: Any,
    step: float,
    noise: float,
    common: float,
    own_rng: np.random.Generator,
    common_rng: np.random.Generator,
) -> Callable[[Any, int], Any]:
    """One step of dx = velocity dt + P_x (noise dW_i + common dW), in Stratonovich's sense, so that x stays on the sphere.

    x moves to exp_x(step velocity + sqrt(step) P_x (noise xi_i + common xi)): to first order in the step, particles
    have the drift and noise^2 / 2 times the Laplace-Beltrami operator as generator. Normal numbers come from the host.
    """

    def advance(x: Any, _: int) -> Any:
        xi = noise * own_rng.standard_normal(x.shape) if noise else np.zeros(x.shape)
        if common:
            xi = xi + common * common_rng.standard_normal(x.shape[1])
        return exp(x, step * velocity(x) + step**0.5 * project_tangent(x, beside(xi, like)))

    return advance
