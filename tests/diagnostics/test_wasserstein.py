"""W2: zero on equal measures, positive on others, right where the answer is known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtm_viz.diagnostics.common_map import common_map_bound
from mtm_viz.diagnostics.wasserstein import Transport, geodesic_costs, w2
from mtm_viz.measures.measure import Measure
from mtm_viz.sphere import boost, normalise


def cloud(seed: int, n: int = 20) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return normalise(rng.normal(size=(n, 3))), rng.dirichlet(np.ones(n))


@given(seed=st.integers(0, 2**32 - 1))
def test_equal_measures_are_at_distance_zero_in_any_order(seed: int) -> None:
    x, a = cloud(seed)
    order = np.random.default_rng(seed).permutation(len(x))
    assert w2(x, a, x[order], a[order]) < 1e-8


@given(seed=st.integers(0, 2**32 - 1), s=st.floats(1e-6, 2.0))
def test_other_measures_are_at_a_positive_distance(seed: int, s: float) -> None:
    x, a = cloud(seed)
    assert w2(x, a, boost(x, np.array([0.0, 0.0, 1.0]), s), a) > 0


@given(seed=st.integers(0, 2**32 - 1), moving=st.integers(1, 20))
def test_the_last_solution_bounds_the_next_distance(seed: int, moving: int) -> None:
    (x, a), (y, b) = cloud(seed), cloud(seed + 1, 30)
    costs, transport = geodesic_costs(x, y), Transport(a, b)
    everything = np.ones(len(x), dtype=bool)
    assert transport.bounds(costs, everything) == (0.0, np.inf)
    distance = transport.distance(costs)
    np.testing.assert_allclose(transport.bounds(costs, everything), distance, rtol=1e-9)
    for step in range(1, 4):
        moved = np.arange(len(x)) < moving
        x = np.where(moved[:, None], boost(x, y[0], 0.3 * step), x)
        costs = geodesic_costs(x, y)
        below, above = transport.bounds(costs, moved)
        exact = w2(x, a, y, b)
        assert below - 1e-9 <= exact <= above + 1e-9


def test_two_diracs_are_as_far_apart_as_their_angle() -> None:
    x, y = np.array([[1.0, 0.0, 0.0]]), np.array([[0.0, 1.0, 0.0]])
    assert w2(x, np.ones(1), y, np.ones(1)) == pytest.approx(np.pi / 2, abs=1e-15)
    assert geodesic_costs(x, -x)[0, 0] == pytest.approx(np.pi**2)


def test_mass_that_must_split_costs_what_it_should() -> None:
    x = np.array([[0.0, 0.0, 1.0]])
    y = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    # A quarter of the mass travels a right angle.
    assert w2(x, np.ones(1), y, np.array([0.25, 0.75])) == pytest.approx(np.sqrt(0.25) * np.pi / 2)


def test_float32_weights_are_not_a_plan_of_zeros() -> None:
    x, a = cloud(1, 40)
    y, b = cloud(2, 40)
    assert w2(x, a.astype(np.float32), y, b.astype(np.float32)) == pytest.approx(w2(x, a, y, b), rel=1e-5)


def test_two_inputs_that_share_everything_meet_halfway() -> None:
    # One shared atom, targets a right angle apart: the midpoint leaves pi/4 to either.
    x = Measure(np.array([[0.0, 0.0, 1.0]]))
    targets = Measure(np.array([[1.0, 0.0, 0.0]])), Measure(np.array([[0.0, 1.0, 0.0]]))
    bound = common_map_bound((x, x), targets)
    assert bound is not None
    assert bound.w2 == pytest.approx(np.pi / 4)
    assert (bound.first, bound.second, bound.shared) == (0, 1, 1)


@given(seed=st.integers(0, 2**32 - 1))
def test_no_common_map_beats_its_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shared, *own = np.split(normalise(rng.normal(size=(9, 3))), [3, 6])
    inputs = tuple(Measure(np.r_[shared, mine]) for mine in own)
    targets = tuple(Measure(normalise(rng.normal(size=(6, 3)))) for _ in own)
    bound = common_map_bound(inputs, targets)
    assert bound is not None
    # A random common map: every shared atom goes to one place for both.
    place = normalise(rng.normal(size=(3, 3)))
    images = [np.r_[place, targets[i].points[3:]] for i in range(2)]
    reached = [w2(image, inputs[i].weights, targets[i].points, targets[i].weights) for i, image in enumerate(images)]
    assert max(reached) >= bound.w2 - 1e-9


def test_inputs_without_a_common_atom_have_no_bound() -> None:
    x, y = Measure(cloud(1)[0]), Measure(cloud(2)[0])
    assert common_map_bound((x, y), (x, y)) is None
