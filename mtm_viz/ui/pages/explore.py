"""The page Explore: the law at the left, live; the picture, and the numbers against time. A script that Streamlit runs."""

import streamlit as st

from mtm_viz.ui import explore
from mtm_viz.ui.widgets.exploring import about_link, choose_example, controls, follow, heading, picture_and_curves
from mtm_viz.ui.widgets.segments_bench import segments_bench

explore.begin()
with st.sidebar:
    top = st.container()
    scenario, fault = controls()
    with top:  # drawn last, so that it names what the controls say now
        choose_example()
follow(scenario)
heading()
picture_and_curves(scenario is not None)
if "schedule" in explore.said():
    segments_bench(scenario, fault)
about_link()
explore.write_link()
