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
from mtm_viz.ui.observing import more, names, theories
from mtm_viz.ui.scenario_link import pack_scenario, read_scenario, unpack_scenario
from mtm_viz.ui.widgets.curves import curve
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


def above(app, error):
    """Label of the nearest control that stands above an error, in the order in which they are drawn."""
    drawn = list(app.sidebar)
    before = drawn[: next(k for k, one in enumerate(drawn) if one.type == "alert" or one is error)]
    return [one.label for one in before if getattr(one, "label", "") and hasattr(one, "set_value")][-1]


@pytest.mark.parametrize(
    ("kind", "label", "value", "said", "beside"),
    [
        ("number_input", "β as a number", 1e6, '"Beta" is 1000000.0: give a number from -10000 to 10000.', "β as a number"),
        ("number_input", "Particles n as a number", 10**7, '"N" makes 10,000,000 particles and this page shows at most', "Particles n as a number"),
        ("number_input", "Particles n as a number", 0, 'The initial measure: "n" is 0: give a whole number from 1', "Particles n as a number"),
        ("number_input", "Horizon T", 1e9, '"Horizon" is 1000000000.0: give a number from 1e-06 to 100000.', "Frames"),
        ("number_input", "Frames", 10**5, '"Frames" is 100,000 and this page shows at most 1,000: use fewer.', "Frames"),
        ("number_input", "Noise σ", -1.0, '"Noise" is -1.0: give a number from 0 to 100.', "Common noise"),
        ("text_area", "Rows of V", "1 0 0; 0 1 0", '"V" is 2 x 3 and must be 3 x 3', "Rows of V"),
        ("text_area", "Rows of V", "nan 0 0; 0 1 0; 0 0 1", '"V" holds a number that is not finite', "Rows of V"),
        ("text_area", "Rows of V", "1e5", '"V" holds a number beyond 10000: make it smaller.', "Rows of V"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_named_beside_its_control_and_the_picture_stays(page, kind, label, value, said, beside):
    page.run()
    if kind == "text_area":
        labelled(page.selectbox, "V").set_value("Typed in").run()
    good = shown(page)
    labelled(getattr(page, kind), label).set_value(value).run()
    assert not page.exception and len(page.error) == 1
    assert page.error[0].value.lower().startswith(said.lower())
    assert above(page, page.error[0]) == beside
    assert shown(page) is good
    assert any("still shows the last scenario" in one.value for one in page.caption)


def test_a_fault_of_a_head_is_said_beside_that_head(page):
    page.run()
    labelled(page.number_input, "Heads").set_value(2).run()
    next(box for box in page.selectbox if box.key.endswith("head1/V")).set_value("Typed in").run()
    labelled(page.text_area, "Rows of V").set_value("1 0; 0 1").run()
    assert page.error[0].value == 'Head 2: "V" is 2 x 2 and must be 3 x 3: give as many rows and columns.'
    assert above(page, page.error[0]) == "Rows of V" and not page.exception
    next(box for box in page.number_input if box.key.endswith("head1/beta")).set_value(1e5).run()
    assert any("Head 2" in one.value for one in page.error)


def test_beta_is_typed_beyond_its_slider_which_then_reaches_it(page):
    page.run()
    slider = labelled(page.slider, "β")
    assert slider.max == 30
    fine(labelled(page.number_input, "β as a number").set_value(80.0).run())
    assert held(page)["said"]["dynamics"]["beta"] == 80.0
    assert (labelled(page.slider, "β").value, labelled(page.slider, "β").max) == (80.0, 160.0)
    fine(labelled(page.slider, "β").set_value(60.0).run())
    assert labelled(page.number_input, "β as a number").value == 60.0
    fine(labelled(page.number_input, "β as a number").set_value(-2.5).run())
    assert labelled(page.slider, "β").min == -160.0 and held(page)["said"]["dynamics"]["beta"] == -2.5


def test_a_model_that_would_never_end_is_refused_in_a_sentence(page):
    page.run()
    labelled(page.selectbox, "Model").set_value("usa").run()
    labelled(page.number_input, "β as a number").set_value(60.0).run()
    assert "moves too fast beyond 50" in page.error[0].value and above(page, page.error[0]) == "β as a number"


def test_a_run_is_kept_as_a_while_b_changes(page):
    fine(page.run())
    a = shown(page)
    next(one for one in page.button if one.key == "compare").click().run()
    fine(labelled(page.slider, "β").set_value(9.0).run())
    fine(labelled(page.selectbox, "V").set_value("rotation").run())
    assert "From A to B: β 2 → 9; V I → Quarter turn." in [one.value for one in page.markdown]
    assert held(page)["beside"][1].shown is a and shown(page) is not a
    again = AppTest.from_function(script, default_timeout=90)
    for name in ("scenario", "beside"):
        value = page.query_params[name]
        again.query_params[name] = value[0] if isinstance(value, list) else value
    fine(again.run())
    np.testing.assert_array_equal(held(again)["beside"][1].shown.trajectories[0], a.trajectories[0])
    np.testing.assert_array_equal(shown(again).trajectories[0], shown(page).trajectories[0])
    next(one for one in page.button if one.key == "compare-back").click().run()
    assert canonical(held(fine(page))["said"]) == canonical(SMALL)
    next(one for one in page.button if one.key == "compare-stop").click().run()
    assert held(fine(page))["beside"] is None and "beside" not in page.query_params


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
        drawn = curve(name, np.array([0.0, 0.5, 1.0]), found, ["#000", "#111"], [(0.5, 1.0, "1 cluster")])
        bands, lines = (layer["data"]["values"] for layer in drawn["layer"])
        assert bands == [{"t": 0.5, "end": 1.0, "says": "1 cluster"}]
        rows = lines
        assert [row["t"] for row in rows] == [0.0, 1.0, 0.0, 1.0]
        assert {row["measure"] for row in rows} == {"measure 1", "measure 2"}


def test_plateaus_are_said_in_words_and_more_is_measured_when_asked_for(page):
    page.query_params["scenario"] = pack_scenario(
        SMALL
        | {"horizon": 12.0, "frames": 40, "initial": [{"generator": "uniform", "n": 12, "seed": s} for s in (0, 1)]}
    )
    fine(page.run())
    found = held(page)["now"].shown
    assert found.plateaus and any(m.value.startswith("**Plateaus** 2 + 1 clusters from") for m in page.markdown)
    fine(labelled(page.pills, "Also measure").set_value(list(more(found))).run())
    said = " ".join(m.value for m in page.markdown)
    for label in more(found).values():
        assert label.split(" between")[0] in said
    slider = next(s for s in page.select_slider if s.label == "At layer time")
    fine(slider.set_value(0).run())


def test_theory_is_said_of_the_laws_it_is_about():
    def said(dynamics, **more):
        return theories(simulate(Scenario.from_json(SMALL | {"dynamics": dynamics, "horizon": 0.1} | more)))

    assert "about 7 clusters" in said({"beta": 25}, dimension=2)["clusters"]
    assert "above 1;" in said({"model": "kuramoto", "noise": 0.5}, dimension=2)["order"]
    assert "with a jump" in said({"model": "usa", "beta": 3, "noise": 0.5}, dimension=2)["order"]
    assert "continuously" in said({"model": "usa", "beta": 2, "noise": 0.5}, dimension=2)["order"]
    for other in (
        {"beta": 5, "V": "rotation"},
        {"beta": 5, "causal": True},
        {"beta": 5, "W": "identity"},
        {"beta": -5},
    ):
        assert said(other) == {}
