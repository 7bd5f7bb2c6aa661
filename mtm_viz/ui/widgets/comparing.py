"""A | B: what is shown is kept as A, knobs are turned, and both are seen side by side with what changed in words."""

from __future__ import annotations

from html import escape

import streamlit as st

from mtm_viz.diagnostics.observables import observables
from mtm_viz.simulation import Simulation
from mtm_viz.ui import explore
from mtm_viz.ui.changes import changes
from mtm_viz.ui.observing import names, reading

SAME = "A and B are the same: turn a knob at the left, and B follows while A stays."


def compare_controls() -> None:
    """Keep as A; then back to A, and stop."""
    if explore.compared_with() is None:
        st.button("Compare", icon=":material/compare:", key="compare", on_click=explore.keep_beside, disabled=explore.now().shown is None,
                  help="Keeps this run as A. What you change from here on is B, shown beside it with the same clock and camera.")  # fmt: skip
        return
    with st.container(horizontal=True, width="content", gap="small"):
        st.button("B becomes A", key="compare-again", on_click=explore.keep_beside, help="Keeps the present run as A.")
        st.button("Back to A", key="compare-back", on_click=explore.back_to_beside, help="Undoes what changed.")
        st.button("Stop comparing", icon=":material/close:", key="compare-stop", on_click=explore.stop_comparing)


def what_changed() -> str:
    """From A to B, in a sentence."""
    found = changes(explore.compared_with() or explore.said(), explore.said())
    return f"From A to B: {'; '.join(found)}." if found else SAME


def readings_table(a: Simulation, b: Simulation) -> str:
    """A row an observable: where it starts and ends in A and in B."""
    rows = [
        f'<tr><th scope="row">{escape(observables()[name].label)}</th>'
        f'<td class="number">{_lines(a, name)}</td>'
        f'<td class="number">{_lines(b, name)}</td></tr>'
        for name in names()
    ]
    heads = '<th scope="col">From start to end</th><th scope="col" class="number">A</th><th scope="col" class="number">B</th>'
    return f'<table class="sheet"><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def _lines(found: Simulation, name: str) -> str:
    """A line for every measure."""
    return "<br>".join(escape(reading(name, [curve])) for curve in found.observed(name))
