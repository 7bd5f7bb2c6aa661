"""The page Draw: one measure on the desk, the ways to make it at its right. A script that Streamlit runs."""

import streamlit as st

from mtm_viz.ui import state
from mtm_viz.ui.widgets.atoms_table import atoms_table
from mtm_viz.ui.widgets.bring_in import bring_in
from mtm_viz.ui.widgets.change_measure import change_measure
from mtm_viz.ui.widgets.choose_measure import choose_measure
from mtm_viz.ui.widgets.drawing_desk import drawing_desk, measure_in_hand
from mtm_viz.ui.widgets.pair_cards import add_pair
from mtm_viz.ui.widgets.save_measure import save_measure
from mtm_viz.ui.widgets.shape_of_measure import shape_of_measure

with st.sidebar:
    choose_measure()
    add_pair()
    if st.button(
        "Solve and watch", type="primary", icon=":material/play_arrow:", width="stretch", key="solve-and-watch"
    ):
        state.wish()
        st.switch_page("mtm_viz/ui/pages/interpolate.py")

if state.notice():
    st.info(state.notice(), icon=":material/info:")

desk, tools = st.columns([8, 5], gap="medium")
with tools:
    # Only the open one is computed: a stroke must not wait for transport plans nobody looks at.
    shape, bring, change, atoms, save = st.tabs(
        ["Shape", "Bring in", "Change", "Atoms", "Save"], key="tools", on_change="rerun"
    )
    if shape.open:
        with shape:
            shape_of_measure()
    if bring.open:
        with bring:
            bring_in()
    measure = measure_in_hand()
    if change.open:
        with change:
            change_measure(measure)
    if atoms.open:
        with atoms:
            atoms_table(measure)
    if save.open:
        with save:
            save_measure(measure)
with desk:
    drawing_desk()
