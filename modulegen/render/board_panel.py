"""The panel beside the hexes: title, compass and scale, tracks, and the terrain key in the map's own style.

The terrain key: a picture of each terrain, hexside and way as the map draws it, with costs and columns.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import pi
from typing import TYPE_CHECKING

from markupsafe import escape

from ...scenarios.model import GameMap
from ...scenarios.schema.map import HexsideRun, Way
from ...scenarios.text.hexgrid import HexGrid
from .board_layout import (
    BOX,
    KEY_HEAD,
    KEY_ROW,
    PANEL,
    BoardLayout,
    Rect,
    board_palette,
    key_rows,
    style_of,
    wet_kinds,
)
from .board_shapes import HexField, n1, polygon, turned
from .board_terrain import draw_fortress, draw_ground, draw_towns, draw_trees
from .board_water import draw_lines, draw_rivers, rivers
from .board_ways import draw_ways, ways
from .condition_words import kind_name
from .ground_words import CLOSED, SHUT, WHOLE, GroundCosts, sign
from .raster import SERIF, text_width
from .templates import halves_words, short, spoken

if TYPE_CHECKING:
    from ...scenarios.model import Scenario, Text


SWATCH = (66.0, 31.0)
NAME_GAP = 22.0
"""From the end of a name to the middle of the first figure."""
COLUMNS = {"name": 80.0, "step": 80.0, "combat": 438.0}
HEAD_SIZE, LEAST_CELL = 15.0, 14.0
_CELL_GAP = 4.0
_HEAD_GAP = 5.0
"""Between the headings of two columns."""
FEW = 3
"""Movement classes whose columns leave names their room; those of more draw together, to `NARROWEST` at most."""
NARROWEST = 60.0


def draw_key(scenario: Scenario, text: Text) -> list[str]:
    """The whole block, at the panel's scale 1."""
    look = board_palette()
    ink = look["ink"]
    prices = GroundCosts(scenario)
    classes = prices.classes
    out = [header(text["board.terrain_key"])]
    names = [_name(text, kind, id_) for kind, id_ in key_rows(scenario)]
    step = _step(len(classes), max(text_width(name, 18) for name in names))
    heads = [short(text, "movement_classes", c) for c in classes]
    heads.append(text["charts.terrain.combat"])
    size = _head_size(heads, step)
    for i, head in enumerate(heads):
        out += _head(_column(i, len(classes), step), head, size)
    out.append(f'<path d="M0 {KEY_HEAD - 6:g}H{PANEL:g}" stroke="{look["frame"]}" stroke-width="1.6"/>')
    notes: list[str] = []
    starred = False
    signs = any(sign(scenario, kind, id_, 0) for kind, id_ in key_rows(scenario))
    for row, (kind, id_) in enumerate(key_rows(scenario)):
        y = KEY_HEAD + row * KEY_ROW
        mid = y + KEY_ROW / 2 + 5
        out.append(f'<g transform="translate(0 {n1(y + 2)})">{"".join(swatch(scenario, kind, id_))}</g>')
        name = names[row]
        combat, barred = _effect(scenario, kind, id_)
        combat_sign = (signs and sign(scenario, kind, id_, combat)) or _signed(combat)
        starred = starred or "*" in combat_sign
        mark = ""
        if barred:
            words = ", ".join(kind_name(text, b) for b in barred)
            if words not in notes:
                notes.append(words)
            mark = "†" * (notes.index(words) + 1)
        size = min(18.0, (_column(0, len(classes), step) - NAME_GAP - COLUMNS["name"]) / text_width(name + mark, 1))
        out.append(
            f'<text x="{COLUMNS["name"]:g}" y="{n1(mid)}" font-size="{n1(size)}" fill="{ink}">'
            f"{escape(name)}{mark}</text>"
        )
        for i, class_ in enumerate(classes):
            out.append(
                _cell(
                    _column(i, len(classes), step),
                    mid,
                    _cost(prices.by_weather(class_, kind, id_), kind, text),
                    step,
                )
            )
        out.append(_cell(_column(len(classes), len(classes), step), mid, combat_sign, step))
        out.append(
            f'<path d="M0 {n1(y + KEY_ROW)}H{PANEL:g}" stroke="{look["frame"]}" stroke-opacity="0.35" '
            f'stroke-width="0.8"/>'
        )
    y = KEY_HEAD + len(key_rows(scenario)) * KEY_ROW + 19
    barred_by = text["charts.terrain.barred"]
    feet = [f"{'†' * i} {barred_by.replace('{units}', words)}" for i, words in enumerate(notes, 1)]
    feet += _paired(scenario, text)
    feet += [text["board.star"].replace("{chart}", text["charts.terrain.title"])] if starred else []
    return out + [
        f'<text x="0" y="{n1(y + 18 * i)}" font-size="15" fill="{ink}">{escape(foot)}</text>'
        for i, foot in enumerate(feet)
    ]


def _paired(scenario: Scenario, text: Text) -> list[str]:
    """What the costs in pairs are for, if there are any."""
    prices = GroundCosts(scenario)
    cells = (prices.by_weather(class_, *row) for class_ in prices.classes for row in key_rows(scenario))
    names = " / ".join(text.get(f"weather.{w}", w).lower() for w in scenario.game.weathers)
    return [text["board.by_weather"].replace("{list}", names)] if any(len(cell) > 1 for cell in cells) else []


def header(words: str, aside: str = "") -> str:
    """The heading of a block of the panel, with a line to the right of it, and `aside` at the end of that."""
    look = board_palette()
    width = text_width(words, 25, SERIF, 700)
    end = PANEL - (text_width(aside, 15) + 10 if aside else 0)
    beside = (
        f'<text x="{PANEL:g}" y="22" font-size="15" text-anchor="end" fill="{look["ink"]}">{escape(aside)}</text>'
    )
    return (
        f'<text x="0" y="24" font-family="Alegreya" font-weight="700" font-size="25" fill="{look["title"]}">'
        f"{escape(words)}</text>"
        f'<path d="M{n1(width + 12)} 17H{n1(end)}" stroke="{look["frame"]}" stroke-width="1.4"/>'
    ) + (beside if aside else "")


def _name(text: Text, kind: str, id_: str) -> str:
    return text.get(f"{kind}.{id_}" if kind != "fortified" else "fortified") or spoken(id_)


def _step(classes: int, widest: float) -> float:
    """From one column to the next."""
    if classes <= FEW:
        return COLUMNS["step"]
    room = (COLUMNS["combat"] - NAME_GAP - COLUMNS["name"] - widest) / classes
    return max(NARROWEST, min(COLUMNS["step"], room))


def _column(index: int, classes: int, step: float) -> float:
    return COLUMNS["combat"] - step * (classes - index)


def _head_lines(words: str) -> list[str]:
    """A column's heading, in two lines where it has two words."""
    return words.split(" ", 1)


def _head_size(heads: Sequence[str], step: float) -> float:
    """The size of all headings: a long line may reach over its column where those beside it leave room."""
    widths = [[text_width(line, 1, weight=500) for line in reversed(_head_lines(head))] for head in heads]
    sizes = [HEAD_SIZE, 2 * (PANEL - COLUMNS["combat"]) / max(widths[-1])]
    for left, right in pairwise(widths):
        sizes += [(step - _HEAD_GAP) * 2 / (a + b) for a, b in zip(left, right, strict=False)]
    return min(sizes)


def _head(x: float, words: str, size: float) -> list[str]:
    ink = board_palette()["ink"]
    lines = _head_lines(words)
    top = KEY_HEAD - 14.0 - 16 * (len(lines) - 1)
    return [
        f'<text x="{n1(x)}" y="{n1(top + 16 * i)}" font-size="{n1(size)}" font-weight="500" text-anchor="middle" '
        f'fill="{ink}">{escape(line)}</text>'
        for i, line in enumerate(lines)
    ]


def _cell(x: float, y: float, words: str, step: float) -> str:
    """A figure; one for each weather in smaller type, or in two lines, if the column is too narrow for it."""
    room = step - _CELL_GAP
    lines = [words]
    if text_width(words, LEAST_CELL, weight=500) > room and words.count("/") > 1:
        parts = words.split("/")
        half = (len(parts) + 1) // 2
        lines = ["/".join(parts[:half]) + "/", "/".join(parts[half:])]
    size = min(18.0, 36 / len(lines) / 1.2, *(room / text_width(line, 1, weight=500) for line in lines))
    first = y - (len(lines) - 1) * size * 0.55
    ink = board_palette()["ink"]
    return "".join(
        f'<text x="{n1(x)}" y="{n1(first + i * size * 1.1)}" font-size="{n1(size)}" font-weight="500" '
        f'text-anchor="middle" fill="{ink}">{line}</text>'
        for i, line in enumerate(lines)
    )


def _effect(scenario: Scenario, kind: str, id_: str) -> tuple[int, tuple[str, ...]]:
    """The columns that a kind of ground moves, and whom it bars."""
    tables = scenario.tables
    if kind == "terrain":
        return tables.terrain[id_].combat, tables.terrain[id_].barred
    if kind == "ways":
        return 0, tables.ways[id_].barred
    hexside = tables.fortified if kind == "fortified" else tables.hexsides[id_]
    return (hexside.combat, hexside.barred) if hexside else (0, ())


def _cost(by_weather: Mapping[str, int | None], kind: str, text: Text) -> str:
    """Points, halves as ½, one a weather; with + where they come on top of the hex; a cross where it is closed."""
    plus = "+" if kind in ("hexsides", "fortified") else ""
    special = {None: "–", CLOSED: SHUT, WHOLE: text["charts.terrain.whole"]}
    return "/".join(special.get(v) or plus + halves_words(v or 0) for v in by_weather.values())


def _signed(columns: int) -> str:
    if not columns:
        return "–"
    return f"{abs(columns)} {'←' if columns < 0 else '→'}"


def swatch(scenario: Scenario, kind: str, id_: str) -> list[str]:
    """A little map of its own, drawn by the same code as the board, cut out to the size of a swatch."""
    w, h = SWATCH
    inner = "".join(_little_map(scenario, kind, id_))
    clip = f"key-{kind}-{id_}"
    frame = board_palette()["frame"]
    return [
        f'<clipPath id="{clip}"><rect width="{w:g}" height="{h:g}"/></clipPath>',
        f'<rect width="{w:g}" height="{h:g}" fill="{board_palette()["paper"]}"/>',
        f'<g clip-path="url(#{clip})"><g transform="translate(33 15.5) scale(0.56) translate(-144.3 -150)">',
        inner,
        "</g></g>",
        f'<rect width="{w:g}" height="{h:g}" fill="none" stroke="{frame}" stroke-width="1.2"/>',
    ]


def terrain_svg(scenario: Scenario, id_: str) -> str:
    """A terrain as a picture of its own, drawn as on a plain board."""
    inner = "".join(_little_map(scenario, "terrain", id_, plain=True))
    paper = f'<rect width="300" height="400" fill="{board_palette()["paper"]}"/>'
    return f'<svg viewBox="84 122 118 56" aria-hidden="true">{paper}{inner}</svg>'


def _little_map(scenario: Scenario, kind: str, id_: str, *, plain: bool = False) -> list[str]:
    """Three columns of three hexes; 0202 with its centre at (144.3, 200), 0201 above it at (144.3, 100)."""
    grid = HexGrid(3, 4)
    open_ = next(iter(scenario.tables.terrain))
    all_of_it: GameMap = replace(GameMap.blank(grid, open_), looks=scenario.map.looks)
    ground = HexField(grid)
    if kind == "terrain":
        style = style_of(scenario.map, "terrain", id_)
        textures = {board_palette()["covers"][c]["texture"] for c in style.get("covers", ())}
        if textures & {"blocks", "runway", "contours"}:
            one = replace(all_of_it, terrain={**all_of_it.terrain, "0202": (id_,)})
            moved = ['<g transform="translate(0 -50)">', *draw_ground(ground, one, plain=plain)]
            return [*moved, *([] if plain else draw_towns(ground, one, [], {})), "</g>"]
        half = {h: ((id_,) if h >= "0200" else (open_,)) for h in grid}
        some = replace(all_of_it, terrain=half)
        return [
            '<g transform="translate(18 0)">',
            *draw_ground(ground, some, plain=plain),
            *draw_trees(ground, some, [], plain=plain),
            "</g>",
        ]
    if kind == "fortified":
        return ['<g transform="translate(0 -50)">', *draw_fortress(ground, {"0202"}), "</g>"]
    if kind == "ways":
        way = Way.model_construct(kind=id_, name="", hexes=("0102", "0201", "0302"))
        little = replace(scenario, map=replace(all_of_it, ways=(way,)))
        return ['<g transform="translate(0 34)">', *draw_ways(ways(ground, little)), "</g>"]
    sides = (("0102", "0202"), ("0201", "0202"), ("0201", "0302"))
    run = HexsideRun.model_construct(kind=id_, name="", sides=sides)
    little = replace(scenario, map=replace(all_of_it, hexside_runs=(run,)))
    streams = rivers(ground, little)
    if len({id_ for kind, id_ in key_rows(scenario) if kind == "hexsides"} & wet_kinds(scenario)) > 1:
        # Only in their full width can they be told apart.
        streams = [replace(river, rises=(False, False)) for river in streams]
    return [
        '<g transform="translate(0 -14)">',
        *draw_rivers(streams),
        *draw_lines(ground, little),
        "</g>",
    ]


def draw_panel(scenario: Scenario, text: Text, layout: BoardLayout) -> list[str]:
    """All blocks of the panel."""
    out: list[str] = []
    for name, block in layout.panel.items():
        inner = {
            "title": lambda: title_plate(text),
            "rose": lambda: _rose(scenario, text),
            "turns": lambda: _turns(scenario, text, layout),
            "air": lambda: _air(scenario, text, layout),
            "key": lambda: draw_key(scenario, text),
        }[name]()
        place = f"translate({n1(block.x)} {n1(block.y)}) scale({layout.panel_scale:.4f})"
        out.append(f'<g transform="{place}">{"".join(inner)}</g>')
    return out


def title_plate(text: Text) -> list[str]:
    """The game's name, subtitle and dates in a frame, PANEL x 194."""
    look = board_palette()
    name = text.get("title.name")
    size = min(76.0, 400 / max(text_width(name, 1, SERIF, 700), 1e-6))
    subtitle = text.get("title.subtitle")
    small = min(29.0, 410 / max(text_width(subtitle, 1, SERIF, 500, "italic"), 1e-6))
    mid = PANEL / 2
    frame = f'stroke="{look["frame"]}"'
    serif = 'font-family="Alegreya" text-anchor="middle"'
    return [
        f'<rect x="2" y="2" width="{PANEL - 4:g}" height="190" fill="{look["paper"]}" {frame} stroke-width="3.5"/>',
        f'<rect x="9" y="9" width="{PANEL - 18:g}" height="176" fill="none" {frame} stroke-width="1.2"/>',
        f'<text x="{mid:g}" y="81" {serif} font-weight="700" font-size="{size:.1f}" fill="{look["title"]}">'
        f"{escape(name)}</text>",
        f'<path d="M{mid - 150:g} 111H{mid - 12:g}M{mid + 12:g} 111H{mid + 150:g}" {frame} stroke-width="1.4"/>',
        f'<path d="M{mid:g} 105l6 6l-6 6l-6 -6z" fill="{look["title"]}"/>',
        f'<text x="{mid:g}" y="142" {serif} font-style="italic" font-weight="500" font-size="{small:.1f}" '
        f'fill="{look["ink"]}">{escape(subtitle)}</text>',
        f'<text x="{mid:g}" y="170" font-size="19" text-anchor="middle" fill="{look["ink"]}">'
        f"{escape(text.get('title.period'))}</text>",
    ]


def _rose(scenario: Scenario, text: Text) -> list[str]:
    """The compass, turned so that its needle shows north, and a bar of hexes as the scale."""
    look = board_palette()
    ink, paper = look["ink"], look["paper"]
    at = (74.0, 60.0)
    angle = scenario.map.compass * pi / 180
    dark = polygon(turned([(0, -46), (9, 0), (0, 46)], angle, at))
    light = polygon(turned([(0, -46), (-9, 0), (0, 46)], angle, at))
    cross = polygon(turned([(-30, 0), (0, -6), (30, 0), (0, 6)], angle, at))
    (nx, ny) = turned([(0, -58)], angle, at)[0]
    out = [
        f'<circle cx="74" cy="60" r="38" fill="{paper}" stroke="{ink}" stroke-width="1.4"/>',
        f'<circle cx="74" cy="60" r="33.5" fill="none" stroke="{ink}" '
        'stroke-width=".8" stroke-dasharray="1.6 3.7"/>',
        f'<path d="{cross}" fill="{paper}" stroke="{ink}" stroke-width="1.2"/>',
        f'<path d="{light}" fill="{paper}" stroke="{ink}" stroke-width="1.4"/>',
        f'<path d="{dark}" fill="{look["title"]}"/>',
        f'<circle cx="{n1(nx)}" cy="{n1(ny)}" r="12" fill="{look["page"]}"/>',
        f'<text x="{n1(nx)}" y="{n1(ny + 7.5)}" font-family="Alegreya" font-weight="700" font-size="23" '
        f'text-anchor="middle" fill="{ink}">{escape(text.get("board.north", "N"))}</text>',
    ]
    left, hexes, wide = 172.0, 3, 86.6
    bars = "".join(
        f'<rect x="{n1(left + i * wide)}" y="62" width="{wide}" height="9" fill="{ink if i % 2 == 0 else paper}" '
        f'stroke="{ink}" stroke-width="1.2"/>'
        for i in range(hexes)
    )
    marks = "".join(
        f'<text x="{n1(left + i * wide)}" y="90" font-size="15" text-anchor="middle" fill="{ink}">{i}</text>'
        for i in range(hexes + 1)
    )
    note = scenario.map.scale or text.get("board.hexes", "")
    out += [
        f'<text x="{left:g}" y="48" font-family="Alegreya" font-weight="700" font-size="22" fill="{ink}">'
        f"{escape(text.get('board.scale', 'Scale'))}</text>",
        f'<text x="{left + hexes * wide:g}" y="48" font-size="17" text-anchor="end" fill="{ink}">'
        f"{escape(note)}</text>",
        bars,
        marks,
    ]
    return out


def _local(boxes: Mapping[int, Rect], block: Rect, layout: BoardLayout) -> dict[int, tuple[float, float]]:
    """The boxes' corners within their block, at the panel's scale 1."""
    u, s = layout.units, layout.panel_scale
    return {n: ((r.x / u - block.x) / s, (r.y / u - block.y) / s) for n, r in boxes.items()}


def _turns(scenario: Scenario, text: Text, layout: BoardLayout) -> list[str]:
    look = board_palette()
    turns = scenario.game.turns
    out = [header(text["board.turn_track"])]
    for number, (x, y) in _local(layout.turn_boxes, layout.panel["turns"], layout).items():
        date = turns.start + datetime.timedelta(days=turns.days * (number - turns.first))
        weather, told = _weather(scenario, text, number)
        fill = look["weather"].get(weather, look["paper"])
        out += [
            _box(x, y, fill),
            _number(x, y, number),
            _small(x + BOX / 2, y + BOX - 8, _date(date, text)),
        ]
        if told:
            out.append(_small(x + BOX / 2, y + 15, told))
    return out


def _weather(scenario: Scenario, text: Text, turn: int) -> tuple[str, str]:
    """The weather of a turn and what its box says of it: the dice, where they have more than one answer."""
    die = scenario.game.weather_die
    weather = scenario.weather(turn) if die is None else die.sure(turn)
    if die is not None and not weather:
        return "", str(die.dice)
    return weather, short(text, "weather", weather) if weather else ""


def _date(date: datetime.date, text: Text) -> str:
    month = text.get(f"months.{date.month}", text.get(f"month.{date.month}"))
    return f"{date.day} {month}" if month else f"{date.day}/{date.month}"


def _air(scenario: Scenario, text: Text, layout: BoardLayout) -> list[str]:
    look = board_palette()
    beyond = any(row.points > len(layout.air_boxes) for row in scenario.tables.air)
    out = [header(text["board.air_track"], text["board.air_markers"] if beyond else "")]
    for number, (x, y) in _local(layout.air_boxes, layout.panel["air"], layout).items():
        out += [
            _box(x, y, look["air"]),
            _number(x, y, number),
        ]
    return out


def _box(x: float, y: float, fill: str) -> str:
    look = board_palette()
    return (
        f'<rect x="{n1(x)}" y="{n1(y)}" width="{BOX:g}" height="{BOX:g}" fill="{fill}" stroke="{look["frame"]}" '
        f'stroke-width="2"/>'
    )


def _number(x: float, y: float, number: int) -> str:
    """The number of a box of a track, on its left, for a marker stands on the right."""
    ink = board_palette()["faint"]
    return (
        f'<text x="{n1(x + BOX * 0.23)}" y="{n1(y + 52)}" font-family="Alegreya" font-weight="700" font-size="34" '
        f'text-anchor="middle" fill="{ink}">{number}</text>'
    )


def _small(x: float, y: float, words: str) -> str:
    ink = board_palette()["ink"]
    size = min(15.0, (BOX - 6) / text_width(words, 1))
    return (
        f'<text x="{n1(x)}" y="{n1(y)}" font-size="{n1(size)}" text-anchor="middle" fill="{ink}">'
        f"{escape(words)}</text>"
    )
