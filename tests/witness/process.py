"""The process that the engine runs in, and those that wait for the next to be asked for."""

from __future__ import annotations

import atexit
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from .display import Display

MOST_BEGINNINGS = 20
"""Engines that one process is, one after the other: the classes of each stay in its memory."""


class WitnessError(Exception):
    """The engine could not do what it was asked, died, or took too long; the text says which and why."""


class Process:
    """A process with an engine in it, and the display that it draws on."""

    def __init__(self) -> None:
        self.begun = 0
        self._sound = True
        self._rest = b""
        self._folder = Path(tempfile.mkdtemp(prefix="witness-"))
        self._said = (self._folder / "stderr.txt").open("wb+")
        self._display = Display()
        self._home = self._new_home()
        environment = {**os.environ, "DISPLAY": self._display.name, "PYTHONPATH": str(Path(__file__).parents[1])}
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"{Path(__file__).parent.name}.bridge", str(self._folder), str(self._home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env=environment,
            cwd=self._folder,
            start_new_session=True,
        )

    @property
    def id(self) -> int:
        """Process, and process group."""
        return self._process.pid

    @property
    def home(self) -> Path:
        """The user folder of the engine that began last."""
        return self._home

    def renew(self, patience: float) -> None:
        """Begins an engine that knows nothing of those before it.

        Raises:
            WitnessError: see `ask`.
        """
        shutil.rmtree(self._home, ignore_errors=True)
        # Both processes write at the same place of the file.
        self._said.seek(0)
        self._said.truncate()
        self._home = self._new_home()
        answer = self.ask({"do": "begin", "home": str(self._home)}, patience)
        if answer.get("error") or answer["problems"]:
            raise WitnessError(f"begin: {answer}")

    def _new_home(self) -> Path:
        self.begun += 1
        home = self._folder / str(self.begun)
        home.mkdir()
        return home

    def ask(self, request: dict[str, Any], patience: float) -> dict[str, Any]:
        """The answer to one request, that may take so many seconds.

        Raises:
            WitnessError: it takes longer, or the process dies.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            answer: dict[str, Any] = json.loads(self._line(request["do"], patience))
        except BrokenPipeError:
            self._sound = False
            raise WitnessError(f"{request['do']}: the engine has died{self._last_words()}") from None
        except BaseException:
            # Whoever comes next would be given the answer to this request.
            self._sound = False
            raise
        return answer

    def _line(self, do: str, patience: float) -> bytes:
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        deadline = time.monotonic() + patience
        while b"\n" not in self._rest:
            ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise WitnessError(f"{do}: no answer within {patience:g} s{self._last_words()}")
            got = os.read(pipe, 1 << 20)
            if not got:
                raise WitnessError(f"{do}: the engine has died{self._last_words()}")
            self._rest += got
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _last_words(self) -> str:
        self._said.flush()
        words = (self._folder / "stderr.txt").read_bytes()[-3000:].decode(errors="replace").strip()
        return f"; it said last:\n{words}" if words else ""

    def let_go(self) -> None:
        """Keeps the process for another engine, if it can be one more."""
        if self._sound and self._process.poll() is None and self.begun < MOST_BEGINNINGS:
            _WAITING.append(self)
        else:
            self.end()

    def end(self) -> None:
        """Ends process and display, and forgets their folder."""
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
        shutil.rmtree(self._folder, ignore_errors=True)


_WAITING: list[Process] = []


def process(fresh: bool, patience: float) -> Process:
    """A process whose engine has seen no module: one that waits, unless it has to be `fresh`."""
    if _WAITING and not fresh:
        waiting = _WAITING.pop()
        try:
            waiting.renew(patience)
        except WitnessError:
            waiting.end()
            raise
        return waiting
    return Process()


@atexit.register
def _end_all() -> None:
    while _WAITING:
        _WAITING.pop().end()
