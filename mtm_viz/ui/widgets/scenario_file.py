"""Opening a scenario file, hostile until read, and saving the scenario as one."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.files import load_json
from mtm_viz.ui import explore, state
from mtm_viz.ui.replaying import scenario_of_file
from mtm_viz.ui.scenario_link import MOST_PARTICLES, read_scenario
from mtm_viz.ui.words import sentence


def scenario_file() -> None:
    """One small button that holds both; it comes back closed and empty after each upload."""
    said = explore.said()
    with st.popover("File", icon=":material/folder_open:", key=f"scenario-file-{state.uploads()}"):
        file = st.file_uploader(
            "Open a scenario, a schedule or a run", type=["json", "npz"], key=f"scenario-upload-{state.uploads()}", max_upload_size=25,
            help=f"Up to {MOST_PARTICLES:,} particles. A scenario is an mtm-scenario file (.json); a schedule or a run is what the page "
            "Interpolate saves (.npz, .json): it is replayed, a schedule alone on the measures at hand.",
        )  # fmt: skip
        if file is not None:
            _open(file.name, file.getvalue())
        st.download_button(
            "Save this scenario", lambda: json.dumps(said, indent=1), file_name=f"{explore.example() or 'scenario'}.json",
            mime="application/json", icon=":material/download:", on_click="ignore", key="save-scenario",
        )  # fmt: skip
        st.caption("`python -m mtm_viz simulate` runs the same file.")


def _open(name: str, content: bytes) -> None:
    try:
        said = _read(name, content)
        explore.take(read_scenario(said).to_json(), "" if "schedule" not in said else name.rsplit(".", 1)[0][:60])
    except InputError as problem:
        st.error(sentence(f"{name[:60]}: {problem}"), icon=":material/error:")
        return
    state.uploaded()
    st.rerun()


def _read(name: str, content: bytes) -> Any:
    """A scenario as its file says it; of a run's or a schedule's file, the scenario that replays it."""
    said = None if name.lower().endswith(".npz") else load_json(content)
    if isinstance(said, dict) and said.get("format") == "mtm-scenario":
        return said
    if said is None or (isinstance(said, dict) and said.get("format") == "mtm-schedule"):
        now = explore.said()
        return scenario_of_file(content, name, now["initial"], now["dimension"])
    raise InputError('this is neither a scenario nor a schedule: its "format" must be "mtm-scenario" or "mtm-schedule"')
