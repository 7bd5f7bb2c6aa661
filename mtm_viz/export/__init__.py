"""Writing a run for others. A module NAME with `write_NAME(run, stream)` is the format .NAME: to add one, add its file.

A longer ending has an underscore for its inner dot: png_zip is .png.zip. `write` may also take `options` and `progress`,
and returns what should be said about the file, if anything. MIME_TYPE is the format's; `companions(run, options, stem)`, if
there is one, are files that belong beside it. Modules that start with an underscore are no formats.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import BinaryIO

from mtm_viz.errors import InputError
from mtm_viz.files import named, written_whole
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run

Progress = Callable[[str, float], None]
Writer = Callable[..., "list[str] | None"]


def suffixes() -> tuple[str, ...]:
    """The suffixes a run can be exported to, dot first."""
    names = [module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")]
    return tuple(sorted("." + name.replace("_", ".") for name in names))


def suffix_of(path: Path) -> str:
    """The known ending of a file's name, the longest that fits. Raises InputError listing the known ones."""
    name = path.name.lower()
    found = [suffix for suffix in suffixes() if name.endswith(suffix)]
    if found:
        return max(found, key=len)
    wrong = (
        f"the format '{path.suffix}' is not written" if path.suffix else "the name has no ending that says the format"
    )
    raise InputError(f"{path.name}: {wrong}: use one of {', '.join(suffixes())}")


def format_of(suffix: str) -> ModuleType:
    """The module that writes `suffix`."""
    return importlib.import_module(f"{__name__}.{suffix.removeprefix('.').replace('.', '_')}")


def writer(path: Path) -> Writer:
    """The function (run, stream, options=..., progress=...) that writes the format of the path's ending."""
    suffix = suffix_of(path)
    write = getattr(format_of(suffix), f"write_{suffix.removeprefix('.').replace('.', '_')}")
    known = inspect.signature(write).parameters

    def written(
        run: Run, stream: BinaryIO, options: Options | None = None, progress: Progress | None = None
    ) -> list[str]:
        given = {"options": options or Options(), "progress": progress or _silent}
        return write(run, stream, **{name: value for name, value in given.items() if name in known}) or []

    return written


def companions(run: Run, path: Path, options: Options | None = None) -> dict[str, bytes]:
    """Files that belong beside `path`, by name."""
    suffix = suffix_of(path)
    make = getattr(format_of(suffix), "companions", None)
    return make(run, options or Options(), path.name[: -len(suffix)]) if make else {}


def export(run: Run, path: str | Path, options: Options | None = None, progress: Progress | None = None) -> list[str]:
    """Write `run` to `path` in the format of its ending; every file appears whole or not at all. What to say about it."""
    path = Path(path)
    write, beside = writer(path), companions(run, path, options)
    with named(path.name), ExitStack() as stack:
        for name, content in beside.items():
            stack.enter_context(written_whole(path.with_name(name))).write(content)
        notes = write(run, stack.enter_context(written_whole(path)), options, progress)
    return notes + [f"beside it: {name}" for name in beside]


def _silent(_: str, __: float) -> None:
    return None
