from __future__ import annotations

import array_api_strict
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mtm_viz.errors import InputError
from mtm_viz.sphere import (
    angle,
    angles,
    boost,
    boost_factor,
    exp,
    log,
    norm,
    normalise,
    project_tangent,
    rotate_in_plane,
    rotation_between,
    smallest_cap,
    tangent_basis,
)
from tests.strategies import point_sets, unit_vectors

dimensions = st.integers(2, 6)
strengths = st.floats(-12.0, 12.0)


@given(unit_vectors(), unit_vectors())
def test_log_inverts_exp(x, y):
    assume(angle(x, y) < np.pi - 1e-6)
    v = log(x[None], y[None])
    np.testing.assert_allclose(exp(x[None], v)[0], y, atol=1e-9)
    assert float(norm(v)[0, 0]) == pytest.approx(float(angle(x, y)), abs=1e-15, rel=1e-12)
    assert abs(v[0] @ x) < 1e-14


@given(unit_vectors(), unit_vectors(), st.floats(1e-9, 3.1))
def test_exp_walks_the_geodesic_for_its_length(x, direction, length):
    tangent = project_tangent(x, direction)
    assume(np.linalg.norm(tangent) > 1e-3)
    y = exp(x[None], length * normalise(tangent)[None])[0]
    assert float(angle(x, y)) == pytest.approx(length, rel=1e-6)
    assert abs(np.linalg.norm(y) - 1) < 1e-15


def test_log_refuses_antipodal_points():
    with pytest.raises(InputError, match="antipodal"):
        log(np.array([[0.0, 0.0, 1.0]]), np.array([[0.0, 0.0, -1.0]]))


@pytest.mark.parametrize("theta", [1e-150, 1e-15, 1e-8, 1e-3, 1.0, 3.0, np.pi - 1e-3, np.pi - 1e-8, np.pi - 1e-14])
def test_angle_keeps_its_digits_near_0_and_near_pi(theta):
    x = np.array([1.0, 0.0, 0.0])
    # Rounding of the point itself limits what can be known near pi to an ulp of the point.
    y = np.array([np.cos(theta), np.sin(theta), 0.0])
    assert float(angle(x, y)) == pytest.approx(theta, rel=1e-15, abs=3e-16 if theta > 1 else 0)


@given(seed=st.integers(0, 2**32 - 1))
def test_all_angles_are_what_each_is_alone(seed):
    x = normalise(np.random.default_rng(seed + 1).normal(size=(6, 4)))
    y = np.concatenate([x[:2], -x[:2], normalise(np.random.default_rng(seed).normal(size=(5, 4)))])
    np.testing.assert_allclose(angles(x, y), angle(x[:, None], y[None]), rtol=1e-14, atol=0)


def test_angle_is_a_metric_on_the_axes():
    axes = np.eye(3)
    expected = np.pi / 2 * (1 - np.eye(3))
    np.testing.assert_allclose(angle(axes[:, None], axes[None]), expected, atol=1e-15)
    assert float(angle(axes[0], -axes[0])) == np.pi


@given(st.data(), dimensions, strengths)
def test_boost_is_inverted_by_its_negative(data, d, s):
    omega, x = data.draw(unit_vectors(d)), data.draw(point_sets(d))
    moved = boost(x, omega, s)
    np.testing.assert_allclose(np.linalg.norm(moved, axis=1), 1.0, atol=4e-16)
    # Going back multiplies the rounding of a unit row by at most e^|s|.
    np.testing.assert_allclose(boost(moved, omega, -s), x, atol=1e-15 * np.exp(abs(s)) + 1e-14)


@given(st.data(), dimensions, st.floats(-4.0, 4.0), st.floats(-4.0, 4.0))
def test_boosts_toward_one_direction_add(data, d, s, t):
    omega, x = data.draw(unit_vectors(d)), data.draw(point_sets(d))
    np.testing.assert_allclose(boost(boost(x, omega, s), omega, t), boost(x, omega, s + t), atol=1e-11)


@given(unit_vectors(), unit_vectors(), strengths)
def test_boost_scales_the_tangent_of_half_the_angle(omega, x, s):
    theta = float(angle(x, omega))
    assume(1e-3 < theta < np.pi - 1e-3)
    moved = float(angle(boost(x[None], omega, s)[0], omega))
    assert np.tan(moved / 2) == pytest.approx(np.exp(-s) * np.tan(theta / 2), rel=1e-7)


def test_boost_fixes_its_poles_bit_for_bit():
    omega = normalise(np.array([1.0, 2.0, -0.5]))
    poles = np.stack([omega, -omega])
    np.testing.assert_array_equal(boost(poles, omega, 3.7), normalise(poles))


@given(unit_vectors(), unit_vectors(), st.floats(-3.0, 3.0))
def test_boost_factor_is_the_local_stretch(omega, x, s):
    step = 1e-5 * tangent_basis(x)
    ends = exp(np.broadcast_to(x, step.shape), step)
    stretch = angle(boost(ends, omega, s), boost(x[None], omega, s)) / 1e-5
    # A conformal map stretches every tangent direction alike.
    np.testing.assert_allclose(stretch, boost_factor(x[None], omega, s)[0], rtol=1e-3)


def test_boost_solves_its_equation():
    """x' = P_x omega, against a step of the equation itself."""
    omega, x = normalise(np.array([0.3, -0.2, 0.9])), normalise(np.array([[1.0, 0.4, -0.7]]))
    h = 1e-6
    slope = (boost(x, omega, h) - boost(x, omega, -h)) / (2 * h)
    np.testing.assert_allclose(slope, project_tangent(x, omega[None]), atol=1e-9)


@given(unit_vectors(), unit_vectors())
def test_rotation_between_carries_one_point_to_the_other(x, y):
    e, phi = rotation_between(x, y)
    np.testing.assert_allclose(rotate_in_plane(x[None], x, e, phi)[0], y, atol=1e-9)


@given(st.data(), st.integers(3, 6), st.floats(-7.0, 7.0))
def test_rotation_keeps_angles_and_its_axis(data, d, phi):
    x, points = data.draw(unit_vectors(d)), data.draw(point_sets(d, least=2))
    e, axis = tangent_basis(x)[:2]
    turned = rotate_in_plane(points, x, e, phi)
    np.testing.assert_allclose(turned @ turned.T, points @ points.T, atol=1e-14)
    np.testing.assert_allclose(rotate_in_plane(axis[None], x, e, phi)[0], axis, atol=1e-15)


@given(st.data(), dimensions)
def test_tangent_basis_is_an_orthonormal_complement(data, d):
    x = data.draw(unit_vectors(d))
    whole = np.vstack([x, tangent_basis(x)])
    np.testing.assert_allclose(whole @ whole.T, np.eye(d), atol=1e-14)


@given(point_sets(most=20))
def test_the_smallest_cap_holds_every_point_and_what_is_left_is_empty(points):
    centre, radius = smallest_cap(points)
    assert np.linalg.norm(centre) == pytest.approx(1.0, abs=1e-12)
    assert (angle(points, centre[None]) <= radius + 1e-15).all()
    assert (angle(points, -centre[None]) >= np.pi - radius - 1e-7).all()


@given(point_sets(most=20), st.integers(0, 2**32 - 1))
def test_no_other_cap_is_smaller(points, seed):
    _, radius = smallest_cap(points)
    others = normalise(np.random.default_rng(seed).normal(size=(200, 3)))
    near = normalise(smallest_cap(points)[0] + 0.1 * others)
    reached = angle(points[:, None], np.vstack([others, near])[None]).max(axis=0)
    assert (reached >= radius - 1e-7).all()


@pytest.mark.parametrize("radius", [0.05, 0.7, 1.5])
def test_the_smallest_cap_of_a_circle_is_its_own(radius):
    phi = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    points = np.stack([np.sin(radius) * np.cos(phi), np.sin(radius) * np.sin(phi), np.full(40, np.cos(radius))], axis=1)
    centre, found = smallest_cap(points)
    assert found == pytest.approx(radius, abs=1e-7)
    np.testing.assert_allclose(centre, [0, 0, 1], atol=1e-6)


@given(unit_vectors(), st.floats(0.05, 1.5))
def test_the_smallest_cap_of_a_few_points_of_a_circle_has_its_centre(centre, radius):
    e, f = tangent_basis(centre)
    phi = np.linspace(0, 2 * np.pi, 7, endpoint=False)[:, None]
    points = np.cos(radius) * centre + np.sin(radius) * (np.cos(phi) * e + np.sin(phi) * f)
    middle, found = smallest_cap(points)
    assert found == pytest.approx(radius, abs=1e-7)
    np.testing.assert_allclose(middle, centre, atol=1e-6)


@pytest.mark.parametrize("points", [np.vstack([np.eye(3)[:k], -np.eye(3)[:k]]) for k in (1, 2, 3)])
def test_the_smallest_cap_of_a_balanced_set(points):
    """Two poles and a cross on a great circle fit in a hemisphere; the six axes need a cap that reaches the far corner."""
    _, radius = smallest_cap(points)
    least = np.pi / 2 if len(points) < 6 else np.pi - np.arccos(1 / np.sqrt(3))
    assert radius == pytest.approx(least, abs=1e-9)


def test_the_smallest_cap_of_the_axes_is_about_a_corner_of_the_cube():
    centre, _ = smallest_cap(np.vstack([np.eye(3), -np.eye(3)]))
    np.testing.assert_allclose(np.abs(centre), 1 / np.sqrt(3), atol=1e-9)
    assert smallest_cap(np.eye(3))[1] == pytest.approx(np.arccos(1 / np.sqrt(3)))


def test_the_smallest_cap_of_a_point_is_the_point():
    centre, radius = smallest_cap(np.array([[0.0, 0.0, 1.0]]))
    np.testing.assert_allclose(centre, [0, 0, 1], atol=1e-12)
    assert radius == pytest.approx(0.0)


def test_a_cap_is_found_in_high_dimensions_where_hulls_have_too_many_facets():
    points = normalise(np.random.default_rng(0).normal(size=(200, 16)))
    centre, radius = smallest_cap(points)
    assert angle(points, centre[None]).max() == radius < np.pi


def test_the_geometry_keeps_to_the_array_standard():
    """On array-api-strict as on NumPy, so that the same code runs on CuPy."""
    rng = np.random.default_rng(0)
    x, y, omega = (normalise(rng.standard_normal((5, 3))) for _ in range(3))
    v = project_tangent(x, y)
    strict = {name: array_api_strict.asarray(a) for name, a in {"x": x, "y": y, "v": v, "omega": omega[0]}.items()}
    pairs = [
        (angle(strict["x"], strict["y"]), angle(x, y)),
        (exp(strict["x"], strict["v"]), exp(x, v)),
        (log(strict["x"], strict["y"]), log(x, y)),
        (boost(strict["x"], strict["omega"], 1.5), boost(x, omega[0], 1.5)),
    ]
    for got, expected in pairs:
        assert type(got).__module__.startswith("array_api_strict")
        np.testing.assert_allclose(np.asarray(got), expected, atol=1e-15)
