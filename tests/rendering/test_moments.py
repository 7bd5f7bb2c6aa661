from __future__ import annotations

import numpy as np
import pytest

from mtm_viz.errors import InputError
from mtm_viz.rendering.moments import Moments, between, coordinate_rows, place_at, spread_rows
from mtm_viz.rendering.reading import movers_of, read_segment
from mtm_viz.rendering.scene import seen_through
from tests.rendering.synthetic import slerp, synthetic_run


def test_movers_slide_along_great_circles_and_rest_exactly():
    rng = np.random.default_rng(0)
    x, y = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in rng.standard_normal((2, 50, 3)))
    y[0] = x[0]
    np.testing.assert_allclose(between(x, y, 0.3), slerp(x, y, 0.3), atol=1e-12)
    np.testing.assert_allclose(between(x, y, 0.3)[0], x[0], atol=1e-15)
    np.testing.assert_array_equal(between(x, -x, 0.4), x)
    np.testing.assert_array_equal(between(x, -x, 0.6), -x)


def test_a_place_is_an_interval_and_its_part():
    display = np.array([0.0, 0.25, 0.25, 1.0])
    assert place_at(display, 0.125) == place_at(np.array([0, 0.25, 1]), 0.125)
    assert place_at(display, 1.0).f == 2 and place_at(display, 1.0).part == 1
    assert place_at(display, 0.25).f == 2
    assert place_at(np.zeros(1), 0.7).part == 0


def test_frames_are_met_exactly():
    run = synthetic_run(5)
    moments = Moments(run, coordinate_rows(3))
    for f in (0, 7, len(run.times) - 1):
        np.testing.assert_allclose(moments.positions(0, float(run.display[f])), run.trajectories[0][f], atol=1e-9)
        assert moments.w2(0, float(run.display[f])) == pytest.approx(run.w2[0][f])
    assert moments.segment(0.0) == 0 and moments.segment(1.0) == len(run.schedule) - 1
    assert (np.diff(moments.segment_starts) >= 0).all() and moments.segment_starts[-1] == 1


def test_a_gate_is_read_with_its_one_mover():
    run = synthetic_run(5)
    moments = Moments(run, coordinate_rows(3))
    s = next(k for k, segment in enumerate(run.schedule) if segment.phase == "match")
    reading, movers = read_segment(run.schedule.segments[s]), movers_of(moments, s)
    assert len(reading.gates) == 1 and len(movers) == 1 and not reading.attends
    gate = reading.gates[0]
    assert gate.a @ movers[0].start > gate.tau and gate.a @ movers[0].end > gate.tau


def test_drift_rotation_and_attention_are_told_apart():
    readings = {s.phase: read_segment(s) for s in synthetic_run(5).schedule}
    assert readings["gather"].drift is not None and not readings["gather"].gates
    assert readings["rotate"].rotation is not None and not readings["rotate"].gates
    assert readings["disentangle"].attends and readings["disentangle"].drift is None


def test_above_dimension_three_coordinates_or_spread_are_shown():
    run = synthetic_run(6, 2, dimension=5)
    moments, note = seen_through(run, "2,4,5")
    assert "coordinates 2, 4, 5" in note
    np.testing.assert_array_equal(moments.targets(0), run.targets[0][:, [1, 3, 4]])
    rows = spread_rows(run)
    np.testing.assert_allclose(rows @ rows.T, np.eye(3), atol=1e-12)
    for axes in ("1,2", "1,1,2", "0,1,2", "1,2,6", "x"):
        with pytest.raises(InputError, match="axes"):
            seen_through(run, axes)
    assert seen_through(synthetic_run(3), "whatever")[1] == ""
