"""Each phase keeps its claim, whatever the clouds look like."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mtm_viz.construction.condition import Differential, differentials, gate_differential, largest_singular_value
from mtm_viz.construction.disentangle import Demand, disentangle
from mtm_viz.construction.gather import LEAST_RADIUS, MOST_RADIUS, enclosing_radius, gather
from mtm_viz.construction.hulls import certified_separation, separation
from mtm_viz.construction.one_at_a_time import one_at_a_time
from mtm_viz.construction.pipeline import Goal, construct
from mtm_viz.construction.planner import EXACT, plan
from mtm_viz.construction.rotate import align, rotate
from mtm_viz.construction.stage import Cloud, Clouds, union
from mtm_viz.construction.unbalance import unbalance
from mtm_viz.dynamics.exact import Boost, Gate, MeanField
from mtm_viz.sphere import angle, normalise, tangent_basis


def cloud(points: np.ndarray) -> Cloud:
    return Cloud(points, np.full(len(points), 1 / len(points)))


def ring(radius: float, n: int = 16, turn: float = 0.0) -> np.ndarray:
    t = turn + 2 * np.pi * np.arange(n) / n
    return np.c_[np.sin(radius) * np.cos(t), np.sin(radius) * np.sin(t), np.full(n, np.cos(radius))]


def random_clouds(seed: int, count: int, n: int = 10, d: int = 3, spread: float = 0.5) -> Clouds:
    rng = np.random.default_rng(seed)
    return tuple(
        cloud(normalise(normalise(rng.normal(size=d)) * rng.uniform(0.3, 1.5) + spread * rng.normal(size=(n, d))))
        for _ in range(count)
    )


@given(seed=st.integers(0, 2**32 - 1), spread=st.sampled_from([1e-3, 0.1, 1.0, 10.0]), d=st.integers(3, 5))
def test_gathering_brings_the_union_into_the_promised_cap(seed: int, spread: float, d: int) -> None:
    clouds = random_clouds(seed, 2, d=d, spread=spread)
    stage, centre = gather(clouds)
    radius = enclosing_radius(union(stage.flow(clouds)), centre)
    assert radius == pytest.approx(stage.value, abs=1e-9)
    assert LEAST_RADIUS - 1e-9 <= radius <= MOST_RADIUS + 1e-9


@given(seed=st.integers(0, 2**32 - 1), d=st.integers(3, 5))
def test_rotations_carry_the_centre_to_the_pole_and_keep_all_angles(seed: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    start, end = normalise(rng.normal(size=(2, d)))
    stage = rotate(start, end)
    assert stage.value < 1e-12
    points = normalise(rng.normal(size=(8, d)))
    (turned,) = stage.flow((cloud(points),))
    assert turned.points @ turned.points.T == pytest.approx(points @ points.T, abs=1e-12)


@given(seed=st.integers(0, 2**32 - 1), d=st.integers(3, 5))
def test_aligning_undoes_a_turn_about_the_pole(seed: int, d: int) -> None:
    clouds = random_clouds(seed, 4, d=d)
    pole = np.eye(d)[-1]
    rng = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(rng.normal(size=(d - 1, d - 1)))
    turn[:, 0] *= np.sign(np.linalg.det(turn))
    R = np.eye(d)
    R[: d - 1, : d - 1] = turn
    turned = tuple(Cloud(x.points @ R.T, x.weights) for x in clouds)
    back = align(turned, clouds, pole).flow(turned)
    # A half turn has no unique generator and is left alone; every other turn is undone.
    if np.linalg.eigvals(turn).real.min() > -0.999:
        assert angle(union(back), union(clouds)).max() < 1e-6


def test_separation_knows_apart_from_overlapping() -> None:
    apart = [ring(0.3) @ np.diag([1, 1, 1.0]), normalise(ring(0.3) + np.array([2.0, 0.0, 0.0]))]
    assert separation(apart) > 0.1
    assert certified_separation(apart) >= separation(apart)
    # Concentric rings: each hull lies within the other's.
    assert certified_separation([ring(0.3), ring(0.6)]) <= 0


CASES = {
    "concentric rings": ((ring(0.3), ring(0.6)), 3),
    "three concentric rings": ((ring(0.2), ring(0.4), ring(0.6)), 3),
    "a ring and itself turned": ((ring(0.5, 8), ring(0.5, 8, np.pi / 8)), 3),
    "antipodally symmetric": ((np.r_[ring(0.5, 8), -ring(0.5, 8)], np.r_[ring(0.8, 8), -ring(0.8, 8)]), 3),
    "sharing all but one atom": ((ring(0.5, 12), np.r_[ring(0.5, 12)[1:], [[0.0, 0.0, 1.0]]]), 3),
}


@pytest.mark.parametrize("name", CASES)
def test_measures_with_equal_or_zero_barycentres_are_pulled_apart(name: str) -> None:
    shapes, _ = CASES[name]
    clouds = tuple(cloud(shape) for shape in shapes)
    stage, centre = gather(clouds)
    clouds = stage.flow(clouds)
    unbalanced, candidate = unbalance(clouds, centre, Demand(), lambda: None)
    assert candidate is not None
    clouds = unbalanced.flow(clouds)
    after = [candidate.form.flow(*cloud) for cloud in clouds]
    assert certified_separation(after) >= Demand().margin * 0.99


@pytest.mark.parametrize("name", CASES)
def test_awkward_measures_reach_their_targets(name: str) -> None:
    shapes, d = CASES[name]
    inputs = tuple(cloud(shape) for shape in shapes)
    rng = np.random.default_rng(1)
    targets = tuple(
        cloud(normalise(rng.normal(size=shape.shape) + 1.5 * np.eye(d)[i % d])) for i, shape in enumerate(shapes)
    )
    assert reached(inputs, targets) < 1e-8


@given(
    seed=st.integers(0, 2**32 - 1),
    count=st.integers(1, 4),
    d=st.integers(3, 5),
    spread=st.sampled_from([0.05, 0.5, 3.0]),
)
@settings(max_examples=12)
def test_random_measures_reach_their_targets(seed: int, count: int, d: int, spread: float) -> None:
    inputs = random_clouds(seed, count, d=d, spread=spread)
    assert reached(inputs, random_clouds(seed + 1, count, d=d, spread=0.6)) < 1e-7


def reached(inputs: Clouds, targets: Clouds) -> float:
    """The largest distance from an image to its nearest target atom, all target atoms hit once, by the closed forms."""
    goals = tuple(Goal(target.points, target.weights, np.ones(len(target.points), dtype=int)) for target in targets)
    solved = construct(inputs, goals, progress=lambda _sentence, _fraction: None)
    clouds = inputs
    for stage in solved.stages:
        clouds = stage.flow(clouds)
    worst = 0.0
    for image, target in zip(clouds, targets, strict=True):
        distances = angle(image.points[:, None], target.points[None])
        assert sorted(distances.argmin(axis=1)) == list(range(len(target.points)))
        worst = max(worst, float(distances.min(axis=1).max()))
    assert len(solved.schedule) <= 2 * solved.atoms + 12 * len(inputs) + 8
    assert max(len(carried.moves) for carried in solved.journeys) <= 4
    return worst


def test_the_differential_of_a_mean_field_is_that_of_finite_differences() -> None:
    rng = np.random.default_rng(0)
    points, weights = normalise(rng.normal(size=(5, 3))), rng.dirichlet(np.ones(5))
    form = MeanField(rng.normal(size=(3, 3)), rng.normal(size=3), 0.7)
    factors = differentials(form, Cloud(points, weights))
    direction = rng.normal(size=points.shape)
    direction -= (direction * points).sum(axis=1, keepdims=True) * points
    h = 1e-5
    ends = [form.flow(normalise(points + sign * h * direction), weights) for sign in (1, -1)]
    image = direction.ravel()
    for factor in factors:
        image = factor @ image
    assert image == pytest.approx(((ends[0] - ends[1]) / (2 * h)).ravel(), abs=1e-6)


@given(seed=st.integers(0, 2**32 - 1), d=st.integers(3, 5))
def test_the_differential_of_a_gate_is_that_of_finite_differences(seed: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    a, omega, x = normalise(rng.normal(size=(3, d)) + 1.5 * np.eye(d)[0])
    tau = 0.3 * float(min(a @ omega, a @ x))
    assume(float(a @ omega) - tau > 0.05 and float(a @ x) - tau > 0.05 and angle(x, omega) > 0.05)
    gate = Gate(a, tau, omega, rng.uniform(0.1, 3.0))
    found = gate_differential(gate, x, gate.flow(x[None])[0])
    h = 1e-5
    for tangent in tangent_basis(x):
        ends = gate.flow(normalise(np.stack([x + h * tangent, x - h * tangent])))
        assert found @ tangent == pytest.approx((ends[0] - ends[1]) / (2 * h), abs=1e-6)


def test_the_differential_of_a_boost_stretches_by_the_conformal_factor() -> None:
    rng = np.random.default_rng(0)
    points = normalise(rng.normal(size=(5, 3)))
    form = Boost(np.array([0.0, 0.0, 1.0]), 1.3)
    for x, block, factor in zip(
        points, differentials(form, cloud(points))[0].blocks, form.stretch(points), strict=True
    ):
        tangent = np.linalg.svd(np.eye(3) - np.outer(x, x))[0][:, :2]
        assert np.linalg.svd(block @ tangent)[1] == pytest.approx([factor, factor])


def test_the_largest_singular_value_of_a_chain_is_that_of_its_matrix() -> None:
    rng = np.random.default_rng(0)
    chain = [
        Differential(rng.normal(size=(20, 3, 3)), rng.normal(size=(60, 4)), rng.normal(size=(4, 60))),
        Differential(rng.normal(size=(20, 3, 3))),
    ]
    J = np.eye(60)
    for factor in chain:
        J = np.stack([factor @ column for column in J.T], axis=1)
        transposed = np.stack([factor.adjoint(e) for e in np.eye(60)])
        assert np.stack([factor @ e for e in np.eye(60)], axis=1) == pytest.approx(transposed)
    assert largest_singular_value(chain) == pytest.approx(np.linalg.norm(J, 2), rel=1e-6)


def test_disentangling_takes_the_least_time_that_separates() -> None:
    clouds = random_clouds(5, 2, spread=0.3)
    stage, centre = gather(clouds)
    clouds = stage.flow(clouds)
    candidate = disentangle(clouds, centre, Demand())
    assert candidate is not None
    shorter = MeanField(candidate.form.V, candidate.form.drift, 0.8 * candidate.form.duration)
    assert separation([shorter.flow(*cloud) for cloud in clouds]) < Demand().margin


@pytest.mark.parametrize("seed", range(4))
def test_one_at_a_time_every_measure_leaves_while_the_others_rest(seed: int) -> None:
    clouds = random_clouds(seed, 3, spread=0.25)
    pole = normalise(union(clouds).mean(axis=0))
    forms = one_at_a_time(clouds, pole, 0.012, lambda: None)
    assert forms is not None
    assert len(forms) == 2
    for form in forms:
        moved = [float(np.abs(form.flow(*x) - x.points).max()) > 1e-9 for x in clouds]
        assert sum(moved) <= 1
        clouds = tuple(Cloud(form.flow(*x), x.weights) for x in clouds)
    assert separation([x.points for x in clouds]) > 0


def test_one_at_a_time_gives_up_where_a_barycentre_lies_in_the_hull_of_the_others() -> None:
    same = ring(0.5)
    turned = ring(0.5, turn=0.1)
    assert one_at_a_time((cloud(same), cloud(turned)), np.array([0.0, 0.0, 1.0]), 0.012, lambda: None) is None


def test_a_second_way_is_taken_where_the_first_is_not_good_enough() -> None:
    inputs, targets = random_clouds(0, 2, 4), random_clouds(7, 2, 4)
    goals = tuple(Goal(x.points, x.weights, np.ones(4, dtype=int)) for x in targets)
    values = iter((3.0, 2.0, 5.0))
    chosen, attempts = plan(
        inputs, goals, demands=EXACT, judge=lambda _: next(values), seed=0, width=None, progress=lambda *_: None
    )
    assert [attempt.taken for attempt in attempts] == [False, True, False]
    assert attempts[1].road == chosen.road
