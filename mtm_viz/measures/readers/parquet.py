"""Parquet: the columns of a table, by pyarrow; rows and bytes are bounded by the file's own footer before any is decoded."""

from __future__ import annotations

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers.columns import measure_of_columns, roles_of
from mtm_viz.measures.readers.format import Format, Options
from mtm_viz.measures.readers.limits import Watch

_MAGIC = b"PAR1"
_MOST_COLUMNS = 1000
#: Decoded bytes a used column may take for each allowed atom: a double, a dictionary page and room to spare.
_BYTES_AN_ATOM = 64


def read_parquet(content: bytes, options: Options, watch: Watch) -> Measure:
    if not (content.startswith(_MAGIC) and content.endswith(_MAGIC) and len(content) > 12):
        raise InputError("this is no whole Parquet file: save or copy it again")
    import pyarrow as pa  # imported here: it takes a while, and most files are not Parquet

    try:
        return _read(content, watch)
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, OverflowError, UnicodeDecodeError) as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError("the Parquet file is damaged: save it again") from problem


def _read(content: bytes, watch: Watch) -> Measure:
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(
        pa.BufferReader(content),
        thrift_string_size_limit=10_000_000,
        thrift_container_size_limit=100_000,
        page_checksum_verification=True,
    )
    footer = file.metadata
    watch.limits.require_atoms(footer.num_rows)
    if footer.num_columns > _MOST_COLUMNS:
        raise InputError(f"it has {footer.num_columns} columns: keep the coordinates and the weight")
    schema = file.schema_arrow
    roles = roles_of(schema.names)
    names = [schema.names[k] for k in roles.used]
    for name in names:
        kind = schema.field(name).type
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
            raise InputError(f'column "{name[:30]}" holds {kind}, not numbers: save it as float64')
    if footer.num_rows == 0:
        raise InputError("it has columns and no row: add at least one row of numbers")
    _require_small(footer, names, watch)
    watch.check()
    table = file.read(columns=names, use_threads=False)
    columns = []
    for name in names:
        column = table.column(name)
        if column.null_count:
            row = int(np.flatnonzero(np.asarray(column.is_null()))[0]) + 1
            raise InputError(f'row {row}, column "{name[:30]}" is empty: give a number or remove that row')
        columns.append(np.asarray(column.cast(pa.float64(), safe=False)))
    return measure_of_columns(roles, columns, limits=watch.limits)


def _require_small(footer, names: list[str], watch: Watch) -> None:
    most = watch.limits.atoms * _BYTES_AN_ATOM + 65_536
    for g in range(footer.num_row_groups):
        group = footer.row_group(g)
        for c in range(group.num_columns):
            chunk = group.column(c)
            if chunk.path_in_schema in names and not 0 <= chunk.total_uncompressed_size <= most:
                raise InputError(
                    f'column "{chunk.path_in_schema[:30]}" unpacks to more than {most / 1e6:.0f} MB: keep fewer rows'
                )


FORMAT = Format("Parquet", (".parquet",), read_parquet)
