"""W2 between two measures along their flow."""

from __future__ import annotations

import numpy as np
import pytest

from mtm_viz import Scenario, simulate
from mtm_viz.diagnostics.between import MOST_MOMENTS, w2_between
from mtm_viz.sphere import normalise

CAP = {"generator": "cap", "params": {"center": [0, 0, 1], "radius_deg": 40}, "n": 30}


def test_a_measure_that_turns_away_is_as_far_as_it_turned():
    rng = np.random.default_rng(0)
    x = normalise(rng.normal(size=(12, 3)) * 0.1 + [0, 0, 1.0])
    angles = np.linspace(0, 0.5, 60)
    turns = np.array([[[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]] for a in angles])
    w = np.full(12, 1 / 12)
    frames, found = w2_between(np.tile(x, (60, 1, 1)), w, x @ turns.transpose(0, 2, 1), w)
    assert len(frames) == MOST_MOMENTS and frames[0] == 0 and frames[-1] == 59
    assert found[0] == 0 and (np.diff(found) > 0).all()
    # No particle turns farther, and none of a narrow cloud about a pole at a right angle to the axis much less.
    assert (found <= angles[frames] + 1e-9).all() and found[-1] > 0.47


def test_equal_starts_under_one_law_stay_equal_and_others_meet_where_they_gather():
    other = CAP | {"seed": 4}
    start = {"format": "mtm-scenario", "version": 1, "dimension": 3, "dynamics": {"beta": 2}, "horizon": 8, "frames": 9}
    found = simulate(Scenario.from_json(start | {"initial": [CAP, CAP, other]}), backend="numpy")
    _, same = found.w2_between(0, 1)
    assert same.max() < 1e-7
    _, apart = found.w2_between(0, 2)
    ends = [x[-1].mean(axis=0) for x in found.trajectories]
    assert apart[-1] == pytest.approx(np.linalg.norm(ends[0] - ends[2]), rel=0.02)
    assert found.w2_between(0, 2)[1] is apart, "measured once"


def test_many_particles_are_represented_by_few():
    x = normalise(np.random.default_rng(1).normal(size=(1, 4000, 3))[0])[None]
    w = np.full(4000, 1 / 4000)
    boosted = normalise(x + np.array([0, 0, 3.0]))
    _, found = w2_between(x, w, boosted, w)
    assert 0.5 < found[0] < np.pi / 2
