"""From measures in JSON to the brush and back; pure functions, so that strokes are tested without a browser."""

from __future__ import annotations

from typing import Any

import numpy as np

from mtm_viz.measures.measure import Measure
from mtm_viz.ui.arrange import EMPTY
from mtm_viz.ui.packing import snap
from mtm_viz.ui.stroke import Stroke


def said_of(measure: Measure) -> dict[str, Any]:
    """A measure as JSON that comes back to the same text from a link or a file."""
    return Measure(measure.points, measure.weights).to_json()


def drawn(stroke: Stroke, before: Measure | None) -> dict[str, Any]:
    """The measure a stroke left. Atoms that were there before keep every bit; new and moved ones go to the link's grid."""
    if not len(stroke.points) or not stroke.weights.any():
        return EMPTY
    points = stroke.points.copy()
    known = set() if before is None else {row.tobytes() for row in before.points}
    new = np.array([row.tobytes() not in known for row in points])
    if new.any():
        points[new] = snap(points[new])
    return said_of(Measure(points, np.maximum(stroke.weights, 0.0)))


def shares(measure: Measure) -> str:
    """How the mass is spread over the atoms, in a few words."""
    if measure.has_equal_weights:
        return f"equal weights, {1 / len(measure):.3g} each"
    positive = measure.weights[measure.weights > 0]
    zero = len(measure) - len(positive)
    said = f"weights from {positive.min():.3g} to {positive.max():.3g}"
    return f"{said}, {zero} of them zero" if zero else said


def duplicates(measure: Measure) -> int:
    """Atoms that lie where an earlier one lies; a solve will merge them."""
    return len(measure) - len(np.unique(np.round(measure.points, 12), axis=0))
