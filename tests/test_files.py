from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from mtm_viz.errors import InputError, Refusal
from mtm_viz.files import named, read_bytes, require_writable, written_whole


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_block_that_ends_well_leaves_the_whole_file(tmp_path):
    path = tmp_path / "out.bin"
    path.write_bytes(b"old")
    with written_whole(path) as stream:
        stream.write(b"new")
        assert path.read_bytes() == b"old", "nothing is replaced before the block ends"
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["out.bin"]


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, RuntimeError, MemoryError])
def test_a_block_that_breaks_off_leaves_nothing(tmp_path, interruption):
    path = tmp_path / "out.bin"
    with pytest.raises(interruption), written_whole(path) as stream:
        stream.write(b"half")
        raise interruption
    assert names(tmp_path) == []


def test_a_broken_off_block_leaves_the_old_file(tmp_path):
    path = tmp_path / "out.bin"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), written_whole(path) as stream:
        stream.write(b"half")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["out.bin"]


def test_a_full_disk_is_told_in_words(tmp_path):
    with (
        pytest.raises(InputError, match=r"cannot be written \(No space left on device\)"),
        written_whole(tmp_path / "x"),
    ):
        raise OSError(28, "No space left on device")
    assert names(tmp_path) == []


def test_the_file_has_the_rights_the_umask_leaves(tmp_path):
    with written_whole(tmp_path / "out.bin") as stream:
        stream.write(b"x")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE((tmp_path / "out.bin").stat().st_mode) == 0o666 & ~umask


@pytest.mark.parametrize("ask", [require_writable, lambda path: written_whole(path).__enter__()])
def test_a_folder_that_does_not_exist_is_told(tmp_path, ask):
    with pytest.raises(InputError, match=r"cannot be written .*: choose another folder"):
        ask(tmp_path / "absent" / "out.bin")


def test_a_folder_is_no_file_to_write(tmp_path):
    with pytest.raises(InputError, match="is a folder: name a file in it"):
        require_writable(tmp_path)
    require_writable(tmp_path / "out.bin")
    assert names(tmp_path) == []


def test_reading_is_bounded(tmp_path):
    path = tmp_path / "in.bin"
    path.write_bytes(b"x" * 1_000)
    assert read_bytes(path, most=1_000) == b"x" * 1_000
    with pytest.raises(InputError, match=r"larger than 0\.000\d+ MB"):
        read_bytes(path, most=999)


def test_reading_a_device_without_end_ends():
    with pytest.raises(InputError, match="larger than 1 MB"):
        read_bytes(Path("/dev/zero"), most=1_000_000)


def test_naming_a_file_keeps_the_kind_of_error():
    with pytest.raises(Refusal, match=r"^p\.json: no schedule exists$"), named("p.json"):
        raise Refusal("no schedule exists")
