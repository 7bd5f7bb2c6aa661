"""Above the picture: what it shows, what to look for, and the switch that breaks it."""

from __future__ import annotations

import streamlit as st

from mtm_viz.ui import cached, state
from mtm_viz.ui.widgets.attention import attention_switch
from mtm_viz.ui.widgets.solving import POLL, progress

OWN = "Several measures, one schedule: press play and follow the phases along the bar."
STALE = "The picture still shows what was solved before. Press Solve for what is chosen at the left."


def heading() -> None:
    """Title and sentence of the preset, or of one's own problem; beneath them whatever has to be said about links and edits."""
    preset = cached.presets().get(state.preset() or "")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="heading"):
        with st.container(gap="xxsmall", width="stretch"):
            st.header(preset.title if preset else "Your own problem", anchor=False)
            # Progress takes the sentence's place, so that the picture beneath stays where it is.
            beneath = st.container()
        with st.container(width="content"):
            running = attention_switch()
        with beneath:
            if running is None:
                st.markdown(preset.sentence if preset else OWN)
            else:
                st.fragment(progress, run_every=POLL)(running)
    if state.notice():
        st.info(state.notice(), icon=":material/link_off:")
    if state.run() is not None and state.run_text() != state.wanted():
        st.caption(STALE)
