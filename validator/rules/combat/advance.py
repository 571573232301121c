"""Advances after combat (5.2)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from ....scenarios.schema.rules_combat import FarAdvance
from ....scenarios.text.hexgrid import Hex, side
from ....scenarios.text.words import Term, message
from ...notation import kinds, statements
from ..findings import Finding
from ..move_effects import bound, dominates
from .aftermath import Aftermath
from .conditions import Asked, Battle, Forces, asked_of
from .encirclement import barred_by_bond, ground_step, room, too_many
from .modifiers import bars
from .retreat_ways import in_zone

_REASONS: Final = {
    "river-crossing": "bad-crossing",
    "bridge-closed": "bad-bridge",
    "prohibited-terrain": "advance-barred",
}
"""What an advance over ground that bars it is told, by what bars a move there."""
_OWN: Final = {"barred-hex": "retreat-only", "uncleared": "advance-uncleared"}
"""What it is told where the bar is of a kind with words of its own."""


def advance(after: Aftermath, act: statements.Advance) -> Aftermath:
    """Units of an `advance` line go where it says; what is wrong with that is found fault with."""
    for unit in dict.fromkeys(act.units):
        missing = after.missing(unit, act.line, after.battle.rules.sections.advance)
        after = after.adding(missing) if missing else _advance(after, unit, act)
    return after.adding(_check_stack(after.battle, act))


def _advance(after: Aftermath, unit: str, act: statements.Advance) -> Aftermath:
    hex_ = after.position.units[unit].hex
    assert hex_ is not None
    path = tuple(h for h in act.path if h != kinds.OPEN)
    short = not path or path[0] != hex_
    if short:
        # The sheet may leave out the first hex.
        path = (hex_, *path)
    breaks = after.breaks(path, act.line, after.battle.rules.sections.advance)
    if short and breaks and breaks[0].hexes == path[:2]:
        # Where it stands is nothing that the line says, so that the line is not wrong by itself.
        a, b = path[:2]
        breaks = [after.battle.found(act.line, "advance-from", units=(unit,), hexes=(a, b), unit=unit, a=a, b=b)]
    if breaks or len(path) < 2:
        last = act.path[-1] if act.path else ""
        after = after.adding(breaks)
        return after.put(unit, (hex_, last)) if last in after.position.grid else after
    wrong = list(_check_who(after, unit, act.line)) or [
        *_check_way(after, unit, act.line, path),
        *_check_post(after, unit, act.line, hex_),
    ]
    return after.adding(wrong).noted(advanced=after.advanced | {unit}).put(unit, path)


def _check_who(after: Aftermath, unit: str, line: int) -> Iterator[Finding]:
    who, find = after.ctx.units[unit], after.battle.found
    rule = after.battle.rules.advance
    before = sum(after.part_of(u) == after.part_of(unit) for u in after.advanced)
    holds = _holds_out(after, unit)
    if not holds and after.demands is not None and rule.after == "result" and not after.demands.advance:
        text = after.demands.text
        yield find(line, "no-victory", units=(unit,), declared=after.declared, result=text)
    elif not holds and unit not in after.engaged:
        yield find(line, "no-advance", units=(unit,), unit=unit)
    elif unit in after.retreated:
        yield find(line, "retreated", units=(unit,), unit=unit)
    elif unit in after.advanced:
        yield find(line, "advanced-before", units=(unit,), unit=unit)
    elif rule.most is not None and before >= rule.most:
        yield find(line, "advance-most", units=(unit,), unit=unit, count=rule.most)
    elif stays := next(bars(after.battle, _asked(after, unit), unit, after.battle.modifiers.staying), None):
        cause = Term("modifiers", stays[0].name, stays[0].name.replace("_", " "))
        yield find(line, "stays", section=stays[0].section, units=(unit,), unit=unit, cause=cause)
    elif who.is_any(rule.none):
        yield find(line, "never-advances", units=(unit,), unit=unit, type=Term("unit_types", who.type))


def _asked(after: Aftermath, unit: str) -> Asked:
    """What conditions on the advance of a unit are asked of: its part in the combat, as the dice fell."""
    if after.whole is None:
        alone = Forces(after.targets, (unit,), (unit,))
        return Asked(alone, alone, after.battle)
    fell, forces = after.whole.fell, after.whole.whole
    return asked_of(fell, forces, "defenders" if unit in after.defenders else "attackers", unit)


def _holds_out(after: Aftermath, unit: str) -> bool:
    """Whether a unit was attacked with a result that lets those follow up who drove the enemy off."""
    if unit not in after.defenders:
        return False
    if after.demands is None:
        return any(result.defender.advance for result in after.battle.tables.results.values())
    return after.demands.defender.advance


def _enemies(after: Aftermath, unit: str) -> tuple[str, ...]:
    """Those against whom a unit fought next to them."""
    return after.engaged if unit in after.defenders else after.defenders


def _left(after: Aftermath, unit: str) -> tuple[Hex, ...]:
    """The hexes with which an advance may begin: the one attacked, or for who was attacked those of his enemies."""
    if unit not in after.defenders:
        return after.targets
    return tuple(dict.fromkeys(h for u in after.engaged if (h := after.home.get(u)) is not None))


def _check_way(after: Aftermath, unit: str, line: int, path: tuple[Hex, ...]) -> Iterator[Finding]:
    """The first thing that is wrong with the way of an advance."""
    battle, who = after.battle, after.ctx.units[unit]
    first, left = path[1], _left(after, unit)
    if first not in left:
        target = left[0] if left else first
        yield battle.found(line, "not-vacated", units=(unit,), hexes=(first,), hex=target)
        return
    for hex_ in path[1:]:
        if after.position.at(hex_, after.position.enemy(who.side)):
            yield battle.found(line, "still-held", units=(unit,), hexes=(hex_,), hex=hex_)
            return
    far = next((f for f in battle.rules.advance.far if not f.types or who.is_any(f.types)), None)
    count, most = len(path) - 1, _most(after, unit, far)
    if count > most:
        yield battle.found(
            line,
            "advance-length",
            units=(unit,),
            hexes=path,
            declared=count,
            computed=most,
            unit=unit,
            type=Term("unit_types", who.type),
            count=most,
        )
        return
    barred = [f for a, b in pairwise(path) for f in _check_step(after, unit, line, a, b)]
    second: Iterator[Finding] = iter(())
    if far is not None:
        second = _check_far(after, unit, line, path, far)
    elif count == 2:
        second = _check_second(after, unit, line, path)
    yield from barred[:1] or list(second)[:1]


def _most(after: Aftermath, unit: str, far: FarAdvance | None) -> int:
    """How many hexes a unit may advance."""
    if far is None:
        return 2 if after.ctx.units[unit].is_any(after.battle.rules.advance.two) else 1
    if far.hexes != "retreat":
        return far.hexes
    return max((len(after.went[u]) - 1 for u in _enemies(after, unit) if u in after.went), default=1)


def _check_far(after: Aftermath, unit: str, line: int, path: tuple[Hex, ...], far: FarAdvance) -> Iterator[Finding]:
    """What forbids to go on as a `far` advance: a way that nobody fled by, a zone before its end."""
    entered = path[1:]
    fled = (after.went[u] for u in _enemies(after, unit) if u in after.went)
    if far.way == "retreat" and len(entered) > 1 and not any(way[: len(entered)] == entered for way in fled):
        yield after.battle.found(line, "advance-astray", units=(unit,), hexes=entered, unit=unit)
    stopped = [h for h in entered[:-1] if in_zone(after, unit, h)] if far.zones == "stop" else []
    for hex_ in stopped[:1]:
        yield after.battle.found(line, "zone-stop", units=(unit,), hexes=(hex_,), unit=unit, hex=hex_)


def check_advances(after: Aftermath) -> Iterator[Finding]:
    """At the end: somebody has gone into a hex that the enemy left, where a game says that somebody must."""
    rule, position = after.battle.rules.advance, after.position
    if not rule.must or after.advanced or after.demands is None:
        return
    if rule.after == "result" and not after.demands.advance:
        return
    for hex_ in after.targets:
        able = [u for u in after.engaged if _able(after, u, hex_)] if not position.at(hex_) else []
        if able:
            yield after.battle.found(after.line, "advance-missing", units=able, hexes=(hex_,), hex=hex_)
            return


def _able(after: Aftermath, unit: str, hex_: Hex) -> bool:
    """Whether a unit that attacked may go into a hex next to it."""
    here, who = after.position.hex_of(unit), after.ctx.units[unit]
    if here is None or unit in after.retreated or who.is_any(after.battle.rules.advance.none):
        return False
    if any(bars(after.battle, _asked(after, unit), unit, after.battle.modifiers.staying)):
        return False
    near = after.position.grid.adjacent(here, hex_)
    free = near and not ground_step(after.ctx, after.position, unit, here, hex_).code
    ties = bound(after.ctx, after.position, who) if free else ()
    return (
        free
        and not ties
        and not barred_by_bond(after.ctx, after.position, unit, here, hex_)
        and room(after.ctx, after.position, hex_, who.side, unit)
    )


def _check_post(after: Aftermath, unit: str, line: int, hex_: Hex) -> Iterator[Finding]:
    """A garrison does not leave its hex to follow up either, unless the enemy who gave way had dominated it."""
    ctx, who = after.ctx, after.ctx.units[unit]
    bond = next((b for b in bound(ctx, after.position, who) if b.key == "garrison"), None)
    if bond is None or any(dominates(ctx, after.position, t, ctx.enemy(who.side), hex_) for t in after.targets):
        return
    yield ctx.found(line, bond.key, section=bond.section, hexes=(hex_,), units=(unit,), unit=unit, hex=hex_)


def _check_step(after: Aftermath, unit: str, line: int, a: Hex, b: Hex) -> Iterator[Finding]:
    """Terrain and water that bar a unit bar its advance, and so do bonds that always hold."""
    battle = after.battle
    if barred_by_bond(after.ctx, after.position, unit, a, b):
        yield battle.found(line, "zone-bond", units=(unit,), hexes=(b,), unit=unit, a=a, hex=b)
    step = ground_step(battle.ctx, battle.position, unit, a, b)
    if step.code:
        yield battle.found(
            line,
            _OWN.get(step.key, _REASONS[step.code]),
            units=(unit,),
            hexes=(a, b),
            unit=unit,
            a=a,
            b=b,
            hex=b,
            what=battle.ctx.term(step.what),
        )


def _in_a_zone(after: Aftermath, unit: str, hex_: Hex) -> bool:
    """Whether an enemy's zone closes the way on; units that this combat drove back have none here (option)."""
    side_id, which = after.ctx.units[unit].side, after.ctx.option("advance_stops_in_zones")
    if which == "none":
        return False
    fled = frozenset() if which == "all" else after.retreated | after.displaced.keys()
    enemies = (u for h in after.position.adjacent_enemies(hex_, side_id) for u in after.position.at(h))
    return any(u not in fled for u in enemies)


def _check_second(after: Aftermath, unit: str, line: int, path: tuple[Hex, ...]) -> Iterator[Finding]:
    """What forbids to go on after the hex that was attacked: zones, ground, no road, a line between."""
    battle = after.battle
    rule, ground, map_ = battle.rules.advance, battle.ctx.ground, battle.ctx.map
    start, first, second = path
    if _in_a_zone(after, unit, first):
        yield battle.found(line, "zone-stop", units=(unit,), hexes=(first,), unit=unit, hex=first)
    for hex_, allowed, key in (
        (first, rule.first_terrain, "first-terrain"),
        (second, rule.second_terrain, "second-terrain"),
    ):
        wrong = [t for t in map_.terrain[hex_] if t not in allowed]
        if wrong or (hex_ in map_.fortified and "fortified" in rule.bars):
            yield battle.found(
                line,
                key,
                units=(unit,),
                hexes=(hex_,),
                unit=unit,
                hex=hex_,
                what=Term("terrain", wrong[0]) if wrong else message("findings.cause.fortification"),
            )
    for a, b in ((start, first), (first, second)) if rule.along else ():
        if set(rule.along).isdisjoint(ground.links.get(side(a, b), ())):
            yield battle.found(line, "no-road", units=(unit,), hexes=(a, b), a=a, b=b)
    between = [k for k in sorted(ground.hexsides.get(side(first, second), ())) if k in rule.bars]
    if between:
        yield battle.found(
            line,
            "line-between",
            units=(unit,),
            hexes=(first, second),
            what=Term("hexsides", between[0]),
            a=first,
            b=second,
        )


def _check_stack(battle: Battle, act: statements.Advance) -> list[Finding]:
    """A finding on the first hex that an advance fills beyond what may stand there."""
    hexes = [(h, battle.unit(u).side) for u in dict.fromkeys(act.units) if (h := battle.position.hex_of(u))]
    found = (too_many(battle.ctx, battle.position, act.line, hex_, side) for hex_, side in hexes)
    return next(filter(None, found), [])
