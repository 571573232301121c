"""Which shift a wrongly declared column forgets or miscounts.

Columns that players counted and that a rule grants only otherwise: what explains a column that no slip does.

A river that not all attackers come across, a regiment of which a battalion is missing, a ring with a gap: nobody
has miscounted what holds, but taken for granted what does not.

Modifiers that players declare in combat or for fire: whether they may be, and how often they were this turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from ....scenarios.schema import modifiers
from ....scenarios.schema.base import in_turns
from ....scenarios.text.words import Term
from ..findings import Finding, Shift
from .conditions import Battle, Forces, all_hold, asked_of, hold_for, holds, party
from .encirclement import ways_out
from .modifiers import ActiveModifier, ground_of, lines_of, shift_of, unity_of
from .unity import excepted, nearly, uncommanded

Mistake = Literal["forgotten", "twice", "reversed", "added", "off-by-one"]


@dataclass(frozen=True, slots=True)
class Suspect:
    """A shift that explains a wrong column: what went wrong with it, and the citation of its rule."""

    shift: Shift
    mistake: Mistake

    @property
    def key(self) -> str:
        """The kind of finding that says so."""
        return f"shift-{self.mistake}"


def suspects(
    shifts: Sequence[Shift],
    declared: int,
    column_for: Callable[[int], int],
    *,
    terrain_rule: str = "",
    alternatives: Iterable[int] = (),
) -> list[Suspect]:
    """The shifts of which a single mistake leads to the declared column, one for each rule.

    `column_for` gives the final column (an index) for a sum of shifts. `alternatives` are sums of terrain columns
    that a player gets by adding what does not add; they and mistakes by one column concern `terrain_rule` only.
    """
    total = sum(s.columns for s in shifts)
    # Where a limit took something back, many slips come to the same column: whether it was forgotten can be said.
    if limits := [s for s in shifts if s.limits]:
        whole = column_for(total - sum(s.columns for s in limits))
        return [Suspect(limits[-1], "forgotten")] if whole == declared else []
    found: dict[str, Suspect] = {}

    def consider(shift: Shift, mistake: Mistake, sum_: int) -> None:
        if column_for(sum_) == declared:
            found.setdefault(shift.rule, Suspect(shift, mistake))

    for shift in _merged(shifts):
        consider(shift, "forgotten", total - shift.columns)
    for shift in _merged(shifts):
        consider(shift, "twice", total + shift.columns)
        consider(shift, "reversed", total - 2 * shift.columns)
        if shift.rule == terrain_rule:
            for other in alternatives:
                consider(shift, "added", total - shift.columns + other)
            for error in (-1, 1):
                consider(shift, "off-by-one", total + error)
    return list(found.values())


def _merged(shifts: Sequence[Shift]) -> list[Shift]:
    """The shifts and, for a rule that grants several, their sum too: one forgets a rule as easily as one use."""
    by_rule: dict[str, list[Shift]] = {}
    for shift in shifts:
        by_rule.setdefault(shift.rule, []).append(shift)
    sums = [
        Shift(group[0].cause, sum(s.columns for s in group), rule, group[0].words)
        for rule, group in by_rule.items()
        if len(group) > 1
    ]
    return [s for s in [*shifts, *sums] if s.columns]


GAPS: Final = 2
"""Ways out at most where somebody may think that there is none."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A shift that does not hold, the kind of finding that says so, and the units or hexes on account of which."""

    shift: Shift
    key: str
    wanting: str = ""


def likeliest(slips: Sequence[Suspect], taken: Sequence[Claim]) -> Suspect | Claim | None:
    """The one cause of a wrong column; None where several would do as well.

    What was forgotten first, then a formation that the text excepts, what was miscounted, and what the fewest units
    or hexes are wanting to.
    """
    wanted = [len(c.wanting.split()) for c in taken if c.wanting]
    ranks: tuple[Sequence[Suspect | Claim], ...] = (
        [slip for slip in slips if slip.mistake == "forgotten"],
        [claim for claim in taken if claim.key == "shift-excepted"],
        slips,
        [c for c in taken if wanted and len(c.wanting.split()) == min(wanted)] or taken,
    )
    first = next(filter(None, ranks), ())
    return first[0] if len(first) == 1 else None


def claims(battle: Battle, forces: Forces) -> Iterator[Claim]:
    """The shifts that nearly hold in a combat, each with what they want."""
    yield from _excepted(battle, forces)
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


def _excepted(battle: Battle, forces: Forces) -> Iterator[Claim]:
    """Formations that take part whole and earn no columns by the text."""
    for rule in battle.modifiers.columns:
        if isinstance(rule.what, modifiers.ByUnity):
            fighters, sign = party(battle, forces, rule.what.of), 1 if rule.what.of == "attackers" else -1
            earned = unity_of(battle, fighters, rule.what.of)
            role: Literal["attack", "defence"] = "attack" if sign > 0 else "defence"
            for by, units in excepted(battle.rules.unity, battle.position.roster, fighters, role, earned):
                shift = shift_of(battle, ActiveModifier(rule, by * sign, "unity"))
                yield Claim(shift, "shift-excepted", " ".join(units))


def _not_whole(battle: Battle, forces: Forces) -> Iterator[Claim]:
    """Formations that would earn columns if those of their units took part who do not."""
    for rule in battle.modifiers.columns:
        if not isinstance(rule.what, modifiers.ByUnity):
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
        bonus = battle.rules.unity.regiment.attack if of == "attackers" else -battle.rules.unity.regiment.defence
        for _, missing in uncommanded(battle.rules.unity, battle.position.roster, fighters):
            if bonus and not unity_of(battle, fighters, of).regiment:
                shift = shift_of(battle, ActiveModifier(rule, bonus, "unity"))
                yield Claim(shift, "shift-not-whole", " ".join(sorted(missing)))


def _not_surrounded(battle: Battle, forces: Forces) -> Iterator[Claim]:
    """What a ring would be worth that has a gap or two."""
    if len(forces.targets) != 1 or forces.targets[0] not in battle.position.grid:
        return
    gaps = sorted(ways_out(battle.ctx, battle.position, forces.targets[0], battle.defender))
    for rule in battle.modifiers.columns if 0 < len(gaps) <= GAPS else ():
        rings = [c for c in rule.when if isinstance(c, modifiers.Surrounded)]
        others = [c for c in rule.when if c not in rings]
        if rings and isinstance(rule.what, modifiers.Columns) and all(holds(battle, forces, c) for c in others):
            yield Claim(_supposed(battle, rule, rule.what.columns, "encirclement"), "shift-way-out", " ".join(gaps))


def _not_this_time(battle: Battle, forces: Forces) -> Iterator[Claim]:
    """What would hold for the other side, or in the turn before or after."""
    for rule in battle.modifiers.columns:
        wanting = [c for c in rule.when if not holds(battle, forces, c)]
        line = min(lines_of(rule), default="")
        for nearly_holds, key in ((_of_other_side, "shift-other-side"), (_of_next_turn, "shift-other-turn")):
            if (
                wanting
                and all(nearly_holds(battle, c) for c in wanting)
                and isinstance(rule.what, modifiers.Columns)
            ):
                yield Claim(_supposed(battle, rule, rule.what.columns, line), key)


def _of_other_side(_: Battle, condition: modifiers.Condition) -> bool:
    return isinstance(condition, modifiers.ByAttacker)


def _of_next_turn(battle: Battle, condition: modifiers.Condition) -> bool:
    """Whether a condition is that of turns just before or after the one that is played."""
    if not isinstance(condition, modifiers.InTurns):
        return False
    return any(in_turns(condition.turns, battle.position.turn + near) for near in (-1, 1))


def _supposed(battle: Battle, rule: modifiers.Modifier, columns: int, cause: str) -> Shift:
    return shift_of(battle, ActiveModifier(rule, columns, rule.name or cause))


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


def _declarations(battle: Battle) -> dict[str, tuple[modifiers.Modifier, modifiers.IsDeclared]]:
    return {r.name: (r, c) for r in battle.rules.modifiers for c in r.when if isinstance(c, modifiers.IsDeclared)}


def _may_hold(battle: Battle, forces: Forces, rule: modifiers.Modifier) -> bool:
    """Whether all conditions hold, for anybody or any hex at least where each is asked by itself."""
    if rule.each == "target" and len(forces.targets) > 1:
        return any(_may_hold(battle, replace(forces, targets=(target,)), rule) for target in forces.targets)
    if isinstance(rule.what, modifiers.Columns | modifiers.Die):
        return all_hold(battle, forces, rule)
    fighting: tuple[modifiers.Party, ...] = ("attackers", "defenders")
    asked = (asked_of(battle, forces, of, unit) for of in fighting for unit in party(battle, forces, of))
    return any(hold_for(battle, one, rule) for one in asked) or all_hold(battle, forces, rule)
