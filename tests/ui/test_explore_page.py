"""The page Explore as a person uses it, without a browser."""

import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from mtm_viz import Scenario, simulate
from mtm_viz.errors import InputError
from mtm_viz.ui import cached, watching
from mtm_viz.ui.draft import canonical
from mtm_viz.ui.examples import FIRST, load_examples
from mtm_viz.ui.matrix_words import choice_of, typed, written
from mtm_viz.ui.observing import names
from mtm_viz.ui.scenario_link import pack_scenario, read_scenario, unpack_scenario
from mtm_viz.ui.widgets.observables_panel import curve
from tests.ui.app_steps import labelled

EXAMPLES = load_examples()
SMALL = {
    "format": "mtm-scenario",
    "version": 1,
    "dimension": 3,
    "initial": {"generator": "uniform", "n": 12},
    "frames": 9,
}
SMALL = Scenario.from_json(SMALL | {"horizon": 2.0, "dynamics": {"beta": 2.0}}).to_json()


def script():
    from mtm_viz.ui import cached, state

    state.begin(cached.presets())
    state.collect()
    import runpy

    from mtm_viz.ui import explore

    runpy.run_path(explore.__file__.replace("explore.py", "pages/explore.py"))


@pytest.fixture
def page(monkeypatch) -> AppTest:
    """The page alone, patient, on a small scenario by its link; not yet run."""
    monkeypatch.setattr(watching, "PATIENCE", 60.0)
    app = AppTest.from_function(script, default_timeout=90)
    app.query_params["scenario"] = pack_scenario(SMALL)
    return app


def held(app):
    return app.session_state["explore"]


def shown(app):
    return held(app)["now"].shown


def fine(app):
    assert not app.exception
    assert not app.error, app.error[0].value
    return app


def test_a_link_brings_back_the_scenario_and_the_run_to_the_last_bit(page):
    fine(page.run())
    assert canonical(held(page)["said"]) == canonical(SMALL), "looking at a scenario does not change it"
    again = simulate(Scenario.from_json(SMALL), backend="numpy", rtol=watching.RTOL)
    np.testing.assert_array_equal(shown(page).trajectories[0], again.trajectories[0])
    assert page.header[0].value == "Your own scenario"


def test_without_a_link_it_opens_on_the_first_example(page):
    del page.query_params["scenario"]
    fine(page.run())
    assert page.header[0].value == EXAMPLES[FIRST].title
    assert page.query_params["example"] in (FIRST, [FIRST])


@pytest.mark.parametrize("bad", [{"scenario": "@@@@"}, {"scenario": "AAAA"}, {"example": "../x"}])
def test_a_bad_link_opens_the_first_example_with_a_kind_sentence(page, bad):
    del page.query_params["scenario"]
    for key, value in bad.items():
        page.query_params[key] = value
    fine(page.run())
    assert "could not be used" in page.info[0].value
    assert page.header[0].value == EXAMPLES[FIRST].title


def test_every_control_gives_a_new_run_and_its_link(page):
    page.run()
    before = shown(page)
    labelled(page.slider, "β").set_value(6.0).run()
    labelled(page.selectbox, "V").set_value("rotation").run()
    labelled(page.toggle, "Causal mask").set_value(True).run()
    labelled(page.toggle, "Perceptron").set_value(True).run()
    labelled(page.toggle, "Discrete layers").set_value(True).run()
    fine(labelled(page.number_input, "Run seed").set_value(5).run())
    said = held(page)["said"]
    assert (said["dynamics"]["beta"], said["dynamics"]["V"], said["seed"]) == (6.0, "rotation", 5)
    assert said["dynamics"]["causal"] and said["dynamics"]["W"] == "identity" and said["dynamics"]["layers"] == 0.1
    assert shown(page) is not before
    link = page.query_params["scenario"]
    assert canonical(unpack_scenario(link[0] if isinstance(link, list) else link)) == canonical(said)
    labelled(page.toggle, "Discrete layers").set_value(False).run()
    fine(labelled(page.number_input, "Heads").set_value(2).run())
    assert len(held(page)["said"]["dynamics"]["heads"]) == 2
    fine(labelled(page.number_input, "Heads").set_value(1).run())
    assert held(page)["said"]["dynamics"]["beta"] == 6.0


def test_what_cannot_be_is_said_and_the_last_good_picture_stays(page):
    page.run()
    labelled(page.selectbox, "V").set_value("Typed in").run()
    good = shown(page)
    labelled(page.text_area, "Rows of V").set_value("1 0\n0 1").run()
    assert not page.exception
    assert page.error[0].value == '"V" is 2 x 2 and must be 3 x 3: give as many rows and columns.'
    assert shown(page) is good
    labelled(page.text_area, "Rows of V").set_value("1 0 0\n0 two 0\n0 0 1").run()
    assert "not a number" in page.error[0].value
    labelled(page.text_area, "Rows of V").set_value("0, 1, 0; 1, 0, 0; 0, 0, 1").run()
    fine(page)
    assert shown(page) is not good


def test_a_model_that_would_never_end_is_refused_in_a_sentence(page):
    page.run()
    labelled(page.selectbox, "Model").set_value("usa").run()
    held(page)["top"] = 100.0
    labelled(page.slider, "β").set_value(30.0).run()
    fine(page)


def test_a_run_that_takes_long_is_cancelled_and_the_picture_stays(page, monkeypatch):
    page.run()
    good = shown(page)
    monkeypatch.setattr(watching, "PATIENCE", 0.0)
    labelled(page.number_input, "Horizon T").set_value(3.0).run()
    cached.explored()
    if held(page)["now"].job is not None:
        explore_cancel = next(b for b in page.button if b.key == "explore-cancel")
        explore_cancel.click().run()
        assert shown(page) is good
        assert "Stopped" in page.error[0].value
    assert not page.exception


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_small_and_fits_a_link_or_is_named_in_it(name):
    example = EXAMPLES[name]
    assert read_scenario(example.scenario).to_json() == example.scenario
    assert 20 < len(example.sentence) < 160


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"initial": {"generator": "uniform", "n": 10**7}}, '"n"'),
        ({"frames": 5000}, '"frames"'),
        ({"horizon": 1e9}, '"horizon"'),
        ({"dynamics": {"beta": float("nan")}}, '"beta"'),
        ({"dynamics": {"V": [[1]]}}, '"V"'),
        ({"initial": {"generator": "uniform", "n": 3000}, "frames": 900}, '"frames"'),
    ],
)
def test_what_is_too_large_or_senseless_is_refused_by_name(change, word):
    with pytest.raises(InputError, match=word):
        read_scenario(json.loads(json.dumps(SMALL)) | change)


def test_matrices_are_typed_as_they_are_shown():
    for said in ([[1.0, 0.25], [1e-9, -3.0]], 2.5, {"name": "rotation"}):
        assert typed(written(said, 2), "V") == said
        assert choice_of(said) == "Typed in"
    assert typed(written("rotation", 2), "V") == [[1.0, 0.0], [0.0, 1.0]]
    for bad in ("", "a b", "[1, 2"):
        with pytest.raises(InputError, match='"V"'):
            typed(bad, "V")


def test_curves_have_a_line_for_every_measure():
    found = [(np.array([0, 2]), np.array([3.0, 1.0])), (np.array([0, 2]), np.array([2.0, 2.0]))]
    for name in names():
        rows = curve(name, np.array([0.0, 0.5, 1.0]), found, ["#000", "#111"])["data"]["values"]
        assert [row["t"] for row in rows] == [0.0, 1.0, 0.0, 1.0]
        assert {row["measure"] for row in rows} == {"measure 1", "measure 2"}
