"""One table of explicit Runge-Kutta methods and one stepper, on the sphere: projected after each accepted step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import device
from scipy.integrate import DOP853

from mtm_viz.backend import beside, namespace
from mtm_viz.errors import InputError
from mtm_viz.sphere import norm, normalise

Field = Callable[[Any], Any]
#: Numbers of a state that are combined at once on the host.
BLOCK = 4096


@dataclass(frozen=True)
class Tableau:
    """Butcher coefficients: stages a (s, s), weights b (s,); error (s,) = b - b_hat where a pair is embedded.

    An error estimate of order q scales as h^(q+1). `second` is the 3rd-order estimate of the 8(5,3) pair.
    """

    a: np.ndarray
    b: np.ndarray
    order: int
    error: np.ndarray | None = None
    error_order: int = 0
    second: np.ndarray | None = None


def _rows(*rows: tuple[float, ...]) -> np.ndarray:
    a = np.zeros((len(rows), len(rows)))
    for i, row in enumerate(rows):
        a[i, : len(row)] = row
    return a


#: Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19-26.
_DOPRI5 = (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84)

METHODS: dict[str, Tableau] = {
    "euler": Tableau(_rows(()), np.array([1.0]), 1),
    "rk4": Tableau(_rows((), (0.5,), (0.0, 0.5), (0.0, 0.0, 1.0)), np.array([1, 2, 2, 1]) / 6, 4),
    # Bogacki and Shampine, Appl. Math. Lett. 2 (1989) 321-325.
    "bs32": Tableau(
        _rows((), (1 / 2,), (0.0, 3 / 4), (2 / 9, 1 / 3, 4 / 9)),
        np.array([2 / 9, 1 / 3, 4 / 9, 0.0]),
        3,
        np.array([2 / 9 - 7 / 24, 1 / 3 - 1 / 4, 4 / 9 - 1 / 3, -1 / 8]),
        2,
    ),
    "dopri54": Tableau(
        _rows(
            (),
            (1 / 5,),
            (3 / 40, 9 / 40),
            (44 / 45, -56 / 15, 32 / 9),
            (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
            (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
            _DOPRI5,
        ),
        np.array([*_DOPRI5, 0.0]),
        5,
        np.array([71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]),
        4,
    ),
    # Hairer, Norsett and Wanner, Solving ODEs I, II.5; coefficients as SciPy publishes them.
    "dop853": Tableau(
        np.asarray(DOP853.A), np.asarray(DOP853.B), 8, np.asarray(DOP853.E5)[:12], 7, np.asarray(DOP853.E3)[:12]
    ),
}


def step(field: Field, x: Any, h: float, tableau: Tableau) -> tuple[Any, Any]:
    """One step of size h from x (n, d), not projected: (x + h sum b_i k_i, stages k (s, n, d))."""
    xp = namespace(x)
    stages = xp.empty((len(tableau.b), *x.shape), dtype=x.dtype, device=device(x))
    for i in range(len(tableau.b)):
        shifted = x + h * combine(tableau.a[i, :i], stages[:i, ...]) if i else x
        stages[i, ...] = field(shifted)
    return x + h * combine(tableau.b, stages), stages


def combine(coefficients: np.ndarray, stages: Any) -> Any:
    """sum_i c_i k_i over the first axis of stages (s, n, d)."""
    xp = namespace(stages)
    flat = xp.reshape(stages, (stages.shape[0], -1))
    if type(stages) is not np.ndarray or flat.shape[1] <= BLOCK:
        return xp.reshape(beside(coefficients, stages) @ flat, stages.shape[1:])
    # Blocks stay in the nearest cache, and BLAS does not divide them among threads: six times faster.
    found = np.empty(flat.shape[1], dtype=stages.dtype)
    for start in range(0, len(found), BLOCK):
        np.matmul(coefficients, flat[:, start : start + BLOCK], out=found[start : start + BLOCK])
    return found.reshape(stages.shape[1:])


def fixed_steps(field: Field, x: Any, duration: float, steps: int, method: str = "rk4") -> Any:
    """`steps` equal steps of x' = field(x), each projected to the sphere. x (n, d)."""
    tableau = _method(method)
    for _ in range(steps):
        x = normalise(step(field, x, duration / steps, tableau)[0])
    return x


def adaptive(
    field: Field,
    x: Any,
    duration: float,
    *,
    method: str = "dopri54",
    rtol: float = 1e-10,
    most_steps: int = 100_000,
    tick: Callable[[], None] | None = None,
) -> Any:
    """Integrate x' = field(x) on the sphere over `duration`, each particle's error a step at most rtol.

    x (n, d), unit rows. The step is accepted when the largest particle's estimated error (a chord, so an
    angle to first order; the sphere's radius 1 is the scale) is below rtol; then every row is normalised.
    `tick` is called once a step, and may raise to cancel.

    Raises InputError for a method without an error estimate, ArithmeticError where `most_steps` do not do.
    """
    tableau = _method(method)
    if tableau.error is None:
        raise InputError(f"integrator '{method}' has no error estimate: use bs32, dopri54 or dop853")
    xp = namespace(x)
    speed = float(xp.max(norm(field(x))))
    if duration == 0 or speed == 0:
        return x
    t, exponent = 0.0, 1.0 / (tableau.error_order + 1)
    # A gate starts slowly and gathers speed: its first speed says little about the steps to come.
    h = min(duration / 16, 0.1 / speed)
    for _ in range(most_steps):
        if tick is not None:
            tick()
        h = min(h, duration - t)
        moved, stages = step(field, x, h, tableau)
        error = h * _estimate(tableau, stages) / rtol
        if error <= 1.0:
            t += h
            x = normalise(moved)
            if t >= duration * (1 - 1e-15):
                return x
        h *= min(8.0, max(0.2, 0.9 * max(error, 1e-12) ** -exponent))
    raise ArithmeticError(f"{most_steps} steps of {method} at rtol {rtol:g} did not reach the end of a segment")


def _estimate(tableau: Tableau, stages: Any) -> float:
    """The largest particle's error rate; for 8(5,3), Hairer's blend |e5|^2 / sqrt(|e5|^2 + 0.01 |e3|^2)."""
    xp = namespace(stages)
    assert tableau.error is not None
    error = norm(combine(tableau.error, stages))
    if tableau.second is not None:
        rough = norm(combine(tableau.second, stages))
        below = xp.sqrt(error * error + 0.01 * rough * rough)
        error = error * error / xp.where(below > 0, below, xp.ones_like(below))
    return float(xp.max(error))


def _method(name: str) -> Tableau:
    if name not in METHODS:
        raise InputError(f"integrator '{name}' is unknown: use one of {', '.join(METHODS)}")
    return METHODS[name]
