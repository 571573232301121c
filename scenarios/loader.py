"""Read a scenario from its folder, check all of it, and say everything that is wrong at once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from hexforge.scenarios import countersfile, yamlfile
from hexforge.scenarios.compiled import family_named, key_of
from hexforge.scenarios.folders import EXTENSION, family_folder, find, kind_of
from hexforge.scenarios.hexgrid import Hex, HexGrid
from hexforge.scenarios.model import Counter, GameMap, Scenario, Text
from hexforge.scenarios.problems import Problem, ScenarioError, message_of
from hexforge.scenarios.schema.base import Provenance
from hexforge.scenarios.schema.counters import CounterRow
from hexforge.scenarios.schema.declared import Model
from hexforge.scenarios.schema.extension import ExtensionFile
from hexforge.scenarios.schema.game import GameFile
from hexforge.scenarios.schema.map import Grid, MapFile
from hexforge.scenarios.schema.setup import SetupFile
from hexforge.scenarios.schema.tables import TablesFile
from hexforge.scenarios.schema.tournament import TournamentFile
from hexforge.scenarios.schema.victory import VictoryFile
from hexforge.scenarios.walk import Files
from hexforge.scenarios.words import SOURCE, Param, message

MAX_NAME = 64
YAML_FILES: dict[str, type[Model]] = {
    "game.yaml": GameFile,
    "map.yaml": MapFile,
    "tables.yaml": TablesFile,
    "setup.yaml": SetupFile,
    "victory.yaml": VictoryFile,
}
_MOST_NAMED: Final = 5
UNPAINTED: Final = "?"
"""Stands in the rows of `terrain` for a hex whose ground is still to be said."""
_PROVENANCE: dict[str, Provenance] = {"p": "printed", "g": "gazetteer", "a": "assumed"}

M = TypeVar("M", bound=Model)


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

    def merged(self, name: str) -> dict[str, Any]:
        """The file of the game laid over that of its family: mappings merge, everything else is replaced."""
        value: dict[str, Any] = {}
        for layer in reversed(self.layers):
            # The family's share of game.yaml is called family.yaml, so that a family is not taken for a game.
            path = layer / ("family.yaml" if name == "game.yaml" and layer is not self.folder else name)
            if path in self.instead or path.is_file():
                value = _merge(value, self.yaml(path))
            elif layer is self.folder:
                raise ScenarioError([Problem(str(path), 0, "", message("scenario.file.missing"))])
        return value

    def _locate_game(self, steps: list[str | int]) -> tuple[Path, int]:
        paths = [self.folder / "game.yaml", *(layer / "family.yaml" for layer in self.layers[1:])]
        path = max(paths, key=lambda p: _depth(self.yaml(p), steps))
        return path, yamlfile.line_of(self.text(path), steps)

    def locate(self, name: str, where: Iterable[str | int]) -> tuple[Path, int]:
        """The file and line that a merged value comes from: the game's if it has it, else the family's."""
        steps = list(where)
        if name.endswith(".csv"):
            return self.folder / name, self.counter_lines.get(str(steps[0]), 1) if steps else 1
        if name == "game.yaml":
            return self._locate_game(steps)
        for layer in self.layers:
            path = layer / name
            if (path in self.instead or path.is_file()) and _depth(self.yaml(path), steps) >= min(len(steps), 1):
                return path, yamlfile.line_of(self.text(path), steps)
        return self.folder / name, 0


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


def _depth(value: Any, steps: list[str | int]) -> int:
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


def validated(sources: Sources, name: str, schema: type[M], problems: list[Problem]) -> M | None:
    """A file as its schema reads it; None, and what is wrong added to `problems`, where it does not."""
    try:
        raw = sources.merged(name)
    except ScenarioError as error:
        problems += error.problems
        return None
    try:
        return schema.model_validate(raw, context={"grid": sources.grid, "unnamed": sources.grid is None})
    except ValidationError as error:
        problems += _objections(sources, name, error)
        return None


def _objections(sources: Sources, name: str, error: ValidationError) -> Iterator[Problem]:
    """What a schema objects to in a file, with lines."""
    for item in error.errors(include_url=False):
        where = [step for step in item["loc"] if not str(step).startswith("function-")]
        path, line = sources.locate(name, where)
        yield Problem(str(path), line, ".".join(map(str, where)), message_of(item))


def _read_counters(sources: Sources, problems: list[Problem]) -> dict[str, Counter]:
    path = sources.folder / "counters.csv"
    try:
        text, encoding = sources.table(path)
    except ScenarioError as error:
        problems += error.problems
        return {}
    if encoding == "cp1252":
        problems.append(Problem(str(path), 0, "", message("scenario.counters.windows"), "warning"))
    counters, sources.counter_lines = countersfile.read(text, path, problems)
    return counters


def _flatten(value: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, item in value.items():
        if isinstance(item, Mapping):
            flat |= _flatten(item, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = "" if item is None else str(item)
    return flat


def notation_of(sources: Sources, problems: list[Problem]) -> dict[str, Text]:
    """The words of `notation.LANGUAGE.yaml`. No verdict rests on them, so the digest leaves them out."""
    found: dict[str, dict[str, str]] = {}
    own: dict[str, frozenset[str]] = {}
    for layer in reversed(sources.layers):
        for path in sorted(layer.glob("notation.*.yaml")):
            try:
                words = yamlfile.parse(yamlfile.decode(yamlfile.read_bytes(path), path), path)
            except ScenarioError as error:
                problems += error.problems
                continue
            language, forms = path.name.split(".")[1], _flatten(words)
            found.setdefault(language, {}).update(forms)
            if layer == sources.folder:
                own[language] = frozenset(forms)
    return {language: Text(language, values, own.get(language, frozenset())) for language, values in found.items()}


def _letters(
    file: MapFile, key: str, rows: tuple[str, ...], known: Collection[str], complain: Callable[..., None]
) -> dict[Hex, str]:
    """The letter of each hex. Whatever is no row of the grid or no known letter is complained of."""
    found: dict[Hex, str] = {}
    if len(rows) != file.grid.rows:
        complain(key, "rows", found=len(rows), rows=file.grid.rows)
        return found
    for r, letters in enumerate(rows, 1):
        if len(letters) != file.grid.columns:
            complain(key, "row", row=r, found=len(letters), columns=file.grid.columns)
            continue
        for c, letter in enumerate(letters, 1):
            hex_ = file.grid.field.at(c, r)
            found[hex_] = letter
            if letter not in known and letter != UNPAINTED:
                complain(key, "letter", hex=hex_, letter=letter, known=" ".join(known))
    if left := [hex_ for hex_, letter in found.items() if letter == UNPAINTED and UNPAINTED not in known]:
        complain(key, "unpainted", count=len(left), hexes=tuple(left[:_MOST_NAMED]))
    return found


def _build_map(file: MapFile, sources: Sources, problems: list[Problem]) -> GameMap | None:
    before = len(problems)

    def complain(key: str, what: str, **params: Param) -> None:
        path, line = sources.locate("map.yaml", [key])
        problems.append(Problem(str(path), line, key, message(f"scenario.map.{what}", **params)))

    terrain = _letters(file, "terrain", file.terrain, file.legend, complain)
    provenance = _letters(file, "provenance", file.provenance, _PROVENANCE, complain)
    if len(problems) > before:
        return None
    return GameMap(
        grid=file.grid.field,
        terrain={hex_: file.legend[letter] for hex_, letter in terrain.items()},
        provenance={hex_: _PROVENANCE[letter] for hex_, letter in provenance.items()},
        notes=file.notes,
        fortified=frozenset(file.fortified),
        hexside_runs=file.hexsides,
        bridge_list=file.bridges,
        ways=file.ways,
        places=file.places,
        areas=file.areas,
        named_edges={str(name): hexes for name, hexes in file.edges.items()},
        looks=file.looks,
        compass=file.compass,
        scale=file.scale,
        scan=file.scan,
    )


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


def texts_of(game: GameFile | ExtensionFile, sources: Sources, problems: list[Problem]) -> dict[str, Text]:
    """The game's words by language: those that it names, which must be there, then further translations."""
    found: dict[str, Text] = {}
    translated = (path.name.split(".")[1] for path in sorted(sources.folder.glob("text.*.yaml")))
    for number, language in enumerate(dict.fromkeys((*game.languages, *translated))):
        name = f"text.{language}.yaml"
        if not (sources.folder / name).is_file():
            path, line = sources.locate("game.yaml", ["languages", number])
            said = message("scenario.file.no-text", file=name)
            problems.append(Problem(str(path), line, f"languages.{number}", said))
            continue
        try:
            own = _flatten(sources.yaml(sources.folder / name))
            found[language] = Text(language, _flatten(sources.merged(name)), frozenset(own))
        except ScenarioError as error:
            problems += error.problems
    return found


def map_of(folder: Path, data: bytes) -> tuple[MapFile, GameMap]:
    """What a map.yaml of these bytes would be in a game's folder. Raises ScenarioError with all that is wrong."""
    sources, problems = Sources(folder, {"map.yaml": data}), list[Problem]()
    file = validated(sources, "map.yaml", MapFile, problems)
    ground = _build_map(file, sources, problems) if file else None
    if file is None or ground is None:
        raise ScenarioError(problems)
    return file, ground


@dataclass(frozen=True)
class _Parts:
    """A game's files as far as their schemas read them, and what is wrong with them."""

    sources: Sources
    problems: list[Problem]
    game: GameFile | None
    map_file: MapFile | None
    ground: GameMap | None
    tables: TablesFile | None
    setup: SetupFile | None
    victory: VictoryFile | None
    counters: Mapping[str, Counter]
    texts: Mapping[str, Text]
    notation: Mapping[str, Text]

    @property
    def whole(self) -> bool:
        """Whether nothing is wrong but perhaps with the map."""
        return bool(self.game and self.tables and self.setup and self.victory and self.counters)

    def scenario(self, ground: GameMap, **besides: Any) -> Scenario:
        """The game on a ground; parts that could not be read are empty."""
        assert self.game is not None and self.tables is not None
        files = (self.game, self.map_file, self.tables, self.setup, self.victory)
        return Scenario(
            name=self.game.name,
            folder=self.sources.folder,
            game=self.game,
            map=ground,
            counters=self.counters,
            tables=self.tables,
            setup=self.setup or SetupFile.model_construct(),
            victory=self.victory or VictoryFile.model_construct(),
            texts=self.texts,
            digest=self.sources.hash.hexdigest(),
            notation=self.notation,
            files={name: file for name, file in zip(YAML_FILES, files, strict=True) if file is not None},
            **besides,
        )


def _parts(folder: Path, instead: Mapping[str, bytes] | None) -> _Parts:
    if kind_of(folder) == EXTENSION:
        said = message("scenario.file.extension", name=folder.name)
        raise ScenarioError([Problem(str(folder / "game.yaml"), 0, "kind", said)])
    sources = Sources(folder, instead)
    problems: list[Problem] = []
    add_family(sources)
    game = validated(sources, "game.yaml", GameFile, problems)
    map_file = validated(sources, "map.yaml", MapFile, problems)
    tables = validated(sources, "tables.yaml", TablesFile, problems)
    setup = validated(sources, "setup.yaml", SetupFile, problems)
    victory = validated(sources, "victory.yaml", VictoryFile, problems)
    counters = _read_counters(sources, problems)
    texts = texts_of(game, sources, problems) if game else {}
    notation = notation_of(sources, problems)
    ground = _build_map(map_file, sources, problems) if map_file else None
    return _Parts(sources, problems, game, map_file, ground, tables, setup, victory, counters, texts, notation)


def load(
    name_or_folder: str | Path, *, strict: bool = True, instead: Mapping[str, bytes] | None = None
) -> Scenario:
    """Read and check a scenario; `instead` holds what stands in place of some of its own files, by name.

    Raises ScenarioError with all problems found, and for an extension, which is no whole game. With `strict=False`
    only problems that leave no usable scenario raise; the others stand in the scenario's `warnings`.

    Files that have not changed since the same process read them give the same scenario again.
    """
    folder = find(name_or_folder)
    key = _key(folder) if instead is None else None
    if key is None:
        return _load(folder, strict, instead)
    kept = _KEPT.pop((folder, strict), None)
    scenario = kept[1] if kept is not None and kept[0] == key else _load(folder, strict, None)
    # As `compiled`: a family that is named in another way than people do is not seen by the key.
    if (scenario.game.family or "") == family_named(folder):
        _KEPT[folder, strict] = key, scenario
        while len(_KEPT) > _MOST_KEPT:
            _KEPT.pop(next(iter(_KEPT)), None)
    return scenario


_MOST_KEPT: Final = 16
_KEPT: Final[dict[tuple[Path, bool], tuple[str, Scenario]]] = {}
"""The scenarios that were read last, with what their files said then; the latest at the end."""


def _key(folder: Path) -> str | None:
    try:
        return key_of(folder)
    except OSError:
        return None  # reading the files tells what is wrong with them


def _load(folder: Path, strict: bool, instead: Mapping[str, bytes] | None) -> Scenario:
    from hexforge.scenarios.checks import check

    parts = _parts(folder, instead)
    if parts.ground is None or not parts.whole or any(p.severity == "error" for p in parts.problems):
        raise ScenarioError(parts.problems)
    scenario = parts.scenario(parts.ground)
    found = [*parts.problems, *check(scenario, parts.sources.locate)]
    if strict and any(p.severity == "error" for p in found):
        raise ScenarioError(found)
    object.__setattr__(scenario, "warnings", tuple(found))
    return scenario


def sketch(folder: Path, ground: GameMap, instead: Mapping[str, bytes] | None = None) -> Scenario:
    """A game that is not finished, on a ground made of what its map.yaml has so far; `warnings`: all that is wrong.

    Counters, set-up and victory are empty where they cannot be read. Raises ScenarioError without a game.yaml and a
    tables.yaml that can, for they say what a map may hold.
    """
    from hexforge.scenarios.checks import check

    parts = _parts(folder, instead)
    if parts.game is None or parts.tables is None:
        raise ScenarioError(parts.problems)
    scenario = parts.scenario(parts.ground or ground)
    found = [*parts.problems, *(check(scenario, parts.sources.locate) if parts.whole else ())]
    object.__setattr__(scenario, "warnings", tuple(dict.fromkeys(found)))
    return scenario


def place_of(scenario: Files, file: str, where: Sequence[str | int]) -> tuple[Path, int]:
    """The file and the line, as they are now, in which a scenario has a value; line 0 where neither has it."""
    sources = Sources(scenario.folder)
    add_family(sources)
    return sources.locate(file, where)


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
        _describe(schema, language)
    return schemas


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
