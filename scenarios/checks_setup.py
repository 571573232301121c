"""What is wrong with a set-up: units twice, where they may not stand, or too many; arrivals that find no way in."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from hexforge.scenarios.checker import Checker, Where
from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.language import said
from hexforge.scenarios.problems import Problem

if TYPE_CHECKING:
    from hexforge.scenarios.schema.setup import Placement, Reinforcement


def units_are_set_up_once(c: Checker) -> Iterator[Problem]:
    """Each counter has one line in setup.yaml, and each line has units of one side that counters.csv knows."""
    scenario, setup = c.scenario, c.scenario.setup
    seen: dict[str, str] = {}
    groups = [("at_start", i, p.units) for i, p in enumerate(setup.at_start)]
    groups += [("reinforcements", i, r.units) for i, r in enumerate(setup.reinforcements)]
    later = [("withdrawals", i, w.units) for i, w in enumerate(setup.withdrawals)]
    later += [("quotas", i, q.units) for i, q in enumerate(setup.quotas)]
    for key, i, units in groups + later:
        for id_ in units:
            if id_ not in scenario.counters:
                yield c.say(
                    "setup.yaml",
                    [key, i],
                    f"there is no counter {id_!r} in counters.csv",
                    f"não há a peça {id_!r} em counters.csv",
                )
            elif id_ in seen and (key, i, units) in groups:
                yield c.say(
                    "setup.yaml",
                    [key, i],
                    f"{id_} is set up twice; it stands in {seen[id_]} too",
                    f"{id_} é colocada duas vezes; está também em {seen[id_]}",
                )
            if (key, i, units) in groups:
                seen.setdefault(id_, f"{key} {i + 1}")
        if len({scenario.counters[u].side for u in units if u in scenario.counters}) > 1:
            yield c.say("setup.yaml", [key, i], "names units of both sides", "tem unidades dos dois lados")
    for id_ in scenario.counters:
        if id_ not in seen:
            yield c.say(
                "counters.csv",
                [id_],
                "is set up nowhere in setup.yaml",
                "não é colocada em lugar nenhum de setup.yaml",
                "warning",
            )


def hexes_take_who_starts_there(c: Checker) -> Iterator[Problem]:
    """Where a unit starts it may stand, the stack is within the limit, and the enemy is not there."""
    scenario, ground = c.scenario, c.scenario.map
    limit = scenario.game.rules.stacking.limit
    stacks: dict[Hex, list[str]] = {}
    for i, placement in enumerate(scenario.setup.at_start):
        unknown = [a for a in placement.areas if a not in ground.area]
        for area in unknown:
            yield _no_area(c, ["at_start", i], area)
        if not (placement.hexes or placement.areas or placement.free):
            yield c.say(
                "setup.yaml",
                ["at_start", i],
                "names no hexes and no areas, and is not `free`",
                "não tem hexágonos nem áreas, e não é `free`",
            )
        hexes = [h for h in _choice(c, placement) if h in ground.grid]
        if hexes and len(placement.units) > limit * len(hexes) > limit:
            yield c.say(
                "setup.yaml",
                ["at_start", i],
                f"{len(placement.units)} units start in {len(hexes)} hexes, of which each takes {limit}",
                f"{len(placement.units)} unidades começam em {len(hexes)} hexágonos; em cada um cabem {limit}",
            )
        for id_ in placement.units:
            if id_ not in scenario.counters or not hexes:
                continue
            if len(hexes) == 1:
                stacks.setdefault(hexes[0], []).append(id_)
            reasons = [_barred(c, id_, h) for h in hexes]
            if all(reasons):
                choice = said(" or ", " ou ").join(placement.areas) or said("its hexes", "seus hexágonos")
                where = hexes[0] if len(hexes) == 1 else choice
                yield c.say(
                    "setup.yaml",
                    ["at_start", i],
                    f"{id_} starts in {where}, but {reasons[0]}",
                    f"{id_} começa em {where}, mas {reasons[0]}",
                )
    for hex_, units in stacks.items():
        last = max(i for i, p in enumerate(scenario.setup.at_start) if hex_ in p.hexes)
        at: Where = ["at_start", last]
        if len(units) > limit:
            yield c.say(
                "setup.yaml",
                at,
                f"{len(units)} units start in {hex_}; at most {limit} may",
                f"{len(units)} unidades começam em {hex_}; cabem no máximo {limit}",
            )
        if len({scenario.counters[u].side for u in units}) > 1:
            yield c.say("setup.yaml", at, f"both sides start in {hex_}", f"os dois lados começam em {hex_}")
    for i, quota in enumerate(scenario.setup.quotas):
        if quota.area not in ground.area:
            yield _no_area(c, ["quotas", i], quota.area)
        regiments = {scenario.counters[u].regiment for u in quota.units if u in scenario.counters} - {""}
        if quota.regiments > len(regiments):
            yield c.say(
                "setup.yaml",
                ["quotas", i],
                f"asks for {quota.regiments} regiments of units that belong to {len(regiments)}",
                f"pede {quota.regiments} regimentos de unidades que pertencem a {len(regiments)}",
            )


def _no_area(c: Checker, where: Where, area: str) -> Problem:
    return c.say(
        "setup.yaml", where, f"there is no area {area!r} in map.yaml", f"não há a área {area!r} em map.yaml"
    )


def _choice(c: Checker, placement: Placement) -> list[Hex]:
    """The hexes in which units may start; none where the rulebook leaves it to their line."""
    inside = [h for a in placement.areas for h in sorted(c.scenario.map.area.get(a, ()))]
    return list(dict.fromkeys([*placement.hexes, *inside]))


def _barred(c: Checker, id_: str, hex_: Hex) -> str:
    """Why a unit may not stand in a hex; "" if it may."""
    scenario = c.scenario
    unit = scenario.counters[id_]
    for terrain in scenario.map.terrain[hex_]:
        barred = scenario.tables.terrain[terrain].barred if terrain in scenario.tables.terrain else ()
        if any(unit.type in scenario.game.classes.get(b, ()) for b in barred):
            return said(f"{terrain} is barred to {unit.type}", f"{terrain} é proibido a {unit.type}")
    for rule in scenario.game.rules.movement.barred_hexes:
        plain = not (rule.types or rule.divisions or rule.units or rule.marks)
        if hex_ in rule.hexes and plain and rule.side in (None, unit.side):
            section = scenario.citation(rule.section)
            return said(
                f"{hex_} is closed to {unit.side} units ({section})",
                f"{hex_} é fechado às unidades de {unit.side} ({section})",
            )
    return ""


def arrivals_find_a_way_in(c: Checker) -> Iterator[Problem]:
    """Reinforcements come in a turn of the game, by edge hexes, by a way where the rules want one."""
    scenario, ground = c.scenario, c.scenario.map
    turns = scenario.game.turns
    rim = {h for name in ("north", "south", "east", "west") for h in ground.grid.edge(name)}
    for i, r in enumerate(scenario.setup.reinforcements):
        at: Where = ["reinforcements", i]
        if not turns.first <= r.turn <= turns.last:
            yield _no_turn(c, [*at, "turn"], r.turn)
        if not (r.edges or r.hexes):
            yield c.say(
                "setup.yaml",
                at,
                "names neither edges nor hexes to enter by",
                "não tem bordas nem hexágonos por onde entrar",
            )
        for hex_ in r.hexes:
            if hex_ in ground.grid and hex_ not in rim:
                yield c.say(
                    "setup.yaml",
                    at,
                    f"{hex_} does not lie at the edge of the map",
                    f"{hex_} não fica na borda do mapa",
                )
        wanted = _ways_wanted(c, r)
        if not wanted:
            continue
        on_way = frozenset[Hex]().union(*(ground.way_hexes.get(w, frozenset()) for w in wanted))
        kinds = said(" or ", " ou ").join(wanted)
        for hex_ in r.hexes:
            if hex_ in rim and hex_ not in on_way:
                yield c.say(
                    "setup.yaml",
                    at,
                    f"they enter by {kinds}, but none runs through {hex_}",
                    f"entram por {kinds}, mas nenhuma passa por {hex_}",
                    "warning",
                )
        for edge in r.edges:
            if not ground.edges[edge] & on_way:
                yield c.say(
                    "setup.yaml",
                    at,
                    f"they enter by {kinds}, but none leaves by the {edge} edge",
                    f"entram por {kinds}, mas nenhuma sai pela borda {edge}",
                    "warning",
                )


def _no_turn(c: Checker, where: Where, turn: int) -> Problem:
    turns = c.scenario.game.turns
    return c.say(
        "setup.yaml",
        where,
        f"turn {turn} is none of {turns.first} to {turns.last}",
        f"o turno {turn} não é nenhum de {turns.first} a {turns.last}",
    )


def _ways_wanted(c: Checker, r: Reinforcement) -> tuple[str, ...]:
    """The ways by which the rules want these units to come; none where any hex will do."""
    sides = {c.scenario.counters[u].side for u in r.units if u in c.scenario.counters}
    tables = c.scenario.tables
    for rule in c.scenario.game.rules.movement.entries:
        in_time = rule.turns is None or rule.turns[0] <= r.turn <= rule.turns[1]
        if in_time and rule.side in sides and rule.by_way and not rule.terrain:
            return rule.ways or tuple(w for w, effect in tables.ways.items() if effect.bridges and effect.costs)
    return ()


def departures_follow_arrivals(c: Checker) -> Iterator[Problem]:
    """Units leave in a turn of the game, not before they came, and return after they left."""
    scenario, setup = c.scenario, c.scenario.setup
    turns = scenario.game.turns
    arrival = {u: r.turn for r in setup.reinforcements for u in r.units}
    for i, w in enumerate(setup.withdrawals):
        at: Where = ["withdrawals", i]
        if not turns.first <= w.turn <= turns.last:
            yield _no_turn(c, at, w.turn)
        for id_ in w.units:
            if arrival.get(id_, turns.first) > w.turn:
                yield c.say(
                    "setup.yaml",
                    at,
                    f"{id_} leaves in turn {w.turn} but comes only in turn {arrival[id_]}",
                    f"{id_} sai no turno {w.turn}, mas só chega no turno {arrival[id_]}",
                )
        if w.returns_turn is not None and w.returns_turn <= w.turn:
            yield c.say(
                "setup.yaml",
                at,
                f"returns in turn {w.returns_turn}, but leaves only in turn {w.turn}",
                f"retorna no turno {w.returns_turn}, mas só sai no turno {w.turn}",
            )
        if w.returns_turn is not None and not w.returns_edges:
            yield c.say(
                "setup.yaml",
                at,
                "returns, but no edge is named to return by",
                "retorna, mas não há borda por onde retornar",
            )


def totals_are_printed_ones(c: Checker) -> Iterator[Problem]:
    """The counters of each side are as many as the rulebook counts."""
    tally = Tally(u.side for u in c.scenario.counters.values())
    for side, total in c.scenario.setup.totals.items():
        if tally[side] != total:
            section = c.scenario.citation(c.scenario.setup.totals_section)
            yield c.say(
                "setup.yaml",
                ["totals", side],
                f"counters.csv has {tally[side]} {side} counters; the rulebook counts {total} ({section})",
                f"counters.csv tem {tally[side]} peças de {side}; o livro de regras conta {total} ({section})",
            )


def counters_can_be_told_apart(c: Checker) -> Iterator[Problem]:
    """No two counters of a side bear one name, so that a player who reads a list knows which is meant."""
    seen: dict[tuple[str, str, str], str] = {}
    for unit in c.scenario.counters.values():
        for language, name in (("pt", unit.name_pt), ("en", unit.name_en)):
            if not name and language not in c.scenario.game.languages:
                continue
            if not name:
                yield c.say(
                    "counters.csv",
                    [unit.id],
                    f"has no name in the column name_{language}",
                    f"não tem nome na coluna name_{language}",
                )
                continue
            first = seen.setdefault((unit.side, language, name), unit.id)
            if first != unit.id:
                yield c.say(
                    "counters.csv",
                    [unit.id],
                    f"is called {name!r} (name_{language}), as {first} is",
                    f"chama-se {name!r} (name_{language}), como {first}",
                    "warning",
                )


SETUP_RULES: tuple[Callable[[Checker], Iterator[Problem]], ...] = (
    units_are_set_up_once,
    hexes_take_who_starts_there,
    arrivals_find_a_way_in,
    departures_follow_arrivals,
    totals_are_printed_ones,
    counters_can_be_told_apart,
)
