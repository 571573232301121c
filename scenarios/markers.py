"""The markers that a game needs, as its module has them and its logs show them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.scenarios.schema.game import GUNS

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario
    from hexforge.scenarios.schema.rules_combat import CombatRules, Duty


@dataclass(frozen=True)
class Marker:
    """A marker of a game: its id, and its faces in the order in which it is turned."""

    id: str
    faces: tuple[str, ...]


def markers(scenario: Scenario) -> tuple[Marker, ...]:
    """The markers that the game's tables and rules call for."""
    game, tables = scenario.game, scenario.tables
    rules, movement = game.rules, game.rules.movement
    found = [Marker("turn", ("turn",))]
    most = max((r.points for r in tables.air), default=0)
    if most:
        found.append(Marker("air_x1", ("air_x1",)))
    if most > 10:
        found.append(Marker("air_x10", ("air_x10",)))
    if game.weathers:
        found.append(Marker("weather", tuple(f"weather_{w}" for w in game.weathers)))
    dated = any(b.from_turn for b in scenario.map.bridge_list)
    if movement.bridging is not None or movement.closed_bridges or dated:
        found.append(Marker("bridge", ("bridge", "bridge_destroyed")))
    if movement.clearing is not None:
        found.append(Marker("clearing", ("way_blocked", "way_cleared")))
    if scenario.victory.objectives:
        found.append(Marker("control", tuple(f"control_{s.id}" for s in game.sides)))
    contact = (
        *(("must_attack",) if _must_attack(rules.combat.duty) else ()),
        *(("disengaged",) if movement.zones.leave.kind == "points" else ()),
    )
    if contact:
        found.append(Marker("must_attack", contact))
    if _knows_encirclement(rules.combat):
        found.append(Marker("surrounded", ("surrounded",)))
    if movement.recovery or rules.supply:
        found.append(Marker("out_of_supply", ("out_of_supply",)))
    if movement.transit is not None:
        found.append(Marker("in_transit", ("in_transit",)))
    if tables.bombardment is not None or game.classes.get(GUNS):
        found.append(Marker("fired", ("fired",)))
    schedule = scenario.setup
    if schedule.reinforcements:
        found.append(Marker("arrival", ("arrival", "departure") if schedule.withdrawals else ("arrival",)))
    return (
        *found,
        *(Marker(face, (face,)) for face in _state(scenario, known={face for m in found for face in m.faces})),
    )


STATE = "mark_"
"""What a face is called that shows a mark of state: this, and the mark's id."""


def _state(scenario: Scenario, known: set[str]) -> Iterator[str]:
    """Faces for the marks that units bear until a phase, a roll or supply takes them away, but for those `known`.

    That a unit is without supply, and that it has fired, every game's markers of these names say.
    """
    rules = scenario.game.rules
    given = (mark for result in scenario.tables.results.values() for mark in result.marks)
    stages = (mark for line in rules.supply for mark in line.stages)
    for mark in dict.fromkeys(
        (*given, *(mark for rule in rules.marks for mark in (rule.mark, *rule.gives)), *stages)
    ):
        if mark not in known:
            yield f"{STATE}{mark}"


def _must_attack(duty: Duty) -> bool:
    return duty.units != "none" or bool(duty.marks) or duty.enemies


def _knows_encirclement(combat: CombatRules) -> bool:
    """Whether it matters to any rule of combat that a unit is surrounded."""
    asked = (condition.kind for rule in combat.modifiers for condition in rule.when)
    return combat.retreat.way.kind == "fall_back" or "surrounded" in asked
