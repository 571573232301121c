"""What becomes of counters is told in the words of the turn sheet; those of the enemy stay where they are."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from hexforge.modulegen.assemble.combat import counters, reports, steps, tasks
from hexforge.modulegen.assemble.expressions import KEY_LEAVE, KEY_PHASE, KEY_TURN
from hexforge.modulegen.assemble.module import module
from hexforge.modulegen.plan import Plan, plan
from hexforge.modulegen.plan.battlefield import recovers
from hexforge.modulegen.vassal.buildfile import Element
from hexforge.scenarios.loader import load
from hexforge.validator.logs.typed import DONE, Listener
from hexforge.validator.notation import base, kinds
from hexforge.validator.notation import statements as st

from .beanshell import parse
from .tabletop import Tabletop

ROOT = Path(__file__).parents[2]
GAMES = [("bastogne", "pt"), ("hurtgen", "en"), ("metz", "pt"), ("tests/games/saltway", "en")]


@cache
def _assembled(game: str, language: str) -> tuple[Plan, Element]:
    """A game's plan and its module, of which each test opens a table of its own."""
    planned = plan(load(ROOT / game if "/" in game else game), language)
    return planned, module(planned, "1")


@pytest.fixture(params=GAMES, ids=lambda game: game[0].rsplit("/", 1)[-1])
def table(request: pytest.FixtureRequest) -> Tabletop:
    opened = Tabletop(*_assembled(*request.param))
    spot = ["0505", "0506", "0504"]
    first, second = (spec.id for spec in opened.plan.scenario.game.sides)
    for hex_, side, count in ((spot[0], second, 2), (spot[1], first, 2)):
        own = [u for u, p in opened.plan.units.items() if p.counter.side == side and len(p.images) > 1]
        own += [u for u, p in opened.plan.units.items() if p.counter.side == side and u not in own]
        for unit in own[:count]:
            opened.put(unit, hex_)
    return opened


def heard(table: Tabletop) -> list[base.Statement]:
    """What a reader of logs takes of all that was said since; all but warnings have to be statements."""
    listener = Listener(table.plan.scenario)
    lines = [listener.hear(f"* {line}") for line in table.said if not line.startswith("(")]
    assert all(line is not None and line.reported for line in lines), table.said
    table.said.clear()
    return [line.statement for line in lines if line is not None and line.statement is not None]


def fight(table: Tabletop) -> tuple[str, str, str, str]:
    """A combat that is rolled: the two who were attacked, the two who attacked."""
    ours, theirs, mine, his = table.pieces
    table.key(ours, counters.KEY_TARGET)
    for unit in (mine, his):
        table.key(unit, counters.KEY_ATTACK)
    table.press(str(steps.HOTKEY_ROLL))
    table.said.clear()
    return ours, theirs, mine, his


def test_a_drag_after_a_combat_is_a_retreat_or_an_advance(table: Tabletop) -> None:
    one, other, attacker, second = fight(table)
    table.drag(one, "0504")
    table.drag(other, "0503")
    table.key(attacker, reports.KEY_ADVANCE)
    table.drag(second, "0505")
    table.drag(second, "0504")
    assert heard(table) == [
        st.Retreat(1, (one,), ("0505", "0504")),
        st.Retreat(1, (other,), ("0505", kinds.OPEN, "0503")),
        st.Advance(1, (attacker,), ("0505",)),
        st.Advance(1, (second,), ("0505",)),
        st.Advance(1, (second,), ("0505", "0504")),
    ]
    assert table.pieces[attacker].values["LocationName"] == "0505"
    assert {p.values["Role"] for p in table.pieces.values()} == {"0"}


def test_an_attacker_who_goes_elsewhere_retreats(table: Tabletop) -> None:
    *_, attacker, second = fight(table)
    table.drag(attacker, "0507")
    table.key(second, reports.KEY_RETREAT)
    table.drag(second, "0505")
    assert [type(s) for s in heard(table)] == [st.Retreat, st.Retreat]


def test_a_new_phase_knows_of_no_combat(table: Tabletop) -> None:
    one, _, attacker, _ = fight(table)
    table.press(str(KEY_PHASE))
    table.drag(one, "0504")
    table.key(attacker, reports.KEY_ADVANCE)
    assert heard(table) == [] and table.pieces[attacker].values["LocationName"] == "0506"


def test_losses_and_exits_are_told(table: Tabletop) -> None:
    unit, other, *_ = table.pieces
    two = len(table.plan.units[unit].images) > 1
    if two:
        table.key(unit, reports.KEY_REDUCE)
        table.key(unit, reports.KEY_REDUCE)
        table.key(unit, reports.KEY_RECOVER)
        # The entry is there where the game gives steps back.
        back = [st.Recover(1, (unit,))] if recovers(table.plan.scenario) else []
        assert heard(table) == [st.Lose(1, (unit,)), *back]
    table.key(unit, reports.KEY_ELIMINATE)
    table.key(unit, reports.KEY_ELIMINATE)
    table.key(other, KEY_LEAVE)
    assert heard(table) == [st.Eliminate(1, (unit,)), st.Exit(1, (other,), ("0505",))]
    table.key(unit, reports.KEY_BACK)
    (line,) = table.said
    assert line.startswith("(") and Listener(table.plan.scenario).hear(f"* {line}") is None


def test_the_enemys_counters_go_back_in_a_phase_of_movement(table: Tabletop) -> None:
    game, words = table.plan.scenario.game, table.plan.words
    theirs, _, own, _ = table.pieces
    phase = next(p for p in game.sequence if p.phase == "movement")
    fighting = next(p for p in game.sequence if p.phase == "combat")
    table.values |= {"PlayerSide": words.side(table.pieces[own].values["Side"])}
    table.values |= {"SidePhase": words.step(phase.side, phase.phase)}
    table.drag(theirs, "0504")
    assert table.pieces[theirs].values["LocationName"] == "0505" and len(table.said) == 1
    assert table.pieces[theirs].values["Moved"] == "false"
    table.drag(own, "0507")
    assert table.pieces[own].values["LocationName"] == "0507"
    table.values["SidePhase"] = words.step(fighting.side, fighting.phase)
    table.drag(theirs, "0504")
    table.values |= {"SidePhase": words.step(phase.side, phase.phase), reports.SOLO: "true"}
    table.drag(theirs, "0503")
    assert table.pieces[theirs].values["LocationName"] == "0503" and len(table.said) == 1


def test_whatever_it_says_of_counters_readers_leave_to_the_counters() -> None:
    assert {st.Lose, st.Eliminate, st.Retreat, st.Advance, st.Recover, st.Enter, st.Exit} == set(DONE)


def first_due(table: Tabletop) -> str:
    """A unit that is due by known hexes, in its window on the turn that it is due."""
    for unit, known in table.plan.units.items():
        own = tasks.markers(table.plan, known)
        if own[tasks.DUE] and own[tasks.ENTRIES]:
            _waiting(table, unit)
            return unit
    raise AssertionError("everybody who is due may enter anywhere")


def begins(table: Tabletop) -> None:
    """The turn begins, with its news."""
    table.press(str(KEY_TURN))
    table.said.clear()


def test_who_is_due_is_marked_and_enters_on_one_key(table: Tabletop) -> None:
    unit = first_due(table)
    begins(table)
    assert table.pieces[unit].values["Role"] == str(steps.DUE)
    table.key(unit, tasks.KEY_ENTER)
    ring = table.pieces[unit].values[tasks.ENTRIES].split(">")[1:-1]
    assert heard(table) == [st.Enter(1, (unit,), (ring[0],))]
    assert table.pieces[unit].values["Role"] == "0" and table.values[steps.TASK] == ""
    for hex_ in ring[1:]:
        table.key(unit, tasks.KEY_ENTER)
        assert table.pieces[unit].values["LocationName"] == hex_
    inside = next(h for h in table.plan.scenario.map.grid if h not in ring)
    table.drag(unit, inside)
    table.key(unit, tasks.KEY_ENTER)
    assert table.pieces[unit].values["LocationName"] == inside


def weight(table: Tabletop, unit: str) -> int:
    """What a unit counts in its hex at full strength."""
    scenario, known = table.plan.scenario, table.plan.units[unit]
    c = known.counter
    return scenario.game.rules.stacking.weight(c.id, scenario.kinds(c.type), c.size, len(known.images))


def fill(table: Tabletop, hex_: str, unit: str) -> None:
    """As many of a unit's side in a hex as leave no room for it."""
    scenario, side = table.plan.scenario, table.plan.units[unit].counter.side
    room = scenario.game.rules.stacking.most(scenario.map.terrain[hex_], side)
    for one, known in table.plan.units.items():
        idle = known.counter.side == side and one not in table.pieces
        if idle and weight(table, unit) <= room and 0 < weight(table, one) <= room:
            table.put(one, hex_)
            room -= weight(table, one)
    assert weight(table, unit) > room


def test_who_enters_passes_by_hexes_that_are_full_or_the_enemys(table: Tabletop) -> None:
    unit = first_due(table)
    begins(table)
    units, piece = table.plan.units, table.pieces[unit].values
    first, *others = dict.fromkeys(piece[tasks.ENTRIES].split(">")[1:-1])
    enemies = (u for u, p in units.items() if p.counter.side != piece["Side"] and u not in table.pieces)
    fill(table, first, unit)
    for hex_ in others[:-1]:
        table.put(next(enemies), hex_)
    if others:
        table.key(unit, tasks.KEY_ENTER)
        assert heard(table) == [st.Enter(1, (unit,), (others[-1],))]
        piece = _waiting(table, unit)
        fill(table, others[-1], unit)
    table.said.clear()
    table.key(unit, tasks.KEY_ENTER)
    (line,) = table.said
    assert line.startswith(f"({piece['PieceName']}") and piece["CurrentMap"] == table.plan.reserves.name
    assert Listener(table.plan.scenario).hear(f"* {line}") is None
    assert table.values[steps.TASK] == table.values[steps.GOAL] == ""


def _waiting(table: Tabletop, unit: str) -> dict[str, str]:
    """A unit in its window, due or not."""
    table.put(unit, "0505")
    values = table.pieces[unit].values
    values |= {"CurrentMap": table.plan.reserves.name, "LocationName": "x"}
    table.values["Turn"] = values[tasks.DUE]
    return values


def test_nobody_enters_before_his_turn(table: Tabletop) -> None:
    unit = first_due(table)
    table.values["Turn"] = str(int(table.values["Turn"]) - 1)
    begins(table)
    table.key(unit, tasks.KEY_ENTER)
    assert table.pieces[unit].values["CurrentMap"] == table.plan.reserves.name
    assert table.pieces[unit].values["Role"] == "0"


def test_who_has_to_leave_is_marked(table: Tabletop) -> None:
    for leaving in table.plan.scenario.setup.withdrawals:
        table.put(leaving.units[0], "0505")
        table.values["Turn"] = str(leaving.turn)
        begins(table)
        assert table.pieces[leaving.units[0]].values["Role"] == str(steps.LEAVES)
        table.key(leaving.units[0], KEY_LEAVE)
        assert table.pieces[leaving.units[0]].values["Role"] == "0"
        assert [type(s) for s in heard(table)] == [st.Exit]


def test_who_goes_by_rail_is_marked_until_he_has_gone(table: Tabletop) -> None:
    unit = next(iter(table.pieces))
    table.key(unit, tasks.KEY_RAIL)
    if "rail" not in tasks.available(table.plan):
        assert table.pieces[unit].values["Role"] == "0" and heard(table) == []
        return
    assert table.pieces[unit].values["Role"] == str(steps.RAIL) and table.values[steps.TASK] == ""
    table.drag(unit, "0503")
    assert heard(table) == [st.RailMove(1, (unit,), ("0505", kinds.OPEN, "0503"))]
    assert table.pieces[unit].values["Role"] == "0"
    table.drag(unit, "0505")
    assert heard(table) == []


def test_one_button_brings_all_who_are_due_and_one_takes_off_who_leaves(table: Tabletop) -> None:
    unit = first_due(table)
    begins(table)
    own = table.pieces[unit].values["Side"]
    phases = [p for p in table.plan.scenario.game.sequence if p.phase == "movement"]
    named = table.plan.words.steps(table.plan.scenario.game.sequence)
    for phase in sorted(phases, key=lambda p: p.side == own):
        table.values["SidePhase"] = named[table.plan.scenario.game.sequence.index(phase)]
        if phase.side != own:
            table.press(str(tasks.HOTKEY_ARRIVE))
            assert heard(table) == []
    table.press(str(tasks.HOTKEY_ARRIVE))
    assert [type(s) for s in heard(table)] == [st.Enter]
    assert table.pieces[unit].values["CurrentMap"] == table.plan.words("map.main")
    for leaving in table.plan.scenario.setup.withdrawals:
        table.put(leaving.units[0], "0505")
        table.values["Turn"] = str(leaving.turn)
        begins(table)
        table.press(str(tasks.HOTKEY_DEPART))
        assert {type(s) for s in heard(table)} == {st.Exit}


def test_works_are_told_with_their_die(table: Tabletop) -> None:
    rules = table.plan.scenario.game.rules.movement
    works = {"clear": rules.clearing, "build": rules.bridging}
    for task, rule in works.items():
        units = [u for u, p in table.plan.units.items() if tasks.may(table.plan, task, p)]
        assert bool(units) == (rule is not None)
        if units:
            table.put(units[0], "0505")
            table.dice, table.answers[tasks.BEYOND] = (4,), "0504"
            table.key(units[0], tasks.TASKS[task])
            cleared = st.ClearTrail(1, "0505", units[0], 4)
            assert heard(table) == [cleared if task == "clear" else st.BuildBridge(1, ("0505", "0504"), units[0])]
            if task == "build":
                table.answers[tasks.BEYOND] = ""
                table.key(units[0], tasks.TASKS[task])
                unread = Listener(table.plan.scenario).hear(f"* {table.said[-1]}")
                assert unread is not None and (unread.statement, unread.why) == (None, "not-understood")


def told_by_map(table: Tabletop, report: str, **drag: str) -> str:
    """What the map itself says of a drag; VASSAL gives it the names of this."""
    (text,) = {
        one.get(report) for one in table.root.all("Map") if one.get("mapName") == table.plan.words("map.main")
    }
    return parse(text[1:-1])(lambda name: drag.get(name, table.values.get(name, "")))


def test_the_map_is_silent_where_the_counter_says_it_and_nowhere_else(table: Tabletop) -> None:
    """Of whoever the map is silent about, unit or marker, there is one line."""
    words, main = table.plan.words, table.plan.words("map.main")

    def moved(before: str, now: str) -> str:
        return told_by_map(table, "moveWithinFormat", pieceName="who", previousLocation=before, location=now)

    def came(map_: str, before: str) -> str:
        drag = {"pieceName": "who", "previousMap": map_, "previousLocation": before, "location": "0505"}
        return told_by_map(table, "moveToFormat", **drag)

    ours, *_ = table.pieces
    (report,) = reports.of_markers(table.plan)
    marker = report.format
    assert moved("0505", "0504").endswith("0505 -> 0504 *") and not _of_marker(table, marker, OldMap=main)
    boxes = [box.name for box in table.plan.reserves.boxes if first_due_in(table) in box.units]
    for map_, before in ((table.plan.losses.name, "x"), (table.plan.reserves.name, boxes[0])):
        assert not came(map_, before) and _of_marker(table, marker, OldMap=map_, OldLocationName=before)
        table.pieces[ours].values |= {"CurrentMap": map_, "LocationName": before}
        table.said.clear()
        table.drag(ours, "0505")
        assert len([line for line in table.said if "0505" in line]) == 1, table.said
    assert came(table.plan.reserves.name, "elsewhere")
    ours, *_ = fight(table)
    assert not moved("0505", "0504") and _of_marker(table, marker, OldMap=main)
    table.drag(ours, "0504")
    assert len(heard(table)) == 1
    assert moved("0505", "0505") and moved("0505", words("track.turn_box", n=2))


def _of_marker(table: Tabletop, text: str, **values: str) -> str:
    known = {"PieceName": "marker", "OldLocationName": "0505", "LocationName": "0504", **table.values, **values}
    return parse(text[1:-1])(lambda name: known.get(name, ""))


def first_due_in(table: Tabletop) -> str:
    """A unit that waits in a box of those who are due."""
    return table.plan.scenario.setup.reinforcements[0].units[0]
