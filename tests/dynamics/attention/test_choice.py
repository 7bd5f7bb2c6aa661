"""What is chosen when, what is refused, and the series' own bookkeeping."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import special

from mtm_viz.dynamics.attention import attend, attention, bessel, choice, compiled
from mtm_viz.dynamics.attention.choice import Setting, choose, cost
from mtm_viz.errors import InputError


def test_many_points_on_the_sphere_take_the_series_and_few_do_not():
    assert choose(Setting(n=20, m=20, d=3, largest=4.0, rtol=1e-10)) == "tiled"
    assert choose(Setting(n=16384, m=16384, d=3, largest=4.0, rtol=1e-10)) == "harmonic"
    assert choose(Setting(n=16384, m=16384, d=2, largest=4.0, rtol=1e-10)) == "fourier"
    assert choose(Setting(n=16384, m=16384, d=6, largest=4.0, rtol=1e-10)) == "tiled"
    assert choose(Setting(n=16384, m=16384, d=17, largest=4.0, rtol=1e-10)) == "dense"
    assert choose(Setting(n=10**5, m=10**5, d=6, largest=4.0, rtol=1e-10, compiled=False, device=True)) == "kernel"


@pytest.mark.parametrize(("beta", "low", "high"), [(1.0, 60, 700), (100.0, 700, 6000)])
def test_the_series_takes_over_where_it_was_measured_to(beta, low, high):
    sizes = [n for n in range(10, 10_000, 10) if choose(Setting(n, n, 3, beta, 1e-10)) == "harmonic"]
    assert low <= min(sizes) <= high


def test_what_cannot_be_accurate_is_not_chosen():
    for setting in (
        Setting(n=10**5, m=10**5, d=3, largest=4.0, rtol=1e-15),
        Setting(n=10**5, m=10**5, d=3, largest=1e4, rtol=1e-10),
        Setting(n=10**5, m=10**5, d=3, largest=4.0, rtol=1e-10, unit=False),
    ):
        assert cost("harmonic", setting) == float("inf")
        assert choose(setting) == "tiled"


def test_points_off_the_sphere_are_summed_directly():
    points = 2.0 * np.random.default_rng(0).standard_normal((3000, 3))
    assert attend(points, np.ones(3000), np.eye(3)).method in ("tiled", "dense")
    with pytest.raises(InputError, match="'harmonic' needs points on the sphere in dimension 3: use auto"):
        attention(points, np.ones(3000), np.eye(3), method="harmonic")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"points": np.empty((0, 3)), "weights": np.empty(0)}, "attention over no points"),
        ({"weights": np.zeros(4)}, "points without mass"),
        ({"method": "fastest"}, "method 'fastest' is unknown: use auto or one of dense, tiled"),
        ({"method": "fourier"}, "'fourier' needs points on the sphere in dimension 2"),
        ({"method": "kernel"}, "'kernel' needs a CUDA device"),
        ({"method": "harmonic", "B": 1e4 * np.eye(3)}, "cannot reach rtol 1e-10 at |Bx| = 10000"),
    ],
)
def test_what_has_no_answer_is_refused(change, sentence):
    points = np.eye(3)[[0, 1, 2, 0]]
    given = {"points": points, "weights": np.ones(4), "B": np.eye(3)} | change
    method = given.pop("method", "auto")
    with pytest.raises(InputError) as caught:
        attention(**given, method=method)
    assert sentence in str(caught.value)


def test_without_numba_tiles_are_refused_and_the_series_serves(monkeypatch):
    monkeypatch.setattr(compiled, "installed", lambda: False)
    points = np.eye(3)[np.arange(3000) % 3]
    with pytest.raises(InputError, match="needs the extra 'fast'"):
        attention(points, np.ones(3000), np.eye(3), method="tiled")
    assert attend(points, np.ones(3000), np.eye(3)).method == "harmonic"


def test_numba_is_not_imported_for_a_few_points():
    code = (
        "import sys, numpy as np; from mtm_viz.dynamics.attention import attend; x = np.eye(3)[[0, 1, 2] * 20]; "
        "print(attend(x, np.ones(60), np.eye(3)).method, 'numba' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["dense", "False"]


def test_a_numba_that_does_not_fit_is_done_without(monkeypatch):
    def broken(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(compiled.importlib, "import_module", broken)
    assert compiled.installed.__wrapped__() is False


def test_no_attention_is_the_mean():
    found = attend(np.eye(3), np.array([1.0, 1.0, 2.0]), np.zeros((3, 3)))
    assert found.method == "mean"
    np.testing.assert_allclose(found.values, [[0.25, 0.25, 0.5]] * 3)
    np.testing.assert_allclose(found.log_partition, np.log(4.0))


def test_kernels_being_compiled_in_the_background_are_not_waited_for(monkeypatch):
    class Running:
        def is_alive(self) -> bool:
            return True

    monkeypatch.setattr(compiled, "_warming", Running())
    assert not compiled.usable() and compiled.tiled() is None and compiled.harmonic() is None


def test_every_part_of_a_sum_is_done_once_and_in_its_place():
    done = []
    assert compiled.each(lambda k: done.append(k) or k * k, range(100)) == [k * k for k in range(100)]
    assert sorted(done) == list(range(100))
    assert compiled.each(abs, []) == []


@pytest.mark.parametrize("bad", [0, 7, 19])
def test_a_part_that_fails_is_not_passed_over(bad):
    def work(k: int) -> int:
        if k == bad:
            raise ZeroDivisionError
        return k

    with pytest.raises(ZeroDivisionError):
        compiled.each(work, range(20))


def test_sums_on_several_cores_are_the_same_to_the_bit():
    pytest.importorskip("numba")
    rng = np.random.default_rng(0)
    points = rng.standard_normal((20_000, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    first, *others = (attention(points, np.ones(20_000), np.diag([9.0, 5, 2]), method="harmonic") for _ in range(4))
    for other in others:
        np.testing.assert_array_equal(first, other)


def test_warming_leaves_the_interpreter_to_others_first(monkeypatch):
    pytest.importorskip("numba")
    slept = []
    monkeypatch.setattr(compiled, "_warming", None)
    monkeypatch.setattr(compiled, "time", SimpleNamespace(sleep=slept.append))
    thread = compiled.warm(3.0)
    assert thread is not None
    thread.join(120)
    assert slept == [3.0]


def test_warming_compiles_every_kernel():
    pytest.importorskip("numba")
    thread = compiled.warm()
    assert thread is not None and compiled.warm() is thread
    thread.join(120)
    assert compiled.usable()


@pytest.mark.parametrize("r", [0.0, 1e-12, 0.3, 4.0, 30.0, 300.0, 1500.0])
def test_terms_are_the_bessel_functions(r):
    orders = np.arange(20)
    sphere = bessel.terms(np.array([r]), 19, 3)[:, 0]
    expected = np.sqrt(np.pi / 2 / r) * special.ive(orders + 0.5, r) if r else np.eye(20)[0]
    np.testing.assert_allclose(sphere, expected, rtol=1e-12, atol=1e-59)
    np.testing.assert_allclose(bessel.terms(np.array([r]), 19, 2)[:, 0], special.ive(orders, r), rtol=1e-12, atol=1e-59)


@pytest.mark.parametrize("r", [0.0, 1.0, 4.0, 30.0, 100.0, 1000.0])
@pytest.mark.parametrize("tolerance", [1e-14, 1e-6])
def test_the_degree_is_enough_and_hardly_more(r, tolerance):
    for d, terms in (
        (3, lambda k: (2 * k + 1) * np.sqrt(np.pi / 2 / r) * special.ive(k + 0.5, r)),
        (2, lambda k: 2 * special.ive(k, r)),
    ):
        degree = bessel.degree(r, tolerance, d)
        if r == 0.0:
            assert degree == 0
            continue
        assert terms(np.arange(degree + 1, degree + 400)).sum() <= tolerance
        assert terms(np.arange(max(1, degree - 2), degree + 400)).sum() > tolerance


def test_the_cost_of_the_series_is_linear():
    costs = [cost("harmonic", Setting(n, n, 3, 4.0, 1e-10)) for n in (10**4, 10**6)]
    assert np.log(costs[1] / costs[0]) / np.log(100) <= 1.05
    assert choice.tolerance(1e-10) == pytest.approx(1e-14)
