"""Decodes a Parquet file in a process of its own: pyarrow ends the whole process on some damaged files.

    python -P -m mtm_viz.measures.readers.parquet_child ATOMS SECONDS < FILE

writes one line of JSON, {"names": [...]} or {"wrong": sentence}, and after names the columns used as an NPY array.
"""

from __future__ import annotations

import io
import json
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mtm_viz.errors import InputError
from mtm_viz.measures.readers.columns import roles_of
from mtm_viz.measures.readers.limits import Limits

_MOST_COLUMNS = 1000
#: Decoded bytes a used column may take for each allowed atom: a double, a dictionary page and room to spare.
_BYTES_AN_ATOM = 64
#: Address space of this process, where the system can bound it: what a page header may lie about ends there.
_MOST_MEMORY = 4_000_000_000


def columns_of(content: bytes, limits: Limits) -> tuple[list[str], np.ndarray]:
    """Every column's name, and the used ones (rows, used) as float64. Rows and bytes are bounded by the footer first."""
    file = pq.ParquetFile(
        pa.BufferReader(content),
        thrift_string_size_limit=10_000_000,
        thrift_container_size_limit=100_000,
        page_checksum_verification=True,
    )
    footer, schema = file.metadata, file.schema_arrow
    limits.require_atoms(footer.num_rows)
    if footer.num_columns > _MOST_COLUMNS:
        raise InputError(f"it has {footer.num_columns} columns: keep the coordinates and the weight")
    names = [schema.names[k] for k in roles_of(schema.names).used]
    for name in names:
        kind = schema.field(name).type
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
            raise InputError(f'column "{name[:30]}" holds {str(kind)[:30]}, not numbers: save it as float64')
    if footer.num_rows == 0:
        raise InputError("it has columns and no row: add at least one row of numbers")
    _require_small(footer, names, limits)
    table = file.read(columns=names, use_threads=False)
    columns = []
    for name in names:
        column = table.column(name)
        if column.null_count:
            row = int(np.flatnonzero(np.asarray(column.is_null()))[0]) + 1
            raise InputError(f'row {row}, column "{name[:30]}" is empty: give a number or remove that row')
        columns.append(np.asarray(column.cast(pa.float64(), safe=False)))
    return schema.names, np.stack(columns, axis=1)


def _require_small(footer, names: list[str], limits: Limits) -> None:
    most = limits.atoms * _BYTES_AN_ATOM + 65_536
    for g in range(footer.num_row_groups):
        group = footer.row_group(g)
        for c in range(group.num_columns):
            chunk = group.column(c)
            if chunk.path_in_schema in names and not 0 <= chunk.total_uncompressed_size <= most:
                raise InputError(
                    f'column "{chunk.path_in_schema[:30]}" unpacks to more than {most / 1e6:.0f} MB: keep fewer rows'
                )


def main() -> None:
    limits = Limits(atoms=int(sys.argv[1]))
    try:
        import resource

        seconds = int(float(sys.argv[2])) + 1
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except ImportError:
        pass  # Windows: the parent's clock still holds
    out = sys.stdout.buffer
    try:
        names, columns = columns_of(sys.stdin.buffer.read(), limits)
    except InputError as problem:
        out.write(json.dumps({"wrong": str(problem)}).encode() + b"\n")
        return
    out.write(json.dumps({"names": names}).encode() + b"\n")
    array = io.BytesIO()
    np.save(array, columns)
    out.write(array.getvalue())


if __name__ == "__main__":
    main()
