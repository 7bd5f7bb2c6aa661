"""Whether Numba's kernels can serve now. Numba is optional; compiling takes seconds once and is kept on disk."""

from __future__ import annotations

import importlib
import importlib.util
import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from types import ModuleType
from typing import Any, TypeVar

_T = TypeVar("_T")
_warming: threading.Thread | None = None


@cache
def installed() -> bool:
    """Whether Numba is there and not switched off by NUMBA_DISABLE_JIT."""
    return importlib.util.find_spec("numba") is not None and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


def usable() -> bool:
    """Whether a kernel called now answers without waiting for a background compilation."""
    return installed() and (_warming is None or not _warming.is_alive())


def warm() -> threading.Thread | None:
    """Compile (or load from disk) every kernel in the background; until then portable code serves. None without Numba."""
    global _warming
    if installed() and _warming is None:
        _warming = threading.Thread(target=_compile_all, name="warm attention kernels", daemon=True)
        _warming.start()
    return _warming


def harmonic() -> ModuleType | None:
    """The compiled loops of the harmonic series, or None."""
    return importlib.import_module("mtm_viz.dynamics.attention.harmonic_compiled") if usable() else None


def tiled() -> ModuleType | None:
    """The compiled dense kernel, or None."""
    return importlib.import_module("mtm_viz.dynamics.attention.tiled") if usable() else None


def _compile_all() -> None:
    for name in ("harmonic_compiled", "tiled"):
        importlib.import_module(f"mtm_viz.dynamics.attention.{name}").compile_now()


@cache
def cores() -> int:
    """CPU cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(cores(), thread_name_prefix="attention")


def each(work: Callable[[Any], _T], parts: Iterable[Any]) -> list[_T]:
    """work(part) for every part, in order; on all cores, since the kernels release the interpreter's lock.

    Numba's own threads are not used: one of its layers aborts the process when two Python threads enter it at once.
    """
    parts = list(parts)
    if len(parts) == 1 or cores() == 1:
        return [work(part) for part in parts]
    return list(_pool().map(work, parts))
