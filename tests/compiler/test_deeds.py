"""What becomes of counters is told in the words of the turn sheet; those of the enemy stay where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.modulegen.assemble.combat import counters, deeds, names, tasks
from hexforge.modulegen.assemble.strokes import KEY_LEAVE, KEY_PHASE, KEY_TURN
from hexforge.modulegen.plan import plan
from hexforge.modulegen.plan.chores import recovers
from hexforge.scenarios.loader import load
from hexforge.validator.readers import statements as st
from hexforge.validator.transcribe.typed import DONE, Listener

from .tabletop import Tabletop

ROOT = Path(__file__).parents[2]
GAMES = [("bastogne", "pt"), ("hurtgen", "en"), ("metz", "pt"), ("tests/games/saltway", "en")]


@pytest.fixture(params=GAMES, ids=lambda game: game[0].rsplit("/", 1)[-1])
def table(request: pytest.FixtureRequest) -> Tabletop:
    game, language = request.param
    module = Tabletop.of(plan(load(ROOT / game if "/" in game else game), language))
    spot = ["0505", "0506", "0504"]
    first, second = (spec.id for spec in module.plan.scenario.game.sides)
    for hex_, side, count in ((spot[0], second, 2), (spot[1], first, 2)):
        own = [u for u, p in module.plan.units.items() if p.counter.side == side and len(p.images) > 1]
        own += [u for u, p in module.plan.units.items() if p.counter.side == side and u not in own]
        for unit in own[:count]:
            module.put(unit, hex_)
    return module


def heard(table: Tabletop) -> list[st.Statement]:
    """What a reader of logs takes of all that was said since; every line has to be a statement."""
    listener = Listener(table.plan.scenario)
    lines = [listener.hear(f"* {line}") for line in table.said]
    assert all(line is not None and line.reported for line in lines), table.said
    table.said.clear()
    return [line.statement for line in lines if line is not None and line.statement is not None]


def fight(table: Tabletop) -> tuple[str, str, str, str]:
    """A combat that is rolled: the two who were attacked, the two who attacked."""
    ours, theirs, mine, his = table.pieces
    table.key(ours, counters.KEY_TARGET)
    for unit in (mine, his):
        table.key(unit, counters.KEY_ATTACK)
    table.press(str(names.HOTKEY_ROLL))
    table.said.clear()
    return ours, theirs, mine, his


def test_a_drag_after_a_combat_is_a_retreat_or_an_advance(table: Tabletop) -> None:
    one, other, attacker, second = fight(table)
    table.drag(one, "0504")
    table.drag(other, "0503")
    table.key(attacker, deeds.KEY_ADVANCE)
    table.drag(second, "0505")
    table.drag(second, "0504")
    assert heard(table) == [
        st.Retreat(1, (one,), ("0505", "0504")),
        st.Retreat(1, (other,), ("0505", st.OPEN, "0503")),
        st.Advance(1, (attacker,), ("0505",)),
        st.Advance(1, (second,), ("0505",)),
        st.Advance(1, (second,), ("0505", "0504")),
    ]
    assert table.pieces[attacker].values["LocationName"] == "0505"
    assert {p.values["Role"] for p in table.pieces.values()} == {"0"}


def test_an_attacker_who_goes_elsewhere_retreats(table: Tabletop) -> None:
    *_, attacker, second = fight(table)
    table.drag(attacker, "0507")
    table.key(second, deeds.KEY_RETREAT)
    table.drag(second, "0505")
    assert [type(s) for s in heard(table)] == [st.Retreat, st.Retreat]


def test_a_new_phase_knows_of_no_combat(table: Tabletop) -> None:
    one, _, attacker, _ = fight(table)
    table.press(str(KEY_PHASE))
    table.drag(one, "0504")
    table.key(attacker, deeds.KEY_ADVANCE)
    assert heard(table) == [] and table.pieces[attacker].values["LocationName"] == "0506"


def test_losses_and_exits_are_told(table: Tabletop) -> None:
    unit, other, *_ = table.pieces
    two = len(table.plan.units[unit].images) > 1
    if two:
        table.key(unit, deeds.KEY_REDUCE)
        table.key(unit, deeds.KEY_REDUCE)
        table.key(unit, deeds.KEY_RECOVER)
        # The entry is there where the game gives steps back.
        back = [st.Recover(1, (unit,))] if recovers(table.plan.scenario) else []
        assert heard(table) == [st.Lose(1, (unit,)), *back]
    table.key(unit, deeds.KEY_ELIMINATE)
    table.key(unit, deeds.KEY_ELIMINATE)
    table.key(other, KEY_LEAVE)
    assert heard(table) == [st.Eliminate(1, (unit,)), st.Exit(1, (other,), ("0505",))]
    table.key(unit, deeds.KEY_BACK)
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
    table.values |= {"SidePhase": words.step(phase.side, phase.phase), deeds.SOLO: "true"}
    table.drag(theirs, "0503")
    assert table.pieces[theirs].values["LocationName"] == "0503" and len(table.said) == 1


def test_whatever_it_says_of_counters_readers_leave_to_the_counters() -> None:
    assert {st.Lose, st.Eliminate, st.Retreat, st.Advance, st.Recover, st.Enter, st.Exit} == set(DONE)


def first_due(table: Tabletop) -> str:
    """A unit that is due by known hexes, in its window on the turn that it is due."""
    for unit, known in table.plan.units.items():
        own = tasks.markers(table.plan, known)
        if own[tasks.DUE] and own[tasks.ENTRIES]:
            table.put(unit, "0505")
            table.pieces[unit].values |= {"CurrentMap": table.plan.reserves.name, "LocationName": "x"}
            table.values["Turn"] = str(own[tasks.DUE])
            return unit
    raise AssertionError("everybody who is due may enter anywhere")


def begins(table: Tabletop) -> None:
    """The turn begins, with its news."""
    table.press(str(KEY_TURN))
    table.said.clear()


def test_who_is_due_is_marked_and_enters_on_one_key(table: Tabletop) -> None:
    unit = first_due(table)
    begins(table)
    assert table.pieces[unit].values["Role"] == str(names.DUE)
    table.key(unit, tasks.KEY_ENTER)
    ring = table.pieces[unit].values[tasks.ENTRIES].split(">")[1:-1]
    assert heard(table) == [st.Enter(1, (unit,), (ring[0],))]
    assert table.pieces[unit].values["Role"] == "0" and table.values[names.TASK] == ""
    for hex_ in ring[1:]:
        table.key(unit, tasks.KEY_ENTER)
        assert table.pieces[unit].values["LocationName"] == hex_
    inside = next(h for h in table.plan.scenario.map.grid if h not in ring)
    table.drag(unit, inside)
    table.key(unit, tasks.KEY_ENTER)
    assert table.pieces[unit].values["LocationName"] == inside


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
        assert table.pieces[leaving.units[0]].values["Role"] == str(names.LEAVES)
        table.key(leaving.units[0], KEY_LEAVE)
        assert table.pieces[leaving.units[0]].values["Role"] == "0"
        assert [type(s) for s in heard(table)] == [st.Exit]


def test_who_goes_by_rail_is_marked_until_he_has_gone(table: Tabletop) -> None:
    unit = next(iter(table.pieces))
    table.key(unit, tasks.KEY_RAIL)
    if "rail" not in tasks.available(table.plan):
        assert table.pieces[unit].values["Role"] == "0" and heard(table) == []
        return
    assert table.pieces[unit].values["Role"] == str(names.RAIL) and table.values[names.TASK] == ""
    table.drag(unit, "0503")
    assert heard(table) == [st.RailMove(1, (unit,), ("0505", st.OPEN, "0503"))]
    assert table.pieces[unit].values["Role"] == "0"
    table.drag(unit, "0505")
    assert heard(table) == []


def test_one_button_brings_all_who_are_due_and_one_takes_off_who_leaves(table: Tabletop) -> None:
    unit = first_due(table)
    begins(table)
    own = table.pieces[unit].values["Side"]
    phases = [p for p in table.plan.scenario.game.sequence if p.phase == "movement"]
    for phase in sorted(phases, key=lambda p: p.side == own):
        table.values["SidePhase"] = table.plan.words.step(phase.side, phase.phase)
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
