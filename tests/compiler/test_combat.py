"""What a module works out of a combat, and what the referee does: the same, whoever stands where."""

from __future__ import annotations

import html
import os
import random
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final, Literal

import pytest

from hexforge.modulegen.assemble.combat import counters, steps, tasks
from hexforge.modulegen.assemble.help_page import gestures, page
from hexforge.modulegen.plan import plan
from hexforge.modulegen.vassal import traits as t
from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from hexforge.validator.judging.situation import situation
from hexforge.validator.logs.typed import Listener
from hexforge.validator.notation import games
from hexforge.validator.rules.combat import tables
from hexforge.validator.rules.combat.bombardment import work_out_bombing
from hexforge.validator.rules.combat.conditions import Battle, Forces
from hexforge.validator.rules.combat.preview import odds
from hexforge.validator.rules.context import Context
from hexforge.validator.rules.position import Phase, Position
from tests.examples import FULL

from .beanshell import MOST_NESTED
from .tabletop import Tabletop, _expression, expressions

ZONES = "hurtgen, zones that do not reach everywhere"
GAMES = ("bastogne", "hurtgen", "metz", "tests/games/saltway", ZONES)
ROOT = Path(__file__).parents[2]
COMBATS = int(os.environ.get("HEXFORGE_COMBATS", "120" if FULL else "40"))
"""Random combats of each game; thousands were fought when this was written."""
FIRED = COMBATS // 4
"""Those of each game, and of each means, in which somebody fires from afar."""
_BUTTONS: Final = {"artillery": steps.HOTKEY_BOMBARD, "air": steps.HOTKEY_AIRSTRIKE}
AFAR = [(game, means) for game in ("bastogne", "hurtgen", "metz") for means in _BUTTONS]
"""Games with a button for it."""
MOST_GESTURES, MOST_WITH_GUNS = 8, 10
_ON_COUNTERS = (counters.KEY_TARGET, counters.KEY_ATTACK, counters.KEY_SUPPORT, counters.KEY_GUARD)
_OF_DRAGS = {"pieceName", "location", "previousLocation", "previousMap"}
"""What a map's own report knows of a drag, in VASSAL's words."""
_SOME_HAVE = {"PieceId", "MarkerId", "AirBox", "BasicName", tasks.LEAVES, tasks.RETURNS}


@dataclass
class Table:
    """A game both ways: as a module, and as the referee knows it."""

    scenario: Scenario
    module: Tabletop
    context: Context
    empty: Position


@pytest.fixture(scope="module", params=GAMES)
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Table:
    game = str(request.param)
    if game == ZONES:
        game = str(_with_other_zones(tmp_path_factory.mktemp("zones") / "hedged"))
    scenario = load(ROOT / game if "/" in game else game)
    sheet = tmp_path_factory.mktemp("combat") / "empty.sheet"
    side = scenario.game.sequence[0]
    first = scenario.game.turns.first
    name = scenario.name if "/" not in game else str(ROOT / game)
    sheet.write_text(f"sheet 1\ngame {scenario.name}\nposition\nturn {first} {side.side} {side.phase}\n", "utf-8")
    found = _known(name, sheet)
    return Table(scenario, Tabletop.of(plan(scenario, scenario.game.languages[0])), found[0], found[1])


def _with_other_zones(folder: Path) -> Path:
    """A copy of a game in which zones stop at rivers and villages, and not all units have one."""
    shutil.copytree(ROOT / "scenarios" / "hurtgen", folder)
    game = folder / "game.yaml"
    text = game.read_text("utf-8").replace("name: hurtgen\n", "name: hedged\n")
    zones = "    zones: {exerted_by: infantry engineer, reduced: no, not_across: river, not_into: town}\n"
    assert "  movement:\n" in text
    game.write_text(text.replace("  movement:\n", f"  movement:\n{zones}", 1), "utf-8")
    return folder


def _known(name: str, sheet: Path) -> tuple[Context, Position]:
    if "/" in name:
        games.learn(Path(name))
    found = situation(sheet)
    return found.context, found.position


def test_every_expression_is_one_of_vassals(table: Table) -> None:
    """Each is read by the grammar, names only properties that there are, and nests few parentheses."""
    module = table.module
    module.pieces.clear()
    unit = next(iter(table.scenario.counters))
    module.put(unit, next(iter(table.scenario.map.grid)))
    piece = module.pieces[unit]
    dice = {f"{b.get('name')}_{what}" for b in module.root.all("DiceButton") for what in ("result", "total")}
    rounds = {b.get("indexProperty") for b in module.root.all("DoActionButton") if b.get("index") == "true"}
    known = {*module.values, *piece.values, *piece.calculated, *dice, *rounds, *_SOME_HAVE, "value"}
    for where, text in expressions(module):
        found = _expression(text)
        assert set(found.names) <= (known | _OF_DRAGS if where.startswith("Map ") else known), where
        assert found.depth <= MOST_NESTED, where


@dataclass
class Setting:
    """A combat at random."""

    target: str
    attacker: str
    turn: int
    places: dict[str, str]
    reduced: set[str]
    attack: list[str]
    support: list[str]
    guard: list[str]
    air: int
    offboard: int


def _settings(table: Table, seed: int, count: int) -> Iterator[Setting]:
    dice, scenario = random.Random(seed), table.scenario
    sides = [spec.id for spec in scenario.game.sides]
    by_side = {s: [c.id for c in scenario.counters.values() if c.side == s] for s in sides}
    hexes = list(scenario.map.grid)
    for _ in range(count):
        attacker, defender = dice.sample(sides, 2)
        target = dice.choice(hexes)
        near = list(scenario.map.grid.neighbours[target])
        far = [h for h in hexes if h != target and h not in near]
        close = [h for h in far if scenario.map.grid.distance(h, target) == 2]
        places: dict[str, str] = {}
        # Whole formations now and then: they sit together in the order of the counters.
        start = dice.randrange(len(by_side[attacker]))
        attack = list(dict.fromkeys((by_side[attacker] * 2)[start : start + dice.choice((1, 2, 3, 4, 6, 9))]))
        first = dice.randrange(len(by_side[defender]))
        held = list(dict.fromkeys((by_side[defender] * 2)[first : first + dice.choice((1, 1, 2, 3, 4))]))
        places |= {u: dice.choice(near) for u in attack}
        places |= dict.fromkeys(held, target)
        rest = {s: [u for u in by_side[s] if u not in places] for s in sides}
        support = [u for u in dice.sample(rest[attacker], min(2, len(rest[attacker]))) if _gun(table, u)]
        guard = [u for u in dice.sample(rest[defender], min(2, len(rest[defender]))) if _gun(table, u)]
        places |= {u: dice.choice((*far, *near)) for u in support}
        places |= {u: dice.choice(far) for u in guard}
        others = [u for u in rest[attacker] if u not in places]
        places |= {
            u: dice.choice(close or far) for u in dice.sample(others, min(len(others), dice.choice((0, 2, 5))))
        }
        turns = scenario.game.turns
        yield Setting(
            target,
            attacker,
            dice.randint(turns.first, turns.last),
            places,
            {u for u in places if dice.random() < 0.3 and len(table.module.plan.units[u].images) > 1},
            attack,
            support,
            guard,
            dice.choice((0, 0, 3)),
            dice.choice((0, 0, 20)),
        )


def _gun(table: Table, unit: str) -> bool:
    return table.scenario.counters[unit].range is not None


def _set_up(table: Table, setting: Setting) -> Position:
    """Both tables with the same counters in the same hexes."""
    module, position = table.module, table.empty
    module.pieces.clear()
    module.said.clear()
    module.values |= {"Turn": str(setting.turn), steps.TARGET: "", steps.SHIFT: "0"}
    for unit, hex_ in setting.places.items():
        module.put(unit, hex_, reduced=unit in setting.reduced)
        position = position.put(unit, hex_)
        position = position.set(unit, step="reduced" if unit in setting.reduced else "full")
    for name, points in ((steps.POINTS, setting.air), (steps.OFFBOARD, setting.offboard)):
        if name in module.values:
            module.values[name] = str(points)
    return replace(position, phase=Phase(setting.turn, setting.attacker, "combat"))


def _points(table: Table, setting: Setting) -> dict[str, int]:
    """The points as the referee takes them: of whoever has them."""
    rules = table.scenario.game.rules.combat
    found = {}
    if steps.POINTS in table.module.values and rules.air is not None:
        found["air" if rules.air.side == setting.attacker else "guard_air"] = setting.air
    if sides := {row.side for row in rules.artillery.offboard}:
        found["offboard" if setting.attacker in sides else "guard_offboard"] = setting.offboard
    return found


def _mark(table: Table, setting: Setting) -> None:
    held = [u for u, hex_ in setting.places.items() if hex_ == setting.target]
    table.module.key(held[0], counters.KEY_TARGET)
    for key, units in (
        (counters.KEY_ATTACK, setting.attack),
        (counters.KEY_SUPPORT, setting.support),
        (counters.KEY_GUARD, setting.guard),
    ):
        for unit in units:
            table.module.key(unit, key)


def test_assaults_come_to_what_the_referee_says(table: Table) -> None:
    chance = random.Random(5)
    count, faces = (2, 6)
    for number, setting in enumerate(_settings(table, 1, COMBATS)):
        position = _set_up(table, setting)
        near = set(table.scenario.map.grid.neighbours[setting.target])
        guns = [u for u in setting.support if setting.places[u] in near]
        found = odds(
            table.context,
            position,
            setting.target,
            [*setting.attack, *guns],
            support=[u for u in setting.support if u not in guns],
            guards=setting.guard,
            **_points(table, setting),
        )
        _mark(table, setting)
        module, figures = table.module, found.figures
        module.dice = tuple(chance.randint(1, faces) for _ in range(count))
        module.press(str(steps.HOTKEY_ROLL))
        result = " ".join(tables.result(figures.table, sum(module.dice), figures.column))
        told = f"{figures.attack}:{figures.defence} {figures.odds} {figures.column_name} {result}"
        v = module.values
        ours = f"{v[steps.SUM_ATTACK]}:{v[steps.SUM_DEFENCE]} {v[steps.ODDS]} {v[steps.NAMED]} {v[steps.RESULT]}"
        shifts = [(s.cause, s.columns) for s in figures.shifts]
        parts = {n: v[n] for n in (steps.COVER, steps.ENCIRCLED, steps.UNITY_ATTACK, steps.UNITY_DEFENCE)}
        assert ours == told, (number, setting, shifts, parts)
        assert v[steps.TARGET] == "" and {p.values["Role"] for p in module.pieces.values()} == {"0"}


def test_what_is_said_is_a_combat_of_a_sheet(table: Table) -> None:
    listener = Listener(table.scenario)
    for setting in _settings(table, 2, 5):
        _set_up(table, setting)
        _mark(table, setting)
        table.module.said.clear()
        table.module.press(str(steps.HOTKEY_PREVIEW))
        # What stands about nobody counting who cannot take part is as little a statement as the preview.
        assert len([line for line in table.module.said if re.match(r"\(\d{4}", line)]) == 1
        assert [line for line in table.module.said if listener.hear(f"* {line}") is not None] == []
        table.module.said.clear()
        table.module.dice = (3, 4)
        table.module.press(str(steps.HOTKEY_ROLL))
        heard = [listener.hear(f"* {line}") for line in table.module.said]
        talk = [line for line, one in zip(table.module.said, heard, strict=True) if one is None]
        assert len([line for line in talk if re.match(r"\(\d{4}", line)]) == 1, "what moves the column, once"
        heard = [one for one in heard if one is not None]
        assert all(one is not None and one.statement is not None for one in heard), table.module.said
        kinds = [type(one.statement).__name__ for one in heard if one is not None]
        assert kinds[0] == "Combat" and kinds[-3:] == ["Declare", "Roll", "Result"]


@pytest.mark.parametrize(("table", "means"), AFAR, indirect=["table"])
def test_fire_from_afar_comes_to_what_the_referee_says(table: Table, means: Literal["artillery", "air"]) -> None:
    result_table, module = table.scenario.tables.bombardment, table.module
    assert result_table is not None
    listener = Listener(table.scenario)
    count = 0
    for setting in islice(_from_afar(table, means), FIRED):
        position = _set_up(table, setting)
        guns, points = _fire(table, setting, means)
        battle = Battle(table.context, position, setting.attacker)
        forces = Forces((setting.target,), (), (), supports=tuple(guns))
        found = work_out_bombing(battle, result_table, means, forces, points=points)
        _mark(table, replace(setting, attack=[], guard=[]))
        module.dice = (2, 3)
        module.press(str(_BUTTONS[means]))
        v = module.values
        assert (int(v[steps.VALUE]), v[steps.NAMED]) == (found.value, found.column_name), setting
        assert v[steps.RESULT] == " ".join(tables.result(result_table, 5, found.column))
        heard = [listener.hear(f"* {line}") for line in module.said]
        kinds = [type(one.statement).__name__ for one in heard if one is not None]
        assert kinds[1:] == ["Declare", "Roll", "Result"], module.said
        count += 1
    assert count == FIRED


def test_fire_from_afar_is_tried_wherever_there_is_a_button(table: Table) -> None:
    """Without a table nobody fires from afar, without planes nobody from the air."""
    game = next((g for g in GAMES if g.rpartition("/")[2] == table.scenario.name), "hurtgen")
    has = {means for means, key in _BUTTONS.items() if str(key) in table.module.buttons}
    assert has == {means for afar, means in AFAR if afar == game}
    assert not has or table.scenario.tables.bombardment is not None


def _fire(table: Table, setting: Setting, means: str) -> tuple[list[str], int]:
    """Who fires from afar in a combat, with how many points."""
    if means == "air":
        return [], setting.air
    return setting.support, setting.offboard if steps.OFFBOARD in table.module.values else 0


def _from_afar(table: Table, means: str) -> Iterator[Setting]:
    """Combats at random in which somebody fires from afar."""
    return (s for s in _settings(table, 3, 20 * FIRED) if any(_fire(table, s, means)))


def test_gestures_that_the_help_lists_lead_to_a_result(table: Table) -> None:
    """Each is done as it is listed, by keys on stacks and on the toolbar; an assault takes eight at most."""
    module = table.module
    listed = gestures(module.plan)
    assert len(listed["assault"]) <= MOST_GESTURES
    assert all(len(listed[what]) <= MOST_WITH_GUNS for what in ("assault_guns", "assault_air") if what in listed)
    for what in ("assault", "assault_guns", "assault_air", "bombardment"):
        if what not in listed:
            continue
        setting = next(s for s in _settings(table, 6, 400) if s.support)
        _set_up(table, setting)
        module.values["AirPoints"] = "3"
        held = [u for u, hex_ in setting.places.items() if hex_ == setting.target]
        stacks = iter([setting.attack[:1], setting.attack[1:]])
        guns, chosen = iter(setting.support), list[str]()
        for gesture in listed[what]:
            match gesture:
                case "target":
                    chosen = held
                case "stack":
                    chosen = next(stacks)
                case "gun":
                    chosen = list(islice(guns, 1))
                case t.Key() if gesture in _ON_COUNTERS:
                    for unit in chosen:
                        module.key(unit, gesture)
                case _:
                    module.press(str(gesture))
        said = module.said[-1].split()
        assert said[0] == module.plan.words("tell.result").split()[0], (what, module.said)
        assert module.plan.words(f"gesture.{what}") in html.unescape(page(module.plan).decode())


def test_nothing_marked_is_a_throw_of_two_dice_and_told_to_be_no_more(table: Table) -> None:
    module = table.module
    module.said.clear()
    module.values[steps.TARGET] = ""
    module.dice = (1, 6)
    module.press(str(steps.HOTKEY_ROLL))
    assert module.said == [module.plan.words("combat.plain")]
    assert Listener(table.scenario).hear(f"* {module.said[0]}") is None
    assert "1,6" in [value for name, value in module.values.items() if name.endswith("_result")]


def test_one_key_marks_the_guns_in_range(table: Table) -> None:
    module, scenario = table.module, table.scenario
    if str(steps.HOTKEY_GUNS) not in module.buttons:
        assert not any(c.range is not None for c in scenario.counters.values())
        return
    marked = 0
    for setting in _settings(table, 8, COMBATS // 2):
        _set_up(table, setting)
        module.values[steps.FIRED] = f" {setting.support[0]} " if len(setting.support) > 1 else ""
        _mark(table, replace(setting, attack=[], support=[], guard=[]))
        module.press(str(steps.HOTKEY_GUNS))
        for unit, hex_ in setting.places.items():
            counter = scenario.counters[unit]
            reach = counter.range if counter.side == setting.attacker else None
            fires = reach is not None and scenario.map.grid.distance(hex_, setting.target) <= reach
            fires = fires and f" {unit} " not in module.values[steps.FIRED]
            assert (module.pieces[unit].values["Role"] == str(steps.SUPPORT)) == fires, (unit, hex_, setting.target)
            marked += fires
    assert marked
    module.values[steps.FIRED] = ""
