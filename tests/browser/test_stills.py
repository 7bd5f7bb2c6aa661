"""Stills and films show what the player shows: the same places on the screen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page

from mtm_viz.export import export
from mtm_viz.rendering.camera import HOME
from mtm_viz.rendering.options import Options
from mtm_viz.rendering.raster import Raster
from tests.rendering.synthetic import synthetic_run

pytestmark = pytest.mark.browser


def test_the_player_in_a_browser_projects_the_same_places(page: Page, tmp_path: Path) -> None:
    run = synthetic_run(8)
    export(run, tmp_path / "run.html")
    ask = """(at) => {
      const p = document.querySelector('.mtm-player').player, v = p.stage.view;
      p.clock.pause(); p.seek(at); p.render(performance.now());
      const box = p.stage.root.getBoundingClientRect();
      return { matrix: Array.from(v.matrix), w: box.width, h: box.height, at: p.positions.map((x) => Array.from(x)) };
    }"""
    page.set_viewport_size({"width": 900, "height": 640})
    page.goto((tmp_path / "run.html").as_uri())
    page.wait_for_selector(".mtm-player[data-ready]", timeout=60_000)
    found = {at: page.evaluate(ask, at) for at in (0.0, 0.31, 0.77, 1.0)}
    raster = Raster(run, Options(), (900, 640), frozenset())
    for at, said in found.items():
        matrix = np.array(said["matrix"]).reshape(4, 4).T
        camera = type(raster.camera(HOME)).players(HOME, said["w"], said["h"])
        for i in range(len(run.names)):
            theirs = np.array(said["at"][i]).reshape(-1, 3)
            ours = raster.moments.positions(i, at)
            np.testing.assert_allclose(ours, theirs, atol=2e-4)
            clip = np.c_[theirs, np.ones(len(theirs))] @ matrix.T
            expected = (clip[:, :2] / clip[:, 3:] * [1, -1] + 1) / 2 * [said["w"], said["h"]]
            np.testing.assert_allclose(camera.project(ours)[0], expected, atol=0.5)  # Plotly rounds its canvas
