"""A module's combats in VASSAL's own engine: marked by menus and keys, rolled, told, judged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hexforge.modulegen.assemble.combat import counters, reports, steps, tasks
from hexforge.modulegen.assemble.help_page import gestures
from hexforge.modulegen.plan import plan
from hexforge.modulegen.vassal.traits import Key
from hexforge.scenarios.loader import load
from hexforge.validator.judging.check import check_logs
from hexforge.validator.judging.transcription import transcript
from hexforge.validator.logs.chain import read_chain

from . import Engine
from .test_built_modules import build, playable

pytestmark = pytest.mark.witness
GERMETER = {"us-109-1": "0805", "us-109-2": "0805", "us-109-3": "0806", "us-28-art-1": "0706"}
"""Counters next to 0905, but for the third, and a gun beside them."""


@pytest.fixture(scope="module")
def engine(witness_ready: None, modules: Path) -> Iterator[Engine]:
    module = build("hurtgen", "en", modules)
    with Engine() as started:
        started.open(module)
        started.ask("show")
        yield started


@pytest.fixture
def position(engine: Engine) -> dict[str, Any]:
    """The set-up, with Americans next to a German counter in 0905, in the American combat phase."""
    engine.problems.clear()
    engine.setup(playable(engine.module)[0])
    engine.player("Ana", engine.module["sides"][0])
    engine.move("ge-984-1", "0905")
    for unit, hex_ in GERMETER.items():
        engine.move(unit, hex_)
    engine.turn()
    return engine.position()


def press(engine: Engine, key: Key, *units: str) -> None:
    for unit in units:
        engine.key(unit, str(key))
    if not units:
        engine.ask("module_key", key=str(key))


def chat_lines(engine: Engine, since: int) -> list[str]:
    """What the chat says that is more than the blank lines of this old engine."""
    return [line for line in engine.chat()[since:] if line.strip("* ")]


def test_a_combat_is_told_and_judged_as_the_referee_would(
    engine: Engine, position: dict[str, Any], tmp_path: Path
) -> None:
    log = tmp_path / "combat.vlog"
    engine.start_log(log)
    press(engine, counters.KEY_TARGET, "ge-984-1")
    press(engine, counters.KEY_ATTACK, "us-109-1", "us-109-2", "us-109-3")
    press(engine, counters.KEY_SUPPORT, "us-28-art-1")
    engine.ask("answer", text="10")
    press(engine, steps.HOTKEY_OFFBOARD)
    before = len(engine.chat())
    press(engine, steps.HOTKEY_PREVIEW)
    foreseen, far = chat_lines(engine, before)
    assert "not next to the target" in far, "one of them stands two hexes away"
    assert foreseen.startswith("* (0905) ") and ": column " in foreseen and "encirclement" not in foreseen
    press(engine, steps.HOTKEY_ROLL)
    marked = {one["properties"].get("Role") for one in engine.position()["pieces"]}
    assert marked <= {"0", str(steps.DUE), None, ""}
    assert engine.position()["globals"][steps.TARGET] == ""
    engine.end_log()
    assert engine.problems == []
    found = transcript(read_chain([log]))
    assert found is not None
    kinds = [line.split()[0] for line in found.text.splitlines() if line.strip()]
    assert kinds[kinds.index("combat") :][:6] == ["combat", "attack", "support", "declare", "roll", "result"]
    assert "  support us-28-art-1 offboard 10" in found.text.splitlines()
    codes = {f.code for f in check_logs([log]).findings if f.line and f.severity == "illegal"}
    assert codes.isdisjoint({"attack-sum", "defence-sum", "odds", "column", "result", "roll", "shift"}), codes


def test_marks_of_movement_go_with_the_phase(engine: Engine, position: dict[str, Any]) -> None:
    def moved() -> list[str]:
        pieces = engine.position()["pieces"]
        return [one["name"] for one in pieces if one["properties"].get("Moved") == "true"]

    assert moved() == []
    engine.turn()
    engine.move("us-109-1", "0705")
    assert len(moved()) == 1
    engine.turn()
    assert moved() == [] and engine.problems == []


def test_units_are_looked_for_and_marked(engine: Engine, position: dict[str, Any]) -> None:
    """Four in a hex that takes three, a counter next to an enemy, guns in range: marked until the phase changes."""

    def shown(what: str) -> set[str]:
        engine.ask("button", name=what)
        return marked()

    def marked() -> set[str]:
        pieces = engine.position()["pieces"]
        role = str(steps.SHOWN)
        return {one["properties"]["UnitId"] for one in pieces if one["properties"].get("Role") == role}

    engaged = shown("In an enemy zone of engagement")
    assert {"ge-984-1", "us-109-1", "us-109-2"} <= engaged and "us-art-1" not in engaged
    assert {one[:2] for one in engaged} == {"us", "ge"}
    full = {"us-707-tank", "us-112-2", "us-112-3"}
    assert not full & shown("More in a hex than may stand there, or twice on the map")
    engine.move("us-109-3", "0807")
    assert shown("More in a hex than may stand there, or twice on the map") == full | {"us-109-3"}
    assert shown("Take these marks off") == set()
    press(engine, counters.KEY_TARGET, "ge-984-1")
    guns = shown("Guns in range of the hex that is marked as the target")
    assert "us-28-art-1" in guns and "us-109-1" not in guns
    press(engine, steps.HOTKEY_CLEAR)
    engine.turn()
    assert marked() == full | {"us-109-3"}, "what stands where it may not is shown as the phase ends"
    unmoved = shown("Not moved yet, of the side whose phase it is")
    assert unmoved and {one[:2] for one in unmoved} == {"ge"}
    assert engine.problems == []


def test_a_drop_that_may_not_stay_is_told_in_the_chat(engine: Engine, position: dict[str, Any]) -> None:
    """Four in a hex, a mover beside an enemy, a second counter of a unit: each is marked, and said once."""

    slot = next(s for s in engine.module["slots"] if s["properties"].get("UnitId") == "us-110-1")
    while "German: Movement" not in str(engine.position()["turns"]):
        engine.turn()
    before = len(engine.chat())
    engine.move("ge-984-1", "0906")
    engine.move("us-109-3", "0807")
    engine.ask("place", gpid=slot["gpid"], map_name=None, location="0101")
    lines = [one for one in chat_lines(engine, before) if one.startswith("* (")]
    said = [("0906", "zone of engagement"), ("0807", "more than may stand"), ("0101", "twice")]
    assert [hex_ in one and what in one for (hex_, what), one in zip(said, lines, strict=True)] == [True] * 3, lines
    assert engine.problems == []


def test_the_dice_without_a_target_are_two_dice(engine: Engine, position: dict[str, Any]) -> None:
    before = len(engine.chat())
    press(engine, steps.HOTKEY_ROLL)
    dice, line = chat_lines(engine, before)
    assert "2d6" in dice and "no hex is marked" in line
    assert engine.problems == []


def test_who_marks_nobody_is_told_so_and_may_give_up(engine: Engine, position: dict[str, Any]) -> None:
    press(engine, counters.KEY_TARGET, "ge-984-1")
    before = len(engine.chat())
    press(engine, steps.HOTKEY_ROLL)
    assert ["nobody" in line for line in chat_lines(engine, before)] == [True]
    press(engine, steps.HOTKEY_CLEAR)
    assert engine.position()["globals"][steps.TARGET] == ""
    assert engine.problems == []


def test_a_bombardment_spends_its_mark(engine: Engine, position: dict[str, Any]) -> None:
    press(engine, counters.KEY_TARGET, "ge-984-1")
    press(engine, counters.KEY_SUPPORT, "us-28-art-1")
    before = len(engine.chat())
    press(engine, steps.HOTKEY_BOMBARD)
    said = [line.removeprefix("* ").split()[0] for line in chat_lines(engine, before)]
    assert [word for word in said if not word.startswith("*")] == ["bombard", "declare", "roll", "result"]
    assert engine.problems == []


def where(engine: Engine, unit: str) -> str:
    pieces = engine.position()["pieces"]
    return next(str(one["location"]) for one in pieces if one["properties"].get("UnitId") == unit)


def test_what_a_combat_does_is_told_in_one_gesture_and_read_once(
    engine: Engine, position: dict[str, Any], tmp_path: Path
) -> None:
    log = tmp_path / "deeds.vlog"
    engine.start_log(log)
    press(engine, counters.KEY_TARGET, "ge-984-1")
    press(engine, counters.KEY_ATTACK, "us-109-1", "us-109-2", "us-109-3")
    press(engine, steps.HOTKEY_ROLL)
    before = len(engine.chat())
    press(engine, reports.KEY_REDUCE, "ge-984-1")
    engine.move("ge-984-1", "1005")
    press(engine, reports.KEY_ADVANCE, "us-109-1")
    engine.move("us-109-2", "0905")
    engine.move("us-109-3", "0706")
    press(engine, reports.KEY_ELIMINATE, "us-109-3")
    assert not engine.key("us-109-3", str(reports.KEY_REDUCE)), "who is lost has no step to lose"
    assert where(engine, "us-109-1") == "0905"
    said = [line.partition(" [")[2] for line in chat_lines(engine, before)]
    assert said == [
        "lose ge-984-1]",
        "retreat ge-984-1: 0905 1005]",
        "advance us-109-1: 0905]",
        "advance us-109-2: 0905]",
        "retreat us-109-3: 0806 0706]",
        "eliminate us-109-3]",
    ]
    engine.end_log()
    assert engine.problems == []
    found = transcript(read_chain([log]))
    assert found is not None
    lines = [line.strip() for line in found.text.splitlines()]
    assert lines[lines.index("lose ge-984-1") :][:6] == [
        "lose ge-984-1",
        "retreat ge-984-1: 0905 1005",
        "retreat us-109-3: 0806 0706",
        "eliminate us-109-3",
        "advance us-109-1: 0805 0905",
        "advance us-109-2: 0805 0905",
    ]


def test_a_marker_that_is_dragged_after_a_combat_is_told(engine: Engine, position: dict[str, Any]) -> None:
    """The map is silent then, for counters say themselves what they do."""
    press(engine, counters.KEY_TARGET, "ge-984-1")
    press(engine, counters.KEY_ATTACK, "us-109-1", "us-109-2")
    press(engine, steps.HOTKEY_ROLL)
    slot = next(s for s in engine.module["slots"] if s["properties"].get("MarkerId"))
    marker = engine.place(slot["gpid"], "0801")["id"]
    before = len(engine.chat())
    engine.move(marker, "0802")
    engine.move_stack("us-109-1", "0706")
    moved, *units = [line for line in chat_lines(engine, before) if not line.startswith("* (")]
    assert "0801 -> 0802" in moved and ["[retreat us-" in line for line in units] == [True, True], units
    assert engine.problems == []


def test_each_player_moves_his_own_counters(engine: Engine, position: dict[str, Any]) -> None:
    german, own = where(engine, "ge-984-1"), where(engine, "us-109-1")
    engine.turn()
    engine.problems.clear()
    engine.player("Ana", engine.module["sides"][0], alone=False)
    before = len(engine.chat())
    engine.move("ge-984-1", "1005")
    assert where(engine, "ge-984-1") == german
    assert any("goes back" in line for line in chat_lines(engine, before))
    engine.move("us-109-1", "0705")
    assert where(engine, "us-109-1") == "0705" != own
    engine.turn()
    # What a combat does to the enemy is carried out by whoever fights it.
    engine.move("ge-984-1", "1005")
    assert where(engine, "ge-984-1") == "1005" and engine.problems == []


def test_who_is_due_enters_on_one_key_and_works_are_told_with_their_die(
    engine: Engine, position: dict[str, Any], tmp_path: Path
) -> None:
    log = tmp_path / "entries.vlog"
    due = {
        str(one["properties"].get("UnitId"))
        for one in position["pieces"]
        if one["properties"].get("Role") == str(steps.DUE)
    }
    assert due == {"ge-1055-1", "ge-189-3"}
    engine.turn()
    engine.problems.clear()
    engine.start_log(log)
    press(engine, tasks.KEY_ENTER, "ge-1055-1", "ge-982-1")
    first = where(engine, "ge-1055-1")
    assert first.isdigit() and not where(engine, "ge-982-1").isdigit()
    press(engine, tasks.KEY_ENTER, "ge-1055-1")
    second = where(engine, "ge-1055-1")
    assert second.isdigit() and second != first
    press(engine, tasks.KEY_CLEAR, "us-146-eng")
    engine.end_log()
    engine.move("us-20-eng", "0806")
    before = len(engine.chat())
    press(engine, tasks.KEY_CLEAR, "us-20-eng")
    assert not [one for one in chat_lines(engine, before) if "zone of engagement" in one], "it was said of the drag"
    assert engine.problems == []
    found = transcript(read_chain([log]))
    assert found is not None
    lines = [line.split(" roll ")[0] for line in found.text.splitlines()]
    assert f"enter ge-1055-1: {second} from south" in lines and "clear 0306 by us-146-eng" in lines
    assert not [line for line in lines if first in line and "ge-1055-1" in line]


def test_one_key_marks_the_guns_in_range(engine: Engine, position: dict[str, Any]) -> None:
    press(engine, counters.KEY_TARGET, "ge-984-1")
    press(engine, steps.HOTKEY_GUNS)
    marked = {
        str(one["properties"].get("UnitId"))
        for one in engine.position()["pieces"]
        if one["properties"].get("Role") == str(steps.SUPPORT)
    }
    assert "us-28-art-1" in marked and engine.problems == []


ON_COUNTERS = (
    counters.KEY_TARGET,
    counters.KEY_ATTACK,
    counters.KEY_SUPPORT,
    reports.KEY_REDUCE,
    reports.KEY_ELIMINATE,
)
HANDS = {
    "target": ("ge-984-1",),
    "stack": ("us-109-1", "us-109-2"),
    "gun": ("us-28-art-1",),
    "unit": ("us-109-1",),
}
"""Whom the clicks of the help's list are on, one after the other."""


def gestured(engine: Engine, what: str, dragged: str, to: str) -> list[str]:
    """One of the things that the help lists, done as it lists it; what the chat says of it."""
    before, chosen = len(engine.chat()), ""
    hands = {hand: iter(units) for hand, units in HANDS.items()}
    for gesture in gestures(plan(load("hurtgen"), "en"))[what]:
        if gesture == "drag":
            engine.move(dragged, to)
        elif isinstance(gesture, str):
            chosen = next(hands[gesture])
        elif gesture in ON_COUNTERS:
            press(engine, gesture, chosen)
        else:
            press(engine, gesture)
    return [line for line in chat_lines(engine, before) if " -> " not in line]


def test_each_gesture_that_the_help_lists_does_what_it_says(engine: Engine, position: dict[str, Any]) -> None:
    def said(what: str, dragged: str = "", to: str = "") -> list[str]:
        lines = gestured(engine, what, dragged, to)
        return [line.removeprefix("* ").partition(" [")[2].split(" ")[0] or line.split()[1] for line in lines]

    engine.load_dice((3, 4))
    assert said("bombardment")[-1] == "result"
    assert said("assault")[-1] == "result"
    assert said("assault_air")[-1] == "result"
    assert said("loss") == ["lose"]
    assert said("retreat", "us-109-2", "0706") == ["retreat"] and where(engine, "us-109-2") == "0706"
    assert said("elimination") == ["eliminate"] and not where(engine, "us-109-1").isdigit()
    engine.turn()
    assert said("reinforcement", "ge-1055-1", "0412") == ["enter"] and where(engine, "ge-1055-1") == "0412"
    assert said("entry") == ["enter"] and where(engine, "ge-189-3").isdigit()
    # The window of reinforcements is a dialog to the engine.
    assert [p["text"] for p in engine.problems] == ["setup - Reinforcements"]
