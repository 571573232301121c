"""The witness against a small module and logs that VASSAL itself wrote, with the positions it reported then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from . import Engine, WitnessError
from .conftest import PLAYED
from .scripted import differences, play_through

pytestmark = pytest.mark.witness

LOGS = sorted(path.name for path in PLAYED.glob("*.vlog"))


def test_describes_the_module(mini: Engine) -> None:
    module = mini.module
    assert (module["name"], module["version"], module["sides"]) == ("Mini", "1.0", ["Red", "Blue"])
    (board,) = module["maps"][0]["boards"]
    assert (board["name"], board["width"], board["height"]) == ("Board", 1200, 900)
    assert board["grid"]["class"] == "HexGrid"
    assert board["grid"]["numbering"]["stagger"] == "true"
    assert [(slot["name"], slot["gpid"]) for slot in module["slots"]] == [
        ("red1", "1"),
        ("red2", "2"),
        ("blue1", "3"),
    ]
    # What the prototype brings: the entry of `mark moved`, and the property that it keeps.
    assert "Mark Moved" in [entry["text"] for entry in module["slots"][0]["commands"]]
    assert module["slots"][0]["properties"]["Moved"] == "false"
    assert module["prototypes"] == ["Unit"]
    assert module["setups"] == [{"name": "Start", "file": "Start.vsav", "menu": False, "uses_file": True}]
    assert (module["turns"], module["dice"]) == (["Turn"], ["1d6"])


def test_a_sound_module_has_no_problems(mini: Engine) -> None:
    mini.ask("describe")
    mini.setup("Start")
    assert mini.problems == []


def test_the_set_up_places_the_pieces(mini: Engine) -> None:
    places = {piece["name"]: piece["location"] for piece in mini.setup("Start")["pieces"]}
    assert places == {"red1": "0303", "red2": "0303", "blue1": "0505"}


@pytest.mark.parametrize("log", LOGS)
def test_a_log_leads_to_the_position_on_record(mini: Engine, log: str) -> None:
    record = json.loads((PLAYED / f"{log}.positions.json").read_text(encoding="utf-8"))
    mini.load(PLAYED / log)
    position = mini.step()
    keys = ("id", "name", "gpid", "map", "location", "x", "y")
    seen = [(*(one[key] for key in keys), one["stack_index"], one["stack_size"]) for one in position["pieces"]]
    told = [(*(one[key] for key in keys), one["stackIndex"], one["stackSize"]) for one in record["pieces"]]
    assert sorted(seen) == sorted(told)
    assert sorted(map(str, position["players"])) == sorted(map(str, record["players"]))
    assert mini.problems == []


def test_steps_are_single_actions_and_can_be_undone(mini: Engine) -> None:
    mini.load(PLAYED / "a.vlog")
    at_start = mini.position()
    (red1,) = [piece for piece in mini.step(1)["pieces"] if piece["name"] == "red1"]
    assert red1["location"] == "0404"
    mini.ask("undo")
    assert {piece["name"]: piece["location"] for piece in mini.position()["pieces"]} == {
        piece["name"]: piece["location"] for piece in at_start["pieces"]
    }


def test_what_is_played_by_hand_is_logged_and_replayed(mini: Engine, tmp_path: Path) -> None:
    log, save = tmp_path / "hand.vlog", tmp_path / "hand.vsav"
    mini.setup("Start")
    mini.player("Zé", "Red")
    mini.start_log(log)
    assert mini.move("red1", "0404")["location"] == "0404"
    assert mini.command("red1", "Mark Moved")
    mini.place("3", "0101")
    mini.ask("button", name="1d6")
    first = mini.ask("turn", name="Turn", back=False)["state"]
    assert mini.ask("turn", name="Turn", back=False)["state"] != first
    mini.ask("say", text="olá & <b>")
    assert mini.end_log() >= 7
    mini.save(save)
    played = mini.position()
    mini.load(log)
    assert differences(played, mini.step()) == []
    assert differences(played, mini.load(save)) == []
    assert "<Zé> - olá & <b>" in mini.chat()
    assert mini.problems == []


def test_the_script_finds_nothing_wrong_with_a_sound_module(mini: Engine, tmp_path: Path) -> None:
    assert play_through(mini, mini.module, "Start", tmp_path) == []
    assert mini.problems == []


def test_the_comparison_sees_a_difference(mini: Engine) -> None:
    before = mini.setup("Start")
    mini.move("red1", "0404")
    found = "\n".join(differences(before, mini.position()))
    assert "'red1': location is '0404', not '0303'" in found


def test_draws_the_map(mini: Engine, tmp_path: Path) -> None:
    from PIL import Image

    mini.setup("Start")
    mini.snapshot(tmp_path / "map.png")
    with Image.open(tmp_path / "map.png") as picture:
        assert picture.size == (1200, 900)
        # The blue counter lies on 0505, whose centre is at (404, 450).
        red, _, blue = picture.convert("RGB").getpixel((384, 470))  # type: ignore[misc]
        assert blue > 100 > red


def test_says_what_it_cannot_do(mini: Engine) -> None:
    mini.setup("Start")
    with pytest.raises(WitnessError, match="no piece 'nobody'"):
        mini.move("nobody", "0101")
    with pytest.raises(WitnessError, match="no location '9999'"):
        mini.move("red1", "9999")
    with pytest.raises(WitnessError, match="no predefined set-up 'Nowhere'"):
        mini.setup("Nowhere")
    with pytest.raises(WitnessError, match="offers no 'Dance'"):
        mini.command("red1", "Dance")
