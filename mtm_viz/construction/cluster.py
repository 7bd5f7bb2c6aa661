"""Cluster: attention alone shrinks every measure to a point of its own (Prop 2.1), on the way to Dirac targets (Theorem 1.1)."""

from __future__ import annotations

import numpy as np

from mtm_viz.construction.stage import Cloud, Clouds, Stage
from mtm_viz.dynamics.exact import MeanField
from mtm_viz.sphere import angle


def cluster(clouds: Clouds, spread: float) -> Stage:
    """One segment V = I, B = 0, W = 0, for the least time (to a tenth) that brings every measure within `spread` of a point.

    Once a measure is nearly a point, |E[mu]| is nearly 1 and distances fall like e^{-t}: time O(log 1/spread).
    """
    d = clouds[0].points.shape[1]
    step = MeanField(np.eye(d), np.zeros(d), 0.5)
    moved, time = clouds, 0.0
    while (width := _width(moved)) > spread and time < 100.0:
        step = MeanField(np.eye(d), np.zeros(d), float(np.clip(np.log(width / spread), 0.1, 4.0)))
        moved = tuple(Cloud(step.flow(*cloud), cloud.weights) for cloud in moved)
        time += step.duration
    form = MeanField(np.eye(d), np.zeros(d), time)
    return Stage("cluster", (form,), "every measure lies within this angle of one point (rad)", _width(moved))


def _width(clouds: Clouds) -> float:
    return max(float(angle(cloud.points, cloud.points[:1]).max()) for cloud in clouds)
