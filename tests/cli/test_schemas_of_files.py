"""The JSON Schemas take each file of the games as it stands, laid over a family's or not, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hexforge.scenarios import yamlfile
from hexforge.scenarios.commands import HOME
from hexforge.scenarios.keys import YAML_FILES, json_schemas

FILES = sorted(
    path
    for home in (HOME, Path(__file__).parents[1] / "games")
    for path in home.glob("*/*.yaml")
    if path.name in YAML_FILES
)


@pytest.fixture(scope="module")
def schemas() -> dict[str, Draft202012Validator]:
    return {name: Draft202012Validator(schema) for name, schema in json_schemas().items()}


def parsed(path: Path) -> dict[str, Any]:
    return yamlfile.parse(path.read_text("utf-8"), path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_file_is_taken_as_it_stands(path: Path, schemas: dict[str, Draft202012Validator]) -> None:
    raw = parsed(path)
    schema = schemas["game.extension.yaml" if raw.get("kind") == "extension" else path.name]
    assert [(list(error.absolute_path), error.message) for error in schema.iter_errors(raw)] == []


def test_what_is_wrong_is_refused(schemas: dict[str, Draft202012Validator]) -> None:
    raw = parsed(HOME / "hurtgen" / "game.yaml")
    wrong = [
        raw | {"turnz": {}},
        raw | {"turns": raw["turns"] | {"first": "two"}},
        {key: value for key, value in raw.items() if key not in ("family", "turns")},
        raw | {"sequence": [{"side": "german"}]},
    ]
    assert [schemas["game.yaml"].is_valid(value) for value in (raw, *wrong)] == [True, False, False, False, False]
