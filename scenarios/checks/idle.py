"""Keys that are well said and come to nothing, for want of another key, or against one, that a game has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from hexforge.scenarios.schema import modifiers as m
from hexforge.scenarios.schema.rules_combat import ArtilleryRules, Duty, Shape
from hexforge.scenarios.schema.rules_zones import Price, Zones
from hexforge.scenarios.words import message

if TYPE_CHECKING:
    from hexforge.scenarios.checks.checker import Checker
    from hexforge.scenarios.problems import Problem

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
        _stacks,
        _columns,
        _modifiers,
        _aftermath,
        _phases,
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


def _stacks(c: Checker) -> Iterator[Problem]:
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


def _phases(c: Checker) -> Iterator[Problem]:
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
