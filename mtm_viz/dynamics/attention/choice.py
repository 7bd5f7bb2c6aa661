"""Which method answers a query soonest, among those that can be as accurate as asked. A model of cost, fitted by measurement.

Nanoseconds for n sources and m queries, two cores, from benchmarks/attention.py (they scale together from one machine to
the next, so the choice hardly moves):

    compiled loops    series      n' (15 + 1.2 (L+1) + 0.1 (L+1)^2) + 190 (L+1)^2 + 110,000,   n' = (n + m)/2
                      dense       (0.42 + 0.07 d) n m           d <= 16
    array code        series      n' (120 + 50 (L+1) + 3.2 (L+1)^2) + 60,000 (L+1)
                      dense       (3.3 + 0.1 d) n m
"""

from __future__ import annotations

from dataclasses import dataclass

from mtm_viz.dynamics.attention.bessel import degree
from mtm_viz.dynamics.attention.rescue import ROUND_OFF

METHODS = ("dense", "tiled", "tiled32", "harmonic", "fourier", "kernel")
#: Beyond this dimension a BLAS product and exponentials are faster than fused tiles.
WIDEST_TILE = 16
#: A series of a higher degree is not tried: its tables alone would be slow.
HIGHEST_DEGREE = 400
#: Nor is its degree looked up for a |z| that would exceed it.
LARGEST = 2000.0


@dataclass(frozen=True)
class Setting:
    """What the choice depends on: n sources, m queries, dimension d, the largest |z|, the error asked for.

    unit: whether the sources lie on the sphere; compiled: whether Numba's kernels can serve; device: whether the
    arrays live on a CUDA device.
    """

    n: int
    m: int
    d: int
    largest: float
    rtol: float
    unit: bool = True
    compiled: bool = True
    device: bool = False


def tolerance(rtol: float) -> float:
    """Truncation of a series: so small that den may be 1e-4 of its bound before digits are missing."""
    return max(1e-15, min(1e-4 * rtol, 1e-6))


def cost(method: str, setting: Setting) -> float:
    """Expected nanoseconds; infinite where the method cannot serve, or not as accurately as asked."""
    n, m, d = setting.n, setting.m, setting.d
    if method == "dense":
        return (3.3 + 0.1 * d) * n * m + 2e4
    if method == "kernel":
        return (0.002 * d) * n * m + 3e4 if setting.device and d <= WIDEST_TILE else float("inf")
    if method == "tiled":
        return (0.42 + 0.07 * d) * n * m + 1e4 if setting.compiled and d <= WIDEST_TILE else float("inf")
    if method == "tiled32":
        # Products of float32 numbers up to |z| are off by a few units of their last place.
        reachable = 4.0 * 2.0**-23 * (1.0 + setting.largest) <= setting.rtol
        return 0.5 * cost("tiled", setting) if reachable else float("inf")
    if not setting.unit or d != {"harmonic": 3, "fourier": 2}[method] or setting.rtol <= 10 * ROUND_OFF:
        return float("inf")
    if setting.largest > LARGEST:
        return float("inf")
    terms = degree(setting.largest, tolerance(setting.rtol), d) + 1
    if terms > HIGHEST_DEGREE:
        return float("inf")
    half = 0.5 * (n + m)
    if method == "fourier":
        return 8.0 * half * terms + 6e3 * terms
    if setting.compiled:
        return half * (15.0 + 1.2 * terms + 0.1 * terms * terms) + 190.0 * terms * terms + 1.1e5
    return half * (120.0 + 50.0 * terms + 3.2 * terms * terms) + 6e4 * terms


def choose(setting: Setting) -> str:
    """The method with the least expected cost."""
    return min(METHODS, key=lambda method: cost(method, setting))
