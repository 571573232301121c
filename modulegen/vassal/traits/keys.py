"""Keystrokes, as traits and build files write them.

Format: `code,modifiers` or `code,modifiers,name`. Code is a Java virtual key code (for letters the capital's
ASCII code), modifiers the sum of the old and the new Java masks. A named keystroke carries any code of the
private range and modifiers 0; VASSAL looks at the name only. Very old files hold a single letter, which means
that letter with Ctrl. Source: `VASSAL.configure.NamedHotKeyConfigurer`, `VASSAL.tools.NamedKeyStroke`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

SHIFT, CTRL, META, ALT = 1 + 64, 2 + 128, 4 + 256, 8 + 512
NAMED_CODE = 57348
_KEY = re.compile(r"(-?\d{1,9}),(-?\d{1,9})(?:,([^,]+))?", re.ASCII)


class Key(NamedTuple):
    """One keystroke; `name` is "" for a plain one."""

    code: int
    modifiers: int = 0
    name: str = ""

    def __str__(self) -> str:
        plain = f"{self.code},{self.modifiers}"
        return f"{plain},{self.name}" if self.name else plain

    @property
    def label(self) -> str:
        """How a player would say it: `Ctrl+D`, `F2` or the name."""
        if self.name:
            return self.name
        words = [
            word
            for word, mask in (("Ctrl", 130), ("Shift", 65), ("Meta", 260), ("Alt", 520))
            if self.modifiers & mask
        ]
        if 112 <= self.code <= 123:
            words.append(f"F{self.code - 111}")
        else:
            words.append(_SPECIAL.get(self.code) or (chr(self.code) if 32 < self.code < 127 else str(self.code)))
        return "+".join(words)


_SPECIAL = {8: "Backspace", 9: "Tab", 10: "Enter", 27: "Escape", 32: "Space", 127: "Delete"}
_SPECIAL |= {33: "PgUp", 34: "PgDn", 35: "End", 36: "Home", 37: "Left", 38: "Up", 39: "Right", 40: "Down"}


def named(name: str) -> Key:
    """A keystroke known by its name alone, as triggers and global commands send."""
    if not name or "," in name:
        raise ValueError(f"a keystroke's name is not empty and has no comma: {name!r}")
    return Key(NAMED_CODE, 0, name)


def plain(letter: str) -> Key:
    """One letter or digit, without modifiers."""
    return Key(ord(letter.upper()))


def ctrl(letter: str) -> Key:
    return Key(ord(letter.upper()), CTRL)


CTRL_C, CTRL_D, CTRL_G, CTRL_I, CTRL_K, CTRL_M = (ctrl(letter) for letter in "CDGIKM")
CTRL_O, CTRL_P, CTRL_R, CTRL_S, CTRL_T = (ctrl(letter) for letter in "OPRST")


def alt(letter: str) -> Key:
    return Key(ord(letter.upper()), ALT)


def shift(letter: str) -> Key:
    return Key(ord(letter.upper()), SHIFT)


def ctrl_shift(letter: str) -> Key:
    return Key(ord(letter.upper()), CTRL | SHIFT)


def function(number: int, modifiers: int = 0) -> Key:
    """F1 to F12."""
    if not 1 <= number <= 12:
        raise ValueError(f"there is no F{number}")
    return Key(111 + number, modifiers)


def write_key(key: Key | None) -> str:
    return "" if key is None else str(key)


def read_key(text: str) -> Key | None:
    """None for "no keystroke" and for what VASSAL cannot read either."""
    if not text:
        return None
    if "," not in text:
        return Key(ord(text[0]), CTRL)
    match = _KEY.match(text)
    return Key(int(match[1]), int(match[2]), match[3] or "") if match else None
