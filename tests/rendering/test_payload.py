"""The payload carries a run to the player and back, small enough to be served."""

import numpy as np
import pytest

from benchmarks.player import flowing_run
from mtm_viz import Scenario, simulate
from mtm_viz.rendering.payload import STEP, decode, encode, optimal_assignment
from tests.rendering.synthetic import synthetic_run


@pytest.mark.parametrize("dimension", [3, 4, 5])
def test_round_trip(dimension):
    run = synthetic_run(n=10, pairs=2, dimension=dimension)
    header, arrays = decode(encode(run))
    assert header["dimension"] == dimension and header["names"] == list(run.names)
    for i, trajectory in enumerate(run.trajectories):
        assert np.abs(arrays[f"trajectory_{i}"] / STEP - trajectory).max() <= 0.5 / STEP + 1e-12
        assert np.abs(arrays[f"target_{i}"] / STEP - run.targets[i]).max() <= 0.5 / STEP + 1e-12
        assert np.allclose(arrays[f"w2_{i}"], run.w2[i], rtol=1e-6)
    assert np.array_equal(arrays["times"], run.times) and np.array_equal(arrays["display"], run.display)
    for name in "VBWUb":
        assert np.allclose(arrays[name], [getattr(s, name) for s in run.schedule], rtol=1e-6)


def test_phases_carry_what_they_do_and_their_claim():
    header, _ = decode(encode(synthetic_run(n=4, pairs=2)))
    phases = header["phases"]
    assert [p["name"] for p in phases] == [
        "gather",
        "rotate",
        "disentangle",
        "match",
        "undo-disentangle",
        "undo-gather",
    ]
    assert phases[3]["first"] == 3 and phases[3]["last"] == 10
    assert phases[3]["certificate"]["claim"] == "each atom is where it belongs"
    assert "certificate" not in phases[0]
    assert all(phase["says"] for phase in phases)


def test_an_empty_certificate_and_numbers_that_are_not_finite_are_borne():
    run = synthetic_run(n=3, pairs=1)
    run.certificate.clear()
    run.certificate["condition"] = float("nan")
    header, _ = decode(encode(run))
    assert header["numbers"]["switches"] == run.schedule.switches and header["numbers"]["condition"] is None


@pytest.mark.parametrize(("atoms", "most"), [(2_000, 2_000_000), (10_000, 8_000_000)])
def test_a_film_in_which_everything_moves_is_small(atoms, most):
    assert len(encode(flowing_run(atoms))) < most


def test_a_long_match_costs_what_moves():
    run = synthetic_run(n=100, pairs=3)
    dense = sum(t.size for t in run.trajectories) * 2
    assert len(encode(run)) < dense / 4


def test_the_assignment_is_the_cheapest_and_only_offered_where_there_is_one():
    rng = np.random.default_rng(1)
    x = rng.standard_normal((30, 3))
    x /= np.linalg.norm(x, axis=1)[:, None]
    order = rng.permutation(30)
    a = np.full(30, 1 / 30)
    plan = optimal_assignment(x, a, x[order], a)
    assert plan is not None and np.array_equal(order[plan], np.arange(30))
    assert optimal_assignment(x, a, x[:10], a[:10]) is None
    assert optimal_assignment(x, np.linspace(1, 2, 30), x, a) is None


def test_other_bytes_are_refused():
    with pytest.raises(ValueError, match="MTM1"):
        decode(b"PK\x03\x04 not a payload")


@pytest.mark.parametrize(("model", "dimension", "hidden"), [("sa", 2, False), ("sa", 4, False), ("usa", 3, True)])
def test_a_simulation_is_played_by_the_same_player(model, dimension, hidden):
    said = {"format": "mtm-scenario", "version": 1, "dimension": dimension, "horizon": 2, "frames": 9}
    said |= {"initial": {"generator": "uniform", "n": 12}, "dynamics": {"model": model, "beta": 2}}
    simulation = simulate(Scenario.from_json(said))
    header, arrays = decode(encode(simulation))
    assert header["kind"] == "simulation" and header["numbers"] == {}
    assert ("matrices" in header["hides"]) is hidden
    assert np.abs(arrays["trajectory_0"] / STEP - simulation.trajectories[0]).max() <= 0.5 / STEP + 1e-7
    assert arrays["V"].shape == (len(header["phases"]), dimension, dimension) and bool(arrays["V"].any()) is not hidden
    assert arrays["times"][-1] == 2 and "w2_0" not in arrays and "target_0" not in arrays


def test_plateaus_of_a_simulation_are_bands_of_its_timeline():
    angles = np.deg2rad(np.repeat([0.0, 40.0, 120.0], 3)) + np.tile([-0.01, 0, 0.01], 3)
    said = {
        "format": "mtm-scenario",
        "version": 1,
        "dimension": 2,
        "horizon": 400,
        "frames": 81,
        "dynamics": {"beta": 30},
    }
    said |= {"initial": {"points": np.c_[np.cos(angles), np.sin(angles)].tolist()}}
    simulation = simulate(Scenario.from_json(said))
    header, arrays = decode(encode(simulation))
    names = [phase["name"] for phase in header["phases"]]
    assert names[0] == "3 clusters" and "2 clusters" in names and "Softmax (SA)" in names
    assert [phase["first"] for phase in header["phases"]] == list(range(len(names)))
    ends = np.cumsum(arrays["duration"])
    assert ends[-1] == pytest.approx(400.0)
    assert np.isclose(simulation.times[:, None], ends).any(axis=0).all(), "every boundary is a frame"
    assert ends[0] == pytest.approx(simulation.times[simulation.plateaus[0].last])
    assert all(phase.get("like") == "cluster" for phase in header["phases"] if "clusters" in phase["name"])
