from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtm_viz.dynamics.field import velocity
from mtm_viz.dynamics.schedule import Schedule, Segment
from mtm_viz.errors import InputError
from mtm_viz.sphere import normalise
from tests.strategies import schedules, segments

X = normalise(np.random.default_rng(1).standard_normal((9, 3)))
WEIGHTS = np.full(9, 1 / 9)


def at_rest(**entries) -> Segment:
    zero = np.zeros((3, 3))
    return replace(Segment(1.0, zero, zero, zero, zero, np.zeros(3), "match"), **entries)


def displacement(segment: Segment) -> np.ndarray:
    """Duration times the field: what a change of clock keeps."""
    return segment.duration * velocity(X, WEIGHTS, segment)


@given(segments())
def test_the_gauge_leaves_the_field_unchanged_and_makes_unit_rows(segment):
    gauged = segment.gauged()
    np.testing.assert_allclose(velocity(X, WEIGHTS, gauged), velocity(X, WEIGHTS, segment), atol=1e-13)
    lengths = np.linalg.norm(gauged.U, axis=1)
    flat = lengths == 0
    np.testing.assert_allclose(lengths[~flat], 1.0)
    np.testing.assert_allclose(gauged.b[flat & (gauged.b > 0)], 1.0)
    assert not gauged.W[:, flat & (segment.b <= 0)].any()


@given(segments())
def test_the_gauge_of_a_gauge_is_itself(segment):
    once = segment.gauged()
    twice = once.gauged()
    for key in ("U", "b", "W"):
        np.testing.assert_allclose(getattr(twice, key), getattr(once, key), rtol=1e-14)


@given(segments(), st.floats(1e-3, 1e3))
def test_the_gauge_forgets_how_rows_were_scaled(segment, c):
    scaled = replace(segment, U=c * segment.U, b=c * segment.b, W=segment.W / c)
    assert scaled.gauged().strength == pytest.approx(segment.gauged().strength, rel=1e-12)


@given(segments(), st.floats(1e-3, 1e3))
def test_another_duration_is_the_same_map(segment, duration):
    np.testing.assert_allclose(displacement(segment.rescaled(duration)), displacement(segment), rtol=1e-9, atol=1e-11)
    assert segment.rescaled(duration).duration == duration


@given(segments(), st.floats(0.01, 0.99))
def test_a_split_keeps_the_field_and_the_duration(segment, share):
    first, second = segment.split(share)
    assert first.duration + second.duration == pytest.approx(segment.duration)
    assert first.duration == pytest.approx(share * segment.duration)
    for piece in (first, second):
        np.testing.assert_array_equal(velocity(X, WEIGHTS, piece), velocity(X, WEIGHTS, segment))


@given(segments())
def test_the_inverse_reverses_the_field_and_is_its_own_inverse(segment):
    np.testing.assert_array_equal(velocity(X, WEIGHTS, segment.inverse()), -velocity(X, WEIGHTS, segment))
    again = segment.inverse().inverse()
    assert again.phase == segment.phase
    np.testing.assert_array_equal(again.V, segment.V)
    np.testing.assert_array_equal(again.W, segment.W)


def test_the_inverse_says_what_it_undoes():
    assert at_rest(phase="gather").inverse().phase == "undo-gather"
    assert at_rest(phase="undo-gather").inverse().phase == "gather"


@given(schedules())
def test_the_inverse_of_a_schedule_runs_backwards(schedule):
    inverse = schedule.inverse()
    assert [segment.duration for segment in inverse] == [segment.duration for segment in schedule][::-1]
    assert len((schedule + inverse).segments) == 2 * len(schedule)
    for one, other in zip(inverse, reversed(schedule.segments), strict=True):
        np.testing.assert_array_equal(velocity(X, WEIGHTS, one), -velocity(X, WEIGHTS, other))


@given(schedules())
def test_normalising_keeps_every_segments_map_and_takes_unit_time(schedule):
    normalised = schedule.normalised()
    assert normalised.duration == pytest.approx(1.0, abs=1e-12)
    assert len(normalised) == len(schedule)
    for one, other in zip(normalised, schedule, strict=True):
        np.testing.assert_allclose(displacement(one), displacement(other), rtol=1e-9, atol=1e-11)


@given(schedules())
def test_normalising_evens_the_norms_out_to_the_least_supremum(schedule):
    """With durations proportional to T_k n_k every norm is sum_j T_j n_j, the least that unit time allows."""
    effort = sum(segment.duration * segment.gauged().strength for segment in schedule)
    normalised = schedule.normalised()
    assert normalised.sup_norm == pytest.approx(effort, rel=1e-6)
    again = normalised.normalised()
    assert again.sup_norm == pytest.approx(normalised.sup_norm, rel=1e-9)


def test_sup_norm_by_hand():
    """diag(3, 0, 0) has norm 3; e1 (3, 4, 0)^T has norm 5; B does not count."""
    first = at_rest(V=np.diag([3.0, 0.0, 0.0]), B=100 * np.eye(3))
    second = at_rest(W=np.array([[3.0, 4.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    assert first.strength == 3.0
    assert second.strength == 5.0
    assert Schedule((first, second)).sup_norm == 5.0


def test_normalising_by_hand():
    """Norm 2 for time 3 and, after the gauge divides rows of length 4 out, norm 4 for time 1: efforts 6 and 4."""
    attention = at_rest(duration=3.0, V=2 * np.eye(3))
    gate = at_rest(W=np.diag([1.0, 0.0, 0.0]), U=4 * np.eye(3), b=np.full(3, -2.0))
    first, second = Schedule((attention, gate)).normalised()
    assert (first.duration, second.duration) == pytest.approx((0.6, 0.4))
    np.testing.assert_allclose(first.V, 10 * np.eye(3))
    np.testing.assert_allclose(second.W, np.diag([10.0, 0.0, 0.0]))
    np.testing.assert_allclose(second.U, np.eye(3))
    np.testing.assert_allclose(second.b, -0.5)


def test_switches_and_boundaries_by_hand():
    schedule = Schedule((at_rest(duration=0.5), at_rest(duration=0.25), at_rest(duration=1.0)))
    assert schedule.switches == 2
    np.testing.assert_array_equal(schedule.boundaries, [0.0, 0.5, 0.75, 1.75])
    assert schedule.duration == 1.75
    assert (schedule.dimension, schedule.width) == (3, 3)


def test_only_a_segment_with_v_uses_attention():
    assert at_rest(V=np.eye(3)).uses_attention
    assert not at_rest(B=np.eye(3)).uses_attention


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ({"V": np.zeros((2, 2))}, "do not fit"),
        ({"U": np.zeros((2, 3))}, "do not fit"),
        ({"b": np.zeros(2)}, "do not fit"),
        ({"duration": 0.0}, "duration is 0.0: it must be positive"),
        ({"duration": -1.0}, "duration is -1.0"),
        ({"duration": float("nan")}, "duration is nan"),
        ({"phase": "dance"}, "phase 'dance' is unknown: use one of gather"),
        ({"phase": "undo-undo-match"}, "is unknown"),
    ],
)
def test_an_ill_formed_segment_is_refused(entries, sentence):
    with pytest.raises(InputError, match=sentence):
        at_rest(**entries)


def test_an_ill_formed_schedule_is_refused():
    with pytest.raises(InputError, match="at least one segment"):
        Schedule(())
    wider = Segment(1.0, np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 4)), np.zeros((4, 3)), np.zeros(4), "match")
    with pytest.raises(InputError, match="same dimension and width"):
        Schedule((at_rest(), wider))
    with pytest.raises(InputError, match="moves nothing"):
        Schedule((at_rest(),)).normalised()
