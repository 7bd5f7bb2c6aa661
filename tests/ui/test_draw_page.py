"""The page Draw without a browser: files in and refused, changes, the board's requests, what the link says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from mtm_viz.ui.draft import Draft
from mtm_viz.ui.link import pack
from tests.measures.readers.test_cases import READ, REFUSED

FILES = Path(__file__).parents[1] / "cases" / "files"
CAP = {"generator": "cap", "params": {"center": [1, 0, 0], "radius_deg": 20}, "n": 9, "seed": 0}
RING = {"generator": "ring", "params": {"center": [0, 1, 0], "radius_deg": 20}, "n": 9, "seed": 0}
SAID = {
    "format": "mtm-problem",
    "version": 1,
    "dimension": 3,
    "pairs": [{"name": "mine", "input": CAP, "target": RING}],
}


@pytest.fixture
def page(app) -> AppTest:
    """The page Draw on a small problem of its own."""
    app.query_params["problem"] = pack(SAID)
    app.run()
    app.switch_page("mtm_viz/ui/pages/draw.py").run()
    assert not app.exception
    return app


def open_tab(page: AppTest, name: str) -> AppTest:
    page.session_state["tools"] = name
    return page.run()


def drop(page: AppTest, name: str, content: bytes) -> AppTest:
    open_tab(page, "Bring in")
    page.file_uploader[0].upload(name, content, "application/octet-stream")
    return page.run()


def said(page: AppTest) -> dict:
    draft: Draft = page.session_state["draft"]
    return draft.pairs[0].input


@pytest.mark.parametrize("name", REFUSED)
def test_every_bad_file_is_one_sentence_beside_the_desk(page, name):
    drop(page, name, (FILES / name).read_bytes())
    assert not page.exception
    shown = [error.value for error in page.error]
    sentence = f"{name}: {REFUSED[name]}"
    assert shown == [sentence[:1].upper() + sentence[1:] + "."]
    assert said(page) == CAP


@pytest.mark.parametrize("name", READ)
def test_every_good_file_is_held_up_and_taken_when_accepted(page, name):
    drop(page, name, (FILES / name).read_bytes())
    assert not page.exception and not page.error
    assert f"{READ[name][0]} atoms in dimension 3" in " ".join(c.value.replace("\\", "") for c in page.caption)
    assert said(page) == CAP, "nothing is taken before it is accepted"
    page.button(key="use-it").click().run()
    assert len(said(page)["points"]) == READ[name][0]


def test_limits_are_told_before_anything_is_read(page):
    open_tab(page, "Bring in")
    assert any("up to 25 MB and 200,000 atoms a file" in caption.value for caption in page.caption)


def test_whoever_runs_the_server_sets_the_limits(page, monkeypatch):
    monkeypatch.setenv("MTM_VIZ_MOST_ATOMS", "2")
    drop(page, "three.csv", b"x,y,z\n1,0,0\n0,1,0\n0,0,1\n")
    assert "up to 25 MB and 2 atoms a file" in " ".join(caption.value for caption in page.caption)
    assert "Three.csv: the file holds more than 2 atoms" in page.error[0].value


def test_a_large_file_is_brought_to_fewer_atoms_with_its_distance(page):
    rng = np.random.default_rng(0)
    rows = "\n".join(",".join(map(str, row)) for row in rng.standard_normal((5000, 3)))
    drop(page, "many.csv", f"x,y,z\n{rows}".encode())
    assert not page.exception
    captions = " ".join(caption.value for caption in page.caption)
    assert "It has 5,000 atoms and this page draws at most 2,000" in captions
    assert "W₂ between the two: about" in captions
    page.number_input(key="fewer-n").set_value(50).run()
    page.button(key="use-it").click().run()
    assert len(said(page)["points"]) == 50


def test_added_atoms_join_those_that_are_there_and_a_refused_proposal_leaves_no_trace(page):
    drop(page, "two.csv", b"x,y,z\n1,0,0\n0,1,0\n")
    page.button(key="drop-it").click().run()
    assert said(page) == CAP
    drop(page, "two.csv", b"x,y,z\n1,0,0\n0,1,0\n")
    page.button(key="add-it").click().run()
    assert len(said(page)["points"]) == 11 and "weights" not in said(page)


def test_points_of_another_dimension_cannot_be_taken(page):
    drop(page, "five.csv", b"x1,x2,x3,x4,x5\n1,0,0,0,0\n")
    assert "5 coordinates and the problem has dimension 3" in page.error[0].value
    assert page.button(key="use-it").disabled


def test_resampling_says_its_distance_and_every_change_is_a_measure(page):
    open_tab(page, "Change")
    page.number_input(key="resample-n").set_value(5).run()
    assert any("5 atoms, W₂ from the present measure" in caption.value for caption in page.caption)
    page.button(key="resample").click().run()
    assert len(said(page)["points"]) == 5
    before = np.array(said(page)["points"])
    for label in ("Gather", "Spread", "Antipode", "Rotate", "Mirror"):
        page.button(key=f"change-{label}").click().run()
        assert not page.exception and not page.error, label
    after = np.array(said(page)["points"])
    assert after.shape == before.shape and np.abs(after - before).max() > 0.1
    # Gathering and spreading undid one another but for the middle, which moved a little in between.
    np.testing.assert_allclose(after @ after.T, before @ before.T, atol=1e-4)


def test_a_formula_is_a_shape_like_any_other(page):
    page.selectbox[0].set_value("density").run()
    assert not page.exception
    assert said(page)["generator"] == "density" and said(page)["n"] == 9


def test_an_emptied_measure_can_be_drawn_on_and_is_not_put_in_the_link(page):
    page.run()
    before = page.query_params["problem"]
    page.button(key="start-empty").click().run()
    assert not page.exception
    assert said(page) == {"points": []}
    assert page.query_params["problem"] == before


def test_work_too_large_for_a_link_is_named_in_it(page):
    rows = "\n".join(",".join(map(str, row)) for row in np.random.default_rng(0).standard_normal((30, 3)))
    drop(page, "odd.csv", f"x,y,z\n{rows}".encode())
    page.button(key="use-it").click().run()
    assert len(page.query_params["work"]) == 16 and "problem" not in page.query_params


def test_a_problem_that_names_a_file_of_the_server_is_refused(app):
    app.run()
    named = SAID | {"pairs": [{"input": {"file": "/etc/passwd"}, "target": RING}]}
    app.file_uploader[0].upload("evil.json", json.dumps(named).encode(), "application/json")
    app.run()
    assert not app.exception
    assert '"file" measures are read by the command line only: upload the points themselves' in app.error[0].value
