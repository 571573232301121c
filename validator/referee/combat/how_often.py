"""How often units attack in a phase, and hexes or those in them are attacked; strengths split among combats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from hexforge.scenarios.hexgrid import Hex
from hexforge.validator.referee.combat.battle import Battle
from hexforge.validator.referee.combat.fight import Fight
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.state import Position


def used(battle: Battle, fight: Fight, afar: Iterable[str]) -> Position:
    """The position once a combat, or fire, has used up who took part, guns `afar` too, and whom it was against."""
    ledger, shared = battle.position.ledger, dict(battle.position.ledger.shared)
    for unit, act in fight.shares.items():
        if unit in battle.position.roster:
            times, given, had = shared.get(unit, (0, 0, _whole(battle, unit)))
            shared[unit] = (times + 1, given + act.points, had)
    hexes = [hex_ for unit in fight.attackers if (hex_ := battle.position.hex_of(unit)) is not None]
    return battle.position.noted(
        attacked=ledger.attacked | set(fight.attackers),
        fired=ledger.fired | set(afar),
        targets=ledger.targets | set(fight.targets),
        struck=ledger.struck | _there(battle, fight.targets),
        defended=ledger.defended | (_there(battle, fight.targets) if fight.attackers else set()),
        aimed={**dict.fromkeys(hexes, frozenset(fight.targets)), **ledger.aimed},
        shared=shared,
    )


def _there(battle: Battle, targets: Iterable[Hex]) -> set[str]:
    return {unit for target in targets for unit in battle.position.at(target, battle.defender)}


def _whole(battle: Battle, unit: str) -> int:
    return battle.unit(unit).attack_at(battle.position.units[unit].step)


def check_again(battle: Battle, line: int, target: Hex) -> Iterator[Finding]:
    """A finding on a hex that may not be attacked in this phase any more, or on units in it."""
    again, ledger = battle.rules.shape.again, battle.position.ledger
    if again is False and target in ledger.targets:
        yield battle.found(line, "attacked-before", hexes=(target,), hex=target)
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
    whole, act = _whole(battle, unit), fight.shares.get(unit)
    _, given, had = battle.position.ledger.shared.get(unit, (0, 0, whole))
    points, left = act.points if act else whole, min(whole, had - given)
    if points > left:
        told = {"declared": points, "computed": left, "doubts": battle.doubts((unit,))}
        yield battle.found(act.line if act else line, "share-more", units=(unit,), unit=unit, **told)
