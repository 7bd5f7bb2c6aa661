"""NPZ: arrays points (n, d) and weights (n,), float64."""

from __future__ import annotations

import io

import numpy as np

from mtm_viz.measures.measure import Measure
from mtm_viz.measures.writers import Writer


def write_npz(measure: Measure) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, points=measure.points, weights=measure.weights)
    return stream.getvalue()


WRITER = Writer("NPZ", ".npz", "application/octet-stream", write_npz)
