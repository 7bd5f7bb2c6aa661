"""What the app does once, whatever page comes first, and what it says about the machine."""

from __future__ import annotations

import gc

import pytest
from streamlit.testing.v1 import AppTest

from mtm_viz.ui import cached
from tests.ui.app_steps import texts


def test_kernels_are_warmed_once_for_all_sessions(app, monkeypatch):
    delays = []
    monkeypatch.setattr(cached, "warm", delays.append)
    cached.settling.clear()
    try:
        app.run()
        assert not app.exception
        app.run()
        AppTest.from_file(app._script_path, default_timeout=20).run()
        assert delays == [cached.AFTER_FIRST_PAGE]
    finally:
        cached.settling.clear()


def test_what_is_imported_is_not_walked_through_after_every_script_run(app, monkeypatch):
    monkeypatch.setattr(cached, "AFTER_FIRST_PAGE", 0.0)
    cached.settling.clear()
    gc.unfreeze()
    app.run()
    cached.settling().join()
    assert gc.get_freeze_count() > len(gc.get_objects())


@pytest.mark.parametrize("name", [None, "Some GPU"])
def test_a_machine_without_a_device_is_said_to_be_one(app, monkeypatch, name):
    monkeypatch.setattr(cached, "cupy_device", lambda: name)
    cached.device.clear()
    try:
        app.run()
        assert "processor" not in texts(app)
        app.switch_page("mtm_viz/ui/pages/explore.py").run()
        said = [caption.value for caption in app.sidebar.caption if "processor" in caption.value]
        assert said == ([] if name else ["Runs on the processor: no CUDA device found."])
        assert not app.exception
    finally:
        cached.device.clear()
