"""Questions before the mail is sent: what can a unit reach, what would an attack do, what is still owed.

All of them are asked of the position at the end of a sheet or log, as it is played, mistakes and all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from ..notation import statements
from ..notation.words import runs_of
from ..rules.combat.encirclement import encircled
from ..rules.combat.preview import odds as work_out
from ..rules.context import Outcome
from ..rules.duties import duties, unattacked, unmet
from ..rules.findings import points
from ..rules.journey import reach as explore
from ..rules.move_effects import fights
from ..rules.phases import next_phase, open_phase
from ..rules.position import Phase
from .replayed import Replayed
from .situation import unanswerable
from .worlds import Budget, figured, weighed

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from ...scenarios.text.hexgrid import Hex
    from ...scenarios.text.words import Message
    from ..rules.combat.preview import Aid, Odds
    from ..rules.context import Context
    from ..rules.position import Position
    from ..rules.values import Duty


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a unit may end its move in a phase: hex -> cost in half points and the cheapest way."""

    unit: str
    hex: Hex
    phase: Phase
    allowance: int
    hexes: Mapping[Hex, tuple[int, tuple[Hex, ...]]]
    position: Position
    context: Context

    def as_json(self) -> dict[str, Any]:
        """The hexes with cost, what is left and way, in movement points."""
        hexes = {
            hex_: {"cost": points(cost), "left": points(self.allowance - cost), "path": list(way)}
            for hex_, (cost, way) in sorted(self.hexes.items())
        }
        return {"unit": self.unit, "hex": self.hex, "turn": self.phase.turn, "reach": hexes}


@dataclass(frozen=True, slots=True)
class Open:
    """What a side still owes: attacks, and engagements of the last phase without dice or result.

    `spared` are hexes with the enemies there who must be attacked and have not been, where the game has that duty.
    `encircled` are hexes of either side from which no unit could retreat safely. `undeclared` are lines of the
    sheet with what they lack, `steps` the log and step that such a line was transcribed from. `doubts` are the data
    by which a unit that must attack might not have to.
    """

    phase: Phase | None
    attacks: tuple[Duty, ...]
    spared: tuple[tuple[Hex, tuple[str, ...]], ...]
    encircled: tuple[tuple[str, Hex, tuple[str, ...]], ...]
    undeclared: tuple[tuple[int, tuple[str, ...]], ...]
    due: tuple[str, ...]
    scenario: Scenario
    steps: Mapping[int, tuple[str, int]]
    doubts: Mapping[str, tuple[Message, ...]]

    def as_json(self) -> dict[str, Any]:
        """What is owed, by kind; `phase` is None before the first."""
        phase = self.phase
        return {
            "phase": {"turn": phase.turn, "side": phase.side, "phase": phase.name or phase.kind} if phase else None,
            "must_attack": [
                {
                    "unit": d.unit,
                    "hex": d.hex,
                    "enemies": list(d.enemies),
                    "moved": d.moved,
                    "rests_on": "; ".join(map(str, self.doubts.get(d.unit, ()))),
                }
                for d in self.attacks
            ],
            "must_be_attacked": [{"hex": h, "units": list(u)} for h, u in self.spared],
            "encircled": [{"side": s, "hex": h, "units": list(u)} for s, h, u in self.encircled],
            "undeclared": [
                {"line": line, "missing": list(lacks), **self._step(line)} for line, lacks in self.undeclared
            ],
            "due": list(self.due),
        }

    def _step(self, line: int) -> dict[str, str | int]:
        log, step = self.steps.get(line, ("", 0))
        return {"log": log, "step": step} if log else {}


def _playing(found: Replayed) -> bool:
    """Whether the phase of the position is being played, and was not over before the sheet began."""
    started = any(isinstance(s, statements.TurnStart) for s in found.sheet.statements)
    return started and found.position.phase is not None


def _in_movement_of(ctx: Context, position: Position, side: str, *, playing: bool) -> Position:
    """The position in the side's movement phase: the one being played, else the next to come."""
    phase = position.phase
    if playing and phase is not None and (phase.side, phase.kind) == (side, "movement"):
        return position
    if phase is None:
        phase = Phase(ctx.scenario.game.turns.first, side, "movement")
    else:
        following = next_phase(ctx, phase, ctx.weather(position))
        while following is not None and (following.side, following.kind) != (side, "movement"):
            following = next_phase(ctx, following, ctx.weather(position))
        if following is None:
            raise unanswerable("game-over")
        phase = following
    turn = statements.TurnStart(0, phase.turn, phase.side, phase.kind, phase.name)
    return open_phase(ctx, position, turn).position


def _named(ctx: Context, word: str) -> str:
    """The unit that a word names, by its id or a part of it as in a sheet. Raises Unanswerable for any other."""
    key = word.lower()
    like = [key] if key in ctx.units else [u for u in ctx.units if key in runs_of(u)]
    if len(like) != 1:
        raise unanswerable("no-unit", unit=word)
    return like[0]


def reach(found: Replayed, unit: str) -> Reach:
    """Hexes within reach of a unit in its side's movement phase. Raises Unanswerable for one off the map."""
    ctx, position = found.context, found.position
    unit = _named(ctx, unit)
    position = _in_movement_of(ctx, position, ctx.units[unit].side, playing=_playing(found))
    hex_, phase = position.hex_of(unit), position.phase
    if hex_ is None or phase is None:
        raise unanswerable("off-map", what=unit)
    halves = ctx.units[unit].move_at(position.units[unit].step) * 2
    return Reach(unit, hex_, phase, halves, explore(ctx, position, unit), position, ctx)


def odds(found: Replayed, target: Hex, attackers: Sequence[str], **aid: Unpack[Aid]) -> Odds:
    """An attack worked out before it is made. Raises Unanswerable for a hex off the map, and units of nobody."""
    if target not in found.context.map.grid:
        raise unanswerable("off-map", what=target)
    ctx, position = found.context, found.position
    attackers = [_named(ctx, unit) for unit in attackers]
    aid["support"] = [_named(ctx, unit) for unit in aid.get("support", ())]
    aid["guards"] = [_named(ctx, unit) for unit in aid.get("guards", ())]
    aid["shares"] = {_named(ctx, unit): points for unit, points in aid.get("shares", {}).items()}
    sides = {position.roster[u].side for u in attackers if u in position.roster}
    if (
        not _playing(found)
        or position.phase is None
        or (position.phase.side, position.phase.kind) not in {(side, "combat") for side in sides}
    ):
        position = _before_combat(ctx, position, attackers)

    def asked(ctx: Context, position: Position) -> Outcome:
        return Outcome(position, combats=(work_out(ctx, position, target, attackers, **aid).record,))

    return replace(work_out(ctx, position, target, attackers, **aid), ask=partial(figured, ctx, position, asked))


def _before_combat(ctx: Context, position: Position, attackers: Sequence[str]) -> Position:
    """The position in the first phase of combat to come in its turn in which all of some units may attack.

    Where there is none for all of them, it is the next; if none is to come, the position itself.
    """
    known = [u for u in attackers if u in position.roster]
    over = position.phase
    if not known or over is None:
        return position
    side = position.roster[known[0]].side
    found: list[Position] = []
    phase = next_phase(ctx, over, ctx.weather(position))
    while phase is not None and phase.turn == over.turn:
        if (phase.side, phase.kind) == (side, "combat"):
            # What the other phases used up does not bind this one.
            found.append(replace(position, phase=phase, ledger=position.ledger.next_phase()))
        phase = next_phase(ctx, phase, ctx.weather(position))
    able = (there for there in found if all(fights(ctx, there, u) for u in known))
    return next(able, found[0] if found else position)


def open_duties(found: Replayed) -> Open:
    """What is still owed in the phase that the sheet ends in."""
    ctx, position = found.context, found.position
    surrounded = tuple(
        (side, hex_, units)
        for side, board in position.boards.items()
        for hex_, units in sorted(board.at.items())
        if hex_ in position.zoc_against(side) and encircled(ctx, position, hex_, side)
    )
    turn = position.turn
    due = [
        unit
        for rule in ctx.scenario.setup.reinforcements
        if rule.turn <= turn <= (rule.until or turn)
        for unit in rule.units
        if ctx.plays(unit) and unit in position.units and position.units[unit].where == "due"
    ]
    due += [u for u, (when, _) in ctx.due.items() if when <= turn and position.units[u].where == "due"]
    now = position.phase
    if now is not None:  # whose phase it is not brings nobody on
        due = [u for u in due if ctx.units[u].side == now.side]
    playing = _playing(found)
    return Open(
        position.phase,
        duties(ctx, position) if playing else (),
        tuple((h, position.at(h)) for h in unattacked(ctx, position)) if playing else (),
        surrounded,
        _undeclared(found.sheet),
        tuple(dict.fromkeys(due)),
        ctx.scenario,
        found.steps,
        _excuses(ctx, position) if playing else {},
    )


def _excuses(ctx: Context, position: Position) -> dict[str, tuple[Message, ...]]:
    """By unit the data that nobody prints by which it might not have to attack."""

    def owed(ctx: Context, position: Position) -> Outcome:
        return Outcome(position, tuple(unmet(ctx, position)))

    found = weighed(ctx, position, owed(ctx, position), owed, budget=Budget()).findings
    return {unit: f.rests_on for f in found for unit in f.units if f.rests_on}


def _undeclared(sheet: statements.Sheet) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Engagements of the last phase, by line, that lack dice or result."""
    missing: list[tuple[int, tuple[str, ...]]] = []
    for statement in sheet.statements:
        if isinstance(statement, statements.TurnStart):
            missing = []
        elif isinstance(statement, statements.Engagement):
            kinds = {type(act) for act in statement.acts}
            lacks = tuple(
                n for n, k in (("roll", statements.Roll), ("result", statements.Result)) if k not in kinds
            )
            if lacks:
                missing.append((statement.line, lacks))
    return tuple(missing)
