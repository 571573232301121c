"""Where a finding happened: a piece of the map before the statement, with what the statement says on it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from hexforge.validator.readers.notation import statements as st
from hexforge.validator.report.board import draw
from hexforge.validator.report.overlay import Arrow, Overlay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexforge.scenarios.hexgrid import Hex
    from hexforge.scenarios.words import Words
    from hexforge.validator.referee.findings import Finding, MoveRecord
    from hexforge.validator.referee.kinds import Severity
    from hexforge.validator.referee.replay import Scene
    from hexforge.validator.referee.state import Position
    from hexforge.validator.report.answer import Answer

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
    return scene.statement.targets if isinstance(scene.statement, st.Engagement) else ()


def _arrows(scene: Scene, finding: Finding, colour: str) -> Iterator[Arrow]:
    for move in scene.moves:
        if move.line == finding.line:
            yield Arrow(move.path, colour)
    if not isinstance(scene.statement, st.Engagement):
        return
    target = scene.statement.targets[0]
    attackers = [u for act in scene.statement.acts if isinstance(act, st.Attack) for u in act.units]
    places = dict.fromkeys(h for h in map(scene.before.hex_of, attackers) if h is not None)
    yield from (Arrow((h, target), _ATTACK, dashed=True) for h in places)
    for act in scene.statement.acts:
        if isinstance(act, st.Retreat | st.Advance) and act.line == finding.line:
            yield Arrow(way_of(scene.before, act, target), colour)


def way_of(before: Position, act: st.Retreat | st.Advance, target: Hex) -> tuple[Hex, ...]:
    """The way of a retreat or an advance from where its units stood `before`, else from the hex attacked."""
    path: Sequence[Hex] = [h for h in act.path if h != st.OPEN]
    if len(path) == 1 and act.units:
        start = before.hex_of(act.units[0])
        path = [start, *path] if start is not None else [target, *path]
    return tuple(path)
