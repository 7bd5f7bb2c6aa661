"""Replay a schedule from the raw inputs with the general integrator: nothing of the constructor's arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from mtm_viz.dynamics.field import vector_field
from mtm_viz.dynamics.integrate import adaptive
from mtm_viz.dynamics.schedule import Schedule, Segment

#: Frames within a segment that moves everything; a gate moves one atom along an arc and needs only its ends.
FRAMES = 24

Tick = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class Film:
    """What the integrator saw: times (F,) in layer time, segment (F,) the running segment, one (F, n_i, d) a measure.

    steps: accepted and rejected steps in all.
    """

    times: np.ndarray
    segment: np.ndarray
    trajectories: tuple[np.ndarray, ...]
    steps: int


def replay(
    points: tuple[np.ndarray, ...],
    weights: tuple[np.ndarray, ...],
    schedule: Schedule,
    *,
    rtol: float = 1e-10,
    method: str = "dop853",
    attention: bool = True,
    frames: int = FRAMES,
    tick: Tick | None = None,
) -> Film:
    """Integrate x' = v[mu_i](x) for every measure through every segment, keeping every segment boundary.

    attention=False replays the same schedule with V = 0. `tick(fraction)` is called often and may raise to cancel.
    """
    ends = np.cumsum([len(x) for x in points])
    starts = ends - [len(x) for x in points]
    state = np.concatenate(points)
    times, owner, states = [0.0], [0], [state]
    boundaries = schedule.boundaries / schedule.duration
    count = 0
    for k, segment in enumerate(schedule):
        if not attention:
            segment = replace(segment, V=np.zeros_like(segment.V))

        def step(k: int = k) -> None:
            nonlocal count
            count += 1
            if tick is not None:
                tick(k / len(schedule))

        pieces = 1 if segment.phase == "match" else frames
        for j in range(pieces):
            state = _advance(state, starts, ends, weights, segment, segment.duration / pieces, rtol, method, step)
            times.append(boundaries[k] + (boundaries[k + 1] - boundaries[k]) * (j + 1) / pieces)
            owner.append(k)
            states.append(state)
    times[-1] = 1.0
    film = np.array(states)
    return Film(np.array(times), np.array(owner), tuple(film[:, a:b] for a, b in zip(starts, ends, strict=True)), count)


def _advance(
    state: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    weights: tuple[np.ndarray, ...],
    segment: Segment,
    duration: float,
    rtol: float,
    method: str,
    step: Callable[[], None],
) -> np.ndarray:
    """The state of all measures after one piece of a segment."""
    field = vector_field(segment, state)
    nothing = np.empty(0)
    if not segment.uses_attention:
        # Without attention particles do not feel each other and the field does not depend on time, so one whose
        # velocity is zero stays for ever (uniqueness), and all measures can be moved together.
        moving = np.any(field(state, nothing) != 0, axis=1)
        if not moving.any():
            return state
        moved = state.copy()
        moved[moving] = adaptive(
            lambda x: field(x, nothing), state[moving], duration, method=method, rtol=rtol, tick=step
        )
        return moved
    return np.concatenate(
        [
            adaptive(lambda x, w=w: field(x, w), state[a:b], duration, method=method, rtol=rtol, tick=step)
            for a, b, w in zip(starts, ends, weights, strict=True)
        ]
    )
