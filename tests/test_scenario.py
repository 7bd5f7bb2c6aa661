"""Scenario files: what is read, what is refused and in which words."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from mtm_viz import Scenario
from mtm_viz.dynamics.law_file import DEFAULTS, read_law
from mtm_viz.dynamics.matrices import NAMED, read_matrix
from mtm_viz.dynamics.models import models
from mtm_viz.errors import InputError

CLOUD = {"generator": "uniform", "n": 7, "seed": 3}


def said(**changes) -> dict:
    whole = {
        "format": "mtm-scenario",
        "version": 1,
        "dimension": 3,
        "initial": CLOUD,
        "dynamics": {"beta": 5},
    } | changes
    return {key: value for key, value in whole.items() if value is not ...}


def test_a_scenario_survives_a_file(tmp_path):
    scenario = Scenario.from_json(said(initial=[CLOUD, {"points": [[0, 0, 1]]}], horizon=3, frames=5, seed=8))
    scenario.save(tmp_path / "scenario.json")
    again = Scenario.load(tmp_path / "scenario.json")
    assert again.to_json() == scenario.to_json()
    assert again.names == ("measure 1", "measure 2") and [len(m) for m in again.measures] == [7, 1]
    np.testing.assert_array_equal(again.law.heads[0].B, 5 * np.eye(3))


def test_what_is_left_out_has_a_default():
    scenario = Scenario.from_json(said(dynamics=...))
    assert (scenario.horizon, scenario.frames, scenario.integrator, scenario.seed) == (20.0, 200, "auto", 0)
    law = scenario.law
    assert type(law.model) is models()["sa"] and law.W is None and law.layers is None and law.placement == "sphere"
    np.testing.assert_array_equal(law.heads[0].V, np.eye(3))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": "mtm-problem"}, 'needs "format": "mtm-scenario"'),
        ({"version": 2}, "scenario version 2 is not known"),
        ({"dimension": 1}, '"dimension" is 1: give a whole number from 2 to 64'),
        ({"dimension": ...}, '"dimension" is None'),
        ({"initial": ...}, 'the initial measure must be an object with "points", "generator" or "file"'),
        ({"initial": []}, "a list of 1 to 16 measures"),
        ({"initial": {"generator": "uniform", "n": 10**7}}, '"n" is 10000000: give a whole number from 1 to'),
        ({"initial": {"points": [[0, 1]]}}, "points have 2 coordinates"),
        ({"horizon": 1e9}, '"horizon" is 1000000000.0: give a number from 1e-06 to 100000'),
        ({"horizon": math.nan}, '"horizon" is nan'),
        ({"horizon": True}, '"horizon" is True'),
        ({"frames": 1}, '"frames" is 1: give a whole number from 2 to 10000'),
        ({"integrator": "leapfrog"}, "\"integrator\" is 'leapfrog': use one of auto"),
        ({"seed": -1}, '"seed" is -1'),
        ({"wind": 3}, '"wind" is not known in a scenario'),
        ({"initial": {"generator": "uniform", "n": 100_000}, "frames": 5000}, "give at most 800 frames"),
        ({"dynamics": []}, '"dynamics" must be an object'),
        ({"dynamics": {"gamma": 1}}, '"gamma" is not known in "dynamics": use model, beta'),
        ({"dynamics": {"model": "mean"}}, '"model" is "mean": use one of hardmax'),
        ({"dynamics": {"model": 3}}, '"model" must be a name'),
        ({"dynamics": {"beta": math.nan}}, '"beta" is nan: give a number from -10000 to 10000'),
        ({"dynamics": {"beta": 1e5}}, '"beta" is 100000.0'),
        ({"dynamics": {"beta": 10**400}}, '"beta" is 1000'),
        ({"dynamics": {"beta": 60, "model": "usa"}}, '"beta" makes |B| = 60, and model "usa" moves too fast beyond 50'),
        ({"dynamics": {"V": [[1, 2], [3, 4]]}}, '"V" is 2 x 2 and must be 3 x 3'),
        ({"dynamics": {"V": [[1, 2, 3], [4, 5]]}}, '"V" holds something that is not a number'),
        ({"dynamics": {"B": [[1, 0, 0], [0, math.inf, 0], [0, 0, 1]]}}, '"B" holds a number that is not finite'),
        ({"dynamics": {"B": 1e7}}, '"B" holds a number beyond 10000'),
        ({"dynamics": {"V": "diagonal"}}, '"V" is "diagonal": use a matrix, or one of identity'),
        ({"dynamics": {"V": {"name": "identity", "size": 3}}}, '"V" must be {"name": ..., "seed": whole number}'),
        ({"dynamics": {"U": "identity"}}, '"U" does nothing without "W"'),
        ({"dynamics": {"W": [[1], [0], [0]], "b": [1, 2]}}, '"b" is 2 and must be 1'),
        ({"dynamics": {"heads": []}}, '"heads" must be a list of 1 to 16'),
        ({"dynamics": {"heads": [{"V": 1}], "beta": 2}}, '"beta" stands beside "heads"'),
        ({"dynamics": {"heads": [{}, {"V": "x"}]}}, 'head 2: "V" is "x"'),
        ({"dynamics": {"heads": [{"W": 1}]}}, 'head 1: must be an object with "V", "B" and "beta" only'),
        ({"dynamics": {"causal": 1}}, '"causal" must be true or false'),
        ({"dynamics": {"noise": -1}}, '"noise" is -1: give a number from 0 to 100'),
        ({"dynamics": {"placement": "nowhere"}}, "\"placement\" is 'nowhere'"),
        ({"dynamics": {"layers": 0}}, '"layers" is 0'),
        ({"dynamics": {"layers": 1e-6}, "horizon": 100}, "makes more than 1000000 layers"),
        ({"dynamics": {"noise": 1, "placement": "pre-ln"}}, '"noise" moves particles on the sphere in continuous time'),
    ],
)
def test_what_cannot_be_simulated_is_refused_in_one_sentence(changes, sentence):
    with pytest.raises(InputError) as caught:
        Scenario.from_json(said(**changes))
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


def test_a_file_is_named_in_its_refusal(tmp_path):
    path = tmp_path / "wild.json"
    path.write_text(json.dumps(said(frames=0)))
    with pytest.raises(InputError, match=r'^wild\.json: "frames" is 0'):
        Scenario.load(path)


@pytest.mark.parametrize("name", NAMED)
def test_named_matrices_are_what_they_say(name):
    d = 5
    a = read_matrix({"name": name, "seed": 4}, "V", d, d)
    np.testing.assert_array_equal(a, read_matrix(name, "V", d, d, seed=4))
    assert a.shape == (d, d)
    if "symmetric" in name:
        np.testing.assert_array_equal(a, a.T)
    if name in ("random-orthogonal", "rotation", "minus-identity"):
        np.testing.assert_allclose(a @ a.T, np.eye(d), atol=1e-14)
    if name.startswith("random"):
        assert not np.array_equal(a, read_matrix(name, "V", d, d, seed=5))
    if name == "line":
        assert np.linalg.matrix_rank(a) == 1 and np.array_equal(a @ a, a)


def test_random_v_and_b_are_not_the_same_matrix():
    law = read_law({"V": "random-gaussian", "B": "random-gaussian"}, 3, 0)
    assert not np.allclose(law.heads[0].V, law.heads[0].B)


def test_every_key_of_the_format_is_read():
    read_law(dict(DEFAULTS), 3, 0)
