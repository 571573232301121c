"""What a map maker would want to be told: contradictions that no schema sees.

Each rule is a function from a scenario to problems; `RULES` lists them in the order of a game's files. Rules of the
map and of the set-up have modules of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from hexforge.scenarios.checker import Checker, Locate, Where
from hexforge.scenarios.checks_combat import COMBAT_RULES
from hexforge.scenarios.checks_map import MAP_RULES
from hexforge.scenarios.checks_setup import SETUP_RULES
from hexforge.scenarios.checks_tables import tables_are_whole
from hexforge.scenarios.checks_victory import victory_is_on_the_map
from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.language import said
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.schema.game import OPTIONS

__all__ = ["Checker", "check"]


def check(scenario: Scenario, locate: Locate) -> list[Problem]:
    """All contradictions of a scenario, errors and warnings.

    Hexes off the map are said first and alone, for the other rules would stumble over them.
    """
    checker = Checker(scenario, locate)
    off_map = list(hexes_are_on_the_map(checker))
    rules = [rule for rule in RULES if not off_map or rule not in MAP_RULES]
    return off_map + [problem for rule in rules for problem in rule(checker)]


def hexes_are_on_the_map(c: Checker) -> Iterator[Problem]:
    """Every hex that a file names is one of the map's."""
    ground = c.scenario.map
    named: list[tuple[str, Where, Iterable[Hex]]] = [
        ("map.yaml", ["notes"], ground.notes),
        ("map.yaml", ["fortified"], sorted(ground.fortified)),
    ]
    named += [("map.yaml", ["ways", i], way.hexes) for i, way in enumerate(ground.ways)]
    named += [("map.yaml", ["places", i], place.hexes) for i, place in enumerate(ground.places)]
    named += [("map.yaml", ["areas", i], area.hexes) for i, area in enumerate(ground.areas)]
    named += [("map.yaml", ["edges", name], hexes) for name, hexes in ground.named_edges.items()]
    named += [("setup.yaml", ["at_start", i], p.hexes) for i, p in enumerate(c.scenario.setup.at_start)]
    named += [("setup.yaml", ["reinforcements", i], r.hexes) for i, r in enumerate(c.scenario.setup.reinforcements)]
    for file, where, hexes in named:
        for hex_ in hexes:
            if hex_ not in ground.grid:
                size = f"{ground.grid.columns:02d}{ground.grid.rows:02d}"
                yield c.say(
                    file,
                    where,
                    f"{hex_} is off the map, which ends at {size}",
                    f"{hex_} está fora do mapa, que termina em {size}",
                )


def kinds_are_known(c: Checker) -> Iterator[Problem]:
    """Terrains, hexsides and ways of the map have effects in tables.yaml."""
    ground, tables = c.scenario.map, c.scenario.tables
    for terrain in sorted({t for hex_ in ground.terrain.values() for t in hex_} - set(tables.terrain)):
        yield c.say(
            "map.yaml",
            ["legend"],
            f"the terrain {terrain!r} has no effects in tables.yaml",
            f"o terreno {terrain!r} não tem efeitos em tables.yaml",
        )
    for i, run in enumerate(ground.hexside_runs):
        if run.kind not in tables.hexsides:
            known = ", ".join(tables.hexsides)
            yield c.say(
                "map.yaml",
                ["hexsides", i],
                f"{run.kind!r} is no kind of hexside; tables.yaml has {known}",
                f"{run.kind!r} não é um tipo de lado de hexágono; tables.yaml tem {known}",
            )
    for i, way in enumerate(ground.ways):
        if way.kind not in tables.ways:
            known = ", ".join(tables.ways)
            yield c.say(
                "map.yaml",
                ["ways", i],
                f"{way.kind!r} is no kind of way; tables.yaml has {known}",
                f"{way.kind!r} não é um tipo de via; tables.yaml tem {known}",
            )


def counters_are_of_this_game(c: Checker) -> Iterator[Problem]:
    """Sides, branches, types and classes are the game's; guns have a range; a reduced face is not stronger."""
    game = c.scenario.game
    sides = {s.id: s for s in game.sides}
    for name, types in game.classes.items():
        for type_ in types:
            if type_ not in game.unit_types:
                yield c.say(
                    "game.yaml",
                    ["classes", name],
                    f"{type_!r} is no unit type",
                    f"{type_!r} não é um tipo de unidade",
                )
    for unit in c.scenario.counters.values():
        spec = sides.get(unit.side)
        if spec is None:
            known = ", ".join(sides)
            yield c.say(
                "counters.csv",
                [unit.id],
                f"the side {unit.side!r} is none of {known}",
                f"o lado {unit.side!r} não é nenhum de {known}",
            )
        elif unit.branch not in spec.branches:
            known = ", ".join(spec.branches)
            yield c.say(
                "counters.csv",
                [unit.id],
                f"{unit.branch!r} is no branch of {unit.side}; it has {known}",
                f"{unit.branch!r} não é uma arma (branch) de {unit.side}; ele tem {known}",
            )
        elif not unit.id.startswith(f"{spec.prefix}-"):
            yield c.say(
                "counters.csv",
                [unit.id],
                f"the id does not begin with {spec.prefix}-, as those of {unit.side} do",
                f"o id não começa com {spec.prefix}-, como os de {unit.side}",
            )
        if unit.type not in game.unit_types:
            yield c.say(
                "counters.csv",
                [unit.id],
                f"{unit.type!r} is no unit type of this game; it would have no face",
                f"{unit.type!r} não é um tipo de unidade deste jogo; a peça ficaria sem desenho",
            )
        if unit.range is not None and unit.type not in game.classes.get("guns", ()):
            yield c.say(
                "counters.csv",
                [unit.id],
                f"has a range, but {unit.type} is none of the guns",
                f"tem alcance, mas {unit.type} não é da artilharia (guns)",
                "warning",
            )
        for what, full, reduced in (
            (said("attack", "ataque"), unit.attack, unit.reduced_attack),
            (said("defence", "defesa"), unit.defence, unit.reduced_defence),
        ):
            if reduced is not None and reduced > full:
                yield c.say(
                    "counters.csv",
                    [unit.id],
                    f"the reduced {what} {reduced} is more than the full {full}",
                    f"o valor reduzido {reduced} de {what} é maior que o inteiro, {full}",
                )


def sequence_is_of_the_sides(c: Checker) -> Iterator[Problem]:
    """Phases belong to sides, and every turn has one weather where the game has weather at all."""
    game = c.scenario.game
    sides = {s.id for s in game.sides}
    for i, phase in enumerate(game.sequence):
        if phase.side not in sides:
            known = ", ".join(sorted(sides))
            yield c.say(
                "game.yaml",
                ["sequence", i],
                f"{phase.side!r} is none of the sides {known}",
                f"{phase.side!r} não é nenhum dos lados {known}",
            )
    for turn in range(game.turns.first, game.turns.last + 1):
        kinds = [w for w, (a, b) in game.weather.items() if a <= turn <= b]
        if game.weather and len(kinds) != 1:
            yield c.say(
                "game.yaml",
                ["weather"],
                f"turn {turn} has {len(kinds)} kinds of weather; expected one",
                f"o turno {turn} tem {len(kinds)} tipos de tempo (weather); esperava-se um",
            )


def options_are_known(c: Checker) -> Iterator[Problem]:
    """Options are rulings that the referee can judge by, and their defaults are among their choices."""
    for name, option in c.scenario.game.options.items():
        known = OPTIONS.get(name)
        if known is None:
            rulings = ", ".join(OPTIONS)
            yield c.say(
                "game.yaml",
                ["options", name],
                f"is no ruling that can be set; there are {rulings}",
                f"não é uma interpretação que se possa escolher; há {rulings}",
            )
            continue
        for choice in option.choices:
            if choice not in known:
                expected = ", ".join(known)
                yield c.say(
                    "game.yaml",
                    ["options", name, "choices"],
                    f"{choice!r} is none of {expected}",
                    f"{choice!r} não é nenhuma de {expected}",
                )
        if option.default not in option.choices:
            choices = ", ".join(option.choices)
            yield c.say(
                "game.yaml",
                ["options", name, "default"],
                f"{option.default!r} is none of its choices {choices}",
                f"{option.default!r} não é nenhuma das suas escolhas {choices}",
            )


def languages_say_the_same(c: Checker) -> Iterator[Problem]:
    """What one language has, the others have too."""
    every = {key for text in c.scenario.texts.values() for key in text.values}
    for language, text in c.scenario.texts.items():
        for key in sorted(every - set(text.values)):
            yield c.say(
                f"text.{language}.yaml",
                [],
                f"{key!r} is said in another language but not here",
                f"{key!r} está em outra língua, mas não aqui",
                "warning",
            )


RULES: tuple[Callable[[Checker], Iterator[Problem]], ...] = (
    sequence_is_of_the_sides,
    options_are_known,
    kinds_are_known,
    *MAP_RULES,
    tables_are_whole,
    counters_are_of_this_game,
    *SETUP_RULES,
    victory_is_on_the_map,
    *COMBAT_RULES,
    languages_say_the_same,
)
