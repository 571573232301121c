"""Broken files get one clear message a defect, with file and line, and all of them at once."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hexforge.scenarios import Scenario, ScenarioError, find, load, names
from hexforge.scenarios.commands import HOME

Edit = Callable[[str], str]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of a game and of its family that a test may break."""
    for name in ("hurtgen", "somnium"):
        shutil.copytree(HOME / name, tmp_path / name)
    return tmp_path / "hurtgen"


def edit(file: Path, old: str, new: str) -> int:
    """Replace the first `old` in a file; returns the line (from 1) where it stood."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def complaints(folder: Path) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        load(folder)
    return [str(p).removeprefix(str(folder) + "/") for p in caught.value.problems]


@pytest.mark.parametrize("name", names())
def test_the_games_load_without_a_warning(name: str) -> None:
    scenario = load(name)
    assert scenario.warnings == ()
    assert set(scenario.map.terrain) == set(scenario.map.grid) == set(scenario.map.provenance)


@pytest.mark.parametrize(
    ("name", "hexes", "american", "german"),
    [("bastogne", 1326, 107, 117), ("metz", 644, 45, 49), ("hurtgen", 216, 27, 44)],
)
def test_hexes_and_counters_are_as_many_as_section_2_counts(
    name: str, hexes: int, american: int, german: int
) -> None:
    scenario = load(name)
    sides = [u.side for u in scenario.counters.values()]
    assert (len(scenario.map.terrain), sides.count("american"), sides.count("german")) == (hexes, american, german)


def test_a_digest_follows_every_file(game: Path) -> None:
    before = load(game).digest
    assert load(game).digest == before
    (game / "counters.csv").open("a", encoding="utf-8").write("\n")
    assert load(game).digest != before


def test_files_that_have_not_changed_are_not_read_again(game: Path) -> None:
    once = load(game)
    assert load(game) is once
    edit(game / "counters.csv", "us-", "us-x")
    changed = load(game, strict=False)
    assert changed is not once and changed.counters.keys() != once.counters.keys()
    family = game.parent / "somnium" / "family.yaml"
    family.write_text(family.read_text("utf-8") + "nonsense: 1\n", "utf-8")
    assert complaints(game), "the family's files count as the game's"


def test_an_unknown_game_names_the_known_ones() -> None:
    with pytest.raises(ScenarioError, match=r"neither a game \(known: .*hurtgen"):
        find("waterloo")


Case = tuple[str, str, str, str]

CASES: dict[str, Case] = {
    "a cell that is not a number": (
        "counters.csv",
        ",4,4,5,",
        ",4,x,5,",
        r"us-\S+, column defence: 'x' is not a whole",
    ),
    "an unknown letter": (
        "map.yaml",
        "terrain: |\n  .",
        "terrain: |\n  !",
        r"hex 0101 has the letter '!'; expected one of",
    ),
    "hexes not painted yet": (
        "map.yaml",
        "terrain: |\n  ..",
        "terrain: |\n  ??",
        r"2 hexes are still without terrain",
    ),
    "a row too short": ("map.yaml", "terrain: |\n  .", "terrain: |\n  ", r"row 1 has 17 letters; the grid has 18"),
    "a hex off the map": ("setup.yaml", '"0210"', '"1910"', r"1910 is off the map, which ends at 1812"),
    "no hex at all": ("setup.yaml", '"0210"', '"210x"', r"'210x' is not a hex: four digits"),
    "hexes that do not touch": (
        "map.yaml",
        "0212/0312",
        "0212/0412",
        r"0212/0412: these hexes do not touch; 0212 touches 0211",
    ),
    "a road that jumps": ("map.yaml", '"0807 0907 1007"', '"0807 1007"', r"the road jumps from 0807 to 1007"),
    "a unit set up twice": (
        "setup.yaml",
        "units: ge-luft-1",
        "units: ge-luft-1 ge-luft-2",
        r"ge-luft-2 is set up twice",
    ),
    "a unit that is not there": (
        "setup.yaml",
        "units: ge-luft-1",
        "units: ge-luft-9",
        r"there is no counter 'ge-luft-9'",
    ),
    "too many in a stack": (
        "setup.yaml",
        '{hexes: "0806"',
        '{hexes: "0807"',
        r"4 units start in 0807; at most 3 may",
    ),
    "both sides in a hex": ("setup.yaml", '{hexes: "0806"', '{hexes: "0609"', r"both sides start in 0609"),
    "an unknown key": (
        "game.yaml",
        "letter: H",
        "letter: H\ncolour: red",
        r"colour: is not a key that is known here",
    ),
    "a key given twice": ("game.yaml", "letter: H", "letter: H\nletter: B", r"the key 'letter' stands twice"),
    "a missing key": ("game.yaml", "letter: H\n", "", r"letter: is missing"),
    "broken YAML": (
        "tables.yaml",
        "crt:",
        "crt: [",
        r"the bracket opened in line 1 is not closed, or a comma or a quote is missing",
    ),
    "a table with a cell too few": (
        "tables.yaml",
        "[IMP, DRI AVB, ",
        "[DRI AVB, ",
        r"has 10 cells; the table has 11",
    ),
    "an unknown type": ("counters.csv", ",mortar,", ",cannon,", r"'cannon' is no unit type of this game"),
    "a total that is not the rulebook's": (
        "setup.yaml",
        "german: 44",
        "german: 45",
        r"has 44 german counters.* 45 \(H 2",
    ),
    "an objective that is no place": ("victory.yaml", "place: schmidt", "place: schmitt", r"no place 'schmitt'"),
    "quarter points": (
        "tables.yaml",
        "motorised: 0.5",
        "motorised: 0.25",
        r"0.25 is no number of whole or half .* times 2",
    ),
    "thirds of points": (
        "tables.yaml",
        "motorised: 0.5",
        "motorised: 1/3",
        r"'1/3' is no number of whole or half .* times 3",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_defect_is_said_with_file_and_line(game: Path, case: str) -> None:
    file, old, new, message = CASES[case]
    line = edit(game / file, old, new)
    found = complaints(game)
    match = next((f for f in found if re.search(message, f)), None)
    assert match, found
    where = re.match(r"([a-z.]+):(\d+): ", match)
    assert where and where[1] == file
    assert abs(int(where[2]) - line) <= 4


def test_an_armoured_unit_may_not_start_where_it_may_not_go(game: Path) -> None:
    edit(game / "setup.yaml", '{hexes: "0306"', '{hexes: "0309"')
    assert any("mountain is barred to tank_destroyer" in c for c in complaints(game))


def test_a_town_needs_a_name(game: Path) -> None:
    text = (game / "map.yaml").read_text(encoding="utf-8")
    (game / "map.yaml").write_text(re.sub(r"  - \{id: zweifall.*\n", "", text), encoding="utf-8")
    assert any("0104 is town but no place names it" in c for c in complaints(game))


def test_all_defects_are_said_at_once(game: Path) -> None:
    edit(game / "counters.csv", ",4,4,5,", ",4,x,5,")
    edit(game / "game.yaml", "letter: H", "letter: hh")
    edit(game / "tables.yaml", "motorised: 0.5", "motorised: -1")
    assert {c.split(":")[0] for c in complaints(game)} == {"counters.csv", "game.yaml", "tables.yaml"}


def test_a_type_that_is_none_is_said_once(game: Path) -> None:
    edit(game / "counters.csv", ",infantry,", ",infantri,")
    (only,) = complaints(game)
    assert "'infantri' is no unit type of this game" in only


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("counters.csv", ",infantry,", ",Infantri,", ": perhaps 'infantry' is meant: 'Infantri' is no unit type"),
        (
            "map.yaml",
            '"M": mountain',
            '"M": mountian',
            ": perhaps 'mountain' is meant: the terrain 'mountian' has no",
        ),
        ("counters.csv", ",mortar,", ",cannon,", ": 'cannon' is no unit type of this game; it has"),
        ("setup.yaml", "units: ge-luft-1", "units: ge-luft-9", ": there is no counter 'ge-luft-9'"),
    ],
)
def test_the_name_that_must_be_meant_goes_first(game: Path, file: str, old: str, new: str, said: str) -> None:
    edit(game / file, old, new)
    assert any(said in c for c in complaints(game)), complaints(game)


def test_a_defect_in_the_family_names_the_familys_file(game: Path) -> None:
    family = game.parent / "somnium" / "family.yaml"
    line = edit(family, "movement: foot}", "movement: 7}")
    assert any(c.startswith(f"{family}:{line}: unit_types.infantry.movement") for c in complaints(game))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff", "is not UTF-8 text"),
        (b"\xff\xfea", "is not UTF-8 text"),
        (b"a: &a [x]\nb: [" + b"*a, " * 200 + b"]", "aliases"),
        (b"[" * 5000, "nested|YAML|recursion|flow"),
        (b"- a\n", "is not a mapping"),
        (b"x" * 5_000_000, "larger than"),
    ],
)
def test_hostile_yaml_is_refused(game: Path, content: bytes, message: str) -> None:
    (game / "map.yaml").write_bytes(content)
    assert any(re.search(message, c) for c in complaints(game))


def test_plain_hex_numbers_are_not_octal(game: Path) -> None:
    edit(game / "setup.yaml", '"0104"', "0104")
    edit(game / "setup.yaml", '"1007"', "1007")
    scenario: Scenario = load(game)
    placed = {p.hexes for p in scenario.setup.at_start}
    assert ("0104",) in placed and ("1007",) in placed


def test_counters_have_a_column_of_names_a_language(game: Path) -> None:
    heading, *rows = (game / "counters.csv").read_text("utf-8").splitlines()
    named = [f"{heading},name_cy", *(f"{row},Cymru {i}" if i else f"{row}," for i, row in enumerate(rows))]
    (game / "counters.csv").write_text("\n".join(named) + "\n", "utf-8")
    before, after = load("hurtgen").counters, load(game).counters
    first, second, *_ = after.values()
    assert (second.name("cy"), second.names["en"]) == ("Cymru 1", before[second.id].name("en"))
    assert first.name("cy") == first.name("en"), "English, where a language has no name"
    assert first.model_copy(update={"names": {"pt": "Guarda"}}).name("cy") == "Guarda"
    assert first.model_copy(update={"names": {}}).name("cy") == first.id
    edit(game / "counters.csv", "name_cy", "names")
    assert complaints(game) == ["counters.csv:1: names: is not a column that is known here"]
