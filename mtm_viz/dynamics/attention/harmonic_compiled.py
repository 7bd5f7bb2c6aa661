"""The two loops over points of `harmonic`, compiled by Numba: moments, and evaluation at the queries.

Points lie in a structure of arrays and go side by side through vector registers; see `lanes` for the loops over degrees.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from mtm_viz.dynamics.attention import compiled
from mtm_viz.dynamics.attention.bessel import NEGLIGIBLE as SMALLEST_TERM
from mtm_viz.dynamics.attention.bessel import RUN_UP, zeroth
from mtm_viz.dynamics.attention.harmonic import NEGLIGIBLE, tables
from mtm_viz.dynamics.attention.lanes import POINTS, QUERIES, SUMS, WIDTH, add_degrees, add_terms

#: Points of one task: a whole number of lanes, the same on every machine so that sums are.
TASK = 2048
#: Lengths of z that differ by less, relative to the largest, are one: as if z had been rounded so.
ROUNDING = 8 * 2.0**-52

_FAST = {"reassoc", "contract", "nsz", "arcp"}


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_FAST)
def _moments(points, weights, g, out):  # pragma: no cover - compiled
    """Adds sum_j w_j q_lm(z_j) (x_j + i y_j)^m to out (2, m, l)."""
    n, top = points.shape[0], out.shape[1] - 1
    padded = (n + POINTS - 1) // POINTS * POINTS
    x, y, z, c, s = np.zeros(padded), np.zeros(padded), np.zeros(padded), np.zeros(padded), np.zeros(padded)
    sums = np.empty((top + 1, 2, WIDTH))
    for j in range(n):
        x[j], y[j], z[j], c[j] = points[j, 0], points[j, 1], points[j, 2], weights[j]
    for m in range(top + 1):
        sums[: top + 1 - m] = 0.0
        for start in range(0, padded, POINTS):
            add_degrees(sums, z, c, s, start, g, m, top)  # pyright: ignore[reportCallIssue]
        for l in range(m, top + 1):
            for k in range(WIDTH):
                out[0, m, l] += sums[l - m, 0, k]
                out[1, m, l] += sums[l - m, 1, k]
        for j in range(padded):
            real, imaginary = c[j] * x[j] - s[j] * y[j], c[j] * y[j] + s[j] * x[j]
            c[j] = real if abs(real) > NEGLIGIBLE else 0.0
            s[j] = imaginary if abs(imaginary) > NEGLIGIBLE else 0.0


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
def _evaluate(rows, z, length, first, g, last, values, den):  # pragma: no cover - compiled
    """A and den at the queries z; with an empty `first` the terms i_l are part of `rows`."""
    n, most = z.shape[0], rows.shape[1] - 1
    x, y, h, r = np.empty(QUERIES), np.empty(QUERIES), np.empty(QUERIES), np.empty(QUERIES)
    rho, term, total = np.zeros((most + 2) * QUERIES), np.empty(QUERIES), np.empty(4 * QUERIES)
    for start in range(0, n, QUERIES):
        for k in range(QUERIES):
            j = min(start + k, n - 1)
            r[k] = length[j]
            inverse = 1.0 / r[k] if r[k] > 0.0 else 1.0
            x[k], y[k], h[k] = z[j, 0] * inverse, z[j, 1] * inverse, z[j, 2] * inverse
        if len(first) > 0:
            for k in range(QUERIES):
                term[k] = first[min(start + k, n - 1)]
            _ratios(r, rho, term, most, last)
            add_terms(total, x, y, h, term, rho, g, rows, most)  # pyright: ignore[reportCallIssue]
        else:
            add_terms(total, x, y, h, None, None, g, rows, most)  # pyright: ignore[reportCallIssue]
        for k in range(min(QUERIES, n - start)):
            den[start + k] = total[k]
            inverse = 1.0 / total[k] if total[k] > 0.0 else 1.0
            for i in range(3):
                values[start + k, i] = total[(i + 1) * QUERIES + k] * inverse


def moments(points: np.ndarray, weights: np.ndarray, top: int) -> np.ndarray:
    """sum_j w_j Y_lm(y_j), complex, shape (top + 1, top + 1)."""
    points, weights = np.ascontiguousarray(points, dtype=np.float64), np.ascontiguousarray(weights, dtype=np.float64)
    g, kappa = np.ascontiguousarray(tables(top + 1).g.T), tables(top).kappa

    def part(start: int) -> np.ndarray:
        out = np.zeros((2, top + 1, top + 1))
        _moments(points[start : start + TASK], weights[start : start + TASK], g, out)
        return out

    # Added in one order, whichever thread was first: the same input gives the same bits.
    total = sum(compiled.each(part, range(0, len(points), TASK)), np.zeros((2, top + 1, top + 1)))
    return (total[0] + 1j * total[1]).T * kappa


def evaluate(
    rows: np.ndarray, z: np.ndarray, r: np.ndarray, most: int, largest: float
) -> tuple[np.ndarray, np.ndarray]:
    """A (m, 3) and den (m,) at every z (m, 3) of length r <= largest; rows (m, 8, l): `harmonic.coefficients`."""
    z, r = np.ascontiguousarray(z, dtype=np.float64), np.ascontiguousarray(r, dtype=np.float64)
    g = np.ascontiguousarray(tables(most + 1).g.T)
    last = max(most, int(largest)) + RUN_UP
    if largest - float(r.min()) <= ROUNDING * largest:
        # B turns and scales only, as beta times the identity does: one set of terms for all queries.
        rho, first = np.empty((most + 2) * QUERIES), np.empty(0)
        begin = zeroth(np.full(QUERIES, largest), 3)
        _ratios(np.full(QUERIES, largest), rho, begin, most, last)
        rho[:QUERIES] = begin
        rows = rows * np.cumprod(rho[: (most + 1) * QUERIES : QUERIES])
    else:
        first = zeroth(r, 3)
    rows = np.ascontiguousarray(np.swapaxes(rows, 1, 2))
    values, den = np.empty((len(z), 3)), np.empty(len(z))

    def part(start: int) -> None:
        task = slice(start, start + TASK)
        _evaluate(rows, z[task], r[task], first[task], g, last, values[task], den[task])

    compiled.each(part, range(0, len(z), TASK))
    return values, den


def compile_now() -> None:
    """Call every kernel once on a few points, of one length and of several."""
    points = np.eye(3)
    moments(points, np.ones(3), 3)
    evaluate(np.zeros((3, SUMS, 3)), points, np.ones(3), 2, 1.0)
    evaluate(np.zeros((3, SUMS, 3)), points, np.array([0.5, 1.0, 1.0]), 2, 1.0)
