"""A game on the table: its sheet so far, the position after every statement, and what is undone of it.

Each statement is judged on the position that is kept, by the same step as a whole replay, so that a click late in a
long game costs as much as one at its beginning.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from ...scenarios.model import Scenario
from ...scenarios.schema.results import Dice
from ...scenarios.text.files import put
from ...scenarios.text.hexgrid import Hex
from ...scenarios.text.words import SOURCE, HexforgeError, Language, message
from ..judging import choices
from ..judging.replay import Waivers, step
from ..judging.replayed import Replayed, problems_of
from ..judging.situation import format_typed, replayed, sheet_situation, stands
from ..notation import base, games, statements_head
from ..notation import statements as st
from ..notation.kinds import ASKED
from ..notation.records import is_log, is_mail, is_text
from ..notation.vocabulary import vocabulary_of, write_sheet, write_statement
from ..reading.decoding import decode, read_raw
from ..reading.sheet import read_sheet
from ..rules.combat.encirclement import most, weight_of
from ..rules.context import Context, Outcome
from ..rules.findings import Finding
from ..rules.phases import next_phase
from ..rules.position import Phase, Position
from ..rules.position_export import standing
from ..rules.rulings import by_line, waive, waivers_of
from ..rules.setup import starting_areas


class NotPlayable(HexforgeError):
    """A game, or a statement, that cannot be put on the table."""


@dataclass(frozen=True)
class Frame:
    """A statement on the table: the lines that say it, the position before it, and what came of it.

    `line` is the first of its lines, `over` whether the phase is over after it.
    """

    earlier: Frame | None
    statement: base.Statement
    line: int
    lines: tuple[str, ...]
    before: Position
    outcome: Outcome
    over: bool

    def back(self) -> Iterator[Frame]:
        """This frame and those before it, the last first."""
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.earlier


@dataclass(frozen=True)
class Fight:
    """The attack that the table is busy with: the position in which it was made, and what came of it.

    `frame` is its own where it was made on the table; None where it stands in the text that was opened.
    """

    statement: st.Engagement
    before: Position
    outcome: Outcome
    frame: Frame | None = None

    @property
    def rolled(self) -> bool:
        """Whether its dice are known."""
        return any(isinstance(act, st.Roll) for act in self.statement.acts)


@dataclass(frozen=True)
class State:
    """The table at one time: the sheet that it was opened with, its lines, and the last statement made after it."""

    found: Replayed
    lines: tuple[str, ...]
    frame: Frame | None = None

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.frame.outcome.position if self.frame is not None else self.found.position

    @property
    def over(self) -> bool:
        """Whether the phase of the position is over."""
        if self.frame is not None:
            return self.frame.over
        statements = self.found.sheet.statements
        return not any(isinstance(s, st.TurnStart) for s in statements) or isinstance(statements[-1], st.Score)

    @property
    def made(self) -> list[Frame]:
        """What was made on the table, in order."""
        return [] if self.frame is None else [*self.frame.back()][::-1]

    @property
    def text(self) -> str:
        """The whole sheet."""
        lines = [*self.lines, *(line for frame in self.made for line in frame.lines)]
        return "\n".join(lines).rstrip("\n") + "\n"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the referee found so far, without what the phase at hand may still leave undone."""
        judged, count = self.found.judgement, len(self.found.sheet.statements)
        opened = judged.findings[: judged.before[count][1]] if len(judged.before) > count else judged.findings
        return (*opened, *(f for frame in self.made for f in waive(frame.outcome.findings, self.in_force)))

    @cached_property
    def unread(self) -> tuple[Finding, ...]:
        """What of the text cannot be read, or does not go on from what it names; what is wrong with its seals."""
        found = self.found
        return (*problems_of(found.sheet), *found.links, *found.opened.findings)

    @cached_property
    def fight(self) -> Fight | None:
        """The attack that the text leaves open."""
        sheet, judged = self.found.sheet, self.found.judgement
        found: list[Fight] = []
        course = judged.course.outcomes if judged.course is not None else ()
        told = list(zip(sheet.statements, course, judged.before, strict=False))
        for statement, outcome, (before, _) in reversed(told):
            if isinstance(statement, st.Engagement):
                found.append(Fight(statement, before, outcome))
            elif isinstance(statement, base.Play | base.Opening):
                break
        lacking = [f for f in found if not f.rolled or choices.faults(f.outcome)]
        return lacking[-1] if lacking else found[0] if found else None

    @cached_property
    def in_force(self) -> Waivers:
        """What a director, or the sheet itself, lets pass."""
        return by_line((*self.found.waivers, *waivers_of(self.found.sheet)))


@dataclass
class Session:
    """A game that is being played, with all states of the table: undo and redo move `now` along them.

    `language` is that in which it writes, `options` overrule the sheet's rulings; `thrown` are the dice that were
    thrown for what was asked.
    """

    history: list[State]
    language: Language = SOURCE
    options: Mapping[str, str] = field(default_factory=dict)
    now: int = 0
    thrown: dict[str, tuple[int, ...]] = field(default_factory=dict)

    # ------------------------------------------------------------------------------------------------ what is

    @property
    def state(self) -> State:
        """The table as it is."""
        return self.history[self.now]

    @property
    def found(self) -> Replayed:
        """The sheet that the table was opened with, as the referee replayed it."""
        return self.state.found

    @property
    def scenario(self) -> Scenario:
        """The game."""
        return self.found.scenario

    @property
    def ctx(self) -> Context:
        """What it is judged against."""
        return self.found.context

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.state.position

    @property
    def over(self) -> bool:
        """Whether the phase of the position is over."""
        return self.state.over

    @property
    def text(self) -> str:
        """The whole sheet."""
        return self.state.text

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the referee found so far, without what the phase at hand may still leave undone."""
        return self.state.findings

    @property
    def fight(self) -> Fight | None:
        """The attack whose dice, or what follows from them, may still be told: the last one on the table.

        In a text that was opened it is the first of the last phase that lacks something, else the last.
        """
        frame = self.state.frame
        if frame is None:
            return self.state.fight
        statement = frame.statement
        return (
            Fight(statement, frame.before, frame.outcome, frame) if isinstance(statement, st.Engagement) else None
        )

    @property
    def closing(self) -> tuple[Finding, ...]:
        """What would be found if the phase ended now."""
        return () if self.over else choices.closing(self.ctx, self.position)

    @property
    def next(self) -> Phase | None:
        """The phase that follows; None after the last."""
        phase, game = self.position.phase, self.scenario.game
        if phase is None:
            first = game.sequence[0]
            return Phase(game.turns.first, first.side, first.phase, name=first.id or "")
        return next_phase(self.ctx.at(phase.turn), phase, self.ctx.weather(self.position))

    # ------------------------------------------------------------------------------------------------ setting up

    @property
    def unset(self) -> tuple[str, ...]:
        """The units that start on the map where their player chooses, and of which nobody has said where.

        None once the first phase has begun.
        """
        if self.position.phase is not None:
            return ()
        ctx, units = self.ctx, self.position.units
        return tuple(u for u in sorted(ctx.unset) if units[u].where == "absent")

    def rooms(self, units: Sequence[str]) -> tuple[Hex, ...]:
        """The hexes in which units that are still to be set up may start, as far as there is room for them."""
        return self._rooms(self.position, units)

    def _rooms(self, position: Position, units: Sequence[str]) -> tuple[Hex, ...]:
        ctx, known = self.ctx, starting_areas(self.ctx)
        hexes = set(position.grid.hexes)
        for area in (known[u] for u in units if u in known):
            hexes &= area.hexes if area.hexes is not None else hexes
        side = ctx.units[units[0]].side
        held = position.boards[position.enemy(side)].at

        def takes(hex_: Hex) -> bool:
            there = (*position.at(hex_, side), *units)
            weight = sum(weight_of(ctx, u, ctx.units[u].steps_at("full")) for u in there)
            return hex_ not in held and weight <= most(ctx, hex_, side)

        return tuple(filter(takes, sorted(hexes)))

    def place(self, units: Sequence[str], hex_: Hex) -> None:
        """Set units up in a hex. Raises NotPlayable where they may not start."""
        if not units or not set(units) <= set(self.unset) or hex_ not in self.rooms(units):
            raise NotPlayable(message("play.not-open"))
        self._set_up([(u, hex_) for u in units])

    def place_all(self) -> None:
        """Set up all who are still to be, those with the least choice first, each where there is most room."""
        areas, position = starting_areas(self.ctx), self.position
        every = len(position.grid.hexes)
        known = {u: areas[u].hexes for u in self.unset if u in areas}
        free = {u: every if (hexes := known.get(u)) is None else len(hexes) for u in self.unset}
        placed: list[tuple[str, Hex]] = []
        for unit in sorted(free, key=lambda u: (free[u], u)):
            hexes_left = self._rooms(position, (unit,))
            if hexes_left:
                hex_ = min(hexes_left, key=lambda h: (len(position.at(h)), h))
                placed.append((unit, hex_))
                position = position.put(unit, hex_)
        self._set_up(placed)

    def _set_up(self, placed: Sequence[tuple[str, Hex]]) -> None:
        """Write placements below the `setup` of the sheet, which is added where it has none."""
        lines, sheet = [*self.state.lines], self.found.sheet
        kinds = statements_head.SetupStart | statements_head.Placement
        block = [s for s in sheet.statements if isinstance(s, kinds)]
        words = vocabulary_of(self.scenario)
        if block:
            at = max(s.line for s in block)
        else:
            lines += ["", write_statement(statements_head.SetupStart(0, True), self.language, words)]
            at = len(lines)
        told = (statements_head.Placement(0, unit, hex_) for unit, hex_ in placed)
        lines[at:at] = [f"  {write_statement(one, self.language, words)}" for one in told]
        self.edit("\n".join(lines) + "\n")

    # ------------------------------------------------------------------------------------------------ what is done

    def play(self, statement: base.Statement) -> Frame:
        """Make a statement, whatever is found on it."""
        return self._made(self.state.frame, statement)

    def grow(self, *acts: base.Act) -> None:
        """Add acts to the attack that is open. Raises NotPlayable where there is none."""
        fight = self._attack()
        if fight.frame is not None:
            grown = replace(fight.statement, acts=(*fight.statement.acts, *acts))
            self._made(fight.frame.earlier, grown)
            return
        record = next(iter(fight.outcome.combats), None)
        told = any(isinstance(act, st.Result) for act in fight.statement.acts)
        if record is not None and record.result and not told:
            acts = (st.Result(0, tuple(record.result.split())), *acts)
        self._insert(fight, acts)

    def roll(self, faces: Sequence[int]) -> None:
        """Say what the dice of the attack that is open show. Raises NotPlayable where there is none."""
        fight = self._attack()
        rolled = choices.rolled(self.ctx.at(fight.before.turn), fight.before, fight.statement, faces)
        if fight.frame is not None:
            self._made(fight.frame.earlier, rolled)
        else:
            self._insert(fight, rolled.acts[len(fight.statement.acts) :])

    def ask_sealed(self) -> None:
        """Ask for the dice of the attack that is open to be sealed. Raises NotPlayable where there is none."""
        words = vocabulary_of(self.scenario)
        line = write_statement(st.Roll(0, (ASKED,)), self.language, words)
        fight = self._attack()
        if fight.frame is not None:
            self.edit(f"{self.text.rstrip()}\n  {line}\n")
        else:
            self._insert_lines(fight, [line])

    def open_sealed(self, opens: base.Statement) -> None:
        """Add the line that opens the throws that wait."""
        line = write_statement(opens, self.language, vocabulary_of(self.scenario))
        self.edit(f"{self.text.rstrip()}\n{line}\n")

    def _insert(self, fight: Fight, acts: Sequence[base.Act]) -> None:
        words = vocabulary_of(self.scenario)
        self._insert_lines(fight, [write_statement(act, self.language, words) for act in acts])

    def _insert_lines(self, fight: Fight, told: Sequence[str]) -> None:
        """Lines below those of an attack that stands in the text."""
        lines = [*self.state.lines]
        at = max((act.line for act in fight.statement.acts), default=fight.statement.line)
        lines[at:at] = [f"  {line}" for line in told]
        self.edit("\n".join(lines) + "\n")

    def _attack(self) -> Fight:
        fight = self.fight
        if fight is None:
            raise NotPlayable(message("play.no-fight"))
        return fight

    def throw(self, dice: Dice, asked: str) -> tuple[int, ...]:
        """Dice for something that is asked: the same faces whoever asks again, for what was seen is known."""
        if asked not in self.thrown:
            self.thrown[asked] = tuple(1 + secrets.randbelow(dice.faces) for _ in range(dice.count))
        return self.thrown[asked]

    def open_next(self) -> Frame:
        """Open the phase that follows. Raises NotPlayable after the last."""
        phase = self.next
        if phase is None:
            raise NotPlayable(message("play.over"))
        return self.play(st.TurnStart(0, phase.turn, phase.side, phase.kind, phase.name))

    def undo(self) -> None:
        """Take the last step back, if there is one."""
        self.now = max(0, self.now - 1)

    def redo(self) -> None:
        """Make the step again that was taken back last, if there is one."""
        self.now = min(len(self.history) - 1, self.now + 1)

    def edit(self, text: str) -> None:
        """Another text in the place of the sheet, judged anew. Raises what a sheet of no known game raises."""
        found = sheet_situation(read_sheet(text, self.found.sheet.source), self.options)
        self._keep(State(found, found.sheet.lines))

    def take_up(self, other: Session) -> None:
        """What another table holds of the same game, as one more step on this one."""
        self._keep(other.state)

    def save(self, path: Path) -> None:
        """Write the sheet. Raises OSError."""
        put(path, self.text.encode("utf-8", "replace"))

    def told(self, statement: base.Statement, language: Language) -> str:
        """A statement in one line."""
        return write_statement(statement, language, vocabulary_of(self.scenario))

    # ------------------------------------------------------------------------------------------------ how

    def _keep(self, state: State) -> None:
        del self.history[self.now + 1 :]
        self.history.append(state)
        self.now += 1

    def _made(self, earlier: Frame | None, statement: base.Statement) -> Frame:
        state = self.state
        line = earlier.line + len(earlier.lines) if earlier is not None else len(state.lines) + 1
        text = write_sheet((statement,), self.language, vocabulary_of(self.scenario)).splitlines()
        blank = int(isinstance(statement, base.Opening))
        statement = numbered(statement, line + blank)
        before = earlier.outcome.position if earlier is not None else state.found.position
        over = earlier.over if earlier is not None else replace(state, frame=None).over
        outcome, ended = step(self.ctx, before, statement, in_force=state.in_force, over=over)
        frame = Frame(earlier, statement, line, (*("",) * blank, *text), before, outcome, ended)
        self._keep(replace(state, frame=frame))
        return frame


def numbered(statement: base.Statement, line: int) -> base.Statement:
    """A statement on a line, its acts on those below it."""
    if isinstance(statement, st.Engagement):
        acts = tuple(replace(act, line=line + n) for n, act in enumerate(statement.acts, 1))
        return replace(statement, line=line, acts=acts)
    return replace(statement, line=line)


def open_session(
    named: Sequence[str], options: Mapping[str, str] | None = None, *, module: str | None = None,
    salvage: bool = False, language: Language = SOURCE,
) -> Session:  # fmt: skip
    """A game on the table: by the name of one, from its printed set-up, or from what files leave of one.

    A sheet is gone on with as it stands, a mail and a log as the sheets that they are written down as; of several
    files the position is taken over into a new sheet. Raises what `stands` raises.
    """
    if len(named) == 1 and (Path(named[0]) / "game.yaml").is_file():
        return _session(_head(games.learn(named[0]), language), "", options, language)
    if len(named) == 1 and named[0].lower() in {name.lower() for name in games.all_names()}:
        return _session(_head(named[0].lower(), language), "", options, language)
    if len(named) == 1 and not (is_log(named[0]) or is_mail(named[0]) or is_text(named[0])):
        return _session(decode(read_raw(named[0]), named[0]), named[0], options, language)
    found = stands(list(named), options, module=module, salvage=salvage, lang=language)
    if not found.scenario.has_map:
        raise NotPlayable(message("play.accounts"))
    if len(named) == 1:
        return _session(format_typed(found.sheet).text, "", options, language)
    head = write_sheet(standing(found.context, found.position), language, vocabulary_of(found.scenario))
    return _session(f"{_head(found.scenario.name, language)}\n{head}", "", options, language)


def _head(game: str, language: Language) -> str:
    """The lines with which a sheet of a game begins."""
    return write_sheet((statements_head.SheetVersion(0, 1), statements_head.GameName(0, game)), language)


def session_of_text(text: str, language: Language = SOURCE) -> Session:
    """A sheet's text on the table. Raises what a sheet of no known game raises."""
    return _session(text, "", None, language)


def _session(text: str, source: str, options: Mapping[str, str] | None, language: Language) -> Session:
    sheet = read_sheet(text, source)
    found = replayed(sheet, options)
    if found is None:
        why = next((f.message for f in problems_of(sheet, known=False)), message("validator.ask.no-game"))
        raise NotPlayable(message("play.no-game", file=source or "-", why=why))
    if not found.scenario.has_map:
        raise NotPlayable(message("play.accounts"))
    return Session([State(found, found.sheet.lines)], language, dict(options or {}))
