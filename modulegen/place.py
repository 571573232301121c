"""Where a module is put, and whether it may be put there."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from hexforge.scenarios.words import HexforgeError, Message, message

if TYPE_CHECKING:
    from hexforge.scenarios.extended import AnyGame


MODULE, EXTENSION = ".vmod", ".vmdx"


class BuildError(HexforgeError):
    """A module cannot be built for a reason that lies not in the scenario's files."""


def target(scenario: AnyGame, out: Path) -> Path:
    """Where the module goes: `out` itself if it ends as modules do, else the game's file name in that folder."""
    return out if out.suffix in (MODULE, EXTENSION) else out / scenario.game.module.file


def place(folder: Path, modules: Mapping[Path, bytes]) -> None:
    """Write modules into a folder, which is made if there is none: all of them, or nothing that was not there.

    Raises OSError, BuildError where a file stands in the folder's way.
    """
    from hexforge.modulegen.archive import put

    begun = [path for path in (folder, *folder.parents) if not path.exists()]
    news = [path for path in modules if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, data in modules.items():
            put(path, data)
    except BaseException as error:
        for path in news:
            with suppress(OSError):
                path.unlink()
        for made in begun:
            with suppress(OSError):  # somebody else has put something there
                made.rmdir()
        if isinstance(error, FileExistsError | NotADirectoryError):
            raise BuildError(message("modulegen.place.folder-is-file", folder=str(folder))) from error
        raise


def claim(scenario: AnyGame, out: Path, taken: dict[Path, Path]) -> Path:
    """The place of a game's module, taken for this game: no other may have it, be it built now or earlier.

    `taken`: place -> folder of the game, of the builds that are made together. A file that the user named as `out`
    is overwritten as asked. Raises BuildError.
    """
    path = target(scenario, out)
    folder = scenario.folder.resolve()
    other = taken.setdefault(path.resolve(), folder)
    if other != folder:
        raise BuildError(_refusal(path, scenario, message("modulegen.place.of-other", other=str(other))))
    if path != out and (stands := _stands(path, scenario.name)):
        raise BuildError(_refusal(path, scenario, stands))
    return path


def _stands(path: Path, name: str) -> Message | None:
    """Whose module stands at a path, if it is another's; None where there is none, or nothing that is a module."""
    from hexforge.modulegen.plan.marks import game_of
    from hexforge.modulegen.vassal.archive import Archive
    from hexforge.modulegen.vassal.errors import FormatError
    from hexforge.modulegen.vassal.metadata import MAX_METADATA, read_metadata

    if not path.is_file():
        return None
    try:
        with Archive(path) as archive:
            entry = "extensiondata" if path.suffix == EXTENSION else "moduledata"
            found = read_metadata(archive.read(entry, MAX_METADATA))
    except (FormatError, OSError, KeyError):
        return None
    game = game_of(found.extra1)
    if game == name:
        return None
    if game is None:
        return message("modulegen.place.not-ours", name=found.name)
    return message("modulegen.place.of-game", game=game)


def _refusal(path: Path, scenario: AnyGame, stands: Message) -> Message:
    return message("modulegen.place.taken", game=scenario.name, path=str(path), stands=stands)
