"""The conditions of modifiers of combat in the words of the charts.

Of whom a rule speaks and when it holds, in the words of the charts.

What a code of the result tables demands, as a sentence put together from the game's data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ...scenarios.schema import modifiers
from ...scenarios.schema.base import spans_of
from ...scenarios.schema.results import Loss
from .templates import spoken

if TYPE_CHECKING:
    from ...scenarios.model import Scenario, Text
    from ...scenarios.schema.base import Selector
    from ...scenarios.schema.results import Consequence, Demand, Exchange, MoraleTest, Result, Worse


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
    near: modifiers.Commander | None = None
    far: modifiers.Commander | None = None
    ran: int = 0

    @classmethod
    def of(cls, rule: modifiers.Who | Selector) -> Whose:
        """Those of a rule, or of an effect."""
        led = (rule.near, rule.far, rule.ran) if isinstance(rule, modifiers.Who) else (None, None, 0)
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
            text["charts.when.ran"].format(n=self.ran) if self.ran else "",
        )
        return "; ".join(filter(None, parts))


def _led(scenario: Scenario, text: Text, how: str, by: modifiers.Commander | None) -> str:
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
    parts = spans_of(span)
    if len(parts) > 1:
        listed = row_of([str(a) if a == b else f"{a}–{b}" for a, b in parts])
        return text["charts.when.turns_of"].format(turns=listed)
    first, last = span
    return text["charts.when.turn" if first == last else "charts.when.turns"].format(first=first, last=last)


def weather_words(text: Text, weathers: Sequence[str]) -> str:
    """Kinds of weather by their names."""
    return row_of([text.get(f"weather.{w}") or spoken(w) for w in weathers])


def phase_words(text: Text, phases: Sequence[str]) -> str:
    """Phases by their names."""
    return row_of([text.get(f"phases.{p}") or spoken(p) for p in phases])


def condition_words(scenario: Scenario, text: Text, condition: modifiers.Condition) -> str:
    """What a condition asks for: `attackers: Armour`, `turns 2 to 4`; "" for what a modifier's row says anyway."""
    said = text.section("charts.when")
    match condition:
        case modifiers.InTurns():
            return turns_words(text, condition.turns)
        case modifiers.InWeather():
            return weather_words(text, condition.weather)
        case modifiers.InPhase():
            return phase_words(text, condition.phases)
        case modifiers.ByAttacker():
            return said["attacks"].format(side=side_name(text, condition.side))
        case modifiers.WithUnits():
            who = Whose.of(condition).words(scenario, text)
            who = said["so_many"].format(n=condition.least, who=who) if condition.least > 1 else who
            told = said[f"{condition.of}_{condition.share}"].format(who=who)
            return told if condition.afar else f"{told}, {said[f'near_{condition.of}']}"
        case modifiers.Together():
            lists = [row_of([kind_name(text, id_) for id_ in dict.fromkeys(each)]) for each in condition.types]
            return said[f"{condition.of}_any"].format(who=" + ".join(lists))
        case modifiers.IsDeclared():
            return _declared(text, condition)
        case modifiers.InOverrun():
            return said[f"overrun_{condition.share}"]
        case modifiers.IsOption():
            name = text.get(f"options.{condition.option}") or spoken(condition.option)
            return said["option" if condition.share == "all" else "option_not"].format(
                name=name, value=said[f"option_{condition.value}"]
            )
    return _of_place(scenario, text, condition)


def _of_place(scenario: Scenario, text: Text, condition: modifiers.Condition) -> str:
    """What is asked of the ground, of distances, and of what each side is and has left."""
    said = text.section("charts.when")
    match condition:
        case modifiers.InTerrain():
            key = f"{'from' if condition.of == 'attackers' else 'in'}_{condition.share}"
            return said[key].format(names=_names_of(text, "terrain", condition.terrain))
        case modifiers.InWorks():
            works = text.get("fortified") or said["works"]
            return said[f"in_{condition.share}"].format(names=lowered(works))
        case modifiers.AcrossHexside():
            told = said[f"across_{condition.share}"].format(names=_names_of(text, "hexsides", condition.hexsides))
            return told if condition.bridged == "any" else f"{told}, {said[f'bridged_{condition.bridged}']}"
        case modifiers.Surrounded():
            return said["surrounded"]
        case modifiers.Around():
            return said["opposite" if condition.opposite else "around"].format(n=condition.least)
        case modifiers.FromAfar():
            return said["afar" if condition.alone else "adjacent"]
        case modifiers.AtRange():
            return _distance(text, condition)
        case modifiers.Between():
            return said[f"between_{condition.share}"].format(names=_lying(text, condition))
        case modifiers.AfterLosses():
            side, counted = side_name(text, condition.side), said[f"lost_{condition.counted}"]
            told = said["losses"].format(side=side, n=condition.least, counted=counted)
            return f"{told}, {said[f'as_{condition.of}']}" if condition.of else told
        case modifiers.OfFormation():
            key = f"{'whole' if condition.whole else 'formation'}_{condition.of}"
            told = said[key].format(formation=said[f"one_{condition.by}"], n=condition.least)
            return told if condition.stand == "anywhere" else f"{told}, {said[f'stand_{condition.stand}']}"
    return ""


def _declared(text: Text, condition: modifiers.IsDeclared) -> str:
    said = text.section("charts.when")
    parts = [said[f"declared_{condition.by}"]]
    if condition.most:
        parts.append(said["declared_once" if condition.most == 1 else "declared_most"].format(n=condition.most))
    parts += [said["declared_times"].format(n=condition.times)] if condition.times > 1 else []
    return ", ".join(parts)


def _distance(text: Text, condition: modifiers.AtRange) -> str:
    least, most = condition.least, condition.most
    key = "distance_one" if least == most else "distance_from" if most is None else "distance"
    told = text[f"charts.when.{key}"].format(least=least, most=most)
    return told if condition.share != "none" else text["charts.when.not"].format(what=told)


def _lying(text: Text, condition: modifiers.Between) -> str:
    parts = [_names_of(text, "terrain", condition.terrain), _names_of(text, "hexsides", condition.hexsides)]
    parts += [text[f"charts.when.lying_{condition.units}"]] if condition.units != "none" else []
    return ", ".join(filter(None, parts))


def _names_of(text: Text, section: str, ids: Iterable[str]) -> str:
    return row_of([lowered(text.get(f"{section}.{id_}") or spoken(id_)) for id_ in dict.fromkeys(ids)])


_Role = Literal["attacker", "defender"]


def result_in_words(result: Result, text: Text) -> str:
    """The demands of a result on both sides, in the order in which they are carried out."""
    roles: tuple[_Role, _Role] = (
        ("attacker", "defender") if result.first == "attacker" else ("defender", "attacker")
    )
    parts = [_side(role, getattr(result, role), text) for role in roles]
    if result.first is not None and all(parts):
        parts.append(text["charts.results.first"].format(first=text[f"charts.results.{result.first}"]))
    if result.exchange is not None:
        parts.append(_exchange(result.exchange, text))
    return " ".join(filter(None, parts)) or text["charts.results.nothing"]


def _side(role: _Role, demand: Demand, text: Text) -> str:
    parts = ", ".join(_parts(demand, text))
    return f"{text[f'charts.results.{role}']}: {parts}." if parts else ""


def _parts(demand: Demand, text: Text) -> Iterator[str]:
    for what, loss in (("units", demand.units), ("steps", demand.steps)):
        if loss is not None:
            yield loss_words(what, loss, text)
    if (back := demand.retreat) is not None:
        yield text[f"charts.results.retreat_{1 if back.hexes == 1 else 2}"].format(n=back.hexes)
        if back.by == "opponent":
            yield text["charts.results.led"]
        if back.instead:
            number = "1" if back.instead == 1 else "2"
            how = number if back.instead_of == "all" else back.instead_of
            yield text[f"charts.results.instead_{how}"].format(n=back.instead)
    if demand.mark is not None:
        yield _mark(demand.mark, text)
    yield from _again(demand.again, demand.mark, text)
    if demand.morale is not None:
        yield _test(demand.morale, text)
    if demand.advance:
        yield text["charts.results.advance"]


def _mark(mark: str, text: Text) -> str:
    return text.get(f"marks.{mark}", spoken(mark)).lower()


def _test(test: MoraleTest, text: Text) -> str:
    fails = ", ".join((*_befalls(test.fails, text), *_again(test.fails.again, test.fails.mark, text)))
    held = text[f"charts.results.held_{test.passes}"]
    dice = f"{test.dice} {test.die:+d}".replace("-", "−") if test.die else test.dice
    return text["charts.results.test"].format(dice=dice, held=held, fails=fails)


def _befalls(one: Consequence, text: Text) -> Iterator[str]:
    """What a single unit suffers."""
    if one.steps == "all":
        yield text["charts.results.eliminated"]
    elif one.steps:
        yield loss_words("steps", Loss(count=one.steps), text)
    if one.retreat:
        yield text[f"charts.results.retreat_{1 if one.retreat == 1 else 2}"].format(n=one.retreat)
    if one.mark is not None:
        yield text["charts.results.becomes"].format(mark=_mark(one.mark, text))


def _again(again: Sequence[Worse], given: str | None, text: Text) -> Iterator[str]:
    """What those suffer besides who bear a mark already."""
    for one in again:
        mark = _mark(one.bears or given or "", text)
        yield text["charts.results.again"].format(mark=mark, what=", ".join(_befalls(one, text)))


def loss_words(what: str, loss: Loss, text: Text) -> str:
    """What somebody loses: `loses 2 steps`; `what` is `steps` or `units`."""
    if loss.dice is not None:
        rows = "; ".join(f"{name} → {many}" for name, many in loss.shows.items())
        form = text["charts.results.dice_rows" if rows else "charts.results.dice"]
        said = form.format(what=text[f"charts.results.dice_{what}"], dice=loss.dice, rows=rows)
    else:
        number = loss.count if isinstance(loss.count, str) else "1" if loss.count == 1 else "2"
        said = text[f"charts.results.{what}_{number}"].format(n=loss.count)
    if loss.each:
        said = text["charts.results.each"].format(what=said)
    return text["charts.results.picked"].format(what=said) if loss.picks == "opponent" else said


def _exchange(exchange: Exchange, text: Text) -> str:
    first, then = ("attacker", "defender") if exchange.first == "attacker" else ("defender", "attacker")
    said = text[f"charts.results.exchange_{exchange.counted}"].format(
        first=text[f"charts.results.{first}"], then=text[f"charts.results.{then}"]
    )
    if exchange.share != 1:
        said = text["charts.results.share"].format(said=said, share=exchange.share)
    if exchange.counted == "factors" and exchange.strength == "printed":
        said = f"{said} {text['charts.results.printed']}"
    return said
