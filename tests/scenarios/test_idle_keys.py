"""Keys that come to nothing for want of another, planted into the small games that `modulegen new` writes."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main as modulegen
from tests.scenarios.slips import told_of

COMBAT, MOVES, STACKS = "    modifiers:\n", "  movement:\n", '  stacking: {limit: 2, section: "3.3"}\n'
DOUBLED, TOWN = (
    "        what: {kind: factor, of: defenders, by: 2}\n",
    "        when: [{kind: terrain, terrain: town}]\n",
)
SLIPS = {
    "guns that nobody guards with": ("guards_phase", COMBAT, "    artillery: {guards_most: 2, guards_phase: 1}\n"),
    "guns of no division": ("no unit is of a division", COMBAT, "    artillery: {defence: division}\n"),
    "fire without a table": ("no table of bombardments", COMBAT, "    artillery: {adjacent: fire}\n"),
    "sums of no fire": ("no table of bombardments", COMBAT, "    artillery: {one_formation: true}\n"),
    "who is spared what nobody owes": ("nobody must attack", COMBAT, "    duty: {exempt: cavalry}\n"),
    "an excuse from nothing": ("nobody must attack", COMBAT, "    duty: {excuse: dominance}\n"),
    "which where none": ("`enemies` asks for none", COMBAT, "    duty: {units: moved, enemies_by: zones}\n"),
    "next to any of one hex": ("against one hex", COMBAT, "    shape: {next_to: any}\n"),
    "together and apart": ("by itself", COMBAT, "    shape: {attackers: apart, stacks: together}\n"),
    "bonds without zones": ("there are no zones", MOVES, "    zones: {exerted: false, bonds: always}\n"),
    "stops of zones that there are not": ("no zones", MOVES, "    zones: {exerted: false, enter: {kind: free}}\n"),
    "bridges where nothing ends": ("across all hexsides", MOVES, "    zones: {over_bridges: true}\n"),
    "zones of lost steps": ("more than one step", MOVES, "    zones: {reduced: false}\n"),
    "an exception from nothing": (
        "expected `enter`", MOVES, '    zones: {exceptions: [{types: cavalry, section: "3.2"}]}\n',
    ),
    "a march that none makes": ("carries none", MOVES, '    marches: [{more: 2, most: 0, section: "3.1"}]\n'),
    "all stand for good": ("could ever move", MOVES, '    immobile: [{turns: [1, 6], section: "3.1"}]\n'),
    "steps of units of one": ("one step", STACKS, '  stacking: {limit: 2, counted: steps, section: "3.3"}\n'),
    "nobody's divisions": ("such a formation", STACKS, '  stacking: {limit: 2, alike: division, section: "3.3"}\n'),
    "nations that are one": ("one branch alone", STACKS, '  stacking: {limit: 2, alike: branch, section: "3.3"}\n'),
    "a side of which nothing is said": (
        "expected `limit`", STACKS, '  stacking: {limit: 2, sides: {south: {}}, section: "3.3"}\n',
    ),
    "points that are none": (
        "pay for nothing", STACKS, f'{STACKS}  replacements: [{{side: north, points: 0, section: "5"}}]\n',
    ),
    "a factor of one": ("it changes nothing", DOUBLED, "        what: {kind: factor, of: defenders, by: 1}\n"),
    "no columns": ("it changes nothing", DOUBLED, "        what: {kind: columns, columns: 0}\n"),
    "morale of nobody": ("has a morale", DOUBLED, "        what: {kind: morale, of: both, morale: 1}\n"),
    "fire from too far": ("reaches so far", TOWN, "        when: [{kind: distance, least: 5}]\n"),
    "works that there are not": ("is fortified", TOWN, "        when: [{kind: works}]\n"),
    "nobody's corps": (
        "such a formation", TOWN, "        when: [{kind: formation, of: attackers, by: corps}]\n",
    ),
    "nobody's regiment": ("such a formation", COMBAT, "    unity: {regiment: {attack: 1}}\n"),
    "an advance of nobody": ("nobody advances", COMBAT, "    advance: {most: 1, none: infantry cavalry guns}\n"),
    "zones that bind nobody": ("bind nobody", MOVES, "    zones: {ignored_by: infantry cavalry guns}\n"),
    "a price for who is barred": (
        "pays nothing", MOVES,
        '    surcharges: [{types: cavalry, terrain: town, points: 2, barred: true, section: "3"}]\n',
    ),
    "a price beside all": (
        "whole allowance already", MOVES,
        '    surcharges: [{types: cavalry, terrain: town, points: 2, whole: true, section: "3"}]\n',
    ),
    "stacks of nobody": (
        "counts against", STACKS, '  stacking: {limit: 2, free: infantry cavalry guns, section: "3.3"}\n',
    ),
    "losses turned back that none has": (
        "more than one step", STACKS,
        f'{STACKS}  replacements: [{{side: north, points: 2, step: 2, section: "5"}}]\n',
    ),
    "back after the end": (
        "over by then", STACKS,
        f"{STACKS}  replacements: [{{side: north, points: 2, step: null, rebuild: 2, delay: 9, edges: [north], "
        'section: "5"}]\n',
    ),
    "points that are none, of zones": (
        "costs no points", MOVES, "    zones: {enter: {kind: points, points: 0}}\n",
    ),
    "points that are none, in an exception": (
        "costs no points", MOVES,
        '    zones: {exceptions: [{types: cavalry, leave: {kind: points, points: 0}, section: "3.2"}]}\n',
    ),
    "who comes back from where nobody goes": (
        "does not say that anybody", MOVES, '    returns: {after: 1, within: 3, section: "4.2"}\n',
    ),
    "who comes back by no rule": (
        "does not say when", COMBAT, "    off_map: {returns: true}\n",
    ),
    "rebuilt who are given nothing": (
        "none of `types`", STACKS,
        f"{STACKS}  replacements: [{{side: north, points: 2, step: null, rebuild: 2, types: infantry, "
        'rebuilds: cavalry, edges: [north], section: "5"}]\n',
    ),
    "rebuilt without a price": (
        "nobody is brought back", STACKS,
        f"{STACKS}  replacements: [{{side: north, points: 2, step: 1, types: infantry, rebuilds: infantry, "
        'section: "5"}]\n',
    ),
    "recovery of nobody": ("one step", MOVES, '    recovery: [{side: north, section: "5"}]\n'),
    "zones of a phase that says nothing": (
        "expected `enter`",
        "  - {side: south, phase: movement}\n",
        '  - {side: south, phase: movement, zones: {section: "3"}}\n',
    ),
    "marches that there are not": (
        "has no marches",
        "  - {side: south, phase: movement}\n", "  - {side: south, phase: movement, marches: false}\n",
    ),
}  # fmt: skip
"""What is told, and the text in place of or behind which another is written."""


EXITS = 'exits: [{side: south, edge: north, last_turn: 3, counted: units, points: 0, section: "5"}]\nobjectives:\n'


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("starter") / "my-game"
    done = CliRunner().invoke(modulegen, ["new", str(folder), "--like", "classic"], env={"HEXFORGE_LANG": "en"})
    assert done.exit_code == 0, done.output
    return folder


@pytest.mark.parametrize("slip", SLIPS)
def test_a_key_without_effect_is_told_where_it_stands(starter: Path, tmp_path: Path, slip: str) -> None:
    why, old, new = SLIPS[slip]
    folder = tmp_path / "my-game"
    shutil.copytree(starter, folder)
    text = new + old if old == COMBAT else old + new if old == MOVES else new
    found = [p for p in told_of(folder, [("game.yaml", old, text)]) if "has no effect" in str(p.message)]
    assert found and all(p.severity == "warning" for p in found)
    assert why in str(found[0].message)
    lines = (folder / "game.yaml").read_text("utf-8").splitlines()
    said = lines[found[0].line - 1]
    assert Path(found[0].file).name == "game.yaml" and said.strip() and said.strip() in new


@pytest.mark.parametrize(
    ("slip", "why"),
    [
        (
            ("game.yaml", MOVES, f'{MOVES}    overruns: [{{least: 6-1, strength: %d, section: "3"}}]\n'),
            "nobody who may do it has so much",
        ),
        (("game.yaml", STACKS, '  stacking: {limit: %d, section: "3.3"}\n'), "no stack ever comes up to it"),
        (
            ("victory.yaml", "objectives:\n", 'sudden: [{side: south, points: %d, section: "5"}]\nobjectives:\n'),
            "the side never has so many points",
        ),
        (
            ("victory.yaml", "objectives:\n", 'sudden: [{side: north, lead: %d, section: "5"}]\nobjectives:\n'),
            "the side never has so many points",
        ),
    ],
)
def test_a_number_that_nothing_comes_up_to_is_told(
    starter: Path, tmp_path: Path, slip: tuple[str, str, str], why: str
) -> None:
    file, old, new = slip
    for number, told in ((5, False), (400, True)):
        folder = tmp_path / str(number)
        shutil.copytree(starter, folder)
        found = [p for p in told_of(folder, [(file, old, new % number)]) if why in str(p.message)]
        assert [p.severity for p in found] == ["warning"] * told
        for problem in found:
            line = (folder / file).read_text("utf-8").splitlines()[problem.line - 1]
            assert Path(problem.file).name == file and "400" in line


@pytest.mark.parametrize("key", ["guards_most: 1", "guards_clear_of: zones", "silent_terrain: town"])
def test_limits_of_guns_are_idle_where_none_fires_from_afar(starter: Path, tmp_path: Path, key: str) -> None:
    folder = tmp_path / "my-game"
    shutil.copytree(starter, folder)
    slip = [("game.yaml", COMBAT, f"    artillery: {{{key}}}\n{COMBAT}")]
    assert not any("has no effect" in str(p.message) for p in told_of(folder, slip))
    with (folder / "counters.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with (folder / "counters.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows({**row, "range": ""} for row in rows)
    assert any("no unit has a range" in str(p.message) for p in told_of(folder, []))


def test_so_are_keys_of_other_files_and_supply_that_all_are_spared(tmp_path: Path) -> None:
    for like, file, old, new, why in (
        ("classic", "tables.yaml", "crt:\n", "crt:\n  columns_most: 2\n", "no modifier of the column"),
        ("classic", "victory.yaml", "objectives:\n", EXITS, "scores nothing"),
        ("supply", "game.yaml", "zones: shut,", "zones: shut, exempt: infantry cavalry guns,", "nobody needs"),
    ):
        folder = tmp_path / f"{like}-{file[0]}"
        done = CliRunner().invoke(modulegen, ["new", str(folder), "--like", like], env={"HEXFORGE_LANG": "en"})
        assert done.exit_code == 0
        assert any(why in str(p.message) for p in told_of(folder, [(file, old, new)]))
