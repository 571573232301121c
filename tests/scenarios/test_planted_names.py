"""A wrong name or number in any key that names something is told, with the file, the line and the key.

What is planted is generated: the keys are those of the schemas that bear a reference, in each game there is.
"""

from __future__ import annotations

import copy
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import pytest
from pydantic import ValidationError

from hexforge.modulegen.build import drawn
from hexforge.scenarios import Problem, ScenarioError, load
from hexforge.scenarios.commands import HOME
from hexforge.scenarios.keys import YAML_FILES
from hexforge.scenarios.model import Reference, Scenario, known, references
from hexforge.scenarios.schema.base import FieldMark
from hexforge.scenarios.schema.declared import Model
from hexforge.scenarios.schema.setup import CounterRow
from hexforge.scenarios.sources import Sources, add_family

GAMES = (HOME / "bastogne", HOME / "metz", HOME / "hurtgen", Path(__file__).parents[1] / "games" / "saltway")
WRONG = {"hex": "9898", "turn": 998, "face": 99}


def planted(raw: Any, ref: Reference) -> tuple[Any, tuple[str | int, ...]]:
    """The file with one name put wrong, and where that now stands."""
    raw = copy.deepcopy(raw)
    holder, wrong = raw, WRONG.get(ref.kind, "nonesuch")
    for step in ref.where[:-1]:
        holder = holder[step]
    last = ref.where[-1]
    value = holder[last]
    if last == ref.id:
        holder[wrong] = holder.pop(last)
        return raw, (*ref.where[:-1], wrong)
    if isinstance(value, list):
        holder[last] = [wrong, *value[1:]] if ref.kind != "turn" else [*value[:-1], wrong]
    elif ref.kind == "hex" and isinstance(value, str) and "/" in value:
        holder[last] = "9898/9899"
    elif isinstance(value, str) and ref.kind not in WRONG:
        holder[last] = " ".join([str(wrong), *value.split()[1:]])
    else:
        holder[last] = wrong
    return raw, ref.where


def generic(ref: Reference) -> tuple[str, ...]:
    """The key, whichever item of its list it stands in, and whichever thing of the game is a key around it."""
    holders = [type(holder).model_fields for holder in ref.holders]
    names = {name for fields in holders for name in fields}
    return (ref.file, ref.kind, *(str(step) for step in ref.where if step in names))


def test_what_is_planted_is_found() -> None:
    """In each game, once in each of its keys."""
    done: set[tuple[str, ...]] = set()
    for home in GAMES:
        scenario, sources = load(home), Sources(home)
        add_family(sources)
        there: dict[Any, Any] = {**known(scenario), **drawn(scenario)}
        first = {generic(ref): ref for ref in reversed(list(references(scenario)))}
        for key, ref in first.items():
            if ref.file != "counters.csv" and _is_written(sources.merged(ref.file), ref):
                _hold(sources, there, ref)
                done.add(key)
    assert len(done) > 130


def _is_written(raw: Any, ref: Reference) -> bool:
    """Whether the file says it, and not the key's default."""
    for step in ref.where:
        if not isinstance(raw, list) and step not in raw:
            return False
        raw = raw[step]
    return True


def _hold(sources: Sources, there: dict[Any, Any], ref: Reference) -> None:
    raw, where = planted(sources.merged(ref.file), ref)
    path, line = sources.locate(ref.file, ref.where)
    assert line, (path, ref.where)
    near = path.read_text(encoding="utf-8").splitlines()[line - 1 : line + 60]
    assert any(str(ref.id) in text for text in near), (path, line, ref)
    try:
        file = YAML_FILES[ref.file].model_validate(raw)
    except ValidationError as error:
        steps = [tuple(item["loc"])[: len(where)] for item in error.errors()]
        assert where in steps, (ref, error)
        return
    found = references(_only(ref.file, file))
    assert any(r.where == where and r.id not in there[r.kind] for r in found), ref


def _only(name: str, file: Any) -> Any:
    scenario = object.__new__(Scenario)
    object.__setattr__(scenario, "files", {name: file})
    object.__setattr__(scenario, "counters", {})
    return scenario


FREE = {
    # What is defined here, for other files to name.
    "Area.kind",
    "PhaseSpec.id",
    "CounterRow.corps",
    "CounterRow.division",
    "CounterRow.regiment",
    "Face.id",
    "Grid.letter",
    "MapFile.legend",
    "NotJudged.id",
    "Option.choices",
    "PhaseSpec.phase",
    "Reinforcement.group",
    "ResultTable.columns",
    "ResultTable.dice",
    "ResultTable.rows",
    "SideSpec.branches",
    "IsDeclared.pool",
    "Modifier.group",
    "CombatRules.groups",
    "Track.boxes",
    "Transit.mark",
    "Transit.passed",
    "UnitType.ids",
    # What a check of its own holds: against choices, columns, results, sides and folders.
    "ByDifference.above",
    "ByDifference.below",
    "ByOdds.above",
    "ByOdds.below",
    "CounterRow.branch",
    "CounterRow.label",
    "GameFile.family",
    "GameFile.languages",
    "GameFile.letter",
    "HexsideEffect.costs",
    "Looks.areas",
    "MapFile.provenance",
    "ArrivalDie.dice",
    "ArrivalDie.shows",
    "Loss.dice",
    "MoraleTest.dice",
    "Loss.shows",
    "MapFile.terrain",
    "Module.file",
    "Module.version",
    "Option.default",
    "Overrun.least",
    "Placement.listed",
    "Rally.dice",
    "OrderDie.dice",
    "OrderDie.shows",
    "Rally.shows",
    "Scan.image",
    "SideSpec.prefix",
    "Start.box",
    "TerrainEffect.costs",
    "Untried.pool",
    "WayEffect.costs",
    "WeatherDie.dice",
    "WeatherRow.areas",
    "WeatherRow.shows",
    # Words and citations.
    "Face.large",
    "Face.size",
    "GameFile.credits",
    "GameFile.sources",
    "MapFile.notes",
    "MapFile.scale",
    "Option.doc",
    "Option.ruling",
    # What sheets and answers call things.
    "Touched.codes",
    "Touched.statements",
}
"""Text that names nothing that must be elsewhere, by model and key, apart from sections, names and notes."""
WORDS = {"section", "note", "name", "totals_section", "recovery_section", "air_section", "cleared_section"}


def test_no_name_goes_by_without_a_type_that_says_what_it_names() -> None:
    """Each key that takes text either refers to something in its type or is known to be free."""
    loose = {
        f"{model.__name__}.{name}"
        for model in _models((*YAML_FILES.values(), CounterRow))
        for name, hint in get_type_hints(model, include_extras=True).items()
        if name in model.model_fields
        and name not in WORDS
        and model.__name__ != "Sections"
        and _takes_loose_text(hint)
    }
    assert loose == FREE


def _models(roots: tuple[type[Model], ...]) -> Iterator[type[Model]]:
    seen: set[type[Model]] = set()
    left = list(roots)
    while left:
        model = left.pop()
        if model not in seen:
            seen.add(model)
            yield model
            left += [found for hint in get_type_hints(model).values() for found in _models_in(hint)]


def _models_in(hint: Any) -> Iterator[type[Model]]:
    if isinstance(hint, type) and issubclass(hint, Model):
        yield hint
    for arg in get_args(hint):
        yield from _models_in(arg)


def _takes_loose_text(hint: Any) -> bool:
    if get_origin(hint) is Annotated:
        first, *notes = get_args(hint)
        return not any(isinstance(note, FieldMark) and note.EACH for note in notes) and _takes_loose_text(first)
    if get_origin(hint) in (Union, UnionType, dict, tuple):
        return any(map(_takes_loose_text, get_args(hint)))
    return hint is str


TYPOS = [
    ("tables.yaml", "crt:", "DE AVB", "ARI AVI", "column 5-1: 'ARI AVI' has the attacker retreat and advance"),
    ("tables.yaml", "crt:", "DE AVB", "DX AVB", "column 5-1: 'DX' is no result; expected DE, DRB"),
    ("game.yaml", "frontiers:", "marks: reinforcement", "marks: reinforcements", "no unit bears 'reinforcements'"),
    ("game.yaml", "transit:", "flag: in-transit", "flag: in_transit", "no unit bears 'in_transit'"),
    ("game.yaml", "unity:", "american: 109 110", "american: 190 110", "no counter is of the regiment '190'"),
    ("game.yaml", "name: surprise", "turns: [16, 16]", "turns: [17, 16]", "17 comes after 16"),
    (
        "game.yaml",
        "combat:",
        "air: {side: american, least: 3, most: 10}",
        "air: {least: 13}",
        "13 at least and 10 at",
    ),
    ("tables.yaml", "air:", "turns: [16,", "turns: [17,", "turn 16 has 0 rows"),
    (
        "text.en.yaml",
        "areas:",
        "bastogne-perimeter:",
        "bastogne-perimetre:",
        "perhaps 'bastogne-perimeter' is meant",
    ),
]


@pytest.mark.parametrize("slip", TYPOS, ids=str)
def test_a_slip_is_told_where_it_is(slip: tuple[str, str, str, str, str], tmp_path: Path) -> None:
    file, after, old, new, said = slip
    for part in ("bastogne", "somnium"):
        shutil.copytree(HOME / part, tmp_path / part)
    path = tmp_path / "bastogne" / file
    text = path.read_text(encoding="utf-8")
    at = text.find(old, text.index(after))
    if at < 0:
        at, old = text.index(after) + len(after), ""
        new = f"\n    {new}"
    path.write_text(text[:at] + new + text[at + len(old) :], encoding="utf-8")
    problems = _problems(tmp_path / "bastogne")
    assert any(said in str(p.message) and p.line and Path(p.file).name == file for p in problems), problems


def _problems(folder: Path) -> tuple[Problem, ...]:
    try:
        return load(folder, strict=False).warnings
    except ScenarioError as error:
        return error.problems


@pytest.mark.parametrize("column", ["side", "branch", "type", "size", "source_strength", "source_identity"])
def test_a_wrong_name_in_a_row_of_counters_is_told(column: str, tmp_path: Path) -> None:
    folder = tmp_path / "saltway"
    shutil.copytree(GAMES[-1], folder)
    path = folder / "counters.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    cells = lines[3].split(",")
    cells[lines[0].split(",").index(column)] = "nonesuch"
    path.write_text("\n".join([*lines[:3], ",".join(cells), *lines[4:]]) + "\n", encoding="utf-8")
    told = [p for p in _problems(folder) if Path(p.file).name == "counters.csv"]
    assert any(p.line == 4 and "nonesuch" in str(p) for p in told), _problems(folder)
