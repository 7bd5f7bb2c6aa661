"""What `simulate` made, taken home; and exports in a process of their own."""

from __future__ import annotations

import io

import numpy as np
import pytest

from mtm_viz import cli
from mtm_viz.errors import Cancelled, InputError
from mtm_viz.export import OF_SIMULATIONS, export, load
from mtm_viz.export._apart import made_apart
from mtm_viz.rendering.options import Options
from mtm_viz.scenario import Scenario
from mtm_viz.simulate import simulate
from tests.export.conftest import film_frames

SCENARIO = {
    "format": "mtm-scenario",
    "version": 1,
    "dimension": 3,
    "initial": [
        {"generator": "uniform", "n": 30},
        {"generator": "cap", "params": {"center": [1, 0, 0], "radius_deg": 20}, "n": 9},
    ],
    "dynamics": {"model": "sa", "beta": 4, "V": "identity", "B": "identity"},
    "horizon": 3,
    "frames": 7,
}
SMALL = Options(size=(160, 120), frames=4, fps=10)


@pytest.fixture(scope="module")
def found():
    return simulate(Scenario.from_json(SCENARIO))


@pytest.fixture
def saved(found, tmp_path):
    found.save(tmp_path / "sim.npz")
    return tmp_path / "sim.npz"


@pytest.mark.parametrize("suffix", OF_SIMULATIONS)
def test_a_simulation_is_drawn_and_tabulated(saved, tmp_path, suffix, capfd):
    assert (
        cli.main(["export", str(saved), "-o", str(tmp_path / f"x{suffix}"), "--size", "160x120", "--frames", "3"]) == 0
    )
    assert (tmp_path / f"x{suffix}").stat().st_size > 100


def test_what_a_simulation_lacks_is_refused(saved, tmp_path, capfd):
    assert cli.main(["export", str(saved), "-o", str(tmp_path / "x.tex")]) == 2
    assert "a simulation has no schedule" in capfd.readouterr().err
    with pytest.raises(InputError):
        export(load(saved), tmp_path / "x.safetensors")


def test_a_film_in_a_process_of_its_own_is_the_same_film(run, tmp_path):
    heard = []
    content, notes = made_apart(run, "ä b.gif", SMALL, lambda s, f: heard.append(s))
    (tmp_path / "film.gif").write_bytes(content)
    assert len(film_frames(tmp_path / "film.gif")[0]) == 4 and notes == []
    assert any("frame 4 of 4" in sentence for sentence in heard)


def test_that_process_ends_on_a_cancel_and_tells_a_refusal(run):
    def stop(sentence, fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        made_apart(run, "x.mp4", Options(frames=5000), stop)
    with pytest.raises(InputError, match="cannot be transparent"):
        made_apart(run, "x.mp4", Options(theme="transparent"), lambda *_: None)


def test_trajectories_of_a_simulation_are_exact(found, tmp_path):
    export(found, tmp_path / "x.trajectories.npz")
    with np.load(io.BytesIO((tmp_path / "x.trajectories.npz").read_bytes()), allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["trajectory_0"], found.trajectories[0])
        assert "target_0" not in arrays
