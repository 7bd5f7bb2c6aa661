"""What holds of every simulation: models, frames, rest, noise, files, refusals, backends."""

from __future__ import annotations

import sys

import array_api_strict
import numpy as np
import pytest

from mtm_viz import Scenario, Simulation, simulate
from mtm_viz.cli import main
from mtm_viz.dynamics.law import PLACEMENTS
from mtm_viz.dynamics.models import models
from mtm_viz.errors import Cancelled, InputError


def scenario(**said) -> Scenario:
    whole = {"format": "mtm-scenario", "version": 1, "dimension": 3, "frames": 5, "horizon": 2.0}
    return Scenario.from_json(whole | {"initial": {"generator": "uniform", "n": 30}} | said)


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
    # Without any normalisation the sum of exponentials grows to infinity in a finite time, see below.
    for layers in (None, 0.1) if (model, placement) != ("usa", "none") else ():
        found = simulate(scenario(dynamics=dynamics | {"layers": layers}, initial={"generator": "uniform", "n": 8}))
        assert found.record["finite"] and found.record["largest_distance_from_sphere"] <= 1e-14
        assert np.abs(found.trajectories[0][-1] - found.trajectories[0][0]).max() > 1e-3


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


def test_particles_that_run_away_in_finite_time_are_told():
    """In R^d, USA has x' = e^{beta |x|^2} x for one particle: it is at infinity before time 1/2."""
    start = {"points": [[0.0, 0.0, 1.0]]}
    with pytest.raises(InputError, match=r"particles run away at time 0\.\d+, faster than any step: lower beta"):
        simulate(scenario(initial=start, dynamics={"model": "usa", "beta": 1, "placement": "none"}))
    # Layers take them beyond the range of numbers, or to the origin.
    for law in ({"model": "usa", "beta": 5, "layers": 0.5}, {"V": 0, "residual": -1, "layers": 1}):
        with (
            pytest.raises(InputError, match="out of the range of numbers, or into the origin"),
            np.errstate(all="ignore"),
        ):
            simulate(scenario(initial=start, dynamics=law | {"placement": "none"}))


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


def test_the_command_line_names_the_file_that_is_no_scenario(tmp_path, capsys):
    (tmp_path / "scenario.json").write_text("{}")
    assert main(["simulate", str(tmp_path / "scenario.json"), "-o", str(tmp_path / "run.npz")]) == 2
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
