"""The panel beside the hexes: title, compass and scale, tracks, and the terrain key in the map's own style."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from math import pi
from typing import TYPE_CHECKING

from markupsafe import escape

from hexforge.modulegen.render.board_key import draw_key, header
from hexforge.modulegen.render.board_layout import BOX, PANEL, BoardLayout, Rect
from hexforge.modulegen.render.board_shapes import n1, polygon, turned
from hexforge.modulegen.render.board_style import board_palette
from hexforge.modulegen.render.raster import SERIF, text_width
from hexforge.modulegen.render.texts import short

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario, Text


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
