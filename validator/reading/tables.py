"""Tables as people paste them: a row that names columns, and below it a row for each move or combat.

`unit | from | to`, `hex ; attackers ; odds ; dice`: cells are parted by bars, tabs, semicolons or two blanks. What
names a column is declared under `columns` in `art/words/notation.LANGUAGE.yaml`. A row's cells are the slots of the
frame that its columns are of. A table ends with the first line that has not a cell for each column.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from ..notation import base
from ..notation import statements as st
from ..notation.cursor import LogicalLine, logical_lines
from ..notation.words import Vocabulary, fold
from .clauses import Reading
from .combat_report import Report, units_of
from .frames import Context, Tags, Unexplained, fill, path_of
from .tagging import Tag, tag

_GAP: Final = re.compile(r"\s*[|;\t]\s*|\s{2,}")
_RULE: Final = re.compile(r"[\s|:+=_-]*-[\s|:+=_-]*")
_EMPTY: Final = frozenset(("", "-", "--", "---"))
_MOVES: Final = frozenset(("move", "from", "via", "to", "aside"))
_SLOTS: Final = {"combat": "targets", "attack": "attackers", "roll": "dice", "result": "codes"}
_FATES: Final = {"lose": st.Lose, "retreat": st.Retreat, "advance": st.Advance}


def is_rule(text: str) -> bool:
    """Whether a line only parts the rows of a table: `|---|---|`."""
    return bool(_RULE.fullmatch(text)) and "--" in text


def columns_of(text: str, words: Vocabulary) -> tuple[str, ...]:
    """What the columns of a table are called that a line begins, in the notation's words; none for another line."""
    found = [words.meaning("columns", fold(cell).strip(".:#*").replace(" ", "-")) for cell in cells(text)]
    if {*found} == {"move", "combat"}:
        return ()  # `unit | hex` may be where they go, and whom they attack
    named = tuple(
        "attack" if "combat" in found and "attack" not in found and n == "move" else n or "" for n in found
    )
    if (
        len(named) < len(("unit", "to"))
        or not all(named)
        or len(set(named) - {"aside"}) < len(named) - named.count("aside")
    ):
        return ()
    moves = "move" in named and _MOVES.issuperset(named) and not {"to", "via"}.isdisjoint(named)
    return named if moves or ("combat" in named and len(named) > 1 and "move" not in named) else ()


def read_row(
    line: LogicalLine, columns: Sequence[str], words: Vocabulary, context: Context, declared: Collection[str]
) -> Reading | None:
    """What a row says by the columns of its table; None for a line that is no row of it."""
    text = line.texts[line.line - 1]
    row = cells(text)
    if len(row) != len(columns):
        return None
    said = {
        name: _tags(cell, line, words, declared)
        for name, cell in zip(columns, row, strict=True)
        if name != "aside" and cell not in _EMPTY
    }
    try:
        found = _move(said, words) if "move" in columns else _combat(said, words, context)
    except Unexplained as error:
        return Reading(unexplained=error.tag or next((t for tags in said.values() for t in tags), None))
    return Reading(tuple(replace(one, line=line.line) for one in found))


def cells(text: str) -> list[str]:
    """The cells of a row; none for a line that is no row."""
    bare = re.sub(r"^\s*(?:>\s*)*\|?|\|?\s*$", "", text)
    parts = [part.strip() for part in (bare.split("|") if "|" in bare else _GAP.split(bare))]
    return parts if len(parts) > 1 else []


def _tags(cell: str, line: LogicalLine, words: Vocabulary, declared: Collection[str]) -> tuple[Tag, ...]:
    found = next(logical_lines([cell]), None)
    tags = tag(found, words, declared) if found is not None else ()
    column = max(1, line.texts[line.line - 1].find(cell) + 1)
    return tuple(replace(one, line=line.line, column=column + one.column - 1) for one in tags)


def _move(said: dict[str, tuple[Tag, ...]], words: Vocabulary) -> list[base.Statement]:
    units = said.get("move", ())
    way = [one for name in ("from", "via", "to") for one in said.get(name, ())]
    for one in (*units, *way):
        if not (one.units or one.hexes or one.mark or words.meaning("fillers", one.key)):
            raise Unexplained(one)
    hexes = [one for one in way if len(one.hexes) == 1]
    joins = ["-" if any(m.mark in ("~", "-") for m in _between(way, one)) else "" for one in hexes]
    if not units_of(units) or not hexes:
        raise Unexplained
    return [st.Move(0, units_of(units), path_of(hexes, joins, words))]


def _between(way: Sequence[Tag], one: Tag) -> Sequence[Tag]:
    """The marks right before a hex of a way."""
    at = way.index(one)
    start = at
    while start and way[start - 1].mark:
        start -= 1
    return way[start:at]


def _combat(said: dict[str, tuple[Tag, ...]], words: Vocabulary, context: Context) -> list[base.Statement]:
    report = Report(words, replace(context, engaged=(), told=frozenset()))
    for name, tags in said.items():
        if name in _FATES or any(words.meaning("idle", one.key) == "none" for one in tags):
            continue
        if name == "totals":
            _totals(tags, report)
        elif name == "support":
            _support(tags, report)
        else:
            report.take(tags, forced=_SLOTS.get(name, name))
    found = report.statements()
    after = context.after(found)
    for name, cls in _FATES.items():
        if name in said and not any(words.meaning("idle", one.key) == "none" for one in said[name]):
            found += fill(cls, said[name], words, after).statements
    return found


def _totals(tags: Tags, report: Report) -> None:
    ratio = tags[0].ratio if len(tags) == 1 else None
    if not ratio or not all(part.isdigit() for part in ratio):
        raise Unexplained(tags[0])
    report.slots["totals"] = [replace(tags[0], number=int(part)) for part in ratio]
    report.paired = ["", ""]


def _support(tags: Tags, report: Report) -> None:
    """Guns, or points beyond the map, which a number alone is in this column."""
    if len(tags) == 1 and tags[0].number is not None and not tags[0].hexes:
        report.slots["offboard"] = [tags[0]]
    else:
        report.take(tags, forced="support")
