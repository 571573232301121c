"""One slip in a sound game is told by one message, in its file and in its line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hexforge.scenarios.console import Problem, ScenarioError, told_once
from hexforge.scenarios.loader import load

GAMES = Path(__file__).parent.parent / "games"

SLIPS = [
    # Game, file, what stands there, what is written in its place, what is said.
    ("tolliver", "game.yaml", "{counter: german}", "{countr: german}", "perhaps `counter` is meant"),
    ("tolliver", "game.yaml", "columns: -1}", "colums: -1}", "perhaps `columns` is meant"),
    ("tolliver", "tables.yaml", "steps: 1, retreat: 1", "steps: 1, retret: 1", "perhaps `retreat` is meant"),
    ("tolliver", "counters.csv", "branch,name", "brnch,name", "perhaps branch is meant"),
    ("tolliver", "counters.csv", "5,,3,4,printed", "5,,3,,printed", "come together"),
    ("tolliver", "counters.csv", "g-2,gray,", "g-2,grey,", "'grey' is no side"),
    ("tolliver", "counters.csv", "X,,5,5,5,,3,3", "X,,5,5,0,,3,3", "others of the type infantry"),
    ("thornmere", "counters.csv", "levy,III,1,1,3", "levy,III,44,1,3", "the figures 44-1, and no other unit"),
    ("corrick", "counters.csv", "staff,XXX,,0,1,6,,,,", "staff,XXX,,0,1,6,,,2,", "no second step"),
    (
        "kestrel",
        "counters.csv",
        "source_strength,source_reduced,",
        "source_strength,source_range,",
        "no column source_reduced",
    ),
    ("tarnhollow", "counters.csv", ",8 6,", ",8 6 5 4,", "4 figures of morale and"),
    ("tolliver", "game.yaml", "ways: pike", 'ways: ""', "is empty"),
    ("tolliver", "game.yaml", "units: {marks: disordered}}, t", "units: {marks: []}}, t", "is empty"),
    ("tolliver", "game.yaml", "who: cavalry, contact", "who: cavalry cavalry, contact", "names cavalry twice"),
    ("tolliver", "map.yaml", '"w": wood', '"w": wood wood', "names wood twice"),
    ("tolliver", "map.yaml", "  .w...t...h..", "  .w...t...x..", "the letter 'x'"),
    ("tolliver", "map.yaml", "  .w...t...h..", "  .w...t...h.", "has 11 letters"),
    (
        "tolliver",
        "map.yaml",
        '"w": wood',
        "\N{LEFT DOUBLE QUOTATION MARK}w\N{RIGHT DOUBLE QUOTATION MARK}: wood",
        "one character",
    ),
    ("tolliver", "setup.yaml", "g-4 g-5", "g-4, g-5", "without commas"),
    ("tolliver", "counters.csv", "1. Gray Brigade", "1. Gray, Brigade", "has 20 cells; the heading has 19"),
    ("tolliver", "counters.csv", "g-1,gray,", "g-1,", "has 18 cells; the heading has 19"),
    ("tolliver", "counters.csv", "1. Gray Brigade", '"1. Gray Brigade', "are not closed"),
    ("tolliver", "counters.csv", "1. Gray Brigade", '"1. "Gray" Brigade"', "are written twice"),
    ("tolliver", "tables.yaml", "[AL, AL, AD, AD", '[AL, "", AD, AD', "is empty; a result without"),
    ("tolliver", "tables.yaml", "AD, AD, AR, AR, BL, DR, DR]", "AD, AD, AR, AR, BL, DR]", "has 6 cells"),
    ("tolliver", "tables.yaml", '"8":  [AR, N', '"18":  [AR, N', "never shows 18, and there is no row for 8"),
    ("tolliver", "tables.yaml", "[AD, AD, AR, AR, BL", "[DR, AD, AR, AR, BL", "'AD' the attacker alone"),
    ("tolliver", "tables.yaml", "run: {costs: {foot: 1, horse: 1, ", "run: {costs: {foot: 1, ", "the class horse"),
    ("tolliver", "tables.yaml", "BL: {attacker: {steps: 1}", "BL: {attacker: {steps: 99}", "no hex of this game"),
    (
        "tolliver",
        "tables.yaml",
        "BD: {defender: {mark: disordered, again: 1}}",
        "BD: {}",
        "two codes for no effect",
    ),
    ("tolliver", "tables.yaml", "leader: 0}", "leader: -1}", "expected 0 or more"),
    ("tolliver", "victory.yaml", "destroyed: {gray: 1", "destroyed: {gray: -1", "expected 0 or more"),
    ("tolliver", "game.yaml", "points: {infantry: 4", "points: {infantry: -4", "expected 0 or more"),
    ("tolliver", "setup.yaml", "totals: {gray: 9, blue: 10}", "totals: {gray: 9}", "says nothing of blue"),
    ("harrow", "game.yaml", "phase: combat}", "phase: combat, entry: false}", "belongs to phases of movement"),
    ("harrow", "game.yaml", "phase: combat}", "phase: combat, before: moved}", "belongs to phases of movement"),
    (
        "karst",
        "game.yaml",
        "empire, phase: skies}",
        "empire, phase: skies, marks: isolated}",
        "whose `does` lists `bombard`",
    ),
    ("harrow", "game.yaml", "stacks: together", "stacks: joined", "expected 'free' or 'together'"),
    ("harrow", "game.yaml", "types: guns, least: 3}", "types: guns, least: 13}", "only 6 units are such"),
    (
        "harrow",
        "game.yaml",
        "share: all}], what: {kind: barred}",
        "share: all, least: 2}], what: {kind: barred}",
        "counts",
    ),
    (
        "harrow",
        "game.yaml",
        'what: {kind: die, die: -1}, section: "3.6"',
        "what: {kind: die, die: -1}, table: bombardment",
        "no fire is one",
    ),
    ("harrow", "game.yaml", "near: {types: general,", "near: {types: generals,", "'generals'"),
    (
        "harrow",
        "game.yaml",
        "far: {types: general, hexes: 4}",
        "far: {types: general, hexes: -4}",
        "expected 0 or more",
    ),
    ("harrow", "game.yaml", "least: 3, stand: linked", "least: 3, stand: near", "'linked'"),
    ("harrow", "game.yaml", "{kind: factor, of: guards", "{kind: factor, of: guard", "'guards'"),
    ("harrow", "game.yaml", "guards_phase: 2", "guards_phase: -2", "expected 0 or more"),
    ("sallow", "game.yaml", "terrain: meadow wood farm", "terrain: meadow woods farm", "'woods'"),
    ("sallow", "game.yaml", "duty: {marks: locked", "duty: {marks: lockd", "'lockd'"),
    (
        "sallow",
        "game.yaml",
        "{kind: between, units: friends, along: either}",
        "{kind: between}",
        "could lie between",
    ),
    (
        "sallow",
        "game.yaml",
        "hexsides: hedge}, {kind: terrain, of",
        "hexsides: hege}, {kind: terrain, of",
        "'hege'",
    ),
    ("sallow", "game.yaml", "        table: bombardment\n", "        group: cover\n", "moves neither"),
    ("sallow", "game.yaml", "cover: {most: 2}", "cover: {most: 0}", "counts no group"),
    ("sallow", "game.yaml", "split: 2}", "split: 0}", "expected 1 or more"),
    ("sallow", "game.yaml", "attackers: apart", "attackers: alone", "attackers"),
    (
        "sallow",
        "game.yaml",
        "mark: dug-in, take: {types: platoon",
        "mark: dug-in, take: {types: platon",
        "'platon'",
    ),
    ("sallow", "game.yaml", "take: {unmoved: true, clear: true}", "take: {unmovd: true, clear: true}", "`unmoved`"),
    ("sallow", "game.yaml", "phase: movement, marks: reserve", "phase: movement, marks: reserves", "'reserves'"),
    ("sallow", "tables.yaml", "B1: {first: attacker,", "B1: {first: atacker,", "first"),
    ("sallow", "tables.yaml", "EN: {attacker: {mark: locked}", "EN: {attacker: {mark: engaged}", "something else"),
    ("mirefield", "tables.yaml", "bog: {costs: {foot: 3", "bog: {costs: {foot: 30", "they go there all the same"),
    ("mirefield", "game.yaml", "divide: 2}", "divide: 20}", "leaves one point to everybody"),
    ("mirefield", "game.yaml", "rebuild: 2", "rebuild: 20", "nobody ever has so many points"),
    ("thornmere", "game.yaml", '"3-4 1-2": 2', '"3-4 1-6": 2', "stronger than the one before"),
    ("thornmere", "game.yaml", '"5-6": 1', '"5-6": 1, "7": 0', "does not go with"),
    # What is misspelt where it is defined: once, there, with the places that call it otherwise.
    ("tolliver", "game.yaml", "  infantry: {symbol", "  infantri: {symbol", "tables.yaml:41, counters.csv:2"),
    ("tolliver", "game.yaml", "movement_classes: foot horse", "movement_classes: fot horse", "game.yaml:26"),
    ("tolliver", "game.yaml", "- id: gray", "- id: grey", "'gray' stands for nothing"),
    ("tolliver", "tables.yaml", "  run: {costs", "  rnu: {costs", "map.yaml:26"),
    ("tolliver", "tables.yaml", "  wood: {costs", "  wod: {costs", "one of the two is misspelt"),
    ("tolliver", "map.yaml", "{id: millbank", "{id: milbank", "one of the two is misspelt"),
    ("mirefield", "game.yaml", "weather: {firm: [1, 3]", "weather: {frim: [1, 3]", "perhaps 'firm' is meant"),
    ("corrick", "game.yaml", '"3-6": mud', '"3-6": mdu', "perhaps 'mud' is meant"),
    ("karst", "tables.yaml", "mark: shocked, again", "mark: shockd, again", "'shocked'"),
    ("tolliver", "text.en.yaml", "  setup: All", "  setpu: All", "is shown nowhere"),
    ("tolliver", "text.en.yaml", "sides: {gray: Gray, ", "sides: {", "write `sides: {gray: …}`"),
    ("tolliver", "text.en.yaml", "marks: {disordered", "marks: {disorderd", "perhaps 'disordered' is meant"),
    ("tolliver", "text.en.yaml", "horse: Horsed", "hose: Horsed", "perhaps 'horse' is meant"),
    ("ashvale", "text.en.yaml", "disrupted: disrupted, ", "", "write `marks: {disrupted: …}`"),
]


def problems_told(folder: Path) -> list[tuple[Problem, str]]:
    try:
        return told_once(load(folder, strict=False).warnings)
    except ScenarioError as error:
        return told_once(error.problems)


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: f"{slip[0]}: {slip[3]}")
def test_a_slip_is_told_once(tmp_path: Path, slip: tuple[str, ...]) -> None:
    game, file, old, new, said = slip
    folder = tmp_path / game
    shutil.copytree(GAMES / game, folder)
    assert not problems_told(folder)
    text = (folder / file).read_text("utf-8")
    assert old in text, old
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    line = text.count("\n", 0, text.index(old)) + 1
    found = problems_told(folder)
    assert [(Path(p.file).name, p.line) for p, _ in found] == [(file, line)], found
    assert said in found[0][1]
