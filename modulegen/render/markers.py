"""Markers and toolbar icons: what they are called, and how they look.

Markers that a game names, and the sheet of its tracks.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from ...scenarios.model import STATE, markers
from ...scenarios.schema.markers import WAITING
from ...scenarios.text.words import message
from . import templates
from .board_layout import board_palette
from .counters import MAX_SCALE, SIZE, Fitted, colours, drawing, fit, picture, symbol
from .owner_pictures import own_marker
from .raster import SANS, SERIF, RenderError, rasterise, text_width
from .templates import short, spoken, words

if TYPE_CHECKING:
    from ...scenarios.model import Scenario, Text
    from ...scenarios.schema.markers import Face, Marker, Track


_CAPTION_LENGTH, _CAPTION_SIZE = 80.0, 17.0
_LARGE_LENGTH, _LARGE_SIZE = 78.0, 38.0
_LETTERS_LENGTH, _LETTERS_SIZE = 23.0, 22.0
ICON_SIZE = 24
"""Width and height of a toolbar icon in pixels at scale 1."""


def _kind(face: str) -> str:
    return "control" if face.startswith("control_") else face


def marker_name(scenario: Scenario, face: str, language: str) -> str:
    """What players call a face of a marker (texts `markers.…`)."""
    text = words(scenario, language)
    kind = _kind(face)
    name = text.get(f"markers.{kind}") or _of_the_game(text, face) or spoken(face)
    side = face.removeprefix("control_")
    return name.format(side=text.get(f"sides.{side}.name") or text.get(f"sides.{side}", side))


def _of_the_game(text: Text, face: str) -> str:
    """What a game calls a weather or a mark of its own; "" for other faces."""
    if face.startswith(STATE):
        mark = face.removeprefix(STATE)
        name = text.get(f"marks.{mark}") or spoken(mark)
        return name[:1].upper() + name[1:]
    kind, _, weather = face.partition("_")
    return short(text, "weather", weather) if kind == "weather" and weather else ""


def _style(scenario: Scenario, face: str) -> templates.Entries:
    styles = templates.palette("counters_markers")
    taken = face.startswith(STATE) and any(m.take and face == f"{STATE}{m.mark}" for m in scenario.game.rules.marks)
    kind = "mark_taken" if taken else _kind(face)
    names = (kind, face.partition("_")[0], "other")
    style: templates.Entries = styles[next(name for name in names if name in styles)]
    if style.get("side"):
        branch = next(iter(scenario.side(face.removeprefix("control_")).branches.values()))
        style = style.with_({k: colours(branch.counter)[k] for k in ("face", "edge", "ink")})
    return style


def lettering(text: Text, face: str, large: str = "") -> tuple[Fitted, Fitted]:
    """Caption and large text of a marker, fitted."""
    caption = text.get(f"markers_short.{_kind(face)}") or _of_the_game(text, face).upper()
    return fit(caption, _CAPTION_LENGTH, _CAPTION_SIZE), fit(large, _LARGE_LENGTH, _LARGE_SIZE)


def letters(scenario: Scenario, language: str) -> dict[str, str]:
    """What tells the marks of a game's own apart on their faces: face -> letters of its name, no two alike."""
    text = words(scenario, language)
    found: dict[str, str] = {}
    for face in (face for marker in markers(scenario) for face in marker.faces if face.startswith(STATE)):
        name = _of_the_game(text, face)
        taken = set(found.values())
        found[face] = next(short for short in _abbreviations(name) if short not in taken)
    return found


def _abbreviations(name: str) -> Iterator[str]:
    """Short forms of a name, the best first: its initials, two of its letters, its first with a number."""
    parts = [part.upper() for part in re.findall(r"\w+", name)] or ["?"]
    first = parts[0][0]
    if len(parts) > 1:
        yield first + parts[-1][0]
    yield first
    yield from (first + letter for letter in "".join(parts)[1:])
    yield from (f"{first}{number}" for number in count(1))


@templates.in_own_looks
def marker_svg(scenario: Scenario, face: str, language: str, *, scale: float = 1) -> str:
    """A face of a marker as SVG, as large as a counter. Raises KeyError, RenderError, ValueError."""
    from markupsafe import Markup

    if not 0 < scale <= MAX_SCALE:
        raise ValueError(f"a scale is above 0 and at most {MAX_SCALE}, not {scale}")
    style, own = _style(scenario, face), templates.own_file(f"markers/{face}.svg")
    caption, large = lettering(words(scenario, language), face, style.get("large", ""))
    return templates.render(
        "counters/marker.svg.j2",
        p=style,
        pixels=round(SIZE * scale),
        font=SANS,
        caption=caption,
        large=large,
        letters=fit("" if own else letters(scenario, language).get(face, ""), _LETTERS_LENGTH, _LETTERS_SIZE),
        picture=Markup(picture(face if own else style["picture"])),
    )


def marker_png(scenario: Scenario, face: str, language: str, scale: float = 1) -> bytes:
    """A face of a marker as PNG."""
    return rasterise(marker_svg(scenario, face, language, scale=scale))


def icons() -> tuple[str, ...]:
    """The names of all icons in `art/icons`."""
    return tuple(sorted(p.stem for p in (templates.art_folder() / "icons").glob("*.svg")))


def icon_svg(name: str, *, size: int = ICON_SIZE) -> str:
    """A toolbar icon as SVG, `size` pixels square, on nothing. Raises RenderError for one that is not there."""
    if name not in icons():
        raise RenderError.about(templates.art_folder() / "icons", message("drawing.no-icon", name=name))
    root = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="{size}" height="{size}"'
    return f'{root} color="#2f3a45">{drawing(f"icons/{name}.svg")}</svg>'


NEUTRAL = "neutral"
"""The palette of what is nobody's."""
MARGIN, HEAD, PAD, INSET, GAP = 36, 56, 8, 3, 18
"""Of the sheet, in pixels: its margin, a heading's height, air within a block and a box, air between blocks."""
TOP = 88
MOST_COLUMNS = 4
"""Markers side by side in a box with much room."""
_SUPPLIES_CAPTION_LENGTH, _SUPPLIES_CAPTION_SIZE = 88.0, 16.0
_SUPPLIES_LARGE_LENGTH, _SUPPLIES_LARGE_SIZE = 60.0, 28.0
_FIGURES_LENGTH, _FIGURES_SIZE = 80.0, 28.0
_SIGN_LENGTH, _SIGN_SIZE = 42.0, 16.5
_NUMBER_LENGTH, _NUMBER_SIZE = 17.0, 15.0
_TITLE_SIZE, _NOTE_SIZE = 21.0, 15.0
_LABEL_SIZE = 44.0


def face_name(text: Text, face: str) -> str:
    """What players call a face of a marker."""
    return text.get(f"markers.{face}") or spoken(face)


def track_name(text: Text, track: str) -> str:
    """What players call a track."""
    return text.get(f"tracks.{track}") or spoken(track)


def box_name(text: Text, track: str, box: str) -> str:
    """What players call a box of a track; the box where markers wait has a name of its own."""
    if box == WAITING:
        return text.get(f"tracks_waiting.{track}") or "–"
    return text.get(f"boxes.{track}.{box}") or (box if box.isdecimal() else spoken(box))


def palette_of(game: Scenario, side: str | None) -> str:
    """The palette of a side's first branch; that of what is nobody's for None."""
    return NEUTRAL if side is None else next(iter(game.side(side).branches.values())).counter


@templates.in_own_looks
def face_svg(game: Scenario, marker: Marker, face: Face, text: Text, *, number: str = "", scale: float = 1) -> str:
    """A face of a marker as SVG, as large as a counter. Raises RenderError, ValueError.

    `number` tells those of a kind apart.
    """
    from markupsafe import Markup

    if not 0 < scale <= MAX_SCALE:
        raise ValueError(f"a scale is above 0 and at most {MAX_SCALE}, not {scale}")
    if face.picture and (whole := own_marker(face.picture, round(SIZE * scale))):
        return whole
    p = colours(face.palette or palette_of(game, marker.side), "reduced" if face.reduced else "full")
    p["accent_on_box"] = p["symbol"]
    figures = "" if marker.attack is None or not face.symbol else f"{marker.attack}-{marker.defence}"
    return templates.render(
        "supplies/face.svg.j2",
        p=p,
        pixels=round(SIZE * scale),
        font=SANS,
        reduced=face.reduced,
        symbol=Markup(symbol(face.symbol)) if face.symbol else "",
        picture=Markup(picture(face.picture)) if face.picture else "",
        size=fit(face.size, _SIGN_LENGTH, _SIGN_SIZE),
        caption=fit(text.get(f"markers_short.{face.id}"), _SUPPLIES_CAPTION_LENGTH, _SUPPLIES_CAPTION_SIZE),
        large=fit(face.large, _SUPPLIES_LARGE_LENGTH, _SUPPLIES_LARGE_SIZE),
        figures=fit(figures, _FIGURES_LENGTH, _FIGURES_SIZE),
        number=fit(number, _NUMBER_LENGTH, _NUMBER_SIZE),
    )


@dataclass(frozen=True)
class TrackBox:
    """A box of a track on the sheet: `columns` x `rows` cells. Lengths are pixels."""

    track: str
    box: str
    name: str
    label: Fitted
    x: int
    y: int
    columns: int
    rows: int
    cell: int
    waits: bool = False

    @property
    def width(self) -> int:
        """Outer width."""
        return self.columns * self.cell + 2 * INSET

    @property
    def height(self) -> int:
        """Outer height."""
        return self.rows * self.cell + 2 * INSET

    def centre(self, index: int) -> tuple[int, int]:
        """The pixel at the centre of a cell, counted along the rows from 0."""
        row, column = divmod(index, self.columns)
        half = self.cell // 2
        return self.x + INSET + column * self.cell + half, self.y + INSET + row * self.cell + half

    @property
    def corners(self) -> tuple[tuple[int, int], ...]:
        """The outline, clockwise from the upper left."""
        right, bottom = self.x + self.width, self.y + self.height
        return ((self.x, self.y), (right, self.y), (right, bottom), (self.x, bottom))


@dataclass(frozen=True)
class TrackBlock:
    """A track with its heading."""

    side: str
    title: Fitted
    note: Fitted
    x: int
    y: int
    width: int
    height: int
    boxes: tuple[TrackBox, ...]


@dataclass(frozen=True)
class TrackSheet:
    """The sheet of all tracks; `name` is that of its map window and board."""

    name: str
    title: str
    subtitle: str
    image: str
    width: int
    height: int
    blocks: tuple[TrackBlock, ...]

    @property
    def boxes(self) -> tuple[TrackBox, ...]:
        """All boxes, track by track."""
        return tuple(box for block in self.blocks for box in block.boxes)

    def box(self, track: str, name: str) -> TrackBox:
        """A box by its track and its id. Raises KeyError."""
        for box in self.boxes:
            if (box.track, box.box) == (track, name):
                return box
        raise KeyError((track, name))


def _shape(track: Track) -> tuple[int, int]:
    """Columns and rows of the cells of a box: boxes in a row stand upright, a lone one lies."""
    if len(track.boxes) + track.waiting > 1:
        return (1, track.room) if track.room <= 2 else (2, -(-track.room // 2))
    columns = min(track.room, MOST_COLUMNS if track.room != 6 else 3)
    return columns, -(-track.room // columns)


def sheet_of(game: Scenario, text: Text, cell: int, *, name: str, image: str) -> TrackSheet:
    """Where every track, box and cell of a game's sheet lies; `cell` is the edge of a cell in pixels.

    Tracks stand one below the other in the order of the file; where the next still fits, beside the last.
    """
    tracks = game.game.tracks
    rows = _rows({id_: _width(track, cell) for id_, track in tracks.items()}, _room(tracks.values(), cell))
    full = max((_across(row) for row in rows), default=cell)
    blocks: list[TrackBlock] = []
    y = TOP
    for row in rows:
        x, tallest = MARGIN, 0
        for id_, width in row.items():
            wide = full if len(row) == 1 else width
            block = _block(text, id_, tracks[id_], cell, (x, y, wide))
            blocks.append(block)
            x, tallest = x + width + GAP, max(tallest, block.height)
        y += tallest + GAP
    return TrackSheet(
        name=name,
        title=text.get("title.name") or game.game.module.name,
        subtitle=" · ".join(filter(None, (text.get("title.subtitle"), text.get("title.period")))),
        image=image,
        width=full + 2 * MARGIN,
        height=y - GAP + MARGIN,
        blocks=tuple(blocks),
    )


def _room(tracks: Collection[Track], cell: int) -> int:
    """How wide the sheet may be: as the longest track, or as all pools side by side if that is not much more."""
    longest = max((_width(track, cell) for track in tracks), default=cell)
    pools = {str(i): _width(track, cell) for i, track in enumerate(tracks) if len(track.boxes) == 1}
    return max(longest, min(_across(pools), longest * 5 // 4))


def _rows(widths: Mapping[str, int], room: int) -> list[dict[str, int]]:
    """Tracks in rows no wider than `room`, in their order, each with its width."""
    rows: list[dict[str, int]] = []
    for id_, width in widths.items():
        if rows and _across({**rows[-1], id_: width}) <= room:
            rows[-1][id_] = width
        else:
            rows.append({id_: width})
    return rows


def _across(row: Mapping[str, int]) -> int:
    return sum(row.values()) + GAP * (len(row) - 1)


def _width(track: Track, cell: int) -> int:
    columns, _ = _shape(track)
    return (len(track.boxes) + track.waiting) * (columns * cell + 2 * INSET) + 2 * PAD


def _block(text: Text, id_: str, track: Track, cell: int, at: tuple[int, int, int]) -> TrackBlock:
    """A track at a pixel, as wide as the third number says."""
    x, y, width = at
    _, rows = _shape(track)
    room = width - 2 * PAD - 4
    return TrackBlock(
        side=track.side or "",
        title=_line(track_name(text, id_), room, _TITLE_SIZE, 700),
        note=_line(text.get(f"tracks_notes.{id_}"), room, _NOTE_SIZE, 400),
        x=x,
        y=y,
        width=width,
        height=HEAD + rows * cell + 2 * INSET + PAD,
        boxes=tuple(_boxes(text, id_, track, cell, (x + PAD, y + HEAD, width - 2 * PAD))),
    )


def _line(text: str, length: float, size: float, weight: int) -> Fitted:
    width = text_width(text, 1, weight=weight)
    return Fitted(text, min(size, length / width) if width else size)


def _boxes(text: Text, id_: str, track: Track, cell: int, at: tuple[int, int, int]) -> Iterator[TrackBox]:
    """The boxes from a pixel on, spread over a width."""
    columns, rows = _shape(track)
    x, y, width = at
    count = len(track.boxes) + track.waiting
    lone = count == 1
    pitch = columns * cell + 2 * INSET if lone else (width - columns * cell - 2 * INSET) // (count - 1)
    for box in (*([WAITING] if track.waiting else []), *track.boxes):
        shown = box_name(text, id_, box)
        name = track_name(text, id_) if lone else f"{track_name(text, id_)}: {shown}"
        label = fit("" if lone else shown, columns * cell - 12, _LABEL_SIZE if box != WAITING else 20.0)
        made = TrackBox(id_, box, name, label, x, y, columns, rows, cell, waits=box == WAITING)
        yield made
        x += pitch


def sheet_svg(game: Scenario, sheet: TrackSheet) -> str:
    """The sheet's board as SVG."""
    faces = {spec.id: colours(palette_of(game, spec.id)) for spec in game.game.sides}
    faces[""] = colours(NEUTRAL)
    return templates.render(
        "supplies/sheet.svg.j2",
        sheet=sheet,
        faces=faces,
        look=board_palette(),
        margin=MARGIN,
        head=HEAD,
        pad=PAD,
        inset=INSET,
        sans=SANS,
        serif=SERIF,
    )
