"""The words that sheets may use, put together: the notation's own, in all languages that have files, and a game's.

See `words` for what they mean.

Write statements as a turn sheet in a language, English being the canonical one.

What is written reads back as the same statements, line numbers apart.

Lines in the very form of the notation: they are read as they stand, and not looked through for what people say.

Most lines of a sheet are such. A line is one only where nothing in it could mean anything else: every unit and code
is the game's or the sheet's own, no number stands where a unit might be called so, and no mark but the notation's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

from ...scenarios.model import Scenario, marks
from ...scenarios.text.words import SOURCE, Language, catalogue, languages
from . import base as notation_base
from . import statements as st
from .base import write_line
from .cursor import Cursor, LogicalLine, Token, Unread
from .kinds import Pen
from .words import FIRST, ROMAN, Section, Vocabulary, fold, joined

if TYPE_CHECKING:
    from ...scenarios.model import Scenario


_ALSO: Final = "also"
_OF_FIGURES: Final = "ordinal-endings"
_MOST_KEPT: Final = 8
_KEPT: Final[list[tuple[Scenario, Vocabulary, Vocabulary]]] = []


def _known(forms: Mapping[Language, Mapping[str, Section]]) -> dict[str, dict[str, str]]:
    """Section -> folded form -> id. An id always means itself; of two meanings the first language's stands."""
    known: dict[str, dict[str, str]] = {}
    for sections in forms.values():
        for section, words in sections.items():
            table = known.setdefault(section, {})
            for id_ in words:
                table[id_] = id_
    for sections in forms.values():
        for section, words in sections.items():
            for id_, found in words.items():
                for form in found:
                    known[section].setdefault(joined(section, fold(form)), id_)
    return known


def listed_words(domain: str, language: Language) -> dict[str, dict[str, tuple[str, ...]]]:
    """The forms of words that a domain of our words lists in a language, by section and id."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for key, value in catalogue(domain, language).items():
        section, _, word = key.partition(".")
        if isinstance(value, list):
            found.setdefault(section, {})[word] = tuple(value)
    return found


def notation() -> Vocabulary:
    """The notation's own words."""
    return _notation(os.environ.get("HEXFORGE_WORDS", ""))


@cache
def _notation(_folder: str) -> Vocabulary:
    forms: dict[Language, dict[str, dict[str, tuple[str, ...]]]] = {}
    figures: dict[str, tuple[str, ...]] = {}
    for language in dict.fromkeys((SOURCE, *languages())):
        if sections := listed_words("notation", language):
            forms[language] = sections
        given = forms.get(language, {})
        also, verbs, endings = (given.pop(section, {}) for section in (_ALSO, "verbs", "endings"))
        for part, found in given.pop(_OF_FIGURES, {}).items():
            figures[part] = (*figures.get(part, ()), *(fold(form) for form in found))
        statements = given.get("statements", {})
        for word, more in also.items():
            statements[word] = (*statements.get(word, ()), *more)
        for word, found in verbs.items():
            made = bent(found, tuple(endings.values()))
            statements[word] = tuple(dict.fromkeys((*statements.get(word, ()), *made)))
    return Vocabulary(forms, _known(forms) | _spoken(), endings=figures)


def _spoken() -> dict[str, dict[str, str]]:
    """The words that people say around statements, in all languages: section -> folded form -> id."""
    found: dict[str, dict[str, str]] = {}
    for language in dict.fromkeys((SOURCE, *languages())):
        endings = tuple(listed_words("notation", language).get("endings", {}).values())
        for section, words in listed_words("talk", language).items():
            table = found.setdefault(section, {})
            for id_, forms in words.items():
                for form in bent(forms, endings) if section in _BENT else forms:
                    if len(form) > 1:
                        table.setdefault(fold(form), id_)
    return found


_BENT: Final = ("motions", "crossings", "deeds")
"""Sections of verbs, whose forms are made by the endings of their language."""


def bent(verbs: Iterable[str], classes: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """All forms of some verbs, see `_inflected`."""
    classes = tuple(classes)
    return (form for verb in verbs for form in _inflected(verb, classes))


def _inflected(verb: str, classes: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """The forms of a verb, by the first class of endings whose own one, its first, the verb has."""
    own = next((endings for endings in classes if verb.endswith(endings[0])), ("",))
    stem = verb.removesuffix(own[0])
    return (stem + ending for ending in own)


def vocabulary_of(scenario: Scenario) -> Vocabulary:
    """The notation's words with those of a game: its ids, its names for them and the forms that its files add.

    A word of the notation keeps its meaning. Those of the last few games are kept.
    """
    base = notation()
    for game, words, found in _KEPT:
        if game is scenario and words is base:
            return found
    found = _of_game(scenario) if scenario.has_map else _of_extension(scenario)
    _KEPT[:] = [(scenario, base, found), *_KEPT][:_MOST_KEPT]
    return found


def _of_game(scenario: Scenario) -> Vocabulary:
    game, tables, base = scenario.game, scenario.tables, notation()
    own = {
        "sides": tuple(side.id for side in game.sides),
        "unit_types": tuple(game.unit_types),
        "terrain": tuple(tables.terrain),
        "ways": tuple(tables.ways),
        "hexsides": tuple(tables.hexsides),
    }
    if game.weather_die is not None:
        own["weather"] = tuple(game.weathers)
    kinds = {p.id: p.phase for p in game.sequence if p.id}
    phases = [phase for p in game.sequence for phase in p.names if phase not in base.known["phases"]]
    flags = {flag for text in scenario.notation.values() for flag in text.section("flags")}
    flags |= {mark for mark in marks(scenario) if mark not in base.known["flags"]} - {*game.movement_classes}
    results = {code for text in scenario.notation.values() for code in text.section("results")}
    names = {
        section: _forms(scenario, section, ids)
        for section, ids in (*own.items(), ("flags", flags), ("phases", phases), ("results", results))
    }
    forms: dict[Language, dict[str, Section]] = {}
    for language in dict.fromkeys((*base.forms, *scenario.texts, *scenario.notation)):
        sections = dict(base.forms.get(language, {}))
        for section, words in names.items():
            sections[section] = {**words.get(language, {}), **sections.get(section, {})}
        forms[language] = sections
    known = _known({lang: {section: words.get(lang, {}) for section, words in names.items()} for lang in forms})
    for section, table in base.known.items():
        known[section] = {**known.get(section, {}), **table}
    grid = scenario.map.grid
    units, codes = frozenset(scenario.counters), frozenset(tables.results)
    counters = scenario.counters.items()
    letters, called = (
        frozenset(grid.letter),
        _called((id_, name) for id_, c in counters for name in c.names.values()),
    )
    return Vocabulary(
        forms,
        known,
        own,
        units,
        grid,
        letters=letters,
        codes=codes,
        called=called,
        name=game.name,
        endings=base.endings,
        thrown=tables.crt.thrown,
        sides={id_: counter.side for id_, counter in counters},
        counters=scenario.counters,
        kinds=kinds,
        due=frozenset(unit for one in scenario.setup.reinforcements for unit in one.units),
        places=_places(scenario),
    )


def _places(scenario: Scenario) -> dict[str, tuple[str, ...]]:
    """The hexes of each place, by its name on the map and in each language."""
    found: dict[str, tuple[str, ...]] = {}
    for place in scenario.map.places:
        names = (place.name, *(text.get(f"places.{place.id}") for text in scenario.texts.values()))
        found.update({fold(name): tuple(place.hexes) for name in names if name})
    return found


_BATTALION: Final = re.compile(r"([1-6]|iii?|i|iv|vi?)[oa\u00ba\u00aa.]*/([0-9]{2,4})(?![0-9])")


def _called(names: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for unit, name in names:
        if match := _BATTALION.match(fold(name)):
            found.setdefault(f"{ROMAN.get(match[1], match[1])}/{match[2]}", set()).add(unit)
    return {name: frozenset(units) for name, units in found.items()}


def _of_extension(extension: Scenario) -> Vocabulary:
    """The words of sheets that keep accounts: those of every head, those of accounts, and the game's own."""
    # Declares the statements that begin with words of accounts.
    from . import statements_accounts  # noqa: F401

    game, ledger, base = extension.game, extension.ledger, notation()
    own = {
        "sides": tuple(side.id for side in game.sides),
        "dayparts": tuple(extension.days.parts) if extension.days else (),
        "dayphases": tuple(phase.id for phase in extension.day_phases),
        "pieces": tuple(ledger.pieces) if ledger else (),
    }
    names = {section: _forms(extension, section, ids) for section, ids in own.items()}
    forms: dict[Language, dict[str, Section]] = {}
    for language in dict.fromkeys((*base.forms, *extension.texts, *extension.notation)):
        sections = {s: words for s, words in base.forms.get(language, {}).items() if s in _SHARED}
        heads = {id_: f for id_, f in sections.get("statements", {}).items() if id_ in _HEADS}
        added = listed_words("ledger", language)
        forms[language] = {
            **sections,
            **added,
            "statements": {**heads, **added.get("statements", {})},
            "words": {**sections.get("words", {}), **added.get("words", {})},
            **{section: words.get(language, {}) for section, words in names.items()},
        }
    known: dict[str, dict[str, str]] = {section: {} for section in FIRST} | _known(forms)
    letters = frozenset(extension.letters)
    markers = frozenset(_markers(extension))
    return Vocabulary(forms, known, own, markers, letters=letters, name=game.name, endings=base.endings)


_SHARED: Final = ("statements", "words", "fillers", "beside-turns", "edges")
"""Sections of the notation that sheets of accounts use as well; `_HEADS` are the statements of those."""
_HEADS: Final = ("sheet", "game", "players", "option", "partial", "accept", "position", "setup", "continues")


def _markers(extension: Scenario) -> Iterator[str]:
    for kind in extension.game.markers:
        yield from extension.game.copies(kind)


_TOLD: Final = {"flags": "marks"}
"""Where a game's texts call what a section names by another word."""


def _forms(scenario: Scenario, section: str, ids: Iterable[str]) -> dict[Language, Section]:
    """A game's words of one section in each language: what its files add, or else the id; and then its name."""
    found: dict[Language, Section] = {}
    for language in dict.fromkeys((*scenario.texts, *scenario.notation)):
        text, added = scenario.texts.get(language), scenario.notation.get(language)
        words: dict[str, tuple[str, ...]] = {}
        for id_ in ids:
            key = f"{section}.{id_}"
            first = tuple(added.get(key).split()) if added else ()
            name = joined(section, text.get(f"{_TOLD.get(section, section)}.{id_}").lower()) if text else ""
            words[id_] = tuple(dict.fromkeys((*(first or (id_,)), *([name] if name else ()))))
        found[language] = words
    return found


_INDENT: Final = "  "


def write_statement(
    statement: notation_base.Statement, lang: Language = SOURCE, words: Vocabulary | None = None
) -> str:
    """One statement as one line, without indentation, sub-statements or line end.

    `words` are those of its game; without them a game's words stand as its ids.
    """
    return write_line(statement, Pen(words or notation(), lang))


def write_sheet(
    statements: Iterable[notation_base.Statement], lang: Language = SOURCE, words: Vocabulary | None = None
) -> str:
    """A sheet, one statement a line, with a blank line before each turn and what belongs to a block indented."""
    pen = Pen(words or notation(), lang)
    lines: list[str] = []
    for statement in statements:
        if isinstance(statement, notation_base.Opening) and lines:
            lines.append("")
        indent = _INDENT if isinstance(statement, notation_base.Positioned) else ""
        lines.append(indent + write_line(statement, pen))
        if isinstance(statement, st.Engagement):
            lines += [_INDENT + write_line(act, pen) for act in statement.acts]
    return "\n".join(lines) + "\n"


_PLAIN: Final = re.compile(r"[\w\s:./-]*(?:\s#.*)?")
_OF_UNITS: Final = (
    st.Move,
    st.Enter,
    st.Bombard,
    st.Retreat,
    st.Advance,
    st.Attack,
    st.Support,
    st.Guard,
    st.Lose,
    st.Eliminate,
    st.Recover,
)
_CANONICAL_OF_FIGURES: Final = (st.TurnStart, st.Combat, st.AirSupport, st.Roll, st.Result, st.Declare, st.Announce)
_GOING: Final = (st.Move, st.Enter)

Begins: TypeAlias = Callable[[Cursor, Token], tuple[type[notation_base.Statement], str]]
"""The statement that a line's first word begins, and the word's meaning. Raises Unread."""


def read_canonical(
    line: LogicalLine, words: Vocabulary, declared: Collection[str], begins: Begins, *, fought: bool = False
) -> notation_base.Statement | None:
    """A line that is a statement as the notation writes it. `fought`: who goes somewhere may follow up here."""
    tokens = line.tokens
    if line.too_long or not tokens or not words.units or tokens[0].key in declared:
        return None
    if not words.begins(tokens[0].key) or tokens[-1].line != line.line:
        return None
    if not _PLAIN.fullmatch(line.texts[line.line - 1]) or tokens[-1].text.endswith("."):
        return None  # a full stop is none of a column's, which may be any word
    at = Cursor(line, words, SOURCE, declared)
    at.sure = True
    try:
        cls, word = begins(at, tokens[0])
        if cls not in _OF_UNITS and cls not in _CANONICAL_OF_FIGURES:
            return None
        if (fought and cls in _GOING) or (cls in _OF_UNITS and _counts(tokens, words)):
            return None
        found = notation_base.read_statement(cls, at, word)
    except Unread:
        return None
    return None if at.problems or at.void else found


def _counts(tokens: tuple[Token, ...], words: Vocabulary) -> bool:
    """Whether a number stands in a line that is no hex: of steps, points, or a unit."""
    return any(t.text.isdigit() and not words.is_hex(t.text) for t in tokens)


def is_mute(line: LogicalLine, words: Vocabulary, declared: Collection[str] = ()) -> bool:
    """Whether no word of a line can be of a statement, however it is put: `ontem foi bom`."""
    return not any(t.kind != "word" or t.key in declared or words.tells(t.key) for t in line.tokens)
