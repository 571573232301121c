"""counters.csv as spreadsheets write it: commas, semicolons or tabs; UTF-8, UTF-16 or Windows-1252.

Excel in Portuguese separates with semicolons, and its plain "CSV" is Windows-1252; both are read.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

from pydantic import ValidationError

from hexforge.scenarios.language import said
from hexforge.scenarios.library_words import csv_words
from hexforge.scenarios.problems import Problem, ScenarioError, message_of
from hexforge.scenarios.schema.counters import CounterRow
from hexforge.scenarios.yamlfile import CONTROL

MAX_COUNTERS = 2000
_DELIMITERS = ",;\t"
_BREAKS = re.compile(r"\s*[\r\n]+\s*")


def decode(data: bytes, path: Path) -> tuple[str, str]:
    """The text of a spreadsheet's CSV, and the name of the encoding. Raises ScenarioError for what is no text."""
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if (found := CONTROL.search(text)) is None:
            return text, encoding
        if "\x00" not in text:
            line = text.count("\n", 0, found.start()) + 1
            message = said(
                f"the control character {found[0]!r} stands in it; save the file as CSV, UTF-8",
                f"há nela o caractere de controle {found[0]!r}; grave o arquivo como CSV, UTF-8",
            )
            raise ScenarioError([Problem(str(path), line, "", message)])
    message = said("is not text; save the file as CSV, UTF-8", "não é texto; grave o arquivo como CSV, UTF-8")
    raise ScenarioError([Problem(str(path), 0, "", message)])


def _rows(text: str) -> tuple[list[tuple[int, list[str]]], str, int]:
    """Every row with the line that it begins in, then what went wrong in reading, and where."""
    lines = text.splitlines()
    skip = 1 if lines and lines[0].lower().startswith("sep=") else 0
    heading = lines[skip] if len(lines) > skip else ""

    def known(delimiter: str) -> int:
        return sum(cell.strip().strip('"') in CounterRow.model_fields for cell in heading.split(delimiter))

    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(_DELIMITERS, key=known), strict=True)
    found: list[tuple[int, list[str]]] = []
    line = 1
    try:
        for cells in reader:
            if line > skip:
                found.append((line, [_BREAKS.sub(" ", cell).strip() for cell in cells]))
            line = reader.line_num + 1
    except csv.Error as error:
        why = csv_words(str(error))
        return found, said(f"is not CSV: {why}", f"não é CSV: {why}"), line
    return found, "", 0


def _heading(cells: list[str], path: Path) -> list[Problem]:
    fields = CounterRow.model_fields
    names = [c for c in cells if c]
    if not any(name in fields for name in names):
        expected = ",".join(n for n, f in fields.items() if f.is_required())
        message = said(
            f"the first line must name the columns; expected at least {expected}",
            f"a primeira linha deve dar o nome das colunas; esperava-se ao menos {expected}",
        )
        return [Problem(str(path), 1, "", message)]
    strange = said("is not a column that is known here", "não é uma coluna conhecida aqui")
    twice = said("this column stands twice", "esta coluna está duas vezes")
    missing = said("this column is missing", "falta esta coluna")
    found = [Problem(str(path), 1, c, strange) for c in names if c not in fields]
    found += [Problem(str(path), 1, c, twice) for c in {c for c in names if names.count(c) > 1}]
    return found + [
        Problem(str(path), 1, name, missing)
        for name, field in fields.items()
        if field.is_required() and name not in names
    ]


def read(text: str, path: Path, problems: list[Problem]) -> tuple[dict[str, CounterRow], dict[str, int]]:
    """The counters by id, and the line of each. What is wrong is added to `problems`.

    Rows and columns that are empty, as spreadsheets leave them at the end, are passed over.
    """
    rows, broken, at = _rows(text)
    heading = rows[0][1] if rows else []
    while heading and not heading[-1]:
        heading.pop()
    if wrong := _heading(heading, path):
        problems += wrong
        return {}, {}
    counters: dict[str, CounterRow] = {}
    lines: dict[str, int] = {}
    for line, cells in rows[1:]:
        while len(cells) > len(heading) and not cells[-1]:
            cells.pop()
        if not any(cells):
            continue
        if len(cells) != len(heading):
            message = said(
                f"has {len(cells)} cells; the heading has {len(heading)}",
                f"tem {len(cells)} células; o cabeçalho tem {len(heading)}",
            )
            problems.append(Problem(str(path), line, cells[0], message))
            continue
        if len(counters) >= MAX_COUNTERS:
            message = said(f"more than {MAX_COUNTERS} counters", f"mais de {MAX_COUNTERS} peças")
            problems.append(Problem(str(path), line, "", message))
            break
        row = dict(zip(heading, cells, strict=True))
        try:
            counter = CounterRow.model_validate(
                {k: v for k, v in row.items() if k and (v or CounterRow.model_fields[k].is_required())}
            )
        except ValidationError as error:
            for e in error.errors(include_url=False):
                column = ".".join(map(str, e["loc"]))
                cell = said(f"{row['id']}, column {column}", f"{row['id']}, coluna {column}")
                problems.append(Problem(str(path), line, cell, message_of(e)))
            continue
        if counter.id in counters:
            first = lines[counter.id]
            message = said(f"this id stands in line {first} too", f"este id está também na linha {first}")
            problems.append(Problem(str(path), line, counter.id, message))
        counters[counter.id], lines[counter.id] = counter, line
    if broken:
        problems.append(Problem(str(path), at, "", broken))
    return counters, lines
