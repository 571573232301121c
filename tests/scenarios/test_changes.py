"""What a change touches is said: everything that lies on the hex or the counter that was changed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hexforge.scenarios import DataChange, Scenario, baseline, impact, load, touches_counter, touches_hex
from hexforge.scenarios.commands import HOME


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    for part in ("hurtgen", "somnium"):
        shutil.copytree(HOME / part, tmp_path / part)
    return tmp_path / "hurtgen"


def edit(folder: Path, file: str, old: str, new: str) -> Scenario:
    path = folder / file
    text, count = re.subn(old, new, path.read_text(encoding="utf-8"), count=1, flags=re.DOTALL)
    assert count == 1
    path.write_text(text, encoding="utf-8")
    return load(folder)


def test_nothing_changed_touches_nothing() -> None:
    assert impact(load("metz"), load("metz")) == []


def test_a_hex_says_what_lies_on_it() -> None:
    found = [str(line) for line in touches_hex(load("hurtgen"), "1007")]
    assert "place vossenack (Vossenack, town)" in found
    assert "set-up: ge-983-1 ge-983-2 start here (H 10.1.1)" in found
    assert "objective vossenack: american 10, german 10 (H 10.2)" in found
    assert "road Germeter - Vossenack" in found
    assert "Kall (river)" in found
    assert any(line.startswith("example ") for line in found)


def test_a_hex_of_a_rule_says_which() -> None:
    found = [str(line) for line in touches_hex(load("bastogne"), "4310")]
    assert "rule rules.movement.closed_bridges.0.hexes of game.yaml" in found
    assert "bridge 4209/4310" in found


def test_an_entry_hex_says_who_comes() -> None:
    found = [str(line) for line in touches_hex(load("bastogne"), "5112")]
    assert any(line.startswith("turn 17: ge-26-eng may enter here (B 10.1.3)") for line in found)
    assert any("by the east edge" in line for line in found)


def test_a_counter_says_what_rests_on_it() -> None:
    found = [str(line) for line in touches_counter(load("bastogne"), "ge-39-1")]
    assert "set-up: bivouac-26-vg bivouac-26-vg-west (B 10.1.1)" in found
    assert "regiment 39 with ge-39-2" in found
    assert "counts for 2 regiments in bivouac-26-vg-west (B 10.1.1)" in found
    assert "one of the 117 german counters that the rulebook counts (B 2.2)" in found
    assert "scores 5 by leaving west (B 10.2.1)" in map(str, touches_counter(load("bastogne"), "ge-901-1"))


def test_unknown_names_raise() -> None:
    with pytest.raises(KeyError):
        touches_hex(load("hurtgen"), "9901")
    with pytest.raises(KeyError):
        touches_counter(load("hurtgen"), "ge-none")


def test_a_changed_letter_is_found_with_what_it_touches(changed: Path) -> None:
    before = load(changed)
    rows = (changed / "map.yaml").read_text(encoding="utf-8").splitlines()
    first = rows.index("terrain: |") + 1
    assert rows[first + 8 - 1][2:][8] == "f"  # 0908
    rows[first + 8 - 1] = rows[first + 8 - 1][: 2 + 8] + "." + rows[first + 8 - 1][2 + 9 :]
    (changed / "map.yaml").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (change,) = impact(before, load(changed))
    assert (change.what, change.id, str(change.before), str(change.after)) == (
        "hex", "0908", "forest (assumed)", "open (assumed)",
    )  # fmt: skip
    assert "Kall (river)" in map(str, change.touches)
    assert str(change).startswith("hex 0908: forest (assumed) -> open (assumed)\n    ")


@pytest.mark.parametrize(
    "case",
    [
        ("map.yaml", "410/0511 0510/0511", "410/0511 0410/0510 0510/0511", "hexside", "0410/0510 river"),
        ("map.yaml", '"1707 1807"', '"1707 1806"', "way", "road Nideggen - Zülpich"),
        ("map.yaml", '(id: gey, .*?)hexes: "1202"', r'\1hexes: "1302"', "place", "gey"),
        ("map.yaml", r"(id: beyond-kall\n.*?hexes: >-\n *)0312 ", r"\1", "area", "beyond-kall"),
        ("counters.csv", "2-3-8|893º BTD", "893.º BTD", None, None),
        ("setup.yaml", "turn: 3, edges: \\[south\\]", "turn: 4, edges: [south]", "set-up", "ge-982-1"),
        ("victory.yaml", "american: 20, german: 20", "american: 25, german: 20", "objective", "schmidt"),
    ],
)  # fmt: skip
def test_every_kind_of_change_is_found(changed: Path, case: tuple[str, str, str, str | None, str | None]) -> None:
    file, old, new, what, id_ = case
    before = load(changed)
    found = impact(before, edit(changed, file, old, new))
    if what is None:
        assert found == []  # a name in Portuguese is no fact of the game
    else:
        assert (what, id_) in {(c.what, c.id) for c in found}


def test_a_counters_figures_name_its_regiment(changed: Path) -> None:
    before = load(changed)
    (change,) = impact(before, edit(changed, "counters.csv", "(us-112-1,[^\n]*?),4,4,5,", r"\1,3,4,5,"))
    assert isinstance(change, DataChange)
    assert "4-4-5" in str(change.before) and "3-4-5" in str(change.after)
    assert "regiment 112 with us-112-2 us-112-3" in map(str, change.touches)


def test_a_copy_is_held_against_the_programs_own_game(changed: Path) -> None:
    corrected = edit(changed, "counters.csv", "(us-112-1,[^\n]*?),4,4,5,", r"\1,3,4,5,")
    old = baseline(corrected)
    assert old is not None and old.folder == HOME / "hurtgen"
    assert [c.id for c in impact(old, corrected)] == ["us-112-1"]


def test_a_game_of_ones_own_is_held_against_its_last_commit(changed: Path) -> None:
    own = changed.rename(changed.parent / "kall")
    edit(own, "game.yaml", "name: hurtgen", "name: kall")
    assert baseline(load(own)) is None  # nothing is committed yet
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(own.parent)]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *command], check=True, capture_output=True, timeout=20)
    corrected = edit(own, "counters.csv", "(us-112-1,[^\n]*?),4,4,5,", r"\1,3,4,5,")
    old = baseline(corrected)
    assert old is not None
    assert [c.id for c in impact(old, corrected)] == ["us-112-1"]
