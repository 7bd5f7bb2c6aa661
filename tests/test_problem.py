from __future__ import annotations

import copy
import json
from pathlib import Path

import numpy as np
import pytest

from mtm_viz.errors import InputError
from mtm_viz.problem import Problem

CASES = Path(__file__).parent / "cases"
GOOD = {
    "format": "mtm-problem",
    "version": 1,
    "dimension": 3,
    "pairs": [{"name": "a", "input": {"generator": "cap", "n": 5}, "target": {"points": [[1, 0, 0]]}}],
}


def changed(**entries) -> dict:
    return copy.deepcopy(GOOD) | entries


def with_pair(**entries) -> dict:
    return changed(pairs=[GOOD["pairs"][0] | entries])


@pytest.mark.parametrize("path", sorted(CASES.glob("p*.json")), ids=lambda path: path.stem)
def test_every_case_is_read_and_survives_json(path):
    problem = Problem.load(path)
    again = Problem.from_json(json.loads(json.dumps(problem.to_json())))
    assert [pair.name for pair in again.pairs] == [pair.name for pair in problem.pairs]
    for side in ("inputs", "targets"):
        for one, other in zip(getattr(problem, side), getattr(again, side), strict=True):
            np.testing.assert_array_equal(one.points, other.points)
            np.testing.assert_array_equal(one.weights, other.weights)
            assert one.dimension == problem.dimension


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ([], 'it needs "format": "mtm-problem"'),
        (changed(format="mtm-schedule"), 'it needs "format": "mtm-problem"'),
        (changed(version=2), "problem version 2 is not known"),
        (changed(version=None), "problem version None is not known"),
        (changed(dimension=1), '"dimension" is 1: give a whole number from 2 to 64'),
        (changed(dimension=3.0), '"dimension" is 3.0'),
        (changed(dimension=True), '"dimension" is True'),
        (changed(dimension=10**9), '"dimension" is 1000000000'),
        (changed(pairs=[]), '"pairs" must be a list of 1 to 64 pairs'),
        (changed(pairs={}), '"pairs" must be a list of 1 to 64 pairs'),
        (changed(pairs=GOOD["pairs"] * 65), '"pairs" must be a list of 1 to 64 pairs'),
        (changed(pairs=["a"]), 'pair 1 needs an "input" and a "target"'),
        (changed(pairs=[GOOD["pairs"][0], {"input": {}}]), 'pair 2 needs an "input" and a "target"'),
        (with_pair(name=7), "the name of pair 1 must be text"),
        (with_pair(name="x" * 201), "the name of pair 1 must be text"),
        (with_pair(input={}), 'pair 1 ("a"), input must have exactly one of'),
        (with_pair(target={"points": [[0, 0, 0]]}), 'pair 1 ("a"), target: point 1 is the zero vector'),
        (with_pair(target={"points": [[1, 0]]}), 'pair 1 ("a"), target: points have 2 coordinates'),
        (with_pair(input={"generator": "blob"}), 'pair 1 ("a"), input: generator "blob" is unknown'),
        (
            with_pair(input={"generator": "cap", "params": {"radius_deg": -3}}),
            'pair 1 ("a"), input: generator "cap": "radius_deg" is -3: give a number from 0.01 to 180',
        ),
        (with_pair(input={"file": "cloud.json"}), 'pair 1 ("a"), input: "file" measures'),
    ],
)
def test_a_malformed_problem_gives_its_sentence(said, sentence):
    with pytest.raises(InputError) as caught:
        Problem.from_json(said)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_pair_without_a_name_is_numbered():
    said = copy.deepcopy(GOOD)
    del said["pairs"][0]["name"]
    assert Problem.from_json(said).pairs[0].name == "pair 1"


def test_loading_names_the_file_and_finds_measures_beside_it(tmp_path):
    path = tmp_path / "problem.json"
    path.write_text(json.dumps(with_pair(target={"file": "ring.json"})))
    with pytest.raises(InputError, match=r'^problem\.json: pair 1 \("a"\), target: file "ring\.json" does not exist'):
        Problem.load(path)
    (tmp_path / "ring.json").write_text("[[0, 1, 0]]")
    np.testing.assert_array_equal(Problem.load(path).targets[0].points, [[0, 1, 0]])


def test_saving_and_loading_is_exact(tmp_path):
    problem = Problem.from_json(GOOD)
    problem.save(tmp_path / "saved.json")
    assert Problem.load(tmp_path / "saved.json").to_json() == problem.to_json()
