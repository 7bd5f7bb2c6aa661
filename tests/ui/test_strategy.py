"""The two strategies on the page, what they say of other samples, and the ways to an easier problem."""

import json
import types

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from mtm_viz.errors import InputError, Refusal
from mtm_viz.interpolate import predict
from mtm_viz.problem import Problem
from mtm_viz.ui.choice import CELLS, IN_LINK, SEPARATION, STRATEGIES, Choice, from_link, problem_of
from mtm_viz.ui.draft import Draft, canonical
from mtm_viz.ui.widgets.easing import NEAR, parted, replaced
from mtm_viz.ui.widgets.solving import ROUND_OFF, doubt, promise
from tests.ui.app_steps import ROOT, html, labelled, open_problem, own_problem, settle, texts


def choose(app, strategy):
    labelled(app.segmented_control, "Carry").set_value(strategy)
    return app.run()


def near(gap=1e-7):
    """A problem of two pairs whose first input has two atoms this near, and no other two nearer than NEAR."""
    said = json.loads(own_problem())
    points = [[1, 0, 0], [1, gap, 0], [0, 1, 0], [0, 0, 1]]
    said["pairs"][0] = {"name": "near", "input": {"points": points}, "target": {"generator": "ring", "n": 4}}
    said["pairs"][1] |= {side: said["pairs"][1][side] | {"n": 24} for side in ("input", "target")}
    return json.dumps(said).encode()


def honest(problem, **choice):
    """What the library predicts, in a type that a cache can keep while the library's module is a stand-in."""
    return types.SimpleNamespace(**vars(predict(problem, **choice)))


# --- the choice ---


@pytest.mark.parametrize("choice", [Choice(), Choice(CELLS), Choice(CELLS, 17)])
def test_a_choice_comes_back_from_its_link_and_names_its_own_run(choice):
    assert from_link(choice.in_link()) == choice
    assert problem_of(choice.key("text")) == "text"
    assert len({one.key("text") for one in (Choice(), Choice(CELLS), Choice(CELLS, 17))}) == 3


@pytest.mark.parametrize(
    ("strategy", "cells"), [("paper", None), (CELLS, "0"), (CELLS, "-1"), (CELLS, "9" * 99), (CELLS, "x"), (None, "9")]
)
def test_a_link_that_asks_for_what_does_not_exist_is_refused(strategy, cells):
    with pytest.raises(InputError):
        from_link(dict(zip(IN_LINK, (strategy, cells), strict=True)))


def test_the_page_offers_what_the_solver_knows():
    from mtm_viz import task

    assert STRATEGIES == task.STRATEGIES


def test_cells_are_chosen_predicted_solved_and_found_again_by_their_link(app, solver):
    app.query_params["preset"] = "rings-swap"
    app.run()
    assert "gates of its own" in texts(app)
    choose(app, CELLS)
    assert "other samples" in texts(app)
    assert "Expected: 60 switches" in texts(app)
    assert labelled(app.number_input, "Cells an input").value == 48
    assert "A cell an atom" in texts(app)
    assert "Every target can be reached exactly" in texts(app)
    labelled(app.number_input, "Cells an input").set_value(9).run()
    assert "A cell an atom" not in texts(app)
    assert "Expected: 9 switches" in texts(app)
    app.button(key="solve").click().run()
    settle(app)
    assert solver.asked == [(CELLS, 9)]
    assert (app.query_params["preset"], app.query_params["strategy"], app.query_params["cells"]) == (
        "rings-swap",
        CELLS,
        "9",
    )
    again = AppTest.from_file(app._script_path, default_timeout=20)
    again.query_params |= {"preset": "rings-swap", "strategy": CELLS, "cells": "9"}
    again.run()
    assert again.button(key="solve").label == "Solve again"
    assert labelled(again.number_input, "Cells an input").value == 9
    choose(again, SEPARATION)
    assert "strategy" not in again.query_params
    assert "cells" not in again.query_params
    assert solver.calls == ["interpolate"]


def test_a_bad_strategy_in_a_link_is_answered_kindly(app):
    app.query_params["strategy"] = "magic"
    app.run()
    assert "could not be used" in app.info[0].value
    assert labelled(app.segmented_control, "Carry").value == SEPARATION


def test_a_preset_opens_as_it_was_solved(app):
    app.run()
    choose(app, CELLS)
    app.button(key="open-gallery").click().run()
    app.button(key="take-rings-swap").click().run()
    assert labelled(app.segmented_control, "Carry").value == SEPARATION
    assert app.button(key="solve").label == "Solve again"


def test_a_file_keeps_the_choice(app):
    app.run()
    choose(app, CELLS)
    open_problem(app, own_problem())
    assert labelled(app.segmented_control, "Carry").value == CELLS
    assert app.query_params["strategy"] == CELLS


def test_the_other_strategys_fresh_sample_stands_beside_once_both_were_solved(app, solver):
    before = {"before": 1.4, "yardstick": 0.2, "seed": 12, "n": 60}
    solver.fresh = {SEPARATION: before | {"w2": 0.66}, CELLS: before | {"w2": 0.17}}
    app.run()
    open_problem(app, own_problem())
    for strategy in (SEPARATION, CELLS):
        choose(app, strategy)
        app.button(key="solve").click().run()
        settle(app)
        assert ("0.66 rad from the target atom by atom, 0.17 in cells" in html(app)) == (strategy == CELLS)
    choose(app, SEPARATION)
    assert "0.66 rad from the target atom by atom, 0.17 in cells" in html(app)
    labelled(app.text_input, "Name").set_value("another problem").run()
    app.button(key="solve").click().run()
    settle(app)
    assert "0.17" not in html(app)


# --- easier problems ---


def test_a_refused_problem_offers_ways_that_are_undone_and_done_again(app, solver):
    app.run()
    open_problem(app, near())
    solver.error = Refusal("no empty cap leads to atom 2")
    app.button(key="solve").click().run()
    settle(app)
    assert {b.key for b in app.button if b.key.startswith("ease-")} == {"ease-nudge", "ease-cells", "ease-fewer"}
    problem = app.query_params["work"]
    app.button(key="ease-nudge").click().run()
    assert not app.error
    nudged = app.query_params["work"]
    assert nudged != problem
    app.button(key="steps-undo").click().run()
    assert app.query_params["work"] == problem
    app.button(key="steps-redo").click().run()
    assert app.query_params["work"] == nudged
    assert not app.exception


def test_undoing_keeps_what_was_changed_since_for_redo(app, solver):
    app.run()
    open_problem(app, own_problem())
    solver.refusal = Refusal("nothing separates them")
    labelled(app.number_input, "Atoms on each side").set_value(33).run()
    app.button(key="ease-fewer").click().run()
    assert "30 atoms" in html(app)
    labelled(app.text_input, "Name").set_value("renamed").run()
    app.button(key="steps-undo").click().run()
    assert "33 atoms" in html(app)
    assert "renamed" not in html(app)
    assert labelled(app.number_input, "Atoms on each side").value == 33
    app.button(key="steps-redo").click().run()
    assert "renamed" in html(app)
    app.button(key="steps-undo").click().run()
    labelled(app.text_input, "Name").set_value("gone another way").run()
    assert not [b for b in app.button if b.key == "steps-redo"]


def test_cells_instead_of_atoms_is_one_click_and_undone(app, solver):
    app.run()
    open_problem(app, own_problem())
    solver.error = Refusal("nothing separates them")
    app.button(key="solve").click().run()
    settle(app)
    app.button(key="ease-cells").click().run()
    assert labelled(app.segmented_control, "Carry").value == CELLS
    app.button(key="steps-undo").click().run()
    assert labelled(app.segmented_control, "Carry").value == SEPARATION


def test_cells_of_unequal_weights_are_mended_with_one_click(app, solver):
    said = json.loads(own_problem())
    said["pairs"][0]["input"] = {"points": np.eye(3).tolist(), "weights": [1, 2, 3]}
    app.run()
    open_problem(app, json.dumps(said).encode())
    choose(app, CELLS)
    solver.refusal = Refusal('pair 1 ("mine") has unequal weights')
    labelled(app.number_input, "Cells an input").set_value(7).run()
    keys = [b.key for b in app.button if b.key.startswith("ease-")]
    assert keys[:2] == ["ease-separation", "ease-equal"]
    solver.refusal = None
    app.button(key="ease-equal").click().run()
    assert not app.error
    assert not app.exception


def test_a_condition_that_float64_cannot_keep_is_said_after_solving_with_a_way_out(app, solver):
    solver.certified = {"condition": 1e13}
    app.run()
    open_problem(app, own_problem())
    app.button(key="solve").click().run()
    settle(app)
    assert "round-off alone may grow to" in app.warning[0].value
    assert app.button(key="ease-fewer")


def test_the_doubt_begins_where_round_off_times_condition_exceeds_what_is_promised():
    said = {"passed": True, "eps": 1e-4}
    assert doubt(said | {"condition": 0.9e-4 / ROUND_OFF}) is None
    assert doubt(said | {"condition": 1.1e-4 / ROUND_OFF}) is not None
    assert doubt(said | {"condition": 2.0, "passed": False}) is not None


def test_nudging_moves_only_the_measure_that_is_crowded():
    said = json.loads(near())
    problem = Problem.from_json(said)
    found = replaced(Draft.from_json(said), problem, parted)
    assert found.pairs[1].input == said["pairs"][1]["input"]
    points = np.array(found.pairs[0].input["points"])
    np.testing.assert_array_equal(points[[0, 2, 3]], problem.inputs[0].points[[0, 2, 3]])
    assert np.linalg.norm(points[1] - points[0]) >= NEAR * (1 - 1e-6)


def test_what_a_pair_can_reach_is_one_sentence_a_fact():
    assert promise("a", 0.0, ("3 of 5 input atoms lie on others",)).startswith("**a** can be reached exactly. 3 of")
    assert "0.449 rad (25.7°) from its target at best. Turned by 3.0 × 10⁻⁴" in promise(
        "a", 0.44888, ("turned by 3.0e-04",)
    )


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("p06_dirac_targets", "Every target can be reached exactly"),
        ("p07_few_target_atoms", "Every target can be reached exactly"),
        ("p08_not_divisible", "7 to 3** can end W₂ = 0.449 rad (25.7°) from its target at best"),
        ("p13_unequal_weights", "Every target can be reached exactly"),
        ("p15_same_target", "a** can be reached exactly. **b** can end W₂ = 2.5 × 10⁻⁴ rad"),
        ("p16_fewer_particles_than_targets", "20 to 60** can end W₂ = 0.055 rad"),
        ("p17_duplicates", "5 of 20 input atoms lie on others"),
    ],
)
def test_what_can_be_reached_is_said_before_solving(app, solver, case, said):
    solver.predict = honest
    app.run()
    open_problem(app, (ROOT / f"tests/cases/{case}.json").read_bytes())
    assert said in texts(app)
    assert not app.error


def test_duplicates_that_keep_a_pair_from_its_target_are_parted_with_one_click(app, solver):
    solver.predict = honest
    app.run()
    open_problem(app, (ROOT / "tests/cases/p17_duplicates.json").read_bytes())
    app.button(key="ease-nudge").click().run()
    assert "Every target can be reached exactly" in texts(app)
    app.button(key="steps-undo").click().run()
    assert "5 of 20 input atoms lie on others" in texts(app)


def test_a_run_of_cells_is_kept_apart_from_one_of_atoms():
    text = canonical(json.loads(own_problem()))
    assert Choice(CELLS).key(text) != Choice().key(text) == text
