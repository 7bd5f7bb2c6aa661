"""Noise: where it wins over attention, and what is left of order where it does not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import iv

from mtm_viz import simulate
from mtm_viz.diagnostics.predictions import critical_kappa, jump_beta, mean_kernel, settled_order
from tests.literature.scenes import scenario


def settled(kappa: float) -> float:
    """|mean| late in a simulation of beta = 0, d = 2 with dX = (drift) dt + sqrt(2 / kappa) dW."""
    start = {"generator": "cap", "params": {"center": [0, 1], "radius_deg": 40}, "n": 1500}
    dynamics = {"model": "usa", "beta": 0, "noise": (2 / kappa) ** 0.5}
    found = simulate(scenario(dimension=2, initial=start, dynamics=dynamics, horizon=16.0, frames=65))
    _, order = found.observed("order")[0]
    return float(order[len(order) // 3 :].mean())


def test_noise_leaves_the_order_of_the_literature():
    """arXiv 2606.05140: kappa = 3 gives r = I_1(kappa r) / I_0(kappa r) = 0.7242."""
    assert settled_order(3.0, 2) == pytest.approx(0.7242, abs=5e-5)
    r = settled_order(3.0, 2)
    assert r == pytest.approx(iv(1, 3 * r) / iv(0, 3 * r), abs=1e-12)
    assert settled(3.0) == pytest.approx(r, abs=0.02)


def test_beyond_the_threshold_no_order_is_left():
    """arXiv 2606.05140: kappa_c = 2 at beta = 0, d = 2. Below, r is what 1500 particles have by chance."""
    assert critical_kappa(0.0, 2, normalised=False) == pytest.approx(2.0)
    assert settled(1.0) < 0.1 and settled_order(1.999, 2) == 0.0
    assert 0 < settled_order(2.001, 2) < 0.05


@pytest.mark.parametrize(("dimension", "beta"), [(2, 2.44692), (3, 1.81615), (4, 1.57526)])
def test_order_jumps_beyond_the_beta_of_the_literature(dimension, beta):
    """arXiv 2606.05140: I_{d/2+1}(beta*) / I_{d/2}(beta*) = 1/d."""
    found = jump_beta(dimension)
    assert found == pytest.approx(beta, abs=5e-6)
    assert iv(dimension / 2 + 1, found) / iv(dimension / 2, found) == pytest.approx(1 / dimension, rel=1e-12)


def ordered_just_below_threshold(beta: float, share: float) -> float:
    """|mean| of the steady state of USA with noise on the circle at kappa = share kappa_c, started ordered.

    The steady state is e^{kappa (K * mu)} / Z with K = e^{beta cos} / beta: iterated to its fixed point on a grid.
    """
    m = 512
    angles = 2 * np.pi * np.arange(m) / m
    kernel = np.fft.rfft(np.exp(beta * np.cos(angles)) / beta)
    kappa = share * critical_kappa(beta, 2, normalised=False)
    density = np.exp(2.0 * np.cos(angles))
    for _ in range(4000):
        density /= density.sum()
        density = np.exp(kappa * np.fft.irfft(kernel * np.fft.rfft(density), m))
        density /= density.max()
    return abs((density * np.exp(1j * angles)).sum() / density.sum())


def test_the_transition_is_continuous_below_that_beta_and_a_jump_above():
    """arXiv 2606.05140: just below kappa_c an ordered state survives above beta* = 2.44692, and none below."""
    assert ordered_just_below_threshold(3.5, 0.99) > 0.3
    assert ordered_just_below_threshold(1.8, 0.99) < 1e-6


def test_the_kernel_of_the_threshold_is_a_mean_over_the_sphere():
    z = np.linspace(-1, 1, 4001)
    for d in (3, 4, 6):
        density = (1 - z * z) ** ((d - 3) / 2)
        mean = np.trapezoid(np.exp(5 * (z - 1)) * density, z) / np.trapezoid(density, z)
        assert mean_kernel(5.0, d) == pytest.approx(mean, rel=1e-4)
