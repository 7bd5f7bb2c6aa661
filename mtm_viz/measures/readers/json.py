"""JSON: {"points", "weights"?}, a generator, a bare list of rows, a list of records, or GeoJSON under another name."""

from __future__ import annotations

from typing import Any

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.files import load_json
from mtm_viz.measures.generators import generate
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers.columns import measure_of_columns, roles_of
from mtm_viz.measures.readers.format import Format, Options
from mtm_viz.measures.readers.geojson import TYPES, measure_of_geojson
from mtm_viz.measures.readers.limits import MOST_COLUMNS, Watch
from mtm_viz.measures.readers.rows import measure_of

_HOW = 'give {"points": [[x, y, z], ...], "weights": [...]}'


def read_json(content: bytes, options: Options, watch: Watch) -> Measure:
    said = bounded_json(content, watch)
    if isinstance(said, list):
        return _records(said, watch) if said and isinstance(said[0], dict) else _listed(said, None, watch)
    if isinstance(said, dict) and said.get("type") in TYPES:
        return measure_of_geojson(said, watch)
    if isinstance(said, dict) and "points" in said:
        return _listed(said["points"], said.get("weights"), watch)
    if isinstance(said, dict) and isinstance(said.get("generator"), str):
        return _generated(said, watch)
    if isinstance(said, dict) and "file" in said:
        raise InputError('"file" names another file, which only a problem beside it may: convert that file itself')
    if isinstance(said, dict) and said.get("format") == "mtm-problem":
        raise InputError("this is a whole problem, not one measure: open it as a problem")
    raise InputError(f"the JSON is no measure: {_HOW}")


def bounded_json(content: bytes, watch: Watch) -> Any:
    """Decoded JSON; a text of more lists, objects or values than a measure can need is refused before it is decoded."""
    most = watch.limits.atoms
    if content.count(b"[") + content.count(b"{") > 6 * most + 1000 or content.count(b",") > (MOST_COLUMNS + 4) * most:
        raise InputError(f"the JSON holds more than {most:,} atoms: keep fewer or raise the limit")
    said = load_json(content, watch.limits.bytes)
    watch.check()
    return said


def _listed(points: Any, weights: Any, watch: Watch) -> Measure:
    """Rows of numbers, told apart from text and truth values, which numpy would take for numbers."""
    if not isinstance(points, list) or not points:
        raise InputError(f'"points" must be a list of at least one point: {_HOW}')
    watch.limits.require_atoms(len(points))
    width = len(points[0]) if isinstance(points[0], list) else 0
    for k, row in enumerate(points):
        if not isinstance(row, list) or len(row) != width:
            raise InputError(
                f"point {k + 1} is not a row of {width} numbers like the first: make points rows of equally many numbers"
            )
    x = np.array([[_number(v, f"point {k + 1}") for v in row] for k, row in enumerate(points)])
    watch.check()
    w = None
    if weights is not None:
        if not isinstance(weights, list):
            raise InputError('"weights" must be a list of numbers, one a point')
        w = np.array([_number(v, f"weight {k + 1}") for k, v in enumerate(weights)])
    return measure_of(x, w, limits=watch.limits, row=lambda k: f"point {k + 1}")


def _number(said: Any, where: str) -> float:
    if isinstance(said, bool) or not isinstance(said, int | float):
        shown = "null" if said is None else repr(said)[:30]
        raise InputError(f"{where} holds {shown}, no number: correct or remove it")
    try:
        return float(said)
    except OverflowError as problem:
        raise InputError(f"{where} holds a number beyond float64: correct or remove it") from problem


def _records(said: list[Any], watch: Watch) -> Measure:
    """[{"lon": 2.35, "lat": 48.85, "weight": 3}, ...], as many tools write tables."""
    watch.limits.require_atoms(len(said))
    header = list(said[0])
    roles = roles_of(header)
    names = [header[k] for k in roles.used]
    columns = []
    for k, record in enumerate(said):
        missing = [name for name in names if not isinstance(record, dict) or name not in record]
        if missing:
            raise InputError(f'row {k + 1} lacks "{missing[0][:30]}": give every record the same names')
        columns.append([_number(record[name], f'row {k + 1}, column "{name[:30]}"') for name in names])
    return measure_of_columns(roles, list(np.array(columns).T), limits=watch.limits)


def _generated(said: dict[str, Any], watch: Watch) -> Measure:
    params, n, seed = said.get("params", {}), said.get("n", 200), said.get("seed", 0)
    if not isinstance(params, dict):
        raise InputError('"params" must be an object')
    if any(isinstance(value, bool) or not isinstance(value, int) for value in (n, seed)):
        raise InputError('"n" and "seed" must be whole numbers')
    watch.limits.require_atoms(n)
    return generate(said["generator"], params, n=n, seed=seed, dimension=3)


FORMAT = Format("JSON", (".json",), read_json)
