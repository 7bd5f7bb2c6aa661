"""Where arrays live. The only module that may import CuPy, and only when asked to.

Core functions take the namespace of the arrays they are given; there is no global switch.
"""

import importlib.util
from typing import Any, Literal

import array_api_compat
import array_api_compat.numpy
import numpy as np

from mtm_viz.errors import InputError

Backend = Literal["numpy", "cupy"]


def namespace(*arrays: Any) -> Any:
    """The array-API namespace shared by `arrays` (NumPy, CuPy or array-api-strict)."""
    # The general look-up costs more than the arithmetic on one moving atom.
    for array in arrays:
        if type(array) is not np.ndarray:
            break
    else:
        return array_api_compat.numpy
    return array_api_compat.array_namespace(*arrays)


def beside(constant: np.ndarray, array: Any) -> Any:
    """The host array `constant` in the namespace, dtype and device of `array`."""
    if type(array) is np.ndarray:
        return constant
    xp = namespace(array)
    return xp.asarray(np.ascontiguousarray(constant), dtype=array.dtype, device=array_api_compat.device(array))


#: Multiplications of a product that BLAS does by one thread. Where the machine is busy, two that wait for each other at a
#: product with a matrix of a few columns take fifty times as long as one alone.
ONE_THREAD = 250_000
#: Rows so short that one coordinate of all is a good vector, from this many rows on; as many at a time as stay in a cache.
SHORT, MANY, CACHED = 4, 500, 16_384


def row_dot(x: Any, y: Any) -> Any:
    """<x_i, y_i> for the rows of (n, d), shape (n,): five times faster than vecdot for short rows."""
    if type(x) is np.ndarray and type(y) is np.ndarray:
        n, d = x.shape
        if d > SHORT or n < MANY:
            return np.einsum("ij,ij->i", x, y)
        found, product = np.empty(n, dtype=x.dtype), np.empty(min(n, CACHED), dtype=x.dtype)
        for start in range(0, n, CACHED):
            rows = slice(start, start + CACHED)
            here = found[rows]
            np.multiply(x[rows, 0], y[rows, 0], out=here)
            for k in range(1, d):
                here += np.multiply(x[rows, k], y[rows, k], out=product[: len(here)])
        return found
    xp = namespace(x, y)
    return (x * y) @ xp.ones((x.shape[1],), dtype=x.dtype, device=array_api_compat.device(x))


def row_times(x: Any, matrix: Any) -> Any:
    """x @ matrix for many rows x (n, d) and a small matrix (d, k)."""
    rows = max(1, ONE_THREAD // matrix.size)
    if type(x) is not np.ndarray or x.shape[0] <= rows:
        return x @ matrix
    found, matrix = np.empty((x.shape[0], matrix.shape[1]), dtype=x.dtype), np.ascontiguousarray(matrix)
    for start in range(0, x.shape[0], rows):
        np.matmul(x[start : start + rows], matrix, out=found[start : start + rows])
    return found


def to_host(array: Any) -> np.ndarray:
    """`array` as a NumPy array, copied from the device if it lives there."""
    if hasattr(array, "get"):
        array = array.get()
    return np.asarray(array)


def read(*numbers: Any) -> list[float]:
    """Arrays of no dimension as floats: from a device all in one copy, since each copy waits for all that was begun."""
    if all(isinstance(number, np.ndarray | np.generic) for number in numbers):
        return [float(number) for number in numbers]
    return to_host(namespace(*numbers).stack(numbers)).tolist()


def cupy_device() -> str | None:
    """The name of the first CUDA device CuPy can use, or None."""
    if importlib.util.find_spec("cupy") is None:
        return None
    import cupy  # pyright: ignore[reportMissingImports]

    try:
        if cupy.cuda.runtime.getDeviceCount() == 0:
            return None
        return cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    except cupy.cuda.runtime.CUDARuntimeError:
        return None


def resolve(backend: str) -> Backend:
    """Turn "auto" | "numpy" | "cupy" into the backend that will be used.

    Raises InputError for an unknown name, or for "cupy" on a machine without a CUDA device.
    """
    if backend == "numpy":
        return "numpy"
    if backend not in ("auto", "cupy"):
        raise InputError(f"backend '{backend}' is unknown: choose auto, numpy or cupy")
    if cupy_device() is not None:
        return "cupy"
    if backend == "cupy":
        raise InputError("backend 'cupy' needs the gpu extra and a CUDA device, and none was found: use auto or numpy")
    return "numpy"


def to_backend(array: np.ndarray, backend: Backend) -> Any:
    """Move a host array to `backend`; randomness is always drawn on the host first."""
    if backend == "numpy":
        return array
    import cupy  # pyright: ignore[reportMissingImports]

    return cupy.asarray(array)


def contiguous(array: Any) -> Any:
    """`array` with its last axis next to each other in memory, as a kernel that computes addresses needs it."""
    if isinstance(array, np.ndarray):
        return np.ascontiguousarray(array)
    if hasattr(array, "get"):
        import cupy  # pyright: ignore[reportMissingImports]

        return cupy.ascontiguousarray(array)
    return array


def raw_kernel(source: str, name: str, options: tuple[str, ...]) -> Any:
    """A CUDA kernel, compiled by NVRTC: call it with (grid, block, arguments)."""
    import cupy  # pyright: ignore[reportMissingImports]

    return cupy.RawKernel(source, name, options=options)


def memory_errors() -> tuple[type[Exception], ...]:
    """What is raised where a device has too little memory; nothing where there is no CuPy."""
    if importlib.util.find_spec("cupy") is None:
        return ()
    import cupy  # pyright: ignore[reportMissingImports]

    return (cupy.cuda.memory.OutOfMemoryError,)
