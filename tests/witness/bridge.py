"""The witness's own process: reads requests, one JSON object a line, and answers each with one.

A request is `{"do": name, ...arguments}`; the answer `{"ok": value, "problems": [...]}`, or `{"error": text,
"problems": [...]}`. Everything that Java prints goes to standard error. `begin` gives the requests after it an
engine that knows nothing of those before it.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import codec, jvm, view
from .play import Play
from .session import Session

PLAYERS_ACTIONS = (
    "load",
    "setup",
    "first_setup",
    "new_game",
    "player",
    "step",
    "undo",
    "start_log",
    "end_log",
    "save",
    "refresh",
    "undecodable",
    "move",
    "move_stack",
    "move_to",
    "command",
    "key",
    "module_key",
    "menus",
    "place",
    "button",
    "turn",
    "say",
    "answer",
    "where",
    "load_dice",
)
SEEN = ("menu", "popup", "show", "hover", "about", "click", "windows", "buttons")


def main() -> None:
    """Serves until its input ends; what else ends it is printed."""
    try:
        serve()
    except BaseException:
        traceback.print_exc()
    finally:
        # An end by Python's own way waits for the windows of the engine, which nobody closes.
        jvm.quit_now()


def serve() -> None:
    """Answers each request."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    jvm.start(Path(sys.argv[1]))
    problems, perform = begin(Path(sys.argv[2]))
    for line in sys.stdin:
        request = json.loads(line)
        answer: dict[str, Any] = {}
        try:
            if request["do"] == "begin":
                problems, perform = begin(Path(request["home"]))
                answer["ok"] = None
            else:
                answer["ok"] = perform(request)
        except LookupError as error:
            answer["error"] = str(error)
        except Exception as error:
            answer["error"] = jvm.describe(error)
        answer["problems"] = problems.take()
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def begin(home: Path) -> tuple[jvm.Problems, Callable[[dict[str, Any]], Any]]:
    """An engine without a module: what goes wrong in it, and what performs a request."""
    jvm.renew(home)
    problems = jvm.Problems()
    session = Session(problems)
    play = Play(session)
    seen = view.View(session, play)
    problems.watch()
    engine_commands: dict[str, Callable[..., Any]] = {
        "describe": session.describe,
        "attributes": session.attributes,
        "position": session.position,
        "chat": session.chat,
        "snapshot": session.snapshot,
        "locations": lambda **given: codec.locations(session, **given),
        "piece": lambda **given: codec.piece(session, **given),
        "points": lambda **given: codec.points(session, **given),
        **{name: getattr(play, name) for name in PLAYERS_ACTIONS},
        **{name: getattr(seen, name) for name in SEEN},
    }
    plain_commands: dict[str, Callable[..., Any]] = {
        "open": session.open,
        "screen": view.screen,
        "widths": view.widths,
        "used": jvm.used,
        "encode": codec.encode,
        "decode": codec.decode,
        "obfuscate": codec.obfuscate,
        "deobfuscate": codec.deobfuscate,
        "grid_names": codec.grid_names,
        "grid_ranges": codec.grid_ranges,
    }

    def perform(request: dict[str, Any]) -> Any:
        name = request.pop("do")
        if name in plain_commands:
            return plain_commands[name](**request)
        if session.module is None:
            raise LookupError("no module is open")
        return jvm.on_event_thread(lambda: engine_commands[name](**request))

    return problems, perform


if __name__ == "__main__":
    main()
