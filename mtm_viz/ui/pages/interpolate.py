"""The page Interpolate: the problem at the left, the player large, the proof beneath it. A script that Streamlit runs."""

import streamlit as st

from mtm_viz.ui import cached, state
from mtm_viz.ui.widgets.certificate import certificate
from mtm_viz.ui.widgets.downloads import downloads
from mtm_viz.ui.widgets.gallery import preset_card
from mtm_viz.ui.widgets.heading import heading
from mtm_viz.ui.widgets.pair_cards import add_pair, pair_cards
from mtm_viz.ui.widgets.picture import picture
from mtm_viz.ui.widgets.problem_file import problem_file
from mtm_viz.ui.widgets.solving import solving

with st.sidebar:
    preset_card()
    pair_cards()
    with st.container(horizontal=True, gap="small"):
        add_pair()
        problem_file()
    solving()

# A run that is already known is shown at once: the one that came with a preset, or one solved since the server began.
text = state.draft().text
known = cached.known_run(text)
if known is not None and state.run_text() != text:
    state.show(known, text)

heading()
picture()
run = state.run()
if run is not None:
    certificate(run)
    downloads(run, state.preset() or "interpolation")
