"""Everything that a module of others tells of its game: board, pieces, where they stand, turns, dice, charts."""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from ...scenarios.text.words import Message, message
from ..lint.parts import MAPS, SLOTS, ElementPart
from ..lint.parts import OpenModule as Elements
from ..vassal import encoding, traits
from ..vassal.archive import MAX_ENTRY, Archive
from ..vassal.encoding import FormatError
from ..vassal.grids import RegionGrid, SquareGrid, ZonedGrid
from ..vassal.module import Board, Module, Slot, read_module
from ..vassal.replay import LogReplay, deck_name
from ..vassal.save import SavedGame, read_save
from ..vassal.traits import Piece, read_piece
from .ground import FieldDraft, Raw, hex_grid, need_ground, other_fields
from .pieces import (
    MOST,
    CounterDraft,
    MarkerKind,
    draft,
    kinds,
    number,
    plain,
    playing,
    prototypes_of,
    said_sides,
    two_sides,
)

_LISTED: Final = 12
_LONGEST: Final = 40
"""Letters of a side's name; what is longer is a text."""
_THROWN: Final = re.compile(r"[1-3]d(4|6|8|10|12|20)")


@dataclass
class Placing:
    """A counter on the board, or beside it (`hex` is blank); `piece` is its id in the saved game, if it has one."""

    counter: CounterDraft
    hex: str
    piece: str = ""


@dataclass
class ModuleSurvey:
    """A module as a draft sees it.

    `boards` are those beside the one with the hexes, `throw` its dice where it has one kind of them (`2d6`), `left`
    what could not be told, in words.
    """

    title: str
    ground: FieldDraft
    sides: tuple[str, str]
    counters: list[CounterDraft]
    placed: list[Placing]
    turns: tuple[int, int]
    dice: list[str]
    charts: list[str]
    setup: str
    markers: list[MarkerKind] = field(default_factory=list)
    decks: list[str] = field(default_factory=list)
    boards: list[Board] = field(default_factory=list)
    throw: str = ""
    left: list[Message] = field(default_factory=list)


def survey(archive: Archive, path: Path, setup: str | None = None) -> ModuleSurvey:
    """Read a module; raises `FormatError` for what is none, `ScenarioError` for one without hexes.

    `setup`: the name or file of the set-up to take, in the module or beside it; the one with most pieces if None.
    """
    module, elements = read_module(path), Elements(archive)
    ground = need_ground(module, str(path))
    left: list[Message] = []
    chosen, pieces = _pieces(elements, module, ground, setup, left)
    held = {one.raw for one in pieces if one.raw and not one.hex}
    if held and (ground := need_ground(module, str(path), held)).ids.keys() & held:
        left.clear()
        chosen, pieces = _pieces(elements, module, ground, setup, left)
    own = _own_sides(module, pieces)
    drafts = [_drafted(module, one, own) for one in pieces]
    sides = two_sides(own, drafts)
    found = ModuleSurvey(module.name or path.stem, ground, sides, [], [], (1, 10), [], [], chosen, left=left)
    _settle(found, drafts, pieces)
    _told(found.counters, left)
    found.turns = _turns(elements, left)
    _dice(found, elements)
    found.charts = list(dict.fromkeys(p.get("fileName") for p in elements.all("Chart") if p.get("fileName")))
    _rest(found, module, elements)
    return found


@dataclass(frozen=True)
class SurveyedPiece:
    """A piece: its slot, the hex that it stands in, or the deck that it lies in; `id` is that of a saved game.

    `raw`: the hex as VASSAL counts, also of one that is none of the field; `spare` ones lie in the palette of a
    module that has a set-up.
    """

    piece: Piece
    slot: Slot | None = None
    hex: str = ""
    deck: str = ""
    id: str = ""
    spare: bool = False
    raw: Raw | None = None


def _pieces(
    elements: Elements, module: Module, ground: FieldDraft, wanted: str | None, left: list[Message]
) -> tuple[str, list[SurveyedPiece]]:
    """The pieces of the set-up with most of them on the board; else those of each game, or the palette."""
    archive = elements.archive
    by_gpid = {slot.gpid: slot for slot in module.slots if slot.gpid}
    best: tuple[str, list[SurveyedPiece]] = ("", [])
    made_by, decks = "", set[str]()
    names = [(name, file) for name, file in module.setups if file]
    if wanted is not None:
        names = [(n, f) for n, f in names if wanted in (n, f)] or [(wanted, wanted)]
    for name, file in names[:_LISTED]:
        outside = file not in archive
        # A name in a module is never a path; only one that the user gave is looked for beside it.
        if outside and (wanted is None or not Path(file).is_file()):
            left.append(message("modulegen.import.left.no-file", name=name))
            continue
        try:
            game = read_save(Path(file) if outside else archive.read(file, MAX_ENTRY))
            found, held = _saved(game, module, ground, by_gpid)
        except FormatError as error:
            left.append(message("modulegen.import.left.setup", name=name, why=error.message))
            continue
        if sum(bool(one.hex) for one in found) >= sum(bool(one.hex) for one in best[1]):
            best, decks = (name, found), held
            made_by = game.module.name if game.module else ""
    others = [n for n, f in names if n != best[0] and f in archive]
    if others:
        left.append(message("modulegen.import.left.setups", names=tuple(others[:_LISTED])))
    if made_by not in ("", module.name):
        left.append(message("modulegen.import.left.foreign", name=best[0], module=made_by))
    at_start = list(_at_start(elements, module, ground))
    if best[1]:
        # Decks that a saved game does not hold are filled anew when it is loaded.
        at_start = [one for one in at_start if one.deck and one.deck not in decks]
    found = [*best[1], *at_start]
    return best[0], [*found, *_palette(module, found)][:MOST]


def _palette(module: Module, found: Sequence[SurveyedPiece]) -> Iterator[SurveyedPiece]:
    """The pieces of the palette that do not stand anywhere yet: those that come later."""
    gpids = {one.slot.gpid for one in found if one.slot and one.slot.gpid}
    looks = {one.piece.traits for one in found}
    for slot in module.slots:
        if slot.gpid not in gpids and slot.piece.traits not in looks:
            yield SurveyedPiece(slot.piece, slot, spare=bool(found))


def _saved(
    game: SavedGame, module: Module, ground: FieldDraft, by_gpid: dict[str, Slot]
) -> tuple[list[SurveyedPiece], set[str]]:
    """The pieces of a saved game with the hexes of those on the board, and the decks that it holds."""
    found = []
    replay = LogReplay(game, module)
    views = {view.id: view for view in replay.pieces()}
    board = next(
        (
            (b, corner)
            for b, corner, _, turned in replay.placed(ground.map)
            if b.name == ground.board.name and not turned
        ),
        None,
    )
    for piece_id, record in replay.position.pieces.items():
        where, x, y = replay.position.place(piece_id) or (None, 0, 0)
        hex_, raw = "", None
        if board is not None and where in (ground.map.name, ground.map.id):
            raw = ground.grid.raw((x - board[1][0], y - board[1][1]))
            hex_ = ground.ids.get(raw, "")
        deck = views[piece_id].deck if piece_id in views else ""
        slot = by_gpid.get(record.gpid)
        held = (deck, piece_id, False, None) if deck else ("", piece_id, False, raw)
        found.append(SurveyedPiece(replay.piece(piece_id), slot, "" if deck else hex_, *held))
    return found, {deck_name(one.deck) for one in replay.position.containers.values() if one.deck}


def _at_start(elements: Elements, module: Module, ground: FieldDraft) -> Iterator[SurveyedPiece]:
    """Pieces that each game begins with (`SetupStack`, `DrawPile`)."""
    by_gpid = {slot.gpid: slot for slot in module.slots if slot.gpid}
    for stack in elements.all("SetupStack", "DrawPile"):
        map_ = stack.above(*MAPS)
        here = map_ is not None and map_.get("mapName") == ground.map.name
        here = here and stack.get("owningBoard") in (ground.board.name, "", "null")
        deck = stack.get("name") if stack.kind == "DrawPile" else ""
        raw = ground.grid.raw(_point(stack, ground)) if here and not deck else None
        hex_ = ground.ids.get(raw, "") if raw else ""
        for part in stack.walk():
            if part.kind in SLOTS:
                yield SurveyedPiece(_piece(part), by_gpid.get(part.get("gpid")), hex_, deck, raw=raw)


def _point(stack: ElementPart, ground: FieldDraft) -> tuple[int, int]:
    if stack.get("useGridLocation") == "true" and ground.board.grid is not None:
        found = ground.board.grid.point_of(stack.get("location"), ground.board.size or (0, 0))
        if found is not None:
            return found
    values = [stack.get(name) for name in ("x", "y")]
    x, y = (int(v) if v.lstrip("-").isdecimal() and len(v) < 7 else 0 for v in values)
    return x, y


def _piece(part: ElementPart) -> Piece:
    parts = [*encoding.decode(part.text.removeprefix("+/"), "/"), "", ""]
    return read_piece(parts[1], parts[2])


def _own_sides(module: Module, pieces: Sequence[SurveyedPiece]) -> tuple[str, ...]:
    """The module's sides; where no piece is of any, those that a property of the pieces tells."""
    told: Tally[str] = Tally()
    for one in pieces:
        told.update(
            {value for value in said_sides(module.expand(one.piece).properties()) if len(value) <= _LONGEST}
        )
    sides = playing(module.sides)
    known = {plain(side) for side in sides}
    if any(plain(name) in known for name in told) or not told:
        return sides
    return tuple(name for name, _ in told.most_common(2)) if len(told) > 1 else sides


def _drafted(module: Module, one: SurveyedPiece, sides: Sequence[str]) -> CounterDraft:
    slot = one.slot
    used = all_prototypes(module, slot.piece if slot else one.piece)
    expanded = module.expand(one.piece)
    return draft(expanded, slot.gpid if slot else "", slot.path if slot else (), sides, used)


def all_prototypes(module: Module, piece: Piece) -> list[str]:
    """The names of a piece's prototypes and of theirs."""
    found: list[str] = []
    waiting = prototypes_of(piece)
    while waiting and len(found) < _LISTED * 5:
        name = waiting.pop(0)
        found.append(name)
        inner = module.prototypes.get(name)
        waiting += [n for n in prototypes_of(inner) if n not in found] if inner else []
    return found


def _settle(found: ModuleSurvey, drafts: Sequence[CounterDraft], pieces: Sequence[SurveyedPiece]) -> None:
    """The counters, each of one of the two sides; what belongs to nobody becomes a marker; the rest is told."""
    sides, left = found.sides, found.left
    any_side = any(d.side in sides for d in drafts)
    # What never moves and waits in the palette is a marker, whatever side its name tells.
    moving = any("move" in d.told for d, piece in zip(drafts, pieces, strict=True) if not piece.spare)
    nobodys = []
    foreign = Tally(d.side for d in drafts if d.side and d.side not in sides)
    for one, piece in zip(drafts, pieces, strict=True):
        still = piece.spare and moving and "move" not in one.told
        if still or (one.side not in sides and (any_side or piece.deck)):
            if still or one.side == "":
                nobodys.append((one, piece.hex, piece.deck))
            continue
        one.side = one.side or sides[0]
        found.counters.append(one)
        found.placed.append(Placing(one, piece.hex, piece.id))
    counters = found.counters
    if not counters:
        left.append(message("modulegen.import.left.no-pieces", sides=", ".join(sides)))
        counters += [CounterDraft("", side, side, "infantry", {}, ()) for side in sides]
        found.placed += [Placing(one, "") for one in counters]
    elif not any_side:
        left.append(message("modulegen.import.left.sides", side=sides[0]))
    if counters and len({c.side for c in counters}) == 1:
        # A game needs counters of both sides; the last is lent to the other until the file says better.
        if len(counters) == 1:
            counters.append(replace(counters[0], slot=""))
            found.placed.append(Placing(counters[1], "", ""))
        counters[-1].side = next(s for s in sides if s != counters[-1].side)
        left.append(message("modulegen.import.left.one-side", side=counters[-1].side, name=counters[-1].name))
    number(counters, _prefixes(sides))
    found.markers, over = kinds(nobodys)
    if found.markers:
        names = _some([kind.name for kind in found.markers])
        left.append(
            message("modulegen.import.left.markers", count=sum(k.count for k in found.markers), names=names)
        )
    if over:
        left.append(message("modulegen.import.left.more-markers", count=over))
    if foreign:
        left.append(message("modulegen.import.left.more-sides", names=_some(list(foreign))))
    beside = [p.counter.id for p in found.placed if not p.hex]
    if beside:
        left.append(message("modulegen.import.left.beside", count=len(beside), names=_some(beside)))
    hidden = sum(any(map(_veiled, one.piece.traits, one.piece.states)) for one in pieces)
    if hidden:
        left.append(message("modulegen.import.left.hidden", count=hidden))


def _veiled(trait: traits.Trait, state: str) -> bool:
    """Whether a trait hides or masks its piece."""
    return isinstance(trait, traits.Hideable | traits.Obscurable) and state.split(";", maxsplit=1)[0] not in (
        "",
        "null",
    )


def _prefixes(sides: tuple[str, str]) -> dict[str, str]:
    """Two prefixes of ids that differ."""
    first, second = (plain(s).replace("-", "") or "x" for s in sides)
    for length in range(2, 12):
        if first[:length] != second[:length]:
            return {sides[0]: first[:length], sides[1]: second[:length]}
    return {sides[0]: "a", sides[1]: "b"}


def prefixes(found: ModuleSurvey) -> dict[str, str]:
    """The prefix of each side's ids."""
    return _prefixes(found.sides)


def _told(counters: Sequence[CounterDraft], left: list[Message]) -> None:
    """Name what no trait and no name said of counters."""
    for column in ("attack", "move"):
        missing = [c.id for c in counters if column not in c.told]
        if missing:
            left.append(message(f"modulegen.import.left.no-{column}", count=len(missing), names=_some(missing)))
    bare = [c.id for c in counters if not c.faces]
    if bare:
        left.append(message("modulegen.import.left.no-face", count=len(bare), names=_some(bare)))


def _some(names: Sequence[str]) -> tuple[str, ...]:
    shown = tuple(name[:60] for name in names[:_LISTED])
    return shown if len(names) <= _LISTED else (*shown, "…")


def _turns(elements: Elements, left: list[Message]) -> tuple[int, int]:
    """The first and the last turn, as far as a tracker tells."""
    for part in elements.all("CounterTurnLevel"):
        start, last = part.get("start"), part.get("loopLimit")
        if start.isdecimal() and len(start) < 4 and int(start) < 800:
            first = int(start)
            if (
                part.get("loop") == "true"
                and last.isdecimal()
                and len(last) < 4
                and first <= int(last) < first + 200
            ):
                return first, int(last)
            left.append(message("modulegen.import.left.turns", last=first + 9))
            return first, first + 9
    left.append(message("modulegen.import.left.turns", last=10))
    return 1, 10


def _dice(found: ModuleSurvey, elements: Elements) -> None:
    """The dice of the module: what tables may throw, and what each symbolic die can show."""
    kinds_ = set()
    for part in elements.all("DiceButton"):
        throw = f"{part.get('nDice') or 2}d{part.get('nSides') or 6}"
        found.dice.append(f"{part.get('name')} {throw}".strip())
        kinds_.add(throw)
    known = [throw for throw in kinds_ if _THROWN.fullmatch(throw)]
    if len(known) == 1:
        found.throw = known[0]
    for part in elements.all("SpecialDiceButton"):
        dice = (die for die in part.children if die.kind == "SpecialDie")
        shown = " | ".join("/".join(face.get("text") or "?" for face in die.children) for die in dice)
        found.dice.append(f"{part.get('name')} [{shown}]"[:120])


def _rest(found: ModuleSurvey, module: Module, elements: Elements) -> None:
    """Boards and decks beside the board, and what a draft never tells."""
    ground, left = found.ground, found.left
    for map_ in module.maps:
        for board in map_.boards:
            if (map_.id, board.name) == (ground.map.id, ground.board.name):
                continue
            found.boards.append(board)
            if len(found.boards) <= _LISTED:
                width, height = board.size or (0, 0)
                key = f"modulegen.import.left.board-{_kind(board)}"
                left.append(message(key, name=board.name, map=map_.name, width=width, height=height))
    if len(found.boards) > _LISTED:
        left.append(message("modulegen.import.left.boards", count=len(found.boards) - _LISTED))
    if others := other_fields(ground):
        left.append(message("modulegen.import.left.zones", names=_some(others)))
    if not ground.as_printed:
        raw = next(iter(ground.ids))
        here, there = ground.ids[raw], ground.printed[raw]
        left.append(message("modulegen.import.left.numbers", here=here, there=there or "–"))
    found.decks = list(dict.fromkeys(p.get("name") for p in elements.all("DrawPile") if p.get("name")))
    if found.decks:
        left.append(message("modulegen.import.left.decks", names=_some(found.decks)))
    left.append(message("modulegen.import.left.always"))


def _kind(board: Board) -> str:
    """What lies on a board, as the words of the list call it."""
    grid = board.grid
    if hex_grid(board) is not None:
        return "hexes"
    names = {ZonedGrid: "zones", RegionGrid: "regions", SquareGrid: "squares"}
    return names.get(type(grid), "plain")
