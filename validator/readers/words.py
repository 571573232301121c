"""What words mean and how they are written: those of the notation, in all languages that have files, and a game's.

The notation's own stand in `art/words/notation.LANGUAGE.yaml`; a third language is one more such file. Words are
compared folded: case, accents and typographic dashes do not matter, so `AVANÇAR`, `avançar` and `avancar` are one.
"""

from __future__ import annotations

import difflib
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from hexforge.scenarios.words import SOURCE, Language, catalogue, languages

if TYPE_CHECKING:
    from hexforge.scenarios.extension import AnyGame, Extension
    from hexforge.scenarios.hexgrid import HexGrid
    from hexforge.scenarios.model import Scenario
    from hexforge.scenarios.schema.dice import Dice

DASHES: Final = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-")
FIRST: Final = ("statements", "ways", "hexsides")
"""The sections whose words begin lines."""
_OF_PARTS: Final = (
    "statements",
    "words",
    "flags",
    "unit_types",
    "terrain",
    "dayphases",
    "pieces",
    "facts",
    "besides",
    "copulas",
    "labels",
    "behind-units",
    "adverbs",
    "results",
)
_TELLING: Final = re.compile(r"[0-9].*-|-.*[0-9]|[0-9]{3}")
"""What a part of a unit's id has at least: a figure and a hyphen, or a number of three figures."""
_NUMBER: Final = re.compile(r"[0-9]{4}")
_SHORTEST: Final = 3
"""Letters of a word that is taken for a misspelt one; shorter ones are like too many."""
_ALSO: Final = "also"
_OF_FIGURES: Final = "ordinal-endings"
_REPEATED: Final = 4096
"""Words of a sheet that are kept: hexes and units come again and again."""
_LONG: Final = 40
"""Letters beyond which a word is none of a sheet's, and is not kept."""
_UNDERSCORED: Final = frozenset(("unit_types", "terrain"))

Section: TypeAlias = Mapping[str, tuple[str, ...]]
"""The forms of each word of a kind, by the word's id; the first is the one that is written."""


@lru_cache(_REPEATED)
def fold(word: str) -> str:
    """A word without case, accents and typographic dashes."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.translate(DASHES)).casefold()
    return "".join(c for c in decomposed if not unicodedata.combining(c))


@lru_cache(_REPEATED)
def joined(section: str, word: str) -> str:
    """A word whose parts are joined as the section's ids are: with underscores or with hyphens."""
    old, new = ("-", "_") if section in _UNDERSCORED else ("_", "-")
    return new.join(word.replace(old, new).split())


V = TypeVar("V")


class _Kept(dict[str, V]):
    """What a function found for the words of sheets, up to a bound: each is asked for again and again."""

    def __init__(self, find: Callable[[str], V]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: str) -> V:
        found = self._find(key)
        if len(key) <= _LONG:
            if len(self) >= _REPEATED:
                self.clear()
            self[key] = found
        return found


class _Sections(dict[str, _Kept[str | None]]):
    """The meanings of words in each section."""

    def __init__(self, known: Mapping[str, Mapping[str, str]]) -> None:
        super().__init__()
        self._known = known

    def __missing__(self, section: str) -> _Kept[str | None]:
        table = self._known.get(section, {})
        found = self[section] = _Kept(lambda key: table.get(key) or table.get(joined(section, key)))
        return found


@dataclass(frozen=True)
class Vocabulary:
    """The words that a sheet may use. `forms`: language -> section -> id -> forms.

    `own`: the ids of a game's sides, unit types, terrains, ways and hexsides; None where no game is known, and
    every word must do for one of them. `units` are the ids of a game's counters, `grid` is that of its map.
    """

    forms: Mapping[Language, Mapping[str, Section]]
    known: Mapping[str, Mapping[str, str]]
    own: Mapping[str, tuple[str, ...]] | None = None
    units: frozenset[str] = frozenset()
    grid: HexGrid | None = None
    letters: frozenset[str] = frozenset()
    """Those of the game's maps, where each has one."""
    codes: frozenset[str] = frozenset()
    """Those of the results of the game's tables."""
    called: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The units whose names begin with a battalion and its regiment, by these: `1/112`."""
    name: str = ""
    """That of the game."""
    endings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What stands behind the figures of an ordinal, folded: `th`, and `'s` behind that."""
    thrown: Dice | None = None
    """The dice of the game's combat table."""

    @cached_property
    def _ordinal(self) -> re.Pattern[str]:
        first, behind = ("|".join(map(re.escape, self.endings.get(part, ()))) for part in ("ordinal", "behind"))
        return re.compile(rf"(.*[0-9])(?:{first})?(?:{behind})?")

    def figures(self, key: str) -> str:
        """A folded ordinal without its ending, `112th` as `112`; figures stay, and "" is what ends otherwise."""
        found = self._ordinal.fullmatch(key)
        return found[1] if found else ""

    @cached_property
    def phrases(self) -> Mapping[str, tuple[tuple[str, ...], ...]]:
        """Words of several parts, by the first part: `fora` -> `(fora, do, mapa)`; the longest first."""
        found: dict[str, set[tuple[str, ...]]] = {}
        for section in _OF_PARTS:
            for form in self.known.get(section, ()):
                parts = tuple(form.replace("_", "-").split("-"))
                if len(parts) > 1 and all(map(str.isalpha, parts)):
                    found.setdefault(parts[0], set()).add(parts)
        return {first: tuple(sorted(parts, key=lambda p: (-len(p), p))) for first, parts in found.items()}

    @cached_property
    def _runs(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for unit in self.units:
            for run in _runs_of(unit):
                found.setdefault(run, set()).add(unit)
        return {run: frozenset(units) for run, units in found.items()}

    def like(self, key: str, declared: Iterable[str] = ()) -> tuple[str, ...]:
        """The units that a part of an id may mean: `112-1` is `us-112-1`; `declared` are the sheet's own."""
        if not declared:
            return self._like[key]
        if not _TELLING.search(key):
            return ()
        return tuple(sorted({*self._runs.get(key, ()), *(u for u in declared if key in _runs_of(u))}))

    @cached_property
    def _like(self) -> Mapping[str, tuple[str, ...]]:
        return _Kept(lambda key: tuple(sorted(self._runs.get(key, ()))) if _TELLING.search(key) else ())

    def numbered(self, key: str) -> str:
        """The one unit that a number alone names, however short: `15` is `ge-15`; "" for none and several."""
        number = self.figures(key)
        found = self._runs.get(number, frozenset()) if number.isdigit() else frozenset()
        return next(iter(found)) if len(found) == 1 else ""

    def are_codes(self, text: str) -> bool:
        """Whether a word is codes of the game's tables as these have them, joined by `-` or `+` as they may be."""
        return all(code in self.codes for code in re.split("[-+]", text))

    def is_hex(self, text: str) -> bool:
        """Whether a word is a hex: four digits, or such after the letter of a map; or as the game's map says."""
        return self._hexes[text]

    @cached_property
    def _hexes(self) -> Mapping[str, bool]:
        return _Kept(self._is_hex)

    def _is_hex(self, text: str) -> bool:
        if self.grid is not None and not self.grid.usual:
            return self.grid.named(text) is not None
        lettered = text[:1].upper() in self.letters and _NUMBER.fullmatch(text[1:])
        return bool(lettered or _NUMBER.fullmatch(text))

    def hexes_joined(self, text: str) -> tuple[str, ...]:
        """The hexes of a word that joins several by `-`, and perhaps ends in one; none for any other word."""
        if "-" not in text:
            return ()
        steps = text.removesuffix("-").split("-")
        return tuple(map(str.upper, steps)) if len(steps) > 1 and all(map(self.is_hex, steps)) else ()

    def adjacent(self, a: str, b: str) -> bool:
        """Whether two hexes touch on the map of the game, or may, where no game is known."""
        return self.grid is None or self.grid.distance(a, b) <= 1

    def meaning(self, section: str, key: str) -> str | None:
        """The id of a folded word; None for one that has no meaning here."""
        return self._meanings[section][key]

    @cached_property
    def _meanings(self) -> Mapping[str, Mapping[str, str | None]]:
        return _Sections(self.known)

    def nearly(self, section: str, key: str) -> str | None:
        """The id of a folded word, also of one that is misspelt; None for what is like no word of the section."""
        if (section, key) not in self._near:
            close = self._close(section, key[:40], 1, 0.75)
            if len(self._near) >= _REPEATED:
                self._near.clear()
            self._near[section, key] = self.meaning(section, key) or (
                self.known[section][close[0]] if close else None
            )
        return self._near[section, key]

    @cached_property
    def _near(self) -> dict[tuple[str, str], str | None]:
        return {}

    def likely(self, sections: Iterable[str], key: str, language: Language) -> tuple[str, ...]:
        """The words of some sections that a misspelt one may be, the likeliest first, as a language writes them."""
        if len(key) < _SHORTEST:
            return ()
        scored: dict[str, float] = {}
        cutoff = 0.7 if len(key) > _SHORTEST else 0.8
        for section in sections:
            table = self.known.get(section, {})
            for form in self._close(section, key[:40], 6, cutoff):
                written = self.write(section, table[form], language)
                spoken = any(
                    fold(f) == form for f in self.forms.get(language, {}).get(section, {}).get(table[form], ())
                )
                score = difflib.SequenceMatcher(None, key[:40], form).ratio() + (0.05 if spoken else 0)
                scored[written] = max(score, scored.get(written, 0))
        best = sorted(scored, key=lambda word: (-scored[word], word))
        return tuple(word for word in best if scored[word] > scored[best[0]] - 0.12)[:3]

    def _close(self, section: str, key: str, most: int, cutoff: float) -> list[str]:
        """The words of a section that are most like another, by difflib: only those that are long enough for it."""
        lengths = self._by_length.get(section, {})
        fit = (n for n in lengths if n and 2.0 * min(n, len(key)) / (n + len(key)) >= cutoff)
        letters = set(key)
        # Each letter that the other lacks counts against it, as it does for difflib, which counts them one by one.
        forms = [
            form
            for n in fit
            for form, own in lengths[n]
            if 2.0 * (n - len(own - letters)) / (n + len(key)) >= cutoff
        ]
        return difflib.get_close_matches(key, forms, n=most, cutoff=cutoff)

    @cached_property
    def _by_length(self) -> Mapping[str, Mapping[int, list[tuple[str, frozenset[str]]]]]:
        found: dict[str, dict[int, list[tuple[str, frozenset[str]]]]] = {}
        for section, table in self.known.items():
            for form in table:
                found.setdefault(section, {}).setdefault(len(form), []).append((form, frozenset(form)))
        return found

    def write(self, section: str, id_: str, language: Language) -> str:
        """The form of a word that is written: its own id where the language has none."""
        return next(iter(self.forms.get(language, {}).get(section, {}).get(id_, ())), id_)

    def first(self, section: str, id_: str) -> str:
        """The form of a word that the first language writes."""
        return next(iter(self.forms[next(iter(self.forms))][section][id_]))

    def listed(self, section: str, language: Language) -> tuple[str, ...]:
        """All words of a section as they are written: those of the game, where it has any, else the notation's."""
        ids = (self.own or {}).get(section) or tuple(self.forms[SOURCE].get(section, {}))
        return tuple(self.write(section, id_, language) for id_ in ids)

    @cached_property
    def beginnings(self) -> Mapping[Language, Mapping[str, str]]:
        """By language: folded form -> form, of all words that begin a line."""
        return {
            language: {
                fold(form): form
                for section in FIRST
                for forms in sections.get(section, {}).values()
                for form in forms
            }
            for language, sections in self.forms.items()
        }

    def begins(self, key: str) -> bool:
        """Whether a line may begin with a folded word."""
        return key in self._firsts

    @cached_property
    def _firsts(self) -> frozenset[str]:
        return frozenset(key for section in FIRST for key in self.known[section])


def _runs_of(unit: str) -> Iterator[str]:
    """The parts of an id that stand side by side, without the id itself."""
    parts = unit.split("-")
    for i in range(len(parts)):
        for j in range(i + 1, len(parts) + 1):
            if j - i < len(parts):
                yield "-".join(parts[i:j])


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
    return Vocabulary(forms, _known(forms), endings=figures)


def bent(verbs: Iterable[str], classes: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """All forms of some verbs, see `_inflected`."""
    classes = tuple(classes)
    return (form for verb in verbs for form in _inflected(verb, classes))


def _inflected(verb: str, classes: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """The forms of a verb, by the first class of endings whose own one, its first, the verb has."""
    own = next((endings for endings in classes if verb.endswith(endings[0])), ("",))
    stem = verb.removesuffix(own[0])
    return (stem + ending for ending in own)


def vocabulary_of(scenario: AnyGame) -> Vocabulary:
    """The notation's words with those of a game: its ids, its names for them and the forms that its files add.

    A word of the notation keeps its meaning.
    """
    from hexforge.scenarios.model import Scenario

    return _of_game(scenario) if isinstance(scenario, Scenario) else _of_extension(scenario)


def _of_game(scenario: Scenario) -> Vocabulary:
    game, tables, base = scenario.game, scenario.tables, notation()
    own = {
        "sides": tuple(side.id for side in game.sides),
        "unit_types": tuple(game.unit_types),
        "terrain": tuple(tables.terrain),
        "ways": tuple(tables.ways),
        "hexsides": tuple(tables.hexsides),
    }
    phases = [phase for p in game.sequence if (phase := p.phase) not in base.known["phases"]]
    flags = {flag for text in scenario.notation.values() for flag in text.section("flags")}
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
    )


ROMAN: Final = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6"}
_BATTALION: Final = re.compile(r"([1-6]|iii?|i|iv|vi?)[oa\u00ba\u00aa.]*/([0-9]{2,4})(?![0-9])")


def _called(names: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for unit, name in names:
        if match := _BATTALION.match(fold(name)):
            found.setdefault(f"{ROMAN.get(match[1], match[1])}/{match[2]}", set()).add(unit)
    return {name: frozenset(units) for name, units in found.items()}


def _of_extension(extension: Extension) -> Vocabulary:
    """The words of sheets that keep accounts: those of every head, those of accounts, and the game's own."""
    # Declares the statements that begin with words of accounts.
    from hexforge.validator.readers import statements_ledger  # noqa: F401

    game, ledger, base = extension.game, extension.ledger, notation()
    own = {
        "sides": tuple(side.id for side in game.sides),
        "dayparts": tuple(game.days.parts) if game.days else (),
        "dayphases": tuple(phase.id for phase in game.phases),
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
    letters = frozenset(m.letter for m in game.maps)
    markers = frozenset(_markers(extension))
    return Vocabulary(forms, known, own, markers, letters=letters, endings=base.endings)


_SHARED: Final = ("statements", "words", "fillers", "beside-turns", "edges")
"""Sections of the notation that sheets of accounts use as well; `_HEADS` are the statements of those."""
_HEADS: Final = ("sheet", "game", "players", "option", "partial", "accept", "position", "setup", "continues")


def _markers(extension: Extension) -> Iterator[str]:
    for kind in extension.game.markers:
        yield from extension.game.copies(kind)


def _forms(scenario: AnyGame, section: str, ids: Iterable[str]) -> dict[Language, Section]:
    """A game's words of one section in each language: what its files add, or else the id; and then its name."""
    found: dict[Language, Section] = {}
    for language in dict.fromkeys((*scenario.texts, *scenario.notation)):
        text, added = scenario.texts.get(language), scenario.notation.get(language)
        words: dict[str, tuple[str, ...]] = {}
        for id_ in ids:
            key = f"{section}.{id_}"
            first = tuple(added.get(key).split()) if added else ()
            name = joined(section, text.get(key).lower()) if text else ""
            words[id_] = tuple(dict.fromkeys((*(first or (id_,)), *([name] if name else ()))))
        found[language] = words
    return found
