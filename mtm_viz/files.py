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


def require_writable(path: str | Path) -> None:
    """Raises InputError where `path` could not be written: asked before long work, not after it."""
    if Path(path).is_dir():
        raise InputError(f"{path} is a folder: name a file in it")
    try:
        tempfile.TemporaryFile(dir=Path(path).parent).close()
    except OSError as problem:
        raise InputError(f"{path} cannot be written ({problem.strerror}): choose another folder") from problem


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """A file's content, refused in one sentence where it is missing, unreadable or too large."""
    try:
        with path.open("rb") as stream:
            # Read, not asked of the file system: a device or a pipe has no size.
            content = stream.read(most + 1)
    except OSError as problem:
        raise InputError(f"the file cannot be read ({problem.strerror}): check its name and rights") from problem
    if len(content) > most:
        raise InputError(f"the file is larger than {most / 1e6:g} MB: make it smaller")
    return content


@contextmanager
def named(name: str) -> Iterator[None]:
    """Put the file's name before the sentence of any InputError of the block."""
    try:
        yield
    except InputError as problem:
        raise type(problem)(f"{name}: {problem}") from problem


def load_json(content: bytes, most: int = MOST_BYTES) -> Any:
    """Decode JSON text; NaN, infinities and nesting beyond reason are refused with the line and column."""
    if len(content) > most:
        raise InputError(f"the file is larger than {most / 1e6:g} MB: make it smaller")
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
    except InputError:
        raise
    except ValueError as problem:  # a whole number of thousands of digits
        raise InputError("the JSON holds a number too long to read: shorten it") from problem


def _no_constant(name: str) -> float:
    raise InputError(f"{name} is not a number JSON allows: replace it by a finite number")
