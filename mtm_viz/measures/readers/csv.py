"""CSV, TSV and pasted blocks of numbers: any usual separator and encoding, decimal commas where they are not separators."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers.columns import measure_of_columns, roles_of, roles_without_header
from mtm_viz.measures.readers.format import Format, Options
from mtm_viz.measures.readers.limits import MOST_COLUMNS, Limits, Watch

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity|#?n/?a|null|none)", re.IGNORECASE)
_COMMA_DECIMAL = re.compile(r"[+-]?[0-9]+,[0-9]+(?:[eE][+-]?[0-9]+)?")
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_NO_ROW = "there is no row in it: give a header such as x,y,z and one row a point"
_LONGEST_LINE = 20_000
#: Rows between two looks at the clock.
_STRIDE = 2048


def read_text(content: bytes, options: Options, watch: Watch) -> Measure:
    """The measure in a table of text."""
    text, notes = _decoded(content)
    return measure_of_text(text, watch, notes)


def measure_of_text(text: str, watch: Watch, notes: list[str] | None = None) -> Measure:
    """The measure in a table of text: a file's, or a block pasted from a spreadsheet."""
    table = _table(text, watch)
    limits, notes = watch.limits, notes or []
    if table.header is None:
        places = range(len(table.cells[0]))
        columns = _columns(table, places, [str(c + 1) for c in places], watch)
        roles = roles_without_header(np.stack(columns, axis=1))
        used = [columns[c] for c in roles.used]
    else:
        roles = roles_of(table.header)
        if not table.cells:
            raise InputError("row 1 is a header and no row follows: add at least one row of numbers")
        labels = roles.names if roles.weight is None else (*roles.names, "weight")
        used = _columns(table, roles.used, labels, watch)
    return measure_of_columns(roles, used, limits=limits, row=table.row, notes=notes)


@dataclass
class _Table:
    """Rows of cells with the line each stands on; `comma` once a decimal comma has been met, `point` likewise."""

    header: list[str] | None
    cells: list[list[str]]
    lines: list[int]
    decimal_comma: bool
    comma: bool = False
    point: bool = False

    def row(self, k: int) -> str:
        return f"row {k + 1} (line {self.lines[k]})"


def _decoded(content: bytes) -> tuple[str, list[str]]:
    for bom, encoding in _BOMS:
        if content.startswith(bom):
            try:
                return content[len(bom) :].decode(encoding), []
            except UnicodeDecodeError as problem:
                raise InputError(
                    f"byte {problem.start} is not {encoding.upper()} as the file's start says: save it as UTF-8 text"
                ) from problem
    if b"\0" in content:
        raise InputError(f"byte {content.index(0)} is zero, so this is no text: save it as CSV in UTF-8")
    try:
        return content.decode("utf-8"), []
    except UnicodeDecodeError:
        # The numbers are ASCII in either; only names of columns can suffer.
        return content.decode("cp1252", errors="replace"), ["the text is not UTF-8 and was read as Windows-1252"]


def _table(text: str, watch: Watch) -> _Table:
    # Counted before a string is made of each: lines of two letters take thirty times their size.
    if max(text.count("\n"), text.count("\r")) > 2 * watch.limits.atoms + 10_000:
        watch.limits.require_atoms(watch.limits.atoms + 1)
    lines = text.splitlines()
    for k, line in enumerate(lines):
        if len(line) > _LONGEST_LINE:
            raise InputError(f"line {k + 1} is longer than {_LONGEST_LINE:,} characters: give one row a point")
    separator = None
    first = _first(lines)
    told = re.fullmatch(r'"?sep=([,;|\t: ])"?', lines[first].strip("\r\n"), re.IGNORECASE)
    if told:
        separator, lines[first] = told.group(1), ""
        first = _first(lines)
    separator = separator or _separator(lines[first])
    header, cells, places = None, [], []
    for number, row in _split(lines, separator, watch):
        if not any(cell.strip() for cell in row):
            continue
        if header is None and not cells and not all(_is_number(cell, separator) for cell in row if cell.strip()):
            header = [cell.strip() for cell in row]
            continue
        cells.append(row)
        places.append(number)
        watch.limits.require_atoms(len(cells))
    if header is None and not cells:
        raise InputError(_NO_ROW)
    width = len(header) if header is not None else len(cells[0])
    if width > 4 * MOST_COLUMNS:
        raise InputError(f"row 1 has {width} columns: keep the coordinates and the weight")
    table = _Table(header, cells, places, separator != ",")
    for k, row in enumerate(cells):
        while len(row) > width and not row[-1].strip():
            row.pop()
        if len(row) != width:
            of = "the header" if header is not None else "the first row"
            raise InputError(f"{table.row(k)} has {len(row)} columns and {of} has {width}: give every row as many")
    return table


def _first(lines: list[str]) -> int:
    """The first line that is neither blank nor a comment."""
    for k, line in enumerate(lines):
        if line.strip() and line.lstrip()[0] not in "#%":
            return k
    raise InputError(_NO_ROW)


def _separator(line: str) -> str:
    """By the first row: tab, semicolon, bar, comma; otherwise white space."""
    for mark in "\t;|":
        if mark in line:
            return mark
    words = line.split()
    if len(words) > 1 and all(_COMMA_DECIMAL.fullmatch(word) or _NUMBER.fullmatch(word) for word in words):
        return " "
    return "," if "," in line else " "


def _split(lines: list[str], separator: str, watch: Watch) -> Iterator[tuple[int, list[str]]]:
    """(line number, cells) of every row that is neither blank nor a comment."""
    if separator == " ":
        for number, line in enumerate(lines, start=1):
            if number % _STRIDE == 0:
                watch.check()
            if line.strip() and line.lstrip()[0] not in "#%":
                yield number, line.split()
        return
    kept = (line if line.lstrip()[:1] not in ("#", "%") else "" for line in lines)
    reader = csv.reader(kept, delimiter=separator, strict=True, skipinitialspace=True)
    try:
        for row in reader:
            if reader.line_num % _STRIDE == 0:
                watch.check()
            yield reader.line_num, row
    except csv.Error as problem:
        raise InputError(f"line {reader.line_num} is no row of cells ({problem}): check its quotes") from problem


def _is_number(cell: str, separator: str) -> bool:
    cell = cell.strip().replace("−", "-")
    if _NOT_FINITE.fullmatch(cell):
        return True
    return bool(_NUMBER.fullmatch(cell.replace(",", ".", 1) if separator != "," else cell))


def _columns(table: _Table, places: Sequence[int], labels: Sequence[str], watch: Watch) -> list[np.ndarray]:
    """The cells of some columns as numbers. Raises InputError naming row and column of the first that is none."""
    columns = []
    for c in places:
        watch.check()
        try:
            # Python's float reads "1_000" and "nan" too: those, and decimal commas, take the careful way.
            cells = [row[c] for row in table.cells]
            column = np.array([float(cell) for cell in cells])
            if not np.isfinite(column).all() or any("_" in cell for cell in cells):
                break
            columns.append(column)
        except ValueError:
            break
    else:
        return columns
    rows = []
    for k, row in enumerate(table.cells):
        if k % _STRIDE == 0:
            watch.check()
        rows.append([_number(table, k, row[c], label) for c, label in zip(places, labels, strict=True)])
    return list(np.array(rows).T)


def _number(table: _Table, k: int, cell: str, column: str) -> float:
    said = cell.strip().replace("−", "-")
    if _NUMBER.fullmatch(said):
        table.point |= "." in said
        value = float(said)
    elif table.decimal_comma and _NUMBER.fullmatch(said.replace(",", ".", 1)):
        table.comma = True
        value = float(said.replace(",", ".", 1))
    else:
        raise InputError(f"{table.row(k)}, column {column} {_complaint(said)}")
    if table.comma and table.point:
        raise InputError(
            f"{table.row(k)}, column {column} is '{said}', but the file mixes decimal commas and decimal points: use one of them"
        )
    return value


def _complaint(said: str) -> str:
    shown = f"'{said[:30]}{'...' if len(said) > 30 else ''}'"
    if not said:
        return "is empty: give a number or remove that row"
    if _NOT_FINITE.fullmatch(said):
        return f"is {shown}, no finite number: correct or remove that row"
    if re.fullmatch(r"[+-]?[0-9]{1,3}(?:[ .,'\u00a0\u202f][0-9]{3})+(?:[.,][0-9]*)?", said):
        return f"is {shown}: write numbers without thousands separators"
    return f"is {shown}, no number: correct or remove that row"


def pasted(text: str, limits: Limits) -> Measure:
    """A block copied from a spreadsheet or an editor. Raises InputError as the file would."""
    limits.require_bytes(len(text))
    return measure_of_text(text, Watch(limits))


FORMAT = Format("CSV or TSV", (".csv", ".tsv", ".txt"), read_text)
