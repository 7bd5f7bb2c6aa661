"""Trajectories as arrays: names (N,), times (F,), frame (F,), and trajectory_<i> (F, n_i, d), weights_<i>, target_<i>, w2_<i>."""

from __future__ import annotations

from typing import BinaryIO

import numpy as np

from mtm_viz.export._table import kept_frames
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run

MIME_TYPE = "application/octet-stream"


def write_trajectories_npz(run: Run, stream: BinaryIO, options: Options) -> None:
    frames = kept_frames(run, options)
    arrays: dict[str, np.ndarray] = {
        "names": np.array(run.names),
        "times": run.times[frames],
        "display": run.display[frames],
        "frame": frames,
    }
    for i in range(len(run.names)):
        arrays[f"trajectory_{i}"] = run.trajectories[i][frames]
        arrays[f"weights_{i}"] = run.weights[i]
        if run.w2:  # a simulation has no targets
            arrays[f"target_{i}"] = run.targets[i]
            arrays[f"target_weights_{i}"] = run.target_weights[i]
            arrays[f"w2_{i}"] = run.w2[i][frames]
    np.savez_compressed(stream, **arrays)  # pyright: ignore[reportArgumentType]
