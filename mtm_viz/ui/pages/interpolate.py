"""The page Interpolate: the problem at the left, the player large, the proof beneath it. A script that Streamlit runs."""

import streamlit as st

from mtm_viz.ui import state
from mtm_viz.ui.widgets.certificate import certificate
from mtm_viz.ui.widgets.downloads import downloads
from mtm_viz.ui.widgets.gallery import preset_card
from mtm_viz.ui.widgets.heading import heading
from mtm_viz.ui.widgets.open_in_explore import open_in_explore
from mtm_viz.ui.widgets.pair_cards import add_pair, pair_cards
from mtm_viz.ui.widgets.picture import picture
from mtm_viz.ui.widgets.problem_file import problem_file
from mtm_viz.ui.widgets.solving import show_known_run, solving
from mtm_viz.ui.widgets.strategy import strategy_control
from mtm_viz.ui.widgets.take_home import take_home

show_known_run()
with st.sidebar:
    preset_card()
    pair_cards()
    with st.container(horizontal=True, gap="small"):
        add_pair()
        problem_file()
    strategy_control()
    solving()

show_known_run()  # once more, for what was just changed at the left

heading()
picture()
run = state.run()
if run is not None:
    certificate(run, state.ablation())
    open_in_explore(run)
    downloads(run, state.preset() or "interpolation")
    take_home(run, state.preset() or "interpolation")
