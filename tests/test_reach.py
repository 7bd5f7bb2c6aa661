"""Landings: exact where whole atoms fit, the best approximation known where they do not, never below the truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtm_viz.diagnostics.wasserstein import w2
from mtm_viz.measures.measure import Measure
from mtm_viz.reach import OFFSET, landing, offset
from mtm_viz.sphere import angle, normalise


def measure(seed: int, n: int, weights: bool = False) -> Measure:
    rng = np.random.default_rng(seed)
    return Measure(normalise(rng.normal(size=(n, 3))), rng.dirichlet(np.ones(n)) if weights else None)


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 12), m=st.integers(1, 12), unequal=st.booleans())
def test_a_landing_takes_every_atom_and_says_its_distance(seed: int, n: int, m: int, unequal: bool) -> None:
    source, target = measure(seed, n, unequal), measure(seed + 1, m, unequal)
    found = landing(source, target, seed=seed % 7)
    assert found.counts.sum() == n
    assert found.weights.sum() == pytest.approx(1.0)
    assert w2(found.places, found.weights, target.points, target.weights) == pytest.approx(found.reachable, abs=2e-7)
    if len(found.places) > 1:
        apart = angle(found.places[:, None], found.places[None]) + 9 * np.eye(len(found.places))
        assert apart.min() > 1e-7


@given(seed=st.integers(0, 2**32 - 1), m=st.integers(1, 8), each=st.integers(1, 6))
def test_atoms_that_fit_land_exactly(seed: int, m: int, each: int) -> None:
    target = measure(seed, m)
    found = landing(measure(seed + 1, m * each), target)
    assert found.reachable == 0.0
    assert sorted(found.counts) == [each] * m


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 8))
def test_permuted_weights_fit_exactly(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    source = measure(seed, n, True)
    order = rng.permutation(n)
    target = Measure(normalise(rng.normal(size=(n, 3))), source.weights[order])
    assert landing(source, target).reachable == 0.0


def test_one_atom_for_two_stands_in_the_middle() -> None:
    target = Measure(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    found = landing(Measure(np.array([[0.0, 0.0, 1.0]])), target)
    assert angle(found.places[0], normalise(np.array([1.0, 1.0, 0.0]))) < 1e-6
    assert found.reachable == pytest.approx(np.pi / 4)


def test_what_does_not_fit_is_said_of_what_is_carried() -> None:
    target = measure(5, 12)
    assert landing(measure(6, 7), target).notes[0].startswith("whole atoms do not fit")
    assert landing(measure(6, 24), target, cells=5).notes[0].startswith("whole cells do not fit")


def test_a_shared_target_is_offset_and_the_price_is_said() -> None:
    target = measure(3, 10)
    first = landing(measure(4, 10), target)
    second = offset(first, target, 1)
    assert 0 < second.reachable <= OFFSET
    assert "costs" in second.notes[-1]


def test_cells_have_equal_mass_up_to_one_atom() -> None:
    found = landing(measure(0, 103), measure(1, 10), cells=10)
    assert found.counts.sum() == 103
    assert set(found.counts) <= {10, 11}
