"""The page Explore: the law at the left, live; the picture, and the numbers against time. A script that Streamlit runs."""

import streamlit as st

from mtm_viz.ui import explore
from mtm_viz.ui.widgets.exploring import choose_example, controls, heading, picture_and_curves

explore.begin()
with st.sidebar:
    choose_example()
    scenario = controls()
if scenario is not None:
    explore.follow(scenario)
heading()
picture_and_curves(scenario is not None)
explore.write_link()
