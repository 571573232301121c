"""The test's side of the witness: starts the process with the engine in it, asks it, and ends it."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from base64 import b64decode, b64encode
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any

from hexforge.modulegen.vassal.proposed.javarandom import JavaRandom

from .display import Display

# The engine calls itself 3.6.0-SNAPSHOT and finds 3.6.0 too new; from 3.5 on it reads `buildFile.xml`.
ENGINE_VERSION = "3.5.8"
_DECLARED = re.compile(rb'([Vv]assalVersion="|<VassalVersion>)[^"<]*')


class WitnessError(Exception):
    """The engine could not do what it was asked, died, or took too long; the text says which and why."""


class Engine:
    """VASSAL's engine in a process of its own. Use it in a `with`, or close it.

    `module` is the description of the open module; `home` a folder that goes when the engine goes; `problems`
    gathers, from all requests, what was found wrong: dicts with `kind` (bug, dialog, log, image, prototype, gpid,
    setup, draw, command) and `text`.
    """

    def __init__(self, patience: float = 60.0) -> None:
        """Starts display and engine; `patience`: seconds that any one request may take."""
        self.problems: list[dict[str, str]] = []
        self.module: dict[str, Any] = {}
        self._patience = patience
        self.home = Path(tempfile.mkdtemp(prefix="witness-"))
        self._said = (self.home / "stderr.txt").open("wb+")
        self._rest = b""
        self._display = Display()
        environment = {**os.environ, "DISPLAY": self._display.name, "PYTHONPATH": str(Path(__file__).parents[1])}
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"{Path(__file__).parent.name}.bridge", str(self.home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env=environment,
            cwd=self.home,
            start_new_session=True,
        )

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def process_id(self) -> int:
        """Process (and process group) that the engine runs in."""
        return self._process.pid

    def close(self) -> None:
        """Ends the engine and its display, and forgets its user folder."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                # A request that a dead engine never took is still in the buffer, and closing sends it once more.
                with suppress(BrokenPipeError):
                    pipe.close()
        self._display.close()
        self._said.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def ask(self, do: str, **arguments: Any) -> Any:
        """One request; gives the value of the answer.

        Raises:
            WitnessError: see there.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"do": do, **arguments}).encode() + b"\n")
            self._process.stdin.flush()
            answer = json.loads(self._line(do))
        except BrokenPipeError:
            raise WitnessError(f"{do}: the engine has died{self._last_words()}") from None
        self.problems += answer["problems"]
        if "error" in answer:
            raise WitnessError(f"{do}: {answer['error']}")
        return answer["ok"]

    def _line(self, do: str) -> bytes:
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        deadline = time.monotonic() + self._patience
        while b"\n" not in self._rest:
            ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise WitnessError(f"{do}: no answer within {self._patience:g} s{self._last_words()}")
            got = os.read(pipe, 1 << 20)
            if not got:
                raise WitnessError(f"{do}: the engine has died{self._last_words()}")
            self._rest += got
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _last_words(self) -> str:
        self._said.flush()
        words = (self.home / "stderr.txt").read_bytes()[-3000:].decode(errors="replace").strip()
        return f"; it said last:\n{words}" if words else ""

    # -- modules and games -------------------------------------------------------------------------

    def open(self, module: Path, *extensions: Path, described: bool = True) -> dict[str, Any]:
        """Opens a copy of a module that declares the engine's version, and describes it. Once an engine.

        Copies of the extensions are loaded with it. Where it is not to be `described`, sides and set-ups are all
        that is told, and what only the whole description looks at (every image, every slot) is not loaded.
        """
        copy = self.home / "module" / module.name
        copy.parent.mkdir(exist_ok=True)
        declare_version(module, copy)
        for extension in extensions:
            beside = copy.with_name(f"{copy.stem}_ext") / extension.name
            beside.parent.mkdir(exist_ok=True)
            declare_version(extension, beside)
        self.module = self.ask("open", path=str(copy), described=described)
        return self.module

    def load(self, game: Path) -> dict[str, Any]:
        """Loads a save or log, then gives the position (a log stands at its beginning)."""
        self.ask("load", path=str(game.resolve()))
        return self.position()

    def setup(self, name: str) -> dict[str, Any]:
        """Starts a predefined set-up and gives the position."""
        self.ask("setup", name=name)
        return self.position()

    def position(self) -> dict[str, Any]:
        """Where all pieces are; see `Session.position`."""
        answer: dict[str, Any] = self.ask("position")
        return answer

    def step(self, count: int = -1) -> dict[str, Any]:
        """Takes `count` steps of the loaded log (all by default) and gives the position."""
        self.ask("step", count=count)
        return self.position()

    def player(self, name: str, side: str, password: str = "test-only", *, alone: bool = True) -> None:
        """Sits down as a player; `alone`: who plays both sides."""
        self.ask("player", name=name, side=side, password=password, alone=alone)

    def move(self, piece: str, location: str, map_name: str | None = None) -> dict[str, Any]:
        """Drags a piece (by id, UnitId or name) to a location by name."""
        answer: dict[str, Any] = self.ask("move", piece=piece, map_name=map_name, location=location)
        return answer

    def move_stack(self, piece: str, location: str, map_name: str | None = None) -> dict[str, Any]:
        """Drags the stack that a piece lies in to a location by name."""
        answer: dict[str, Any] = self.ask("move_stack", piece=piece, map_name=map_name, location=location)
        return answer

    def place(self, gpid: str, location: str, map_name: str | None = None) -> dict[str, Any]:
        """Drags a new piece out of its palette."""
        answer: dict[str, Any] = self.ask("place", gpid=gpid, map_name=map_name, location=location)
        return answer

    def command(self, piece: str, text: str) -> bool:
        """Chooses an entry of a piece's menu; says whether anything came of it."""
        return bool(self.ask("command", piece=piece, text=text)["did"])

    def key(self, piece: str, key: str) -> bool:
        """Presses a key on a piece; says whether anything came of it."""
        return bool(self.ask("key", piece=piece, key=key)["did"])

    def turn(self, name: str | None = None, back: bool = False) -> str:
        """Advances a turn tracker; gives what it then shows."""
        return str(self.ask("turn", name=name, back=back)["turn"])

    def load_dice(self, faces: Sequence[int]) -> None:
        """Has the next throw of any dice button show these faces."""
        self.ask("load_dice", seed=_seed_of(tuple(faces)))

    def start_log(self, path: Path) -> None:
        """Begins a log."""
        self.ask("start_log", path=str(path.resolve()))

    def end_log(self) -> int:
        """Writes the log; gives its number of steps."""
        return int(self.ask("end_log")["steps"])

    def save(self, path: Path) -> None:
        """Saves the game."""
        self.ask("save", path=str(path.resolve()))

    def chat(self) -> list[str]:
        """Lines of the chat window."""
        return list(self.ask("chat"))

    def snapshot(self, path: Path, map_name: str | None = None, zoom: float = 1.0) -> None:
        """Draws a map with its pieces to a PNG file."""
        self.ask("snapshot", map_name=map_name, path=str(path.resolve()), zoom=zoom)

    # -- codecs and grids --------------------------------------------------------------------------

    def encode(self, sequences: list[list[str]], delimiter: str) -> list[str | None]:
        """The engine's sequence encoding of each list of texts."""
        return list(self.ask("encode", sequences=sequences, delimiter=delimiter))

    def decode(self, texts: list[str], delimiter: str) -> list[list[str]]:
        """The engine's tokens of each text."""
        return list(self.ask("decode", texts=texts, delimiter=delimiter))

    def obfuscate(self, payload: bytes, key: int | None = None) -> bytes:
        """The engine's obfuscation (`!VCSK`), with a key of 0–255 or one of its choice."""
        return b64decode(self.ask("obfuscate", payload=b64encode(payload).decode(), key=key))

    def deobfuscate(self, payload: bytes) -> bytes:
        """What the engine reads from an obfuscated or plain payload."""
        return b64decode(self.ask("deobfuscate", payload=b64encode(payload).decode()))

    def draw(self, kinds: list[tuple[str, int]]) -> list[str]:
        """Numbers of Java's own generator, as Java writes them: kinds as in logs, each with its seed or bound."""
        return list(self.ask("draw", kinds=kinds))

    def locations(self, points: list[tuple[int, int]], map_name: str | None = None) -> list[dict[str, Any]]:
        """Name, snap and name at the snap of pixels of a map of the open game."""
        return list(self.ask("locations", map_name=map_name, points=points))

    def piece(self, definition: str, state: str | None = None) -> dict[str, Any]:
        """What the open module makes of a piece: traits, properties, type and state as the engine writes them."""
        answer: dict[str, Any] = self.ask("piece", definition=definition, state=state)
        return answer

    def points(self, names: list[str], map_name: str | None = None) -> list[tuple[int, int] | None]:
        """Pixel of each location's name on a map of the open game; None for unknown names."""
        found = self.ask("points", map_name=map_name, names=names)
        return [None if one is None else (one[0], one[1]) for one in found]

    def grid_ranges(self, grid: dict[str, Any], pairs: list[tuple[int, int, int, int]]) -> list[int]:
        """Distances between pixels by a grid that is given by its attributes; needs no module."""
        return list(self.ask("grid_ranges", attributes=grid, pairs=pairs))

    def grid_names(self, grid: dict[str, Any], points: list[tuple[int, int]]) -> list[dict[str, Any]]:
        """Name and snap of pixels by a grid that is given by its attributes; needs no module."""
        return list(self.ask("grid_names", attributes=grid, points=points))


@cache
def _seed_of(faces: tuple[int, ...]) -> int:
    """A seed from which Java's generator throws these faces first."""
    for seed in count(1):
        random = JavaRandom(seed)
        if all(random.next_int(6) + 1 == face for face in faces):
            return seed
    raise AssertionError


def declare_version(module: Path, copy: Path) -> None:
    """Copies a module, so that the copy declares to be made for the engine's version, and nothing else changes."""
    with zipfile.ZipFile(module) as old, zipfile.ZipFile(copy, "w", zipfile.ZIP_STORED) as new:
        for entry in old.infolist():
            content = old.read(entry)
            if entry.filename in ("moduledata", "extensiondata", "buildFile", "buildFile.xml"):
                content = _DECLARED.sub(rb"\g<1>" + ENGINE_VERSION.encode(), content, count=1)
            new.writestr(entry.filename, content)
