"""Which binding ties the module of a log to a game. Most logs have none, and load nothing that reads one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexforge.scenarios import folders

if TYPE_CHECKING:
    from hexforge.modulegen.vassal.metadata import Metadata
    from hexforge.scenarios.binding import Binding
    from hexforge.validator.transcribe.bound import Bound

_UPWARDS: Final = 3


def bound(module: Metadata | None, source: str) -> Bound | None:
    """What ties a log's module to a game; None for a module that no game binds.

    Raises ScenarioError for a binding, or a game, that is broken.
    """
    if module is None or not module.name:
        return None
    for path, binding in _bindings(source):
        if binding.fits(module.name, module.version):
            from hexforge.scenarios.model import Scenario
            from hexforge.validator import games
            from hexforge.validator.transcribe.bound import Bound

            found = games.at(path.parent)
            if isinstance(found, Scenario):
                return Bound(binding, found)
    return None


def other_versions(module: Metadata | None, source: str) -> tuple[str, tuple[str, ...]] | None:
    """The file that ties other versions of a log's module to a game, and which; None where there is none.

    Raises ScenarioError for a binding that is broken.
    """
    if module is None or not module.name:
        return None
    for path, binding in _bindings(source):
        if binding.module.name == module.name and not binding.fits(module.name, module.version):
            return path.name, binding.module.versions
    return None


def _bindings(source: str) -> Iterator[tuple[Path, Binding]]:
    """All bindings that may tie a log's module to a game, with their files."""
    for folder in _folders(source):
        for path in folders.bindings(folder):
            from hexforge.scenarios.binding import read_binding

            yield path, read_binding(path)


def _folders(source: str) -> Iterator[Path]:
    """The folders of games that may bind a log's module: that around the log, those learned, the program's own."""
    from hexforge.validator import games

    around = list(Path(source).resolve().parents)[:_UPWARDS] if source and source != "-" else []
    own = [found for name in folders.names() if (found := folders.named(name)) is not None]
    yield from dict.fromkeys(p for p in (*around, *games.learned(), *own) if (p / "game.yaml").is_file())
