"""Operations on a whole measure: turn it, gather or spread it, mirror it. Each returns a new Measure; weights stay."""

from __future__ import annotations

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.placing import axis
from mtm_viz.sphere import boost, normalise, rotate_in_plane, tangent_basis


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
