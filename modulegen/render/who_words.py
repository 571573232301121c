"""Of whom a rule speaks and when it holds, in the words of the charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.modulegen.render.texts import spoken
from hexforge.scenarios.schema import modifiers as m

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario, Text
    from hexforge.scenarios.schema.rules_who import Selector

_FEW = 3
"""So many units are named one by one; more are told by their formations."""


def kind_name(text: Text, id_: str) -> str:
    """A unit type, a class of units or a movement class, by its name in the texts."""
    sections = ("unit_types", "classes", "movement_classes")
    return next(filter(None, (text.get(f"{section}.{id_}") for section in sections)), spoken(id_))


def side_name(text: Text, side: str) -> str:
    """A side by its name in the texts."""
    return text.get(f"sides.{side}.name") or text.get(f"sides.{side}", side.capitalize())


def mark_name(text: Text, mark: str) -> str:
    """A mark of units as it stands by itself."""
    return text.get(f"marks.{mark}") or text.get(f"charts.marks.{mark}") or spoken(mark)


def area_name(scenario: Scenario, text: Text, area: str) -> str:
    """An area by its name in the texts, or on the map."""
    named = {a.id: a.name for a in scenario.map.areas}
    return text.get(f"areas.{area}") or named.get(area) or area


def place_name(scenario: Scenario, text: Text, id_: str) -> str:
    """A place by its name in the texts, or on the map."""
    place = scenario.map.place.get(id_)
    return text.get(f"places.{id_}") or (place.name if place else id_)


def formation_name(scenario: Scenario, text: Text, number: str, side: str = "") -> str:
    """A division or corps by its name in the texts; else its units by theirs if they are few, else its number."""
    of = [c for c in scenario.counters.values() if number in (c.division, c.corps) and side in ("", c.side)]
    sides = dict.fromkeys((side, *(c.side for c in of)))
    named = next(filter(None, (text.get(f"formations.{one}.{number}") for one in sides if one)), "")
    if found := named or text.get(f"formations.{number}"):
        return found
    if number.isdecimal() or not 0 < len(of) <= _FEW:
        return number
    return row_of([c.name(text.language) for c in of])


def listed(scenario: Scenario, text: Text, ids: Sequence[str]) -> str:
    """Few units by name, many by formation with their number."""
    units = [scenario.counters[i] for i in ids]
    names = [u.name(text.language) for u in units]
    if len(units) <= _FEW:
        return row_of(names)
    grouped: dict[str, list[str]] = {}
    for unit, name in zip(units, names, strict=True):
        number = unit.division or unit.corps
        known = text.get(f"formations.{unit.side}.{number}") or text.get(f"formations.{number}")
        grouped.setdefault(known or number or name, []).append(name)
    return row_of([f"{g} ({len(of)})" if len(of) > 1 else of[0] for g, of in grouped.items()])


def row_of(names: Sequence[str]) -> str:
    """Names after each other; with semicolons where a name has a comma itself."""
    return ("; " if any("," in name for name in names) else ", ").join(names)


@dataclass(frozen=True)
class Whose:
    """The units that a rule speaks of; what is left empty does not matter."""

    side: str | None = None
    types: Sequence[str] = ()
    divisions: Sequence[str] = ()
    units: Sequence[str] = ()
    marks: Sequence[str] = ()
    near: m.Commander | None = None
    far: m.Commander | None = None

    @classmethod
    def of(cls, rule: m.Who | Selector) -> Whose:
        """Those of a rule, or of an effect."""
        led = (rule.near, rule.far) if isinstance(rule, m.Who) else (None, None)
        return cls(rule.side, rule.types, rule.divisions, getattr(rule, "units", ()), rule.marks, *led)

    def words(self, scenario: Scenario, text: Text) -> str:
        """`Tanks, Guns; Disrupted`; "" where the rule speaks of everybody."""
        side = self.side or ""
        parts = (
            side_name(text, side) if side else "",
            row_of(list(dict.fromkeys(kind_name(text, id_) for id_ in self.types))),
            row_of([formation_name(scenario, text, number, side) for number in self.divisions]),
            listed(scenario, text, self.units) if self.units else "",
            row_of([mark_name(text, mark) for mark in self.marks]),
            _led(scenario, text, "near", self.near),
            _led(scenario, text, "far", self.far),
        )
        return "; ".join(filter(None, parts))


def _led(scenario: Scenario, text: Text, how: str, by: m.Commander | None) -> str:
    """How near whom units stand, or how far from him."""
    if by is None:
        return ""
    said = text.section("charts.when")
    who = Whose.of(by).words(scenario, text) or said["lying_friends"]
    own = said["own"].format(who=who, formation=said[f"one_{by.formation}"]) if by.formation else who
    return said[f"led_{how}"].format(n=by.hexes, who=own)


def lowered(name: str) -> str:
    """A name as it stands within a sentence."""
    return name[:1].lower() + name[1:]


def turns_words(text: Text, span: tuple[int, int]) -> str:
    """`turns 2 to 4`, or `turn 3`."""
    first, last = span
    return text["charts.when.turn" if first == last else "charts.when.turns"].format(first=first, last=last)


def weather_words(text: Text, weathers: Sequence[str]) -> str:
    """Kinds of weather by their names."""
    return row_of([text.get(f"weather.{w}") or spoken(w) for w in weathers])
