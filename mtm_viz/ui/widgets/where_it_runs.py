"""At the foot of the sidebar: what computes, where that is not what it might be."""

from __future__ import annotations

import streamlit as st

from mtm_viz.ui import cached


def where_it_runs() -> None:
    """One quiet line where there is no device; nothing else depends on it."""
    if cached.device() is None:
        st.sidebar.caption("Runs on the processor: no CUDA device found.")
