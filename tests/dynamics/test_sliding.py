"""Fields that jump: particles slide along the jump, at a cost that does not depend on how often they cross it."""

from __future__ import annotations

import numpy as np
import pytest

from mtm_viz import Scenario, simulate
from mtm_viz.dynamics.evolve import sliding, stepped_frames


def slid(field, start, horizon: float, step: float):
    kept = []
    journey = stepped_frames(
        sliding(field, step, on_sphere=False, rtol=1e-9),
        np.array([start]),
        step,
        np.linspace(0, horizon, 11),
        lambda _, x: kept.append(x[0].copy()),
    )
    return np.array(kept), journey


def two_sides(x: np.ndarray) -> np.ndarray:
    """(1, -2) above the axis and (0, 1) below it: on it, a third of the one and two thirds of the other."""
    return np.where(x[:, 1:] > 0, [[1.0, -2.0]], [[0.0, 1.0]])


def test_it_slides_as_filippov_says_and_to_first_order_in_the_step():
    """The mean of both sides that stays on the axis moves along it at speed 1/3; from height 0.4 it is met at time 0.2."""
    errors = []
    for step in (0.02, 0.01, 0.005):
        found, _ = slid(two_sides, [0.0, 0.4], 2.0, step)
        expected = np.minimum(np.linspace(0, 2, 11), 0.2) + np.maximum(np.linspace(0, 2, 11) - 0.2, 0) / 3
        errors.append(np.abs(found[:, 0] - expected).max())
        assert np.abs(found[2:, 1]).max() < 3 * step
    assert errors[0] < 0.02 and errors[2] < 0.3 * errors[0] + 1e-12


def test_where_nothing_jumps_it_is_of_second_order():
    def turning(x: np.ndarray) -> np.ndarray:
        return x[:, ::-1] * [[-1.0, 1.0]]

    errors = [np.abs(slid(turning, [1.0, 0.0], 1.0, h)[0][-1] - [np.cos(1), np.sin(1)]).max() for h in (0.02, 0.01)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)


def test_it_rests_where_it_has_stopped():
    found, journey = slid(lambda x: -x, [1.0, 1.0], 100.0, 0.05)
    assert journey.rest is not None and 15 < journey.rest < 30
    assert np.abs(found[-1]).max() < 1e-7 and journey.steps < 700


def hardmax(V, B, n: int = 50, **said):
    whole = {"format": "mtm-scenario", "version": 1, "dimension": 3, "frames": 41, "horizon": 10.0}
    whole |= {"initial": {"generator": "uniform", "n": n}, "dynamics": {"model": "hardmax", "V": V, "B": B}}
    return simulate(Scenario.from_json(whole | said), backend="numpy", rtol=1e-6)


@pytest.mark.parametrize("B", ["random-symmetric", "random-gaussian", "rotation", "line"])
@pytest.mark.parametrize("V", ["identity", "random-orthogonal", "rotation"])
def test_hardmax_ends_whatever_its_matrices(V, B):
    """With an estimate of the error most of these runs had not passed a sixth of the horizon after six seconds."""
    record = hardmax(V, B).record
    assert record["integrator"]["method"] == "Heun, fixed steps" and record["integrator"]["rejected"] == 0
    assert record["integrator"]["steps"] <= 1.1 * 10.0 / 0.01 + 100 and record["finite"]


def test_a_smaller_step_gives_the_same_hardmax_to_first_order():
    given = {"V": "identity", "B": "random-symmetric", "n": 12, "horizon": 2.0}
    coarse = hardmax(**given)
    fine = simulate(coarse.scenario, backend="numpy", rtol=1e-9)
    assert fine.record["integrator"]["shortest_step"] < 0.3 * coarse.record["integrator"]["shortest_step"]
    assert np.abs(fine.trajectories[0] - coarse.trajectories[0]).max() < 0.03


def test_hardmax_layers_are_still_layers():
    assert (
        hardmax("identity", "line", dynamics={"model": "hardmax", "layers": 0.1}).record["integrator"]["method"]
        == "layers"
    )
