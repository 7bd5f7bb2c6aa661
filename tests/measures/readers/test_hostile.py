"""Theorems about all readers: whatever the bytes, the answer is a Measure or an InputError of one line."""

from __future__ import annotations

import io
import json
import subprocess
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers import measure_from_bytes, readers
from mtm_viz.measures.readers.csv import pasted
from mtm_viz.measures.readers.limits import Limits

SUFFIXES = sorted(readers())
#: Parquet takes a process a file, so its cases are fewer and its own.
QUICK = [suffix for suffix in SUFFIXES if suffix != ".parquet"]
#: What the text formats are made of, so that random text gets past the first line.
WORDS = [
    "x,y,z\n", "lon;lat\n", "1,0,0\n", "0.5;0,5\n", "weight", "-", "nan", "1e9", "1e999", '"', "\n", "\t", "#", "sep=;\n", " ", "91,0\n",
    "{", "}", "[", "]", ":", ",", '"points"', '"weights"', '"type"', '"Point"', '"coordinates"', "null", "true", "-1", "0",
    "<svg>", "</svg>", '<path d="', "M0 0 L9 9 Z", '"/>', "<g transform='rotate(", ")'>", "</g>", "<!DOCTYPE a>", "&amp;", "&x;",
]  # fmt: skip
#: The first bytes of every format, so that random bytes get past them.
MAGIC = [
    b"",
    b"PK\x03\x04",
    b"PAR1",
    b"\x93NUMPY\x01\x00v\x00",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff\xe0",
    b"<svg ",
    b"\xff\xfe",
    b"[[",
    b"x,y,z\n",
]


@cache
def valid(suffix: str) -> bytes:
    """A small right file of every format."""
    points = np.array([[1.0, 0, 0], [0, 0.6, 0.8], [0, 0, -1]])
    stream = io.BytesIO()
    match suffix:
        case ".csv" | ".tsv" | ".txt":
            return b"x,y,z,w\n1,0,0,1\n0,.6,.8,2\n0,0,-1,3\n"
        case ".json":
            return json.dumps({"points": points.tolist(), "weights": [1, 2, 3]}).encode()
        case ".geojson":
            return json.dumps({"type": "MultiPoint", "coordinates": [[0, 0], [90, 45]]}).encode()
        case ".npy":
            np.save(stream, points)
        case ".npz":
            np.savez_compressed(stream, points=points, weights=[1, 2, 3])
        case ".parquet":
            pq.write_table(pa.table({"x": points[:, 0], "y": points[:, 1], "z": points[:, 2]}), stream)
        case ".png" | ".jpg" | ".jpeg":
            picture = Image.fromarray((np.arange(192).reshape(12, 16) % 255).astype(np.uint8))
            picture.save(stream, "PNG" if suffix == ".png" else "JPEG")
        case ".svg":
            return b'<svg xmlns="http://www.w3.org/2000/svg"><g transform="scale(2)"><circle cx="5" cy="5" r="3"/><path d="M0 0 C 1 2 3 4 9 9 Z" stroke="red"/></g></svg>'
    return stream.getvalue()


def outcome(suffix: str, content: bytes) -> None:
    try:
        measure = measure_from_bytes(f"f{suffix}", content)
    except InputError as problem:
        said = str(problem)
        assert said.startswith(f"f{suffix}: ") and "\n" not in said and len(said) < 500
    else:
        assert isinstance(measure, Measure) and len(measure) > 0
        np.testing.assert_allclose(np.linalg.norm(measure.points, axis=1), 1, atol=1e-12)
        assert abs(measure.weights.sum() - 1) < 1e-9 and (measure.weights >= 0).all()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_valid_file_is_valid(suffix):
    assert len(measure_from_bytes(f"f{suffix}", valid(suffix))) > 1


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(start=st.sampled_from(MAGIC), rest=st.binary(max_size=200))
def test_any_bytes(suffix, start, rest):
    outcome(suffix, start + rest)


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(pieces=st.lists(st.sampled_from(WORDS) | st.text(max_size=5), max_size=25))
def test_any_text(suffix, pieces):
    outcome(suffix, "".join(pieces).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("suffix", QUICK)
@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_right_file_with_wrong_bytes(suffix, data):
    content = bytearray(valid(suffix))
    for _ in range(data.draw(st.integers(1, 4))):
        k = data.draw(st.integers(0, len(content) - 1))
        match data.draw(st.sampled_from(["change", "cut", "double", "insert"])):
            case "change":
                content[k] = data.draw(st.integers(0, 255))
            case "cut":
                del content[max(1, k) :]
            case "double":
                content += content[k:]
            case "insert":
                content[k:k] = data.draw(st.binary(min_size=1, max_size=8))
    outcome(suffix, bytes(content))


def test_a_parquet_with_a_damaged_footer_never_ends_this_process():
    """About one changed byte in a hundred there makes pyarrow abort the interpreter that reads it."""
    rng = np.random.default_rng(5)
    for _ in range(6):
        content = bytearray(valid(".parquet"))
        content[int(rng.integers(len(content) - 300, len(content) - 8))] ^= int(rng.integers(1, 256))
        outcome(".parquet", bytes(content))


@pytest.mark.parametrize("code", ["os.abort()", "time.sleep(99)", "bytearray(10**11)"])
def test_a_decoder_that_aborts_hangs_or_swells_harms_nobody(code, monkeypatch, tmp_path):
    (tmp_path / "child.py").write_text(f"import os, time\n{code}\n")
    from mtm_viz.measures.readers import parquet

    run = subprocess.run
    monkeypatch.setattr(parquet, "_START_SECONDS", 0.5)
    monkeypatch.setattr(
        parquet.subprocess, "run", lambda command, **kw: run([command[0], str(tmp_path / "child.py")], **kw)
    )
    with pytest.raises(InputError, match=r"f\.parquet: (the Parquet file is damaged|reading took longer than 0\.5 s)"):
        measure_from_bytes("f.parquet", valid(".parquet"), limits=Limits(seconds=0.5))


@given(text=st.lists(st.sampled_from(WORDS) | st.text(max_size=5), max_size=25).map("".join))
def test_any_paste(text):
    try:
        assert len(pasted(text, Limits())) > 0
    except InputError as problem:
        assert "\n" not in str(problem)


number = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e6, max_value=1e6)


@given(
    rows=st.lists(st.tuples(number, number, number).filter(any), min_size=1, max_size=9),
    separator=st.sampled_from(",;\t| "),
    comma=st.booleans(),
)
def test_any_numbers_in_any_table_are_read_to_the_last_bit(rows, separator, comma):
    lines = [separator.join(map(repr, row)) for row in rows]
    text = separator.join("xyz") + "\n" + "\n".join(lines)
    if comma and separator in ";\t":
        text = text.replace(".", ",")
    np.testing.assert_array_equal(measure_from_bytes("a.csv", text.encode()).points, Measure(rows).points)
