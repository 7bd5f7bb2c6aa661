import json
from pathlib import Path

import numpy as np
import pytest

from mtm_viz.errors import Refusal
from mtm_viz.interpolate import predict
from mtm_viz.problem import Problem
from mtm_viz.ui.draft import Draft
from mtm_viz.ui.remedies import remedy

CASES = Path(__file__).parents[1] / "cases"


def opened(name):
    said = json.loads((CASES / name).read_text())
    return Draft.from_json(said), Problem.from_json(said)


def refused(problem):
    try:
        predict(problem)
    except Refusal:
        return True
    return False


@pytest.mark.parametrize("name", sorted(path.name for path in CASES.glob("*.json")))
def test_what_is_refused_is_lifted_with_one_click(name):
    draft, problem = opened(name)
    if not refused(problem):
        return
    found = remedy(draft, problem)
    assert found is not None
    changed = found.apply()
    assert not refused(Problem.from_json(changed.to_json()))
    # The pairs keep their widgets.
    assert [pair.uid for pair in changed.pairs] == [pair.uid for pair in draft.pairs]


@pytest.mark.parametrize("name", ["p09_impossible_same_input.json", "p12_circle.json"])
def test_the_impossible_is_refused(name):
    assert refused(opened(name)[1])


@pytest.mark.parametrize(
    "name", ["p13_unequal_weights.json", "p15_same_target.json", "p16_fewer_particles_than_targets.json"]
)
def test_any_weights_counts_and_shared_targets_need_no_remedy(name):
    draft, problem = opened(name)
    assert remedy(draft, problem) is None
    assert not refused(problem)


def test_a_random_input_gets_another_seed_and_stays_a_generator():
    cloud = {"generator": "cap", "params": {"radius_deg": 20}, "n": 9, "seed": 4}
    rings = [
        {"generator": "ring", "params": {"center": c, "radius_deg": 9}, "n": 9, "seed": 0}
        for c in ([1, 0, 0], [0, 1, 0])
    ]
    pairs = [{"name": str(k), "input": dict(cloud), "target": ring} for k, ring in enumerate(rings)]
    said = {"format": "mtm-problem", "version": 1, "dimension": 3, "pairs": pairs}
    draft = Draft.from_json(said)
    found = remedy(draft, Problem.from_json(said))
    assert found is not None
    changed = found.apply()
    assert changed.pairs[1].input == cloud | {"seed": 5}
    assert changed.pairs[0] == draft.pairs[0]


def test_the_circle_becomes_the_equator():
    draft, problem = opened("p12_circle.json")
    found = remedy(draft, problem)
    assert found is not None
    lifted = Problem.from_json(found.apply().to_json())
    assert lifted.dimension == 3
    np.testing.assert_array_equal(lifted.inputs[0].points[:, :2], problem.inputs[0].points)


def test_a_solvable_problem_needs_no_remedy():
    assert remedy(*opened("p01_three_clouds_to_rings.json")) is None
