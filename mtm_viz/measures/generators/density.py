"""A measure by the formula of its density."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.measures.formula import LONGEST, evaluate
from mtm_viz.measures.generator import Generator
from mtm_viz.parameters import Words
from mtm_viz.sphere import normalise

#: Proposals a round, and how many in all before a density is called too concentrated.
_ROUND, _MOST = 65_536, 20_000_000
#: A long formula with sharp peaks is given up after so many seconds.
_PATIENCE = 10.0
#: Above the largest value found on the probe, so that a peak between its points is not cut off.
_HEADROOM = 1.25


@final
@dataclass(frozen=True)
class Density(Generator):
    """Rejection: uniform proposals are kept with probability f/M, M a quarter above the largest value met on a probe.

    Where a proposal exceeds M, M grows and the sample is begun anew, so that what is kept is i.i.d. with density f.
    In dimension 3 the names are x, y, z, lon and lat (degrees); in others x1 to xd. Negative values count as 0.
    """

    label: ClassVar[str] = "Formula"
    help: ClassVar[str] = "A density typed as a formula, such as exp(5*z) or max(0, sin(3*lon*pi/180))."

    expression: str = Words(
        "Density",
        "In x, y, z, and lon, lat in degrees, with + - * / ^, exp, sin, abs, max, where and comparisons.",
        max=LONGEST,
    ).field("exp(4*z)")

    def points(self, n: int, dimension: int, rng: np.random.Generator) -> np.ndarray:
        probe = _uniform(_ROUND, dimension, np.random.default_rng(0))
        most = _HEADROOM * float(self._at(probe).max())
        if most <= 0:
            raise InputError('"expression" is nowhere positive: give a density that is positive somewhere')
        kept: list[np.ndarray] = []
        count = drawn = 0
        began = time.monotonic()
        while count < n:
            proposals = _uniform(_ROUND, dimension, rng)
            values = self._at(proposals)
            drawn += _ROUND
            if values.max() > most:
                most, kept, count = _HEADROOM * float(values.max()), [], 0
                continue
            kept.append(proposals[rng.random(_ROUND) * most < values])
            count += len(kept[-1])
            if count < n and (drawn >= _MOST or time.monotonic() - began > _PATIENCE):
                raise InputError('"expression" is too concentrated for rejection sampling: make its peaks wider')
        return np.concatenate(kept)[:n]

    def _at(self, points: np.ndarray) -> np.ndarray:
        try:
            values = evaluate(self.expression, _names(points))
        except InputError as problem:
            raise InputError(f'"expression" {problem}') from problem
        if not np.isfinite(values).all():
            k = int(np.flatnonzero(~np.isfinite(values))[0])
            raise InputError(
                f'"expression" is {values[k]:g} at {np.round(points[k], 3).tolist()}: make it finite everywhere'
            )
        return np.maximum(values, 0.0)


def _uniform(n: int, dimension: int, rng: np.random.Generator) -> np.ndarray:
    return normalise(rng.standard_normal((n, dimension)))


def _names(points: np.ndarray) -> dict[str, np.ndarray]:
    if points.shape[1] != 3:
        return {f"x{k + 1}": column for k, column in enumerate(points.T)}
    x, y, z = points.T
    lon, lat = np.rad2deg(np.arctan2(y, x)), np.rad2deg(np.arcsin(z.clip(-1, 1)))
    return {"x": x, "y": y, "z": z, "lon": lon, "lat": lat}
