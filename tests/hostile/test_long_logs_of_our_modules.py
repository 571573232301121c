"""Logs of our own modules that declare, throw and say more than any game does are told in time by their length."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from hexforge.modulegen.vassal.payload import decode_payload, encode_payload
from hexforge.scenarios.loader import load
from hexforge.validator.judging.check import judge_chain
from hexforge.validator.logs import typed
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.notation.records import Attached
from tests.examples import leading
from tests.hostile.test_time_by_length import MOST, seconds

LOG: Final = Path(__file__).parents[1] / "data" / "engine" / "air.vlog"
SAVED: Final = "savedGame"
HEXES: Final = 1200
SAID: Final[dict[str, Callable[[int], str]]] = {
    "combats declared and thrown": lambda i: (
        f"* Combat [combat {i * 7 % HEXES + 500:04d}]",
        f"* Attack [attack us-112-{i % 3 + 1}]",
        "*** 2d6 = 3,4 *** <A>",
    )[i % 3],
    "combats that lack their hex": lambda i: f"* Air attack on 1007 [airstrike 1007 points {i}]",
    "typed attacks": lambda i: f"<A> - attack us-112-{i % 3 + 1} ge-x{i}",
}


def _longer(say: Callable[[int], str], count: int) -> bytes:
    """The log with so many lines of chat behind it, ten in a step."""
    with zipfile.ZipFile(LOG) as source:
        entries = {name: source.read(name) for name in source.namelist()}
    said = [f"LOG\tCHAT{say(i)}" for i in range(count)]
    steps = ["\\\x1b".join(said[i : i + 10]) for i in range(0, count, 10)]
    text = decode_payload(entries[SAVED]).text + b"\x1b" + "\x1b".join(steps).encode()
    entries[SAVED] = encode_payload(text)
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in entries.items():
            target.writestr(name, data)
    return whole.getvalue()


@pytest.mark.parametrize("kind", leading(1, reversed(SAID)))
def test_a_log_is_judged_in_time_by_its_length(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typed, "_MOST_HEARD", 1)  # the short log would be remembered whole, and not the long one

    def judged(size: int) -> float:
        data = _longer(SAID[kind], size)
        return seconds(lambda: judge_chain(read_chain([Attached("a.vlog", data, True)]), "a.vlog"))

    judged(10)  # what is loaded once
    assert judged(2000) < MOST * judged(500)


def test_what_is_said_beyond_what_is_read_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typed, "_MOST_TRIES", 5)
    listener = typed.Listener(load("hurtgen"))
    first = listener.hear("<A> - attack us-112-1")
    assert first is not None and first.statement is not None
    line = listener.hear("<A> - attack us-112-2")
    assert line is not None and (line.statement, line.why) == (None, "not-tried")
    for chat in ("<A> - attack us-112-3", "<A> - attack us-112-1", "* Combat [combat 1007]"):
        assert listener.hear(chat) is None  # it is said once, of all that follows
    assert listener.hear("<A> - what a day") is None
