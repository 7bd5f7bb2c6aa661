"""Observables against time, one small curve each, with its formula in a tooltip; the plateaus; and more when asked for."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import streamlit as st

from mtm_viz.diagnostics import between
from mtm_viz.diagnostics.observables import observables
from mtm_viz.diagnostics.phases import DEFINITION
from mtm_viz.simulation import Simulation
from mtm_viz.ui.observing import MATRIX, W2, more, names, plateau_words, reading, tooltip
from mtm_viz.ui.widgets.curves import Bands, curve, lines_chart, matrix
from mtm_viz.ui.widgets.look import palette

#: Rows of the attention matrix that can still be told apart beside the player.
MOST_ROWS = 48
MATRIX_HELP = (
    f"How much of its attention each particle (a row) gives to each (a column), of at most {MOST_ROWS} particles, the heaviest "
    "cluster first: softmax of ⟨Bxᵢ, xⱼ⟩. Blocks are clusters that attend to themselves.\n\nSource: arXiv 2411.04551, (1.2)."
)


def observables_panel(found: Simulation) -> None:
    """The usual ones, one below the other; what the plateaus are; and those that are asked for."""
    for name in names():
        _observable(name, found)
    words = plateau_words(found)
    if words:
        st.markdown(f"**Plateaus** {words}", help=f"{DEFINITION} They are the bands behind the curves.")
    choices = more(found)
    chosen = st.pills(
        "Also measure",
        list(choices),
        selection_mode="multi",
        format_func=choices.__getitem__,
        key="observe-more",
        wrap=True,
        bind="query-params",
    )
    for name in choices:
        if name not in chosen:
            continue
        if name == W2:
            _w2(found)
        elif name == MATRIX:
            _attention(found)
        else:
            _observable(name, found)


def _observable(name: str, found: Simulation) -> None:
    kind, curves = observables()[name], found.observed(name)
    with st.container(gap=None, key=f"observable-{name}"):
        st.markdown(f"**{kind.label}** {reading(name, curves)}", help=tooltip(name, found))
        chart = curve(name, found.times, curves, list(palette()["measures"]), _bands(found), _band_colour())
        st.vega_lite_chart(chart, width="stretch", key=f"curve-{name}")


def _bands(found: Simulation) -> Bands:
    return [(float(found.times[p.first]), float(found.times[p.last]), p.said) for p in found.plateaus]


def _band_colour() -> str:
    return palette()["phases"]["cluster"]


def _w2(found: Simulation) -> None:
    pairs = {f"{i + 1} and {j + 1}": (i, j) for i, j in combinations(range(len(found.names)), 2)}
    with st.container(gap=None, key="observable-w2"):
        which = (
            next(iter(pairs))
            if len(pairs) == 1
            else st.selectbox("Measures", list(pairs), key="w2-pair", bind="query-params")
        )
        frames, values = found.w2_between(*pairs[which])
        degrees = np.rad2deg(values)
        st.markdown(
            f"**W2, measures {which}** {degrees[0]:.1f}° → {degrees[-1]:.1f}°",
            help=f"{between.FORMULA}\n\nSource: {between.SOURCE}.",
        )
        colours = [palette()["ink"]]
        chart = lines_chart(
            found.times, {"W2": (frames, degrees)}, colours, "W2 (°)", {"zero": True}, _bands(found), _band_colour()
        )
        st.vega_lite_chart(chart, width="stretch", key="curve-w2")


def _attention(found: Simulation) -> None:
    last = len(found.times) - 1
    with st.container(gap=None, key="observable-attention"):
        st.markdown("**Attention matrix**", help=MATRIX_HELP)
        frame = st.select_slider(
            "At layer time",
            range(last + 1),
            value=last,
            format_func=lambda f: f"{found.times[f]:.3g}",
            key=f"attention-frame-{last}",
            bind="query-params",
        )
        measure = 0
        if len(found.names) > 1:
            measure = st.selectbox(
                "Of",
                range(len(found.names)),
                format_func=found.names.__getitem__,
                key="attention-of",
                bind="query-params",
            )
        P, rows = found.attention_at(frame, measure, MOST_ROWS)
        chart = matrix(P, rows, "magma" if st.context.theme.type == "dark" else "purples")
        st.vega_lite_chart(chart, width="stretch", key="attention-matrix")
