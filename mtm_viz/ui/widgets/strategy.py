"""How the problem is to be solved: atoms one by one, or in cells, and how many of these."""

from __future__ import annotations

import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.ui import cached, state
from mtm_viz.ui.choice import CELLS, SEPARATION, STRATEGIES, Choice

LABELS = {SEPARATION: "Atoms", CELLS: "Cells"}
SENTENCES = {
    SEPARATION: "Every atom travels through gates of its own: exact for these very atoms, and for no others.",
    CELLS: "Slices of equal mass travel whole, so other samples of the same measure come along.",
}


def strategy_control() -> None:
    """The two strategies with a sentence each; for cells their number."""
    choice = state.choice()
    # A new key where the program made the choice, so that the control follows.
    again = state.kept("choice_resets")
    strategy = st.segmented_control(
        "Carry", STRATEGIES, default=choice.strategy, required=True, format_func=LABELS.__getitem__,
        key=f"strategy-{again}", width="stretch",
        help=f"What the matching phase carries. {SENTENCES[SEPARATION]} {SENTENCES[CELLS]}",
    )  # fmt: skip
    st.caption(SENTENCES[strategy])
    state.choose(Choice(strategy, _cells(choice.cells, again) if strategy == CELLS else None))


def _cells(chosen: int | None, again: int) -> int | None:
    """K; None where it is what it would be unasked."""
    from mtm_viz.task import MOST_CELLS  # imported here: the first picture does not wait for the solver's libraries

    try:
        problem = cached.problem(state.draft().text)
    except InputError:
        return chosen
    usual = min(MOST_CELLS, max(len(target.merged()) for target in problem.targets))
    cells = st.number_input(
        "Cells an input", 1, max(MOST_CELLS, chosen or usual), chosen or usual, key=f"cells-{usual}-{again}",
        help=f"K slices of equal mass an input. {usual} unless set: one a target atom, at most {MOST_CELLS}.",
    )  # fmt: skip
    if cells >= min(len(measure.merged()) for measure in problem.inputs):
        st.caption("A cell an atom: take fewer cells, or more atoms, for slices that others fall into.")
    return None if cells == usual else int(cells)
