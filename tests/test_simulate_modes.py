"""How the uniform measure on the circle breaks up into clusters: the growth of each Fourier mode, measured in simulations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ive

from mtm_viz import Scenario, simulate

N, SIZE = 256, 1e-5


def growth(beta: float, k: int) -> float:
    """The rate at which a small displacement in mode k of equally spaced particles grows, by simulation."""
    angles = 2 * np.pi * np.arange(N) / N
    angles = angles + SIZE * np.sin(k * angles)
    said = {
        "format": "mtm-scenario",
        "version": 1,
        "dimension": 2,
        "initial": {"points": np.c_[np.cos(angles), np.sin(angles)].tolist()},
        "dynamics": {"model": "sa", "beta": beta},
        "horizon": 0.5,
        "frames": 2,
    }
    found = simulate(Scenario.from_json(said), backend="numpy", rtol=1e-11).trajectories[0]
    first, last = (abs(np.mean((x[:, 0] + 1j * x[:, 1]) ** k)) for x in found)
    return float(np.log(last / first) / 0.5)


@pytest.mark.parametrize(("beta", "fastest"), [(1, 1), (2, 2), (4, 3), (9, 4), (16, 6), (25, 7)])
def test_modes_grow_at_the_rate_of_the_literature(beta, fastest):
    """arXiv 2410.23228: k^2 I_k(beta) / (beta I_0(beta)) on the circle, fastest at k = 1, 2, 3, 4, 6, 7."""
    modes = range(1, fastest + 3)
    rates = [growth(beta, k) for k in modes]
    np.testing.assert_allclose(rates, [k * k * ive(k, beta) / (beta * ive(0, beta)) for k in modes], rtol=1e-3)
    assert 1 + int(np.argmax(rates)) == fastest
