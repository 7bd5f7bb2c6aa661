from __future__ import annotations

import io
import json
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from mtm_viz.dynamics import schedule_file
from mtm_viz.dynamics.schedule import Schedule, Segment
from mtm_viz.dynamics.schedule_file import (
    load_arrays,
    load_schedule,
    save_schedule,
    schedule_arrays,
    schedule_from_arrays,
)
from mtm_viz.errors import InputError
from tests.strategies import schedules

FILES = Path(__file__).parents[1] / "cases" / "files"
RNG = np.random.default_rng(0)
SCHEDULE = Schedule(
    tuple(
        Segment(t, *(RNG.standard_normal(s) for s in ((3, 3), (3, 3), (3, 4), (4, 3), (4,))), phase)
        for t, phase in ((0.25, "gather"), (0.5, "match"), (0.25, "undo-gather"))
    )
)


def assert_same(one: Schedule, other: Schedule) -> None:
    for a, b in zip(one, other, strict=True):
        assert (a.duration, a.phase) == (b.duration, b.phase)
        for key in ("V", "B", "W", "U", "b"):
            np.testing.assert_array_equal(getattr(a, key), getattr(b, key))


@pytest.mark.parametrize("suffix", [".npz", ".json", ".JSON"])
def test_round_trip_is_exact(tmp_path, suffix):
    path = tmp_path / f"theta{suffix}"
    save_schedule(SCHEDULE, path)
    assert_same(load_schedule(path), SCHEDULE)


@given(schedules(dimension=4, width=2))
def test_arrays_round_trip_is_exact(schedule):
    assert_same(schedule_from_arrays(schedule_arrays(schedule)), schedule)


def test_the_layout_is_the_one_promised():
    arrays = schedule_arrays(SCHEDULE)
    shapes = {key: value.shape for key, value in arrays.items()}
    assert shapes == {
        "format": (),
        "version": (),
        "duration": (3,),
        "V": (3, 3, 3),
        "B": (3, 3, 3),
        "W": (3, 3, 4),
        "U": (3, 4, 3),
        "b": (3, 4),
        "phase": (3,),
    }
    assert str(arrays["format"]) == "mtm-schedule" and int(arrays["version"]) == 1
    assert list(arrays["phase"]) == ["gather", "match", "undo-gather"]


def test_another_suffix_is_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(InputError, match=r"not written as '\.txt': use \.json or \.npz"):
        save_schedule(SCHEDULE, tmp_path / "theta.txt")
    assert list(tmp_path.iterdir()) == []


def changed(**entries) -> dict[str, np.ndarray]:
    return {key: value for key, value in (schedule_arrays(SCHEDULE) | entries).items() if value is not None}


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        (changed(format=None), '"format" must be "mtm-schedule"'),
        (changed(format=np.array("mtm-problem")), '"format" must be "mtm-schedule"'),
        (changed(version=np.array(2)), "schedule version 2 is not known"),
        (changed(version=None), "schedule version None is not known"),
        (changed(U=None), 'the schedule lacks "U"'),
        (changed(phase=None), 'the schedule lacks "phase"'),
        (changed(duration=np.array(1.0)), '"duration" of the schedule has shape'),
        (changed(V=np.zeros((3, 9))), '"V" of the schedule has shape (3, 9): it needs 3 axes'),
        (changed(b=np.zeros((2, 4))), '"b" of the schedule has shape (2, 4)'),
        (changed(V=np.full((3, 3, 3), np.nan)), '"V" of the schedule holds something that is not a finite number'),
        (changed(W=np.full((3, 3, 4), "x")), '"W" of the schedule holds something that is not a finite number'),
        (changed(W=np.ones((3, 3, 4), dtype=complex)), '"W" of the schedule holds something'),
        (changed(V=np.zeros((3, 2, 2))), "do not fit"),
        (changed(duration=np.array([0.5, -0.5, 1.0])), "duration is -0.5"),
        (changed(phase=np.array(["gather", "waltz", "match"])), "phase 'waltz' is unknown"),
    ],
)
def test_arrays_that_are_no_schedule_are_refused(arrays, sentence):
    with pytest.raises(InputError) as caught:
        schedule_from_arrays(arrays)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "line 1, column 1 is not JSON"),
        (b"[]", '"format" must be "mtm-schedule"'),
        (b'{"format": "mtm-schedule"}', "schedule version None"),
        (b'{"format": ["mtm-schedule"], "version": 1}', '"format" must be'),
        (b'{"V": [[1, 2], [3]]}', '"V" of the schedule is no table of numbers'),
        (b'{"V": [NaN]}', "NaN is not a number JSON allows"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"V": ' + b"[" * 200 + b"1" + b"]" * 200 + b"}", '"V" of the schedule is no table of numbers'),
        (b"\xff", "not UTF-8"),
    ],
)
def test_hostile_json_is_refused_in_one_sentence_that_names_the_file(tmp_path, content, sentence):
    path = tmp_path / "theta.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load_schedule(path)
    assert str(caught.value).startswith("theta.json: ") and sentence in str(caught.value)


def npz(**arrays: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


class Explosive:
    """Unpickling this would end the test run."""

    def __reduce__(self):
        return (pytest.exit, ("a file was unpickled",))


def test_objects_are_never_unpickled(tmp_path):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(header, {"descr": "|O", "fortran_order": False, "shape": ()})
        archive.writestr("V.npy", header.getvalue() + pickle.dumps(Explosive()))
    (tmp_path / "theta.npz").write_bytes(stream.getvalue())
    for path in (tmp_path / "theta.npz", FILES / "object_array.npz"):
        with pytest.raises(InputError, match=rf"^{path.name}: this is not an NPZ file"):
            load_schedule(path)


def test_an_archive_that_unpacks_to_too_much_is_refused_before_unpacking(tmp_path, monkeypatch):
    monkeypatch.setattr(schedule_file, "MOST_BYTES", 1_000_000)
    path = tmp_path / "bomb.npz"
    path.write_bytes(npz(V=np.zeros(10_000_000)))
    assert path.stat().st_size < 100_000
    monkeypatch.setattr(np, "load", lambda *_, **__: pytest.fail("it was unpacked"))
    with pytest.raises(InputError, match=r"^bomb\.npz: the file unpacks to more than 1 MB"):
        load_schedule(path)


def test_a_header_that_claims_petabytes_is_refused(tmp_path):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**15,)})
        archive.writestr("V.npy", header.getvalue() + bytes(800))
    with pytest.raises(InputError, match="not an NPZ file"):
        load_arrays(io.BytesIO(stream.getvalue()))


def test_a_truncated_or_scrambled_archive_is_refused_wherever_it_breaks():
    whole = npz(**schedule_arrays(SCHEDULE))
    rng = np.random.default_rng(0)
    for cut in range(0, len(whole) - 1, 37):
        with pytest.raises(InputError):
            load_arrays(io.BytesIO(whole[:cut]))
    scrambled = 0
    for _ in range(200):
        content = bytearray(whole)
        content[int(rng.integers(len(content)))] ^= 0xFF
        try:
            schedule_from_arrays(load_arrays(io.BytesIO(bytes(content))))
        except InputError:
            scrambled += 1
    assert scrambled > 100, "the checksums of the archive see a changed byte"


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x93NUMPY\x01\x00", b"{}"])
def test_what_is_no_archive_is_refused(tmp_path, content):
    (tmp_path / "theta.npz").write_bytes(content)
    with pytest.raises(InputError, match=r"^theta\.npz: this is not an NPZ file"):
        load_schedule(tmp_path / "theta.npz")


def test_a_missing_file_is_told(tmp_path):
    for name in ("absent.npz", "absent.json"):
        with pytest.raises(InputError, match=rf"^{name}: the file cannot be read \(No such file"):
            load_schedule(tmp_path / name)


def test_json_of_a_schedule_is_plain_lists(tmp_path):
    save_schedule(SCHEDULE, tmp_path / "theta.json")
    said = json.loads((tmp_path / "theta.json").read_text())
    assert said["format"] == "mtm-schedule" and said["version"] == 1
    assert np.array(said["U"]).shape == (3, 4, 3)
