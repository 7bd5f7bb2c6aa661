"""The pairs of the problem as small cards: what goes where, in which colour; the controls behind one button each."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.ui import cached, desk, state
from mtm_viz.ui.draft import MOST_PAIRS, DraftPair, Side
from mtm_viz.ui.widgets.look import colour, symbol
from mtm_viz.ui.widgets.measure_controls import measure_controls
from mtm_viz.ui.widgets.thumbnail import image, measure_svg, symbol_svg
from mtm_viz.ui.words import sentence

#: More atoms than this a measure and building takes minutes; a file may hold more.
MOST_ATOMS = 400


def pair_cards() -> None:
    """A card a pair."""
    with st.container(gap="xsmall"):
        for k, pair in enumerate(state.draft().pairs):
            _card(k, pair)


def add_pair() -> None:
    """The button for one pair more."""
    full = len(state.draft().pairs) >= MOST_PAIRS
    st.button(
        "Add a pair",
        key="add-pair",
        icon=":material/add:",
        disabled=full,
        help=f"{MOST_PAIRS} pairs are as many as can be told apart." if full else "One schedule will carry all pairs.",
        on_click=lambda: state.edit(state.draft().with_pair()),
    )


def _card(k: int, pair: DraftPair) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"pair-{k + 1}"):
        card = st.container(width="stretch")
        with st.popover(
            "",
            icon=":material/tune:",
            type="tertiary",
            help=f'Change "{pair.name}"',
            width="content",
            key=f"edit-{pair.uid}",
        ):
            _controls(pair)
    # Drawn after its controls, so that it already shows what they were just set to.
    now = next((p for p in state.draft().pairs if p.uid == pair.uid), pair)
    with card:
        _face(k, now)


def _face(k: int, pair: DraftPair) -> None:
    try:
        start, end = (_measure(said) for said in (pair.input, pair.target))
    except InputError as problem:
        st.error(sentence(str(problem)), icon=":material/error:")
        return
    marker = image(symbol_svg(symbol(k), colour(k), 13), f"{symbol(k)}, its symbol in the picture")
    counts = f"{len(start)} → {len(end)}" if len(start) != len(end) else f"{len(end)}"
    counts += " atoms" if len(end) > 1 else " atom"
    st.html(
        f'<div class="page-pair">{image(measure_svg(start, colour(k), 50, hollow=False), "input")}<span class="arrow">→</span>'
        f"{image(measure_svg(end, colour(k), 50, hollow=True), 'target')}"
        f'<div><span class="name">{marker}<span>{escape(pair.name)}</span></span><span class="page-quiet">{counts}</span></div></div>'
    )


def _measure(said: dict[str, Any]) -> Measure:
    return cached.measure(said, state.draft().dimension)


def _controls(pair: DraftPair) -> None:
    key, dimension = f"pair/{pair.uid}", state.draft().dimension
    name = st.text_input("Name", pair.name, max_chars=60, key=f"{key}/name").strip() or pair.name
    start, end = st.tabs(["Input", "Target"])
    with start:
        _to_the_desk(pair, "input")
        said_start = measure_controls(pair.input, f"{key}/input", dimension)
    with end:
        _to_the_desk(pair, "target")
        said_end = measure_controls(pair.target, f"{key}/target", dimension)
    said_start, said_end = _atoms(said_start, said_end, key)
    state.edit(state.draft().edited(pair.uid, name=name, input=said_start, target=said_end))
    if len(state.draft().pairs) > 1:
        st.button(
            "Remove this pair",
            icon=":material/delete:",
            key=f"{key}/remove",
            type="tertiary",
            on_click=lambda: state.edit(state.draft().without(pair.uid)),
        )


def _to_the_desk(pair: DraftPair, side: Side) -> None:
    if st.button(
        "Draw it, or bring your own", icon=":material/draw:", key=f"pair/{pair.uid}/{side}/draw", width="stretch"
    ):
        desk.choose_edited(pair.uid, side)
        st.switch_page("mtm_viz/ui/pages/draw.py")


def _atoms(start: dict[str, Any], end: dict[str, Any], key: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """How many atoms: one number for both sides where it can be one, since atoms are landed one on one."""
    if "n" in start and "n" in end and start["n"] == end["n"]:
        n = _count("Atoms on each side", start["n"], f"{key}/n")
        return start | {"n": n}, end | {"n": n}
    sides = []
    for label, said in (("input", start), ("target", end)):
        sides.append(
            said | {"n": _count(f"Atoms of the {label}", said["n"], f"{key}/{label}/n")} if "n" in said else said
        )
    return sides[0], sides[1]


def _count(label: str, n: int, key: str) -> int:
    most = max(MOST_ATOMS, n)
    return int(
        st.number_input(label, 1, most, n, 10, key=key, help=f"Up to {most}; 40 to 100 look best and take seconds.")
    )
