"""NPY: one array (n, d) of real numbers, never unpickled, its size taken from the header before memory is."""

from __future__ import annotations

import io
import math
import tokenize

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers.format import Format, Options
from mtm_viz.measures.readers.limits import MOST_COLUMNS, Watch
from mtm_viz.measures.readers.rows import measure_of

#: What numpy raises on a header that is none.
_BROKEN = (
    ValueError,
    TypeError,
    KeyError,
    EOFError,
    OSError,
    OverflowError,
    SyntaxError,
    RecursionError,
    tokenize.TokenError,
)


def array_of(content: bytes, watch: Watch) -> np.ndarray:
    """The array in the bytes of an NPY file, as float64. Raises InputError."""
    stream = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(stream)
        header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = header(stream)
    except _BROKEN as problem:
        raise InputError("this is no NPY array: save it with numpy.save") from problem
    if dtype.kind not in "fiu" or dtype.itemsize > 16:
        raise InputError(f"its array holds {_kind(dtype)}, not real numbers: save it as float64")
    if len(shape) > 2 or min(shape, default=0) < 0 or (len(shape) == 2 and shape[1] > MOST_COLUMNS):
        raise InputError(
            f"its array has shape {str(shape)[:60]}: give (n, d) with d at most {MOST_COLUMNS}, or (n,) for weights"
        )
    watch.limits.require_atoms(shape[0] if shape else 0)
    if math.prod(shape) * dtype.itemsize > len(content) - stream.tell():
        raise InputError(f"its array of shape {shape} is cut off: save or copy the file again")
    stream.seek(0)
    try:
        with np.errstate(over="ignore"):  # a long double beyond float64 becomes inf, which is told with its row
            return np.asarray(np.load(stream, allow_pickle=False), dtype=np.float64)
    except _BROKEN as problem:
        raise InputError("its array cannot be read: save it again with numpy.save") from problem


def read_npy(content: bytes, options: Options, watch: Watch) -> Measure:
    points = array_of(content, watch)
    if points.ndim != 2:
        raise InputError(f"its array has shape {points.shape}: give one row of coordinates a point, shape (n, d)")
    return measure_of(points, None, limits=watch.limits)


def _kind(dtype: np.dtype) -> str:
    if dtype.hasobject:
        return "Python objects, which are never loaded"
    return {"c": "complex numbers", "b": "truth values", "V": "records"}.get(
        dtype.kind, f"values of type {str(dtype)[:40]}"
    )


FORMAT = Format("NPY", (".npy",), read_npy)
