"""Whether a line that somebody typed is a statement, tells of play, or is talk.

Within a phase nothing is talk that holds a number, an arm, a unit, a hex, a side or a word of play.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from ...scenarios.text.words import SOURCE
from ..notation import base, statements
from ..notation.cursor import LogicalLine, Token, logical_lines, uncommented
from ..notation.kinds import Pen
from ..notation.vocabulary import is_mute
from ..notation.words import Vocabulary, fold
from .clauses import read_clauses
from .combat_report import codes_of
from .frames import Context, verbs
from .headers import Open, header_parts, heads, nearly_opens
from .infer_game import untrimmed
from .sheet import read_each
from .tables import columns_of
from .tagging import Tag, tag

MAX_LINE: Final = 2_000
"""Of a longer line only so much decides whether it is talk."""
_MOVES, _FIGHTS = "movement", "combat"
_REMEMBERED: Final = 500
_LONGEST_HEADER: Final = 120
_MOST_FREE: Final = 600
"""Lines of a letter that are looked into as people's own words; of what follows only the notation is read."""
_PLAYED: Final = ("odds", "column", "offboard", "reduced")
_RETRACTED: Final = 8
"""Words of a line that takes something back without naming it."""
_TURN_WORDS: Final = 8
_FEW_WORDS: Final = 4
_OF_DAYS: Final = ("months", "dayparts", "dayphases")


class Ear:
    """Tells statements from talk, with the words, units and hexes of a game; without one by the notation alone."""

    def __init__(self, words: Vocabulary) -> None:
        self._words = words
        self.game = words.name
        """The game whose words it knows; "" for the notation's own alone."""
        self._own: set[str] = set()
        self._said: dict[tuple[str, bool], list[base.Statement]] = {}
        self._tagged: dict[str, tuple[Tag, ...]] = {}
        self._free = 0

    def open_letter(self) -> None:
        """Another letter begins, of which as many lines may be in people's own words."""
        self._free = 0

    @property
    def tired(self) -> bool:
        """Whether no more lines of the letter are looked into as people's own words."""
        return self._free >= _MOST_FREE

    def learn(self, unit: str) -> None:
        """A unit that the sheet declares itself."""
        self._own.add(unit)
        self._said.clear()
        self._tagged.clear()

    # ------------------------------------------------------------------------------------ statements

    def reads_each(self, text: str, *, placing: bool = False) -> list[base.Statement]:
        """All that a line says, wherever in a sheet it may stand; nothing if some of it cannot be read."""
        key = (text, placing)
        if key not in self._said:
            if len(self._said) >= _REMEMBERED:
                self._said.clear()
            bare, line = untrimmed(text), _line(untrimmed(text))
            mute = line is None or is_mute(line, self._words, self._own)
            self._free += not mute
            self._said[key] = (
                []
                if mute
                else read_each(bare, self._words, placing=placing, declared=self._own, free=not self.tired)
            )
        return self._said[key]

    def reads(self, text: str, *, placing: bool = False) -> base.Statement | None:
        """The first thing that a line says."""
        return next(iter(self.reads_each(text, placing=placing)), None)

    def says(self, text: str, *, placing: bool = False) -> bool:
        """Whether a line is a statement, or begins as one and goes on with a unit, a hex or a figure."""
        if self.reads(text, placing=placing) is not None or columns_of(text, self._words):
            return True
        tags = self._tags(text)
        begins = bool(tags) and self._words.begins(tags[0].key)
        return begins and any(t.strong for t in tags[1:]) and not text.rstrip().endswith("?")

    def begins(self, text: str) -> bool:
        """Whether a line begins with a word that begins statements."""
        tags = self._tags(text)
        return bool(tags) and self._words.begins(tags[0].key)

    def written(self, statement: base.Statement) -> str:
        """A statement as the notation writes it."""
        return base.write_line(statement, Pen(self._words, SOURCE))

    # ------------------------------------------------------------------------------------ play and talk

    def plays(self, text: str, *, playing: bool) -> bool:
        """Whether a line tells of play. `playing`: a phase has begun, so that a single word of play will do."""
        if len(text) > MAX_LINE and any(map(str.isdigit, text[MAX_LINE:])):
            return True  # what so long a line tells of play is not looked for
        tags = self._tags(text[:MAX_LINE])
        if self.nearly_heads(text) or takes_back(text, self._words, named=any(t.units or t.hexes for t in tags)):
            return True
        if playing:
            return any(self._is_of_play(tags, i) for i in range(len(tags)))
        named = any(t.units and not t.weak for t in tags) and not text.rstrip().endswith("?")
        deed = any(self._words.meaning(section, t.key) for section in ("motions", "deeds") for t in tags)
        return named and (
            any(t.hexes for t in tags) or deed or bool(verbs(tags, self._words, Context(moving=True)))
        )

    def _is_of_play(self, tags: Sequence[Tag], at: int) -> bool:
        one, words = tags[at], self._words
        if one.mark:
            return False
        if one.units or one.hexes or one.ratio or codes_of(one, words) or any(map(str.isdigit, one.key)):
            return True
        if words.meaning("staying", one.key) == "others" and len(tags) <= _FEW_WORDS:
            return True
        if words.meaning("ordinals", one.key) and len(tags) <= _FEW_WORDS:
            return True  # one more of a list, `the third too`
        if any(words.meaning(section, one.key) for section in ("sides", "arms", "roles", "subjects")):
            return True
        if words.meaning("words", one.key) in _PLAYED:
            return True
        big = words.meaning("words", one.key) in ("regiment", "division") or words.meaning("besides", one.key)
        return big in (True, "step", "battalion") or bool(verbs((one,), words, Context()))

    def tells(self, text: str) -> bool:
        """Whether talk names a unit or hex of the game."""
        return any((t.units and not t.weak) or t.hexes for t in self._tags(text))

    def stays(self, text: str) -> bool:
        """Whether a line says only that units stay where they are."""
        line = _line(untrimmed(text[:MAX_LINE]))
        return line is not None and read_clauses(line, self._words, Context(moving=True), self._own).idle

    def is_data(self, text: str) -> bool:
        """Whether a line is units, hexes, figures and codes, with small words between: the rest of a statement."""
        tags, words = self._tags(text), self._words
        strong = [bool(t.strong or t.mark or codes_of(t, words)) for t in tags]
        small = (
            words.meaning(s, t.key) for t, known in zip(tags, strong, strict=True) if not known for s in _SMALL
        )
        count = sum(not known for known in strong)
        return any(strong) and sum(1 for found in small if found) >= count

    def is_list(self, above: str, below: str) -> bool:
        """Whether a line of units or hexes alone goes on with what the line above it ends with."""
        ends, begins = self._tags(above)[-1:], [t for t in self._tags(below) if not t.mark]
        for kind in ("hexes", "units"):
            if ends and getattr(ends[0], kind) and begins and all(getattr(t, kind) for t in begins):
                return True
        return False

    def are_codes(self, *pieces: str) -> bool:
        """Whether words are codes of the game's tables."""
        return all(self._words.are_codes(piece.strip(",.;:!").upper()) for piece in pieces)

    def side(self, unit: str) -> str:
        """Whose a unit of the game is; "" for what is none."""
        return self._words.side(unit)

    def _tags(self, text: str) -> tuple[Tag, ...]:
        if text not in self._tagged:
            if len(self._tagged) >= _REMEMBERED:
                self._tagged.clear()
            line = _line(untrimmed(uncommented(text[:MAX_LINE])))
            self._tagged[text] = tag(line, self._words, self._own) if line is not None else ()
        return self._tagged[text]

    def is_mute(self, text: str) -> bool:
        """Whether no word of a line can be of a statement, however it is put."""
        line = _line(text[:MAX_LINE])
        return line is None or is_mute(line, self._words, self._own)

    # ------------------------------------------------------------------------------------ phases

    @cached_property
    def _turns(self) -> frozenset[str]:
        return frozenset(form for form, id_ in self._words.known.get("statements", {}).items() if id_ == "turn")

    def is_of_turn(self, word: str) -> bool:
        """Whether a word says a turn, its number, or a side."""
        return word in self._turns or bool(self._words.meaning("sides", word)) or word.removeprefix("t").isdigit()

    def nearly_heads(self, text: str) -> bool:
        """Whether a line opens a phase, misspelt as it may be: a turn with its number, and a side or a phase."""
        pieces = [fold(p).strip(".:,;-*_#[]()!") for p in text[:MAX_LINE].split()]
        pieces = [p for p in pieces if p]
        if len(pieces) > _TURN_WORDS:
            return False
        number = any(p in self._turns for p in pieces) and any(self._number(p) for p in pieces)
        short = any(p[:1] == "t" and p[1:].isdigit() for p in pieces)
        days = sum(any(self._words.meaning(s, p) for s in _OF_DAYS) for p in pieces)
        if days and (days > 1 or any(map(self._number, pieces))):
            return True
        named = (self._words.nearly(s, p) for p in pieces for s in ("phases", "sides") if len(p) > len("turn"))
        known = (self._words.meaning(s, p) for p in pieces for s in ("phases", "sides"))
        return (number or short) and (any(known) or any(named))

    def _number(self, piece: str) -> bool:
        return self._words.figures(piece).isdigit() or any(
            self._words.meaning(section, piece) for section in ("numbers", "ordinals")
        )

    def nearly_opens(self, text: str) -> bool:
        """Whether a line is that which begins a sheet, misspelt."""
        line = _line(text[:MAX_LINE])
        return line is not None and nearly_opens(line.tokens, self._words)

    def opens(self, text: str) -> bool:
        """Whether a heading, `## Movement`, `# Turn 2 - American`, is of a phase and of nothing else."""
        line = _line(text[:MAX_LINE])
        parts = header_parts(line.tokens, self._words) if line is not None else None
        return parts is not None and ("phases" in parts or {"turn", "sides"} <= parts.keys())

    def heads(self, text: str) -> bool:
        """Whether a line is a part of one that opens a phase: a turn, a side, a phase, or a rule below them."""
        line = _line(text[:MAX_LINE])
        return line is not None and heads(line.tokens, self._words)

    def goes_on(self, text: str, turns: Sequence[base.Opening]) -> statements.TurnStart | None:
        """The phase that a line opens by what it says and what the phases before it say; None for other lines."""
        line = _line(text[:_LONGEST_HEADER])
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
        found = self.goes_on(self._words.write("phases", _FIGHTS, SOURCE), turns)
        return found if found is not None and (found.number, found.side) == (last.number, last.side) else None

    def fights_nobody(self, text: str, turns: Sequence[base.Opening]) -> statements.TurnStart | None:
        """The phase of combat that a line goes on to by saying that nobody is attacked in it."""
        line = _line(untrimmed(text)) if len(text) <= _LONGEST_HEADER else None
        fights = line is not None and any(
            issubclass(cls, statements.Engagement | statements.Attack)
            for token in line.tokens
            for cls in base.beginning(self._words.meaning("statements", token.key) or "")
        )
        if line is None or not fights:
            return None
        return (
            self.fights_on(turns)
            if read_clauses(line, self._words, Context(fighting=True), self._own).idle
            else None
        )

    def behind(self, opening: statements.TurnStart, text: str) -> str:
        """A phase and what a line says in it as one line; "" where they are not read as that."""
        return f"{self.written(opening)}; {text}" if ";" not in text and self.reads_each(text) else ""


_SMALL: Final = ("fillers", "words", "adverbs", "besides")


def _line(text: str) -> LogicalLine | None:
    return next(logical_lines([text]), None)


def takes_back(text: str, words: Vocabulary, *, named: bool) -> bool:
    """Whether a line takes back or mends what was said: `ignore my last move`, `wrong hex, should be 0906`.

    `named`: it names a unit or a hex.
    """
    pieces = [fold(p).strip(".,;:!?()*_\"'") for p in text[:MAX_LINE].split()]
    said: set[str] = set()
    for i in range(len(pieces)):
        for n in (1, 2, 3):
            if id_ := words.meaning("retractions", "-".join(pieces[i : i + n])):
                # `Don't forget your move` takes nothing back.
                denied = i > 0 and words.meaning("staying", pieces[i - 1]) == "denied"
                said |= {id_} - ({"undo"} if denied else set())
    brief = len(pieces) <= _RETRACTED or named
    mail = any(words.meaning("quoting", piece) == "mail" for piece in pieces)
    undone = (
        bool(said & {"undo", "back"}) and ("all" in said or (brief and bool(said & {"what", "back"}))) and not mail
    )
    return undone or ("slip" in said and named)
