"""What rests on a hex, a counter, an area or an edge: set-ups, entries, objectives, rules, examples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scenarios.hexgrid import Hex
from scenarios.model import Scenario

_MAX_EXAMPLE = 1 << 20
"""Bytes of an example sheet that are searched; none of ours comes near."""


def touches_hex(scenario: Scenario, hex_: Hex) -> tuple[str, ...]:
    """What rests on a hex of the map, one line each. Raises KeyError for a hex off the map."""
    if hex_ not in scenario.map.terrain:
        raise KeyError(hex_)
    return tuple(on_hex(scenario, hex_))


def touches_counter(scenario: Scenario, id_: str) -> tuple[str, ...]:
    """What rests on a counter, one line each. Raises KeyError for one that counters.csv does not have."""
    return tuple(on_counter(scenario, id_))


def on_hex(scenario: Scenario, hex_: Hex) -> Iterator[str]:
    """Places, areas, ways and lines of a hex, who starts or enters there, what it scores, which rules name it."""
    ground, setup = scenario.map, scenario.setup
    if ground.provenance.get(hex_) == "printed":
        yield f"printed in the rulebook: {ground.notes.get(hex_) or 'its terrain'}"
    elif note := ground.notes.get(hex_):
        yield f"note: {note}"
    if hex_ in ground.fortified:
        yield "a fortified hex"
    for place in ground.places:
        if hex_ in place.hexes:
            yield f"place {place.id} ({place.name}, {place.kind})"
    for area in ground.areas:
        if hex_ in area.hexes:
            yield f"area {area.id}"
    for way in ground.ways:
        if hex_ in way.hexes:
            yield f"{way.kind} {way.name}".rstrip()
    for run in ground.hexside_runs:
        if any(hex_ in s for s in run.sides):
            yield f"{run.name} ({run.kind})" if run.name else run.kind
    for bridge in ground.bridge_list:
        if hex_ in bridge.side:
            yield f"bridge {'/'.join(bridge.side)}"
    areas = {a.id for a in ground.areas if hex_ in a.hexes}
    for placement in setup.at_start:
        if hex_ in placement.hexes or areas & set(placement.areas):
            verb = "start here" if placement.hexes == (hex_,) else "may start here"
            yield f"set-up: {_units(placement.units)} {verb} ({scenario.citation(placement.section)})"
    for r in setup.reinforcements:
        edges = [e for e in r.edges if hex_ in ground.edges[e]]
        if hex_ in r.hexes or edges:
            by = f" by the {' or '.join(edges)} edge" if edges else ""
            yield f"turn {r.turn}: {_units(r.units)} may enter here{by} ({scenario.citation(r.section)})"
    for objective in scenario.victory.objectives:
        if any(hex_ in ground.place[p].hexes for p in objective.place if p in ground.place):
            points = ", ".join(f"{side} {n}" for side, n in objective.points.items())
            yield f"objective {' '.join(objective.place)}: {points} ({scenario.citation(objective.section)})"
    yield from _rules(scenario, hex_)
    yield from _examples(scenario, hex_)


def on_counter(scenario: Scenario, id_: str) -> Iterator[str]:
    """Its line of the set-up, its formations, the rulebook's totals, what it scores, which rules name it."""
    unit, setup = scenario.counters[id_], scenario.setup
    for placement in setup.at_start:
        if id_ in placement.units:
            where = " ".join([*placement.hexes, *placement.areas]) or "free behind its line"
            yield f"set-up: {where} ({scenario.citation(placement.section)})"
    for r in setup.reinforcements:
        if id_ in r.units:
            where = " ".join(r.hexes) or " or ".join(r.edges)
            yield f"enters in turn {r.turn}: {where} ({scenario.citation(r.section)})"
    for w in setup.withdrawals:
        if id_ in w.units:
            yield f"leaves in turn {w.turn} ({scenario.citation(w.section)})"
    for quota in setup.quotas:
        if id_ in quota.units:
            yield f"counts for {quota.regiments} regiments in {quota.area} ({scenario.citation(quota.section)})"
    for kind in ("regiment", "division", "corps"):
        name = getattr(unit, kind)
        fellows = [u.id for u in scenario.counters.values() if u.side == unit.side and getattr(u, kind) == name]
        if name and len(fellows) > 1:
            yield f"{kind} {name} with {_units(f for f in fellows if f != id_)}"
    if unit.side in setup.totals:
        cite = scenario.citation(setup.totals_section)
        yield f"one of the {setup.totals[unit.side]} {unit.side} counters that the rulebook counts ({cite})"
    for exit_ in scenario.victory.exits:
        if unit.side == exit_.side and exit_.division in (unit.division, unit.corps):
            yield f"scores {exit_.points} by leaving {exit_.edge} ({scenario.citation(exit_.section)})"
    yield from _rules(scenario, id_)
    yield from _examples(scenario, id_)


def _units(ids: Iterable[str]) -> str:
    """A list of units that stays short."""
    words = list(ids)
    return " ".join(words[:4]) + (f" and {len(words) - 4} more" if len(words) > 4 else "")


def _rules(scenario: Scenario, word: str) -> Iterator[str]:
    """Rules of game.yaml that name a hex or a counter, by the keys that lead to them."""

    def walk(value: object, where: str) -> Iterator[str]:
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from walk(inner, f"{where}.{key}")
        elif isinstance(value, tuple | list):
            if word in value:
                yield f"rule {where} of game.yaml"
            for i, inner in enumerate(value):
                if isinstance(inner, dict):
                    yield from walk(inner, f"{where}.{i}")

    yield from walk(scenario.game.rules.model_dump(), "rules")


def _examples(scenario: Scenario, word: str) -> Iterator[str]:
    """Sheets in the game's `examples` folder that mention a hex or a counter."""
    mention = re.compile(rf"(?<![\w.-]){re.escape(word)}(?![\w.-])")
    for path in sorted((scenario.folder / "examples").glob("*.sheet")):
        with path.open(encoding="utf-8", errors="replace") as file:
            if mention.search(file.read(_MAX_EXAMPLE)):
                yield f"example {path.name}"


def on_area(scenario: Scenario, area: str) -> Iterator[str]:
    """Who may start in an area, what it scores, which rules name it."""
    for placement in scenario.setup.at_start:
        if area in placement.areas:
            yield f"set-up: {_units(placement.units)} may start here ({scenario.citation(placement.section)})"
    for side, areas in scenario.victory.beyond_area.items():
        if area in areas:
            yield f"scores {areas[area]} for {side} ({scenario.citation(scenario.victory.section)})"
    yield from _rules_of(scenario, area)


def _rules_of(scenario: Scenario, name: str) -> Iterator[str]:
    """Rules that name an area or a place as a single word, not in a list."""

    def walk(value: object, where: str) -> Iterator[str]:
        if isinstance(value, dict):
            for key, inner in value.items():
                if inner == name:
                    yield f"rule {where}.{key} of game.yaml"
                yield from walk(inner, f"{where}.{key}")
        elif isinstance(value, tuple | list):
            for i, inner in enumerate(value):
                yield from walk(inner, f"{where}.{i}")

    yield from walk(scenario.game.rules.model_dump(), "rules")


def on_edge(scenario: Scenario, edge: str) -> Iterator[str]:
    """Who may enter by an edge."""
    for r in scenario.setup.reinforcements:
        if edge in r.edges:
            yield f"turn {r.turn}: {_units(r.units)} may enter here ({scenario.citation(r.section)})"
