"""Operations on a whole measure: turn it, gather or spread it, mirror it, part what is too near. Each returns a new
Measure; weights stay."""

from __future__ import annotations

import numpy as np
from scipy.spatial import KDTree

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.placing import axis
from mtm_viz.sphere import boost, normalise, rotate_in_plane, tangent_basis

#: How much farther from its place each trial of a nudge goes than the one before.
_FARTHER = 1.05


def rotated(measure: Measure, about: tuple[float, ...] | None, degrees: float) -> Measure:
    """Turned by `degrees` about an axis of R^3, counter-clockwise seen from its tip."""
    if measure.dimension != 3:
        raise InputError(
            f"a rotation about an axis needs dimension 3 and this is {measure.dimension}: use another change"
        )
    k = axis(about, 3)
    e = tangent_basis(k)[0]
    f = np.cross(k, e)
    return _moved(measure, rotate_in_plane(measure.points, e, f, float(np.deg2rad(degrees))))


def concentrated(measure: Measure, strength: float, toward: tuple[float, ...] | None = None) -> Measure:
    """Pulled toward a point by the conformal map tan(theta/2) -> exp(-strength) tan(theta/2), caps into caps.

    A negative strength spreads; no point given: the barycentre's direction. The map of strength s followed by that
    of strength -s about the same point is the identity.
    """
    return _moved(measure, boost(measure.points, middle(measure, toward), strength))


def antipodal(measure: Measure) -> Measure:
    """Every atom at the other side: x -> -x."""
    return Measure(-measure.points, measure.weights)


def mirrored(measure: Measure, normal: tuple[float, ...] | None) -> Measure:
    """Reflected at the plane through the centre that is orthogonal to `normal`."""
    k = axis(normal, measure.dimension)
    return _moved(measure, measure.points - 2.0 * np.outer(measure.points @ k, k))


def nudged(measure: Measure, apart: float, seed: int) -> Measure:
    """Every two atoms at least `apart` radians from each other: x -> (x + t v)/|x + t v|, v a seeded random unit tangent.

    Atoms that are far enough from all others stay, and so does the first of those that are not; the later ones step
    the least of growing distances at which a random direction leads clear of all. Atoms that coincide are parted too.
    Raises InputError where `apart` is no angle between 0 and 1, or the sphere has no room.
    """
    if not 0 < apart < 1:
        raise InputError(f"atoms cannot be nudged {apart} rad apart: give an angle between 0 and 1 rad")
    if len(measure) == 1:
        return measure
    points, chord = measure.points.copy(), 2 * np.sin(apart / 2)
    rng = np.random.default_rng(seed)
    gaps = np.asarray(KDTree(points).query(points, k=2)[0])[:, 1]
    settled = gaps >= chord
    for j in np.flatnonzero(~settled):
        place, step = points[j].copy(), apart
        # At first only those that stay anyway count, so that the first of a crowd keeps its place.
        clear = np.linalg.norm(points[settled] - place, axis=1).min(initial=np.inf) >= chord
        while not clear:
            if step > np.pi / 2:
                raise InputError(f"the sphere has no room for {len(points)} atoms {apart} rad apart: nudge them less")
            v = rng.standard_normal(len(place))
            v -= (v @ place) * place
            points[j] = normalise(place + np.tan(step) * v / np.linalg.norm(v))
            clear = np.linalg.norm(points[settled] - points[j], axis=1).min() >= chord
            step *= _FARTHER
        settled[j] = True
    return Measure(points, measure.weights)


def middle(measure: Measure, toward: tuple[float, ...] | None = None) -> np.ndarray:
    """The unit vector along `toward`, or along the barycentre where none is given."""
    if toward is not None:
        return axis(toward, measure.dimension)
    centre = measure.barycentre
    if np.linalg.norm(centre) < 1e-9:
        raise InputError("the measure is balanced about the centre of the sphere and has no middle: give a direction")
    return normalise(centre)


def _moved(measure: Measure, points: np.ndarray) -> Measure:
    return Measure(normalise(points), measure.weights)
