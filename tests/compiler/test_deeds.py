"""What becomes of counters is told in the words of the turn sheet; those of the enemy stay where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.modulegen.assemble.combat import counters, deeds, names
from hexforge.modulegen.assemble.strokes import KEY_PHASE
from hexforge.modulegen.plan import plan
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
        assert heard(table) == [st.Lose(1, (unit,)), st.Recover(1, (unit,))]
    table.key(unit, deeds.KEY_ELIMINATE)
    table.key(unit, deeds.KEY_ELIMINATE)
    table.key(other, deeds.KEY_LEAVE)
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
