"""The vector field by its definition, in closed-form cases and on every array namespace."""

from dataclasses import replace

import array_api_strict
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtm_viz.dynamics.attention import attention
from mtm_viz.dynamics.field import velocity
from mtm_viz.dynamics.integrate import adaptive
from mtm_viz.dynamics.schedule import Segment
from mtm_viz.sphere import angle, normalise

from ..strategies import segments  # isort: skip


def cloud(seed: int, n: int = 9, d: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return normalise(rng.normal(size=(n, d))), rng.dirichlet(np.ones(n))


@given(segment=segments(), seed=st.integers(0, 2**32 - 1))
def test_velocity_is_tangent_and_follows_the_formula_term_by_term(segment: Segment, seed: int) -> None:
    points, weights = cloud(seed)
    found = velocity(points, weights, segment)
    for x, v in zip(points, found, strict=True):
        kernel = weights * np.exp(points @ (segment.B @ x))
        drift = segment.V @ (kernel @ points / kernel.sum()) + segment.W @ np.maximum(segment.U @ x + segment.b, 0)
        assert v == pytest.approx(drift - (x @ drift) * x, abs=1e-12)
    assert np.abs((points * found).sum(axis=1)).max() < 1e-13


@given(segment=segments(), seed=st.integers(0, 2**32 - 1))
def test_a_segment_then_its_inverse_is_the_identity(segment: Segment, seed: int) -> None:
    points, weights = cloud(seed)
    short = shortened(segment)
    there = integrated(points, weights, short)
    assert angle(integrated(there, weights, short.inverse()), points).max() < 1e-9


@given(segment=segments(), seed=st.integers(0, 2**32 - 1), share=st.floats(0.1, 0.9))
def test_splitting_rescaling_and_gauging_change_nothing(segment: Segment, seed: int, share: float) -> None:
    points, weights = cloud(seed)
    short = shortened(segment)
    whole = integrated(points, weights, short)
    first, second = short.split(share)
    for other in (
        integrated(integrated(points, weights, first), weights, second),
        integrated(points, weights, short.rescaled(7.0).gauged()),
    ):
        assert angle(other, whole).max() < 1e-9


def shortened(segment: Segment) -> Segment:
    """The same field for so long that no point travels far: a contraction would lose the digits that are compared."""
    return replace(segment, duration=min(segment.duration, 0.5 / max(segment.strength, 0.1)))


def integrated(points: np.ndarray, weights: np.ndarray, segment: Segment) -> np.ndarray:
    return adaptive(lambda x: velocity(x, weights, segment), points, segment.duration, method="dop853", rtol=1e-13)


@given(segment=segments(), seed=st.integers(0, 2**32 - 1))
def test_the_field_is_the_same_on_another_array_namespace(segment: Segment, seed: int) -> None:
    points, weights = cloud(seed)
    strict = velocity(array_api_strict.asarray(points), array_api_strict.asarray(weights), segment)
    assert np.asarray(strict) == pytest.approx(velocity(points, weights, segment), abs=1e-13)


def test_attention_of_a_dirac_is_the_dirac() -> None:
    y = normalise(np.array([[1.0, 2.0, 3.0]]))
    queries = cloud(0)[0]
    assert attention(y, np.ones(1), 50 * np.eye(3), queries=queries) == pytest.approx(np.tile(y, (9, 1)))
