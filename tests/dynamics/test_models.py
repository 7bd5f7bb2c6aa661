"""Every model: its matrix of attention is what its pull is made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtm_viz.dynamics.models import model, models
from mtm_viz.sphere import normalise


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("name", models())
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15)
def test_the_matrix_has_rows_of_sum_one_and_gives_the_pull(name, causal, seed):
    rng = np.random.default_rng(seed)
    x, w, B = normalise(rng.normal(size=(9, 3))), rng.dirichlet(np.ones(9)), rng.normal(size=(3, 3))
    w[3] = 0
    w /= w.sum()
    P = model(name).matrix(x, w, B, causal=causal)
    np.testing.assert_allclose(P.sum(axis=1), 1.0, atol=1e-14)
    assert (P >= 0).all() and (P[:, 3] == 0).all()
    assert not causal or (np.triu(P, 1) == 0).all()
    pull = model(name).pull(x, w, B, causal=causal, rtol=1e-12)
    if name == "usa":  # not divided by the sum
        e = np.exp(x @ B.T @ x.T) * w
        pull = pull / np.where(np.tri(9, dtype=bool) | (not causal), e, 0.0).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(P @ x, pull, atol=1e-10)


def test_a_particle_that_feels_nobody_attends_to_nobody():
    x, w = np.eye(3), np.array([0.0, 0.5, 0.5])
    for name in models():
        P = model(name).matrix(x, w, np.eye(3), causal=True)
        np.testing.assert_array_equal(P[0], 0.0)
        np.testing.assert_allclose(P[1:].sum(axis=1), 1.0)
