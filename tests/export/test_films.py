from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mtm_viz.errors import Cancelled, InputError
from mtm_viz.export import export, writer
from mtm_viz.rendering.film import film, moments_of
from mtm_viz.rendering.options import Options
from tests.export.conftest import ffmpeg, film_frames
from tests.rendering.synthetic import synthetic_run

SMALL = Options(size=(320, 240), frames=6, fps=10)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_a_film_has_the_frames_size_pace_and_colours_asked_for(run, tmp_path, suffix):
    path = tmp_path / f"film{suffix}"
    assert export(run, path, SMALL) == []
    frames, about = film_frames(path)
    assert frames.shape == (6, 240, 320, 3)
    assert about["fps"] == "10" and about["duration"] == "00:00:00.60"
    assert about["pixels"] == "yuv420p"
    assert about["codec"] == {".mp4": "h264", ".webm": "vp9"}[suffix]
    # The page is white to the corner: colours survive the way there and back.
    assert (frames[:, 2, -3].astype(int) > 250).all()
    assert np.abs(frames[0].astype(int) - frames[-1]).max() > 50, "something moves"


def test_an_mp4_starts_with_its_index_so_that_browsers_play_it_at_once(run, tmp_path):
    export(run, tmp_path / "film.mp4", SMALL)
    content = (tmp_path / "film.mp4").read_bytes()
    assert content.index(b"moov") < content.index(b"mdat")


def test_odd_sizes_become_even_and_that_is_said(run, tmp_path):
    notes = export(run, tmp_path / "film.mp4", replace(SMALL, size=(321, 241)))
    assert notes == ["it is 322x242 pixels, since films need even sides"]
    assert film_frames(tmp_path / "film.mp4")[0].shape[1:3] == (242, 322)


@pytest.mark.parametrize("suffix", [".mp4", ".webm", ".gif"])
def test_one_frame_of_one_particle_is_a_film(tmp_path, suffix):
    path = tmp_path / f"film{suffix}"
    export(synthetic_run(1, 1), path, Options(size=(64, 64), frames=1))
    assert len(film_frames(path)[0]) == 1


def test_a_gif_has_its_frames_its_duration_its_loop_and_its_colours(run, tmp_path):
    path = tmp_path / "film.gif"
    export(run, path, Options(size=(301, 200), frames=9, fps=10))
    with Image.open(path) as picture:
        assert (picture.n_frames, picture.size, picture.info["loop"]) == (9, (301, 200), 0)
        assert sum(_duration(picture, k) for k in range(9)) == pytest.approx(900, abs=10)
        picture.seek(3)
        colors = {c for _, c in picture.convert("RGB").getcolors(100_000)}
    assert (255, 255, 255) in colors
    # A measure's own colour is in the palette.
    assert any(np.abs(np.subtract(c, (0, 114, 178))).max() < 12 for c in colors)


def test_a_gif_played_once_does_not_loop(run, tmp_path):
    export(run, tmp_path / "film.gif", replace(SMALL, loop="once"))
    with Image.open(tmp_path / "film.gif") as picture:
        assert "loop" not in picture.info


def test_a_gif_tells_the_pace_it_can_have(run, tmp_path):
    notes = export(run, tmp_path / "film.gif", replace(SMALL, fps=30, frames=3))
    assert notes == ["the film runs at 33.3 frames a second, the nearest a GIF can"]


def test_a_gif_is_made_smaller_until_it_fits_or_says_that_it_cannot(run):
    whole = io.BytesIO()
    write = writer(Path("film.gif"))
    write(run, whole, SMALL)
    fitted = io.BytesIO()
    notes = write(run, fitted, replace(SMALL, most_bytes=int(0.8 * whole.tell())))
    assert fitted.tell() <= 0.8 * whole.tell() and "colours and no dithering" in notes[0]
    nothing = io.BytesIO()
    with pytest.raises(InputError, match="ask for fewer frames or a smaller size"):
        write(run, nothing, replace(SMALL, most_bytes=500))
    assert nothing.tell() == 0


def test_a_transparent_webm_has_an_alpha_channel_and_an_mp4_refuses(run, tmp_path):
    path = tmp_path / "film.webm"
    export(run, path, replace(SMALL, theme="transparent"))
    ffmpeg("-y", "-c:v", "libvpx-vp9", "-i", path, "-frames:v", 1, "-pix_fmt", "rgba", tmp_path / "frame.png")
    with Image.open(tmp_path / "frame.png") as picture:
        alpha = np.asarray(picture.convert("RGBA"))[..., 3]
    assert alpha[2, -3] < 8 and alpha[120, 160] > 150
    with pytest.raises(InputError, match="cannot be transparent"):
        export(run, tmp_path / "film.mp4", replace(SMALL, theme="transparent"))
    assert names(tmp_path) == ["film.webm", "frame.png"]


def test_a_sequence_of_pngs_is_one_archive(run, tmp_path):
    export(run, tmp_path / "film.png.zip", replace(SMALL, theme="transparent-dark"))
    with zipfile.ZipFile(tmp_path / "film.png.zip") as archive:
        assert archive.namelist() == [f"frame_{k:04d}.png" for k in range(6)]
        with Image.open(archive.open("frame_0005.png")) as picture:
            assert picture.size == (320, 240) and picture.mode == "RGBA"


@pytest.mark.parametrize("suffix", [".mp4", ".gif", ".png.zip", ".webm"])
def test_cancelling_leaves_nothing_and_the_old_file_untouched(run, tmp_path, suffix):
    path = tmp_path / f"film{suffix}"
    path.write_bytes(b"the film of yesterday")

    def stop(sentence, fraction):
        if "frame 3" in sentence:
            raise Cancelled

    with pytest.raises(Cancelled):
        export(run, path, SMALL, stop)
    assert names(tmp_path) == [path.name] and path.read_bytes() == b"the film of yesterday"


def test_an_encoder_that_breaks_off_is_one_sentence(run, tmp_path, monkeypatch):
    monkeypatch.setattr("mtm_viz.export.mp4.H264", ["-c:v", "no-such-encoder"])
    with pytest.raises(InputError, match="ffmpeg could not make the film"):
        export(run, tmp_path / "film.mp4", SMALL)
    assert names(tmp_path) == []


def test_display_time_rests_at_the_end_and_ping_pong_comes_back():
    at = moments_of(100, 30, Options())
    assert at[0] == 0 and (at[-10:] == 1).all() and (np.diff(at) >= 0).all()
    there = moments_of(9, 30, Options(loop="pingpong"))
    np.testing.assert_allclose(there, [0, 0.25, 0.5, 0.75, 1, 0.75, 0.5, 0.25, 0])
    assert moments_of(1, 30, Options(at=0.3)).tolist() == [0.3]


def test_a_slow_turn_comes_round_and_a_followed_measure_is_in_front(run):
    turning = film(run, Options(camera="turn", frames=12), size=(64, 64), fps=10)
    angles = np.unwrap([np.arctan2(eye[1], eye[0]) for eye in turning.eyes])
    np.testing.assert_allclose(np.diff(angles), 2 * np.pi / 12)
    followed = film(run, Options(camera="follow:2", frames=12), size=(64, 64), fps=10)
    raster = followed.raster()
    mean = run.weights[1] @ raster.moments.positions(1, 1.0)
    if np.linalg.norm(mean) > 0.1:
        assert raster.camera(followed.eyes[-1]).depth(mean[None])[0] > 0


def _duration(picture, k):
    picture.seek(k)
    return picture.info["duration"]
