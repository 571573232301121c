"""The start of a skirmish: an invented map full of rivers, roads and woods, and two crowded sides on it."""

from __future__ import annotations

import random

from hexforge.scenarios.model import Scenario
from hexforge.scenarios.text.hexgrid import Hex, HexGrid, grid
from hexforge.validator.notation import base, statements_head
from hexforge.validator.notation import statements as st


def position(scenario: Scenario, draw: random.Random) -> list[base.Statement]:
    """Statements up to the last placement."""
    columns, rows = draw.randint(5, 9), draw.randint(5, 9)
    field = grid(columns, rows, scenario.map.grid.low)
    return [
        statements_head.SheetVersion(0, 1),
        statements_head.GameName(0, scenario.name),
        statements_head.MapBlank(0, (next(iter(scenario.tables.terrain)),), columns, rows),
        *_ground(scenario, draw, field),
        *_forces(scenario, draw, field),
    ]


def _ground(scenario: Scenario, draw: random.Random, field: HexGrid) -> list[base.Statement]:
    found: list[base.Statement] = []
    terrains = sorted(scenario.tables.terrain)
    for hex_ in field:
        if draw.random() < 0.5:
            kinds = draw.sample(terrains, 2 if draw.random() < 0.1 else 1)
            found.append(statements_head.TerrainEdit(0, tuple(kinds), (hex_,)))
    pairs = [(a, b) for a in field for b in field.neighbours[a] if a < b]
    lines = sorted(k for k in scenario.tables.hexsides if k != "border")
    found += [
        statements_head.HexsideEdit(0, draw.choice(lines), (pair,)) for pair in draw.sample(pairs, len(pairs) // 4)
    ]
    if scenario.tables.fortified is not None:
        found.append(statements_head.FortifiedHexes(0, tuple(draw.sample(field.hexes, 3))))
    for _ in range(5):
        way = [draw.choice(field.hexes)]
        for _ in range(draw.randint(1, 6)):
            way.append(draw.choice(field.neighbours[way[-1]]))
        kind = draw.choice(sorted(scenario.tables.ways))
        way_kind: st.WayKind = kind
        found.append(statements_head.WayEdit(0, way_kind, tuple(way)))
    found += [statements_head.BridgeEdit(0, (draw.choice(pairs),)) for _ in range(3)]
    return found


def _forces(scenario: Scenario, draw: random.Random, field: HexGrid) -> list[base.Statement]:
    units: list[base.Statement] = []
    placed: list[base.Statement] = [statements_head.PositionStart(0)]
    held: dict[Hex, list[str]] = {}
    limit = scenario.game.rules.stacking.limit
    counters = sorted(scenario.counters.values(), key=lambda c: c.id)
    for i in range(draw.randint(12, 40)):
        like = draw.choice(counters)
        room = [h for h in field if all(s == like.side for s in held.get(h, ())) and len(held.get(h, ())) < limit]
        if not room:
            continue
        crowded = [h for h in room if h in held]
        hex_ = draw.choice(crowded if crowded and draw.random() < 0.6 else room)
        held.setdefault(hex_, []).append(like.side)
        id_ = f"{like.side[0]}{i}"
        back = draw.random() < 0.5
        units.append(
            statements_head.UnitDefinition(
                0,
                id_,
                like.side,
                like.type,
                like.attack,
                like.defence,
                like.move,
                range=like.range,
                regiment=f"{draw.randint(901, 903)}" if draw.random() < 0.6 else "",
                division=f"{draw.randint(801, 803)}" if draw.random() < 0.8 else "",
                reduced_attack=max(0, like.attack - 1) if back else None,
                reduced_defence=max(1, like.defence - 1) if back else None,
            )
        )
        placed.append(statements_head.Placement(0, id_, hex_, draw.random() < 0.2))
    return [*units, *placed]
