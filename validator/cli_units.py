"""`validator units`: the ids that players type, with what a player knows a counter by."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import click

from hexforge.scenarios.commands import argument, command, language_option, option, words, write_out
from hexforge.scenarios.console import safe_json
from hexforge.validator.cli_common import form_of, own_games

if TYPE_CHECKING:
    from hexforge.scenarios.extended import Extension
    from hexforge.scenarios.model import Scenario
    from hexforge.scenarios.words import Words
    from hexforge.validator.units import Listed

_FORMS: Final = {".json": "json", ".html": "html", ".htm": "html"}


@command("validator.commands.units")
@argument("game", metavar="GAME")
@option("--side", metavar="SIDE")
@option("--at-start", is_flag=True)
@option("--format", "form", type=click.Choice(["text", "html", "json"]))
@option("--output", "-o", metavar="PATH")
@own_games
@language_option
def units(
    *, game: str, side: str | None, at_start: bool, form: str | None, output: str | None, lang: str | None
) -> None:  # fmt: skip
    """List the units of a game."""
    from hexforge.validator.readers.notation.wordbooks import vocabulary_of
    from hexforge.validator.readers.notation.words import fold
    from hexforge.validator.units import scenario_named, units_of, write_units

    if extension := _extension(game):
        return _names(extension, side or "", form, output)
    scenario = scenario_named(game)
    # A side by its id or by any word that sheets have for it.
    named = side and (vocabulary_of(scenario).meaning("sides", fold(side)) or side)
    found = units_of(scenario, named or "", at_start=at_start)
    form = form or form_of(output, _FORMS, "text")
    if form == "html":
        write_out(write_units(scenario, found, words()), output)
    elif form == "json":
        answer = {"game": scenario.name, "units": [unit.as_json(words()) for unit in found]}
        write_out(safe_json(json.dumps(answer, ensure_ascii=False, indent=1)), output)
    else:
        write_out("\n".join(_lines(scenario, found, words().of(scenario.texts))), output)


def _extension(game: str) -> Extension | None:
    """The game of a name, or in a folder, if only some of its rules are known."""
    from hexforge.scenarios.extended import Extension
    from hexforge.scenarios.folders import EXTENSION, find, kind_of
    from hexforge.validator import games

    if game not in games.all_names() and kind_of(find(game)) != EXTENSION:
        return None
    found = games.game(game if game in games.all_names() else games.learn(find(game)))
    return found if isinstance(found, Extension) else None


def _names(game: Extension, side: str, form: str | None, output: str | None) -> None:
    from hexforge.validator.readers.notation.wordbooks import vocabulary_of
    from hexforge.validator.readers.notation.words import fold
    from hexforge.validator.units_ledger import lines, names_of, page

    found = names_of(game, vocabulary_of(game).meaning("sides", fold(side)) or side)
    told = words().of(game.texts)
    form = form or form_of(output, _FORMS, "text")
    if form == "html":
        write_out(page(game, found, told), output)
    elif form == "json":
        answer = {"game": game.name, "units": [named.as_json(told) for named in found]}
        write_out(safe_json(json.dumps(answer, ensure_ascii=False, indent=1)), output)
    else:
        write_out("\n".join(lines(game, found, told)), output)


def _lines(scenario: Scenario, found: Sequence[Listed], w: Words) -> Iterator[str]:
    from hexforge.scenarios.tables import lined_up
    from hexforge.validator.units import arrival_told, counter_told, formation_told, hex_told

    for number, side in enumerate(dict.fromkeys(unit.counter.side for unit in found)):
        if number:
            yield ""
        yield w.heading("sides", side)
        own = [unit for unit in found if unit.counter.side == side]
        yield from lined_up(
            [
                (u.counter.id, u.counter.name(w.language), *(told(u, w) for told in (counter_told, formation_told)),
                 hex_told(u, w, scenario), arrival_told(u, w))
                for u in own
            ],
            indent=2,
        )  # fmt: skip
