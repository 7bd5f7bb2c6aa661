"""The CUDA kernel without a device: NVRTC compiles its source, and a host build of the same source computes with it."""

from __future__ import annotations

import ctypes
import importlib.util
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from mtm_viz.dynamics.attention import dense, kernel

#: What CUDA gives and a host compiler does not: one thread, which is block and grid in turn.
SHIM = """
#include <cmath>
using std::exp2;
struct Index { unsigned x, y, z; };
static Index threadIdx, blockIdx, blockDim, gridDim;
#define __global__
#define __shared__ static
#define __syncthreads()
"""
DRIVER = """
extern "C" void run(const REAL* sources, const REAL* queries, REAL* largest, REAL* sums, long long n, long long m, unsigned parts) {
    blockDim.x = 1;
    gridDim.y = parts;
    for (blockIdx.y = 0; blockIdx.y < parts; ++blockIdx.y)
        for (blockIdx.x = 0; blockIdx.x < m; ++blockIdx.x) attend(sources, queries, largest, sums, n, m);
}
"""


def host_launch(folder: Path, dimension: int, real: str) -> kernel.Launch:
    """The kernel compiled for this machine's processor."""
    source, library = folder / "kernel.cc", folder / "kernel.so"
    source.write_text(SHIM + kernel.SOURCE + DRIVER)
    command = ["g++", "-O2", "-shared", "-fPIC", "-Wno-unknown-pragmas", *kernel.options(dimension, real)]
    subprocess.run([*command, source, "-o", library], check=True)
    run = ctypes.CDLL(str(library)).run

    def launch(sources, queries, largest, sums, n, m, parts):
        # Addresses are computed by the kernel, so that a transposed array would be read as another.
        assert all(array.flags.c_contiguous for array in (sources, queries, largest, sums))
        pointers = (array.ctypes.data_as(ctypes.c_void_p) for array in (sources, queries, largest, sums))
        run(*pointers, ctypes.c_longlong(n), ctypes.c_longlong(m), parts)

    return launch


@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler")
@pytest.mark.parametrize(("real", "allowed"), [("double", 1e-12), ("float", 1e-5)])
@pytest.mark.parametrize("dimension", [2, 3, 16])
def test_the_arithmetic_is_right(tmp_path, dimension, real, allowed):
    launch = host_launch(tmp_path, dimension, real)
    rng = np.random.default_rng(dimension)
    dtype = np.float64 if real == "double" else np.float32
    for n, m, beta in ((1, 1, 4.0), (1500, 40, 4.0), (3000, 33, 1000.0), (3000, 33, -25.0)):
        points = rng.standard_normal((n, dimension))
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        weights = 10 ** rng.uniform(-12, 0, n)
        weights[1:4] = 0.0
        z = beta * points[:m]
        expected, logs = dense.sums(points, weights, z)
        values, found = kernel.sums(*(a.astype(dtype) for a in (points, weights, z)), launch)
        assert np.abs(values - expected).max() <= allowed
        np.testing.assert_allclose(found, logs, rtol=allowed, atol=10 * allowed)


def nvrtc() -> ctypes.CDLL | None:
    spec = importlib.util.find_spec("nvidia")
    places = list(spec.submodule_search_locations or []) if spec else []
    found = [path for place in places for path in Path(place).rglob("libnvrtc.so.*") if "alt" not in path.name]
    return ctypes.CDLL(str(found[0])) if found else None


@pytest.mark.skipif(nvrtc() is None, reason="no NVRTC: install nvidia-cuda-nvrtc")
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("dimension", [2, 3, 16])
def test_nvrtc_compiles_it(dimension, real):
    library = nvrtc()
    assert library is not None
    program = ctypes.c_void_p()
    assert library.nvrtcCreateProgram(ctypes.byref(program), kernel.SOURCE.encode(), b"kernel.cu", 0, None, None) == 0
    options = [option.encode() for option in (*kernel.options(dimension, real), "--gpu-architecture=compute_75")]
    code = library.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    size = ctypes.c_size_t()
    library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    library.nvrtcGetProgramLog(program, log)
    assert code == 0, log.value.decode()
    assert library.nvrtcGetPTXSize(program, ctypes.byref(size)) == 0 and size.value > 1000
