"""Warnings on what is said well and decides nothing: things done twice, for nothing, by nobody, or nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Final

from hexforge.scenarios.checks.checker import Checker
from hexforge.scenarios.checks.idle import idle
from hexforge.scenarios.checks.results import hurt
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.schema.dice import Dice, numbers

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
