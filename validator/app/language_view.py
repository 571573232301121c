"""A turn sheet as an editor shows it: what may stand at a place, what a place means, what is wrong.

Lines and columns count from 0, columns in characters. Nothing here reads sheets or judges: the reader, the referee
and the questions of `ask` do. Nothing raises for what a sheet holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal

from ...scenarios.text.words import HexforgeError, Words
from ..judging import questions, situation
from ..judging.check import judge
from ..judging.replayed import Replayed
from ..notation import base, cursor, games, statements, statements_head
from ..notation.cursor import LogicalLine, Token, logical_lines, physical_lines
from ..notation.words import FIRST, fold
from ..reading.infer_game import vocabulary_for
from ..reading.sheet import read_sheet
from ..report import wording
from ..report.text import odds_told, worked_out
from ..rules.findings import Severity, points

if TYPE_CHECKING:
    from ...scenarios.text.words import Message
    from ..judging.answer import Answer
    from ..rules.combat.preview import Aid
    from ..rules.findings import CombatRecord, MoveRecord


MOST: Final = 400
"""Suggestions that are made at a time; what is typed on narrows them."""
_WORD: Final = re.compile(r"[^\s,;:=/()#]*$")

What = Literal["word", "unit", "hex"]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What may stand from `start` to the cursor. Those of a lower `rank` come first."""

    text: str
    what: What
    start: int
    detail: str = ""
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Remark:
    """A finding at its place; `code` and `rule` are "" for what keeps a sheet from being judged at all."""

    line: int
    start: int
    end: int
    severity: Severity
    text: str
    code: str = ""
    rule: str = ""


class View:
    """A sheet as it is typed; `source` is its file, beside which games and rulings of its own may lie."""

    def __init__(self, text: str, source: str = "") -> None:
        self.text, self.source = text, source
        self.lines = physical_lines(text.removeprefix("\ufeff"))

    @cached_property
    def sheet(self) -> statements.Sheet:
        """What the reader makes of it."""
        return read_sheet(self.text, self.source)

    @cached_property
    def _answer(self) -> Answer:
        return judge(self.sheet)

    @cached_property
    def _logical(self) -> list[LogicalLine]:
        return list(logical_lines(self.lines))

    # ------------------------------------------------------------------------------------------- findings

    def remarks(self) -> tuple[Remark, ...]:
        """What is found, in the language of the sheet."""
        try:
            answer = self._answer
        except HexforgeError as error:
            return (self._remark_on_sheet(error.message),)
        w = answer.words(self.sheet.language)
        first = {p.line: p for p in reversed(self.sheet.problems)}
        found = []
        for finding in answer.findings:
            told = "; ".join(filter(None, (w.say(finding.message), wording.figures(finding, w))))
            problem = first.get(finding.line) if finding.code == "syntax" else None
            start, end = self._span(finding.line - 1, problem)
            line = max(0, finding.line - 1)
            found.append(Remark(line, start, end, finding.severity, told, finding.code, finding.rule))
        return tuple(found)

    def _remark_on_sheet(self, why: Message) -> Remark:
        start, end = self._span(0, None)
        return Remark(0, start, end, "unread", Words(self.sheet.language).say(why))

    def _span(self, line: int, problem: cursor.SyntaxProblem | None) -> tuple[int, int]:
        text = self.lines[line] if 0 <= line < len(self.lines) else ""
        if problem is not None and problem.found:
            start = min(problem.column - 1, len(text))
            return start, min(start + len(problem.found), len(text))
        return len(text) - len(text.lstrip()), len(text.rstrip())

    # ---------------------------------------------------------------------------------------- suggestions

    def suggestions(self, line: int, column: int) -> tuple[tuple[Suggestion, ...], bool]:
        """What may stand where the cursor is, and whether these are all."""
        before = self.lines[line][:column] if line < len(self.lines) else ""
        typed = _WORD.search(before)
        start = typed.start() if typed else column
        begun = next(logical_lines([before[:start]]), None)
        if "#" in before and next(logical_lines([before + "x"]), None) == next(logical_lines([before]), None):
            return (), True
        made = _Maker(self, line, start, fold(before[start:]))
        found = list(islice(made.beginnings() if begun is None else made.arguments(begun.tokens), MOST + 1))
        return tuple(found[:MOST]), len(found) <= MOST

    def stood(self, line: int) -> Replayed | None:
        """The game as it stands before a line; None where there is none that is known."""
        above = "\n".join((*self.lines[:line], ""))
        try:
            found = situation.sheet_situation(read_sheet(above, self.source), None)
        except HexforgeError:
            return None
        return found if found.scenario.has_map else None

    # --------------------------------------------------------------------------------------------- hovers

    def hover(self, line: int, column: int) -> str:
        """What a place means, in the language of the sheet; "" for a place that means nothing of interest."""
        logical = next((one for one in self._logical if one.line <= line + 1 <= one.end[0]), None)
        if logical is None:
            return ""
        at = next(
            (t for t in logical.tokens if t.line == line + 1 and t.column - 1 <= column < t.behind[1] - 1), None
        )
        stood = self.stood(logical.line - 1)
        if stood is None or at is None:
            return ""
        w = Words(self.sheet.language).of(stood.scenario.texts)
        told = _unit_told(at.key, stood, w) or _hex_told(at.text.upper(), stood, w)
        deed = "" if at.key in stood.context.units else self._deed(logical.line, stood, w)
        return "\n\n".join(filter(None, (told, deed)))

    def _deed(self, line: int, stood: Replayed, w: Words) -> str:
        """What the move or combat on a line comes to."""
        try:
            answer = self._answer
        except HexforgeError:
            return ""
        told = [_move_told(move, w) for move in answer.moves if move.line == line]
        fights = [s for s in self.sheet.statements if isinstance(s, statements.Engagement)]
        fight = next((f for f in fights if line in (f.line, *(act.line for act in f.acts))), None)
        if fight is not None and not told:
            record = next((c for c in answer.combats if c.line == fight.line), None)
            told += self._fight_told(fight, record, stood if fight.line == line else None, w)
        return "\n\n".join(told)

    def _fight_told(
        self, fight: statements.Engagement, record: CombatRecord | None, stood: Replayed | None, w: Words
    ) -> Iterator[str]:
        before = stood or self.stood(fight.line - 1)
        attackers = [u for act in fight.acts if isinstance(act, statements.Attack) for u in act.units]
        if before is not None and attackers and len(fight.targets) == 1:
            try:
                yield "\n".join(odds_told(questions.odds(before, fight.targets[0], attackers, **_aid(fight)), w))
                return
            except HexforgeError:
                pass
        if record is not None:
            yield "\n".join((wording.struck(record, w), *(f"    {line}" for line in worked_out(record, w))))


class _Maker:
    """Makes the suggestions for a place: `start` is where the word begins of which `typed` stands there, folded."""

    def __init__(self, view: View, line: int, start: int, typed: str) -> None:
        self.view, self.line, self.start, self.typed = view, line, start, typed
        self.words = vocabulary_for(view.text, view.source)
        self.language = view.sheet.language
        self.stood = view.stood(line)

    def beginnings(self) -> Iterator[Suggestion]:
        """Words that begin a line; within a position units too."""
        above = [s for s in self.view.sheet.statements if s.line <= self.line]
        if above and isinstance(
            above[-1], base.Positioned | statements_head.PositionStart | statements_head.SetupStart
        ):
            yield from self._units()
        fights = bool(above) and isinstance(above[-1], statements.Engagement)
        for section in FIRST:
            for text in self.words.listed(section, self.language):
                # What has its place in a combat alone comes after the rest elsewhere.
                forms = base.beginning(self.words.meaning("statements", fold(text)) or "")
                aside = not fights and bool(forms) and all(issubclass(cls, base.Act) for cls in forms)
                yield from self._said([text], 2 if aside else 1)

    def arguments(self, tokens: tuple[Token, ...]) -> Iterator[Suggestion]:
        """What may follow the words of a statement, by its declaration."""
        first = tokens[0]
        classes = list(base.beginning(self.words.meaning("statements", first.key) or ""))
        for section in FIRST[1:]:
            if self.words.meaning(section, first.key) and (cls := base.listed(section)):
                classes.append(cls)
        if not classes and first.key in {*self.words.units, *self._declared()}:
            classes = [statements_head.Placement]
        forms = [base.layout(cls) for cls in classes]
        parts = [part for form in forms for part in (*form.required, *form.optional)]
        kinds = {part.kind.name for part in parts}
        behind = tokens[-1]
        # Units stand before the colon of a way, hexes behind it.
        on_way = any(t.text == ":" for t in tokens)
        by_way = any(part.after and part.after.word == ":" for part in parts)
        if kinds & {"unit", "put"} and not (by_way and on_way):
            yield from self._units(used={t.key for t in tokens})
        if kinds & {"hex", "hexside"} and (on_way or not by_way or len(tokens) > 1):
            yield from self._hexes(behind, self._priced(classes, tokens))
        if any(part.kind.part == "game" for part in parts):
            yield from self._said(games.all_names())
        if "option" in kinds and self.stood is not None:
            yield from self._said(self.stood.scenario.game.options)
        for section in dict.fromkeys(part.kind.section for part in parts if part.kind.section):
            yield from self._said(self.words.listed(section, self.language), 2)
        if any(issubclass(cls, statements.TurnStart) for cls in classes):
            for section in ("sides", "phases"):
                yield from self._said(self.words.listed(section, self.language), 2)
        small = [word for form in forms for word in form.words[1:2]]
        small += [part.after.word for part in parts if part.after and part.after.word[:1].isalpha()]
        yield from self._said((self.words.write("words", word, self.language) for word in small), 3)

    def _said(self, texts: Iterable[str], rank: int = 0) -> Iterator[Suggestion]:
        for text in dict.fromkeys(texts):
            if fold(text).startswith(self.typed):
                yield Suggestion(text, "word", self.start, rank=rank)

    def _declared(self) -> set[str]:
        return {s.unit for s in self.view.sheet.statements if isinstance(s, statements_head.UnitDefinition)}

    def _units(self, used: Iterable[str] = ()) -> Iterator[Suggestion]:
        """Units whose id has what is typed, those on the map first."""
        ids = {*self.words.units, *self._declared()} - set(used)
        found = sorted((self._unit_rank(u), u) for u in ids if self.typed in u)
        w = Words(self.language)
        for rank, unit in found:
            told = ""
            if self.stood is not None:
                told = _unit_told(unit, self.stood, w.of(self.stood.scenario.texts), ", ")
            yield Suggestion(unit, "unit", self.start, told, rank)

    def _unit_rank(self, unit: str) -> int:
        """Those on the map come first, of these those of the side to move."""
        phase = self.stood.position.phase if self.stood else None
        if self.stood is None or phase is None or not self._spot(unit):
            return 1 if self._spot(unit) else 2
        return 0 if self.stood.context.units[unit].side == phase.side else 1

    def _spot(self, unit: str) -> str:
        return (self.stood.position.hex_of(unit) or "") if self.stood else ""

    def _hexes(self, behind: Token, priced: dict[str, int]) -> Iterator[Suggestion]:
        """Hexes that begin as what is typed: those next to the one before, or within reach, first."""
        if self.stood is None:
            return
        grid = self.stood.context.map.grid
        last = grid.named(behind.text)
        near = set(grid.neighbours[last]) if last in grid.neighbours else set()
        wanted = (h for h in grid if fold(h).startswith(self.typed))
        w = Words(self.language).of(self.stood.scenario.texts)
        for hex_ in sorted(wanted, key=lambda h: (h not in near, h not in priced, h)):
            told = _hex_told(hex_, self.stood, w, ", ")
            if hex_ in priced:
                told = f"{w('validator.editor.cost', cost=points(priced[hex_]))}; {told}"
            rank = 0 if hex_ in near or priced.get(hex_) == 0 else 1 if hex_ in priced else 2
            yield Suggestion(hex_, "hex", self.start, told, rank)

    def _priced(self, classes: list[type[base.Statement]], tokens: tuple[Token, ...]) -> dict[str, int]:
        """What it costs a unit that is moved to get to each hex, in half points."""
        unit = next((t.key for t in tokens[1:] if self._spot(t.key)), "")
        if statements.Move not in classes or self.stood is None or not unit:
            return {}
        try:
            return {hex_: cost for hex_, (cost, _) in questions.reach(self.stood, unit).hexes.items()}
        except HexforgeError:
            return {}


# ----------------------------------------------------------------------------------------------- in words


def _unit_told(key: str, stood: Replayed, w: Words, between: str = "\n") -> str:
    """Name, type, strengths, formation and hex of a unit; "" for what is none."""
    unit = stood.context.units.get(key)
    if unit is None:
        return ""
    counter = stood.scenario.counters.get(key)
    name = counter.name(w.language) if counter else ""
    figures = f"{w.term('unit_types', unit.type)} {unit.attack}-{unit.defence}-{unit.move}"
    if unit.reduced_attack is not None:
        figures += f" ({unit.reduced_attack}-{unit.reduced_defence})"
    reach = w("validator.units.range", range=unit.range) if unit.range else ""
    state = stood.position.units.get(key)
    where = state.hex if state and state.hex else w("validator.editor.off-map")
    step = w(f"report.steps.{state.step}") if state and state.hex and state.step != "full" else ""
    head = name if name and name != key else key
    morale = w("validator.units.morale", morale=" ".join(map(str, unit.morale))) if unit.morale else ""
    told = f"{w.heading('sides', unit.side)}, {figures}{reach}{morale}"
    return between.join(filter(None, (head, told, where, step)))


def _hex_told(text: str, stood: Replayed, w: Words, between: str = "\n") -> str:
    """Ground, names and units of a hex; "" for what is none."""
    ground = stood.context.map
    hex_ = ground.grid.named(text) if text else None
    if hex_ is None or hex_ not in ground.terrain:
        return ""
    kinds = " + ".join(w.term("terrain", kind) for kind in ground.terrain[hex_])
    names = ", ".join(place.name for place in ground.places if hex_ in place.hexes)
    units = " ".join(stood.position.at(hex_))
    head = "" if between != "\n" else hex_
    return between.join(filter(None, (": ".join(filter(None, (head, kinds))), names, units)))


def _move_told(move: MoveRecord, w: Words) -> str:
    """What a move costs, hex by hex."""
    rows = [(wording.priced(part, w), w.number(points(part.cost)), wording.reasons(part, w)) for part in move.parts]
    return "\n".join((wording.price(move, w), *(f"  {'  '.join(filter(None, row))}" for row in rows)))


def _aid(fight: statements.Engagement) -> Aid:
    """What helps either side of a combat, as its lines say."""
    found: Aid = {"support": [], "guards": [], "offboard": 0, "guard_offboard": 0, "air": 0, "guard_air": 0}
    for act in fight.acts:
        match act:
            case statements.Support():
                found["support"] = [*found["support"], *act.units]
                found["offboard"] += act.offboard
            case statements.Guard():
                found["guards"] = [*found["guards"], *act.units]
                found["guard_offboard"] += act.offboard
            case statements.AirSupport():
                found["air"] += act.points
            case statements.GuardAir():
                found["guard_air"] += act.points
    return found
