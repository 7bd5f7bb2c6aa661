"""Parameters that change with time on the page Explore: from Interpolate, edited, undone, replayed on other measures."""

import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from mtm_viz import Scenario
from mtm_viz.run import Run
from mtm_viz.ui import watching
from mtm_viz.ui.presets import FOLDER
from mtm_viz.ui.scenario_link import pack_scenario, unpack_scenario
from tests.ui.app_steps import labelled
from tests.ui.test_explore_page import fine, held, script, shown

SEGMENTS = [
    {"duration": 1.0, "beta": 1.0},
    {"duration": 2.0, "phase": "wait", "V": "zero"},
    {"duration": 1.0, "beta": 9.0},
]
SMALL = {
    "format": "mtm-scenario",
    "version": 1,
    "dimension": 3,
    "initial": {"generator": "uniform", "n": 12, "seed": 4},
}
SMALL = Scenario.from_json(SMALL | {"frames": 12, "dynamics": {"model": "sa"}, "schedule": SEGMENTS}).to_json()


def settled(app):
    """Rerun as the polling fragment does until the run is there."""
    for _ in range(20):
        if held(app)["now"].job is None:
            return fine(app)
        held(app)["now"].job.wait(10)
        app.run()
    raise AssertionError("the run never came")


@pytest.fixture
def page(monkeypatch) -> AppTest:
    monkeypatch.setattr(watching, "PATIENCE", 60.0)
    app = AppTest.from_function(script, default_timeout=90)
    app.query_params["scenario"] = pack_scenario(SMALL)
    return settled(app.run())


def schedule(app):
    return held(app)["said"]["schedule"]


def press(app, label):
    return settled(next(b for b in app.button if b.label == label).click().run())


def test_a_schedule_is_edited_segment_by_segment_and_undone(page):
    first = shown(page)
    labelled(page.number_input, "Segment").set_value(3).run()
    settled(labelled(page.number_input, "lasts (layer time)").set_value(4.0).run())
    assert schedule(page)[2] == {"duration": 4.0, "beta": 9.0} and shown(page).times[-1] == 7.0
    labelled(page.text_area, "V of segment 3").set_value("0 -1 0; 1 0 0; 0 0 1")
    press(page, "Replace")
    labelled(page.number_input, "times").set_value(0.5)
    press(page, "Multiply")
    assert schedule(page)[2]["V"] == [[0, -0.5, 0], [0.5, 0, 0], [0, 0, 0.5]]
    assert labelled(page.number_input, "times").value == 1.0
    press(page, "Duplicate")
    assert schedule(page)[2] == schedule(page)[3] and labelled(page.number_input, "Segment").value == 4
    press(page, "Earlier")
    press(page, "Earlier")
    assert [one["duration"] for one in schedule(page)] == [1, 4, 2, 4]
    press(page, "Delete")
    assert [one["duration"] for one in schedule(page)] == [1, 2, 4]
    packed = page.query_params["scenario"]
    assert unpack_scenario(packed[0] if isinstance(packed, list) else packed)["schedule"] == schedule(page)
    press(page, "Undo")
    assert [one["duration"] for one in schedule(page)] == [1, 4, 2, 4]
    press(page, "Back to how it came")
    assert schedule(page) == SEGMENTS
    np.testing.assert_array_equal(shown(page).trajectories[0], first.trajectories[0])
    press(page, "Undo")
    assert [one["duration"] for one in schedule(page)] == [1, 4, 2, 4], "going back can be undone too"


def test_what_a_segment_cannot_be_is_said_there_and_the_picture_stays(page):
    good = shown(page)
    labelled(page.number_input, "lasts (layer time)").set_value(-1.0).run()
    assert page.error[0].value.startswith('Segment 1: "duration" is -1.0: give a number from 1e-12')
    assert shown(page) is good
    press(page, "Undo")
    labelled(page.text_area, "V of segment 1").set_value("1 2\n3 4")
    next(b for b in page.button if b.label == "Replace").click().run()
    assert page.error[0].value == 'Segment 1: "V" is 2 x 2 and must be 3 x 3: give as many rows and columns.'
    press(page, "Undo")
    labelled(page.text_area, "V of segment 1").set_value("one")
    next(b for b in page.button if b.label == "Replace").click().run()
    assert "not a number" in page.error[0].value and schedule(page) == SEGMENTS
    assert shown(page) is good and not page.exception


def test_other_measures_go_through_the_same_schedule(page):
    before = shown(page).trajectories[0]
    press(page, "Fresh")
    assert held(page)["said"]["initial"]["seed"] == 5 and not np.array_equal(before, shown(page).trajectories[0])
    press(page, "Interpolate")
    assert len(shown(page).trajectories) == len(page.session_state["draft"].pairs) and schedule(page) == SEGMENTS
    press(page, "Own")
    np.testing.assert_array_equal(before, shown(page).trajectories[0])


def test_one_law_is_cut_into_segments_and_made_one_again(page):
    press(page, "One law again")
    assert "schedule" not in held(page)["said"] and held(page)["said"]["horizon"] == 4.0
    whole = shown(page).trajectories[0][-1]
    press(page, "Change with time")
    assert [one["duration"] for one in schedule(page)] == [2, 2]
    np.testing.assert_allclose(shown(page).trajectories[0][-1], whole, atol=1e-4)


def test_a_file_of_a_schedule_or_a_run_is_replayed(page):
    content = (FOLDER / "runs" / "shared-atoms.npz").read_bytes()
    page.file_uploader[0].upload("mine.npz", content, "application/octet-stream")
    settled(page.run())
    assert (
        page.header[0].value == "mine"
        and len(schedule(page)) == len(Run.load(FOLDER / "runs" / "shared-atoms.npz").schedule)
        and len(held(page)["said"]["initial"]) == 2
    )
    page.file_uploader[0].upload("no.json", json.dumps({"format": "x"}).encode(), "application/json")
    page.run()
    assert "neither a scenario nor a schedule" in page.error[0].value and not page.exception


def test_a_solved_preset_opens_by_its_link(monkeypatch):
    monkeypatch.setattr(watching, "PATIENCE", 60.0)
    app = AppTest.from_function(script, default_timeout=90)
    app.query_params["solved"] = "shared-atoms"
    settled(app.run())
    assert app.header[0].value == "The same point, two destinations" and app.query_params["solved"] in (
        "shared-atoms",
        ["shared-atoms"],
    )
    labelled(app.number_input, "times").set_value(0.5)
    next(b for b in app.button if b.label == "Multiply").click().run()
    assert next(b for b in app.button if b.label == "Back to the solved one").disabled is False
    assert any("too much for a link" in c.value for c in app.caption)
    held(app)["now"].stop()


def test_open_in_explore_brings_the_run_over(app):
    app.run()
    button = next(b for b in app.button if b.label == "Open in Explore")
    button.click().run()
    assert app.session_state["explore"]["title"] and app.session_state["explore"]["said"]["schedule"]
    app.session_state["explore"]["now"].stop()
