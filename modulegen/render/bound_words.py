"""What the rules limit, in the words of the charts: stacks, barred hexes and lines, marches, overruns, guns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.render.texts import column_head, halves_words, spoken
from hexforge.modulegen.render.who_words import (
    Whose,
    kind_name,
    lowered,
    mark_name,
    row_of,
    side_name,
    turns_words,
    weather_words,
)
from hexforge.scenarios.words import Words

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario, Text
    from hexforge.scenarios.schema.rules_movement import Frontier, March, Overrun
    from hexforge.scenarios.schema.rules_who import AtTimes

_MANY: Final = 8
"""So many hexes are named one by one."""


def bound_words(scenario: Scenario, text: Text) -> Iterator[str]:
    """A sentence for each rule of the game that limits something."""
    yield from _Bounds(scenario, text).told()


class _Bounds:
    def __init__(self, scenario: Scenario, text: Text) -> None:
        self.scenario, self.text, self.rules = scenario, text, scenario.game.rules
        self.said = text.section("charts.bounds")

    def told(self) -> Iterator[str]:
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

    def _named(self, section: str, ids: tuple[str, ...]) -> str:
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
            limits = [f"{self._named('terrain', (id_,))} {limit}" for id_, limit in rule.terrain.items()]
            parts.append(self._say("in_terrain", limits=row_of(limits)))
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
        told = self._say("frontier", who=who, lines=self._named("hexsides", rule.hexsides))
        limits = [self._say("eastwards")] if rule.eastwards else []
        limits += [self._say("beyond", line=self._named("hexsides", (rule.beyond,)))] if rule.beyond else []
        return f"{told} ({', '.join(limits)})" if limits else told

    def _times(self, rule: AtTimes) -> list[str]:
        """To whom and when a rule applies."""
        told = [Whose.of(rule).words(self.scenario, self.text)]
        told += [turns_words(self.text, rule.turns)] if rule.turns else []
        return told + ([weather_words(self.text, rule.weather)] if rule.weather else [])

    def _march(self, rule: March) -> list[str]:
        parts = [*self._times(rule)]
        parts += [self._say("times", n=rule.times)] if rule.times > 1 else []
        parts += [self._say("more", n=halves_words(rule.more))] if rule.more else []
        parts += [self._say("along", ways=self._named("ways", rule.ways))] if rule.ways else []
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
        parts += [self._say("not_in", terrain=self._named("terrain", rule.barred))] if rule.barred else []
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
            yield self._say("silent", terrain=self._named("terrain", rule.silent_terrain))
