"""Simulations against numbers from the literature, and what must hold of every one."""

from __future__ import annotations

import sys

import array_api_strict
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtm_viz import Scenario, Simulation, simulate
from mtm_viz.cli import main
from mtm_viz.dynamics.law import PLACEMENTS
from mtm_viz.dynamics.models import models
from mtm_viz.errors import Cancelled, InputError


def scenario(**said) -> Scenario:
    whole = {"format": "mtm-scenario", "version": 1, "dimension": 3, "frames": 5, "horizon": 2.0}
    return Scenario.from_json(whole | {"initial": {"generator": "uniform", "n": 30}} | said)


def equiangular(n: int, **said) -> Scenario:
    return scenario(dimension=n, initial={"points": np.eye(n).tolist()}, **said)


def test_orthonormal_particles_keep_equal_angles():
    """arXiv 2512.01868: SA, n = d = 32, beta = 1: rho(5) = 0.99828425."""
    found = simulate(equiangular(32, dynamics={"beta": 1}, horizon=5.0))
    inner = found.trajectories[0][-1] @ found.trajectories[0][-1].T
    np.testing.assert_allclose(inner[~np.eye(32, dtype=bool)], 0.99828425, atol=5e-9)


@pytest.mark.parametrize(
    ("beta", "time", "slack"), [(1, 5.270, 5e-4), (4, 6.954, 5e-4), (6, 15.995, 5e-4), (9, 178.73, 5e-3)]
)
def test_they_meet_when_the_literature_says(beta, time, slack):
    """arXiv 2512.01868: the time to rho = 0.999."""
    for early, side in ((-slack, False), (slack, True)):
        found = simulate(equiangular(32, dynamics={"beta": beta}, horizon=time + early, frames=2))
        x = found.trajectories[0][-1]
        assert (x[0] @ x[1] >= 0.999) == side


@pytest.mark.parametrize(
    ("beta", "time", "slack"), [(8, 8.63, 5e-3), (12, 29.4, 0.05), (16, 142.5, 0.05), (20, 803.0, 0.5)]
)
def test_pairs_merge_when_the_literature_says(beta, time, slack):
    """arXiv 2509.25040: SA, two equal masses at angle pi/3, time to rho = 0.999."""
    pair = {"points": [[1, 0], [0.5, 0.75**0.5]]}
    for early, side in ((-slack, False), (slack, True)):
        found = simulate(scenario(dimension=2, initial=pair, dynamics={"beta": beta}, horizon=time + early, frames=2))
        x = found.trajectories[0][-1]
        assert (x[0] @ x[1] >= 0.999) == side


def test_long_context_has_three_regimes():
    """arXiv 2510.05554: beta = gamma log n, common cosine 1/2; output cosines 0.9918, 0.8000, 0.5475 at gamma 1.5, 2, 2.5."""
    n, rho = 10_000, 0.5
    for gamma, expected in ((1.5, 0.9918), (2.0, 0.8000), (2.5, 0.5475)):
        # One layer of attention on x_i = sqrt(rho) e + sqrt(1 - rho) e_i, by symmetry in the basis (e, e_i, sum of others).
        beta = gamma * np.log(n)
        own, other = np.exp(beta), np.exp(beta * rho)
        a, b = own / (own + (n - 1) * other), other / (own + (n - 1) * other)
        square = rho + (1 - rho) * (a * a + (n - 1) * b * b)
        cross = rho + (1 - rho) * (2 * a * b + (n - 2) * b * b)
        assert cross / square == pytest.approx(expected, abs=6e-5)


def test_a_hemisphere_shrinks_to_a_point_at_rate_one():
    """arXiv 2411.04551, Proposition 2.1: B = 5 I, V = I, d = 4."""
    cap = {"generator": "cap", "params": {"center": [0, 0, 0, 1], "radius_deg": 80}, "n": 40}
    found = simulate(scenario(dimension=4, initial=cap, dynamics={"beta": 5}, horizon=16.0, frames=33))
    spread = np.array([np.linalg.norm(x - x.mean(axis=0), axis=1).max() for x in found.trajectories[0]])
    window = (spread < 1e-2) & (spread > 1e-5)
    slope = np.polyfit(np.log(1 / spread[window]), found.times[window], 1)[0]
    assert slope == pytest.approx(1.0, abs=0.02)


def test_noise_stops_the_order_where_the_literature_says():
    """arXiv 2606.05140: beta = 0, d = 2, dX = (drift) dt + sqrt(2 / kappa) dW; kappa = 3 gives |mean| = 0.7242."""
    start = {"generator": "cap", "params": {"center": [0, 1], "radius_deg": 40}, "n": 1500}
    dynamics = {"model": "kuramoto", "noise": (2 / 3) ** 0.5}
    found = simulate(scenario(dimension=2, initial=start, dynamics=dynamics, horizon=16.0, frames=65))
    order = np.linalg.norm(found.trajectories[0][20:].mean(axis=1), axis=1)
    assert order.mean() == pytest.approx(0.7242, abs=0.02)
    same = simulate(scenario(dimension=2, initial=start, dynamics=dynamics, horizon=16.0, frames=65))
    np.testing.assert_array_equal(found.trajectories[0], same.trajectories[0])


def test_normalisation_decides_the_rate():
    """arXiv 2510.22026: 1 - rho falls like e^{-2t} for Post-LN and like t^{-2} for Pre-LN."""
    start = equiangular(4, dynamics={"beta": 1}, horizon=6.0, frames=61)
    x = simulate(start).trajectories[0]
    gap = 1 - np.einsum("fi,fi->f", x[:, 0], x[:, 1])
    late = (start.frames * 2 // 3) * [False] + (start.frames - start.frames * 2 // 3) * [True]
    times = np.linspace(0, 6, 61)
    assert np.polyfit(times[late], np.log(gap[late]), 1)[0] == pytest.approx(-2.0, rel=0.02)
    free = simulate(equiangular(4, dynamics={"beta": 1, "placement": "pre-ln"}, horizon=1000.0, frames=201))
    x, times = free.trajectories[0][100:], free.times[100:]
    gap = 1 - np.einsum("fi,fi->f", x[:, 0], x[:, 1])
    assert np.polyfit(np.log(times), np.log(gap), 1)[0] == pytest.approx(-2.0, rel=0.02)
    assert len(free.radii) == 1 and (np.diff(free.radii[0][:, 0]) > 0).all()


def test_hardmax_rests_on_the_sphere():
    """arXiv 2407.01602: with B = I each point of the sphere is its own maximum."""
    found = simulate(scenario(dynamics={"model": "hardmax"}))
    np.testing.assert_array_equal(found.trajectories[0][0], found.trajectories[0][-1])
    assert found.record["equilibrium"] == 0.0


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("model", models())
def test_every_model_runs_everywhere(model, placement):
    dynamics = {
        "model": model,
        "beta": 2,
        "W": "random-gaussian",
        "causal": True,
        "placement": placement,
        "residual": 0.1,
    }
    for layers in (None, 0.1):
        found = simulate(scenario(dynamics=dynamics | {"layers": layers}, initial={"generator": "uniform", "n": 8}))
        assert found.record["finite"] and found.record["largest_distance_from_sphere"] <= 1e-14
        assert np.abs(found.trajectories[0][-1] - found.trajectories[0][0]).max() > 1e-3


def test_layers_converge_to_continuous_time_at_first_order():
    dynamics = {"beta": 3, "V": "random-gaussian", "W": "random-gaussian"}
    exact = simulate(scenario(dynamics=dynamics)).trajectories[0][-1]
    errors = []
    for step in (0.1, 0.05, 0.025):
        last = simulate(scenario(dynamics=dynamics | {"layers": step})).trajectories[0][-1]
        errors.append(np.abs(last - exact).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (orders > 0.85).all() and (orders < 1.2).all()


@settings(max_examples=6)
@given(st.integers(0, 1000), st.sampled_from(["sa", "usa"]))
def test_energy_never_falls_where_v_is_b(seed, model):
    """arXiv 2312.10794: sum_ij w_i w_j e^{<Bx_i, x_j>} rises along SA and USA with V = B symmetric positive."""
    rng = np.random.default_rng(seed)
    a = rng.standard_normal((3, 3))
    B = (a @ a.T).tolist()
    x = simulate(scenario(dynamics={"model": model, "V": B, "B": B}, frames=20, horizon=1.0)).trajectories[0]
    energy = [np.exp(frame @ np.array(B) @ frame.T).mean() for frame in x]
    assert (np.diff(energy) >= -1e-7 * np.array(energy[1:])).all()


@settings(max_examples=8)
@given(st.integers(0, 1000), st.sampled_from(sorted(models())), st.booleans())
def test_turning_everything_turns_the_outcome(seed, model, causal):
    rng = np.random.default_rng(seed)
    V, B, W, U = rng.standard_normal((4, 3, 3))
    b, x, turn = rng.standard_normal(3), rng.standard_normal((6, 3)), np.linalg.qr(rng.standard_normal((3, 3)))[0]

    def last(turn: np.ndarray) -> np.ndarray:
        t = {"V": turn @ V @ turn.T, "B": turn @ B @ turn.T, "W": turn @ W, "U": U @ turn.T, "b": b}
        dynamics = {key: value.tolist() for key, value in t.items()} | {"model": model, "causal": causal}
        start = {"points": (x @ turn.T).tolist()}
        return simulate(scenario(initial=start, dynamics=dynamics, horizon=0.5)).trajectories[0][-1]

    if model == "hardmax":
        return  # its field jumps, and round-off decides when
    np.testing.assert_allclose(last(turn), last(np.eye(3)) @ turn.T, atol=1e-6)


def test_order_and_splitting_of_particles_do_not_matter():
    x = np.random.default_rng(0).standard_normal((6, 3))
    weights = np.array([1.0, 2, 3, 4, 5, 6])

    def last(points, weights):
        start = {"points": points.tolist(), "weights": weights.tolist()}
        return simulate(scenario(initial=start, dynamics={"beta": 3})).trajectories[0][-1]

    whole, order = last(x, weights), [3, 1, 5, 0, 4, 2]
    np.testing.assert_allclose(last(x[order], weights[order]), whole[order], atol=1e-7)
    halves = last(np.concatenate([x, x[:1]]), np.concatenate([[0.5], weights[1:], [0.5]]))
    np.testing.assert_allclose(halves[:6], whole, atol=1e-7)


def test_frames_between_steps_are_as_exact_as_steps():
    dense = simulate(scenario(dynamics={"beta": 4}, frames=101))
    for f in (13, 50, 77):
        single = simulate(scenario(dynamics={"beta": 4}, frames=2, horizon=float(dense.times[f])))
        np.testing.assert_allclose(dense.trajectories[0][f], single.trajectories[0][-1], atol=2e-8)
    coarse = simulate(scenario(dynamics={"beta": 4}, integrator="bs32"))
    np.testing.assert_allclose(coarse.trajectories[0][-1], dense.trajectories[0][-1], atol=1e-6)


def test_it_stops_by_itself_and_only_at_rest():
    found = simulate(scenario(horizon=1000.0, frames=11))
    assert 15 < found.record["equilibrium"] < 60
    assert np.ptp(found.trajectories[0][-1], axis=0).max() < 1e-7
    # Two clusters that hardly feel each other are not at rest: the pair above meets at time 803.
    pair = {"points": [[1, 0], [0.5, 0.75**0.5]]}
    slow = simulate(scenario(dimension=2, initial=pair, dynamics={"beta": 20}, horizon=400.0))
    assert slow.record["equilibrium"] is None


@pytest.mark.parametrize(
    "points", [[[0, 0, 1]], [[0, 0, 1], [0, 0, -1]], [[0, 0, 1], [0, 0, 1]]], ids=["one", "antipodes", "twins"]
)
def test_the_smallest_clouds_rest(points):
    for beta in (1, 1000):
        found = simulate(scenario(initial={"points": points}, dynamics={"beta": beta}))
        np.testing.assert_allclose(found.trajectories[0][-1], points, atol=1e-15)
        assert found.record["equilibrium"] is not None


def test_a_thousand_beta_is_finite_and_weightless_particles_follow():
    start = {"points": np.random.default_rng(1).standard_normal((40, 3)).tolist(), "weights": [0.0] * 20 + [1.0] * 20}
    for model in ("sa", "hardmax", "kuramoto"):
        found = simulate(scenario(initial=start, dynamics={"model": model, "beta": 1000}, horizon=0.5))
        assert found.record["finite"] and abs(found.record["mass"][0] - 1) < 1e-12


def test_measures_do_not_feel_each_other():
    one, two = {"generator": "uniform", "n": 20, "seed": 1}, {"generator": "uniform", "n": 30, "seed": 2}
    both = simulate(scenario(initial=[one, two], dynamics={"beta": 3}))
    alone = simulate(scenario(initial=two, dynamics={"beta": 3}))
    np.testing.assert_array_equal(both.trajectories[1], alone.trajectories[0])
    assert both.names == ("measure 1", "measure 2")


def test_common_noise_is_common_and_own_noise_is_not():
    start = {"points": [[0, 0, 1.0], [0, 0, 1.0]]}
    quiet = {"V": 0, "beta": 0}
    shared = simulate(scenario(initial=[start, start], dynamics=quiet | {"common_noise": 0.5}))
    np.testing.assert_array_equal(shared.trajectories[0], shared.trajectories[1])
    np.testing.assert_array_equal(shared.trajectories[0][:, 0], shared.trajectories[0][:, 1])
    own = simulate(scenario(initial=start, dynamics=quiet | {"noise": 0.5})).trajectories[0][-1]
    assert np.abs(own[0] - own[1]).max() > 1e-2
    other = simulate(scenario(initial=start, dynamics=quiet | {"noise": 0.5}, seed=1)).trajectories[0][-1]
    assert np.abs(own - other).max() > 1e-2


def test_brownian_motion_on_the_sphere_forgets_at_the_right_rate():
    """E[x(t)] = e^{-(d-1) sigma^2 t / 2} x(0): the Laplace-Beltrami eigenvalue of the coordinates."""
    start = {"points": [[0, 0, 1.0]] * 4000}
    found = simulate(scenario(initial=start, dynamics={"V": 0, "noise": 0.7}, horizon=1.0))
    assert found.trajectories[0][-1].mean(axis=0)[2] == pytest.approx(np.exp(-0.49), abs=0.02)


def test_a_run_survives_its_file(tmp_path):
    for placement in ("sphere", "peri-ln"):
        found = simulate(scenario(dynamics={"placement": placement}))
        found.save(tmp_path / "run.npz")
        again = Simulation.load(tmp_path / "run.npz")
        ours, theirs = found.arrays(), again.arrays()
        assert set(ours) == set(theirs)
        for key, value in ours.items():
            np.testing.assert_array_equal(value, theirs[key])
        assert again.display[0] == 0 and again.display[-1] == 1 and not again.segment.any()


def test_files_that_are_no_simulation_are_refused_by_name(tmp_path):
    good = simulate(scenario()).arrays()
    for change, sentence in (
        ({"scenario": None}, "holds no simulation"),
        ({"record": np.array("[]")}, "record is not an object"),
        ({"times": np.zeros(5)}, '"times" of the run must rise'),
        ({"trajectory_0": np.zeros((4, 30, 3))}, '"trajectory_0" of the run has shape (4, 30, 3)'),
        ({"weights_0": None}, 'the run lacks "weights_0": save it again with `simulate`'),
    ):
        np.savez(tmp_path / "bad.npz", **{k: v for k, v in (good | change).items() if v is not None})
        with pytest.raises(InputError) as caught:
            Simulation.load(tmp_path / "bad.npz")
        assert str(caught.value).startswith("bad.npz: ") and sentence in str(caught.value)


def test_progress_may_stop_it():
    seen = []

    def progress(sentence: str, fraction: float) -> None:
        seen.append(fraction)
        if len(seen) == 5:
            raise Cancelled

    with pytest.raises(Cancelled):
        simulate(scenario(), progress=progress)
    assert all(0 <= fraction <= 1 for fraction in seen)


def test_a_field_faster_than_any_step_is_told(monkeypatch):
    monkeypatch.setattr("mtm_viz.dynamics.evolve.MOST_STEPS", 20)
    with pytest.raises(InputError, match=r"20 steps reached only time .* of 50: lower beta or shorten the horizon"):
        simulate(scenario(dynamics={"beta": 9}, horizon=50.0))


def test_a_device_without_memory_hands_over_to_the_host(monkeypatch):
    class OutOfMemory(Exception):
        pass

    def host_only(array, backend):
        if backend == "cupy":
            raise OutOfMemory
        return array

    simulating = sys.modules["mtm_viz.simulate"]
    monkeypatch.setattr(simulating, "resolve", lambda _: "cupy")
    monkeypatch.setattr(simulating, "to_backend", host_only)
    monkeypatch.setattr(simulating, "memory_errors", lambda: (OutOfMemory,))
    found = simulate(scenario())
    assert found.record["backend"] == "numpy" and "too little memory" in found.record["notes"][0]


@pytest.fixture
def another_backend(monkeypatch):
    """A namespace that allows the array standard only, in the device's place; called when the host is done."""

    def elsewhere(array, backend):
        return array_api_strict.asarray(array) if backend == "cupy" else array

    def take() -> None:
        monkeypatch.setattr(sys.modules["mtm_viz.simulate"], "resolve", lambda _: "cupy")
        monkeypatch.setattr(sys.modules["mtm_viz.simulate"], "to_backend", elsewhere)

    return take


@pytest.mark.parametrize("model", models())
def test_another_backend_has_the_same_start_and_the_same_trajectories(another_backend, model):
    # Without a perceptron: at its kinks round-off decides which steps are taken, and each may be off by rtol.
    dynamics = {"model": model, "beta": 3, "V": "random-orthogonal"}
    given = scenario(dynamics=dynamics, initial={"generator": "uniform", "n": 60, "seed": 5}, seed=8)
    host = simulate(given, rtol=1e-7, backend="numpy")
    another_backend()
    there = simulate(given, rtol=1e-7)
    assert there.record["backend"] == "cupy" and not there.record["notes"]
    np.testing.assert_array_equal(there.trajectories[0][0], host.trajectories[0][0])
    np.testing.assert_allclose(there.trajectories[0], host.trajectories[0], atol=1e-7)


def test_another_backend_is_waited_for_once_a_step_and_twice_an_attention(another_backend, monkeypatch):
    """However many particles, frames and stages there are; each wait costs a device more than its arithmetic."""
    waits, strict = [], type(array_api_strict.ones(1))

    def told(name):
        kept = getattr(strict, name)
        return lambda array, *rest, **named: waits.append(name) or kept(array, *rest, **named)

    another_backend()
    given = scenario(initial={"generator": "uniform", "n": 1500}, dynamics={"beta": 4}, frames=30)
    for name in ("__bool__", "__float__", "__int__", "__array__", "__buffer__"):
        if hasattr(strict, name):
            monkeypatch.setattr(strict, name, told(name))
    record = simulate(given, rtol=1e-6).record
    assert record["attention"] == ["harmonic"]
    steps = record["integrator"]["steps"] + record["integrator"]["rejected"]
    evaluations = record["integrator"]["evaluations"] + 1  # one more, to tell which method it was
    # The film, and the first speed.
    assert 0 < len(waits) <= steps + 2 * evaluations + 2


def test_noise_is_the_same_on_another_backend(another_backend):
    given = scenario(dynamics={"beta": 3, "noise": 0.3, "common_noise": 0.2}, horizon=0.2, seed=8)
    host = simulate(given, backend="numpy")
    another_backend()
    np.testing.assert_allclose(simulate(given).trajectories[0], host.trajectories[0], atol=1e-8)


def test_the_command_line_reproduces_the_equiangular_time(tmp_path, capsys):
    equiangular(32, dynamics={"beta": 1}, horizon=5.0).save(tmp_path / "scenario.json")
    out = tmp_path / "run.npz"
    assert main(["simulate", str(tmp_path / "scenario.json"), "-o", str(out), "--backend", "numpy", "--seed", "3"]) == 0
    said = capsys.readouterr().out
    assert "32 particles" in said and f"wrote {out}" in said
    run = Simulation.load(out)
    assert run.trajectories[0][-1][0] @ run.trajectories[0][-1][1] == pytest.approx(0.99828425, abs=5e-9)
    assert run.scenario.seed == 3
    (tmp_path / "scenario.json").write_text("{}")
    assert main(["simulate", str(tmp_path / "scenario.json"), "-o", str(out)]) == 2
    assert "scenario.json: this is not a scenario" in capsys.readouterr().err


@pytest.mark.gpu
@pytest.mark.parametrize("model", models())
def test_a_device_gives_the_same_trajectories(model):
    given = scenario(
        dynamics={"model": model, "beta": 3, "W": "random-gaussian"}, initial={"generator": "uniform", "n": 500}
    )
    host, device = simulate(given, backend="numpy"), simulate(given, backend="cupy")
    np.testing.assert_array_equal(host.trajectories[0][0], device.trajectories[0][0])
    np.testing.assert_allclose(host.trajectories[0], device.trajectories[0], atol=1e-6)
