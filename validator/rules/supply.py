"""Supply: which units have a line to a source when a phase begins (`rules.supply`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from ...scenarios.schema.base import Selector, in_turns
from ...scenarios.schema.game import Sky
from ...scenarios.schema.rules_zones import HexLine, Line, PointLine, Supply
from ...scenarios.text.hexgrid import Hex
from .context import Context, Outcome
from .findings import Finding
from .ground import Mover
from .move_effects import POINT, holder
from .position import Phase, Position
from .roster import fits
from .travel import nearest_first
from .weather import supposed


def look_for_supply(ctx: Context, position: Position, phase: Phase) -> Outcome:
    """The marks of all units whose supply is looked for when a phase begins, and who is without."""
    found: list[Finding] = []
    for side in ctx.sides:
        now = _when(ctx, phase, side)
        looked = [r for r in ctx.rules.supply if r.side in (None, side) and not now.isdisjoint(r.checked)]
        for mark in dict.fromkeys(rule.mark for rule in looked):
            rules = [rule for rule in looked if rule.mark == mark]
            position, more = _mark(ctx, position, rules, side, phase)
            found += more
    return Outcome(position, tuple(found))


def in_other_weather(
    ctx: Context, before: Position, after: Position, phase: Phase
) -> Mapping[Sky, Mapping[str, tuple[frozenset[str], frozenset[str]]]]:
    """What units would bear besides, and what not, in each other weather that it may be."""
    found = {}
    for sky in before.guesses[1:] if ctx.rules.supply else ():
        there = look_for_supply(ctx, supposed(before, sky), phase).position.units
        here = ((u, state.marks, there[u].marks) for u, state in after.units.items())
        found[sky] = {u: (other - own, own - other) for u, own, other in here if own != other}
    return found


def _when(ctx: Context, phase: Phase, side: str) -> set[str]:
    """What rules call a phase at whose beginning a side's supply is looked for."""
    of = "" if phase.side == side else "enemy_"
    return {f"{of}{name}" for name in ctx.names(phase)}


def _first(ctx: Context, position: Position, phase: Phase, asked: str) -> bool:
    """Whether a phase is the first of its side in the turn that rules call so."""
    asked = asked.removeprefix("enemy_")
    weather = ctx.weather(position)
    alike = (
        place
        for place, spec in enumerate(ctx.scenario.game.sequence)
        if spec.side == phase.side and asked in spec.names and spec.played(phase.turn, weather)
    )
    return not phase.places or phase.places[0] <= next(alike, phase.places[0])


def _mark(
    ctx: Context, position: Position, rules: Sequence[Supply], side: str, phase: Phase
) -> tuple[Position, list[Finding]]:
    """The mark that some rules give to who is without supply by one of them, and take from all others."""
    without: dict[str, Supply] = {}
    for rule in rules:
        # Out of its turns a rule asks nobody; who bears its mark from before bears it no more.
        if not in_turns(rule.turns, phase.turn):
            continue
        for unit in _unsupplied(ctx, position, rule, side):
            without.setdefault(unit, rule)
    for unit in sorted(position.on_map(side)):
        marks = position.units[unit].marks
        if (lacking := without.get(unit)) is not None:
            asked = lacking.checked[0]
            worse = asked in _when(ctx, phase, side) and _first(ctx, position, phase, asked)
            position = position.mark(unit, _stage(lacking, marks, worse=worse))
        elif rules[0].mark in marks:
            position = position.unmark(unit, rules[0].mark, *(stage for rule in rules for stage in rule.stages))
    told = [(rule, [u for u in sorted(without) if without[u] is rule]) for rule in rules]
    return position, [
        ctx.found(phase.line, "unsupplied", section=rule.section, severity="info", units=units, names=tuple(units))
        for rule, units in told
        if units
    ]


def _unsupplied(ctx: Context, position: Position, rule: Supply, side: str) -> Iterator[str]:
    """The units of a side that by a rule need supply and have none."""
    lines: dict[str, tuple[Collection[Hex], ...]] = {}
    for unit in position.on_map(side):
        of = _formation(ctx, rule, unit)
        if of not in lines:
            lines[of] = supplied(ctx, position, rule, side, of)
        if _needs(ctx, position, rule, unit) and position.hex_of(unit) not in _near(ctx, rule, unit, *lines[of]):
            yield unit


def cut_off(ctx: Context, position: Position, unit: str, hex_: Hex) -> Iterator[str]:
    """The marks that a unit would bear in a hex for want of supply, were that looked for now."""
    side = ctx.units[unit].side
    for rule in ctx.rules.supply:
        asked = rule.side in (None, side) and in_turns(rule.turns, position.turn)
        if asked and _needs(ctx, position, rule, unit):
            lines = supplied(ctx, position, rule, side, _formation(ctx, rule, unit))
            if hex_ not in _near(ctx, rule, unit, *lines):
                yield rule.mark


def _needs(ctx: Context, position: Position, rule: Supply, unit: str) -> bool:
    who, one = Selector(divisions=rule.divisions, units=rule.units), ctx.units[unit]
    return fits(who, one, position.units[unit]) and not one.is_any(rule.exempt)


def _near(
    ctx: Context, rule: Supply, unit: str, reached: Collection[Hex], passed_on: Collection[Hex]
) -> Collection[Hex]:
    """The hexes in which a unit has supply, of those that lines reach, and those that headquarters do."""
    return reached if rule.direct or ctx.units[unit].is_any(rule.headquarters) else passed_on


def _formation(ctx: Context, rule: Supply, unit: str) -> str:
    """The formation by whose headquarters alone a unit is served, and which its own serve; "" for any."""
    return str(getattr(ctx.units[unit], rule.formation)) if rule.formation else ""


def _stage(rule: Supply, marks: Collection[str], *, worse: bool) -> str:
    """The mark that a unit without supply gets: that of the rule first, then each of its stages."""
    if rule.mark not in marks or not worse:
        return rule.mark
    return next((stage for stage in rule.stages if stage not in marks), rule.mark)


def supplied(
    ctx: Context, position: Position, rule: Supply, side: str, of: str = ""
) -> tuple[frozenset[Hex], frozenset[Hex]]:
    """Hexes from which a side has a line to a source or to headquarters that have one; those of the latter.

    `of`: headquarters of that formation, or of none.
    """
    tracing = _Tracing(ctx, position, rule, side)
    reached = set(tracing.around(tracing.sources(), rule.line))
    passed_on: set[Hex] = set()
    waiting = {
        u: hex_
        for u in position.on_map(side)
        if ctx.units[u].is_any(rule.headquarters) and (hex_ := position.hex_of(u)) is not None
        if not of or _formation(ctx, rule, u) in ("", of)
    }
    while passing := [u for u, hex_ in waiting.items() if hex_ in reached]:
        line = rule.headquarters_line or rule.line
        passed_on.update(tracing.around([waiting.pop(u) for u in passing], line, units=True))
        reached |= passed_on
    return frozenset(reached), frozenset(passed_on)


@dataclass(frozen=True)
class _Tracing:
    """The ground that lines of one side lead over, by one rule."""

    ctx: Context
    position: Position
    rule: Supply
    side: str

    def sources(self) -> Iterator[Hex]:
        """The hexes of all sources that the enemy does not hold."""
        enemy = self.position.enemy(self.side)
        for place in self.rule.places:
            yield from (h for h in self.ctx.ground.place(place) if holder(self.ctx, self.position, h) != enemy)
        for edge in self.rule.edges:
            yield from self.ctx.ground.edge(edge)
        for unit in self.position.on_map(self.side) if self.rule.depots else ():
            if self.ctx.units[unit].is_any(self.rule.depots) and (hex_ := self.position.hex_of(unit)):
                yield hex_

    @cached_property
    def shut(self) -> frozenset[Hex]:
        """Hexes that no line leads into."""
        enemy = self.position.boards[self.position.enemy(self.side)]
        if self.rule.zones in ("open", "shut"):
            return frozenset(enemy.at)
        friends = self.position.boards[self.side].at.keys() if self.rule.zones == "friends_open" else frozenset()
        return (enemy.zoc - friends) | enemy.at.keys()

    @cached_property
    def ends(self) -> frozenset[Hex]:
        """Hexes that a line may lead into, but not through."""
        zoc = self.position.boards[self.position.enemy(self.side)].zoc
        return zoc if self.rule.zones == "shut" else frozenset()

    def around(self, sources: Iterable[Hex], line: Line, *, units: bool = False) -> Iterator[Hex]:
        """Every hex to which a line leads from one of some sources; from `units` it sets out in any zone."""
        ctx = self.ctx
        mover = _carrier(ctx, self.position, line, self.side)

        def price(a: Hex, b: Hex, *, first: bool, passed: int) -> int | None:
            if b in self.shut or (a in self.ends and not (units and first)):
                return None
            if mover is None:
                return 1
            step = ctx.ground.step(mover, a, b)
            return None if step.key else step.cost

        near = ctx.map.grid.neighbours
        for source in sources:
            if source not in self.shut:
                yield from (h for _, h, _ in nearest_first(near, source, price, first=True, limit=_limit(line)))


def _carrier(ctx: Context, position: Position, line: Line, side: str) -> Mover | None:
    """Whoever goes a line of a side that is counted in points: over bridges that do not fall to it, open trails."""
    if not isinstance(line, PointLine):
        return None
    bridging = ctx.movement.bridging
    return Mover(
        line.movement,
        frozenset({line.movement}),
        ctx.weather(position),
        ctx.skies(position),
        turn=position.turn,
        bridges=frozenset() if bridging is not None and bridging.falls_to(side) else position.bridges,
        cleared=position.cleared,
    )


def _limit(line: Line) -> float:
    match line:
        case HexLine(hexes=hexes):
            return hexes
        case PointLine(points=points):
            return POINT * points
    return inf
