"""Read a scenario from its folder, check all of it, and say everything that is wrong at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from hexforge.scenarios import countersfile, yamlfile
from hexforge.scenarios.hexgrid import grid
from hexforge.scenarios.language import said
from hexforge.scenarios.model import Counter, GameMap, Scenario, Text
from hexforge.scenarios.problems import Problem, ScenarioError, message_of
from hexforge.scenarios.schema.base import Provenance
from hexforge.scenarios.schema.counters import CounterRow
from hexforge.scenarios.schema.game import GameFile
from hexforge.scenarios.schema.map import MapFile
from hexforge.scenarios.schema.setup import SetupFile
from hexforge.scenarios.schema.tables import TablesFile
from hexforge.scenarios.schema.victory import VictoryFile

HOME = Path(__file__).parent
MAX_NAME = 64
YAML_FILES: dict[str, type[BaseModel]] = {
    "game.yaml": GameFile,
    "map.yaml": MapFile,
    "tables.yaml": TablesFile,
    "setup.yaml": SetupFile,
    "victory.yaml": VictoryFile,
}
_PROVENANCE: dict[str, Provenance] = {"p": "printed", "g": "gazetteer", "a": "assumed"}

M = TypeVar("M", bound=BaseModel)


def names() -> list[str]:
    """The games that come with the program."""
    return sorted(p.parent.name for p in HOME.glob("*/game.yaml"))


def find(name_or_folder: str | Path) -> Path:
    """The folder of a game, given its name or a path. Raises ScenarioError listing the known names."""
    path = Path(name_or_folder)
    if path.is_dir() and (path / "game.yaml").is_file():
        return path
    if str(name_or_folder) in names():
        return HOME / str(name_or_folder)
    known = ", ".join(names())
    message = said(
        f"is neither a game (known: {known}) nor a folder with a game.yaml",
        f"não é um jogo (conhecidos: {known}) nem uma pasta com um game.yaml",
    )
    raise ScenarioError([Problem(str(name_or_folder), 0, "", message)])


class _Sources:
    """The texts of a scenario's files and its family's, and where each merged value came from."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.hash = hashlib.sha256()
        self.texts: dict[Path, str] = {}
        self.raw: dict[Path, dict[str, Any]] = {}
        self.layers: list[Path] = [folder]
        self.counter_lines: dict[str, int] = {}

    def text(self, path: Path) -> str:
        if path not in self.texts:
            self._keep(path, yamlfile.decode(yamlfile.read_bytes(path), path))
        return self.texts[path]

    def table(self, path: Path) -> tuple[str, str]:
        """The text of a CSV file and its encoding."""
        text, encoding = countersfile.decode(yamlfile.read_bytes(path), path)
        self._keep(path, text)
        return text, encoding

    def _keep(self, path: Path, text: str) -> None:
        # Windows' line ends and a byte-order mark leave the digest as it is: verdicts name it on every system.
        data = text.replace("\r\n", "\n").encode()
        self.hash.update(f"{path.name} {len(data)}\n".encode() + data)
        self.texts[path] = text

    def yaml(self, path: Path) -> dict[str, Any]:
        if path not in self.raw:
            self.raw[path] = yamlfile.parse(self.text(path), path)
        return self.raw[path]

    def merged(self, name: str) -> dict[str, Any]:
        """The file of the game laid over that of its family: mappings merge, everything else is replaced."""
        value: dict[str, Any] = {}
        for layer in reversed(self.layers):
            path = layer / name
            if path.is_file():
                value = _merge(value, self.yaml(path))
            elif layer is self.folder:
                message = said("is missing; every game has one", "falta; todo jogo tem um")
                raise ScenarioError([Problem(str(path), 0, "", message)])
        return value

    def _locate_game(self, steps: list[str | int]) -> tuple[Path, int]:
        # The family's share of game.yaml is called family.yaml, so that a family is not taken for a game.
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
            if path.is_file() and _depth(self.yaml(path), steps) >= min(len(steps), 1):
                return path, yamlfile.line_of(self.text(path), steps)
        return self.folder / name, 0


def _merge(below: Any, above: Any) -> Any:
    if isinstance(below, dict) and isinstance(above, dict):
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


def _validate(sources: _Sources, name: str, schema: type[M], problems: list[Problem]) -> M | None:
    try:
        raw = sources.merged(name)
    except ScenarioError as error:
        problems += error.problems
        return None
    try:
        return schema.model_validate(raw)
    except ValidationError as error:
        for item in error.errors(include_url=False):
            where = [step for step in item["loc"] if not str(step).startswith("function-")]
            path, line = sources.locate(name, where)
            problems.append(Problem(str(path), line, ".".join(map(str, where)), message_of(item)))
        return None


def _read_counters(sources: _Sources, problems: list[Problem]) -> dict[str, Counter]:
    path = sources.folder / "counters.csv"
    try:
        text, encoding = sources.table(path)
    except ScenarioError as error:
        problems += error.problems
        return {}
    if encoding == "cp1252":
        message = said(
            "is not UTF-8, so it was read as Windows-1252; look at the accents, or save it as CSV UTF-8",
            "não é UTF-8, então foi lido como Windows-1252; confira os acentos, ou grave como CSV UTF-8",
        )
        problems.append(Problem(str(path), 0, "", message, "warning"))
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


def _notation(sources: _Sources, problems: list[Problem]) -> dict[str, Text]:
    """The words of `notation.LANGUAGE.yaml`. No verdict rests on them, so the digest leaves them out."""
    found: dict[str, dict[str, str]] = {}
    for layer in reversed(sources.layers):
        for path in sorted(layer.glob("notation.*.yaml")):
            try:
                words = yamlfile.parse(yamlfile.decode(yamlfile.read_bytes(path), path), path)
            except ScenarioError as error:
                problems += error.problems
                continue
            found.setdefault(path.name.split(".")[1], {}).update(_flatten(words))
    return {language: Text(language, values) for language, values in found.items()}


def _build_map(file: MapFile, sources: _Sources, problems: list[Problem]) -> GameMap | None:
    def complain(key: str, en: str, pt: str) -> None:
        path, line = sources.locate("map.yaml", [key])
        problems.append(Problem(str(path), line, key, said(en, pt)))

    field = grid(file.grid.columns, file.grid.rows, file.grid.low)
    terrain: dict[str, tuple[str, ...]] = {}
    provenance: dict[str, Provenance] = {}
    before = len(problems)
    for key, rows in (("terrain", file.terrain), ("provenance", file.provenance)):
        if len(rows) != field.rows:
            complain(
                key,
                f"has {len(rows)} rows of letters; the grid has {field.rows}",
                f"tem {len(rows)} linhas de letras; a grade tem {field.rows}",
            )
            continue
        for r, letters in enumerate(rows, 1):
            if len(letters) != field.columns:
                complain(
                    key,
                    f"row {r} has {len(letters)} letters; the grid has {field.columns} columns",
                    f"a linha {r} tem {len(letters)} letras; a grade tem {field.columns} colunas",
                )
                continue
            for c, letter in enumerate(letters, 1):
                hex_ = f"{c:02d}{r:02d}"
                if key == "terrain" and letter in file.legend:
                    terrain[hex_] = file.legend[letter]
                elif key == "provenance" and letter in _PROVENANCE:
                    provenance[hex_] = _PROVENANCE[letter]
                else:
                    expected = " ".join(file.legend if key == "terrain" else _PROVENANCE)
                    complain(
                        key,
                        f"hex {hex_} has the letter {letter!r}; expected one of {expected}",
                        f"o hexágono {hex_} tem a letra {letter!r}; esperava-se uma de {expected}",
                    )
    if len(problems) > before:
        return None
    return GameMap(
        grid=field,
        terrain=terrain,
        provenance=provenance,
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
    )


def load(name_or_folder: str | Path, *, strict: bool = True) -> Scenario:
    """Read and check a scenario.

    Raises ScenarioError with all problems found. With `strict=False` only those that leave no usable scenario
    raise; the others stand in the scenario's `warnings`.
    """
    from hexforge.scenarios.checks import check

    folder = find(name_or_folder)
    sources = _Sources(folder)
    problems: list[Problem] = []
    game_raw = sources.yaml(folder / "game.yaml")
    family = game_raw.get("family")
    if family is not None:
        if not isinstance(family, str) or not family.isidentifier() or len(family) > MAX_NAME:
            message = said(f"{family!r} is not a family's name", f"{family!r} não é um nome de família")
            raise ScenarioError([Problem(str(folder / "game.yaml"), 0, "family", message)])
        home = next((p for p in (folder.parent / family, HOME / family) if (p / "family.yaml").is_file()), None)
        if home is None:
            message = said(f"there is no family {family!r}", f"não há a família {family!r}")
            raise ScenarioError([Problem(str(folder / "game.yaml"), 0, "family", message)])
        sources.layers.append(home)
    game = _validate_game(sources, problems)
    map_file = _validate(sources, "map.yaml", MapFile, problems)
    tables = _validate(sources, "tables.yaml", TablesFile, problems)
    setup = _validate(sources, "setup.yaml", SetupFile, problems)
    victory = _validate(sources, "victory.yaml", VictoryFile, problems)
    counters = _read_counters(sources, problems)
    texts: dict[str, Text] = {}
    for language in game.languages if game else ():
        try:
            texts[language] = Text(language, _flatten(sources.merged(f"text.{language}.yaml")))
        except ScenarioError as error:
            problems += error.problems
    notation = _notation(sources, problems)
    ground = _build_map(map_file, sources, problems) if map_file else None
    if not (game and ground and tables and setup and victory and counters) or any(
        p.severity == "error" for p in problems
    ):
        raise ScenarioError(sorted(set(problems)))
    scenario = Scenario(
        name=game.name,
        folder=folder,
        game=game,
        map=ground,
        counters=counters,
        tables=tables,
        setup=setup,
        victory=victory,
        texts=texts,
        digest=sources.hash.hexdigest(),
        notation=notation,
    )
    found = [*problems, *check(scenario, sources.locate)]
    errors = [p for p in found if p.severity == "error"]
    if strict and errors:
        raise ScenarioError(sorted(set(found)))
    object.__setattr__(scenario, "warnings", tuple(found))
    return scenario


def _validate_game(sources: _Sources, problems: list[Problem]) -> GameFile | None:
    merged = dict(sources.yaml(sources.folder / "game.yaml"))
    for layer in sources.layers[1:]:
        merged = _merge(sources.yaml(layer / "family.yaml"), merged)
    try:
        return GameFile.model_validate(merged)
    except ValidationError as error:
        for item in error.errors(include_url=False):
            where = [step for step in item["loc"] if not str(step).startswith("function-")]
            path, line = sources.locate("game.yaml", where)
            problems.append(Problem(str(path), line, ".".join(map(str, where)), message_of(item)))
        return None


def json_schemas() -> dict[str, dict[str, Any]]:
    """The JSON Schema of every file, by file name, for editors that complete and check while one types."""
    schemas = {name: schema.model_json_schema() for name, schema in YAML_FILES.items()}
    schemas["counters.csv"] = CounterRow.model_json_schema()
    return schemas
