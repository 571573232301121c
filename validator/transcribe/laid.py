"""Markers that players lay on the map: what they say of bridges, ways and places, and whether the referee agrees.

No rule looks at them, so that what differs is a warning: a marker that was forgotten, or laid by mistake.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.scenarios.hexgrid import Hex, side
from hexforge.scenarios.markers import markers
from hexforge.scenarios.words import Term
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.passing import holder
from hexforge.validator.transcribe.noted import Noted, Origin, note

if TYPE_CHECKING:
    from hexforge.modulegen.vassal.replay import PieceView
    from hexforge.scenarios.model import Scenario
    from hexforge.validator.referee.context import Context
    from hexforge.validator.referee.state import Position
    from hexforge.validator.transcribe.marks import Marks

MARKER = "MarkerId"
_SHOWN = "Face_Level"
_CONTROL = "control_"
_NOTES = {
    "bridge": "marker-bridge",
    "bridge_destroyed": "marker-bridge-destroyed",
    "way_cleared": "marker-way-cleared",
    "way_blocked": "marker-way-blocked",
    "in_transit": "marker-in-transit",
}


@dataclass(frozen=True, slots=True)
class Laid:
    """A marker in a hex: the face that it shows (`scenarios.markers`), and what players call it."""

    face: str
    hex: Hex
    name: str


def laid(view: PieceView, marks: Marks, scenario: Scenario) -> Laid | None:
    """What a piece is as a marker in a hex; None for what is none, or lies elsewhere."""
    kind = "" if view.hidden else view.properties.get(MARKER, "")
    if not kind or view.map != marks.main or view.x is None or view.y is None:
        return None
    faces = next((m.faces for m in markers(scenario) if m.id == kind), ())
    shown, hex_ = view.properties.get(_SHOWN, "1"), marks.hex_at(view.x, view.y)
    if hex_ not in scenario.map.grid or shown not in map(str, range(1, len(faces) + 1)):
        return None
    return Laid(faces[int(shown) - 1], hex_, view.name)


def known_of(all_laid: Mapping[str, Laid], scenario: Scenario, on_map: Mapping[str, Hex]) -> Iterator[st.Statement]:
    """What markers say of the game before it goes on, as lines of a position. `on_map`: the units' hexes."""
    for marker in sorted(all_laid.values(), key=lambda m: (m.hex, m.face)):
        if marker.face.startswith(_CONTROL):
            yield st.Control(0, marker.face.removeprefix(_CONTROL), marker.hex)
        elif marker.face == "way_cleared":
            yield st.ClearedTrail(0, marker.hex)
        elif marker.face == "in_transit" and (transit := scenario.game.rules.movement.transit) is not None:
            due = {u for arrival in scenario.setup.reinforcements for u in arrival.units}
            for unit, hex_ in on_map.items():
                if hex_ == marker.hex and unit in due and scenario.counters[unit].side == transit.side:
                    yield st.UnitStatus(0, unit, transit.mark)


def contradicted(ctx: Context, position: Position, marker: Laid, origin: Origin) -> Noted | None:
    """What is wrong with a marker as the position stands, with the action that laid it so."""
    hex_, turn = marker.hex, position.turn
    near = [side(hex_, n) for n in ctx.map.grid.neighbours[hex_]]
    stand = [ctx.ground.bridged(s, turn, position.bridges) for s in near]
    who = None
    match marker.face:
        case "bridge":
            wrong = not any(stand)
        case "bridge_destroyed":
            gone = (ctx.ground.water(s) and not there for s, there in zip(near, stand, strict=True))
            wrong = not any(gone) and not _closed(ctx, hex_, turn)
        case "way_cleared":
            wrong = ctx.ground.needs_clearing(hex_, position.cleared)
        case "way_blocked":
            wrong = hex_ in position.cleared
        case "in_transit":
            transit = ctx.movement.transit
            here = position.at(hex_)
            wrong = transit is not None and all(transit.mark not in position.units[u].marks for u in here)
        case face if face.startswith(_CONTROL):
            who = holder(ctx, position, hex_)
            wrong = who not in (None, face.removeprefix(_CONTROL))
        case _:
            wrong = False
    if not wrong:
        return None
    found = note(
        origin,
        _NOTES.get(marker.face, "marker-control"),
        marker=marker.name,
        hex=hex_,
        side=Term("sides", who or ""),
    )
    return found.on(hexes=(hex_,))


def _closed(ctx: Context, hex_: Hex, turn: int) -> bool:
    """Whether a bridge that stands is closed to a side in a turn."""
    return any(hex_ in rule.hexes and ctx.holds(rule, turn) for rule in ctx.movement.closed_bridges)
