"""A movement phase: reinforcements, works, moves, recoveries."""

from __future__ import annotations

from collections.abc import Sequence

from hexforge.scenarios.text.hexgrid import Hex
from hexforge.validator.notation import kinds
from hexforge.validator.notation import statements as st
from hexforge.validator.rules.journey import travel
from hexforge.validator.rules.move_effects import bound
from hexforge.validator.rules.roster import fits
from hexforge.validator.rules.travel import Traveller, traveller
from tests.generator.table import Table, bridged, water_between


def movement(table: Table) -> None:
    """One side's movement phase from the air die to the last recovery."""
    tables = table.scenario.tables
    first = table.scenario.game.sequence[0]
    if any(row.die for row in tables.air) and first.side == table.side:
        table.say(st.AirRoll(0, table.die()))
    works(table)
    reinforcements(table)
    for unit in table.shuffled(table.position.on_map(table.side)):
        if table.position.hex_of(unit) is not None and not table.position.units[unit].moved:
            move(table, unit)
    recoveries(table)


# ------------------------------------------------------------------------------------------------- arrivals


def reinforcements(table: Table) -> None:
    """Whoever is due comes on, if there is a hex for him."""
    for rule in table.scenario.setup.reinforcements:
        if rule.turn <= table.turn:
            for unit in table.shuffled(u for u in rule.units if table.unit(u).side == table.side):
                if table.position.units[unit].where == "due" and not table.chance(table.style.late):
                    enter(table, unit, rule.edges, rule.hexes)
    for withdrawal in table.scenario.setup.withdrawals:
        if withdrawal.returns_turn is not None and withdrawal.returns_turn <= table.turn:
            for unit in withdrawal.units:
                state = table.position.units[unit]
                ours = table.unit(unit).side == table.side and state.where == "withdrawn"
                if ours and state.left is not None and state.left.turn <= withdrawal.returns_turn:
                    enter(table, unit, withdrawal.returns_edges, ())
    returns = table.scenario.game.rules.movement.returns
    if returns is not None:
        for unit, state in sorted(table.position.units.items()):
            left = state.left
            if state.where != "retreated" or left is None or table.unit(unit).side != table.side:
                continue
            if table.turn == left.turn + returns.after:
                near = table.ctx.map.grid.within(left.hex, returns.within)
                hexes = tuple(h for h in near if h in table.ctx.map.edges[left.edge])
                if hexes:
                    enter(table, unit, (left.edge,), hexes, bound_by_rules=False)


def _behind(table: Table, unit: str, hex_: Hex) -> bool:
    """Whether a hex is as near to somebody of a unit's side, who stood there before the turn, as to any enemy."""
    position, side, distance = table.position, table.unit(unit).side, table.ctx.map.grid.distance
    own = [
        s.hex for u, s in position.units.items() if s.hex and table.unit(u).side == side and s.arrived != table.turn
    ]
    return all(
        min(distance(h, hex_) for h in own) <= distance(e, hex_) for e in position.boards[position.enemy(side)].at
    )


def enter(
    table: Table, unit: str, edges: Sequence[str], hexes: Sequence[Hex], *, bound_by_rules: bool = True
) -> None:
    """A unit comes on by one of the edges, at one of the hexes (any, if none are given)."""
    position, who, grid_edges = table.position, table.unit(unit), table.ctx.map.edges
    state = position.units[unit]
    rules = [
        r
        for r in table.scenario.game.rules.movement.entries
        if bound_by_rules and fits(r, who, state) and (r.turns is None or r.turns[0] <= table.turn <= r.turns[1])
    ]
    wanted = set(edges or grid_edges)
    for rule in rules:
        if rule.edges and not hexes:
            wanted &= set(rule.edges)
        if rule.one_edge:
            others = {
                s.edge
                for u, s in position.units.items()
                if table.unit(u).side == who.side and s.arrived is not None
            }
            wanted = {e for e in wanted if others <= {e}}
    choices = [(e, h) for e in sorted(wanted) for h in sorted(grid_edges[e]) if not hexes or h in hexes]
    table.draw.shuffle(choices)
    held = position.boards[position.enemy(who.side)].at
    roads = table.ctx.map.way_hexes.get("road", frozenset())
    for edge, hex_ in choices[:30]:
        if hex_ in held or any(r.hexes and hex_ not in r.hexes for r in rules):
            continue
        if any(r.behind_line for r in rules) and not _behind(table, unit, hex_):
            continue
        if any(r.west_of and table.ctx.ground.east_of((hex_, hex_), r.west_of) for r in rules):
            continue
        need = [r for r in rules if r.ways or r.by_way]
        soft = {t for r in need for t in r.terrain} & set(table.ctx.map.terrain[hex_])
        if need and not soft and hex_ not in roads:
            continue
        by_road = hex_ in roads and (bool(need and not soft) or table.chance(0.5))
        one = traveller(table.ctx, position, who, entering=True)
        step = table.ctx.ground.entry(one.mover, hex_, "road" if by_road else "")
        ways = [
            way
            for _, there, way in one.explore(
                hex_, first=False, passed=one.passed or hex_ in one.gate, spent=step.cost
            )
            if len(position.at(there, who.side)) < table.scenario.game.rules.stacking.limit
        ]
        if step.code or step.cost > one.allowance or not ways:
            continue
        far = max(ways[-1 - len(ways) // 4 :], key=len) if table.chance(0.5) else table.draw.choice(ways)
        edge_name: st.EdgeName = edge  # type: ignore[assignment]
        table.say(st.Enter(0, (unit,), far, edge_name, "road" if by_road else None))
        return


# ---------------------------------------------------------------------------------------------------- works


def works(table: Table) -> None:
    """Bridges by engineers who wait at the water, and dice for the trail."""
    rules = table.scenario.game.rules.movement
    position, grid = table.position, table.ctx.map.grid
    if rules.bridging and rules.bridging.side == table.side and table.turn >= rules.bridging.first_turn:
        for unit in table.shuffled(position.on_map(table.side)):
            state = position.units[unit]
            if table.unit(unit).type not in rules.bridging.types or state.hex is None:
                continue
            if state.since is not None and state.since >= table.turn:
                continue
            for there in grid.neighbours[state.hex]:
                ours = all(table.position.ledger.held.get(h) == table.side for h in (state.hex, there))
                if (
                    ours
                    and not table.position.at(there, table.enemy)
                    and water_between(table, state.hex, there)
                    and not bridged(table, table.unit(unit), state.hex, there)
                ):
                    table.say(st.BuildBridge(0, (state.hex, there), unit))
                    break
    clearing = rules.clearing
    if clearing and clearing.side == table.side:
        area = table.ctx.map.area.get(clearing.area or "", frozenset())
        for unit in table.shuffled(position.on_map(table.side)):
            hex_ = position.hex_of(unit)
            town = hex_ is not None and set(table.ctx.map.terrain[hex_]) & set(clearing.exempt)
            open_ = hex_ in table.position.cleared or town
            if table.unit(unit).type in clearing.types and hex_ in area and not open_:
                table.say(st.ClearTrail(0, hex_, unit, table.die()))
                return


def recoveries(table: Table) -> None:
    """Losses turned back where the rules let units (7.0)."""
    rules = [r for r in table.scenario.game.rules.movement.recovery if r.side == table.side]
    unsafe = table.forces().zone(table.enemy) | table.forces().held(table.enemy)
    done = 0
    for rule in rules:
        if (rule.turns == "odd" and table.turn % 2 == 0) or (rule.last_turn and table.turn > rule.last_turn):
            continue
        for unit in table.shuffled(table.position.on_map(table.side)):
            state, type_ = table.position.units[unit], table.unit(unit).type
            if not state.lost or state.hex is None or state.began_engaged or state.hex in unsafe:
                continue
            if unit in table.met and table.ctx.option("recovery_span") != "phase":
                continue
            if not table.unit(unit).kinds.isdisjoint(rule.excluded) or type_ in rule.excluded:
                continue
            if rule.per_turn is not None and done >= rule.per_turn:
                break
            if rule.line and not _connected(table, state.hex, table.ctx.map.edges[rule.line.edge], unsafe):
                continue
            if rule.network and not _on_network(table, state.hex, unsafe):
                continue
            if rule.cleared_area and state.hex in table.ctx.map.area.get(rule.cleared_area, ()):
                continue
            if table.chance(0.7):
                table.say(st.Recover(0, (unit,)))
                done += 1


def _connected(table: Table, start: Hex, goals: frozenset[Hex], unsafe: set[Hex]) -> bool:
    seen, queue = {start}, [start]
    while queue:
        here = queue.pop()
        if here in goals:
            return True
        for there in table.ctx.map.grid.neighbours[here]:
            if there not in seen and there not in unsafe:
                seen.add(there)
                queue.append(there)
    return False


def _on_network(table: Table, start: Hex, unsafe: set[Hex]) -> bool:
    """Whether a road (trails are left out, to be safe) leads from the place to within a hex of the unit."""
    net = next(r.network for r in table.scenario.game.rules.movement.recovery if r.network)
    roads = [w for w in table.ctx.map.ways if w.kind == "road"]
    joined: dict[Hex, set[Hex]] = {}
    for way in roads:
        for a, b in zip(way.hexes, way.hexes[1:], strict=False):
            joined.setdefault(a, set()).add(b)
            joined.setdefault(b, set()).add(a)
    place = table.ctx.map.place.get(net.place)
    seen = {h for h in place.hexes if h not in unsafe} if place else set()
    queue = sorted(seen)
    while queue:
        here = queue.pop()
        if table.ctx.map.grid.distance(here, start) <= net.distance:
            return True
        for there in joined.get(here, ()):
            if there not in seen and there not in unsafe:
                seen.add(there)
                queue.append(there)
    return False


# ---------------------------------------------------------------------------------------------------- moves


def move(table: Table, unit: str) -> None:
    """A unit moves, goes by rail, leaves the map or stays."""
    if bound(table.ctx, table.position, table.unit(unit)) or unit in table.position.ledger.worked:
        return
    if table.chance(0.08) and rail(table, unit):
        return
    if leave(table, unit):
        return
    if table.chance(table.style.stay):
        return
    here = table.position.hex_of(unit) or ""
    one = traveller(table.ctx, table.position, table.unit(unit))
    company = _company(table, unit, here)
    others = [traveller(table.ctx, table.position, table.unit(u)) for u in company]
    limit = min([one.allowance, *(o.allowance for o in others)])
    free = table.scenario.game.rules.stacking.limit - 1 - len(company)
    found: dict[Hex, tuple[Hex, ...]] = {}
    for _, there, way in _reach(one, others, here, limit):
        if there != here and len(table.position.at(there, table.side)) <= free:
            found.setdefault(there, way)
    if not found:
        return
    goal = _goal(table, (unit, *company), found)
    if not goal:
        return
    way = found[goal]
    words: tuple[str, ...] = way
    if len(way) > 2 and not company and table.chance(table.style.open_way):
        words = (way[0], kinds.OPEN, way[-1])
    table.say(st.Move(0, (unit, *company), words))


def _reach(
    one: Traveller, others: Sequence[Traveller], here: Hex, limit: int
) -> list[tuple[int, Hex, tuple[Hex, ...]]]:
    """What a whole stack can reach: the price is that of its dearest unit, which must be able to pay it."""

    found = list(one.explore(here, others, limit=limit))
    return [(c, h, way) for c, h, way in found if all(travel(o, way).cost <= o.allowance for o in others)]


def _company(table: Table, unit: str, here: Hex) -> tuple[str, ...]:
    if not table.chance(table.style.stack):
        return ()
    mates = [
        u
        for u in table.position.at(here, table.side)
        if u != unit
        and not table.position.units[u].moved
        and u not in table.position.ledger.worked
        and not bound(table.ctx, table.position, table.unit(u))
    ]
    return tuple(mates[:1])


def _goal(table: Table, units: Sequence[str], found: dict[Hex, tuple[Hex, ...]]) -> Hex:
    """Where a stack goes: to the enemy, towards him, or anywhere; "" if it is better off where it is."""
    draw, zone, unit = table.draw, table.position.zoc_against(table.side), units[0]
    near = sorted(h for h in found if h in zone and all(_may_fight(table, u, h) for u in units))
    if near and "guns" not in table.unit(unit).kinds and table.chance(table.style.contact):
        return draw.choice(near)
    rest = sorted(h for h in found if h not in zone) or near
    if not rest:
        return ""
    held = table.position.boards[table.enemy].at
    runner = _exit_edge(table, unit)
    if runner and table.chance(0.6):
        edge = table.ctx.map.edges[runner]
        return min(draw.sample(rest, min(12, len(rest))), key=lambda h: _distance(table, h, edge))
    if held and table.chance(table.style.seek):
        few = draw.sample(rest, min(8, len(rest)))
        goals = draw.sample(sorted(held), min(12, len(held)))
        return min(few, key=lambda h: _distance(table, h, goals))
    return draw.choice(rest)


def _may_fight(table: Table, unit: str, hex_: Hex) -> bool:
    """Whether a unit in a hex of the enemy's zone would have anybody it may attack."""
    rules = [r for r in table.scenario.game.rules.combat.no_engagement if table.unit(unit).is_any(r.types)]
    enemies = table.forces().around(hex_, table.enemy)
    return any(not any(set(table.ctx.map.terrain[e]) & set(r.terrain) for r in rules) for e in enemies)


def _distance(table: Table, hex_: Hex, goals: Sequence[Hex] | frozenset[Hex]) -> int:
    return min(table.ctx.map.grid.distance(hex_, g) for g in goals)


def _exit_edge(table: Table, unit: str) -> str:
    """The edge by which a unit may leave for points, "" if it has none (any more)."""
    who, state = table.unit(unit), table.position.units[unit]
    for rule in table.scenario.victory.exits:
        ours = rule.side == who.side and who.division and (rule.division or "").lower() == who.division.lower()
        passed = rule.after_place is None or f"passed-{rule.after_place}" in state.marks
        if ours and passed and table.turn <= rule.last_turn:
            return rule.edge
    return ""


def leave(table: Table, unit: str) -> bool:
    """Off the map for points."""
    edge = _exit_edge(table, unit)
    here = table.position.hex_of(unit) or ""
    if not edge:
        return False
    one = traveller(table.ctx, table.position, table.unit(unit))
    over = table.scenario.game.rules.movement.exit_cost
    for cost, there, way in one.explore(here):
        toll = one.parting(there, first=there == here)
        if there in table.ctx.map.edges[edge] and not toll.key and cost + over + toll.halves <= one.allowance:
            edge_name: st.EdgeName = edge  # type: ignore[assignment]
            table.say(st.Exit(0, (unit,), way, edge_name))
            return True
    return False


def rail(table: Table, unit: str) -> bool:
    """A journey by railway, if the unit stands at one and is free to go."""
    rule = table.scenario.game.rules.movement.railway
    here = table.position.hex_of(unit) or ""
    if rule is None or here not in table.ctx.map.way_hexes.get(rule.way, ()):
        return False
    unsafe = table.position.zoc_against(table.side) | set(table.position.boards[table.enemy].at)
    if here in unsafe:
        return False
    links = table.ctx.map.links
    ways: dict[Hex, tuple[Hex, ...]] = {here: (here,)}
    queue = [here]
    while queue:
        a = queue.pop(0)
        for b in table.ctx.map.grid.neighbours[a]:
            joined = rule.way in links.get((min(a, b), max(a, b)), ())
            if joined and b not in ways and b not in unsafe and len(ways[a]) <= rule.hexes:
                ways[b] = (*ways[a], b)
                queue.append(b)
    limit = table.scenario.game.rules.stacking.limit
    goals = sorted(h for h in ways if h != here and len(table.position.at(h, table.side)) < limit)
    if not goals:
        return False
    way = ways[table.draw.choice(goals)]
    words = (way[0], kinds.OPEN, way[-1]) if len(way) > 2 and table.chance(0.4) else way
    table.say(st.RailMove(0, (unit,), words))
    return True
