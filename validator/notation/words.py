"""What words mean and how they are written: those of the notation, in all languages that have files, and a game's.

The notation's own stand in `art/words/notation.LANGUAGE.yaml`; a third language is one more such file. Words are
compared folded: case, accents and typographic dashes do not matter, so `AVANÇAR`, `avançar` and `avancar` are one.

What people call units by, from a game's data: numbers, words of their names, what arm they are of.

`tanques do 707`, `116 Pz recon`, `CCA da 4ª`. Words for arms (`tanks`, `guns`) are declared under `arms` in
`art/words/notation.LANGUAGE.yaml`, those for what formations are of (`armored`, `pz`) under `kinds-of-formations`.
An arm fits every type of unit that its id is a part of, and whoever has a word for it in his own name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from ...scenarios.console import alike, ranked
from ...scenarios.text.words import SOURCE, Language

if TYPE_CHECKING:
    from ...scenarios.schema.results import Dice
    from ...scenarios.schema.setup import CounterRow as Counter
    from ...scenarios.text.hexgrid import HexGrid


_BEHIND: Final = re.compile(r"\([^()]*\)|/.*")
"""What stands in a name behind the unit's own: the formation that it is of."""
_GROUPS: Final = 2
"""Texts of a unit, at the end of all, that name what it is a part of."""
_OF_MANY: Final = ("arms", "kinds-of-formations")
_PIECE: Final = re.compile(r"([0-9]+)|([^\W\d_]{2,})")
_ORDINAL: Final = re.compile(r"(?:^|(?<=[/ ]))(iii?|iv|vi?|i)(?=[/ ])")
_SPOKEN: Final = (
    "fillers",
    "words",
    "beside-turns",
    "lead-ins",
    "adverbs",
    "behind-units",
    "numbers",
    "statements",
    "shortened",
    "slashed",
    "wholes",
    "copulas",
    "sides",
    "phases",
    "edges",
    "roles",
)
"""Sections whose words say something else, even if they stand in a unit's name."""


@dataclass(frozen=True)
class Called:
    """What one unit is called by: figures, folded words, ids of arms and of kinds of formation.

    `within`: the figures of those that it is a part of, its regiment and its division.
    """

    numbers: frozenset[str]
    within: frozenset[str]
    words: frozenset[str]
    arms: frozenset[str]
    formations: frozenset[str]


class Calls:
    """What all units of a game are called by."""

    def __init__(self, counters: Mapping[str, Counter], words: Vocabulary) -> None:
        self._words = words
        self._units = {unit: self._called(unit, counter) for unit, counter in counters.items()}
        self._own = frozenset(word for called in self._units.values() for word in called.words)
        names = {piece for place in words.places for piece in _words(place)}
        common = {word for section in _OF_MANY for word in words.known.get(section, {})}
        ids = {word for unit in counters for word in _words(fold(unit).partition("-")[2])}
        self._sole = (self._own & ids) - names - {words.name} - common

    def _called(self, unit: str, counter: Counter) -> Called:
        _, _, bare = unit.partition("-")
        texts = [bare or unit, *counter.names.values(), counter.regiment or "", counter.division or ""]
        folded = [fold(text) for text in texts]
        numbers = {n for text in folded for n, _ in _PIECE.findall(text) if n}
        within = {n for text in folded[-_GROUPS:] for n, _ in _PIECE.findall(text) if n}
        numbers |= {ROMAN[count] for text in folded for count in _ORDINAL.findall(text)}
        said = frozenset(word for text in folded for word in _words(text) if not self._says(word))
        own = (word for text in folded for word in _words(_BEHIND.sub("", text)))
        arms = {arm for word in own if (arm := self._arm(word))}
        arms |= {arm for arm in self._words.known.get("arms", {}).values() if _is_of(arm, counter.type)}
        formations = {kind for word in said if (kind := self._formation(word))}
        return Called(frozenset(numbers), frozenset(within), said, frozenset(arms), frozenset(formations))

    def _says(self, word: str) -> bool:
        ordinal = any(word in endings for endings in self._words.endings.values())
        return ordinal or any(self._words.meaning(section, word) for section in _SPOKEN)

    def _arm(self, word: str) -> str | None:
        return self._words.meaning("arms", word)

    def _formation(self, word: str) -> str | None:
        return self._words.meaning("kinds-of-formations", word)

    def names(self, key: str) -> str:
        """The folded word, without its plural, if units are called by it; "" for any other."""
        return self._kept_names[key]

    @cached_property
    def _kept_names(self) -> Mapping[str, str]:
        return Kept(self._names)

    def _names(self, key: str) -> str:
        big = self._words.meaning("besides", key) == "battalion" and not self._arm(key)
        if big or self._says(key):
            return ""
        told = (w for w in (key, key.removesuffix("s")) if w in self._own or self._arm(w) or self._formation(w))
        return next(told, "")

    def alone(self, word: str) -> bool:
        """Whether a word names units without any number, and nothing else, as a place."""
        return word in self._sole

    def fit(self, numbers: Iterable[str], said: Iterable[str]) -> tuple[str, ...]:
        """The units that all of some numbers and words are said of, in the order of their ids."""
        figures, spoken = frozenset(numbers), tuple(said)
        return tuple(
            sorted(
                unit
                for unit, called in self._units.items()
                if figures <= called.numbers and all(self._is_said(word, called) for word in spoken)
            )
        )

    def are_whole(self, units: Iterable[str], numbers: Iterable[str]) -> bool:
        """Whether some numbers are of what units are parts of, and not their own beside others of it."""
        return all(frozenset(numbers) <= self._units[unit].within for unit in units)

    def is_of(self, unit: str, word: str) -> bool:
        """Whether a word for an arm is said of a unit."""
        called = self._units.get(unit)
        return called is not None and self._is_said(word, called)

    def _is_said(self, word: str, called: Called) -> bool:
        own = word in called.words or self._arm(word) in called.arms
        return own or self._formation(word) in called.formations


def _is_of(arm: str, type_: str) -> bool:
    """Whether units of a type are of an arm: `mechanized_artillery` is `artillery`."""
    return arm == type_ or arm in type_.split("_")


def _words(text: str) -> Sequence[str]:
    return [word for _, word in _PIECE.findall(text) if word]


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
    "subjects",
    "results",
)
_TELLING: Final = re.compile(r"[^-]-[^-]|[0-9]{3}|[0-9][a-z]{2}|[a-z]{2}[0-9]")
"""What a part of a unit's id has at least: two parts, a number of three figures, or letters beside a figure."""
_NUMBER: Final = re.compile(r"[0-9]{4}")
_SHORTEST: Final = 3
"""Letters of a word that is taken for a misspelt one; shorter ones are like too many."""
_REPEATED: Final = 4096
"""Words of a sheet that are kept: hexes and units come again and again."""
_LONG: Final = 40
"""Letters beyond which a word is none of a sheet's, and is not kept."""
_UNDERSCORED: Final = frozenset(("unit_types", "terrain"))

GROUPS: Final = ("regiment-", "all-")
"""What stands before the number of a regiment that is named as a whole, and by its number alone."""
ROMAN: Final = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6"}
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


class Kept(dict[str, V]):
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


_SILENT: Final = ("fillers", "beside-turns", "lead-ins", "intents", "adverbs")
"""Sections of words that stand beside others and make no statement alone."""


class _Sections(dict[str, Kept[str | None]]):
    """The meanings of words in each section."""

    def __init__(self, known: Mapping[str, Mapping[str, str]]) -> None:
        super().__init__()
        self._known = known

    def __missing__(self, section: str) -> Kept[str | None]:
        table = self._known.get(section, {})
        found = self[section] = Kept(lambda key: table.get(key) or table.get(joined(section, key)))
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
    sides: Mapping[str, str] = field(default_factory=dict)
    """Whose each unit of the game is."""
    counters: Mapping[str, Counter] = field(default_factory=dict, compare=False, repr=False)
    """What the game's data say of each unit."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """The kind of each phase of the game that has an id."""
    due: frozenset[str] = frozenset()
    """The units that arrive in the course of the game."""
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The hexes of what has a name on the game's map, by that name, folded."""

    @cached_property
    def heard(self) -> dict[tuple[str, bool, bool], Any]:
        """What lines of chats were read as, in each manner: a log is read several times over."""
        return {}

    @cached_property
    def calls(self) -> Calls:
        """What the game's units are called by."""
        return Calls(self.counters, self)

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
            for run in runs_of(unit):
                found.setdefault(run, set()).add(unit)
        return {run: frozenset(units) for run, units in found.items()}

    def like(self, key: str, declared: Iterable[str] = ()) -> tuple[str, ...]:
        """The units that a part of an id may mean: `112-1` is `us-112-1`; `declared` are the sheet's own."""
        if not declared:
            return self._like[key]
        if not _TELLING.search(key):
            return ()
        return tuple(sorted({*self._runs.get(key, ()), *(u for u in declared if key in runs_of(u))}))

    @cached_property
    def _like(self) -> Mapping[str, tuple[str, ...]]:
        return Kept(lambda key: tuple(sorted(self._runs.get(key, ()))) if _TELLING.search(key) else ())

    def one(self, key: str) -> str:
        """The unit of the game that a word names without doubt, by its id or a part of it; "" else."""
        like = (key,) if key in self.units else self.like(key)
        return like[0] if len(like) == 1 else ""

    def numbered(self, key: str) -> str:
        """The one unit that a number alone names, however short: `15` is `ge-15`; "" for none and several."""
        number = self.figures(key)
        found = self._runs.get(number, frozenset()) if number.isdigit() else frozenset()
        return next(iter(found)) if len(found) == 1 else ""

    @cached_property
    def regiments(self) -> Mapping[str, tuple[str, ...]]:
        """The units of each regiment, by its number, where no two have the same."""
        found: dict[tuple[str, str], list[str]] = {}
        for unit, counter in self.counters.items():
            if counter.regiment.isdigit():
                found.setdefault((counter.regiment, counter.side), []).append(unit)
        numbers = [number for number, _ in found]
        return {n: tuple(sorted(units)) for (n, _), units in found.items() if numbers.count(n) == 1}

    def members(self, group: str) -> tuple[str, ...]:
        """The units that a whole regiment may mean, `regiment-109` or `all-109`; none for any other word."""
        prefix = next((p for p in GROUPS if group.startswith(p)), "")
        return self.regiments.get(group.removeprefix(prefix), ()) if prefix and group not in self.units else ()

    def side(self, unit: str) -> str:
        """Whose a unit of the game is, or a whole regiment of it; "" for what is none."""
        return self.sides.get(unit) or next((self.sides[one] for one in self.members(unit)), "")

    def are_codes(self, text: str) -> bool:
        """Whether a word is codes of the game's tables as these have them, joined by `-` or `+` as they may be."""
        return all(code in self.codes for code in re.split("[-+]", text))

    def is_hex(self, text: str) -> bool:
        """Whether a word is a hex: four digits, or such after the letter of a map; or as the game's map says."""
        return self._hexes[text]

    @cached_property
    def _hexes(self) -> Mapping[str, bool]:
        return Kept(self._is_hex)

    def _is_hex(self, text: str) -> bool:
        if self.grid is not None and not self.grid.usual:
            return self.grid.named(text) is not None
        lettered = text[:1].upper() in self.letters and _NUMBER.fullmatch(text[1:])
        return bool(lettered or _NUMBER.fullmatch(text))

    def hexes_joined(self, text: str) -> tuple[str, ...]:
        """The hexes of a word that joins several by `-`, or ends in one; none for any other word."""
        if "-" not in text:
            return ()
        steps = text.removesuffix("-").split("-")
        return tuple(map(str.upper, steps)) if all(map(self.is_hex, steps)) else ()

    def hexes_of(self, text: str) -> tuple[str, ...]:
        """The hexes that a word names, one or several that it joins; none for any other word."""
        return (text.upper(),) if self.is_hex(text) else self.hexes_joined(text)

    @cached_property
    def first_of_places(self) -> frozenset[str]:
        """The folded words that names of places begin with."""
        return frozenset(name.partition(" ")[0] for name in self.places) | frozenset(self.places)

    def is_kind(self, key: str) -> bool:
        """Whether a folded word says what kind of unit one is: `tanks`, `battalion`."""
        return self.meaning("unit_types", key) is not None or self.meaning("besides", key) == "battalion"

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
            close = alike(key[:_LONG], self.known.get(section, ()), least=0.75)
            if len(self._near) >= _REPEATED:
                self._near.clear()
            self._near[section, key] = self.meaning(section, key) or (
                self.known[section][close[0]] if close else None
            )
        return self._near[section, key]

    @cached_property
    def _near(self) -> dict[tuple[str, str], str | None]:
        return {}

    @cached_property
    def strange(self) -> dict[str, bool]:
        """Words as they are typed, and whether no line that opens a phase has them, as `phases` finds."""
        return {}

    def likely(self, sections: Iterable[str], key: str, language: Language) -> tuple[str, ...]:
        """The words of some sections that a misspelt one may be, the likeliest first, as a language writes them."""
        if len(key) < _SHORTEST:
            return ()
        scored: dict[str, float] = {}
        cutoff = 0.7 if len(key) > _SHORTEST else 0.8
        for section in sections:
            table = self.known.get(section, {})
            for score, form in ranked(key[:_LONG], table, cutoff)[:6]:
                written = self.write(section, table[form], language)
                spoken = any(
                    fold(f) == form for f in self.forms.get(language, {}).get(section, {}).get(table[form], ())
                )
                scored[written] = max(score + (0.05 if spoken else 0), scored.get(written, 0))
        best = sorted(scored, key=lambda word: (-scored[word], word))
        return tuple(word for word in best if scored[word] > scored[best[0]] - 0.12)[:3]

    def write(self, section: str, id_: str, language: Language) -> str:
        """The form of a word that is written: its own id where the language has none."""
        return next(iter(self.forms.get(language, {}).get(section, {}).get(id_, ())), id_)

    def first(self, section: str, id_: str) -> str:
        """The form of a word that the first language writes: its own id where the game has no such word."""
        return self.write(section, id_, next(iter(self.forms)))

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

    def tells(self, key: str) -> bool:
        """Whether a folded word may be one of a statement: without any such word a line is none."""
        return not key.isalpha() or key in self._telling or key.upper() in self.codes

    @cached_property
    def _telling(self) -> frozenset[str]:
        forms = {form for section, table in self.known.items() if section not in _SILENT for form in table}
        return frozenset({*forms, *(part for form in forms for part in form.replace("_", "-").split("-"))})

    @cached_property
    def _firsts(self) -> frozenset[str]:
        return frozenset(key for section in FIRST for key in self.known[section])


def runs_of(unit: str) -> Iterator[str]:
    """The parts of an id that stand side by side, without the id itself, and this run together: `us112-1`."""
    parts = unit.split("-")
    if len(parts) > 1 and parts[0].isalpha() and parts[1][:1].isdigit():
        yield parts[0] + "-".join(parts[1:])
    for i in range(len(parts)):
        for j in range(i + 1, len(parts) + 1):
            if j - i < len(parts):
                yield "-".join(parts[i:j])
