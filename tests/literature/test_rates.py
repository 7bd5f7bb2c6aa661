"""How fast: clustering in a hemisphere, and what the place of the normalisation does."""

from __future__ import annotations

import numpy as np
import pytest

from mtm_viz import simulate
from tests.literature.scenes import equiangular, scenario


def test_a_hemisphere_shrinks_to_a_point_at_rate_one():
    """arXiv 2411.04551, Proposition 2.1: B = 5 I, V = I, d = 4; time to eps against log(1/eps) has slope 1."""
    cap = {"generator": "cap", "params": {"center": [0, 0, 0, 1], "radius_deg": 80}, "n": 40}
    found = simulate(scenario(dimension=4, initial=cap, dynamics={"beta": 5}, horizon=16.0, frames=33))
    spread = np.array([np.linalg.norm(x - x.mean(axis=0), axis=1).max() for x in found.trajectories[0]])
    window = (spread < 1e-2) & (spread > 1e-5)
    slope = np.polyfit(np.log(1 / spread[window]), found.times[window], 1)[0]
    assert slope == pytest.approx(1.0, abs=0.02)


def test_normalisation_decides_the_rate():
    """arXiv 2510.22026: 1 - rho falls like e^{-2t} for Post-LN and like t^{-2} for Pre-LN."""
    found = simulate(equiangular(4, dynamics={"beta": 1, "placement": "post-ln"}, horizon=6.0, frames=61))
    x, late = found.trajectories[0][40:], found.times[40:]
    gap = 1 - np.einsum("fi,fi->f", x[:, 0], x[:, 1])
    assert np.polyfit(late, np.log(gap), 1)[0] == pytest.approx(-2.0, rel=0.02)
    free = simulate(equiangular(4, dynamics={"beta": 1, "placement": "pre-ln"}, horizon=1000.0, frames=201))
    x, late = free.trajectories[0][100:], free.times[100:]
    gap = 1 - np.einsum("fi,fi->f", x[:, 0], x[:, 1])
    assert np.polyfit(np.log(late), np.log(gap), 1)[0] == pytest.approx(-2.0, rel=0.02)
    assert len(free.radii) == 1 and (np.diff(free.radii[0][:, 0]) > 0).all()
