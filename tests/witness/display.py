"""An X display that nobody sees."""

from __future__ import annotations

import os
import select
import subprocess
import time


class Display:
    """A running Xvfb; `name` is the value for `DISPLAY`. Close it, or use it in a `with`."""

    def __init__(self, size: str = "1600x1200x24", patience: float = 20.0) -> None:
        """Starts Xvfb on a free display number, of its own choice.

        Raises:
            RuntimeError: Xvfb does not come up within `patience` seconds.
        """
        reading, writing = os.pipe()
        self._process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp", "-terminate"],
            pass_fds=(writing,),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        answer = b""
        deadline = time.monotonic() + patience
        try:
            while not answer.endswith(b"\n"):
                ready, _, _ = select.select([reading], [], [], max(0.0, deadline - time.monotonic()))
                got = os.read(reading, 64) if ready else b""
                if not got:
                    self.close()
                    raise RuntimeError("Xvfb does not come up: no display for VASSAL's engine")
                answer += got
        finally:
            os.close(reading)
        self.name = f":{answer.decode().strip()}"

    def close(self) -> None:
        """Ends Xvfb."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
