from __future__ import annotations

import json

import numpy as np
import pytest

from mtm_viz.errors import InputError
from mtm_viz.measures.source import MOST_ATOMS, Generated, Points, source_from_json

RING = {"generator": "ring", "params": {"radius_deg": 20}, "n": 12, "seed": 4}


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (None, "must be an object"),
        ([[1, 0, 0]], "must be an object"),
        ({}, "exactly one of"),
        ({"points": [[1, 0, 0]], "generator": "ring"}, "exactly one of"),
        ({"points": [[1, 0, 0]], "wieghts": [1]}, '"wieghts" is not known here'),
        ({"points": [[1, 0, 0], [0, 0, 0]]}, "point 2 is the zero vector"),
        ({"points": [[1, 0, 0]], "weights": [-1]}, "weight 1 is -1"),
        ({"generator": 3}, '"generator" must be a name'),
        ({"generator": "ring", "params": [20]}, '"params" an object'),
        ({"generator": "ring", "count": 7}, '"count" is not known here'),
        ({"generator": "ring", "n": 0}, '"n" is 0: give a whole number from 1 to 200000'),
        ({"generator": "ring", "n": 2.5}, '"n" is 2.5'),
        ({"generator": "ring", "n": True}, '"n" is True'),
        ({"generator": "ring", "n": MOST_ATOMS + 1}, '"n" is 200001'),
        ({"generator": "ring", "seed": -1}, '"seed" is -1'),
        ({"generator": "ring", "seed": "7"}, "\"seed\" is '7'"),
        ({"file": "cloud.json"}, "read by the command line only"),
    ],
)
def test_a_malformed_measure_gives_its_sentence(said, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        source_from_json(said, "pair 1, input")
    assert str(caught.value).startswith("pair 1, input")
    assert "\n" not in str(caught.value)


def test_points_must_have_the_dimension_of_the_problem():
    source = source_from_json({"points": [[1, 0, 0]]}, "here")
    assert len(source.measure(3)) == 1
    with pytest.raises(InputError, match="points have 3 coordinates but the problem's dimension is 4"):
        source.measure(4)


@pytest.mark.parametrize("said", [RING, {"points": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], "weights": [0.25, 0.75]}])
def test_json_round_trip(said):
    source = source_from_json(said, "here")
    assert json.loads(json.dumps(source.to_json())) == said
    again = source_from_json(source.to_json(), "here")
    np.testing.assert_array_equal(again.measure(3).points, source.measure(3).points)
    np.testing.assert_array_equal(again.measure(3).weights, source.measure(3).weights)


def test_a_fresh_sample_is_another_draw_of_the_same_measure():
    cloud = Generated("von_mises_fisher", {"kappa": 50}, n=300, seed=1)
    fresh = cloud.fresh(seed=2, n=4_000)
    assert (fresh.generator, fresh.params, len(fresh.measure(3))) == (cloud.generator, cloud.params, 4_000)
    assert len(cloud.fresh(seed=2).measure(3)) == 300
    assert not np.array_equal(cloud.fresh(seed=2).measure(3).points, cloud.measure(3).points)
    np.testing.assert_allclose(fresh.measure(3).barycentre, cloud.measure(3).barycentre, atol=0.05)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "problem").mkdir()
    (tmp_path / "secret.json").write_text("[[1, 0, 0]]")
    (tmp_path / "problem" / "cloud.json").write_text("[[0, 1, 0], [0, 0, 2]]")
    (tmp_path / "problem" / "way_out.json").symlink_to(tmp_path / "secret.json")
    (tmp_path / "problem" / "loop.json").symlink_to(tmp_path / "problem" / "loop.json")
    return tmp_path / "problem"


def test_a_file_beside_the_problem_is_read(folder):
    source = source_from_json({"file": "cloud.json"}, "here", folder)
    assert isinstance(source, Points)
    np.testing.assert_array_equal(source.measure(3).points, [[0, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("../secret.json", "lies outside the problem's folder"),
        ("way_out.json", "lies outside the problem's folder"),
        ("/etc/passwd", "lies outside the problem's folder"),
        ("absent.json", "does not exist beside the problem"),
        (".", "does not exist beside the problem"),
        ("loop.json", "check its name"),
        ("a\x00b.json", "check its name"),
        ("x" * 900, "check its name"),
        ("x" * 5_000, "must be a relative path"),
        ("", "must be a relative path"),
        (7, "must be a relative path"),
    ],
)
def test_no_file_outside_the_problems_folder_is_read(folder, name, sentence):
    with pytest.raises(InputError, match=sentence):
        source_from_json({"file": name}, "here", folder)


def test_an_absolute_path_into_the_folder_is_refused_too(folder):
    with pytest.raises(InputError, match="lies outside"):
        source_from_json({"file": str(folder / "cloud.json")}, "here", folder)
