"""Extensions: markers and tracks of a game whose map and order of battle are not known here, read and checked."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexforge.scenarios.checks.checker import Locate, Teller
from hexforge.scenarios.checks.supplies import supplies_fit
from hexforge.scenarios.extended import AnyGame, Extension
from hexforge.scenarios.folders import EXTENSION, find, kind_of
from hexforge.scenarios.hexgrid import map_letter
from hexforge.scenarios.loader import load, notation_of, texts_of, validated
from hexforge.scenarios.problems import Problem, ScenarioError, unknown
from hexforge.scenarios.schema.declared import Model
from hexforge.scenarios.schema.extension import ExtensionFile
from hexforge.scenarios.schema.ledger import LedgerFile
from hexforge.scenarios.schema.references import RefKind
from hexforge.scenarios.sources import Sources
from hexforge.scenarios.words import Param

if TYPE_CHECKING:
    pass

FILE = "game.yaml"
LEDGER = "ledger.yaml"


def load_any(name_or_folder: str | Path, *, strict: bool = True) -> AnyGame:
    """Read a game or an extension, whichever is there. Raises as `load` does."""
    folder = find(name_or_folder)
    read = load_extension if kind_of(folder) == EXTENSION else load
    return read(folder, strict=strict)


def load_extension(name_or_folder: str | Path, *, strict: bool = True) -> Extension:
    """Read and check an extension. Raises ScenarioError as `load` does."""
    folder = find(name_or_folder)
    sources = Sources(folder)
    problems: list[Problem] = []
    game = validated(sources, FILE, ExtensionFile, problems)
    has_ledger = (folder / LEDGER).is_file()
    ledger = validated(sources, LEDGER, LedgerFile, problems) if has_ledger else None
    texts = texts_of(game, sources, problems) if game else {}
    notation = notation_of(sources, problems)
    if game is None or any(p.severity == "error" for p in problems):
        raise ScenarioError(problems)
    extension = Extension(
        game.name,
        folder,
        game,
        texts,
        sources.hash.hexdigest(),
        files={FILE: game, **({LEDGER: ledger} if ledger else {})},
        ledger=ledger,
        notation=notation,
    )
    found = [*problems, *check(extension, sources.locate)]
    if strict and any(p.severity == "error" for p in found):
        raise ScenarioError(found)
    object.__setattr__(extension, "warnings", tuple(found))
    return extension


class _Hexes(Collection[str]):
    """All hexes of maps of which nothing but the letters is known."""

    def __init__(self, letters: tuple[str, ...]) -> None:
        self._letters = letters

    def __contains__(self, hex_: object) -> bool:
        return isinstance(hex_, str) and map_letter(hex_) in self._letters

    def __iter__(self) -> Iterator[str]:
        return iter(self._letters)

    def __len__(self) -> int:
        return len(self._letters)


def check(extension: Extension, locate: Locate) -> list[Problem]:
    """All contradictions of an extension, errors and warnings."""
    tell = Teller(locate)
    found = list(_unknown_names(extension, tell))
    found += supplies_fit(extension.game, tell)
    for rule in (_turns_of_phases, _options, _ledger, _words):
        found += rule(extension, tell)
    return list(dict.fromkeys(found))


def _known(game: ExtensionFile) -> dict[RefKind, Collection[Any]]:
    return {
        "hex": _Hexes(tuple(m.letter for m in game.maps) or ("",)),
        "marker": game.markers,
        "side": [side.id for side in game.sides],
        "switch": [name for name, option in game.options.items() if set(option.choices) == {"yes", "no"}],
        "track": game.tracks,
    }


def _unknown_names(extension: Extension, tell: Teller) -> Iterator[Problem]:
    known = _known(extension.game)
    for r in extension.references:
        if r.id not in known.get(r.kind, (r.id,)):
            there: tuple[Param, ...] = tuple(known[r.kind])
            said = unknown("lettered-hex" if r.kind == "hex" else r.kind, r.id, there, known=there)
            yield tell.tell(r.file, list(r.where), said)


def _turns_of_phases(extension: Extension, tell: Teller) -> Iterator[Problem]:
    game = extension.game
    parts = game.days.parts if game.days else ()
    for i, phase in enumerate(game.phases):
        for turn in phase.turns:
            if turn not in parts:
                yield tell.error(FILE, ["phases", i], "extension.no-part", id=turn, known=tuple(parts))


def _options(extension: Extension, tell: Teller) -> Iterator[Problem]:
    game = extension.game
    for id_, option in game.options.items():
        if option.default not in option.choices:
            at = ["options", id_, "default"]
            yield tell.error(FILE, at, "game.default", default=option.default, known=option.choices)


def _ledger(extension: Extension, tell: Teller) -> Iterator[Problem]:
    """What the rules name is there: parts of the day, phases, options, kinds of piece."""
    game, ledger = extension.game, extension.ledger
    if ledger is None:
        return
    known: dict[str, Collection[str]] = {
        "parts": game.days.parts if game.days else (),
        "part": game.days.parts if game.days else (),
        "phases": [phase.id for phase in game.phases],
        "phase": [phase.id for phase in game.phases],
        "option": game.options,
        "kind": ledger.pieces,
        "kinds": ledger.pieces,
        "headquarters": ledger.pieces,
        "escort": ledger.pieces,
    }
    for where, names in _named(ledger):
        key = where[-1]
        for name in names:
            if name not in known.get(key, (name,)):
                yield tell.error(LEDGER, where, "extension.unknown", id=name, known=tuple(known[key]))


def _named(model: Model, where: tuple[str, ...] = ()) -> Iterator[tuple[list[str], tuple[str, ...]]]:
    """Every field of words, with the way to it."""
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, Model):
            yield from _named(value, (*where, name))
        elif isinstance(value, str):
            yield [*where, name], (value,)
        elif isinstance(value, tuple) and all(isinstance(word, str) for word in value):
            yield [*where, name], value


def _words(extension: Extension, tell: Teller) -> Iterator[Problem]:
    """Every marker, track and side has a name in each of the game's languages, and one says what the others do."""
    game = extension.game
    needed = [f"markers.{face.id}" for marker in game.markers.values() for face in marker.faces]
    needed += [f"tracks.{id_}" for id_ in game.tracks] + [f"sides.{side.id}" for side in game.sides]
    texts = {language: extension.texts[language] for language in game.languages}
    every = {key for text in texts.values() for key in text.values}
    for language, text in texts.items():
        nameless = [key for key in dict.fromkeys(needed) if key not in text.values]
        for key in nameless:
            yield tell.error(f"text.{language}.yaml", [], "extension.nameless", key=key)
        for key in sorted(every - {*text.values, *nameless}):
            yield tell.warning(f"text.{language}.yaml", [], "game.untranslated", key=key)
