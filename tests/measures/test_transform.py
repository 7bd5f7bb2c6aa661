"""Turning, gathering, spreading and mirroring: what is kept, and what undoes what."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.transform import antipodal, concentrated, middle, mirrored, nudged, rotated
from mtm_viz.sphere import angle
from tests.strategies import point_sets, unit_vectors

AXES = Measure([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [1, 2, 3])


def test_rotation_is_counter_clockwise_about_its_axis():
    turned = rotated(AXES, (0, 0, 5), 90)
    np.testing.assert_allclose(turned.points, [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], atol=1e-15)
    np.testing.assert_array_equal(turned.weights, AXES.weights)


@given(points=point_sets(), about=unit_vectors(), degrees=st.floats(-360, 360))
def test_rotation_keeps_angles_and_is_undone(points, about, degrees):
    measure = Measure(points)
    turned = rotated(measure, tuple(about), degrees)
    np.testing.assert_allclose(turned.points @ turned.points.T, points @ points.T, atol=1e-12)
    np.testing.assert_allclose(turned.points @ about, points @ about, atol=1e-12)
    np.testing.assert_allclose(rotated(turned, tuple(about), -degrees).points, points, atol=1e-12)


@given(points=point_sets(dimension=4), toward=unit_vectors(4), strength=st.floats(-3, 3))
def test_gathering_follows_its_formula_and_spreading_undoes_it(points, toward, strength):
    moved = concentrated(Measure(points), strength, tuple(toward))
    before, after = angle(points, toward), angle(moved.points, toward)
    far = before < 3.1
    np.testing.assert_allclose(
        np.tan(after / 2)[far], (np.exp(-strength) * np.tan(before / 2))[far], rtol=1e-6, atol=1e-9
    )
    np.testing.assert_allclose(concentrated(moved, -strength, tuple(toward)).points, points, atol=1e-9)


def test_without_a_point_the_barycentre_gathers():
    np.testing.assert_allclose(middle(AXES), np.array([1, 2, 3]) / np.sqrt(14))
    closer = concentrated(AXES, 1.0)
    assert (angle(closer.points, middle(AXES)) < angle(AXES.points, middle(AXES))).all()
    with pytest.raises(InputError, match="has no middle: give a direction"):
        concentrated(Measure([[1, 0, 0], [-1, 0, 0]]), 1.0)


@given(points=point_sets(), normal=unit_vectors())
def test_mirroring_and_the_antipode_are_their_own_inverses(points, normal):
    measure = Measure(points)
    np.testing.assert_allclose(mirrored(mirrored(measure, tuple(normal)), tuple(normal)).points, points, atol=1e-12)
    np.testing.assert_allclose(mirrored(measure, tuple(normal)).points @ normal, -points @ normal, atol=1e-12)
    np.testing.assert_array_equal(antipodal(measure).points, -measure.points)
    np.testing.assert_array_equal(antipodal(antipodal(measure)).weights, measure.weights)


def test_a_rotation_about_an_axis_needs_dimension_three():
    with pytest.raises(InputError, match="needs dimension 3 and this is 4"):
        rotated(Measure(np.eye(4)), None, 10)


@given(points=point_sets(), seed=st.integers(0, 9))
def test_nudging_parts_what_is_near_and_leaves_the_rest(points, seed):
    crowded = np.concatenate([points, points + 1e-8, points[:1]])
    measure = Measure(crowded, np.arange(len(crowded)) + 1.0)
    moved = nudged(measure, 0.01, seed)
    gaps = angle(moved.points[:, None], moved.points[None]) + np.eye(len(moved))
    assert gaps.min() >= 0.01 * (1 - 1e-9)
    np.testing.assert_array_equal(moved.weights, measure.weights)
    np.testing.assert_array_equal(moved.points, nudged(measure, 0.01, seed).points)
    np.testing.assert_array_equal(nudged(moved, 0.0099, seed).points, moved.points)


def test_the_first_of_two_near_atoms_stays_and_the_second_steps_as_far_as_it_must():
    pair = Measure([[1, 0, 0], [0, 1, 0], [1, 1e-8, 0]])
    moved = nudged(pair, 1e-3, 0)
    np.testing.assert_array_equal(moved.points[:2], pair.points[:2])
    assert 0.99e-3 < angle(moved.points[2], pair.points[2]) < 1.2e-3
    assert not np.array_equal(nudged(pair, 1e-3, 1).points[2], moved.points[2])


def test_four_hundred_copies_become_a_small_disc():
    disc = nudged(Measure(np.tile([0.0, 0.0, 1.0], (400, 1))), 1e-3, 0)
    assert angle(disc.points, np.array([[0.0, 0.0, 1.0]])).max() < 0.03


@pytest.mark.parametrize(("apart", "named"), [(0.0, "between 0 and 1"), (1.5, "between 0 and 1"), (0.9, "no room")])
def test_a_nudge_that_cannot_be_is_refused(apart, named):
    crowd = Measure(np.random.default_rng(0).standard_normal((40, 3)))
    with pytest.raises(InputError, match=named):
        nudged(crowd, apart, 0)
