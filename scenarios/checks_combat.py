"""Rules for `rules.combat` of game.yaml: every name that it counts with is one that the game knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from hexforge.scenarios.checker import Checker, Where
from hexforge.scenarios.language import said
from hexforge.scenarios.problems import Problem

Named = tuple[Where, Iterable[str]]


def combat_names_are_known(c: Checker) -> Iterator[Problem]:
    """Unit types, sides, terrains, hexsides and ways that the rules of combat name exist."""
    scenario = c.scenario
    game, tables = scenario.game, scenario.tables
    kinds: tuple[tuple[str, set[str], list[Named]], ...] = (
        (
            said("no unit type or class", "um tipo nem uma classe de unidade"),
            {*game.unit_types, *game.classes},
            _types(c),
        ),
        (said("no side", "um lado"), {side.id for side in game.sides}, _sides(c)),
        (said("no terrain", "um terreno"), set(tables.terrain), _terrains(c)),
        (said("no hexside", "um lado de hexágono"), set(tables.hexsides), _hexsides(c)),
        (said("no way", "uma via"), set(tables.ways), [(["advance", "along"], game.rules.combat.advance.along)]),
    )
    for none, known, names in kinds:
        for where, words in names:
            for word in words:
                if word not in known:
                    expected = ", ".join(sorted(known))
                    yield c.say(
                        "game.yaml",
                        ["rules", "combat", *where],
                        f"{word!r} is {none} of this game; it has {expected}",
                        f"{word!r} não é {none} deste jogo; ele tem {expected}",
                    )


def _types(c: Checker) -> list[Named]:
    rules = c.scenario.game.rules.combat
    found: list[Named] = [
        (["advance", "none"], rules.advance.none),
        (["advance", "two"], rules.advance.two),
        (["retreat", "destroyed"], rules.retreat.destroyed),
        (["retreat", "loss"], rules.retreat.loss),
    ]
    found += [(["encirclement", "immune", side], types) for side, types in rules.encirclement.immune.items()]
    for i, command in enumerate(rules.unity.commands):
        found += [(["unity", "commands", i, "types", n], types) for n, types in enumerate(command.types)]
    found += [(["no_engagement", i, "types"], rule.types) for i, rule in enumerate(rules.no_engagement)]
    for i, clause in enumerate(rules.loss_clauses):
        for key in ("attackers", "enemies", "bearers"):
            found.append((["loss_clauses", i, key], getattr(clause, key)))
    found += [
        (["artillery", "weakened", i, "types"], rule.types) for i, rule in enumerate(rules.artillery.weakened)
    ]
    return found


def _sides(c: Checker) -> list[Named]:
    rules = c.scenario.game.rules.combat
    found: list[Named] = [
        (["line_side"], rules.line_side.values()),
        (["encirclement", "immune"], rules.encirclement.immune),
        (["unity", "no_division"], rules.unity.no_division),
        (["unity", "no_regiment"], rules.unity.no_regiment),
        (["unity", "commands"], [command.side for command in rules.unity.commands]),
        (["surprise"], [rule.side for rule in rules.surprise]),
        (["off_map", "destroyed"], rules.off_map.destroyed),
        (["artillery", "weakened"], [rule.side for rule in rules.artillery.weakened]),
        (["artillery", "offboard"], [rule.side for rule in rules.artillery.offboard]),
    ]
    if rules.artillery.perimeter is not None:
        found.append((["artillery", "perimeter", "side"], [rules.artillery.perimeter.side]))
    if rules.air is not None:
        found.append((["air", "side"], [rules.air.side]))
    return found


def _terrains(c: Checker) -> list[Named]:
    rules = c.scenario.game.rules.combat
    found: list[Named] = [(["no_engagement", i, "terrain"], r.terrain) for i, r in enumerate(rules.no_engagement)]
    return [
        *found,
        (["advance", "first_terrain"], rules.advance.first_terrain if rules.advance.two else ()),
        (["advance", "second_terrain"], rules.advance.second_terrain if rules.advance.two else ()),
        (["artillery", "silent_terrain"], rules.artillery.silent_terrain),
    ]


def _hexsides(c: Checker) -> list[Named]:
    rules = c.scenario.game.rules.combat
    return [
        (["line_side"], rules.line_side),
        (["advance", "bars"], [kind for kind in rules.advance.bars if kind != "fortified"]),
        (["retreat", "ignored_by"], rules.retreat.ignored_by),
    ]


def off_map_edges_are_known(c: Checker) -> Iterator[Problem]:
    """Edges that destroy are edges, and gaps between edges lie on the rim of the map."""
    rule, ground = c.scenario.game.rules.combat.off_map, c.scenario.map
    for side, edges in rule.destroyed.items():
        for edge in edges:
            if edge not in ground.edges:
                known = ", ".join(ground.edges)
                yield c.say(
                    "game.yaml",
                    ["rules", "combat", "off_map", "destroyed", side],
                    f"{edge!r} is no edge; expected {known}",
                    f"{edge!r} não é uma borda; esperava-se {known}",
                )
    rim = {h for name in ground.edges for h in ground.grid.edge(name)}
    for edge, hexes in rule.gaps.items():
        for hex_ in hexes:
            if hex_ not in rim:
                yield c.say(
                    "game.yaml",
                    ["rules", "combat", "off_map", "gaps", edge],
                    f"{hex_} does not lie on the rim of the map",
                    f"{hex_} não fica na borda do mapa",
                )


COMBAT_RULES: tuple[Callable[[Checker], Iterator[Problem]], ...] = (combat_names_are_known, off_map_edges_are_known)
