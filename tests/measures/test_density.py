"""Densities typed as formulas: what they mean, and what a formula can never do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtm_viz.errors import InputError
from mtm_viz.measures.formula import evaluate
from mtm_viz.measures.generators import generate


def sample(expression: str, n: int = 20_000, dimension: int = 3, seed: int = 0) -> np.ndarray:
    return generate("density", {"expression": expression}, n=n, seed=seed, dimension=dimension).points


def test_exp_is_von_mises_fisher():
    """Density exp(k z): E[z] = coth k - 1/k, exactly."""
    k = 4.0
    z = sample("exp(4*z)")[:, 2]
    assert abs(z.mean() - (1 / np.tanh(k) - 1 / k)) < 4 * z.std() / np.sqrt(len(z))


@pytest.mark.parametrize(
    ("expression", "share"),
    [
        ("1", lambda p: (p[:, 2] > 0).mean() - 1 / 2),
        ("z > 0", lambda p: (p[:, 2] > 0.5).mean() - 1 / 2),
        ("(x > 0) & (y > 0)", lambda p: ((p[:, 0] > 0) & (p[:, 1] > 0)).mean() - 1),
        ("x > 0 and not y > 0", lambda p: ((p[:, 0] > 0) & (p[:, 1] <= 0)).mean() - 1),
        ("-0.5 < z <= 0.5", lambda p: (np.abs(p[:, 2]) <= 0.5).mean() - 1),
        ("where(lon > 90, 3, 1)", lambda p: (np.arctan2(p[:, 1], p[:, 0]) > np.pi / 2).mean() - 1 / 2),
        ("abs(lat) < 30", lambda p: (np.abs(p[:, 2]) < 0.5 + 1e-12).mean() - 1),
        ("max(0, z)", lambda p: (p[:, 2] < np.sqrt(0.5)).mean() - 1 / 2),
        ("z^2", lambda p: (np.abs(p[:, 2]) < 0.5 ** (1 / 3)).mean() - 1 / 2),
        ("min(1, z + 1, 2 - z)", lambda p: (p[:, 2] > 0).mean() - 2 / 3),
    ],
)
def test_masses_are_those_of_the_formula(expression, share):
    assert abs(share(sample(expression))) < 0.015


def test_negative_values_count_as_zero_and_other_dimensions_have_names():
    assert (sample("z", 500)[:, 2] > 0).all()
    assert (sample("x5 > 0", 500, dimension=5)[:, 4] > 0).all()


def test_the_seed_decides():
    np.testing.assert_array_equal(sample("exp(z)", 50, seed=3), sample("exp(z)", 50, seed=3))
    assert not np.array_equal(sample("exp(z)", 50, seed=3), sample("exp(z)", 50, seed=4))


def test_a_peak_missed_by_the_probe_is_not_cut_off():
    """The cap of 0.2 degrees holds 3e-6 of the sphere: a probe of 65,536 may miss it, the density is 10^5 times larger there."""
    points = sample("exp(3e4*(x-1))", 100)
    assert (1 - points[:, 0]).mean() == pytest.approx(1 / 3e4, rel=0.5)


REFUSED = {
    "import": ("__import__('os').system('true')", "Attribute is not available"),
    "attribute": ("x.real", "Attribute is not available"),
    "dunder": ("().__class__", "not available"),
    "subscript": ("x[0]", "Subscript is not available"),
    "list": ("[x for x in (1,)]", "not available"),
    "text": ("'a' * 9", "holds 'a', which is no number"),
    "formatted text": ("f'{x}'", "not available"),
    "complex": ("1j", "holds '1j', which is no number"),
    "lambda": ("(lambda: 1)()", "Lambda Functions not implemented"),
    "unknown function": ("open(x)", "Function 'open' not defined"),
    "unknown name": ("q + 1", "'q' is not defined"),
    "a name of another dimension": ("x1", "'x1' is not defined"),
    "assignment": ("x = 3", "not available"),
    "walrus": ("(x := 3)", "not available"),
    "two expressions": ("x; y", "multiple expressions"),
    "writing into x": ("exp(x, x)", "cannot be computed"),
    "keywords": ("exp(x, out=x)", "cannot be computed"),
    "too few arguments": ("arctan2(x)", "cannot be computed"),
    "unfinished": ("exp(", "cannot be read at character"),
    "if else": ("1 if x > 0 else 2", "not available"),
    "numbers joined": ("lat > 30 & lon > 0", "joins a number where a comparison is needed"),
    "membership": ("x in y", "compares with a word"),
    "a tower": ("9**9**9**9", "is inf at"),
    "division": ("1/0", "is inf at"),
    "logarithm": ("log(x)", "is nan at"),
    "nowhere": ("-1", "nowhere positive"),
    "nested": ("-" * 400 + "x", None),
    "brackets": ("(" * 249 + "x" + ")" * 249, None),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_density_is_said_and_never_run(case):
    expression, sentence = REFUSED[case]
    try:
        sample(expression, 5)
    except InputError as problem:
        assert str(problem).startswith('generator "density": "expression" ')
        assert "\n" not in str(problem) and (sentence is None or sentence in str(problem))
    else:
        assert sentence is None


def test_concentration_beyond_rejection_is_refused_with_a_remedy():
    with pytest.raises(InputError, match="too concentrated for rejection sampling: make its peaks wider"):
        sample("1/(abs(z) + 1e-9)", 2000)


PIECES = ["x", "y", "z", "lon", "1", "2.5", "+", "-", "*", "/", "**", "^", "%", "(", ")", ",", "<", ">", "==", "&", "|", "exp", "min", "where", "not ", " and ", ".", "[", "]", "'", "lambda ", ":", "=", "__class__", "if ", " else "]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=20).map("".join))
def test_any_text_is_numbers_or_an_input_error(expression):
    x = np.linspace(-1, 1, 5)
    kept = x.copy()
    try:
        value = evaluate(expression, {"x": x, "y": x, "z": x, "lon": x, "lat": x})
    except InputError as problem:
        assert "\n" not in str(problem)
    else:
        assert value.shape == (5,) and value.dtype == np.float64
    np.testing.assert_array_equal(x, kept)
