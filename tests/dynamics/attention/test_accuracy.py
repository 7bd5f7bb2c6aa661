"""Every method against the definition in float64, on clouds and matrices chosen to break it."""

from __future__ import annotations

import array_api_strict
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtm_viz.dynamics.attention import METHODS, attend, attention, choice, compiled
from mtm_viz.errors import InputError

ALLOWED = 1e-10
SERIES = {2: "fourier", 3: "harmonic"}


def unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def cloud(kind: str, n: int, d: int, rng: np.random.Generator) -> np.ndarray:
    x = rng.standard_normal((n, d))
    if kind == "clusters":
        return unit(0.05 * x + unit(rng.standard_normal((3, d)))[rng.integers(3, size=n)])
    return unit(0.2 * x + np.eye(d)[-1]) if kind == "cap" else unit(x)


def matrices(d: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    one = np.eye(d)
    diagonal = np.diag(np.r_[40.0, 4.0, -3.0, np.ones(d)][:d])
    named = {f"{beta:g} I": beta * one for beta in (1e-12, 1.0, 9.0, 100.0, 300.0, 1000.0, -25.0, -300.0)}
    return named | {"0": 0 * one, "diagonal": diagonal, "random": 8 * rng.standard_normal((d, d))}


def by_definition(points, weights, B, queries) -> tuple[np.ndarray, np.ndarray]:
    """Written out once more, with sums and exponentials only."""
    logits = queries @ B.T @ points.T + np.log(np.maximum(weights, 1e-300))
    top = logits.max(axis=1, keepdims=True)
    kernel = np.exp(logits - top)
    return kernel @ points / kernel.sum(axis=1, keepdims=True), np.log(kernel.sum(axis=1)) + top[:, 0]


@pytest.fixture(params=["compiled", "array code"])
def loops(request, monkeypatch):
    """With Numba's kernels, and without Numba."""
    if request.param == "compiled":
        pytest.importorskip("numba")
    else:
        monkeypatch.setattr(compiled, "usable", lambda: False)
    return request.param


@pytest.mark.parametrize("kind", ["uniform", "clusters", "cap"])
@pytest.mark.parametrize(("d", "n"), [(2, 300), (3, 1), (3, 2), (3, 250), (4, 150), (6, 150), (16, 150)])
def test_no_method_loses_digits_silently(loops, kind, d, n):
    rng = np.random.default_rng([d, n])
    points = cloud(kind, n, d, rng)
    # The antipode of a cap, where every term of a series is large and their sum is not.
    queries = np.concatenate([points, -points[:1], unit(rng.standard_normal((2, d)))])
    for weights in (np.full(n, 1 / n), 10 ** rng.uniform(-12, 0, n)):
        for name, B in matrices(d, rng).items():
            expected, logs = by_definition(points, weights, B, queries)
            for method in ("auto", "tiled", SERIES.get(d, "dense")):
                try:
                    found = attend(points, weights, B, queries=queries, method=method)
                except InputError as refusal:
                    assert method != "auto" and "use auto" in str(refusal)
                    continue
                worst = np.linalg.norm(found.values - expected, axis=1).max()
                assert worst <= ALLOWED, (name, method, found.method, worst)
                np.testing.assert_allclose(found.log_partition, logs, rtol=1e-12, atol=ALLOWED)


@pytest.mark.parametrize("d", [2, 3, 4, 6, 16])
@pytest.mark.parametrize("n", [1, 2, 5, 1000, 5000])
def test_small_and_large_clouds_are_as_accurate(loops, n, d):
    rng = np.random.default_rng([d, n])
    asked = matrices(d, rng)
    asked = {name: asked[name] for name in ("0", "1e-12 I", "9 I", "300 I", "-25 I", "diagonal", "random")}
    for kind in ("uniform", "clusters", "cap"):
        points, weights = cloud(kind, n, d, rng), 10 ** rng.uniform(-12, 0, n)
        # A series is worth its moments for many queries; dense sums cost as much for each.
        queries = np.concatenate([points[: 1000 if d in SERIES else 50], -points[:1]])
        chosen = np.r_[: min(n, 50), -1]
        for name, B in asked.items():
            found = attend(points, weights, B, queries=queries)
            expected, logs = by_definition(points, weights, B, queries[chosen])
            worst = np.linalg.norm(found.values[chosen] - expected, axis=1).max()
            assert worst <= ALLOWED, (kind, name, found.method, worst)
            np.testing.assert_allclose(found.log_partition[chosen], logs, rtol=1e-12, atol=ALLOWED)


@pytest.mark.parametrize(("kind", "beta"), [("uniform", 30.0), ("cap", -25.0)])
def test_the_series_itself_serves_five_thousand_points(loops, kind, beta):
    rng = np.random.default_rng(5)
    points, weights = cloud(kind, 5000, 3, rng), rng.random(5000)
    found = attend(points, weights, beta * np.eye(3), method="harmonic")
    expected, _ = by_definition(points, weights, beta * np.eye(3), points[:200])
    assert np.linalg.norm(found.values[:200] - expected, axis=1).max() <= ALLOWED


def test_lost_queries_are_rescued_by_cells(loops):
    rng = np.random.default_rng(3)
    points = unit(0.4 * rng.standard_normal((4000, 3)) + np.eye(3)[2])
    found = attend(points, np.ones(4000), -20 * np.eye(3), method="harmonic")
    assert found.rescued is not None and found.rescued.queries > 1000
    assert found.rescued.cells > 3 and found.rescued.direct < found.rescued.queries
    expected, logs = by_definition(points, np.ones(4000), -20 * np.eye(3), points)
    assert np.linalg.norm(found.values - expected, axis=1).max() <= ALLOWED
    np.testing.assert_allclose(found.log_partition, logs, atol=ALLOWED)


@pytest.mark.parametrize("method", ["auto", "dense", "tiled", "harmonic"])
def test_a_pair_of_antipodes_attends_as_tanh(method):
    if method == "tiled":
        pytest.importorskip("numba")
    points = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]])
    for beta in (1.0, 9.0, 1000.0):
        if method == "harmonic" and beta == 1000.0:
            continue
        height = attention(points, np.array([0.5, 0.5]), beta * np.eye(3), method=method)[:, 2]
        np.testing.assert_allclose(height, [np.tanh(beta), -np.tanh(beta)], atol=1e-13)


def test_atoms_without_weight_change_nothing():
    rng = np.random.default_rng(0)
    points, weights = cloud("uniform", 200, 3, rng), rng.random(200)
    weights[::2] = 0.0
    for method in ("auto", "dense", "harmonic"):
        for B in (9 * np.eye(3), -40 * np.eye(3), 1000 * np.eye(3)):
            try:
                whole = attention(points, weights, B, method=method)
            except InputError:
                continue
            half = attention(points[1::2], weights[1::2], B, queries=points, method=method)
            np.testing.assert_allclose(whole, half, atol=ALLOWED)


@given(st.integers(0, 10_000), st.sampled_from([2, 3, 4]))
def test_attention_is_a_mean_and_knows_no_scale_of_weights(seed, d):
    rng = np.random.default_rng(seed)
    points, weights = cloud("uniform", 40, d, rng), rng.random(40)
    B = 10 * rng.standard_normal((d, d))
    found = attend(points, weights, B)
    assert np.linalg.norm(found.values, axis=1).max() <= 1 + 1e-9
    scaled = attend(points, 1e3 * weights, B)
    np.testing.assert_allclose(scaled.values, found.values, atol=ALLOWED)
    np.testing.assert_allclose(scaled.log_partition, found.log_partition + np.log(1e3), atol=1e-9)


@pytest.mark.parametrize("d", [2, 3, 5])
def test_it_keeps_to_the_array_standard(d):
    rng = np.random.default_rng(d)
    points, weights = cloud("cap", 90, d, rng), rng.random(90)
    for B in (4 * np.eye(d), -40 * np.eye(d), 0 * np.eye(d)):
        for method in ("auto", "dense", SERIES.get(d, "dense")):
            there = (array_api_strict.asarray(a) for a in (points, weights, B))
            found = attend(*there, method=method)
            assert isinstance(found.values, type(array_api_strict.ones(1)))
            expected, logs = by_definition(points, weights, B, points)
            assert np.abs(np.asarray(found.values) - expected).max() <= ALLOWED
            assert np.abs(np.asarray(found.log_partition) - logs).max() <= ALLOWED


def test_float32_tiles_are_taken_where_they_do_and_only_there():
    pytest.importorskip("numba")
    rng = np.random.default_rng(0)
    points, weights = cloud("uniform", 3000, 4, rng), rng.random(3000)
    found = attend(points, weights, 4 * np.eye(4), rtol=1e-4)
    assert found.method == "tiled32"
    assert np.abs(found.values - by_definition(points, weights, 4 * np.eye(4), points)[0]).max() <= 1e-5
    assert attend(points, weights, 4 * np.eye(4), rtol=1e-9).method == "tiled"
    with pytest.raises(InputError, match="'tiled32' cannot reach rtol 1e-08"):
        attend(points, weights, 4 * np.eye(4), rtol=1e-8, method="tiled32")


@pytest.mark.gpu
@pytest.mark.parametrize("d", [2, 3, 16])
def test_a_device_agrees_with_the_definition(d):
    from mtm_viz.backend import to_backend, to_host

    rng = np.random.default_rng(d)
    points, weights = cloud("clusters", 5000, d, rng), rng.random(5000)
    for B in (4 * np.eye(d), -40 * np.eye(d)):
        expected, _ = by_definition(points, weights, B, points)
        there = [to_backend(a, "cupy") for a in (points, weights, B)]
        for method in ("auto", "dense", "kernel", SERIES.get(d, "dense")):
            assert np.abs(to_host(attention(*there, method=method)) - expected).max() <= ALLOWED


def test_methods_are_named_in_one_place():
    assert set(METHODS) == {"dense", "tiled", "tiled32", "harmonic", "fourier", "kernel"} == set(choice.METHODS)
