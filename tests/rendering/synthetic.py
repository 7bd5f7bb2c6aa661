"""Runs of realistic shape without solving anything: for tests of the player and for benchmarks."""

from __future__ import annotations

import numpy as np

from mtm_viz import sphere
from mtm_viz.dynamics.schedule import Schedule, Segment
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.source import Points
from mtm_viz.pacing import pace
from mtm_viz.problem import Pair, Problem
from mtm_viz.run import Run


def cloud(rng, centre, spread, n):
    return sphere.normalise(np.asarray(centre) + spread * rng.standard_normal((n, len(centre))))


def slerp(x, y, s):
    """Great-circle interpolation of rows."""
    theta = sphere.angle(x, y)[:, None]
    safe = np.where(theta > 1e-9, np.sin(theta), 1.0)
    mixed = (np.sin((1 - s) * theta) * x + np.sin(s * theta) * y) / safe
    return sphere.normalise(np.where(theta > 1e-9, mixed, x))


def gate(x, y, d):
    """A gate segment that opens round the arc from x to y and drifts beyond y."""
    middle = sphere.normalise(x + y + 1e-9)
    tau = float(middle @ x) - 0.06
    omega = sphere.normalise(y + 0.8 * (y - (x @ y) * x))
    U = np.tile(middle, (d, 1))
    return Segment(
        1.0, np.zeros((d, d)), np.zeros((d, d)), np.tile(omega[:, None], (1, d)) / d * 40, U, np.full(d, -tau), "match"
    )


def synthetic_run(n=60, pairs=3, dimension=3, seed=0) -> Run:
    """`pairs` clouds gather, come apart, are matched atom by atom to rings, and the preparation is undone."""
    d, rng = dimension, np.random.default_rng(seed)
    eye, zero, one = np.eye(d), np.zeros((d, d)), np.ones(d)
    pole = eye[2]
    centres = sphere.normalise(pole * 0.9 + 0.9 * rng.standard_normal((pairs, d)))
    starts = [cloud(rng, c, 0.22, n) for c in centres]
    ends = []
    for k in range(pairs):
        turn = np.linspace(0, 2 * np.pi, n, endpoint=False)
        ring = np.zeros((n, d))
        ring[:, 0], ring[:, 1], ring[:, 2] = np.cos(turn), np.sin(turn), (k - (pairs - 1) / 2) * 0.7
        ends.append(sphere.normalise(ring))
    segments, stages = [], [starts]

    def add(segment, moved, frames):
        segments.append((segment, frames))
        stages.append(moved)

    toward = [slerp(x, np.tile(pole, (n, 1)), 0.35) for x in starts]
    add(Segment(1, zero, zero, np.tile(pole[:, None], (1, d)) / d, zero, one, "gather"), toward, 12)
    skew = np.zeros((d, d))
    skew[0, 1], skew[1, 0] = -1.2, 1.2
    U = eye.copy()
    turn = eye.copy()
    turn[:2, :2] = [[np.cos(1.2), -np.sin(1.2)], [np.sin(1.2), np.cos(1.2)]]
    rotated = [x @ turn.T for x in toward]
    add(Segment(1, zero, zero, skew, U, 2 * one - 2 * one + 1.0, "rotate"), rotated, 12)
    apart = []
    for k, x in enumerate(rotated):
        angle = 2 * np.pi * k / pairs
        goal = np.zeros(d)
        goal[0], goal[1], goal[2] = np.cos(angle), np.sin(angle), 0.5
        apart.append(slerp(x, np.tile(sphere.normalise(goal), (n, 1)), 0.6))
    V = eye - np.outer(pole, pole)
    add(Segment(1, V * 3, zero, zero, zero, 0 * one, "disentangle"), apart, 24)
    now = [x.copy() for x in apart]
    prepared = [slerp(y, np.tile(-pole, (n, 1)), 0.25) for y in ends]
    for j in range(n):
        for k in range(pairs):
            segment = gate(now[k][j], prepared[k][j], d)
            now = [x.copy() for x in now]
            now[k][j] = prepared[k][j]
            add(segment, now, 1)
    add(
        Segment(1, -V * 3, zero, zero, zero, 0 * one, "undo-disentangle"),
        [slerp(x, y, 0.6) for x, y in zip(now, ends, strict=True)],
        24,
    )
    add(Segment(1, zero, zero, np.tile(pole[:, None], (1, d)) / d, zero, one, "undo-gather"), ends, 12)
    return _assembled(segments, stages, starts, ends, d)


def _assembled(segments, stages, starts, ends, d) -> Run:
    effort = np.array([3.0 if frames > 1 else 0.05 for _, frames in segments])
    share = effort / effort.sum()
    schedule = Schedule(tuple(s.rescaled(float(t)) for (s, _), t in zip(segments, share, strict=True)))
    pairs, owner, times = len(starts), [], [0.0]
    frames = [[x] for x in stages[0]]
    for k, (_, count) in enumerate(segments):
        owner += [k] * count
        for f in range(1, count + 1):
            times.append(schedule.boundaries[k] + share[k] * f / count)
            for i in range(pairs):
                frames[i].append(stages[k + 1][i] if f == count else slerp(stages[k][i], stages[k + 1][i], f / count))
    trajectories = tuple(np.array(x) for x in frames)
    segment = np.array([owner[0], *owner])
    weights = tuple(np.full(len(x), 1 / len(x)) for x in starts)
    w2 = tuple(np.sqrt((sphere.angle(t, e[None]) ** 2).mean(axis=1)) for t, e in zip(trajectories, ends, strict=True))
    names = [f"cloud {k + 1}" for k in range(pairs)]
    problem = Problem(
        d, tuple(Pair(m, Points(Measure(x)), Points(Measure(y))) for m, x, y in zip(names, starts, ends, strict=True))
    )
    phases = [s.phase for s in schedule]
    return Run(
        problem,
        schedule,
        np.array(times),
        segment,
        pace(np.array(times), segment, phases),
        trajectories,
        weights,
        tuple(ends),
        weights,
        w2,
        {
            "switches": schedule.switches,
            "paper_bound": 6 * sum(map(len, starts)),
            "sup_norm": schedule.sup_norm,
            "condition": 12.5,
            "phases": [
                {
                    "phase": "disentangle",
                    "claim": "hulls of the measures are apart",
                    "value": 0.41,
                    "segments": 1,
                    "condition": 2.1,
                },
                {
                    "phase": "match",
                    "claim": "each atom is where it belongs",
                    "value": 3e-9,
                    "segments": phases.count("match"),
                    "condition": 80.0,
                },
            ],
            "pairs": [{"name": m, "w2": float(w[-1])} for m, w in zip(names, w2, strict=True)],
        },
    )
