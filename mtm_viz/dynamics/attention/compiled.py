"""Whether Numba's kernels can serve now. Numba is optional; compiling takes seconds once and is kept on disk."""

from __future__ import annotations

import importlib
import importlib.util
import os
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from types import ModuleType
from typing import Any, TypeVar

_T = TypeVar("_T")
_warming: threading.Thread | None = None
_KERNELS = ("harmonic_compiled", "tiled")


@cache
def installed() -> bool:
    """Whether Numba is there, fits this NumPy, has somewhere to keep its code, and is not off by NUMBA_DISABLE_JIT."""
    if importlib.util.find_spec("numba") is None or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return False
    try:
        for name in _KERNELS:
            importlib.import_module(f"{__package__}.{name}")
    except (ImportError, RuntimeError):  # another NumPy than Numba was made for; no folder to write to
        return False
    return True


def usable() -> bool:
    """Whether a kernel called now answers without waiting for a background compilation."""
    return (_warming is None or not _warming.is_alive()) and installed()


def warm(delay: float = 0.0) -> threading.Thread | None:
    """Compile (or load from disk) every kernel in the background; until then portable code serves. None without Numba.

    delay: seconds for which the interpreter is left to whoever else is starting.
    """
    global _warming
    if _warming is None and importlib.util.find_spec("numba") is not None:
        _warming = threading.Thread(target=_compile_all, args=(delay,), name="warm attention kernels", daemon=True)
        _warming.start()
    return _warming


def harmonic() -> ModuleType | None:
    """The compiled loops of the harmonic series, or None."""
    return importlib.import_module(f"{__package__}.harmonic_compiled") if usable() else None


def tiled() -> ModuleType | None:
    """The compiled dense kernel, or None."""
    return importlib.import_module(f"{__package__}.tiled") if usable() else None


def _compile_all(delay: float) -> None:
    time.sleep(delay)
    if installed():
        for name in _KERNELS:
            importlib.import_module(f"{__package__}.{name}").compile_now()


@cache
def cores() -> int:
    """CPU cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(cores(), thread_name_prefix="attention")


if hasattr(os, "register_at_fork"):
    # A forked child has the pool but none of its threads.
    os.register_at_fork(after_in_child=_pool.cache_clear)


def each(work: Callable[[Any], _T], parts: Iterable[Any]) -> list[_T]:
    """work(part) for every part, in order; on all cores, since the kernels release the interpreter's lock.

    Numba's own threads are not used: one of its layers aborts the process when two Python threads enter it at once.
    """
    parts = list(parts)
    found: list[Any] = [None] * len(parts)
    left = iter(range(len(parts)))

    def drain() -> None:
        for k in left:  # one iterator for all threads: each part is drawn once
            found[k] = work(parts[k])

    helpers = [_pool().submit(drain) for _ in range(min(cores(), len(parts)) - 1)]
    try:
        drain()
    finally:
        # A helper that other work kept from starting has nothing left to do.
        running = [helper for helper in helpers if not helper.cancel()]
        wait(running)
    for helper in running:
        helper.result()
    return found
