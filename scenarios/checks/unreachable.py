"""Numbers that nothing in the game comes up to: costs that nobody pays, lines longer than the map, wide shifts.

Warnings on what is well said and met with nowhere: on no hex, at no score, along no way, at no start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise
from math import prod
from typing import TYPE_CHECKING, Any, Final

from ..console import Problem
from ..schema import modifiers
from ..schema.base import first_and_last, in_turns
from ..schema.declared import warning
from ..schema.game import Hexes, PhaseSpec, Points, Times
from ..schema.results import Result
from ..schema.rules import Attrition, Rally, Replacements, Stacking, Take
from ..schema.rules_movement import Allowance, Immobile, March, Overrun
from ..schema.rules_zones import Once, Price, Stop
from ..schema.setup import ExitScore, Level, SuddenEnd, VictoryFile
from ..schema.tables import WayEffect
from ..text.hexgrid import side
from . import Case, Checker, Slips

if TYPE_CHECKING:
    from ..schema.base import Selector
    from ..schema.setup import CounterRow as Counter
_HALVES: Final = 2
_AROUND: Final = 6
"""Hexes around one, out of which it is attacked."""
_FAR: Final = 2
"""How many times the most that anybody has a slip of a cost is at least: tables print some that nobody can pay."""


def _allowances(c: Checker) -> Mapping[str, int]:
    """The most movement points that anybody of a movement class ever has, for classes that counters show."""
    game = c.game
    marches, phases = game.rules.movement.marches, [phase.allowance for phase in game.sequence]
    times = max([1, *(march.times for march in marches), *(a.times for a in phases if isinstance(a, Times))])
    more = max([0, *(march.more // _HALVES for march in marches)])
    same = max([0, *(a.points for a in phases if isinstance(a, Points))])
    found: dict[str, int] = {}
    for unit in c.units:
        kind = game.unit_types.get(unit.type)
        if kind is not None:
            found[kind.movement] = max(found.get(kind.movement, 0), unit.move * times + more, same)
    return found


def _most(c: Checker) -> int:
    """The most movement points that anybody ever has."""
    return max([0, *_allowances(c).values()])


def costs_are_paid(c: Checker) -> Iterator[Problem]:
    """Costs that nobody can pay, or nobody but who may always go one hex."""
    by_hexes = any(isinstance(phase.allowance, Hexes) for phase in c.game.sequence)
    freed = c.rules.movement.minimum == "one_hex" or by_hexes
    said, most = "tables.never-paid-but-one" if freed else "tables.never-paid", _allowances(c)
    for key, name, effect in c.effects:
        for movement, cost in effect.costs.items():
            has = most.get(movement, 0)
            far = [points for points in cost.values() if has and points > _FAR * _HALVES * has]
            if far and (freed or len(far) == len(cost)):
                at = (key, name, "costs", movement)
                yield c.warning("tables.yaml", at, said, movement=movement, most=has)


def _too_many_lost(c: Checker, after: modifiers.AfterLosses) -> Case | None:
    """Losses that a side cannot have, for it has not so much."""
    mine = [u for u in c.units if u.side == after.side]
    has = {
        "units": len(mine),
        "steps": sum(1 + len(u.backs) for u in mine),
        "factors": sum(u.attack for u in mine),
    }[after.counted]
    return {"most": has, "side": after.side} if after.least > has and not c.rules.untried else None


def _too_many(c: Checker, who: modifiers.WithUnits) -> Case | None:
    """More units that take part than there are of them."""
    has = sum(1 for _ in _fitting(c, who))
    return {"most": has} if who.least > max(has, 1) else None


def _fitting(c: Checker, who: modifiers.WithUnits | Selector) -> Iterator[Counter]:
    """The units that a rule speaks of."""
    for unit in c.units:
        of_side = who.side is None or who.side == unit.side
        of_type = not who.types or not c.kinds(unit.type).isdisjoint(who.types)
        if of_side and of_type and (not who.divisions or unit.division in who.divisions):
            yield unit


def _too_strong(c: Checker, rule: Overrun) -> Case | None:
    """Overruns that ask for more attack strength than all of a side have who may make them."""
    sums: dict[str, int] = {}
    for unit in _fitting(c, rule):
        sums[unit.side] = sums.get(unit.side, 0) + unit.attack
    effects = [r.what for r in c.scenario.modifiers.rules]
    has = int(
        max(sums.values(), default=0)
        * prod(e.by for e in effects if isinstance(e, modifiers.Multiply) and e.by > 1)
    )
    return {"most": has} if rule.strength > has and not c.modifies(modifiers.Fixed) else None


def _weight(c: Checker, unit: Counter) -> int:
    return c.rules.stacking.weight(unit.id, c.kinds(unit.type), unit.size, 1 + len(unit.backs))


def _never_full(c: Checker, rule: Stacking) -> Case | None:
    """A limit that no stack comes up to."""
    most = max(
        (sum(_weight(c, u) for u in c.units if u.side == side) for side in {u.side for u in c.units}),
        default=rule.limit,
    )
    return {"most": most} if rule.limit > most else None


def _never_fits(c: Checker, rule: Stacking) -> Iterator[Case]:
    """Units that count more than any hex takes, so that they end nowhere; of each type one."""
    told = set[str]()
    for unit in c.units:
        points = _weight(c, unit)
        most = max(rule.most((terrain,), unit.side) for terrain in (*c.tables.terrain, ""))
        if points > most and unit.type not in told:
            told.add(unit.type)
            yield {"at": ("points" if rule.points else "limit",), "unit": unit.id, "points": points, "most": most}


def _too_dear(c: Checker, rule: Replacements) -> Iterator[Case]:
    """Replacements that cost more points than a side ever has together."""
    first, last = first_and_last(rule.turns or (c.game.turns.first, c.game.turns.last))
    each = rule.points * max(1, len(rule.held))
    most = each + ((last - first) * each if rule.saved == "all" else rule.saved or 0)
    return ({"at": (key,), "most": most} for key in ("step", "rebuild") if (getattr(rule, key) or 0) > most > 0)


def _too_deep(c: Checker, rule: Attrition) -> Case | None:
    """More steps than anybody has."""
    deep = max((1 + len(u.backs) for u in c.units), default=1)
    return {"most": deep} if isinstance(rule.steps.count, int) and rule.steps.count > deep else None


def _never_held(c: Checker, result: Result) -> Iterator[Case]:
    """Losses of more steps or units than there can be at the fullest."""
    stacking = c.rules.stacking
    deep = max((1 + len(u.backs) for u in c.units), default=1)
    weights = {stacking.weight(u.id, c.kinds(u.type), u.size, 1) for u in c.units} - {0}
    full = max((stacking.limit, *stacking.terrain.values())) // min(weights, default=1)
    several = c.rules.combat.shape.targets == "several"
    for part, hexes in (("attacker", _AROUND), ("defender", _AROUND if several else 1)):
        most = {"steps": full * deep * hexes, "units": full * hexes, "retreat": full * deep * hexes}
        for key, has in most.items():
            asked = getattr(getattr(result, part), key)
            count = getattr(asked, "instead" if key == "retreat" else "count", 0)
            if isinstance(count, int) and count > has:
                yield {"at": (part, key), "most": has}


def _never_won(c: Checker, rule: SuddenEnd) -> Iterator[Case]:
    """Points that would win at once, and that a side can never have."""
    most = most_points(c, rule.side)
    for key, asked in (("points", rule.points), ("lead", rule.lead)):
        if asked is not None and most is not None and asked > most:
            yield {"at": (key,), "most": most}


def most_points(c: Checker, side: str) -> int | None:
    """As many points as a side could have if all went its way; None where units that come back bring ever more.

    What the enemy can lose below nothing is counted too, as a lead grows by it.
    """
    victory, game, units = c.victory, c.game, c.units
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


def _garrisoned(c: Checker, victory: VictoryFile) -> Iterator[Case]:
    """Places given to a side at the start in which a unit of the other stands, and holds them.

    One of its own is no slip: a sheet may begin with other units.
    """
    stands = {
        rule.hexes[0]: c.counters[rule.units[0]]
        for rule in c.setup.at_start
        if len(rule.hexes) == 1 and not rule.areas and rule.units and rule.units[0] in c.counters
    }
    for place in c.map.places:
        owner = victory.control.get(place.id)
        there = next((stands[h] for h in place.hexes if h in stands and stands[h].side != owner), None)
        if owner is not None and there is not None:
            yield {"at": (place.id,), "unit": there.id, "side": there.side}


def _nowhere(c: Checker, rule: modifiers.Modifier) -> Iterator[Case]:
    """Conditions on the ground of a hex that none meets."""
    for j, one in enumerate(rule.when):
        if not isinstance(one, modifiers.InTerrain) or one.share != "none":
            continue
        if not any(_meets(one, ground) for ground in c.map.terrain.values()):
            yield {"at": (j, "terrain"), "name": rule.name}


def _never_together(c: Checker, rule: modifiers.Modifier) -> Iterator[Case]:
    """Two conditions on the ground of a hex, each of which some hex meets and none both."""
    one_target = c.rules.combat.shape.targets == "one"
    asked = [(j, one) for j, one in enumerate(rule.when) if isinstance(one, modifiers.InTerrain)]
    for (_, first), (j, second) in combinations(asked, 2):
        # Of several hexes each may meet another condition, if neither is of all of them.
        one_hex = not {"all", "none"}.isdisjoint((first.share, second.share)) or (
            one_target and first.of == "defenders"
        )
        if first.of == second.of and one_hex and _apart(c, first, second):
            yield {"at": (j, "terrain"), "name": rule.name}


def _apart(c: Checker, first: modifiers.InTerrain, second: modifiers.InTerrain) -> bool:
    met = [(_meets(first, ground), _meets(second, ground)) for ground in c.map.terrain.values()]
    return any(a for a, _ in met) and any(b for _, b in met) and not any(a and b for a, b in met)


def _meets(condition: modifiers.InTerrain, ground: tuple[str, ...]) -> bool:
    return set(ground).isdisjoint(condition.terrain) == (condition.share == "none")


def _done_in(c: Checker, deed: str, side: str | None) -> list[PhaseSpec]:
    """The phases in which something is done: those that list it, or where none of a side's does its movement."""
    found: list[PhaseSpec] = []
    for one in c.game.sides if side is None else [s for s in c.game.sides if s.id == side]:
        mine = [spec for spec in c.game.sequence if spec.side == one.id]
        listed = [spec for spec in mine if deed in spec.does]
        moving = [spec for spec in mine if spec.phase == "movement" and (deed != "enter" or spec.entry)]
        found += [*listed, *moving] if deed == "enter" else listed or moving
    return found


def _never_done(c: Checker, phases: Sequence[str], done: Sequence[PhaseSpec]) -> Iterator[Case]:
    """Phases in which what a rule speaks of is never done."""
    known = tuple(dict.fromkeys(spec.name for spec in done)) or ("–",)
    return ({"phase": n, "known": known} for n in phases if not any(n in spec.names for spec in done))


def _never_moved(c: Checker, rule: Any) -> Iterator[Case]:
    return _never_done(c, rule.phases, [spec for spec in c.game.sequence if spec.phase == "movement"])


def _never_given(c: Checker, rule: Replacements) -> Iterator[Case]:
    done = _done_in(c, "recover", rule.side) if rule.step is not None else []
    done += _done_in(c, "enter", rule.side) if rule.rebuild is not None else []
    return _never_done(c, rule.phases, done)


def _never_fought(c: Checker, rule: modifiers.Modifier) -> bool:
    """A modifier for attacks of a side, in turns, weather and phases in which it has none."""
    game = c.game
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
    if sum(one is not None for one in (side, turns, weather, phases)) < 2 and not phases:
        return False
    fought = [
        spec
        for spec in game.sequence
        if (spec.attacks or (c.rules.movement.overruns and spec.phase == "movement")) and side in (None, spec.side)
    ]
    fought = [spec for spec in fought if not phases or not set(phases).isdisjoint(spec.names)]
    skies = {
        t: set(_weathers(c, t)).intersection(weather or _weathers(c, t)) for t in c.turns if in_turns(turns, t)
    }
    held = any(spec.played(turn, sky) for spec in fought for turn in skies for sky in skies[turn])
    return not held and bool(fought or phases)


def _weathers(c: Checker, turn: int) -> tuple[str, ...]:
    """The kinds of weather that a turn may have anywhere; "" alone where the game has none."""
    game = c.game
    there = tuple(weather for _, weather in c.scenario.weather_by_area(turn))
    if game.weather_die is None:
        return (c.scenario.weather(turn), *there)
    # Weather lasts until it is thrown again.
    return (*game.weathers, *there)


def _never_scored(c: Checker, level: Level) -> Case | None:
    """Levels of victory that ask for more points than their side could ever have."""
    sides = [level.measured] if level.measured else [s.id for s in c.game.sides]
    most = [most_points(c, one) for one in sides]
    if level.by == "ratio" or not all(points is not None and points < level.least for points in most):
        return None
    return {"most": max(points or 0 for points in most)}


def ways_are_no_dearer(c: Checker) -> Iterator[Problem]:
    """Ways by which every step on dry ground is dearer than beside them, for all or dearer than any ground is.

    A trail that is dear for some alone may well be so where it runs, in a game whose rulebook says it.
    """
    for name, way in c.tables.ways.items():
        runs = [run.hexes for run in c.map.ways if run.kind == name]
        steps = [step for run in runs for step in chain(pairwise(run), pairwise(run[::-1]))]
        dry = [c.map.terrain.get(b, ()) for a, b in steps if not c.map.hexsides.get(side(a, b))]
        dear = [movement for movement in way.costs if dry and _dearer(c, way, movement, dry)]
        grounds = [(terrain,) for terrain in c.tables.terrain]
        for movement in dear:
            open_ = [g for g in grounds if _dearest(c, movement, g) is not None]
            if len(dear) == len(way.costs) or _dearer(c, way, movement, open_):
                yield c.warning(
                    "tables.yaml", ["ways", name, "costs", movement], "tables.dearer-way", movement=movement
                )


def _dearer(c: Checker, way: WayEffect, movement: str, grounds: Iterable[tuple[str, ...]]) -> bool:
    """Whether a class pays more along a way than on each of some grounds, and may enter them all."""
    beside = [_dearest(c, movement, ground) for ground in grounds]
    least = min(way.costs[movement].values(), default=0)
    return all(points is not None and least > points for points in beside)


def _dearest(c: Checker, movement: str, ground: tuple[str, ...]) -> int | None:
    """The most that ground costs a class, in half points; None if it keeps any of it out."""
    effects = [c.tables.terrain[name] for name in ground if name in c.tables.terrain]
    costs = [effect.costs.get(movement, {}) for effect in effects]
    if any(effect.barred for effect in effects) or not all(costs):
        return None
    return max((points for cost in costs for points in cost.values()), default=None)


SLIPS: Final[Slips] = (
    *(
        (
            zone,
            warning("game.never-paid", "", lambda c, r: r.points > _HALVES * _most(c) > 0 and {"most": _most(c)}),
        )
        for zone in (Price, Stop, Once)
    ),
    (modifiers.AfterLosses, warning("game.never-lost", "least", _too_many_lost)),
    (modifiers.WithUnits, warning("game.never-so-many", "least", _too_many)),
    (modifiers.Modifier, warning("game.never-met", "when", _nowhere)),
    (modifiers.Modifier, warning("game.never-together", "when", _never_together)),
    (modifiers.Modifier, warning("game.never-fought", "when", _never_fought)),
    (Overrun, warning("game.never-so-strong", "strength", _too_strong)),
    (Stacking, warning("game.never-full", "limit", _never_full)),
    (Stacking, warning("game.never-fits", "", _never_fits)),
    (Replacements, warning("game.never-bought", "", _too_dear)),
    (Attrition, warning("game.never-so-deep", "steps", _too_deep)),
    (Result, warning("tables.never-held", "", _never_held)),
    (SuddenEnd, warning("victory.never-scored", "", _never_won)),
    (Level, warning("victory.never-scored", "least", _never_scored)),
    (VictoryFile, warning("victory.garrisoned", "control", _garrisoned)),
    (
        Take,
        warning("game.never-done", "phases", lambda c, r: _never_done(c, r.phases, _done_in(c, "mark", r.side))),
    ),
    (
        Rally,
        warning("game.never-done", "phases", lambda c, r: _never_done(c, r.phases, _done_in(c, "rally", None))),
    ),
    (Replacements, warning("game.never-done", "phases", _never_given)),
    (
        ExitScore,
        warning("game.never-done", "phases", lambda c, r: _never_done(c, r.phases, _done_in(c, "exit", r.side))),
    ),
    *((rule, warning("game.never-done", "phases", _never_moved)) for rule in (Overrun, March, Allowance, Immobile)),
)
