"""Who may take part in a combat (5.0, 8.0), and which hexes may be attacked (6.2)."""

from __future__ import annotations

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.words import Message, Term
from hexforge.validator.referee.combat.desk import Desk
from hexforge.validator.referee.combat.fight import Fight
from hexforge.validator.referee.findings import doubt


def check_targets(desk: Desk, line: int, targets: tuple[Hex, ...]) -> None:
    """Targets are on the map, hold enemies, and were not attacked before in this turn by the same side."""
    sections = desk.rules.sections
    for target in targets:
        if target not in desk.position.grid:
            desk.find(line, "unknown-hex", section=sections.participants, hexes=(target,), hex=target)
        elif not desk.position.at(target, desk.defender):
            desk.find(line, "no-target", hexes=(target,), hex=target)
        if target in desk.position.ledger.targets:
            desk.find(line, "attacked-before", hexes=(target,), hex=target)
    if len(targets) > 1:
        desk.find(line, "two-targets", hexes=targets)


def check_participants(desk: Desk, fight: Fight) -> None:
    """Everybody whom the sheet names may do what it says."""
    for unit, line in fight.attackers.items():
        _check_attacker(desk, fight, unit, line)
    for unit, line in fight.supports.items():
        check_gun(desk, unit, line, fight.targets, desk.attacker)
    for unit, line in fight.guards.items():
        if check_gun(desk, unit, line, fight.targets, desk.defender):
            _check_guard(desk, fight, unit, line)
    _check_guard_divisions(desk, fight)
    if fight.air and fight.attackers and all(_is_artillery(desk, u) for u in (*fight.attackers, *fight.supports)):
        desk.find(fight.air_line, "guns-only-air", declared=fight.air)
    if not fight.attackers:
        desk.find(fight.line, "nobody-adjacent", hexes=fight.targets)


def engaged_attackers(desk: Desk, fight: Fight) -> tuple[str, ...]:
    """The attackers who stand next to a target: those who suffer its results."""
    grid, hex_of = desk.position.grid, desk.position.hex_of
    return tuple(u for u in fight.attackers if (h := hex_of(u)) and any(grid.adjacent(h, t) for t in fight.targets))


def _check_attacker(desk: Desk, fight: Fight, unit: str, line: int) -> None:
    sections = desk.rules.sections
    hex_ = desk.position.hex_of(unit)
    if desk.unit(unit).side != desk.attacker:
        desk.find(line, "not-its-phase", units=(unit,), unit=unit)
        return
    if hex_ is None:
        _find_absent(desk, unit, line, sections.participants)
        return
    if not any(desk.position.grid.adjacent(hex_, target) for target in fight.targets):
        desk.find(
            line,
            "not-next-to",
            units=(unit,),
            hexes=(hex_, *fight.targets),
            unit=unit,
            hex=hex_,
            targets=" ".join(fight.targets),
        )
    _check_unused(desk, unit, line)
    _check_not_by_rail(desk, unit, line)
    _check_terrain_engaged(desk, fight, unit, line)


def _find_absent(desk: Desk, unit: str, line: int, section: str) -> None:
    # who has left the map for good breaks the rule that sent it away, not the one on combats
    gone = desk.position.units[unit].where in ("withdrawn", "exited", "retreated")
    desk.find(
        line, "not-on-map", section=desk.rules.sections.leaving if gone else section, units=(unit,), unit=unit
    )


def _check_unused(desk: Desk, unit: str, line: int) -> None:
    ledger = desk.position.ledger
    if unit not in ledger.attacked and unit not in ledger.fired:
        return
    if desk.is_gun(unit):
        desk.find(line, "gun-fought-before", units=(unit,), unit=unit)
    else:
        desk.find(line, "fought-before", units=(unit,), unit=unit)


def _check_not_by_rail(desk: Desk, unit: str, line: int) -> None:
    railway = desk.ctx.movement.railway
    if railway is not None and desk.position.units[unit].rode:
        desk.find(line, "by-rail", section=railway.section, units=(unit,), unit=unit)


def _check_terrain_engaged(desk: Desk, fight: Fight, unit: str, line: int) -> None:
    for rule in desk.rules.no_engagement:
        if not desk.unit(unit).is_any(rule.types):
            continue
        for target in fight.targets:
            barred = [t for t in desk.ctx.map.terrain.get(target, ()) if t in rule.terrain]
            if barred:
                desk.find(
                    line,
                    "no-engagement",
                    section=rule.section,
                    units=(unit,),
                    hexes=(target,),
                    doubts=desk.terrain_doubts(target),
                    unit=unit,
                    hex=target,
                    what=Term("terrain", barred[0]),
                )


def check_gun(desk: Desk, unit: str, line: int, targets: tuple[Hex, ...], side: str) -> bool:
    """Whether a unit may fire from afar on the targets, for `side`; what bars it is found fault with."""
    section = desk.rules.sections.artillery
    before = len(desk.findings)
    who, hex_ = desk.unit(unit), desk.position.hex_of(unit)
    if who.side != side:
        desk.find(line, "wrong-guns", units=(unit,), unit=unit)
        return False
    if hex_ is None:
        _find_absent(desk, unit, line, section)
        return False
    if not desk.is_gun(unit) or not _fires_afar(desk, unit):
        desk.find(line, "no-gun", units=(unit,), unit=unit)
        return False
    _check_unused(desk, unit, line)
    if side == desk.attacker:
        _check_not_by_rail(desk, unit, line)
    _check_range(desk, unit, line, targets)
    silent = [t for t in desk.ctx.map.terrain[hex_] if t in desk.rules.artillery.silent_terrain]
    if silent:
        desk.find(
            line,
            "silent",
            units=(unit,),
            hexes=(hex_,),
            doubts=desk.terrain_doubts(hex_),
            unit=unit,
            hex=hex_,
            what=Term("terrain", silent[0]),
        )
    return len(desk.findings) == before


def _is_artillery(desk: Desk, unit: str) -> bool:
    return desk.is_gun(unit) and _fires_afar(desk, unit)


def _fires_afar(desk: Desk, unit: str) -> bool:
    """Whether a gun has a range; one that a sheet declares without has it if its kind has one in this game."""
    who = desk.unit(unit)
    if who.range is not None or not who.line:
        return who.range is not None
    ranged = {c.type for c in desk.ctx.scenario.counters.values() if c.range is not None}
    return who.type in ranged


def _check_range(desk: Desk, unit: str, line: int, targets: tuple[Hex, ...]) -> None:
    who, hex_ = desk.unit(unit), desk.position.hex_of(unit)
    known = [t for t in targets if t in desk.position.grid]
    if hex_ is None or who.range is None or not known:
        return
    distance = min(desk.position.grid.distance(hex_, target) for target in known)
    if distance > who.range:
        desk.find(
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


def _check_guard(desk: Desk, fight: Fight, unit: str, line: int) -> None:
    if desk.position.hex_of(unit) in fight.targets:
        desk.find(line, "defends-already", units=(unit,), unit=unit)
        return
    if desk.rules.artillery.defence == "any" or _in_perimeter(desk, fight, unit):
        return
    division = desk.unit(unit).division
    if not division or division not in _defending_divisions(desk, fight):
        doubts = _perimeter_doubts(desk, fight, unit)
        desk.find(line, "other-division", units=(unit,), doubts=doubts, unit=unit)


def _defending_divisions(desk: Desk, fight: Fight) -> set[str]:
    units = [u for t in fight.targets for u in desk.position.at(t, desk.defender)]
    return {desk.unit(u).division for u in units} - {""}


def _in_perimeter(desk: Desk, fight: Fight, unit: str) -> bool:
    rule = desk.rules.artillery.perimeter
    if rule is None or desk.unit(unit).side != rule.side:
        return False
    area = desk.ctx.ground.area(rule.area)
    return desk.position.hex_of(unit) in area and all(t in area for t in fight.targets)


def _perimeter_doubts(desk: Desk, fight: Fight, unit: str) -> tuple[Message, ...]:
    """The outline of the perimeter, where it is not printed and another one might take in gun and target."""
    rule, hex_ = desk.rules.artillery.perimeter, desk.position.hex_of(unit)
    if rule is None or hex_ is None or desk.unit(unit).side != rule.side:
        return ()
    doubt, area, grid = desk.ctx.ground.area_doubt(rule.area), desk.ctx.ground.area(rule.area), desk.position.grid
    hexes = [hex_, *(t for t in fight.targets if t in grid)]
    near = all(any(grid.distance(h, a) <= rule.margin for a in area) for h in hexes)
    return (doubt,) if doubt and near else ()


def _check_guard_divisions(desk: Desk, fight: Fight) -> None:
    if desk.rules.artillery.defence == "any":
        return
    own = _defending_divisions(desk, fight)
    guards = [u for u in fight.guards if desk.unit(u).division in own and not _in_perimeter(desk, fight, u)]
    if len({desk.unit(u).division for u in guards}) > 1:
        desk.find(
            fight.guards[guards[-1]],
            "two-divisions",
            units=guards,
            hexes=fight.targets,
            targets=" ".join(fight.targets),
        )
