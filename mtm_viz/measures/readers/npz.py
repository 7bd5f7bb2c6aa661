"""NPZ: an array "points" (n, d) and perhaps "weights" (n,); every member's size is bounded before it is unpacked."""

from __future__ import annotations

import io
import zipfile
import zlib

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers.format import Format, Options
from mtm_viz.measures.readers.limits import MOST_COLUMNS, Watch
from mtm_viz.measures.readers.npy import array_of
from mtm_viz.measures.readers.rows import measure_of

_MOST_MEMBERS = 64
_BROKEN = (zipfile.BadZipFile, zlib.error, ValueError, EOFError, OSError, KeyError, NotImplementedError, RuntimeError)


def read_npz(content: bytes, options: Options, watch: Watch) -> Measure:
    if not content.startswith(b"PK"):
        raise InputError("this is no NPZ archive: save it with numpy.savez(points=...)")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            if len(members) > _MOST_MEMBERS:
                raise InputError(f"the archive has {len(members)} members: keep points and weights")
            names = [member.filename.removesuffix(".npy") for member in members]
            points = _member(archive, _index(names), watch)
            weights = _member(archive, names.index("weights"), watch) if "weights" in names else None
    except _BROKEN as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError("the archive is damaged: save it again with numpy.savez(points=...)") from problem
    if points.ndim != 2:
        raise InputError(f"points have shape {points.shape}: give one row of coordinates a point, shape (n, d)")
    if weights is not None and weights.ndim != 1:
        raise InputError(f"weights have shape {weights.shape}: give one a point, shape (n,)")
    return measure_of(points, weights, limits=watch.limits)


def _index(names: list[str]) -> int:
    if "points" in names:
        return names.index("points")
    if len(names) == 1:
        return 0
    shown = ", ".join(f'"{name[:30]}"' for name in names[:8]) or "nothing"
    raise InputError(f'the archive holds {shown}: name the array of coordinates "points"')


def _member(archive: zipfile.ZipFile, k: int, watch: Watch) -> np.ndarray:
    member = archive.infolist()[k]
    most = watch.limits.atoms * MOST_COLUMNS * 16 + 65_536
    if member.file_size > most:
        raise InputError(f'"{member.filename[:30]}" unpacks to more than {most / 1e6:.0f} MB: keep fewer atoms')
    watch.check()
    try:
        with archive.open(member) as stream:
            # The header first: a bomb that claims to be small rows is refused before it has been unpacked.
            return array_of(_unpacked(stream, most, watch), watch)
    except InputError as problem:
        raise InputError(f'"{member.filename[:30]}": {problem}') from problem


def _unpacked(stream, most: int, watch: Watch) -> bytes:
    pieces, size = [], 0
    while piece := stream.read(1 << 20):
        pieces.append(piece)
        size += len(piece)
        if size == len(piece):
            _promise(piece, watch)
        if size > most:
            raise InputError("it unpacks to more than its header says: save it again")
        watch.check()
    return b"".join(pieces)


def _promise(start: bytes, watch: Watch) -> None:
    """Refuse by the array's header, once its first megabyte is there."""
    stream = io.BytesIO(start)
    try:
        version = np.lib.format.read_magic(stream)
        header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, _ = header(stream)
    except (ValueError, TypeError, KeyError, EOFError, OSError, SyntaxError):
        return  # array_of says what is wrong with it
    watch.limits.require_atoms(shape[0] if shape else 0)


FORMAT = Format("NPZ", (".npz",), read_npz)
