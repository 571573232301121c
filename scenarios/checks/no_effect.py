"""Warnings on what is said well and decides nothing: things done twice, for nothing, by nobody, or nowhere.

Keys that are well said and come to nothing, for want of another key, or against one, that a game has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Final

from ..console import Problem
from ..schema import modifiers as m
from ..schema.results import Dice, numbers
from ..schema.rules_combat import ArtilleryRules, Duty, Shape
from ..schema.rules_zones import Price, Zones
from ..text.words import message
from . import Checker
from .tables import hurt

_OF_GUNS: Final = ("one_formation", "defence", "guards_most", "guards_phase", "guards_clear_of", "adjacent")
_OF_ZONES: Final = (
    "exerted_by", "reduced", "silenced_by", "not_across", "not_into", "over_bridges", "friends_cancel", "bonds",
    "ignored_by", "exceptions",
)  # fmt: skip
_OF_DUTY: Final = ("excuse", "exempt", "exempt_marks", "counted")


def keys_come_to_something(c: Checker) -> Iterator[Problem]:
    """Warnings on keys of the rules that another choice of the game leaves without effect."""
    for part in (
        _guns,
        _duty,
        _shape,
        _zones,
        _idle_stacks,
        _columns,
        _modifiers,
        _aftermath,
        _idle_phases,
        _moves,
        _replaced,
        _supply,
        _ends,
    ):
        yield from part(c)


def idle(c: Checker, at: list[str | int], why: str, *, file: str = "game.yaml", key: str = "") -> Problem:
    """A key that has no effect, for a reason of `scenario.game.idle-for`; `key` is its name where `at` has none."""
    told = message(f"scenario.game.idle-for.{why}")
    return c.warning(file, at, "game.idle", key=key or str(at[-1]), why=told)


def _said(rule: Any, default: Any, names: tuple[str, ...]) -> Iterator[str]:
    """Which of some keys of a rule say something else than they would if they were absent."""
    return (name for name in names if getattr(rule, name) != getattr(default, name))


def _guns(c: Checker) -> Iterator[Problem]:
    rule, tables = c.scenario.game.rules.combat.artillery, c.scenario.tables
    at: list[str | int] = ["rules", "combat", "artillery"]
    units = c.scenario.counters.values()
    afar = any(unit.range is not None for unit in units)
    for name in _said(rule, ArtilleryRules(), (*_OF_GUNS, "silent_terrain")):
        if not afar:
            yield idle(c, [*at, name], "no-range")
        elif name in ("one_formation", "adjacent") and tables.bombardment is None:
            yield idle(c, [*at, name], "no-fire")
        elif name == "defence" and not any(unit.division for unit in units):
            yield idle(c, [*at, name], "no-division")
    if None not in (rule.guards_most, rule.guards_phase) and (rule.guards_phase or 0) < (rule.guards_most or 0):
        yield idle(c, [*at, "guards_most"], "phase-less")


def _duty(c: Checker) -> Iterator[Problem]:
    rule, at = c.scenario.game.rules.combat.duty, ["rules", "combat", "duty"]
    if rule.units == "none" and not rule.marks and not rule.enemies:
        for name in _said(rule, Duty(), _OF_DUTY):
            yield idle(c, [*at, name], "no-duty")
    if rule.enemies_by != "adjacent" and not rule.enemies:
        yield idle(c, [*at, "enemies_by"], "no-enemies")


def _shape(c: Checker) -> Iterator[Problem]:
    rule, at = c.scenario.game.rules.combat.shape, ["rules", "combat", "shape"]
    if rule.targets == "one" and rule.next_to != Shape().next_to:
        yield idle(c, [*at, "next_to"], "one-target")
    if rule.attackers == "apart" and rule.stacks == "together":
        yield idle(c, [*at, "stacks"], "apart")


def _zones(c: Checker) -> Iterator[Problem]:
    rule, at = c.scenario.game.rules.movement.zones, ["rules", "movement", "zones"]
    if not rule.exerted:
        for name in _said(rule, Zones(), ("enter", "leave", "between", *_OF_ZONES)):
            yield idle(c, [*at, name], "no-zones")
        return
    if rule.over_bridges and not rule.not_across:
        yield idle(c, [*at, "over_bridges"], "everywhere")
    if _all_are(c, rule.ignored_by):
        yield idle(c, [*at, "ignored_by"], "nobody-bound")
    if not rule.reduced and all(not unit.backs for unit in c.scenario.counters.values()):
        yield idle(c, [*at, "reduced"], "one-step")
    yield from _free_of_charge(c, at, rule)
    for number, exception in enumerate(rule.exceptions):
        yield from _free_of_charge(c, [*at, "exceptions", number], exception)
        if exception.enter is None and exception.leave is None and exception.between is None:
            yield idle(c, [*at, "exceptions", number], "no-exception")


def _free_of_charge(c: Checker, at: Sequence[str | int], rule: Any) -> Iterator[Problem]:
    """Points that zones cost, and that are none."""
    for name in ("enter", "leave", "between"):
        if isinstance(price := getattr(rule, name), Price) and not price.points:
            yield idle(c, [*at, name], "costs-nothing")


def _idle_stacks(c: Checker) -> Iterator[Problem]:
    rule, at = c.scenario.game.rules.stacking, ["rules", "stacking"]
    units = c.scenario.counters.values()
    if rule.counted == "steps" and all(not unit.backs for unit in units):
        yield idle(c, [*at, "counted"], "one-step")
    if rule.alike in ("division", "corps") and not any(getattr(unit, rule.alike) for unit in units):
        yield idle(c, [*at, "alike"], "no-formation")
    if rule.alike == "branch" and all(len(spec.branches) == 1 for spec in c.scenario.game.sides):
        yield idle(c, [*at, "alike"], "one-branch")
    if _all_are(c, rule.free):
        yield idle(c, [*at, "free"], "nobody-counts")
    for side, own in rule.sides.items():
        if own.limit is None and own.alike is None:
            yield idle(c, [*at, "sides", side], "nothing-said")


def _columns(c: Checker) -> Iterator[Problem]:
    modifiers = c.scenario.modifiers
    moved = any(isinstance(rule.what, m.Columns | m.ByUnity) for rule in modifiers.rules)
    if c.scenario.tables.crt.columns_most is not None and not moved:
        yield idle(c, ["crt", "columns_most"], "no-columns", file="tables.yaml")


def _modifiers(c: Checker) -> Iterator[Problem]:
    ranges = [unit.range or 1 for unit in c.scenario.counters.values()]
    for number, rule in enumerate(c.scenario.game.rules.combat.modifiers):
        at: list[str | int] = ["rules", "combat", "modifiers", number]
        match rule.what:
            case m.Columns(columns=0) | m.Die(die=0) | m.Morale(morale=0):
                yield idle(c, [*at, "what"], "no-change")
            case m.Multiply(by=by) if by == 1:
                yield idle(c, [*at, "what"], "no-change")
            case m.Morale() if not any(unit.morale for unit in c.scenario.counters.values()):
                yield idle(c, [*at, "what"], "no-morale")
        for i, condition in enumerate(rule.when):
            where: list[str | int] = [*at, "when", i]
            match condition:
                case m.AtRange(least=least, share=share) if share != "none" and least > max(ranges, default=1):
                    yield idle(c, where, "too-far")
                case m.OfFormation(by=label) if _nobody_of(c, label):
                    yield idle(c, where, "no-formation")
                case m.InWorks(share=share) if share != "none" and not c.scenario.map.fortified:
                    yield idle(c, where, "no-works")


def _nobody_of(c: Checker, formation: str) -> bool:
    return not any(getattr(unit, formation) for unit in c.scenario.counters.values())


def _all_are(c: Checker, words: tuple[str, ...]) -> bool:
    """Whether every unit of the game is of some types or classes."""
    classes = c.scenario.game.classes
    kinds = {kind for word in words for kind in classes.get(word, (word,))}
    return bool(kinds) and all(unit.type in kinds for unit in c.scenario.counters.values())


def _aftermath(c: Checker) -> Iterator[Problem]:
    rules = c.scenario.game.rules.combat
    if _all_are(c, rules.advance.none):
        yield idle(c, ["rules", "combat", "advance", "none"], "nobody-advances")
    for name in ("regiment", "division"):
        bonus = getattr(rules.unity, name)
        if (bonus.attack or bonus.defence) and _nobody_of(c, name):
            yield idle(c, ["rules", "combat", "unity", name], "no-formation")


def _idle_phases(c: Checker) -> Iterator[Problem]:
    for number, phase in enumerate(c.scenario.game.sequence):
        if not phase.marches and not c.scenario.game.rules.movement.marches:
            yield idle(c, ["sequence", number, "marches"], "no-marches")
        zones = phase.zones
        if zones is not None:
            yield from _free_of_charge(c, ["sequence", number, "zones"], zones)
        if zones is not None and zones.enter is None and zones.leave is None and zones.between is None:
            yield idle(c, ["sequence", number, "zones"], "no-exception")


def _moves(c: Checker) -> Iterator[Problem]:
    movement, game = c.scenario.game.rules.movement, c.scenario.game
    for number, march in enumerate(movement.marches):
        if march.most == 0:
            yield idle(c, ["rules", "movement", "marches", number], "never-marches")
    for number, rule in enumerate(movement.immobile):
        everybody = not (rule.side or rule.types or rule.divisions or rule.units or rule.marks)
        always = rule.turns[0] <= game.turns.first and rule.turns[1] >= game.turns.last
        if everybody and always and not rule.weather and rule.option is None:
            yield idle(c, ["rules", "movement", "immobile", number], "all-stand")
    off_map = game.rules.combat.off_map
    if movement.returns is not None and (off_map is None or not off_map.returns):
        yield idle(c, ["rules", "movement", "returns"], "nobody-returns")
    elif movement.returns is None and off_map is not None and off_map.returns:
        yield idle(c, ["rules", "combat", "off_map", "returns"], "never-returns")
    for number, dearer in enumerate(movement.surcharges):
        at: list[str | int] = ["rules", "movement", "surcharges", number]
        if dearer.barred and (dearer.whole or dearer.points):
            yield idle(c, [*at, "whole" if dearer.whole else "points"], "barred-anyway")
        elif dearer.whole and dearer.points:
            yield idle(c, [*at, "points"], "whole-anyway")


def _replaced(c: Checker) -> Iterator[Problem]:
    game, units = c.scenario.game, c.scenario.counters.values()
    single = all(not unit.backs for unit in units)
    for number in range(len(game.rules.movement.recovery) if single else 0):
        yield idle(c, ["rules", "movement", "recovery", number], "one-step")
    for number, points in enumerate(game.rules.replacements):
        at: list[str | int] = ["rules", "replacements", number]
        strange = [word for word in points.rebuilds if not _of_types(c, word, points.types)]
        if points.rebuilds and (points.rebuild is None or strange):
            yield idle(c, [*at, "rebuilds"], "not-of-types" if strange else "no-rebuild")
        prices = [price for price in (points.step, points.rebuild) if price is not None]
        if not points.points and prices and all(prices):
            yield idle(c, [*at, "points"], "no-points")
        elif points.rebuild is None and single:
            yield idle(c, [*at, "step"], "one-step")
        if points.delay >= game.turns.last - game.turns.first:
            yield idle(c, [*at, "delay"], "after-the-end")


def _of_types(c: Checker, word: str, types: tuple[str, ...]) -> bool:
    """Whether a type or class has anything in common with some others; none are all."""
    classes = c.scenario.game.classes
    asked = {*classes.get(word, (word,))}
    return not types or any(asked & {*classes.get(other, (other,))} for other in types)


def _supply(c: Checker) -> Iterator[Problem]:
    for number, rule in enumerate(c.scenario.game.rules.supply):
        needy = [unit for unit in c.scenario.counters.values() if rule.side in (None, unit.side)]
        classes = c.scenario.game.classes
        free = {kind for word in rule.exempt for kind in classes.get(word, (word,))}
        if needy and all(unit.type in free for unit in needy):
            yield idle(c, ["rules", "supply", number, "exempt"], "all-exempt")


def _ends(c: Checker) -> Iterator[Problem]:
    for number, rule in enumerate(c.scenario.victory.exits):
        if not rule.points:
            yield idle(c, ["exits", number, "points"], "scores-nothing", file="victory.yaml")


_COMMON: Final = ("movement", "combat")
"""Phases that every game has, in which sides may well do different things."""
_BEYOND: Final = (("below", 0, ("defender", "attacker")), ("above", -1, ("attacker", "defender")))
"""Which end of a table, its column, and who suffers beyond it and within where the two are exchanged."""


def choices_decide_something(c: Checker) -> Iterator[Problem]:
    """What the game's own files say twice, or without anything that could come of it."""
    found = chain(
        _phases(c),
        _movers(c),
        _deeds(c),
        _dice(c),
        _ground(c),
        _stacks(c),
        _allowed(c),
        _beyond(c),
        _points(c),
        _unarmed(c),
    )
    yield from (p for p in found if Path(p.file).parent == c.scenario.folder)


def _phases(c: Checker) -> Iterator[Problem]:
    """A phase that is there twice on end; one of the game's own in which one side does nothing."""
    sequence = c.scenario.game.sequence
    for i, (first, second) in enumerate(pairwise(sequence), 1):
        if first == second:
            yield c.warning("game.yaml", ["sequence", i], "game.phase-twice", phase=second.phase, side=second.side)
    for i, phase in enumerate(sequence):
        other = next((p for p in sequence if p.phase == phase.phase and p.side != phase.side and p.does), None)
        if phase.phase not in _COMMON and not phase.does and other is not None:
            one_sided = partial(c.warning, "game.yaml", ["sequence", i], "game.one-sided")
            yield one_sided(phase=phase.phase, side=phase.side, other=other.side, does=tuple(other.does))


def _movers(c: Checker) -> Iterator[Problem]:
    """Types of which every phase of movement of their side leaves those out that could move."""
    units = c.scenario.counters.values()
    for side in c.scenario.game.sides:
        phases = [p for p in c.scenario.game.sequence if (p.side, p.phase) == (side.id, "movement")]
        types = dict.fromkeys(unit.type for unit in units if unit.side == side.id and unit.move)
        left = tuple(
            t for t in types if all(p.who and c.scenario.kinds(t).isdisjoint(p.who) for p in phases) and phases
        )
        if left:
            yield c.warning("game.yaml", ["sequence"], "game.never-moves", side=side.id, types=left)


def _deeds(c: Checker) -> Iterator[Problem]:
    """What is done in a phase for which the game has no rule."""
    game, rules = c.scenario.game, c.scenario.game.rules
    fires = any(unit.range is not None for unit in c.scenario.counters.values()) or bool(
        rules.combat.artillery.offboard
    )
    there = {
        "recover": bool(rules.movement.recovery or rules.replacements),
        "rally": any(rule.rally is not None for rule in rules.marks),
        "mark": any(rule.take is not None for rule in rules.marks),
        "bombard": fires or c.scenario.tables.bombardment is not None,
        "airstrike": rules.combat.air is not None,
        "rail": rules.movement.railway is not None,
    }
    for i, phase in enumerate(game.sequence):
        for deed in phase.does:
            if not there.get(deed, True):
                yield c.warning("game.yaml", ["sequence", i, "does"], "game.no-such-deed", deed=deed)


def _dice(c: Checker) -> Iterator[Problem]:
    """Dice that show the same whatever they show."""
    game = c.scenario.game
    if game.order_die is not None and len(set(game.order_die.shows.values())) == 1:
        yield idle(c, ["order_die", "shows"], "always-alike")
    for i, rule in enumerate(game.rules.marks):
        rally = rule.rally
        if rally is None or rally.dice is None or not rally.shows:
            continue
        try:
            shown = set(numbers(rally.shows))
        except ValueError:
            continue
        if shown.issuperset(Dice.of(rally.dice).ways):
            yield idle(c, ["rules", "marks", i, "rally", "shows"], "always-alike")


def _ground(c: Checker) -> Iterator[Problem]:
    """Zones that reach into no hex of the map."""
    zones = c.scenario.game.rules.movement.zones
    shut = frozenset(zones.not_into) if zones.exerted else frozenset[str]()
    if shut and not any(map(shut.isdisjoint, c.scenario.map.terrain.values())):
        yield idle(c, ["rules", "movement", "zones", "not_into"], "no-hex-left")


def _stacks(c: Checker) -> Iterator[Problem]:
    """What counts in a stack for nobody; ground on which nobody may end."""
    rule, at = c.scenario.game.rules.stacking, ["rules", "stacking"]
    units = c.scenario.counters.values()
    for word in rule.points:
        if not any(word in (u.id, u.size) or word in c.scenario.kinds(u.type) for u in units):
            yield c.warning("game.yaml", [*at, "points", word], "game.fits-nobody")
    for terrain, limit in rule.terrain.items():
        if not limit:
            yield c.warning("game.yaml", [*at, "terrain", terrain], "game.no-room-at-all", terrain=terrain)


def _allowed(c: Checker) -> Iterator[Problem]:
    """What may be done by none at all."""
    rules = c.scenario.game.rules
    if rules.combat.advance.most == 0:
        yield idle(c, ["rules", "combat", "advance", "most"], "none-advances")
    uses = rules.movement.railway.uses if rules.movement.railway is not None else ()
    for i, use in enumerate(uses):
        if use.most == 0:
            yield idle(c, ["rules", "movement", "railway", "uses", i], "carries-none", key="uses")


def _beyond(c: Checker) -> Iterator[Problem]:
    """What becomes of odds beyond a table, where it is worse for the stronger than its last column."""
    tables = c.scenario.tables
    table = tables.crt
    for name, column, (beyond, within) in _BEYOND:
        code = getattr(table.column_by, name, "")
        cells = [cells[column] for cells in table.rows.values() if cells]
        known = tables.results
        there = [hurt([known[one] for one in cell.split() if one in known]) for cell in cells]
        if code in known and hurt([known[code]]) == {beyond} and {within} in there:
            where: list[str | int] = ["crt", "column_by", name]
            yield c.warning("tables.yaml", where, "tables.turned-beyond", code=code, column=table.columns[column])


def _points(c: Checker) -> Iterator[Problem]:
    """Places that score for nobody."""
    for i, objective in enumerate(c.scenario.victory.objectives):
        if not any(objective.points.values()):
            yield idle(c, ["objectives", i, "points"], "scores-nothing", file="victory.yaml")
        if objective.each_turn and objective.at_turns:
            yield idle(c, ["objectives", i, "at_turns"], "each-turn", file="victory.yaml")


def _unarmed(c: Checker) -> Iterator[Problem]:
    """Units without any strength, where others of their type have some."""
    units = c.scenario.counters.values()
    armed = {unit.type for unit in units if unit.attack or unit.defence}
    for unit in units:
        if not unit.attack and not unit.defence and unit.type in armed:
            yield c.warning("counters.csv", [unit.id], "counters.unarmed", type=unit.type)
