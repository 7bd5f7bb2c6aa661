"""Random cases for the property tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

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
