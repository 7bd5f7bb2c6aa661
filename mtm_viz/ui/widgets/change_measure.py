"""Changing the measure in hand as a whole: fewer or more atoms, turned, gathered, spread, mirrored."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.transform import antipodal, concentrated, mirrored, rotated
from mtm_viz.parameters import Direction
from mtm_viz.ui import cached, desk
from mtm_viz.ui.draft import MOST_ATOMS_SHOWN
from mtm_viz.ui.drawing import said_of
from mtm_viz.ui.widgets.parameter_controls import parameter_control
from mtm_viz.ui.words import degrees, sentence

WAYS = {"even": "Even, equal weights", "k-means": "k-means, weighted cells", "random": "Random, equal weights"}
#: How strongly one press gathers or spreads: tan(theta/2) is divided or multiplied by e to this.
STRENGTH = 0.4


def change_measure(measure: Measure | None) -> None:
    """Resampling first, since Solve needs it most often; the movements below."""
    if measure is None:
        st.caption("There are no atoms yet: draw some, or bring them in.")
        return
    _resampling(measure)
    st.divider()
    _movements(measure)


def _resampling(measure: Measure) -> None:
    left, right = st.columns([3, 2], gap="small")
    way = left.selectbox("Resample", list(WAYS), format_func=WAYS.__getitem__, key="way", help="k-means puts each atom in the middle of its cell: closest, but unequally weighted.")  # fmt: skip
    n = int(right.number_input("to atoms", 1, MOST_ATOMS_SHOWN, min(200, len(measure)), 10, key="resample-n"))
    seed = int(st.number_input("Seed", 0, 999_999, 0, key="resample-seed", help="Another seed picks other atoms."))
    smaller = cached.resampled(measure, way, n, seed)
    apart, exact = cached.distance(measure, smaller)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.button("Resample", key="resample", icon=":material/grain:", on_click=_put, args=(smaller,))
        st.caption(
            f"{len(smaller)} atoms, W₂ from the present measure: {'' if exact else 'about '}{degrees(apart) if apart > 1e-9 else 0}°"
        )


def _movements(measure: Measure) -> None:
    d = measure.dimension
    with st.container(horizontal=True, gap="small"):
        _button(
            "Gather", "compress", "Pull the atoms toward their middle", measure, lambda m: concentrated(m, STRENGTH)
        )
        _button("Spread", "expand", "Push them away from it", measure, lambda m: concentrated(m, -STRENGTH))
        _button("Antipode", "swap_vert", "Every atom to the other side", measure, antipodal)
    if d != 3:
        return
    about = parameter_control(
        Direction("Axis", "Of the rotation; the normal of the mirror."), [0.0, 0.0, 1.0], "axis", d
    )
    axis = tuple(about)
    angle = st.slider("Angle", -180, 180, 30, 5, format="%d°", key="angle")
    with st.container(horizontal=True, gap="small"):
        _button(
            "Rotate", "rotate_right", "Counter-clockwise about the axis", measure, lambda m: rotated(m, axis, angle)
        )
        _button("Mirror", "flip", "At the plane across the axis", measure, lambda m: mirrored(m, axis))


def _button(label: str, icon: str, help: str, measure: Measure, change: Callable[[Measure], Measure]) -> None:
    if st.button(label, icon=f":material/{icon}:", help=help, key=f"change-{label}"):
        try:
            _put(change(measure))
        except InputError as problem:
            st.error(sentence(str(problem)), icon=":material/error:")
            return
        st.rerun()


def _put(measure: Measure) -> None:
    desk.edit_measure(said_of(measure))
