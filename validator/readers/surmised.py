"""Which game a text is of that does not say so: by what lies around it, else by the units and hexes that it names.

What lies around a file: the `tournament.yaml` that holds for it, the folders that it lies in (of a game, or called
as one), the sheets beside it.
Units and hexes tell a game only where it knows all that any game knows of them, and no other game does. The sheets
beside a file tell none whose map has not the hexes that the text names: a round of several games may lie in one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from hexforge.validator import games, tournament
from hexforge.validator.readers.naming_games import game_named
from hexforge.validator.readers.notation.lexer import logical_lines
from hexforge.validator.readers.notation.words import fold

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
    from hexforge.scenarios.problems import ScenarioError

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
    named, hexes = _named(texts)
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


def _named(texts: Iterable[str]) -> tuple[set[str], set[str]]:
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
    return games.known(game) is None or _holds(game, _named(texts)[1])


def _holds(game: str, hexes: Collection[str]) -> bool:
    """Whether a game's map has some hexes, but for a few that may be years or numbers of units."""
    scenario = games.known(game)
    if scenario is None:
        return False
    there = sum(h in scenario.map.grid for h in hexes)
    return there * 10 >= len(hexes) * 9
