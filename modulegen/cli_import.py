"""The commands `import`, a draft of a scenario from any module, and `bind`, what ties one to a scenario."""

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


@command("modulegen.commands.bind")
@argument("game", metavar="NAME|DIR")
@argument("module", metavar="MODULE", type=_FILE)
@option("--out", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@option("--setup", metavar="NAME|FILE")
def bind(game: str, module: Path, out: Path | None, setup: str | None) -> None:
    """Propose what ties a module to a game."""
    import yaml

    from hexforge.modulegen.drafting.bind import propose
    from hexforge.scenarios.commands import write_file
    from hexforge.scenarios.loader import load

    proposal, left = propose(load(game), module, setup)
    text = yaml.safe_dump(proposal, allow_unicode=True, sort_keys=False, width=110)
    if out is None:
        tell(text.rstrip("\n"))
    else:
        write_file(out, text.encode("utf-8"))
        tell(
            message(
                "modulegen.bind.done",
                path=str(out),
                units=sum(len(proposal.get(key, ())) for key in ("pieces", "slots", "ids")),
            )
        )
    for one in left:
        tell(words()("modulegen.bind.item", text=words().say(one)), err=out is None)
