"""Equiangular particles, pairs and long contexts: cases with a closed form or a number in print."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mtm_viz import Simulation, simulate
from mtm_viz.cli import main
from mtm_viz.dynamics.attention import attention
from tests.literature.scenes import equiangular, on_circle, scenario


def cosines(points: np.ndarray) -> np.ndarray:
    inner = points @ points.T
    return inner[~np.eye(len(points), dtype=bool)]


def test_orthonormal_particles_keep_equal_angles():
    """arXiv 2512.01868: rho' = 2 e^{beta rho} (1 - rho) ((n-1) rho + 1) / (e^beta + (n-1) e^{beta rho}); SA, n = d = 32."""
    n, beta = 32, 1.0
    found = simulate(equiangular(n, dynamics={"beta": beta}, horizon=5.0, frames=11))

    def rate(_, rho):
        e = np.exp(beta * rho)
        return 2 * e * (1 - rho) * ((n - 1) * rho + 1) / (np.exp(beta) + (n - 1) * e)

    expected = solve_ivp(rate, (0, 5), [0.0], t_eval=found.times, rtol=1e-12, atol=1e-13, method="DOP853").y[0]
    for frame, rho in zip(found.trajectories[0], expected, strict=True):
        np.testing.assert_allclose(cosines(frame), rho, atol=1e-8)
    np.testing.assert_allclose(cosines(found.trajectories[0][-1]), 0.99828425, atol=5e-9)


@pytest.mark.parametrize(
    ("beta", "time", "slack"),
    [(1, 5.270, 5e-4), (2, 5.458, 5e-4), (4, 6.954, 5e-4), (6, 15.995, 5e-4), (9, 178.73, 5e-3)],
)
def test_they_meet_when_the_literature_says(beta, time, slack):
    """arXiv 2512.01868: the time to rho = 0.999, n = d = 32."""
    for early, side in ((-slack, False), (slack, True)):
        found = simulate(equiangular(32, dynamics={"beta": beta}, horizon=time + early, frames=2))
        x = found.trajectories[0][-1]
        assert (x[0] @ x[1] >= 0.999) == side


def test_the_command_line_says_the_same(tmp_path, capsys):
    """arXiv 2512.01868 again: rho(5) = 0.99828425 through `simulate` and its file."""
    path, out = tmp_path / "scenario.json", tmp_path / "run.npz"
    path.write_text(json.dumps(equiangular(32, dynamics={"beta": 1}, horizon=5.0).to_json()))
    assert main(["simulate", str(path), "-o", str(out), "--backend", "numpy", "--seed", "3"]) == 0
    said = capsys.readouterr().out
    assert "32 particles" in said and f"wrote {out}" in said
    run = Simulation.load(out)
    np.testing.assert_allclose(cosines(run.trajectories[0][-1]), 0.99828425, atol=5e-9)
    assert run.scenario.seed == 3


@pytest.mark.parametrize(
    ("beta", "time", "slack"), [(8, 8.63, 5e-3), (12, 29.4, 0.05), (16, 142.5, 0.05), (20, 803.0, 0.5)]
)
def test_pairs_merge_when_the_literature_says(beta, time, slack):
    """arXiv 2509.25040: SA, two equal masses at angle pi/3, time to rho = 0.999."""
    for early, side in ((-slack, False), (slack, True)):
        found = simulate(on_circle(np.array([0, np.pi / 3]), dynamics={"beta": beta}, horizon=time + early, frames=2))
        x = found.trajectories[0][-1]
        assert (x[0] @ x[1] >= 0.999) == side


def simplex(n: int, rho: float) -> np.ndarray:
    """n unit vectors with all cosines rho, in R^{n+1}."""
    return np.c_[np.full(n, rho**0.5), (1 - rho) ** 0.5 * np.eye(n)]


def seen_by_two(n: int, rho: float, beta: float) -> float:
    """The cosine between the outputs of attention at the first two of n equiangular particles, by three points.

    Toward each of the two, the n - 2 others have one logit, so that their mean with their weight stands for them.
    """
    # Rows with these inner products: x_1, x_2 and the mean of the others.
    inner = np.array([[1, rho, rho], [rho, 1, rho], [rho, rho, rho + (1 - rho) / (n - 2)]])
    points = np.linalg.cholesky(inner)
    out = attention(points, np.array([1, 1, n - 2]) / n, beta * np.eye(3), queries=points[:2])
    return float(out[0] @ out[1] / np.linalg.norm(out[0]) / np.linalg.norm(out[1]))


def test_two_of_many_equiangular_particles_see_three_points():
    """What `seen_by_two` computes is what attention over all n particles gives."""
    n, rho = 700, 0.5
    for beta in (8.0, 13.0, 18.0):
        x = simplex(n, rho)
        out = attention(x, np.full(n, 1 / n), beta * np.eye(n + 1), queries=x[:2])
        whole = out[0] @ out[1] / np.linalg.norm(out[0]) / np.linalg.norm(out[1])
        assert seen_by_two(n, rho, beta) == pytest.approx(whole, rel=1e-11)


@pytest.mark.parametrize(("gamma", "cosine"), [(1.5, 0.9918), (2.0, 0.8000), (2.5, 0.5475)])
def test_long_context_has_three_regimes(gamma, cosine):
    """arXiv 2510.05554: beta = gamma log n, common cosine 1/2, n = 10^4: output cosines 0.9918, 0.8000, 0.5475."""
    n = 10_000
    assert seen_by_two(n, 0.5, gamma * np.log(n)) == pytest.approx(cosine, abs=6e-5)


def test_long_context_turns_where_the_literature_says():
    """arXiv 2510.05554: the output cosine tends to 1, 4 rho / (1 + 3 rho), rho below, at and above gamma = 1/(1 - rho)."""
    n = 10**12
    for rho in (0.2, 0.5, 0.7):
        at = 1 / (1 - rho)
        limits = {0.75 * at: 1.0, at: 4 * rho / (1 + 3 * rho), 1.5 * at: rho}
        for gamma, limit in limits.items():
            assert seen_by_two(n, rho, gamma * np.log(n)) == pytest.approx(limit, abs=2e-3)


def test_a_layer_of_a_simulation_sees_the_same():
    """One discrete layer so long that the particle itself is forgotten: attention's output, normalised."""
    n, rho, beta = 63, 0.5, 9.0
    said = {"beta": beta, "V": 1000, "layers": 1000}
    found = simulate(
        scenario(dimension=64, initial={"points": simplex(n, rho).tolist()}, dynamics=said, horizon=1000, frames=2)
    )
    np.testing.assert_allclose(cosines(found.trajectories[0][-1]), seen_by_two(n, rho, beta), atol=1e-5)
