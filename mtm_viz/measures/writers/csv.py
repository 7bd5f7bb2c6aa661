"""CSV: x,y,z,weight (x1 to xd in other dimensions), each number with the digits that bring every bit back."""

from __future__ import annotations

from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers.rows import coordinate_names
from mtm_viz.measures.writers import Writer


def write_csv(measure: Measure) -> bytes:
    rows = [",".join((*coordinate_names(measure.dimension), "weight"))]
    for point, weight in zip(measure.points.tolist(), measure.weights.tolist(), strict=True):
        rows.append(",".join(map(repr, (*point, weight))))
    return ("\n".join(rows) + "\n").encode()


WRITER = Writer("CSV", ".csv", "text/csv", write_csv)
