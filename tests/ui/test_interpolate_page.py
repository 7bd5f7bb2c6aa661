"""The page Interpolate as a person uses it, without a browser."""

import pytest
from streamlit.testing.v1 import AppTest

from mtm_viz.errors import Refusal
from mtm_viz.ui.presets import FIRST
from tests.ui.app_steps import PRESETS, html, labelled, open_problem, own_problem, settle, texts


def test_it_opens_on_the_first_preset(app):
    app.run()
    assert not app.exception
    assert app.header[0].value == PRESETS[FIRST].title
    assert app.query_params["preset"] == FIRST


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_opens_from_its_link(app, name):
    app.query_params["preset"] = name
    app.run()
    assert not app.exception
    assert not app.error
    assert app.header[0].value == PRESETS[name].title
    assert PRESETS[name].attribution in texts(app) or not PRESETS[name].run_path.exists()


@pytest.mark.parametrize(
    "bad",
    [
        {"preset": "no-such-thing"},
        {"problem": "@@@@"},
        {"problem": "AAAA"},
        {"preset": "../../etc/passwd"},
        {"problem": ""},
    ],
)
def test_a_bad_link_opens_the_default_with_a_kind_sentence(app, bad):
    for key, value in bad.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    assert "could not be used" in app.info[0].value
    assert app.header[0].value == PRESETS[FIRST].title


def test_foreign_query_parameters_stay(app):
    app.query_params["hide"] = "timeline"
    app.run()
    assert app.query_params["hide"] == "timeline"


def test_solve_shows_progress_then_the_certificate(app, solver):
    solver.hold()
    app.run()
    app.button(key="solve").click().run()
    assert any(b.key == "cancel" for b in app.button)
    solver.release()
    settle(app)
    assert "3.0 × 10⁻⁹" in html(app)
    assert "Every pair arrives" in html(app)


def test_the_prediction_stands_before_solve(app):
    app.run()
    labelled(app.number_input, "Atoms on each side").set_value(33).run()
    assert "Expected: 212 switches, 4 s" in texts(app)


def test_cancel_keeps_what_was_made(app, solver):
    app.run()
    open_problem(app, own_problem())
    solver.hold()
    app.button(key="solve").click().run()
    app.button(key="cancel").click().run()
    assert any(b.key == "solve" for b in app.button)
    assert "mine" in html(app)
    assert not app.error


def test_an_edit_reaches_the_problem_and_survives_rerun_error_and_cancel(app, solver):
    app.run()
    labelled(app.number_input, "Atoms on each side").set_value(33).run()
    assert "33 atoms" in html(app)
    solver.error = Refusal("nothing separates them")
    app.button(key="solve").click().run()
    settle(app)
    assert "Nothing separates them." in texts(app)
    assert "33 atoms" in html(app)
    solver.error = None
    app.button(key="solve").click().run()
    settle(app)
    assert not app.error
    assert "33 atoms" in html(app)


def test_an_edited_problem_of_generators_comes_back_from_its_link(app, solver):
    app.run()
    labelled(app.number_input, "Atoms on each side").set_value(33).run()
    app.run()
    assert "preset" not in app.query_params
    link = app.query_params["problem"]
    again = AppTest.from_file(app._script_path, default_timeout=20)
    again.query_params["problem"] = link
    again.run()
    assert "33 atoms" in html(again)
    assert not again.error


def test_solve_pressed_with_an_edit_still_in_the_field_solves_the_edited_problem(app):
    app.run()
    labelled(app.number_input, "Atoms on each side").set_value(33)
    app.button(key="solve").click().run()
    settle(app)
    assert "33 atoms" in html(app)
    assert app.button(key="solve").label == "Solve again"


def test_a_reload_brings_the_solved_run_back(app, solver):
    app.query_params["preset"] = "rings-swap"
    app.run()
    labelled(app.number_input, "Atoms on each side").set_value(21).run()
    app.button(key="solve").click().run()
    settle(app)
    again = AppTest.from_file(app._script_path, default_timeout=20)
    again.query_params["problem"] = app.query_params["problem"]
    again.run()
    assert "Every pair arrives" in html(again)
    assert solver.calls == ["interpolate"]


def test_pairs_are_added_up_to_eight_and_removed(app):
    app.run()
    for _ in range(5):
        app.button(key="add-pair").click().run()
    assert app.button(key="add-pair").disabled
    assert html(app).count("60 atoms") == 8
    labelled(app.button, "Remove this pair").click().run()
    assert html(app).count("60 atoms") == 7
    assert not app.exception


def test_attention_off_replays_once_and_says_where_it_ends(app, solver):
    app.run()
    app.button(key="solve").click().run()
    settle(app)
    app.segmented_control[0].set_value("off").run()
    settle(app)
    assert "0.4 rad from its target" in texts(app)
    assert "W₂ if V = 0" in html(app)
    app.segmented_control[0].set_value("on").run()
    app.segmented_control[0].set_value("both").run()
    app.button(key="solve").click().run()
    settle(app)
    app.segmented_control[0].set_value("off").run()
    settle(app)
    assert solver.calls.count("replay") == 1


def test_cancelling_the_replay_goes_back_to_attention_on(app, solver):
    app.run()
    app.button(key="solve").click().run()
    settle(app)
    solver.hold()
    app.segmented_control[0].set_value("off").run()
    app.button(key="cancel").click().run()
    assert app.segmented_control[0].value == "on"
    assert not app.exception


def test_asking_for_attention_off_never_costs_a_running_solve(app, solver):
    app.run()
    solver.hold()
    app.button(key="solve").click().run()
    app.segmented_control[0].set_value("off").run()
    assert any(b.key == "cancel" for b in app.button)
    solver.release()
    settle(app)
    assert solver.calls == ["interpolate", "replay", "interpolate"]
    assert "0.4 rad from its target" in texts(app)


def test_choosing_a_preset_replaces_the_problem(app):
    app.run()
    app.button(key="open-gallery").click().run()
    app.button(key="take-rings-swap").click().run()
    assert app.header[0].value == PRESETS["rings-swap"].title
    assert app.query_params["preset"] == "rings-swap"


def another_page():
    """The app's first page and, where the box is ticked, some other page in its place."""
    import streamlit as st

    from mtm_viz.ui import cached, state
    from mtm_viz.ui.widgets.pair_cards import pair_cards

    state.begin(cached.presets())
    if not st.checkbox("elsewhere"):
        pair_cards()


def test_edits_survive_a_page_change(solver):
    app = AppTest.from_function(another_page, default_timeout=20).run()
    labelled(app.number_input, "Atoms on each side").set_value(33).run()
    labelled(app.selectbox, "Shape").set_value("uniform").run()
    app.checkbox[0].check().run()
    assert not app.number_input
    app.checkbox[0].uncheck().run()
    assert labelled(app.number_input, "Atoms on each side").value == 33
    assert labelled(app.selectbox, "Shape").value == "uniform"
