"""Logs that VASSAL 3.7.26 wrote from scripts, against the positions it reported itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexforge.modulegen.vassal.inspect import as_json, as_text, describe
from hexforge.modulegen.vassal.module import read_module
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import read_save

PLAYED = Path(__file__).resolve().parents[1] / "data" / "played"
LOGS = ["a", "b", "b-gap", "b-reroll"]
PASSWORDS = ("alicepw", "bobpw")


def replay_of(name: str) -> LogReplay:
    return LogReplay(read_save(PLAYED / f"{name}.vlog"), read_module(PLAYED / "mini.vmod"))


@pytest.mark.parametrize("name", LOGS)
def test_the_final_position_is_vassals(name: str) -> None:
    replay = replay_of(name)
    replay.goto(-1)
    reported = json.loads((PLAYED / f"{name}.vlog.positions.json").read_text())
    ours = {
        (v.name, v.id, v.gpid, v.map, v.location, v.x, v.y, v.stack_index, v.stack_size) for v in replay.pieces()
    }
    keys = ("name", "id", "gpid", "map", "location", "x", "y", "stackIndex", "stackSize")
    assert ours == {tuple(p[k] for k in keys) for p in reported["pieces"]}
    players = [{"name": p.name, "side": p.side} for p in replay.position.players.values()]
    assert players == reported["players"]


def test_each_step_of_a_turn() -> None:
    replay = replay_of("a")
    places = []
    while True:
        places.append(tuple(replay.view(i).location for i in ("1001", "1002", "1003")))
        if not replay.forward():
            break
    assert places[:3] == [("0303", "0303", "0505"), ("0404", "0303", "0505"), ("0404", "0303", "0505")]
    assert len(places) == len(replay) + 1 == 6
    assert replay.position.properties[("Module", "1d6_result")] == "4"
    assert replay.position.turns["TurnTracker0"].startswith("0|1;0;false;-1;1")
    assert replay.piece("1001").properties()["Moved"] == "true"
    while replay.back():
        pass
    assert replay.step == 0
    assert replay.view("1001").location == "0303"
    assert replay.piece("1001").properties()["Moved"] == "false"


def test_an_undone_roll_leaves_the_second() -> None:
    replay = replay_of("b-reroll")
    results = []
    while replay.forward():
        results.append(replay.position.properties.get(("Module", "1d6_summary")))
    assert results == [None, "3 x1", "", "3 x1", "3 x1"]


@pytest.mark.parametrize("name", LOGS)
def test_descriptions_show_no_password(name: str) -> None:
    path = PLAYED / f"{name}.vlog"
    for text in (as_json(path), as_text(path), as_json(path, module=PLAYED / "mini.vmod"), repr(read_save(path))):
        assert not any(word in text for word in PASSWORDS)
    assert "Red" in as_text(path) or "Blue" in as_text(path)


def test_a_description_names_locations() -> None:
    found = describe(PLAYED / "a.vlog", module=PLAYED / "mini.vmod")
    assert (found["kind"], found["saved"]["vassal_version"]) == ("log", "3.7.26")
    assert {p["name"]: p["location"] for p in found["pieces"]["shown"]} == {
        "red1": "0303",
        "red2": "0303",
        "blue1": "0505",
    }
    assert found["actions"][3]["chat"] == ["<Alice> - Attack on 0505"]
    assert describe(PLAYED / "mini.vmod")["images"]["missing"] == []


def test_steps_out_of_range() -> None:
    with pytest.raises(IndexError, match="expected 0 to 5"):
        replay_of("a").goto(7)
