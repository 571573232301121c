"""What a player looks for on the map: the expressions of the menu, held against the grid and the rules."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from hexforge.modulegen.assemble.combat import counters, figures, odds, steps
from hexforge.modulegen.plan import Plan, plan
from hexforge.modulegen.vassal.encoding import decode
from hexforge.scenarios import load
from hexforge.scenarios.commands import names
from hexforge.scenarios.text.hexgrid import side

from .beanshell import parse
from .conftest import Built


@pytest.fixture(scope="module", params=names())
def planned(request: pytest.FixtureRequest) -> Plan:
    return plan(load(request.param), "en")


def test_guns_bear_on_the_hexes_that_the_grid_counts(planned: Plan) -> None:
    """Over both kinds of grid: as many hexes as the referee counts, no more and no fewer."""
    ground, dice = planned.ground, random.Random(7)
    within = parse(counters.in_range(planned))
    hexes = list(ground.grid)
    for _ in range(600):
        gun, target = dice.choice(hexes), dice.choice(hexes)
        reach = max(1, ground.grid.distance(gun, target) + dice.choice((-1, 0, 0, 1)))
        (x, y), (u, v) = ground.centre(gun), ground.centre(target)
        figures = {"CurrentX": x, "CurrentY": y, steps.X: u, steps.Y: v, "Range": reach}
        found = within(lambda name, figures=figures: str(figures[name]))
        assert found == str(ground.grid.distance(gun, target) <= reach).lower(), (gun, target, reach)


def test_a_counter_is_engaged_next_to_an_enemy_alone(planned: Plan) -> None:
    """The text that is put together on one counter holds on those of the other side in the six hexes around it."""
    ground, dice = planned.ground, random.Random(8)
    for hex_ in dice.sample(list(ground.grid), 12):
        x, y = ground.centre(hex_)
        own = {"CurrentX": str(x), "CurrentY": str(y), "Camp": "1"}
        asked = parse(counters.next_to_an_enemy(planned))(own.__getitem__)
        around = parse(asked[1:-1])
        for other in ground.grid:
            u, v = ground.centre(other)
            for camp in ("1", "2"):
                theirs = {"CurrentX": str(u), "CurrentY": str(v), "Camp": camp, figures.EXERTS: "1"}
                meant = camp == "2" and ground.grid.distance(hex_, other) <= 1
                assert around(theirs.__getitem__) == str(meant).lower(), (hex_, other, camp)


def test_the_menu_takes_in_buttons_that_there_are(built: Built) -> None:
    """VASSAL finds them by their texts, and says nothing of one that it does not find."""
    (menu,) = built.root.all("ToolbarMenu")
    entries = decode(menu.get("menuItems"), ",")
    assert set(entries) <= {one.get("text") for one in built.root.all("DoActionButton")}
    assert len(entries) == len(set(entries)) >= 5


def _with_rules(**zones: tuple[str, ...]) -> Plan:
    """The game of Hürtgen with zones of other rules."""
    game = load("hurtgen")
    own = game.game.rules.movement.zones.model_copy(update=dict(zones))
    movement = game.game.rules.movement.model_copy(update={"zones": own})
    rules = game.game.rules.model_copy(update={"movement": movement})
    return plan(replace(game, game=game.game.model_copy(update={"rules": rules})), "en")


def test_no_zone_reaches_across_lines_that_bar_it() -> None:
    changed = _with_rules(not_across=("river",))
    map_, ground = changed.scenario.map, changed.ground
    rivers = [one for one, kinds in map_.hexsides.items() if "river" in kinds][:12]
    assert rivers
    for pair in rivers:
        hex_, other = pair
        x, y = ground.centre(hex_)
        own = {"CurrentX": str(x), "CurrentY": str(y), "Camp": "1", "LocationName": hex_}
        around = parse(parse(counters.next_to_an_enemy(changed))(own.__getitem__)[1:-1])
        for near in ground.grid.neighbours[hex_]:
            u, v = ground.centre(near)
            theirs = {"CurrentX": str(u), "CurrentY": str(v), "Camp": "2"}
            meant = "river" not in map_.hexsides.get(side(hex_, near), ())
            assert around(theirs.__getitem__) == str(meant).lower(), (hex_, near, other)


def test_terrain_has_a_limit_of_its_own() -> None:
    game = load("hurtgen")
    stacking = game.game.rules.stacking.model_copy(update={"terrain": {"town": 1}})
    rules = game.game.rules.model_copy(update={"stacking": stacking})
    changed = plan(replace(game, game=game.game.model_copy(update={"rules": rules})), "en")
    text = odds.crowded(changed)
    counts = ('CountStack("UnitId")', f'SumStack("{steps.WEIGHT}")')
    crowded, asked = parse(text), next(c for c in counts if c in text)
    for hex_, most in (("0905", 1), ("0805", stacking.limit)):
        for count in (most, most + 1):
            values = {"LocationName": hex_, asked.replace('"', ""): str(count)}
            assert crowded(values.__getitem__) == str(count > most).lower(), (hex_, count)
