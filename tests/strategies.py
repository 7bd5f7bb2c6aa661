"""Random cases for the property tests."""

from __future__ import annotations

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from mtm_viz.dynamics.schedule import PHASES, UNDO, Schedule, Segment
from mtm_viz.sphere import normalise


@st.composite
def unit_vectors(draw: st.DrawFn, dimension: int = 3) -> np.ndarray:
    """A unit vector; shrinks toward an axis."""
    coordinate = st.floats(-1.0, 1.0, allow_subnormal=False)
    x = np.array(draw(st.lists(coordinate, min_size=dimension, max_size=dimension)))
    if np.linalg.norm(x) < 1e-3:
        x[0] = 1.0
    return normalise(x)


@st.composite
def point_sets(draw: st.DrawFn, dimension: int = 3, least: int = 1, most: int = 12) -> np.ndarray:
    """Between `least` and `most` unit rows."""
    return np.array(draw(st.lists(unit_vectors(dimension), min_size=least, max_size=most)))


@st.composite
def segments(draw: st.DrawFn, dimension: int = 3, width: int = 3) -> Segment:
    """A segment with entries of order one, some rows of U and some of the matrices zero."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    d, p = dimension, width
    on = draw(st.lists(st.booleans(), min_size=p, max_size=p))
    attends = draw(st.booleans())
    return Segment(
        duration=draw(st.floats(0.01, 10.0)),
        V=rng.standard_normal((d, d)) * attends,
        B=rng.standard_normal((d, d)),
        W=rng.standard_normal((d, p)),
        U=rng.standard_normal((p, d)) * np.array(on)[:, None],
        b=rng.standard_normal(p),
        phase=draw(st.sampled_from([*PHASES, *(UNDO + phase for phase in PHASES)])),
    )


@st.composite
def schedules(draw: st.DrawFn, dimension: int = 3, width: int = 3, most: int = 5) -> Schedule:
    """A schedule that moves something: the gauge sets what never opens to zero, and rest cannot be normalised."""
    schedule = Schedule(tuple(draw(st.lists(segments(dimension, width), min_size=1, max_size=most))))
    assume(any(segment.gauged().strength > 0 for segment in schedule))
    return schedule
