"""The templates and palettes of `art/`: what an artist edits, read for the drawing code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from hexforge.modulegen.render.raster import RenderError
from hexforge.scenarios import yamlfile
from hexforge.scenarios.words import message

if TYPE_CHECKING:
    from jinja2 import Environment


def art_folder() -> Path:
    """The folder `art/` of the installed program."""
    return Path(__file__).parents[2] / "art"


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

    __missing__ = missing

    def with_(self, values: Mapping[str, Any]) -> Entries:
        """These entries with others in the place of, or beside, their own."""
        return Entries({**self, **values}, self.path, self.where)


def _entries(value: Any, path: Path, where: str) -> Any:
    if isinstance(value, dict):
        return Entries(value, path, where)
    return [_entries(v, path, where) for v in value] if isinstance(value, list) else value


@cache
def palette(name: str) -> Mapping[str, Any]:
    """The colours and measures in `art/palettes/<name>.yaml`. Raises ScenarioError when there is none.

    So does asking it for a key that the file lacks.
    """
    path = art_folder() / "palettes" / f"{name}.yaml"
    if not name.replace("_", "").replace("-", "").isalnum():
        raise RenderError.about(path, message("drawing.no-such-palette", name=name))
    return MappingProxyType(Entries(yamlfile.parse(yamlfile.decode(yamlfile.read_bytes(path), path), path), path))
