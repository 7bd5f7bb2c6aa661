"""From a solved problem to the page Explore, where its schedule is edited and replayed."""

from __future__ import annotations

import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.run import Run
from mtm_viz.ui import cached, explore
from mtm_viz.ui.words import sentence

PAGE = "mtm_viz/ui/pages/explore.py"


def open_in_explore(run: Run) -> None:
    """One button."""
    if st.button("Open in Explore", icon=":material/tune:", key="open-in-explore",
                 help="Replay this schedule there on these measures or others, and edit it segment by segment."):  # fmt: skip
        preset = next(
            (
                name
                for name in cached.presets()
                if cached.presets()[name].run_path.exists() and cached.shipped_run(name) is run
            ),
            None,
        )
        try:
            explore.take_run(run, cached.presets()[preset].title if preset else "Your own schedule", preset)
        except InputError as problem:
            st.error(sentence(str(problem)), icon=":material/error:")
            return
        st.switch_page(PAGE)
