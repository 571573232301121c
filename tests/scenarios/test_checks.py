"""Each thing that a map maker wants to be told is told: one broken file a rule."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from hexforge.scenarios import load
from hexforge.scenarios.commands import HOME

Edits = tuple[tuple[str, str, str], ...]


def broken(folder: Path, name: str, edits: Edits) -> list[str]:
    """What is said of a copy of a game after edits (file, a regular expression, what its first match becomes)."""
    for part in (name, "somnium"):
        shutil.copytree(HOME / part, folder / part)
    for file, old, new in edits:
        path = folder / name / file
        text, count = re.subn(old, new, path.read_text(encoding="utf-8"), count=1, flags=re.DOTALL)
        assert count == 1, f"{old!r} is not in {file}"
        path.write_text(text, encoding="utf-8")
    found = load(folder / name, strict=False).warnings
    return [f"{p.severity} {Path(p.file).name} {p.where}: {p.message}" for p in found]


CASES: dict[str, tuple[str, Edits, str]] = {
    "a river in two pieces": (
        "hurtgen",
        (("map.yaml", r" 0410/0511 ", " "),),
        r"warning map.yaml hexsides.0: Kall is broken into 2 pieces",
    ),
    "words of sheets for what none names": (
        "hurtgen",
        (("../somnium/notation.pt.yaml", "sides:", "side:"),),
        r"warning notation.pt.yaml side: turn sheets name nothing of this kind; they name sides, unit_types",
    ),
    "a river with two ends": (
        "hurtgen",
        (("map.yaml", r"0601/0701 0601/0702 0602/0702", "0602/0702"),),
        r"warning .*Weiße Wehe ends in the middle of the map 2 times \(between .*0602.*; a river has one source",
    ),
    "a hexside given twice": (
        "hurtgen",
        (("map.yaml", r" 0410/0511 ", " 0410/0511 0410/0511 "),),
        r"warning map.yaml hexsides.0: 0410/0511 is river twice",
    ),
    "a bridge without water": (
        "bastogne",
        (("map.yaml", "side: 0217/0218", "side: 0301/0302"),),
        r"warning map.yaml bridges.0: 0301/0302: no river runs here",
    ),
    "two bridges in one place": (
        "bastogne",
        (("map.yaml", "side: 1620/1621", "side: 0217/0218"),),
        r"warning map.yaml bridges.1: 0217/0218: there is a bridge here already",
    ),
    "a road over water without a bridge": (
        "bastogne",
        (("tables.yaml", "motorised: {bad: 2, good: 1}}, bridges: false}", "motorised: {bad: 2, good: 1}}}"),),
        r"warning map.yaml ways.\d+: the trail crosses the river from 2712 to 2713, where there is no bridge",
    ),
    "a road to nowhere": (
        "hurtgen",
        (("map.yaml", '"1707 1807"', '"1707 1706 1606"'),),
        r"warning map.yaml ways.\d+: the road ends in 1606, where there is neither a place nor another way",
    ),
    "a road laid twice": (
        "hurtgen",
        (("map.yaml", '"1707 1807"', '"1707 1706"'),),
        r"warning map.yaml ways.\d+: the road from 1707 to 1706 is laid already, in ways \d+",
    ),
    "a road that turns back": (
        "hurtgen",
        (("map.yaml", '"1707 1807"', '"1707 1807 1707"'),),
        r"warning map.yaml ways.\d+: the road turns back in 1807",
    ),
    "a town in the open": (
        "hurtgen",
        (("map.yaml", '(id: heimbach.*?)hexes: "1612"', r'\1hexes: "1612 1712"'),),
        r"warning map.yaml places.\d+: the town Heimbach lies in 1712, which is open",
    ),
    "a place torn apart": (
        "metz",
        (("map.yaml", 'hexes: "0608 0707"', 'hexes: "0608 0707 0922"'),),
        r"warning map.yaml places.\d+: 0922 touches no other hex of Metz",
    ),
    "an unused terrain": (
        "metz",
        (("map.yaml", '"A": airfield', '"A": open'),),
        r"warning map.yaml legend: no hex is airfield",
    ),
    "bivouacs that overlap": (
        "metz",
        (("map.yaml", r"(id: bivouac-xii\n.*?hexes: >-\n *)0117", r"\g<1>0202 0117"),),
        r"warning map.yaml areas.1: 0202: in bivouac-xx and in bivouac-xii; bivouacs do not overlap",
    ),
    "an area of nobody": (
        "metz",
        (("map.yaml", "side: american", "side: french"),),
        r"error map.yaml areas.0.side: 'french' is no side; the sides are american, german",
    ),
    "a rule about a place that is not there": (
        "hurtgen",
        (("game.yaml", "place: zweifall", "place: zweifal"),),
        r"error game.yaml rules.movement.recovery.1.network.place: perhaps 'zweifall' is meant: there is no place",
    ),
    "a rule about an area that is not there": (
        "bastogne",
        (("map.yaml", "id: bastogne-perimeter", "id: perimeter"),),
        r"error map.yaml areas.0.id: .* 'bastogne-perimeter' stands for nothing: .* \(game.yaml:49, game.yaml:94\)",
    ),
    "an area of the set-up that is not there": (
        "metz",
        (("setup.yaml", r"areas: \[bivouac-xx\]", "areas: [bivouac-xy]"),),
        r"error setup.yaml at_start.\d+.areas: perhaps 'bivouac-xx' is meant: there is no area 'bivouac-xy'",
    ),
    "more units than an area holds": (
        "metz",
        (("map.yaml", r"(id: bivouac-xx\n.*?hexes: >-\n).*?(  - id: bivouac-xii\n)", r"\1      0102 0103\n\2"),
         ("game.yaml", r"stacking: {limit: 4", "stacking: {limit: 2")),
        r"error setup.yaml at_start.\d+: 6 units start in 2 hexes, of which each takes 2",
    ),
    "a set-up in a hex closed by a rule": (
        "bastogne",
        (("setup.yaml", 'hexes: "4917"', 'hexes: "4926"'),),
        r"error setup.yaml at_start.\d+: ge-352-eng starts in 4926, but 4926 is closed to german units \(B 4.0\)",
    ),
    "units of both sides in a line": (
        "hurtgen",
        (("setup.yaml", "units: us-146-eng us-893-td", "units: us-146-eng ge-luft-1"),),
        r"error setup.yaml at_start.\d+: names units of both sides",
    ),
    "a quota that no formation can meet": (
        "bastogne",
        (("setup.yaml", "regiments: 2", "regiments: 4"),),
        r"error setup.yaml quotas.0: asks for 4 regiments of units that belong to 3",
    ),
    "an entry inside the map": (
        "bastogne",
        (("setup.yaml", 'hexes: "5112"', 'hexes: "5012"'),),
        r"warning setup.yaml reinforcements.\d+: 5012 lies neither at the edge of the map nor in a place",
    ),
    "an entry by road where there is no road": (
        "bastogne",
        (("setup.yaml", 'hexes: "5112"', 'hexes: "5113"'),),
        r"warning setup.yaml reinforcements.\d+: they enter by road, but none runs through 5113",
    ),
    "an edge that no road reaches": (
        "hurtgen",
        (("map.yaml", "scale: ", 'edges: {south: "1112 1212"}\nscale: '),),
        r"warning setup.yaml reinforcements.\d+: they enter by road, but none leaves by the south edge",
    ),
    "a turn that is none": (
        "hurtgen",
        (("setup.yaml", r"\{turn: 4, edges", "{turn: 14, edges"),),
        r"error setup.yaml reinforcements.\d+.turn: turn 14 is none of 2 to 9",
    ),
    "gone before it came": (
        "metz",
        (("setup.yaml", r"\{turn: 8, units: ge-106pz", "{turn: 2, units: ge-106pz"),),
        r"error setup.yaml withdrawals.1: ge-106pz leaves in turn 2 but comes only in turn 3",
    ),
    "back before it went": (
        "metz",
        (("setup.yaml", "returns_turn: 12", "returns_turn: 7"),),
        r"error setup.yaml withdrawals.0: returns in turn 7, but leaves only in turn 8",
    ),
    "two counters of one name": (
        "hurtgen",
        (("counters.csv", "Luftwaffe Bn 2", "Luftwaffe Bn 1"),),
        r"warning counters.csv ge-luft-2: is called 'Luftwaffe Bn 1' \(name_en\), as ge-luft-1 is",
    ),
    "a counter without a name": (
        "hurtgen",
        (("counters.csv", "Luftwaffe Bn 2", ""),),
        r"error counters.csv ge-luft-2: has no name in the column name_en",
    ),
    "a hex that scores twice": (
        "hurtgen",
        (("map.yaml", r'(id: kommerscheidt.*?hexes: )"1109"', r'\1"1109 1210"'),),
        r"warning victory.yaml objectives.\d+: 1210 scores for schmidt and for kommerscheidt",
    ),
    "an exit of nobody": (
        "bastogne",
        (("victory.yaml", "division: Lehr", "division: Leer"),),
        r"error victory.yaml exits.1.division: perhaps 'Lehr' is meant: no counter belongs to 'Leer'",
    ),
    "a score beyond an area that is not there": (
        "metz",
        (("victory.yaml", "east-of-siegfried: 20", "east-of-westwall: 20"),),
        r"error victory.yaml beyond_area.american.east-of-westwall: there is no area 'east-of-westwall'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_it_is_told(tmp_path: Path, case: str) -> None:
    name, edits, message = CASES[case]
    found = broken(tmp_path, name, edits)
    assert any(re.fullmatch(message + ".*", line) for line in found), found


def test_a_source_is_no_break(tmp_path: Path) -> None:
    """A river may rise on the map: the Weiße Wehe does, and nothing is said of it."""
    assert broken(tmp_path, "hurtgen", ()) == []
