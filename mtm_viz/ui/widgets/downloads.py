"""Taking the result home. Files are made when asked for, not at every rerun."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, NamedTuple

import streamlit as st

from mtm_viz.export import writer
from mtm_viz.run import Run


class Format(NamedTuple):
    """One button: how the file is called, what writes it, and what it is good for."""

    label: str
    suffix: str
    mime: str
    write: Callable[[Run, BinaryIO], object]
    help: str


def _certificate(run: Run, stream: BinaryIO) -> None:
    stream.write(json.dumps(run.certificate, indent=1).encode())


def _export(suffix: str) -> Callable[[Run, BinaryIO], object]:
    # Looked up when asked for: the page does not wait for what writes a film.
    return lambda run, stream: writer(Path(suffix))(run, stream)


FORMATS = (
    Format("Film", "html", "text/html", _export("film.html"), "This player in one HTML file that opens offline"),
    Format("Run", "run.npz", "application/octet-stream", Run.write, "Schedule, trajectories, W₂ and certificate (NPZ)"),
    Format(
        "Schedule, NPZ",
        "schedule.npz",
        "application/octet-stream",
        _export("schedule.npz"),
        "V, B, W, U, b and duration of every segment, as arrays",
    ),
    Format("Schedule, JSON", "schedule.json", "application/json", _export("schedule.json"), "The same as nested lists"),
    Format(
        "Certificate", "certificate.json", "application/json", _certificate, "The numbers above, for a script (JSON)"
    ),
)


def downloads(run: Run, name: str) -> None:
    """A button a format; none of them reruns the page."""
    with st.container(horizontal=True, gap="small", key="downloads"):
        for kind in FORMATS:
            st.download_button(
                kind.label,
                data=lambda kind=kind: made(kind, run),
                file_name=f"{name}.{kind.suffix}",
                mime=kind.mime,
                help=kind.help,
                icon=":material/download:",
                on_click="ignore",
                key=f"download-{kind.suffix}",
            )


def made(kind: Format, run: Run) -> bytes:
    """The file's content."""
    stream = io.BytesIO()
    kind.write(run, stream)
    return stream.getvalue()
