"""Parquet, decoded by a process of its own that may fail, hang or swell without harm to this one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import mtm_viz
from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers.columns import measure_of_columns, roles_of
from mtm_viz.measures.readers.format import Format, Options
from mtm_viz.measures.readers.limits import Watch
from mtm_viz.measures.readers.npy import array_of

_MAGIC = b"PAR1"
#: Starting Python and pyarrow is not reading: it may take so long on a busy machine.
_START_SECONDS = 10.0


def read_parquet(content: bytes, options: Options, watch: Watch) -> Measure:
    if not (content.startswith(_MAGIC) and content.endswith(_MAGIC) and len(content) > 12):
        raise InputError("this is no whole Parquet file: save or copy it again")
    first, _, rest = _decoded(content, watch).partition(b"\n")
    try:
        said = json.loads(first)
    except ValueError as problem:
        raise InputError("the Parquet file is damaged: save it again") from problem
    if "wrong" in said:
        raise InputError(said["wrong"])
    columns = array_of(rest, Watch(watch.limits, time.monotonic()))
    return measure_of_columns(roles_of(said["names"]), list(columns.T), limits=watch.limits)


def _decoded(content: bytes, watch: Watch) -> bytes:
    limits = watch.limits
    # -P: the folder of this module holds a json.py and a csv.py, which the child must not take for Python's own.
    command = [
        sys.executable,
        "-P",
        "-m",
        "mtm_viz.measures.readers.parquet_child",
        str(limits.atoms),
        str(limits.seconds),
    ]
    home = str(Path(mtm_viz.__file__).parent.parent)
    path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
    try:
        child = subprocess.run(  # noqa: S603 - our own module, no shell
            command,
            input=content,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
            timeout=limits.seconds + _START_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as problem:
        raise InputError(
            f"reading took longer than {limits.seconds:g} s and was stopped: make the file simpler or smaller"
        ) from problem
    return child.stdout if child.returncode == 0 else b""


FORMAT = Format("Parquet", (".parquet",), read_parquet)
