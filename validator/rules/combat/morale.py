"""What befalls single units: tests of morale that results ask of them, and marks that they bore before.

How often units attack in a phase, and hexes or those in them are attacked; strengths split among combats.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final, Literal

from ....scenarios.schema.modifiers import Party
from ....scenarios.schema.results import Dice, Worse, passed
from ....scenarios.text.hexgrid import Hex
from ....scenarios.text.words import Term, message
from ...notation import statements
from ..findings import Finding
from ..position import Position
from .aftermath import Aftermath, RetreatPrice
from .conditions import Battle, Forces
from .figures import Fight
from .modifiers import morale
from .tables import Owed

NOBODY: Final = Owed()


def tested(after: Aftermath, fight: Fight, forces: Forces) -> Aftermath:
    """The aftermath once the dice for morale are read: units owe what befalls them, before the first act.

    Losses of the result come before its tests: a unit is tested at the step at which they leave it.
    """
    found: dict[str, bool] = {}
    early = []
    for act in fight.tests:
        for unit in act.units:
            test, dice = after.test_of(unit), _dice(after, unit)
            if test is None or dice is None or not dice.shows(act.faces) or unit in found:
                continue
            lost = sum(line < act.line for line in _losses(fight, unit))
            party: Party = "defenders" if unit in after.defenders else "attackers"
            worth = morale(after.battle, forces, party, unit, lost)
            found[unit] = passed(test.passes, dice.value(act.faces) + test.die, worth)
            if _before_its_loss(after, fight, act, unit):
                early.append(after.battle.found(act.line, "morale-early", units=(unit,), unit=unit))
    after = after.noted(morale=found).adding(early)
    for unit in after.home:
        after = after.priced(unit, _prices(after, unit))
    return after


def _losses(fight: Fight, unit: str) -> list[int]:
    """The lines on which a unit loses a step."""
    return [act.line for act in fight.aftermath if isinstance(act, statements.Lose) for u in act.units if u == unit]


def _before_its_loss(after: Aftermath, fight: Fight, act: statements.MoraleRoll, unit: str) -> bool:
    """Whether a unit whose steps differ in morale is tested before a step of it pays for the result."""
    part = after.part_of(unit)
    owed = after.budget[part] if part is not None else NOBODY
    paid = [
        after.steps(u) if isinstance(loss, statements.Eliminate) else 1
        for loss in fight.aftermath
        if isinstance(loss, statements.Lose | statements.Eliminate) and loss.line < act.line
        for u in loss.units
        if after.part_of(u) == part and part is not None
    ]
    later = any(line > act.line for line in _losses(fight, unit))
    return later and sum(paid) < owed.steps - owed.spare and len(set(after.battle.unit(unit).morale)) > 1


def as_sure(after: Aftermath) -> Aftermath:
    """What is found on units whose morale no rulebook prints is doubtful."""

    def sure(finding: Finding) -> Finding:
        doubts = after.battle.doubts(u for u in finding.units if u in after.morale)
        if not doubts or finding.severity != "illegal":
            return finding
        return replace(finding, severity="doubtful", rests_on=(*finding.rests_on, *doubts))

    return after.noted(findings=tuple(map(sure, after.findings))) if after.morale else after


def _dice(after: Aftermath, unit: str) -> Dice | None:
    test = after.test_of(unit)
    return Dice.of(test.dice) if test is not None else None


def _prices(after: Aftermath, unit: str) -> list[RetreatPrice]:
    """The steps that its failure costs a unit, and a mark that it bore: each its own."""
    found, section = [], after.battle.rules.sections.result
    for one in after.befalls(unit):
        count = after.steps(unit) if one.steps == "all" else min(one.steps, after.steps(unit))
        of: Literal["morale", "again"] = "again" if isinstance(one, Worse) else "morale"
        mark = (one.bears or "") if isinstance(one, Worse) else ""
        why = message(f"findings.price.{of}", mark=Term("marks", mark, mark.replace("_", " ")))
        found += [RetreatPrice(after.line, section, death=one.steps == "all", why=why, of=of)] * count
    return found


def check_tests(after: Aftermath, fight: Fight) -> Iterator[Finding]:
    """Findings on tests of morale: taken by whom none was asked, with other dice, twice, or not told."""
    if after.demands is None:
        return
    seen: set[str] = set()
    for act in fight.tests:
        for unit in act.units:
            key = _wrong(after, act, unit, seen)
            seen.add(unit)
            if key:
                dice = _dice(after, unit)
                yield after.battle.found(
                    act.line, key, units=(unit,), unit=unit, result=after.demands.text, dice=str(dice or "-")
                )
    for unit in () if after.ctx.partial else after.home:
        if unit not in seen and after.test_of(unit) is not None and after.position.units[unit].alive:
            yield after.battle.found(
                fight.line, "morale-untold", units=(unit,), unit=unit, result=after.demands.text
            )


def _wrong(after: Aftermath, act: statements.MoraleRoll, unit: str, seen: set[str]) -> str:
    if unit not in after.position.roster:
        return "unknown-unit"
    dice = _dice(after, unit)
    if dice is None:
        return "morale-none"
    if not dice.shows(act.faces):
        return "morale-dice"
    return "morale-twice" if unit in seen else ""


def used(battle: Battle, fight: Fight, afar: Iterable[str]) -> Position:
    """The position once a combat, or fire, has used up who took part, guns `afar` too, and whom it was against."""
    ledger, shared = battle.position.ledger, dict(battle.position.ledger.shared)
    for unit, act in fight.shares.items():
        if unit in battle.position.roster:
            times, given, had = shared.get(unit, (0, 0, _printed_attack(battle, unit)))
            shared[unit] = (times + 1, given + act.points, had)
    hexes = [hex_ for unit in fight.attackers if (hex_ := battle.position.hex_of(unit)) is not None]
    return battle.position.noted(
        attacked=ledger.attacked | set(fight.attackers),
        fired=ledger.fired | set(afar),
        targets=ledger.targets | set(fight.targets),
        assailed=ledger.assailed | set(fight.targets),
        struck=ledger.struck | _there(battle, fight.targets),
        defended=ledger.defended | (_there(battle, fight.targets) if fight.attackers else set()),
        aimed={**dict.fromkeys(hexes, frozenset(fight.targets)), **ledger.aimed},
        shared=shared,
    )


def _there(battle: Battle, targets: Iterable[Hex]) -> set[str]:
    return {unit for target in targets for unit in battle.position.at(target, battle.defender)}


def _printed_attack(battle: Battle, unit: str) -> int:
    return battle.unit(unit).attack_at(battle.position.units[unit].step)


def check_again(battle: Battle, line: int, target: Hex) -> Iterator[Finding]:
    """A finding on a hex that may not be attacked in this phase, or turn, any more, or on units in it."""
    again, ledger = battle.rules.shape.again, battle.position.ledger
    if again is False and target in ledger.targets:
        yield battle.found(line, "attacked-before", hexes=(target,), hex=target)
    elif again is False and target in ledger.assailed and battle.ctx.option("attacked_twice") == "turn":
        yield battle.found(line, "attacked-by-enemy", hexes=(target,), hex=target)
    for unit in sorted(_there(battle, [target]) & ledger.struck) if again == "others" else ():
        yield battle.found(line, "unit-attacked-before", units=(unit,), hexes=(target,), unit=unit)
        return


def check_unused(battle: Battle, unit: str, line: int) -> Iterator[Finding]:
    """A finding on a unit that has fought in this phase and has no part of its strength left to give."""
    ledger = battle.position.ledger
    times, _, _ = ledger.shared.get(unit, (battle.rules.shape.split, 0, 0))
    if (unit in ledger.attacked or unit in ledger.fired) and times >= battle.rules.shape.split:
        key = "gun-fought-before" if battle.unit(unit).is_gun else "fought-before"
        split = battle.rules.shape.split
        yield battle.found(line, key if split == 1 else "fought-split", units=(unit,), unit=unit, count=split)


def check_spared(battle: Battle, unit: str, line: int) -> Iterator[Finding]:
    """A finding on a gun that supports a defence after it was attacked itself in the phase (option)."""
    if battle.ctx.option("defended_guns_support") == "no" and unit in battle.position.ledger.defended:
        yield battle.found(line, "gun-defended-before", units=(unit,), unit=unit)


def check_stacks(battle: Battle, fight: Fight) -> Iterator[Finding]:
    """A finding for each hex from which something else was attacked before, where its units attack together."""
    told = set[Hex]()
    for unit, line in fight.attackers.items() if battle.rules.shape.stacks == "together" else ():
        hex_ = battle.position.hex_of(unit)
        before = battle.position.ledger.aimed.get(hex_) if hex_ is not None and hex_ not in told else None
        if hex_ is not None and before is not None and before != frozenset(fight.targets):
            told.add(hex_)
            where = {"hex": hex_, "targets": " ".join(sorted(before))}
            yield battle.found(line, "stack-split", units=(unit,), hexes=(hex_, *fight.targets), unit=unit, **where)


def check_shape(battle: Battle, fight: Fight, units: Mapping[str, int]) -> Iterator[Finding]:
    """Findings on who may attack or fire by itself alone, and on parts of strengths; `units` with their lines."""
    if battle.rules.shape.attackers == "apart":
        for unit, line in islice(units.items(), 1, None):
            yield battle.found(line, "attackers-apart", units=(unit,), unit=unit)
    for unit, act in fight.shares.items():
        key = "share-none" if battle.rules.shape.split == 1 else "" if unit in units else "share-nobody"
        if key:
            yield battle.found(act.line, key, units=(unit,), unit=unit)
    for unit, line in units.items() if battle.rules.shape.split > 1 else ():
        if unit in battle.position.roster and battle.unit(unit).side == battle.attacker:
            yield from _check_share(battle, fight, unit, line)


def _check_share(battle: Battle, fight: Fight, unit: str, line: int) -> Iterator[Finding]:
    """Whether a unit gives no more than it has left, and no more than it has."""
    whole, act = _printed_attack(battle, unit), fight.shares.get(unit)
    _, given, had = battle.position.ledger.shared.get(unit, (0, 0, whole))
    points, left = act.points if act else whole, min(whole, had - given)
    if points > left:
        told = {"declared": points, "computed": left, "doubts": battle.doubts((unit,))}
        yield battle.found(act.line if act else line, "share-more", units=(unit,), unit=unit, **told)
