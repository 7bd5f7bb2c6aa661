from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from tests.strategies import point_sets

NORTH, EAST = [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("points", "weights", "sentence"),
    [
        ([], None, "at least one point"),
        ([1.0, 0.0, 0.0], None, "at least one point"),
        ([[1.0], [1.0]], None, "at least 2"),
        ([[1, 0, 0], [0, 1]], None, "every row as long as the first"),
        ([["a", 0, 0]], None, "rows of equally many numbers"),
        ([[1, 0, 0], [0, float("nan"), 1]], None, "point 2 has a coordinate that is not a finite number"),
        ([[float("inf"), 0, 0]], None, "point 1 has a coordinate"),
        ([[1, 0, 0], [0, 0, 0]], None, "point 2 is the zero vector"),
        ([[10**400, 0, 0]], None, "rows of equally many numbers"),
        ([EAST, NORTH], [1.0], "there are 2 points and 1 weights"),
        ([EAST, NORTH], [[1.0, 1.0]], "one weight a point"),
        ([EAST, NORTH], [1.0, -0.5], "weight 2 is -0.5"),
        ([EAST, NORTH], [1.0, float("nan")], "weight 2 is nan"),
        ([EAST, NORTH], [0, 0], "all weights are zero"),
        ([EAST, NORTH], ["heavy", 1], "weights must be numbers"),
        ([EAST, NORTH], [10**400, 1], "weights must be numbers"),
        ([EAST, NORTH], [1e308, 1e308], "add up to more than a float64 holds"),
    ],
)
def test_what_is_no_measure_is_refused_in_one_sentence(points, weights, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        Measure(points, weights)
    assert "\n" not in str(caught.value)


@given(arrays(np.float64, (7, 3), elements=st.floats(-1e300, 1e300).filter(lambda x: x == 0 or abs(x) > 1e-300)))
def test_points_of_any_length_are_projected(x):
    x[:, 0] = np.where((x == 0).all(axis=1), 1.0, x[:, 0])
    measure = Measure(x)
    np.testing.assert_allclose(np.linalg.norm(measure.points, axis=1), 1.0, atol=4e-16)
    largest = np.abs(x).max(axis=1, keepdims=True)
    np.testing.assert_allclose(np.cross(measure.points, x / largest), 0.0, atol=1e-15)


def test_a_projection_beyond_rounding_is_told():
    near, far = [0.0, 0.0, 1.0 + 5e-7], [0.0, 3.0, 0.0]
    assert Measure([near]).notes == ()
    assert Measure([near, far, EAST]).notes == ("1 of 3 points were projected to the sphere (largest distance 2)",)


@given(point_sets())
def test_unit_rows_are_kept_bit_for_bit(x):
    measure = Measure(x)
    np.testing.assert_array_equal(Measure(measure.points).points, measure.points)


def test_weights_left_out_are_equal():
    measure = Measure([EAST, NORTH, EAST, NORTH])
    np.testing.assert_array_equal(measure.weights, 0.25)
    assert measure.has_equal_weights


def test_weights_are_divided_by_their_sum_and_that_is_told():
    measure = Measure([EAST, NORTH], [3, 1])
    np.testing.assert_array_equal(measure.weights, [0.75, 0.25])
    assert measure.notes == ("weights were divided by their sum 4",)
    assert Measure([EAST, NORTH], [0.75, 0.25]).notes == ()


def test_float32_is_taken_as_float64():
    measure = Measure(np.eye(3, dtype=np.float32), np.array([0.25, 0.25, 0.5], dtype=np.float32))
    assert measure.points.dtype == measure.weights.dtype == np.float64


def test_a_measure_cannot_be_changed_nor_through_what_it_was_made_from():
    given_points = np.eye(3)
    measure = Measure(given_points)
    given_points[0] = -1.0
    np.testing.assert_array_equal(measure.points, np.eye(3))
    with pytest.raises(ValueError, match="read-only"):
        measure.points[0, 0] = 2.0
    with pytest.raises(ValueError, match="read-only"):
        measure.weights[0] = 2.0


def test_barycentre_by_hand():
    np.testing.assert_allclose(Measure([EAST, NORTH], [3, 1]).barycentre, [0.75, 0.0, 0.25])


def test_duplicates_are_kept_until_merged():
    measure = Measure([EAST, NORTH, EAST, [1.0, 1e-13, 0.0]], [1, 2, 3, 4])
    assert len(measure) == 4
    merged = measure.merged()
    np.testing.assert_array_equal(merged.points, [EAST, NORTH])
    np.testing.assert_allclose(merged.weights, [0.8, 0.2])


def test_merging_leaves_out_what_weighs_nothing_and_keeps_what_is_distinct():
    measure = Measure([EAST, NORTH], [1, 0])
    assert len(measure.merged()) == 1
    distinct = Measure([EAST, [1.0, 1e-9, 0.0]])
    assert distinct.merged() is distinct


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20))
def test_merging_keeps_the_mass_at_every_place_in_order_of_first_mention(places):
    axes = np.vstack([np.eye(3), -np.eye(3)])
    weights = np.arange(1.0, len(places) + 1)
    merged = Measure(axes[places], weights).merged()
    expected = dict.fromkeys(places, 0.0)
    for place, weight in zip(places, weights / weights.sum(), strict=True):
        expected[place] += weight
    np.testing.assert_array_equal(merged.points, axes[list(expected)])
    np.testing.assert_allclose(merged.weights, list(expected.values()), rtol=1e-12)


def test_merging_many_copies_is_quick():
    """Every pair of 50,000 copies would not fit in memory."""
    assert len(Measure([EAST] * 50_000 + [NORTH] * 50_000).merged()) == 2


@given(point_sets(), st.data())
def test_json_round_trip_is_exact(x, data):
    weights = data.draw(st.lists(st.floats(1e-3, 1e3), min_size=len(x), max_size=len(x)))
    measure = Measure(x, weights)
    said = json.loads(json.dumps(measure.to_json()))
    again = Measure(said["points"], said.get("weights"))
    np.testing.assert_array_equal(again.points, measure.points)
    np.testing.assert_allclose(again.weights, measure.weights, rtol=1e-15)
