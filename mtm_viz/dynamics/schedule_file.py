"""The mtm-schedule format, version 1: NPZ arrays, or the same arrays as nested lists in JSON."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from mtm_viz.dynamics.schedule import Schedule, Segment
from mtm_viz.errors import InputError
from mtm_viz.files import load_json, named, read_bytes, written_whole

MOST_BYTES = 1_000_000_000
#: What numpy and zipfile raise on bytes that are no archive of arrays, a header that claims petabytes among them.
_NOT_NPZ = (zipfile.BadZipFile, zlib.error, ValueError, EOFError, OSError, KeyError, NotImplementedError, MemoryError)
_NUMBERS = ("duration", "V", "B", "W", "U", "b")


def schedule_arrays(schedule: Schedule) -> dict[str, np.ndarray]:
    """duration (S,), V, B (S,d,d), W (S,d,p), U (S,p,d), b (S,p), phase (S,) strings."""
    arrays = {key: np.array([getattr(segment, key) for segment in schedule]) for key in _NUMBERS}
    return {
        "format": np.array("mtm-schedule"),
        "version": np.array(1),
        "phase": np.array([segment.phase for segment in schedule]),
        **arrays,
    }


def schedule_from_arrays(arrays: dict[str, np.ndarray]) -> Schedule:
    """The inverse of schedule_arrays. Raises InputError naming the array that does not fit."""
    if str(arrays.get("format")) != "mtm-schedule":
        raise InputError('this holds no schedule: "format" must be "mtm-schedule"')
    if str(arrays.get("version")) != "1":
        raise InputError(f"schedule version {arrays.get('version')} is not known: this program reads version 1")
    missing = [key for key in (*_NUMBERS, "phase") if key not in arrays]
    if missing:
        raise InputError(f'the schedule lacks "{missing[0]}"')
    S = arrays["duration"].size
    for key, ndim in zip((*_NUMBERS, "phase"), (1, 3, 3, 3, 3, 2, 1), strict=True):
        value = arrays[key]
        if value.ndim != ndim or len(value) != S:
            raise InputError(
                f'"{key}" of the schedule has shape {value.shape}: it needs {ndim} axes, the first of length {S}'
            )
        if key != "phase" and not (value.dtype.kind in "fiu" and np.isfinite(value).all()):
            raise InputError(f'"{key}" of the schedule holds something that is not a finite number')
    columns = [np.asarray(arrays[key], dtype=np.float64) for key in _NUMBERS]
    segments = []
    for k in range(S):
        duration, V, B, W, U, b = (column[k] for column in columns)
        segments.append(Segment(float(duration), V, B, W, U, b, str(arrays["phase"][k])))
    return Schedule(tuple(segments))


def write_schedule(schedule: Schedule, stream: BinaryIO, suffix: str) -> None:
    """Write to a stream in the format of `suffix`, ".json" or ".npz"."""
    arrays = schedule_arrays(schedule)
    if suffix == ".json":
        stream.write(json.dumps({key: value.tolist() for key, value in arrays.items()}).encode() + b"\n")
    elif suffix == ".npz":
        np.savez_compressed(stream, **arrays)  # pyright: ignore[reportArgumentType]
    else:
        raise InputError(f"a schedule is not written as '{suffix}': use .json or .npz")


def save_schedule(schedule: Schedule, path: str | Path) -> None:
    """Write .json or .npz, by the path's suffix."""
    with written_whole(path) as stream:
        write_schedule(schedule, stream, Path(path).suffix.lower())


def load_schedule(path: str | Path) -> Schedule:
    """Read an mtm-schedule from .npz (a whole run will do) or .json. Raises InputError naming the file."""
    path = Path(path)
    with named(path.name):
        return read_schedule(read_bytes(path, MOST_BYTES), path.suffix.lower())


def read_schedule(content: bytes, suffix: str) -> Schedule:
    """The schedule in a file's content, ".json" or NPZ. Raises InputError."""
    return schedule_from_arrays(_json_arrays(content) if suffix == ".json" else load_arrays(io.BytesIO(content)))


def _json_arrays(content: bytes) -> dict[str, np.ndarray]:
    said: Any = load_json(content, MOST_BYTES)
    if not isinstance(said, dict):
        raise InputError('this holds no schedule: "format" must be "mtm-schedule"')
    arrays = {}
    for key, value in said.items():
        try:
            arrays[key] = np.array(value)
        except (ValueError, OverflowError) as problem:
            raise InputError(f'"{key}" of the schedule is no table of numbers: make its rows equally long') from problem
    return arrays


def load_arrays(source: str | Path | BinaryIO) -> dict[str, np.ndarray]:
    """The arrays of an NPZ file, never unpickled, its unpacked size bounded before a byte is unpacked."""
    content = read_bytes(Path(source), MOST_BYTES) if isinstance(source, str | Path) else source.read(MOST_BYTES + 1)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
                raise InputError(f"the file unpacks to more than {MOST_BYTES // 1_000_000} MB: make it smaller")
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return {key: arrays[key] for key in arrays.files}
    except InputError:
        raise
    except _NOT_NPZ as problem:
        raise InputError(
            "this is not an NPZ file that this program wrote: save it again with `interpolate`"
        ) from problem
