"""The command `map`: a page on which a game's map is painted, or its counters are edited."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexforge.scenarios.commands import argument, command, language_option, misused, option, words
from hexforge.scenarios.libraries import require
from hexforge.scenarios.loopback.run import address_options

if TYPE_CHECKING:
    from hexforge.scenarios.loopback.run import Address


@command("modulegen.commands.map")
@argument("game", metavar="NAME|DIR")
@option("--scan", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@option("--counters", is_flag=True)
@address_options
@language_option
def map_(*, game: str, scan: Path | None, counters: bool, address: Address, browse: bool, lang: str | None) -> None:
    """Paint a game's map, or edit its counters, in the browser."""
    require("serve")
    from hexforge.modulegen.easel.map_desk import MapDesk
    from hexforge.modulegen.easel.site import show
    from hexforge.modulegen.easel.table_desk import TableDesk

    if scan and counters:
        misused("modulegen.usage.scan-counters")
    desk = TableDesk(game) if counters else MapDesk(game, scan)
    title = desk.scenario.game.module.name
    show(desk.page, title, desk.deeds, words(), address, browse=browse)
