"""Scenarios whose parameters change with layer time: what they mean, what they keep and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mtm_viz import Run, Scenario, Simulation, simulate
from mtm_viz.cli import main
from mtm_viz.dynamics.stages import segments_said
from mtm_viz.errors import InputError
from mtm_viz.rendering.payload import decode, encode

RUNS = Path(__file__).parents[1] / "assets" / "presets" / "runs"
CLOUD = {"generator": "uniform", "n": 20, "seed": 3}
GATE = {"duration": 1.5, "V": "zero", "W": [[0], [2], [0]], "U": [[1, 0, 0]], "b": [-0.5], "phase": "match"}


def said(*segments, **changes) -> dict:
    whole = {"format": "mtm-scenario", "version": 1, "dimension": 3, "initial": CLOUD, "frames": 21}
    return whole | {"dynamics": {}, "schedule": list(segments)} | changes


def run(*segments, **changes) -> Simulation:
    return simulate(Scenario.from_json(said(*segments, **changes)), backend="numpy")


def test_the_same_law_in_every_segment_is_one_law():
    parts = run({"duration": 0.5}, {"duration": 1.25}, {"duration": 0.25}, dynamics={"beta": 3})
    whole = simulate(Scenario.from_json(said(dynamics={"beta": 3}, horizon=2.0) | {"schedule": None}), backend="numpy")
    assert parts.scenario.horizon == 2.0 and parts.times[-1] == 2.0
    np.testing.assert_allclose(parts.trajectories[0][-1], whole.trajectories[0][-1], atol=1e-7)


def test_every_boundary_is_a_frame_and_each_segment_has_its_share():
    found = run({"duration": 0.1}, {"duration": 3, "phase": "wait", "V": "zero"}, {"duration": 0.4})
    for boundary, ends in ((0.1, 0), (3.1, 1), (3.5, 2)):
        frame = int(np.argmin(np.abs(found.times - boundary)))
        assert abs(found.times[frame] - boundary) < 1e-12 and found.segment[frame] == ends
    assert (np.diff(found.times) > 0).all() and (np.diff(found.display) > 0).all()
    assert (found.display[0], found.display[-1]) == (0.0, 1.0)
    still = found.trajectories[0][found.segment == 1]
    np.testing.assert_array_equal(still, np.broadcast_to(still[0], still.shape))


def test_a_segment_and_its_inverse_bring_everybody_back():
    there = {"duration": 0.7, "V": [[0, -1, 0], [1, 0.2, 0], [0, 0, 1]], "beta": 2}
    back = there | {"V": [[0, 1, 0], [-1, -0.2, 0], [0, 0, -1]]}
    shut = GATE | {"W": [[0], [-2], [0]]}
    found = run(there, GATE, shut, back)
    np.testing.assert_allclose(found.trajectories[0][-1], found.trajectories[0][0], atol=1e-7)


def test_a_gate_moves_what_is_inside_its_cap_and_nothing_else():
    found = run(GATE)
    start, end = found.trajectories[0][0], found.trajectories[0][-1]
    inside = start[:, 0] > 0.5
    assert 0 < inside.sum() < len(inside)
    np.testing.assert_array_equal(start[~inside], end[~inside])
    assert (end[inside, 1] > start[inside, 1]).all()


def test_a_segment_may_change_anything_of_the_law():
    calm, storm = {"duration": 1, "V": "zero"}, {"duration": 1, "V": "zero", "noise": 0.5}
    found = run(calm, storm, calm)
    x, segment = found.trajectories[0], found.segment
    assert np.array_equal(x[0], x[segment == 0][-1]) and np.array_equal(x[segment == 1][-1], x[-1])
    assert not np.allclose(x[0], x[-1], atol=0.05)
    heads = run(
        {"duration": 1, "heads": [{"beta": 2}, {"beta": 5, "V": "rotation"}]}, {"duration": 1}, dynamics={"beta": 7}
    )
    assert [len(stage.law.heads) for stage in heads.scenario.stages] == [2, 1]


def test_layers_divide_every_segment_evenly():
    found = run({"duration": 1}, {"duration": 0.55}, dynamics={"layers": 0.2, "beta": 2})
    assert [stage.law.layers for stage in found.scenario.stages] == pytest.approx([0.2, 0.55 / 3])
    assert found.record["integrator"]["steps"] == 5 + 3


def test_a_solved_schedule_carries_every_atom_where_its_own_run_did():
    solved = Run.load(RUNS / "shared-atoms.npz")
    scenario = said(*segments_said(solved.schedule), initial=[pair.input.to_json() for pair in solved.problem.pairs])
    found = simulate(Scenario.from_json(scenario), backend="numpy", rtol=1e-6)
    for mine, theirs in zip(found.trajectories, solved.trajectories, strict=True):
        np.testing.assert_allclose(mine[-1], theirs[-1], atol=1e-3)
    header, arrays = decode(encode(found))
    assert [phase["name"] for phase in header["phases"]][1] == "match"
    assert len(arrays["duration"]) == len(solved.schedule) and "matrices" not in header["hides"]


def test_the_command_line_gives_a_schedule_the_same_meaning(tmp_path, capsys):
    scenario = Scenario.from_json(said({"duration": 0.5, "beta": 4}, GATE, {"duration": 1, "V": "minus-identity"}))
    scenario.save(tmp_path / "scenario.json")
    assert (
        main(["simulate", str(tmp_path / "scenario.json"), "-o", str(tmp_path / "run.npz"), "--backend", "numpy"]) == 0
    )
    found, here = Simulation.load(tmp_path / "run.npz"), simulate(scenario, backend="numpy")
    np.testing.assert_array_equal(found.trajectories[0], here.trajectories[0])
    np.testing.assert_array_equal(found.segment, here.segment)
    np.testing.assert_array_equal(found.display, here.display)
    assert found.scenario.to_json() == scenario.to_json() == json.loads((tmp_path / "scenario.json").read_text())
    assert main(["export", str(tmp_path / "run.npz"), "-o", str(tmp_path / "still.png"), "--size", "160x120"]) == 0


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"schedule": []}, '"schedule" must be a list of 1 to 10000 segments'),
        ({"schedule": {"duration": 1}}, '"schedule" must be a list'),
        ({"schedule": [{"duration": 1}, 3]}, "segment 2 must be an object"),
        ({"schedule": [{"duration": 1}, {}]}, 'segment 2: "duration" is None: give a number'),
        ({"schedule": [{"duration": 0}]}, 'segment 1: "duration" is 0: give a number from 1e-12'),
        ({"schedule": [{"duration": 1e5}, {"duration": 1}]}, "lasts 100001 in all"),
        ({"schedule": [{"duration": 1, "placement": "pre-ln"}]}, 'segment 1: "placement" is not known in a segment'),
        ({"schedule": [{"duration": 1, "V": [[1]]}]}, 'segment 1: "V" is 1 x 1 and must be 3 x 3'),
        ({"schedule": [{"duration": 1, "V": 2e6}]}, 'segment 1: "V" holds a number beyond 1e+06'),
        ({"schedule": [{"duration": 1, "phase": 4}]}, 'segment 1: "phase" must be a word'),
        ({"schedule": [{"duration": 1}], "horizon": 2}, '"horizon" stands beside "schedule"'),
        ({"schedule": [{"duration": 1}], "dynamics": 3}, '"dynamics" must be an object'),
        ({"schedule": [{"duration": 1, "noise": 1}], "dynamics": {"layers": 0.1}}, 'segment 1: "noise" moves particles'),
        ({"schedule": [{"duration": 1}] * 2000, "dynamics": {"layers": 1e-3}}, '"layers" 0.001 makes more than'),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_segment(changes, sentence):
    with pytest.raises(InputError) as found:
        Scenario.from_json(said() | changes)
    assert sentence in str(found.value)
