"""Lines of supply in the words of the charts: whence they come, how long they are, what want of them is called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.render.texts import spoken
from hexforge.modulegen.render.who_words import kind_name, mark_name, place_name, row_of, side_name, turns_words

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario, Text
    from hexforge.scenarios.schema.rules_supply import Line, Supply


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
    parts.append(said[f"zones_{rule.zones}"])
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
