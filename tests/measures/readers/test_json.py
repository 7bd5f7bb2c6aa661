"""JSON and GeoJSON."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mtm_viz.errors import InputError
from mtm_viz.measures.generators import generate
from mtm_viz.measures.readers import measure_from_bytes


def read(said, name="cloud.json"):
    return measure_from_bytes(name, said if isinstance(said, bytes) else json.dumps(said).encode())


def test_json_is_read_with_and_without_weights():
    assert read(b"[[1, 0, 0], [0, 0, 3]]").has_equal_weights
    full = read(b'\xef\xbb\xbf{"points": [[1, 0, 0], [0, 0, 3]], "weights": [1, 3]}', "FULL.JSON")
    np.testing.assert_array_equal(full.weights, [0.25, 0.75])
    np.testing.assert_array_equal(full.points, [[1, 0, 0], [0, 0, 1]])


def test_records_and_generators_and_geojson_under_its_other_name():
    records = read([{"lat": 0, "lon": 0, "w": 1}, {"lat": 90, "lon": 0, "w": 3}])
    np.testing.assert_allclose(records.points, [[1, 0, 0], [0, 0, 1]], atol=1e-15)
    np.testing.assert_array_equal(records.weights, [0.25, 0.75])
    drawn = read({"generator": "cap", "params": {"radius_deg": 9}, "n": 7, "seed": 3})
    np.testing.assert_array_equal(drawn.points, generate("cap", {"radius_deg": 9}, n=7, seed=3, dimension=3).points)
    np.testing.assert_allclose(read({"type": "Point", "coordinates": [90, 0]}).points, [[0, 1, 0]], atol=1e-15)


REFUSED = {
    "nothing": (b" ", "line 1, column 2 is not JSON"),
    "object": ({}, "the JSON is no measure"),
    "number": (7, "the JSON is no measure"),
    "empty list": ([], "at least one point"),
    "points of a kind": ({"points": {"a": 1}}, "a list of at least one point"),
    "ragged": ([[1, 0, 0], [1, 0]], "point 2 is not a row of 3 numbers"),
    "text": ([["1", "0", "0"]], "point 1 holds '1', no number"),
    "truth": ([[True, 0, 0]], "point 1 holds True, no number"),
    "null": ([[None, 0, 0]], "point 1 holds null, no number"),
    "NaN": (b"[[1, 0, NaN]]", "NaN is not a number JSON allows"),
    "Infinity": (b"[[1, 0, -Infinity]]", "-Infinity is not a number JSON allows"),
    "beyond float64": (b"[[1, 0, 1e999]]", "point 1, column z is inf, no finite number"),
    "thousands of digits": (b"[[1, 0, " + b"1" * 5_000 + b"]]", "a number too long to read"),
    "hundreds of digits": (b"[[1, 0, " + b"1" * 400 + b"]]", "point 1 holds a number beyond float64"),
    "not UTF-8": (b"\xff\xfe[", "byte 0 is not UTF-8"),
    "deep": (b"[" * 100_000, "nested too deeply"),
    "deep objects": (b'{"a":' * 100_000, "nested too deeply"),
    "a million lists": (b"[" + b"[]," * 1_300_000 + b"[]]", "more than 200,000 atoms"),
    "zero vector": ([[1, 0, 0], [0, 0, 0]], "point 2, columns x to z are all 0"),
    "negative weight": ({"points": [[1, 0, 0]], "weights": [-1]}, "point 1, column weight is -1"),
    "weights of text": ({"points": [[1, 0, 0]], "weights": ["1"]}, "weight 1 holds '1', no number"),
    "weights of a kind": ({"points": [[1, 0, 0]], "weights": 1}, '"weights" must be a list'),
    "too few weights": ({"points": [[1, 0, 0]] * 2, "weights": [1]}, "2 points and 1 weights"),
    "a file of the server": ({"file": "/etc/passwd"}, '"file" names another file'),
    "a problem": ({"format": "mtm-problem"}, "a whole problem"),
    "generator unknown": ({"generator": "blob"}, 'generator "blob" is unknown'),
    "generator too large": ({"generator": "uniform", "n": 10**9}, "more than 200,000 atoms"),
    "generator of text": ({"generator": "uniform", "n": "9"}, "whole numbers"),
    "records lacking": ([{"x": 1, "y": 0, "z": 0}, {"x": 1}], 'row 2 lacks "y"'),
    "records of text": ([{"x": "1", "y": 0, "z": 0}], "row 1, column \"x\" holds '1'"),
    "records unnamed": ([{"a": 1}], 'names the columns "a"'),
}


@pytest.mark.parametrize("case", REFUSED)
def test_json_that_is_no_measure_says_where_and_why(case):
    said, sentence = REFUSED[case]
    with pytest.raises(InputError) as caught:
        read(said)
    assert (
        str(caught.value).startswith("cloud.json: ") and sentence in str(caught.value) and "\n" not in str(caught.value)
    )


def feature(geometry, **properties):
    return {"type": "Feature", "properties": properties, "geometry": geometry}


POINT = {"type": "Point", "coordinates": [0, 0]}

GEO_REFUSED = {
    "polygon": (feature({"type": "Polygon", "coordinates": []}), 'the file is "Polygon": only Point and MultiPoint are read'),
    "line in a collection": ({"type": "FeatureCollection", "features": [feature(POINT), feature({"type": "LineString", "coordinates": []})]}, 'feature 2 is "LineString"'),
    "no geometry": ({"type": "FeatureCollection", "features": [feature(None)]}, "feature 1 has no geometry"),
    "no features": ({"type": "FeatureCollection"}, 'lacks the list "features"'),
    "empty": ({"type": "FeatureCollection", "features": []}, "there is no point in it"),
    "not a feature": ({"type": "FeatureCollection", "features": [POINT]}, "feature 1 is no Feature"),
    "swapped": ({"type": "MultiPoint", "coordinates": [[48, 120], [-35, 2]]}, "the file, point 1, column lat is 120, beyond 90 degrees, and every row"),
    "latitude": ({"type": "MultiPoint", "coordinates": [[0, 0], [200, 95]]}, "the file, point 2, column lat is 95, beyond 90 degrees: correct"),
    "text": ({"type": "Point", "coordinates": ["0", 0]}, "has no position"),
    "one coordinate": ({"type": "Point", "coordinates": [0]}, "has no position"),
    "huge": (b'{"type": "Point", "coordinates": [' + b"9" * 400 + b", 0]}", "beyond every degree"),
    "weight of text": (feature(POINT, weight="2"), "a weight that is no number"),
    "weight negative": (feature(POINT, mass=-2), "column weight is -2"),
    "other system": (POINT | {"crs": {"type": "name", "properties": {"name": "EPSG:3857"}}}, "another reference system"),
    "no type": ([1], "no GeoJSON"),
    "collections without end": ({"type": "GeometryCollection", "geometries": [{"type": "GeometryCollection", "geometries": [{"type": "GeometryCollection", "geometries": [{"type": "GeometryCollection", "geometries": [{"type": "GeometryCollection", "geometries": [{"type": "GeometryCollection", "geometries": [{"type": "GeometryCollection", "geometries": [{"type": "GeometryCollection", "geometries": [POINT]}]}]}]}]}]}]}]}, "only Point and MultiPoint"),
}  # fmt: skip


@pytest.mark.parametrize("case", GEO_REFUSED)
def test_geojson_that_is_wrong_is_refused(case):
    said, sentence = GEO_REFUSED[case]
    with pytest.raises(InputError) as caught:
        read(said, "map.geojson")
    assert str(caught.value).startswith("map.geojson: ") and sentence in str(caught.value)


def test_geojson_weights_heights_and_collections():
    both = {
        "type": "GeometryCollection",
        "geometries": [POINT, {"type": "MultiPoint", "coordinates": [[90, 0, 120.5]]}],
    }
    measure = read({"type": "FeatureCollection", "features": [feature(both, Mass=3), feature(POINT)]}, "a.geojson")
    np.testing.assert_allclose(measure.points, [[1, 0, 0], [0, 1, 0], [1, 0, 0]], atol=1e-15)
    np.testing.assert_allclose(measure.weights, [3 / 7, 3 / 7, 1 / 7])
    assert "the heights of 1 points were left out" in measure.notes
