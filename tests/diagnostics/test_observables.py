"""Observables: their values where these are known, and what must hold of them along every flow."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtm_viz import Scenario, simulate
from mtm_viz.diagnostics.observables import moments, observable, observables, observed
from mtm_viz.dynamics.models import models
from mtm_viz.errors import InputError
from mtm_viz.sphere import normalise

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
    """One cluster has energy 1, rank 1, order 1, diameter 0 and is one cluster, whatever beta."""
    x = np.tile([[0.6, 0.0, 0.8]], (4, 1))
    expected = {"energy": 1.0, "clusters": 1.0, "order": 1.0, "diameter": 0.0, "rank": 1.0}[name]
    assert observable(name).value(x, EVEN, beta * np.eye(3)) == pytest.approx(expected, abs=1e-12)


def test_four_points_in_a_square():
    """At the corners of a square, E = (1 + 2 e^{-beta} + e^{-2 beta}) / 4."""
    x = np.array([[1.0, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]])
    B = 2.0 * np.eye(3)
    assert observable("energy").value(x, EVEN, B) == pytest.approx((1 + 2 * np.exp(-2) + np.exp(-4)) / 4)
    assert observable("clusters").value(x, EVEN, B) == 4
    assert observable("order").value(x, EVEN, B) == pytest.approx(0, abs=1e-16)
    assert observable("diameter").value(x, EVEN, B) == pytest.approx(180)
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


@pytest.mark.parametrize("name", observables())
@given(seed=SEEDS)
@settings(max_examples=15)
def test_turning_and_permuting_changes_nothing(name, seed):
    """Rotating the particles and conjugating B leaves every observable as it was; so does another order."""
    x, w = cloud(seed)
    Q, B = turn(seed), np.random.default_rng(seed).normal(size=(3, 3))
    order = np.random.default_rng(seed).permutation(len(x))
    before = observable(name).value(x, w, B)
    assert observable(name).value(x @ Q.T, w, Q @ B @ Q.T) == pytest.approx(before, rel=1e-9)
    assert observable(name).value(x[order], w[order], B) == pytest.approx(before, rel=1e-9)


@pytest.mark.parametrize("model", ["sa", "usa"])
@given(seed=SEEDS)
@settings(max_examples=6)
def test_energy_never_decreases_where_v_is_b(model, seed):
    """arXiv 2312.10794: along noiseless SA and USA with V = B symmetric positive."""
    Q = turn(seed)
    B = (Q * np.random.default_rng(seed).uniform(0.2, 3.0, 3)) @ Q.T
    B = ((B + B.T) / 2).tolist()
    found = let_go({"model": model, "beta": 1.0, "V": B, "B": B}, seed=seed % 1000, horizon=2.0)
    _, energy = observed("energy", found.trajectories[0], found.weights[0], np.array(B))
    assert (np.diff(energy) >= -1e-7).all()


# Hardmax jumps where the best match changes: no tolerance bounds two runs of it.
@pytest.mark.parametrize("model", sorted(set(models()) - {"hardmax"}))
@given(seed=SEEDS)
@settings(max_examples=4)
def test_flows_are_equivariant(model, seed):
    """Rotating the start and conjugating V, B and the perceptron rotates every frame."""
    x, _ = cloud(seed, n=9)
    Q, rng = turn(seed), np.random.default_rng(seed)
    V, B, W, U = rng.normal(size=(4, 3, 3))
    law = {"model": model, "beta": 1.0}
    here = let_go(law | {k: m.tolist() for k, m in zip("VBWU", (V, B, W, U), strict=True)}, initial={"points": x.tolist()}, horizon=0.5, frames=4)  # fmt: skip
    turned = {"V": Q @ V @ Q.T, "B": Q @ B @ Q.T, "W": Q @ W, "U": U @ Q.T}
    there = let_go(law | {k: m.tolist() for k, m in turned.items()}, initial={"points": (x @ Q.T).tolist()}, horizon=0.5, frames=4)  # fmt: skip
    np.testing.assert_allclose(there.trajectories[0], here.trajectories[0] @ Q.T, atol=1e-6)


def test_a_curve_has_first_and_last_frame_and_few_moments_where_particles_are_many():
    for frames, n in ((2, 3), (200, 50), (200, 1000)):
        found = moments(frames, n)
        assert found[0] == 0 and found[-1] == frames - 1 and len(found) <= 121
    assert len(moments(200, 1000)) == 25


def test_an_unknown_observable_is_refused():
    with pytest.raises(InputError, match="energy"):
        observable("temperature")
