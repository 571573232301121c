"""The test's side of the witness: begins an engine, asks it, and ends it."""

from __future__ import annotations

import re
import zipfile
from base64 import b64decode, b64encode
from collections.abc import Sequence
from functools import cache
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any

from .process import Process, WitnessError, process

# The engine calls itself 3.6.0-SNAPSHOT and finds 3.6.0 too new; from 3.5 on it reads `buildFile.xml`.
ENGINE_VERSION = "3.5.8"
_DECLARED = re.compile(rb'([Vv]assalVersion="|<VassalVersion>)[^"<]*')


class Engine:
    """VASSAL's engine in a process of its own. Use it in a `with`, or close it.

    `module` is the description of the open module; `problems` gathers, from all requests, what was found wrong:
    dicts with `kind` (bug, dialog, log, image, prototype, gpid, setup, draw, command) and `text`.
    """

    def __init__(self, patience: float = 60.0, *, fresh: bool = False) -> None:
        """Begins an engine; `patience`: seconds that any one request may take.

        It runs where one that was closed ran before, and knows nothing of it; a `fresh` one runs where none did.
        """
        self.problems: list[dict[str, str]] = []
        self.module: dict[str, Any] = {}
        self._patience = patience
        self._process: Process | None = process(fresh, patience)

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def _running(self) -> Process:
        if self._process is None:
            raise WitnessError("the engine is closed")
        return self._process

    @property
    def home(self) -> Path:
        """A folder that goes when the engine goes."""
        return self._running.home

    @property
    def process_id(self) -> int:
        """Process (and process group) that the engine runs in."""
        return self._running.id

    def close(self) -> None:
        """Ends the engine, and forgets its folder."""
        if self._process is not None:
            self._process.let_go()
            self._process = None

    def ask(self, do: str, **arguments: Any) -> Any:
        """One request; gives the value of the answer.

        Raises:
            WitnessError: see there.
        """
        answer = self._running.ask({"do": do, **arguments}, self._patience)
        self.problems += answer["problems"]
        if "error" in answer:
            raise WitnessError(f"{do}: {answer['error']}")
        return answer["ok"]

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
        state, found = (seed ^ 0x5DEECE66D) % 2**48, []
        for _ in faces:
            state = (state * 0x5DEECE66D + 0xB) % 2**48
            found.append((state >> 17) % 6 + 1)
        if tuple(found) == faces:
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
