"""One door to all methods of attention: it checks, chooses, and says how the answer was found; it computes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from array_api_compat import is_cupy_namespace, is_numpy_namespace

from mtm_viz.backend import contiguous, namespace, read, row_dot, row_times
from mtm_viz.dynamics.attention import choice, compiled, dense, fourier, harmonic, kernel
from mtm_viz.dynamics.attention.rescue import Direct, Rescue, least, rescue
from mtm_viz.errors import InputError

#: Sources nearer to the sphere than this are on it, as far as a series can tell.
ON_SPHERE = 1e-13
#: Pairs below which array code has answered before Numba is imported.
FEW_PAIRS = 10_000
#: The largest error of a row of A by default.
RTOL = 1e-10


@dataclass(frozen=True, eq=False)
class Attended:
    """values (m, d): A_B[mu] at the queries; method: what computed them.

    degree: of the series, or None; rescued: what was done for the queries that the series lost, or None.
    """

    values: Any
    method: str
    _log: Callable[[], Any]
    degree: int | None = None
    rescued: Rescue | None = None

    @cached_property
    def log_partition(self) -> Any:
        """log sum_j w_j e^{<B x_i, x_j>}, (m,). Computed when asked for: softmax needs no logarithm."""
        return self._log()


def attention(
    points: Any, weights: Any, B: Any, *, queries: Any = None, rtol: float = RTOL, method: str = "auto"
) -> Any:
    """A_B[mu](x_i) = sum_j w_j e^{<B x_i, x_j>} x_j / sum_j w_j e^{<B x_i, x_j>}; (m, d).

    points (n, d) and weights (n,) are mu; queries (m, d), by default the points, are where it is evaluated; B (d, d).
    Largest error of a row at most about rtol. Source: arXiv 2411.04551, (1.2). See `attend` for what else is known.

    >>> import numpy as np
    >>> attention(np.eye(3), np.array([0.5, 0.5, 0.0]), np.zeros((3, 3)))[0]
    array([0.5, 0.5, 0. ])
    """
    return attend(points, weights, B, queries=queries, rtol=rtol, method=method).values


def attend(
    points: Any, weights: Any, B: Any, *, queries: Any = None, rtol: float = RTOL, method: str = "auto"
) -> Attended:
    """Attention, the logarithm of its normaliser, and how they were computed.

    method: "auto" or one of `choice.METHODS`. Weights may be zero, not all; they need not sum to 1.
    Raises InputError for an empty or massless measure, an unknown method, or one that cannot serve here.
    """
    xp = namespace(points, weights, B)
    if points.shape[0] == 0:
        raise InputError("attention over no points is not defined: give at least one")
    x = points if queries is None else queries
    z = row_times(x, contiguous(B.T))
    simply = method == "dense" or x.shape[0] == 0
    # All that Python decides by, in one go: a device is waited for once, and once more by a series' own check.
    r, squares = (None, None) if simply else (xp.sqrt(row_dot(z, z)), row_dot(points, points))
    asked = [] if simply else [xp.max(r), xp.min(squares), xp.max(squares)]
    mass, size, *shape = read(xp.sum(weights), xp.max(xp.abs(B)), *asked)
    if not mass > 0:
        raise InputError("attention over points without mass is not defined: give at least one a positive weight")
    if size == 0:
        mean = xp.sum(weights[:, None] * points, axis=0) / mass
        return Attended(xp.broadcast_to(mean, x.shape), "mean", lambda: xp.zeros_like(x[:, 0]) + float(np.log(mass)))
    if simply:
        return _found(dense.sums(points, weights, z), "dense")
    largest, low, high = shape
    unit = max(1.0 - low, high - 1.0) <= ON_SPHERE
    setting = _setting(points, z, largest, unit, rtol, patient=method != "auto")
    if method == "auto":
        method = choice.choose(setting)
    elif method not in choice.METHODS:
        raise InputError(f"attention method '{method}' is unknown: use auto or one of {', '.join(choice.METHODS)}")
    elif choice.cost(method, setting) == float("inf"):
        raise InputError(f"attention method '{method}' {_refusal(method, setting)}: use auto")
    if method in ("harmonic", "fourier"):
        return _series(method, points, weights, z, r, mass, setting)
    return _found(_direct(method)(points, weights, z), method)


def _found(sums: tuple[Any, Any], method: str) -> Attended:
    values, log = sums
    return Attended(values, method, lambda: log)


def _setting(points: Any, z: Any, largest: float, unit: bool, rtol: float, patient: bool) -> choice.Setting:
    """What the choice of a method depends on. Where not `patient`, Numba is not even imported for a few points."""
    xp = namespace(points, z)
    host = is_numpy_namespace(xp) and (patient or points.shape[0] * z.shape[0] > FEW_PAIRS)
    return choice.Setting(
        n=points.shape[0],
        m=z.shape[0],
        d=points.shape[1],
        largest=largest,
        rtol=rtol,
        unit=unit,
        compiled=host and compiled.usable(),
        device=is_cupy_namespace(xp),
    )


def _direct(method: str) -> Direct:
    """The sum by its definition, in the way named."""
    if method in ("tiled", "tiled32"):
        tiled = compiled.tiled()
        assert tiled is not None
        precision = np.float64 if method == "tiled" else np.float32
        return lambda points, weights, z: tiled.sums(points, weights, z, precision)
    return kernel.sums if method == "kernel" else dense.sums


def _series(method: str, points: Any, weights: Any, z: Any, r: Any, mass: float, setting: choice.Setting) -> Attended:
    """The series, and the rescue of the queries for which it is not accurate enough."""
    xp = namespace(points, weights, z)
    series = harmonic.series if method == "harmonic" else fourier.series
    tolerance = choice.tolerance(setting.rtol)
    a, den, degree = series(points, weights, z, r, setting.largest, tolerance)

    def log_z() -> Any:
        return xp.log(xp.where(den > 0, den, xp.ones_like(den))) + r

    # The least den decides for all; comparisons with a NaN fail, so that NaN is never taken for an answer.
    if float(xp.min(den)) >= least(mass, tolerance, setting.rtol):
        return Attended(a, method, log_z, degree)
    lost = xp.logical_not(den >= least(mass, tolerance, setting.rtol))
    where = xp.nonzero(lost)[0]
    directly = min(("dense", "tiled", "kernel"), key=lambda name: choice.cost(name, setting))
    got, got_log, done = rescue(
        points, weights, xp.take(z, where, axis=0), series, _direct(directly), tolerance, setting.rtol
    )
    # Every query's row among the rescued: a portable way to put them back.
    row = xp.where(lost, xp.cumulative_sum(xp.astype(lost, xp.int64)) - 1, 0)
    a = xp.where(lost[:, None], xp.take(got, row, axis=0), a)
    return Attended(a, method, lambda: xp.where(lost, xp.take(got_log, row), log_z()), degree, done)


def _refusal(method: str, setting: choice.Setting) -> str:
    if method in ("harmonic", "fourier"):
        d = 3 if method == "harmonic" else 2
        if setting.d != d or not setting.unit:
            return f"needs points on the sphere in dimension {d}"
        return f"cannot reach rtol {setting.rtol:g} at |Bx| = {setting.largest:g}"
    if method == "kernel":
        return f"needs a CUDA device and at most {choice.WIDEST_TILE} dimensions"
    if setting.compiled and setting.d <= choice.WIDEST_TILE:
        return f"cannot reach rtol {setting.rtol:g} at |Bx| = {setting.largest:g}"
    return f"needs the extra 'fast' (Numba) and at most {choice.WIDEST_TILE} dimensions"
