"""What is wrong with a set-up: units twice, where they may not stand, or too many; arrivals that find no way in.

What is wrong with counters, and with what is scored.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from ..console import Problem
from ..schema.base import in_turns
from ..schema.game import GUNS, PhaseSpec
from ..schema.setup import CounterRow as Counter
from ..schema.setup import Placement, Pool, Quota, Reinforcement, Withdrawal
from ..text.hexgrid import Hex
from ..text.words import Message, message
from . import Checker

_BOTH: Final = 2


def units_are_set_up_once(c: Checker) -> Iterator[Problem]:
    """Each counter has one line in setup.yaml, and each line has units of one side."""
    scenario, setup = c.scenario, c.setup
    seen: dict[str, str] = {}
    lists: tuple[tuple[str, Sequence[Placement | Reinforcement | Withdrawal | Quota | Pool]], ...] = (
        ("at_start", setup.at_start),
        ("reinforcements", setup.reinforcements),
        ("withdrawals", setup.withdrawals),
        ("quotas", setup.quotas),
        ("pool", setup.pool),
    )
    for key, entries in lists:
        for i, entry in enumerate(entries):
            error = partial(c.error, "setup.yaml", [key, i])
            for id_ in entry.units if key in ("at_start", "reinforcements", "pool") else ():
                if id_ in seen and id_ in scenario.counters:
                    yield error("setup.unit-twice", unit=id_, first=seen[id_])
                seen.setdefault(id_, f"{key} {i + 1}")
            if len(_sides(c, entry.units)) > 1:
                yield error("setup.both-sides")
    taken = c.rules.captures.becomes if c.rules.captures is not None else {}
    for one, other in taken.items():
        waits = seen.get(other, "").startswith("pool") or taken.get(other) == one
        if len(_sides(c, (one, other))) < _BOTH or not waits:
            yield c.error("game.yaml", ["rules", "captures", "becomes", one], "game.capture", unit=one, other=other)
    for id_ in scenario.counters:
        if id_ not in seen:
            yield c.warning("counters.csv", [id_], "setup.nowhere")


def _sides(c: Checker, units: Iterable[str]) -> set[str]:
    """The sides of some units; what names no side is told where it stands."""
    return {c.counters[u].side for u in units if u in c.counters} & {*c.known["side"]}


def placements_have_room(c: Checker) -> Iterator[Problem]:
    """A placement says where, its hexes take so many units, and each unit may stand in one of them."""
    rule = c.rules.stacking
    for i, placement in enumerate(c.setup.at_start):
        error = partial(c.error, "setup.yaml", ["at_start", i])
        if not (placement.hexes or placement.areas or placement.free):
            yield error("setup.no-place")
        yield from _too_weak(c, "at_start", i, placement)
        hexes = _choice(c, placement)
        weight, side = (
            sum(_weight(c, u, placement.reduced) for u in placement.units),
            min(_sides(c, placement.units), default=""),
        )
        if len(hexes) > 1 and weight > sum(rule.most(c.map.terrain[h], side) for h in hexes):
            key = "setup.no-room-points" if rule.weighs else "setup.no-room"
            yield error(key, units=weight, hexes=len(hexes), limit=rule.most((), side))
        for id_ in placement.units if hexes else ():
            reasons = [_barred(c, id_, h) for h in hexes] if id_ in c.counters else [None]
            if reasons[0] and all(reasons):
                where = hexes[0] if len(hexes) == 1 else _any_of(placement.areas)
                yield error("setup.barred", unit=id_, where=where, why=reasons[0])


def _too_weak(c: Checker, key: str, i: int, line: Placement | Reinforcement) -> Iterator[Problem]:
    """Units that begin with more steps lost than they can lose and live."""
    for id_ in line.units if line.reduced else ():
        counter = c.counters.get(id_)
        most = 1 + len(counter.further) if counter else line.reduced
        if counter and not counter.backs:
            most = int(c.rules.unknown_back is not None)
        if line.reduced > most:
            yield c.error("setup.yaml", [key, i], "setup.too-weak", unit=id_, reduced=line.reduced, most=most)


def _weight(c: Checker, id_: str, reduced: int = 0) -> int:
    """What a counter counts towards the stacking limit; nothing if there is no such counter."""
    counter = c.counters.get(id_)
    if counter is None:
        return 0
    return c.rules.stacking.weight(id_, c.kinds(counter.type), counter.size, 1 + len(counter.backs) - reduced)


def _any_of(areas: tuple[str, ...]) -> Message:
    return message("scenario.setup.areas", areas=areas) if areas else message("scenario.setup.its-hexes")


def _choice(c: Checker, placement: Placement) -> list[Hex]:
    """The hexes of the map in which units may start; none where the rulebook leaves it to their line."""
    ground = c.map
    inside = [h for a in placement.areas for h in sorted(ground.area.get(a, ()))]
    return [h for h in dict.fromkeys([*placement.hexes, *inside]) if h in ground.grid]


def _barred(c: Checker, id_: str, hex_: Hex) -> Message | None:
    """Why a unit may not stand in a hex; None if it may."""
    scenario = c.scenario
    unit = scenario.counters[id_]
    for terrain in scenario.map.terrain.get(hex_, ()):
        barred = scenario.tables.terrain[terrain].barred if terrain in scenario.tables.terrain else ()
        if unit.type in scenario.game.unit_types and not scenario.kinds(unit.type).isdisjoint(barred):
            return message("scenario.setup.barred-terrain", terrain=terrain, type=unit.type)
    for rule in scenario.game.rules.movement.barred_hexes:
        if hex_ in rule.hexes and rule.plain and rule.side in (None, unit.side):
            section = scenario.citation(rule.section)
            return message("scenario.setup.closed", hex=hex_, side=unit.side, section=section)
    return None


def stacks_are_within_the_limit(c: Checker) -> Iterator[Problem]:
    """What starts in one hex is of one side, and no more than may."""
    rule = c.rules.stacking
    stacks: dict[Hex, list[str]] = {}
    last: dict[Hex, int] = {}
    short = {u: placement.reduced for placement in c.setup.at_start for u in placement.units}
    for i, placement in enumerate(c.setup.at_start):
        hexes = _choice(c, placement)
        if len(hexes) == 1:
            stacks.setdefault(hexes[0], []).extend(u for u in placement.units if u in c.counters)
            last[hexes[0]] = i
    for hex_, units in stacks.items():
        error = partial(c.error, "setup.yaml", ["at_start", last[hex_]], hex=hex_)
        there = c.map.terrain[hex_] if hex_ in c.map.grid else ()
        most = rule.most(there, min(_sides(c, units), default=""))
        if (weight := sum(_weight(c, u, short[u]) for u in units)) > most:
            yield error("setup.stack-points" if rule.weighs else "setup.stack", units=weight, limit=most)
        if len(_sides(c, units)) > 1:
            yield error("setup.enemies")


def arrivals_find_a_way_in(c: Checker) -> Iterator[Problem]:
    """Reinforcements come by edge hexes or in places, by a way where the rules want one."""
    ground = c.map
    for i, r in enumerate(c.setup.reinforcements):
        error = partial(c.error, "setup.yaml", ["reinforcements", i])
        warning = partial(c.warning, "setup.yaml", ["reinforcements", i])
        yield from _too_weak(c, "reinforcements", i, r)
        if not (r.edges or r.hexes or r.areas or r.places or r.near):
            yield error("setup.no-entry")
        if r.near is not None and r.near.side is not None and _sides(c, r.units) - {r.near.side}:
            yield error("setup.near-nobody")
        for hex_ in r.hexes:
            if hex_ in ground.grid and hex_ not in c.rim and hex_ not in ground.place_at:
                yield warning("setup.inland", hex=hex_)
        for edges in _other_edges(c, r):
            yield warning("setup.other-edges", edges=r.edges, wanted=edges)
        shut = _shut_out(c, r)
        if shut is not None:
            yield warning("setup.shut-out", unit=shut[0], why=shut[1])
        wanted = _ways_wanted(c, r)
        on_way = {h for way in wanted for h in ground.way_hexes.get(way, ())}
        for hex_ in r.hexes if wanted else ():
            if hex_ in c.rim and hex_ not in on_way:
                yield warning("setup.no-way-through", ways=wanted, hex=hex_)
        for edge in r.edges if wanted else ():
            if on_way.isdisjoint(ground.edges[edge]):
                yield warning("setup.no-way-out", ways=wanted, edge=edge)
        if r.until is not None and r.until < r.turn:
            yield c.error("setup.yaml", ["reinforcements", i, "until"], "setup.until-early", turn=r.turn)
        side = next((c.counters[id_].side for id_ in r.units if id_ in c.counters), None)
        opened = [p for p in c.game.sequence if p.side == side and _lets_in(p)]
        if side is not None and not opened:
            yield warning("setup.no-phase", side=side)
        elif side is not None and not any(p.played(r.turn) for p in opened):
            yield c.warning(
                "setup.yaml", ["reinforcements", i, "turn"], "setup.no-phase-then", side=side, turn=r.turn
            )
        known = tuple(sorted({name for p in opened for name in p.names}))
        for kind in (kind for kind in r.phases if known and kind not in known):
            told = partial(c.error, "setup.yaml", ["reinforcements", i, "phases"], "setup.no-entry-phase")
            yield told(side=side or "", phase=kind, known=known)


def _lets_in(phase: PhaseSpec) -> bool:
    """Whether anybody comes on the map in a phase."""
    return "enter" in phase.does or (phase.phase == "movement" and phase.entry)


def _other_edges(c: Checker, r: Reinforcement) -> Iterator[tuple[str, ...]]:
    """The edges by which rules want all of a side to come in that turn, where these units come by others alone."""
    sides = _sides(c, r.units)
    for rule in c.rules.movement.entries if r.edges and not (r.hexes or r.areas or r.places or r.near) else ():
        all_of_them = rule.plain and sides <= {rule.side} and in_turns(rule.turns, r.turn)
        if rule.edges and all_of_them and set(rule.edges).isdisjoint(r.edges):
            yield rule.edges


def _shut_out(c: Checker, r: Reinforcement) -> tuple[str, Message] | None:
    """A unit that may go into none of the hexes by which it comes, and why; None where each has one."""
    ground, ways = c.map, c.tables.ways
    hexes = [*r.hexes, *(h for edge in r.edges for h in sorted(ground.edges.get(edge, ())))]
    hexes = [h for h in hexes if h in ground.grid]
    if not hexes or r.areas or r.places or r.near:
        return None
    for id_ in (u for u in r.units if u in c.counters):
        type_ = c.counters[id_].type
        kinds = c.kinds(type_)
        # Where a way leads in, its own price counts, and what it bars.
        open_ = {
            name for name, way in ways.items() if kinds.intersection(way.costs) and kinds.isdisjoint(way.barred)
        }
        led = {h for way in open_ for h in ground.way_hexes.get(way, ())}
        reasons = [_barred(c, id_, h) or _priceless(c, type_, h) for h in hexes] if led.isdisjoint(hexes) else []
        if reasons and reasons[0] and all(reasons):
            return id_, reasons[0]
    return None


def _priceless(c: Checker, type_: str, hex_: Hex) -> Message | None:
    """Why a type never gets into a hex across country: one of its terrains has no price for it."""
    terrains, kinds = c.tables.terrain, c.kinds(type_)
    there = (t for t in c.map.terrain.get(hex_, ()) if t in terrains and terrains[t].costs)
    shut = next((t for t in there if kinds.isdisjoint(terrains[t].costs)), None)
    known = type_ in c.game.unit_types and shut is not None
    return message("scenario.setup.barred-terrain", terrain=shut or "", type=type_) if known else None


def _ways_wanted(c: Checker, r: Reinforcement) -> tuple[str, ...]:
    """The ways by which the rules want these units to come; none where any hex will do."""
    sides = _sides(c, r.units)
    tables = c.tables
    for rule in c.rules.movement.entries:
        in_time = in_turns(rule.turns, r.turn)
        if in_time and rule.side in sides and rule.by_way and not rule.terrain:
            return rule.ways or tuple(w for w, effect in tables.ways.items() if effect.bridges and effect.costs)
    return ()


def departures_follow_arrivals(c: Checker) -> Iterator[Problem]:
    """Units do not leave before they came, and return after they left."""
    setup, first = c.setup, c.game.turns.first
    arrival = {u: r.turn for r in setup.reinforcements for u in r.units}
    for i, w in enumerate(setup.withdrawals):
        error = partial(c.error, "setup.yaml", ["withdrawals", i], turn=w.turn)
        for id_ in w.units:
            if arrival.get(id_, first) > w.turn:
                yield error("setup.leaves-early", unit=id_, arrival=arrival[id_])
        if w.returns_turn is not None and w.returns_turn <= w.turn:
            yield error("setup.returns-early", returns=w.returns_turn)
        if w.returns_turn is not None and not w.returns_edges:
            yield error("setup.no-return")


def totals_are_printed_ones(c: Checker) -> Iterator[Problem]:
    """The counters of each side are as many as the rulebook counts."""
    tally = Tally(u.side for u in c.units)
    section = c.scenario.citation(c.setup.totals_section)
    for side in tally if c.setup.totals else ():
        if side not in c.setup.totals and side in c.known["side"]:
            yield c.warning("setup.yaml", ["totals"], "setup.no-total", side=side)
    for side, total in c.setup.totals.items():
        # A counter whose side is none is told where it stands, and would be lacking here.
        if tally[side] != total and not {*tally} - {*c.known["side"]}:
            error = partial(c.error, "setup.yaml", ["totals", side])
            yield error("setup.total", found=tally[side], side=side, total=total, section=section)


def counters_can_be_told_apart(c: Checker) -> Iterator[Problem]:
    """No two counters of a side bear one name, so that a player who reads a list knows which is meant."""
    seen: dict[tuple[str, str, str], str] = {}
    for unit in c.units:
        for language in dict.fromkeys((*c.game.languages, *unit.names)):
            column, name = f"name_{language}", unit.names.get(language, "")
            if not name and language in c.game.languages:
                yield c.error("counters.csv", [unit.id], "counters.nameless", column=column)
            first = seen.setdefault((unit.side, column, name), unit.id) if name else unit.id
            if first != unit.id:
                told = partial(c.warning, "counters.csv", [unit.id], "counters.namesake")
                yield told(name=name, column=column, first=first)


def counters_are_of_this_game(c: Checker) -> Iterator[Problem]:
    """Branches and ids are those of the side; guns have a range; one strength is one; no back is stronger."""
    game = c.game
    sides = {s.id: s for s in game.sides}
    for unit in c.units:
        at = [unit.id]
        spec = sides.get(unit.side)
        if spec is not None and unit.branch not in spec.branches:
            branches = tuple(spec.branches)
            yield c.error("counters.csv", at, "counters.branch", branch=unit.branch, side=unit.side, known=branches)
        elif spec is not None and not unit.id.startswith(f"{spec.prefix}-"):
            yield c.error("counters.csv", at, "counters.prefix", prefix=spec.prefix, side=unit.side)
        if unit.range is not None and unit.type not in game.classes.get(GUNS, ()):
            yield c.warning("counters.csv", at, "counters.no-gun", type=unit.type)
        reach = max(c.map.grid.columns, c.map.grid.rows)
        if unit.range is not None and not 1 <= unit.range <= reach:
            yield c.warning("counters.csv", [unit.id, "range"], "counters.range", range=unit.range, most=reach)
        steps = ((unit.attack, unit.defence), *unit.backs)
        if game.figures != "attack-defence-move" and any(attack != defence for attack, defence in steps):
            yield c.error("counters.csv", [unit.id, "defence"], "counters.one-strength", figures=game.figures)
        if len(unit.morale) > 1 + len(unit.backs) > 1:
            told = {"levels": len(unit.morale), "steps": 1 + len(unit.backs)}
            yield c.warning("counters.csv", [unit.id, "morale"], "counters.morales", **told)
        for what, full, reduced in _falls(unit):
            if reduced is not None and reduced > full:
                yield c.error("counters.csv", at, f"counters.reduced-{what}", reduced=reduced, full=full)


def _falls(unit: Counter) -> Iterator[tuple[str, int, int | None]]:
    """Each figure of a counter with what it is a step later, which is no more."""
    yield "attack", unit.attack, unit.reduced_attack
    yield "defence", unit.defence, unit.reduced_defence
    for before, after in pairwise(unit.backs):
        yield from (("attack", before[0], after[0]), ("defence", before[1], after[1]))


def victory_can_be_scored(c: Checker) -> Iterator[Problem]:
    """No hex scores twice, and what exits and final losses count with is told."""
    victory, place = c.victory, c.map.place
    scored: dict[str, str] = {}
    for i, objective in enumerate(victory.objectives):
        for hex_, name in ((h, p) for p in objective.place if p in place for h in place[p].hexes):
            other = scored.setdefault(hex_, name)
            if other != name:
                told = partial(c.warning, "victory.yaml", ["objectives", i], "victory.scores-twice")
                yield told(hex=hex_, other=other, place=name)
