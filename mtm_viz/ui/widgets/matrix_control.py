"""Choosing a matrix: by name, or typed in."""

from __future__ import annotations

from typing import Any

import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.ui.matrix_words import NAMES, TYPED, choice_of, typed, written
from mtm_viz.ui.slots import Slots


def matrix_control(name: str, said: Any, dimension: int, key: str, slots: Slots, help: str, part: str = "") -> Any:
    """Draw the control and return the matrix as a scenario file says it; `said` where what was typed cannot be read.

    part: of which part of the law it is, such as "head 2"; sentences about it begin so.
    """
    place = f"{part}/{name}" if part else name
    chosen = st.selectbox(
        name, [*NAMES, TYPED], [*NAMES, TYPED].index(choice_of(said)),
        format_func=lambda one: NAMES.get(one, TYPED), key=f"{key}/{name}", help=help,
    )  # fmt: skip
    if chosen in NAMES:
        slots.here(place)
        return chosen
    text = st.text_area(
        f"Rows of {name}", written(said, dimension), height=110, key=f"{key}/{name}/rows",
        help="A row a line, numbers with spaces or commas between them; or one number c for c I.",
    )  # fmt: skip
    slots.here(place)
    # As shown, so that an untouched field never rounds the numbers behind it.
    if text == written(said, dimension) and not isinstance(said, str):
        return said
    try:
        return typed(text, name)
    except InputError as problem:
        slots.show(f"{part}: {problem}" if part else str(problem))
        return said
