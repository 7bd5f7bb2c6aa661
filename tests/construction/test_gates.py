"""Separating caps and landings: the widest cap of known configurations, and atoms that land to round-off."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import nnls

from mtm_viz.construction.facets import facet_path
from mtm_viz.construction.gates import landing, least_distance, widest_cap
from mtm_viz.sphere import angle, normalise


def test_the_widest_cap_of_two_points_against_one_is_the_bisecting_plane() -> None:
    inside, resting = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), np.array([[0.0, 0.0, 1.0]])
    found = widest_cap(inside, resting)
    assert found is not None
    a, tau, margin = found
    # max over a of (min <a, x> - max <a, o>) / 2 with tau >= 0: a = (s, s, -c).
    assert a[0] == pytest.approx(a[1])
    assert a[2] < 0
    assert tau >= 0
    assert margin == pytest.approx(min((inside @ a).min() - tau, tau - (resting @ a).max()))


def test_an_atom_between_start_and_end_leaves_no_cap() -> None:
    x, y = normalise(np.array([[1.0, 0.2, 0.0], [1.0, -0.2, 0.0]]))
    assert widest_cap(np.stack([x, y]), normalise(x + y)[None, :]) is None


@given(seed=st.integers(0, 2**32 - 1), dimension=st.integers(2, 6), rows=st.integers(8, 400))
def test_few_rows_at_a_time_give_what_all_rows_give(seed: int, dimension: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    system = rng.normal(size=(dimension + 1, rows)) + rng.normal() * np.eye(dimension + 1)[:, :1]
    system[-1] = rng.uniform(0.1, 1.0, rows)
    goal = np.eye(dimension + 1)[-1]
    multipliers, size = nnls(system, goal)
    assume(size == 0 or size > 1e-4)
    found = least_distance(system, np.arange(2))
    if size == 0:
        assert found is None
    else:
        assert found is not None
        np.testing.assert_allclose(found, goal - system @ multipliers, atol=1e-9)


@given(seed=st.integers(0, 2**32 - 1), dimension=st.integers(3, 5))
def test_a_cap_separates_and_its_gate_lands_the_atom_exactly(seed: int, dimension: int) -> None:
    rng = np.random.default_rng(seed)
    resting = normalise(rng.normal(size=(15, dimension)) * 0.4 - np.eye(dimension)[0])
    start, end = normalise(rng.normal(size=(2, dimension)) * 0.7 + np.eye(dimension)[0])
    found = widest_cap(np.stack([start, end]), resting)
    assume(found is not None and found[2] > 1e-3)
    assert found is not None
    move = landing(found[0], found[1], start, end, found[2])
    assert (resting @ found[0]).max() <= found[1] - found[2] * (1 - 1e-9)
    image = move.gate.flow(np.r_[start[None], resting])
    assert angle(image[0], end) < 1e-11
    assert np.array_equal(image[1:], resting)
    assert move.stretch > 0


@given(seed=st.integers(0, 2**32 - 1), dimension=st.integers(3, 4))
def test_a_path_through_the_facets_always_exists(seed: int, dimension: int) -> None:
    rng = np.random.default_rng(seed)
    resting = normalise(rng.normal(size=(60, dimension)))
    start, end = normalise(rng.normal(size=(2, dimension)))
    gaps = np.linalg.norm(resting[:, None] - np.stack([start, end]), axis=-1)
    assume(gaps.min() > 0.05)
    moves = facet_path(start, end, resting)
    assert moves
    state = np.r_[start[None], resting]
    for move in moves:
        state = move.gate.flow(state)
    assert angle(state[0], end) < 1e-9
    assert np.array_equal(state[1:], resting)
