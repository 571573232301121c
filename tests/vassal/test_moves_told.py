"""Every piece that stands elsewhere after an action is told as moved, no other: a second replay is the witness."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import read_save
from hexforge.modulegen.vassal.story import tell
from tests.vassal.second_replay import moves

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
    """Actions in which the moves told are not those of a second replay, piece by piece with both places."""
    game = read_save(path)
    here, theirs, found = LogReplay(game), moves(game.root.encode()), []
    for action in tell(LogReplay(game)):
        ids = {i for i, _, _ in theirs[action.number]}
        hidden = {i for i in ids if here.view(i).hidden}
        here.forward()
        # Nobody may see what comes out of a face-down deck or goes into it: that is told as a coming or going.
        hidden |= {i for i in ids if here.view(i).hidden}
        moved = {m for m in theirs[action.number] if m[0] not in hidden}
        told = {
            (
                e.piece.id,
                (old_map(e.before), *(e.pixel_before or ())),
                (e.piece.map or "null", *(e.pixel_after or ())),
            )
            for e in action.events
            if e.kind == "move" and e.piece
        }
        plain = {(i, old[1:], new) for i, old, new in moved}
        if plain != {(i, old[1:], new) for i, old, new in told}:
            found.append(f"{action.number}: {sorted(plain)} told as {sorted(told)}")
    return found


def old_map(place: str | None) -> str:
    """The map in `Map 1,2`."""
    return place.rpartition(" ")[0] if place else "null"


def test_who_stays_in_a_stack_does_not_follow_the_piece_that_it_was_made_around() -> None:
    """Two lie together, the lower one leaves, and a third comes to lie upon it."""
    pieces = [f"+/{i}/piece;;;;{i}/M;{x};0;{i};0" for i, x in (("a", 0), ("b", 50), ("c", 90))]
    drags = ["M/b/M/0/0/a/M/50/0/null/x", "M/a/M/70/0/null/M/0/0/null/x", "M/c/M/70/0/a/M/90/0/null/x"]
    told = moves("\x1b".join(["begin_save", *pieces, "end_save", *(f"LOG\t{d}" for d in drags)]).encode())
    assert [{piece for piece, _, _ in step} for step in told.values()] == [{"b"}, {"a"}, {"c"}]


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
    moved = [e for a in tell(LogReplay(game)) for e in a.events if e.kind == "move" and a.number == 14]
    assert len(moved) == 1


@pytest.mark.foreign
def test_undos_of_the_second_vassal_are_told_as_undos(shared_data: Path) -> None:
    """That version wrote the inverse commands without a mark; what is dragged back by hand is a move."""
    actions = list(tell(LogReplay(read_save(shared_data / "defects/stack-drag-missing.log"))))
    undone = {a.number for a in actions if a.undoes}
    assert {54, 59, 103, 104, 108, 146, 147} <= undone
    assert not {18, 48} & undone and len(undone) == 78
