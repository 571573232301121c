"""What the rules limit, in the words of the charts: stacks, barred hexes and lines, marches, overruns, guns.

Lines of supply in the words of the charts: whence they come, how long they are, what want of them is called.

What is done in a phase besides moving and fighting, told from the game's data for the sequence of play.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ...scenarios.text.words import Words
from .condition_words import (
    Whose,
    kind_name,
    loss_words,
    lowered,
    mark_name,
    phase_words,
    place_name,
    row_of,
    side_name,
    turns_words,
    weather_words,
)
from .templates import column_head, halves_words, spoken

if TYPE_CHECKING:
    from ...scenarios.model import Scenario, Text
    from ...scenarios.schema.base import AtTimes
    from ...scenarios.schema.rules import Attrition, Lapse, Rally, Replacements, StateMark
    from ...scenarios.schema.rules_movement import Frontier, March, Overrun
    from ...scenarios.schema.rules_zones import Line, Supply


_MANY: Final = 8
"""So many hexes are named one by one."""


def bound_words(scenario: Scenario, text: Text) -> Iterator[str]:
    """A sentence for each rule of the game that limits something."""
    yield from _Bounds(scenario, text).sentences()


class _Bounds:
    def __init__(self, scenario: Scenario, text: Text) -> None:
        self.scenario, self.text, self.rules = scenario, text, scenario.game.rules
        self.said = text.section("charts.bounds")

    def sentences(self) -> Iterator[str]:
        movement = self.rules.movement
        yield self._sentence("stacking", self._stacking())
        for barred in movement.barred_hexes:
            who = Whose.of(barred).words(self.scenario, self.text) or self._say("nobody")
            yield self._sentence("hexes", [self._say("barred", who=who, hexes=self._hexes(barred.hexes))])
        for frontier in movement.frontiers:
            yield self._sentence("lines", [self._frontier(frontier)])
        for march in movement.marches:
            yield self._sentence("march", self._march(march))
        for overrun in movement.overruns:
            yield self._sentence("overrun", self._overrun(overrun))
        if guns := list(self._guns()):
            yield self._sentence("guns", guns)

    def _say(self, key: str, **values: object) -> str:
        return self.said[key].format(**values)

    def _sentence(self, key: str, parts: list[str]) -> str:
        return f"{self._say(key)}: {'; '.join(filter(None, parts))}."

    def _hexes(self, hexes: tuple[str, ...]) -> str:
        return row_of(list(hexes)) if len(hexes) <= _MANY else self._say("many", n=len(hexes), first=hexes[0])

    def _names_of(self, section: str, ids: tuple[str, ...]) -> str:
        return row_of([lowered(self.text.get(f"{section}.{id_}") or spoken(id_)) for id_ in ids])

    # ---------------------------------------------------------------------------------------------- stacks

    def _stacking(self) -> list[str]:
        rule = self.rules.stacking
        unit = "points" if rule.points else rule.counted
        parts = [self._say(unit if rule.limit > 1 else f"{unit}_1", n=rule.limit)]
        if rule.points:
            worth = [f"{self._weighed(id_)} {points}" for id_, points in rule.points.items()]
            parts.append(self._say("worth_steps" if rule.counted == "steps" else "worth", kinds=row_of(worth)))
        if rule.terrain:
            limits = [f"{self._names_of('terrain', (id_,))} {limit}" for id_, limit in rule.terrain.items()]
            less = all(limit <= rule.limit for limit in rule.terrain.values())
            parts.append(self._say("in_terrain" if less else "in_terrain_other", limits=row_of(limits)))
        if rule.free:
            parts.append(self._say("free", who=row_of([kind_name(self.text, kind) for kind in rule.free])))
        parts += [self._say(f"one_{rule.alike}")] if rule.alike != "any" else []
        for side, own in rule.sides.items():
            told = [str(own.limit)] if own.limit is not None else []
            told += [self._say(f"one_{own.alike}")] if own.alike not in (None, "any") else []
            parts += [f"{side_name(self.text, side)}: {', '.join(told)}"] if told else []
        return [*parts, self._say(f"checked_{rule.checked}")]

    def _weighed(self, id_: str) -> str:
        counter = self.scenario.counters.get(id_)
        if counter is not None:
            return counter.name(self.text.language)
        return self.text.get(f"sizes.{id_}") or self.text.get(f"charts.sizes.{id_}") or kind_name(self.text, id_)

    # -------------------------------------------------------------------------------------------- movement

    def _frontier(self, rule: Frontier) -> str:
        who = Whose.of(rule).words(self.scenario, self.text) or self._say("nobody")
        told = self._say("frontier", who=who, lines=self._names_of("hexsides", rule.hexsides))
        limits = [self._say("eastwards")] if rule.eastwards else []
        limits += [self._say("beyond", line=self._names_of("hexsides", (rule.beyond,)))] if rule.beyond else []
        return f"{told} ({', '.join(limits)})" if limits else told

    def _times(self, rule: AtTimes) -> list[str]:
        """To whom and when a rule applies."""
        told = [Whose.of(rule).words(self.scenario, self.text)]
        told += [turns_words(self.text, rule.turns)] if rule.turns else []
        told += [phase_words(self.text, rule.phases)] if rule.phases else []
        return told + ([weather_words(self.text, rule.weather)] if rule.weather else [])

    def _march(self, rule: March) -> list[str]:
        parts = [*self._times(rule)]
        parts += [self._say("times", n=rule.times)] if rule.times > 1 else []
        parts += [self._say("more", n=halves_words(rule.more))] if rule.more else []
        parts += [self._say("along", ways=self._names_of("ways", rule.ways))] if rule.ways else []
        parts += [self._clear(rule.clear_of)] if rule.clear_of != "nothing" else []
        parts += [self._say(f"carried_{rule.counted}", n=rule.most)] if rule.most is not None else []
        return parts

    def _clear(self, of: str) -> str:
        zone = Words(self.text.language, {self.text.language: self.text}).term("concepts", "zone")
        return self._say(f"clear_of_{of}", zone=zone)

    def _overrun(self, rule: Overrun) -> list[str]:
        parts = [*self._times(rule)]
        if rule.barred_marks:
            parts.append(self._say("not_with", marks=row_of([mark_name(self.text, m) for m in rule.barred_marks])))
        if rule.targets:
            parts.append(self._say("targets", who=row_of([kind_name(self.text, kind) for kind in rule.targets])))
        parts.append(self._say("least", column=column_head(rule.least)))
        parts += [self._say("strength", n=rule.strength)] if rule.strength else []
        parts.append(self._say("result", code=rule.result) if rule.result else self._say("dice"))
        if rule.points or not rule.ground:
            key = "price" if rule.ground else "price_alone"
            parts.append(self._say(key, n=halves_words(rule.points)))
        parts += [self._say("not_in", terrain=self._names_of("terrain", rule.barred))] if rule.barred else []
        return parts

    # ------------------------------------------------------------------------------------------------ guns

    def _guns(self) -> Iterator[str]:
        rule = self.rules.combat.artillery
        if not any(counter.range is not None for counter in self.scenario.counters.values()):
            return
        if rule.guards_most is not None:
            yield self._say("guards_most", n=rule.guards_most)
        if rule.guards_phase is not None:
            yield self._say("guards_phase", n=rule.guards_phase)
        if rule.guards_clear_of != "nothing":
            yield self._say("guards_clear", how=self._clear(rule.guards_clear_of))
        if rule.defence == "division":
            yield self._say("guards_division")
        if rule.one_formation:
            yield self._say("one_formation")
        if rule.silent_terrain:
            yield self._say("silent", terrain=self._names_of("terrain", rule.silent_terrain))


def supply_words(scenario: Scenario, text: Text) -> Iterator[str]:
    """A sentence for each rule of supply; sides with the same rule share one."""
    told: dict[str, list[str]] = {}
    for rule in scenario.game.rules.supply:
        whose = [rule.side] if rule.side else [spec.id for spec in scenario.game.sides]
        told.setdefault(_told(scenario, text, rule), []).extend(side_name(text, side) for side in whose)
    for said, sides in told.items():
        yield f"{text['charts.supply.of'].format(sides=row_of(sides))}: {said}."


def _told(scenario: Scenario, text: Text, rule: Supply) -> str:
    said = text.section("charts.supply")
    edges = [text.get(f"edges.{edge}", edge) for edge in rule.edges]
    sources = [said["edge"].format(edge=edge) for edge in edges]
    sources += [place_name(scenario, text, place) for place in rule.places]
    sources += [kind_name(text, kind) for kind in rule.depots]
    parts = [said["from"].format(sources=row_of(sources), line=_line(text, rule.line))] if sources else []
    if rule.headquarters:
        names = row_of([kind_name(text, kind) for kind in rule.headquarters])
        key = "through" if rule.direct else "through_alone"
        parts.append(said[key].format(who=names, line=_line(text, rule.headquarters_line or rule.line)))
    parts += [said[f"own_{rule.formation}"]] if rule.formation else []
    parts.append(said[f"zones_{rule.zones}"])
    whose = Whose(divisions=rule.divisions, units=rule.units).words(scenario, text)
    parts += [said["only"].format(who=whose)] if whose else []
    parts += (
        [said["exempt"].format(who=row_of([kind_name(text, kind) for kind in rule.exempt]))] if rule.exempt else []
    )
    parts += [turns_words(text, rule.turns)] if rule.turns else []
    marks = " → ".join(mark_name(text, mark) for mark in (rule.mark, *rule.stages))
    return "; ".join((*parts, said["without"].format(marks=marks)))


def _line(text: Text, line: Line) -> str:
    """How long a line may be."""
    if line.kind == "hexes":
        return text["charts.supply.hexes"].format(n=line.hexes)
    if line.kind == "points":
        movement = text.get(f"movement_classes.{line.movement}") or spoken(line.movement)
        return text["charts.supply.points"].format(n=line.points, movement=movement)
    return text["charts.supply.any"]


_OF_ONES_OWN: Final = ("rally", "mark", "recover")
"""What belongs into movement where no phase of the side lists it."""


_GONE: Final = {"start": "gone_start", "end": "gone_end"}
_BECOMES: Final = {"start": "becomes_start", "end": "becomes_end"}
_WHOSE: Final = {"enemy": "of_enemy", "any": "of_any"}


def phase_steps(scenario: Scenario, text: Text, index: int) -> list[str]:
    """What is done in a phase of the sequence by rules of the game, in the order in which it is."""
    phase = _Phase(scenario, text, index)
    before = (*phase.thrown(), *phase.supply(), *phase.gone("start"), *phase.worn())
    return [f"{said[:1].upper()}{said[1:]}" for said in (*before, *phase.done(), *phase.gone("end"))]


@dataclass(frozen=True)
class _Phase:
    scenario: Scenario
    text: Text
    index: int

    @property
    def _names(self) -> tuple[str, ...]:
        return self.scenario.game.sequence[self.index].names

    @property
    def _side(self) -> str:
        return self.scenario.game.sequence[self.index].side

    def _say(self, key: str, **values: object) -> str:
        return self.text[f"charts.steps.{key}"].format(**values)

    def _first_of(self, name: str | None) -> bool:
        """Whether this is the first phase of a name in the turn, or of all without one."""
        found = (i for i, spec in enumerate(self.scenario.game.sequence) if name in spec.names)
        return self.index == next(found, 0)

    def thrown(self) -> Iterator[str]:
        """Dice for the turn."""
        game = self.scenario.game
        if game.order_die is not None and self._first_of(game.order_die.phase):
            yield self._say("order")
        weather = game.weather_die
        if weather is not None and weather.thrown and self._first_of(weather.phase):
            yield self._say("weather")

    def supply(self) -> Iterator[str]:
        """Whose supply is looked for as the phase begins."""
        found: list[str] = []
        for rule in self.scenario.game.rules.supply:
            for spec in self.scenario.game.sides:
                if rule.side in (None, spec.id):
                    of = "" if spec.id == self._side else "enemy_"
                    asked = {f"{of}{name}" for name in self._names}
                    name = side_name(self.text, spec.id)
                    name += f" ({turns_words(self.text, rule.turns)})" if rule.turns else ""
                    found += [name] if not asked.isdisjoint(rule.checked) else []
        if found:
            yield self._say("supply", sides=row_of(list(dict.fromkeys(found))))

    def gone(self, at: str) -> Iterator[str]:
        """Marks that are gone as the phase begins, or as it ends."""
        for mark in self.scenario.game.rules.marks:
            for lapse in mark.lapses:
                if lapse.phase in self._names and lapse.at == at:
                    key = _BECOMES[at] if lapse.becomes else _GONE[at]
                    other = mark_name(self.text, lapse.becomes) if lapse.becomes else ""
                    yield self._say(key, mark=mark_name(self.text, mark.mark), who=self._from(lapse), other=other)

    def _from(self, lapse: Lapse) -> str:
        sides = [self._say(_WHOSE[lapse.whose])] if lapse.whose != "own" else []
        sides += [self._say("unmoved")] if lapse.unmoved else []
        sides += [self._say("clear")] if lapse.clear else []
        return f" ({'; '.join(sides)})" if sides else ""

    def worn(self) -> Iterator[str]:
        """Who loses steps for what it bears."""
        for rule in self.scenario.game.rules.attrition:
            mine = rule.side in (None, self._side)
            if rule.phase in self._names and (mine if rule.whose == "own" else rule.side != self._side):
                yield self._attrition(rule)

    def _attrition(self, rule: Attrition) -> str:
        side = rule.side if rule.whose == "enemy" else None
        whose = Whose(side, rule.types, rule.divisions, rule.units, rule.marks).words(self.scenario, self.text)
        who = [whose or self._say("everybody")]
        who += [self._say("of_enemy")] if rule.whose == "enemy" and side is None else []
        who += [self._say("moved")] if rule.moved else []
        loss = loss_words("steps", rule.steps, self.text)
        return self._say("attrition" if rule.last else "attrition_but", who="; ".join(who), loss=loss)

    def done(self) -> Iterator[str]:
        """The statements that belong into the phase."""
        sequence = self.scenario.game.sequence
        mine = [spec for spec in sequence if spec.side == self._side]
        does = list(sequence[self.index].does)
        if sequence[self.index].phase == "movement":
            does += [one for one in _OF_ONES_OWN if not any(one in spec.does for spec in mine)]
        elif any(set(rule.phases).intersection(self._names) for rule in self._points):
            does.append("recover")
        told = {"rally": self._rallied, "mark": self._taken, "recover": self._recovered, "enter": self._entering}
        for one in dict.fromkeys(does):
            yield from told[one]() if one in told else (self._say(one),)

    def _in(self, phases: tuple[str, ...], deed: str) -> bool:
        """Whether it is told here that something is done in some phases: by an id there, else in one of them."""
        spec, sequence = self.scenario.game.sequence[self.index], self.scenario.game.sequence
        if spec.id in phases or deed in spec.does:
            return not phases or not set(phases).isdisjoint(spec.names)
        alike = [i for i, p in enumerate(sequence) if (p.side, p.phase) == (spec.side, spec.phase)]
        own = [i for i in alike if i not in self.scenario.game.reactions] or alike
        return self.index == own[0] and (spec.phase in phases if phases else spec.phase == "movement")

    def _rallied(self) -> Iterator[str]:
        for mark in self.scenario.game.rules.marks:
            if mark.rally is not None and self._in(mark.rally.phases, "rally"):
                yield self._say("rally", mark=mark_name(self.text, mark.mark), how=self._rally(mark.rally))

    def _rally(self, rally: Rally) -> str:
        how = []
        if rally.dice is not None:
            held = lowered(self.text[f"charts.results.held_{rally.passes}"]) if rally.passes else rally.shows
            how.append(f"{rally.dice}, {held}")
        how += [Whose(near=rally.by).words(self.scenario, self.text)] if rally.by else []
        how += [self._say("in_place_of_moving")] if rally.unmoved else []
        how += [self._say("clear")] if rally.clear else []
        return f": {'; '.join(how)}" if how else ""

    def _taken(self) -> Iterator[str]:
        for mark in self.scenario.game.rules.marks:
            take = mark.take
            if take is not None and take.side in (None, self._side) and self._in(take.phases, "mark"):
                yield self._say("mark", mark=mark_name(self.text, mark.mark), how=self._take(mark))

    def _take(self, mark: StateMark) -> str:
        take = mark.take
        assert take is not None
        text = self.text
        how = [Whose(None, take.types, take.divisions, take.units, take.marks).words(self.scenario, text)]
        if take.barred_marks:
            how.append(self._say("not_with", marks=row_of([mark_name(text, one) for one in take.barred_marks])))
        if take.terrain:
            names = row_of([lowered(text.get(f"terrain.{t}") or t) for t in take.terrain])
            how.append(text["charts.when.in_any"].format(names=names))
        how += [self._say("in_place_of_moving")] if take.unmoved else []
        how += [self._say("clear")] if take.clear else []
        told = "; ".join(filter(None, how))
        return f": {told}" if told else ""

    def _entering(self) -> Iterator[str]:
        setup, rules = self.scenario.setup, self.scenario.game.rules
        lines = [r for r in setup.reinforcements if self.scenario.counters[r.units[0]].side == self._side]
        comes = any(not r.phases or not set(r.phases).isdisjoint(self._names) for r in lines)
        rebuilt = any(r.rebuild is not None and r.side == self._side for r in rules.replacements)
        if comes or rebuilt:
            yield self._say("enter_both" if comes and rebuilt else "enter" if comes else "enter_rebuilt")

    def _recovered(self) -> Iterator[str]:
        recovery = (rule for rule in self.scenario.game.rules.movement.recovery if rule.side == self._side)
        if not self._points and any(recovery) and self._in((), "recover"):
            yield self._say("recover")
        for rule in self._points:
            if self._in(rule.phases, "recover"):
                yield self._replacements(rule)

    @property
    def _points(self) -> list[Replacements]:
        return [rule for rule in self.scenario.game.rules.replacements if rule.side == self._side]

    def _replacements(self, rule: Replacements) -> str:
        text = self.text
        whose = Whose(types=rule.types).words(self.scenario, text)
        when = [whose] if whose else []
        when += [turns_words(text, rule.turns)] if rule.turns else []
        parts = [self._say("points", n=rule.points)]
        if rule.held:
            places = row_of([place_name(self.scenario, text, place) for place in rule.held])
            parts = [self._say("points_held", n=rule.points, places=places)]
        parts += [self._say("step", n=rule.step)] if rule.step is not None else []
        parts += [self._say("most", n=rule.most)] if rule.most is not None else []
        parts += [self._rebuilding(rule)] if rule.rebuild is not None else []
        if rule.near is not None:
            whose = Whose.of(rule.near).words(self.scenario, text) or text["charts.turns.own"]
            key = "near" if rule.near.hexes > 1 else "beside"
            parts.append(text[f"charts.turns.{key}"].format(units=whose, n=rule.near.hexes))
        if rule.saved is not None:
            parts.append(self._say("saved_all" if rule.saved == "all" else "saved", n=rule.saved))
        if rule.barred_marks:
            parts.append(self._say("not_with", marks=row_of([mark_name(text, one) for one in rule.barred_marks])))
        return self._say("replacements", when=f" ({'; '.join(when)})" if when else "", what="; ".join(parts))

    def _rebuilding(self, rule: Replacements) -> str:
        text = self.text
        who = Whose(types=rule.rebuilds).words(self.scenario, text)
        places = [place_name(self.scenario, text, place) for place in rule.places]
        places += [text["charts.supply.edge"].format(edge=text.get(f"edges.{edge}", edge)) for edge in rule.edges]
        told = [self._say("rebuild", n=rule.rebuild) + (f" ({who})" if who else "")]
        told += [text["charts.turns.at"].format(hexes=row_of(places))] if places else []
        told += [self._say("delay_1" if rule.delay == 1 else "delay", n=rule.delay)] if rule.delay else []
        return ", ".join(told)
