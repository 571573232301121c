"""Saves brought up to a newer module by us and by VASSAL's own refresher: the same pieces in the same places."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from hexforge.modulegen.refresh import read_catalogue, refresh
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.commands import AddPiece
from hexforge.modulegen.vassal.save import read_save
from tests.lint.small import FLIP, packed, piece, prototype
from tests.vassal.test_refresh import FATIGUE, MASK, NEWER_STEP, NOTE, STEP, TITLE, save

from . import Engine

pytestmark = pytest.mark.witness


def pieces(path: Path) -> Counter[tuple[str, ...]]:
    """The pieces of a save by their traits and states; ids are given anew by the engine."""
    found: Counter[tuple[str, ...]] = Counter()
    for node in read_save(path).restore:
        for leaf in node.leaves():
            command = leaf.command
            if isinstance(command, AddPiece) and not command.type.startswith(("stack", "deck")):
                one = t.read_piece(command.type, command.state)
                found[*(trait.encode() for trait in one.traits), *one.states] += 1
    return found


@pytest.mark.usefixtures("witness_ready")
def test_the_engines_refresher_makes_the_same_pieces(tmp_path: Path) -> None:
    # The witness is older than rotations found by name, and than labels without a key that are as in the module.
    turning = t.FreeRotator(facings=6, clockwise_key=t.ctrl("R"), name="Facing")
    newer = (
        t.ReportState((FLIP,), "$oldPieceName$ *"),
        t.UsePrototype("Kind", (("Arm", "tank"),)),
        NEWER_STEP,
        FATIGUE,
        NOTE,
        TITLE,
        turning,
    )
    module, game = tmp_path / "Small.vmod", tmp_path / "game.vsav"
    module.write_bytes(packed(piece(*newer, more=(prototype("Kind", t.Marker(("Arm",), ("$Arm$",)), MASK),))))
    older = (STEP, FATIGUE, NOTE, TITLE, turning, t.Marker(("Arm",)), t.Delete())
    game.write_bytes(
        save((older, ("2", "3", "a note", "", "4", "foot", "")), (older[:2], ("1", "0")), (older[:1], ("-2",)))
    )
    found = refresh(game, read_catalogue(module))
    assert found.count("number") == 3
    ours = tmp_path / "ours.vsav"
    ours.write_bytes(found.data)
    made: list[Counter[tuple[str, ...]]] = []
    with Engine() as engine:
        engine.open(module, described=False)
        for one in (game, ours):
            engine.load(one)
            if one is game:
                engine.ask("refresh")
            engine.ask("save", path=str(tmp_path / "saved.vsav"))
            made.append(pieces(tmp_path / "saved.vsav"))
    assert made[0] == made[1]
    assert made[0].total() == 3
