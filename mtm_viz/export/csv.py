"""Trajectories as CSV: pair, particle, frame, time, x1..xd, weight; one row a particle and frame."""

from __future__ import annotations

from typing import BinaryIO

from pyarrow import csv

from mtm_viz.export._table import batches, schema
from mtm_viz.rendering.film import Progress
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run

MIME_TYPE = "text/csv"


def write_csv(run: Run, stream: BinaryIO, options: Options, progress: Progress) -> None:
    """UTF-8, numbers in their shortest form that reads back the same."""
    how = csv.WriteOptions(quoting_style="needed")
    with csv.CSVWriter(stream, schema(run), write_options=how) as writer:
        for batch in batches(run, options, progress):
            writer.write_batch(batch)
