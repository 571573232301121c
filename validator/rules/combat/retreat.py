"""Retreats after combat (5.3), off the map too (4.2.2), and the units that they displace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from ....scenarios.schema.rules_combat import Distance
from ....scenarios.text.hexgrid import Hex
from ....scenarios.text.words import Term, message
from ...notation import kinds, statements
from ..findings import Finding
from ..ground import HexStep
from ..move_effects import passes
from ..position import Departure
from . import retreat_ways
from .aftermath import Aftermath, Overfull
from .encirclement import barred_in_retreat, free_hexes, receives, room, settled, too_many
from .retreat_ways import cornered, deadly, makes_room, prices, second_movement, water_price


def retreat(after: Aftermath, act: statements.Retreat) -> Aftermath:
    """Units of a `retreat` line go where it says; what is wrong with that is found fault with."""
    for unit in dict.fromkeys(act.units):
        missing = after.missing(unit, act.line, after.battle.rules.sections.retreat)
        after = after.adding(missing) if missing else _retreat(after, unit, act)
    return after


def _retreat(after: Aftermath, unit: str, act: statements.Retreat) -> Aftermath:
    hex_ = after.position.units[unit].hex
    assert hex_ is not None
    path, found, whole = _path(after, unit, act, hex_)
    after = after.adding(found)
    if not whole:
        return _as_told(after, unit, act, hex_)
    if _is_displaced(after, unit, hex_):
        return _displace(after, unit, act, path)
    if _goes_on(after, unit, act, path):
        # Two movements in one line: the second has the conditions and the price of whoever makes room.
        first = replace(act, path=path[:2], edge=None)
        return _displace(_fall_back(after, unit, first, path[:2]), unit, act, path[1:])
    return _fall_back(after, unit, act, path)


def _as_told(after: Aftermath, unit: str, act: statements.Retreat, hex_: Hex) -> Aftermath:
    """A retreat by a way that does not hang together: the unit stands where the players say, and that is all."""
    after = after.noted(retreated=after.retreated | {unit})
    last = act.path[-1] if act.path else ""
    return after.put(unit, (hex_, last)) if act.edge is None and last in after.position.grid else after


def _path(
    after: Aftermath, unit: str, act: statements.Retreat, hex_: Hex
) -> tuple[tuple[Hex, ...], list[Finding], bool]:
    """The hexes from where the unit stands to where it ends, findings, and whether the hexes hang together."""
    path = tuple(h for h in act.path if h != kinds.OPEN)
    found = []
    led = act.path[:1] == (kinds.OPEN,)
    if (led or len(path) == 1) and path[0] != hex_ and act.edge is None:
        path = (hex_, *path)  # only where it ends was written, or through where it goes
    strayed = not path or path[0] != hex_
    if strayed:
        start = path[0] if path else "-"
        found = [
            after.battle.found(
                act.line, "wrong-start", units=(unit,), hexes=(hex_,), unit=unit, where=hex_, hex=start
            )
        ]
        path = (hex_, *path[1:])
    breaks = after.breaks(path, act.line, after.battle.rules.sections.retreat)
    # That who strayed jumps on with the first step is no second fault.
    found += [f for f in breaks if not (strayed and f.hexes[0] == hex_)]
    return path, found, not breaks


def _is_displaced(after: Aftermath, unit: str, hex_: Hex) -> bool:
    side = after.ctx.units[unit].side
    filled = any(o.hex == hex_ and o.side == side for o in after.overfull)
    if not filled or not makes_room(after) or settled(after.ctx, after.position, hex_, side):
        return False
    return not after.must_retreat(unit) or unit in after.retreated


def _goes_on(after: Aftermath, unit: str, act: statements.Retreat, path: tuple[Hex, ...]) -> bool:
    """Whether a unit makes room itself in the full hex to which it was free to retreat (5.3.1)."""
    steps = len(path) - 1 + (act.edge is not None)
    if steps != 2 or len(path) < 2 or isinstance(after.battle.rules.retreat.way, Distance):
        return False
    if not makes_room(after) or unit in after.advanced:
        return False
    ctx, position, first, side = after.ctx, after.position, path[1], after.ctx.units[unit].side
    return first in free_hexes(ctx, position, unit) and not room(ctx, position, first, side, unit)


def _fall_back(after: Aftermath, unit: str, act: statements.Retreat, path: tuple[Hex, ...]) -> Aftermath:
    if after.demands is not None and not (after.must_retreat(unit) or after.open_to(unit)):
        after = after.adding([after.battle.found(act.line, "no-retreat", units=(unit,), hexes=path, unit=unit)])
    elif unit in after.retreated:
        after = after.adding([after.battle.found(act.line, "retreat-twice", units=(unit,), hexes=path, unit=unit)])
    if unit in after.advanced:
        # Whoever went forward first owes his retreat still: back from there is none.
        return after.put(unit, path) if act.edge is None else after
    after = after.noted(retreated=after.retreated | {unit})
    if act.edge is not None:
        return _leave(after, unit, act, path, act.edge)
    charged = _charged(after, unit, path)
    due = prices(after, unit, charged, act.line, hit=unit in after.hit) if len(charged) > 1 else []
    after = after.adding(_check_way(after, unit, act.line, path)).noted(went={**after.went, unit: path})
    after = after.put(unit, path).priced(unit, due)
    return after if deadly(after, unit, due) else _crowds(after, unit, act.line, path[-1])


def _charged(after: Aftermath, unit: str, path: tuple[Hex, ...]) -> tuple[Hex, ...]:
    """The part of a retreat's path that has its price: two hexes only for who had no free one."""
    if isinstance(after.battle.rules.retreat.way, Distance):
        return path
    return path if len(path) == 3 and not free_hexes(after.ctx, after.position, unit) else path[:2]


def _check_way(after: Aftermath, unit: str, line: int, path: tuple[Hex, ...]) -> Iterator[Finding]:
    """Findings on a retreat on the map."""
    battle, sections = after.battle, after.battle.rules.sections
    ctx, position = after.ctx, after.position
    side, count = ctx.units[unit].side, len(path) - 1
    if isinstance(rule := battle.rules.retreat.way, Distance):
        yield from _check_hexes(after, unit, line, path)
        yield from retreat_ways.check(after, unit, line, path, rule)
        return
    if not 1 <= count <= 2:
        yield battle.found(line, "retreat-length", units=(unit,), unit=unit, count=count)
        return
    yield from _check_hexes(after, unit, line, path)
    free, first = free_hexes(ctx, position, unit), path[1]
    if count == 1 and not position.safe(first, side) and not position.at(first, position.enemy(side)):
        section = sections.retreat if free else sections.encircled
        yield battle.found(line, "enemy-zone", section=section, units=(unit,), hexes=(first,), unit=unit, hex=first)
    if count == 2 and free:
        yield battle.found(line, "free-hex", units=(unit,), hexes=free, unit=unit, hexes_free=" ".join(free))


def _check_hexes(after: Aftermath, unit: str, line: int, path: tuple[Hex, ...]) -> Iterator[Finding]:
    """Findings on the hexes that a retreat enters: enemies in them, ground that bars the unit."""
    side = after.ctx.units[unit].side
    for a, b in pairwise(path):
        if after.position.at(b, after.position.enemy(side)):
            yield after.battle.found(line, "enemy-hex", units=(unit,), hexes=(b,), unit=unit, hex=b)
            continue
        barred = barred_in_retreat(after.ctx, after.position, unit, a, b)
        if barred is not None:
            yield after.battle.found(
                line,
                _barred_by(after, barred),
                units=(unit,),
                hexes=(b,),
                unit=unit,
                a=a,
                hex=b,
                what=after.ctx.term(barred.what),
            )


def _barred_by(after: Aftermath, step: HexStep) -> str:
    """The kind of finding on a step that is barred in retreat: by a bond, by water, or the ground."""
    if step.key == "zone-bond":
        return step.key
    if step.key == "uncleared":
        return "barred-uncleared"
    line = after.battle.tables.hexsides.get(step.what)
    return "barred-across" if line is not None and line.water else "barred"


def _leave(
    after: Aftermath, unit: str, act: statements.Retreat, path: tuple[Hex, ...], edge: statements.EdgeName
) -> Aftermath:
    """Off the map by an edge: which edge decides whether the unit lives (4.2.2)."""
    rule, last = after.battle.rules.off_map, path[-1]
    after = after.adding(_check_leaving(after, unit, act.line, path, edge))
    hit = unit in after.hit
    due = [p for a, b in pairwise(path) if (p := water_price(after, unit, a, b, act.line, hit=hit)) is not None]
    way = after.battle.rules.retreat.way
    if isinstance(way, Distance):
        due += retreat_ways.zone_prices(after, unit, path, act.line) if way.zones == "loss" else []
    elif len(path) > 1 and not free_hexes(after.ctx, after.position, unit):
        due += second_movement(after, unit, path[1], act.line, hit=hit)
    destroyed = rule is not None and edge in rule.destroyed.get(after.ctx.units[unit].side, ())
    position = passes(after.ctx, after.position, unit, path[1:])
    departure = Departure(position.turn, edge, last)
    position = position.take_off(unit, "eliminated" if destroyed else "retreated", left=departure)
    return after.priced(unit, due).at(position)


def _check_leaving(
    after: Aftermath, unit: str, line: int, path: tuple[Hex, ...], edge: statements.EdgeName
) -> Iterator[Finding]:
    """Findings on a retreat off the map, by the last hex of `path`."""
    battle, last = after.battle, path[-1]
    rule, way = battle.rules.off_map, battle.rules.retreat.way
    if rule is None:
        yield battle.found(line, "leaves-map", units=(unit,), hexes=(last,), unit=unit, hex=last)
        return
    if last not in after.ctx.ground.edge(edge) and last not in rule.gaps.get(edge, ()):
        where = Term("edges", edge)
        yield battle.found(line, "edge", units=(unit,), hexes=(last,), declared=where, hex=last, edge=where)
    if isinstance(way, Distance):
        yield from retreat_ways.check_leaving(after, unit, line, path, way)
    elif len(path) > 2 or (len(path) > 1 and free_hexes(after.ctx, after.position, unit)):
        yield battle.found(line, "retreat-length", units=(unit,), unit=unit, count=len(path))
    elif after.ctx.option("retreat_off_map") == "forced" and (free := free_hexes(after.ctx, after.position, unit)):
        yield battle.found(line, "leaves-freely", units=(unit,), hexes=free, unit=unit, hexes_free=" ".join(free))
    yield from _check_hexes(after, unit, line, path)


def _displace(after: Aftermath, unit: str, act: statements.Retreat, path: tuple[Hex, ...]) -> Aftermath:
    """A unit that makes room for one that retreats moves on one hex, which is a retreat too (5.3.1, 5.3.2)."""
    after = after.noted(displaced={**after.displaced, unit: path[0]})
    if act.edge is not None:
        return _leave(after, unit, act, path, act.edge)
    if len(path) != 2:
        after = after.adding([after.battle.found(act.line, "chain-length", units=(unit,), hexes=path)])
    if len(path) < 2:
        return after
    due = prices(after, unit, path[:2], act.line, hit=unit in after.hit)
    after = after.adding(_check_chain(after, unit, act.line, path)).put(unit, path).priced(unit, due)
    return after if deadly(after, unit, due) else _crowds(after, unit, act.line, path[-1])


def _crowds(after: Aftermath, unit: str, line: int, hex_: Hex) -> Aftermath:
    """The same, with a hex noted in which too many stand since a unit has come."""
    side = after.ctx.units[unit].side
    if settled(after.ctx, after.position, hex_, side):
        return after
    return after.noted(overfull=(*after.overfull, Overfull(hex_, side, line)))


def _check_chain(after: Aftermath, unit: str, line: int, path: tuple[Hex, ...]) -> Iterator[Finding]:
    ctx, position, hex_, side = after.ctx, after.position, path[-1], after.ctx.units[unit].side
    barred = barred_in_retreat(ctx, position, unit, path[-2], hex_)
    why = None
    if position.at(hex_, position.enemy(side)):
        why = "enemy"
    elif not position.safe(hex_, side):
        why = "zone"
    elif barred is not None:
        why = "terrain"
    elif not receives(ctx, position, unit, hex_):
        why = "full"
    if why is not None:
        yield after.battle.found(
            line,
            "chain-hex",
            units=(unit,),
            hexes=(hex_,),
            unit=unit,
            hex=hex_,
            why=message(f"findings.why.{why}"),
        )


def _bought_off(after: Aftermath, unit: str) -> bool:
    """Whether steps were lost in place of a unit's retreat, as the result let its side."""
    back = after.retreat_of(unit)
    if back is None or not back.instead:
        return False
    return after.bought(unit) >= (back.hexes if back.instead_of == "hexes" else back.instead)


def _paid_for(after: Aftermath) -> Iterator[Finding]:
    """Units that retreat although steps were lost in place of their retreat, or not as far as the rest asks for."""
    way = after.battle.rules.retreat.way
    for part in (after.defenders, after.engaged):
        back = {u: after.retreat_of(u) for u in part if u in after.retreated}
        both = [u for u, rule in back.items() if rule and rule.instead_of != "hexes" and after.bought(u)]
        if both:
            yield after.battle.found(after.line, "retreat-paid", units=both, unit=" ".join(both))
        for unit, rule in back.items():
            if rule and rule.instead_of == "hexes" and unit in after.went and isinstance(way, Distance):
                yield from retreat_ways.check_length(after, unit, after.line, after.went[unit], way)


def check_retreats(after: Aftermath) -> Iterator[Finding]:
    """At the end: nobody stands where there is no room, and all who must have gone (unless a part is told)."""
    yield from _paid_for(after)
    crowded = {over.hex: over for over in reversed(after.overfull)}
    for over in dict.fromkeys(crowded[o.hex] for o in after.overfull):
        gone = [u for u, hex_ in after.displaced.items() if hex_ == over.hex]
        key = "overstacked-still" if gone else "overstacked"
        crowd = too_many(after.ctx, after.position, over.line, over.hex, over.side, key=key, gone=" ".join(gone))
        yield from crowd
    if after.ctx.partial or after.demands is None:
        return
    stayed = [u for u in after.home if _stayed(after, u)]
    there = _where_they_stood(after, stayed)
    stuck = [u for u in stayed if cornered(there, u, after.line) is not there]
    for unit in stuck:
        stayed.remove(unit)
        (price, *_) = cornered(there, unit, after.line).prices[unit]
        yield after.battle.found(
            price.line, "retreat-loss-missing", section=price.section, units=(unit,), unit=unit, why=price.why
        )
    if stayed:
        text, told = after.demands.text, " ".join(stayed)
        choice = all((back := after.retreat_of(u)) is not None and back.instead for u in stayed)
        yield after.battle.found(
            after.line,
            "retreat-missing-choice" if choice else "retreat-missing",
            units=stayed,
            declared=after.declared,
            result=text,
            units_told=told,
        )


def _stayed(after: Aftermath, unit: str) -> bool:
    """Whether a unit that the result drives back did not go; to have advanced pays for nothing.

    Whose advance was a mistake already has made that one.
    """
    owes = after.must_retreat(unit) and unit not in after.retreated and not _bought_off(after, unit)
    if after.demands and after.demands.exchange and unit not in after.exchanged:
        # Who is alone and has to give up a unit is the price himself: that alone is missed of him.
        alone = after.defenders if after.second == "attacker" else after.engaged
        owes = owes and alone != (unit,)
    if unit in after.advanced and any(f.code == "advance" and unit in f.units for f in after.findings):
        return False
    return owes and after.position.hex_of(unit) is not None and after.home[unit] is not None


def _where_they_stood(after: Aftermath, units: Iterable[str]) -> Aftermath:
    """The same with units that have gone forward since where they stood when the dice fell."""
    position = after.position
    for unit in units:
        position = position.set(unit, hex=after.home[unit])
    return after.at(position)
