"""Metastable clusters, their energy, and where repulsion leaves particles."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.special import ive

from mtm_viz import Simulation, simulate
from mtm_viz.cli import main
from mtm_viz.diagnostics.observables import observable
from mtm_viz.diagnostics.observables.clusters import cluster_of
from mtm_viz.diagnostics.predictions import fastest_degree, growth_rates
from tests.literature.scenes import on_circle, scenario

N, SIZE = 256, 1e-5
#: Of beta = 1, 2, 4, 9, 16, 25, 50, 100 on the circle. Source: arXiv 2410.23228.
FASTEST = {1: 1, 2: 2, 4: 3, 9: 4, 16: 6, 25: 7, 50: 10, 100: 14}


def rippled(beta: float, k: int):
    """Equally spaced particles on the circle with a small displacement in mode k, let go for time 1/2."""
    angles = 2 * np.pi * np.arange(N) / N
    return on_circle(angles + SIZE * np.sin(k * angles), dynamics={"beta": beta}, horizon=0.5, frames=2)


def growth(found: Simulation, k: int) -> float:
    first, last = (abs(np.mean((x[:, 0] + 1j * x[:, 1]) ** k)) for x in found.trajectories[0])
    return float(np.log(last / first) / 0.5)


@pytest.mark.parametrize(("beta", "fastest"), FASTEST.items())
def test_modes_grow_at_the_rate_of_the_literature(beta, fastest):
    """arXiv 2410.23228: k^2 I_k(beta) / (beta I_0(beta)) on the circle."""
    modes = sorted({1, *range(max(1, fastest - 2), fastest + 3)})
    rates = [growth(simulate(rippled(beta, k), backend="numpy", rtol=1e-11), k) for k in modes]
    np.testing.assert_allclose(rates, [k * k * ive(k, beta) / (beta * ive(0, beta)) for k in modes], rtol=2e-3)
    np.testing.assert_allclose(rates, growth_rates(beta, 2, modes[-1])[np.array(modes) - 1], rtol=2e-3)
    assert modes[int(np.argmax(rates))] == fastest == fastest_degree(beta, 2)


def test_rates_are_those_of_the_literature_in_every_dimension():
    """arXiv 2410.23228: l (l+d-2) I_{l+d/2-1}(beta) / (beta I_{d/2-1}(beta))."""
    degrees = np.arange(1, 9)
    for d in (2, 3, 4, 7):
        for beta in (0.5, 4.0, 60.0):
            said = degrees * (degrees + d - 2) * ive(degrees + d / 2 - 1, beta) / (beta * ive(d / 2 - 1, beta))
            np.testing.assert_allclose(growth_rates(beta, d, 8), said, rtol=1e-12)


def test_the_command_line_gives_the_same_growth(tmp_path):
    """arXiv 2410.23228 again, through `simulate` and its file: beta = 9, mode 4."""
    (tmp_path / "scenario.json").write_text(json.dumps(rippled(9, 4).to_json()))
    out = tmp_path / "run.npz"
    assert main(["simulate", str(tmp_path / "scenario.json"), "-o", str(out), "--backend", "numpy"]) == 0
    assert growth(Simulation.load(out), 4) == pytest.approx(16 * ive(4, 9) / (9 * ive(0, 9)), rel=2e-3)


@pytest.mark.parametrize("beta", [4, 9, 16, 25, 50])
def test_the_first_plateau_has_about_as_many_clusters_as_the_fastest_mode(beta):
    """arXiv 2410.23228: between k_max - 3 and k_max, from particles drawn on the circle."""
    for seed in range(2):
        start = {"generator": "uniform", "n": 200, "seed": seed}
        found = simulate(
            scenario(dimension=2, initial=start, dynamics={"beta": beta}, horizon=40.0, frames=121), rtol=1e-6
        )
        (count,) = found.plateaus[0].clusters
        assert FASTEST[beta] - 3 <= count <= FASTEST[beta]


def masses(points: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return np.bincount(cluster_of(points), weights)


def test_energy_is_a_staircase_of_squared_masses():
    """arXiv 2410.06833: E / (n^2 e^beta) is the sum of squared masses on every plateau, and a merge of p, q adds 2 p q."""
    weights = np.repeat([0.2, 0.15, 0.4, 0.25], 3) / 3
    angles = np.deg2rad(np.repeat([0.0, 40.0, 120.0, 164.0], 3)) + np.tile([-0.01, 0, 0.01], 4)
    found = simulate(on_circle(angles, weights, dynamics={"beta": 30}, horizon=400.0, frames=101))
    (_, energy), x = found.observed("energy")[0], found.trajectories[0]
    steps = found.plateaus
    assert [p.clusters for p in steps[:3]] == [(4,), (3,), (2,)]
    for p in steps:
        expected = (masses(x[p.first], weights) ** 2).sum()
        np.testing.assert_allclose(energy[p.first : p.last + 1], expected, atol=0.02)
        assert energy[(p.first + p.last) // 2] == pytest.approx(expected, abs=6e-3)
    merged = [0.2 * 0.15, 0.4 * 0.25]
    rises = np.diff([energy[(p.first + p.last) // 2] for p in steps[:3]])
    np.testing.assert_allclose(sorted(rises), 2 * np.array(sorted(merged)), rtol=0.05)


def test_the_staircase_is_exact_as_beta_grows():
    """arXiv 2410.06833: what E lacks are the pairs of clusters, 2 p q e^{-beta (1 - cos)}."""
    weights, angles = np.array([0.5, 0.3, 0.2]), np.array([0.0, 0.7, 2.0])
    x = np.c_[np.cos(angles), np.sin(angles)]
    for beta in (10.0, 40.0, 160.0):
        cross = 2 * (
            0.15 * np.exp(beta * (np.cos(0.7) - 1))
            + 0.1 * np.exp(beta * (np.cos(2.0) - 1))
            + 0.06 * np.exp(beta * (np.cos(1.3) - 1))
        )
        energy = observable("energy").value(x, weights, beta * np.eye(2))
        assert energy - (weights**2).sum() == pytest.approx(cross, rel=1e-9, abs=1e-14)


def test_four_repelling_particles_find_the_least_energy():
    """arXiv 2501.03096: for D = diag(1, 0.5) four particles (+-a, +-b) have a^2 = 0.19371 and E = 1.10274."""
    D = np.diag([1.0, 0.5])
    angles = np.array([0.9, 2.4, 3.9, 5.5])
    said = {"model": "usa", "V": (-D).tolist(), "B": D.tolist(), "beta": 1}
    found = simulate(on_circle(angles, dynamics=said, horizon=300.0, frames=31), rtol=1e-11)
    x = found.trajectories[0][-1]
    np.testing.assert_allclose(x[:, 0] ** 2, 0.19371, atol=5e-6)
    _, energy = found.observed("energy")[0]
    # The observable is scaled by the energy of one cluster, e^1 here.
    assert energy[-1] * np.e == pytest.approx(1.10274, abs=5e-6)
    assert (np.diff(energy) <= 1e-9).all()
