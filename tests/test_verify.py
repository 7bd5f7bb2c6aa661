"""The curve of W2 against layer time: exact for small measures, as near as it says for large ones."""

from __future__ import annotations

import numpy as np
import pytest

from mtm_viz.diagnostics.wasserstein import w2
from mtm_viz.sphere import boost, normalise
from mtm_viz.verify import MOST_EXACT, WITHIN, w2_curve


def journey(n: int) -> tuple[np.ndarray, np.ndarray]:
    """(frames (9, n, 3), target (n, 3)): all atoms drift, then some more, then none."""
    rng = np.random.default_rng(n)
    frames = [normalise(rng.normal(size=(n, 3)) + np.array([2.0, 0, 0]))]
    for k in range(8):
        here = frames[-1]
        moving = np.arange(n) < (n, n // 10, n // 3, 0)[k % 4]
        frames.append(np.where(moving[:, None], boost(here, np.array([0.0, 1.0, 0.0]), 0.3), here))
    return np.array(frames), normalise(rng.normal(size=(n, 3)) + np.array([0, 2.0, 0]))


@pytest.mark.parametrize("n", [30, 1 + int(MOST_EXACT**0.5)])
def test_the_curve_is_exact_at_its_ends_and_within_what_it_says_between(n: int) -> None:
    frames, target = journey(n)
    weights = np.full(n, 1 / n)
    curve = w2_curve(frames, weights, target, weights, lambda _: None)
    exact = np.array([w2(points, weights, target, weights) for points in frames])
    np.testing.assert_allclose(curve[[0, -1]], exact[[0, -1]], rtol=1e-12)
    np.testing.assert_allclose(curve, exact, rtol=1e-12, atol=WITHIN * exact.max() if n * n > MOST_EXACT else 0)
