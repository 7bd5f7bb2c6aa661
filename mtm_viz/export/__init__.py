"""Writing a run for others. A module NAME with `write_NAME(run, stream)` is the format .NAME: to add one, add its file."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from mtm_viz.errors import InputError
from mtm_viz.files import written_whole
from mtm_viz.run import Run


def suffixes() -> tuple[str, ...]:
    """The suffixes a run can be exported to, dot first."""
    return tuple(sorted(f".{module.name}" for module in pkgutil.iter_modules(__path__)))


def writer(path: Path) -> Callable[[Run, BinaryIO], None]:
    """The function that writes a run in the format of the path's suffix. Raises InputError listing the known ones."""
    suffix = path.suffix.lower()
    if suffix not in suffixes():
        raise InputError(f"{path.name}: the format '{suffix}' is not written: use one of {', '.join(suffixes())}")
    name = suffix.removeprefix(".")
    return getattr(importlib.import_module(f"{__name__}.{name}"), f"write_{name}")


def export(run: Run, path: str | Path) -> None:
    """Write `run` to `path` in the format of its suffix; the file appears whole or not at all."""
    write = writer(Path(path))
    with written_whole(path) as stream:
        write(run, stream)
