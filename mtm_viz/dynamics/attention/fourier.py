"""Attention on S^1 in O(n K): the Fourier series of e^{<z,y>}, without angles.

    e^{<z,y>} = sum_k I_k(r) Re[conj (u_1 + i u_2)^k (y_1 + i y_2)^k],   r = |z|, u = z / r, k over all whole numbers.

With the moments c_k = sum_j w_j (y_1 + i y_2)^k, c_{-k} = conj c_k, and p = u_1 + i u_2:
    sum_j w_j e^{<z,y_j>} = c_0 I_0 + 2 sum_k I_k Re[conj p^k c_k],
    sum_j w_j e^{<z,y_j>} (y_1 + i y_2) = I_0 c_1 + sum_k I_k (conj p^k c_{k+1} + p^k conj c_{k-1}).
Source: DLMF 10.35.2. Array code for NumPy and CuPy: there are few enough terms that no compiled loop is needed.
"""

from __future__ import annotations

from typing import Any

from mtm_viz.backend import namespace
from mtm_viz.dynamics.attention.bessel import degree, terms

#: Entries of the block of powers held at once.
BLOCK = 500_000


def series(points: Any, weights: Any, z: Any, r: Any, largest: float, tolerance: float) -> tuple[Any, Any, int]:
    """(A (m, 2), den (m,), K): attention at logit vectors z (m, 2), and den = sum_j w_j e^{<z,y_j> - |z|}.

    points (n, 2) are unit rows; r, largest and errors as in `harmonic.series`.
    """
    xp = namespace(points, weights, z)
    most = degree(largest, tolerance, 2)
    a, b = _moments(points, weights, most + 1)
    den, first, second = [], [], []
    for block in _blocks(z.shape[0], most):
        length = r[block]
        u = z[block, :] / xp.where(length > 0, length, xp.ones_like(length))[:, None]
        sizes = terms(length, most, 2, largest)
        c, s = _powers(u, most)
        c, s = c * sizes, s * sizes
        den.append(c[0, :] * a[0] + 2.0 * (a[1:-1] @ c[1:, :] + b[1:-1] @ s[1:, :]))
        # conj p^k c_{k+1} + p^k conj c_{k-1}, its real and its imaginary part
        first.append(c[0, :] * a[1] + (a[2:] + a[:-2]) @ c[1:, :] + (b[2:] + b[:-2]) @ s[1:, :])
        second.append(c[0, :] * b[1] + (b[2:] - b[:-2]) @ c[1:, :] + (a[:-2] - a[2:]) @ s[1:, :])
    total = xp.concat(den)
    numerator = xp.stack([xp.concat(first), xp.concat(second)], axis=1)
    return numerator / xp.where(total > 0, total, xp.ones_like(total))[:, None], total, most


def _blocks(n: int, most: int) -> list[slice]:
    rows = max(64, BLOCK // (most + 1))
    return [slice(start, min(n, start + rows)) for start in range(0, n, rows)]


def _powers(u: Any, most: int) -> tuple[Any, Any]:
    """Real and imaginary part of (u_1 + i u_2)^k, k <= most, shape (most + 1, n)."""
    xp = namespace(u)
    x, y = u[:, 0], u[:, 1]
    c, s = [xp.ones_like(x)], [xp.zeros_like(x)]
    for _ in range(most):
        real, imaginary = c[-1] * x - s[-1] * y, c[-1] * y + s[-1] * x
        c.append(real)
        s.append(imaginary)
    return xp.stack(c), xp.stack(s)


def _moments(points: Any, weights: Any, most: int) -> tuple[Any, Any]:
    """Real and imaginary part of c_0 .. c_most."""
    a = b = 0.0
    for block in _blocks(points.shape[0], most):
        c, s = _powers(points[block, :], most)
        a = a + c @ weights[block]
        b = b + s @ weights[block]
    return a, b
