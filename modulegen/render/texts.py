"""The words of modules and drawings: a game's own, and under them those that all games share (`art/words`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexforge.scenarios.words import SOURCE, Language, Words, catalogue

if TYPE_CHECKING:
    from hexforge.scenarios.extended import AnyGame
    from hexforge.scenarios.model import Text


def words(scenario: AnyGame, language: Language) -> Text:
    """All words for a game's module in a language, those of its windows and menus below `module`.

    The game's own go before what all games share; what the language lacks is said as the game's first language
    says it, else in English.
    """
    from hexforge.scenarios.model import Scenario, Text

    first, own = (scenario.texts.get(code) for code in (scenario.game.languages[0], language))
    first_values, own_values = (text.values if text else {} for text in (first, own))
    flies = isinstance(scenario, Scenario) and bool(scenario.tables.air)
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
