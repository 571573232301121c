"""Retreats after combat (5.3), off the map too (4.2.2), and the units that they displace."""

from __future__ import annotations

import itertools

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.words import Term, message
from hexforge.validator.readers import statements as st
from hexforge.validator.referee.combat.aftermath import Books, Overfull
from hexforge.validator.referee.combat.desk import Desk
from hexforge.validator.referee.combat.encirclement import barred_in_retreat, free_hexes, room, safe
from hexforge.validator.referee.combat.escape import deadly, prices, water_price
from hexforge.validator.referee.passing import passes
from hexforge.validator.referee.state import Departure


def retreat(desk: Desk, books: Books, act: st.Retreat) -> None:
    """Units of a `retreat` line go where it says; what is wrong with that is found fault with."""
    sections = desk.rules.sections
    for unit in dict.fromkeys(act.units):
        if unit not in desk.position.roster:
            desk.find(act.line, "unknown-unit", section=sections.retreat, units=(unit,), unit=unit)
            continue
        hex_ = desk.position.hex_of(unit)
        if hex_ is None:
            desk.find(act.line, "not-on-map", section=sections.retreat, units=(unit,), unit=unit)
            continue
        path = _path(desk, unit, act, hex_)
        if path is None:
            _as_told(desk, books, unit, act)
            continue
        if _is_displaced(desk, books, unit, hex_):
            _displace(desk, books, unit, act, path)
        else:
            _fall_back(desk, books, unit, act, path)


def _as_told(desk: Desk, books: Books, unit: str, act: st.Retreat) -> None:
    """A retreat by a way that does not hang together: the unit stands where the players say, and that is all."""
    books.retreated[unit] = act.line
    last = act.path[-1] if act.path else ""
    if act.edge is None and last in desk.position.grid:
        desk.position = passes(desk.ctx, desk.position.put(unit, last), unit, (last,))


def _path(desk: Desk, unit: str, act: st.Retreat, hex_: Hex) -> tuple[Hex, ...] | None:
    """The hexes from where the unit stands to where it ends; None if they do not hang together."""
    section = desk.rules.sections.retreat
    path = tuple(h for h in act.path if h != st.OPEN)
    strayed = not path or path[0] != hex_
    if strayed:
        start = path[0] if path else "-"
        desk.find(act.line, "wrong-start", units=(unit,), hexes=(hex_,), unit=unit, where=hex_, hex=start)
        path = (hex_, *path[1:])
    strange = [h for h in path if h not in desk.position.grid]
    if strange:
        desk.find(act.line, "unknown-hex", section=section, hexes=strange, hex=strange[0])
        return None
    for a, b in desk.position.grid.gaps(path):
        if not (strayed and a == hex_):
            desk.find(act.line, "path-gap", section=section, hexes=(a, b), a=a, b=b)
        return None
    return path


def _is_displaced(desk: Desk, books: Books, unit: str, hex_: Hex) -> bool:
    side = desk.unit(unit).side
    crowded = any(o.hex == hex_ and o.side == side for o in books.overfull) and not room(desk, hex_, side, 0)
    return crowded and not (books.must_retreat(unit) and unit not in books.retreated)


def _fall_back(desk: Desk, books: Books, unit: str, act: st.Retreat, path: tuple[Hex, ...]) -> None:
    if books.demands is not None and not books.must_retreat(unit):
        desk.find(act.line, "no-retreat", units=(unit,), hexes=path, unit=unit)
    elif unit in books.retreated:
        desk.find(act.line, "retreat-twice", units=(unit,), hexes=path, unit=unit)
    books.retreated[unit] = act.line
    if act.edge is not None:
        _leave(desk, books, unit, act, path)
        return
    books.went[unit] = path
    charged = _check_way(desk, books, unit, act.line, path)
    side = desk.unit(unit).side
    found = prices(desk, books, unit, charged, act.line, hit=unit in books.hit) if len(charged) > 1 else []
    desk.position = passes(desk.ctx, desk.position.put(unit, path[-1]), unit, path[1:])
    if found:
        books.prices.setdefault(unit, []).extend(found)
    if not deadly(desk, unit, found) and not room(desk, path[-1], side, 0):
        books.overfull.append(Overfull(path[-1], side, act.line))


def _check_way(desk: Desk, books: Books, unit: str, line: int, path: tuple[Hex, ...]) -> tuple[Hex, ...]:
    """Findings on a retreat on the map. Gives the part of the path that has its price."""
    sections = desk.rules.sections
    side, count = desk.unit(unit).side, len(path) - 1
    free = free_hexes(desk, unit)
    if not 1 <= count <= 2:
        desk.find(line, "retreat-length", units=(unit,), unit=unit, count=count)
        return path[:2]
    for a, b in itertools.pairwise(path):
        _check_hex(desk, unit, line, a, b)
    if count == 1:
        if not safe(desk, path[1], side) and not desk.position.at(path[1], desk.position.enemy(side)):
            section = sections.retreat if free else sections.encircled
            desk.find(line, "enemy-zone", section=section, units=(unit,), hexes=(path[1],), unit=unit, hex=path[1])
        return path
    through_full = safe(desk, path[1], side) and not room(desk, path[1], side)
    if free and not through_full:
        desk.find(line, "free-hex", units=(unit,), hexes=free, unit=unit, hexes_free=" ".join(free))
    if free:
        return path[:2]
    return path


def _check_hex(desk: Desk, unit: str, line: int, a: Hex, b: Hex) -> None:
    if desk.position.at(b, desk.position.enemy(desk.unit(unit).side)):
        desk.find(line, "enemy-hex", units=(unit,), hexes=(b,), unit=unit, hex=b)
        return
    barred = barred_in_retreat(desk, unit, a, b)
    if barred is not None:
        desk.find(
            line,
            "barred",
            units=(unit,),
            hexes=(b,),
            doubts=(barred.doubt,) if barred.doubt else (),
            unit=unit,
            hex=b,
            what=Term("terrain", barred.what),
        )


def _leave(desk: Desk, books: Books, unit: str, act: st.Retreat, path: tuple[Hex, ...]) -> None:
    """Off the map by an edge: which edge decides whether the unit lives (4.2.2)."""
    assert act.edge is not None
    rule = desk.rules.off_map
    last, side = path[-1], desk.unit(unit).side
    if last not in desk.ctx.ground.edge(act.edge) and last not in rule.gaps.get(act.edge, ()):
        desk.find(
            act.line,
            "edge",
            units=(unit,),
            hexes=(last,),
            declared=act.edge,
            hex=last,
            edge=Term("edges", act.edge),
        )
    if len(path) > 1:
        free = free_hexes(desk, unit)
        if free or len(path) > 2:
            desk.find(act.line, "retreat-length", units=(unit,), unit=unit, count=len(path))
        for a, b in itertools.pairwise(path):
            _check_hex(desk, unit, act.line, a, b)
            price = water_price(desk, unit, a, b, act.line, hit=unit in books.hit)
            if price is not None:
                books.prices.setdefault(unit, []).append(price)
    departure = Departure(desk.turn, act.edge, last)
    destroyed = act.edge in rule.destroyed.get(side, ())
    desk.position = passes(desk.ctx, desk.position, unit, path[1:])
    desk.position = desk.position.take_off(unit, "eliminated" if destroyed else "retreated", left=departure)


def _displace(desk: Desk, books: Books, unit: str, act: st.Retreat, path: tuple[Hex, ...]) -> None:
    """A unit that makes room for one that retreats moves on one hex, without loss (5.3.1)."""
    side = desk.unit(unit).side
    books.displaced.add(unit)
    if act.edge is not None:
        _leave(desk, books, unit, act, path)
        return
    if len(path) != 2:
        desk.find(act.line, "chain-length", units=(unit,), hexes=path)
        if len(path) < 2:
            return
    hex_ = path[-1]
    barred = barred_in_retreat(desk, unit, path[-2], hex_)
    why = None
    if desk.position.at(hex_, desk.position.enemy(side)):
        why = "enemy"
    elif not safe(desk, hex_, side):
        why = "zone"
    elif barred is not None:
        why = "terrain"
    elif not room(desk, hex_, side):
        why = "full"
    if why is not None:
        desk.find(
            act.line,
            "chain-hex",
            units=(unit,),
            hexes=(hex_,),
            doubts=(barred.doubt,) if barred is not None and barred.doubt else (),
            unit=unit,
            hex=hex_,
            why=message(f"findings.why.{why}"),
        )
    desk.position = passes(desk.ctx, desk.position.put(unit, hex_), unit, path[1:])


def check_retreats(desk: Desk, books: Books, *, complete: bool) -> None:
    """At the end: nobody stands where there is no room, and (if the sheet is `complete`) all who must have gone."""
    limit = desk.ctx.rules.stacking.limit
    seen: set[Hex] = set()
    for over in books.overfull:
        units = desk.position.at(over.hex, over.side)
        if len(units) > limit and over.hex not in seen:
            seen.add(over.hex)
            desk.find(
                over.line,
                "overstacked",
                units=units,
                hexes=(over.hex,),
                computed=len(units),
                count=len(units),
                hex=over.hex,
                limit=limit,
            )
    if not complete or books.demands is None:
        return
    stayed = [
        u
        for u, home in books.home.items()
        if books.must_retreat(u) and u not in books.retreated and desk.position.hex_of(u) == home and home
    ]
    if stayed:
        desk.find(
            books.line,
            "retreat-missing",
            units=stayed,
            declared=books.demands.text,
            result=books.demands.text,
            units_told=" ".join(stayed),
        )
