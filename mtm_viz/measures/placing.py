"""Placing points about a centre, and evenly along curves: what the generators share."""

from __future__ import annotations

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.sphere import angle, exp, normalise, project_tangent


def axis(direction: tuple[float, ...] | None, dimension: int) -> np.ndarray:
    """The unit vector along `direction`; None is north, the last axis."""
    if direction is None:
        return np.eye(dimension)[-1]
    if len(direction) != dimension:
        raise InputError(
            f"a direction has {len(direction)} coordinates but the dimension is {dimension}: make them agree"
        )
    x = np.array(direction)
    # Scale first: 1e-300 and 1e300 are directions too.
    return normalise(x / np.abs(x).max())


def tangent_frame(centre: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(east, north): an orthonormal pair tangent at `centre`.

    North is the uphill direction of the last coordinate, or of the last but one at a pole. In d = 3
    (east, north, centre) is right-handed, so what is drawn in it reads correctly from outside the sphere;
    in d > 3 the pair spans one plane of the tangent space, and east is the axis it leaves the most of.
    """
    d = len(centre)
    uphill = project_tangent(centre, np.eye(d)[-1])
    if np.linalg.norm(uphill) < 1e-9:
        uphill = project_tangent(centre, np.eye(d)[-2])
    north = normalise(uphill)
    if d == 3:
        return normalise(np.cross(north, centre)), north
    rest = np.eye(d) - np.outer(centre, centre) - np.outer(north, north)
    east = rest[int(np.linalg.norm(rest, axis=1).argmax())]
    return normalise(east), north


def at_haversines(centre: np.ndarray, haversine: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Points at angle theta from `centre` with sin(theta/2)^2 = `haversine` (n,), in uniformly drawn directions.

    The haversine keeps its digits at small angles, where the cosine has none left.
    """
    tangent = normalise(project_tangent(centre, rng.standard_normal((len(haversine), len(centre)))))
    h = haversine[:, None]
    return normalise((1.0 - 2.0 * h) * centre + 2.0 * np.sqrt(h * (1.0 - h)) * tangent)


def on_patch(centre: np.ndarray, plane: np.ndarray) -> np.ndarray:
    """Lay rows (x, y), radians to the east and north of `centre`, on the sphere by the exponential map."""
    return exp(centre, plane @ np.stack(tangent_frame(centre)))


def circle(centre: np.ndarray, radius: float, n: int) -> np.ndarray:
    """n evenly spaced points of the circle at angle `radius` about `centre`, in the plane of its tangent frame."""
    phi = 2.0 * np.pi * np.arange(n) / n
    return on_patch(centre, radius * np.stack([np.cos(phi), np.sin(phi)], axis=1))


def evenly_along(curves: list[np.ndarray], n: int) -> np.ndarray:
    """The middles of n arcs of equal length, cut from curves given as dense rows on the sphere, one after another."""
    starts = np.concatenate([curve[:-1] for curve in curves])
    ends = np.concatenate([curve[1:] for curve in curves])
    length = np.concatenate([[0.0], np.cumsum(angle(starts, ends))])
    at = (np.arange(n) + 0.5) / n * length[-1]
    k = np.clip(np.searchsorted(length, at, side="right") - 1, 0, len(starts) - 1)
    share = ((at - length[k]) / (length[k + 1] - length[k]))[:, None]
    return normalise((1.0 - share) * starts[k] + share * ends[k])
