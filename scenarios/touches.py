"""What rests on a hex, a counter, an area or an edge: set-ups, entries, objectives, rules, examples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.language import said
from hexforge.scenarios.model import Scenario

if TYPE_CHECKING:
    from hexforge.scenarios.schema.setup import Placement, Reinforcement

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
    ground = scenario.map
    if ground.provenance.get(hex_) == "printed":
        what = ground.notes.get(hex_) or said("its terrain", "o terreno")
        yield said(f"printed in the rulebook: {what}", f"impresso no livro de regras: {what}")
    elif note := ground.notes.get(hex_):
        yield said(f"note: {note}", f"nota: {note}")
    if hex_ in ground.fortified:
        yield said("a fortified hex", "hexágono fortificado")
    yield from places_on(scenario, hex_)
    for area in ground.areas:
        if hex_ in area.hexes:
            yield _area(area.id)
    for way in ground.ways:
        if hex_ in way.hexes:
            yield f"{way.kind} {way.name}".rstrip()
    for run in ground.hexside_runs:
        if any(hex_ in s for s in run.sides):
            yield f"{run.name} ({run.kind})" if run.name else run.kind
    for bridge in ground.bridge_list:
        if hex_ in bridge.side:
            side = "/".join(bridge.side)
            yield said(f"bridge {side}", f"ponte {side}")
    yield from setups_on(scenario, hex_)
    for r in scenario.setup.reinforcements:
        edges = [e for e in r.edges if hex_ in ground.edges[e]]
        if hex_ in r.hexes or edges:
            yield _may_enter(scenario, r, edges)
    yield from objectives_on(scenario, hex_)
    yield from _rules(scenario, hex_)
    yield from _examples(scenario, hex_)


def places_on(scenario: Scenario, hex_: Hex) -> Iterator[str]:
    """Places of a hex."""
    for place in scenario.map.places:
        if hex_ in place.hexes:
            what = f"{place.id} ({place.name}, {place.kind})"
            yield said(f"place {what}", f"lugar {what}")


def setups_on(scenario: Scenario, hex_: Hex) -> Iterator[str]:
    """Who starts in a hex, or may."""
    areas = {a.id for a in scenario.map.areas if hex_ in a.hexes}
    for placement in scenario.setup.at_start:
        if hex_ in placement.hexes or areas & set(placement.areas):
            yield _start_here(scenario, placement, placement.hexes == (hex_,))


def objectives_on(scenario: Scenario, hex_: Hex) -> Iterator[str]:
    """What a hex scores."""
    ground = scenario.map
    for objective in scenario.victory.objectives:
        if any(hex_ in ground.place[p].hexes for p in objective.place if p in ground.place):
            points = ", ".join(f"{side} {n}" for side, n in objective.points.items())
            what = f"{' '.join(objective.place)}: {points} ({scenario.citation(objective.section)})"
            yield said(f"objective {what}", f"objetivo {what}")


def _start_here(scenario: Scenario, placement: Placement, must: bool) -> str:
    units, section = _units(placement.units), scenario.citation(placement.section)
    if must:
        return said(f"set-up: {units} start here ({section})", f"posição inicial: {units} aqui ({section})")
    return said(
        f"set-up: {units} may start here ({section})", f"posição inicial: {units} podem começar aqui ({section})"
    )


def _may_enter(scenario: Scenario, r: Reinforcement, edges: Iterable[str]) -> str:
    units, section, names = _units(r.units), scenario.citation(r.section), list(edges)
    if names:
        by = said(" or ", " ou ").join(names)
        return said(
            f"turn {r.turn}: {units} may enter here by the {by} edge ({section})",
            f"turno {r.turn}: {units} podem entrar aqui pela borda {by} ({section})",
        )
    return said(
        f"turn {r.turn}: {units} may enter here ({section})",
        f"turno {r.turn}: {units} podem entrar aqui ({section})",
    )


def _area(area: str) -> str:
    return said(f"area {area}", f"área {area}")


def on_counter(scenario: Scenario, id_: str) -> Iterator[str]:
    """Its line of the set-up, its formations, the rulebook's totals, what it scores, which rules name it."""
    unit, setup = scenario.counters[id_], scenario.setup
    for placement in setup.at_start:
        if id_ in placement.units:
            where = " ".join([*placement.hexes, *placement.areas])
            where = where or said("free behind its line", "à escolha atrás da sua linha")
            section = scenario.citation(placement.section)
            yield said(f"set-up: {where} ({section})", f"posição inicial: {where} ({section})")
    for r in setup.reinforcements:
        if id_ in r.units:
            where = " ".join(r.hexes) or said(" or ", " ou ").join(r.edges)
            section = scenario.citation(r.section)
            yield said(
                f"enters in turn {r.turn}: {where} ({section})", f"entra no turno {r.turn}: {where} ({section})"
            )
    for w in setup.withdrawals:
        if id_ in w.units:
            section = scenario.citation(w.section)
            yield said(f"leaves in turn {w.turn} ({section})", f"sai no turno {w.turn} ({section})")
    for quota in setup.quotas:
        if id_ in quota.units:
            section = scenario.citation(quota.section)
            yield said(
                f"counts for {quota.regiments} regiments in {quota.area} ({section})",
                f"conta para {quota.regiments} regimentos em {quota.area} ({section})",
            )
    for kind, called in (
        ("regiment", said("regiment", "regimento")),
        ("division", said("division", "divisão")),
        ("corps", said("corps", "corpo")),
    ):
        name = getattr(unit, kind)
        fellows = [u.id for u in scenario.counters.values() if u.side == unit.side and getattr(u, kind) == name]
        if name and len(fellows) > 1:
            others = _units(f for f in fellows if f != id_)
            yield said(f"{called} {name} with {others}", f"{called} {name} com {others}")
    if unit.side in setup.totals:
        total, section = setup.totals[unit.side], scenario.citation(setup.totals_section)
        yield said(
            f"one of the {total} {unit.side} counters that the rulebook counts ({section})",
            f"uma das {total} peças de {unit.side} que o livro de regras conta ({section})",
        )
    for exit_ in scenario.victory.exits:
        if unit.side == exit_.side and exit_.division in (unit.division, unit.corps):
            section = scenario.citation(exit_.section)
            yield said(
                f"scores {exit_.points} by leaving {exit_.edge} ({section})",
                f"vale {exit_.points} ao sair por {exit_.edge} ({section})",
            )
    yield from _rules(scenario, id_)
    yield from _examples(scenario, id_)


def _units(ids: Iterable[str]) -> str:
    """A list of units that stays short."""
    words = list(ids)
    more = len(words) - 4
    return " ".join(words[:4]) + (said(f" and {more} more", f" e mais {more}") if more > 0 else "")


def _rules(scenario: Scenario, word: str) -> Iterator[str]:
    """Rules of game.yaml that name a hex or a counter, by the keys that lead to them."""

    def walk(value: object, where: str) -> Iterator[str]:
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from walk(inner, f"{where}.{key}")
        elif isinstance(value, tuple | list):
            if word in value:
                yield _rule(where)
            for i, inner in enumerate(value):
                if isinstance(inner, dict):
                    yield from walk(inner, f"{where}.{i}")

    yield from walk(scenario.game.rules.model_dump(), "rules")


def _rule(where: str) -> str:
    return said(f"rule {where} of game.yaml", f"regra {where} de game.yaml")


def _examples(scenario: Scenario, word: str) -> Iterator[str]:
    """Sheets in the game's `examples` folder that mention a hex or a counter."""
    mention = re.compile(rf"(?<![\w.-]){re.escape(word)}(?![\w.-])")
    for path in sorted((scenario.folder / "examples").glob("*.sheet")):
        with path.open(encoding="utf-8", errors="replace") as file:
            if mention.search(file.read(_MAX_EXAMPLE)):
                yield said(f"example {path.name}", f"exemplo {path.name}")


def on_area(scenario: Scenario, area: str) -> Iterator[str]:
    """Who may start in an area, what it scores, which rules name it."""
    for placement in scenario.setup.at_start:
        if area in placement.areas:
            yield _start_here(scenario, placement, must=False)
    section = scenario.citation(scenario.victory.section)
    for side, areas in scenario.victory.beyond_area.items():
        if area in areas:
            points = areas[area]
            yield said(f"scores {points} for {side} ({section})", f"vale {points} para {side} ({section})")
    yield from _rules_of(scenario, area)


def _rules_of(scenario: Scenario, name: str) -> Iterator[str]:
    """Rules that name an area or a place as a single word, not in a list."""

    def walk(value: object, where: str) -> Iterator[str]:
        if isinstance(value, dict):
            for key, inner in value.items():
                if inner == name:
                    yield _rule(f"{where}.{key}")
                yield from walk(inner, f"{where}.{key}")
        elif isinstance(value, tuple | list):
            for i, inner in enumerate(value):
                yield from walk(inner, f"{where}.{i}")

    yield from walk(scenario.game.rules.model_dump(), "rules")


def on_edge(scenario: Scenario, edge: str) -> Iterator[str]:
    """Who may enter by an edge."""
    for r in scenario.setup.reinforcements:
        if edge in r.edges:
            yield _may_enter(scenario, r, ())
