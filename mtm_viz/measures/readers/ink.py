"""Ink becomes mass: a picture laid on the sphere, on a patch or as a map of the world, and atoms drawn from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.placing import axis, on_patch
from mtm_viz.measures.readers.format import Options
from mtm_viz.measures.readers.limits import MOST_ATOMS
from mtm_viz.parameters import Choice, Direction, Flag, Number, Whole

#: Pictures are brought to at most this many pixels a side before atoms are drawn: finer than any atom shows.
FINEST = 1024
#: Ink lighter than this is paper: scans and JPEG leave a veil of grey.
PAPER = 0.08
#: The reciprocals of the plastic number: steps of the two-dimensional low-discrepancy sequence R2 (Roberts, 2018).
_R2 = np.array([0.7548776662466927, 0.5698402909980532])


@dataclass(frozen=True)
class Ink(Options):
    """Where a picture lies and how many atoms it becomes."""

    placement: str = Choice(
        "Placement",
        "patch: a drawing on one side; world: an equirectangular map of the whole sphere.",
        among=("patch", "world"),
    ).field("patch")
    center: tuple[float, ...] | None = Direction("Centre", "Where the middle of a patch lies.").field((1.0, 0.0, 0.0))
    size_deg: float = Number("Size", "Angle along the longer side of a patch.", min=1, max=170, unit="deg").field(60.0)
    n: int = Whole("Atoms", "How many atoms of equal weight are drawn from the ink.", min=1, max=MOST_ATOMS).field(200)
    seed: int = Whole("Seed", "Another seed shifts the atoms.", min=0, max=2**31 - 1).field(0)
    invert: bool = Flag("Light is ink", "For light drawings on dark paper.").field(False)


def measure_of_ink(darkness: np.ndarray, options: Ink) -> Measure:
    """n equally weighted atoms for `darkness` (rows, columns) in [0, 1], top row first.

    The density on the sphere is the darkness itself: a pixel's mass is its darkness times the area it covers there
    (cos lat on a world map; sin r / r at distance r from the middle of a patch, which the exponential map shrinks).
    Atoms follow a low-discrepancy sequence through the two marginal distribution functions, so they do not clump;
    the seed shifts the sequence.
    """
    ink = 1.0 - darkness if options.invert else darkness
    ink = np.where(ink > PAPER, ink, 0.0)
    if not ink.any():
        raise InputError("the picture has no ink: draw dark on light, or choose that light is ink")
    rows, columns = ink.shape
    if options.placement == "world":
        edges = np.sin(np.pi * (0.5 - np.arange(rows + 1) / rows))
        u, v = _drawn(ink * -np.diff(edges)[:, None], options)
        lon = 2.0 * np.pi * (u - 0.5)
        # Within a row equal areas are equal steps of z, not of latitude.
        row = np.minimum((v * rows).astype(int), rows - 1)
        z = edges[row] + (v * rows - row) * (edges[row + 1] - edges[row])
        across = np.sqrt(np.maximum(0.0, 1.0 - z * z))
        return Measure(np.stack([across * np.cos(lon), across * np.sin(lon), z], axis=1))
    step = np.deg2rad(options.size_deg) / max(rows, columns)
    x = step * (np.arange(columns) + 0.5 - columns / 2)
    y = step * (rows / 2 - np.arange(rows) - 0.5)
    u, v = _drawn(ink * np.sinc(np.hypot(x[None, :], y[:, None]) / np.pi).clip(min=0.0), options)
    plane = np.stack([step * columns * (u - 0.5), step * rows * (0.5 - v)], axis=1)
    return Measure(on_patch(axis(options.center, 3), plane))


def _drawn(mass: np.ndarray, options: Ink) -> tuple[np.ndarray, np.ndarray]:
    """n points (u to the right, v down) of the unit square with density `mass`."""
    shift = np.random.default_rng(options.seed).random(2)
    at = (shift + np.arange(1, options.n + 1)[:, None] * _R2) % 1.0
    v, row = _inverse(mass.sum(axis=1), at[:, 0])
    u = np.empty(options.n)
    for k in np.unique(row):
        here = row == k
        u[here], _ = _inverse(mass[k], at[here, 1])
    return u, v


def _inverse(mass: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The inverse distribution function of a histogram on [0, 1], and the bins it fell into."""
    total = np.cumsum(mass)
    aim = at * total[-1]
    k = np.searchsorted(total, aim, side="right").clip(max=len(mass) - 1)
    while (empty := mass[k] <= 0).any():  # round-off at the very end lands past the last ink
        k[empty] -= 1
    return (k + ((aim - (total[k] - mass[k])) / mass[k]).clip(0.0, 1.0)) / len(mass), k
