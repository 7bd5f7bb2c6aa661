"""What a flow of measures cannot tell apart, and what it can only increase."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtm_viz import Scenario, Simulation, simulate
from mtm_viz.dynamics.models import model, models
from mtm_viz.sphere import normalise

SEEDS = st.integers(0, 2**32 - 1)
#: The others' fields are smooth; hardmax jumps where the best match changes, and round-off decides when.
SMOOTH = sorted(set(models()) - {"hardmax"})
#: Round-off differs with the order of sums and steps are then chosen anew: steps so fine that this does not show.
RTOL = 1e-11


def let_go(points: np.ndarray, weights: np.ndarray, dynamics: dict, **said) -> Simulation:
    initial = {"points": points.tolist(), "weights": weights.tolist()}
    whole = {"format": "mtm-scenario", "version": 1, "dimension": points.shape[1], "frames": 4, "horizon": 0.5}
    return simulate(
        Scenario.from_json(whole | {"initial": initial, "dynamics": dynamics} | said), backend="numpy", rtol=RTOL
    )


def last(*given, **said) -> np.ndarray:
    return let_go(*given, **said).trajectories[0][-1]


def cloud(seed: int, n: int = 8, d: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return normalise(rng.normal(size=(n, d))), rng.dirichlet(np.ones(n))


def law(seed: int, name: str, turn: np.ndarray | None = None, **said) -> dict:
    """Random V, B, W, U, b, conjugated by a rotation."""
    rng = np.random.default_rng(seed)
    V, B, W, U = rng.normal(size=(4, 3, 3))
    Q = np.eye(3) if turn is None else turn
    matrices = {"V": Q @ V @ Q.T, "B": Q @ B @ Q.T, "W": Q @ W, "U": U @ Q.T, "b": rng.normal(size=3)}
    return {"model": name} | {key: value.tolist() for key, value in matrices.items()} | said


def rotation(seed: int, d: int = 3) -> np.ndarray:
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(d, d)))[0]


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("name", SMOOTH)
@given(seed=SEEDS)
@settings(max_examples=5)
def test_turning_everything_turns_the_outcome(name, causal, seed):
    x, w = cloud(seed)
    Q = rotation(seed)
    here = last(x, w, law(seed, name, causal=causal))
    np.testing.assert_allclose(last(x @ Q.T, w, law(seed, name, Q, causal=causal)), here @ Q.T, atol=1e-6)


@pytest.mark.parametrize("name", SMOOTH)
@given(seed=SEEDS)
@settings(max_examples=5)
def test_another_order_of_particles_gives_the_same_in_that_order(name, seed):
    x, w = cloud(seed)
    order = np.random.default_rng(seed).permutation(len(x))
    np.testing.assert_allclose(last(x[order], w[order], law(seed, name)), last(x, w, law(seed, name))[order], atol=1e-7)


def test_under_a_causal_mask_the_order_matters():
    x, w = cloud(0)
    changed = last(x[::-1], w[::-1], {"beta": 3, "causal": True})[::-1]
    assert np.abs(changed - last(x, w, {"beta": 3, "causal": True})).max() > 0.05


@pytest.mark.parametrize("name", SMOOTH)
@given(seed=SEEDS)
@settings(max_examples=5)
def test_splitting_a_particle_in_two_halves_changes_nothing(name, seed):
    x, w = cloud(seed)
    more, shared = np.vstack([x, x[:1]]), np.append(w, w[0] / 2)
    shared[0] /= 2
    whole, halves = last(x, w, law(seed, name)), last(more, shared, law(seed, name))
    np.testing.assert_allclose(halves[:-1], whole, atol=1e-7)
    np.testing.assert_allclose(halves[-1], whole[0], atol=1e-7)


@given(seed=SEEDS)
def test_the_pull_of_hardmax_has_the_same_symmetries(seed):
    """At one moment, where nothing has to be told apart by round-off."""
    x, w = cloud(seed)
    B, Q = np.random.default_rng(seed).normal(size=(3, 3)), rotation(seed)
    order = np.random.default_rng(seed).permutation(len(x))

    def pull(x, w, B):
        return model("hardmax").pull(x, w, B, causal=False, rtol=1e-10)

    here = pull(x, w, B)
    np.testing.assert_allclose(pull(x @ Q.T, w, Q @ B @ Q.T), here @ Q.T, atol=1e-12)
    np.testing.assert_allclose(pull(x[order], w[order], B), here[order], atol=1e-12)
    halves = pull(np.vstack([x, x[:1]]), np.append(w, w[0] / 2) / np.append([2.0], np.ones(len(x))), B)
    np.testing.assert_allclose(halves[:-1], here, atol=1e-12)


@pytest.mark.parametrize("name", ["sa", "usa"])
@given(seed=SEEDS)
@settings(max_examples=6)
def test_energy_never_decreases_where_v_is_b(name, seed):
    """arXiv 2312.10794: along continuous noiseless SA and USA with V = B symmetric positive."""
    x, w = cloud(seed, n=20)
    Q = rotation(seed)
    B = (Q * np.random.default_rng(seed).uniform(0.2, 3.0, 3)) @ Q.T
    B = ((B + B.T) / 2).tolist()
    found = let_go(x, w, {"model": name, "beta": 1.0, "V": B, "B": B}, horizon=3.0, frames=60)
    _, energy = found.observed("energy")[0]
    assert (np.diff(energy) >= -1e-8).all()
    assert energy[-1] > energy[0]


def test_energy_may_fall_where_v_is_not_b():
    """Repulsion: V = -I with B = 3 I."""
    x, w = cloud(1, n=20)
    _, energy = let_go(x, w, {"beta": 3.0, "V": -1}, horizon=3.0).observed("energy")[0]
    assert energy[-1] < energy[0]


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("placement", ["sphere", "pre-ln", "peri-ln"])
def test_layers_converge_to_continuous_time_at_first_order(name, placement):
    x, w = cloud(3)
    # Peri-LN of two parts is another flow than of their sum: one part alone is compared.
    dynamics = {"model": name, "beta": 2, "V": rotation(3).tolist(), "placement": placement}
    if placement != "peri-ln":
        dynamics |= {"W": rotation(4).tolist()}
    exact = last(x, w, dynamics, horizon=1.0)
    errors = [np.abs(last(x, w, dynamics | {"layers": h}, horizon=1.0) - exact).max() for h in (0.01, 0.005, 0.0025)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (np.abs(orders - 1.0) < 0.15).all(), orders
