"""The words of drawings: a game's own, and under them those that are the same for every game (`art/words`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from hexforge.modulegen.render import templates

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario, Text

_FALLBACK = "en"


def _flat(value: Mapping[str, object], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, item in value.items():
        if isinstance(item, Mapping):
            flat |= _flat(item, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = str(item)
    return flat


@cache
def shared(language: str) -> Mapping[str, str]:
    """The words of every game in a language, keys with dots; in English where a language has none."""
    from hexforge.scenarios import yamlfile

    folder = templates.art_folder() / "words"
    path = folder / f"{language}.yaml"
    if not language.isalnum() or not path.is_file():
        path = folder / f"{_FALLBACK}.yaml"
    return _flat(yamlfile.parse(yamlfile.decode(yamlfile.read_bytes(path), path), path))


def words(scenario: Scenario, language: str) -> Text:
    """All words for drawing a game in a language. Raises KeyError for a language that the game has not."""
    from hexforge.scenarios.model import Text

    return Text(language, {**shared(language), **scenario.texts[language].values})


def short(text: Text, section: str, id_: str) -> str:
    """The short form of a name (`weather_short.bad`), the name itself where there is none, else the id in words."""
    return text.get(f"{section}_short.{id_}") or text.get(f"{section}.{id_}") or spoken(id_)


def spoken(id_: str) -> str:
    """An identifier as words, for what a game has no name for."""
    return id_.replace("_", " ").replace("-", " ").capitalize()
