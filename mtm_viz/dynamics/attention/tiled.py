"""Dense attention by Numba, in every dimension up to about 16: tiles of sources that stay in the nearest cache.

For one query and one tile of sources three passes, each a vector loop: exponents, 2^x, sums. log2 w_j is a coordinate of
the source, so that weights cost nothing. Exponents are shifted by log2(e) |z|, an upper bound; where that could underflow
(|z| large) by the true maximum, found in a pass of its own.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from mtm_viz.dynamics.attention import compiled
from mtm_viz.dynamics.attention.exp2 import exp2

#: Sources of a tile: (d + 2) x 512 numbers of float64 fit in 48 kB up to d = 10, and in the next cache beyond.
TILE = 512
#: Queries of one task.
TASK = 256
#: Shifted by |z|, exponents reach down to -2 |z| log2(e) - log2 n. Up to these |z| that is so far above the least normal
#: number, 2^-1022 or 2^-126, that a million atoms cut off there do not count.
LARGEST_BOUND = {np.float64: 300.0, np.float32: 20.0}

_STRICT = {"contract"}
_FAST = {"reassoc", "contract", "nsz", "arcp"}


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_FAST)
def _exponents(s, sources, start, z, shift):  # pragma: no cover - compiled
    """s_j = sum_k z_k y_kj - shift, four coordinates a pass."""
    d, count = len(z), len(s)
    zero = shift - shift
    for k in range(0, d, 4):
        a = z[k]
        y0 = sources[k][start : start + count]
        b = z[k + 1] if k + 1 < d else zero
        y1 = sources[min(k + 1, d - 1)][start : start + count]
        c = z[k + 2] if k + 2 < d else zero
        y2 = sources[min(k + 2, d - 1)][start : start + count]
        e = z[k + 3] if k + 3 < d else zero
        y3 = sources[min(k + 3, d - 1)][start : start + count]
        if k == 0:
            for j in range(count):
                s[j] = a * y0[j] + b * y1[j] + c * y2[j] + e * y3[j] - shift
        else:
            for j in range(count):
                s[j] += a * y0[j] + b * y1[j] + c * y2[j] + e * y3[j]


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_STRICT)
def _powers(s):  # pragma: no cover - compiled
    for j in range(len(s)):
        s[j] = exp2(s[j])


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_STRICT)
def _largest(s):  # pragma: no cover - compiled
    """The largest of TILE numbers, folded in halves in place: element by element it is a vector loop, one by one it is not."""
    width = TILE // 2
    while width > 0:
        low, high = s[:width], s[width : 2 * width]
        for j in range(width):
            low[j] = low[j] if low[j] > high[j] else high[j]
        width //= 2
    return s[0]


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_FAST)
def _add(s, sources, start, out):  # pragma: no cover - compiled
    """out_k += sum_j s_j y_kj for the coordinates, three a pass, and out_d += sum_j s_j."""
    d, count = len(out) - 1, len(s)
    zero = s[0] - s[0]
    for k in range(0, d, 3):
        y0 = sources[k][start : start + count]
        y1 = sources[min(k + 1, d - 1)][start : start + count]
        y2 = sources[min(k + 2, d - 1)][start : start + count]
        a = b = c = total = zero
        for j in range(count):
            a += s[j] * y0[j]
            b += s[j] * y1[j]
            c += s[j] * y2[j]
            total += s[j]
        out[k] += a
        if k + 1 < d:
            out[k + 1] += b
        if k + 2 < d:
            out[k + 2] += c
        if k == 0:
            out[d] += total


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_STRICT)
def _maxima(sources, queries, shift):  # pragma: no cover - compiled
    """shift_i = max_j of the exponents of query i."""
    n, m = sources.shape[1], queries.shape[0]
    buffer = np.empty(TILE, sources.dtype)
    for i in range(m):
        shift[i] = -np.inf
    for start in range(0, n, TILE):
        count = min(TILE, n - start)
        for i in range(m):
            buffer[count:] = -np.inf
            _exponents(buffer[:count], sources, start, queries[i], queries[i, 0] * 0)
            shift[i] = max(shift[i], _largest(buffer))


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_STRICT)
def _sums(sources, queries, shift, out):  # pragma: no cover - compiled
    """out (m, d + 1): sum_j 2^{<query_i, source_j> - shift_i} (y_j, 1)."""
    n, m = sources.shape[1], queries.shape[0]
    buffer = np.empty(TILE, sources.dtype)
    for start in range(0, n, TILE):
        s = buffer[: min(TILE, n - start)]
        for i in range(m):
            _exponents(s, sources, start, queries[i], shift[i])
            _powers(s)
            _add(s, sources, start, out[i])


def sums(
    points: np.ndarray, weights: np.ndarray, z: np.ndarray, precision: type = np.float64
) -> tuple[np.ndarray, np.ndarray]:
    """(A (m, d), log Z (m,)) at logit vectors z (m, d): Z_i = sum_j w_j e^{<z_i, y_j>}."""
    heavy = weights > 0
    points, weights = points[heavy], weights[heavy]
    scale = float(np.log2(np.e))
    sources = np.ascontiguousarray(np.c_[points, np.log2(weights)].T, dtype=precision)
    queries = np.c_[z * scale, np.ones(len(z))].astype(precision)
    largest = np.linalg.norm(z, axis=1).max(initial=0.0)
    bounded = largest <= LARGEST_BOUND[precision]
    shift = np.asarray(np.linalg.norm(z, axis=1) * scale, dtype=precision) if bounded else np.zeros(len(z), precision)
    out = np.zeros((len(z), points.shape[1] + 1), precision)

    def part(start: int) -> None:
        task = slice(start, start + TASK)
        if not bounded:
            _maxima(sources, queries[task], shift[task])
        _sums(sources, queries[task], shift[task], out[task])

    compiled.each(part, range(0, len(z), TASK))
    total = out[:, -1].astype(np.float64)
    return out[:, :-1] / out[:, -1:], np.log(total) + shift / scale


def compile_now() -> None:
    """Call every kernel once on a few points, in both precisions."""
    points, weights = np.eye(3), np.ones(3)
    for precision in (np.float64, np.float32):
        sums(points, weights, points, precision)
        sums(points, weights, 1000.0 * points, precision)
