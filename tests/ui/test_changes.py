"""What changed between two scenarios, in words, and segments of a schedule as they are edited and described."""

import math

import numpy as np
import pytest

from mtm_viz import Run, Scenario
from mtm_viz.dynamics.stages import segments_said
from mtm_viz.errors import InputError
from mtm_viz.ui import segments
from mtm_viz.ui.changes import changes
from mtm_viz.ui.first_look import first_look, is_quick, thinned
from mtm_viz.ui.presets import FOLDER
from mtm_viz.ui.replaying import scenario_of, scenario_of_file

CLOUD = {"generator": "von_mises_fisher", "params": {"mean": [1, 0, 0], "kappa": 30}, "n": 40, "seed": 1}
WHOLE = {
    "format": "mtm-scenario",
    "version": 1,
    "dimension": 3,
    "initial": CLOUD,
    "dynamics": {"beta": 4},
    "horizon": 5.0,
}
WHOLE |= {"frames": 100, "integrator": "auto", "seed": 0}
C, S = math.cos(math.radians(30)), math.sin(math.radians(30))
TURN = [[C, -S, 0], [S, C, 0], [0, 0, 1]]


def law(**said):
    return WHOLE | {"dynamics": said}


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (WHOLE, []),
        (law(beta=9), ["β 4 → 9"]),
        (law(beta=4, V=TURN), ["V I → rotation by 30°"]),
        (law(beta=4, V=[[0.866, -0.5, 0], [0.5, 0.866, 0], [0, 0, 1]]), ["V I → rotation by 30°"]),
        (law(beta=4, V=[[-2, 0, 0], [0, -2, 0], [0, 0, -2]]), ["V I → -2 I"]),
        (law(beta=4, V=[[1, 2, 0], [0, 1, 0], [0, 0, 1]]), ["V I → [1 2 0; 0 1 0; 0 0 1]"]),
        (law(beta=4, model="usa", causal=True), ["model sa → usa", "causal mask on"]),
        (law(beta=4, noise=0.25, placement="pre-ln"), ["noise 0 → 0.25", "normalisation sphere → pre-ln"]),
        (law(beta=4, layers=0.1), ["layers' step none → 0.1"]),
        (law(heads=[{"beta": 4}, {"beta": 2, "V": "rotation"}]), ["heads 1 → 2"]),
        (law(heads=[{"beta": 7}]), ["head 1: β 4 → 7"]),
        (WHOLE | {"horizon": 8.0, "seed": 3}, ["horizon 5 → 8", "seed 0 → 3"]),
        (WHOLE | {"initial": CLOUD | {"n": 900, "seed": 2}}, ["start: n 40 → 900", "start: another sample"]),
        (WHOLE | {"initial": CLOUD | {"params": {"mean": [0, 1, 0], "kappa": 30}}}, ["start: mean [1 0 0] → [0 1 0]"]),
        (WHOLE | {"initial": {"generator": "uniform", "n": 40}}, ["start: von Mises-Fisher cloud → Uniform"]),
        (WHOLE | {"initial": [CLOUD, CLOUD]}, ["1 measure → 2"]),
    ],
)  # fmt: skip
def test_each_change_is_said_with_both_its_values(after, said):
    assert changes(WHOLE, after) == said


def test_edits_of_a_schedule_are_said_by_segment():
    before = [{"duration": k + 1.0, "V": [[1, 0, 0], [0, 2, 0], [0, 0, 3]]} for k in range(6)]

    def said(after):
        return changes(WHOLE | {"schedule": before}, WHOLE | {"schedule": after})

    double = segments.scaled(before[2]["V"], "V", 2.0, 3, 0)
    assert said(segments.changed(before, 2, V=double)) == ["segment 3: V times 2"]
    assert said(segments.changed(before, 2, duration=0.5, V="zero")) == [
        "segment 3: lasts 3 → 0.5, V [1 0 0; 0 2 0; 0 0 3] → 0"
    ]
    assert said(segments.without(before, 4)) == ["segment 5 taken away"]
    assert said(segments.duplicated(before, 3)) == ["segment 4 twice"]
    assert said(segments.moved(before, 1, 3)) == ["segments 2 to 4 in another order"]
    assert said([one | {"V": "zero"} for one in before]) == ["6 segments, from segment 1 on"]
    assert changes(WHOLE, WHOLE | {"schedule": before}) == ["a schedule of 6 segments"]


def test_a_part_of_a_segment_is_its_own_or_the_whole_scenarios():
    whole, own = {"beta": 4, "V": "rotation"}, {"duration": 1, "W": "identity"}
    assert [segments.part(whole, own, name) for name in ("V", "beta", "B", "W", "U")] == [
        "rotation",
        4,
        "identity",
        "identity",
        None,
    ]
    assert segments.scaled(4, "beta", 0.5, 3, 0) == 2
    with pytest.raises(InputError, match='"V"'):
        segments.scaled("sideways", "V", 2.0, 3, 0)


@pytest.fixture(scope="module")
def solved() -> Run:
    return Run.load(FOLDER / "runs" / "shared-atoms.npz")


def test_a_solved_schedule_is_described_segment_by_segment(solved):
    scenario = Scenario.from_json(scenario_of(solved))
    kinds = [segments.kind(stage) for stage in scenario.stages]
    assert (
        sum(kind.endswith(("gate", "gates")) for kind in kinds) > 150
        and kinds[0] == "attention + drift"
        and kinds[-1] == "rotation"
    )
    assert "cap of" in segments.in_words(scenario.stages[1]) and "°" in segments.in_words(scenario.stages[-1])
    assert not is_quick(scenario)


def test_a_schedule_of_gates_with_caps_apart_is_looked_at_by_closed_forms():
    solved = Run.load(FOLDER / "runs" / "a-measure.npz")
    look = first_look(Scenario.from_json(scenario_of(solved)), lambda *_: None)
    assert look.record["integrator"]["method"] == "closed forms"
    for mine, theirs in zip(look.trajectories, solved.trajectories, strict=True):
        np.testing.assert_allclose(mine[-1], theirs[-1], atol=1e-6)


def test_a_file_of_a_run_or_of_a_schedule_becomes_its_replay(solved, tmp_path):
    solved.save(tmp_path / "run.npz")
    whole = scenario_of_file((tmp_path / "run.npz").read_bytes(), "run.npz", None, 0)
    assert whole == scenario_of(solved)
    from mtm_viz.dynamics.schedule_file import save_schedule

    for name in ("schedule.json", "schedule.npz"):
        save_schedule(solved.schedule, tmp_path / name)
        bare = scenario_of_file((tmp_path / name).read_bytes(), name, CLOUD, 3)
        assert bare["schedule"] == segments_said(solved.schedule) and bare["initial"] == CLOUD
        with pytest.raises(InputError, match="the schedule is for dimension 3 and the measures at hand for 4"):
            scenario_of_file((tmp_path / name).read_bytes(), name, CLOUD, 4)


@pytest.mark.parametrize("changed", [{}, {"causal": True}, {"noise": 0.2}, {"model": "hardmax"}])
def test_a_first_look_is_of_the_same_particles(changed):
    said = WHOLE | {"initial": {"generator": "uniform", "n": 600}, "dynamics": {"beta": 4} | changed, "frames": 161}
    scenario = Scenario.from_json(said)
    assert not is_quick(scenario)
    look = first_look(scenario, lambda *_: None)
    start, every = look.trajectories[0][0], {tuple(x) for x in scenario.measures[0].points.tolist()}
    assert {tuple(x) for x in start.tolist()} <= every and len(start) == (200 if changed else 600)
    assert len(look.times) == 60 and look.times[-1] == 5.0
    few = thinned(look)
    assert few.trajectories[0].shape == (60, 120, 3) and few.weights[0].sum() == pytest.approx(1.0)
