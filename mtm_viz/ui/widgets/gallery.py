"""The presets as little pictures to choose from."""

from __future__ import annotations

import streamlit as st

from mtm_viz.ui import cached, state
from mtm_viz.ui.presets import Preset
from mtm_viz.ui.widgets.look import palette
from mtm_viz.ui.widgets.thumbnail import image, problem_svg


@st.dialog("Presets", width="large")
def gallery() -> None:
    """All presets; a click takes one and closes the dialog."""
    with st.grid(4, min_column_width=150, gap="small", key="gallery"):
        for name, preset in cached.presets().items():
            with st.container(key=f"preset-{name}", gap="xsmall"):
                st.html(_picture(preset))
                label, key = f"**{preset.title}**", f"take-{name}"
                if st.button(
                    label, key=key, type="tertiary", width="stretch", on_click=state.take_preset, args=(preset,)
                ):
                    st.rerun()


def preset_card() -> None:
    """What is being looked at, and the way to the others."""
    chosen = cached.presets().get(state.preset() or "")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="preset-card"):
        if chosen:
            st.html(image(problem_svg(cached.problem(chosen.text), palette()["measures"], 76), ""), width="content")
        with st.container(gap="xsmall", width="stretch"):
            st.markdown(f"**{chosen.title}**" if chosen else "**Your own problem**")
            if st.button(
                "All presets", key="open-gallery", icon=":material/apps:", help="Problems to begin with, each solved"
            ):
                gallery()


def _picture(preset: Preset) -> str:
    svg = problem_svg(cached.problem(preset.text), palette()["measures"], 150)
    return image(
        svg, f"{preset.title}: inputs as dots, targets as rings", "width:100%;max-width:150px;display:block;margin:auto"
    )
