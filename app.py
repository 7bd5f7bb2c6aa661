"""The router: page configuration and navigation, nothing else. Run it with `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

from mtm_viz.ui import cached, state
from mtm_viz.ui.components.memory import memory
from mtm_viz.ui.widgets.look import css, wordmark
from mtm_viz.ui.widgets.where_it_runs import where_it_runs

st.set_page_config(
    page_title="Measure to measure",
    page_icon=Path(__file__).parent / "assets" / "icon.svg",  # a named icon would be fetched from another host
    layout="wide",
    initial_sidebar_state=348,
)
st.html(css())
st.logo(wordmark(), size="large")
cached.settling()
state.begin(cached.presets())
state.collect()
page = st.navigation(
    [
        st.Page("mtm_viz/ui/pages/interpolate.py", title="Interpolate", icon=":material/scatter_plot:", default=True),
        st.Page("mtm_viz/ui/pages/draw.py", title="Draw", icon=":material/draw:"),
        st.Page("mtm_viz/ui/pages/explore.py", title="Explore", icon=":material/tune:"),
    ],
    position="top",
)
page.run()
if page.url_path == "explore":  # which keeps its own scenario in the address
    where_it_runs()
else:
    state.write_link()
    memory()
