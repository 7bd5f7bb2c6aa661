"""Films, stills, data and the network, folded away until asked for: the first picture does not wait for what makes them."""

from __future__ import annotations

import streamlit as st

from mtm_viz.run import Run


def take_home(run: Run, name: str) -> None:
    """Two folds; the content of each is made when it is opened."""
    films, network = st.columns(2, gap="large")
    fold = films.expander("Films, stills, data", icon=":material/movie:", key="fold-films", on_change="rerun")
    if fold.open:
        from mtm_viz.ui.widgets.export_panel import export_panel

        with fold:
            export_panel(run, name)
    fold = network.expander(
        "How deep must the network be?", icon=":material/stacks:", key="fold-depth", on_change="rerun"
    )
    if fold.open:
        from mtm_viz.ui.widgets.depth import depth_panel
        from mtm_viz.ui.widgets.width import width_panel

        with fold:
            width_panel(run)
            depth_panel(run)
