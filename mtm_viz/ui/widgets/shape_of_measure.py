"""The measure in hand as a shape with parameters: generators, letters, a formula; or nothing yet."""

from __future__ import annotations

import streamlit as st

from mtm_viz.ui import desk, state
from mtm_viz.ui.arrange import EMPTY, is_empty
from mtm_viz.ui.draft import MOST_ATOMS_SHOWN
from mtm_viz.ui.widgets.measure_controls import measure_controls


def shape_of_measure() -> None:
    """The controls of the shape; drawing on it turns it into points."""
    pair, side = desk.edited()
    said = getattr(pair, side)
    # Controls drawn anew where a stroke, a file or an exchange has changed the measure: old ones would change it back.
    key = f"desk/{pair.uid}/{side}/{desk.source_of(said, 'shape')}"
    changed = measure_controls(said, key, state.draft().dimension)
    if "n" in changed:
        n = int(st.number_input("Atoms", 1, MOST_ATOMS_SHOWN, changed["n"], 10, key=f"{key}/n"))
        changed = changed | {"n": n}
    if changed != said:
        desk.made(changed, "shape")
        st.rerun()
    st.button(
        "Start empty",
        icon=":material/ink_eraser:",
        key="start-empty",
        disabled=is_empty(said),
        help="Take every atom away and draw from nothing; Undo on the desk brings them back.",
        on_click=desk.edit_measure,
        args=(EMPTY,),
    )
