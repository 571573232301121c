"""A build without its pixels: whatever a build would stop at is found, for `check` to say so beforehand.

Rules for single data cannot keep up with all that a build does with them. It is gone through instead, up to the
drawing of the pictures, in each language that the game has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from hexforge.scenarios.problems import Problem, ScenarioError
from hexforge.scenarios.words import HexforgeError, Message, message

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario

_UNFORESEEN = (KeyError, ValueError, IndexError, LookupError, TypeError, AttributeError, ArithmeticError)
"""What a build may run into on data that nobody thought of, such as braces in a text."""


def obstacles(scenario: Scenario) -> list[Problem]:
    """Everything, as far as it can be told at once, that keeps a game's module from being built."""
    return list(dict.fromkeys(_looks(scenario))) or list(dict.fromkeys(_runs(scenario)))


def _looks(scenario: Scenario) -> Iterator[Problem]:
    """Symbols and palettes of counters that there are not, each where it is named."""
    from hexforge.modulegen.render.counters import colours, symbol, symbols

    file, game = str(scenario.folder / "game.yaml"), scenario.game
    counters = scenario.counters.values()
    types, branches = {c.type for c in counters}, {(c.side, c.branch) for c in counters}
    named: list[tuple[str, Callable[[str], object], str]] = [
        (f"unit_types.{id_}.symbol", symbol, unit.symbol) for id_, unit in game.unit_types.items() if id_ in types
    ]
    for side in game.sides:
        used = {id_: branch for id_, branch in side.branches.items() if (side.id, id_) in branches}
        named += [(f"sides.{side.id}.branches.{id_}.counter", colours, b.counter) for id_, b in used.items()]
    for where, find, name in named:
        try:
            find(name)
        except ScenarioError as error:
            what = (
                message("modulegen.check.no-symbol", name=name, known=tuple(symbols())) if find is symbol else None
            )
            yield from (Problem(file, 0, where, what or problem.message) for problem in error.problems)


def _runs(scenario: Scenario) -> Iterator[Problem]:
    for language in scenario.game.languages:
        try:
            _run(scenario, language)
        except ScenarioError as error:
            yield from error.problems
        except HexforgeError as error:
            yield from (_whole(scenario, what) for what in getattr(error, "problems", (error.message,)))
        except _UNFORESEEN as error:
            why = f"{type(error).__name__}: {error}"
            yield _whole(scenario, message("modulegen.check.not-built", language=language, why=why[:200]))


def _whole(scenario: Scenario, what: Message) -> Problem:
    return Problem(str(scenario.folder), 0, "", what)


def _run(scenario: Scenario, language: str) -> None:
    """All of a build but the pixels. Raises what a build raises."""
    from hexforge.modulegen.assemble import help_page, module, setup
    from hexforge.modulegen.build import assembled
    from hexforge.modulegen.plan import plan
    from hexforge.modulegen.render.raster import well_formed
    from hexforge.modulegen.verify import check_module

    planned = plan(scenario, language)
    contents = {help_page.FILE: help_page.page(planned)}
    for picture in planned.pictures():
        well_formed(picture.svg)
        contents[f"images/{picture.name}"] = b""
    data, _ = assembled(planned, module.module(planned, ""), setup.save(planned), contents)
    check_module(data)
