"""Everything that a module of others tells of its game: board, pieces, where they stand, turns, dice, charts."""

from __future__ import annotations

import io
from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.drafting.ground import Ground, find_ground
from hexforge.modulegen.drafting.pieces import MOST, Draft, Face, draft, number, plain, prototypes_of, two_sides
from hexforge.modulegen.lint.parts import MAPS, SLOTS, Part
from hexforge.modulegen.lint.parts import Module as Elements
from hexforge.modulegen.vassal import sequence
from hexforge.modulegen.vassal.archive import MAX_ENTRY, Archive
from hexforge.modulegen.vassal.errors import FormatError
from hexforge.modulegen.vassal.module import Module, Slot, read_module
from hexforge.modulegen.vassal.replay import Replay
from hexforge.modulegen.vassal.save import read_save
from hexforge.modulegen.vassal.traits import Piece, read_piece
from hexforge.scenarios.problems import Problem, ScenarioError
from hexforge.scenarios.words import Message, message

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

MOST_PIXELS: Final = 40_000_000
"""Pixels of one picture that is drawn upon a counter."""
MOST_BOARD: Final = 120_000_000
_LISTED: Final = 12


@dataclass
class Placing:
    """A counter on the board, or beside it (`hex` is blank)."""

    counter: Draft
    hex: str


@dataclass
class Survey:
    """A module as a draft sees it. `left` is what could not be told, in words."""

    title: str
    ground: Ground
    sides: tuple[str, str]
    counters: list[Draft]
    placed: list[Placing]
    turns: tuple[int, int]
    dice: list[str]
    charts: list[str]
    setup: str
    left: list[Message] = field(default_factory=list)


def survey(archive: Archive, path: Path, setup: str | None = None) -> Survey:
    """Read a module; raises `FormatError` for what is none, `ScenarioError` for one without hexes.

    `setup`: the name or file of the set-up to take, in the module or beside it; the one with most pieces if None.
    """
    module, elements = read_module(path), Elements(archive)
    ground = find_ground(module)
    if ground is None:
        raise ScenarioError([Problem(str(path), 0, "", message("modulegen.import.no-hexes"))])
    left: list[Message] = []
    chosen, pieces = _pieces(elements, module, ground, setup, left)
    drafts = [_drafted(module, piece, slot) for piece, slot, _ in pieces]
    sides = two_sides(module, drafts)
    counters, placed = _settled(drafts, [hex_ for _, _, hex_ in pieces], sides, left)
    _told(counters, left)
    turns = _turns(elements, left)
    dice = [_die(p) for p in elements.all("DiceButton", "SpecialDiceButton")]
    charts = list(dict.fromkeys(p.get("fileName") for p in elements.all("Chart") if p.get("fileName")))
    _rest(module, elements, ground, left)
    return Survey(module.name or path.stem, ground, sides, counters, placed, turns, dice, charts, chosen, left)


Found = tuple[Piece, Slot | None, str]
"""A piece, the slot that it comes from, and the hex that it stands in."""


def _pieces(
    elements: Elements, module: Module, ground: Ground, wanted: str | None, left: list[Message]
) -> tuple[str, list[Found]]:
    """The pieces of the set-up with most of them on the board; else those of each game, or the palette."""
    archive = elements.archive
    by_gpid = {slot.gpid: slot for slot in module.slots if slot.gpid}
    best: tuple[str, list[Found]] = ("", [])
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
            found = list(_saved(Path(file) if outside else archive.read(file, MAX_ENTRY), module, ground, by_gpid))
        except FormatError as error:
            left.append(message("modulegen.import.left.setup", name=name, why=error.message))
            continue
        if sum(bool(h) for _, _, h in found) >= sum(bool(h) for _, _, h in best[1]):
            best = (name, found)
    others = [n for n, f in names if n != best[0] and f in archive]
    if others:
        left.append(message("modulegen.import.left.setups", names=tuple(others[:_LISTED])))
    at_start = list(_at_start(elements, module, ground))
    palette = [(s.piece, s, "") for s in module.slots] if not (best[1] or at_start) else []
    return best[0], [*best[1], *(() if best[1] else at_start), *palette][:MOST]


def _saved(source: bytes | Path, module: Module, ground: Ground, by_gpid: dict[str, Slot]) -> Iterator[Found]:
    """The pieces of a saved game, and the hexes of those on the board."""
    replay = Replay(read_save(source), module)
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
        hex_ = ""
        if board is not None and where in (ground.map.name, ground.map.id):
            left, top = board[1]
            hex_ = ground.hex_at((x - left, y - top)) or ""
        yield replay.piece(piece_id), by_gpid.get(record.gpid), hex_


def _at_start(elements: Elements, module: Module, ground: Ground) -> Iterator[Found]:
    """Pieces that each game begins with (`SetupStack`)."""
    for stack in elements.all("SetupStack"):
        map_ = stack.above(*MAPS)
        here = map_ is not None and map_.get("mapName") == ground.map.name
        here = here and stack.get("owningBoard") in (ground.board.name, "", "null")
        hex_ = (ground.hex_at(_point(stack, ground)) or "") if here else ""
        for part in stack.walk():
            if part.kind in SLOTS:
                yield module.expand(_piece(part)), None, hex_


def _point(stack: Part, ground: Ground) -> tuple[int, int]:
    if stack.get("useGridLocation") == "true" and ground.board.grid is not None:
        found = ground.board.grid.point_of(stack.get("location"), ground.board.size or (0, 0))
        if found is not None:
            return found
    values = [stack.get(name) for name in ("x", "y")]
    x, y = (int(v) if v.lstrip("-").isdecimal() and len(v) < 7 else 0 for v in values)
    return x, y


def _piece(part: Part) -> Piece:
    parts = [*sequence.decode(part.text.removeprefix("+/"), "/"), "", ""]
    return read_piece(parts[1], parts[2])


def _drafted(module: Module, piece: Piece, slot: Slot | None) -> Draft:
    used = all_prototypes(module, slot.piece if slot else piece)
    expanded = module.expand(piece)
    return draft(expanded, slot.gpid if slot else "", slot.path if slot else (), module.sides, used)


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


def _settled(
    drafts: Sequence[Draft], hexes: Sequence[str], sides: tuple[str, str], left: list[Message]
) -> tuple[list[Draft], list[Placing]]:
    """The counters, each of one of the two sides; markers and what belongs to nobody is left, and told."""
    any_side = any(d.side in sides for d in drafts)
    counters, placed, markers = [], [], Tally[str]()
    foreign = Tally(d.side for d in drafts if d.side and d.side not in sides)
    for one, hex_ in zip(drafts, hexes, strict=True):
        if any_side and one.side not in sides:
            if one.side == "":
                markers[one.name] += 1
            continue
        one.side = one.side or sides[0]
        counters.append(one)
        placed.append(Placing(one, hex_))
    if not any_side and counters:
        left.append(message("modulegen.import.left.sides", side=sides[0]))
    if counters and len({c.side for c in counters}) == 1:
        # A game needs counters of both sides; the last is lent to the other until the file says better.
        counters[-1].side = next(s for s in sides if s != counters[-1].side)
        left.append(message("modulegen.import.left.one-side", side=counters[-1].side, name=counters[-1].name))
    number(counters, _prefixes(sides))
    if markers:
        left.append(
            message("modulegen.import.left.markers", count=sum(markers.values()), names=_some(list(markers)))
        )
    if foreign:
        left.append(message("modulegen.import.left.more-sides", names=_some(list(foreign))))
    beside = [p.counter.id for p in placed if not p.hex]
    if beside:
        left.append(message("modulegen.import.left.beside", count=len(beside), names=_some(beside)))
    return counters, placed


def _prefixes(sides: tuple[str, str]) -> dict[str, str]:
    """Two prefixes of ids that differ."""
    first, second = (plain(s).replace("-", "") or "x" for s in sides)
    for length in range(2, 12):
        if first[:length] != second[:length]:
            return {sides[0]: first[:length], sides[1]: second[:length]}
    return {sides[0]: "a", sides[1]: "b"}


def prefixes(found: Survey) -> dict[str, str]:
    """The prefix of each side's ids."""
    return _prefixes(found.sides)


def _told(counters: Sequence[Draft], left: list[Message]) -> None:
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


def _die(part: Part) -> str:
    sides = f"{part.get('nDice')}d{part.get('nSides')}" if part.kind == "DiceButton" else ""
    return f"{part.get('name')} {sides}".strip()


def _rest(module: Module, elements: Elements, ground: Ground, left: list[Message]) -> None:
    """What a draft never takes."""
    boards = [b.name for m in module.maps for b in m.boards if b.name != ground.board.name]
    if boards:
        left.append(message("modulegen.import.left.boards", names=_some(boards)))
    if not ground.as_printed:
        raw = next(iter(ground.ids))
        here, there = ground.ids[raw], ground.printed[raw]
        left.append(message("modulegen.import.left.numbers", here=here, there=there or "–"))
    decks = [p.get("name") for p in elements.all("DrawPile")]
    if decks:
        left.append(message("modulegen.import.left.decks", names=_some(decks)))
    left.append(message("modulegen.import.left.always"))


def picture(archive: Archive, name: str) -> tuple[bytes, str] | None:
    """A picture of the module and the suffix that its kind has; None for one that is not there or is none."""
    from PIL import Image, UnidentifiedImageError

    entry = next((e for e in (f"images/{name}", f"images/{name}.gif") if e in archive), None)
    if entry is None:
        return None
    data = archive.read(entry)
    try:
        with Image.open(io.BytesIO(data)) as opened:
            kind = {"PNG": ".png", "JPEG": ".jpg", "GIF": ".gif"}.get(opened.format or "")
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return None
    return (data, kind) if kind else None


def padded(data: bytes, kind: str, edges: tuple[int, int, int, int]) -> tuple[bytes, str]:
    """A picture with so many pixels more at its left, top, right and bottom edge, where hexes stand out of it."""
    from PIL import Image

    left, top, right, bottom = edges
    with Image.open(io.BytesIO(data)) as opened:
        size = (opened.width + left + right, opened.height + top + bottom)
        if not any(edges) or size[0] * size[1] > MOST_BOARD:
            return data, kind
        whole = Image.new("RGB", size, "white")
        whole.paste(opened.convert("RGB"), (left, top))
    out = io.BytesIO()
    whole.save(out, "JPEG" if kind == ".jpg" else "PNG", **({"quality": 92} if kind == ".jpg" else {}))
    return out.getvalue(), ".jpg" if kind == ".jpg" else ".png"


def drawn(archive: Archive, faces: Sequence[Face]) -> bytes | None:
    """The pictures of one face upon each other, as PNG; None where none of them can be used."""
    from PIL import Image

    layers: list[tuple[Picture, int, int]] = []
    for face in faces[:_LISTED]:
        found = picture(archive, face.image)
        if found is not None:
            with Image.open(io.BytesIO(found[0])) as opened:
                if opened.width * opened.height <= MOST_PIXELS:
                    layers.append((opened.convert("RGBA"), face.x, face.y))
    if not layers:
        return None
    left = min(x - image.width // 2 for image, x, _ in layers)
    top = min(y - image.height // 2 for image, _, y in layers)
    right = max(x - image.width // 2 + image.width for image, x, _ in layers)
    bottom = max(y - image.height // 2 + image.height for image, _, y in layers)
    if (right - left) * (bottom - top) > MOST_PIXELS:
        return None
    whole = Image.new("RGBA", (right - left, bottom - top))
    for image, x, y in layers:
        whole.alpha_composite(image, (x - image.width // 2 - left, y - image.height // 2 - top))
    out = io.BytesIO()
    whole.save(out, "PNG")
    return out.getvalue()
