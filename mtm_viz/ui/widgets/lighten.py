"""Before a solve of many atoms: fewer that stand for them, with the distance this costs."""

from __future__ import annotations

import streamlit as st

from mtm_viz.measures.measure import Measure
from mtm_viz.problem import Problem
from mtm_viz.ui import cached, state
from mtm_viz.ui.draft import SIDES, Draft
from mtm_viz.ui.drawing import said_of
from mtm_viz.ui.intake import COMFORTABLE
from mtm_viz.ui.words import degrees

#: Enough to look like the measure, few enough to be solved while one waits.
FEWER = 200
WAY = "even"


def lighten(problem: Problem) -> None:
    """Offered beside Solve where a measure has more atoms than a person waits for; nothing otherwise."""
    heavy = [m for m in (*problem.inputs, *problem.targets) if len(m) > COMFORTABLE]
    if not heavy:
        return
    apart = [cached.distance(m, cached.resampled(m, WAY, FEWER, 0)) for m in heavy]
    worst, exact = max(a for a, _ in apart), all(e for _, e in apart)
    st.button(
        f"Take {FEWER} atoms a measure",
        icon=":material/grain:",
        width="stretch",
        key="lighten",
        help=f"A measure here has more than {COMFORTABLE} atoms, which takes minutes to solve.",
        on_click=lambda: state.edit(lightened(state.draft(), problem)),
    )
    st.caption(f"W₂ from the measures as they are: {'' if exact else 'about '}{degrees(worst)}° or less")


def lightened(draft: Draft, problem: Problem) -> Draft:
    """The draft with every measure above COMFORTABLE atoms replaced by FEWER equally weighted ones."""
    for k, pair in enumerate(draft.pairs):
        for side in SIDES:
            measure: Measure = getattr(problem, f"{side}s")[k]
            if len(measure) > COMFORTABLE:
                draft = draft.edited(pair.uid, **{side: said_of(cached.resampled(measure, WAY, FEWER, 0))})
    return draft
