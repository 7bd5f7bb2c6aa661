"""The player with the run, the same schedule without attention, or both."""

from __future__ import annotations

import streamlit as st

from mtm_viz.ui import cached, state
from mtm_viz.ui.choice import problem_of
from mtm_viz.ui.components.player import player
from mtm_viz.ui.widgets.attention import verdict

HEIGHT = 620


def picture() -> None:
    """The hero of the page."""
    run, ablated = state.run(), state.ablation()
    if run is None:
        st.info("Press Solve: the picture appears here.", icon=":material/play_arrow:")
        return
    # One key for all three views, so that camera and moment stay when attention is switched off.
    if state.view() == "on" or ablated is None:
        player(run, key="player", height=HEIGHT)
    elif state.view() == "off":
        player(ablated, key="player", height=HEIGHT)
    else:
        # Two curves and two legends would leave no room for two spheres; the numbers stand in the table beneath.
        titles, hide = ("Attention on", "Attention off"), ("curves", "legend")
        player(run, key="player", height=HEIGHT, beside=ablated, titles=titles, hide=hide)
    if state.view() != "on" and ablated is not None:
        st.markdown(verdict(ablated))
    solved = problem_of(state.run_text())
    attribution = next((p.attribution for p in cached.presets().values() if p.text == solved), "")
    if attribution:
        st.caption(attribution)
