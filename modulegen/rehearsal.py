"""A build without its pixels: whatever a build would stop at is found, for `check` to say so beforehand.

Rules for single data cannot keep up with all that a build does with them. It is gone through instead, up to the
drawing of the pictures, in each language that the game has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hexforge.scenarios.problems import Problem, ScenarioError
from hexforge.scenarios.words import HexforgeError, Message, message

if TYPE_CHECKING:
    from hexforge.scenarios.extended import AnyGame, Extension
    from hexforge.scenarios.model import Scenario
    from hexforge.scenarios.schema.references import RefKind

_UNFORESEEN = (KeyError, ValueError, IndexError, LookupError, TypeError, AttributeError, ArithmeticError)
"""What a build may run into on data that nobody thought of, such as braces in a text."""


def obstacles(scenario: AnyGame) -> list[Problem]:
    """Everything, as far as it can be told at once, that keeps a game's module from being built."""
    return undrawable(scenario) or list(dict.fromkeys(_runs(scenario)))


def undrawable(scenario: AnyGame) -> list[Problem]:
    """What of a game cannot be drawn, for want of a symbol, palette or picture; whatever else is wrong."""
    return list(dict.fromkeys(_looks(scenario)))


def _looks(scenario: AnyGame) -> Iterator[Problem]:
    """Symbols, pictures, palettes and styles that there are not, each where it is named."""
    from hexforge.scenarios.loader import place_of

    known = drawn(scenario)
    for name in scenario.references:
        if name.kind in known and name.id not in known[name.kind]:
            path, line = place_of(scenario, name.file, name.where)
            what = message(f"modulegen.check.no-{name.kind}", name=name.id, known=tuple(known[name.kind]))
            yield Problem(str(path), line, ".".join(map(str, name.where)), what)
    board = scenario.looks.board
    if board is not None and not board.is_file():
        path, line = place_of(scenario, "map.yaml", ["scan", "image"])
        there = tuple(sorted(p.name for p in board.parent.glob("*.*"))[:20])
        yield Problem(
            str(path), line, "scan.image", message("modulegen.check.no-scan", name=board.name, known=there)
        )


def drawn(scenario: AnyGame) -> dict[RefKind, Collection[str]]:
    """What there is of each kind of thing that is drawn, the game's own included."""
    from hexforge.modulegen.render.board_style import board_palette
    from hexforge.modulegen.render.counters import pictures, symbols
    from hexforge.modulegen.render.templates import in_own_looks, palette

    @in_own_looks
    def known(_: AnyGame) -> dict[RefKind, Collection[str]]:
        return _drawn(board_palette(), palette("counters"), symbols(), pictures())

    return known(scenario)


def _drawn(
    styles: Mapping[str, Any], palettes: Mapping[str, Any], symbols: Collection[str], pictures: Collection[str]
) -> dict[RefKind, Collection[str]]:
    return {
        "symbol": symbols,
        "picture": pictures,
        "palette": [name for name, entry in palettes.items() if "reduced" in entry],
        "terrain-style": list(styles["terrains"]),
        "hexside-style": list(styles["hexsides"]),
        "way-style": list(styles["ways"]),
        "area-style": list(styles["areas"]),
    }


def _runs(scenario: AnyGame) -> Iterator[Problem]:
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


def _whole(scenario: AnyGame, what: Message) -> Problem:
    return Problem(str(scenario.folder), 0, "", what)


def _run(scenario: AnyGame, language: str) -> None:
    """All of a build but the pixels. Raises what a build raises."""
    from hexforge.scenarios.model import Scenario

    if isinstance(scenario, Scenario):
        _run_game(scenario, language)
    else:
        _run_extension(scenario, language)


def _run_extension(extension: Extension, language: str) -> None:
    from hexforge.modulegen.extension.build import packed
    from hexforge.modulegen.extension.plan import plan
    from hexforge.modulegen.render.raster import well_formed
    from hexforge.modulegen.verify import check_module

    planned = plan(extension, language)
    pictures = {}
    for picture in planned.pictures():
        well_formed(picture.svg)
        pictures[picture.name] = b""
    for data in packed(planned, pictures)[:2]:
        check_module(data)


def _run_game(scenario: Scenario, language: str) -> None:
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
    data, _ = assembled(planned, module.module(planned, ""), setup.saves(planned), contents)
    check_module(data)
