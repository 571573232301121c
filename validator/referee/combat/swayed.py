"""How far other ground than the map has could move the column of a combat (5.1).

Where the map is a reconstruction, a column that only other ground would give is doubtful; one that no ground gives
is wrong. Whatever hangs on ground may hold or not, each by itself: what comes out is never too narrow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from hexforge.scenarios.schema import modifiers as m
from hexforge.scenarios.schema.tables import ResultTable
from hexforge.validator.referee.combat.battle import Battle
from hexforge.validator.referee.combat.encirclement import ways_out
from hexforge.validator.referee.combat.figures import Forces
from hexforge.validator.referee.combat.modifiers import shifts

_OF_NO_GROUND: Final = (
    m.InTurns,
    m.ByAttacker,
    m.WithUnits,
    m.Together,
    m.AfterLosses,
    m.OfFormation,
    m.IsDeclared,
    m.IsOption,
    m.InOverrun,
    m.FromAfar,
    m.AtRange,
    m.Around,
)
_GAPS: Final = 2
"""Free hexes around defenders whom no one hex of other ground would surround."""


def explained_by_ground(
    battle: Battle, forces: Forces, table: ResultTable, explains: Callable[[int], bool]
) -> bool:
    """Whether a column could be right on other ground; `explains` tells whether so many columns more would give it.

    Where a game's modifiers hang together in such a way that this cannot be told, it could.
    """
    rules = battle.modifiers.columns
    swayed = [rule for rule in rules if _hangs_on_ground(battle, forces, rule)]
    if table.columns_most is not None or any(
        _hangs_on_ground(battle, forces, r) for r in battle.modifiers.strengths
    ):
        return True
    if not all(isinstance(rule.what, m.Columns) for rule in swayed):
        return True
    sure = {rule.group for rule in rules if rule not in swayed and rule.group is not None}
    if any(rule.group in sure for rule in swayed):
        return True
    now = sum(shift.columns for shift in shifts(battle, forces, swayed))
    least, most = _span(battle, forces, swayed)
    return any(explains(columns - now) for columns in range(least, most + 1))


def _hangs_on_ground(battle: Battle, forces: Forces, rule: m.Modifier) -> bool:
    return any(not _sure(battle, forces, condition) for condition in rule.when)


def _sure(battle: Battle, forces: Forces, condition: m.Condition) -> bool:
    """Whether a condition holds, or does not, whatever the ground is."""
    if isinstance(condition, m.InWeather):
        return not battle.ctx.ground.climate
    if isinstance(condition, m.Surrounded):
        known = battle.known(forces.targets)
        free = [list(ways_out(battle.ctx, battle.position, hex_, battle.defender)) for hex_ in known]
        return any(len(hexes) >= _GAPS for hexes in free)
    return isinstance(condition, _OF_NO_GROUND)


def _span(battle: Battle, forces: Forces, rules: Iterable[m.Modifier]) -> tuple[int, int]:
    """The least and the most that rules come to of which any may hold."""
    by_group: dict[str | None, list[int]] = {}
    for rule in rules:
        if isinstance(rule.what, m.Columns):
            by_group.setdefault(rule.group, []).append(rule.what.columns * forces.times(rule.name))
    least = most = 0
    for group, values in by_group.items():
        best = group is not None and battle.modifiers.groups.get(group) == "best"
        down, up = [v for v in values if v < 0], [v for v in values if v > 0]
        least += min(down, default=0) if best else sum(down)
        most += max(up, default=0) if best else sum(up)
    return least, most
