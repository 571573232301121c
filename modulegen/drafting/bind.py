"""`modulegen bind`: a proposal of what ties a module to a game, and what is left to say by hand."""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hexforge.modulegen.drafting.ground import FieldDraft, Raw, need_ground
from hexforge.modulegen.drafting.pieces import CounterDraft, draft, plain
from hexforge.modulegen.drafting.survey import all_prototypes
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.archive import MAX_ENTRY, Archive
from hexforge.modulegen.vassal.errors import FormatError
from hexforge.modulegen.vassal.module import Module, read_module
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import read_save
from hexforge.modulegen.vassal.traits import Piece
from hexforge.scenarios.words import Message, message

if TYPE_CHECKING:
    from hexforge.scenarios.model import Counter, Scenario

_LOSSES: Final = re.compile(r"(?i)loss|dead|elimin|casualt|graveyard|kia|destroyed|baixas|mortos|perdas")
_NUMBER: Final = re.compile(r" \(\d+\)$")
"""What tells counters apart in a draft whose pieces were called alike."""
_LISTED: Final = 20


@dataclass
class BoundPiece:
    """A piece of the module: its name, slot, place, worth, and the property that tells its face."""

    name: str
    slot: str
    map: str
    raw: Raw | None
    worth: CounterDraft
    properties: Mapping[str, str]
    step: str
    unit: str = ""
    id: str = ""


def propose(scenario: Scenario, path: Path) -> tuple[dict[str, Any], list[Message]]:
    """What binding.yaml would hold, and what could not be told.

    Raises `FormatError` for what is no module, ScenarioError for one without hexes.
    """
    module = read_module(path)
    ground = need_ground(module, str(path))
    pieces = list(_pieces(path, module, ground))
    sides = _sides(scenario, module)
    _by_names(scenario, pieces)
    _by_figures(scenario, pieces, sides)
    first = _first(scenario, ground, pieces)
    _by_places(scenario, ground, pieces, first)
    left_edge, top_edge = ground.map.edge
    grid = ground.grid
    across, down = (top_edge, left_edge) if grid.sideways else (left_edge, top_edge)
    hexes: dict[str, Any] = {"x0": grid.x0 + across, "y0": grid.y0 + down, "dx": grid.dx, "dy": grid.dy}
    maps = _maps(module, ground, pieces)
    names, slots, ids = _keys(pieces)
    step = next((name for name, _ in Tally(p.step for p in pieces if p.unit and p.step).most_common(1)), "")
    proposal = {
        "module": {"name": module.name, "versions": [module.version or "*"]},
        "maps": maps,
        "hexes": {**hexes, **({"pointy": True} if grid.sideways else {}), "first": first},
        "sides": sides,
        **({"steps": {"property": step}} if step else {}),
        "pieces": names,
        "slots": slots,
        **({"ids": ids} if ids else {}),
    }
    return proposal, list(_left(scenario, pieces, sides, maps, step))


def _pieces(path: Path, module: Module, ground: FieldDraft) -> Iterator[BoundPiece]:
    """The pieces of the first set-up; where there is none, those of the palette."""
    with Archive(path) as archive:
        file = next((f for _, f in module.setups if f in archive), None)
        data = archive.read(file, MAX_ENTRY) if file else None
    if data is None:
        for slot in module.slots:
            yield _found(module, module.expand(slot.piece), slot.piece, slot.gpid, "", None)
        return
    by_gpid = {slot.gpid: slot.piece for slot in module.slots}
    try:
        replay = LogReplay(read_save(data), module)
    except FormatError as error:
        raise error.at(path=f"{path}, {file}") from None
    boards = replay.placed(ground.map)
    corner = next((c for b, c, _, _ in boards if b.name == ground.board.name), ground.map.edge)
    for piece_id, record in replay.position.pieces.items():
        where, x, y = replay.position.place(piece_id) or (None, 0, 0)
        known = module.map(where)
        on_board = known is not None and known.id == ground.map.id
        raw = ground.grid.raw((x - corner[0], y - corner[1])) if on_board else None
        piece = replay.piece(piece_id)
        defined = by_gpid.get(record.gpid, piece)
        found = _found(module, piece, defined, record.gpid, known.name if known else "", raw)
        found.id = piece_id
        yield found


def _found(module: Module, piece: Piece, defined: Piece, slot: str, map_: str, raw: Raw | None) -> BoundPiece:  # noqa: PLR0917
    properties = piece.properties()
    worth = draft(piece, slot, (), module.sides, all_prototypes(module, defined))
    layer = next(
        (
            x.name
            for x in piece.traits
            if isinstance(x, t.Layer) and len(x.images) > 1 and x.increase_menu and x.name
        ),
        "",
    )
    name = properties.get("BasicName", "") or worth.name
    return BoundPiece(name, slot, map_, raw, worth, properties, f"{layer}_Level" if layer else "")


def _sides(scenario: Scenario, module: Module) -> dict[str, str]:
    """The module's sides by the names that the game's texts have for its own, or by their ids."""
    known: dict[str, str] = {}
    for spec in scenario.game.sides:
        for name in (spec.id, *(text.get(f"sides.{spec.id}") for text in scenario.texts.values())):
            known[plain(name)] = spec.id
    return {side: known[plain(side)] for side in module.sides if plain(side) in known}


def _by_names(scenario: Scenario, pieces: Sequence[BoundPiece]) -> None:
    """Units that a piece names: by the id in one of its properties, or by a name that one unit alone has."""
    names = Tally(plain(name) for c in scenario.counters.values() for name in {*c.names.values(), c.id})
    known = {
        plain(name): c.id
        for c in scenario.counters.values()
        for name in (*c.names.values(), c.id)
        if names[plain(name)] == 1
    }
    for piece in pieces:
        told = [value for value in piece.properties.values() if value in scenario.counters]
        piece.unit = told[0] if told else known.get(plain(piece.name), "")


def _figures(counter: Counter) -> tuple[int, int, int]:
    return counter.attack, counter.defence, counter.move


def _by_figures(scenario: Scenario, pieces: Sequence[BoundPiece], sides: Mapping[str, str]) -> None:
    """Units whose strengths no other of their side has."""
    taken = {p.unit for p in pieces if p.unit}
    units = [c for c in scenario.counters.values() if c.id not in taken]
    mine = Tally((c.side, _figures(c)) for c in units)
    waiting = [p for p in pieces if not p.unit and {"attack", "move"} <= p.worth.told and p.worth.side in sides]

    def worth(piece: BoundPiece) -> tuple[str, tuple[int, int, int]]:
        f = piece.worth.figures
        return sides[piece.worth.side], (f["attack"], f["defence"], f["move"])

    theirs = Tally(map(worth, waiting))
    by_worth = {(c.side, _figures(c)): c.id for c in units}
    for piece in waiting:
        key = worth(piece)
        if mine[key] == theirs[key] == 1:
            piece.unit = by_worth[key]


def _first(scenario: Scenario, ground: FieldDraft, pieces: Sequence[BoundPiece]) -> str:
    """The game's name of VASSAL's hex 0, 0: as most units that stand where they must begin tell it."""
    grid = scenario.map.grid
    starts = {u: p.hexes[0] for p in scenario.setup.at_start if len(p.hexes) == 1 for u in p.units}
    votes: Tally[str] = Tally()
    for piece in pieces:
        if piece.raw is None or piece.unit not in starts:
            continue
        column, row = grid.cell(starts[piece.unit])
        line, place = (row, column) if grid.pointy else (column, row)
        at = line - piece.raw[0]
        along = place - piece.raw[1]
        if at >= 1 and piece.raw[0] % 2 and grid.is_low(at):
            along -= 1
        cell = (along, at) if grid.pointy else (at, along)
        if 1 <= cell[0] <= grid.columns and 1 <= cell[1] <= grid.rows:
            votes[grid.at(*cell)] += 1
    return votes.most_common(1)[0][0] if votes else grid.at(1, 1)


def _by_places(scenario: Scenario, ground: FieldDraft, pieces: Sequence[BoundPiece], first: str) -> None:
    """Units of which several are called alike, by the hexes that they begin in; in one hex all are the same."""
    names = _cells(scenario, ground, first)
    starts = {u: p.hexes[0] for p in scenario.setup.at_start if len(p.hexes) == 1 for u in p.units}
    taken = {p.unit for p in pieces if p.unit}
    units: dict[tuple[str, str], list[str]] = defaultdict(list)
    for counter in scenario.counters.values():
        if counter.id not in taken:
            for name in {plain(_NUMBER.sub("", n)) for n in counter.names.values()}:
                units[name, starts.get(counter.id, "")].append(counter.id)
    waiting: dict[tuple[str, str], list[BoundPiece]] = defaultdict(list)
    for piece in pieces:
        if not piece.unit and piece.id:
            waiting[plain(piece.name), names.get(piece.raw, "") if piece.raw else ""].append(piece)
    for key, alike in waiting.items():
        if len(alike) == len(units[key]):
            for piece, unit in zip(alike, units[key], strict=True):
                piece.unit = unit


def _cells(scenario: Scenario, ground: FieldDraft, first: str) -> dict[Raw, str]:
    """The game's names of the module's hexes, VASSAL's hex 0, 0 being `first`."""
    grid = scenario.map.grid
    column, row = grid.cell(first)
    line, place = (row, column) if grid.pointy else (column, row)
    lower, found = grid.is_low(line), {}
    for id_ in grid:
        column, row = grid.cell(id_)
        at, along = (row, column) if grid.pointy else (column, row)
        raw = at - line
        found[raw, along - place - (raw % 2 if lower else 0)] = id_
    return found


def _maps(module: Module, ground: FieldDraft, pieces: Sequence[BoundPiece]) -> dict[str, str]:
    """The board, where the dead go, and where most units wait."""
    losses = next((m.name for m in module.maps if m.name != ground.map.name and _LOSSES.search(m.name)), "")
    beside = Tally(p.map for p in pieces if p.unit and p.map not in ("", ground.map.name, losses))
    reserves = beside.most_common(1)[0][0] if beside else ""
    found = {"main": ground.map.name, "reserves": reserves, "losses": losses}
    return {key: name for key, name in found.items() if name}


def _keys(pieces: Sequence[BoundPiece]) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """By what pieces are known: names that one unit alone has, else the numbers of slots, else the pieces' ids."""
    names, slots = _units(pieces, "name"), _units(pieces, "slot")
    by_name = {p.name: p.unit for p in pieces if p.unit and names[p.name] == {p.unit}}
    rest = [p for p in pieces if p.unit and p.name not in by_name]
    by_slot = {p.slot: p.unit for p in rest if p.slot and slots[p.slot] == {p.unit}}
    by_id = {p.id: p.unit for p in rest if p.slot not in by_slot and p.id}
    return by_name, by_slot, by_id


def _units(pieces: Sequence[BoundPiece], field: str) -> dict[str, set[str]]:
    """The units of the pieces that have the same name or slot; "" among them for those that are none."""
    found: dict[str, set[str]] = defaultdict(set)
    for piece in pieces:
        found[getattr(piece, field)].add(piece.unit)
    return found


def _left(
    scenario: Scenario, pieces: Sequence[BoundPiece], sides: Mapping[str, str], maps: Mapping[str, str], step: str
) -> Iterator[Message]:
    tied = set().union(*(set(keys.values()) for keys in _keys(pieces)))
    units = [u for u in scenario.counters if u not in tied]
    if units:
        yield message("modulegen.bind.left.units", count=len(units), names=_some(units))
    others = [p.name for p in pieces if not p.unit]
    if others:
        yield message("modulegen.bind.left.pieces", count=len(others), names=_some(others))
    gone = [s.id for s in scenario.game.sides if s.id not in sides.values()]
    if gone:
        yield message("modulegen.bind.left.sides", names=tuple(gone))
    for key in ("reserves", "losses"):
        if key not in maps:
            yield message(f"modulegen.bind.left.{key}")
    if not step and any(len(c.backs) for c in scenario.counters.values()):
        yield message("modulegen.bind.left.steps")
    yield message("modulegen.bind.left.phases")


def _some(names: Sequence[str]) -> tuple[str, ...]:
    shown = tuple(name[:60] for name in names[:_LISTED])
    return shown if len(names) <= _LISTED else (*shown, "…")
