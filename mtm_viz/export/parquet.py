"""Trajectories as Parquet: the columns of the CSV, typed and compressed."""

from __future__ import annotations

from typing import BinaryIO

from pyarrow import parquet

from mtm_viz.export._table import batches, schema
from mtm_viz.rendering.film import Progress
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run

MIME_TYPE = "application/vnd.apache.parquet"


def write_parquet(run: Run, stream: BinaryIO, options: Options, progress: Progress) -> None:
    with parquet.ParquetWriter(stream, schema(run), compression="zstd") as writer:
        for batch in batches(run, options, progress):
            writer.write_batch(batch)
