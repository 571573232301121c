"""Logs of modules that others made, seen as those of a game that a binding ties them to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.vassal.grids import HexGrid, Point
from hexforge.modulegen.vassal.sequence import decode
from hexforge.validator.transcribe.marks import Marks
from hexforge.validator.transcribe.spots import UNIT, TrackerReading, write_clock

if TYPE_CHECKING:
    from hexforge.modulegen.vassal.replay import PieceView
    from hexforge.modulegen.vassal.story import Action
    from hexforge.scenarios.binding import Binding, BoundHexes
    from hexforge.scenarios.model import Scenario

_STEP: Final = "Step_Level"
_OURS: Final = frozenset((UNIT, "Side", _STEP))
_NOWHERE: Final = "-"


@dataclass(frozen=True)
class BoundGrid(HexGrid):
    """A grid of others whose hexes have the game's names. `names`: by line and place as VASSAL counts them."""

    names: Mapping[Point, str] = field(default_factory=dict)

    def location_name(self, point: Point, size: Point) -> str | None:
        """The game's name of the hex that a pixel lies in."""
        return self.names.get(self.raw(point))

    def point_of(self, name: str, size: Point) -> Point | None:
        """The pixel of a hex's centre."""
        line, place = next((raw for raw, known in self.names.items() if known == name), (0, 0))
        along = self.x0 + line * self.dx
        across = self.y0 + place * self.dy + (self.dy / 2 if line % 2 else 0)
        return (round(across), round(along)) if self.sideways else (round(along), round(across))


@dataclass(frozen=True)
class Bound:
    """A binding at work."""

    binding: Binding
    scenario: Scenario

    @cached_property
    def marks(self) -> Marks:
        """What a module of ours would say of itself."""
        maps = self.binding.maps
        return Marks(
            self.scenario.name,
            self.scenario.digest,
            "en",
            maps.main,
            maps.reserves or _NOWHERE,
            maps.losses or _NOWHERE,
            _grid(self.binding.hexes, self.scenario),
            dict(self.binding.sides),
            dict(self.binding.left),
        )

    def see(self, view: PieceView) -> PieceView:
        """A piece as the unit that it is tied to. What the reader may not know of it is not told here either."""
        if view.hidden or view.masked:
            return view
        known, tied = view.properties, self.binding
        names = (known.get("BasicName", ""), view.name)
        unit = tied.ids.get(view.id) or tied.slots.get(view.gpid)
        unit = unit or next((tied.pieces[n] for n in names if n in tied.pieces), None)
        properties = {k: v for k, v in known.items() if k not in _OURS}
        counter = self.scenario.counters.get(unit or "")
        if counter is not None:
            properties |= {UNIT: counter.id, "Side": counter.side, _STEP: str(self._lost(known) + 1)}
        return replace(view, properties=properties, following=view.following - {_STEP.removesuffix("_Level")})

    def _lost(self, properties: Mapping[str, str]) -> int:
        steps = self.binding.steps
        value = properties.get(steps.property, "")
        if steps.values:
            return max(0, steps.values.get(value, 0))
        return max(0, int(value) - 1) if value.isdecimal() and len(value) < 3 else 0

    def turn(self, state: str) -> str:
        """What a turn tracker shows, as ours would: a count of turns, within it the binding's phases."""
        if not self.binding.phases:
            return state
        try:
            levels = decode(decode(state, "|")[-1], ";")
            turn, index = int(levels[0]), int(decode(levels[4], ";")[0])
            side, phase = self.binding.phases[index].split()
        except (IndexError, ValueError):
            return state
        number = self.binding.phases[: index + 1].count(self.binding.phases[index])
        return write_clock(TrackerReading(turn, side, phase, number), self.scenario) or state

    def act(self, action: Action) -> Action:
        """An action with the turns as ours would show them, without dice that are for no combat."""
        thrown = self.binding.dice
        events = tuple(
            e._replace(before=e.before and self.turn(e.before), after=e.after and self.turn(e.after))
            if e.kind == "turn"
            else e
            for e in action.events
            if not (thrown and e.kind == "dice" and e.text not in thrown)
        )
        return replace(action, events=events)


def _grid(hexes: BoundHexes, scenario: Scenario) -> BoundGrid:
    field_ = scenario.map.grid
    grid = BoundGrid(hexes.dx, hexes.dy, hexes.x0, hexes.y0, hexes.pointy)
    return replace(grid, names=field_.counted_from(hexes.first)) if hexes.first in field_ else grid
