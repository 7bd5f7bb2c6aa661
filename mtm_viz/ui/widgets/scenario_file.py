"""Opening a scenario file, hostile until read, and saving the scenario as one."""

from __future__ import annotations

import json

import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.files import load_json
from mtm_viz.ui import explore, state
from mtm_viz.ui.scenario_link import MOST_PARTICLES, read_scenario
from mtm_viz.ui.words import sentence


def scenario_file() -> None:
    """One small button that holds both; it comes back closed and empty after each upload."""
    with st.popover("File", icon=":material/folder_open:", key=f"scenario-file-{state.uploads()}"):
        file = st.file_uploader(
            "Open a scenario (.json)", type=["json"], key=f"scenario-upload-{state.uploads()}", max_upload_size=25,
            help=f"Up to {MOST_PARTICLES:,} particles. Its format is mtm-scenario, version 1.",
        )  # fmt: skip
        if file is not None:
            _open(file.name, file.getvalue())
        st.download_button(
            "Save this scenario", json.dumps(explore.said(), indent=1), file_name=f"{explore.example() or 'scenario'}.json",
            mime="application/json", icon=":material/download:", on_click="ignore", key="save-scenario",
        )  # fmt: skip
        st.caption("`python -m mtm_viz simulate` runs the same file.")


def _open(name: str, content: bytes) -> None:
    try:
        explore.take(read_scenario(load_json(content)).to_json())
    except InputError as problem:
        st.error(sentence(f"{name[:60]}: {problem}"), icon=":material/error:")
        return
    state.uploaded()
    st.rerun()
