"""Rules about the saved games in a module: whether each loads, and what their pieces ask for.

Pieces in saved games are copies that a later change of their slots does not reach
(`VASSAL.build.module.PredefinedSetup`, `VASSAL.build.module.GameState.isSaveMetaDataValid`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.lint import roles
from hexforge.modulegen.lint.context import Examination, is_computed, shown
from hexforge.modulegen.lint.finding import LintFinding, PlaceInModule
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.archive import MAX_ENTRY
from hexforge.modulegen.vassal.commands import AddPiece
from hexforge.modulegen.vassal.errors import FormatError
from hexforge.modulegen.vassal.inspect import secrets_of
from hexforge.modulegen.vassal.replay import piece_name
from hexforge.modulegen.vassal.save import read_save

if TYPE_CHECKING:
    from hexforge.modulegen.vassal.save import SavedGame

Tell = Callable[[str], str]
"""What a saved game calls something, as it may stand in a finding."""
MOST: Final = 200
MOST_TEXT: Final = 40_000_000
"""Bytes of all saved games of a module that are looked into."""


def saves(context: Examination) -> Iterator[LintFinding]:
    """Saved games that set-ups load."""
    budget, own = MOST_TEXT, context.module.root.get("name")
    for part in [p for p in context.module.all("PredefinedSetup") if p.get("isMenu") != "true"][:MOST]:
        file = part.get("file")
        if part.get("useFile") == "false" or file not in context.module.files or budget < 0:
            continue
        try:
            game = read_save(context.module.archive.read(file, MAX_ENTRY))
        except FormatError as error:
            yield context.at("setup", part, "unreadable", name=file, why=error.message)
            continue
        budget -= game.payload_size
        tell = _teller(game)
        if game.module is not None and game.module.name not in ("", own) and not context.module.extension:
            yield context.at("setup", part, "foreign", name=file, other=tell(game.module.name))
        if not context.module.open_ended:
            yield from _pieces(context, file, game, tell)


def _teller(game: SavedGame) -> Tell:
    scrub = secrets_of(game)
    return lambda text: shown(scrub.name(text))


def _pieces(context: Examination, file: str, game: SavedGame, tell: Tell) -> Iterator[LintFinding]:
    known = context.module.prototypes
    for node in game.restore:
        for leaf in node.leaves():
            command = leaf.command
            if not isinstance(command, AddPiece) or command.type.startswith(("stack", "deck")):
                continue
            try:
                piece = t.read_piece(command.type, command.state)
            except ValueError:
                continue
            place = PlaceInModule(shown(file), 0, (tell(piece_name(piece)),))
            yield from _origin(context, place, piece, tell)
            for trait in piece.traits:
                for name in dict.fromkeys(roles.images(trait)):
                    if name.strip() and not is_computed(name) and not context.has_picture(name.strip()):
                        yield LintFinding("missing-image", place, (("name", tell(name)),))
                if isinstance(trait, t.UsePrototype) and not is_computed(trait.name) and trait.name not in known:
                    yield LintFinding("missing-prototype", place, (("name", tell(trait.name)),))


def _origin(context: Examination, place: PlaceInModule, piece: t.Piece, tell: Tell) -> Iterator[LintFinding]:
    """The slot that a piece is a copy of, and the map on which it stands."""
    try:
        basic = t.BasicState.decode(piece.states[-1])
    except (ValueError, IndexError):
        return
    name = shown(piece_name(piece))
    # A map without a name is known by a number.
    if basic.map and basic.map not in context.maps and "" not in context.maps and not context.custom:
        yield LintFinding("missing-place", place, (("name", tell(basic.map)),), "map")
    numbers, names = context.slots
    # The game refresher looks for the slot's number, then for its name; numbers with a colon are extensions'.
    if basic.gpid and ":" not in basic.gpid and basic.gpid not in numbers and name not in names:
        yield LintFinding("setup", place, (("gpid", tell(basic.gpid)), ("name", tell(name))), "no-slot")


CHECKS: Final = (saves,)
