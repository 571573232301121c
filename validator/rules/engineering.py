"""Engineers at work: bridges (Metz 10.0) and the clearing of a trail (Hürtgen 9.0)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from ...scenarios.schema.rules_movement import BridgeBuilding, Clearing
from ...scenarios.text.hexgrid import Hex, side
from ...scenarios.text.words import Term
from ..notation.statements import BuildBridge, ClearTrail
from .combat.tables import FACES
from .context import Context, Outcome
from .findings import Finding, doubt
from .move_effects import actors, holder, spanned, unknown_hexes
from .position import Position, Unit

_UNTOLD: Final = frozenset(f"findings.{key}" for key in ("clear-roll", "die"))
"""What is wrong with the die of an attempt, which was made all the same."""


def judge_bridge(ctx: Context, position: Position, statement: BuildBridge) -> Outcome:
    """`build bridge`: a marker is laid on a hexside, and can be used at once."""
    line = statement.line
    rule = ctx.movement.bridging
    if rule is None:
        found = ctx.found(line, "no-bridging")
        return Outcome(position, (found,))
    a, b = statement.side
    bad = unknown_hexes(ctx, line, statement.side)
    if not bad and not ctx.map.grid.adjacent(a, b):
        bad = [ctx.found(line, "not-adjacent", section=rule.section, hexes=(a, b), a=a, b=b)]
    named = (statement.unit,) if statement.unit else ()
    ids, findings, lawful = actors(ctx, position, statement, "build bridge", named)
    findings = [*bad, *findings]
    if bad:
        return Outcome(position, tuple(findings))
    if lawful:
        findings += _may_build(ctx, position, rule, statement)
        for u in ids:
            findings += _builder(ctx, position, rule, statement, ctx.units[u])
    after = spanned(ctx, position, position.bridges | {side(a, b)})
    return _counted(position, statement, Outcome(after, tuple(findings)))


def settled(before: Position, statement: BuildBridge | ClearTrail, outcome: Outcome) -> Outcome:
    """The outcome of some work in which it uses something up by what is found on it in the end.

    What a finding rests on is weighed, and rulings are known, only when the whole statement has been judged.
    """
    return _counted(before, statement, outcome) if outcome.findings else outcome


def _counted(before: Position, statement: BuildBridge | ClearTrail, outcome: Outcome) -> Outcome:
    """The outcome of some work, which has been done in the turn unless it is told that it might not.

    Whoever may do so afterwards loses nothing by what another did wrong.
    """
    told = {f.severity for f in outcome.findings if f.line == statement.line and f.message.key not in _UNTOLD}
    done, unsure = "illegal" not in told, "doubtful" in told
    ledger = before.ledger
    if isinstance(statement, ClearTrail):
        tries = {"attempts": ledger.attempts + done, "unsure_attempts": ledger.unsure_attempts + (done and unsure)}
        return replace(outcome, position=outcome.position.noted(**tries))
    who = frozenset({statement.unit} & before.units.keys()) if done else frozenset[str]()
    worked, doubted = ledger.worked | who, ledger.unsure_works | (who if unsure else frozenset())
    return replace(outcome, position=outcome.position.noted(worked=worked, unsure_works=doubted))


def said(position: Position, unit: str, *, unsure: bool) -> Position:
    """The position in which a unit is said to have built in the turn, perhaps without leave."""
    ledger = position.ledger
    doubted = ledger.unsure_works | {unit} if unsure else ledger.unsure_works
    return position.noted(worked=ledger.worked | {unit}, unsure_works=doubted)


def fallen(ctx: Context, before: Position, position: Position, line: int) -> Outcome:
    """A note on each bridge that was built and that a statement brought down."""
    rule = ctx.movement.bridging
    if rule is None or not rule.told:
        return Outcome(position)
    find = partial(ctx.found, line, "bridge-fell", section=rule.section, severity="info")
    return Outcome(
        position, tuple(find(hexes=s, a=s[0], b=s[1]) for s in sorted(before.bridges - position.bridges))
    )


def _may_build(ctx: Context, position: Position, rule: BridgeBuilding, statement: BuildBridge) -> list[Finding]:
    a, b = statement.side
    find = partial(ctx.found, statement.line, hexes=(a, b), a=a, b=b)
    found = []
    s = side(a, b)
    if not statement.unit:
        found.append(find("bridge-nobody"))
    if position.turn < rule.first_turn:
        found.append(find("bridge-turn", turn=rule.first_turn))
    if not ctx.ground.water(s):
        found.append(find("bridge-water"))
    elif ctx.ground.bridged(s, position.turn, position.bridges):
        found.append(find("bridge-there"))
    elif rule.where == "way" and not (ctx.ground.links.get(s) or s in ctx.ground.bridge_dates):
        found.append(find("bridge-way"))
    key = {"any": "bridge-enemy", "now": "bridge-held-now", "turn": "bridge-held"}[rule.held]
    for h in (a, b):
        owner = _owner_asked(ctx, position, rule, h)
        if owner != rule.side:
            doubts = () if owner else (doubt("holder", hex=h),)
            found.append(find(key, doubts=doubts, hex=h, side=Term("sides", rule.side)))
    return found


def _owner_asked(ctx: Context, position: Position, rule: BridgeBuilding, hex_: Hex) -> str:
    """Whose a hex is, as the rule asks: the enemy's where he stands; "" where nobody knows."""
    if position.at(hex_, enemy := ctx.enemy(rule.side)):
        return enemy
    if rule.held == "any" or (rule.held == "now" and position.at(hex_, rule.side)):
        return rule.side
    return _owner(ctx, position, hex_) if rule.held == "turn" else holder(ctx, position, hex_) or ""


def _owner(ctx: Context, position: Position, hex_: Hex) -> str:
    """Who had a hex when the turn began: who was there last, else who stood nearest when the sheet begins.

    "" for a hex that nobody has been in and that lies as near to either side.
    """
    held = position.ledger.held.get(hex_)
    if held is not None:
        return held
    grid = ctx.map.grid
    far = {
        s: min((grid.distance(h, hex_) for h in hexes), default=grid.columns + grid.rows)
        for s, hexes in ctx.start.items()
    }
    nearest = [s for s in far if far[s] == min(far.values())]
    return nearest[0] if len(nearest) == 1 else ""


def _builder(
    ctx: Context, position: Position, rule: BridgeBuilding, statement: BuildBridge, unit: Unit
) -> list[Finding]:
    state, s = position.units[unit.id], statement.side
    keys = []
    if unit.side != rule.side or not unit.is_any(rule.types):
        keys.append("bridge-builder")
    if state.hex not in s:
        keys.append("bridge-place")
    elif state.moved:
        keys.append("bridge-moved")
    elif rule.waits == "turn" and state.since is not None and state.since >= position.turn:
        keys.append("bridge-since")
    elif rule.clear == "enemies" and _beside_enemy(ctx, position, unit):
        keys.append("bridge-enemies")
    elif rule.clear == "zones" and position.engaged(unit.id):
        keys.append("bridge-zone")
    if unit.id in position.ledger.worked:
        keys.append("bridge-again")
    unsure = (doubt("worked", units=unit.id),) if unit.id in position.ledger.unsure_works else ()
    find = partial(ctx.found, statement.line, hexes=s, units=(unit.id,), unit=unit.id, a=s[0], b=s[1])
    return [find(key, doubts=unsure if key == "bridge-again" else ()) for key in keys]


def _beside_enemy(ctx: Context, position: Position, unit: Unit) -> bool:
    """Whether an enemy stands next to a unit on the map."""
    hex_, enemy = position.hex_of(unit.id), ctx.enemy(unit.side)
    return hex_ is not None and any(position.at(n, enemy) for n in position.grid.neighbours[hex_])


def judge_clear(ctx: Context, position: Position, statement: ClearTrail) -> Outcome:
    """`clear`: an engineer's die for a trail hex; what it clears is open at once and for good."""
    line = statement.line
    rule = ctx.movement.clearing
    if rule is None:
        return Outcome(position, (ctx.found(line, "no-clearing"),))
    bad = unknown_hexes(ctx, line, (statement.hex,))
    named = (statement.unit,) if statement.unit else ()
    ids, findings, lawful = actors(ctx, position, statement, "clear", named)
    findings = [*bad, *findings]
    if bad:
        return Outcome(position, tuple(findings))
    if lawful:
        findings += _may_clear(ctx, position, rule, statement, [ctx.units[u] for u in ids])
    after = position
    if statement.roll in rule.faces:
        after = replace(after, cleared=after.cleared | {statement.hex})
    return _counted(position, statement, Outcome(after, tuple(findings)))


def _may_clear(
    ctx: Context, position: Position, rule: Clearing, statement: ClearTrail, units: list[Unit]
) -> list[Finding]:
    hex_, roll, who = statement.hex, statement.roll, tuple(u.id for u in units)
    told, way = " ".join(who), ctx.term(rule.way)
    find = partial(ctx.found, statement.line, hexes=(hex_,), units=who, hex=hex_, way=way, unit=told)
    found = []
    area = ctx.ground.area(rule.area) if rule.area else frozenset()
    if not units:
        found.append(find("clear-nobody"))
    if not ctx.ground.needs_clearing(hex_, position.cleared) or (area and hex_ not in area):
        unsure = ctx.ground.doubt(hex_)
        found.append(find("clear-hex", doubts=() if hex_ in position.cleared else (unsure,)))
    for unit in units:
        if unit.side != rule.side or not unit.is_any(rule.types):
            found.append(find("clear-unit"))
        if position.hex_of(unit.id) != hex_:
            found.append(find("clear-place"))
    ledger = position.ledger
    if ledger.attempts >= rule.per_turn:
        enough = ledger.attempts - ledger.unsure_attempts >= rule.per_turn
        found.append(find("clear-once", limit=rule.per_turn, doubts=() if enough else (doubt("attempted"),)))
    if roll is None:
        found.append(find("clear-roll"))
    elif roll not in FACES:
        found.append(find("die", section=rule.section, roll=roll))
    return found
