"""The command `import`: a draft of a scenario from any module."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from hexforge.scenarios.commands import argument, command, option, tell, words
from hexforge.scenarios.words import message

_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@command("modulegen.commands.import")
@argument("module", metavar="MODULE", type=_FILE)
@argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@option("--setup", metavar="NAME|FILE")
def import_module(module: Path, folder: Path, setup: str | None) -> None:
    """Draft a game from a module."""
    from hexforge.modulegen.drafting.write import draft_game, told

    found = draft_game(module, folder, words(), setup)
    tell(told(found))
    tell(message("modulegen.import.page.left"))
    for one in found.left:
        tell(words()("modulegen.import.item", text=words().say(one)))
    tell(message("modulegen.import.next", folder=str(folder), name=folder.name, page=str(folder / "DRAFT.md")))
