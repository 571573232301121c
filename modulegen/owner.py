"""A game with the pictures that the owner of a printed copy has: his scan of the map, his counters."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.place import BuildError
from hexforge.scenarios.problems import Problem, ScenarioError
from hexforge.scenarios.scan import ScanError, fit
from hexforge.scenarios.words import message

if TYPE_CHECKING:
    from hexforge.modulegen.build import Options
    from hexforge.scenarios.hexgrid import Hex, Point
    from hexforge.scenarios.model import Scenario
    from hexforge.scenarios.schema.map import Scan

_CENTRE: Final = re.compile(r"([^=\s]{1,12})=(-?\d{1,6}(?:\.\d{1,3})?),(-?\d{1,6}(?:\.\d{1,3})?)")


def owned(scenario: Scenario, options: Options) -> Scenario:
    """The game with the pictures that the options name. Raises BuildError, ScenarioError for such as do not fit."""
    looks = scenario.looks
    if options.counter_images is not None:
        if not options.counter_images.is_dir():
            raise BuildError(message("modulegen.build.no-folder", path=str(options.counter_images)))
        looks = replace(looks, counters=options.counter_images)
    if options.board_image is None:
        if options.centres:
            raise BuildError(message("modulegen.build.no-board"))
        return scenario if looks == scenario.looks else replace(scenario, own_looks=looks)
    if not options.board_image.is_file():
        raise BuildError(message("modulegen.build.no-picture", path=str(options.board_image)))
    scan, warnings = _scan(scenario, options)
    looks = replace(looks, board=options.board_image)
    ground = replace(scenario.map, scan=scan)
    return replace(scenario, own_looks=looks, map=ground, warnings=(*scenario.warnings, *warnings))


def _scan(scenario: Scenario, options: Options) -> tuple[Scan, list[Problem]]:
    from hexforge.scenarios.schema.map import Scan

    own = scenario.map.scan
    centres = _centres(scenario, options.centres) if options.centres else dict(own.centres) if own else {}
    file = str(options.board_image)
    if len(centres) < 2:
        raise ScenarioError([Problem(file, 0, "--centres", message("scenario.scan.too-few", count=len(centres)))])
    try:
        doubt = fit(scenario.map.grid, centres).doubt
    except ScanError as error:
        raise ScenarioError([Problem(file, 0, "--centres", error.message)]) from error
    over = (own.grid, own.numbers) if own else (False, False)
    scan = Scan.model_construct(image="board.png", centres=centres, grid=over[0], numbers=over[1])
    return scan, [Problem(file, 0, "--centres", doubt, "warning")] if doubt else []


def _centres(scenario: Scenario, told: str) -> dict[Hex, Point]:
    found: dict[Hex, Point] = {}
    grid = scenario.map.grid
    for word in told.replace(";", " ").split():
        match = _CENTRE.fullmatch(word)
        if match is None:
            raise BuildError(message("modulegen.build.bad-centre", given=word[:60]))
        hex_ = match[1]
        if hex_ not in grid:
            ends = grid.hexes[0], grid.hexes[-1]
            raise BuildError(message("modulegen.build.no-hex", hex=hex_, first=ends[0], last=ends[1]))
        found[hex_] = (float(match[2]), float(match[3]))
    return found
