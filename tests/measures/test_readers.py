from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mtm_viz.errors import InputError
from mtm_viz.measures.readers import read_measure, readers

FILES = Path(__file__).parents[1] / "cases" / "files"


def test_json_is_read_with_and_without_weights(tmp_path):
    bare, full = tmp_path / "bare.json", tmp_path / "full.JSON"
    bare.write_text("[[1, 0, 0], [0, 0, 3]]")
    full.write_text(
        '\N{ZERO WIDTH NO-BREAK SPACE}{"points": [[1, 0, 0], [0, 0, 3]], "weights": [1, 3]}', encoding="utf-8"
    )
    assert read_measure(bare).has_equal_weights
    np.testing.assert_array_equal(read_measure(full).weights, [0.25, 0.75])
    np.testing.assert_array_equal(read_measure(full).points, [[1, 0, 0], [0, 0, 1]])


def test_a_truncated_file_names_itself_the_line_and_the_column():
    with pytest.raises(InputError, match=r"^truncated\.json: line 1, column 25 is not JSON"):
        read_measure(FILES / "truncated.json")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "the file is empty"),
        (b"{}", "the JSON is no measure"),
        (b"7", "the JSON is no measure"),
        (b"[]", "at least one point"),
        (b'{"points": {"a": 1}}', "must be a list of at least one point"),
        (b"[[1, 0, NaN]]", "NaN is not a number JSON allows"),
        (b"[[1, 0, 1e999]]", "point 1, column z is inf, no finite number"),
        (b"[[1, 0, " + b"1" * 5_000 + b"]]", "a number too long to read"),
        (b"[[1, 0, " + b"1" * 400 + b"]]", "point 1 holds a number beyond float64"),
        (b"\xff\xfe[", "byte 0 is not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_measure_names_the_file(tmp_path, content, sentence):
    path = tmp_path / "cloud.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=sentence) as caught:
        read_measure(path)
    assert str(caught.value).startswith("cloud.json: ")


def test_an_unknown_format_lists_the_known_ones(tmp_path):
    with pytest.raises(InputError, match=r"^cloud\.xlsx: the format '\.xlsx' is not read: use one of .*\.json"):
        read_measure(tmp_path / "cloud.xlsx")


def test_a_missing_file_and_a_folder_say_so(tmp_path):
    with pytest.raises(InputError, match=r"^absent\.json: the file cannot be read \(No such file"):
        read_measure(tmp_path / "absent.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(InputError, match=r"^folder\.json: the file cannot be read"):
        read_measure(tmp_path / "folder.json")


@pytest.mark.parametrize("suffix", sorted(readers()))
def test_every_reader_refuses_an_empty_file_and_noise_in_words(tmp_path, suffix):
    path = tmp_path / f"noise{suffix}"
    for content in (b"", np.random.default_rng(0).bytes(300)):
        path.write_bytes(content)
        with pytest.raises(InputError, match=f"^noise{suffix}: "):
            read_measure(path)
