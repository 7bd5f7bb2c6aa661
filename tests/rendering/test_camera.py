from __future__ import annotations

import numpy as np
import pytest

from mtm_viz.errors import InputError
from mtm_viz.rendering.camera import HOME, Camera
from mtm_viz.rendering.paths import CameraPath, checked_eye

# What the player's WebGL layer was given in Chromium, its stage 924 x 593.46875 CSS pixels (column-major, data to clip space).
PLAYER = np.array([
    -0.5002516251791537, -0.24059933192875843, -0.23192572632525524, -0.23192108785711343,
    0.3911058160491565, -0.307743331536784, -0.29664918483462877, -0.29664325191026136,
    0, 0.9090551502486578, -0.1618086462734339, -0.16180541013286984,
    0, 2.6803154833089315e-16, 1.4997670143593664, 1.5197368193210299,
]).reshape(4, 4).T  # fmt: skip
STAGE = (924, 593.46875)


def test_points_fall_where_the_player_draws_them(rng=None):
    points = np.random.default_rng(1).standard_normal((200, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    clip = np.c_[points, np.ones(200)] @ PLAYER.T
    expected = (clip[:, :2] / clip[:, 3:] * [1, -1] + 1) / 2 * STAGE
    camera = Camera.players(HOME, *STAGE)
    xy, near = camera.project(points)
    np.testing.assert_allclose(xy, expected, atol=0.5)  # Plotly rounds its canvas to whole pixels
    np.testing.assert_allclose(near, 1.5197368193210299 / clip[:, 3], atol=1e-6)


def test_front_and_silhouette_are_the_players():
    camera = Camera.players(HOME, *STAGE)
    assert camera.radius == pytest.approx(0.6761035122300423 * STAGE[1] / 2, abs=1e-3)
    eye = np.array([2.0984, 2.684, 1.464])
    points = np.random.default_rng(2).standard_normal((200, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    np.testing.assert_allclose(camera.fronted(points), points @ eye - 1, atol=1e-12)
    # What is in front lies inside the silhouette, whatever its place.
    xy, _ = camera.project(points)
    assert (np.linalg.norm(xy - camera.centre, axis=1) <= camera.radius + 1e-9).all()


@pytest.mark.parametrize("lens", ["perspective", "orthographic"])
def test_the_sphere_is_as_large_as_asked(lens):
    camera = Camera.filling(HOME, (100, 80), 60, lens)
    limb = np.cross(camera.axes[2], [0.3, 0.2, 0.9])
    limb /= np.linalg.norm(limb)
    if lens == "orthographic":
        xy, near = camera.project(limb[None])
        assert near[0] == 1
        assert np.linalg.norm(xy[0] - [100, 80]) == pytest.approx(camera.radius)
    else:
        assert camera.radius == pytest.approx(60)


def test_a_viewer_above_a_pole_sees_something():
    camera = Camera.filling((0, 0, 1.5), (50, 50), 40)
    assert np.isfinite(camera.project(np.eye(3))[0]).all()
    np.testing.assert_allclose(camera.axes @ camera.axes.T, np.eye(3), atol=1e-12)


def test_paths_are_read_and_nonsense_is_refused():
    names = ("a", "b")
    assert CameraPath.parse("fixed", names) == CameraPath()
    assert CameraPath.parse("turn:-90", names).degrees == -90
    assert CameraPath.parse("follow:b", names).measure == CameraPath.parse("follow:2", names).measure == 1
    assert CameraPath.parse("1,0,0.5", names).eye == (1, 0, 0.5)
    for said in ("", "turn:x", "turn:inf", "turn:nan", "follow:", "follow:3", "1,2", "nan,1,1", "0,0,0", "99,0,0"):
        with pytest.raises(InputError, match="camera"):
            CameraPath.parse(said, names)
    with pytest.raises(InputError):
        checked_eye((1.0, 2.0))
