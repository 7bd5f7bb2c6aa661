"""`export` as a command and as a function: names, options, places that cannot be written, interruptions."""

from __future__ import annotations

import io
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mtm_viz import cli
from mtm_viz.errors import InputError
from mtm_viz.export import companions, export, format_of, suffixes, writer
from mtm_viz.rendering.options import Options

EVERY = [".csv", ".gif", ".html", ".json", ".md", ".mp4", ".npz", ".parquet", ".pdf", ".png", ".png.zip", ".safetensors", ".summary.json", ".svg", ".tex", ".trajectories.npz", ".webm", ".zip"]  # fmt: skip


@pytest.fixture(scope="module")
def saved(solved, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("run") / "run.npz"
    solved.save(path)
    return path


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_registry_finds_every_format():
    assert list(suffixes()) == sorted(EVERY)


@pytest.mark.parametrize("suffix", EVERY)
def test_every_format_writes_from_the_command_line(saved, tmp_path, suffix, capfd):
    out = tmp_path / f"ünï code{suffix}"
    out.write_bytes(b"an older file")
    small = ["--size", "160x120", "--frames", "3", "--layers", "50"]
    assert cli.main(["export", str(saved), "-o", str(out), *small, "--title", "Ωμ — \U0001f642"]) == 0
    assert f"wrote {out}" in capfd.readouterr().out
    beside = ["ünï code_transformer.py"] if suffix == ".safetensors" else []
    assert names(tmp_path) == sorted([out.name, *beside])
    assert out.read_bytes() != b"an older file" and out.stat().st_size > 100


@pytest.mark.parametrize("suffix", EVERY)
def test_every_format_says_what_it_is(suffix):
    assert "/" in format_of(suffix).MIME_TYPE


def test_the_longest_ending_wins():
    assert writer(Path("a.png.zip")) is not None
    assert format_of(".png.zip").__name__.endswith("png_zip")


REFUSED = {
    "no ending": (["-o", "{out}/film"], "film: the name has no ending that says the format: use one of .csv"),
    "unknown ending": (["-o", "{out}/film.avi"], "the format '.avi' is not written"),
    "a folder": (["-o", "{out}/folder.png"], "is a folder"),
    "no such folder": (["-o", "{out}/no/film.png"], "choose another folder"),
    "size": (["-o", "{out}/film.png", "--size", "big"], "the size 'big' is not known"),
    "size too small": (["-o", "{out}/film.png", "--size", "3x3"], "use 16 to 8192 a side"),
    "size too large": (["-o", "{out}/film.png", "--size", "99999x10"], "use 16 to 8192 a side"),
    "frames": (["-o", "{out}/film.gif", "--frames", "0"], "0 frames: use 1 to"),
    "fps": (["-o", "{out}/film.gif", "--fps", "nan"], "frames a second"),
    "moment": (["-o", "{out}/film.png", "--at", "2"], "display time 2"),
    "camera": (["-o", "{out}/film.png", "--camera", "sideways"], "the camera 'sideways' is not known"),
    "camera inside": (["-o", "{out}/film.png", "--camera", "0.1,0,0"], "the camera's eye"),
    "followed": (["-o", "{out}/film.png", "--camera", "follow:9"], "cannot follow '9'"),
    "part": (["-o", "{out}/film.png", "--show", "legend,clock"], "'clock' is no part of the picture"),
    "layers": (["-o", "{out}/film.safetensors", "--layers", "0"], "0 layers"),
    "budget": (["-o", "{out}/film.gif", "--max-size", "tiny"], "the size 'tiny' is not known"),
    "transparent H.264": (["-o", "{out}/film.mp4", "--theme", "transparent"], "film.mp4: a .mp4 film cannot be transparent"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_one_line_and_no_file(case, saved, tmp_path, capfd):
    (tmp_path / "folder.png").mkdir()
    arguments, sentence = REFUSED[case]
    assert cli.main(["export", str(saved), *(a.format(out=tmp_path) for a in arguments)]) == 2
    err = capfd.readouterr().err
    assert sentence in err and err.count("\n") == 1
    assert names(tmp_path) == ["folder.png"]


@pytest.mark.parametrize("suffix", [".mp4", ".csv"])
def test_a_full_disk_is_one_sentence_and_leaves_nothing(saved, tmp_path, suffix):
    # No file may grow beyond 4 kB, ffmpeg's neither: the file system answers as a full one does.
    done = subprocess.run(
        [sys.executable, "-m", "mtm_viz", "export", saved, "-o", tmp_path / f"out{suffix}", "--size", "320x240", "--frames", "8", "--layers", "400"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
        capture_output=True, text=True, env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "MPLCONFIGDIR": str(tmp_path.parent)},
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1 and ("space" in done.stderr or "cannot be written" in done.stderr)
    assert names(tmp_path) == []


def test_a_place_that_may_only_be_read_is_one_sentence(solved):
    with pytest.raises(InputError, match="cannot be written"):
        export(solved, "/proc/film.png")


def test_an_interrupt_ends_with_130_and_nothing_written(saved, tmp_path):
    out = tmp_path / "film.mp4"
    process = subprocess.Popen(
        [sys.executable, "-m", "mtm_viz", "export", saved, "-o", out, "--size", "1280x720", "--frames", "5000"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    while "frame" not in (line := process.stdout.readline()):
        assert line, "it ended before it was interrupted"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130 and "nothing was written" in err
    assert names(tmp_path) == []


def test_a_module_stands_beside_the_weights(solved):
    assert list(companions(solved, Path("x.safetensors"), Options())) == ["x_transformer.py"]
    assert companions(solved, Path("x.png")) == {}


def test_no_export_needs_a_display_a_browser_or_the_network(solved, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("PATH", "")
    for suffix in (".mp4", ".png", ".svg", ".pdf", ".html"):
        out = io.BytesIO()
        writer(Path(f"x{suffix}"))(solved, out, Options(size=(64, 64), frames=2))
        assert out.tell() > 500
