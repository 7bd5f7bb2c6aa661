"""Reading files within bounds, and writing them so that nobody ever meets half of one."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from mtm_viz.errors import InputError

#: The largest file read whole, by default.
MOST_BYTES = 25_000_000


@contextmanager
def written_whole(path: str | Path) -> Iterator[BinaryIO]:
    """A binary stream that becomes the file `path` when the block ends well, and nothing otherwise."""
    path = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as problem:
        raise InputError(f"{path} cannot be written ({problem.strerror}): choose another folder") from problem
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    except BaseException as problem:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(problem, OSError):
            raise InputError(
                f"{path} cannot be written ({problem.strerror}): free some space or choose another folder"
            ) from problem
        raise


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """A file's content, refused in one sentence where it is missing, unreadable or too large."""
    try:
        if path.stat().st_size > most:
            raise InputError(f"the file is larger than {most // 1_000_000} MB: make it smaller")
        return path.read_bytes()
    except OSError as problem:
        raise InputError(f"the file cannot be read ({problem.strerror}): check its name and rights") from problem


def load_json(content: bytes) -> Any:
    """Decode JSON text; NaN, infinities and nesting beyond reason are refused with the line and column."""
    if len(content) > MOST_BYTES:
        raise InputError(f"the file is larger than {MOST_BYTES // 1_000_000} MB: make it smaller")
    try:
        text = content.decode("utf-8-sig")
        return json.loads(text, parse_constant=_no_constant)
    except UnicodeDecodeError as problem:
        raise InputError(f"byte {problem.start} is not UTF-8 text: save the file as UTF-8 JSON") from problem
    except json.JSONDecodeError as problem:
        raise InputError(
            f"line {problem.lineno}, column {problem.colno} is not JSON ({problem.msg}): correct that place"
        ) from problem
    except RecursionError as problem:
        raise InputError("the JSON is nested too deeply: flatten it") from problem


def _no_constant(name: str) -> float:
    raise InputError(f"{name} is not a number JSON allows: replace it by a finite number")
