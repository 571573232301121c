"""What a page tells of one answer: its findings, combats, moves, map and text, everything of the sheet escaped.

Where a finding happened: a piece of the map before the statement, with what the statement says on it.

A map with units as one SVG, for reports: the module's board, and over it units and any colouring of hexes.

What a report lays over its map: ways as arrows, rings around hexes, bursts where there was a combat.

The map with the hexes that a unit can reach, as SVG, PNG or a page.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from itertools import pairwise
from math import cos, hypot, pi, sin
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from markupsafe import Markup

from ...scenarios.commands import write_file
from ...scenarios.console import safe
from ...scenarios.model import Scenario, Text
from ...scenarios.text.words import Words
from ..judging.answer import Answer
from ..judging.situation import unanswerable
from ..notation import kinds as st
from ..notation import statements
from ..rules.findings import Severity, doubts_told, points
from . import wording
from .pages import BOARD, GROUND, page, template_named
from .wording import Headings

if TYPE_CHECKING:
    from ...scenarios.model import GameMap
    from ...scenarios.text.hexgrid import Hex, HexGrid, Point
    from ..judging.questions import Reach
    from ..judging.replay import Scene
    from ..rules.findings import Finding, MoveRecord
    from ..rules.position import Position


UNIT: Final = 46.0
"""Pixels for one unit of the grid's own measure (a hex is one unit high)."""
_SHAFT: Final = 3.0
_HEAD: Final = 9.0
_SHORT: Final = 0.27
"""By how much of a hex an arrow keeps from the centres of its ends, so that counters there can be read."""
_RAYS: Final = 9


@dataclass(frozen=True, slots=True)
class Arrow:
    """A way from its first hex to its last; dashed for what is no move."""

    path: tuple[Hex, ...]
    colour: str
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Overlay:
    """Colours over hexes, short texts in them, coloured rings around them, arrows, and hexes that are attacked."""

    tints: Mapping[Hex, str] = field(default_factory=dict)
    notes: Mapping[Hex, str] = field(default_factory=dict)
    rings: Mapping[Hex, str] = field(default_factory=dict)
    arrows: Sequence[Arrow] = ()
    bursts: Collection[Hex] = ()


def at(point: Point) -> str:
    """A point of the grid as SVG writes it, in pixels."""
    return f"{point[0] * UNIT:.1f},{point[1] * UNIT:.1f}"


def polygon(corners: Sequence[Point], style: str) -> str:
    """A filled outline."""
    return f'<polygon points="{" ".join(map(at, corners))}" {style}/>'


def rings(grid: HexGrid, overlay: Overlay) -> Iterator[str]:
    """Outlines of the hexes that are spoken of."""
    for hex_, colour in overlay.rings.items():
        style = f'fill="none" stroke="{escape(colour, quote=True)}" stroke-width="3.5"'
        yield polygon(grid.corners(hex_), style)


def bursts(grid: HexGrid, overlay: Overlay) -> Iterator[str]:
    """A star at the upper corner of each hex that is attacked."""
    for hex_ in overlay.bursts:
        x, y = grid.center(hex_)
        points = [
            (x + 0.27 + radius * cos(step * pi / _RAYS), y - 0.24 + radius * sin(step * pi / _RAYS))
            for step in range(2 * _RAYS)
            for radius in [0.17 if step % 2 == 0 else 0.08]
        ]
        yield polygon(points, 'fill="#f2b705" stroke="#a61d24" stroke-width="1.2"')


def arrows(grid: HexGrid, overlay: Overlay) -> Iterator[str]:
    """The ways, from the centre of the first hex to shortly before that of the last."""
    for arrow in overlay.arrows:
        points = [grid.center(h) for h in arrow.path if h in grid]
        points = [p for p, q in pairwise([*points, None]) if p != q and p is not None]
        if len(points) < 2:
            continue
        colour = escape(arrow.colour, quote=True)
        (x, y), (dx, dy) = points[0], _direction(points[0], points[1])
        points[0] = (x + dx * _SHORT, y + dy * _SHORT)
        (x, y), (dx, dy) = points[-1], _direction(points[-2], points[-1])
        tip = (x - dx * _SHORT, y - dy * _SHORT)
        head = _HEAD / UNIT
        back = (tip[0] - dx * head, tip[1] - dy * head)
        dash = ' stroke-dasharray="5 4"' if arrow.dashed else ""
        shaft = " ".join(map(at, [*points[:-1], back]))
        common = f'points="{shaft}" fill="none" stroke-linejoin="round" stroke-linecap="round"'
        yield f'<polyline {common} stroke="#fff" stroke-opacity="0.8" stroke-width="{_SHAFT + 2}"/>'
        yield f'<polyline {common} stroke="{colour}" stroke-width="{_SHAFT}"{dash}/>'
        side = (-dy * head / 2, dx * head / 2)
        corners = [tip, (back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1])]
        yield polygon(corners, f'fill="{colour}" stroke="#fff" stroke-width="0.6"')


def _direction(first: Point, last: Point) -> Point:
    dx, dy = last[0] - first[0], last[1] - first[1]
    length = hypot(dx, dy)
    return dx / length, dy / length


_MARGIN: Final = 0.75
"""How far a window reaches beyond the centres of its outermost hexes, in hexes."""
_NOTHING: Final = Overlay()
Window = tuple[float, float, float, float]
"""Left, top, width and height of what is shown, in pixels."""


def ground(
    field: GameMap, scenario: Scenario, words: Words, *, detail: float | None = None, without: Collection[str] = ()
) -> str:
    """The map that was played on as the module's board shows it, to be drawn below everything else.

    Without `detail`, the pixels of a hex, it is a plain one for small pictures. Its names may come out of a sheet:
    they are escaped and harmless. `without` are parts of `lettering` that are not drawn.
    """
    from ...modulegen.render.board import field_svg

    played, text = _played(field, scenario), _text(scenario, words)
    parts = field_svg(played, text, plain=True) if detail is None else field_svg(played, text, detail=detail)
    return safe("".join(part for part in parts if part not in without))


def lettering(field: GameMap, scenario: Scenario, words: Words) -> list[str]:
    """The words on a map that was played on, as `ground` draws them there unless it is a plain one."""
    from ...modulegen.render.board import names_svg

    return names_svg(_played(field, scenario), _text(scenario, words))


def _text(scenario: Scenario, words: Words) -> Text:
    return scenario.texts.get(words.language, Text(words.language, {}))


def _played(field: GameMap, scenario: Scenario) -> Scenario:
    # A map that a sheet sets up names no looks: the game's kinds look on it as on the game's own.
    return replace(scenario, map=replace(field, looks=scenario.map.looks))


def _stacks(position: Position, box: Window, words: Words) -> Iterator[str]:
    from ...modulegen.render.templates import palette

    left, top, width, height = box
    colours = dict(zip(position.boards, palette("report")["counters"], strict=False))
    for side, board in position.boards.items():
        for hex_, units in sorted(board.at.items()):
            x, y = position.grid.center(hex_)
            if not (-UNIT < x * UNIT - left < width + UNIT and -UNIT < y * UNIT - top < height + UNIT):
                continue
            for i, unit in enumerate(reversed(units[:4])):
                at_x, at_y = x * UNIT - 17 + 3 * i, y * UNIT - 9 - 3 * i
                reduced = position.units[unit].lost
                dash = ' stroke-dasharray="3 2"' if reduced else ""
                size = 8 if len(unit) < 10 else 6.5
                title = words("report.unit-step", unit=unit, step=words(f"report.step.{position.units[unit].step}"))
                yield (
                    f"<g><title>{escape(title)}</title>"
                    f'<rect x="{at_x:.1f}" y="{at_y:.1f}" width="34" height="18" rx="2" '
                    f'fill="{colours[side]}" stroke="#333"{dash}/>'
                    f'<text class="u" style="font-size:{size}px" '
                    f'x="{at_x + 17:.1f}" y="{at_y + 12:.1f}">{escape(_short(unit))}</text></g>'
                )
            if len(units) > 1:
                yield f'<text class="c" x="{x * UNIT + 22:.1f}" y="{y * UNIT + 14:.1f}">{len(units)}</text>'


def _short(unit: str) -> str:
    """An id without its side's prefix, cut to what fits a counter."""
    _, _, rest = unit.partition("-")
    text = rest or unit
    return text if len(text) <= 9 else text[:8] + "…"


def _box(grid: HexGrid, window: Collection[Hex] | None) -> Window:
    width, height = grid.size
    if not window:
        return -2, -2, width * UNIT + 4, height * UNIT + 4
    xs, ys = zip(*(grid.center(h) for h in window), strict=True)
    left, right = max(0.0, min(xs) - _MARGIN), min(width, max(xs) + _MARGIN)
    top, bottom = max(0.0, min(ys) - _MARGIN), min(height, max(ys) + _MARGIN)
    return left * UNIT, top * UNIT, (right - left) * UNIT, (bottom - top) * UNIT


def draw(
    below: str,
    grid: HexGrid,
    position: Position | None,
    words: Words,
    *,
    overlay: Overlay = _NOTHING,
    title: str = "",
    window: Collection[Hex] | None = None,
) -> str:
    """The map as an SVG element, or as much of it as holds the hexes of `window`.

    `below` is what `ground` returns, or a reference to where it stands in the same page. `title` is what the
    picture shows, read aloud where it cannot be seen: by default a position with what happened there.
    """
    box = _box(grid, window)
    body = [f'<g transform="scale({UNIT / 100:g})">{below}</g>']
    for hex_, colour in overlay.tints.items():
        style = f'fill="{escape(colour, quote=True)}" fill-opacity="0.45" stroke="none"'
        body.append(polygon(grid.corners(hex_), style))
    body += rings(grid, overlay)
    for hex_, note in overlay.notes.items():
        x, y = grid.center(hex_)
        body.append(f'<text class="m" x="{x * UNIT:.1f}" y="{y * UNIT + 5:.1f}">{escape(safe(note))}</text>')
    if position is not None:
        body += _stacks(position, box, words)
    body += bursts(grid, overlay)
    body += arrows(grid, overlay)
    left, top, width, height = box
    title = title or words("report.position")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" aria-label="{escape(safe(title), quote=True)}">'
        "<style>text{font-family:'Fira Sans Condensed',sans-serif;text-anchor:middle}"
        ".u{font-size:8px;font-weight:bold;fill:#111}.c{font-size:9px;fill:#a00;font-weight:bold}"
        ".m{font-size:12px;font-weight:bold;fill:#10314d;paint-order:stroke;stroke:#fff;stroke-width:3px}</style>"
        + "".join(body)
        + "</svg>"
    )


COLOURS: Final[dict[Severity, str]] = {
    "illegal": "#c1121f",
    "unread": "#6a3d9a",
    "doubtful": "#b26a00",
    "waived": "#5b6b62",
    "warning": "#8a6d00",
    "info": "#2a5d86",
}
LEGAL: Final = "#1f5f3f"
_ATTACK: Final = "#333333"
_WIDEST: Final = 16
"""A finding that spreads over more columns or rows than these is not shown by itself: the whole map shows it."""


def excerpt(finding: Finding, answer: Answer, words: Words, below: str) -> str | None:
    """The finding's piece of the map as SVG; None where it is about no place, or about too wide a one.

    `below` is the map itself, or a reference to it.
    """
    scene, field = answer.scenes.get(finding.line), answer.field
    if scene is None or field is None:
        return None
    grid = field.grid
    colour = COLOURS[finding.severity]
    arrows = [a for a in _arrows(scene, finding, colour) if all(h in grid for h in a.path)]
    struck = tuple(h for h in _struck(scene) if h in grid)
    spoken = [h for h in finding.hexes if h in grid]
    spoken += [h for h in map(scene.before.hex_of, finding.units) if h is not None and h in grid]
    focus = dict.fromkeys([*spoken, *struck, *(h for a in arrows for h in a.path)])
    if not focus:
        return None
    window = {h for hex_ in focus for h in (hex_, *grid.neighbours[hex_])}
    columns, rows = ({h[:2] for h in window}, {h[2:] for h in window})
    if _span(columns) > _WIDEST or _span(rows) > _WIDEST:
        return None
    overlay = Overlay(rings=dict.fromkeys(spoken, colour), arrows=arrows, bursts=struck)
    return draw(below, grid, scene.before, words, overlay=overlay, window=window)


def whole(answer: Answer) -> Overlay:
    """The moves and combats of the last turn, to be laid over the last position; faults in their colour."""
    marks = answer.marks
    grid = answer.field.grid if answer.field else ()

    def colour(move: MoveRecord) -> str:
        mark = marks.get(move.line)
        return LEGAL if mark is None else COLOURS[mark]

    return Overlay(
        arrows=[
            Arrow(tuple(h for h in m.path if h in grid), colour(m)) for m in answer.moves if m.line >= answer.since
        ],
        bursts=dict.fromkeys(h for c in answer.combats if c.line >= answer.since for h in c.target if h in grid),
    )


def _span(numbers: Collection[str]) -> int:
    return int(max(numbers)) - int(min(numbers)) + 1


def _struck(scene: Scene) -> tuple[Hex, ...]:
    return scene.statement.targets if isinstance(scene.statement, statements.Engagement) else ()


def _arrows(scene: Scene, finding: Finding, colour: str) -> Iterator[Arrow]:
    for move in scene.moves:
        if move.line == finding.line:
            yield Arrow(move.path, colour)
    if not isinstance(scene.statement, statements.Engagement):
        return
    target = scene.statement.targets[0]
    attackers = [u for act in scene.statement.acts if isinstance(act, statements.Attack) for u in act.units]
    places = dict.fromkeys(h for h in map(scene.before.hex_of, attackers) if h is not None)
    yield from (Arrow((h, target), _ATTACK, dashed=True) for h in places)
    for act in scene.statement.acts:
        if isinstance(act, statements.Retreat | statements.Advance) and act.line == finding.line:
            yield Arrow(way_of(scene.before, act, target), colour)


def way_of(before: Position, act: statements.Retreat | statements.Advance, target: Hex) -> tuple[Hex, ...]:
    """The way of a retreat or an advance from where its units stood `before`, else from the hex attacked."""
    path: Sequence[Hex] = [h for h in act.path if h != st.OPEN]
    if len(path) == 1 and act.units:
        start = before.hex_of(act.units[0])
        path = [start, *path] if start is not None else [target, *path]
    return tuple(path)


T = TypeVar("T")
_MOST_PICTURES: Final = 150
"""Findings of a sheet that are shown on a piece of the map of their own."""
_MOST_LINES: Final = 50_000
"""Lines of a sheet that a page quotes; more than any game has."""
_MOST_BLANK: Final = 4
_TOLD: Final = {"doubts_told": doubts_told, "points": points}


def article(page: Mapping[str, Any]) -> str:
    """An article of what it shows."""
    return template_named("answer.html.j2").render(page=page, wording=wording, **_TOLD)


def shown_of(answer: Answer, w: Words, drawn: Sequence[object] | None = None) -> dict[str, Any]:
    """What an article shows of an answer besides what it holds.

    `drawn`: the pictures stand in another article already, and this one has places for them alone, and for the
    board and the sheet.
    """
    from ...modulegen.render.board_panel import terrain_svg

    board, legend, pictures = None, [], []
    field, scenario = answer.field, answer.scenario
    if field is not None and scenario is not None:
        # What `draw` and `excerpt` return has its texts escaped.
        board = Markup(" ")
        pictures = [picture and Markup(" ") for picture in drawn or ()]
        if drawn is None:
            board = Markup(draw(BOARD, field.grid, answer.position, w, overlay=whole(answer)))
            pictures = [picture and Markup(picture) for picture in _pictures(answer, w, GROUND)]
        present = {kinds[0] for kinds in field.terrain.values()}
        legend = [(t, Markup(terrain_svg(scenario, t))) for t in scenario.tables.terrain if t in present]
    return {
        "answer": answer,
        "findings": _by_turn(answer, w),
        "combats": _below_phases(((c.line, c) for c in answer.combats), answer, w),
        "moves": _below_phases(((line, (line, *rest)) for line, *rest in _moves(answer, w)), answer, w),
        "understood": answer.understood,
        "w": w,
        "lines": list(_quoted(answer)) if drawn is None else [],
        "pictures": pictures,
        "board": board,
        "legend": legend,
        "off_map": _off_map(answer, w),
        "options": ", ".join(f"{name}={value}" for name, value in sorted(answer.edition.options.items())),
    }


def _by_turn(answer: Answer, w: Words) -> list[tuple[str, list[tuple[int, Finding]]]]:
    """The findings of each phase with their numbers, below what it is called; first the lines that are open."""
    numbered = list(enumerate(answer.findings))
    asked = [(number, f) for number, f in numbered if f.asked]
    others = ((f.line, (number, f)) for number, f in numbered if not f.asked)
    return [*([(w("report.open"), asked)] if asked else []), *_below_phases(others, answer, w)]


def _below_phases(items: Iterable[tuple[int, T]], answer: Answer, w: Words) -> list[tuple[str, list[T]]]:
    """Items with their lines, those of each phase below what it is called."""
    return [(name, [item for _, item in found]) for name, found in Headings(answer, w).grouped(items)]


def _moves(answer: Answer, w: Words) -> list[tuple[int, MoveRecord | None, str]]:
    """What was moved and what was done besides, by lines: its price, or what it was in words."""
    found: list[tuple[int, MoveRecord | None, str]] = [(m.line, m, "") for m in answer.moves]
    found += [(a.line, None, answer.action_line(a, w.language)) for a in wording.unpriced(answer)]
    return sorted(found, key=lambda item: item[0])


def _quoted(answer: Answer) -> Iterator[tuple[int, Severity | None, str | None]]:
    """The lines of a sheet with the worst found there, each after how many that are left out.

    Blank lines beyond some few are left out, and so are those behind the last that are shown, without a text.
    """
    marks, shown, blank, left_out = answer.marks, 0, 0, 0
    for number, line in enumerate(answer.lines, 1):
        mark = marks.get(number)
        blank = 0 if mark or line.strip() else blank + 1
        if blank > _MOST_BLANK or shown >= _MOST_LINES:
            left_out += 1
            continue
        yield left_out, mark, line
        shown, left_out = shown + 1, 0
    if left_out:
        yield left_out, None, None


def _pictures(answer: Answer, w: Words, below: str) -> Iterator[str | None]:
    """For each finding its piece of the map, unless the one before it has shown the same."""
    left, last = _MOST_PICTURES, None
    for finding in answer.findings:
        worth = finding.severity != "info" and left > 0
        picture = excerpt(finding, answer, w, below) if worth else None
        yield None if picture == last else picture
        left -= picture is not None
        last = picture


def _off_map(answer: Answer, w: Words) -> dict[str, list[str]]:
    """Where units are that stand on no hex, with their ids."""
    found: dict[str, list[str]] = {}
    for unit, state in sorted(answer.position.units.items()) if answer.position else ():
        if state.hex is None and (state.where != "absent" or unit in answer.shown):
            reduced = state.lost
            told = w("report.unit-step", unit=unit, step=w(f"report.step.{state.step}")) if reduced else unit
            found.setdefault(state.where or "absent", []).append(told)
    return found


_NEAR: Final = (46, 125, 80)
_FAR: Final = (217, 164, 65)


def _tint(share: float) -> str:
    """From green, near, to amber, at the end of the allowance."""
    mixed = (round(a + (b - a) * share) for a, b in zip(_NEAR, _FAR, strict=True))
    return "#" + "".join(f"{c:02x}" for c in mixed)


def reach_svg(found: Reach, words: Words) -> str:
    """The map: hexes within reach tinted and marked with their cost, the unit's own hex in blue."""
    tints = {hex_: _tint(min(1.0, cost / max(1, found.allowance))) for hex_, (cost, _) in found.hexes.items()}
    notes = {hex_: words.value(points(cost)) for hex_, (cost, _) in found.hexes.items()}
    tints[found.hex] = "#2a6fb0"
    title = f"{found.unit} {found.hex}"
    field = found.context.map
    below = ground(field, found.context.scenario, words)
    return draw(below, field.grid, found.position, words, overlay=Overlay(tints=tints, notes=notes), title=title)


def write_picture(found: Reach, path: str | Path, words: Words) -> None:
    """Write the picture in the form that the file's ending asks for.

    Raises Unanswerable for another ending, OSError for a file that cannot be written.
    """
    svg = reach_svg(found, words)
    target = Path(path)
    match target.suffix.lower():
        case ".svg":
            data = svg.encode()
        case ".html" | ".htm":
            # What `draw` returns has its texts escaped.
            title = f"{found.unit} {found.hex}"
            data = page("map.html.j2", words, title=title, picture=Markup(svg)).encode()
        case ".png":
            data = _png(svg)
        case _:
            raise unanswerable("ending", file=str(path))
    write_file(target, data)


def _png(svg: str) -> bytes:
    import resvg

    options = resvg.usvg.Options.default()
    # The shipped fonts alone, so that the picture is the same on every machine.
    for font in sorted((Path(__file__).parents[2] / "art" / "fonts").glob("*.ttf")):
        options.load_font_data(font.read_bytes())
    tree = resvg.usvg.Tree.from_str(svg, options)
    return resvg.render(tree, (1, 0, 0, 0, 1, 0), bg_color=(255, 255, 255, 255))
