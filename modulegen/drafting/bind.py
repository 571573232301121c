"""`modulegen bind`: a proposal of what ties a module to a game, and what is left to say by hand."""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...scenarios.schema.results import Dice
from ...scenarios.text.words import Message, message
from ..vassal import traits
from ..vassal.archive import MAX_ENTRY, Archive
from ..vassal.encoding import FormatError
from ..vassal.module import Module, read_module
from ..vassal.replay import LogReplay
from ..vassal.save import read_save
from ..vassal.traits import Piece
from .ground import FieldDraft, Raw, grounds_of, left_boxes, need_ground
from .pieces import draft, plain
from .survey import all_prototypes
from .ties import BoundPiece, Tied, tie

if TYPE_CHECKING:
    from ...scenarios.model import Scenario


_LOSSES: Final = re.compile(r"(?i)loss|dead|elimin|casualt|graveyard|kia|destroyed|baixas|mortos|perdas")
_LISTED: Final = 100
_HEADINGS: Final = 3
_GROUNDS: Final = 24
_SETUPS: Final = 24
"""Boards and set-ups that are looked at; a series of battles in one module has more."""
MOST: Final = 20_000
"""Pieces of a module that are looked at; no game has as many."""


def propose(scenario: Scenario, path: Path, setup: str | None = None) -> tuple[dict[str, Any], list[Message]]:
    """What binding.yaml would hold, and what could not be told.

    `setup`: the name or file of the module's set-up to look at; None for the one that tells most units.

    Raises `FormatError` for what is no module, ScenarioError for one without hexes.
    """
    module = read_module(path)
    need_ground(module, str(path))
    best = _most_tied(scenario, path, module, setup)
    ground, pieces, tied = best.ground, best.pieces, best.tied
    sides = tied.sides
    left_edge, top_edge = ground.map.edge
    grid = ground.grid
    across, down = (top_edge, left_edge) if grid.sideways else (left_edge, top_edge)
    hexes: dict[str, Any] = {"x0": grid.x0 + across, "y0": grid.y0 + down, "dx": grid.dx, "dy": grid.dy}
    maps = _maps(module, ground, pieces)
    names, slots, ids = _keys(pieces)
    step = next((name for name, _ in Tally(p.step for p in pieces if p.unit and p.step).most_common(1)), "")
    phases = _phases(scenario, module)
    dice = _dice(scenario, module)
    gone = left_boxes(scenario, module, maps.get("losses", ""), sides)
    proposal = {
        "module": {"name": module.name, "versions": [module.version or "*"]},
        "maps": maps,
        "hexes": {**hexes, **({"pointy": True} if grid.sideways else {}), "first": tied.first},
        "sides": sides,
        **({"steps": {"property": step}} if step else {}),
        "pieces": names,
        "slots": slots,
        **({"ids": ids} if ids else {}),
        **({"phases": phases} if phases else {}),
        **({"dice": dice} if dice else {}),
        **({"left": gone} if gone else {}),
    }
    return proposal, [*_looked_at(module, best), *_left(scenario, pieces, proposal, tied)]


@dataclass(frozen=True)
class _Attempt:
    """A set-up on a board, what of it could be told, and how well the two fit the game."""

    setup: str
    ground: FieldDraft
    pieces: list[BoundPiece]
    tied: Tied
    fit: tuple[int, ...] = ()


def _most_tied(scenario: Scenario, path: Path, module: Module, wanted: str | None) -> _Attempt:
    """The set-up and the board that tell most units; where there is no set-up, the palette.

    Of those that tell as many, the one on whose board most units stand where they begin, then the one whose field
    is as large as the game's: a series of games in one module has boards of each.
    """
    sides, grounds = _sides(scenario, module), grounds_of(module)[:_GROUNDS]
    setups = [(n, f) for n, f in module.setups if f and wanted in (None, n, f)]
    if wanted is not None and not setups and Path(wanted).is_file():
        setups = [(wanted, wanted)]
    if wanted is not None and not setups:
        raise FormatError(message("modulegen.bind.no-setup", name=wanted), path=str(path))
    best: _Attempt | None = None
    fault = None
    for name, file in setups[:_SETUPS]:
        try:
            replay = _opened(path, module, file, outside=file == wanted)
        except FormatError as error:
            fault = fault or error
            continue
        for ground in _laid(module, grounds, replay) if replay is not None else ():
            pieces = list(_pieces(path, module, ground, replay))
            tied = tie(scenario, ground, pieces, sides)
            found = _Attempt(name, ground, pieces, tied, _fit(scenario, ground, pieces, tied))
            if pieces and (best is None or found.fit > best.fit):
                best = found
        if best is not None and best.fit[0] >= len(scenario.counters):
            break
    if best is None and fault is not None:
        raise fault
    if best is None:
        ground = max(grounds, key=lambda one: _is_as_large(scenario, one))
        pieces = list(_pieces(path, module, ground, None))
        best = _Attempt("", ground, pieces, tie(scenario, ground, pieces, sides))
    return best


def _fit(scenario: Scenario, ground: FieldDraft, pieces: Sequence[BoundPiece], tied: Tied) -> tuple[int, ...]:
    """Units that are told, those of them that stand where they begin, and whether the fields are of one size."""
    places = scenario.map.grid.counted_from(tied.first)
    starts = {unit: placed.hexes for placed in scenario.setup.at_start for unit in placed.units}
    there = sum(p.raw is not None and places.get(p.raw, "-") in starts.get(p.unit, ()) for p in pieces if p.unit)
    return sum(bool(p.unit) for p in pieces), there, _is_as_large(scenario, ground)


def _is_as_large(scenario: Scenario, ground: FieldDraft) -> int:
    grid = scenario.map.grid
    same = (ground.field.get("columns"), ground.field.get("rows")) == (grid.columns, grid.rows)
    return int(same and grid.pointy == ground.grid.sideways)


def _opened(path: Path, module: Module, file: str, outside: bool = False) -> LogReplay | None:
    """A set-up of the module; None for one whose file is not there. Raises `FormatError` for one that is broken.

    `outside`: whether the user named the file, which then may lie beside the module; a name in a module is no path.
    """
    with Archive(path) as archive:
        data: bytes | Path | None = archive.read(file, MAX_ENTRY) if file in archive else None
    if data is None and outside and Path(file).is_file():
        data = Path(file)
    if data is None:
        return None
    try:
        replay = LogReplay(read_save(data), module)
    except FormatError as error:
        raise error.at(path=f"{path}, {file}") from None
    _bounded(len(replay.position.pieces), path)
    return replay


def _laid(module: Module, grounds: Sequence[FieldDraft], replay: LogReplay) -> list[FieldDraft]:
    """The boards with hexes that lie on their maps in a set-up; the first of all where it does not say."""
    lie = {map_.id: {board.name for board, *_ in replay.placed(map_)} for map_ in module.maps}
    return [one for one in grounds if one.board.name in lie.get(one.map.id, ())] or list(grounds[:1])


def _looked_at(module: Module, best: _Attempt) -> Iterator[Message]:
    """Which board and set-up the proposal is for, where the module has several."""
    several = len(grounds_of(module)) > 1 or sum(bool(file) for _, file in module.setups) > 1
    if several and best.setup:
        yield message("modulegen.bind.left.looked-at", board=best.ground.board.name, setup=best.setup)


def _pieces(path: Path, module: Module, ground: FieldDraft, replay: LogReplay | None) -> Iterator[BoundPiece]:
    """The pieces of a set-up; without one, those of the palette."""
    if replay is None:
        _bounded(len(module.slots), path)
        for slot in module.slots:
            piece = module.expand(slot.piece)
            found = _found(module, piece, slot.piece, slot.gpid, "", None)
            found.texts = _texts(piece, found.name, slot.path)
            yield found
        return
    by_gpid = {slot.gpid: slot.piece for slot in module.slots}
    above = {slot.gpid: slot.path for slot in module.slots}
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
        found.texts = _texts(piece, found.name, above.get(record.gpid, ()))
        yield found


def _texts(piece: Piece, name: str, path: Sequence[str]) -> tuple[str, ...]:
    """What is written about a piece besides its name: the file of its picture, its name below the last headings."""
    shown = [piece.basic.image] if piece.basic else []
    shown += [x.images[0] for x in piece.traits if isinstance(x, traits.Layer) and x.images]
    files = tuple(dict.fromkeys(image.rpartition(".")[0] for image in shown if image))
    headings = [re.sub(r"^\w+ \[(.*)\]$", r"\1", step) for step in path]
    return *files, *(f"{heading} {name}" for heading in reversed(headings[-_HEADINGS:]))


def _bounded(count: int, path: Path) -> None:
    if count > MOST:
        raise FormatError(message("modulegen.bind.too-many", count=count, most=MOST), path=str(path))


def _found(module: Module, piece: Piece, defined: Piece, slot: str, map_: str, raw: Raw | None) -> BoundPiece:  # noqa: PLR0917
    properties = piece.properties()
    worth = draft(piece, slot, (), module.sides, all_prototypes(module, defined))
    layer = next(
        (
            x.name
            for x in piece.traits
            if isinstance(x, traits.Layer) and len(x.images) > 1 and x.increase_menu and x.name
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


def _maps(module: Module, ground: FieldDraft, pieces: Sequence[BoundPiece]) -> dict[str, str]:
    """The board, where the dead go, and where most units wait."""
    losses = next((m.name for m in module.maps if m.name != ground.map.name and _LOSSES.search(m.name)), "")
    beside = Tally(p.map for p in pieces if p.unit and p.map not in ("", ground.map.name, losses))
    reserves = beside.most_common(1)[0][0] if beside else ""
    others = [m.name for m in module.maps if m.name not in (ground.map.name, reserves) and m.private_to is None]
    if not losses and reserves and len(others) == 1:
        losses = others[0]
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


def _phases(scenario: Scenario, module: Module) -> list[str]:
    """The game's phases, where the module's tracker lists as many under names of its own within its turns."""
    own = [f"{phase.side} {phase.phase}" for phase in scenario.game.sequence]
    return own if any(len(listed) == len(own) for listed in module.phases) else []


def _dice(scenario: Scenario, module: Module) -> list[str]:
    """The buttons that throw as the game's tables ask, where the module has others besides."""
    tables = (scenario.tables.crt, scenario.tables.bombardment)
    asked = {str(Dice.of(table.dice)) for table in tables if table is not None}
    fit = [name for name, throw in module.dice if throw in asked]
    return fit if len(fit) < len(module.dice) else []


def _left(
    scenario: Scenario, pieces: Sequence[BoundPiece], proposal: Mapping[str, Any], tied: Tied
) -> Iterator[Message]:
    known = set().union(*(set(keys.values()) for keys in _keys(pieces)))
    units = [u for u in scenario.counters if u not in known]
    if units:
        yield message("modulegen.bind.left.units", count=len(units), names=_some(units))
    others = [p.name for p in pieces if not p.unit]
    if others:
        yield message("modulegen.bind.left.pieces", count=len(others), names=_some(others))
    for some, possible in tied.alike[:_LISTED]:
        place = some[0].map or "-"
        keys = _some([f"{p.id or p.slot} ({p.name})" for p in some])
        kind = "ids" if some[0].id else "slots"
        yield message("modulegen.bind.left.alike", kind=kind, place=place, pieces=keys, names=_some(possible))
    if tied.guessed:
        names = _some([f"{p.name} = {p.unit}" for p in tied.guessed])
        yield message("modulegen.bind.left.guessed", count=len(tied.guessed), names=names)
    gone = [s.id for s in scenario.game.sides if s.id not in tied.sides.values()]
    if gone:
        yield message("modulegen.bind.left.sides", names=tuple(gone))
    boxes = proposal.get("left", {})
    if boxes:
        yield message("modulegen.bind.left.boxes", names=tuple(boxes))
    elif "losses" in proposal["maps"]:
        yield message("modulegen.bind.left.box", name=proposal["maps"]["losses"], side=scenario.game.sides[0].id)
    for key in ("reserves", "losses"):
        if key not in proposal["maps"]:
            yield message(f"modulegen.bind.left.{key}")
    if "steps" not in proposal and any(len(c.backs) for c in scenario.counters.values()):
        yield message("modulegen.bind.left.steps")
    yield message("modulegen.bind.left.order" if "phases" in proposal else "modulegen.bind.left.phases")


def _some(names: Sequence[str]) -> tuple[str, ...]:
    shown = tuple(name[:60] for name in names[:_LISTED])
    return shown if len(names) <= _LISTED else (*shown, "…")
