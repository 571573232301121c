"""The referee's desk while one combat is judged: the position as it stands, and the findings so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.schema.rules_combat import CombatRules
from hexforge.scenarios.schema.tables import TablesFile
from hexforge.scenarios.words import SOURCE, Message, Param, Term, Words, message
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding, Shift, doubt
from hexforge.validator.referee.state import Position, Unit

GUNS = "guns"


class Desk:
    """What every rule of combat is handed. Rules replace `position` and append to `findings`, no more."""

    def __init__(self, ctx: Context, position: Position, line: int) -> None:
        self.ctx = ctx
        self.position = position
        self.line = line
        self.findings: list[Finding] = []
        self._acting: str | None = None

    @property
    def rules(self) -> CombatRules:
        """The parameters of combat of this game."""
        return self.ctx.scenario.game.rules.combat

    @property
    def tables(self) -> TablesFile:
        """The tables of this game."""
        return self.ctx.scenario.tables

    @property
    def turn(self) -> int:
        """The turn being played."""
        return self.position.turn

    @property
    def phasing(self) -> str:
        """The side whose phase it is."""
        phase = self.position.phase
        return phase.side if phase else self.ctx.scenario.game.sequence[0].side

    @property
    def attacker(self) -> str:
        """The side that attacks: the phasing one, unless the sheet lets the other act out of turn."""
        return self._acting or self.phasing

    def act_out_of_turn(self, units: Iterable[str]) -> bool:
        """Whether all of the units (those that exist) are the other side's; if so, that side attacks here."""
        sides = {self.unit(u).side for u in units if u in self.position.roster}
        if sides != {self.position.enemy(self.phasing)}:
            return False
        self._acting = sides.pop()
        return True

    def fly_out_of_turn(self, side: str) -> None:
        """A side that bombs although the phase is not its own."""
        self._acting = side

    @property
    def defender(self) -> str:
        """The other side."""
        return self.position.enemy(self.attacker)

    def unit(self, id_: str) -> Unit:
        """A unit of the roster. Raises KeyError."""
        return self.position.roster[id_]

    def is_gun(self, id_: str) -> bool:
        """Whether a unit is of a type that fires at a distance."""
        return GUNS in self.unit(id_).kinds

    def option(self, name: str) -> str:
        """The value in force of a ruling that a tournament may set."""
        return self.ctx.option(name)

    def attack_of(self, id_: str) -> int:
        """Attack of a unit as it stands: its step, and weakened where the turn says so."""
        unit = self.unit(id_)
        return self._weakened(unit, unit.attack_at(self.position.units[id_].step))

    def defence_of(self, id_: str) -> int:
        """Defence of a unit as it stands."""
        unit = self.unit(id_)
        return self._weakened(unit, unit.defence_at(self.position.units[id_].step))

    def _weakened(self, unit: Unit, value: int) -> int:
        for rule in self.rules.artillery.weakened:
            if rule.side == unit.side and rule.turns[0] <= self.turn <= rule.turns[1] and unit.is_any(rule.types):
                return -(-value // rule.divide)
        return value

    def doubts(self, ids: Iterable[str]) -> tuple[Message, ...]:
        """Which strengths among those of the units, as they stand, no rulebook prints."""
        found = []
        for id_ in ids:
            reduced = self.position.units[id_].step == "reduced"
            if ("reduced" if reduced else "strength") in self.unit(id_).assumed:
                found.append(doubt("reduced-strength" if reduced else "strength", unit=id_))
        return tuple(found)

    def terrain_doubts(self, *hexes: Hex) -> tuple[Message, ...]:
        """Which of the hexes' terrains no rulebook or sheet gives."""
        return tuple(d for d in map(self.ctx.ground.doubt, hexes) if d)

    def cause(self, shift: Shift) -> Param:
        """What moves a column."""
        return cause_of(shift.cause)

    def shifts_told(self, shifts: Sequence[Shift]) -> Param:
        """All shifts in words."""
        told = tuple(message("findings.cause.shift", cause=self.cause(s), columns=s.columns) for s in shifts)
        return told or message("findings.cause.none")

    def find(self, line: int, key: str, **more: Any) -> None:
        """Note a finding, with what `Context.found` takes."""
        self.findings.append(self.ctx.found(line, key, **more))


def cause_of(cause: str) -> Param:
    """The word for what moves a column: terrain, unity …, or a line on hexsides."""
    key = f"findings.cause.{cause}"
    return message(key) if Words(SOURCE).has(key) else Term("hexsides", cause)
