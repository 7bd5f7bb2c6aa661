"""Trajectories as one table: a row a particle and frame. Written frame by frame, so that its size does not matter."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from mtm_viz.rendering.film import Progress
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run

#: Rows of one piece, about: enough to be fast, few enough to stay small.
ROWS = 200_000


def schema(run: Run) -> pa.Schema:
    """pair, particle, frame, time, x1..xd, weight."""
    coordinates = [(f"x{k + 1}", pa.float64()) for k in range(run.schedule.dimension)]
    head = [("pair", pa.string()), ("particle", pa.int32()), ("frame", pa.int32()), ("time", pa.float64())]
    return pa.schema([*head, *coordinates, ("weight", pa.float64())])


def kept_frames(run: Run, options: Options) -> np.ndarray:
    """Indices of the frames to write: all stored ones, or as many as asked for, evenly among them, both ends included."""
    count = len(run.times)
    if options.frames is None or options.frames >= count:
        return np.arange(count)
    if options.frames == 1:
        return np.array([count - 1])
    return np.unique(np.rint(np.linspace(0, count - 1, options.frames)).astype(int))


def batches(run: Run, options: Options, progress: Progress) -> Iterator[pa.RecordBatch]:
    """The table's pieces: pair by pair, frame by frame. `frame` counts the run's stored frames."""
    frames, columns = kept_frames(run, options), schema(run)
    done, total = 0, len(frames) * len(run.names)
    for i, name in enumerate(run.names):
        n, d = run.trajectories[i].shape[1:]
        step = max(1, ROWS // n)
        for start in range(0, len(frames), step):
            chosen = frames[start : start + step]
            progress("writing the trajectories", done / total)
            done += len(chosen)
            points = run.trajectories[i][chosen].reshape(-1, d)
            rows = len(points)
            data = [
                pa.array([name] * rows, pa.string()),
                pa.array(np.tile(np.arange(n, dtype=np.int32), len(chosen))),
                pa.array(np.repeat(chosen.astype(np.int32), n)),
                pa.array(np.repeat(run.times[chosen], n)),
                *(pa.array(np.ascontiguousarray(points[:, k])) for k in range(d)),
                pa.array(np.tile(run.weights[i].astype(float), len(chosen))),
            ]
            yield pa.RecordBatch.from_arrays(data, schema=columns)
