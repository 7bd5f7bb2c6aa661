"""The player with the run, the same schedule without attention, or both."""

from __future__ import annotations

import streamlit as st

from mtm_viz.ui import cached, state
from mtm_viz.ui.components.player import player
from mtm_viz.ui.widgets.attention import verdict

HEIGHT = 620


def picture() -> None:
    """The hero of the page."""
    run, ablated = state.run(), state.ablation()
    if run is None:
        st.info("Press Solve: the picture appears here.", icon=":material/play_arrow:")
        return
    if state.view() != "both" or ablated is None:
        # One key for both, so that the camera and the moment stay when attention is switched off.
        player(ablated if state.view() == "off" and ablated is not None else run, key="player", height=HEIGHT)
    else:
        left, right = st.columns(2, gap="small")
        with left:
            player(run, key="player", height=HEIGHT)
        with right:
            player(ablated, key="player-off", height=HEIGHT)
    if state.view() != "on" and ablated is not None:
        st.markdown(verdict(ablated))
    attribution = next((p.attribution for p in cached.presets().values() if p.text == state.run_text()), "")
    if attribution:
        st.caption(attribution)
