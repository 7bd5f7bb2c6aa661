"""NPY, NPZ and Parquet: what is read, and archives made to harm."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mtm_viz.errors import InputError
from mtm_viz.measures.readers import Limits, measure_from_bytes

AXES = np.array([[1.0, 0, 0], [0, 1, 0]])


def npy(array, **kw) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, **kw)
    return stream.getvalue()


def npz(**arrays) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def parquet(**columns) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def raw_npy(header: str, body: bytes = b"") -> bytes:
    text = header.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + body


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", ">f8", "i8", "u1", "g"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_real_type_and_order_is_read(dtype, order):
    array = np.array(AXES, dtype=dtype, order=order)
    np.testing.assert_array_equal(measure_from_bytes("a.npy", npy(array)).points, AXES)
    weighted = measure_from_bytes("a.npz", npz(points=array, weights=np.array([1, 3], dtype=dtype)))
    np.testing.assert_array_equal(weighted.weights, [0.25, 0.75])


def test_a_lone_array_needs_no_name():
    assert len(measure_from_bytes("a.npz", npz(arr_0=AXES))) == 2


def test_other_dimensions_are_read():
    assert measure_from_bytes("a.npy", npy(np.eye(5))).dimension == 5


REFUSED = {
    "objects": (npy(np.array([[1], [2, 3]], dtype=object), allow_pickle=True), "Python objects, which are never loaded"),
    "complex": (npy(AXES + 0j), "complex numbers"),
    "text": (npy(np.array([["a"]])), "values of type"),
    "truth": (npy(AXES > 0), "truth values"),
    "records": (npy(np.zeros(2, dtype=[("x", "f8")])), "records"),
    "one axis": (npy(np.ones(4)), "shape (4,)"),
    "three axes": (npy(np.ones((2, 2, 2))), "shape (2, 2, 2)"),
    "no axis": (npy(np.array(1.0)), "shape ()"),
    "no rows": (npy(np.ones((0, 3))), "no points in it"),
    "one column": (npy(np.ones((4, 1))), "points have 1 coordinates"),
    "too many columns": (npy(np.ones((2, 65))), "d at most 64"),
    "nan": (npy(np.array([[1, 0, 0], [0, np.nan, 1]])), "row 2, column y is nan, no finite number"),
    "zero vector": (npy(np.array([[1, 0, 0], [0, 0, 0.0]])), "row 2, columns x to z are all 0"),
    "beyond float64": (npy(np.array([[np.longdouble("1e4000"), 0, 0]])), "row 1, column x is inf"),
    "truncated": (npy(AXES)[:-3], "is cut off"),
    "a million rows": (raw_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 3), }"), "more than 200,000 atoms"),
    "petabytes": (raw_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (199999, 64), }"), "is cut off"),
    "overflowing shape": (raw_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775807, 9223372036854775807), }"), "shape"),
    "negative shape": (raw_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 3), }"), "shape (-1, 3)"),
    "code in the header": (raw_npy("__import__('os').getcwd()"), "no NPY array"),
    "deep header": (raw_npy("(" * 5000), "no NPY array"),
    "thirty axes": (npy(np.ones((1,) * 30)), "its array has shape (1, 1, 1,"),
    "a type without end": (npy(np.zeros(1, dtype=[(f"field{k}", "f8") for k in range(300)])), "records"),
    "version 9": (b"\x93NUMPY\x09\x00" + b"\0" * 90, "no NPY array"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_an_npy_that_is_wrong_is_refused(case):
    content, sentence = REFUSED[case]
    with pytest.raises(InputError) as caught:
        measure_from_bytes("a.npy", content)
    assert str(caught.value).startswith("a.npy: ") and sentence in str(caught.value) and "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def zipped(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


BAD_NPZ = {
    "no points": (npz(a=AXES, b=AXES), 'the archive holds "a", "b": name the array of coordinates "points"'),
    "empty archive": (zipped({}), "the archive holds nothing"),
    "weights too few": (npz(points=AXES, weights=np.ones(3)), "2 points and 3 weights"),
    "weights of two axes": (npz(points=AXES, weights=np.ones((2, 1))), "weights have shape (2, 1)"),
    "negative weight": (npz(points=AXES, weights=np.array([1.0, -2])), "row 2, column weight is -2"),
    "objects": (npz(points=np.array([{}, {}])), '"points.npy": its array holds Python objects'),
    "no array inside": (zipped({"points.npy": b"hello"}), '"points.npy": this is no NPY array'),
    "many members": (zipped({f"{k}.npy": b"" for k in range(65)}), "65 members"),
    "not an archive": (b"PK\x03\x04" + b"\0" * 100, "the archive is damaged"),
    "truncated": (npz(points=AXES)[:-30], "the archive is damaged"),
}


@pytest.mark.parametrize("case", BAD_NPZ)
def test_an_npz_that_is_wrong_is_refused(case):
    content, sentence = BAD_NPZ[case]
    with pytest.raises(InputError) as caught:
        measure_from_bytes("a.npz", content)
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


def test_a_zip_bomb_is_refused_before_it_is_unpacked():
    many = raw_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (30000000, 3), }", bytes(250_000_000))
    bomb = zipped({"points.npy": many})
    del many
    assert len(bomb) < 1_000_000
    tracemalloc.start()
    with pytest.raises(InputError, match=r"unpacks to more than|more than 200,000 atoms"):
        measure_from_bytes("bomb.npz", bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000_000


def test_a_bomb_that_lies_about_its_rows_is_refused_at_its_first_megabyte():
    header = raw_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (200001, 3), }", bytes(150_000_000))
    tracemalloc.start()
    bomb = zipped({"points.npy": header})
    tracemalloc.reset_peak()
    base, _ = tracemalloc.get_traced_memory()
    with pytest.raises(InputError, match="more than 200,000 atoms"):
        measure_from_bytes("bomb.npz", bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak - base < 20_000_000


def test_parquet_columns_by_name_and_any_number_type():
    measure = measure_from_bytes("a.parquet", parquet(Lat=pa.array([0, 90], pa.int32()), lng=[0.0, 0.0], name=["a", "b"], mass=pa.array([1, 3], pa.float32())))  # fmt: skip
    np.testing.assert_allclose(measure.points, [[1, 0, 0], [0, 0, 1]], atol=1e-15)
    np.testing.assert_array_equal(measure.weights, [0.25, 0.75])
    assert 'not used: "name"' in measure.notes


BAD_PARQUET = {
    "nulls": (parquet(x=[1.0, None], y=[0.0, 1], z=[0.0, 0]), 'row 2, column "x" is empty'),
    "text": (parquet(x=["1"], y=["0"], z=["0"]), 'column "x" holds string, not numbers'),
    "names": (parquet(a=[1.0]), 'names the columns "a"'),
    "no rows": (
        parquet(x=pa.array([], pa.float64()), y=pa.array([], pa.float64()), z=pa.array([], pa.float64())),
        "no row",
    ),
    "nan": (parquet(x=[1.0], y=[float("nan")], z=[0.0]), "row 1, column y is nan"),
    "too many": (parquet(x=[1.0] * 200_001, y=[0.0] * 200_001, z=[0.0] * 200_001), "more than 200,000 atoms"),
    "swapped": (parquet(lon=[48.0, -35.0], lat=[120.0, 2.0]), "swap lon and lat"),
    "truncated": (parquet(x=[1.0], y=[0.0], z=[0.0])[:-5], "no whole Parquet file"),
    "footer of noise": (b"PAR1" + b"\x99" * 100 + struct.pack("<I", 60) + b"PAR1", "damaged"),
    "lists": (parquet(x=[[1.0]], y=[[0.0]], z=[[0.0]]), "not numbers"),
}


@pytest.mark.parametrize("case", BAD_PARQUET)
def test_a_parquet_that_is_wrong_is_refused(case):
    content, sentence = BAD_PARQUET[case]
    with pytest.raises(InputError) as caught:
        measure_from_bytes("a.parquet", content)
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


def test_limits_of_atoms_hold_in_every_array_format():
    five = np.eye(5)[:, :3] + 1
    for name, content in {"a.npy": npy(five), "a.npz": npz(points=five), "a.parquet": parquet(x=five[:, 0], y=five[:, 1], z=five[:, 2])}.items():  # fmt: skip
        assert len(measure_from_bytes(name, content, limits=Limits(atoms=5))) == 5
        with pytest.raises(InputError, match="more than 4 atoms"):
            measure_from_bytes(name, content, limits=Limits(atoms=4))
