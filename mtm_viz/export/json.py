"""The schedule alone, as nested lists: format mtm-schedule in JSON."""

from __future__ import annotations

from typing import BinaryIO

from mtm_viz.dynamics.schedule_file import write_schedule
from mtm_viz.run import Run

MIME_TYPE = "application/json"


def write_json(run: Run, stream: BinaryIO) -> None:
    write_schedule(run.schedule, stream, ".json")
