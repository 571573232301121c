"""What both commands do before they speak, and how a stranger's words are made harmless for terminals."""

from __future__ import annotations

import io
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from hexforge.scenarios.words import HexforgeWarning, Message

_CONTROL: Final = dict.fromkeys(
    [*range(9), *range(11, 32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)], "�"
)
_ESCAPED: Final = re.compile(f"[{''.join(chr(code) for code in _CONTROL if code > 31)}]")


def safe(text: str) -> str:
    """The text without control characters, by which it could drive a terminal or turn the reading direction."""
    # None of them can be printed; nearly no text has any, and to look for them one by one takes ten times as long.
    return text if text.isprintable() else text.translate(_CONTROL)


def safe_json(text: str) -> str:
    """JSON whose strings hold such characters as escapes; those below 32 are escaped in any JSON."""
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def use_utf8() -> None:
    """Standard output and error take every character, and what is piped or written to a file is UTF-8.

    Windows would else write files in its old code page, which has neither all letters nor the lines drawn here.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with suppress(OSError, ValueError):
                if stream.isatty():
                    stream.reconfigure(errors="replace")
                else:
                    stream.reconfigure(encoding="utf-8", errors="replace")


@contextmanager
def warned(tell: Callable[[Message], None]) -> Iterator[None]:
    """What a user would want to know is told, once."""
    said: set[Message] = set()

    def show(message: Warning | str, *rest: Any, **more: Any) -> None:
        if not isinstance(message, HexforgeWarning):
            others(message, *rest, **more)
        elif message.message not in said:
            said.add(message.message)
            tell(message.message)

    with warnings.catch_warnings():
        others = warnings.showwarning
        warnings.simplefilter("always", HexforgeWarning)
        warnings.showwarning = show
        yield
