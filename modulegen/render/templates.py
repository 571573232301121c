"""The templates and palettes of `art/`: what an artist edits, read for the drawing code.

The words of modules and drawings: a game's own, and under them those that all games share (`art/words`).

The words of a module in one language: its windows, menus, boxes and reports.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache, wraps
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn, ParamSpec, TypeVar

from ...scenarios import yamlfile
from ...scenarios.model import Scenario, Text
from ...scenarios.scan import OwnLooks
from ...scenarios.text.words import SOURCE, Language, Words, catalogue, message
from .own_art import complete, faint, laid_over, safe_values, stamp
from .raster import RenderError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Environment

    from ...scenarios.console import Problem
    from ...scenarios.model import Scenario
    from ...scenarios.schema.game import PhaseSpec
    from ...scenarios.schema.map import Place
    from ...scenarios.schema.setup import CounterRow as Counter


P = ParamSpec("P")
T = TypeVar("T")


def art_folder() -> Path:
    """The folder `art/` of the installed program."""
    return Path(__file__).parents[2] / "art"


_LOOKS: ContextVar[Path | None] = ContextVar("looks", default=None)


def in_own_looks(draw: Callable[P, T]) -> Callable[P, T]:
    """Have something drawn with the symbols and palettes of the game that is among its arguments."""

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> T:
        given = (getattr(a, "looks", None) for a in (*args, *kwargs.values()))
        folder = next((looks.folder for looks in given if isinstance(looks, OwnLooks)), None)
        # Looked for here and not for each colour, which is asked for thousands of times.
        token = _LOOKS.set(folder if folder and folder.is_dir() else None)
        try:
            return draw(*args, **kwargs)
        finally:
            _LOOKS.reset(token)

    return drawn


def own_folder() -> Path | None:
    """The folder `looks` of the game that is being drawn, if it has one."""
    return _LOOKS.get()


def own_file(path: str) -> Path | None:
    """A file of the folder `looks` of the game that is being drawn, if it has that."""
    folder = own_folder()
    if folder is None or not (found := folder / path).is_file():
        return None
    return found if found.resolve().is_relative_to(folder.resolve()) else None


def number(value: float) -> str:
    """A coordinate for SVG: two decimals at most, no trailing zeros, no minus zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


@cache
def environment() -> Environment:
    """Jinja over `art/`: escapes XML, fails on names that are not there, and has the filter `n` for coordinates."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    env = Environment(
        loader=FileSystemLoader(art_folder()),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters["n"] = number
    return env


def render(template: str, **values: Any) -> str:
    """A template of `art/` filled in, e.g. `render("charts/chart.svg.j2", …)`. Text in `values` is escaped for XML.

    SVG made elsewhere passes unescaped when wrapped in `markupsafe.Markup`. Raises RenderError naming the
    template and line.
    """
    from jinja2 import TemplateError

    try:
        return environment().get_template(template).render(**values)
    except TemplateError as error:
        line = getattr(error, "lineno", None) or 0
        raise RenderError.about(
            art_folder() / template, message("drawing.library", why=str(error)), line
        ) from error


class Entries(dict[str, Any]):
    """Keys and values of a palette, or of a part of it; a key that is not there is an error that says where.

    `path` is the file, `where` the keys that lead to this part, with dots.
    """

    def __init__(self, values: Mapping[Any, Any], path: Path, where: str = "") -> None:
        super().__init__({k: _entries(v, path, f"{where}{k}.") for k, v in values.items()})
        self.path, self.where = path, where

    def missing(self, key: str) -> NoReturn:
        """Raises RenderError: there is no such key."""
        raise RenderError.about(self.path, message("drawing.no-key", where=self.where, key=key))

    def unknown(self, key: str, known: tuple[str, ...]) -> NoReturn:
        """Raises RenderError: the value of a key is none of those that there are."""
        said = message("drawing.no-value", where=f"{self.where}{key}", given=str(self[key])[:60], known=known)
        raise RenderError.about(self.path, said)

    __missing__ = missing

    def with_(self, values: Mapping[str, Any]) -> Entries:
        """These entries with others in the place of, or beside, their own."""
        return Entries({**self, **values}, self.path, self.where)


def _entries(value: Any, path: Path, where: str) -> Any:
    if isinstance(value, dict):
        return Entries(value, path, where)
    return [_entries(v, path, where) for v in value] if isinstance(value, list) else value


def palette(name: str) -> Mapping[str, Any]:
    """The colours and measures in `art/palettes/<name>.yaml`, those of the game's own laid over them.

    Raises ScenarioError when there is none, or for what the game's own may not say; so does asking it for a key
    that it lacks.
    """
    own = own_file(f"palettes/{name}.yaml")
    return _palette(name) if own is None else _own_palette(name, own, *stamp(own))


@in_own_looks
def game_palette(game: Scenario, name: str) -> Mapping[str, Any]:
    """The palette as a game has it: `palette` for whoever draws nothing else of it."""
    return palette(name)


@in_own_looks
def faint_figures(game: Scenario) -> Iterator[Problem]:
    """Figures on counters that a game's own colours hardly show: warnings."""
    own = own_file("palettes/counters.yaml")
    return iter(()) if own is None else iter(list(faint(own, _parsed(own), palette("counters"))))


@cache
def _palette(name: str) -> Mapping[str, Any]:
    path = art_folder() / "palettes" / f"{name}.yaml"
    if not name.replace("_", "").replace("-", "").isalnum():
        raise RenderError.about(path, message("drawing.no-such-palette", name=name))
    return MappingProxyType(Entries(_parsed(path), path))


@lru_cache(maxsize=32)
def _own_palette(name: str, path: Path, _size: int, _time: int) -> Mapping[str, Any]:
    values = _parsed(path)
    safe_values(path, values)
    merged = laid_over(path, dict(_palette(name)), values)
    if name == "counters":
        complete(path, values, merged)
    return MappingProxyType(Entries(merged, path))


def _parsed(path: Path) -> dict[str, Any]:
    return yamlfile.parse(yamlfile.decode(yamlfile.read_bytes(path), path), path)


def words(scenario: Scenario, language: Language) -> Text:
    """All words for a game's module in a language, those of its windows and menus below `module`.

    The game's own go before what all games share; what the language lacks is said as the game's first language
    says it, else in English.
    """
    first, own = (scenario.texts.get(code) for code in (scenario.game.languages[0], language))
    first_values, own_values = (text.values if text else {} for text in (first, own))
    flies = bool(scenario.tables.air)
    return Text(language, {**_shared(SOURCE, flies), **first_values, **_shared(language, flies), **own_values})


def _shared(language: Language, flies: bool) -> dict[str, str]:
    """The words of all games. What is fired from afar is fire where nobody flies, be it by guns, bows or rifles."""
    fire = {} if flies else Words(language).section("charts.charts.fire")
    module = {f"module.{key}": text for key, text in catalogue("module", language).items()}
    return {**catalogue("charts", language), **{f"charts.{key}": text for key, text in fire.items()}, **module}


def short(text: Text, section: str, id_: str) -> str:
    """The short form of a name (`weather_short.bad`), the name itself where there is none, else the id in words."""
    return text.get(f"{section}_short.{id_}") or text.get(f"{section}.{id_}") or spoken(id_)


def column_head(name: object) -> str:
    """A column as tables are headed: `3–1`, of what the game's files call `3-1` or `3..1`."""
    return str(name).replace("..", "-").replace("-", "–")


def spoken(id_: str) -> str:
    """An identifier as words, for what a game has no name for."""
    return id_.replace("_", " ").replace("-", " ").capitalize()


def halves_words(halves: int) -> str:
    """Movement points as printed, from halves: 1 is ½, 3 is 1½."""
    whole, half = divmod(halves, 2)
    return (str(whole) if whole or not half else "") + ("½" if half else "")


@dataclass(frozen=True)
class ModuleWords:
    """The words of a game's module in one language."""

    language: str
    text: Text

    @classmethod
    def of(cls, scenario: Scenario, language: str) -> ModuleWords:
        """The words of a game in a language."""
        return cls(language, words(scenario, language))

    def __call__(self, key: str, **values: object) -> str:
        """The word at a key, `{name}` replaced. Raises KeyError for a key that neither game nor compiler knows."""
        found = self.text.values[f"module.{key}"]
        if "{zone}" in found:
            # What every game has and many call by a name of their own.
            zone = Words(self.language, {self.language: self.text}).term("concepts", "zone")
            found = found.replace("{zone}", zone.replace("{", "{{").replace("}", "}}") if values else zone)
            found = found[:1].upper() + found[1:]
        return found.format(**values) if values else found

    def side(self, side: str) -> str:
        """The name of a side."""
        for key in (f"sides.{side}.name", f"sides.{side}", f"side.{side}"):
            if found := self.text.get(key):
                return found
        return side.capitalize()

    def phase(self, phase: str) -> str:
        """The name of a phase of the turn."""
        return self.text.get(f"phases.{phase}") or self.text.values[f"phase.{phase}"]

    def mark(self, mark: str) -> str:
        """The name of a mark that units bear."""
        return self.text.get(f"marks.{mark}") or mark.replace("_", " ").replace("-", " ")

    def step(self, side: str, phase: str, number: int = 0) -> str:
        """What the turn tracker calls a phase of a side; `number`: which of several of a kind, 0 if it is alone."""
        return f"{self.side(side)}: {self.phase(phase)}" + (f" {number}" if number else "")

    def steps(self, sequence: Sequence[PhaseSpec]) -> list[str]:
        """What the turn tracker calls the phases of a turn, those of a side without ids of their own told apart."""
        kinds = [(spec.side, spec.name) for spec in sequence]
        return [
            self.step(*kind, kinds[: place + 1].count(kind) if kinds.count(kind) > 1 else 0)
            for place, kind in enumerate(kinds)
        ]

    def movements(self, sequence: Sequence[PhaseSpec]) -> list[str]:
        """As `steps`, of the phases in which units move."""
        named = zip(self.steps(sequence), sequence, strict=True)
        return [name for name, spec in named if spec.phase == "movement"]

    def edge(self, edge: str) -> str:
        """The name of an edge of the map."""
        return self.text.get(f"edges.{edge}") or edge

    def area(self, scenario: Scenario, area: str) -> str:
        """The name of an area of the map."""
        named = {a.id: a.name for a in scenario.map.areas}
        return self.text.get(f"areas.{area}") or named.get(area) or area

    def terrain(self, terrain: str) -> str:
        """The name of a terrain."""
        return self.text.get(f"terrain.{terrain}") or spoken(terrain)

    @property
    def fortified(self) -> str:
        """What works are called."""
        return self.text.get("fortified") or spoken("fortified")

    def place(self, place: Place) -> str:
        """The name of a place on the map."""
        return self.text.get(f"places.{place.id}") or place.name

    def formation(self, counter: Counter) -> str:
        """What a palette calls the formation that a counter belongs to."""
        number = counter.division or counter.corps
        if not number:
            return self("palette.other")
        for key in (f"formations.{counter.side}.{number}", f"formations.{number}"):
            if found := self.text.get(key):
                return found
        if counter.division:
            return self("palette.division", n=number) if number.isdecimal() else number
        return self("palette.corps", n=number)

    def name(self, counter: Counter) -> str:
        """A counter's name."""
        return counter.name(self.language)

    def date(self, day: datetime.date) -> str:
        """A day as players write it: `2 nov 1944`."""
        return f"{day.day} {self.text.values[f'months.{day.month}']} {day.year}"

    def turn_date(self, scenario: Scenario, turn: int) -> str:
        """The date on which a turn begins."""
        turns = scenario.game.turns
        return self.date(turns.start + datetime.timedelta(days=(turn - turns.first) * turns.days))

    def title(self, scenario: Scenario) -> str:
        """The game's title."""
        return self.text.get("title.name") or self.text.get("title") or scenario.game.module.name
