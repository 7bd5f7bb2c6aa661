"""Which measures go through a schedule: its own, other samples of them, or those of the page Interpolate."""

from __future__ import annotations

from typing import Any

import streamlit as st

from mtm_viz.measures.generators import generators
from mtm_viz.ui import explore, state


def other_measures() -> None:
    """Three buttons beneath the start's controls."""
    now, own = _listed(explore.said()["initial"]), _listed(explore.original()["initial"])
    fresh = [_fresh(measure) for measure in now]
    draft = state.draft()
    theirs = [pair.input for pair in draft.pairs if pair.input] if draft is not None else []
    fits = draft is not None and draft.dimension == explore.said()["dimension"] and bool(theirs)
    with st.container(horizontal=True, gap="small", key="other-measures"):
        st.button("Fresh", icon=":material/casino:", key="fresh-samples", on_click=explore.start_with, args=(fresh,), disabled=fresh == now,
                  help="Other random atoms of the same measures. Points that were given, and shapes that are not random, stay as they are.")  # fmt: skip
        st.button("Interpolate", key="their-measures", on_click=explore.start_with, args=(theirs,), disabled=not fits or theirs == now,
                  help="The inputs that stand on the page Interpolate, drawn ones too.")  # fmt: skip
        st.button("Own", key="own-measures", on_click=explore.start_with, args=(own,), disabled=own == now,
                  help="The measures that came with the schedule.")  # fmt: skip


def _listed(initial: Any) -> list[dict[str, Any]]:
    return list(initial) if isinstance(initial, list) else [initial]


def _fresh(measure: dict[str, Any]) -> dict[str, Any]:
    """Another sample of a random measure; any other as it is.

    >>> _fresh({"generator": "uniform", "n": 5})["seed"], _fresh({"points": [[0, 0, 1]]})
    (1, {'points': [[0, 0, 1]]})
    """
    kind = generators().get(measure.get("generator", ""))
    return measure | {"seed": measure.get("seed", 0) + 1} if kind is not None and kind.random else measure
