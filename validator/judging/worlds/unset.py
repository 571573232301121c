"""Units that the rulebook leaves a choice of hexes at set-up, and of which nobody has said where they stand.

They are on the map all the same. What hangs on where they stand is doubtful, and says how to tell it.

Enemies that nobody has set up, where they would matter: what is legal without them is not acquitted in silence.

A move or a combat is judged as if nobody stood in the hexes that the rulebook leaves open to such units. If it
would break a rule with one of them there, nobody knows whether it does. That is said once a phase: whoever says
where they stand settles it for all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, TypeAlias

from ....scenarios.text.hexgrid import Hex
from ....scenarios.text.words import Message, message
from ...notation import base, statements
from ...rules.combat.encirclement import room
from ...rules.context import Context, Outcome
from ...rules.findings import Finding, doubt
from ...rules.position import Position
from ...rules.setup import StartingArea, starting_areas
from .assumed import FIGURED, TOLD, Judge, World

_OF_WHO_ACTS: Final = frozenset({"not-there", "recovery", "bridge-building", "trail-clearing"})
"""Codes of findings on where a unit stands that acts."""
ATTACKED: Final = FIGURED | {"not-there", "losses", "retreat", "advance", "exchange"}
"""Codes of findings in a combat that others could answer who stand in the hex as well."""
_ACTS: Final = (
    *(statements.Move, statements.Enter, statements.Exit, statements.RailMove, statements.Engagement),
    *(statements.Recover, statements.Rally, statements.Mark, statements.Attrition),
    *(statements.BuildBridge, statements.ClearTrail),
)
"""Statements that somebody does something by."""
_PAIRS: Final = 12
"""Defenders whom nobody has set up of whom each two are supposed in a hex."""


def waiting(ctx: Context, position: Position, units: Iterable[str]) -> Iterator[str]:
    """Those of some units of which nobody has said yet where they stand."""
    return (u for u in units if u in ctx.unset and position.units[u].where == "absent")


def unsettled(ctx: Context, position: Position, outcome: Outcome) -> Outcome:
    """The outcome of a statement, doubtful where it hangs on where those stand who act, and nobody has set up."""
    if not ctx.unset or all(f.severity != "illegal" for f in outcome.findings):
        return outcome
    return replace(outcome, findings=tuple(_doubted(ctx, position, f) for f in outcome.findings))


def _doubted(ctx: Context, position: Position, finding: Finding) -> Finding:
    units = tuple(waiting(ctx, position, finding.units)) if finding.code in _OF_WHO_ACTS else ()
    if finding.severity != "illegal" or not units:
        return finding
    return replace(finding, severity="doubtful", rests_on=(*finding.rests_on, unknown_place(units)))


def standing(ctx: Context, position: Position, statement: base.Statement) -> Iterator[World]:
    """Worlds in which enemies whom nobody has set up stand in the hexes that a combat is about: one, two, all."""
    there = _defenders(ctx, position, statement) if ctx.unset else ()
    targets = [h for h in getattr(statement, "targets", ()) if h in position.grid]
    pairs = combinations(there[:_PAIRS], 2)
    for units in dict.fromkeys((*((u,) for u in there), *pairs, there)) if targets and there else ():
        placed = position.set_each({u: {"hex": targets[0], "where": ""} for u in units})
        yield World((unknown_place(units),), ctx, placed, ATTACKED, more=False)


def unknown_place(units: Sequence[str]) -> Message:
    """That nobody has said where units were set up, as findings rest on it."""
    more = len(units) > TOLD
    return doubt("unset", units=" ".join(units[:TOLD]) + (" …" if more else ""), unit=units[0])


def _defenders(ctx: Context, position: Position, statement: base.Statement) -> tuple[str, ...]:
    """The units that may stand in the hexes which a combat is about, without anybody having said so."""
    if not isinstance(statement, statements.Engagement) or position.phase is None:
        return ()
    targets, enemy = statement.targets, ctx.enemy(position.phase.side)
    areas = starting_areas(ctx)
    left = (u for u in waiting(ctx, position, sorted(ctx.unset)) if ctx.units[u].side == enemy)
    return tuple(u for u in left if u not in areas or any(map(areas[u].allows, targets)))


Supposed: TypeAlias = tuple[Hex, str]
"""A hex, and the unit that may stand there."""
_ALONE: Final = 24
"""Hexes that are tried one by one, after all of them together."""


@dataclass(frozen=True, slots=True)
class _Ground:
    """Where enemies bear on what is done: by their side the hexes, and those that are attacked."""

    near: Mapping[str, frozenset[Hex]]
    attacked: frozenset[Hex] = frozenset()


def suspected(
    ctx: Context, position: Position, statement: base.Statement, outcome: Outcome, judge: Judge
) -> Outcome:
    """The outcome of a statement, with a doubt where it is legal only because nobody has set up certain enemies.

    `judge` judges the same statement in whatever position it is given.
    """
    if not isinstance(statement, _ACTS) or not _asked(ctx, position, outcome.findings):
        return outcome
    ground = (
        _of_a_combat(ctx, position, statement)
        if isinstance(statement, statements.Engagement)
        else _of_a_move(ctx, position, statement, outcome)
    )
    found = _first(ctx, position, ground, judge) if ground is not None else None
    if found is None:
        return outcome
    told = outcome.position.noted(suspected=True)
    return replace(outcome, position=told, findings=(*outcome.findings, found))


def suspected_at_end(ctx: Context, position: Position, outcome: Outcome, judge: Judge) -> Outcome:
    """What the end of a phase finds, with a doubt where nothing is owed but to enemies whom nobody has set up."""
    if position.phase is None or not _asked(ctx, position, outcome.findings):
        return outcome
    side = position.phase.side
    near = _around(position, position.boards[side].at)
    found = _first(ctx, position, _Ground({ctx.enemy(side): near}), judge)
    return outcome if found is None else replace(outcome, findings=(*outcome.findings, found))


def _asked(ctx: Context, position: Position, findings: Iterable[Finding]) -> bool:
    """Whether there are such units, nothing was said of them in the phase, and nothing else is wrong."""
    return (
        bool(ctx.unset)
        and position.phase is not None
        and not position.ledger.suspected
        and all(f.severity in ("info", "warning") for f in findings)
    )


def _around(position: Position, hexes: Iterable[Hex]) -> frozenset[Hex]:
    """Some hexes and all next to them, as far as the map has them."""
    there = {h for h in hexes if h in position.grid}
    return frozenset(there.union(*(position.grid.neighbours[h] for h in there)))


def _of_a_move(ctx: Context, position: Position, statement: base.Statement, outcome: Outcome) -> _Ground | None:
    units = getattr(statement, "units", None) or (getattr(statement, "unit", ""),)
    sides = {ctx.units[u].side for u in units if u in ctx.units}
    if len(sides) != 1:
        return None
    way = {h for move in outcome.moves for h in move.path} | {h for u in units if (h := position.hex_of(u))}
    return _Ground({ctx.enemy(sides.pop()): _around(position, way)})


def _of_a_combat(ctx: Context, position: Position, statement: statements.Engagement) -> _Ground | None:
    if position.phase is None:
        return None
    attacked = frozenset(h for h in statement.targets if h in position.grid)
    near = {ctx.enemy(position.phase.side): attacked}
    for act in statement.acts:
        if isinstance(act, statements.Retreat | statements.Advance):
            for side in {ctx.units[u].side for u in act.units if u in ctx.units}:
                enemy = ctx.enemy(side)
                near[enemy] = near.get(enemy, frozenset()) | _around(position, act.path)
    return _Ground(near, attacked)


def _first(ctx: Context, position: Position, ground: _Ground, judge: Judge) -> Finding | None:
    """What is found fault with if such enemies stand where they may: if one alone does, with that one."""
    areas = starting_areas(ctx)
    supposed = [pair for side in ground.near for pair in _who(ctx, position, areas, side, ground)]
    together = _found(ctx, position, supposed, judge) if supposed else None
    if together is None:
        return None
    for pair in supposed[:_ALONE] if len(supposed) > 1 else ():
        if (alone := _found(ctx, position, (pair,), judge)) is not None:
            return _told(ctx, position, areas, alone, (pair,))
    return _told(ctx, position, areas, together, supposed)


def _who(
    ctx: Context,
    position: Position,
    areas: Mapping[str, StartingArea],
    side: str,
    ground: _Ground,
) -> Iterator[Supposed]:
    """The units of a side that nobody has set up, each in a hex where it may stand: where it is attacked, many.

    Those that bar ways and defend best come first.
    """
    silent, enemy, attacked = position.boards[side].silent, ctx.enemy(side), ground.attacked
    left = [u for u in waiting(ctx, position, sorted(ctx.unset)) if ctx.units[u].side == side]
    left.sort(key=lambda u: (u in silent, -ctx.units[u].defence))
    for hex_ in sorted(ground.near[side], key=lambda h: (h not in attacked, h)):
        if hex_ in position.boards[enemy].at and hex_ not in attacked:
            continue
        there = position
        for u in [u for u in left if _may_stand(areas, u, hex_)]:
            if not room(ctx, there, hex_, side, u):
                break
            left.remove(u)
            there = there.set(u, hex=hex_)
            yield hex_, u
            if hex_ not in attacked:
                break


def _may_stand(areas: Mapping[str, StartingArea], unit: str, hex_: Hex) -> bool:
    """Whether the set-up names a hex for a unit; of one that it names none for, any would be a guess."""
    hexes = areas[unit].hexes if unit in areas else None
    return hexes is not None and hex_ in hexes


def _found(ctx: Context, position: Position, supposed: Sequence[Supposed], judge: Judge) -> Finding | None:
    there = position.set_each({u: {"hex": hex_, "where": ""} for hex_, u in supposed})
    met = frozenset(there.all_engaged())
    fighting = position.phase is not None and position.phase.kind == "combat"
    engaged = {u for u in met if position.phase and ctx.units[u].side == position.phase.side} if fighting else set()
    ledger = there.ledger
    there = there.noted(contacts=ledger.contacts | met, engaged=ledger.engaged | engaged)
    faults = [f for f in judge(ctx, there).findings if f.severity in ("illegal", "doubtful")]
    return min(faults, key=lambda f: f.severity == "doubtful", default=None)


def _told(
    ctx: Context,
    position: Position,
    areas: Mapping[str, StartingArea],
    found: Finding,
    supposed: Sequence[Supposed],
) -> Finding:
    side = ctx.units[supposed[0][1]].side
    hexes = tuple(dict.fromkeys(hex_ for hex_, _ in supposed))
    units = tuple(dict.fromkeys(u for _, u in supposed))
    others = (u for u in waiting(ctx, position, sorted(ctx.unset)) if ctx.units[u].side == side)
    may = tuple(dict.fromkeys((*units, *(u for u in others if _may_stand(areas, u, hexes[0])))))
    said = message(
        "findings.reading.unset",
        what=found.message,
        units=units[:TOLD],
        hexes=hexes[:TOLD],
    )
    return replace(
        found,
        severity="doubtful",
        message=said,
        hexes=tuple(dict.fromkeys((*found.hexes, *hexes))),
        units=tuple(dict.fromkeys((*found.units, *units))),
        rests_on=(*found.rests_on, unknown_place(may)),
    )
