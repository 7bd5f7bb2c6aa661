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
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import BinaryIO

from mtm_viz.dynamics.schedule_file import load_arrays
from mtm_viz.errors import InputError
from mtm_viz.files import named, written_whole
from mtm_viz.rendering.exploration import LACKING, as_run
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run
from mtm_viz.simulation import Simulation

Progress = Callable[[str, float], None]
Writer = Callable[..., list[str]]

#: What a simulation can be written as: it has neither schedule nor certificate.
OF_SIMULATIONS = (".csv", ".gif", ".mp4", ".parquet", ".pdf", ".png", ".png.zip", ".svg", ".trajectories.npz", ".webm")


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
        run: Run | Simulation, stream: BinaryIO, options: Options | None = None, progress: Progress | None = None
    ) -> list[str]:
        options = options or Options()
        if isinstance(run, Simulation):
            run, options = _drawable(run, suffix, options)
        given = {"options": options, "progress": progress or _silent}
        return write(run, stream, **{name: value for name, value in given.items() if name in known}) or []

    return written


def _drawable(found: Simulation, suffix: str, options: Options) -> tuple[Run, Options]:
    """A simulation as a run, and the parts of the picture it has."""
    if suffix not in OF_SIMULATIONS:
        raise InputError(
            f"a simulation has no schedule or certificate to write as {suffix}: use one of {', '.join(OF_SIMULATIONS)}"
        )
    shown = frozenset({"legend"}) if options.show is None else options.show
    return as_run(found), replace(options, show=shown - LACKING)


def load(path: Path) -> Run | Simulation:
    """Read a run of `interpolate` or of `simulate`. Raises InputError, naming the file, for anything else."""
    with named(path.name):
        arrays = load_arrays(path)
        return Simulation.from_arrays(arrays) if "scenario" in arrays else Run.from_arrays(arrays)


def companions(run: Run | Simulation, path: Path, options: Options | None = None) -> dict[str, bytes]:
    """Files that belong beside `path`, by name."""
    suffix = suffix_of(path)
    make = getattr(format_of(suffix), "companions", None)
    return make(run, options or Options(), path.name[: -len(suffix)]) if make and isinstance(run, Run) else {}


def export(
    run: Run | Simulation, path: str | Path, options: Options | None = None, progress: Progress | None = None
) -> list[str]:
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
