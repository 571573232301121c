"""A save and a log whose pieces carry many traits, as those of the largest games do, which may not be kept here."""

from __future__ import annotations

from pathlib import Path

from hexforge.modulegen.vassal import commands as c
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.save import save_bytes, save_tree
from hexforge.modulegen.vassal.secret import Secret

PIECES, MARKS, STEPS = 900, 20, 1500


def _traits(piece: int) -> tuple[t.Trait, ...]:
    """Some sixty traits: masks, layers with names, comments, as a counter of a card-driven game has them."""
    names = ("", "+ shaken", "+ routed", "+ out of supply", "", "")
    traits: list[t.Trait] = [t.Hideable(access="side:"), t.Obscurable(mask_name="?")]
    for n in range(MARKS):
        images = tuple(f"mark-{piece}-{n}-{level}.png" for level in range(6))
        traits += [
            t.Layer(name=f"Mark{n}", images=images, level_names=names),
            t.Labeler(menu=f"Name of corps {piece}"),
        ]
        traits.append(
            t.Comment(text=f"{n}: turned over by the events of cards that a player of piece {piece} has played")
        )
    return (*traits, t.Delete(), t.MovementMarkable(), t.BasicPiece(name=f"Corps {piece}"))


def _piece(number: int) -> c.AddPiece:
    traits = _traits(number)
    where = t.BasicState("Main Map", 50 * (number % 90), 40 * (number // 90), str(number))
    states = [*[None] * (len(traits) - 1), where]
    return c.AddPiece(str(number), t.piece_type(traits), t.piece_state(traits, states))


def write(path: Path, *, log: bool = False) -> Path:
    """A save of the pieces, or a log that drags them about."""
    roster = c.AddPlayer(Secret("not-a-password"), "Ana", "Red")
    restore = [c.BeginSave(), *map(_piece, range(PIECES)), roster, c.EndSave()]
    path.write_bytes(save_bytes(save_tree(restore, map(_drag, range(STEPS)) if log else ())))
    return path


def _drag(step: int) -> tuple[c.Command, ...]:
    number = step % PIECES
    x, y = 50 * (number % 90), 40 * (number // 90)
    move = c.MovePiece(
        str(number), "Main Map", x + 7, y + 5, None, "Main Map", x, y, None, Secret("not-a-password")
    )
    return move, c.Chat(f"* Corps {number} moves *")
