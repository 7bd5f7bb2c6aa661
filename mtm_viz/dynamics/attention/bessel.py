"""How many terms e^{<z,y>} needs on the sphere, and their sizes: modified Bessel functions by downward ratios.

On S^2:  e^{<z,y>} = sum_l (2l+1) i_l(r) P_l(cos),   rho_l = i_l / i_{l-1} = r / (2l + 1 + r rho_{l+1}).
On S^1:  e^{<z,y>} = I_0(r) + 2 sum_k I_k(r) cos k(.),  rho_k = I_k / I_{k-1} = r / (2k + r rho_{k+1}).
Downward the recurrence is stable and forgets its start within a dozen steps. Source: DLMF 10.51, 10.29.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from mtm_viz.backend import namespace

#: Steps below which a downward recurrence started from zero is exact to round-off.
RUN_UP = 12
#: Terms smaller than this are zero: products with them would only be slow denormal numbers.
NEGLIGIBLE = 1e-60


def ratios(r: Any, degree: int, dimension: int, largest: float | None = None) -> Any:
    """rho_1 .. rho_degree at every r (m,), shape (degree, m). largest: no r exceeds it, where that is known already."""
    xp = namespace(r)
    shift = dimension - 2
    # The start must lie above the turning point l = r, or the recurrence has not settled yet.
    last = max(degree, int(_largest(r, largest)) + 1) + RUN_UP
    rho, rows = xp.zeros_like(r), []
    for k in range(last, 0, -1):
        rho = r / (2.0 * k + shift + r * rho)
        if k <= degree:
            rows.append(rho)
    return xp.stack(rows[::-1]) if rows else xp.zeros((0, r.shape[0]), dtype=r.dtype)


def _largest(r: Any, known: float | None) -> float:
    """Finding it would wait for a device."""
    if known is not None:
        return known
    return float(namespace(r).max(r)) if r.shape[0] else 0.0


def terms(r: Any, degree: int, dimension: int, largest: float | None = None) -> Any:
    """i_l(r) e^{-r} (d = 3) or I_k(r) e^{-r} (d = 2) for l = 0..degree, shape (degree + 1, m); largest as in `ratios`."""
    xp = namespace(r)
    rows = [zeroth(r, dimension, largest)]
    rho = ratios(r, degree, dimension, largest)
    for k in range(degree):
        rows.append(rows[-1] * rho[k, ...])
    found = xp.stack(rows)
    return xp.where(found > NEGLIGIBLE, found, xp.zeros_like(found))


def zeroth(r: Any, dimension: int, largest: float | None = None) -> Any:
    """sinh(r) / r e^{-r} = (1 - e^{-2r}) / 2r in three dimensions; in two, what makes all terms sum to 1."""
    xp = namespace(r)
    if dimension == 3:
        small = xp.where(r > 1e-290, r, xp.ones_like(r))
        return xp.where(r > 1e-290, -xp.expm1(-2.0 * small) / (2.0 * small), xp.ones_like(r))
    rho = ratios(r, _enough(_largest(r, largest)), 2, largest)
    total, term = xp.ones_like(r), xp.ones_like(r)
    for k in range(rho.shape[0]):
        term = term * rho[k, ...]
        total = total + 2.0 * term
    return 1.0 / total


def _enough(r: float) -> int:
    """A degree beyond which terms at r are below round-off: they fall like e^{-l^2 / 2r}, then faster."""
    return int(np.ceil(np.sqrt(2.0 * 45.0 * r) + 0.25 * np.sqrt(r) + 30.0))


@lru_cache(maxsize=4096)
def _degree(r: float, tolerance: float, dimension: int) -> int:
    most = _enough(r)
    sizes = terms(np.array([r]), most, dimension)[:, 0]
    many = 2.0 * np.arange(most + 1) + 1.0 if dimension == 3 else np.where(np.arange(most + 1) > 0, 2.0, 1.0)
    tail = np.cumsum((many * sizes)[::-1])[::-1]
    return int(np.count_nonzero(tail[1:] > tolerance))


def degree(r: float, tolerance: float, dimension: int) -> int:
    """The least L with sum_{l>L} (2l+1) i_l(r) e^{-r} <= tolerance: what all |z| <= r can share."""
    # Rounded up to three digits, so that a step that barely moves the points finds its answer in the cache.
    return _degree(float(f"{max(r, 1e-30) * 1.0005:.3g}") if r > 0 else 0.0, tolerance, dimension)
