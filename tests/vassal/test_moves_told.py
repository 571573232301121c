"""Every piece that stands elsewhere after an action is told as moved, and no other: positions are the witness."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.modulegen.vassal.replay import Replay
from hexforge.modulegen.vassal.save import read_save
from hexforge.modulegen.vassal.story import tell

OWN = sorted((Path(__file__).resolve().parents[1] / "data").rglob("*.vlog"))
FOREIGN = (
    "armada-test.vlog",
    "ccn-tutorial.vlog",
    "vasl-4players.vlog",
    "vasl-full.vlog",
    "vasl-multiple-1.vlog",
    "vasl-multiple-2.vlog",
    "defects/stack-drag-missing.log",
    "defects/stack-drag-missing-vasl.vlog",
)


def moves_differ(path: Path) -> list[str]:
    """Actions in which the moves told are not those of the positions before and after; and that anything moved."""
    game = read_save(path)
    here, found = Replay(game), []
    for action in tell(Replay(game)):
        places = {i: here.position.place(i) for i in here.position.pieces}
        here.forward()
        moved = {i for i, old in places.items() if i in here.position.pieces and here.position.place(i) != old}
        told = {event.piece.id for event in action.events if event.kind == "move" and event.piece}
        if moved != told:
            # Nobody may see what comes out of a face-down deck or goes into it: that is told as a coming or going.
            shown = {i for i in moved - told if not here.view(i).hidden}
            here.back()
            untold = {i for i in shown if not here.view(i).hidden}
            here.forward()
            if untold or told - moved:
                found.append(f"{action.number}: not told {sorted(untold)}, untrue {sorted(told - moved)}")
    return found


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_moves_of_our_own_logs(path: Path) -> None:
    assert moves_differ(path) == []


@pytest.mark.foreign
@pytest.mark.parametrize("name", FOREIGN)
def test_moves_of_other_peoples_logs(shared_data: Path, name: str) -> None:
    assert moves_differ(shared_data / name) == []


@pytest.mark.foreign
def test_a_dragged_stack_is_told_piece_by_piece(shared_data: Path) -> None:
    game = read_save(shared_data / "defects/stack-drag-missing-vasl.vlog")
    moved = [e for a in tell(Replay(game)) for e in a.events if e.kind == "move" and a.number == 14]
    assert len(moved) == 1
