"""Attention on S^2 in O(n L^2): spherical harmonics as polynomials, without angles or poles.

    e^{<z,y>} = sum_l i_l(r) sum_{m>=0} (2 - delta_m0) Re[conj Y_lm(z/r) Y_lm(y)],   r = |z|
    Y_lm = kappa_lm q_lm(z) (x + iy)^m,   q_mm = 1,   q_lm = z q_{l-1,m} - g_lm q_{l-2,m}

Only the moments M_lm = sum_j w_j Y_lm(y_j) up to degree L + 1 touch the points; the sums of y e^{<z,y>} follow from
them by the ladder relations. Everything here is array code for NumPy and CuPy; `harmonic_compiled` does the two loops
over points faster on a CPU. Source: DLMF 10.60, 14.30; the ladder is the recurrence in l of the associated Legendre functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from array_api_compat import device, is_numpy_namespace

from mtm_viz.backend import beside, namespace
from mtm_viz.dynamics.attention import compiled
from mtm_viz.dynamics.attention.bessel import degree, terms

#: Entries of the block of polynomials held at once.
BLOCK = 1_000_000
#: Powers of sin(angle) smaller than this are zero; no harmonic of a usable degree brings them back.
NEGLIGIBLE = 1e-150
#: Array code looks for such powers only every so many orders: in between they do not become slow denormal numbers.
FLUSH = 8


@dataclass(frozen=True, eq=False)
class Tables:
    """Constants of the harmonics up to degree L + 1, arrays over (l, m), zero where m > l."""

    g: np.ndarray
    kappa: np.ndarray
    up: np.ndarray
    along: np.ndarray
    plus: tuple[np.ndarray, np.ndarray]
    minus: tuple[np.ndarray, np.ndarray]


@lru_cache(maxsize=256)
def tables(top: int) -> Tables:
    """For 0 <= l, m <= top."""
    l, m = np.meshgrid(np.arange(top + 1.0), np.arange(top + 1.0), indexing="ij")
    inside = m <= l
    with np.errstate(divide="ignore", invalid="ignore"):
        g = np.where((m < l) & (l > 1), ((l - 1) ** 2 - m * m) / (4 * (l - 1) ** 2 - 1), 0.0)
        step = np.where(m < l, np.sqrt((4 * l * l - 1) / (l * l - m * m)), 1.0)
        diagonal = np.cumprod(np.sqrt(np.r_[1.0, (2 * l[1:, 0] + 1) / (2 * l[1:, 0])]))
        kappa = np.where(inside, diagonal[None, :] * np.cumprod(np.where(inside, step, 1.0), axis=0), 0.0)
        along = np.where(m < l, np.sqrt((l * l - m * m) / (4 * l * l - 1)), 0.0)  # a_lm, z Y_lm to degree l - 1
        up = np.where(inside, np.sqrt(((l + 1) ** 2 - m * m) / (4 * (l + 1) ** 2 - 1)), 0.0)  # a_{l+1,m}
        wide, narrow = (2 * l + 1) * (2 * l + 3), (2 * l - 1) * (2 * l + 1)
        plus = (
            np.where(inside, np.sqrt((l + m + 1) * (l + m + 2) / wide), 0.0),
            np.where(m + 2 <= l, -np.sqrt(np.maximum((l - m) * (l - m - 1), 0.0) / narrow), 0.0),
        )
        minus = (
            np.where(inside & (m > 0), -np.sqrt(np.maximum((l - m + 1) * (l - m + 2), 0.0) / wide), 0.0),
            np.where(inside & (m > 0), np.sqrt((l + m) * (l + m - 1) / np.abs(narrow)), 0.0),
        )
    return Tables(g, kappa, up, along, plus, minus)


@lru_cache(maxsize=256)
def _ladder(most: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """up, along, plus, minus of `tables` for l, m <= most, and what makes a moment a coefficient of q_lm."""
    t, inside = tables(most + 1), np.s_[: most + 1, : most + 1]
    plus, minus = (np.stack([one[inside] for one in pair]) for pair in (t.plus, t.minus))
    scale = t.kappa[inside] * np.where(np.arange(most + 1) > 0, 2.0, 1.0)
    return t.up[inside].copy(), t.along[inside].copy(), plus, minus, scale


def series(points: Any, weights: Any, z: Any, r: Any, largest: float, tolerance: float) -> tuple[Any, Any, int]:
    """(A (m, 3), den (m,), L): attention at logit vectors z (m, 3), and the sum den = sum_j w_j e^{<z,y_j> - |z|}.

    points (n, 3) are unit rows; r (m,) = |z| <= largest. The truncation error of den is at most `tolerance` sum_j w_j,
    that of round-off about 8 eps sum_j w_j; relative to den either may be large: the caller looks.
    """
    most = degree(largest, tolerance, 3)
    fast = compiled.harmonic() if is_numpy_namespace(namespace(points, weights, z)) else None
    moments = fast.moments if fast else _moments
    evaluate = fast.evaluate if fast else _evaluate
    values, den = evaluate(coefficients(moments(points, weights, most + 1), most), z, r, most, largest)
    return values, den, most


def coefficients(moments: Any, most: int) -> Any:
    """(m, 8, l): the expansions of den and of the three numerators, real parts first, by the ladder relations.

    moments (L + 2, L + 2): M_lm, complex.
    """
    xp = namespace(moments)
    n = most + 1
    up, along, plus, minus, scale = (beside(values, moments) for values in _ladder(most))
    wide = xp.zeros((n + 2, n + 2), dtype=moments.dtype, device=device(moments))
    wide[1:, 1:] = moments  # row l + 1 and column m + 1 hold M_lm
    above, below = wide[2:, :], wide[:n, :]
    vertical = up * above[:, 1:-1] + along * below[:, 1:-1]
    # (x + iy) Y_lm and (x - iy) Y_lm; at m = 0 the second is the conjugate of the first.
    p = plus[0, ...] * above[:, 2:] + plus[1, ...] * below[:, 2:]
    q = minus[0, ...] * above[:, :-2] + minus[1, ...] * below[:, :-2]
    q[:, 0] = xp.conj(p[:, 0])
    fields = xp.stack([wide[1:-1, 1:-1], 0.5 * (p + q), -0.5j * (p - q), vertical]) * scale
    return xp.permute_dims(xp.concat([xp.real(fields), xp.imag(fields)], axis=0), (2, 0, 1))


def _polynomials(z: Any, top: int) -> Any:
    """q_lm(z) for m <= l <= top, shape (l, m, n); what stands where m > l means nothing."""
    xp = namespace(z)
    g = beside(tables(top).g, z)
    q = xp.empty((top + 1, top + 1, z.shape[0]), dtype=z.dtype, device=device(z))
    for l in range(top + 1):
        if l > 0:
            q[l, :l, :] = z * q[l - 1, :l, :]
        if l > 1:
            q[l, : l - 1, :] -= g[l, : l - 1, None] * q[l - 2, : l - 1, :]
        q[l, l, :] = 1.0
    return q


def _powers(x: Any, y: Any, top: int) -> tuple[Any, Any]:
    """Real and imaginary part of (x + iy)^m, m <= top, shape (top + 1, n)."""
    xp = namespace(x, y)
    zero = xp.zeros_like(x)
    c, s = [xp.ones_like(x)], [zero]
    for m in range(1, top + 1):
        real, imaginary = c[-1] * x - s[-1] * y, c[-1] * y + s[-1] * x
        if m % FLUSH == 0:
            real = xp.where(xp.abs(real) > NEGLIGIBLE, real, zero)
            imaginary = xp.where(xp.abs(imaginary) > NEGLIGIBLE, imaginary, zero)
        c.append(real)
        s.append(imaginary)
    return xp.stack(c), xp.stack(s)


def _blocks(n: int, top: int) -> list[slice]:
    rows = max(64, BLOCK // (top + 1) ** 2)
    return [slice(start, min(n, start + rows)) for start in range(0, n, rows)]


def _moments(points: Any, weights: Any, top: int) -> Any:
    """sum_j w_j Y_lm(y_j), complex, shape (top + 1, top + 1)."""
    xp = namespace(points, weights)
    total = xp.zeros((top + 1, top + 1, 2), dtype=points.dtype, device=device(points))
    for block in _blocks(points.shape[0], top):
        y = points[block, :]
        c, s = _powers(y[:, 0], y[:, 1], top)
        both = xp.stack([c * weights[block], s * weights[block]], axis=2)
        q = _polynomials(y[:, 2], top)
        for m in range(top + 1):
            total[m, m:, :] += q[m:, m, :] @ both[m, ...]
    kind = xp.complex64 if points.dtype == xp.float32 else xp.complex128
    total = xp.astype(total[:, :, 0], kind) + 1j * xp.astype(total[:, :, 1], kind)
    return xp.permute_dims(total, (1, 0)) * beside(tables(top).kappa, total)


def _evaluate(rows: Any, z: Any, r: Any, most: int, largest: float) -> tuple[Any, Any]:
    """A (m, 3) and den (m,) at every z (m, 3) of length r <= largest."""
    xp = namespace(rows, z, r)
    found = []
    for block in _blocks(z.shape[0], most):
        length = r[block]
        u = z[block, :] / xp.where(length > 0, length, xp.ones_like(length))[:, None]
        c, s = _powers(u[:, 0], u[:, 1], most)
        q, sizes = _polynomials(u[:, 2], most), terms(length, most, 3, largest)
        total = xp.zeros((4, u.shape[0]), dtype=u.dtype, device=device(u))
        for m in range(most + 1):
            both = rows[m, :, m:] @ (q[m:, m, :] * sizes[m:, :])
            total += both[:4, :] * c[m, :] + both[4:, :] * s[m, :]
        found.append(total)
    sums = xp.concat(found, axis=1)
    den = sums[0, :]
    numerators = sums[1:, :] / xp.where(den > 0, den, xp.ones_like(den))
    return xp.stack([numerators[k, :] for k in range(3)], axis=1), den
