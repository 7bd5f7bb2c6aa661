"""GeoJSON (RFC 7946): Point and MultiPoint, longitude before latitude in degrees; a feature's weight is each point's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers.columns import WEIGHT
from mtm_viz.measures.readers.format import Format, Options
from mtm_viz.measures.readers.limits import Watch
from mtm_viz.measures.readers.rows import measure_of, on_the_globe

TYPES = ("FeatureCollection", "Feature", "GeometryCollection", "Point", "MultiPoint")
#: Geometry collections inside one another; real files have one.
_DEEPEST = 8


def read_geojson(content: bytes, options: Options, watch: Watch) -> Measure:
    from mtm_viz.measures.readers.json import bounded_json

    return measure_of_geojson(bounded_json(content, watch), watch)


def measure_of_geojson(said: Any, watch: Watch) -> Measure:
    """A decoded GeoJSON object as a measure on S^2."""
    if not isinstance(said, dict) or not isinstance(said.get("type"), str):
        raise InputError('this is no GeoJSON: give an object with "type", such as a FeatureCollection')
    system = said.get("crs")
    if system is not None and not any(name in str(system)[:500] for name in ("CRS84", "4326")):
        raise InputError("its coordinates are in another reference system: save it as WGS 84 longitude and latitude")
    positions, weights, places, heights = [], [], [], 0
    for where, position, weight in _points(said, "the file", None, 0):
        if len(positions) % 4096 == 0:
            watch.check()
        if len(position) > 2:
            heights += 1
        positions.append(position[:2])
        weights.append(weight)
        places.append(where)
        watch.limits.require_atoms(len(positions))
    if not positions:
        raise InputError("there is no point in it: give at least one Point")
    given = any(weight is not None for weight in weights)
    lonlat = np.array(positions)
    notes = [f"the heights of {heights} points were left out"] if heights else []
    return measure_of(
        on_the_globe(lonlat[:, 0], lonlat[:, 1], row=places.__getitem__),
        np.array([1.0 if weight is None else weight for weight in weights]) if given else None,
        limits=watch.limits,
        row=places.__getitem__,
        notes=notes,
    )


def _points(said: Any, where: str, weight: float | None, depth: int) -> Iterator[tuple[str, list[float], float | None]]:
    """(place in the file, position, weight) of every point."""
    kind = said.get("type") if isinstance(said, dict) else None
    if kind == "FeatureCollection" and depth == 0:
        for k, feature in enumerate(_list(said, "features", where), start=1):
            if not isinstance(feature, dict) or feature.get("type") != "Feature":
                raise InputError(f'feature {k} is no Feature: give it "type": "Feature" and a geometry')
            yield from _points(feature, f"feature {k}", None, 1)
    elif kind == "Feature" and depth <= 1:
        geometry = said.get("geometry")
        if geometry is None:
            raise InputError(f"{where} has no geometry: give it a Point or remove it")
        yield from _points(geometry, where, _weight(said.get("properties"), where), 2)
    elif kind == "GeometryCollection" and depth < _DEEPEST:
        for part in _list(said, "geometries", where):
            yield from _points(part, where, weight, max(depth, 2) + 1)
    elif kind == "Point":
        yield where, _position(said.get("coordinates"), where), weight
    elif kind == "MultiPoint":
        for k, position in enumerate(_list(said, "coordinates", where), start=1):
            place = f"{where}, point {k}"
            yield place, _position(position, place), weight
    else:
        shown = f'"{kind[:30]}"' if isinstance(kind, str) else "no known type"
        raise InputError(f"{where} is {shown}: only Point and MultiPoint are read, turn others into points")


def _list(said: dict[str, Any], key: str, where: str) -> list[Any]:
    value = said.get(key)
    if not isinstance(value, list):
        raise InputError(f'{where} lacks the list "{key}": add it')
    return value


def _position(said: Any, where: str) -> list[float]:
    if not isinstance(said, list) or not 2 <= len(said) <= 4 or not all(_is_number(x) for x in said):
        raise InputError(f"{where} has no position: give [longitude, latitude] in degrees")
    try:
        return [float(x) for x in said]
    except OverflowError as problem:
        raise InputError(f"{where} has a coordinate beyond every degree: correct it") from problem


def _weight(properties: Any, where: str) -> float | None:
    if not isinstance(properties, dict):
        return None
    found = [value for name, value in properties.items() if name.casefold() in WEIGHT and value is not None]
    if not found:
        return None
    try:
        if not _is_number(found[0]):
            raise InputError(f"{where} has a weight that is no number: correct or remove it")
        return float(found[0])
    except OverflowError as problem:
        raise InputError(f"{where} has a weight beyond float64: make it smaller") from problem


def _is_number(said: Any) -> bool:
    return isinstance(said, int | float) and not isinstance(said, bool)


FORMAT = Format("GeoJSON", (".geojson",), read_geojson)
