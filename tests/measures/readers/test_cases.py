"""Every awkward file kept for this purpose, and the rules that all readers share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mtm_viz import cli
from mtm_viz.errors import InputError
from mtm_viz.measures.readers import Limits, measure_from_bytes, read_measure, readers
from mtm_viz.measures.readers.format import Format

FILES = Path(__file__).parents[2] / "cases" / "files"
# Worked out by hand: (cos lat cos lon, cos lat sin lon, sin lat) to six digits.
PARIS, TOKYO = [0.657479, 0.026982, 0.752989], [-0.619350, 0.525247, 0.583541]

READ = {
    "multipoint.geojson": (3, [0.5, 0.25, 0.25]),
    "ok_float32.npz": (9, [1 / 9] * 9),
    "ok_lonlat_bom_semicolon.csv": (3, [3 / 24, 8 / 24, 13 / 24]),
    "ok_xyz_header_case.csv": (3, [0.5, 0.25, 0.25]),
}
REFUSED = {
    "all_zero_weights.csv": "all weights are zero: give at least one point a positive weight",
    "empty.csv": "the file is empty (0 bytes): save it again with its points",
    "header_only.csv": "row 1 is a header and no row follows: add at least one row of numbers",
    "nan_row.csv": "row 2 (line 3), column y is 'nan', no finite number: correct or remove that row",
    "negative_weight.csv": "row 2 (line 3), column weight is -0.5: weights must be finite and not negative, correct that row",
    "object_array.npz": '"points.npy": its array holds Python objects, which are never loaded, not real numbers: save it as float64',
    "ragged.csv": "row 2 (line 3) has 2 columns and the header has 3: give every row as many",
    "swapped_lonlat.csv": "row 2 (line 3), column lat is -174, beyond 90 degrees, and every row is in range the other way round: swap lon and lat",
    "truncated.json": "line 1, column 25 is not JSON (Expecting ',' delimiter): correct that place",
    "zero_vector.csv": "row 2 (line 3), columns x to z are all 0 and have no direction: correct or remove that row",
}


def test_no_file_is_forgotten():
    assert {path.name for path in FILES.iterdir()} == READ.keys() | REFUSED.keys()


@pytest.mark.parametrize("name", READ)
def test_what_is_right_is_read_rightly(name):
    measure = read_measure(FILES / name)
    n, weights = READ[name]
    assert len(measure) == n and measure.points.dtype == np.float64
    np.testing.assert_allclose(measure.weights, weights, atol=1e-7)
    np.testing.assert_allclose(np.linalg.norm(measure.points, axis=1), 1.0, atol=1e-15)


def test_longitude_comes_before_latitude_in_degrees():
    for name in ("multipoint.geojson", "ok_lonlat_bom_semicolon.csv"):
        np.testing.assert_allclose(read_measure(FILES / name).points[0], PARIS, atol=1e-6)
    np.testing.assert_allclose(read_measure(FILES / "multipoint.geojson").points[1], TOKYO, atol=1e-6)
    np.testing.assert_array_equal(
        read_measure(FILES / "ok_xyz_header_case.csv").points, [[1, 0, 0], [0, 1, 0], [0, 0, -1]]
    )


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_refused_in_one_sentence_that_names_the_file(name):
    with pytest.raises(InputError) as caught:
        read_measure(FILES / name)
    assert str(caught.value) == f"{name}: {REFUSED[name]}"


@pytest.mark.parametrize("name", [*READ, *REFUSED])
def test_convert_says_the_same(name, tmp_path, capfd):
    code = cli.main(["convert", str(FILES / name), "-o", str(tmp_path / "m.json")])
    out, err = capfd.readouterr()
    if name in READ:
        assert (code, err) == (0, "") and f"{READ[name][0]} atoms in dimension 3" in out
        again = read_measure(tmp_path / "m.json")
        np.testing.assert_array_equal(again.points, read_measure(FILES / name).points)
    else:
        assert (code, out) == (2, "") and err == f"mtm_viz: {name}: {REFUSED[name]}\n"
        assert list(tmp_path.iterdir()) == []


def test_notes_say_what_was_changed():
    notes = read_measure(FILES / "ok_xyz_header_case.csv").notes
    assert notes == (
        "2 of 3 points were projected to the sphere (largest distance 2)",
        "weights were divided by their sum 4",
    )


def test_an_unknown_format_lists_the_known_ones(tmp_path):
    with pytest.raises(InputError, match=r"^cloud\.xlsx: the format '\.xlsx' is not read: use one of .*\.csv.*\.json"):
        read_measure(tmp_path / "cloud.xlsx")
    with pytest.raises(InputError, match=r"^cloud: a name without a suffix does not say its format"):
        read_measure(tmp_path / "cloud")


def test_a_missing_file_and_a_folder_say_so(tmp_path):
    with pytest.raises(InputError, match=r"^absent\.csv: the file cannot be read \(No such file"):
        read_measure(tmp_path / "absent.csv")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(InputError, match=r"^folder\.json: the file cannot be read"):
        read_measure(tmp_path / "folder.json")


@pytest.mark.parametrize("suffix", sorted(readers()))
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0",
        b"PK",
        b"PAR1",
        b"\x93NUMPY",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff",
        b"<svg",
        b"[",
        b"\xff\xfe",
        bytes(range(256)),
    ],
)
def test_every_reader_refuses_other_formats_and_fragments_in_words(suffix, content):
    with pytest.raises(InputError, match=rf"^odd{suffix}: [^\n]+: [^\n]+$"):
        measure_from_bytes(f"odd{suffix}", content)


@pytest.mark.parametrize("suffix", sorted(readers()))
def test_more_bytes_than_allowed_are_refused_unread(suffix):
    with pytest.raises(InputError, match=rf"^big{suffix}: the file is larger than 0\.001 MB"):
        measure_from_bytes(f"big{suffix}", b" " * 1001, limits=Limits(bytes=1000))


def test_limits_are_told_beforehand_and_can_be_set(tmp_path):
    assert Limits().sentence == "up to 25 MB and 200,000 atoms a file"
    (tmp_path / "four.csv").write_text("x,y,z\n" + "1,0,0\n" * 4)
    assert len(read_measure(tmp_path / "four.csv", limits=Limits(atoms=4))) == 4
    with pytest.raises(InputError, match="more than 3 atoms: keep fewer rows or raise the limit"):
        read_measure(tmp_path / "four.csv", limits=Limits(atoms=3))
    with pytest.raises(InputError, match=r"larger than 1e-05 MB"):
        read_measure(tmp_path / "four.csv", limits=Limits(bytes=10))


def test_time_is_bounded_and_said():
    rows = "x,y,z\n" + "1,0,0\n" * 5000
    with pytest.raises(InputError, match=r"^slow\.csv: reading took longer than 0 s and was stopped"):
        measure_from_bytes("slow.csv", rows.encode(), limits=Limits(seconds=0))


def test_an_option_that_a_format_lacks_is_named():
    with pytest.raises(InputError, match=r'^a\.csv: "placement" is no option of CSV or TSV: use none'):
        measure_from_bytes("a.csv", b"x,y,z\n1,0,0\n", {"placement": "world"})
    with pytest.raises(InputError, match=r'^a\.png: "placement" is \'moon\': give one of patch, world'):
        measure_from_bytes("a.png", b"x", {"placement": "moon"})


def test_every_reader_names_itself_and_its_suffixes():
    for suffix, kind in readers().items():
        assert isinstance(kind, Format) and kind.label and suffix in kind.suffixes and suffix == suffix.lower()
