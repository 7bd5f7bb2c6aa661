"""What theory says before anything is simulated: growth of clusters out of the uniform measure, and where noise wins.

All of it is ratios of modified Bessel functions, in any dimension d >= 2.
"""

from __future__ import annotations

from math import gamma

import numpy as np
from scipy.optimize import root_scalar
from scipy.special import ive

from mtm_viz.dynamics.attention.bessel import ratios

#: Below this beta the limit beta -> 0 is the value to round-off.
SMALL = 1e-7


def growth_rates(beta: float, dimension: int, most: int) -> np.ndarray:
    """l (l+d-2) I_{l+d/2-1}(beta) / (beta I_{d/2-1}(beta)) for l = 1..most, shape (most,).

    The rate at which a small perturbation of degree l of the uniform measure grows under SA with V = I, B = beta I,
    beta >= 0. Source: arXiv 2410.23228.

    >>> growth_rates(0.0, 3, 2).round(6).tolist()
    [0.666667, 0.0]
    """
    beta, degrees = max(beta, SMALL), np.arange(1, most + 1)
    # The product of I_{k+d/2-1} / I_{k+d/2-2} over k <= l.
    bessel = np.cumprod(ratios(np.array([beta]), most, dimension)[:, 0])
    return degrees * (degrees + dimension - 2) * bessel / beta


def fastest_degree(beta: float, dimension: int) -> int:
    """The degree whose perturbations grow fastest: about as many clusters appear first on the circle.

    >>> [fastest_degree(beta, 2) for beta in (1, 2, 4, 9, 16, 25, 50, 100)]
    [1, 2, 3, 4, 6, 7, 10, 14]
    """
    # Rates fall beyond l of about sqrt(2 beta).
    return 1 + int(np.argmax(growth_rates(beta, dimension, 10 + int(2 * np.sqrt(2 * beta)))))


def jump_beta(dimension: int) -> float:
    """beta* with I_{d/2+1}(beta*) / I_{d/2}(beta*) = 1 / d: USA with noise orders continuously below, with a jump above.

    Source: arXiv 2606.05140.

    >>> round(jump_beta(2), 5)
    2.44692
    """

    def excess(beta: float) -> float:
        return float(ratios(np.array([beta]), 2, dimension)[1, 0]) - 1.0 / dimension

    return float(root_scalar(excess, bracket=(1e-3, 10.0 * dimension), xtol=1e-14).root)


def critical_kappa(beta: float, dimension: int, normalised: bool) -> float:
    """The least kappa = 2 / noise^2 at which the uniform measure is unstable; `normalised`: SA, otherwise USA.

    Degree 1 grows at rate (d-1) c_1 without noise, with c_1 = I_{d/2} / (beta I_{d/2-1}) for SA, and for USA this times the mean of
    e^{beta <x, y>}; noise damps it at (d-1) / kappa. Higher degrees need more. Source: arXiv 2606.05140.

    >>> round(critical_kappa(0.0, 2, normalised=False), 6)
    2.0
    """
    beta = max(beta, SMALL)
    pull = float(ratios(np.array([beta]), 1, dimension)[0, 0]) / beta
    return 1.0 / (pull if normalised else pull * mean_kernel(beta, dimension) * float(np.exp(beta)))


def mean_kernel(beta: float, dimension: int) -> float:
    """The mean of e^{beta (<x, y> - 1)} over the sphere: Gamma(d/2) (2/beta)^{d/2-1} I_{d/2-1}(beta) e^{-beta}.

    >>> bool(np.isclose(mean_kernel(2.0, 3) * np.exp(2.0), np.sinh(2.0) / 2.0))
    True
    """
    order = dimension / 2 - 1
    return gamma(dimension / 2) * (2.0 / beta) ** order * float(ive(order, beta))


def settled_order(kappa: float, dimension: int) -> float:
    """r > 0 with r = I_{d/2}(kappa r) / I_{d/2-1}(kappa r), or 0 where kappa <= d: |mean| at beta = 0 under noise.

    Source: arXiv 2606.05140; in dimension 2 the Kuramoto model with equal frequencies.

    >>> round(settled_order(3.0, 2), 4), settled_order(1.9, 2)
    (0.7242, 0.0)
    """
    if kappa <= dimension:
        return 0.0

    def excess(r: float) -> float:
        return float(ratios(np.array([kappa * r]), 1, dimension)[0, 0]) - r

    # Below the root that is sought, which near the threshold is about sqrt((d + 2) (kappa / d - 1) / d), and above r = 0.
    low = 1e-3 * np.sqrt(kappa / dimension - 1.0)
    return float(root_scalar(excess, bracket=(low, 1.0), xtol=1e-13).root)
