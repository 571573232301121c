"""Read a scenario from its folder, check all of it, and say everything that is wrong at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from . import sources as countersfile
from . import yamlfile
from .checks.rules import check
from .commands import EXTENSION, family_named, find, key_of, kind_of
from .console import Problem, ScenarioError
from .keys import YAML_FILES
from .model import GameMap, Scenario, Text
from .objections import Mending, empty_values, objections
from .schema.base import Provenance
from .schema.declared import Model
from .schema.extension import ExtensionFile
from .schema.game import GameFile
from .schema.map import MapFile
from .schema.setup import CounterRow as Counter
from .schema.setup import SetupFile, VictoryFile
from .schema.tables import TablesFile
from .sources import Sources, add_family, flatten
from .text.hexgrid import Hex
from .text.words import Message, Param, message
from .walk import Files

_MOST_NAMED: Final = 5
UNPAINTED: Final = "?"
"""Stands in the rows of `terrain` for a hex whose ground is still to be said."""
_PROVENANCE: dict[str, Provenance] = {"p": "printed", "g": "gazetteer", "a": "assumed"}

M = TypeVar("M", bound=Model)


def validated(sources: Sources, name: str, schema: type[M], problems: list[Problem]) -> M | None:
    """A file as its schema reads it; None, and what is wrong added to `problems`, where it does not."""
    try:
        raw = sources.merged(name)
    except ScenarioError as error:
        problems += error.problems
        return None
    problems += empty_values(sources, name)
    try:
        return schema.model_validate(raw, context={"grid": sources.grid, "unnamed": sources.grid is None})
    except ValidationError as error:
        problems += objections(sources, name, schema, error)
        return None


def _read_counters(
    sources: Sources, problems: list[Problem], instead: dict[str, Counter] | None = None
) -> dict[str, Counter]:
    path = sources.folder / "counters.csv"
    try:
        text, encoding = sources.table(path)
    except ScenarioError as error:
        problems += error.problems
        return {}
    if encoding == "cp1252":
        problems.append(Problem(str(path), 0, "", message("scenario.counters.windows"), "warning"))
    counters, sources.counter_lines = countersfile.read(text, path, problems, instead)
    return counters


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
            language, forms = path.name.split(".")[1], flatten(words)
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
                complain(key, "letter", row=r, hex=hex_, letter=letter, known=" ".join(known))
    if left := [hex_ for hex_, letter in found.items() if letter == UNPAINTED and UNPAINTED not in known]:
        complain(key, "unpainted", count=len(left), hexes=tuple(left[:_MOST_NAMED]))
    return found


def _build_map(file: MapFile, sources: Sources, problems: list[Problem], *, anyhow: bool = False) -> GameMap | None:
    """The map; None if its letters are wrong, unless `anyhow`: hexes without one then have the first ground."""
    before = len(problems)

    def complain(key: str, what: str, *, row: int = 0, **params: Param) -> None:
        path, line = sources.locate("map.yaml", [key])
        # Rows that are written as a block stand in the lines below their key.
        written = sources.text(path).splitlines()[line + row - 1 : line + row] if row else []
        rows: tuple[str, ...] = getattr(file, key)
        if written and written[0].strip() == rows[row - 1]:
            line += row
        if what == "row":
            params["row"] = row
        problems.append(Problem(str(path), line, key, message(f"scenario.map.{what}", **params)))

    for letter in file.legend:
        if len(letter) != 1:
            path, line = sources.locate("map.yaml", ["legend", letter])
            told = message("scenario.map.legend", letter=letter)
            problems.append(Problem(str(path), line, f"legend.{letter}", told))
    if len(problems) > before and not anyhow:
        return None
    terrain = _letters(file, "terrain", file.terrain, file.legend, complain)
    provenance = _letters(file, "provenance", file.provenance, _PROVENANCE, complain)
    if len(problems) > before and not anyhow:
        return None
    if len(problems) > before:
        first = next(iter(file.legend))
        letters = {hex_: terrain.get(hex_, first) for hex_ in file.grid.field}
        terrain = {hex_: letter if letter in file.legend else first for hex_, letter in letters.items()}
        provenance = {}
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
            own = flatten(sources.yaml(sources.folder / name))
            found[language] = Text(language, flatten(sources.merged(name)), frozenset(own))
        except ScenarioError as error:
            problems += error.problems
    return found


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
    parts = _parts(folder, instead)
    if parts.ground is None or not parts.whole or any(p.severity == "error" for p in parts.problems):
        raise ScenarioError([*parts.problems, *_further(parts)])
    scenario = parts.scenario(parts.ground)
    found = [*parts.problems, *check(scenario, parts.sources.locate)]
    if strict and any(p.severity == "error" for p in found):
        raise ScenarioError(found)
    object.__setattr__(scenario, "warnings", tuple(found))
    return scenario


_OF_COUNTERS: Final = frozenset(("division", "formation", "regiment", "unit", "size-or-type"))
"""Kinds of names that counters.csv defines."""


def _further(parts: _Parts) -> Iterator[Problem]:
    """What else is wrong in a game of which a part cannot be read: errors that do not hang on that part.

    Names are looked up even where a whole file is missing, as long as it is not one that defines them.
    """
    mending, scrap, counters = Mending(parts.sources), list[Problem](), dict[str, Counter]()
    game = parts.game or mending.read("game.yaml", GameFile)
    map_file = parts.map_file or mending.read("map.yaml", MapFile)
    tables = parts.tables or mending.read("tables.yaml", TablesFile)
    if game is None or map_file is None or tables is None or not map_file.legend:
        return
    if parts.sources.grid is None:
        return  # hexes are called as the grid has them
    sound = mending.whole
    setup = parts.setup or mending.read("setup.yaml", SetupFile)
    victory = parts.victory or mending.read("victory.yaml", VictoryFile)
    counters |= _read_counters(parts.sources, scrap, counters)
    ground = parts.ground or _build_map(map_file, parts.sources, scrap, anyhow=True)
    if ground is None:
        return
    whole = bool(sound and parts.ground and counters and setup and victory)
    left = replace(
        parts, game=game, map_file=map_file, tables=tables, setup=setup, victory=victory, counters=counters
    )
    if not parts.texts:
        left = replace(left, texts=texts_of(game, parts.sources, scrap))
    whole = whole and left.texts.keys() >= {*game.languages}
    told = {(problem.file, problem.line) for problem in parts.problems}
    scenario = left.scenario(ground)
    for problem in check(scenario, parts.sources.locate, mending.origin, names_alone=not whole):
        of_counters = not counters and _what(problem.message).removeprefix("scenario.unknown.") in _OF_COUNTERS
        known = (problem.file, problem.line) in told or mending.hides(problem)
        if problem.severity == "error" and not known and not of_counters:
            yield problem


def _what(said: Message) -> str:
    """The key of a message, or of the one within it."""
    inner = said.values.get("said")
    return inner.key if isinstance(inner, Message) else said.key


def sketch(folder: Path, ground: GameMap, instead: Mapping[str, bytes] | None = None) -> Scenario:
    """A game that is not finished, on a ground made of what its map.yaml has so far; `warnings`: all that is wrong.

    Counters, set-up and victory are empty where they cannot be read. Raises ScenarioError without a game.yaml and a
    tables.yaml that can, for they say what a map may hold.
    """
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
