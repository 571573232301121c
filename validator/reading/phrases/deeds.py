"""Whether talk tells of play: of units or hexes and what becomes of them, or of the figures of a combat.

Such a line is never passed over as talk. What it says is taken where it can be read, and else named as not read;
who only thinks, asks, or remembers what a unit did, and names no hex, tells of no play. The verbs and other words
that count are declared in `art/words/talk.LANGUAGE.yaml`; verbs bend as those of the notation do.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from ....scenarios.text.words import SOURCE, languages
from ...notation import base, statements
from ...notation.vocabulary import bent, listed_words
from ...notation.words import Vocabulary, fold

if TYPE_CHECKING:
    from ....scenarios.model import Scenario


MAX_LINE: Final = 2_000
"""A longer line is looked at piece by piece."""
_OVERLAP: Final = 200
"""Characters that such a piece has in common with the one before it."""
_PIECE: Final = re.compile(r"->|[^\s,;:=!?/\"\u201c\u201d\u00ab\u00bb()<>\[\]{}\u2026\u2192+|&*]+|[\u2192>]")
_ID: Final = re.compile(r"[a-z]{1,4}-[a-z0-9.-]*[0-9][a-z0-9.-]*")
_NUMBERED: Final = re.compile(r"(?<![0-9/.:-])([0-9]{1,4})[/-]([0-9]{1,4})(?![0-9/.:-])")
_RATIO: Final = re.compile(r"(?<![0-9/:.-])[0-9]{1,3} ?[:x\u00d7/-] ?[0-9]{1,3}(?![0-9/:.-])")
_TOTALS: Final = re.compile(r"[0-9]{1,3}")
_CODE: Final = re.compile(r"\b[A-Z]{2,4}\b")
_ELSEWHERE: Final = re.compile(
    r"(?<!\S)\S+@\S+|https?://\S+"
    r"|\+[0-9][0-9 ().-]{6,}|[0-9]{1,2}[/.][0-9]{1,2}[/.][0-9]{2,4}|[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"|[0-9]{1,2}:[0-9]{2} ?[ap]m\b|\b(?:[01][0-9]|2[0-3]):[0-5][0-9]\b"
    r"|\b[0-9]{1,2} (?:de )?[^\W\d]{3,9}\.? (?:de )?(?:19|20)[0-9]{2}"
    r"|\b[^\W\d]{3,9}\.? [0-9]{1,2}, (?:19|20)[0-9]{2}",
    re.IGNORECASE,
)
"""Addresses, telephones, dates and times of the clock, which name no hex and no figures."""
_CLAUSES: Final = re.compile(r"[,.;!](?!\S)")
_ARROWS: Final = ("->", "\u2192", ">")
_SURE: Final = 3
"""Figures of a number that is a regiment's wherever it stands."""
_TURN: Final = re.compile("t[0-9]{1,2}")
_SPELT: Final = 5
"""Letters of a word that may be a misspelt phase."""
_TERSE: Final = 3
"""Words of a line that begins with a turn, and can be little but its side and phase."""
_BRIEF: Final = 6
"""Words that a line has at most which names a unit or a hex and says little else."""
_SHORT: Final = 10
"""Words that a line has at most which says what becomes of units that it does not name."""
_FEW: Final = 3
"""So many strange words may stand beside figures."""
_JOINED: Final = re.compile("([a-z]{2,})([0-9]{1,4})|([0-9]{1,4})([a-z]{2,})")
_FACES: Final = re.compile("[1-6]{2}")
"""Dice that are written without anything between them."""
_OF_DAYS: Final = ("dayparts", "dayphases")
"""Sections of words that name a part of a day, and a phase of it."""
_DAY: Final = re.compile("[0-9]{1,2}(?:st|nd|rd|th)?")
_SECTIONS: Final = (
    "deeds",
    "crowds",
    "musings",
    "reckonings",
    "reasons",
    "besides",
    "staying",
    "ushers",
    "doubts",
    "retractions",
    "idle",
    "quoting",
)
_SAID_WHOLE: Final = ("staying", "ushers", "doubts", "retractions", "idle", "quoting")
"""Sections of words that count only in lines of which they are all."""
_FATES: Final = (statements.Lose, statements.Eliminate, statements.Retreat, statements.Advance)
_FIGHTS: Final = (statements.Declare, statements.Roll, statements.Result, statements.Announce, statements.Score)
"""Statements of figures: their words are no deeds."""


class Deeds:
    """Tells play from talk with the words, the units and the hexes of a game."""

    def __init__(
        self, words: Vocabulary, scenario: Scenario | None = None, declared: Collection[str] = frozenset()
    ) -> None:
        self._words = words
        self._declared = declared
        """The units that a sheet declares itself, as they are learned."""
        self._talk = {section: table for section, table in talk().items() if section not in _SAID_WHOLE}
        self._hexes = frozenset(scenario.map.grid) if scenario else None
        """None where no game is known: there a hex alone, which may be a year, tells of nothing."""
        parts = {part for unit in words.units for part in unit.split("-")[1:]}
        self._numbers = {part for part in parts if part.isdigit()}
        for counter in scenario.counters.values() if scenario else ():
            for number in (counter.regiment, counter.division):
                self._numbers.update(re.findall("[0-9]+", number or ""))
        small = ("fillers", "words", "numbers")
        common = {words.name, *(key for section in small for key in words.known.get(section, ()))}
        named = {part for part in parts if not part.isdigit() and len(part) > 1} - common
        self._names = {part for part in named if not self._words.is_kind(part)}

    def told(self, text: str, *, playing: bool) -> bool:
        """Whether a line tells of play. `playing`: a phase has begun, so that it need not name units to do so."""
        starts = range(0, max(1, len(text) - _OVERLAP), MAX_LINE - _OVERLAP)
        return any(self._told(text[start : start + MAX_LINE], playing) for start in starts)

    def _told(self, text: str, playing: bool) -> bool:
        raw = _ELSEWHERE.sub(" ", text)
        pieces = _pieces(raw)
        if not pieces:
            return False
        if self._words.known.get("dayphases"):
            return self._books(pieces, raw)
        hexes = [i for i, piece in enumerate(pieces) if self._on_map(piece)]
        named = self._mentions(pieces, raw)
        acts = any(map(self._acts, pieces))
        kinds = {i for i, piece in enumerate(pieces) if self._words.is_kind(piece)}
        if (hexes and ((named | kinds) - set(hexes))) or self.heads(pieces):
            return True
        if self._hexes is not None and takes_back(raw, named=bool(hexes or named)):
            return True
        # Who begins with an order of a unit gives it, whatever he thinks or asks behind it.
        ordered = 1 in named and self._words.begins(pieces[0]) and self._acts(pieces[0])
        if self._hexes is None or (self._muses(pieces) and not ordered) or raw.rstrip().endswith("?"):
            return False
        if playing and self._is_phase_alone(pieces, raw):
            return True
        if playing and self._is_fate(pieces):
            return True
        if hexes and playing and len(pieces) <= _BRIEF:
            return True
        if hexes and (acts or len(hexes) > 1 or any(self._leads(pieces[i - 1]) for i in hexes if i)):
            return True
        if (named and (acts or (playing and len(pieces) <= _BRIEF))) or (kinds and acts and playing):
            return True
        return playing and (self._reckons(pieces, raw) or self._crowd_acts(pieces))

    # ---------------------------------------------------------------------------------------- accounts

    def _books(self, pieces: Sequence[str], raw: str) -> bool:
        """Whether a line tells of play in a game of accounts, whose units and hexes a sheet alone may know.

        `25 June AM combat`, `battery-1 fires at A0513`, `demolition goes to 6`.
        """
        if self._muses(pieces) or raw.rstrip().endswith("?"):
            return False
        of_day = sum(any(self._words.meaning(s, p) for s in _OF_DAYS) for p in pieces)
        if len(pieces) <= _SHORT and of_day and (of_day > 1 or self._is_dated(pieces)):
            return True
        if any(map(self._is_booked, pieces)):
            return True
        figures = any(_TOTALS.fullmatch(piece) for piece in pieces[1:])
        return figures and len(pieces) <= _BRIEF and self._words.begins(pieces[0])

    def _is_dated(self, pieces: Sequence[str]) -> bool:
        """Whether a line names a day: a number and a month."""
        months = any(self._words.meaning("months", piece) for piece in pieces)
        return months and any(map(_DAY.fullmatch, pieces))

    def _is_booked(self, piece: str) -> bool:
        """Whether a word is a unit that the sheet declares, one of the game's, or a hex that is no year."""
        if piece in self._declared or (not piece.isdigit() and self._words.is_hex(piece)):
            return True
        kind, _, number = piece.rpartition("-")
        return piece in self._words.units or (number.isdigit() and kind in self._words.units)

    # ------------------------------------------------------------------------------------------- units

    def _mentions(self, pieces: Sequence[str], raw: str) -> set[int]:
        """Where units are named, by an id or a part of it, or by the number of a formation; -1: by two numbers."""
        found = {i for i in range(len(pieces)) if self._named(pieces, i)}
        pairs = (f"{a}-{b}" for m in _NUMBERED.finditer(raw) for a, b in (m.groups(), m.groups()[::-1]))
        if any(map(self._words.like, pairs)):
            found.add(-1)
        return found

    def _named(self, pieces: Sequence[str], i: int) -> bool:
        piece = pieces[i]
        if piece in self._words.units or _ID.fullmatch(piece) or piece in self._names:
            return True
        if self._words.like(piece):
            return not self._on_map(piece)
        if self._is_glued(piece):
            return True
        number = self._words.figures(piece)
        if number not in self._numbers or (self._on_map(piece) and i):
            return False
        if not piece.isdigit() or len(piece) >= _SURE:
            return True
        before, behind = pieces[i - 1] if i else "", pieces[i + 1] if i + 1 < len(pieces) else ""
        article = self._words.meaning("fillers", before) == "hex" or self._words.meaning("beside-turns", before)
        return (
            bool(article) or (not i and self._acts(behind)) or behind in self._names or self._words.is_kind(behind)
        )

    def _is_glued(self, piece: str) -> bool:
        """Whether a word is a number and a word that units are called by, in one: `ss37`, `101ab`."""
        found = _JOINED.fullmatch(piece)
        word = self._words.calls.names(found[1] or found[4]) if found and self._words.counters else ""
        return bool(found and word and self._words.calls.fit([found[2] or found[3]], [word]))

    def _on_map(self, piece: str) -> bool:
        if self._hexes is None:
            return self._words.is_hex(piece)
        steps = piece.upper().split("-")
        return all(step in self._hexes for step in steps)

    # -------------------------------------------------------------------------------------------- deeds

    def _acts(self, piece: str) -> bool:
        """Whether a word is a verb of movement, combat or loss, or a word that begins a statement of one."""
        if self._talk["deeds"].get(piece) or self._words.meaning("behind-units", piece):
            return True
        begun = base.beginning(self._words.meaning("statements", piece) or "")
        return any(issubclass(cls, base.Play | base.Act) and not issubclass(cls, _FIGHTS) for cls in begun)

    def _muses(self, pieces: Sequence[str]) -> bool:
        return any(self._talk["musings"].get(piece) for piece in pieces)

    def _leads(self, piece: str) -> bool:
        """Whether a word or an arrow leads to a hex."""
        return piece in _ARROWS or self._words.meaning("words", piece) in ("to", "from", "by", "via")

    def _crowd_acts(self, pieces: Sequence[str]) -> bool:
        """Whether a line says what becomes of units that it names by no name: `the rest stay put`."""
        crowd = next((i for i, piece in enumerate(pieces) if self._talk["crowds"].get(piece)), len(pieces))
        return len(pieces) <= _SHORT and any(map(self._acts, pieces[crowd + 1 :]))

    def _is_fate(self, pieces: Sequence[str]) -> bool:
        """Whether a line says who loses, retreats or advances without naming him: `I lose a step`, `we fall back to
        Germeter`.
        """
        if len(pieces) > _SHORT:
            return False
        joined = ("-".join(pair) for pair in pairwise(pieces))
        fates = sum(map(self._befalls, (*pieces, *joined)))
        told = any(self._words.meaning("besides", p) == "step" or p in self._words.first_of_places for p in pieces)
        return fates > 1 or (fates > 0 and told)

    def _befalls(self, piece: str) -> bool:
        begun = base.beginning(self._words.meaning("statements", piece) or "")
        return any(issubclass(cls, _FATES) for cls in begun)

    def nearly_heads(self, text: str) -> bool:
        """Whether a line opens a phase, misspelt as it may be."""
        return self.heads(_pieces(text[:MAX_LINE]))

    def heads(self, pieces: Sequence[str]) -> bool:
        """Whether a line opens a phase, misspelt as it may be: a turn with its number, and a side or a phase."""
        turn = any(
            _TURN.fullmatch(piece) or (self._numbers_a_turn(around) and self._is_turn(piece))
            for piece, *around in zip(pieces, [*pieces[1:], ""], ["", *pieces], strict=False)
        )
        if not turn or len(pieces) > _SHORT:
            return False
        if len(pieces) <= _TERSE and _TURN.fullmatch(pieces[0]):
            return True
        phase = any(len(p) >= _SPELT and self._words.nearly("phases", p) for p in pieces)
        # `Metz, turno 1, americano. Dado do ar: 4` says more than what is to come.
        thrown = any(self._talk["reckonings"].get(piece) == "dice" for piece in pieces)
        brief = len(pieces) < _BRIEF or (thrown and self._words.name in pieces)
        return phase or (brief and any(self._words.meaning("sides", p) for p in pieces))

    def _is_phase_alone(self, pieces: Sequence[str], raw: str) -> bool:
        """Whether a line is the name of a phase and one word that nobody knows: `agr combate`."""
        if len(pieces) != len(("strange", "phase")) or raw.rstrip().endswith("!"):
            return False
        phases = [self._words.meaning("phases", piece) is not None for piece in pieces]
        return any(phases) and all(phase or self._strange(p) for phase, p in zip(phases, pieces, strict=True))

    def _is_turn(self, piece: str) -> bool:
        return self._words.meaning("statements", piece) == "turn"

    def _numbers_a_turn(self, around: Sequence[str]) -> bool:
        """Whether a word beside `turn` counts it: `turn 2`, `turn two`, `second turn`."""
        following, before = around
        number = self._words.meaning("numbers", following)
        return following.isdigit() or bool(number) or bool(self._words.meaning("ordinals", before))

    # ------------------------------------------------------------------------------------------ figures

    def _reckons(self, pieces: Sequence[str], raw: str) -> bool:
        """Whether a line gives dice, odds or a result, and says little else."""
        if any(code in self._words.codes for code in _CODE.findall(raw)):
            return True
        bare = all(len(p) == 1 or _FACES.fullmatch(p) for p in pieces) and raw.strip()[-1:] != "!"
        if bare and len(pieces) < _FEW and any(map(_FACES.fullmatch, pieces)):
            return True  # `d 53`
        said = [piece for piece in pieces if not self._words.meaning("copulas", piece)]
        if said and self._words.tell_codes(said):
            return True
        figures = [piece for piece in pieces if _TOTALS.fullmatch(piece) or _RATIO.fullmatch(piece)]
        numbers = len(figures) + sum(self._words.meaning("numbers", piece) is not None for piece in pieces)
        strange = sum(map(self._strange, pieces))
        rolls = self._words.meaning("statements", pieces[0]) == base.WORDS[statements.Roll][0]
        if rolls and len(pieces) == len(("rolled", "boxcars")) and not raw.rstrip().endswith(("!", ":")):
            return True
        if numbers and strange < _FEW and any(self._words.meaning("words", p) == "offboard" for p in pieces):
            return True
        if any(self._talk["reckonings"].get(piece) == "dice" for piece in pieces):
            return numbers > 0 and strange <= _FEW
        if any(self._talk["reckonings"].get(piece) for piece in pieces):
            return bool(figures) and strange <= _FEW
        return bool(_RATIO.search(raw) or len(figures) > 1) and strange < _FEW

    def _strange(self, piece: str) -> bool:
        if len(piece) < 2 or any(map(str.isdigit, piece)):
            return False
        return not any(piece in table for known in (self._words.known, self._talk) for table in known.values())


def takes_back(text: str, *, named: bool) -> bool:
    """Whether a line takes back or mends what was said: `ignore my last move`, `wrong hex, should be 0906`.

    `named`: it names a unit or a hex.
    """
    raw = _ELSEWHERE.sub(" ", text[:MAX_LINE])
    clauses = any(_takes_back(_pieces(clause), named=False, whole=False) for clause in _CLAUSES.split(raw))
    return clauses or _takes_back(_pieces(raw), named=named)


def _takes_back(pieces: Sequence[str], *, named: bool, whole: bool = True) -> bool:
    said: dict[int, str] = {}
    for i, n in product(range(len(pieces)), (1, 2, 3)):
        id_ = talk()["retractions"].get("-".join(pieces[i : i + n]))
        # `Don't forget your move` takes nothing back.
        if id_ and not (id_ == "undo" and i and talk()["staying"].get(pieces[i - 1]) == "denied"):
            said |= dict.fromkeys(range(i, i + n), id_)
    kinds = set(said.values())
    brief = kinds & {"undo", "back"} and len(pieces) <= _SHORT
    # `Delete this message and all copies` is of those who write in confidence.
    every = "all" in kinds and not any(talk()["quoting"].get(piece) == "mail" for piece in pieces)
    if brief and ((whole and len(pieces) <= _TERSE) or every or kinds & {"what", "back"}):
        return True
    # `em vez` is no `vez` of another day.
    rest = (piece for i, piece in enumerate(pieces) if i not in said)
    return "slip" in kinds and named and all(talk()["musings"].get(piece) != "past" for piece in rest)


def _pieces(text: str) -> list[str]:
    return [piece for found in _PIECE.findall(text) if (piece := fold(found).strip(".*_'`|~\u2019"))]


def talk() -> Mapping[str, Mapping[str, str]]:
    """The words of talk in all languages: section -> folded form -> id."""
    return _talk(os.environ.get("HEXFORGE_WORDS", ""))


@cache
def _talk(_folder: str) -> Mapping[str, Mapping[str, str]]:
    found: dict[str, dict[str, str]] = {section: {} for section in _SECTIONS}
    for language in dict.fromkeys((SOURCE, *languages())):
        endings = tuple(listed_words("notation", language).get("endings", {}).values())
        for section, words in listed_words("talk", language).items():
            for id_, forms in words.items():
                made = bent(forms, endings) if section == "deeds" else forms
                for form in made:
                    if len(form) > 1:
                        found[section].setdefault(fold(form), id_)
    return found
