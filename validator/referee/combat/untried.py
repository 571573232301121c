"""Units whose strength nobody knows before they first fight (`rules.untried`): it turns out once, and stays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hexforge.scenarios.schema.rules_untried import Untried, named
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.combat.battle import Battle
from hexforge.validator.referee.combat.fight import Fight
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.roster import untried
from hexforge.validator.referee.state import Position


def reveal(ctx: Context, position: Position, acts: tuple[st.Statement, ...]) -> Outcome:
    """The strengths that the acts of a combat, or lines of a position, say; from now on those of their units."""
    found: list[Finding] = []
    for act in acts:
        if isinstance(act, st.Reveal | st.Revealed):
            position, more = _reveal(ctx, position, act)
            found += more
    return Outcome(position, tuple(found))


def _reveal(ctx: Context, position: Position, act: st.Reveal | st.Revealed) -> tuple[Position, list[Finding]]:
    unit, line = act.unit, act.line
    if unit not in position.roster:
        return position, [ctx.found(line, "unknown-unit", units=(unit,), unit=unit)]
    rule = untried(ctx.rules.untried, position, unit)
    if rule is None:
        section = next((r.section for r in ctx.rules.untried), "")
        return position, [ctx.found(line, "reveal-nothing", section=section, units=(unit,), unit=unit)]
    figures, found = _drawn(ctx, position, rule, act)
    before = position.revealed.get(unit)
    if before is not None:
        if before[: len(figures)] == figures[: len(before)]:
            return position, []
        was = named(before)
        told = {"declared": named(figures), "computed": was, "was": was}
        return position, [ctx.found(line, "reveal-again", section=rule.section, units=(unit,), unit=unit, **told)]
    return known(position, unit, figures), found


def _drawn(
    ctx: Context, position: Position, rule: Untried, act: st.Reveal | st.Revealed
) -> tuple[tuple[int, ...], list[Finding]]:
    """The figures that an act says, with the back that the pool gives them, and what is wrong with them."""
    said: tuple[int, ...] = (act.attack, act.defence)
    if act.reduced_attack is not None and act.reduced_defence is not None:
        said = (*said, act.reduced_attack, act.reduced_defence)
    if not rule.pool or act.unit in position.revealed:
        return said, []
    fitting = [each for each in rule.figures(act.attack, act.defence) if each[: len(said)] == said]
    told = {"units": (act.unit,), "declared": named(said), "unit": act.unit, "figures": named(said)}
    if not fitting:
        pool = tuple(rule.pool)
        return said, [ctx.found(act.line, "reveal-pool", section=rule.section, pool=pool, **told)]
    taken = [
        figures
        for unit, figures in position.revealed.items()
        if untried(ctx.rules.untried, position, unit) is rule and (position.units[unit].alive or not rule.returned)
    ]
    left = [each for each in fitting if taken.count(each) < rule.pool[named(each)]]
    if not left:
        count = rule.pool[named(fitting[0])]
        return fitting[0], [ctx.found(act.line, "reveal-spent", section=rule.section, count=count, **told)]
    return left[0], []


def known(position: Position, unit: str, figures: tuple[int, ...]) -> Position:
    """The position once a unit's strength is known: attack and defence of its front, and perhaps of later steps."""
    one = replace(position.roster[unit], attack=figures[0], defence=figures[1])
    if len(figures) > 2:
        one = replace(one, reduced_attack=figures[2], reduced_defence=figures[3])
    if len(figures) > 4:
        one = replace(one, further=tuple(zip(figures[4::2], figures[5::2], strict=True)))
    return replace(position, roster={**position.roster, unit: one}, revealed={**position.revealed, unit: figures})


def check_untried(battle: Battle, fight: Fight, defenders: tuple[str, ...]) -> Iterator[Finding]:
    """Units that fight without anybody having said with what strength."""
    if not battle.ctx.rules.untried or battle.ctx.partial:
        return
    for unit in dict.fromkeys((*fight.attackers, *fight.supports, *fight.guards, *defenders)):
        rule = untried(battle.ctx.rules.untried, battle.position, unit)
        if rule is not None and unit not in battle.position.revealed:
            yield battle.found(fight.line, "untried", section=rule.section, units=(unit,), unit=unit)
