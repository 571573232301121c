"""Two people's changes to one map brought together: hex by hex, key by key, what only one of them changed is kept.

Where both changed the same to something else it is a clash, and whoever saves says which of the two holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ...scenarios.schema.map import Grid
from .map_file import LISTS, LOOKS, PLAIN, Sheet

GONE: Final = None
"""What stands for a value that one of the two took away."""
_SETS: Final = {"hexsides": "sides", "places": "hexes", "areas": "hexes"}
"""Lists in whose entries hexes are a set, whose order says nothing."""
_ALIKE: Final = 0.5
"""The share of hexes in which a line is still the same line."""


@dataclass(frozen=True)
class Clash:
    """What two changed: a key that tells it from others, and both values. `kind` is a key of the sheet."""

    key: str
    kind: str
    subject: str
    mine: Any
    theirs: Any


@dataclass
class Choice:
    """Decides between two, and notes what nobody has decided. `chosen`: "mine" or "theirs" by a clash's key."""

    chosen: Mapping[str, str] = field(default_factory=dict)
    clashes: list[Clash] = field(default_factory=list)

    def of(self, kind: str, subject: str, base: Any, mine: Any, theirs: Any) -> Any:
        """What holds of three values."""
        if mine in (theirs, base):
            return theirs
        if theirs == base:
            return mine
        key = f"{kind} {subject}"
        if self.chosen.get(key) not in ("mine", "theirs"):
            self.clashes.append(Clash(key, kind, subject, mine, theirs))
        return theirs if self.chosen.get(key) == "theirs" else mine

    def mapping(
        self, kind: str, base: Mapping[str, Any], mine: Mapping[str, Any], theirs: Mapping[str, Any]
    ) -> Any:
        """The same of each key of three mappings, in the order of theirs."""
        names = dict.fromkeys((*theirs, *mine))
        found = {name: self.of(kind, name, *(it.get(name, GONE) for it in (base, mine, theirs))) for name in names}
        return {name: value for name, value in found.items() if value is not GONE}


def merged(base: Sheet, mine: Sheet, theirs: Sheet, choice: Choice) -> Sheet:
    """Their sheet with what was changed in mine since `base`; `was` of entries is their place in theirs."""
    legend = _legend(mine, theirs)
    found: Sheet = {**theirs, **_rows(base, mine, theirs, legend, choice), "legend": legend}
    found["notes"] = choice.mapping("notes", base["notes"], mine["notes"], theirs["notes"])
    found["fortified"] = both(base["fortified"], mine["fortified"], theirs["fortified"])
    found["edges"] = choice.mapping("edges", base["edges"], mine["edges"], theirs["edges"])
    found["looks"] = {
        section: choice.mapping("looks", *(it["looks"][section] for it in (base, mine, theirs)))
        for section in LOOKS
    }
    for key in (*PLAIN, "scan"):
        found[key] = choice.of(key, "", base[key], mine[key], theirs[key])
    for key in LISTS:
        found[key] = _list(key, base[key], mine[key], theirs[key], choice)
    return found


# ------------------------------------------------------------------------------------------------------- the ground


def _legend(mine: Sheet, theirs: Sheet) -> dict[str, str]:
    """Their letters, and those of mine that say something else; one that is taken gives way to a free one."""
    found = dict(theirs["legend"])
    for sign, terrains in mine["legend"].items():
        if terrains not in found.values():
            free = next(
                (it for it in (sign, *map(chr, range(97, 123)), *map(chr, range(65, 91))) if it not in found), ""
            )
            found |= {free: terrains} if free else {}
    return found


def _rows(base: Sheet, mine: Sheet, theirs: Sheet, legend: Mapping[str, str], choice: Choice) -> Sheet:
    grids = [it["grid"] for it in (base, mine, theirs)]
    if grids[0] == grids[1] == grids[2]:
        return _cells(base, mine, theirs, legend, choice)
    taken = choice.of("grid", "", *([it["grid"], _meant(it), it["provenance"]] for it in (base, mine, theirs)))
    rows = [[_sign(cell, "", legend) for cell in row] for row in taken[1]]
    return {"grid": taken[0], "terrain": ["".join(row) for row in rows], "provenance": taken[2]}


def _cells(base: Sheet, mine: Sheet, theirs: Sheet, legend: Mapping[str, str], choice: Choice) -> Sheet:
    hexes = Grid.model_validate(theirs["grid"]).field
    grounds = [_meant(it) for it in (base, mine, theirs)]
    terrain = [list(row) for row in theirs["terrain"]]
    sources = [list(row) for row in theirs["provenance"]]
    for r, row in enumerate(terrain):
        for c, sign in enumerate(row):
            three = [
                [ground[r][c], it["provenance"][r][c]]
                for ground, it in zip(grounds, (base, mine, theirs), strict=True)
            ]
            if three[1] != three[2]:
                meant, sources[r][c] = choice.of("terrain", hexes.at(c + 1, r + 1), *three)
                row[c] = _sign(meant, sign, legend)
    return {"terrain": ["".join(row) for row in terrain], "provenance": ["".join(row) for row in sources]}


def _meant(sheet: Sheet) -> list[list[str]]:
    """What the letters stand for; a letter that stands for nothing is itself."""
    return [[sheet["legend"].get(sign) or f"={sign}" for sign in row] for row in sheet["terrain"]]


def _sign(meant: str, was: str, legend: Mapping[str, str]) -> str:
    if meant.startswith("="):
        return meant[1:]
    if legend.get(was) == meant:
        return was
    return next((sign for sign, terrains in legend.items() if terrains == meant), was or "?")


# ---------------------------------------------------------------------------------------------------------- entries


def both(base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """Theirs without what mine took away, and with what it added."""
    gone = set(base) - set(mine)
    kept = [it for it in theirs if it not in gone]
    return [*kept, *(it for it in mine if it not in base and it not in kept)]


def bare(item: Mapping[str, Any]) -> dict[str, Any]:
    """An entry by what it says, wherever it stands."""
    return {key: value for key, value in item.items() if key != "was"}


def _list(key: str, base: list[Sheet], mine: list[Sheet], theirs: list[Sheet], choice: Choice) -> list[Sheet]:
    our = _paired(key, base, mine, by_place=True)
    their = _paired(key, base, theirs, by_place=False)
    found: dict[int, Sheet] = {}
    more: list[Sheet] = []
    for i, old in enumerate(base):
        ours, other = our.get(i), their.get(i)
        if ours is not None and other is not None:
            found[other["was"]] = _entry(key, old, ours, other, choice)
            continue
        was = other["was"] if other else None
        values = [bare(it) if it else GONE for it in (old, ours, other)]
        kept = choice.of(key, title(old), *values)
        if kept is not GONE:
            if was is None:
                more.append({"was": None, **kept})
            else:
                found[was] = {"was": was, **kept}
    known = [id(it) for it in (*our.values(), *their.values())]
    fresh = {it["was"]: it for it in theirs if id(it) not in known}
    added = [{**it, "was": None} for it in mine if id(it) not in known]
    said = [bare(it) for it in fresh.values()]
    there = found | fresh
    return [*(there[was] for was in sorted(there)), *more, *(it for it in added if bare(it) not in said)]


def title(item: Mapping[str, Any]) -> str:
    """What an entry may be called before somebody who knows the map."""
    hexes = item.get("hexes") or item.get("sides") or [item.get("side") or ""]
    named = str(item.get("name") or item.get("id") or item.get("kind") or "")
    ends = f"{hexes[0]}–{hexes[-1]}" if len(hexes) > 1 else str(hexes[0]) if hexes else ""
    return f"{named} {ends}".strip()


def _entry(key: str, old: Sheet, mine: Sheet, theirs: Sheet, choice: Choice) -> Sheet:
    found: Sheet = {"was": theirs["was"]}
    for name in LISTS[key]:
        three = (old[name], mine[name], theirs[name])
        if name == _SETS.get(key):
            found[name] = both(*three)
        else:
            found[name] = choice.of(key, f"{title(old)} {name}", *three)
    return found


def _paired(key: str, base: list[Sheet], other: list[Sheet], *, by_place: bool) -> dict[int, Sheet]:
    """Which entry of another sheet is which of the base's: alike, of one id, or of the most hexes in common."""
    left = list(other)
    found: dict[int, Sheet] = {}

    def take(same: Callable[[Sheet, Sheet], float], *, placed: bool) -> None:
        for i, old in enumerate(base):
            if i in found:
                continue
            fitting = [it for it in left if placed or not (by_place and it["was"] is not None)]
            best = max(fitting, key=lambda it: same(old, it), default=None)
            if best is not None and same(old, best) >= _ALIKE:
                found[i] = best
                left[:] = [it for it in left if it is not best]

    if by_place:
        take(lambda a, b: float(a["was"] is not None and a["was"] == b["was"]), placed=True)
    take(lambda a, b: float(bare(a) == bare(b)), placed=False)
    take(lambda a, b: float(bool(a.get("id")) and a["id"] == b.get("id")), placed=False)
    take(lambda a, b: float(bool(a.get("side")) and key == "bridges" and a["side"] == b["side"]), placed=False)
    take(_common, placed=False)
    return found


def _common(a: Sheet, b: Sheet) -> float:
    one, other = (_marks(it) for it in (a, b))
    if a.get("kind") != b.get("kind") or not one or not other:
        return 0.0
    return len(one & other) / min(len(one), len(other))


def _marks(item: Sheet) -> set[str]:
    return set(map(str, item.get("hexes") or item.get("sides") or ()))


# ------------------------------------------------------------------------------------------------------------ rows

Row = Mapping[str, Any]
"""A row of a table: its `cells`, and `was`, its place in the file, or null for a new one."""


def merged_rows(
    columns: Sequence[str], base: Sequence[Row], mine: Sequence[Row], theirs: Sequence[Row], choice: Choice
) -> list[dict[str, Any]]:
    """The same of the rows of a table, which their ids tell apart: cell by cell, in the order of theirs."""
    named = columns.index("id") if "id" in columns else 0
    ours = {_token(row, named): row for row in mine}
    left = list(base)
    found: list[dict[str, Any]] = []
    taken: set[str] = set()
    for other in theirs:
        id_ = other["cells"][named]
        old = next((row for row in left if row["cells"][named] == id_), None)
        token = _token(old, named) if old else f"id {id_}"
        row = ours.get(token)
        taken.add(token)
        if old is None:
            cells = (
                choice.of("row", id_, GONE, row and list(row["cells"]), list(other["cells"]))
                if row
                else other["cells"]
            )
        else:
            left.remove(old)
            cells = _cells_of(columns, (old, row, other), id_, choice)
        if cells is not GONE:
            found.append({"was": other["was"], "cells": list(cells)})
    for old in left:
        taken.add(token := _token(old, named))
        row = ours.get(token)
        values = [list(old["cells"]), list(row["cells"]) if row else GONE, GONE]
        if (cells := choice.of("row", old["cells"][named], *values)) is not GONE:
            found.append({"was": None, "cells": cells})
    for number, row in enumerate(mine):
        if _token(row, named) not in taken:
            above = mine[number - 1]["cells"][named] if number else None
            place = next((i for i, it in enumerate(found, 1) if it["cells"][named] == above), len(found))
            found.insert(place, {"was": None, "cells": list(row["cells"])})
    return found


def _cells_of(columns: Sequence[str], three: tuple[Row, Row | None, Row], id_: str, choice: Choice) -> Any:
    old, row, other = three
    if row is None:
        return choice.of("row", id_, list(old["cells"]), GONE, list(other["cells"]))
    return [
        choice.of("cell", f"{id_} {column}", *values)
        for column, *values in zip(columns, old["cells"], row["cells"], other["cells"], strict=True)
    ]


def _token(row: Row, named: int) -> str:
    return f"id {row['cells'][named]}" if row["was"] is None else f"row {row['was']}"
