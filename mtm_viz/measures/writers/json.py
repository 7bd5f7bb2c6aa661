"""JSON: {"points": [[...]], "weights": [...]?}, as a problem holds a measure."""

from __future__ import annotations

import json

import numpy as np

from mtm_viz.measures.measure import Measure
from mtm_viz.measures.writers import Writer


def write_json(measure: Measure) -> bytes:
    said = {"points": measure.points.tolist()}
    # Left out only where what is left out comes back to the last bit.
    if not np.array_equal(measure.weights, np.full(len(measure), 1.0 / len(measure))):
        said["weights"] = measure.weights.tolist()
    return json.dumps(said).encode() + b"\n"


WRITER = Writer("JSON", ".json", "application/json", write_json)
