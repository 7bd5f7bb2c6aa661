"""Rows of numbers become a measure: what every reader checks, said with the row and the column as its file names them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers.limits import MOST_COLUMNS, Limits

#: From a row's index to how the file's reader calls it.
RowName = Callable[[int], str]


def row_name(k: int) -> str:
    return f"row {k + 1}"


def coordinate_names(dimension: int) -> tuple[str, ...]:
    """x, y, z in dimension 3, x1 to xd elsewhere."""
    return ("x", "y", "z") if dimension == 3 else tuple(f"x{k + 1}" for k in range(dimension))


def measure_of(
    points: np.ndarray,
    weights: np.ndarray | None,
    *,
    limits: Limits,
    columns: Sequence[str] | None = None,
    row: RowName = row_name,
    notes: Sequence[str] = (),
) -> Measure:
    """points (n, d) and weights (n,) as a Measure. Raises InputError naming row and column."""
    if points.ndim != 2 or len(points) == 0:
        raise InputError("there are no points in it: give at least one row of coordinates")
    limits.require_atoms(len(points))
    if not 2 <= points.shape[1] <= MOST_COLUMNS:
        raise InputError(f"its points have {points.shape[1]} coordinates: give 2 to {MOST_COLUMNS} a row")
    columns = columns or coordinate_names(points.shape[1])
    bad = np.argwhere(~np.isfinite(points))
    if len(bad):
        k, c = map(int, bad[0])
        raise InputError(
            f"{row(k)}, column {columns[c]} is {points[k, c]:g}, no finite number: correct or remove that row"
        )
    zero = np.flatnonzero(~points.any(axis=1))
    if len(zero):
        span = f"{columns[0]} to {columns[-1]}"
        raise InputError(
            f"{row(int(zero[0]))}, columns {span} are all 0 and have no direction: correct or remove that row"
        )
    if weights is not None:
        if weights.shape != (len(points),):
            raise InputError(f"there are {len(points)} points and {weights.size} weights: give one weight a point")
        bad = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
        if len(bad):
            k = int(bad[0])
            raise InputError(
                f"{row(k)}, column weight is {weights[k]:g}: weights must be finite and not negative, correct that row"
            )
    return Measure(points, weights, tuple(notes))


def on_the_globe(longitude: np.ndarray, latitude: np.ndarray, *, row: RowName = row_name) -> np.ndarray:
    """Degrees to unit rows. Raises InputError for |lat| > 90, and says where lon and lat are merely swapped."""
    for name, column in (("lon", longitude), ("lat", latitude)):
        bad = np.flatnonzero(~np.isfinite(column))
        if len(bad):
            k = int(bad[0])
            raise InputError(f"{row(k)}, column {name} is {column[k]:g}, no finite number: correct or remove that row")
    beyond = np.flatnonzero(np.abs(latitude) > 90)
    if len(beyond):
        k = int(beyond[0])
        said = f"{row(k)}, column lat is {latitude[k]:g}, beyond 90 degrees"
        if (np.abs(longitude) <= 90).all() and (np.abs(latitude) <= 360).all():
            raise InputError(f"{said}, and every row is in range the other way round: swap lon and lat")
        raise InputError(f"{said}: correct or remove that row")
    lon, lat = np.deg2rad(longitude), np.deg2rad(latitude)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=1)


def looks_like_radians(longitude: np.ndarray, latitude: np.ndarray) -> list[str]:
    """A note where every angle would fit radians: read as degrees they all lie within a few degrees of one point."""
    if len(longitude) >= 3 and np.abs(longitude).max() <= 2 * np.pi and np.abs(latitude).max() <= np.pi / 2 + 1e-9:
        spread = max(np.ptp(longitude), np.ptp(latitude))
        if spread > 0.5:
            return ["lon and lat were read as degrees; all are so small that they may be radians"]
    return []
