from __future__ import annotations

import io
import json
import zipfile

import pytest
from PIL import Image

from mtm_viz import cli
from mtm_viz.errors import InputError
from mtm_viz.export import export
from mtm_viz.export.zip import read_bundle, reproduced
from mtm_viz.problem import Problem
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run

SMALL = Options(size=(160, 120))
PARTS = ["README.md", "certificate.json", "command.txt", "picture.png", "problem.json", "run.npz", "versions.json"]


@pytest.fixture
def bundle(solved, tmp_path):
    export(solved, tmp_path / "bundle.zip", SMALL)
    return tmp_path / "bundle.zip"


def rewritten(bundle, **changed):
    """The bundle with some parts replaced, or left out where None."""
    with zipfile.ZipFile(bundle) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts |= {name.replace("_", "."): content for name, content in changed.items()}
    with zipfile.ZipFile(bundle, "w") as archive:
        for name, content in parts.items():
            if content is not None:
                archive.writestr(name, content)
    return bundle


def test_a_bundle_holds_all_that_reproduces_the_run(bundle, solved):
    with zipfile.ZipFile(bundle) as archive:
        assert sorted(archive.namelist()) == PARTS
        assert Problem.from_bytes(archive.read("problem.json")).to_json() == solved.problem.to_json()
        assert len(Run.load(io.BytesIO(archive.read("run.npz"))).schedule) == len(solved.schedule)
        assert "--seed 0" in archive.read("command.txt").decode()
        assert json.loads(archive.read("versions.json"))["packed with"]["numpy"]
        with Image.open(archive.open("picture.png")) as picture:
            assert picture.size == (160, 120)


def test_the_same_run_gives_the_same_bundle(bundle, solved, tmp_path):
    export(solved, tmp_path / "again.zip", SMALL)
    assert (tmp_path / "again.zip").read_bytes() == bundle.read_bytes()


def test_verify_reproduces_the_numbers(bundle, solved, capfd):
    assert cli.main(["verify", str(bundle)]) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["passed"] and said["reproduced"]["all"]
    assert said["reproduced"]["largest_difference"] < 1e-6
    assert [pair["said"] for pair in said["reproduced"]["pairs"]] == [
        pair["w2"] for pair in solved.certificate["pairs"]
    ]


def test_a_certificate_that_lies_is_found_out(bundle, solved, capfd):
    lie = json.loads(json.dumps(solved.certificate))
    lie["pairs"][0]["w2"] = 0.5
    assert cli.main(["verify", str(rewritten(bundle, certificate_json=json.dumps(lie)))]) == 1
    assert json.loads(capfd.readouterr().out)["reproduced"]["all"] is False


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"run_npz": None}, "no bundle of a run"),
        ({"run_npz": b"junk"}, "run.npz: this is not an NPZ file"),
        ({"certificate_json": b"[1"}, "is not JSON"),
        ({"certificate_json": b"[]"}, "certificate.json is no object"),
        ({"problem_json": b"{}"}, "not the problem that run.npz solves"),
    ],
)
def test_a_broken_bundle_is_one_sentence(bundle, changed, sentence):
    with pytest.raises(InputError, match=sentence):
        read_bundle(rewritten(bundle, **changed))


def test_what_is_no_archive_is_refused_by_name(tmp_path, capfd):
    (tmp_path / "b.zip").write_bytes(b"PK\x03\x04 but no more")
    assert cli.main(["verify", str(tmp_path / "b.zip")]) == 2
    assert capfd.readouterr().err.startswith("mtm_viz: b.zip: this is not an archive")


def test_a_pair_the_certificate_does_not_know_is_not_reproduced():
    found = reproduced({"pairs": [{"name": "a", "w2": 0.1}]}, {"pairs": []})
    assert found["all"] is False and found["largest_difference"] is None
