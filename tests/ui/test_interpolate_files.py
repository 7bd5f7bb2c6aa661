"""Problems that come from files: opened, hostile, refused, mended."""

import json

import pytest

from mtm_viz.errors import Refusal
from tests.ui.app_steps import ROOT, html, labelled, open_problem, own_problem, settle, texts


def test_uploaded_points_are_left_to_the_browsers_own_store(app):
    """The link holds drawn points, which lie on its grid; of others it holds a name."""
    app.run()
    points = [[0.6, 0, 0.8], [0, 1, 0], [0.36, 0.48, 0.8]]
    pair = {"name": "three", "input": {"points": points}, "target": {"generator": "ring", "n": 3}}
    open_problem(app, own_problem(pairs=[pair]))
    assert not app.error
    app.run()
    assert "problem" not in app.query_params
    assert "preset" not in app.query_params
    assert len(app.query_params["work"]) == 16
    assert "3 atoms" in html(app)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"", "line 1"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"{}", "mtm-problem"),
        (b"[" * 100_000, "nested"),
        (own_problem(version=2), "version"),
        (own_problem(dimension=3.5), "dimension"),
        (own_problem(pairs=[]), "pairs"),
        (own_problem(pairs=[{"input": {"file": "/etc/passwd"}, "target": {"generator": "cap"}}]), "file"),
        (
            own_problem(pairs=[{"input": {"generator": "cap", "n": 10**9}, "target": {"generator": "cap"}}]),
            "1,000,000,000",
        ),
        (own_problem(pairs=[{"input": {"points": [[0, 0, 0]]}, "target": {"generator": "cap"}}]), "zero vector"),
        (own_problem(pairs=[{"input": {"points": [[1, "x", 0]]}, "target": {"generator": "cap"}}]), "number"),
    ],
)
def test_a_hostile_file_is_one_sentence_and_everything_else_stays(app, content, named):
    app.run()
    labelled(app.number_input, "Atoms on each side").set_value(33).run()
    open_problem(app, content)
    assert not app.exception
    assert len(app.error) == 1
    assert named in app.error[0].value
    assert app.error[0].value.startswith("mine.json: ")
    assert "33 atoms" in html(app)


def test_a_parameter_that_makes_no_sense_is_said_beside_its_pair_and_solve_waits(app):
    app.run()
    said = json.loads(own_problem())
    said["pairs"][0]["input"] = {"generator": "text", "params": {"text": "A"}, "n": 20, "seed": 0}
    open_problem(app, json.dumps(said).encode())
    labelled(app.text_input, "Text").set_value("日").run()
    assert any("DejaVu" in e.value for e in app.error)
    assert labelled(app.button, "Solve").disabled
    labelled(app.text_input, "Text").set_value("B").run()
    assert not app.error
    assert not labelled(app.button, "Solve").disabled


def test_a_refusal_offers_its_remedy_with_one_click(app, solver):
    app.run()
    said = json.loads(own_problem())
    said["pairs"][1]["input"] = said["pairs"][0]["input"]
    open_problem(app, json.dumps(said).encode())
    solver.error = Refusal("two inputs are the same measure")
    app.button(key="solve").click().run()
    settle(app)
    assert "Two inputs are the same measure." in texts(app)
    app.button(key="remedy").click().run()
    assert not app.error
    solver.error = None
    app.button(key="solve").click().run()
    settle(app)
    assert "Every pair arrives" in html(app)


def test_a_refusal_known_beforehand_stands_beside_solve_at_once(app, solver):
    solver.refusal = Refusal("two inputs are the same measure")
    app.run()
    labelled(app.number_input, "Atoms on each side").set_value(33).run()
    assert "Two inputs are the same measure." in texts(app)
    assert app.button(key="solve").disabled
    assert "33 atoms" in html(app)


def test_the_circle_is_lifted_into_the_sphere_with_one_click(app, solver):
    app.run()
    solver.refusal = Refusal("on the circle particles cannot pass each other")
    open_problem(app, (ROOT / "tests/cases/p12_circle.json").read_bytes())
    assert not app.exception
    solver.refusal = None
    app.button(key="remedy").click().run()
    assert not app.exception
    assert not app.error
    assert not app.button(key="solve").disabled


@pytest.mark.parametrize("case", sorted((ROOT / "tests/cases").glob("*.json")), ids=lambda path: path.stem)
def test_every_case_can_be_opened(app, case):
    app.run()
    open_problem(app, case.read_bytes())
    assert not app.exception
    assert not app.error
    assert html(app).count('class="page-pair"') == len(json.loads(case.read_text())["pairs"])
