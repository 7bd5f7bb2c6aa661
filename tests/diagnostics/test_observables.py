"""Observables: their values where these are known, and what must hold of them along every flow."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtm_viz import Scenario, simulate
from mtm_viz.diagnostics.observables import moments, observable, observables, observed
from mtm_viz.diagnostics.observables.clusters import cluster_of
from mtm_viz.diagnostics.thinning import thinned
from mtm_viz.errors import InputError
from mtm_viz.sphere import angle, normalise

SEEDS = st.integers(0, 2**32 - 1)
EVEN = np.full(4, 0.25)


def cloud(seed: int, n: int = 20, d: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return normalise(rng.normal(size=(n, d))), rng.dirichlet(np.ones(n))


def turn(seed: int, d: int = 3) -> np.ndarray:
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(d, d)))[0]


def let_go(dynamics: dict, n: int = 30, **said):
    whole = {"format": "mtm-scenario", "version": 1, "dimension": 3, "frames": 41, "horizon": 6.0}
    return simulate(
        Scenario.from_json(whole | {"initial": {"generator": "uniform", "n": n}, "dynamics": dynamics} | said)
    )


@pytest.mark.parametrize("name", observables())
@pytest.mark.parametrize("beta", [0.0, 1.0, 700.0])
def test_one_cluster(name, beta):
    """One cluster has energy 1, rank 1, order 1, no extent and is one cluster, whatever beta."""
    x = np.tile([[0.6, 0.0, 0.8]], (4, 1))
    k = np.deg2rad(10.0) ** -2
    least = np.log((1 - np.exp(-2 * k)) / (2 * k))
    ones = dict.fromkeys(("energy", "clusters", "spectral", "order", "rank"), 1.0)
    expected = ones | dict.fromkeys(("diameter", "hull", "escape"), 0.0) | {"entropy": least}
    kind = observable(name)
    kind.begin(x, EVEN)
    assert kind.value(x, EVEN, beta * np.eye(3)) == pytest.approx(expected[name], abs=1e-7)


def test_four_points_in_a_square():
    """At the corners of a square, E = (1 + 2 e^{-beta} + e^{-2 beta}) / 4."""
    x = np.array([[1.0, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]])
    B = 2.0 * np.eye(3)
    assert observable("energy").value(x, EVEN, B) == pytest.approx((1 + 2 * np.exp(-2) + np.exp(-4)) / 4)
    assert observable("clusters").value(x, EVEN, B) == 4
    assert observable("order").value(x, EVEN, B) == pytest.approx(0, abs=1e-16)
    assert observable("spectral").value(x, EVEN, B) == 4
    assert observable("diameter").value(x, EVEN, B) == pytest.approx(180)
    assert observable("hull").value(x, EVEN, B) == pytest.approx(90)
    # Circulant: the eigenvalues of the kernel are e^b + e^-b + 2, e^b - e^-b twice, e^b + e^-b - 2.
    assert observable("rank").value(x, EVEN, B) == 4
    assert observable("rank").value(x, EVEN, 0 * B) == 1


def test_energy_of_two_clusters_tends_to_the_sum_of_squared_masses():
    """arXiv 2410.06833: a merge of masses p and q adds 2 p q."""
    x = np.array([[1.0, 0], [0, 1.0]])
    assert observable("energy").value(x, np.array([0.3, 0.7]), 60 * np.eye(2)) == pytest.approx(0.09 + 0.49)


def test_a_chain_of_near_particles_is_one_cluster():
    angles = np.deg2rad(np.r_[np.arange(0, 60, 4), 120, 123, 200])
    x = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    w = np.full(len(x), 1 / len(x))
    assert observable("clusters").value(x, w, np.eye(2)) == 3
    w[-1] = 0
    assert observable("clusters").value(x, w, np.eye(2)) == 2
    assert observable("diameter").value(x, w, np.eye(2)) == pytest.approx(123)


@pytest.mark.parametrize("spread", [0.002, 0.05, 0.3, 3.0])
def test_clusters_are_the_same_from_a_list_and_from_a_table_of_neighbours(spread):
    rng = np.random.default_rng(7)
    x = normalise(normalise(rng.normal(size=(6, 3)))[rng.integers(0, 6, 150)] + spread * rng.normal(size=(150, 3)))
    near = angle(x[:, None], x[None]) < np.deg2rad(5.0)
    found = cluster_of(x)
    assert found[0] == 0 and (np.diff(np.maximum.accumulate(found)) <= 1).all(), "numbered as they occur"
    joined = near.astype(float)
    for _ in range(8):
        joined = (joined @ joined > 0).astype(float)
    np.testing.assert_array_equal(found[:, None] == found[None], joined > 0)


def test_a_thin_bridge_joins_clusters_but_not_their_spectra():
    angles = np.deg2rad(
        np.r_[np.tile(np.linspace(0, 6, 20), 5), np.tile(np.linspace(40, 46, 20), 5), np.arange(10, 40, 4)]
    )
    x = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    w = np.r_[np.full(200, 1.0), np.full(8, 1e-3)]
    w /= w.sum()
    assert observable("clusters").value(x, w, np.eye(2)) == 1
    assert observable("spectral").value(x, w, np.eye(2)) == 2


@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_spectral_and_linked_clusters_agree_where_these_are_far_apart(count):
    rng = np.random.default_rng(count)
    angles = np.repeat(2 * np.pi * np.arange(count) / count, 9) + rng.normal(size=9 * count) * 0.01
    x = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    w = rng.dirichlet(np.full(len(x), 5.0))
    for name in ("clusters", "spectral"):
        assert observable(name).value(x, w, np.eye(2)) == count


def test_entropy_of_the_uniform_measure_is_zero_and_of_half_a_sphere_log_two_less():
    """Of density 2 on half the sphere, S = -log 2, but for what the kernel blurs at the rim."""
    n = 3600
    angles = 2 * np.pi * np.arange(n) / n
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    w, B = np.full(n, 1 / n), np.eye(2)
    assert observable("entropy").value(circle, w, B) == pytest.approx(0.0, abs=1e-12)
    half = np.stack([np.cos(angles / 2), np.sin(angles / 2)], axis=1)
    assert observable("entropy").value(half, w, B) == pytest.approx(-np.log(2), abs=0.06)
    ball = Scenario.from_json(
        {"format": "mtm-scenario", "version": 1, "dimension": 3, "initial": {"generator": "fibonacci", "n": 4000}}
    )
    x = ball.measures[0].points
    assert observable("entropy").value(x, np.full(4000, 1 / 4000), np.eye(3)) == pytest.approx(0.0, abs=2e-3)


def test_no_particle_escapes_a_cap_under_attention_and_all_do_under_repulsion():
    """arXiv 2411.04551, Proposition 2.1: V = I shrinks a cap smaller than a hemisphere into itself."""
    cap = {"generator": "cap", "params": {"center": [0, 0, 1], "radius_deg": 60}, "n": 50}
    for sign in (1, -1):
        found = let_go({"beta": 3, "V": sign}, initial=cap, horizon=4.0)
        _, escape = observed("escape", found.trajectories[0], found.weights[0], 3 * np.eye(3))
        _, radius = observed("hull", found.trajectories[0], found.weights[0], 3 * np.eye(3))
        assert escape[0] == pytest.approx(1.0)
        if sign > 0:
            assert escape.max() <= 1 + 1e-9 and (np.diff(radius) <= 1e-6).all() and radius[-1] < 0.5 * radius[0]
        else:
            assert escape[-1] > 1.5 and radius[-1] > 90


def test_a_start_in_one_point_has_an_escape():
    kind = observable("escape")
    kind.begin(np.array([[0.0, 0.0, 1.0]] * 2), np.full(2, 0.5))
    moved = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    assert kind.value(moved, np.full(2, 0.5), np.eye(3)) == pytest.approx(90.0)


def test_many_particles_are_thinned_by_mass():
    rows, weights = thinned(np.full(10_000, 1e-4), 100)
    assert len(rows) == 100 and np.ptp(np.diff(rows)) <= 1
    np.testing.assert_allclose(weights, 0.01)
    heavy = np.r_[0.6, np.full(9_999, 0.4 / 9_999)]
    rows, weights = thinned(heavy, 10)
    assert rows[0] == 0 and weights[0] == pytest.approx(0.6) and weights.sum() == pytest.approx(1.0)
    assert 0 not in thinned(np.r_[0.0, np.full(50, 0.02)], 5)[0]


def test_curves_of_very_many_particles_stay_cheap_and_energy_exact():
    x = np.random.default_rng(0).normal(size=(1, 3_000, 3))
    x = normalise(x[0])[None]
    w = np.full(3_000, 1 / 3_000)
    for name in observables():
        _, values = observed(name, x, w, 4 * np.eye(3))
        assert np.isfinite(values).all()
    _, energy = observed("energy", x, w, 4 * np.eye(3))
    part = np.exp(x[0] @ x[0].T * 4 - 4).mean()
    assert energy[0] == pytest.approx(part, rel=1e-9)


@pytest.mark.parametrize("name", observables())
@given(seed=SEEDS)
@settings(max_examples=15)
def test_turning_and_permuting_changes_nothing(name, seed):
    """Rotating the particles and conjugating B leaves every observable as it was; so does another order."""
    x, w = cloud(seed)
    Q, B = turn(seed), np.random.default_rng(seed).normal(size=(3, 3))
    order = np.random.default_rng(seed).permutation(len(x))

    def value(x, w, B):
        kind = observable(name)
        kind.begin(x[::-1], w)
        return kind.value(x, w, B)

    before = value(x, w, B)
    assert value(x @ Q.T, w, Q @ B @ Q.T) == pytest.approx(before, rel=1e-7)
    assert value(x[order], w[order], B) == pytest.approx(before, rel=1e-7)


@pytest.mark.parametrize("name", observables())
@given(seed=SEEDS)
@settings(max_examples=15)
def test_splitting_a_particle_changes_nothing(name, seed):
    """A particle of weight w and two of w / 2 in its place are the same measure; so is one of no weight beside it."""
    x, w = cloud(seed)
    B = np.random.default_rng(seed).normal(size=(3, 3))
    more, shared = np.vstack([x, x[:1], -x[1:2]]), np.append(w, [w[0] / 2, 0.0])
    shared[0] /= 2

    def value(x, w):
        kind = observable(name)
        kind.begin(x, w)
        return kind.value(x, w, B)

    if name == "rank":
        return  # it counts rows of a matrix, and a particle of no weight has one too
    assert value(more, shared) == pytest.approx(value(x, w), rel=1e-7)


def test_a_curve_has_first_and_last_frame_and_few_moments_where_particles_are_many():
    for frames, n in ((2, 3), (200, 50), (200, 1000)):
        found = moments(frames, n)
        assert found[0] == 0 and found[-1] == frames - 1 and len(found) <= 121
    assert len(moments(200, 1000)) == 25


def test_an_unknown_observable_is_refused():
    with pytest.raises(InputError, match="energy"):
        observable("temperature")
