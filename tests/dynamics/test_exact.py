"""Closed-form flows: each equals the general integrator, can be read back from its segment, and is undone by its reverse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtm_viz.construction.reverse import reversed_form
from mtm_viz.dynamics.exact import Boost, ClosedForm, Gate, Gates, MeanField, Rotation, recognise
from mtm_viz.dynamics.field import velocity
from mtm_viz.dynamics.integrate import adaptive
from mtm_viz.sphere import angle, normalise, rotation_between

KINDS = ("boost", "rotation", "gate", "gate backwards", "gates", "gates backwards", "mean field")


def a_form(kind: str, dimension: int, rng: np.random.Generator) -> ClosedForm:
    x, y = normalise(rng.normal(size=(2, dimension)))
    if kind == "boost":
        return Boost(x, rng.uniform(0.1, 3.0))
    if kind == "rotation":
        e, phi = rotation_between(x, y)
        return Rotation.in_plane(x, e, phi)
    if kind == "mean field":
        return MeanField(rng.normal(size=(dimension, dimension)), rng.normal(size=dimension), rng.uniform(0.1, 1.0))
    if kind.startswith("gates"):
        # Caps about three orthogonal directions, each less than 45 degrees wide, meet nowhere.
        centres = np.linalg.qr(rng.normal(size=(dimension, dimension)))[0][:3]
        together = Gates.together(
            [
                Gate(
                    a,
                    rng.uniform(0.75, 0.9),
                    normalise(a + 0.3 * normalise(rng.normal(size=dimension))),
                    rng.uniform(0.1, 4.0),
                )
                for a in centres
            ]
        )
        return reversed_form(together) if kind.endswith("backwards") else together
    sign = -1.0 if kind == "gate backwards" else 1.0
    tau = rng.uniform(-0.2, 0.5)
    # Keep away from <a, omega> = +-tau, where no closed form is claimed.
    while min(abs(x @ y - tau), abs(x @ y + tau)) < 0.02:
        y = normalise(rng.normal(size=dimension))
    return Gate(x, tau, y, sign * rng.uniform(0.1, 4.0))


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 2**32 - 1), dimension=st.integers(3, 5))
def test_a_closed_form_equals_the_integrator(kind: str, seed: int, dimension: int) -> None:
    rng = np.random.default_rng(seed)
    form = a_form(kind, dimension, rng)
    points, weights = normalise(rng.normal(size=(12, dimension))), rng.dirichlet(np.ones(12))
    segment = form.segment("match")
    integrated = adaptive(
        lambda x: velocity(x, weights, segment), points, segment.duration, method="dop853", rtol=1e-11
    )
    assert angle(form.flow(points, weights), integrated).max() < 1e-9


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 2**32 - 1), dimension=st.integers(3, 5))
def test_a_closed_form_is_read_back_from_its_segment(kind: str, seed: int, dimension: int) -> None:
    rng = np.random.default_rng(seed)
    form = a_form(kind, dimension, rng)
    points, weights = normalise(rng.normal(size=(12, dimension))), rng.dirichlet(np.ones(12))
    # Neither the gauge nor the clock may hide it.
    segment = form.segment("match").rescaled(0.37).gauged()
    found = recognise(segment)
    assert type(found) is type(form)
    assert found is not None
    assert angle(found.flow(points, weights), form.flow(points, weights)).max() < 1e-11


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 2**32 - 1), dimension=st.integers(3, 5))
def test_a_closed_form_is_undone_by_its_reverse(kind: str, seed: int, dimension: int) -> None:
    rng = np.random.default_rng(seed)
    form = a_form(kind, dimension, rng)
    points, weights = normalise(rng.normal(size=(12, dimension))), rng.dirichlet(np.ones(12))
    back = reversed_form(form)
    there = form.flow(points, weights)
    # What has run close to an attractor has lost those digits for good; a strong contraction is not a bug.
    spread = np.linalg.norm(there[:, None] - there[None], axis=-1) / (
        np.linalg.norm(points[:, None] - points[None], axis=-1) + np.eye(12)
    )
    lost = 1.0 / max(spread[~np.eye(12, dtype=bool)].min(), 1e-12)
    assert angle(back.flow(there, weights), points).max() < max(1e-9, 1e-13 * lost**2)


@given(seed=st.integers(0, 2**32 - 1), dimension=st.integers(3, 5))
def test_a_gate_leaves_what_is_outside_bit_for_bit(seed: int, dimension: int) -> None:
    rng = np.random.default_rng(seed)
    gate = a_form("gate", dimension, rng)
    assert isinstance(gate, Gate)
    points = normalise(rng.normal(size=(200, dimension)))
    outside = ~gate.inside(points)
    assert np.array_equal(gate.flow(points)[outside], points[outside])
    # The definition agrees: the velocity there is zero exactly.
    assert not velocity(points[outside], np.ones(outside.sum()), gate.segment("match")).any()


@given(seed=st.integers(0, 2**32 - 1))
def test_flows_stay_on_the_sphere(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points, weights = normalise(rng.normal(size=(40, 4))), np.full(40, 1 / 40)
    for kind in KINDS:
        flown = a_form(kind, 4, rng).flow(points, weights)
        assert np.abs(np.linalg.norm(flown, axis=1) - 1).max() < 1e-14


def test_a_general_segment_has_no_closed_form() -> None:
    rng = np.random.default_rng(0)
    segment = MeanField(np.eye(3), np.zeros(3), 1.0).segment("disentangle")
    assert recognise(type(segment)(1.0, segment.V, np.eye(3), segment.W, segment.U, segment.b, "disentangle")) is None
    general = type(segment)(1.0, np.zeros((3, 3)), np.zeros((3, 3)), *rng.normal(size=(2, 3, 3)), np.zeros(3), "match")
    assert recognise(general) is None


def test_a_boost_moves_the_antipode_nowhere_and_keeps_its_digits_near_it() -> None:
    omega = np.array([0.0, 0.0, 1.0])
    near = normalise(np.array([[1e-9, 0.0, -1.0], [0.0, 0.0, -1.0]]))
    moved = Boost(omega, 10.0).flow(near)
    assert np.array_equal(moved[1], -omega)
    # tan(theta/2) -> e^-s tan(theta/2): the angle from the antipode grows by e^10.
    assert angle(moved[:1], -omega[None])[0] == pytest.approx(2 * np.arctan(np.exp(10.0) * np.tan(0.5e-9)), rel=1e-6)
