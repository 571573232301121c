"""Columns that players counted and that a rule grants only otherwise: what explains a column that no slip does.

A river that not all attackers come across, a regiment of which a battalion is missing, a ring with a gap, the
surprise of another turn: nobody has miscounted what holds, but taken for granted what does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from hexforge.scenarios.schema import modifiers as m
from hexforge.validator.referee.combat.battle import Battle
from hexforge.validator.referee.combat.conditions import holds, party
from hexforge.validator.referee.combat.encirclement import ways_out
from hexforge.validator.referee.combat.figures import Forces
from hexforge.validator.referee.combat.modifiers import (
    ActiveModifier,
    ground_of,
    lines_of,
    shift_of,
    unity_of,
)
from hexforge.validator.referee.combat.unity import nearly
from hexforge.validator.referee.findings import Shift

GAPS: Final = 2
"""Ways out at most where somebody may think that there is none."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A shift that does not hold, the kind of finding that says so, and the units or hexes on account of which."""

    shift: Shift
    key: str
    wanting: str = ""


def claims(battle: Battle, forces: Forces) -> Iterator[Claim]:
    """The shifts that nearly hold in a combat, each with what they want."""
    yield from _not_all_across(battle, forces)
    yield from _not_whole(battle, forces)
    yield from _not_surrounded(battle, forces)
    yield from _not_this_time(battle, forces)


def _not_all_across(battle: Battle, forces: Forces) -> Iterator[Claim]:
    """Lines before the target that would count if those alone attacked who come across them."""
    rules = battle.modifiers.columns
    whole = ground_of(battle, forces, rules)
    alone = {u: ground_of(battle, forces.only(u), rules) for u in forces.engaged}
    known = {id(held.rule) for held in whole.held}
    told = set[int]()
    for ground in alone.values():
        lines = [h for h in ground.counted if h.of_line and id(h.rule) not in known]
        by = ground.total - whole.total
        if lines and by and by not in told:
            told.add(by)
            others = [u for u, g in alone.items() if all(h.rule is not lines[0].rule for h in g.held)]
            yield Claim(shift_of(battle, replace(lines[0], value=by)), "shift-not-all", " ".join(others))


def _not_whole(battle: Battle, forces: Forces) -> Iterator[Claim]:
    """Formations that would earn columns if those of their units took part who do not."""
    for rule in battle.modifiers.columns:
        if not isinstance(rule.what, m.ByUnity):
            continue
        of = rule.what.of
        fighters = party(battle, forces, of)
        earned = unity_of(battle, fighters, of).columns
        for key, missing in nearly(battle.rules.unity, battle.position.roster, fighters):
            supposed = unity_of(battle, fighters, of, {**battle.ctx.supposed, key: True})
            by = (supposed.columns - earned) * (1 if of == "attackers" else -1)
            if by:
                shift = shift_of(battle, ActiveModifier(rule, by, "unity"))
                yield Claim(shift, "shift-not-whole", " ".join(sorted(missing)))


def _not_surrounded(battle: Battle, forces: Forces) -> Iterator[Claim]:
    """What a ring would be worth that has a gap or two."""
    if len(forces.targets) != 1 or forces.targets[0] not in battle.position.grid:
        return
    gaps = sorted(ways_out(battle.ctx, battle.position, forces.targets[0], battle.defender))
    for rule in battle.modifiers.columns if 0 < len(gaps) <= GAPS else ():
        rings = [c for c in rule.when if isinstance(c, m.Surrounded)]
        others = [c for c in rule.when if c not in rings]
        if rings and isinstance(rule.what, m.Columns) and all(holds(battle, forces, c) for c in others):
            yield Claim(_supposed(battle, rule, rule.what.columns, "encirclement"), "shift-way-out", " ".join(gaps))


def _not_this_time(battle: Battle, forces: Forces) -> Iterator[Claim]:
    """What would hold for the other side, or in another turn."""
    for rule in battle.modifiers.columns:
        wanting = [c for c in rule.when if not holds(battle, forces, c)]
        line = min(lines_of(rule), default="")
        for kind, key in ((m.ByAttacker, "shift-other-side"), (m.InTurns, "shift-other-turn")):
            if wanting and all(isinstance(c, kind) for c in wanting) and isinstance(rule.what, m.Columns):
                yield Claim(_supposed(battle, rule, rule.what.columns, line), key)


def _supposed(battle: Battle, rule: m.Modifier, columns: int, cause: str) -> Shift:
    return shift_of(battle, ActiveModifier(rule, columns, rule.name or cause))
