"""Play Hürtgen in VASSAL's own engine and keep the logs: `python -m tests.transcribe.play MODULE FOLDER`.

`tests/data/played-hurtgen` was made so. What Ana and Bruno do is told in `SCRIPT`; each entry is a log, begun from
the end of the one that it follows (or from the set-up), a list of things done with mouse and keyboard.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tests.witness import Engine

REDUCE, ELIMINATE, LEAVE = "82,130", "69,130", "76,130"
ANA = ("Ana", "Americano", "ana-kept-secret")
BRUNO = ("Bruno", "Alemão", "bruno-kept-secret")

Step = tuple[str, ...]
SCRIPT: dict[str, tuple[str | None, tuple[str, str, str], list[Step]]] = {
    # The American turn 2: a stack hex by hex, a slip taken back by hand and one by undo, a declared attack.
    "ana-2": (
        None,
        ANA,
        [
            ("say", "Good luck! move over, Germany"),
            ("move", "us-112-1", "0907"),
            ("move", "us-112-2", "0808"),
            ("move", "us-112-2", "0908"),
            ("move", "us-112-3", "0908"),
            ("move", "us-707-tank", "0907"),
            ("move", "us-109-1", "0706"),
            ("move", "us-109-1", "0705"),
            ("move", "us-893-td", "0406"),
            ("undo",),
            ("say", "move us-893-td: 0306 0307 0407 0508 0607 0707"),
            ("move", "us-893-td", "0707"),
            ("turn",),
            ("say", "bombard 0709 by offboard 20"),
            ("dice", "2d6"),
            ("say", "combat 1007"),
            ("say", "attack us-112-1 us-112-2 us-112-3 us-707-tank"),
            ("say", "support offboard 30"),
            ("dice", "2d6"),
            ("key", "ge-983-1", REDUCE),
            ("key", "ge-983-2", ELIMINATE),
            ("move", "ge-983-1", "1107"),
            ("move", "us-112-2", "1007"),
            ("turn",),
        ],
    ),
    # The German answer: a reinforcement, and an attack that he forgets to declare.
    "bruno-2": (
        "ana-2",
        BRUNO,
        [
            ("move", "ge-1055-1", "0812"),
            ("move", "ge-1055-1", "0811"),
            ("turn",),
            ("dice", "2d6"),
            ("key", "us-112-2", REDUCE),
            ("move", "us-112-2", "0907"),
            ("turn",),
        ],
    ),
    # The same, but the dice please him the second time only.
    "bruno-2-reroll": (
        "ana-2",
        BRUNO,
        [
            ("turn",),
            ("say", "combate 0907"),
            ("say", "atacar ge-983-1"),
            ("dice", "2d6"),
            ("undo",),
            ("dice", "2d6"),
        ],
    ),
    # Begun from the set-up, as if Ana had never moved.
    "bruno-2-gap": (None, BRUNO, [("move", "ge-1055-1", "0812"), ("turn",)]),
}


def play(engine: Engine, folder: Path) -> dict[str, dict[str, Any]]:
    """Write all logs; the positions that the engine reports at their ends."""
    setup = engine.module["setups"][0]["name"]
    ends = {}
    for name, (follows, (player, side, password), steps) in SCRIPT.items():
        if follows is None:
            engine.setup(setup)
        else:
            engine.load(folder / f"{follows}.vlog")
            engine.step()
        engine.player(player, side, password)
        engine.start_log(folder / f"{name}.vlog")
        for step in steps:
            _do(engine, step)
        ends[name] = engine.position()
        engine.end_log()
    return ends


def _do(engine: Engine, step: Step) -> None:
    match step:
        case ("say", text):
            engine.ask("say", text=text)
        case ("move", piece, hex_):
            engine.move(piece, hex_)
        case ("key", piece, key):
            engine.key(piece, key)
        case ("dice", name):
            engine.ask("button", name=name)
        case ("undo",):
            engine.ask("undo")
        case ("turn",):
            engine.turn()
        case _:
            raise ValueError(step)


def main(module: str, folder: str) -> None:
    """Write the logs into a folder."""
    with Engine() as engine:
        engine.open(Path(module))
        play(engine, Path(folder))
        for problem in engine.problems:
            print(problem, file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
