"""Set-up: whether the units that players placed stand where the rulebook lets them (10.1, Metz 11.1).

A unit of a sheet may stand for several counters (a battalion of a regiment of three), each with a place of its own;
the placement is right if counters can be dealt out so that every unit stands where its counter may.

Counters that stand where no rule of the game brought them: what a log shows and no statement tells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ...scenarios.model import Scenario, behind_own_line
from ...scenarios.schema.setup import CounterRow, Quota
from ...scenarios.schema.setup import Placement as StartRule
from ...scenarios.text.hexgrid import Hex
from ...scenarios.text.words import Message, Param, Term
from ..notation.statements import Found
from ..notation.statements_head import Placement
from .combat.encirclement import most, weight_of
from .context import Context, Outcome
from .findings import Finding, doubt
from .move_effects import known, unknown_hexes
from .position import STEPS, Position, Unit, UnitState


@dataclass(frozen=True, slots=True)
class StartingArea:
    """Where a counter may start: `hexes` (None: anywhere), the section that says so, and the datum it rests on."""

    hexes: frozenset[Hex] | None
    section: str
    doubts: tuple[Message, ...] = ()

    def allows(self, hex_: Hex) -> bool:
        """Whether a hex is among them."""
        return self.hexes is None or hex_ in self.hexes


def judge(
    ctx: Context, placed: Sequence[Placement], line: int = 0, fixed: Sequence[Placement] = ()
) -> list[Finding]:
    """Findings on a set-up; `line` is that of the `setup` statement, where what is missing is said.

    `fixed` are units that stand where the rulebook prints although the sheet does not say so.

    Units and hexes that do not exist are left to whoever reads the position. A set-up of one side alone is judged
    as that side's.
    """
    known = [p for p in (*fixed, *placed) if p.unit in ctx.units and p.hex in ctx.map.grid]
    sides = {ctx.units[p.unit].side for p in placed if p.unit in ctx.units}
    grounds = starting_areas(ctx)
    dealt = _deal(ctx, known, grounds)
    return [
        *_places(ctx, known, grounds, dealt),
        *_crowds(ctx, known),
        *(() if ctx.partial else _missing(ctx, known, grounds, dealt, (line, sides))),
        *(f for quota in ctx.scenario.setup.quotas for f in _quota(ctx, quota, known, dealt)),
    ]


def starting_areas(ctx: Context) -> dict[str, StartingArea]:
    """Where each counter that starts on the map may, by its id."""
    return {u: _ground(ctx, rule) for rule in ctx.scenario.setup.at_start for u in rule.units}


def _ground(ctx: Context, rule: StartRule) -> StartingArea:
    if rule.free:
        counters = ctx.scenario.counters
        rear = behind_own_line(ctx.map.grid, ctx.scenario.setup, counters, counters[rule.units[0]].side)
        return StartingArea(rear, rule.section)
    areas = [a for a in ctx.map.areas if a.id in rule.areas]
    if len(areas) < len(rule.areas) and not (areas or rule.hexes):
        # A map without the area cannot say who stands outside it.
        return StartingArea(None, rule.section)
    hexes = frozenset(rule.hexes) | {h for a in areas for h in a.hexes}
    doubts = (doubt("area", area=a.id) for a in areas if ctx.map.printed and a.provenance != "printed")
    return StartingArea(hexes, rule.section, tuple(doubts))


def candidates(ctx: Context, unit: Unit) -> tuple[str, ...]:
    """The scenario's counters that a unit may be: those it stands for, of its strength if there are such.

    One of the scenario's own may be any that starts on the map and looks like it, for the counters show a regiment
    and a division, but no number of their own (2.2.1); itself comes first. Where the rulebook's list has other
    figures than the counter, both are right.
    """
    counters = ctx.scenario.counters
    listed = {u: rule.listed for rule in ctx.scenario.setup.at_start for u in rule.units}
    if unit.id in counters and not unit.line:
        if unit.id not in listed:
            return (unit.id,)
        own = counters[unit.id], listed[unit.id]
        return (unit.id, *(u for u in listed if u != unit.id and _alike(own, (counters[u], listed[u]))))
    ids = unit.counters or {c.id for c in counters.values() if (c.side, c.type) == (unit.side, unit.type)}
    strength = f"{unit.attack}-{unit.defence}-{unit.move}"
    exact = [i for i in ids if strength in (_strength(counters[i]), listed.get(i))]
    return tuple(sorted(exact or (ids if unit.counters else ())))


def _strength(counter: CounterRow) -> str:
    return f"{counter.attack}-{counter.defence}-{counter.move}"


def _formation(c: CounterRow) -> tuple[str, ...]:
    return c.side, c.branch, c.type, c.size, c.regiment, c.division, c.corps


def _alike(one: tuple[CounterRow, str], other: tuple[CounterRow, str]) -> bool:
    """Whether counters show the same, or the rulebook's list calls them by the same figures."""
    (a, a_listed), (b, b_listed) = one, other
    if _formation(a) != _formation(b):
        return False
    if (_strength(a), a.range) == (_strength(b), b.range):
        return True
    return bool(a_listed or b_listed) and (a_listed or _strength(a)) == (b_listed or _strength(b))


def _deal(ctx: Context, placements: Sequence[Placement], grounds: dict[str, StartingArea]) -> dict[int, str]:
    """Counters to placements (by index) so that as many as possible stand where they may: augmenting paths."""
    wanted = {
        i: [c for c in candidates(ctx, ctx.units[p.unit]) if c in grounds and grounds[c].allows(p.hex)]
        for i, p in enumerate(placements)
    }
    taken: dict[str, int] = {}

    def place(i: int, tried: set[str]) -> bool:
        for counter in wanted[i]:
            if counter not in tried:
                tried.add(counter)
                if counter not in taken or place(taken[counter], tried):
                    taken[counter] = i
                    return True
        return False

    for i in wanted:
        place(i, set())
    return {i: counter for counter, i in taken.items()}


def _places(
    ctx: Context, placements: Sequence[Placement], grounds: dict[str, StartingArea], dealt: dict[int, str]
) -> Iterator[Finding]:
    for i, p in enumerate(placements):
        ids = candidates(ctx, ctx.units[p.unit])
        at_start = [grounds[c] for c in ids if c in grounds]
        lost = {ctx.scenario.setup.weak.get(c, 0) for c in ids} or {0}
        if p.reduced and p.reduced not in lost:
            section = at_start[0].section if at_start else _section(ctx)
            right = min(lost)
            key = "starts-reduced" if right else "starts-whole"
            yield ctx.found(p.line, key, section=section, units=(p.unit,), computed=right, unit=p.unit, count=right)
        if i in dealt or not ids:
            continue
        if not at_start:
            yield _later(ctx, p, ids)
            continue
        allowed = sorted({h for ground in at_start if ground.hexes is not None for h in ground.hexes})
        free = any(ground.allows(p.hex) for ground in at_start)
        shown = " ".join(allowed[:8]) + (" …" if len(allowed) > 8 else "")
        doubts = () if any(not g.doubts for g in at_start) else at_start[0].doubts
        yield ctx.found(
            p.line,
            "place-taken" if free else "starts-elsewhere",
            section=at_start[0].section,
            units=(p.unit,),
            hexes=(p.hex,),
            doubts=doubts,
            unit=p.unit,
            hex=p.hex,
            allowed=shown,
        )


def _section(ctx: Context) -> str:
    return next((rule.section for rule in ctx.scenario.setup.at_start), "")


def _later(ctx: Context, p: Placement, ids: Sequence[str]) -> Finding:
    rule = next((r for r in ctx.scenario.setup.reinforcements if not set(ids).isdisjoint(r.units)), None)
    who = {"units": (p.unit,), "hexes": (p.hex,), "unit": p.unit}
    if rule is None:
        return ctx.found(p.line, "starts-never", section=_section(ctx), **who)
    return ctx.found(p.line, "starts-later", section=rule.section, turn=rule.turn, **who)


def _crowds(ctx: Context, placements: Sequence[Placement]) -> Iterator[Finding]:
    """Too many in a hex, both sides in a hex."""
    stacking = ctx.rules.stacking
    stacks: dict[Hex, list[Placement]] = {}
    seen: set[str] = set()
    for p in placements:
        if p.unit in seen:
            continue
        seen.add(p.unit)
        stack = stacks.setdefault(p.hex, [])
        stack.append(p)
        sides = [ctx.units[q.unit].side for q in stack]
        count = sum(_weight(ctx, q.unit) for q in stack if ctx.units[q.unit].side == sides[-1])
        if count > most(ctx, p.hex, sides[-1]):
            yield ctx.found(
                p.line,
                "crowded-start-points" if stacking.points or stacking.counted == "steps" else "crowded-start",
                units=[q.unit for q in stack],
                hexes=(p.hex,),
                hex=p.hex,
                count=count,
                limit=most(ctx, p.hex, sides[-1]),
            )
        if len(set(sides)) > 1 and sides[-1] not in sides[:-1]:
            yield ctx.found(
                p.line, "enemy-start", section=_section(ctx), units=(p.unit,), hexes=(p.hex,), hex=p.hex
            )


def _weight(ctx: Context, unit: str) -> int:
    """What a unit counts towards the limit with the steps with which it begins."""
    return weight_of(ctx, unit, ctx.units[unit].steps_at("full") - ctx.short.get(unit, 0))


def _missing(
    ctx: Context,
    placements: Sequence[Placement],
    grounds: dict[str, StartingArea],
    dealt: dict[int, str],
    where: tuple[int, Collection[str]],
) -> Iterator[Finding]:
    """Counters of some sides that start on the map and were not placed, a finding a side and section, on a line."""
    line, sides = where
    # A unit in a wrong place still is one of its kind: it has its finding already.
    misplaced = [candidates(ctx, ctx.units[p.unit]) for i, p in enumerate(placements) if i not in dealt]
    absent = {c for c in grounds if ctx.scenario.counters[c].side in sides} - set(dealt.values())
    for ids in misplaced:
        absent.discard(next((c for c in ids if c in absent), ""))
    for section in dict.fromkeys(grounds[c].section for c in sorted(absent)):
        units = sorted(c for c in absent if grounds[c].section == section)
        yield ctx.found(line, "not-placed", section=section, units=units, names=tuple(units))


def _quota(ctx: Context, quota: Quota, placements: Sequence[Placement], dealt: dict[int, str]) -> Iterator[Finding]:
    where = {counter: placements[i] for i, counter in dealt.items() if counter in quota.units}
    area = next((a for a in ctx.map.areas if a.id == quota.area), None)
    if area is None or len(where) < len(quota.units):
        return
    regiments: dict[str, dict[str, list[Placement]]] = {}
    for counter, p in where.items():
        sides = regiments.setdefault(ctx.scenario.counters[counter].regiment, {"in": [], "out": []})
        sides["in" if p.hex in area.hexes else "out"].append(p)
    whole = [r for r, sides in regiments.items() if not sides["out"]]
    split = [r for r, sides in regiments.items() if sides["in"] and sides["out"]]
    if len(whole) != quota.regiments or split:
        # The line is that of a unit that would have to stand elsewhere.
        astray = "in" if len(whole) >= quota.regiments else "out"
        culprits = [p for r in split or regiments for p in regiments[r][astray]]
        assumed = ctx.map.printed and area.provenance != "printed"
        yield ctx.found(
            max(p.line for p in culprits or where.values()),
            "quota-split" if split else "quota",
            section=quota.section,
            units=sorted(p.unit for p in where.values()),
            doubts=(doubt("area", area=area.id),) if assumed else (),
            wanted=quota.regiments,
            count=len(whole),
            area=ctx.area(area.id),
            regiments=tuple(split),
        )


def printed(scenario: Scenario) -> Iterator[tuple[str, Hex]]:
    """The units whose hex the rulebook prints, and that hex."""
    for rule in scenario.setup.at_start:
        if len(rule.hexes) == 1 and not rule.areas:
            yield from ((u, rule.hexes[0]) for u in rule.units)


def with_a_choice(scenario: Scenario) -> set[str]:
    """The units that start on the map in a hex which the rulebook leaves open."""
    return {u for rule in scenario.setup.at_start for u in rule.units} - {u for u, _ in printed(scenario)}


def judge_found(ctx: Context, position: Position, statement: Found) -> Outcome:
    """`found`: a finding unless the counter stands so already; the game goes on with it where it was put."""
    line, hex_ = statement.line, statement.hex
    bad = unknown_hexes(ctx, line, (hex_,)) if hex_ else []
    ids, findings = known(ctx, line, (statement.unit,))
    if bad or not ids:
        return Outcome(position, (*bad, *findings))
    before = position.units[statement.unit]
    after = _put(ctx, position, statement)
    if _stands(before) == _stands(after.units[statement.unit]):
        return Outcome(position)
    doubts = (
        doubt("undeclared", unit=statement.unit) if statement.unclear else None,
        doubt("chain") if statement.between else None,
    )
    found = ctx.found(
        line,
        "put-between" if statement.between else _key(before, statement),
        hexes=tuple(dict.fromkeys(h for h in (before.hex, hex_) if h)),
        units=ids,
        unit=statement.unit,
        before=_where(before),
        after=_where(after.units[statement.unit]),
        doubts=doubts,
    )
    return Outcome(after, (found,))


def _put(ctx: Context, position: Position, statement: Found) -> Position:
    unit = statement.unit
    # Also a unit of one step: a log may show a back that the game does not know.
    step = ctx.units[unit].at_loss(statement.reduced) if statement.reduced > 1 else STEPS[statement.reduced]
    if statement.hex:
        moved = position if position.hex_of(unit) == statement.hex else position.put(unit, statement.hex)
        return moved.set(unit, step=step)
    if statement.lost:
        return position.take_off(unit, "eliminated")
    return position.take_off(unit, "absent", step=step)


def _stands(state: UnitState) -> tuple[str, str]:
    return (state.hex or state.where, state.step if state.hex else "")


def _key(before: UnitState, statement: Found) -> str:
    """What kind of finding it is that a counter stands otherwise than before."""
    if statement.lost:
        return "put-lost"
    if not statement.hex:
        return "put-off"
    if before.hex is None:
        return "put-on"
    return "put-elsewhere" if before.hex != statement.hex else "turned-over"


def _where(state: UnitState) -> Param:
    """The place of a counter: its hex, with a mark if it is reduced, or what became of it."""
    if state.hex is None:
        return Term("where", state.where)
    return f"{state.hex} ({'-' * state.lost})" if state.lost else state.hex
