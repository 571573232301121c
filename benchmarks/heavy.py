"""A save and a log whose pieces carry many traits, as those of the largest games do, which may not be kept here.

`python -m benchmarks.heavy WORK FILE SMALL` prints the seconds of processor that a work takes in a process of its
own, as users have it. The small file is worked on before, so that the start of the program does not count.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

from hexforge.modulegen.vassal import commands as c
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.archive import Archive
from hexforge.modulegen.vassal.inspect import as_json
from hexforge.modulegen.vassal.payload import decode_payload
from hexforge.modulegen.vassal.save import save_bytes, save_tree
from hexforge.modulegen.vassal.secrets import Secret
from hexforge.scenarios.commands import COLLECTED
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.logs.record import record_lines

PIECES, MARKS, STEPS = 900, 20, 1500


def _traits(piece: int) -> tuple[t.Trait, ...]:
    """Some sixty traits: masks, layers with names, comments, a whole piece in one, as the largest games have."""
    names = ("", "+ shaken", "+ routed", "+ out of supply", "", "")
    brought = t.slot_text((t.Delete(), t.BasicPiece(name="Destroyed")), "7")
    maker = t.PlaceMarker(menu="Mark as destroyed", text=brought)
    traits: list[t.Trait] = [t.Hideable(access="side:"), maker, t.Obscurable(mask_name="?")]
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
    times, number = divmod(step, PIECES)
    x, y = 50 * (number % 90) + 7 * times, 40 * (number // 90) + 5 * times
    move = c.MovePiece(
        str(number), "Main Map", x + 7, y + 5, None, "Main Map", x, y, None, Secret("not-a-password")
    )
    return move, c.Chat(f"* Corps {number} moves *")


def _bare(path: Path) -> object:
    """What nothing can do without."""
    with Archive(path) as archive:
        return decode_payload(archive.read("savedGame"))


WORKS: dict[str, Callable[[Path], object]] = {
    "bare": _bare,
    "inspect": as_json,
    "transcribe": lambda path: record_lines(read_chain([path])),
}


if __name__ == "__main__":
    gc.set_threshold(*COLLECTED)
    work, (file, small) = WORKS[sys.argv[1]], map(Path, sys.argv[2:])
    work(small)
    began = process_time()
    work(file)
    print(process_time() - began)
