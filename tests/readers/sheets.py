"""Strategies for whole statements, and statements without their line numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as s

from hexforge.validator.readers import statements as st

HEX = s.integers(101, 9999).map(lambda n: f"{n:04d}")
HEXES = s.lists(HEX, min_size=1, max_size=5).map(tuple)
PAIR = s.tuples(HEX, HEX)
PAIRS = s.lists(PAIR, min_size=1, max_size=3).map(tuple)
# An id may look like a keyword of either language; one that reads as a number or `offboard` would be ambiguous.
UNIT = s.sampled_from(["a1", "g7", "us-109-1", "ge-ss-ak113", "9th.inf", "move", "our", "recuar", "de", "x.1"])
PLACED = UNIT.filter(lambda u: u[-1].isdigit() and u[0] in "agu")
UNITS = s.lists(UNIT, min_size=1, max_size=4).map(tuple)
SMALL = s.integers(0, 999)
SIDE = s.sampled_from(["american", "german", "red", "blue-army"])
EDGE = s.sampled_from(["north", "south", "east", "west"])
TYPE = s.sampled_from(["infantry", "tank_destroyer", "construction_engineer", "hussars"])
TERRAINS = s.lists(
    s.sampled_from(["open", "town", "forest_rough", "swamp"]), min_size=1, max_size=2, unique=True
).map(tuple)
TEXT = s.text(
    s.characters(blacklist_categories=("Cc", "Cs", "Zl", "Zp"), blacklist_characters='"'), min_size=1
).filter(lambda t: t == t.strip())
LABEL = s.sampled_from(["109", "28", "lehr", "ii/5", "gr. brandenburg", "ç-1"])
WAY = s.sampled_from(["road", "trail", "rail"])
COLUMN = s.sampled_from(["2-1", "1-3", "13-24", "49+"])
FLAG = s.sampled_from(["in-transit", "garrison", "passed-noville", "own-flag"])


@s.composite
def paths(draw: s.DrawFn) -> tuple[str, ...]:
    """Hexes, some of them after an open way."""
    path: list[str] = [draw(HEX)]
    for hex_ in draw(s.lists(HEX, max_size=5)):
        if draw(s.booleans()):
            path.append(st.OPEN)
        path.append(hex_)
    return tuple(path)


def maybe(strategy: s.SearchStrategy[Any]) -> s.SearchStrategy[Any]:
    """The strategy's values, or None."""
    return s.none() | strategy


@s.composite
def units(draw: s.DrawFn) -> st.UnitDefinition:
    """A `unit` line."""
    reduced = draw(maybe(s.tuples(SMALL, SMALL)))
    words = {f: draw(s.just("") | LABEL) for f in ("regiment", "division", "corps", "formation")}
    size = draw(s.sampled_from(["", "II", "X"]))
    figures = (draw(SMALL), draw(SMALL), draw(SMALL), draw(maybe(SMALL)))
    head = (draw(UNIT), draw(SIDE), draw(TYPE))
    return st.UnitDefinition(0, *head, *figures, **words, size=size, reduced_attack=reduced[0] if reduced else None,
                             reduced_defence=reduced[1] if reduced else None)  # fmt: skip


@s.composite
def declarations(draw: s.DrawFn) -> st.Declare:
    """A `declare` line with at least one part."""
    totals = draw(maybe(s.tuples(SMALL, SMALL)))
    value, odds, column = draw(maybe(SMALL)), draw(maybe(COLUMN)), draw(maybe(COLUMN))
    if (totals, value, odds, column) == (None,) * 4:
        value = draw(SMALL)
    attack, defence = totals or (None, None)
    return st.Declare(0, attack, defence, value, odds, column)


def _guns(build: Any) -> s.SearchStrategy[Any]:
    only_units = s.builds(build, s.just(0), UNITS, s.just(0))
    return only_units | s.builds(build, s.just(0), UNITS | s.just(()), s.integers(1, 99))


LINE = s.just(0)
ACTS = s.lists(
    s.one_of(
        s.builds(st.Attack, LINE, UNITS),
        _guns(st.Support),
        _guns(st.Guard),
        s.builds(st.AirSupport, LINE, SMALL),
        s.builds(st.GuardAir, LINE, SMALL),
        s.builds(st.Announce, LINE, s.sampled_from(["attacker", "defender"]), SMALL),
        declarations(),
        s.builds(st.Roll, LINE, s.lists(s.integers(1, 6), min_size=1, max_size=3).map(tuple)),
        s.builds(st.Result, LINE, s.sampled_from([("DRB", "AVB"), ("EMP",)])),
        s.builds(st.Lose, LINE, UNITS),
        s.builds(st.Eliminate, LINE, UNITS),
        s.builds(st.Retreat, LINE, UNITS, paths(), maybe(EDGE)),
        s.builds(st.Advance, LINE, UNITS, paths()),
    ),
    max_size=4,
).map(tuple)
HEADER = s.one_of(
    s.builds(st.Players, LINE, s.lists(s.tuples(SIDE, TEXT), min_size=1, max_size=2).map(tuple)),
    s.builds(st.OptionSetting, LINE, s.just("inverse_rounding"), s.sampled_from(["ceil", "no", "3"])),
    s.builds(st.Partial, LINE),
    s.builds(st.MapPrinted, LINE),
    s.builds(st.MapBlank, LINE, TERRAINS, s.integers(1, 99), s.integers(1, 99)),
    s.builds(st.TerrainEdit, LINE, TERRAINS, HEXES),
    s.builds(st.PlaceName, LINE, HEXES, TEXT),
    s.builds(st.WayEdit, LINE, WAY, HEXES),
    s.builds(st.HexsideEdit, LINE, s.sampled_from(["river", "our", "sure", "dam", "fortification"]), PAIRS),
    s.builds(st.FortifiedHexes, LINE, HEXES),
    s.builds(st.BridgeEdit, LINE, PAIRS),
    s.builds(st.AreaEdit, LINE, s.sampled_from(["beyond-kall", "bivouac-xii"]), HEXES),
    units(),
)
POSITION = s.one_of(
    s.builds(st.Placement, LINE, PLACED, HEX, s.booleans()),
    s.builds(st.MarkerPlacement, LINE, s.just("bridge"), PAIR, s.none()),
    s.builds(st.MarkerPlacement, LINE, s.just("mine"), s.none(), HEX),
    s.builds(st.AirPoints, LINE, SIDE, SMALL),
    s.builds(st.ClearedTrail, LINE, HEX),
    s.builds(st.Control, LINE, SIDE, HEX),
    s.builds(st.UnitStatus, LINE, UNIT, FLAG, maybe(SMALL)),
    s.builds(st.Due, LINE, UNIT, SMALL, maybe(EDGE)),
    s.builds(st.LostUnit, LINE, SIDE, TYPE, SMALL, SMALL, SMALL),
    s.builds(st.LeftMap, LINE, SIDE, LABEL, EDGE, SMALL),
)
PLAY = s.one_of(
    s.builds(st.TurnStart, LINE, SMALL, SIDE, s.sampled_from(["movement", "combat"])),
    s.builds(st.Move, LINE, UNITS, paths()),
    s.builds(st.Enter, LINE, UNITS, paths(), maybe(EDGE), maybe(WAY)),
    s.builds(st.Exit, LINE, UNITS, paths(), maybe(EDGE), maybe(WAY)),
    s.builds(st.RailMove, LINE, UNITS, paths()),
    s.builds(st.Recover, LINE, UNITS),
    s.builds(st.BuildBridge, LINE, PAIR, UNIT | s.just("")),
    s.builds(st.ClearTrail, LINE, HEX, UNIT | s.just(""), maybe(s.integers(1, 6))),
    s.builds(st.AirRoll, LINE, s.integers(1, 6)),
    s.builds(st.Combat, LINE, HEXES, ACTS),
    s.builds(st.Bombard, LINE, HEXES, ACTS, UNITS | s.just(()), SMALL),
    s.builds(st.AirStrike, LINE, HEXES, ACTS, maybe(SMALL)),
    s.builds(st.Score, LINE, s.lists(s.tuples(SIDE, SMALL), min_size=1, max_size=2).map(tuple)),
)


@s.composite
def whole_sheets(draw: s.DrawFn) -> list[st.Statement]:
    """Statements in an order that a sheet may have."""
    found: list[st.Statement] = [
        st.SheetVersion(0, 1),
        st.GameName(0, "hurtgen"),
        *draw(s.lists(HEADER, max_size=6)),
    ]
    if draw(s.booleans()):
        found += [
            draw(s.sampled_from([st.PositionStart(0), st.SetupStart(0)])),
            *draw(s.lists(POSITION, max_size=6)),
        ]
    if draw(s.booleans()):
        found += [st.TurnStart(0, 3, "american", "combat"), *draw(s.lists(PLAY, max_size=8))]
    return found


def bare(statement: Any) -> Any:
    """A statement and its sub-statements with line 0."""
    acts = {"acts": tuple(map(bare, statement.acts))} if isinstance(statement, st.Engagement) else {}
    return replace(statement, line=0, **acts)
