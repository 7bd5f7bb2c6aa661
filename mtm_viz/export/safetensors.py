"""The Transformer itself: the schedule as stacked layers in the safetensors format, and a PyTorch module that loads it."""

from __future__ import annotations

import json
import struct
from importlib.metadata import PackageNotFoundError, version
from typing import BinaryIO

import numpy as np

from mtm_viz.export._torch_source import SOURCE
from mtm_viz.network import discretise
from mtm_viz.rendering.film import Progress
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run

MIME_TYPE = "application/octet-stream"
#: Layers a segment, where none are asked for, and at most so many in all.
LAYERS_A_SEGMENT, MOST_BY_DEFAULT = 40, 20_000


def default_layers(run: Run) -> int:
    """How many layers are written where none are asked for."""
    return max(len(run.schedule), min(MOST_BY_DEFAULT, LAYERS_A_SEGMENT * len(run.schedule)))


def write_safetensors(run: Run, stream: BinaryIO, options: Options, progress: Progress) -> list[str]:
    """attention.V, attention.B (L, d, d), mlp.W (L, d, p), mlp.U (L, p, d), mlp.b (L, p), segment (L,), and for pair i tokens.i
    (n, d), weights.i, targets.i, target_weights.i and end.i, where the continuous run sends the tokens. Numbers are float64."""
    wanted = options.layers or default_layers(run)
    progress(f"discretising into about {wanted:,} layers", 0.1)
    network = discretise(run, wanted)
    tensors: dict[str, np.ndarray] = {
        "attention.V": network.V,
        "attention.B": network.B,
        "mlp.W": network.W,
        "mlp.U": network.U,
        "mlp.b": network.b,
        "segment": network.segment.astype(np.int64),
    }
    for i in range(len(run.names)):
        tensors[f"tokens.{i}"] = run.trajectories[i][0]
        tensors[f"weights.{i}"] = run.weights[i]
        tensors[f"targets.{i}"] = run.targets[i]
        tensors[f"target_weights.{i}"] = run.target_weights[i]
        tensors[f"end.{i}"] = run.trajectories[i][-1]
    metadata = {
        "format": "mtm-transformer",
        "version": "1",
        "layers": str(len(network)),
        "segments": str(len(run.schedule)),
        "dimension": str(run.schedule.dimension),
        "width": str(run.schedule.width),
        "layer": "x <- N(x + P_x V A_B(x)); x <- N(x + P_x W relu(U x + b)); the step is in V and W; N(x) = x/|x|, P_x = I - x x^T",
        "names": json.dumps(run.names, ensure_ascii=False),
        "phases": json.dumps([segment.phase for segment in run.schedule]),
        "source": "arXiv:2411.04551; written by mtm_viz " + _version(),
    }
    progress("writing", 0.9)
    write_tensors(stream, tensors, metadata)
    return [f"the network has {len(network):,} layers"]


def companions(run: Run, options: Options, stem: str) -> dict[str, bytes]:
    """The PyTorch module, beside the weights."""
    return {f"{stem}_transformer.py": SOURCE.replace("STEM", stem).encode()}


def write_tensors(stream: BinaryIO, tensors: dict[str, np.ndarray], metadata: dict[str, str]) -> None:
    """The safetensors format: header length (uint64), header (JSON, padded to 8 bytes), then the arrays one after another."""
    names = {"f8": "F64", "f4": "F32", "i8": "I64"}
    header: dict[str, object] = {"__metadata__": metadata}
    at = 0
    for name, array in tensors.items():
        size = array.nbytes
        header[name] = {
            "dtype": names[array.dtype.str[1:]],
            "shape": list(array.shape),
            "data_offsets": [at, at + size],
        }
        at += size
    said = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    said += b" " * (-len(said) % 8)
    stream.write(struct.pack("<Q", len(said)) + said)
    for array in tensors.values():
        stream.write(np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).tobytes())


def _version() -> str:
    try:
        return version("mtm_viz")
    except PackageNotFoundError:
        return "(not installed)"
