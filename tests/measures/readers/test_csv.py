"""Tables of text as people and spreadsheets write them."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from mtm_viz.errors import InputError
from mtm_viz.measures.readers import Limits, measure_from_bytes
from mtm_viz.measures.readers.csv import pasted

AXES = [[1, 0, 0], [0, 1, 0]]
QUARTER = [[1, 0, 0], [0, 0, 1]]  # (0, 0) and (0, 90) in degrees


def read(text: str | bytes, name: str = "t.csv"):
    return measure_from_bytes(name, text if isinstance(text, bytes) else text.encode())


SAME_AXES = {
    "plain": "x,y,z\n1,0,0\n0,1,0\n",
    "upper case": "X,Y,Z\n1,0,0\n0,1,0\n",
    "other order": "z,x,y\n0,1,0\n0,0,1\n",
    "numbered": "x1,x2,x3\n1,0,0\n0,1,0\n",
    "spaces": " x , y , z \n 1 , 0 , 0 \n 0 , 1 , 0 \n",
    "quoted": '"x","y","z"\n"1","0","0"\n"0","1","0"\n',
    "windows lines": "x,y,z\r\n1,0,0\r\n0,1,0\r\n",
    "old mac lines": "x,y,z\r1,0,0\r0,1,0\r",
    "no last line end": "x,y,z\n1,0,0\n0,1,0",
    "blank lines": "\n\nx,y,z\n\n1,0,0\n   \n0,1,0\n\n",
    "comments": "# made by hand\nx,y,z\n1,0,0\n# half way\n0,1,0\n% done\n",
    "semicolons": "x;y;z\n1;0;0\n0;1;0\n",
    "decimal commas": "x;y;z\n1,0;0,0;0,0\n0,0;1,0;0,0\n",
    "tabs": "x\ty\tz\n1\t0\t0\n0\t1\t0\n",
    "tabs and decimal commas": "x\ty\tz\n1,0\t0\t0\n0\t1,0\t0\n",
    "bars": "x|y|z\n1|0|0\n0|1|0\n",
    "white space": "x y  z\n1 0 0\n0  1 0\n",
    "excel's first line": "sep=;\nx;y;z\n1;0;0\n0;1;0\n",
    "trailing separators": "x,y,z\n1,0,0,\n0,1,0,,\n",
    "no header": "1,0,0\n0,1,0\n",
    "no header, spaces": "1 0 0\n0 1 0\n",
    "no header, decimal commas": "1,0 0,0 0,0\n0,0 1,0 0,0\n",
    "exponents": "x,y,z\n1e0,0E0,0\n0,+1.0e+00,.0\n",
    "unicode minus": "x,y,z\n1,0,−0\n0,1,0\n",
    "a name and a comment column": "name,x,y,z\nParis,1,0,0\n\"Rome, Lazio\",0,1,0\n",
}  # fmt: skip


@pytest.mark.parametrize("case", SAME_AXES)
def test_these_all_say_the_same_two_points(case):
    measure = read(SAME_AXES[case])
    np.testing.assert_array_equal(measure.points, AXES)
    assert measure.has_equal_weights


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le-bom", "utf-16-be-bom", "cp1252"])
def test_encodings(encoding):
    text = "größe,x,y,z\n1,1,0,0\n2,0,1,0\n"
    content = {
        "utf-16-le-bom": b"\xff\xfe" + text.encode("utf-16-le"),
        "utf-16-be-bom": b"\xfe\xff" + text.encode("utf-16-be"),
    }.get(encoding) or text.encode(encoding)
    measure = read(content)
    np.testing.assert_array_equal(measure.points, AXES)
    assert any("größe" in note for note in measure.notes)


SAME_QUARTER = {
    "lon, lat": "lon,lat\n0,0\n0,90\n",
    "lat first": "lat,lon\n0,0\n90,0\n",
    "lng": "LNG,Latitude\n0,0\n0,90\n",
    "longitude with unit": "Longitude (deg),Latitude [°]\n0,0\n0,90\n",
    "suffix": "lon_deg,lat_deg\n0,0\n0,90\n",
    "no header": "0,0\n0,90\n",
    "a whole turn": "lon,lat\n360,0\n-360,90\n",
    "radians": "lon_rad,lat_rad\n0,0\n0,1.5707963267948966\n",
}


@pytest.mark.parametrize("case", SAME_QUARTER)
def test_these_all_say_the_same_two_places(case):
    np.testing.assert_allclose(read(SAME_QUARTER[case]).points, QUARTER, atol=1e-15)


def test_radians_are_told_where_said_and_suspected_where_not():
    assert "lon and lat were read as radians, as their names say" in read(SAME_QUARTER["radians"]).notes
    small = "lon,lat\n-3,1\n0.5,-1.2\n3.1,0.3\n"
    assert any("may be radians" in note for note in read(small).notes)
    assert not any("radians" in note for note in read("lon,lat\n-30,1\n0.5,-12\n31,3\n").notes)


@pytest.mark.parametrize("name", ["weight", "W", "mass", "Weights"])
def test_weights_by_any_of_their_names(name):
    measure = read(f"x,y,z,{name}\n1,0,0,1\n0,1,0,3\n")
    np.testing.assert_array_equal(measure.weights, [0.25, 0.75])
    assert "weights were divided by their sum 4" in measure.notes


def test_without_a_header_what_was_taken_for_what_is_told():
    assert "no header: columns were taken as x, y, z" in read("1,0,0\n0,1,0\n").notes
    weighted = read("1,0,0,1\n0,1,0,3\n")
    np.testing.assert_array_equal(weighted.weights, [0.25, 0.75])
    assert "no header: columns were taken as x, y, z, weight" in weighted.notes
    assert read("0,0,0,1\n1,0,0,0\n").dimension == 4
    assert read("0.6,0.8\n1,0\n").dimension == 2
    assert read("10,20\n30,40\n").dimension == 3


def test_duplicates_are_kept():
    assert len(read("x,y,z\n" + "1,0,0\n" * 5)) == 5


REFUSED = {
    "words": ("x,y,z\n1,0,0\n0,one,0\n", "row 2 (line 3), column y is 'one', no number"),
    "empty cell": ("x,y,z\n1,0,0\n0,,1\n", "row 2 (line 3), column y is empty"),
    "infinity": ("x,y,z\n1,0,inf\n", "row 1 (line 2), column z is 'inf', no finite number"),
    "too large for float64": ("x,y,z\n1,0,1e999\n", "row 1 (line 2), column z is inf, no finite number"),
    "underscores": ("x,y,z\n1_0,0,0\n", "row 1 (line 2), column x is '1_0', no number"),
    "thousands": ('x,y,z,w\n1,0,0,"1,234"\n', "column weight is '1,234': write numbers without thousands separators"),
    "thousands and decimals": ("x;y;z;w\n1;0;0;1.234,5\n", "is '1.234,5': write numbers without thousands separators"),
    "apostrophe thousands": ("x;y;z;w\n1;0;0;1'234\n", "write numbers without thousands separators"),
    "commas and points": ("x;y;z\n0,5;0;1\n0.5;1;0\n", "row 2 (line 3), column x is '0.5', but the file mixes decimal commas"),
    "ragged, longer": ("x,y,z\n1,0,0,7\n", "row 1 (line 2) has 4 columns and the header has 3"),
    "ragged, no header": ("1,0,0\n1,0\n", "row 2 (line 2) has 2 columns and the first row has 3"),
    "latitude": ("lon,lat\n200,91\n0,0\n", "row 1 (line 2), column lat is 91, beyond 90 degrees: correct"),
    "latitude, swapped": ("lon,lat\n48,120\n-35,2\n", "column lat is 120, beyond 90 degrees, and every row is in range the other way round: swap"),
    "unknown names": ("a,b,c\n1,0,0\n", 'row 1 names the columns "a", "b", "c": name them x, y, z or lon, lat'),
    "half the names": ("x,y\n1,0\n", "name them x, y, z or lon, lat"),
    "lon alone": ("lon\n1\n", "name them x, y, z or lon, lat"),
    "twice": ("x,x,y,z\n1,1,0,0\n", 'row 1 names two columns "x" and "x": keep one of them'),
    "two weights": ("x,y,z,w,mass\n1,0,0,1,1\n", 'two columns "w" and "mass"'),
    "gap in the numbers": ("x1,x2,x4\n1,0,0\n", "name them x, y, z or lon, lat or x1, x2"),
    "one column": ("1\n2\n", "row 1 has 1 columns and no header"),
    "open quote": ('x,y,z\n1,0,"0\n0,1,0\n', "is no row of cells (unexpected end of data): check its quotes"),
    "only comments": ("# a\n# b\n", "there is no row in it"),
    "only separator": ("sep=;\n", "there is no row in it"),
    "zero vector": ("lon,lat,w\n0,0,0\n", "all weights are zero"),
    "utf-16 without a mark": ("x,y,z\n1,0,0\n".encode("utf-16-le"), "is zero, so this is no text"),
    "half a utf-16": (b"\xff\xfea", "is not UTF-16-LE as the file's start says"),
    "70 columns": (",".join("1" * 70) + "\n", "row 1 has 70 columns and no header"),
    "a thousand columns": (",".join("1" * 1000) + "\n", "row 1 has 1000 columns"),
    "a cell without end": ("x,y,z\n1,0," + "0" * 200_000 + "x\n", "line 2 is longer than 20,000 characters: give one row a point"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_wrong_is_said_with_its_row_and_column(case):
    content, sentence = REFUSED[case]
    with pytest.raises(InputError) as caught:
        read(content)
    assert str(caught.value).startswith("t.csv: ") and sentence in str(caught.value)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


def test_a_million_rows_are_refused_and_two_hundred_thousand_read():
    with pytest.raises(InputError, match="more than 200,000 atoms"):
        read("x,y,z\n" + "1,0,0\n" * 1_000_000)
    assert len(read("x,y,z\n" + "1,0,0\n" * 200_000)) == 200_000


def test_memory_is_bounded_before_it_is_taken():
    """25 MB of short lines, or of one line of short cells, would be a thousand MB of strings."""
    for text, sentence in (
        ("12\n" * 8_000_000, "more than 200,000 atoms"),
        ("12," * 8_000_000, "line 1 is longer than"),
    ):
        content = text.encode()
        del text
        tracemalloc.start()
        with pytest.raises(InputError, match=sentence):
            read(content)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 90_000_000


def test_a_block_from_a_spreadsheet_becomes_points():
    np.testing.assert_array_equal(pasted("1\t0\t0\n0\t1\t0\n", Limits()).points, AXES)
    np.testing.assert_array_equal(pasted("x\ty\tz\n1,0\t0\t0\n0\t1,0\t0", Limits()).points, AXES)
    with pytest.raises(InputError, match="there is no row in it"):
        pasted("   \n", Limits())
