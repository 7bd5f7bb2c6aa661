"""The two loops over points of `harmonic`, compiled by Numba: moments, and evaluation at the queries.

Points are taken LANES at a time in a structure of arrays, so that every inner loop is a vector loop of known length. The
degrees l go in twos and fours through it: the polynomials then stay in registers between steps.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from mtm_viz.dynamics.attention import compiled
from mtm_viz.dynamics.attention.bessel import NEGLIGIBLE as SMALLEST_TERM
from mtm_viz.dynamics.attention.bessel import RUN_UP
from mtm_viz.dynamics.attention.harmonic import NEGLIGIBLE, tables

LANES = 128
#: Distance of rows in the work array: not a power of two, or loads would wait for stores that share their low address bits.
ROW = LANES + 16
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
def _first_terms(s, d, e):  # pragma: no cover - compiled
    """Set the eight sums to the terms l = m and l = m + 1, from Q_m and Q_{m+1}."""
    d0, d1, d2, d3, d4, d5, d6, d7 = d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]
    e0, e1, e2, e3, e4, e5, e6, e7 = e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7]
    for k in range(LANES):
        u, v = s[8 * ROW + k], s[9 * ROW + k]
        s[k] = u * d0 + v * e0
        s[ROW + k] = u * d1 + v * e1
        s[2 * ROW + k] = u * d2 + v * e2
        s[3 * ROW + k] = u * d3 + v * e3
        s[4 * ROW + k] = u * d4 + v * e4
        s[5 * ROW + k] = u * d5 + v * e5
        s[6 * ROW + k] = u * d6 + v * e6
        s[7 * ROW + k] = u * d7 + v * e7


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_FAST)
def _two_terms(s, rho, g0, g1, d, e):  # pragma: no cover - compiled
    """Two steps of Q_l = i_l q_l, each added into the eight sums.

    s holds rows of LANES numbers: eight sums, Q_{l-2}, Q_{l-1}, z. They share one array at fixed distances, or the
    compiler could not see that they do not overlap, and would not vectorise. rho: the ratios
    l-1, l, l+1, a slice that starts at zero, or indices that might be negative would be gathered one by one.
    """
    d0, d1, d2, d3, d4, d5, d6, d7 = d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]
    e0, e1, e2, e3, e4, e5, e6, e7 = e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7]
    for k in range(LANES):
        q2, q1, z = s[8 * ROW + k], s[9 * ROW + k], s[10 * ROW + k]
        r0, r1, r2 = rho[k], rho[LANES + k], rho[2 * LANES + k]
        u = r1 * (z * q1 - g0 * r0 * q2)
        v = r2 * (z * u - g1 * r1 * q1)
        s[8 * ROW + k] = u
        s[9 * ROW + k] = v
        s[k] += u * d0 + v * e0
        s[ROW + k] += u * d1 + v * e1
        s[2 * ROW + k] += u * d2 + v * e2
        s[3 * ROW + k] += u * d3 + v * e3
        s[4 * ROW + k] += u * d4 + v * e4
        s[5 * ROW + k] += u * d5 + v * e5
        s[6 * ROW + k] += u * d6 + v * e6
        s[7 * ROW + k] += u * d7 + v * e7


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_FAST)
def _ratios(r, rho, first, most, last):  # pragma: no cover - compiled
    """rho[l LANES + k] = i_l / i_{l-1} for 1 <= l <= most, zero once i_l is negligible; first = i_0 e^{-r}."""
    down = np.zeros(LANES)
    for l in range(last, 0, -1):
        for k in range(LANES):
            down[k] = r[k] / (2.0 * l + 1.0 + r[k] * down[k])
        if l <= most:
            rho[l * LANES : (l + 1) * LANES] = down
    for k in range(LANES):
        small = r[k] if r[k] > 1e-290 else 1.0
        first[k] = -np.expm1(-2.0 * small) / (2.0 * small) if r[k] > 1e-290 else 1.0
        down[k] = first[k]
    for l in range(1, most + 1):
        row = rho[l * LANES :]
        for k in range(LANES):
            size = down[k] * row[k]
            row[k] = row[k] if size > SMALLEST_TERM else 0.0
            down[k] = size if size > SMALLEST_TERM else 0.0


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_FAST)
def _evaluate(rows, z, length, g, last, out):  # pragma: no cover - compiled
    n, most = z.shape[0], rows.shape[0] - 1
    x, y, r = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    c, s, term = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    rho, work, total, none = np.zeros((most + 2) * LANES), np.empty(11 * ROW), np.empty(4 * LANES), np.zeros(8)
    for start in range(0, n, LANES):
        for k in range(LANES):
            j = min(start + k, n - 1)
            r[k] = length[j]
            inverse = 1.0 / r[k] if r[k] > 0.0 else 1.0
            x[k], y[k], work[10 * ROW + k] = z[j, 0] * inverse, z[j, 1] * inverse, z[j, 2] * inverse
            c[k], s[k] = 1.0, 0.0
        _ratios(r, rho, term, most, last)
        total[:] = 0.0
        for m in range(most + 1):
            work[8 * ROW : 8 * ROW + LANES] = term
            down = rho[(m + 1) * LANES :]
            for k in range(LANES):
                term[k] *= down[k]
                work[9 * ROW + k] = term[k] * work[10 * ROW + k]
            _first_terms(work, rows[m, m], none if m == most else rows[m, m + 1])
            for l in range(m + 2, most + 1, 2):
                ends = l == most
                after = none if ends else rows[m, l + 1]
                _two_terms(work, rho[(l - 1) * LANES :], g[l, m], 0.0 if ends else g[l + 1, m], rows[m, l], after)
            for i in range(4):
                for k in range(LANES):
                    total[i * LANES + k] += c[k] * work[i * ROW + k] + s[k] * work[(4 + i) * ROW + k]
            for k in range(LANES):
                real, imaginary = c[k] * x[k] - s[k] * y[k], c[k] * y[k] + s[k] * x[k]
                c[k] = real if abs(real) > NEGLIGIBLE else 0.0
                s[k] = imaginary if abs(imaginary) > NEGLIGIBLE else 0.0
        for i in range(4):
            for k in range(min(LANES, n - start)):
                out[i, start + k] = total[i * LANES + k]


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
    g = tables(most + 1).g
    last = max(most, int(r.max())) + RUN_UP
    out = np.empty((4, len(z)))

    def part(start: int) -> None:
        end = min(len(z), start + TASK)
        _evaluate(rows, z[start:end], r[start:end], g, last, out[:, start:end])

    compiled.each(part, range(0, len(z), TASK))
    return out


def compile_now() -> None:
    """Call every kernel once on a few points."""
    points = np.eye(3)
    moments(points, np.ones(3), 3)
    evaluate(np.zeros((3, 8, 3)), points, np.ones(3), 2)
