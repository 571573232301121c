"""Advances after combat (5.2)."""

from __future__ import annotations

import itertools
from typing import Final

from hexforge.scenarios.hexgrid import Hex, side
from hexforge.scenarios.words import Term, message
from hexforge.validator.readers import statements as st
from hexforge.validator.referee.binding import bound
from hexforge.validator.referee.combat.aftermath import Books
from hexforge.validator.referee.combat.desk import Desk
from hexforge.validator.referee.combat.encirclement import ground_step
from hexforge.validator.referee.passing import passes
from hexforge.validator.referee.terrain import dominance_doubt, dominates

_REASONS: Final = {
    "river-crossing": "bad-crossing",
    "bridge-closed": "bad-bridge",
    "prohibited-terrain": "advance-barred",
}
"""What an advance over ground that bars it is told, by what bars a move there."""


def advance(desk: Desk, books: Books, act: st.Advance) -> None:
    """Units of an `advance` line go where it says; what is wrong with that is found fault with."""
    section = desk.rules.sections.advance
    for unit in dict.fromkeys(act.units):
        if unit not in desk.position.roster:
            desk.find(act.line, "unknown-unit", section=section, units=(unit,), unit=unit)
            continue
        hex_ = desk.position.hex_of(unit)
        if hex_ is None:
            desk.find(act.line, "not-on-map", section=section, units=(unit,), unit=unit)
            continue
        path = _path(desk, act, hex_)
        if path is None:
            last = act.path[-1] if act.path else ""
            if last in desk.position.grid:
                desk.position = passes(desk.ctx, desk.position.put(unit, last), unit, (last,))
            continue
        before = len(desk.findings)
        _check_who(desk, books, unit, act.line)
        if len(desk.findings) == before:
            _check_way(desk, books, unit, act.line, path)
            _check_post(desk, books, unit, act.line, hex_)
        books.advanced.add(unit)
        desk.position = passes(desk.ctx, desk.position.put(unit, path[-1]), unit, path[1:])
    _check_stack(desk, act)


def _path(desk: Desk, act: st.Advance, hex_: Hex) -> tuple[Hex, ...] | None:
    """The hexes from where the unit stands; the sheet may leave out the first."""
    section = desk.rules.sections.advance
    path = tuple(h for h in act.path if h != st.OPEN)
    if not path or path[0] != hex_:
        path = (hex_, *path)
    strange = [h for h in path if h not in desk.position.grid]
    if strange:
        desk.find(act.line, "unknown-hex", section=section, hexes=strange, hex=strange[0])
        return None
    for a, b in desk.position.grid.gaps(path):
        desk.find(act.line, "path-gap", section=section, hexes=(a, b), a=a, b=b)
        return None
    return path if len(path) > 1 else None


def _check_who(desk: Desk, books: Books, unit: str, line: int) -> None:
    who = desk.unit(unit)
    if books.demands is not None and not books.demands.advance:
        text = books.demands.text
        desk.find(line, "no-victory", units=(unit,), declared=text, result=text)
    elif unit not in books.engaged:
        desk.find(line, "no-advance", units=(unit,), unit=unit)
    elif unit in books.retreated:
        desk.find(line, "retreated", units=(unit,), unit=unit)
    elif unit in books.advanced:
        desk.find(line, "advanced-before", units=(unit,), unit=unit)
    elif who.is_any(desk.rules.advance.none):
        desk.find(line, "never-advances", units=(unit,), unit=unit, type=Term("unit_types", who.type))


def _check_way(desk: Desk, books: Books, unit: str, line: int, path: tuple[Hex, ...]) -> None:
    who = desk.unit(unit)
    first = path[1]
    if first not in books.targets:
        target = books.targets[0] if books.targets else first
        desk.find(line, "not-vacated", units=(unit,), hexes=(first,), hex=target)
        return
    for hex_ in path[1:]:
        if desk.position.at(hex_, desk.position.enemy(who.side)):
            desk.find(line, "still-held", units=(unit,), hexes=(hex_,), hex=hex_)
            return
    count, most = len(path) - 1, 2 if who.is_any(desk.rules.advance.two) else 1
    if count > most:
        desk.find(
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
    for a, b in itertools.pairwise(path):
        if not _check_step(desk, unit, line, a, b):
            return
    if count == 2:
        _check_second(desk, unit, line, path)


def _check_post(desk: Desk, books: Books, unit: str, line: int, hex_: Hex) -> None:
    """A garrison does not leave its hex to follow up either, unless the enemy who gave way had dominated it."""
    ctx, who = desk.ctx, desk.unit(unit)
    bond = next((b for b in bound(ctx, desk.position, who) if b.key == "garrison"), None)
    if bond is None or any(dominates(ctx, t, ctx.enemy(who.side), hex_) for t in books.targets):
        return
    doubt = bond.doubt or dominance_doubt(ctx, hex_, books.targets)
    desk.find(
        line, bond.key, section=bond.section, hexes=(hex_,), units=(unit,), doubts=(doubt,), unit=unit, hex=hex_
    )


def _check_step(desk: Desk, unit: str, line: int, a: Hex, b: Hex) -> bool:
    """Terrain and water that bar a unit bar its advance."""
    step = ground_step(desk, unit, a, b)
    if not step.code:
        return True
    desk.find(
        line,
        _REASONS[step.code] if step.key != "barred-hex" else "retreat-only",
        units=(unit,),
        hexes=(a, b),
        doubts=(step.doubt,) if step.doubt else (),
        unit=unit,
        a=a,
        b=b,
        hex=b,
        what=desk.ctx.term(step.what),
    )
    return False


def _check_second(desk: Desk, unit: str, line: int, path: tuple[Hex, ...]) -> None:
    rule = desk.rules.advance
    start, first, second = path
    side_id, terrain = desk.unit(unit).side, desk.ctx.map.terrain
    if first in desk.position.zoc_against(side_id):
        desk.find(line, "zone-stop", units=(unit,), hexes=(first,), unit=unit, hex=first)
        return
    for hex_, allowed, key in (
        (first, rule.first_terrain, "first-terrain"),
        (second, rule.second_terrain, "second-terrain"),
    ):
        wrong = [t for t in terrain[hex_] if t not in allowed]
        if wrong or (hex_ in desk.ctx.map.fortified and "fortified" in rule.bars):
            desk.find(
                line,
                key,
                units=(unit,),
                hexes=(hex_,),
                doubts=desk.terrain_doubts(hex_),
                unit=unit,
                hex=hex_,
                what=Term("terrain", wrong[0]) if wrong else message("findings.cause.fortification"),
            )
            return
    ground = desk.ctx.ground
    for a, b in ((start, first), (first, second)) if rule.along else ():
        if set(rule.along).isdisjoint(ground.links.get(side(a, b), ())):
            doubt = ground.side_doubt(side(a, b))
            desk.find(line, "no-road", units=(unit,), hexes=(a, b), doubts=(doubt,) if doubt else (), a=a, b=b)
            return
    between = [k for k in sorted(ground.hexsides.get(side(first, second), ())) if k in rule.bars]
    if between:
        doubt = ground.side_doubt(side(first, second))
        desk.find(
            line,
            "line-between",
            units=(unit,),
            hexes=(first, second),
            doubts=(doubt,) if doubt else (),
            what=Term("hexsides", between[0]),
            a=first,
            b=second,
        )


def _check_stack(desk: Desk, act: st.Advance) -> None:
    rule = desk.ctx.rules.stacking
    for unit in dict.fromkeys(act.units):
        hex_ = desk.position.hex_of(unit)
        if hex_ is None:
            continue
        units = desk.position.at(hex_, desk.unit(unit).side)
        if len(units) > rule.limit:
            desk.find(
                act.line,
                "stacking",
                section=rule.section,
                units=units,
                hexes=(hex_,),
                computed=len(units),
                count=len(units),
                hex=hex_,
                limit=rule.limit,
            )
            return
