"""The two loops over points of `harmonic`, compiled by Numba: moments, and evaluation at the queries.

Points are taken LANES at a time in a structure of arrays, so that every inner loop is a vector loop of known length; two
degrees go through it at once. Queries are taken as many at a time as `lanes` has registers for.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from mtm_viz.dynamics.attention import compiled
from mtm_viz.dynamics.attention.bessel import NEGLIGIBLE as SMALLEST_TERM
from mtm_viz.dynamics.attention.bessel import RUN_UP, zeroth
from mtm_viz.dynamics.attention.harmonic import NEGLIGIBLE, tables
from mtm_viz.dynamics.attention.lanes import LANES as QUERIES
from mtm_viz.dynamics.attention.lanes import add_terms

LANES = 256
#: Points of one task: a whole number of lanes, the same on every machine so that sums are.
TASK = 2048

_FAST = {"reassoc", "contract", "nsz", "arcp"}


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_FAST)
def _two(z, q1, q2, cw, sw, g0, g1):  # pragma: no cover - compiled
    """Two steps of the recurrence in l; q1, q2 are replaced; returns the four sums."""
    a0 = b0 = a1 = b1 = 0.0
    for k in range(LANES):
        u = z[k] * q1[k] - g0 * q2[k]
        v = z[k] * u - g1 * q1[k]
        q2[k] = u
        q1[k] = v
        a0 += u * cw[k]
        b0 += u * sw[k]
        a1 += v * cw[k]
        b1 += v * sw[k]
    return a0, b0, a1, b1


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_FAST)
def _moments(points, weights, g, out):  # pragma: no cover - compiled
    n, top = points.shape[0], g.shape[0] - 1
    x, y, z = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    cw, sw, q1, q2 = np.empty(LANES), np.empty(LANES), np.empty(LANES), np.empty(LANES)
    for start in range(0, n, LANES):
        for k in range(LANES):
            j = min(start + k, n - 1)
            x[k], y[k], z[k] = points[j, 0], points[j, 1], points[j, 2]
            cw[k] = weights[j] if start + k < n else 0.0
            sw[k] = 0.0
        for m in range(top + 1):
            a = b = 0.0
            for k in range(LANES):
                a += cw[k]
                b += sw[k]
                q1[k] = z[k]
                q2[k] = 1.0
            out[0, m, m] += a
            out[1, m, m] += b
            if m < top:
                a = b = 0.0
                for k in range(LANES):
                    a += z[k] * cw[k]
                    b += z[k] * sw[k]
                out[0, m + 1, m] += a
                out[1, m + 1, m] += b
            for l in range(m + 2, top + 1, 2):
                last = l == top
                a0, b0, a1, b1 = _two(z, q1, q2, cw, sw, g[l, m], 0.0 if last else g[l + 1, m])
                out[0, l, m] += a0
                out[1, l, m] += b0
                if not last:
                    out[0, l + 1, m] += a1
                    out[1, l + 1, m] += b1
            for k in range(LANES):
                real, imaginary = cw[k] * x[k] - sw[k] * y[k], cw[k] * y[k] + sw[k] * x[k]
                cw[k] = real if abs(real) > NEGLIGIBLE else 0.0
                sw[k] = imaginary if abs(imaginary) > NEGLIGIBLE else 0.0


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_FAST)
def _ratios(r, rho, first, most, last):  # pragma: no cover - compiled
    """rho[l QUERIES + k] = i_l / i_{l-1} for 1 <= l <= most, zero once i_l is negligible, from first = i_0 e^{-r}."""
    down = np.zeros(QUERIES)
    for l in range(last, 0, -1):
        for k in range(QUERIES):
            down[k] = r[k] / (2.0 * l + 1.0 + r[k] * down[k])
        if l <= most:
            rho[l * QUERIES : (l + 1) * QUERIES] = down
    down[:] = first
    for l in range(1, most + 1):
        row = rho[l * QUERIES :]
        for k in range(QUERIES):
            size = down[k] * row[k]
            row[k] = row[k] if size > SMALLEST_TERM else 0.0
            down[k] = size if size > SMALLEST_TERM else 0.0


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_FAST)
def _evaluate(rows, z, length, first, g, last, out):  # pragma: no cover - compiled
    n, most = z.shape[0], rows.shape[0] - 1
    x, y, h, r = np.empty(QUERIES), np.empty(QUERIES), np.empty(QUERIES), np.empty(QUERIES)
    rho, term, total = np.zeros((most + 2) * QUERIES), np.empty(QUERIES), np.empty(4 * QUERIES)
    for start in range(0, n, QUERIES):
        for k in range(QUERIES):
            j = min(start + k, n - 1)
            r[k] = length[j]
            inverse = 1.0 / r[k] if r[k] > 0.0 else 1.0
            x[k], y[k], h[k] = z[j, 0] * inverse, z[j, 1] * inverse, z[j, 2] * inverse
            term[k] = first[j]
        _ratios(r, rho, term, most, last)
        add_terms(total, x, y, h, term, rho, g, rows, most)  # pyright: ignore[reportCallIssue]
        for i in range(4):
            for k in range(min(QUERIES, n - start)):
                out[i, start + k] = total[i * QUERIES + k]


def moments(points: np.ndarray, weights: np.ndarray, top: int) -> np.ndarray:
    """Real and imaginary part of sum_j w_j Y_lm(y_j), shape (2, top + 1, top + 1)."""
    points, weights = np.ascontiguousarray(points, dtype=np.float64), np.ascontiguousarray(weights, dtype=np.float64)
    constants = tables(top)

    def part(start: int) -> np.ndarray:
        out = np.zeros((2, top + 1, top + 1))
        _moments(points[start : start + TASK], weights[start : start + TASK], constants.g, out)
        return out

    # Added in one order, whichever thread was first: the same input gives the same bits.
    return sum(compiled.each(part, range(0, len(points), TASK)), np.zeros((2, top + 1, top + 1))) * constants.kappa


def evaluate(rows: np.ndarray, z: np.ndarray, r: np.ndarray, most: int) -> np.ndarray:
    """den and the three numerators at every z (m, 3), shape (4, m), each with e^{-|z|} taken out."""
    rows = np.ascontiguousarray(np.swapaxes(rows, 1, 2))
    z, r = np.ascontiguousarray(z, dtype=np.float64), np.ascontiguousarray(r, dtype=np.float64)
    g = np.ascontiguousarray(tables(most + 1).g)
    last, first = max(most, int(r.max())) + RUN_UP, zeroth(r, 3)
    out = np.empty((4, len(z)))

    def part(start: int) -> None:
        end = min(len(z), start + TASK)
        _evaluate(rows, z[start:end], r[start:end], first[start:end], g, last, out[:, start:end])

    compiled.each(part, range(0, len(z), TASK))
    return out


def compile_now() -> None:
    """Call every kernel once on a few points."""
    points = np.eye(3)
    moments(points, np.ones(3), 3)
    evaluate(np.zeros((3, 8, 3)), points, np.ones(3), 2)
