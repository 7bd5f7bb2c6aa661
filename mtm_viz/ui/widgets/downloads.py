"""Taking the result home. Files are made when asked for, not at every rerun."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import numpy as np
import streamlit as st

from mtm_viz.dynamics.schedule_file import schedule_arrays
from mtm_viz.run import Run


def downloads(run: Run, name: str) -> None:
    """A button a format; none of them reruns the page."""
    with st.container(horizontal=True, gap="small"):
        for label, suffix, mime, make, help_ in (
            (
                "Schedule (NPZ)",
                "schedule.npz",
                "application/octet-stream",
                schedule_npz,
                "V, B, W, U, b and duration of every segment",
            ),
            ("Schedule (JSON)", "schedule.json", "application/json", schedule_json, "The same arrays as nested lists"),
            ("Run (NPZ)", "run.npz", "application/octet-stream", run_npz, "Schedule, trajectories, W₂ and certificate"),
            ("Film (HTML)", "html", "text/html", html, "This player in one file that opens offline"),
            (
                "Certificate (JSON)",
                "certificate.json",
                "application/json",
                summary_json,
                "The numbers below, for a script",
            ),
        ):
            st.download_button(
                label,
                data=_made(make, run),
                file_name=f"{name}.{suffix}",
                mime=mime,
                help=help_,
                icon=":material/download:",
                on_click="ignore",
                key=f"download-{suffix}",
            )


def _made(make: Callable[[Run], bytes], run: Run) -> Callable[[], bytes]:
    return lambda: make(run)


def schedule_npz(run: Run) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **schedule_arrays(run.schedule))
    return stream.getvalue()


def schedule_json(run: Run) -> bytes:
    return json.dumps({key: value.tolist() for key, value in schedule_arrays(run.schedule).items()}).encode()


def run_npz(run: Run) -> bytes:
    stream = io.BytesIO()
    run.write(stream)
    return stream.getvalue()


def html(run: Run) -> bytes:
    from mtm_viz.export.html import write_html

    stream = io.BytesIO()
    write_html(run, stream)
    return stream.getvalue()


def summary_json(run: Run) -> bytes:
    return json.dumps(run.certificate, indent=1).encode()
