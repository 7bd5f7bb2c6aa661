"""Which column is what: x, y, z or lon, lat or x1 to xd, and perhaps a weight. Shared by all formats that have columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers.limits import MOST_COLUMNS, Limits
from mtm_viz.measures.readers.rows import RowName, looks_like_radians, measure_of, on_the_globe, row_name

LONGITUDE = ("lon", "lng", "long", "longitude")
LATITUDE = ("lat", "latitude")
WEIGHT = ("weight", "w", "mass", "weights")
#: What may follow a name: (deg), [°], _rad.
_UNIT = re.compile(r"[\s_]*[(\[]?\s*(deg|degree|degrees|°|rad|radian|radians)\s*[)\]]?$")


@dataclass(frozen=True)
class Roles:
    """Indices of the columns that are used: coordinates in order, and the weight."""

    coordinates: tuple[int, ...]
    names: tuple[str, ...]
    globe: bool
    radians: bool
    weight: int | None
    notes: tuple[str, ...] = ()

    @property
    def used(self) -> tuple[int, ...]:
        return self.coordinates if self.weight is None else (*self.coordinates, self.weight)


def roles_of(header: Sequence[str]) -> Roles:
    """Find the columns by name, any case and order. Raises InputError saying which names are understood."""
    plain, radians = [], set()
    for k, name in enumerate(header):
        bare = name.strip().strip("\"'").strip().casefold()
        unit = _UNIT.search(bare)
        if unit and _UNIT.sub("", bare) in (*LONGITUDE, *LATITUDE):
            bare = _UNIT.sub("", bare)
            if unit.group(1).startswith("rad"):
                radians.add(k)
        plain.append(bare)
    weight = _only(plain, WEIGHT)
    found = [_only(plain, (name,)) for name in ("x", "y", "z")]
    names: tuple[str, ...] = ("x", "y", "z")
    globe = False
    if None in found:
        numbered = sorted(int(name[1:]) for name in plain if re.fullmatch(r"x[1-9]\d?", name))
        if len(numbered) >= 2 and numbered == list(range(1, len(numbered) + 1)):
            names = tuple(f"x{k}" for k in numbered)
            found = [_only(plain, (name,)) for name in names]
        else:
            globe, names = True, ("lon", "lat")
            found = [_only(plain, LONGITUDE), _only(plain, LATITUDE)]
    coordinates = [k for k in found if k is not None]
    if len(coordinates) < len(found):
        raise InputError(
            f"row 1 names the columns {_listed(header)}: name them x, y, z or lon, lat or x1, x2, ..., and weight if there is one"
        )
    used = {*coordinates, weight}
    unused = [header[k].strip() for k in range(len(header)) if k not in used and header[k].strip()]
    notes = (f"not used: {_listed(unused)}",) if unused else ()
    return Roles(tuple(coordinates), names, globe, globe and bool(radians & set(coordinates)), weight, notes)


def roles_without_header(rows: np.ndarray) -> Roles:
    """What columns without names mean, told in a note: by their number, and by whether rows lie on a sphere as they are."""
    k = rows.shape[1]
    if not 2 <= k <= MOST_COLUMNS + 1:
        raise InputError(f"row 1 has {k} columns and no header: give 2 to {MOST_COLUMNS} coordinates a row")

    def unit(columns: int) -> bool:
        return bool((np.abs(np.linalg.norm(rows[:, :columns], axis=1) - 1) < 1e-3).all())

    if k == 2 and not unit(2):
        return Roles(
            (0, 1), ("lon", "lat"), True, False, None, ("no header: columns were taken as lon, lat in degrees",)
        )
    if k == 4 and not unit(4):
        return Roles((0, 1, 2), ("x", "y", "z"), False, False, 3, ("no header: columns were taken as x, y, z, weight",))
    if k == 3 and not unit(3) and unit(2):
        said = "no header: columns were taken as x1, x2, weight"
        return Roles((0, 1), ("x1", "x2"), False, False, 2, (said,))
    if k == 3:
        return Roles((0, 1, 2), ("x", "y", "z"), False, False, None, ("no header: columns were taken as x, y, z",))
    if k > 4 and not unit(k) and unit(k - 1):
        names = tuple(f"x{j + 1}" for j in range(k - 1))
        return Roles(
            tuple(range(k - 1)), names, False, False, k - 1, (f"no header: the last of {k} columns is the weight",)
        )
    names = tuple(f"x{j + 1}" for j in range(k))
    return Roles(tuple(range(k)), names, False, False, None, (f"no header: {k} columns were taken as coordinates",))


def measure_of_columns(
    roles: Roles,
    columns: Sequence[np.ndarray],
    *,
    limits: Limits,
    row: RowName = row_name,
    notes: Sequence[str] = (),
) -> Measure:
    """The columns that `roles.used` names, in that order, as a Measure."""
    d = len(roles.coordinates)
    weights = columns[d] if roles.weight is not None else None
    notes = [*notes, *roles.notes]
    if not roles.globe:
        points = np.stack(columns[:d], axis=1)
        return measure_of(points, weights, limits=limits, columns=roles.names, row=row, notes=notes)
    lon, lat = columns[0], columns[1]
    if roles.radians:
        lon, lat = np.rad2deg(lon), np.rad2deg(lat)
        notes.append("lon and lat were read as radians, as their names say")
    else:
        notes += looks_like_radians(lon, lat)
    return measure_of(on_the_globe(lon, lat, row=row), weights, limits=limits, row=row, notes=notes)


def _only(names: Sequence[str], wanted: Sequence[str]) -> int | None:
    places = [k for k, name in enumerate(names) if name in wanted]
    if len(places) > 1:
        raise InputError(f'row 1 names two columns "{names[places[0]]}" and "{names[places[1]]}": keep one of them')
    return places[0] if places else None


def _listed(names: Sequence[str]) -> str:
    shown = [f'"{name.strip()[:30]}"' for name in names[:8]]
    return ", ".join(shown) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
