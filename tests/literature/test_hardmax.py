"""Hardmax: at rest on the sphere with B = I; after their leaders, straight to the hull's vertices, in R^d."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from mtm_viz import Simulation, simulate
from tests.literature.scenes import scenario


def test_hardmax_rests_on_the_sphere():
    """arXiv 2407.01602: with B = I each point of the sphere is its own maximum."""
    found = simulate(scenario(dynamics={"model": "hardmax"}))
    np.testing.assert_array_equal(found.trajectories[0][0], found.trajectories[0][-1])
    assert found.record["equilibrium"] == 0.0


def test_softmax_rests_there_too_as_beta_grows():
    """arXiv 2508.09628: hardmax is the limit; what moves is exponentially slow."""
    start = {"generator": "fibonacci", "n": 30}
    moved = []
    for beta in (100, 200, 400):
        x = simulate(scenario(initial=start, dynamics={"beta": beta})).trajectories[0]
        moved.append(np.linalg.norm(x[-1] - x[0], axis=1).max())
    assert moved[0] < 0.1 and moved[1] < 1e-3 * moved[0] and moved[2] < 1e-5 * moved[0]


B = np.diag([2.0, 1.0, 0.4])


@pytest.fixture(scope="module")
def free() -> Simulation:
    """x' = (mean of argmax_j <Bx, x_j>) - x in R^3, the model of arXiv 2407.01602 in continuous time."""
    law = {"model": "hardmax", "B": B.tolist(), "residual": -1, "placement": "none"}
    start = {"generator": "uniform", "n": 60, "seed": 3}
    return simulate(scenario(initial=start, dynamics=law, horizon=12.0, frames=121))


def states(found: Simulation) -> np.ndarray:
    return found.trajectories[0] * found.radii[0][..., None]


def matches(x: np.ndarray) -> list[np.ndarray]:
    inner = x @ B @ x.T
    return [np.flatnonzero(row >= row.max() - 1e-9) for row in inner]


def test_leaders_stay_and_others_go_straight_toward_vertices_of_the_hull(free):
    """arXiv 2407.01602: whom a particle follows is a vertex of the convex hull; who is their own best match rests."""
    x = states(free)
    followed = [matches(frame) for frame in x]
    leaders = [i for i, best in enumerate(followed[0]) if best.tolist() == [i]]
    assert 2 <= len(leaders) < 30
    np.testing.assert_allclose(x[:, leaders], np.broadcast_to(x[0, leaders], x[:, leaders].shape), atol=1e-12)
    for f in range(0, 121, 10):
        vertices = set(ConvexHull(x[f]).vertices.tolist())
        assert all(best[0] in vertices for best in followed[f] if len(best) == 1)
    straight = 0
    for i in set(range(60)) - set(leaders):
        leader = followed[0][i].tolist()
        if len(leader) == 1 and leader[0] in leaders and all(best[i].tolist() == leader for best in followed[:61]):
            decay = np.exp(-free.times[:61])[:, None]
            expected = x[0, leader] + decay * (x[0, i] - x[0, leader])
            np.testing.assert_allclose(x[:61, i], expected, atol=1e-5)
            straight += 1
    assert straight >= 10


def test_all_end_in_the_hull_of_the_leaders(free):
    """arXiv 2407.01602: leaders are the vertices of what is left."""
    x = states(free)
    leaders = [i for i, best in enumerate(matches(x[-1])) if i in best]
    hull = ConvexHull(x[-1][leaders])
    heights = hull.equations[:, :-1] @ x[-1].T + hull.equations[:, -1:]
    assert heights.max() < 1e-3
    assert hull.volume < 0.8 * ConvexHull(x[0]).volume
