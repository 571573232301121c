"""The schema of every file that somebody may write, and what editors are told of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hexforge.scenarios.schema.counters import CounterRow
from hexforge.scenarios.schema.declared import Model
from hexforge.scenarios.schema.extension import ExtensionFile
from hexforge.scenarios.schema.game import GameFile
from hexforge.scenarios.schema.map import MapFile
from hexforge.scenarios.schema.setup import SetupFile
from hexforge.scenarios.schema.tables import TablesFile
from hexforge.scenarios.schema.tournament import TournamentFile
from hexforge.scenarios.schema.victory import VictoryFile
from hexforge.scenarios.words import SOURCE

YAML_FILES: dict[str, type[Model]] = {
    "game.yaml": GameFile,
    "map.yaml": MapFile,
    "tables.yaml": TablesFile,
    "setup.yaml": SetupFile,
    "victory.yaml": VictoryFile,
}
FILES: Final[Mapping[str, type[Model]]] = {
    **YAML_FILES,
    "counters.csv": CounterRow,
    "game.extension.yaml": ExtensionFile,
    "tournament.yaml": TournamentFile,
}
"""The schema of every file that somebody may write; `game.extension.yaml` is the game.yaml of an extension."""


def json_schemas(language: str = SOURCE) -> dict[str, dict[str, Any]]:
    """The JSON Schema of every file, by file name, for editors that complete and check while one types.

    What each key means is said in a language, in English where that has no words for it.
    """
    schemas = {name: schema.model_json_schema() for name, schema in FILES.items()}
    for name in YAML_FILES:
        _lend(schemas[name])
    for schema in schemas.values():
        _say_of_keys(schema, schema.get("$defs", {}))
        _describe(schema, language)
    return schemas


def _say_of_keys(part: Any, defs: Mapping[str, Any]) -> None:
    """Have a key that says nothing itself say what it holds, one or a list of it: editors look no farther."""
    for below in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _say_of_keys(below, defs)
    keys = part.get("properties") if isinstance(part, dict) else None
    for key in keys.values() if isinstance(keys, dict) else ():
        if isinstance(key, dict) and "description" not in key:
            inner = (key, key.get("items"), key.get("additionalProperties"), *key.get("anyOf", ()))
            names = (
                str(one["$ref"]).rpartition("/")[2] for one in inner if isinstance(one, dict) and "$ref" in one
            )
            said = next((defs[name]["description"] for name in names if "description" in defs[name]), "")
            key.update({"description": said} if said else {})


def _describe(part: Any, language: str) -> None:
    """Put every description into a language; of a longer one its first paragraph, as the page of keys has it."""
    from hexforge.scenarios.keys import told

    for below in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _describe(below, language)
    if isinstance(part, dict) and isinstance(said := part.get("description"), str):
        part["description"] = told(" ".join(said.split("\n\n", maxsplit=1)[0].split()), language)


def _lend(schema: dict[str, Any]) -> None:
    """Ask of a file for nothing that its family may lend: any key, but of what stands in a list."""
    defs = schema.get("$defs", {})
    needed, left = schema.pop("required", []), [schema]
    seen: set[str] = set()
    while left:
        part = left.pop()
        for below in (
            *part.get("properties", {}).values(),
            part.get("additionalProperties"),
            *part.get("anyOf", ()),
        ):
            if isinstance(below, dict):
                left.append(below)
        name = str(part.get("$ref", "")).rpartition("/")[2]
        if name and name not in seen:
            seen.add(name)
            defs[name].pop("required", None)
            left.append(defs[name])
    if "family" in schema["properties"]:
        schema |= {"if": {"not": {"required": ["family"]}}, "then": {"required": needed}}
