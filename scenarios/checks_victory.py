"""What is wrong with victory.yaml: points for what is not on the map, or for nobody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hexforge.scenarios.checker import Checker, Where
from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.problems import Problem


def victory_is_on_the_map(c: Checker) -> Iterator[Problem]:
    """Objectives, exits and areas that score are on the map, and points go to sides of the game."""
    scenario, ground, victory = c.scenario, c.scenario.map, c.scenario.victory
    sides = {s.id for s in scenario.game.sides}
    formations = {x for u in scenario.counters.values() for x in (u.division, u.corps) if x}

    def known_sides(where: Where, names: Iterable[str]) -> Iterator[Problem]:
        for side in names:
            if side not in sides:
                known = ", ".join(sorted(sides))
                yield c.say(
                    "victory.yaml",
                    where,
                    f"{side!r} is none of the sides {known}",
                    f"{side!r} não é nenhum dos lados {known}",
                )

    def known_places(where: Where, names: Iterable[str]) -> Iterator[Problem]:
        for place in names:
            if place not in ground.place:
                yield c.say(
                    "victory.yaml",
                    where,
                    f"there is no place {place!r} in map.yaml",
                    f"não há o lugar {place!r} em map.yaml",
                )

    scored: dict[Hex, str] = {}
    for i, objective in enumerate(victory.objectives):
        yield from known_places(["objectives", i], objective.place)
        for place in (place for place in objective.place if place in ground.place):
            for hex_ in ground.place[place].hexes:
                other = scored.setdefault(hex_, place)
                if other != place:
                    yield c.say(
                        "victory.yaml",
                        ["objectives", i],
                        f"{hex_} scores for {other} and for {place}",
                        f"{hex_} vale pontos por {other} e por {place}",
                        "warning",
                    )
        yield from known_sides(["objectives", i], objective.points)
    for i, exit_ in enumerate(victory.exits):
        yield from known_sides(["exits", i], [exit_.side])
        if exit_.edge not in ground.edges:
            yield c.say(
                "victory.yaml",
                ["exits", i],
                f"{exit_.edge!r} is no edge",
                f"{exit_.edge!r} não é uma borda",
            )
        if exit_.after_place is not None:
            yield from known_places(["exits", i], [exit_.after_place])
            if exit_.after_place not in _marked(c):
                yield c.say(
                    "victory.yaml",
                    ["exits", i],
                    f"nothing in `rules.movement.passages` of game.yaml marks who has passed {exit_.after_place!r}",
                    f"nada em `rules.movement.passages` de game.yaml marca quem passou por {exit_.after_place!r}",
                )
        if exit_.division not in formations:
            yield c.say(
                "victory.yaml",
                ["exits", i],
                f"no counter belongs to {exit_.division!r}",
                f"nenhuma peça pertence a {exit_.division!r}",
            )
    for place, side in victory.control.items():
        yield from known_places(["control"], [place])
        yield from known_sides(["control"], [side])
    for side, areas in victory.beyond_area.items():
        yield from known_sides(["beyond_area"], [side])
        for area in areas:
            if area not in ground.area:
                yield c.say(
                    "victory.yaml",
                    ["beyond_area", side],
                    f"there is no area {area!r} in map.yaml",
                    f"não há a área {area!r} em map.yaml",
                )
    yield from known_sides(["destroyed"], victory.destroyed)
    yield from known_sides(["final_losses"], victory.final_losses)
    if victory.final_losses and victory.final_loss_every is None:
        yield c.say(
            "victory.yaml",
            ["final_losses"],
            "needs `final_loss_every`: one of how many reduced units is lost",
            "precisa de `final_loss_every`: de quantas unidades reduzidas uma se perde",
        )


def _marked(c: Checker) -> set[str]:
    """Places of which a unit bears that it has passed them."""
    rules = c.scenario.game.rules.movement
    return {rule.place for rule in rules.passages} | ({rules.transit.place} if rules.transit else set())
