"""Numbers that nothing in the game comes up to: costs that nobody pays, lines longer than the map, wide shifts.

Warnings on what is well said and met with nowhere: on no hex, at no score, along no way, at no start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise, product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..console import Problem
from ..schema import modifiers
from ..schema.base import first_and_last, in_turns
from ..schema.game import Hexes, PhaseSpec, Points, Times
from ..schema.results import Demand
from ..schema.tables import WayEffect
from ..text.hexgrid import side
from . import Checker

if TYPE_CHECKING:
    from ..schema.base import Selector
    from ..schema.setup import CounterRow as Counter


_HALVES: Final = 2
_AROUND: Final = 6
"""Hexes around one, out of which it is attacked."""
_FAR: Final = 2
"""How many times the most that anybody has a slip of a cost is at least: tables print some that nobody can pay."""


def numbers_are_within_reach(c: Checker) -> Iterator[Problem]:
    """Warnings on numbers beyond what units, map and tables have; of what a family lends none."""
    kinds = (_costs, _zones, _lines, _shifts, _losses, _counted, _overruns, _stacks, _prices, _demands, _sudden)
    found = chain.from_iterable(kind(c) for kind in kinds)
    yield from (p for p in found if Path(p.file).parent == c.scenario.folder)


def _allowances(c: Checker) -> Mapping[str, int]:
    """The most movement points that anybody of a movement class ever has, for classes that counters show."""
    game = c.scenario.game
    marches, phases = game.rules.movement.marches, [phase.allowance for phase in game.sequence]
    times = max([1, *(march.times for march in marches), *(a.times for a in phases if isinstance(a, Times))])
    more = max([0, *(march.more // _HALVES for march in marches)])
    same = max([0, *(a.points for a in phases if isinstance(a, Points))])
    found: dict[str, int] = {}
    for unit in c.scenario.counters.values():
        kind = game.unit_types.get(unit.type)
        if kind is not None:
            found[kind.movement] = max(found.get(kind.movement, 0), unit.move * times + more, same)
    return found


def _costs(c: Checker) -> Iterator[Problem]:
    game, tables = c.scenario.game, c.scenario.tables
    by_hexes = any(isinstance(phase.allowance, Hexes) for phase in game.sequence)
    freed = game.rules.movement.minimum == "one_hex" or by_hexes
    key_of = {False: "tables.never-paid", True: "tables.never-paid-but-one"}[freed]
    most = _allowances(c)
    effects: dict[str, Mapping[str, Any]] = {
        "terrain": tables.terrain,
        "hexsides": tables.hexsides,
        "ways": tables.ways,
    }
    for key, kinds in effects.items():
        for name, effect in kinds.items():
            for movement, cost in effect.costs.items():
                has = most.get(movement, 0)
                far = [c_ for c_ in cost.values() if has and c_ > _FAR * _HALVES * has]
                if far and (freed or len(far) == len(cost)):
                    told = {"movement": movement, "most": has}
                    yield c.warning("tables.yaml", [key, name, "costs", movement], key_of, **told)


def _zones(c: Checker) -> Iterator[Problem]:
    zones, most = c.scenario.game.rules.movement.zones, max([0, *_allowances(c).values()])
    rules: list[tuple[list[str | int], Any]] = [([], zones)]
    rules += [(["exceptions", i], rule) for i, rule in enumerate(zones.exceptions)]
    for (where, rule), key in product(rules, ("enter", "leave", "between")):
        points = getattr(getattr(rule, key), "points", 0)
        if points > _HALVES * most > 0:
            at: list[str | int] = ["rules", "movement", "zones", *where, key]
            yield c.warning("game.yaml", at, "game.never-paid", most=most)


def _lines(c: Checker) -> Iterator[Problem]:
    """Lines of supply and railways of more hexes than the map has from end to end, or at all."""
    grid, rules = c.scenario.map.grid, c.scenario.game.rules
    for i, rule in enumerate(rules.supply):
        for key, line in (("line", rule.line), ("headquarters_line", rule.headquarters_line)):
            if getattr(line, "hexes", 0) > grid.columns + grid.rows:
                yield c.warning("game.yaml", ["rules", "supply", i, key], "game.longer-than-map")
    railway = rules.movement.railway
    if railway is not None and (railway.hexes or 0) > grid.columns * grid.rows:
        yield c.warning("game.yaml", ["rules", "movement", "railway", "hexes"], "game.longer-than-map")


def _shifts(c: Checker) -> Iterator[Problem]:
    """Modifiers that move the column past the whole table, or the dice past all that they show."""
    tables = c.scenario.tables
    ways = tables.crt.thrown.ways
    wide = max(len(t.columns) for t in (tables.crt, tables.bombardment) if t is not None)
    grounds: dict[str, Mapping[str, Any]] = {"terrain": tables.terrain, "hexsides": tables.hexsides}
    for key, kinds in grounds.items():
        for name in (name for name, effect in kinds.items() if abs(effect.combat) >= wide):
            yield c.warning("tables.yaml", [key, name, "combat"], "game.past-the-table", most=wide - 1)
    for i, rule in enumerate(c.scenario.game.rules.combat.modifiers):
        at: list[str | int] = ["rules", "combat", "modifiers", i, "what"]
        if isinstance(rule.what, modifiers.Columns) and abs(rule.what.columns) >= wide:
            yield c.warning("game.yaml", at, "game.past-the-table", most=wide - 1)
        if isinstance(rule.what, modifiers.Die) and abs(rule.what.die) > max(ways) - min(ways):
            yield c.warning("game.yaml", at, "game.past-the-dice", most=max(ways) - min(ways))


def _losses(c: Checker) -> Iterator[Problem]:
    """Losses that a side cannot have, for it has not so much."""
    for i, rule in enumerate(c.scenario.game.rules.combat.modifiers):
        for j, condition in enumerate(rule.when):
            if not isinstance(condition, modifiers.AfterLosses):
                continue
            mine = [u for u in c.scenario.counters.values() if u.side == condition.side]
            has = {
                "units": len(mine),
                "steps": sum(1 + len(u.backs) for u in mine),
                "factors": sum(u.attack for u in mine),
            }[condition.counted]
            if condition.least > has and not c.scenario.game.rules.untried:
                at: list[str | int] = ["rules", "combat", "modifiers", i, "when", j, "least"]
                yield c.warning("game.yaml", at, "game.never-lost", most=has, side=condition.side)


def _counted(c: Checker) -> Iterator[Problem]:
    """More units that take part than there are of them."""
    for i, rule in enumerate(c.scenario.game.rules.combat.modifiers):
        for j, who in enumerate(rule.when):
            if not isinstance(who, modifiers.WithUnits):
                continue
            has = sum(1 for _ in _fitting(c, who))
            if who.least > max(has, 1):
                at: list[str | int] = ["rules", "combat", "modifiers", i, "when", j, "least"]
                yield c.warning("game.yaml", at, "game.never-so-many", most=has)


def _fitting(c: Checker, who: modifiers.WithUnits | Selector) -> Iterator[Counter]:
    """The units that a rule speaks of."""
    for unit in c.scenario.counters.values():
        of_side = who.side is None or who.side == unit.side
        of_type = not who.types or not c.scenario.kinds(unit.type).isdisjoint(who.types)
        if of_side and of_type and (not who.divisions or unit.division in who.divisions):
            yield unit


def _overruns(c: Checker) -> Iterator[Problem]:
    """Overruns that ask for more attack strength than all of a side have who may make them."""
    for i, rule in enumerate(c.scenario.game.rules.movement.overruns):
        sums: dict[str, int] = {}
        for unit in _fitting(c, rule):
            sums[unit.side] = sums.get(unit.side, 0) + unit.attack
        factors = [
            r.what.by
            for r in c.scenario.modifiers.rules
            if isinstance(r.what, modifiers.Multiply) and r.what.by > 1
        ]
        fixed = any(isinstance(r.what, modifiers.Fixed) for r in c.scenario.modifiers.rules)
        has = int(max(sums.values(), default=0) * prod(factors))
        if rule.strength > has and not fixed:
            at: list[str | int] = ["rules", "movement", "overruns", i, "strength"]
            yield c.warning("game.yaml", at, "game.never-so-strong", most=has)


def _stacks(c: Checker) -> Iterator[Problem]:
    """Limits that no stack comes up to, and units that count more than any hex takes, so that they end nowhere."""
    rule, told = c.scenario.game.rules.stacking, set[str]()
    sums: dict[str, int] = {}
    for unit in c.scenario.counters.values():
        weight = rule.weight(unit.id, c.scenario.kinds(unit.type), unit.size, 1 + len(unit.backs))
        sums[unit.side] = sums.get(unit.side, 0) + weight
    if rule.limit > max(sums.values(), default=rule.limit):
        yield c.warning("game.yaml", ["rules", "stacking", "limit"], "game.never-full", most=max(sums.values()))
    for unit in c.scenario.counters.values():
        points = rule.weight(unit.id, c.scenario.kinds(unit.type), unit.size, 1 + len(unit.backs))
        most = max(rule.most((terrain,), unit.side) for terrain in (*c.scenario.tables.terrain, ""))
        if points > most and unit.type not in told:
            told.add(unit.type)
            at: list[str | int] = ["rules", "stacking", "points" if rule.points else "limit"]
            yield c.warning("game.yaml", at, "game.never-fits", unit=unit.id, points=points, most=most)


def _prices(c: Checker) -> Iterator[Problem]:
    """Replacements that cost more points than a side ever has together."""
    turns = c.scenario.game.turns
    for i, rule in enumerate(c.scenario.game.rules.replacements):
        first, last = first_and_last(rule.turns or (turns.first, turns.last))
        each = rule.points * max(1, len(rule.held))
        kept = (last - first) * each if rule.saved == "all" else rule.saved or 0
        for key, price in (("step", rule.step), ("rebuild", rule.rebuild)):
            if price is not None and price > each + kept > 0:
                at: list[str | int] = ["rules", "replacements", i, key]
                yield c.warning("game.yaml", at, "game.never-bought", most=each + kept)


def _demands(c: Checker) -> Iterator[Problem]:
    """Losses of more steps or units than there can be at the fullest, by results and by attrition."""
    rules, units = c.scenario.game.rules, c.scenario.counters.values()
    deep = max((1 + len(u.backs) for u in units), default=1)
    for i, rule in enumerate(rules.attrition):
        if isinstance(rule.steps.count, int) and rule.steps.count > deep:
            yield c.warning("game.yaml", ["rules", "attrition", i, "steps"], "game.never-so-deep", most=deep)
    weights = {rules.stacking.weight(u.id, c.scenario.kinds(u.type), u.size, 1) for u in units}
    several = rules.combat.shape.targets == "several"
    most = max((rules.stacking.limit, *rules.stacking.terrain.values())) // min(weights - {0}, default=1)
    for code, result in c.scenario.tables.results.items():
        for part, hexes in (("attacker", _AROUND), ("defender", _AROUND if several else 1)):
            demand: Demand = getattr(result, part)
            for key, has in (("steps", most * deep * hexes), ("units", most * hexes)):
                count = getattr(getattr(demand, key), "count", 0)
                if isinstance(count, int) and count > has:
                    yield c.warning("tables.yaml", ["results", code, part, key], "tables.never-held", most=has)
            if demand.retreat is not None and demand.retreat.instead > most * deep * hexes:
                at: list[str | int] = ["results", code, part, "retreat"]
                yield c.warning("tables.yaml", at, "tables.never-held", most=most * deep * hexes)


def _sudden(c: Checker) -> Iterator[Problem]:
    """Points that would win at once, and that a side can never have."""
    for i, rule in enumerate(c.scenario.victory.sudden):
        most = most_points(c, rule.side)
        for key, asked in (("points", rule.points), ("lead", rule.lead)):
            if asked is not None and most is not None and asked > most:
                yield c.warning("victory.yaml", ["sudden", i, key], "victory.never-scored", most=most)


def most_points(c: Checker, side: str) -> int | None:
    """As many points as a side could have if all went its way; None where units that come back bring ever more.

    What the enemy can lose below nothing is counted too, as a lead grows by it.
    """
    victory, game, units = c.scenario.victory, c.scenario.game, c.scenario.counters.values()
    turns = game.turns.last - game.turns.first + 1
    total = 0
    for objective in victory.objectives:
        times = len(objective.at_turns) or (turns if objective.each_turn else 1)
        total += times * max(0, *(p if owner == side else -p for owner, p in objective.points.items()))
    if victory.destroyed.get(side):
        if any(rule.rebuild is not None or rule.step is not None for rule in game.rules.replacements):
            return None
        worth = _worth(victory.destroyed_counted)
        total += 2 * victory.destroyed[side] * sum(worth(unit) for unit in units if unit.side != side)
    for way_out in victory.exits:
        leaving = sum(_worth(way_out.counted)(unit) for unit in units if unit.side == way_out.side)
        total += max(0, way_out.points if way_out.side == side else -way_out.points) * leaving
    for bonus in (victory.no_exit_bonus, *_areas(victory.beyond_area)):
        total += sum(max(0, points if owner == side else -points) for owner, points in bonus.items())
    return total


def _areas(points: Mapping[str, Mapping[str, int]]) -> Iterator[Mapping[str, int]]:
    return ({side: each} for side, areas in points.items() for each in areas.values())


def _worth(counted: str) -> Callable[[Counter], int]:
    """What a unit brings at the most, of what is counted."""
    if counted == "units":
        return lambda _: 1
    return (lambda unit: 1 + len(unit.backs)) if counted == "steps" else (lambda unit: unit.attack)


def what_is_said_is_met_with(c: Checker) -> Iterator[Problem]:
    """Of what a family lends nothing is told but in the family itself."""
    kinds = (_control, _grounds, _levels, _nowhere_lines, _ways, _where_done, _fought, _fallen_back)
    found = chain.from_iterable(kind(c) for kind in kinds)
    yield from (p for p in found if Path(p.file).parent == c.scenario.folder)


def _control(c: Checker) -> Iterator[Problem]:
    """Places given to a side at the start in which a unit of the other stands, and holds them.

    One of its own is no slip: a sheet may begin with other units.
    """
    stands = {
        rule.hexes[0]: c.scenario.counters[rule.units[0]]
        for rule in c.scenario.setup.at_start
        if len(rule.hexes) == 1 and not rule.areas and rule.units and rule.units[0] in c.scenario.counters
    }
    for place in c.scenario.map.places:
        owner = c.scenario.victory.control.get(place.id)
        there = next((stands[h] for h in place.hexes if h in stands and stands[h].side != owner), None)
        if owner is not None and there is not None:
            told = {"unit": there.id, "side": there.side}
            yield c.warning("victory.yaml", ["control", place.id], "victory.garrisoned", **told)


def _grounds(c: Checker) -> Iterator[Problem]:
    """Modifiers with two conditions on the ground of a hex, each of which some hex meets and none both."""
    one_target = c.scenario.game.rules.combat.shape.targets == "one"
    for i, rule in enumerate(c.scenario.game.rules.combat.modifiers):
        asked = [(j, one) for j, one in enumerate(rule.when) if isinstance(one, modifiers.InTerrain)]
        for j, one in asked:
            if one.share == "none" and not any(_meets(one, ground) for ground in c.scenario.map.terrain.values()):
                where: list[str | int] = ["rules", "combat", "modifiers", i, "when", j, "terrain"]
                yield c.warning("game.yaml", where, "game.never-met", name=rule.name)
        for (_, first), (j, second) in combinations(asked, 2):
            shares = {first.share, second.share}
            # Of several hexes each may meet another condition, if neither is of all of them.
            same = first.of == second.of and (
                "all" in shares or "none" in shares or (one_target and first.of == "defenders")
            )
            if same and _apart(c, first, second):
                at: list[str | int] = ["rules", "combat", "modifiers", i, "when", j, "terrain"]
                yield c.warning("game.yaml", at, "game.never-together", name=rule.name)


def _apart(c: Checker, first: modifiers.InTerrain, second: modifiers.InTerrain) -> bool:
    met = [(_meets(first, ground), _meets(second, ground)) for ground in c.scenario.map.terrain.values()]
    return any(a for a, _ in met) and any(b for _, b in met) and not any(a and b for a, b in met)


def _meets(condition: modifiers.InTerrain, ground: tuple[str, ...]) -> bool:
    return set(ground).isdisjoint(condition.terrain) == (condition.share == "none")


def _done_in(c: Checker, deed: str, side: str | None) -> list[PhaseSpec]:
    """The phases in which something is done: those that list it, or where none of a side's does its movement."""
    found: list[PhaseSpec] = []
    for one in c.scenario.game.sides if side is None else [s for s in c.scenario.game.sides if s.id == side]:
        mine = [spec for spec in c.scenario.game.sequence if spec.side == one.id]
        listed = [spec for spec in mine if deed in spec.does]
        moving = [spec for spec in mine if spec.phase == "movement" and (deed != "enter" or spec.entry)]
        found += [*listed, *moving] if deed == "enter" else listed or moving
    return found


def _where_done(c: Checker) -> Iterator[Problem]:
    """Rules for phases in which what they speak of is never done."""
    rules = c.scenario.game.rules
    asked: list[tuple[list[str | int], Sequence[str], list[PhaseSpec]]] = []
    for i, mark in enumerate(rules.marks):
        at: list[str | int] = ["rules", "marks", i]
        if mark.take is not None:
            asked.append(([*at, "take"], mark.take.phases, _done_in(c, "mark", mark.take.side)))
        if mark.rally is not None:
            asked.append(([*at, "rally"], mark.rally.phases, _done_in(c, "rally", None)))
    for i, given in enumerate(rules.replacements):
        done = _done_in(c, "recover", given.side) if given.step is not None else []
        done += _done_in(c, "enter", given.side) if given.rebuild is not None else []
        asked.append((["rules", "replacements", i], given.phases, done))
    moving = [spec for spec in c.scenario.game.sequence if spec.phase == "movement"]
    moved = {key: getattr(rules.movement, key) for key in ("overruns", "marches", "allowances", "immobile")}
    for key, listed in moved.items():
        asked += [(["rules", "movement", key, i], rule.phases, moving) for i, rule in enumerate(listed)]
    for i, out in enumerate(c.scenario.victory.exits):
        asked.append((["exits", i], out.phases, _done_in(c, "exit", out.side)))
    for at, phases, done in asked:
        for name in phases:
            if not any(name in spec.names for spec in done):
                known = tuple(dict.fromkeys(spec.name for spec in done)) or ("–",)
                file = "victory.yaml" if at[0] == "exits" else "game.yaml"
                yield c.warning(file, [*at, "phases"], "game.never-done", phase=name, known=known)


def _fought(c: Checker) -> Iterator[Problem]:
    """Modifiers for attacks of a side, in turns, weather and phases in which it has none."""
    game, rules = c.scenario.game, c.scenario.game.rules
    for i, rule in enumerate(rules.combat.modifiers):
        kinds = {type(condition): condition for condition in rule.when}
        side, turns, weather, phases = (
            getattr(kinds.get(kind), key, None)
            for kind, key in (
                (modifiers.ByAttacker, "side"),
                (modifiers.InTurns, "turns"),
                (modifiers.InWeather, "weather"),
                (modifiers.InPhase, "phases"),
            )
        )
        fought = [
            spec
            for spec in game.sequence
            if (spec.attacks or (rules.movement.overruns and spec.phase == "movement"))
            and side in (None, spec.side)
        ]
        fought = [spec for spec in fought if not phases or not set(phases).isdisjoint(spec.names)]
        first, last = first_and_last(turns or (game.turns.first, game.turns.last))
        span = range(max(first, game.turns.first), min(last, game.turns.last) + 1)
        when = [turn for turn in span if in_turns(turns, turn)]
        skies = {turn: set(_weathers(c, turn)).intersection(weather or _weathers(c, turn)) for turn in when}
        asked = sum(one is not None for one in (side, turns, weather, phases))
        if asked > 1 or phases:
            held = any(spec.played(turn, sky) for spec in fought for turn in when for sky in skies[turn])
            if not held and (fought or phases):
                yield c.warning("game.yaml", ["rules", "combat", "modifiers", i, "when"], "game.never-fought")


def _weathers(c: Checker, turn: int) -> tuple[str, ...]:
    """The kinds of weather that a turn may have anywhere; "" alone where the game has none."""
    game = c.scenario.game
    there = tuple(weather for _, weather in c.scenario.weather_by_area(turn))
    if game.weather_die is None:
        return (c.scenario.weather(turn), *there)
    # Weather lasts until it is thrown again.
    return (*game.weathers, *there)


def _fallen_back(c: Checker) -> Iterator[Problem]:
    """Retreats of several hexes in a game in which who retreats goes one, whatever the result says."""
    if c.scenario.game.rules.combat.retreat.way.kind != "fall_back":
        return
    for code, result in c.scenario.tables.results.items():
        for part in ("attacker", "defender"):
            back = getattr(result, part).retreat
            if back is not None and back.hexes > 1:
                yield c.warning(
                    "tables.yaml", ["results", code, part, "retreat"], "tables.falls-back", hexes=back.hexes
                )


def _levels(c: Checker) -> Iterator[Problem]:
    """Levels of victory that ask for more points than their side could ever have."""
    for i, level in enumerate(c.scenario.victory.levels):
        sides = [level.measured] if level.measured else [s.id for s in c.scenario.game.sides]
        most = [most_points(c, one) for one in sides]
        if level.by != "ratio" and all(points is not None and points < level.least for points in most):
            has = max(points or 0 for points in most)
            yield c.warning("victory.yaml", ["levels", i, "least"], "victory.never-scored", most=has)


def _nowhere_lines(c: Checker) -> Iterator[Problem]:
    """Lines of supply that end where they begin."""
    for i, rule in enumerate(c.scenario.game.rules.supply):
        for key, line in (("line", rule.line), ("headquarters_line", rule.headquarters_line)):
            if getattr(line, "hexes", 1) == 0:
                yield c.warning("game.yaml", ["rules", "supply", i, key], "game.no-length")


def _ways(c: Checker) -> Iterator[Problem]:
    """Ways by which every step on dry ground is dearer than beside them, for all or dearer than any ground is.

    A trail that is dear for some alone may well be so where it runs, in a game whose rulebook says it.
    """
    for name, way in c.scenario.tables.ways.items():
        runs = [run.hexes for run in c.scenario.map.ways if run.kind == name]
        steps = [step for run in runs for step in chain(pairwise(run), pairwise(run[::-1]))]
        dry = [c.scenario.map.terrain.get(b, ()) for a, b in steps if not c.scenario.map.hexsides.get(side(a, b))]
        dear = [movement for movement in way.costs if dry and _dearer(c, way, movement, dry)]
        grounds = [(terrain,) for terrain in c.scenario.tables.terrain]
        for movement in dear:
            open_ = [g for g in grounds if _dearest(c, movement, g) is not None]
            if len(dear) == len(way.costs) or _dearer(c, way, movement, open_):
                at: list[str | int] = ["ways", name, "costs", movement]
                yield c.warning("tables.yaml", at, "tables.dearer-way", movement=movement)


def _dearer(c: Checker, way: WayEffect, movement: str, grounds: Iterable[tuple[str, ...]]) -> bool:
    """Whether a class pays more along a way than on each of some grounds, and may enter them all."""
    beside = [_dearest(c, movement, ground) for ground in grounds]
    least = min(way.costs[movement].values(), default=0)
    return all(points is not None and least > points for points in beside)


def _dearest(c: Checker, movement: str, ground: tuple[str, ...]) -> int | None:
    """The most that ground costs a class, in half points; None if it keeps any of it out."""
    effects = [c.scenario.tables.terrain[name] for name in ground if name in c.scenario.tables.terrain]
    costs = [effect.costs.get(movement, {}) for effect in effects]
    if any(effect.barred for effect in effects) or not all(costs):
        return None
    return max((points for cost in costs for points in cost.values()), default=None)
