"""Kinds of arguments that a director's rulings have: what is accepted, put or held, by whom and why."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from hexforge.validator.readers.notation.cursor import HEX, WORD, Cursor, Unread, expected
from hexforge.validator.readers.notation.kinds import LABEL, ArgumentKind, Pen, _side, quoted
from hexforge.validator.readers.notation.kinds_on_map import _hex, _unit

_LINES: Final = re.compile(r"[0-9]{1,6}(?:-[0-9]{1,6})?")
_MOST_LINES: Final = 1000
_SECTION: Final = re.compile(r"([a-z]?)([0-9]{1,2}(?:\.[0-9]{1,2}){0,3})")
_QUOTES: Final = dict.fromkeys(map(ord, '"\u201c\u201d\u00ab\u00bb'), "'")


def _held(at: Cursor) -> tuple[str, str]:
    """A side and a hex, in either order."""
    hex_ = _hex(at) if at.stands(HEX) else ""
    side = _side(at)
    return side, hex_ or _hex(at)


def _accepted(at: Cursor) -> tuple[tuple[int, ...], str]:
    """Lines by their numbers, none for the one above; and a rule of theirs alone: a section or a code."""
    lines: list[int] = []
    while at.accept("line") or at.accept("to") or (at.word and _LINES.fullmatch(at.word.text)):
        at.accept("line")  # `a linha 4`
        first, _, last = (at.step().text if at.word and _LINES.fullmatch(at.word.text) else "").partition("-")
        if not first or (last and not 0 <= int(last) - int(first) < _MOST_LINES):
            raise at.fail("line")
        lines += range(int(first), int(last or first) + 1)
    return tuple(lines), _rule(at)


def _rule(at: Cursor) -> str:
    """`B 5.1`, `B5.1`, `5.1`, `stacking`; "" for none."""
    if at.word is None or at.at_word("because") or at.at_word("by"):
        return ""
    text, following = at.word.key, at.ahead()
    if len(text) == 1 and text.isalpha() and following is not None:
        at.step()
        text += at.word.key if at.word else ""
    match = _SECTION.fullmatch(text)
    if match is None and not WORD.fullmatch(text):
        raise at.fail("rule")
    at.step()
    return " ".join(filter(None, (match[1].upper(), match[2]))) if match else text


def _write_accepted(value: tuple[tuple[int, ...], str], _: Pen) -> str:
    lines, rule = value
    return " ".join(filter(None, (*map(str, lines), rule)))


def _put(at: Cursor) -> tuple[tuple[str, ...], str, str]:
    """Units, and the hex or the state that they are put in, or both."""
    units: list[str] = []
    fate = hex_ = ""
    while at.here is not None and not (at.at_word("because") or at.at_word("by") or at.at_word(":")):
        known = at.words.meaning("fates", at.word.key) if at.word else None
        if units and at.accept("to"):
            continue
        if not units or not (known or hex_ or fate or at.stands(HEX)):
            units.append(_unit(at))
        elif known and not fate:
            fate = known
            at.step()
        elif hex_:
            break
        else:
            hex_ = _hex(at)
    if not units or not (hex_ or fate):
        raise at.fail(expected("put", known=at.examples("fates")) if units else "unit")
    return tuple(units), hex_, fate


def _write_put(value: tuple[tuple[str, ...], str, str], pen: Pen) -> str:
    units, hex_, fate = value
    return " ".join(filter(None, (*units, hex_, pen.word("fates", fate) if fate else "")))


def _ruled(at: Cursor) -> tuple[str, str]:
    """Who rules so, "" where it is not said, and why."""
    by = LABEL.read(at) if at.accept("by") else ""
    if not (at.accept("because") or at.accept(":")):
        raise at.fail(expected("because", word=at.words.write("words", "because", at.language)))
    start = at.problem(expected("reason"))
    reason = " ".join(at.rest().translate(_QUOTES).split()).strip(" ,;\\")
    if not reason:
        raise Unread(start)
    return by, reason


def _write_ruled(value: tuple[str, str], pen: Pen) -> str:
    by, reason = value
    who = f"{pen.word('words', 'by')} {quoted(by)} " if by else ""
    plain = reason[0].isalnum() and "#" not in reason
    return f"{who}{pen.word('words', 'because')} " + (reason if plain else f'"{reason}"')


HELD = ArgumentKind("side", _held, lambda v, pen: f"{pen.word('sides', v[0])} {v[1]}", width=2, part="held")
HOLDING = replace(HELD, write=lambda v, pen: f"{v[1]} {pen.word('sides', v[0])}", part="holding")
ACCEPTED = ArgumentKind("line", _accepted, _write_accepted, width=2, part="accepted")
PUT = ArgumentKind("put", _put, _write_put, width=3, part="put")
RULED = ArgumentKind("because", _ruled, _write_ruled, width=2, part="ruled", needs="because")
