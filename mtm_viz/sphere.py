"""Geometry of the unit sphere S^{d-1} in R^d: angles, exponential map, Moebius boosts, caps.

Points are rows of float64 arrays of shape (n, d). Functions work on any array-API namespace.
"""

from typing import Any

import numpy as np
from scipy.optimize import linprog, nnls
from scipy.spatial import ConvexHull, QhullError

from mtm_viz.backend import namespace
from mtm_viz.errors import InputError


def norm(x: Any) -> Any:
    """Euclidean norm of each row, shape (..., 1)."""
    xp = namespace(x)
    return xp.sqrt(xp.vecdot(x, x))[..., None]


def normalise(x: Any) -> Any:
    """Each row divided by its norm: the layer normalisation of the model."""
    return x / norm(x)


def project_tangent(x: Any, v: Any) -> Any:
    """P_x v = v - <x, v> x, the tangent part of v at x."""
    xp = namespace(x, v)
    return v - xp.vecdot(x, v)[..., None] * x


def angle(x: Any, y: Any) -> Any:
    """Geodesic distance in radians, 2 atan2(|x - y|, |x + y|): exact for small and for large angles.

    >>> import numpy as np
    >>> float(angle(np.array([1.0, 0.0, 0.0]), np.array([1.0, 1e-12, 0.0])))
    1e-12
    """
    xp = namespace(x, y)
    return 2.0 * xp.atan2(norm(x - y)[..., 0], norm(x + y)[..., 0])


def angles(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """`angle` between every row of x (n, d) and every row of y (m, d), shape (n, m), without arrays of n m d numbers.

    >>> angles(np.eye(3)[:1], np.eye(3)[:2]).tolist()
    [[0.0, 1.5707963267948966]]
    """
    apart, along = np.zeros((len(x), len(y))), np.zeros((len(x), len(y)))
    term = np.empty_like(apart)
    for a, b in zip(x.T, y.T, strict=True):
        apart += np.square(np.subtract(a[:, None], b, out=term), out=term)
        along += np.square(np.add(a[:, None], b, out=term), out=term)
    return 2.0 * np.arctan2(np.sqrt(apart, out=apart), np.sqrt(along, out=along), out=term)


def exp(x: Any, v: Any) -> Any:
    """Exponential map: follow the geodesic from x with tangent velocity v for unit time."""
    xp = namespace(x, v)
    length = norm(v)
    ratio = xp.where(length > 0, xp.sin(length) / xp.where(length > 0, length, 1.0), 1.0)
    return normalise(xp.cos(length) * x + ratio * v)


def log(x: Any, y: Any) -> Any:
    """Inverse of exp at x. Raises InputError where y is antipodal to x: no geodesic is shortest there."""
    xp = namespace(x, y)
    theta = angle(x, y)[..., None]
    if bool(xp.any(theta > np.pi - 1e-12)):
        raise InputError("log of antipodal points is not defined: move one of them a little")
    v = project_tangent(x, y - x)
    length = norm(v)
    return xp.where(length > 0, theta / xp.where(length > 0, length, 1.0), 1.0) * v


def boost(x: Any, omega: Any, s: Any) -> Any:
    """Moebius boost of strength s toward the unit vector omega.

    The time-s flow of x' = P_x omega: the angle theta from omega obeys
    tan(theta/2) -> e^{-s} tan(theta/2) (the form that keeps its digits near -omega).
    Inverted by -s.
    """
    xp = namespace(x, omega)
    e = project_tangent(xp.broadcast_to(omega, x.shape), x)
    length = norm(e)
    e = e / xp.where(length > 0, length, 1.0)
    theta = 2.0 * xp.atan2(xp.exp(-s + 0.0 * length) * norm(x - omega), norm(x + omega))
    moved = xp.cos(theta) * omega + xp.sin(theta) * e
    return normalise(xp.where(length > 0, moved, x))


def boost_factor(x: np.ndarray, omega: np.ndarray, s: float) -> np.ndarray:
    """Conformal factor of `boost` at each row of x: 1 / (cosh s + <x, omega> sinh s)."""
    return 1.0 / (np.cosh(s) + (x @ omega) * np.sinh(s))


def tangent_basis(x: np.ndarray) -> np.ndarray:
    """Rows: an orthonormal basis of the orthogonal complement of the unit vector x, shape (d-1, d)."""
    # The complete QR of the column x has +-x first; the other columns span its complement.
    q, _ = np.linalg.qr(x[:, None], mode="complete")
    return q[:, 1:].T


def rotation_between(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float]:
    """(e, phi): rotating by phi in the oriented plane spanned by (x, e) carries x to y along the geodesic."""
    e = project_tangent(x, y)
    if norm(e)[0] < 1e-14:
        return tangent_basis(x)[0], 0.0 if x @ y > 0 else float(np.pi)
    return normalise(e), float(angle(x, y))


def rotate_in_plane(points: np.ndarray, x: np.ndarray, e: np.ndarray, phi: float) -> np.ndarray:
    """Rotate rows by phi in the oriented plane of the orthonormal pair (x, e); the complement is fixed."""
    u, v = points @ x, points @ e
    c, s = np.cos(phi) - 1.0, np.sin(phi)
    return points + np.outer(c * u - s * v, x) + np.outer(s * u + c * v, e)


#: Qhull's facets grow like n^(d/2): 290,000 for 200 points in dimension 8.
MOST_HULL = 7


def smallest_cap(points: np.ndarray) -> tuple[np.ndarray, float]:
    """(centre, radius) of the smallest cap that holds every row of `points`; any of them where several are.

    Within an open hemisphere its centre is the direction of the convex hull's point nearest the origin. Otherwise it is
    opposite the largest empty cap, about -centre with radius pi - radius, which a facet of the hull cuts off (spherical
    Delaunay). Where the hull is flat, or d > MOST_HULL, the least of max_i <h, x_i> on the faces of the cube |h|_inf = 1 is
    found by linear programmes instead; above MOST_HULL the cap is then near the smallest.

    >>> smallest_cap(np.array([[0.6, 0.0, 0.8], [-0.6, 0.0, 0.8], [0.0, 0.0, 1.0]]))[0].round(12)
    array([0., 0., 1.])
    """
    directions = np.concatenate([_opposite_the_hull(points), _opposite_the_facets(points)])
    k = int((points @ directions.T).max(axis=0).argmin())
    centre = 0.0 - directions[k]
    return centre, float(angle(points, centre[None]).max())


def _opposite_the_facets(points: np.ndarray) -> np.ndarray:
    """The outward normals of the hull's facets; what linear programmes find where they cannot be had."""
    if points.shape[1] <= MOST_HULL:
        try:
            return ConvexHull(points).equations[:, :-1]
        except (QhullError, ValueError):
            pass  # flat, or too few points
    return _emptiest_by_programme(points)


def _emptiest_by_programme(points: np.ndarray) -> np.ndarray:
    """Unit directions, one a face of the cube: minimise t with <h, x_i> <= t, h_k = +-1, |h_j| <= 1."""
    n, d = points.shape
    cost = np.append(np.zeros(d), 1.0)
    found = []
    for k in range(d):
        for sign in (-1.0, 1.0):
            bounds: list[tuple[float | None, float | None]] = [(-1.0, 1.0)] * d + [(None, None)]
            bounds[k] = (sign, sign)
            answer = linprog(cost, A_ub=np.c_[points, -np.ones(n)], b_ub=np.zeros(n), bounds=bounds)
            if answer.status == 0:
                found.append(normalise(answer.x[:d]))
    return np.array(found)


def _opposite_the_hull(points: np.ndarray) -> np.ndarray:
    """Minus the direction of the convex hull's point nearest the origin, one row, or none where that is the origin.

    Least squares for (sum_j w_j x_j, sum_j w_j) = (0, 1) over w >= 0: for any total of w the share of each point is
    the one that makes sum_j w_j x_j shortest, so its direction is exact.
    """
    system = np.vstack([points.T, np.ones(len(points))])
    w, _ = nnls(system, np.append(np.zeros(points.shape[1]), 1.0))
    nearest = w @ points
    length = np.linalg.norm(nearest)
    return -nearest[None] / length if length > 1e-12 else np.empty((0, points.shape[1]))
