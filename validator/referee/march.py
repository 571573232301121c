"""Marches: units that go farther than their allowance if their way fulfils conditions (`movement.marches`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.schema.rules_movement import March
from hexforge.validator.readers.notation.statements import OPEN
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.journey import Journey, complain, travel
from hexforge.validator.referee.limits import same_for_all, spec
from hexforge.validator.referee.open_ways import fill, relaxed, told_shut
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.roster import fits
from hexforge.validator.referee.stacking import taken_by
from hexforge.validator.referee.state import Position
from hexforge.validator.referee.travel import Traveller


@dataclass(frozen=True, slots=True)
class Attempt:
    """A stack's move as it may be gone: by whom, along which hexes, what is left open, what it costs each."""

    travellers: tuple[Traveller, ...]
    path: tuple[Hex, ...]
    holes: tuple[Finding, ...]
    journeys: tuple[Journey, ...]

    def complaints(self, line: int) -> Iterator[list[Finding]]:
        """What is wrong with it, unit by unit."""
        return (complain(one, line, j, self.holes) for one, j in zip(self.travellers, self.journeys, strict=True))

    def sound(self, line: int) -> bool:
        """Whether nothing is wrong with it."""
        return not self.holes and not any(self.complaints(line))

    def only_dear(self, line: int) -> bool:
        """Whether nothing is wrong with it but its price."""
        return not self.holes and all(f.code == "movement-cost" for found in self.complaints(line) for f in found)

    def allowance(self) -> int:
        """What its slowest unit may spend, in half points."""
        return min(one.allowance for one in self.travellers)


def attempt(travellers: Iterable[Traveller], words: Sequence[str], line: int) -> Attempt:
    """A move along the hexes of a statement, open stretches filled in."""
    stack = tuple(travellers)
    path, holes = fill(stack, words, line)
    journeys = [travel(one, path) for one in stack]
    best = (told_shut(stack, words, relaxed(stack, words, j, i), i) for i, j in enumerate(journeys))
    return Attempt(stack, path, tuple(holes), tuple(best))


def gone(travellers: Iterable[Traveller], words: Sequence[str], line: int) -> Attempt:
    """A move as each unit of the stack may go it: as it is, or else by one of the game's marches."""
    plain = attempt(travellers, words, line)
    if not plain.travellers[0].ctx.movement.marches or plain.sound(line):
        return plain
    gaits = [(one, *marching(one, plain.path[0])) for one in plain.travellers]
    chosen = [next((g for g in many if _sound(g, plain.path, line)), many[0]) for many in gaits]
    most = max(map(len, gaits))
    marches = [[many[min(i, len(many) - 1)] for many in gaits] for i in range(1, most)]
    found = [attempt(stack, words, line) for stack in (chosen, *(marches if OPEN in words else ()))]
    fitting = next((one for one in found if one.sound(line)), None)
    if fitting is not None or not marches or not plain.only_dear(line):
        return fitting or plain
    # Where a march fails for its price alone, that is what it lacks, and no less.
    dear = (one for one in (attempt(stack, words, line) for stack in marches) if one.only_dear(line))
    return max(dear, key=Attempt.allowance, default=plain)


def _sound(one: Traveller, path: Sequence[Hex], line: int) -> bool:
    return not complain(one, line, travel(one, path))


def marching(one: Traveller, start: Hex) -> Iterator[Traveller]:
    """A traveller as it goes by each march that it may make from a hex: farther, but not everywhere."""
    ctx, unit = one.ctx, one.unit
    position = one.position
    limits = spec(ctx, position.phase)
    if same_for_all(limits) or (limits is not None and not limits.marches):
        return
    for rule in ctx.movement.marches:
        state = position.units[unit.id]
        if not fits(rule, unit, state) or not ctx.in_force(rule, position, state.hex):
            continue
        shut = _shut(one, rule)
        if start in shut:
            continue
        ways = frozenset(rule.ways)
        only = one.mover.only & ways if one.mover.only and ways else one.mover.only or ways
        if not only and ways:  # the phase has its own ways, and the march none of them
            continue
        spent = position.ledger.spent.get(unit.id, 0)
        yield replace(
            one,
            mover=replace(one.mover, only=only),
            later=replace(one.later, only=only),
            allowance=(one.allowance + spent) * rule.times + rule.more - spent,
            held={**dict.fromkeys(shut, ()), **one.held},
            march=rule,
        )


def _shut(one: Traveller, rule: March) -> frozenset[Hex]:
    """The hexes that who marches does not touch."""
    if rule.clear_of == "nothing":
        return frozenset()
    if rule.clear_of == "zones":
        return one.zone
    near = one.ctx.map.grid.neighbours
    return frozenset(h for held in one.position.boards[one.position.enemy(one.unit.side)].at for h in near[held])


def marched(ctx: Context, position: Position, line: int, travellers: Iterable[Traveller]) -> Outcome:
    """The marches of a stack noted, and a finding where more march in the turn than the game lets."""
    rules, found = ctx.movement.marches, []
    for one in (one for one in travellers if one.march is not None):
        use, unit = one.march, one.unit.id
        assert use is not None
        key = rules.index(use)
        count = position.ledger.marched.get(key, 0) + taken_by(ctx, position, unit, use)
        position = position.noted(marched={**position.ledger.marched, key: count})
        if use.most is not None and count > use.most:
            told = {"computed": count, "count": count, "limit": use.most}
            found.append(ctx.found(line, "march-capacity", section=use.section, units=(unit,), **told))
    return Outcome(position, tuple(found))
