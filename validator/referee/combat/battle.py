"""What the rules of combat are asked about: a position, and the side that attacks in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.modifiers import Modifiers
from hexforge.scenarios.schema.rules_combat import CombatRules
from hexforge.scenarios.schema.tables import TablesFile
from hexforge.scenarios.words import Message
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding, doubt
from hexforge.validator.referee.roster import untried
from hexforge.validator.referee.state import Position, Unit


@dataclass(frozen=True)
class Battle:
    """A position as the rules of combat see it. `attacker` is the side that attacks."""

    ctx: Context
    position: Position
    attacker: str

    @property
    def rules(self) -> CombatRules:
        """The parameters of combat of this game."""
        return self.ctx.rules.combat

    @property
    def tables(self) -> TablesFile:
        """The tables of this game."""
        return self.ctx.scenario.tables

    @property
    def modifiers(self) -> Modifiers:
        """The modifiers of this game, stated or implied."""
        return self.ctx.scenario.modifiers

    @property
    def turn(self) -> int:
        """The turn being played."""
        return self.position.turn

    @property
    def defender(self) -> str:
        """The other side."""
        return self.ctx.enemy(self.attacker)

    def unit(self, id_: str) -> Unit:
        """A unit of the roster. Raises KeyError."""
        return self.position.roster[id_]

    def steps_of(self, id_: str) -> int:
        """How many steps a unit has left."""
        return self.unit(id_).steps_at(self.position.units[id_].step)

    def doubts(self, ids: Iterable[str]) -> tuple[Message, ...]:
        """Which strengths among those of the units, as they stand, no rulebook prints."""
        found = []
        for id_ in ids:
            reduced = self.position.units[id_].lost > 0
            if ("reduced" if reduced else "strength") in self.unit(id_).assumed:
                found.append(doubt("reduced-strength" if reduced else "strength", unit=id_))
            if id_ not in self.position.revealed and untried(self.ctx.rules.untried, self.position, id_):
                found.append(doubt("strength", unit=id_))
        return tuple(found)

    def terrain_doubts(self, *hexes: Hex) -> tuple[Message, ...]:
        """Which of the hexes' terrains no rulebook or sheet gives."""
        return tuple(d for d in map(self.ctx.ground.doubt, hexes) if d)

    def known(self, hexes: Iterable[Hex]) -> list[Hex]:
        """Those of the hexes that are on the map."""
        return [h for h in hexes if h in self.position.grid]

    def found(self, line: int, key: str, **more: Any) -> Finding:
        """A finding, with what `Context.found` takes."""
        return self.ctx.found(line, key, **more)


def phasing(ctx: Context, position: Position) -> str:
    """The side whose phase it is."""
    return position.phase.side if position.phase else ctx.scenario.game.sequence[0].side


def acting(ctx: Context, position: Position, units: Iterable[str]) -> str:
    """The side that attacks: the phasing one, unless all of the units (those that exist) are the other's."""
    side = phasing(ctx, position)
    sides = {ctx.units[u].side for u in units if u in ctx.units}
    return sides.pop() if sides == {ctx.enemy(side)} else side
