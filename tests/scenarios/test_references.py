"""Names in a game's files: each that stands for nothing is told, whatever the file, the kind and the shape."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from hexforge.modulegen.build import drawn
from hexforge.scenarios import Problem, load
from hexforge.scenarios.commands import HOME, extensions, names
from hexforge.scenarios.compiled import load_extension
from hexforge.scenarios.keys import json_schemas
from hexforge.scenarios.model import known, references
from hexforge.scenarios.schema.base import RefKind
from hexforge.scenarios.text.words import catalogue

CASES = [
    ("bastogne", "destroyed: armoured", "destroyed: armored", "retreat.destroyed"),
    ("bastogne", "bearers: armoured", "bearers: armored", "loss_clauses.0.bearers"),
    ("bastogne", "immune: {american: parachute", "immune: {british: parachute", "'british' is no side"),
    ("bastogne", "area: bastogne-perimeter, margin", "area: bastogne-ring, margin", "artillery.perimeter.area"),
    ("metz", "along: road", "along: roads", "advance.along"),
    ("metz", "bars: river fortification", "bars: rivers fortification", "advance.bars"),
    ("metz", "east: 2822 2823", "east: 2722 2823", "2722 does not lie on the rim"),
    ("metz", "german: west south}", "german: west sud}", "'sud' is no edge"),
    ("hurtgen", "silent_terrain: forest", "silent_terrain: woods", "artillery.silent_terrain"),
    ("hurtgen", "terrain: mountain, section", "terrain: ridge, section", "no_engagement.0.terrain"),
    (
        "hurtgen",
        "types: engineer armored_engineer",
        "types: engineers",
        "clearing.types: perhaps 'engineer' is meant: 'engineers' is no unit type",
    ),
    (
        "metz",
        "units: ge-1217",
        "units: ge-1218",
        "garrisons.0.units: there is no counter 'ge-1218' in counters.csv",
    ),
    (
        "metz",
        "railway: {way: rail",
        "railway: {way: rails",
        "railway.way: perhaps 'rail' is meant: there is no kind of way 'rails'",
    ),
    (
        "metz",
        "{fortified: german, fortification: german",
        "{forted: german, x: german",
        "no kind of hexside 'forted'",
    ),
    (
        "bastogne",
        "types: motorised",
        "types: motorized",
        "allowances.0.types: perhaps 'motorised' is meant: 'motorized' is no unit type or class",
    ),
    (
        "bastogne",
        "types: motorised, divide: 2,",
        "types: motorised, divide: 2, option: nights,",
        "allowances.0.option: 'nights' is no option of this game with the choices yes and no; there are clamp",
    ),
    (
        "bastogne",
        "types: motorised, divide: 2,",
        "types: motorised, divide: 2, option: inverse_rounding,",
        "allowances.0.option: 'inverse_rounding' is no option of this game",
    ),
    ("bastogne", "movement: motorised, move: 15", "movement: motor, move: 15", "'motor' is no movement class"),
]


@pytest.mark.parametrize(("game", "old", "new", "said"), CASES)
def test_unknown_names_are_told(game: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    for part in (game, "somnium"):
        shutil.copytree(HOME / part, tmp_path / part)
    files = (tmp_path / game / "game.yaml", tmp_path / "somnium" / "family.yaml")
    path, text = next((p, t) for p in files if old in (t := p.read_text(encoding="utf-8")))
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    found = [f"{p.severity} {p.where}: {p.message}" for p in load(tmp_path / game, strict=False).warnings]
    assert any(told.startswith("error rules.") and said in told for told in found), found


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            "counters.csv",
            "ge-luft-1,german",
            "ge-luft-1,french",
            "error ge-luft-1, column side: 'french' is no side",
        ),
        ("map.yaml", "kind: river", "kind: brook", "error hexsides.0.kind: there is no kind of hexside 'brook'"),
        (
            "map.yaml",
            "scale: ",
            "looks: {terrain: {fen: marsh}}\nscale: ",
            "warning looks.terrain.fen: the terrain 'fen'",
        ),
        (
            "setup.yaml",
            "turn: 3, edges",
            "turn: 13, edges",
            "error reinforcements.1.turn: turn 13 is none of 2 to 9",
        ),
        (
            "victory.yaml",
            "schmidt: german,",
            "schmitt: german,",
            "error control.schmitt: perhaps 'schmidt' is meant: there is no place 'schmitt'",
        ),
        (
            "victory.yaml",
            "destroyed: {american",
            "destroyed: {british",
            "error destroyed.british: 'british' is no side",
        ),
        ("tables.yaml", "turns: [6, 9]", "turns: [6, 12]", "warning air.3.turns: turn 12 is none of 2 to 9"),
        (
            "tables.yaml",
            "motorised: 0.5",
            "motor: 0.5",
            "'motor' is no movement class; game.yaml has foot, motorised",
        ),
    ],
)
def test_every_file_is_walked(file: str, old: str, new: str, told: str, tmp_path: Path) -> None:
    for part in ("hurtgen", "somnium"):
        shutil.copytree(HOME / part, tmp_path / part)
    path = tmp_path / "hurtgen" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    problems = load(tmp_path / "hurtgen", strict=False).warnings
    found = next((p for p in problems if told in f"{p.severity} {words_of(p)}"), None)
    assert found is not None, problems
    assert found.file == str(path)
    assert abs(found.line - text[: text.index(old)].count("\n") - 1) <= (0 if file == "counters.csv" else 3)


def words_of(problem: Problem) -> str:
    return str(problem).partition(": ")[2]


@pytest.mark.parametrize("game", ["bastogne", "metz", "hurtgen"])
def test_each_name_in_the_games_stands_for_something(game: str) -> None:
    scenario = load(game)
    there = {**known(scenario), **drawn(scenario)}
    found = list(references(scenario))
    assert len(found) > 800
    assert [r for r in found if r.id not in there[r.kind]] == []


def test_every_kind_of_name_is_found_in_some_file() -> None:
    games = [*(load(name) for name in names()), *(load_extension(name) for name in extensions())]
    found = {r.kind for game in games for r in references(game)}
    # No stack counts by points, no phase is the game's own, no rule asks for weather, no list of units names
    # classes alone; each kind is drawn in its own style.
    styles = {kind for kind in get_args(RefKind) if kind.endswith("-style")}
    absent = {"class", "size-or-type", "phase", "phase-of-either", "weather"}
    assert found == set(get_args(RefKind)) - absent - styles


def test_a_name_knows_what_holds_it() -> None:
    (garrison, _) = [r for r in references(load("metz")) if r.kind == "unit" and r.where[0] == "rules"]
    assert (garrison.id, garrison.file, garrison.where) == (
        "ge-1217",
        "game.yaml",
        ("rules", "movement", "garrisons", 0, "units"),
    )
    assert [type(holder).__name__ for holder in garrison.holders] == [
        "GameFile",
        "Rules",
        "MovementRules",
        "Garrison",
    ]


def test_a_schema_for_editors_says_what_a_name_stands_for() -> None:
    schema = json_schemas()["setup.yaml"]["$defs"]["Placement"]["properties"]
    assert [schema[name].get("x-reference") for name in ("units", "hexes", "areas", "free")] == [
        "unit",
        "hex",
        "area",
        None,
    ]


def test_a_schema_says_what_keys_mean_in_the_language_asked_for() -> None:
    portuguese = json_schemas("pt")["setup.yaml"]["$defs"]["Placement"]
    english = json_schemas()["setup.yaml"]["$defs"]["Placement"]
    meanings = catalogue("meanings", "pt")
    assert portuguese["description"] == meanings[english["description"]]
    assert (
        portuguese["properties"]["units"]["description"] == meanings[english["properties"]["units"]["description"]]
    )


@pytest.mark.parametrize("language", ["en", "pt"])
def test_a_schema_says_of_every_key_what_it_means(language: str) -> None:
    """Also of those that hold a thing with keys of its own, or a list of such: editors look no farther."""

    def silent(part: Any, at: str) -> Iterator[str]:
        for name, below in part.items() if isinstance(part, dict) else ():
            yield from silent(below, f"{at}.{name}")
        for name, key in part.get("properties", {}).items() if isinstance(part, dict) else ():
            if isinstance(key, dict) and not {"description", "const"} & key.keys():
                yield f"{at}.{name}"

    found = [key for file, schema in json_schemas(language).items() for key in silent(schema, file)]
    assert found == []
    sides = json_schemas(language)["game.yaml"]["properties"]["sides"]["description"]
    assert (
        sides
        == {"en": "One of the two players.", "pt": catalogue("meanings", "pt")["One of the two players."]}[language]
    )
