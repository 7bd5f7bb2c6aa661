from __future__ import annotations

import array_api_strict
import numpy as np
import pytest

from mtm_viz import backend
from mtm_viz.errors import InputError


def test_numpy_is_taken_where_asked_and_where_nothing_else_is(monkeypatch):
    monkeypatch.setattr(backend, "cupy_device", lambda: None)
    assert backend.resolve("numpy") == "numpy"
    assert backend.resolve("auto") == "numpy"


def test_cupy_is_taken_where_a_device_is(monkeypatch):
    monkeypatch.setattr(backend, "cupy_device", lambda: "some device")
    assert backend.resolve("auto") == backend.resolve("cupy") == "cupy"
    assert backend.resolve("numpy") == "numpy"


def test_cupy_without_a_device_is_refused_with_a_remedy(monkeypatch):
    monkeypatch.setattr(backend, "cupy_device", lambda: None)
    with pytest.raises(
        InputError, match="needs the gpu extra and a CUDA device, and none was found: use auto or numpy"
    ):
        backend.resolve("cupy")


def test_an_unknown_backend_lists_the_known_ones():
    with pytest.raises(InputError, match="backend 'torch' is unknown: choose auto, numpy or cupy"):
        backend.resolve("torch")


def test_the_namespace_is_that_of_the_arrays():
    assert backend.namespace(array_api_strict.ones(3)) is array_api_strict
    assert backend.namespace(np.ones(3)).asarray([1.0]).dtype == np.float64
    with pytest.raises(TypeError):
        backend.namespace(array_api_strict.ones(3), np.ones(3))


def test_moving_to_the_host_and_back_changes_nothing():
    x = np.arange(6.0).reshape(2, 3)
    assert backend.to_backend(x, "numpy") is x
    np.testing.assert_array_equal(backend.to_host(x), x)


@pytest.mark.parametrize(("n", "d"), [(1, 3), (700, 2), (700, 3), (700, 16), (60_000, 3)])
@pytest.mark.parametrize("xp", [np, array_api_strict])
def test_products_of_rows_are_what_they_are_in_any_shape(xp, n, d):
    rng = np.random.default_rng(d)
    x, y, matrix = rng.standard_normal((n, d)), rng.standard_normal((n, d)), rng.standard_normal((d, 3))
    there = [xp.asarray(array) for array in (x, y, matrix)]
    np.testing.assert_allclose(np.asarray(backend.row_dot(*there[:2])), (x * y).sum(axis=1), atol=1e-13)
    product = np.asarray(backend.row_times(there[0], there[2]))
    np.testing.assert_allclose(product, (x[:, :, None] * matrix).sum(axis=1), atol=1e-13)


@pytest.mark.gpu
def test_moving_to_a_device_and_back_changes_nothing():
    x = np.random.default_rng(0).standard_normal((5, 3))
    there = backend.to_backend(x, "cupy")
    assert backend.namespace(there).__name__.endswith("cupy")
    np.testing.assert_array_equal(backend.to_host(there), x)
