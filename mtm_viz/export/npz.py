"""The schedule alone, as arrays: format mtm-schedule in NPZ."""

from __future__ import annotations

from typing import BinaryIO

from mtm_viz.dynamics.schedule_file import write_schedule
from mtm_viz.run import Run

MIME_TYPE = "application/octet-stream"


def write_npz(run: Run, stream: BinaryIO) -> None:
    write_schedule(run.schedule, stream, ".npz")
