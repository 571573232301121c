"""Losses: who takes them, how many, and in what coin (5.1.6, 7.0).

Who picks losses and leads retreats by a result, and dice that say how much is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import ceil
from typing import TypeAlias

from ....scenarios.schema.rules_combat import Distance
from ....scenarios.text.hexgrid import side
from ....scenarios.text.words import message
from ...notation import statements
from ..findings import Finding
from ..position import Step
from ..values import altered
from .aftermath import Aftermath, RetreatPrice
from .figures import Fight
from .retreat_ways import cornered, deadly, dies_making_room, doomed
from .tables import NOTHING, Owed, SideDemands, other, picker


def lose(after: Aftermath, act: statements.Lose) -> Aftermath:
    """Each unit of a `lose` line loses a step."""
    for unit in act.units:
        wrong = _unfit(after, unit, act.line)
        after = after.adding(wrong) if wrong is not None else _lose(after, unit, act.line)
    return after


def eliminate(after: Aftermath, act: statements.Eliminate) -> Aftermath:
    """Each unit of an `eliminate` line leaves the game."""
    for unit in act.units:
        wrong = _unfit(after, unit, act.line)
        after = after.adding(wrong) if wrong is not None else _eliminate(after, unit, act.line).lost(unit)
    return after


def _unfit(after: Aftermath, unit: str, line: int) -> list[Finding] | None:
    """Why a unit cannot lose anything: it does not exist or is dead. None if it can."""
    if unit not in after.position.roster:
        section = after.battle.rules.sections.result
        return [after.battle.found(line, "unknown-unit", section=section, units=(unit,), unit=unit)]
    state = after.position.units[unit]
    if state.alive:
        return None
    # What dies by leaving the map is dead already when the sheet says so too.
    return [after.battle.found(line, "already-dead", units=(unit,), unit=unit)] if state.left is None else []


def _lose(after: Aftermath, unit: str, line: int) -> Aftermath:
    after = cornered(after, unit, line)
    due = after.prices.get(unit, ())
    if due:
        deaths = [price for price in due if price.death]
        # Who fails a test, or bears a mark, owes a price for each step that he has left.
        if deaths and deaths[0].of == "retreat" and after.steps(unit) > 1:
            after = after.adding([_owed(after, unit, deaths[0])])
        paid = (deaths or due)[0]
        rest = list(due)
        rest.remove(paid)
        return after.noted(prices={**after.prices, unit: tuple(rest)}).reduced(unit)
    if after.demands is not None:
        after = _judge(after, unit, line)
    return after.noted(hit=after.hit | {unit}).reduced(unit)


def _judge(after: Aftermath, unit: str, line: int) -> Aftermath:
    """A step lost in the combat itself, which the result must demand of this unit's part."""
    assert after.demands is not None
    text, part = after.demands.text, after.part_of(unit)
    if part is None:
        return after.adding([_outsider(after, unit, line)])
    exchange = after.demands.exchange
    if exchange and (after.steps(unit) == 1 or exchange.counted == "steps" or exchange.flips):
        return _exchange(after, unit, part, 1)
    back = after.demands.of(part).retreat
    if not after.budget[part] and back is not None and after.bought(unit) < back.instead:
        return after.noted(instead={**after.instead, unit: after.instead.get(unit, 0) + 1})
    if not after.budget[part]:
        if after.open_to(unit):
            return after
        section = _section(after, unit)
        found = after.battle.found(
            line, "no-loss", section=section, units=(unit,), declared=after.declared, unit=unit, result=text
        )
        return after.adding([found])
    left = after.budget[part]
    if left.units and not left.steps and after.steps(unit) > 1:
        found = after.battle.found(
            line, "dies-outright", units=(unit,), declared=after.declared, unit=unit, result=text
        )
        after = after.adding([found]).paid(part, 1, whole=True)
        return _clauses_kept(after, unit, line, part)
    return _spend(after, unit, line, part, 1)


def _outsider(after: Aftermath, unit: str, line: int) -> Finding:
    assert after.demands is not None
    return after.battle.found(line, "loss-outsider", units=(unit,), declared=after.declared, unit=unit)


def _eliminate(after: Aftermath, unit: str, line: int) -> Aftermath:
    """A death, held against what the result and the unit's retreat demand; it stays where it is."""
    after = cornered(after, unit, line)
    due = after.prices.get(unit, ())
    if due and deadly(after, unit, due):
        return after.noted(prices={**after.prices, unit: ()})
    for _ in due:
        after = after.noted(prices={**after.prices, unit: ()}).reduced(unit)
    if after.demands is None:
        return after
    part = after.part_of(unit)
    if unit not in after.displaced and dies_making_room(after, unit):
        return after
    if part is None:
        return after.adding([_outsider(after, unit, line)])
    if after.demands.exchange:
        return _exchange(after, unit, part, after.steps(unit))
    back, steps = after.demands.of(part).retreat, after.steps(unit)
    if not after.budget[part] and back is not None and after.bought(unit) + steps <= back.instead:
        return after.noted(instead={**after.instead, unit: after.instead.get(unit, 0) + steps})
    if after.budget[part] and _may_spend_on_death(after, unit, part):
        return _spend(after, unit, line, part, after.steps(unit))
    if after.must_retreat(unit) and unit not in after.retreated and doomed(after, unit):
        return after
    if after.open_to(unit):
        return after
    section = _section(after, unit)
    by_hexes = isinstance(after.battle.rules.retreat.way, Distance)
    flees = by_hexes and after.must_retreat(unit) and unit not in after.retreated
    key = "not-eliminated-retreat" if flees else "not-eliminated"
    found = after.battle.found(line, key, section=section, units=(unit,), declared=after.declared, unit=unit)
    return after.adding([found]).settled(part)


def _may_spend_on_death(after: Aftermath, unit: str, part: statements.RoleName) -> bool:
    """Whether the loss that a part owes may be written as this unit's elimination."""
    left = after.budget[part]
    if left.units or after.steps(unit) <= left.steps:
        return True
    return after.must_retreat(unit) and doomed(after, unit, as_if_hit=True)


def _section(after: Aftermath, unit: str) -> str:
    """The rule that a needless loss offends: that of the unit's retreat, if it went through water or two hexes."""
    way, sections = after.went.get(unit, ()), after.battle.rules.sections
    if any(after.ctx.ground.water(side(a, b)) for a, b in pairwise(way)):
        return sections.river
    return sections.encircled if len(way) > 2 else sections.result


def _spend(after: Aftermath, unit: str, line: int, part: statements.RoleName, steps: int) -> Aftermath:
    """The loss that a part owed, or a share of it, taken by a unit."""
    after = after.paid(part, steps, whole=after.steps(unit) <= steps)
    return _clauses_kept(after, unit, line, part)


def _clauses_kept(after: Aftermath, unit: str, line: int, part: statements.RoleName) -> Aftermath:
    return after.adding(_check_clauses(after, unit, line)) if part == "attacker" else after


def _check_clauses(after: Aftermath, unit: str, line: int) -> Iterator[Finding]:
    """Armour that engages armour bears a loss itself."""
    assert after.demands is not None
    who = after.ctx.units
    for clause in after.battle.rules.loss_clauses:
        if not set(after.demands.text.split()) & set(clause.results):
            continue
        bearers = [u for u in after.engaged if who[u].is_any(clause.bearers)]
        armour = any(who[u].is_any(clause.attackers) for u in after.engaged)
        against = any(who[u].is_any(clause.enemies) for u in after.defenders)
        if bearers and armour and against and unit not in bearers:
            yield after.battle.found(
                line,
                "loss-clause",
                units=(unit,),
                declared=unit,
                computed=" ".join(bearers),
                bearers=" / ".join(bearers),
            )


def _exchange(after: Aftermath, unit: str, part: statements.RoleName, steps: int) -> Aftermath:
    """A unit, or a step of one, given up for what it counts."""
    points = after.worth(unit, part, steps=steps)
    before = after.exchanged.get(unit, (0, after.step_of(unit)))
    if after.budget[part]:
        after = after.paid(part, steps, whole=steps >= after.steps(unit))
    return after.noted(
        given_up={**after.given_up, part: after.given_up[part] + points},
        exchanged={**after.exchanged, unit: (before[0] + points, before[1])},
    )


def check_losses(after: Aftermath) -> Iterator[Finding]:
    """At the end: losses that the result demanded were taken, and an exchange was paid for."""
    if after.demands is None:
        return
    text = after.demands.text
    parts: Mapping[statements.RoleName, tuple[str, ...]] = {"defender": after.defenders, "attacker": after.engaged}
    for part, units in parts.items():
        left = _forgiven(after, after.budget[part], units)
        # Whoever has nobody left has paid all that he could.
        if units and left.due and (left.untouched or any(after.position.units[u].alive for u in units)):
            yield after.battle.found(
                after.line,
                "elimination-missing" if left.units else "loss-missing",
                declared=0,
                computed=left.units or left.steps,
                result=text,
                role=message(f"findings.role.{part}"),
            )
    if after.demands.exchange:
        yield from _check_exchange(after, text)
    for unit, due in after.prices.items():
        for price in due if after.position.units[unit].alive else ():
            yield _owed(after, unit, price)


def _forgiven(after: Aftermath, left: Owed, units: tuple[str, ...]) -> Owed:
    """What a part still owes, if steps of who died of a mark count for the result, which comes first.

    Nobody pays more than he had.
    """
    spare = 0
    for unit in (u for u in units if not after.position.units[u].alive):
        worse = (after.had[unit] if one.steps == "all" else one.steps for one in after.worse(unit))
        spare += min(sum(worse), after.had[unit])
    return altered(left, spare=left.spare + spare)


def _owed(after: Aftermath, unit: str, price: RetreatPrice) -> Finding:
    key = f"{price.of}-death-missing" if price.death else f"{price.of}-loss-missing"
    return after.battle.found(price.line, key, section=price.section, units=(unit,), unit=unit, why=price.why)


def _check_exchange(after: Aftermath, text: str) -> Iterator[Finding]:
    second = after.second
    first: statements.RoleName = "attacker" if second == "defender" else "defender"
    units: Mapping[statements.RoleName, tuple[str, ...]] = {"defender": after.defenders, "attacker": after.engaged}
    if units[first] and after.exchanged.keys().isdisjoint(units[first]) and not after.budget[first]:
        yield after.battle.found(
            after.line, "exchange-none", units=units[first], result=text, role=message(f"findings.role.{first}")
        )
    share = after.demands.exchange.share if after.demands and after.demands.exchange else 1
    owed = min(ceil(share * _given_up(after, first, units[first])), after.strength)
    given = after.given_up[second]
    if given < owed:
        yield after.battle.found(
            after.line,
            "exchange-short",
            units=units[second],
            declared=given,
            computed=owed,
            result=text,
            role=message(f"findings.role.{second}"),
        )


def _given_up(after: Aftermath, first: statements.RoleName, units: tuple[str, ...]) -> int:
    """Points that they who paid first gave up for certain.

    Survivors of an exchange retreat, and who then has no way out dies of that: such a death needs no price, though
    it is written no otherwise than the choice of at least one unit.
    """
    mine = {u: after.exchanged[u] for u in units if u in after.exchanged}
    flees = after.demands is not None and after.demands.of(first).retreat is not None
    if len(mine) < 2 or not flees or after.given_up[after.second] >= after.given_up[first]:
        return after.given_up[first]
    sure = sum(points for u, (points, step) in mine.items() if not _no_way_out(after, u, step))
    return max(sure, min(points for points, _ in mine.values()))


def _no_way_out(after: Aftermath, unit: str, step: Step) -> bool:
    """Whether a unit that is dead could not have retreated either, from where it stood."""
    home = after.home[unit]
    return home is not None and doomed(after.at(after.position.set(unit, hex=home, where="", step=step)), unit)


_Act: TypeAlias = "statements.Lose | statements.Eliminate | statements.Retreat"


def check_choices(after: Aftermath, fight: Fight) -> Iterator[Finding]:
    """Findings on the dice for losses, and on who is said to have picked units or led them back.

    Where the sheet does not say who did, and the enemy had to, that is told and found no fault with.
    """
    if after.demands is None:
        return
    for role, units in (("defender", after.defenders), ("attacker", after.engaged)):
        yield from _dice(after, fight, role, after.demands.of(role), bool(units))  # type: ignore[arg-type]
    yield from _order(after, fight)
    unsaid: dict[str, Finding] = {}
    for act in fight.aftermath:
        if not isinstance(act, statements.Lose | statements.Eliminate | statements.Retreat):
            continue
        part = next((p for u in act.units if (p := after.part_of(u)) is not None), None)
        if part is None:
            continue
        key, right = _right(after, act, part)
        who = message(f"findings.role.{right}")
        if act.by is not None and act.by != right:
            said = message(f"findings.role.{act.by}")
            yield after.battle.found(act.line, key, units=act.units, role=who, said=said)
        elif act.by is None and right != part and _may_choose(after, act, part):
            unsaid.setdefault(
                key, after.battle.found(act.line, f"{key}-unsaid", severity="info", units=act.units, role=who)
            )
    yield from unsaid.values()


def _order(after: Aftermath, fight: Fight) -> Iterator[Finding]:
    """A finding where a side carries out what it owes before the other, who goes first by the result, is done."""
    first = after.demands.first if after.demands is not None else None
    told = [
        (act, {after.part_of(u) for u in act.units} - {None})
        for act in fight.aftermath
        if isinstance(act, statements.Lose | statements.Eliminate | statements.Retreat)
    ]
    last = max((i for i, (_, parts) in enumerate(told) if first in parts), default=-1)
    early = next((act for act, parts in told[:last] if first is not None and parts - {first}), None)
    if early is not None and first is not None and after.demands is not None:
        role = message(f"findings.role.{first}")
        units = early.units
        yield after.battle.found(early.line, "carried-early", units=units, role=role, result=after.demands.text)


def _right(
    after: Aftermath, act: statements.Lose | statements.Eliminate | statements.Retreat, part: statements.RoleName
) -> tuple[str, statements.RoleName]:
    """Who has the choice by the result, and the kind of finding where it was another."""
    demanded = after.demands.of(part) if after.demands else NOTHING
    if isinstance(act, statements.Retreat):
        back = next((after.retreat_of(u) for u in act.units if after.part_of(u) == part), None)
        led = back is not None and back.by == "opponent"
        return "retreat-led", other(part) if led else part
    loss = (
        demanded.units
        if isinstance(act, statements.Eliminate) and demanded.units
        else demanded.steps or demanded.units
    )
    return "loss-picked", picker(loss, part)


def _may_choose(after: Aftermath, act: _Act, part: statements.RoleName) -> bool:
    """Whether there was anything to choose: a way, or one of several units."""
    return isinstance(act, statements.Retreat) or len(after.defenders if part == "defender" else after.engaged) > 1


def _dice(
    after: Aftermath, fight: Fight, role: statements.RoleName, part: SideDemands, there: bool
) -> Iterator[Finding]:
    told, dice, section = fight.loss_rolls.get(role), part.dice, after.battle.rules.sections.result
    who = message(f"findings.role.{role}")
    if told is not None and dice is None:
        yield after.battle.found(told.line, "loss-dice-none", section=section, role=who)
    elif told is not None and dice is not None and not dice.shows(told.faces):
        faces = " ".join(map(str, told.faces))
        yield after.battle.found(
            told.line, "loss-dice", section=section, declared=faces, dice=str(dice), faces=faces
        )
    elif told is None and dice is not None and there and not after.ctx.partial:
        yield after.battle.found(fight.line, "loss-dice-untold", section=section, severity="warning", role=who)
