"""The mtm-schedule format, version 1: NPZ arrays, or the same arrays as nested lists in JSON."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from mtm_viz.dynamics.schedule import Schedule, Segment
from mtm_viz.errors import InputError
from mtm_viz.files import written_whole

MOST_BYTES = 1_000_000_000
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


def save_schedule(schedule: Schedule, path: str | Path) -> None:
    """Write .json or .npz, by the path's suffix."""
    with written_whole(path) as stream:
        if Path(path).suffix.lower() == ".json":
            stream.write(json.dumps({key: value.tolist() for key, value in schedule_arrays(schedule).items()}).encode())
        else:
            np.savez_compressed(stream, **schedule_arrays(schedule))  # pyright: ignore[reportArgumentType]


def load_schedule(path: str | Path) -> Schedule:
    """Read an mtm-schedule from .npz (a whole run will do) or .json."""
    path = Path(path)
    if path.suffix.lower() != ".json":
        return schedule_from_arrays(load_arrays(path))
    try:
        said: Any = json.loads(path.read_text(encoding="utf-8"))
        arrays = {key: np.array(value) for key, value in said.items()}
    except OSError as problem:
        raise InputError(f"{path.name} cannot be read ({problem.strerror}): check its name and rights") from problem
    except (ValueError, AttributeError, RecursionError) as problem:
        raise InputError(f"{path.name} is not a schedule in JSON: save it again with `interpolate`") from problem
    return schedule_from_arrays(arrays)


def load_arrays(source: str | Path | BinaryIO, name: str | None = None) -> dict[str, np.ndarray]:
    """The arrays of an NPZ file, never unpickled, its unpacked size bounded before a byte is unpacked."""
    name = name or (Path(source).name if isinstance(source, str | Path) else "the file")
    try:
        content = Path(source).read_bytes() if isinstance(source, str | Path) else source.read()
    except OSError as problem:
        raise InputError(f"{name} cannot be read ({problem.strerror}): check its name and rights") from problem
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
                raise InputError(f"{name} unpacks to more than {MOST_BYTES // 1_000_000} MB: make it smaller")
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return {key: arrays[key] for key in arrays.files}
    except (zipfile.BadZipFile, ValueError, EOFError, OSError, KeyError, NotImplementedError) as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError(f"{name} is not an NPZ file this program wrote: save it again with `interpolate`") from problem
