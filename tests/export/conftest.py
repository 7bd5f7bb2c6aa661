"""Runs to export: one solved for real, one of realistic shape that nobody solved, and what reads films back."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest

from mtm_viz.interpolate import interpolate
from mtm_viz.problem import Problem
from mtm_viz.run import Run
from tests.rendering.synthetic import synthetic_run

TINY = {
    "format": "mtm-problem",
    "version": 1,
    "dimension": 3,
    "pairs": [
        {
            "name": "cap to ring",
            "input": {"generator": "cap", "params": {"center": [1, 0, 0], "radius_deg": 15}, "n": 5},
            "target": {"generator": "ring", "params": {"center": [0, 1, 0], "radius_deg": 20}, "n": 5},
        },
        {
            "name": "ring | to cap",
            "input": {"generator": "ring", "params": {"center": [0, 0, 1], "radius_deg": 20}, "n": 5},
            "target": {"generator": "cap", "params": {"center": [1, 0, 0], "radius_deg": 15}, "n": 5, "seed": 1},
        },
    ],
}


@pytest.fixture(scope="session")
def solved() -> Run:
    """Two small pairs, solved and certified."""
    return interpolate(Problem.from_json(TINY))


@pytest.fixture(scope="session")
def run() -> Run:
    """Three clouds of 12."""
    return synthetic_run(12)


@pytest.fixture(scope="session")
def in_five_dimensions() -> Run:
    return synthetic_run(8, 2, dimension=5)


def film_frames(path: Path) -> tuple[np.ndarray, dict[str, str]]:
    """Every frame (F, h, w, 3) as ffmpeg decodes it, and what it says: codec, pixels (their format), fps, duration."""
    command = [
        imageio_ffmpeg.get_ffmpeg_exe(),
        "-i",
        str(path),
        "-fps_mode",
        "passthrough",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-",
    ]
    done = subprocess.run(command, capture_output=True, check=True)
    said = done.stderr.decode()
    stream = re.search(r"Video: (\w+).*?, (\w+)[(,].*?, (\d+)x(\d+).*?, ([\d.]+) fps", said)
    assert stream is not None, said
    codec, pixels, wide, high, fps = stream.groups()
    frames = np.frombuffer(done.stdout, np.uint8).reshape(-1, int(high), int(wide), 3)
    duration = re.search(r"Duration: ([\d:.]+)", said)
    return frames, {"codec": codec, "pixels": pixels, "fps": fps, "duration": duration[1] if duration else ""}


def ffmpeg(*arguments: object) -> None:
    """Run ffmpeg."""
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-loglevel", "error", *map(str, arguments)]
    subprocess.run(command, check=True)
