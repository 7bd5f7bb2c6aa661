"""Three ways to stand for a measure by n atoms: how close they come, and what they keep."""

from __future__ import annotations

import numpy as np
import pytest

from mtm_viz.diagnostics.wasserstein import w2
from mtm_viz.errors import InputError
from mtm_viz.measures.generators import generate
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.resample import WAYS, resampled
from mtm_viz.sphere import angle

CLOUD = generate("von_mises_fisher", {"kappa": 5}, n=1500, seed=0, dimension=3)


def distance(a: Measure, b: Measure) -> float:
    return w2(a.points, a.weights, b.points, b.weights)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("n", [1, 7, 100])
def test_every_way_gives_n_atoms_and_the_seed_decides(way, n):
    one, same, other = (resampled(CLOUD, way, n, seed) for seed in (1, 1, 2))
    assert len(one) == n
    np.testing.assert_array_equal(one.points, same.points)
    assert n == 1 or not np.array_equal(one.points, other.points)


@pytest.mark.parametrize("way", ["even", "random"])
def test_even_and_random_are_equally_weighted_and_distinct(way):
    heavy = Measure(CLOUD.points[:20], np.arange(20) + 1.0)
    measure = resampled(heavy, way, 200, 0)
    assert measure.has_equal_weights
    gaps = angle(measure.points[:, None], measure.points[None]) + np.eye(200)
    assert gaps.min() > 1e-3, "copies of an atom are set apart"
    assert distance(measure, heavy) < (0.06 if way == "even" else 0.3)


def test_k_means_is_closest_and_even_beats_random():
    """At n = 60 of 1,500: each way's W2 to the measure itself, mean over seeds."""
    far = {way: np.mean([distance(resampled(CLOUD, way, 60, seed), CLOUD) for seed in range(3)]) for way in WAYS}
    assert far["k-means"] < far["even"] < far["random"]
    assert far["k-means"] < 0.7 * far["random"]


def test_k_means_centres_are_the_means_of_their_cells():
    measure = resampled(CLOUD, "k-means", 20, 0)
    cell = (CLOUD.points @ measure.points.T).argmax(axis=1)
    for k in range(20):
        mean = CLOUD.points[cell == k].mean(axis=0)
        np.testing.assert_allclose(mean / np.linalg.norm(mean), measure.points[k], atol=1e-3)
        assert (cell == k).mean() == pytest.approx(measure.weights[k])


def test_k_means_of_no_more_atoms_than_asked_is_the_measure_itself():
    three = Measure([[1, 0, 0], [0, 1, 0], [1, 0, 0]], [1, 1, 2])
    assert len(resampled(three, "k-means", 5, 0)) == 2


def test_even_keeps_the_mass_of_regions():
    measure = resampled(CLOUD, "even", 100, 0)
    for axis in np.eye(3):
        assert (measure.points @ axis > 0).mean() == pytest.approx((CLOUD.points @ axis > 0).mean(), abs=0.03)


def test_many_atoms_and_other_dimensions_are_quick_and_fine():
    big = generate("uniform", {}, n=100_000, seed=0, dimension=3)
    assert len(resampled(big, "even", 400, 0)) == 400
    assert len(resampled(Measure(np.eye(6)), "even", 30, 0)) == 30


def test_what_cannot_be_is_said():
    with pytest.raises(InputError, match='the way "best" is unknown: use one of even, k-means, random'):
        resampled(CLOUD, "best", 5, 0)
    with pytest.raises(InputError, match="n is 0: give at least 1"):
        resampled(CLOUD, "even", 0, 0)
