"""Whether a line that somebody typed is a statement, nearly one, or talk.

What counts is the declared notation alone: the words that begin statements in any language, a game's units, hexes
and results. A line that is mostly made of these is meant as a statement, however it is spelt.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple

from ...scenarios.text.words import SOURCE
from ..notation import base, statements, statements_head
from ..notation.cursor import Token, is_comment, logical_lines, uncommented
from ..notation.kinds import Pen
from ..notation.words import FIRST, Vocabulary, fold
from .infer_game import Patience, forms_of, less_one, untrimmed
from .phases import Open, header_parts, heads, nearly_opens
from .phrases import columns, continued
from .phrases.continued import FIGHTS, fights_nobody, nothing_done, stays
from .phrases.deeds import Deeds
from .phrases.headings import before_remark
from .sheet import read_each

if TYPE_CHECKING:
    from ...scenarios.model import Scenario


_MOVES: Final = "movement"
MAX_LINE: Final = 2_000
"""Of a longer line only so much decides whether it is talk."""
_PIECE: Final = re.compile(r"[^\s,;:=/\"\u201c\u201d\u00ab\u00bb()<>\[\]{}!?\u2026\u2192+]+")
_HEX: Final = re.compile(r"[0-9]{4}")
_STEPS: Final = re.compile("[->]")
_UNIT: Final = re.compile(r"[a-z]{1,4}-[a-z0-9.-]*[0-9][a-z0-9.-]*")
_MIXED: Final = re.compile(r"[a-z]{1,3}[0-9]{1,4}")
_FIGURE: Final = re.compile(r"[0-9]{1,3}(?:[-x][0-9]{1,3})*\+?")
_TELLING: Final = re.compile(r"[0-9]|[0-9]{1,2}-[0-9]{1,2}")
"""Dice and odds."""
_ODDS: Final = re.compile(r"[0-9]{1,2}-[0-9]{1,2}")
_TERSE: Final = 8
"""Words that a line has at most which says figures by words of the game, and little else."""
_TURN: Final = re.compile("t?[0-9]{1,2}")
_CODE: Final = re.compile(r"[A-Z]{2,4}\b")
_SHORT: Final = 4
"""Shorter words are not taken for a misspelt one."""
_FEW: Final = 2
"""So many strange words may be names that nobody has declared."""
_SMALL: Final = (
    "words",
    "fillers",
    "beside-turns",
    "besides",
    "numbers",
    "lead-ins",
    "intents",
    "slashed",
    "adverbs",
    "behind-units",
)
"""Sections whose words stand in talk as often as in statements."""
_COMMON: Final = (*_SMALL, "columns", "copulas", "ordinals", "wholes")
"""These, and sections of words that say something in their place alone, and else are anybody's."""
_LEADING: Final = ("by", "from", "to", "via", "against")
_SETTING: Final = re.compile(r"[\w-]=[\w\"\u201c]")
_LABEL: Final = re.compile(r"\s*([\w-]{1,40})\s*[:=]")
_JOINS: Final = ("-", ">", "\u2192", "\u2013", "\u2014", "\u2026", ",")
"""What stands between two hexes of a way, a comma before a line's end alone."""
_SIGNS: Final = ("+ ", "& ")
"""What `and` may be written as before another of a list."""
_REMEMBERED: Final = 500
_REMEMBERED_WORDS: Final = 4096
_LATELY: Final = 64
"""Lines of which it is remembered what they say: those that one is held against to see where it ends."""
_LONGEST_HEADER: Final = 120
_STEM: Final = 5
"""Letters that two inflections of a word have in common."""


class Meant(Enum):
    """Whether a line is meant as a statement; `PERHAPS` where only the lines around it can tell."""

    YES = auto()
    PERHAPS = auto()
    NO = auto()


class Weight(NamedTuple):
    """How many words of a line are of the notation, are units or hexes, are anything else, are plain figures."""

    known: int
    strong: int
    strange: int
    figures: int


class Ear:
    """Tells statements from talk, with the words, units and hexes of a game; without one by the notation alone.

    Once its `patience` is at an end, all that is not of the notation is meant as a statement: it is named as not
    read.
    """

    def __init__(self, words: Vocabulary, scenario: Scenario | None = None) -> None:
        self._words = words
        self._patience = Patience()
        self.game = words.name
        """The game whose words it knows; "" for the notation's own alone."""
        self._hexes = frozenset(scenario.map.grid) if scenario else None
        self._codes = _codes(scenario)
        self._own: set[str] = set()
        self._deeds = Deeds(words, scenario, self._own)
        ids = tuple(scenario.counters) if scenario else ()
        self._units = {*ids, *(id_.partition("-")[2] for id_ in ids)} - {""}
        forms = forms_of(words, FIRST)
        others = forms_of(words, (section for section in words.known if section not in (*FIRST, *_COMMON)))
        self._spelt = frozenset(part for form in others if len(form) > _STEM for part in less_one(form))
        self._near = frozenset(part for form in forms if len(form) >= _SHORT for part in less_one(form))
        self._stems = frozenset(form[:_STEM] for form in forms if len(form) >= _STEM)
        self._listings: dict[str, bool] = {}
        self._heard: dict[tuple[str, bool], tuple[base.Statement | None, Meant]] = {}
        """What was heard already: lines are held against each other more than once."""
        self._nearest: tuple[str, Meant] | None = None
        self._said: dict[tuple[str, bool, bool], list[base.Statement]] = {}

    @property
    def patience(self) -> Patience:
        """What may be spent on lines in people's own words. Whoever gets some anew hears anew what was too much."""
        return self._patience

    @patience.setter
    def patience(self, given: Patience) -> None:
        if not self._patience:
            self._forget()
        self._patience = given

    def learn(self, unit: str) -> None:
        """A unit that the sheet declares itself."""
        self._units.add(unit)
        self._own.add(unit)
        self._forget()

    def _forget(self) -> None:
        self._heard.clear()
        self._nearest = None
        self._said.clear()

    def reads(self, text: str, *, placing: bool = False) -> base.Statement | None:
        """The statement that a line is, if it is one and not talk that happens to read as one."""
        return self.hears(text, placing=placing)[0]

    def takes(self, text: str, *, placing: bool = False, fighting: bool = False) -> bool:
        """Whether a line is a statement, and of units that there are. `fighting`: it stands in a combat."""
        if not fighting and self.reads(text, placing=placing) is None:
            return False
        said = self.reads_each(text, placing=placing, fighting=fighting) if self._words.units else []
        ids = self._words.units | self._own
        known = all(u in ids or self._words.members(u) for one in said for u in getattr(one, "units", ()))
        return known and bool(said or (not fighting and not self._words.units))

    def reads_each(self, text: str, *, placing: bool = False, fighting: bool = False) -> list[base.Statement]:
        """All that a line says; nothing if some of it cannot be read."""
        key = (text, placing, fighting)
        if key not in self._said:
            if len(self._said) >= _LATELY:
                self._said.clear()
            self._said[key] = read_each(
                text, self._words, placing=placing, declared=self._own, fighting=fighting, patience=self.patience
            )
        return self._said[key]

    def nears(self, text: str) -> bool:
        """Whether a line is nearly a statement: begins as one, or names units and hexes, and says little else."""
        return self._nearness(text) is not Meant.NO

    def hears(self, text: str, *, placing: bool = False) -> tuple[base.Statement | None, Meant]:
        """The statement that a line is, if it is one, and whether the line is meant as one, good or bad."""
        if (found := self._heard.get((text, placing))) is not None:
            return found
        found = self._heard_anew(text, placing)
        if len(text) <= _REMEMBERED:
            self._heard[text, placing] = found
        return found

    def _heard_anew(self, text: str, placing: bool) -> tuple[base.Statement | None, Meant]:
        found = next(iter(self.reads_each(text, placing=placing)), None)
        if isinstance(found, base.Play | base.Act) and nothing_done(text, self._words, self._own):
            return None, Meant.NO
        if found is None and fights_nobody(untrimmed(text), self._words):
            return None, Meant.NO
        if found is None or (isinstance(found, statements_head.Placement) and not placing):
            meant = self._nearness(text)
            if meant is not Meant.YES and (head := before_remark(text)) and self.hears(head, placing=placing)[0]:
                meant = Meant.YES  # what is a statement without the remark behind it is no talk with it
            return None, meant
        meant = self._calmed(self._meant(text, found), text)
        return (None if meant is Meant.NO else found), meant

    def _meant(self, text: str, said: base.Statement) -> Meant:
        """Whether a line that reads as a statement is one: talk names nothing of the game and no figures."""
        pieces = self._pieces(text)
        found = self._weigh(pieces[1:])
        named = found.strong or found.figures or (found.known and found.known >= found.strange)
        # Small words alone, `demolish stop`: units may be anything, what else is read of them is the notation's.
        bare = all(map(self._is_small, pieces[1:])) and not getattr(said, "units", ())
        if len(pieces) < 2 or "=" in text or named or bare:
            return Meant.YES
        return Meant.PERHAPS if found.strange <= _FEW else Meant.NO

    def _nearness(self, text: str) -> Meant:
        if (last := self._nearest) is None or last[0] != text:
            self._nearest = last = (text, self._nearness_anew(text))
        return last[1]

    def _nearness_anew(self, text: str) -> Meant:
        # No longer line is read; what its rest tells of play, `deeds` finds.
        text = text[:MAX_LINE]
        pieces = self._pieces(text)
        if not pieces or is_comment(text):
            return Meant.NO
        if not self.patience:
            return Meant.YES
        if len(pieces) == 1:
            return self._alone(pieces[0], text)
        line = next(logical_lines([text]), None)
        if line is not None and columns.head(line, self._words):
            return Meant.YES
        first, rest = pieces[0], self._weigh(pieces[1:])
        if self._begins(first):
            if _SETTING.search(text):
                return Meant.YES  # `optin inverse_rounding=attacker`: nobody talks so
            exact = self._words.begins(first)
            if exact and ":" in text and (rest.strong or rest.figures) and rest.strange < 2:
                return Meant.YES
            begun = self._calmed(self._begun(rest, exact=exact), text)
            # What is no code of any table may be a slip of the pen: where a combat is told, it is no talk.
            result = exact and self._words.meaning("statements", first) == base.WORDS[statements.Result][0]
            terse = len(pieces) == len((first, "code")) or text.partition(" ")[2].isupper()
            return Meant.PERHAPS if begun is Meant.NO and result and terse else begun
        codes = [piece in self._codes for piece in pieces]
        if any(codes) and all(code or _FIGURE.fullmatch(p) for code, p in zip(codes, pieces, strict=True)):
            return Meant.YES
        if len(pieces) > 2 and all(map(_FIGURE.fullmatch, pieces)):
            return Meant.PERHAPS
        whole = self._weigh(pieces)
        coded = [self._words.are_codes(word) for word in text.split()]
        if any(coded) and coded.count(False) < 2:
            return Meant.PERHAPS
        told = sum(map(bool, map(_TELLING.fullmatch, pieces)))
        others = [p for p in pieces if not _TELLING.fullmatch(p)]
        if told > 1 and told > whole.strange and not any(map(self._strong, others)):
            return Meant.PERHAPS
        if not whole.strong and self._is_terse(self._pieces(untrimmed(text))) and not text.rstrip().endswith("?"):
            return Meant.PERHAPS
        strong = rest.strong + self._strong(first)
        plain = self._strong(first) or self._known(first) or self._is_small(first) or len(first) == 1
        strange = rest.strange + (not plain)
        if strong < 2 or rest.known + strong < strange:
            return Meant.NO
        hexes = sum(map(self._on_map, pieces))
        if strong > 2 and strange < 2:
            return Meant.YES
        return Meant.YES if not strange or (hexes >= 2 and strong > hexes) else Meant.PERHAPS

    def _is_terse(self, pieces: list[str]) -> bool:
        """Whether a line says figures by words of the notation, and little else: `odds 9-1, column 7-1 then`."""
        found, begun = self._weigh(pieces), sum(map(self._begins, pieces))
        return bool(found.figures) and len(pieces) <= _TERSE and found.known + begun >= max(1, found.strange)

    def _calmed(self, meant: Meant, text: str) -> Meant:
        """Nobody asks a statement or cries it out, unless it names a unit or a hex."""
        cried = text.rstrip().endswith(("!", "?")) and not self.tells(text)
        return Meant.PERHAPS if meant is Meant.YES and cried else meant

    def _alone(self, piece: str, text: str) -> Meant:
        if text.strip().startswith("("):
            return Meant.NO
        if self._words.begins(piece):
            return Meant.NO if text.rstrip().endswith("?") else Meant.YES
        if _ODDS.fullmatch(piece):
            return Meant.PERHAPS
        if piece in self._own:
            return Meant.YES
        return Meant.PERHAPS if len(piece) >= _STEM and self._begins(piece) else Meant.NO

    def _begun(self, rest: Weight, *, exact: bool) -> Meant:
        """Whether what follows a word that begins statements, spelt as it should be or not, is of the game."""
        known, strong, strange, figures = rest
        if strong:
            return Meant.YES if known + strong + (figures or 1) >= strange else Meant.NO
        if not figures:
            return Meant.YES if known > strange else Meant.PERHAPS if known and known == strange else Meant.NO
        if not strange:
            return Meant.YES if exact or known or figures > 1 else Meant.PERHAPS
        if known and known + figures + 1 > strange:
            return Meant.YES
        return Meant.PERHAPS if strange == 1 or (exact and figures >= strange) else Meant.NO

    def tells(self, text: str) -> bool:
        """Whether talk names a unit or hex of the game."""
        return any(p in self._units or _UNIT.fullmatch(p) or self._on_map(p) for p in self._pieces(text))

    def plays(self, text: str, *, playing: bool) -> bool:
        """Whether talk tells of play, see `deeds`. `playing`: a phase has begun."""
        return self._deeds.told(text, playing=playing)

    def stays(self, text: str, *, again: bool = False) -> bool:
        """Whether a line says only that units stay where they are, see `staying`."""
        return stays(untrimmed(text[:MAX_LINE]), self._words, again=again)

    def side(self, unit: str) -> str:
        """Whose a unit of the game is; "" for what is none."""
        return self._words.side(unit)

    def is_of_turn(self, word: str) -> bool:
        """Whether a word says a turn, its number, or a side."""
        turn = self._words.meaning("statements", word) == "turn" or self._words.meaning("sides", word)
        return bool(turn or _TURN.fullmatch(word))

    def nearly_heads(self, text: str) -> bool:
        """Whether a line opens a phase, misspelt as it may be."""
        return self._deeds.nearly_heads(text)

    def begins(self, text: str) -> bool:
        """Whether a line begins with a word that begins statements, spelt as it should be, or with its label."""
        first = next(iter(self._pieces(text)), "")
        label = _LABEL.match(text)
        return self._words.begins(first) or (
            label is not None and self._words.meaning("labels", fold(label[1])) is not None
        )

    def nearly_opens(self, text: str) -> bool:
        """Whether a line is that which begins a sheet, misspelt."""
        line = next(logical_lines([text[:MAX_LINE]]), None)
        return line is not None and nearly_opens(line.tokens, self._words)

    def heads(self, text: str) -> bool:
        """Whether a line is a part of one that opens a phase: a turn, a side, a phase, or a rule below them."""
        line = next(logical_lines([text[:MAX_LINE]]), None)
        return line is not None and heads(line.tokens, self._words)

    def goes_on(self, text: str, turns: Sequence[base.Opening]) -> statements.TurnStart | None:
        """The phase that a line opens by what it says and what the phases before it say; None for other lines."""
        line = next(logical_lines([text[:_LONGEST_HEADER]]), None)
        if line is None or not turns or len(text) > _LONGEST_HEADER:
            return None
        tokens = self._unled(line.tokens) if not text.rstrip().endswith(("!", "?")) else line.tokens
        if not header_parts(tokens, self._words):
            return None
        open_ = Open(self._words)
        for turn in turns:
            if isinstance(turn, statements.TurnStart):
                open_.opened(turn)
        return open_.next(tokens)

    def _unled(self, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
        """A line without what only leads into it: `now combat`."""
        led = next((i for i, t in enumerate(tokens) if not self._words.meaning("lead-ins", t.key)), len(tokens))
        return tokens[led:] or tokens

    def fights_on(self, turns: Sequence[base.Opening]) -> statements.TurnStart | None:
        """The phase of combat that comes behind a side's movement, where that is the last that was opened."""
        last = turns[-1] if turns else None
        if not isinstance(last, statements.TurnStart) or last.phase != _MOVES:
            return None
        found = self.goes_on(self._words.write("phases", FIGHTS, SOURCE), turns)
        return found if found is not None and (found.number, found.side) == (last.number, last.side) else None

    def fights_nobody(self, text: str, turns: Sequence[base.Opening]) -> statements.TurnStart | None:
        """The phase of combat that a line goes on to by saying that nobody is attacked in it; see `idle`."""
        said = len(text) <= _LONGEST_HEADER and fights_nobody(untrimmed(text), self._words)
        return self.fights_on(turns) if said else None

    def behind(self, opening: statements.TurnStart, text: str) -> str:
        """A phase and what a line says in it as one line; "" where they are not read as that."""
        first = next(iter(self._pieces(text)), "")
        spoken = [language for language, forms in self._words.beginnings.items() if first in forms]
        language = SOURCE if SOURCE in spoken or not spoken else spoken[0]
        whole = f"{base.write_line(opening, Pen(self._words, language))}; {text}"
        return whole if self.reads_each(whole) == [opening, *self.reads_each(text)] else ""

    def written(self, statement: base.Statement) -> str:
        """A statement as the notation writes it."""
        return base.write_line(statement, Pen(self._words, SOURCE))

    def is_data(self, text: str) -> bool:
        """Whether a line is units, hexes, figures and words of the notation alone: the rest of a statement."""
        pieces = self._pieces(text)
        if self.adds(text):
            led = next((i for i, p in enumerate(pieces) if self._words.meaning("fillers", p) is None), len(pieces))
            pieces = pieces[led:]
        strong = [self._strong(p) or bool(_FIGURE.fullmatch(p)) or self._known(p) for p in pieces]
        led = strong[:1] == [True] and all(s or self._is_small(p) for s, p in zip(strong, pieces, strict=True))
        return bool(pieces) and (all(strong) or led)

    def is_rest(self, text: str) -> bool:
        """Whether a line is of figures and words of the notation alone, such as a unit is declared by."""
        pieces = self._pieces(text)
        told = [self._strong(p) or bool(_FIGURE.fullmatch(p)) or self._known(p) for p in pieces]
        return any(told) and all(t or self._is_small(p) for t, p in zip(told, pieces, strict=True))

    def adds(self, text: str) -> bool:
        """Whether a line goes on with another of a list: `and us-112-1`."""
        pieces = self._pieces(text)
        joined = text.lstrip().startswith(_SIGNS)
        return joined or (len(pieces) > 1 and self._words.meaning("fillers", pieces[0]) == "and")

    def leads_on(self, text: str) -> bool:
        """Whether a line ends with a word that no sentence ends with: `… us-112-2 and the`, `… com o`."""
        said = fold(uncommented(text[:MAX_LINE])).split()
        if not said or any(self._words.meaning("words", word) == "because" for word in said):
            return False
        led = self._words.meaning("words", said[-1]) in _LEADING
        return led or self._words.meaning("fillers", said[-1]) is not None

    def is_tacit(self, text: str) -> bool:
        """Whether a line has no word that begins statements: `112-1: 0806 0907` may be the rest of another."""
        return not any(map(self._words.begins, self._pieces(text)))

    def lists_on(self, above: str, text: str) -> bool:
        """Whether a line may name more units of a list that the line above it gives, see `listing`."""
        return continued.goes_on(uncommented(above[:MAX_LINE]), text[:MAX_LINE], self._words)

    def are_codes(self, text: str) -> bool:
        """Whether the last word of a line is a code of the game's tables."""
        return bool(text.split()) and self._words.are_codes(text.rsplit(maxsplit=1)[-1])

    def goes_from(self, above: str, below: str) -> bool:
        """Whether a way that ends one line may go on in another: to a hex beside, or over a dash between them."""
        ends = [h for p in self._pieces(above) for s in _STEPS.split(p) for h in self._words.hexes_of(s)]
        begins = [h for p in self._pieces(below)[:1] for s in _STEPS.split(p) for h in self._words.hexes_of(s)]
        if not ends or not begins:
            return True
        joined = above.rstrip().endswith(_JOINS) or below.lstrip().startswith(_JOINS[:-1])
        known = self._hexes is None or {ends[-1], begins[0]} <= self._hexes
        return joined or (known and self._words.adjacent(ends[-1], begins[0]))

    def is_way(self, text: str) -> bool:
        """Whether a line is hexes of the map alone, with nothing but arrows and dashes between them."""
        pieces = self._pieces(text)
        return bool(pieces) and all(all(map(self._on_map, filter(None, _STEPS.split(p)))) for p in pieces)

    def _pieces(self, text: str) -> list[str]:
        found = (fold(piece).strip(".*_'`|~") for piece in _PIECE.findall(uncommented(text[:MAX_LINE])))
        return [piece for piece in found if piece and piece != "-"]

    def _weigh(self, pieces: list[str]) -> Weight:
        known = strong = strange = figures = 0
        for piece in pieces:
            if self._strong(piece):
                strong += 1
            elif _FIGURE.fullmatch(piece):
                figures += 1
            elif len(piece) == 1 or self._is_small(piece):
                continue
            elif self._known(piece) or self._alike(piece):
                known += 1
            else:
                strange += not self._begins(piece)
        return Weight(known, strong, strange, figures)

    def _is_small(self, piece: str) -> bool:
        return any(piece in self._words.known.get(section, ()) for section in _SMALL)

    def _strong(self, piece: str) -> bool:
        named = piece in self._units and not piece.isdigit()
        steps = _STEPS.split(piece)
        path = len(steps) > 1 and self._on_map(steps[0]) and all(map(self._on_map, filter(None, steps)))
        return named or path or _UNIT.fullmatch(piece) is not None or self._on_map(piece)

    def _on_map(self, piece: str) -> bool:
        if self._hexes is None:
            return bool(_HEX.fullmatch(piece))
        return piece.upper() in self._hexes

    def _known(self, piece: str) -> bool:
        """Whether the notation or the game knows a word."""
        # A cache of functools would hold its owner, which with all it has heard would outlive the mails.
        if piece not in self._listings:
            if len(self._listings) >= _REMEMBERED_WORDS:
                self._listings.clear()
            self._listings[piece] = self._listed(piece)
        return self._listings[piece]

    def _listed(self, piece: str) -> bool:
        tables = (table for section, table in self._words.known.items() if section not in _COMMON)
        return piece in self._codes or bool(_MIXED.fullmatch(piece)) or any(piece in table for table in tables)

    def _alike(self, piece: str) -> bool:
        """Whether a word is a misspelt side, phase, terrain or the like."""
        return len(piece) > _STEM and not less_one(piece[:40]).isdisjoint(self._spelt)

    def _begins(self, piece: str) -> bool:
        """Whether a word begins statements, misspelt or inflected as it may be."""
        if self._words.begins(piece):
            return True
        near = len(piece) >= _SHORT and not less_one(piece[:40]).isdisjoint(self._near)
        return near or (len(piece) > _STEM and piece[:_STEM] in self._stems)


def _codes(scenario: Scenario | None) -> frozenset[str]:
    found = _CODE.findall(json.dumps(asdict(scenario.tables), default=str, ensure_ascii=False)) if scenario else ()
    return frozenset(code.lower() for code in found)
