"""The integrator table: every method has the order it claims, error estimates included, and stays on the sphere."""

import numpy as np
import pytest

from mtm_viz.dynamics.integrate import BLOCK, METHODS, adaptive, combine, fixed_steps, step
from mtm_viz.errors import InputError
from mtm_viz.sphere import angle, normalise, project_tangent

POINTS = normalise(np.random.default_rng(3).normal(size=(6, 3)))
A = np.random.default_rng(4).normal(size=(3, 3))


def field(x: np.ndarray) -> np.ndarray:
    """Smooth, nonlinear, not symmetric."""
    return project_tangent(x, np.tanh(x @ A.T) + 0.3 * x[:, [1, 2, 0]] ** 2)


REFERENCE = fixed_steps(field, POINTS, 1.0, 400, "dop853")


@pytest.mark.parametrize("name", METHODS)
def test_the_measured_order_is_the_claimed_order(name: str) -> None:
    order = METHODS[name].order
    coarse = {1: 64, 3: 16, 4: 12, 5: 8, 8: 4}[order]
    errors = [angle(fixed_steps(field, POINTS, 1.0, steps, name), REFERENCE).max() for steps in (coarse, 2 * coarse)]
    measured = np.log2(errors[0] / errors[1])
    assert abs(measured - order) < (0.25 if order < 5 else 0.8)


@pytest.mark.parametrize("name", [name for name, tableau in METHODS.items() if tableau.error is not None])
def test_rows_sum_to_the_nodes_and_error_weights_to_zero(name: str) -> None:
    tableau = METHODS[name]
    assert tableau.b.sum() == pytest.approx(1.0, abs=1e-14)
    assert tableau.error is not None
    assert tableau.error.sum() == pytest.approx(0.0, abs=1e-13)


@pytest.mark.parametrize("name", [name for name, tableau in METHODS.items() if tableau.error is not None])
@pytest.mark.parametrize("rtol", [1e-6, 1e-10])
def test_adaptive_steps_keep_the_asked_accuracy(name: str, rtol: float) -> None:
    if name == "bs32" and rtol < 1e-8:
        pytest.skip("an order-3 pair would take a million steps")
    reached = adaptive(field, POINTS, 1.0, method=name, rtol=rtol)
    assert angle(reached, REFERENCE).max() < 1000 * rtol
    assert np.abs(np.linalg.norm(reached, axis=1) - 1).max() < 1e-15


def test_a_single_step_is_not_projected_but_its_stages_are_the_field() -> None:
    moved, stages = step(field, POINTS, 0.1, METHODS["rk4"])
    assert stages.shape == (4, 6, 3)
    assert np.array_equal(stages[0], field(POINTS))
    assert np.abs(np.linalg.norm(moved, axis=1) - 1).max() > 0


@pytest.mark.parametrize("n", [1, 40, BLOCK, 2 * BLOCK + 5])
def test_stages_are_combined_in_any_number(n: int) -> None:
    stages = np.random.default_rng(n).normal(size=(4, n, 3))
    expected = sum(c * stage for c, stage in zip((0.5, -1.0, 0.0, 2.0), stages, strict=True))
    np.testing.assert_allclose(combine(np.array([0.5, -1.0, 0.0, 2.0]), stages), expected, atol=1e-14)


def test_what_does_not_move_is_returned_as_it_is() -> None:
    assert adaptive(np.zeros_like, POINTS, 1.0) is POINTS


def test_bad_methods_are_named() -> None:
    with pytest.raises(InputError, match="unknown"):
        adaptive(field, POINTS, 1.0, method="magic")
    with pytest.raises(InputError, match="no error estimate"):
        adaptive(field, POINTS, 1.0, method="rk4")


def test_a_tick_may_stop_the_work() -> None:
    class Enough(Exception):
        pass

    def tick() -> None:
        raise Enough

    with pytest.raises(Enough):
        adaptive(field, POINTS, 1.0, tick=tick)


def test_too_many_steps_are_said() -> None:
    with pytest.raises(ArithmeticError, match="3 steps"):
        adaptive(field, POINTS, 50.0, most_steps=3)
