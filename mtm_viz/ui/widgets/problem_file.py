"""Opening a problem file, hostile until read, and saving the problem as one."""

from __future__ import annotations

import json

import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.files import load_json
from mtm_viz.problem import Problem
from mtm_viz.ui import state
from mtm_viz.ui.draft import MOST_ATOMS_SHOWN, refuse_too_large


def problem_file() -> None:
    """One small button that holds both. Its key is another after each upload, so that it comes back closed and empty."""
    with st.popover("File", icon=":material/folder_open:", key=f"file-{state.uploads()}"):
        file = st.file_uploader(
            "Open a problem (.json)",
            type=["json"],
            key=f"upload-{state.uploads()}",
            max_upload_size=25,
            help=f"Up to {MOST_ATOMS_SHOWN:,} atoms a measure. Its format is mtm-problem, version 1.",
        )
        if file is not None:
            _open(file.name, file.getvalue())
        st.download_button(
            "Save this problem",
            json.dumps(state.draft().to_json(), indent=1),
            file_name=f"{state.preset() or 'problem'}.json",
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
            key="save-problem",
        )


def _open(name: str, content: bytes) -> None:
    try:
        said = read_problem(content)
        state.take_problem(said)
    except InputError as problem:
        st.error(f"{name[:60]}: {problem}.", icon=":material/error:")
        return
    state.uploaded()
    st.rerun()


def read_problem(content: bytes) -> dict:
    """The checked problem in a file's content. Raises InputError; nothing is drawn before its size is known."""
    said = load_json(content)
    refuse_too_large(said)
    return Problem.from_json(said).to_json()
