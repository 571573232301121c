"""Which game a text is of that does not say so: by what lies around it, else by the units and hexes that it names.

What lies around a file: the `tournament.yaml` that holds for it, the folders that it lies in (of a game, or called
as one), the sheets beside it.
Units and hexes tell a game only where it knows all that any game knows of them, and no other game does. The sheets
beside a file tell none whose map has not the hexes that the text names: a round of several games may lie in one.

Lines without the bullets before them.

The game that a sheet names, before a line of it is read: its words are needed to read the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from ...scenarios.console import ScenarioError
from ..notation import games
from ..notation.cursor import PICTURES, LogicalLine, Token, logical_lines, physical_lines
from ..notation.vocabulary import notation
from ..notation.words import Vocabulary, fold
from . import tournament

_HEAD: Final = 8
"""Words of a first line that may name the game as well."""
_NOTHING: Final = Token("stray", "", "", 0, 0)
Lookup: TypeAlias = Callable[[str, str], Vocabulary | None]
"""The words of a game, given its name and the file of the sheet; None for one that nobody knows."""


def game_named(lines: Iterable[LogicalLine]) -> str:
    """The name in the first line that names a game; "" without one."""
    words = notation()
    for line in lines:
        first, *rest = [t for t in line.tokens[:3] if t.kind != "mark"] or line.tokens[:1] or [_NOTHING]
        if rest and first.kind == "word" and words.meaning("statements", first.key) == "game":
            return rest[0].key
        if words.meaning("statements", first.key) == "sheet" and (name := named_behind(line.tokens, words)):
            return name
    return ""


def named_behind(tokens: Sequence[Token], words: Vocabulary) -> str:
    """The game that the line names which begins a sheet: `sheet 1, game metz`; "" for one that says no more."""
    told = [t for t in tokens[1:_HEAD] if t.kind != "mark"]
    at = next((i for i, t in enumerate(told[:-1]) if words.meaning("statements", t.key) == "game"), -1)
    return told[at + 1].key if at >= 0 else ""


def known_words(name: str, source: str) -> Vocabulary | None:
    """The words of one of the games that this program knows, given its name and the file that names it."""
    return games.vocabulary(games.meant(name, source), source)


def vocabulary_for(text: str, source: str = "", lookup: Lookup = known_words) -> Vocabulary:
    """The words that a sheet may use: those of the game that it names, else the notation's."""
    return lookup(game_named(logical_lines(physical_lines(text))), source) or notation()


_UNIT: Final = re.compile(r"(?<![\w/-])(?:[a-z]{1,4}-)?[a-z]*[0-9]{1,4}[a-z]*(?:-[a-z]+)*(?:-[a-z0-9]+)(?![\w/-])")
_SLASHED: Final = re.compile(r"(?<![\w/-])([0-9]{1,4})/([0-9]{1,4})(?![\w/-])")
_HEX: Final = re.compile(r"(?<![\w:+./-])[0-9]{4}(?![\w:/])")
_FEWEST: Final = 2
"""Units that a text names at least of which its game is told."""
_FOLDERS: Final = 3
"""Folders above a file that may be called as its game is."""
_SHEETS: Final = 20
_BEGINNING: Final = 2_000
"""Sheets beside a file that are looked into, and how far."""


class Surmise(NamedTuple):
    """The game that a text is taken to be of, "" for none, and by what; and the one that it may be of."""

    name: str = ""
    by: str = ""
    likely: str = ""


def surmised(file: str, texts: Iterable[str]) -> Surmise:
    """The game of a text in a file that names none."""
    path = Path(file)
    try:
        lies = bool(file) and path.is_file()
    except (OSError, ValueError):
        lies = False
    said = tuple(texts)
    for by, found in _around(path.resolve()) if lies else ():
        if len(found) == 1 and (by != "sheets" or _may_hold(next(iter(found)), said)):
            return Surmise(next(iter(found)), by)
    return _by_units(said)


def _around(path: Path) -> Iterator[tuple[str, Collection[str]]]:
    yield "tournament", _in_tournament(path)
    yield "folder", games.around(str(path))
    for folder in list(path.parents)[:_FOLDERS]:
        yield "folder", games.called([folder.name])
    yield "sheets", _beside(path.parent)


def _in_tournament(path: Path) -> set[str]:
    """The game that a tournament's file says of this one, else of all."""
    try:
        applied = tournament.around(str(path))
    except ScenarioError:
        return set()  # whoever judges by it is told
    if applied is None:
        return set()
    if applied.game is not None and applied.game.game:
        return {applied.game.game} & set(games.all_names(str(path)))
    return {game.game for game in applied.tournament.file.games if game.game} & set(games.all_names(str(path)))


def _beside(folder: Path) -> set[str]:
    """The games that the sheets in a folder name."""
    found: set[str] = set()
    for path in sorted(folder.glob("*.sheet"))[:_SHEETS]:
        try:
            with path.open("r", encoding="utf-8", errors="replace") as file:
                found.add(game_named(logical_lines(file.read(_BEGINNING).splitlines())))
        except OSError:
            continue
    return found & set(games.all_names())


def _by_units(texts: Iterable[str]) -> Surmise:
    named, hexes = _units_and_hexes(texts)
    if len(named) < _FEWEST:
        return Surmise()
    known = {name: {unit for unit in named if _knows(name, unit)} for name in games.names()}
    some = frozenset().union(*known.values())
    if len(some) < _FEWEST:
        return Surmise()
    fits = [name for name, units in known.items() if units == some and _holds(name, hexes)]
    if len(fits) == 1:
        return Surmise(fits[0], "units")
    most = max(map(len, known.values()))
    best = [name for name, units in known.items() if len(units) == most]
    return Surmise(likely=best[0] if len(best) == 1 else "")


def _units_and_hexes(texts: Iterable[str]) -> tuple[set[str], set[str]]:
    """What may be units, and what hexes, in some texts."""
    named: set[str] = set()
    hexes: set[str] = set()
    for text in texts:
        folded = fold(text[:_BEGINNING])
        named.update(_UNIT.findall(folded))
        named.update(f"{b}-{a}" for a, b in _SLASHED.findall(folded))
        hexes.update(_HEX.findall(folded))
    return {unit for unit in named if re.search("[0-9]{2}|[a-z]", unit)}, hexes


def _knows(game: str, unit: str) -> bool:
    words = games.vocabulary(game)
    return words is not None and bool(words.one(unit))


def _may_hold(game: str, texts: Iterable[str]) -> bool:
    """Whether what texts name may lie on a game's map; of one that has none here anything may."""
    return games.known(game) is None or _holds(game, _units_and_hexes(texts)[1])


def _holds(game: str, hexes: Collection[str]) -> bool:
    """Whether a game's map has some hexes, but for a few that may be years or numbers of units."""
    scenario = games.known(game)
    if scenario is None:
        return False
    there = sum(h in scenario.map.grid for h in hexes)
    return there * 10 >= len(hexes) * 9


_BULLET: Final = re.compile(
    rf"\s*(?:(?:[-*\u2013\u2014\u00b7\u2192\u27a1{PICTURES}]+|[0-9]\ufe0f?\u20e3|[0-9]{{1,2}}[.)]|[a-z][.)]"
    r"|[0-9]{1,2}[a-z]\)|\(?[ivxIVX]{2,4}\)|[0-9]{1,2}(?:\.[0-9]{1,2}){1,3}[.)]?|[A-Za-z]\.[0-9]{1,2}(?:\.[0-9A-Za-z]{1,2})?[.)]?)\s+)+"
)


def untrimmed(text: str) -> str:
    """A line without the bullet or number of a list before it, and without the stars of bold letters."""
    mark = _BULLET.match(text)
    line = text[mark.end() :] if mark else text
    bold = re.fullmatch(r"\s*([*_`]{1,3})(.+)\1\s*", line)
    return bold[2] if bold else line
