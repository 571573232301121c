"""Batteries that never move, and one of them that may have been moved before the game began.

Units near the coast that may not move in the first phases, until the enemy comes near.

Movement of whatever else moves: hexes that are joined to few others, and who waits at the coast.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from ...scenarios.schema.extension import Alert, FixedGuns, HiddenGuns
from ...scenarios.text.hexgrid import Hex, map_letter
from ...scenarios.text.words import message
from ..notation import statements_accounts
from . import accounts_carriers, accounts_cut_off
from .accounts_bench import Bench


def is_fixed(bench: Bench, id_: str) -> bool:
    """Whether a piece is a battery that never moves."""
    rule = bench.rules.fixed_guns
    return rule is not None and (bench.is_of(id_, *rule.kinds) or is_hidden(bench, id_))


def is_hidden(bench: Bench, id_: str) -> bool:
    """Whether a name is that of the battery in one of two hexes, or of one of its markers."""
    rule = bench.rules.hidden_guns
    return rule is not None and id_ in (rule.guns, *rule.markers)


def stays(bench: Bench, id_: str) -> None:
    """`move` of a battery: never."""
    rule = bench.rules.fixed_guns
    bench.by(rule)
    bench.breaks("never-moves", unit=id_)


def forced(bench: Bench, rule: FixedGuns, s: statements_accounts.Forced) -> None:
    """`retreat`: a battery that has to is eliminated; of others these rules say nothing."""
    if not _is_battery(bench, s.unit):
        return
    if _is_gone(bench, s.unit):
        bench.breaks("gone", unit=s.unit)
    if s.path:
        bench.breaks("dies-in-place", unit=s.unit)
    lose(bench, s.unit)


def _is_battery(bench: Bench, id_: str) -> bool:
    """Whether these rules speak of a piece; a finding on one that nobody knows, or that is no battery."""
    if bench.piece(id_) is None:
        return False
    if not is_fixed(bench, id_):
        bench.leaves(units=(id_,))
        return False
    return True


def lose(bench: Bench, id_: str) -> None:
    """A piece is eliminated; the steps that go with it are lost where such losses are recorded."""
    if bench.books.state(id_).where != "eliminated":
        accounts_cut_off.note_end(bench, id_)
    bench.books = bench.books.put(id_, where="eliminated", hex="")
    bench.follows("eliminated", True, id_)


def _is_gone(bench: Bench, id_: str) -> bool:
    """Whether a battery is eliminated, by its own name or by that of its marker."""
    rule = bench.rules.hidden_guns
    names = (rule.guns, rule.markers[0]) if rule is not None else ()
    return any(bench.books.state(n).where == "eliminated" for n in (names if id_ in names else (id_,)))


def fire(bench: Bench, rule: FixedGuns, s: statements_accounts.Fire) -> None:
    """`fire`: with the battery's own figure, supplied at any time; the moved one needs infantry beside it."""
    if not _is_battery(bench, s.unit):
        return
    if _is_gone(bench, s.unit):
        bench.breaks("gone", unit=s.unit)
        return
    bench.all_of((s.target,), bench.ctx.enemy(rule.side))
    hidden = bench.rules.hidden_guns
    if hidden is not None and is_hidden(bench, s.unit):
        bench.by(hidden)
        _from_its_hex(bench, hidden, s)
    else:
        here = bench.books.state(s.unit).hex
        if s.hex and here and s.hex != here:
            bench.breaks("guns-elsewhere", unit=s.unit, hex=s.hex, where=here)
    _figures(bench, rule, s)


def _figures(bench: Bench, rule: FixedGuns, s: statements_accounts.Fire) -> None:
    marker = bench.game.game.markers[rule.marker]
    attack, defence = marker.attack or 0, marker.defence or 0
    if s.value not in (None, attack):
        bench.breaks("gun-value", declared=s.value, computed=attack, unit=s.unit)
    for what, value in (
        ("attack", attack),
        ("defence", defence),
        ("combat_supplied", True),
        ("class", rule.counts_as.replace("-", "_")),
    ):
        bench.follows(what, value, s.unit)


def hidden_hex(bench: Bench) -> Hex:
    """Where the battery itself is: as chosen, or where its marker was put; "" while that is a secret."""
    rule = bench.rules.hidden_guns
    if rule is None:
        return ""
    return bench.books.choices.get(rule.guns, "") or bench.books.state(rule.markers[0]).hex


def _from_its_hex(bench: Bench, rule: HiddenGuns, s: statements_accounts.Fire) -> None:
    at, dummy = hidden_hex(bench), s.unit == rule.markers[1]
    if not at:
        bench.lacks(message("findings.ledger.choice", unit=rule.guns))
        return
    here = s.hex or (bench.books.state(s.unit).hex if dummy else at)
    if dummy or here != at:
        bench.breaks("guns-elsewhere", hexes=(here or at,), unit=s.unit, hex=here or s.unit, where=at)
    elif at == rule.moved and not _escorted(bench, rule):
        bench.breaks("no-escort", unit=s.unit, hex=at)


def _escorted(bench: Bench, rule: HiddenGuns) -> bool:
    """Whether infantry of its side is in the hex: a unit that the sheet has put there, else as a fact says."""
    for id_, state in bench.books.states.items():
        here = state.hex == rule.moved and state.where == "map"
        if here and (piece := bench.find(id_)) and piece.side == rule.side and piece.kind in rule.escort:
            return True
    return bench.holds("infantry", rule.moved) is not False


def conceal(bench: Bench, rule: HiddenGuns, s: statements_accounts.Place) -> None:
    """`place` of one of the two markers: face down, one in each of the two hexes."""
    other = next((m for m in rule.markers if m != s.unit), "")
    if bench.books.first is not None:
        bench.breaks("begun-already", unit=s.unit)
    if s.hex not in (rule.home, rule.moved):
        bench.breaks("hidden-hex", hexes=(s.hex,), unit=s.unit, hexes_=(rule.home, rule.moved))
    elif bench.books.state(other).hex == s.hex:
        bench.breaks("hidden-twice", units=(s.unit, other), hex=s.hex)
    if s.shown or not s.hidden:
        bench.breaks("face-up", unit=s.unit)
    bench.books = bench.books.put(s.unit, where="map", hex=s.hex, hidden=s.hidden)
    bench.follows("placed", s.hex, s.unit)


def begin(bench: Bench) -> None:
    """The game begins: who has placed one of the markers has placed both."""
    rule = bench.rules.hidden_guns
    if rule is None or bench.ctx.partial:
        return
    placed = [m for m in rule.markers if bench.books.state(m).hidden]
    if len(placed) == 1:
        other = next(m for m in rule.markers if m not in placed)
        bench.breaks("hidden-one", section=rule.section, unit=other)


def choose(bench: Bench, rule: HiddenGuns, s: statements_accounts.Choose) -> None:
    """`choose guns HEX`: where the battery has been from the beginning."""
    known = hidden_hex(bench)
    hexes = (rule.home, rule.moved)
    if s.choice not in hexes:
        bench.breaks("hidden-hex", unit=s.unit, hexes_=hexes)
        return
    if known and known != s.choice:
        bench.breaks("chosen-otherwise", unit=s.unit, choice=known)
    bench.books = replace(bench.books, choices={**bench.books.choices, rule.guns: s.choice})


STRIP = "strip"
"""The reading by which the passage speaks of a strip along the coast; the other one measures distances."""


def waits(bench: Bench, unit: str, letter: str) -> bool:
    """Whether the rule speaks of a unit on the map of a letter, in the phase that is being played."""
    rule, now = bench.rules.alert, bench.books.now
    piece = bench.find(unit)
    if rule is None or now is None or now.phase != rule.phase or letter != rule.letter:
        return False
    if (piece is not None and piece.side != rule.side) or bench.books.state(unit).alerted:
        return False
    return now.number <= rule.phases


def hold(bench: Bench, unit: str) -> bool:
    """A unit that may have to wait: a finding if it must. Gives whether it is free.

    Who is free because an enemy has come stays free; who only stands too far from the coast does not.
    """
    rule, now = bench.rules.alert, bench.books.now
    assert rule is not None
    assert now is not None
    bench.by(rule)
    known = bench.piece(unit) is not None
    if known and not now.number:
        bench.lacks(message("findings.ledger.phase-number"))
    if not known or not now.number:
        return False
    near, strip = _bound(bench, rule, unit)
    if near is None or not (near or strip):
        return near is not None
    naval = bench.count("naval", unit)
    freed, freed_in_strip = _freed(bench, rule, unit)
    if (naval is not None and naval <= rule.naval) or (freed and freed_in_strip):
        bench.books = bench.books.put(unit, alerted=True)
        return True
    if naval is None or freed is None:
        bench.number("naval", unit)
        bench.number("distance", unit)
        return False
    free = _settled(bench, rule, unit, (not near or freed, not strip or bool(freed_in_strip)))
    if free and (freed_in_strip if bench.ctx.option(rule.option) == STRIP else freed):
        bench.books = bench.books.put(unit, alerted=True)
    return free


def _settled(bench: Bench, rule: Alert, unit: str, free: tuple[bool, bool]) -> bool:
    """Whether a unit is free as the passage is read, of how it is by distance and by the strip."""
    by_option = free[bench.ctx.option(rule.option) == STRIP]
    if not by_option and any(free):
        bench.disputes("must-wait", rule.option, unit=unit, phases=rule.phases)
    elif not by_option:
        bench.breaks("must-wait", unit=unit, phases=rule.phases)
    elif not all(free) and rule.option not in bench.head.chosen:
        bench.disputes("waits-otherwise", rule.option, unit=unit)
    return by_option


def _bound(bench: Bench, rule: Alert, unit: str) -> tuple[bool | None, bool | None]:
    """Whether a unit is within the hexes of the coast, by distance and by the strip; None where nobody says."""
    hexes = bench.number("coast", unit)
    if hexes is None:
        return None, None
    near = hexes <= rule.coast
    said = bench.fact(STRIP, unit)
    return near, near if said is None else said != "no"


def _freed(bench: Bench, rule: Alert, unit: str) -> tuple[bool | None, bool | None]:
    """Whether an enemy is near enough, to the unit itself and by having come into the strip."""
    hexes = bench.count("distance", unit)
    if hexes is None:
        return None, None
    near = hexes <= rule.enemy
    said = bench.fact(STRIP, bench.ctx.enemy(rule.side))
    return near, near if said is None else said != "no"


def alert(bench: Bench, _: None, s: statements_accounts.Alert) -> None:
    """`alert`: units are freed, and stay free."""
    bench.by(bench.rules.alert)
    for unit in s.units:
        letter = map_letter(bench.books.state(unit).hex)
        if not letter:
            bench.lacks(message("findings.ledger.placed", unit=unit))
        elif not waits(bench, unit, letter) or hold(bench, unit):
            bench.books = bench.books.put(unit, alerted=True)
            bench.follows("free", True, unit)


def move(bench: Bench, _: None, s: statements_accounts.Go) -> None:
    """`move`: each unit by the rules that speak of it."""
    for unit in s.units:
        if bench.gone(unit):
            continue
        if accounts_carriers.is_carrier(bench, unit):
            accounts_carriers.drive(bench, unit, s.path)
        elif is_fixed(bench, unit):
            stays(bench, unit)
        else:
            _march(bench, unit, s.path)


def _march(bench: Bench, unit: str, path: tuple[Hex, ...]) -> None:
    piece = bench.find(unit)
    if piece is not None and piece.side:
        bench.acts(unit, piece.side)
    here = accounts_carriers.whence(bench, unit, path)
    way = path if not here or here == path[0] else (here, *path)
    spoken = _by_exits(bench, way)
    if waits(bench, unit, map_letter(way[0])):
        hold(bench, unit)
        spoken = True
    if not spoken:
        bench.notes("move-unjudged", unit=unit)
    bench.books = bench.books.put(unit, where="map", hex=path[-1])
    accounts_carriers.ride(bench, unit, path[-1])


def _by_exits(bench: Bench, way: tuple[Hex, ...]) -> bool:
    """A hex that is joined to few others is left, and entered, by those alone."""
    spoken = False
    for rule in bench.game.only_exits:
        for a, b in pairwise(way):
            other = b if a == rule.hex else a if b == rule.hex else ""
            spoken = spoken or bool(other)
            if other and other not in rule.exits:
                bench.breaks(
                    "only-exits", section=rule.section, hexes=(rule.hex, other), hex=rule.hex, exits=rule.exits
                )
    return spoken
