"""Taking the measure in hand home, in any format that can hold it, and the whole problem as one file."""

from __future__ import annotations

import json
import re

import streamlit as st

from mtm_viz.measures.measure import Measure
from mtm_viz.measures.writers import writers
from mtm_viz.ui import desk, state


def save_measure(measure: Measure | None) -> None:
    """A button a format, and what it loses beneath."""
    pair, side = desk.edited()
    name = re.sub(r"[^\w-]+", "-", f"{pair.name}-{side}").strip("-")[:60] or "measure"
    if measure is not None:
        with st.container(horizontal=True, gap="small"):
            for suffix, writer in writers().items():
                st.download_button(
                    writer.label,
                    data=lambda writer=writer: writer.write(measure),
                    file_name=f"{name}{suffix}",
                    mime=writer.mime,
                    icon=":material/download:",
                    on_click="ignore",
                    disabled=suffix == ".geojson" and measure.dimension != 3,
                    key=f"save{suffix}",
                )
        losses = [f"{writer.label}: {writer.loss}" for writer in writers().values() if writer.loss]
        st.caption(f"CSV, NPZ and JSON give back every bit. {'. '.join(losses)}.")
    st.download_button(
        "The whole problem",
        data=lambda: json.dumps(state.draft().to_json(), indent=1),
        file_name="problem.json",
        mime="application/json",
        icon=":material/download:",
        on_click="ignore",
        key="save-whole",
        help="One .json with every pair; open it again under File on the page Interpolate.",
    )
