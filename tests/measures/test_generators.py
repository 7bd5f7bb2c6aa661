"""Contract tests over every generator of the registry, and the closed-form answer of each."""

from __future__ import annotations

import json
import warnings
from dataclasses import fields, is_dataclass

import numpy as np
import pytest
from scipy.special import ive
from scipy.stats import kstest

from mtm_viz.errors import InputError
from mtm_viz.measures.generator import Generator
from mtm_viz.measures.generators import generate, generator, generators
from mtm_viz.measures.placing import tangent_frame
from mtm_viz.parameters import Direction, Number, parameters
from mtm_viz.sphere import angle, normalise

NAMES = sorted(generators())
DIMENSIONS = (2, 3, 4, 7)
CENTRE = normalise(np.array([0.3, -0.8, 0.5]))


def points(name: str, n: int = 200, seed: int = 0, dimension: int = 3, **params) -> np.ndarray:
    return generate(name, params, n=n, seed=seed, dimension=dimension).points


def meant_for(kind: type[Generator], dimension: int) -> bool:
    return kind.least_dimension <= dimension <= (kind.most_dimension or dimension)


# --- the contract -------------------------------------------------------------------------------------------------


def test_the_registry_holds_what_the_file_formats_promise():
    promised = ["uniform", "von_mises_fisher", "cap", "ring", "great_circle", "spiral", "fibonacci", "text", "mixture"]
    assert set(promised) <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_describes_itself(name):
    kind = generators()[name]
    assert is_dataclass(kind)
    assert kind.label and kind.help.endswith(".")
    for parameter in parameters(kind).values():
        assert parameter.label and parameter.help.endswith(".")
        assert parameter.min is None or parameter.max is None or parameter.min < parameter.max
    assert len(parameters(kind)) == len(fields(kind)), "a field without a Parameter has no widget"


@pytest.mark.parametrize("dimension", DIMENSIONS)
@pytest.mark.parametrize("name", NAMES)
def test_default_measure_is_on_the_sphere_with_weights_that_sum_to_one(name, dimension):
    if not meant_for(generators()[name], dimension):
        with pytest.raises(InputError, match=f'generator "{name}": it needs dimension'):
            points(name, dimension=dimension)
        return
    # The default formula of a density is written in z, a name that dimension 3 alone has.
    params = {"expression": "exp(4*x1)"} if name == "density" and dimension != 3 else {}
    for n in (1, 2, 57):
        measure = generate(name, params, n=n, seed=3, dimension=dimension)
        assert measure.points.shape == (n, dimension)
        np.testing.assert_allclose(np.linalg.norm(measure.points, axis=1), 1.0, atol=1e-12)
        assert measure.weights.sum() == pytest.approx(1.0, abs=1e-12)
        assert measure.has_equal_weights
        assert measure.notes == ()


@pytest.mark.parametrize("name", NAMES)
def test_atoms_are_distinct(name):
    measure = generate(name, {}, n=100, seed=0, dimension=3)
    assert len(measure.merged()) == 100


@pytest.mark.parametrize("name", NAMES)
def test_the_seed_decides(name):
    np.testing.assert_array_equal(points(name, seed=5), points(name, seed=5))
    same = np.array_equal(points(name, seed=5), points(name, seed=6))
    assert same is not generator(name, {}).is_random


@pytest.mark.parametrize("name", NAMES)
def test_parameters_survive_json(name):
    made = generator(name, {})
    assert generator(name, json.loads(json.dumps(made.to_params()))) == made


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_parameter_is_refused_with_the_known_ones(name):
    with pytest.raises(InputError, match=f'generator "{name}": "wobble" is no parameter of it'):
        generator(name, {"wobble": 1})


NUMBERS = [
    (name, field) for name in NAMES for field, p in parameters(generators()[name]).items() if isinstance(p, Number)
]
DIRECTIONS = [
    (name, field) for name in NAMES for field, p in parameters(generators()[name]).items() if isinstance(p, Direction)
]


@pytest.mark.parametrize("wrong", ["30", None, True, [1], float("nan"), float("inf"), 10**400, -1e9, 1e9])
@pytest.mark.parametrize(("name", "field"), NUMBERS)
def test_a_number_out_of_range_or_of_another_type_is_refused(name, field, wrong):
    with pytest.raises(InputError, match=f'generator "{name}": "{field}" is .*: give a number from') as caught:
        generator(name, {field: wrong})
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 200


@pytest.mark.parametrize(("name", "field"), NUMBERS)
def test_the_ends_of_the_range_work(name, field):
    parameter = parameters(generators()[name])[field]
    for end in (parameter.min, parameter.max):
        np.testing.assert_allclose(np.linalg.norm(points(name, **{field: end}), axis=1), 1.0, atol=1e-12)


@pytest.mark.parametrize("wrong", ["north", 3, {}, [], [1], [0, 0, 0], [1, 0, "0"], [1, 0, float("nan")], [True, 0, 0]])
@pytest.mark.parametrize(("name", "field"), DIRECTIONS)
def test_what_is_no_direction_is_refused(name, field, wrong):
    with pytest.raises(InputError, match=f'"{field}" is .*: give a direction such as'):
        generator(name, {field: wrong})


@pytest.mark.parametrize(("name", "field"), DIRECTIONS)
def test_a_direction_has_any_length_but_the_right_number_of_coordinates(name, field):
    expected = points(name, **{field: [0.0, 3.0, 4.0]})
    for scale in (1e-300, 1e300):
        np.testing.assert_allclose(points(name, **{field: [0.0, 3.0 * scale, 4.0 * scale]}), expected, atol=1e-14)
    with pytest.raises(InputError, match="a direction has 4 coordinates but the dimension is 3"):
        points(name, **{field: [0, 1, 0, 0]})


def test_an_unknown_generator_is_refused_with_the_known_ones():
    with pytest.raises(InputError, match=r'generator "blob" is unknown: use one of cap, .*, von_mises_fisher$'):
        points("blob")


@pytest.mark.parametrize("wrong", [{"n": 0}, {"seed": -1}])
def test_a_sample_needs_atoms_and_a_seed(wrong):
    with pytest.raises(InputError, match="give n of at least 1 and a seed of at least 0"):
        generate("uniform", {}, **({"n": 5, "seed": 0, "dimension": 3} | wrong))


# --- closed forms -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_uniform_has_second_moment_identity_over_d(dimension):
    x = points("uniform", n=20_000, dimension=dimension)
    np.testing.assert_allclose(x.T @ x / len(x), np.eye(dimension) / dimension, atol=0.02)
    np.testing.assert_allclose(x.mean(axis=0), 0.0, atol=0.02)


@pytest.mark.parametrize("dimension", DIMENSIONS)
@pytest.mark.parametrize("kappa", [0.0, 0.5, 12.0, 300.0])
def test_von_mises_fisher_has_the_mean_resultant_of_bessel_functions(dimension, kappa):
    """E <mean, x> = I_{d/2}(kappa) / I_{d/2-1}(kappa), and no mean across."""
    mean = np.eye(dimension)[0]
    x = points("von_mises_fisher", n=20_000, dimension=dimension, mean=mean.tolist(), kappa=kappa)
    expected = ive(dimension / 2, kappa) / ive(dimension / 2 - 1, kappa) if kappa else 0.0
    spread = np.std(x @ mean) / np.sqrt(len(x))
    assert (x @ mean).mean() == pytest.approx(expected, abs=5 * spread)
    np.testing.assert_allclose((x - np.outer(x @ mean, mean)).mean(axis=0), 0.0, atol=0.03)


def test_von_mises_fisher_in_dimension_3_has_its_distribution_function():
    """For d = 3, (exp(kappa u) - exp(-kappa)) / (exp(kappa) - exp(-kappa)) at u = <mean, x>."""
    kappa = 3.0
    u = points("von_mises_fisher", n=5_000, mean=CENTRE.tolist(), kappa=kappa) @ CENTRE
    assert kstest(u, lambda t: np.expm1(kappa * (t + 1)) / np.expm1(2 * kappa)).pvalue > 1e-3


def test_von_mises_fisher_keeps_its_digits_at_large_kappa():
    """kappa theta^2 / 2 is exponential of mean 1 in d = 3 as kappa grows."""
    theta = angle(points("von_mises_fisher", n=5_000, mean=CENTRE.tolist(), kappa=1e6), CENTRE[None])
    assert kstest(1e6 * theta**2 / 2, "expon").pvalue > 1e-3


@pytest.mark.parametrize("dimension", DIMENSIONS)
@pytest.mark.parametrize("radius_deg", [1.0, 40.0, 90.0, 150.0, 180.0])
def test_cap_is_uniform(dimension, radius_deg):
    """The mass within angle theta is int_0^theta sin^{d-2} over int_0^radius sin^{d-2}, here by quadrature."""
    centre = np.eye(dimension)[0]
    radius = np.deg2rad(radius_deg)
    theta = angle(
        points("cap", n=4_000, dimension=dimension, center=centre.tolist(), radius_deg=radius_deg), centre[None]
    )
    assert theta.max() <= radius + 1e-12
    grid = np.linspace(0, radius, 4_001)
    density = np.sin((grid[1:] + grid[:-1]) / 2) ** (dimension - 2)
    mass = np.concatenate([[0.0], np.cumsum(density)]) / density.sum()
    assert kstest(theta, lambda t: np.interp(t, grid, mass)).pvalue > 1e-3


@pytest.mark.parametrize("dimension", (3, 4, 7))
@pytest.mark.parametrize("radius_deg", [0.5, 35.0, 90.0, 170.0])
def test_ring_is_at_its_radius_and_evenly_spaced(dimension, radius_deg):
    centre = normalise(np.arange(1.0, dimension + 1))
    x = points("ring", n=40, dimension=dimension, center=centre.tolist(), radius_deg=radius_deg)
    np.testing.assert_allclose(angle(x, centre[None]), np.deg2rad(radius_deg), atol=1e-14)
    chord = 2 * np.sin(np.deg2rad(radius_deg)) * np.sin(np.pi / 40)
    np.testing.assert_allclose(np.linalg.norm(x - np.roll(x, 1, axis=0), axis=1), chord, atol=1e-14)


def test_great_circle_is_orthogonal_to_its_normal_and_balanced():
    x = points("great_circle", n=12, normal=CENTRE.tolist())
    np.testing.assert_allclose(x @ CENTRE, 0.0, atol=1e-15)
    np.testing.assert_allclose(x.sum(axis=0), 0.0, atol=1e-14)
    np.testing.assert_allclose(angle(x, np.roll(x, 1, axis=0)), np.pi / 6, atol=1e-14)


def test_spiral_without_turns_is_a_geodesic():
    x = points("spiral", n=10, center=CENTRE.tolist(), radius_deg=50, turns=0)
    np.testing.assert_allclose(angle(x, CENTRE[None]), np.deg2rad(50) * (np.arange(10) + 0.5) / 10, atol=1e-9)


def test_spiral_is_evenly_spaced_and_winds_as_often_as_asked():
    x = points("spiral", n=3_000, center=CENTRE.tolist(), radius_deg=60, turns=4)
    gaps = angle(x[1:], x[:-1])
    # Chords of the tight first winding are a little shorter than its arcs.
    np.testing.assert_allclose(gaps[100:], gaps[-1], rtol=1e-3)
    east, north = tangent_frame(CENTRE)
    bearing = np.unwrap(np.arctan2(x @ north, x @ east))
    assert (bearing[-1] - bearing[0]) / (2 * np.pi) == pytest.approx(4, abs=0.05)
    # Bearing and distance from the centre grow together: Archimedes' spiral.
    np.testing.assert_allclose(angle(x, CENTRE[None])[100:], np.deg2rad(60) * bearing[100:] / (8 * np.pi), atol=2e-3)


def test_fibonacci_covers_the_sphere_evenly():
    x = points("fibonacci", n=1_000)
    np.testing.assert_allclose(x.mean(axis=0), 0.0, atol=2e-3)
    np.testing.assert_allclose(x.T @ x / len(x), np.eye(3) / 3, atol=2e-3)
    gaps = angle(x[:, None], x[None]) + 10 * np.eye(1_000)
    # A hexagonal lattice of 1,000 cells would have gaps of 3.81 / sqrt(1,000).
    assert gaps.min() > 0.7 * 3.81 / np.sqrt(1_000)


def test_text_is_upright_and_readable_from_outside():
    """An L has its long bar on the left and its foot at the bottom, for a viewer outside with north up."""
    x = points("text", n=400, text="L", center=CENTRE.tolist(), size_deg=40)
    forward = -CENTRE  # a viewer outside looks inward
    right = normalise(np.cross(forward, [0, 0, 1]))
    up = np.cross(right, forward)
    across, high = x @ right, x @ up
    assert np.mean(across < 0) > 0.55
    assert np.mean(high < 0) > 0.55
    foot = high < np.quantile(high, 0.2)
    assert across[foot].mean() > across[~foot].mean()


def test_text_has_the_size_asked_along_its_longer_side():
    east, north = tangent_frame(CENTRE)
    for text, along in (("I", north), ("wide text", east)):
        x = points("text", n=5_000, text=text, center=CENTRE.tolist(), size_deg=30)
        # Distance along the axis, back through the exponential map.
        theta = angle(x, CENTRE[None])
        reach = (x @ along) * theta / np.sin(theta)
        assert np.rad2deg(np.ptp(reach)) == pytest.approx(30, abs=0.2)
        assert np.rad2deg(reach.max() + reach.min()) == pytest.approx(0, abs=0.2)


def test_text_is_evenly_spaced_along_its_outline():
    x = points("text", n=2_000, text="V", size_deg=60)
    gaps = angle(x[1:], x[:-1])
    # A V is one outline with seven corners; elsewhere neighbours are one arc apart.
    assert np.sum(np.abs(gaps / np.median(gaps) - 1) > 1e-3) <= 7


@pytest.mark.parametrize("text", ["", "  ", "two\nlines", "x" * 41, 7, None, "\x00"])
def test_text_is_one_line(text):
    with pytest.raises(InputError, match=r'"text" is .*: give one line of 1 to 40 characters'):
        generator("text", {"text": text})


def test_text_the_font_cannot_draw_is_refused():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InputError, match="which the font DejaVu Sans cannot draw"):
            points("text", text="A漢")
        with pytest.raises(InputError, match="has no outline"):
            points("text", text="\N{BRAILLE PATTERN BLANK}")


def test_text_takes_a_dollar_for_a_dollar():
    assert not np.array_equal(points("text", text="$x$"), points("text", text="x"))


PARTS = [
    {"generator": "cap", "params": {"radius_deg": 10}},
    {"generator": "cap", "params": {"center": [0, 0, -1], "radius_deg": 10}},
]


def test_mixture_of_random_parts_draws_each_atom_by_its_share():
    """The share of the first part over seeds is binomial: mean 0.75, standard deviation sqrt(0.75 0.25 / n)."""
    n = 400
    shares = [np.mean(points("mixture", n=n, seed=k, parts=PARTS, shares=[3, 1])[:, 2] > 0) for k in range(50)]
    sigma = np.sqrt(0.75 * 0.25 / n)
    assert np.mean(shares) == pytest.approx(0.75, abs=4 * sigma / np.sqrt(50))
    assert 0.5 * sigma < np.std(shares) < 2 * sigma


def test_mixture_with_an_even_part_keeps_to_its_shares():
    parts = [{"generator": "ring", "params": {"radius_deg": 10}}, PARTS[1]]
    for seed in range(5):
        x = points("mixture", n=11, seed=seed, parts=parts, shares=[2, 1])
        assert np.sum(x[:, 2] > 0) == 7  # 7.33 and 3.67: the second has the larger remainder
    np.testing.assert_allclose(np.rad2deg(angle(x[:7], np.array([[0.0, 0.0, 1.0]]))), 10)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"parts": []}, "must be a list of 1 to 64 objects"),
        ({"parts": "ring"}, "must be a list of 1 to 64 objects"),
        ({"parts": ["ring"]}, "has no generator at place 1"),
        ({"parts": [{"params": {}}]}, "has no generator at place 1"),
        ({"parts": [{"generator": "ring", "params": 3}]}, "has no generator at place 1"),
        ({"parts": [{"generator": "ring", "n": 5}]}, 'has "n" in part 1'),
        ({"parts": [{"generator": "ring", "params": {"radius_deg": 0}}]}, '"radius_deg" is 0: give a number from'),
        ({"parts": [{"generator": "blob"}]}, 'generator "blob" is unknown'),
        ({"parts": [{"generator": "mixture"}]}, "has a mixture as part 1"),
        ({"parts": PARTS, "shares": [1]}, 'there are 2 "parts" and 1 "shares"'),
        ({"parts": PARTS, "shares": [1, 0]}, "give one positive number a part"),
        ({"parts": PARTS, "shares": [1, float("nan")]}, "give one positive number a part"),
        ({"parts": PARTS, "shares": 2}, "give one positive number a part"),
    ],
)
def test_a_malformed_mixture_gives_its_sentence(params, sentence):
    with pytest.raises(InputError, match=sentence):
        generator("mixture", params)


def test_a_mixture_refuses_a_dimension_its_parts_refuse():
    with pytest.raises(InputError, match="needs dimension 3"):
        points("mixture", dimension=2, parts=[{"generator": "ring"}])


@pytest.mark.parametrize("centre", [[0, 0, 1], [0, 0, -1], [1, 0, 0], [0.3, -0.8, 0.5], [1e-12, 0, 1]])
def test_the_tangent_frame_is_right_handed_about_the_outward_normal(centre):
    outward = normalise(np.array(centre, dtype=float))
    east, north = tangent_frame(outward)
    np.testing.assert_allclose(np.cross(east, north), outward, atol=1e-14)
    assert north[2] >= -1e-15
