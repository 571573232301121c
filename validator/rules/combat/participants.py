"""Who may take part in a combat (5.0, 8.0), and which hexes may be attacked (6.2).

Points that are spent: air power (6.1) and guns beyond the map (8.0).

Units whose strength nobody knows before they first fight (`rules.untried`): it turns out once, and stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from ....scenarios.schema.base import in_turns
from ....scenarios.schema.rules import Untried, named
from ....scenarios.text.hexgrid import Hex
from ....scenarios.text.words import Term
from ...notation import base, statements, statements_head
from ..context import Context, Outcome
from ..findings import Finding, doubt
from ..move_effects import barring_mark, fights, idle, idle_in_transit, section_of_phase
from ..position import Position
from ..roster import untried
from .conditions import Battle
from .figures import Fight
from .morale import check_again, check_shape, check_spared, check_stacks, check_unused


def spend_air(ctx: Context, position: Position, side: str, points: int, line: int) -> Outcome:
    """Take air points of a side, which both combat phases of a turn share; more than it has is found fault with."""
    if points <= 0:
        return Outcome(position)
    rule = ctx.rules.combat.air
    if rule is None or rule.side != side:
        found = ctx.found(line, "no-air", declared=points, computed=0, side=Term("sides", side))
        return Outcome(position, (found,))
    left = position.air.get(side, 0)
    findings, used = [], position.ledger.air_used
    if points > left:
        whose, key = Term("sides", side), "air-spent" if left or used.get(side) else "air-none"
        findings.append(ctx.found(line, key, declared=points, computed=left, side=whose, left=left, points=points))
    after = replace(position, air={**position.air, side: max(0, left - points)})
    return Outcome(after.noted(air_used={**used, side: used.get(side, 0) + points}), tuple(findings))


def check_air_limits(ctx: Context, points: int, line: int) -> list[Finding]:
    """An attack by air takes neither too few nor too many points."""
    rule = ctx.rules.combat.air
    if rule is None or rule.least <= points <= rule.most:
        return []
    return [ctx.found(line, "air-limits", declared=points, least=rule.least, most=rule.most, points=points)]


def offboard_total(ctx: Context, side: str, turn: int) -> int:
    """Points of guns beyond the map that a side has in a turn, for all uses together."""
    return sum(
        rule.points
        for rule in ctx.rules.combat.artillery.offboard
        if rule.side == side and in_turns(rule.turns, turn)
    )


def spend_offboard(ctx: Context, position: Position, side: str, points: int, line: int) -> Outcome:
    """Take points of guns beyond the map, of which there are so many in a turn for all uses together."""
    if points <= 0:
        return Outcome(position)
    turn, whose = position.turn, Term("sides", side)
    total = offboard_total(ctx, side, turn)
    if not total:
        found = ctx.found(line, "no-offboard", declared=points, computed=0, side=whose, turn=turn)
        return Outcome(position, (found,))
    used = position.ledger.offboard
    findings = []
    if used + points > total:
        left = max(0, total - used)
        findings.append(
            ctx.found(
                line,
                "offboard-spent",
                declared=points,
                computed=left,
                side=whose,
                left=left,
                total=total,
                points=points,
            )
        )
    return Outcome(position.noted(offboard=used + points), tuple(findings))


def check_targets(battle: Battle, line: int, targets: tuple[Hex, ...]) -> Iterator[Finding]:
    """Targets are on the map, hold enemies, and were not attacked before in this turn by the same side."""
    for target in targets:
        if target not in battle.position.grid:
            section = battle.rules.sections.participants
            yield battle.found(line, "unknown-hex", section=section, hexes=(target,), hex=target)
        elif not battle.position.at(target, battle.defender):
            yield battle.found(line, "no-target", hexes=(target,), hex=target)
        yield from check_again(battle, line, target)
    if len(targets) > 1 and battle.rules.shape.targets == "one":
        yield battle.found(line, "two-targets", hexes=targets)


def check_participants(battle: Battle, fight: Fight) -> Iterator[Finding]:
    """Everybody whom the sheet names may do what it says."""
    for unit, line in fight.attackers.items():
        yield from _check_attacker(battle, fight, unit, line)
    for unit, line in fight.supports.items():
        yield from check_gun(battle, unit, line, fight.targets, battle.attacker)
    for unit, line in fight.guards.items():
        wrong = check_gun(battle, unit, line, fight.targets, battle.defender)
        yield from wrong or _check_guard(battle, fight, unit, line)
    yield from check_shape(battle, fight, {**fight.attackers, **fight.supports})
    yield from check_stacks(battle, fight)
    yield from _check_guard_divisions(battle, fight)
    yield from _check_guard_offboard(battle, fight)
    if fight.air and fight.attackers and all(_is_artillery(battle, u) for u in (*fight.attackers, *fight.supports)):
        yield battle.found(fight.air_line, "guns-only-air", declared=fight.air)
    afar = battle.rules.shape.guns_alone == "odds" and fight.supports
    if not fight.attackers and not afar:
        yield battle.found(fight.line, "nobody-adjacent", hexes=fight.targets)


def engaged_attackers(battle: Battle, fight: Fight) -> tuple[str, ...]:
    """The attackers who stand next to a target: those who suffer its results."""
    grid, hex_of = battle.position.grid, battle.position.hex_of
    return tuple(u for u in fight.attackers if (h := hex_of(u)) and any(grid.adjacent(h, t) for t in fight.targets))


def _check_attacker(battle: Battle, fight: Fight, unit: str, line: int) -> Iterator[Finding]:
    hex_ = battle.position.hex_of(unit)
    if battle.unit(unit).side != battle.attacker:
        yield battle.found(line, "not-its-phase", units=(unit,), unit=unit)
        return
    if hex_ is None:
        yield _absent(battle, unit, line, battle.rules.sections.participants)
        return
    near = all if battle.rules.shape.next_to == "all" else any
    away = [target for target in fight.targets if not battle.position.grid.adjacent(hex_, target)]
    if not near(target not in away for target in fight.targets):
        yield battle.found(
            line,
            "not-next-to",
            units=(unit,),
            hexes=(hex_, *fight.targets),
            unit=unit,
            hex=hex_,
            targets=" ".join(away),
        )
    yield from check_unused(battle, unit, line)
    yield from _check_phase(battle, unit, line)
    yield from _check_not_by_rail(battle, unit, line)
    if not pressed(battle, unit):
        yield from _check_employed(battle, unit, line)


def pressed(battle: Battle, unit: str) -> bool:
    """Whether the enemy came to a unit, which fights then without having chosen to."""
    state = battle.position.units[unit]
    return state.began_engaged and not state.moved


def _check_employed(battle: Battle, unit: str, line: int) -> Iterator[Finding]:
    """Reinforcements are not employed before they have passed the place that they must pass (4.2.1)."""
    transit = battle.ctx.movement.transit
    if transit is not None and idle_in_transit(battle.ctx, battle.position, unit):
        yield battle.found(line, "not-employed", units=(unit,), unit=unit, place=battle.ctx.place(transit.place))


def _absent(battle: Battle, unit: str, line: int, section: str) -> Finding:
    # who has left the map for good breaks the rule that sent it away, not the one on combats
    if battle.position.units[unit].where in ("withdrawn", "exited", "retreated"):
        section = battle.rules.sections.leaving
    return battle.found(line, "not-on-map", section=section, units=(unit,), unit=unit)


def _check_phase(battle: Battle, unit: str, line: int) -> Iterator[Finding]:
    """Only those attack whom the phase lets, in games with a phase of combat for some alone."""
    if not fights(battle.ctx, battle.position, unit):
        section = section_of_phase(battle.ctx, battle.position, battle.rules.sections.phase, unit)
        why, mark = idle(battle.ctx, battle.position, unit), barring_mark(battle.ctx, battle.position, unit)
        key = "phase-attack" if why == "who" else f"phase-attack-{why}"
        yield battle.found(line, key, section=section, units=(unit,), unit=unit, mark=mark)


def _check_not_by_rail(battle: Battle, unit: str, line: int) -> Iterator[Finding]:
    if battle.position.units[unit].rode and battle.ctx.movement.railway is not None:
        yield battle.found(line, "by-rail", units=(unit,), unit=unit)


def check_gun(battle: Battle, unit: str, line: int, targets: tuple[Hex, ...], side: str) -> list[Finding]:
    """What bars a unit from firing from afar on the targets, for `side`."""
    who, hex_ = battle.unit(unit), battle.position.hex_of(unit)
    if who.side != side:
        return [battle.found(line, "wrong-guns", units=(unit,), unit=unit)]
    if hex_ is None:
        return [_absent(battle, unit, line, battle.rules.sections.artillery)]
    if not _is_artillery(battle, unit):
        return [battle.found(line, "no-gun", units=(unit,), unit=unit)]
    return [
        *check_unused(battle, unit, line),
        *(_check_phase(battle, unit, line) if side == battle.attacker else ()),
        *_check_employed(battle, unit, line),
        *(_check_not_by_rail(battle, unit, line) if side == battle.attacker else ()),
        *_check_range(battle, unit, line, hex_, targets),
        *_check_silent(battle, unit, line, hex_),
    ]


def _is_artillery(battle: Battle, unit: str) -> bool:
    return battle.unit(unit).is_gun and _fires_afar(battle, unit)


def _fires_afar(battle: Battle, unit: str) -> bool:
    """Whether a gun has a range; one that a sheet declares without has it if its kind has one in this game."""
    who = battle.unit(unit)
    if who.range is not None or not who.line:
        return who.range is not None
    ranged = {c.type for c in battle.ctx.scenario.counters.values() if c.range is not None}
    return who.type in ranged


def _check_range(battle: Battle, unit: str, line: int, hex_: Hex, targets: tuple[Hex, ...]) -> Iterator[Finding]:
    who, known = battle.unit(unit), battle.known(targets)
    if who.range is None or not known:
        return
    distance = min(battle.position.grid.distance(hex_, target) for target in known)
    if distance > who.range:
        yield battle.found(
            line,
            "range",
            units=(unit,),
            hexes=(hex_, *targets),
            declared=distance,
            computed=who.range,
            doubts=(doubt("range", unit=unit),) if "range" in who.assumed else (),
            unit=unit,
            hex=hex_,
            distance=distance,
            range=who.range,
        )


def _check_silent(battle: Battle, unit: str, line: int, hex_: Hex) -> Iterator[Finding]:
    silent = [t for t in battle.ctx.map.terrain[hex_] if t in battle.rules.artillery.silent_terrain]
    if silent:
        yield battle.found(
            line,
            "silent",
            units=(unit,),
            hexes=(hex_,),
            unit=unit,
            hex=hex_,
            what=Term("terrain", silent[0]),
        )


def _check_guard(battle: Battle, fight: Fight, unit: str, line: int) -> Iterator[Finding]:
    if battle.position.hex_of(unit) in fight.targets:
        yield battle.found(line, "defends-already", units=(unit,), unit=unit)
        return
    yield from check_spared(battle, unit, line)
    yield from _check_clear(battle, unit, line)
    if battle.rules.artillery.defence == "any" or _in_perimeter(battle, fight, unit):
        return
    division = battle.unit(unit).division
    if not division or division not in _defending_divisions(battle, fight):
        yield battle.found(line, "other-division", units=(unit,), unit=unit)


def _check_clear(battle: Battle, unit: str, line: int) -> Iterator[Finding]:
    """Where the game asks for it, no gun supports a defence that has the enemy on itself."""
    hex_, wanted = battle.position.hex_of(unit), battle.rules.artillery.guards_clear_of
    if hex_ is None or wanted == "nothing":
        return
    position = battle.position
    near = any(position.at(there, battle.attacker) for there in position.grid.neighbours[hex_])
    if near if wanted == "enemies" else hex_ in position.zoc_against(battle.defender):
        yield battle.found(line, f"guard-{wanted}", units=(unit,), hexes=(hex_,), unit=unit, hex=hex_)


def _defending_divisions(battle: Battle, fight: Fight) -> set[str]:
    units = [u for t in fight.targets for u in battle.position.at(t, battle.defender)]
    return {battle.unit(u).division for u in units} - {""}


def _in_perimeter(battle: Battle, fight: Fight, unit: str) -> bool:
    rule = battle.rules.artillery.perimeter
    if rule is None or battle.unit(unit).side != rule.side:
        return False
    area = battle.ctx.ground.area(rule.area)
    return battle.position.hex_of(unit) in area and all(t in area for t in fight.targets)


def unfit(found: Iterable[Finding]) -> frozenset[str]:
    """Those who may not take part, by what was found on each of them alone."""
    return frozenset(f.units[0] for f in found if f.severity == "illegal" and len(f.units) == 1)


def check_guards(battle: Battle, fight: Fight, unfit: Collection[str] = ()) -> Iterator[Finding]:
    """No more guns support the defence than may, in this combat and in the phase; `unfit` may not anyway."""
    rule, fired = battle.rules.artillery, battle.position.ledger.fired
    guards = [unit for unit in fight.guards if unit not in unfit]
    before = sum(battle.unit(unit).side == battle.defender for unit in fired)
    for key, most, others in (("guards-most", rule.guards_most, 0), ("guards-phase", rule.guards_phase, before)):
        over = guards[max(0, most - others) :] if most is not None else ()
        for unit in over[:1]:
            count = others + len(guards)
            told = {"declared": count, "computed": most, "unit": unit, "limit": most, "count": count}
            yield battle.found(fight.guards[unit], key, units=(unit,), **told)


def _check_guard_offboard(battle: Battle, fight: Fight) -> Iterator[Finding]:
    """Guns beyond the map are of no division, so that they support nobody who is attacked (8.0)."""
    if battle.rules.artillery.defence == "any" or battle.ctx.option("offboard_defends") == "yes":
        return
    if fight.guard_offboard and offboard_total(battle.ctx, battle.defender, battle.turn):
        yield battle.found(fight.guard_offboard_line, "offboard-guards", declared=fight.guard_offboard)


def _check_guard_divisions(battle: Battle, fight: Fight) -> Iterator[Finding]:
    if battle.rules.artillery.defence == "any":
        return
    own = _defending_divisions(battle, fight)
    guards = [u for u in fight.guards if battle.unit(u).division in own and not _in_perimeter(battle, fight, u)]
    if len({battle.unit(u).division for u in guards}) > 1:
        yield battle.found(
            fight.guards[guards[-1]],
            "two-divisions",
            units=guards,
            hexes=fight.targets,
            targets=" ".join(fight.targets),
        )


def reveal(ctx: Context, position: Position, acts: tuple[base.Statement, ...]) -> Outcome:
    """The strengths that the acts of a combat, or lines of a position, say; from now on those of their units."""
    found: list[Finding] = []
    for act in acts:
        if isinstance(act, statements.Reveal | statements_head.Revealed):
            position, more = _reveal(ctx, position, act)
            found += more
    return Outcome(position, tuple(found))


def _reveal(
    ctx: Context, position: Position, act: statements.Reveal | statements_head.Revealed
) -> tuple[Position, list[Finding]]:
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
    ctx: Context, position: Position, rule: Untried, act: statements.Reveal | statements_head.Revealed
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
