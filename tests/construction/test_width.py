"""Gates that share segments: what may share one, how few segments do, and turning with fewer than d units."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from mtm_viz.construction.disentangle import Demand
from mtm_viz.construction.gates import landing
from mtm_viz.construction.journey import Carried, Side
from mtm_viz.construction.sharing import WIDEST, matching
from mtm_viz.construction.stage import Stage
from mtm_viz.construction.width import Order, boosts_for, depth_by_width, narrowed
from mtm_viz.dynamics.exact import Boost, Gates, Rotation
from mtm_viz.dynamics.field import velocity
from mtm_viz.dynamics.integrate import adaptive
from mtm_viz.sphere import angle, normalise

POLE = np.array([0.0, 0.0, 1.0])
EXACT = Demand(0.012, 1.0)


def on_the_equator(degrees: float) -> np.ndarray:
    turn = np.radians(degrees)
    return np.array([np.cos(turn), np.sin(turn), 0.0])


def carried(start: float, end: float, tau: float) -> Carried:
    """From longitude to longitude (degrees) by a cap about the middle, of radius arccos(tau)."""
    a = on_the_equator((start + end) / 2)
    return Carried(np.array([0]), 0, (landing(a, tau, on_the_equator(start), on_the_equator(end), 0.01),))


def sides(seed: int, count: int, dimension: int) -> tuple[Side, Side, np.ndarray]:
    """Sources about the pole, targets about its antipode, in two measures that lie side by side."""
    rng = np.random.default_rng(seed)
    pole = np.eye(dimension)[-1]
    aside = 0.5 * np.eye(dimension)[0]
    clouds = [normalise(pole + s * aside + 0.3 * rng.uniform(-1, 1, (count, dimension))) for s in (1, -1, 1, -1)]
    kinds = [np.full(count, k) for k in (0, 1)]
    ones, calm = [np.ones(count, dtype=int)] * 2, [np.zeros(dimension)] * 2
    return Side(clouds[:2], kinds, ones, calm), Side([-x for x in clouds[2:]], kinds, ones, calm), pole


def test_gates_at_opposite_places_share_a_segment_and_gates_in_a_row_do_not() -> None:
    journeys = (carried(0, 30, 0.9), carried(180, 210, 0.9), carried(30, 60, 0.9))
    order = Order(journeys, np.empty((0, 3)), regions=False)
    assert order.layers(1) == [[0], [1], [2]]
    assert [sorted(layer) for layer in order.layers(3)] == [[0, 1], [2]]


def test_caps_that_overlap_where_no_atom_goes_share_a_segment_unless_whole_regions_must_commute() -> None:
    journeys = (carried(0, 30, 0.7), carried(75, 105, 0.7))
    assert len(Order(journeys, np.empty((0, 3)), regions=False).layers(2)) == 1
    assert len(Order(journeys, np.empty((0, 3)), regions=True).layers(2)) == 2


@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 7), dimension=st.integers(3, 4))
@settings(max_examples=8)
def test_every_atom_lands_whatever_the_width_and_depth_never_grows(seed: int, count: int, dimension: int) -> None:
    sources, targets, pole = sides(seed, count, dimension)
    depth = np.inf
    for width in (1, 3, 8):
        found = matching(sources, targets, pole, 0, EXACT, width, lambda _sentence, _fraction: None)
        assert len(found.forms) <= depth
        assert dict(found.depths).get(width, len(found.forms)) == len(found.forms)
        depth = len(found.forms)
        points = np.concatenate(sources.points)
        for form in found.forms:
            points = form.flow(points)
        for journey in found.journeys:
            assert angle(points[journey.sources], np.concatenate(targets.points)[journey.target]).max() < 1e-7


def test_a_shared_segment_is_what_its_gates_are_one_after_another() -> None:
    sources, targets, pole = sides(5, 12, 3)
    found = matching(sources, targets, pole, 0, EXACT, 5, lambda _sentence, _fraction: None)
    points = np.concatenate(sources.points)
    shared = 0
    for form in found.forms:
        segment = form.segment("match", 5)
        assert segment.W.shape == (3, 5)
        there = form.flow(points)
        if isinstance(form, Gates):
            shared += 1
            one_by_one = points
            for gate in form.gates:
                one_by_one = gate.flow(one_by_one)
            assert_allclose(one_by_one, there, atol=1e-14)
            weights = np.ones(len(points))
            integrated = adaptive(
                partial(velocity, weights=weights, segment=segment), points, segment.duration, rtol=1e-10
            )
            assert angle(integrated, there).max() < 1e-8
        points = there
    assert shared > 3


def test_widths_double_until_no_depth_is_saved() -> None:
    sources, targets, pole = sides(0, 20, 3)
    depths = matching(sources, targets, pole, 0, EXACT, 3, lambda _sentence, _fraction: None).depths
    widths, segments = zip(*depths, strict=True)
    assert widths == tuple(2**k for k in range(len(widths)))
    assert widths[-1] <= WIDEST
    assert all(more > fewer for more, fewer in pairwise(segments[:-1]))
    assert segments[0] > 2 * segments[-1]


@given(seed=st.integers(0, 2**32 - 1), dimension=st.integers(3, 6), duration=st.floats(0.01, 3.0))
def test_boosts_turn_as_a_rotation_does(seed: int, dimension: int, duration: float) -> None:
    rng = np.random.default_rng(seed)
    generator = rng.normal(size=(dimension, dimension))
    generator -= generator.T
    rotation = Rotation(generator / np.linalg.norm(generator, 2), duration)
    points = turned = normalise(rng.normal(size=(9, dimension)))
    for boost in boosts_for(rotation):
        turned = boost.flow(turned)
    assert_allclose(turned, rotation.flow(points), atol=1e-11)


@pytest.mark.parametrize(("width", "kinds"), [(2, {Boost}), (3, {Rotation})])
def test_a_rotation_stays_where_there_are_units_enough_for_it(width: int, kinds: set[type]) -> None:
    stage = Stage("rotate", (Rotation.in_plane(*np.eye(3)[:2], 1.0),), "", 0.0)
    assert {type(form) for form in narrowed(stage, width).forms} == kinds
    assert all(segment.W.shape == (3, width) for segment in narrowed(stage, width).segments(width))
    assert depth_by_width((stage,), ((2, 5), (3, 4))) == ((2, 8), (3, 5))
