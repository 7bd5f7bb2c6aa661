"""The notebook's figures say what the run says."""

import numpy as np
import pytest

from mtm_viz.errors import InputError
from mtm_viz.rendering.figure import sphere_figure, w2_figure
from tests.rendering.synthetic import synthetic_run


def test_the_sphere_starts_at_the_inputs_and_ends_at_the_last_frame() -> None:
    run = synthetic_run()
    figure = sphere_figure(run, frames=7)
    assert len(figure.frames) == 7
    first = figure.frames[0].data[0]
    last = figure.frames[-1].data[0]
    assert np.allclose(np.c_[first.x, first.y, first.z], run.trajectories[0][0])
    assert np.allclose(np.c_[last.x, last.y, last.z], run.trajectories[0][-1])
    # The ball, its graticule, and then targets and particles of every measure.
    assert len(figure.data) == 2 + 2 * len(run.names)
    with pytest.raises(InputError, match="0 frames"):
        sphere_figure(run, frames=0)


def test_the_curves_are_those_of_the_run() -> None:
    run = synthetic_run()
    figure = w2_figure(run)
    for trace, curve in zip(figure.data, run.w2, strict=True):
        assert np.allclose(trace.y, np.maximum(curve, 1e-16))
