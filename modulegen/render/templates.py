"""The templates and palettes of `art/`: what an artist edits, read for the drawing code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from modulegen.render.raster import RenderError
from scenarios import yamlfile

if TYPE_CHECKING:
    from jinja2 import Environment


def art_folder() -> Path:
    """The folder `art/` of the installed program."""
    return Path(str(files("art")))


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
        line = getattr(error, "lineno", None)
        where = f"line {line}: " if line else ""
        raise RenderError.about(art_folder() / template, f"{where}{error}", f"{where}{error}") from error


@cache
def palette(name: str) -> Mapping[str, Any]:
    """The colours and measures in `art/palettes/<name>.yaml`. Raises ScenarioError when there is none."""
    path = art_folder() / "palettes" / f"{name}.yaml"
    if not name.replace("_", "").replace("-", "").isalnum():
        raise RenderError.about(path, f"{name!r} is no name of a palette", f"{name!r} não é um nome de paleta")
    return MappingProxyType(yamlfile.parse(yamlfile.decode(yamlfile.read_bytes(path), path), path))
