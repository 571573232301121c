"""The templates and palettes of `art/`: what an artist edits, read for the drawing code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn, ParamSpec, TypeVar

from hexforge.modulegen.render.own import laid_over, safe_values, stamp
from hexforge.modulegen.render.own_colours import complete, faint
from hexforge.modulegen.render.raster import RenderError
from hexforge.scenarios import yamlfile
from hexforge.scenarios.looks import OwnLooks
from hexforge.scenarios.words import message

if TYPE_CHECKING:
    from jinja2 import Environment

    from hexforge.scenarios.extended import AnyGame
    from hexforge.scenarios.problems import Problem

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
def game_palette(game: AnyGame, name: str) -> Mapping[str, Any]:
    """The palette as a game has it: `palette` for whoever draws nothing else of it."""
    return palette(name)


@in_own_looks
def faint_figures(game: AnyGame) -> Iterator[Problem]:
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
