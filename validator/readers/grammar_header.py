"""The statements before the first turn: header, map, units, position."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from hexforge.validator.readers import statements as st
from hexforge.validator.readers.cursor import Cursor
from hexforge.validator.readers.keywords import FLAGS, MARKERS, SMALL, TURN_FLAGS, aliases

_FLAGS: Final = aliases(FLAGS)
_MARKERS: Final = aliases(MARKERS)
_FIELDS: Final = aliases(
    {k: SMALL[k] for k in ("range", "regiment", "division", "corps", "formation", "size", "reduced")}
)
_SIZE: Final = re.compile(r"([0-9]{1,2})x([0-9]{1,2})")
_LIMIT: Final = 99


def _sheet(at: Cursor) -> st.Statement:
    version = at.number("version")
    return st.SheetVersion(at.line, version)


def _game(at: Cursor) -> st.Statement:
    return st.GameName(at.line, at.identifier("label"))


def _players(at: Cursor) -> st.Statement:
    names: list[tuple[str, str]] = []
    while at.here is not None or not names:
        if at.here is None:
            raise at.fail("players")
        side = at.side()
        at.mark("=")
        names.append((side, at.label("label")))
    return st.Players(at.line, tuple(names))


def _option(at: Cursor) -> st.Statement:
    name = at.identifier("option")
    at.mark("=")
    return st.OptionSetting(at.line, name, at.label("option").lower())


def _partial(at: Cursor) -> st.Statement:
    return st.Partial(at.line)


def _map(at: Cursor) -> st.Statement:
    if at.accept("printed"):
        return st.MapPrinted(at.line)
    if not at.accept("blank"):
        raise at.fail("map")
    terrain = at.terrains()
    size = _SIZE.fullmatch(at.here.key) if at.here is not None else None
    columns, rows = (int(size[1]), int(size[2])) if size else (0, 0)
    if not (1 <= columns <= _LIMIT and 1 <= rows <= _LIMIT):
        raise at.fail("map-size")
    at.step()
    return st.MapBlank(at.line, terrain, columns, rows)


def _terrain(at: Cursor) -> st.Statement:
    return st.TerrainEdit(at.line, at.terrains(), at.hexes())


def _name(at: Cursor) -> st.Statement:
    hexes = at.hexes(then_name=True)
    name = at.label("label")
    if at.here is not None:
        raise at.fail("end-name")
    return st.PlaceName(at.line, hexes, name)


def _area(at: Cursor) -> st.Statement:
    return st.AreaEdit(at.line, at.identifier("area"), at.hexes())


def way(kind: st.WayKind) -> Callable[[Cursor], st.Statement]:
    """Reader of `road`, `trail`, `rail` as map edits."""
    return lambda at: st.WayEdit(at.line, kind, at.hexes())


def hexside(kind: str) -> Callable[[Cursor], st.Statement]:
    """Reader of lines on hexsides, such as `river`."""
    return lambda at: st.HexsideEdit(at.line, kind, at.pairs())


def _fortification(at: Cursor) -> st.Statement:
    if at.is_hex() and not at.is_pair():
        return st.FortifiedHexes(at.line, at.hexes())
    return st.HexsideEdit(at.line, "fortification", at.pairs())


def _bridge(at: Cursor) -> st.Statement:
    return st.BridgeEdit(at.line, at.pairs())


def _unit(at: Cursor) -> st.Statement:
    unit, side, kind = at.unit(), at.side(), at.unit_type()
    attack, defence, move = at.factors(3, "factors")
    words: dict[str, str] = {}
    gun_range: int | None = None
    reduced: tuple[int, ...] | None = None
    while at.here is not None:
        field = at.choice(_FIELDS, "unit-field")
        if field == "range":
            gun_range = at.number()
        elif field == "reduced":
            reduced = at.factors(2, "reduced")
        else:
            words[field] = at.label("label")
    return st.UnitDefinition(
        at.line,
        unit,
        side,
        kind,
        attack,
        defence,
        move,
        gun_range,
        words.get("regiment", "").lower(),
        words.get("division", "").lower(),
        words.get("corps", "").lower(),
        words.get("formation", "").lower(),
        words.get("size", "").upper(),
        reduced[0] if reduced else None,
        reduced[1] if reduced else None,
    )


def _position(at: Cursor) -> st.Statement:
    return st.PositionStart(at.line)


def _setup(at: Cursor) -> st.Statement:
    return st.SetupStart(at.line)


def placement(at: Cursor) -> st.Statement:
    """`a1 0705 reduced`."""
    return st.Placement(at.line, at.unit(), at.hex(), at.accept("reduced"))


def _marker(at: Cursor) -> st.Statement:
    kind = at.identifier("marker", _MARKERS)
    if at.is_pair():
        return st.MarkerPlacement(at.line, kind, side=at.pair())
    return st.MarkerPlacement(at.line, kind, hex=at.hex())


def air_points(at: Cursor) -> st.Statement:
    """`air american 5`."""
    return st.AirPoints(at.line, at.side(), at.number())


def _cleared(at: Cursor) -> st.Statement:
    return st.ClearedTrail(at.line, at.hex())


def _control(at: Cursor) -> st.Statement:
    return st.Control(at.line, at.side(), at.hex())


def _status(at: Cursor) -> st.Statement:
    unit, flag = at.unit(), at.identifier("flag", _FLAGS)
    turn = at.number() if at.is_number() or flag in TURN_FLAGS else None
    return st.UnitStatus(at.line, unit, flag, turn)


def _due(at: Cursor) -> st.Statement:
    unit, turn = at.unit(), at.number()
    return st.Due(at.line, unit, turn, at.edge() if at.here is not None else None)


def _lost(at: Cursor) -> st.Statement:
    side, kind = at.side(), at.unit_type()
    attack, defence, move = at.factors(3, "factors")
    return st.LostUnit(at.line, side, kind, attack, defence, move)


def _left(at: Cursor) -> st.Statement:
    side, formation = at.side(), at.label("label").lower()
    return st.LeftMap(at.line, side, formation, at.edge(), at.number())


HEADER: Final[Mapping[str, Callable[[Cursor], st.Statement]]] = {
    "sheet": _sheet,
    "game": _game,
    "players": _players,
    "option": _option,
    "partial": _partial,
    "map": _map,
    "terrain": _terrain,
    "name": _name,
    "area": _area,
    "road": way("road"),
    "trail": way("trail"),
    "rail": way("rail"),
    "river": hexside("river"),
    "our": hexside("our"),
    "clerf": hexside("clerf"),
    "sure": hexside("sure"),
    "dam": hexside("dam"),
    "siegfried": hexside("siegfried"),
    "fortification": _fortification,
    "bridge": _bridge,
    "unit": _unit,
    "position": _position,
    "setup": _setup,
}
POSITION: Final[Mapping[str, Callable[[Cursor], st.Statement]]] = {
    "marker": _marker,
    "air": air_points,
    "cleared": _cleared,
    "control": _control,
    "status": _status,
    "due": _due,
    "lost": _lost,
    "left": _left,
}
