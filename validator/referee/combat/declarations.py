"""Modifiers that players declare in combat or for fire: whether they may be, and how often they were this turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from hexforge.scenarios.schema import modifiers as m
from hexforge.scenarios.words import Term
from hexforge.validator.referee.combat.conditions import all_hold, asked_of, hold_for, party
from hexforge.validator.referee.findings import Finding

if TYPE_CHECKING:
    from hexforge.validator.referee.combat.battle import Battle
    from hexforge.validator.referee.combat.figures import Forces


def check_declared(
    battle: Battle, forces: Forces, lines: Mapping[str, Sequence[int]], table: Literal["crt", "bombardment"] = "crt"
) -> Iterator[Finding]:
    """Modifiers that a combat, or fire, declares: that it has such, now, and how many times they may be."""
    rules, here = _declarations(battle), dict[str, int]()
    drawn = dict(battle.position.ledger.declared)
    for line, name in sorted((line, name) for name, named in lines.items() for line in named):
        if name not in rules:
            yield battle.found(line, "declared-unknown", name=name)
            continue
        rule, declaration = rules[name]
        told: dict[str, Any] = {"section": rule.section, "name": Term("modifiers", name, name.replace("_", " "))}
        pool = declaration.pool or name
        drawn[pool], here[pool] = drawn.get(pool, 0) + 1, here.get(pool, 0) + 1
        if declaration.most is not None and drawn[pool] > declaration.most:
            yield battle.found(line, "declared-often", most=declaration.most, **told)
        elif here[pool] > declaration.times:
            yield battle.found(line, "declared-again", times=declaration.times, **told)
        elif rule.table not in (table, "both") or not _may_hold(battle, forces, rule):
            yield battle.found(line, "declared-void", hexes=forces.targets, **told)


def drawn(battle: Battle, times: Mapping[str, int]) -> Mapping[str, int]:
    """What has been declared in the turn, by pool, after a combat that declares modifiers so many times."""
    rules, found = _declarations(battle), dict(battle.position.ledger.declared)
    for name, count in times.items():
        pool = rules[name][1].pool or name if name in rules else name
        found[pool] = found.get(pool, 0) + count
    return found


def _declarations(battle: Battle) -> dict[str, tuple[m.Modifier, m.IsDeclared]]:
    return {r.name: (r, c) for r in battle.rules.modifiers for c in r.when if isinstance(c, m.IsDeclared)}


def _may_hold(battle: Battle, forces: Forces, rule: m.Modifier) -> bool:
    """Whether all conditions hold, for anybody or any hex at least where each is asked by itself."""
    if rule.each == "target" and len(forces.targets) > 1:
        return any(_may_hold(battle, replace(forces, targets=(target,)), rule) for target in forces.targets)
    if isinstance(rule.what, m.Columns | m.Die):
        return all_hold(battle, forces, rule)
    fighting: tuple[m.Party, ...] = ("attackers", "defenders")
    asked = (asked_of(battle, forces, of, unit) for of in fighting for unit in party(battle, forces, of))
    return any(hold_for(battle, one, rule) for one in asked) or all_hold(battle, forces, rule)
