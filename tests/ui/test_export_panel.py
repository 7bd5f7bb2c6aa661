"""The export panel as a person uses it: choose, read the size, make, cancel, save."""

from __future__ import annotations

import zipfile
from io import BytesIO

import pytest
from streamlit.testing.v1 import AppTest

from mtm_viz.export import suffixes
from mtm_viz.rendering.options import Options
from mtm_viz.ui.export_choices import GROUPS, KINDS, kinds_of, make


def script():
    import streamlit as st

    from mtm_viz.ui import cached, state
    from mtm_viz.ui.widgets.export_panel import export_panel
    from tests.rendering.synthetic import synthetic_run

    @st.cache_resource
    def run():
        return synthetic_run(6, 2)

    state.begin(cached.presets())
    export_panel(run(), "my run / 2")


@pytest.fixture
def panel() -> AppTest:
    return AppTest.from_function(script, default_timeout=30).run()


def widget(panel, kind, key):
    return next(w for w in panel.get(kind) if w.key == key)


def wait(panel):
    for _ in range(200):
        job = panel.session_state["making"].get("job")
        if job is None or job.wait(0.2) is not None:
            break
    return panel.run()


def test_every_format_is_offered_once():
    assert {kind.suffix for kind in KINDS} == set(suffixes())
    assert sum(len(kinds_of(group)) for group in GROUPS) == len(KINDS)


def test_the_size_and_length_are_said_before(panel):
    assert not panel.exception
    said = " ".join(caption.value for caption in panel.caption)
    assert "300 frames, 10 s long" in said and "MB" in said and "to make" in said


def test_a_picture_is_made_and_can_be_saved(panel):
    panel.segmented_control(key="export-group").set_value("Picture").run()
    panel.selectbox(key="export-size-still").set_value("Square, 600 × 600").run()
    panel.button(key="export-make").click().run()
    wait(panel)
    assert not panel.exception and not panel.error
    made = panel.session_state["making"]["made"]
    assert made.name == "my-run-2.png" and made.content.startswith(b"\x89PNG")
    assert any("Save my-run-2.png" in b.proto.label for b in panel.get("download_button"))
    # Another choice asks for another file.
    panel.selectbox(key="export-size-still").set_value("HD, 1280 × 720").run()
    assert not panel.get("download_button") and panel.button(key="export-make")


def test_a_film_can_be_cancelled(panel):
    panel.slider(key="export-seconds").set_value(90).run()
    panel.button(key="export-make").click().run()
    job = panel.session_state["making"]["job"]
    panel.button(key="export-cancel").click().run()
    assert panel.session_state["making"]["job"] is None
    assert job.outcome is not None and not panel.get("download_button")
    assert panel.button(key="export-make")


def test_a_wrong_view_is_one_sentence_beside_its_field(panel):
    panel.selectbox(key="export-camera").set_value("eye").run()
    panel.text_input(key="export-eye").set_value("0,0,0").run()
    assert len(panel.error) == 1 and "camera" in panel.error[0].value.lower()
    assert not [b for b in panel.button if b.key == "export-make"]


@pytest.mark.parametrize("group", GROUPS)
def test_every_format_draws_its_controls(panel, group):
    panel.segmented_control(key="export-group").set_value(group).run()
    for kind in kinds_of(group):
        panel.selectbox(key=f"export-kind-{group}").set_value(kind).run()
        assert not panel.exception, kind


def test_the_network_comes_with_its_module(panel):
    from tests.rendering.synthetic import synthetic_run

    kind = next(kind for kind in KINDS if kind.suffix == ".safetensors")
    made = make(synthetic_run(4, 1), kind, "theta", Options(layers=20), (), lambda *_: None)
    assert made.name == "theta.safetensors.zip"
    assert zipfile.ZipFile(BytesIO(made.content)).namelist() == ["theta.safetensors", "theta_transformer.py"]


def depth_script():
    import streamlit as st

    from mtm_viz.ui import cached, state
    from mtm_viz.ui.widgets.depth import depth_panel
    from tests.rendering.synthetic import synthetic_run

    @st.cache_resource
    def run():
        return synthetic_run(3, 1)

    state.begin(cached.presets())
    depth_panel(run())


def test_the_depth_is_answered_in_a_sentence_and_a_chart(monkeypatch):
    from mtm_viz.network import Depth
    from mtm_viz.ui.widgets import depth

    tried = [Depth(10, (0.4,)), Depth(40, (0.02,))]
    monkeypatch.setattr(depth, "layers_needed", lambda run, eps, report: (tried[1], tried))
    panel = AppTest.from_function(depth_script, default_timeout=30).run()
    panel.button(key="depth-find").click().run()
    for _ in range(100):
        job = panel.session_state["making"].get("depth_job")
        if job is None or job.wait(0.1) is not None:
            break
    panel.run()
    assert not panel.exception
    assert "**40 layers**" in panel.markdown[-1].value
    assert "No network" in depth.said(None, 0.1, 5)


def test_the_widths_of_a_run_are_told_in_a_sentence_and_a_chart():
    from mtm_viz.ui.widgets import width

    assert "every gate waits" in width.said([[1, 5], [2, 5]])
    assert "**8** of width 2 (" in width.said([[1, 12], [2, 8]])
    chart = width.chart([[1, 12], [2, 8], [4, 8]], 3, 8)
    assert [(row["width"], row["segments"]) for row in chart["data"]["values"]] == [(1, 12), (2, 8), (4, 8)]
    assert chart["layer"][1]["data"]["values"] == [{"width": 3, "segments": 8}]


def width_script():
    from dataclasses import replace

    from mtm_viz.ui.widgets.width import width_panel
    from tests.rendering.synthetic import synthetic_run

    run = synthetic_run(3, 1)
    width_panel(run)
    width_panel(replace(run, certificate=run.certificate | {"depths": [[1, 9], [2, 7]]}))


def test_a_run_that_does_not_tell_its_widths_shows_none():
    panel = AppTest.from_function(width_script, default_timeout=30).run()
    assert not panel.exception
    assert len(panel.markdown) == 1
    assert "**7** of width 2" in panel.markdown[0].value
