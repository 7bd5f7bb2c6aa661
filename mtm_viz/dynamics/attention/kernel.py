"""Dense attention on a CUDA device by one fused kernel, kernel.cu: no logit is ever written to memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from array_api_compat import device

from mtm_viz.backend import contiguous, namespace, raw_kernel

SOURCE = (Path(__file__).with_name("kernel.cu")).read_text()
#: Sources of a tile (a multiple of the kernel's group of 8): at most (16 + 1) x 128 float64 in 48 kB of shared memory.
TILE = 128
THREADS = 128
#: Blocks that fill a large device; fewer queries than this many blocks hold are served by several parts of the sources.
BLOCKS = 512

Launch = Callable[[Any, Any, Any, Any, int, int, int], None]


def options(dimension: int, real: str) -> tuple[str, ...]:
    """What the source must be compiled with."""
    return (f"-DD={dimension}", f"-DREAL={real}", f"-DTILE={TILE}", "--std=c++14")


@cache
def _launcher(dimension: int, real: str) -> Launch:
    kernel = raw_kernel(SOURCE, "attend", options(dimension, real))

    def launch(sources: Any, queries: Any, largest: Any, sums: Any, n: int, m: int, parts: int) -> None:
        kernel(((m + THREADS - 1) // THREADS, parts), (THREADS,), (sources, queries, largest, sums, n, m))

    return launch


def sums(points: Any, weights: Any, z: Any, launch: Launch | None = None) -> tuple[Any, Any]:
    """(A (m, d), log Z (m,)) at logit vectors z (m, d): Z_i = sum_j w_j e^{<z_i, y_j>}."""
    xp = namespace(points, weights, z)
    real = "float" if points.dtype == xp.float32 else "double"
    (n, d), m = points.shape, z.shape[0]
    launch = launch or _launcher(d, real)
    logs = xp.where(weights > 0, xp.log2(xp.where(weights > 0, weights, xp.ones_like(weights))), -1e30)
    sources = contiguous(xp.concat([xp.permute_dims(points, (1, 0)), xp.astype(logs, points.dtype)[None, :]], axis=0))
    scale = 1.4426950408889634  # log2(e)
    queries = contiguous(xp.astype(scale * z, points.dtype))
    parts = max(1, min(n // (8 * TILE), BLOCKS * THREADS // max(m, 1)))
    largest = xp.zeros((parts, m), dtype=points.dtype, device=device(points))
    totals = xp.zeros((parts, m, d + 1), dtype=points.dtype, device=device(points))
    launch(sources, queries, largest, totals, n, m, parts)
    top = xp.max(largest, axis=0)
    joined = xp.sum(totals * xp.exp((largest - top) / scale)[:, :, None], axis=0)
    return joined[:, :-1] / joined[:, -1:], xp.log(joined[:, -1]) + top / scale
