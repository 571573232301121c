"""What modifiers make of a kind of ground or line, in the words of the charts and the signs of the board.

What ground costs the classes of movement that a game has, surcharges of its rules and bans included.

Costs are in half points, as the tables have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ...scenarios.schema import modifiers
from ...scenarios.schema.base import multiplier, spans_of
from ...scenarios.schema.game import Points, Times
from ...scenarios.schema.rules_zones import PointLine
from ...scenarios.text.words import Words
from .condition_words import Whose, condition_words, lowered, row_of
from .templates import spoken

if TYPE_CHECKING:
    from ...scenarios.model import Scenario, Text
    from ...scenarios.schema.rules_movement import Surcharge
    from ...scenarios.schema.tables import ResultTable


def modifiers_on(scenario: Scenario, kind: str, id_: str) -> Iterator[modifiers.Modifier]:
    """The modifiers that hold where a kind of terrain is attacked, or a kind of hexside attacked across."""
    for rule in scenario.game.rules.combat.modifiers:
        for condition in rule.when:
            named: tuple[str, ...] = ()
            if isinstance(condition, modifiers.InTerrain) and kind == "terrain" and _of_ground(condition):
                named = condition.terrain
            if isinstance(condition, modifiers.AcrossHexside) and kind == "hexsides" and _of_ground(condition):
                named = condition.hexsides
            if id_ in named:
                yield rule


def rules_of_line(scenario: Scenario, id_: str) -> tuple[list[modifiers.Modifier], list[Surcharge]]:
    """What the rules make of a kind of hexside besides what its table says of it."""
    dearer = [rule for rule in scenario.game.rules.movement.surcharges if id_ in rule.hexsides]
    return list(modifiers_on(scenario, "hexsides", id_)), dearer


def _of_ground(condition: modifiers.Condition) -> bool:
    """Whether a condition is one that a kind of ground or line fulfils which is attacked."""
    if not isinstance(condition, modifiers.InTerrain | modifiers.AcrossHexside) or condition.share == "none":
        return False
    return isinstance(condition, modifiers.AcrossHexside) or condition.of == "defenders"


def effect_words(scenario: Scenario, text: Text, kind: str, id_: str) -> list[str]:
    """What each of them does, and when besides: `attack ×½ (Tanks)`, `defence ×2 (all across crest)`."""
    said = [_said(scenario, text, rule, (kind, id_)) for rule in modifiers_on(scenario, kind, id_)]
    for rule in scenario.game.rules.combat.no_engagement if kind == "terrain" else ():
        if id_ in rule.terrain:
            said.append(f"{text['charts.terrain.no_attack']} ({Whose(types=rule.types).words(scenario, text)})")
    return list(dict.fromkeys(said))


def other_words(scenario: Scenario, text: Text) -> Iterator[str]:
    """What the modifiers do that hang on no ground: `Combined arms: → 1 column (attackers: Armour + Infantry)`."""
    yield from _by_the_way(scenario, text)
    for rule in scenario.game.rules.combat.modifiers:
        if not any(map(_of_ground, rule.when)):
            named = _name(rule, text)
            said = "" if isinstance(rule.what, modifiers.ByUnity) else _said(scenario, text, rule)
            done, _, limits = said.partition(" (")
            if limits.casefold() == f"{named})".casefold():
                # Some are called by the mark for which they are.
                said = done
            # Some are called by what they do.
            line = said if done.casefold() == named.casefold() else f"{named}: {said}" if said else named
            yield f"{line[:1].upper()}{line[1:]}"


def _by_the_way(scenario: Scenario, text: Text) -> Iterator[str]:
    """What is worth columns by the short-hands of the rules: encirclement, and complete formations."""
    rules, said = scenario.game.rules.combat, text.section("charts.crt")
    if columns := rules.encirclement.columns:
        yield f"{said['encirclement']}: {_columns(columns, text)}"
    for side, types in rules.encirclement.immune.items() if rules.encirclement.relief else ():
        who = Whose(side=side, types=types).words(scenario, text)
        yield f"{said['encirclement']} ({who}): {_columns(-rules.encirclement.relief, text)}"
    for formation in ("regiment", "division"):
        bonus = getattr(rules.unity, formation)
        for party, columns in (("attack", bonus.attack), ("defence", -bonus.defence)):
            if columns:
                yield f"{said[f'whole_{formation}']}, {said[f'in_{party}']}: {_columns(columns, text)}"


def limit_words(scenario: Scenario, text: Text) -> Iterator[str]:
    """What counts of modifiers that do not simply add up, and how far all of them go."""
    rules, table = scenario.game.rules.combat, scenario.tables.crt
    groups: dict[str, set[str | None]] = {}
    for rule in rules.modifiers:
        groups.setdefault(_name(rule, text), set()).add(rule.group)
    for group, take in rules.groups.items():
        members = [rule for rule in rules.modifiers if rule.group == group]
        # Where others are called alike, what they do tells which are meant.
        named = ((rule, _name(rule, text)) for rule in members)
        known = (f"{name} ({_done(rule, text)})" if len(groups[name]) > 1 else name for rule, name in named)
        names = row_of(list(dict.fromkeys(known)))
        kind = take if isinstance(take, str) else "cap" if isinstance(take, modifiers.Cap) else "most"
        if len(members) > 1 and kind != "sum":
            count = take.most if isinstance(take, modifiers.Cap) else take
            before, _, after = text[f"charts.crt.group_{kind}"].partition("{names}")
            said = Words(text.language).joined(before, names) + after.format(n=count)
            yield f"{said[:1].upper()}{said[1:]}"
    yield from most_words(table, text)


def most_words(table: ResultTable, text: Text) -> Iterator[str]:
    """How far all that moves the column of a table, and all that is added to its dice, may go."""
    for key, most in (("columns", table.columns_most), ("die", table.die_modifier_most)):
        if most is not None:
            yield text[f"charts.crt.{key}_most"].format(n=most)


def _name(rule: modifiers.Modifier, text: Text) -> str:
    return text.get(f"modifiers.{rule.name}") or spoken(rule.name)


def _said(scenario: Scenario, text: Text, rule: modifiers.Modifier, on: tuple[str, str] = ("", "")) -> str:
    """What a modifier does, and in brackets to whom and when, but for the ground that it is told `on`."""
    what = rule.what
    said = _done(rule, text)
    if rule.table == "bombardment":
        said = f"{text['charts.bombardment.tab']}: {said}"
    limits: list[str] = []
    if rule.table == "both" and scenario.tables.bombardment is not None:
        limits.append(text["charts.when.fire_too"].format(fire=lowered(text["charts.bombardment.tab"])))
    if isinstance(what, modifiers.Strength | modifiers.Barred | modifiers.Stays):
        limits.append(Whose.of(what.units).words(scenario, text))
    for condition in rule.when:
        told = condition_words(scenario, text, condition)
        limits.append(_besides(condition, text) if _is(condition, on) else told)
    told = "; ".join(dict.fromkeys(filter(None, limits)))
    return f"{said} ({told})" if told else said


def _is(condition: modifiers.Condition, on: tuple[str, str]) -> bool:
    """Whether a condition is the ground or the line that a row stands for."""
    named = {"terrain": getattr(condition, "terrain", ()), "hexsides": getattr(condition, "hexsides", ())}
    return _of_ground(condition) and on[1] in named.get(on[0], ())


def _besides(condition: modifiers.Condition, text: Text) -> str:
    """What is asked of a line besides that it is there."""
    if not isinstance(condition, modifiers.AcrossHexside):
        return ""
    parts = [text["charts.when.crossed_any"]] if condition.share == "any" else []
    parts += [text[f"charts.when.bridged_{condition.bridged}"]] if condition.bridged != "any" else []
    return ", ".join(parts)


def _columns(columns: int, text: Text) -> str:
    n, arrow = abs(columns), "←" if columns < 0 else "→"
    return f"{arrow} {text[f'charts.terrain.columns_{1 if n == 1 else 2}'].format(n=n)}"


def _done(rule: modifiers.Modifier, text: Text) -> str:
    said = text.section("charts.terrain")
    match rule.what:
        case modifiers.Columns(columns=columns):
            return _columns(columns, text)
        case modifiers.Die(die=die):
            return said["die"].format(n=_signed(die))
        case modifiers.Barred(of=of):
            return said["no_attack" if of == "attackers" else f"no_attack_{of}"]
        case modifiers.Stays():
            return said["no_advance"]
        case modifiers.Multiply(of=of, by=by):
            return said[f"of_{of}"].format(n=f"×{multiplier(by)}")
        case modifiers.Morale(morale=morale):
            return said["morale"].format(n=_signed(morale))
        case modifiers.Fixed(of=of, strength=strength):
            return said[f"of_{of}"].format(n=strength)
    return _name(rule, text)


def _signed(value: int) -> str:
    return f"{'−' if value < 0 else '+'}{abs(value)}"


def sign(scenario: Scenario, kind: str, id_: str, columns: int) -> str:
    """The same in a cell of the board's key: columns, the die in brackets, `×½`; `*` for what has no room.

    What is for bombardments alone stands in the chart.
    """
    found = [_signed(columns)] if columns else []
    for rule in (one for one in modifiers_on(scenario, kind, id_) if one.table != "bombardment"):
        match rule.what:
            case modifiers.Columns(columns=more) if len(rule.when) == 1:
                found.append(_signed(more))
            case modifiers.Die(die=die) if len(rule.when) == 1:
                found.append(f"({_signed(die)})")
            case modifiers.Multiply(by=by) as what if len(rule.when) == 1 and _hampers(what):
                found.append(f"×{multiplier(by)}")
            case _:
                found.append("*")
    return " ".join(dict.fromkeys(found)) if len(found) < 3 else "*"


def _hampers(what: modifiers.Multiply) -> bool:
    """Whether a factor is what a reader takes it for on ground: twice the defence, or half the attack."""
    return what.of == "both" or (what.of == "attackers") == (what.by < 1)


CLOSED: Final = -1
"""In place of a cost: nobody of the class ever gets there across country."""
WHOLE: Final = -2
"""In place of a cost: it takes all of a unit's move."""
SHUT: Final = "×"
"""What stands for `CLOSED`."""
_HALVES: Final = 2


@dataclass(frozen=True)
class GroundCosts:
    """What the terrain effects chart and key have columns for, and what stands in them."""

    scenario: Scenario

    @cached_property
    def units(self) -> Mapping[str, tuple[str, ...]]:
        """The counters of each movement class by their ids."""
        types, found = self.scenario.game.unit_types, dict[str, list[str]]()
        for id_, counter in self.scenario.counters.items():
            found.setdefault(types[counter.type].movement, []).append(id_)
        return {movement: tuple(ids) for movement, ids in found.items()}

    @cached_property
    def supplying(self) -> frozenset[str]:
        """Movement classes that no unit has, by which lines of supply are measured."""
        rules = self.scenario.game.rules.supply
        lines = (line for rule in rules for line in (rule.line, rule.headquarters_line))
        return frozenset(line.movement for line in lines if isinstance(line, PointLine)) - self._moving

    @cached_property
    def _moving(self) -> frozenset[str]:
        return frozenset((*self.units, *(rule.movement for rule in self.scenario.game.rules.movement.entry_moves)))

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The movement classes of the game's units and of its lines of supply, in the game's order."""
        told = self._moving | self.supplying
        return tuple(c for c in self.scenario.game.movement_classes if c in told)

    def by_weather(self, movement: str, kind: str, id_: str) -> dict[str, int | None]:
        """What a class pays for a kind of ground in each weather, or `CLOSED`, or `WHOLE`; None: nothing is said.

        One entry at "" where the weather does not matter.
        """
        told = {w: self._cost(movement, kind, id_, w) for w in self.scenario.game.weathers or ("",)}
        return told if len(set(told.values())) > 1 else {"": next(iter(told.values()))}

    def _cost(self, movement: str, kind: str, id_: str, weather: str) -> int | None:
        costs = self._effect(kind, id_)[0].get(movement)
        cost = None if costs is None else costs.get(weather, costs.get(""))
        rules = [rule for rule in self.on_all(movement, kind, id_) if not rule.weather or weather in rule.weather]
        if self.shut(movement, kind, id_) or any(rule.barred for rule in rules):
            return CLOSED
        if any(rule.whole for rule in rules):
            return WHOLE
        if cost is None and not rules:
            return None
        cost = (cost or 0) + sum(rule.points for rule in rules)
        if (farthest := self._farthest(movement)) is not None and cost > farthest:
            return WHOLE if self.scenario.game.rules.movement.minimum == "one_hex" else CLOSED
        return cost

    def shut(self, movement: str, kind: str, id_: str) -> bool:
        """Whether the ground bars all units of a class, and no bridge could carry them over it."""
        barred, water = self._effect(kind, id_)[1:]
        units = self.units.get(movement, ())
        kinds = (self.scenario.kinds(self.scenario.counters[u].type) for u in units)
        return bool(units) and not water and all(not of.isdisjoint(barred) for of in kinds)

    def _effect(self, kind: str, id_: str) -> tuple[Mapping[str, Mapping[str, int]], Sequence[str], bool]:
        """The costs of a kind of ground by class and weather, whom it bars, and whether it is water."""
        tables = self.scenario.tables
        if kind == "terrain":
            return tables.terrain[id_].costs, tables.terrain[id_].barred, False
        if kind == "ways":
            return tables.ways[id_].costs, tables.ways[id_].barred, False
        effect = tables.fortified if kind == "fortified" else tables.hexsides[id_]
        return (effect.costs, effect.barred, effect.water) if effect else ({}, (), False)

    def on_all(self, movement: str, kind: str, id_: str) -> Iterator[Surcharge]:
        """The surcharges on a kind of ground that every unit of a class pays in every turn."""
        for rule in self.surcharges(kind, id_):
            units = self.units.get(movement, ())
            if units and not self._at_times(rule) and all(self.scenario.fits(rule, u) for u in units):
                yield rule

    def on_some(self, kind: str, id_: str) -> Iterator[tuple[Surcharge, tuple[str, ...]]]:
        """The surcharges that some units of a class pay, or that are paid in some turns, with the classes."""
        for rule in self.surcharges(kind, id_):
            paying = [m for m in self.classes if any(self.scenario.fits(rule, u) for u in self.units.get(m, ()))]
            some = tuple(m for m in paying if rule not in self.on_all(m, kind, id_))
            if some:
                yield rule, some

    def surcharges(self, kind: str, id_: str) -> Iterator[Surcharge]:
        """The surcharges on a kind of ground."""
        for rule in self.scenario.game.rules.movement.surcharges:
            if id_ in {"terrain": rule.terrain, "hexsides": rule.hexsides}.get(kind, ()):
                yield rule

    def _at_times(self, rule: Surcharge) -> bool:
        turns = self.scenario.game.turns
        spans = spans_of(rule.turns or (turns.first, turns.last))
        return bool(rule.marks) or not any(a <= turns.first and b >= turns.last for a, b in spans)

    def _farthest(self, movement: str) -> int | None:
        """What no unit of a class ever has more of to spend; None where the class has no units."""
        rules = self.scenario.game.rules.movement
        counters = (self.scenario.counters[u] for u in self.units.get(movement, ()))
        moves = [points for c in counters for points in (c.move, *c.reduced_move)]
        moves += [rule.move for rule in rules.entry_moves if rule.movement == movement]
        if not moves:
            return None
        most = max(moves) * _HALVES
        for rule in rules.allowances:
            most = max(most, rule.of(most) + rule.more)
        phases = [spec.allowance for spec in self.scenario.game.sequence]
        most *= max((far.times for far in phases if isinstance(far, Times)), default=1)
        marched = (most * march.times + march.more for march in rules.marches)
        given = (far.points * _HALVES for far in phases if isinstance(far, Points))
        return max((most, *marched, *given))
