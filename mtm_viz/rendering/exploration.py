"""A simulation as a run that can be drawn: atoms under one law, with no targets, no schedule and no W2."""

from __future__ import annotations

import numpy as np

from mtm_viz.dynamics.schedule import Schedule, Segment
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.source import Points
from mtm_viz.problem import Pair, Problem
from mtm_viz.run import Run
from mtm_viz.simulation import Simulation

#: What a picture of a simulation cannot hold.
LACKING = frozenset({"caption", "timeline", "curve", "targets", "segment"})


def as_run(found: Simulation) -> Run:
    """Its frames as a Run: one segment at rest stands for the law, targets are empty, w2 is ()."""
    d = found.trajectories[0].shape[2]
    zero = np.zeros((d, d))
    schedule = Schedule((Segment(1.0, zero, zero, zero, zero, np.zeros(d), "gather"),))
    start = Points(Measure(np.eye(d)[:1]))
    return Run(
        problem=Problem(d, tuple(Pair(name, start, start) for name in found.names)),
        schedule=schedule,
        times=found.times,
        segment=np.zeros(len(found.times), dtype=int),
        display=found.display,
        trajectories=tuple(np.asarray(x, dtype=float) for x in found.trajectories),
        weights=found.weights,
        targets=tuple(np.empty((0, d)) for _ in found.trajectories),
        target_weights=tuple(np.empty(0) for _ in found.trajectories),
        w2=(),
        certificate={},
    )
