"""The texts of a scenario's files and its family's, each with where its values came from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from hexforge.scenarios import countersfile, yamlfile
from hexforge.scenarios.folders import family_folder
from hexforge.scenarios.hexgrid import HexGrid
from hexforge.scenarios.problems import Problem, ScenarioError
from hexforge.scenarios.schema.map import Grid
from hexforge.scenarios.words import message

MAX_NAME = 64


class Sources:
    """The texts of a scenario's files and its family's, and where each merged value came from."""

    def __init__(self, folder: Path, instead: Mapping[str, bytes] | None = None) -> None:
        self.folder = folder
        self.instead = {folder / name: data for name, data in (instead or {}).items()}
        self.hash = hashlib.sha256()
        self.texts: dict[Path, str] = {}
        self.raw: dict[Path, dict[str, Any]] = {}
        self.layers: list[Path] = [folder]
        self.counter_lines: dict[str, int] = {}

    @cached_property
    def grid(self) -> HexGrid | None:
        """The hexes of map.yaml, for all files name them as the map does; None where it does not say them right."""
        try:
            return Grid.model_validate(self.merged("map.yaml").get("grid")).field
        except (ScenarioError, ValidationError):
            return None

    def text(self, path: Path) -> str:
        if path not in self.texts:
            self._keep(path, yamlfile.decode(self._bytes(path), path))
        return self.texts[path]

    def table(self, path: Path) -> tuple[str, str]:
        """The text of a CSV file and its encoding."""
        text, encoding = countersfile.decode(self._bytes(path), path)
        self._keep(path, text)
        return text, encoding

    def _bytes(self, path: Path) -> bytes:
        return self.instead[path] if path in self.instead else yamlfile.read_bytes(path)

    def _keep(self, path: Path, text: str) -> None:
        # Windows' line ends and a byte-order mark leave the digest as it is: verdicts name it on every system.
        data = text.replace("\r\n", "\n").encode()
        self.hash.update(f"{path.name} {len(data)}\n".encode() + data)
        self.texts[path] = text

    def yaml(self, path: Path) -> dict[str, Any]:
        if path not in self.raw:
            self.raw[path] = _parsed(self.text(path), path)
        return self.raw[path]

    def _path(self, layer: Path, name: str) -> Path:
        """A layer's share of a file; that of game.yaml is called otherwise, so that no family passes for a game."""
        return layer / ("family.yaml" if name == "game.yaml" and layer is not self.folder else name)

    def families(self, name: str) -> list[dict[str, Any]]:
        """What the game's families say of a file."""
        paths = (self._path(layer, name) for layer in self.layers[1:])
        return [self.yaml(path) for path in paths if path.is_file()]

    def merged(self, name: str) -> dict[str, Any]:
        """The file of the game laid over that of its family: mappings merge, everything else is replaced."""
        value: dict[str, Any] = {}
        for layer in reversed(self.layers):
            path = self._path(layer, name)
            if path in self.instead or path.is_file():
                own = self.yaml(path)
                value = _merge(value, own)
                if name == "tables.yaml" and isinstance(own.get("results"), dict):
                    # A code that a game gives is its own: a family's demands would stand unseen beneath it.
                    value["results"] = {**value["results"], **own["results"]}
            elif layer is self.folder:
                raise ScenarioError([Problem(str(path), 0, "", message("scenario.file.missing"))])
        return value

    def _locate_game(self, steps: list[str | int]) -> tuple[Path, int]:
        paths = [self.folder / "game.yaml", *(layer / "family.yaml" for layer in self.layers[1:])]
        path = max(paths, key=lambda p: depth(self.yaml(p), steps))
        return path, yamlfile.line_of(self.text(path), steps)

    def locate(self, name: str, where: Iterable[str | int]) -> tuple[Path, int]:
        """The file and line that a merged value comes from: the game's if it has it, else the family's."""
        steps = list(where)
        if name.endswith(".csv"):
            return self.folder / name, self.counter_lines.get(str(steps[0]), 1) if steps else 1
        if name == "game.yaml":
            return self._locate_game(steps)
        paths = [p for p in (layer / name for layer in self.layers) if p in self.instead or p.is_file()]
        path = max(paths, key=lambda p: depth(self.yaml(p), steps), default=None)
        if path is None or depth(self.yaml(path), steps) < min(len(steps), 1):
            return self.folder / name, 0
        return path, yamlfile.line_of(self.text(path), steps)


_MOST_PARSED: Final = 48
_PARSED: Final[dict[str, dict[str, Any]]] = {}
"""What the texts that were parsed last hold, the latest at the end: an edit changes one file of many."""


def _parsed(text: str, path: Path) -> dict[str, Any]:
    """As `yamlfile.parse`; what it gives must not be changed."""
    found = _PARSED.pop(text, None)
    _PARSED[text] = found = yamlfile.parse(text, path) if found is None else found
    while len(_PARSED) > _MOST_PARSED:
        _PARSED.pop(next(iter(_PARSED)), None)
    return found


def _merge(below: Any, above: Any) -> Any:
    if isinstance(below, dict) and isinstance(above, dict):
        # Another kind of a choice has keys of its own, and none of those of the one that it replaces.
        if below.get("kind", above.get("kind")) != above.get("kind", below.get("kind")):
            return above
        if "dice" in below and above.get("dice", below["dice"]) != below["dice"] and "rows" in above:
            # Rows are numbers that dice show; those of other dice would stand among them.
            below = {k: v for k, v in below.items() if k != "rows"}
        return {**below, **{k: _merge(below[k], v) if k in below else v for k, v in above.items()}}
    return above


def depth(value: Any, steps: Sequence[str | int]) -> int:
    """How many of the steps lead to something."""
    for i, step in enumerate(steps):
        present = step in value if isinstance(value, dict) else False
        if isinstance(value, list) and isinstance(step, int):
            present = 0 <= step < len(value)
        if present:
            value = value[step]
        else:
            return i
    return len(steps)


def add_family(sources: Sources) -> None:
    """Lay the game over the family that it names, which is beside it or comes with the program."""
    path = sources.folder / "game.yaml"
    family = sources.yaml(path).get("family")
    if family is None:
        return
    line = yamlfile.line_of(sources.text(path), ["family"])
    if not isinstance(family, str) or not family.isidentifier() or len(family) > MAX_NAME:
        raise ScenarioError(
            [Problem(str(path), line, "family", message("scenario.file.bad-family", given=repr(family)))]
        )
    home = family_folder(sources.folder, family)
    if home is None:
        raise ScenarioError([Problem(str(path), line, "family", message("scenario.file.no-family", family=family))])
    sources.layers.append(home)


def flatten(value: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """The texts of nested mappings by their keys, joined by points."""
    flat: dict[str, str] = {}
    for key, item in value.items():
        if isinstance(item, Mapping):
            flat |= flatten(item, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = "" if item is None else str(item)
    return flat
