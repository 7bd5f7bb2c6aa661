"""Every preset is a problem that its shipped run solves, and can be made again."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from mtm_viz.interpolate import interpolate
from mtm_viz.problem import Problem
from mtm_viz.run import Run
from mtm_viz.ui.draft import canonical
from mtm_viz.ui.presets import FIRST, FOLDER, ORDER, load_presets

PRESETS = load_presets()


def test_there_is_a_gallery_and_it_begins_with_the_first():
    assert len(PRESETS) >= 8
    assert next(iter(PRESETS)) == FIRST
    assert set(ORDER) == set(PRESETS)


def test_the_files_are_what_their_script_makes():
    made = runpy.run_path(str(FOLDER / "make.py"))["all_presets"]()
    assert set(made) == set(PRESETS)
    for name, said in made.items():
        assert canonical(said["problem"]) == PRESETS[name].text
        assert said["title"] == PRESETS[name].title


@pytest.mark.parametrize("name", PRESETS)
def test_the_shipped_run_solves_its_preset(name):
    run = Run.load(PRESETS[name].run_path)
    problem = Problem.from_json(PRESETS[name].problem)
    assert canonical(run.problem.to_json()) == canonical(problem.to_json())
    assert run.certificate["passed"]
    assert max(pair["w2"] for pair in run.certificate["pairs"]) <= 1e-6
    for trajectory, measure in zip(run.trajectories, problem.inputs, strict=True):
        np.testing.assert_allclose(trajectory[0], measure.points, atol=1e-12)


def test_city_presets_carry_their_attribution():
    named = [preset for preset in PRESETS.values() if "points" in preset.problem["pairs"][0]["input"]]
    assert len(named) >= 2
    assert all("GeoNames" in preset.attribution and "CC BY 4.0" in preset.attribution for preset in named)
    assert "CC BY 4.0" in (FOLDER.parent / "data" / "README.md").read_text()


def test_the_first_preset_solved_anew_is_the_shipped_run():
    shipped = Run.load(PRESETS[FIRST].run_path)
    anew = interpolate(Problem.from_json(PRESETS[FIRST].problem))
    remake = "the construction changed: remake the runs with `python assets/presets/runs.py`"
    assert anew.certificate["switches"] == shipped.certificate["switches"], remake
    assert [s.phase for s in anew.schedule] == [s.phase for s in shipped.schedule], remake
    for now, then in zip(anew.trajectories, shipped.trajectories, strict=True):
        np.testing.assert_allclose(now[-1], then[-1], atol=1e-6, err_msg=remake)


def test_presets_are_found_where_the_repository_keeps_them():
    assert Path(__file__).parents[2] / "assets" / "presets" == FOLDER
