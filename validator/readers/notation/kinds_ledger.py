"""The kinds of argument of the statements of accounts: dates, hexes of lettered maps, facts, amounts."""

from __future__ import annotations

from datetime import date
from typing import Final

from hexforge.validator.readers.notation.cursor import HEX, NUMBER, Cursor, expected
from hexforge.validator.readers.notation.kinds import COUNT, OPEN, ArgumentKind, Pen, _closed, _listed, _open

_LEAP: Final = 2000
"""A year that has every day of the calendar."""
_MOST: Final = 400

PART = _listed("part-of-day", "dayparts", _closed)
FACT = _listed("fact", "facts", _closed)
PIECE = _listed("piece", "pieces", _closed)
SOURCE_OF = _listed("account", "accounts", _closed)


def _day(at: Cursor) -> tuple[int, int, str, str, int, str]:
    """A day, its part, a phase with perhaps its number, and perhaps a side: `28 jun night german engineering`."""
    day = number = 0
    found: dict[str, str] = {}
    while (token := at.here) is not None:
        if at.stands(NUMBER):
            value = int(token.text)
            if not day:
                day = value
            elif "dayphases" in found and not number:
                number = value
            else:
                raise at.fail("end")
            at.step()
            continue
        section = next((s for s in _OF_DAY if s not in found and at.words.meaning(s, token.key)), "")
        if token.kind != "word" or not section:
            raise at.fail(expected("day-phase"))
        found[section] = at.words.meaning(section, token.key) or ""
        at.step()
    month = int(found.get("months", "0").removeprefix("m"))
    if not (day and month and found.get("dayparts") and found.get("dayphases")):
        raise at.fail(expected("day-phase"))
    try:
        date(_LEAP, month, day)
    except ValueError:
        raise at.fail(expected("day-phase")) from None
    return day, month, found["dayparts"], found["dayphases"], number, found.get("sides", "")


_OF_DAY: Final = ("months", "dayparts", "dayphases", "sides")


def _write_day(value: tuple[int, int, str, str, int, str], pen: Pen) -> str:
    day, month, part, phase, number, side = value
    words = [str(day), pen.word("months", f"m{month}"), pen.word("dayparts", part)]
    words += [pen.word("sides", side)] if side else []
    return " ".join((*words, pen.word("dayphases", phase), *([str(number)] if number else [])))


DAY = ArgumentKind("day", _day, _write_day, width=6)


def _way(at: Cursor) -> tuple[str, ...]:
    """Hexes one after the other, `to`, arrows or dashes between them: without a map no way is left open."""
    found: list[str] = []
    while at.here is not None and len(found) < _MOST:
        between = at.at_word("to") or at.at_word("->") or (bool(found) and at.here.text == OPEN)
        if between:
            at.step()
        if joined := at.hexes_joined():
            found += joined
            at.step()
        elif at.stands(HEX):
            found.append(at.take(HEX, "hex"))
        elif between:
            raise at.fail("hex")
        else:
            break
    if not found:
        raise at.fail("hex")
    return tuple(found)


WAY_ON = ArgumentKind(
    "hex",
    _way,
    lambda hexes, _: " ".join(hexes),
    lambda at: at.stands(HEX) or bool(at.hexes_joined()),
    part="hexes",
)


def _spot(at: Cursor) -> str:
    """A hex, or the id of something, or an edge of the map, or a side."""
    for section in ("edges", "sides"):
        if at.word and (meant := at.words.meaning(section, at.word.key)):
            at.step()
            return meant
    return _thing(at)


def _write_spot(value: str, pen: Pen) -> str:
    for section in ("edges", "sides"):
        if pen.words.meaning(section, value) == value:
            return pen.word(section, value)
    return value


def _thing(at: Cursor) -> str:
    """A hex, or the id of a unit or a place."""
    return at.take(HEX, "hex") if at.stands(HEX) else at.unit("thing")


THING = ArgumentKind("thing", _thing)


def _fact(at: Cursor) -> tuple[str, tuple[str, ...], str]:
    """What a fact is of, and its value: a number, or one of `answers`, `yes` where it says none."""
    name = FACT.read(at)
    found: list[str] = []
    value = ""
    while at.here is not None:
        if len(found) > _MOST or value:
            raise at.fail("end")
        token = at.here
        last = at.ahead() is None
        answer = at.words.meaning("answers", token.key) if token.kind == "word" else None
        if last and answer:
            value = answer
            at.step()
        elif last and at.stands(NUMBER) and not at.stands(HEX) and token.key not in at.declared:
            value = str(int(at.step().text))
        else:
            found.append(_spot(at))
    return name, tuple(found), value or "yes"


def _write_fact(value: tuple[str, tuple[str, ...], str], pen: Pen) -> str:
    name, of, said = value
    words = [pen.word("facts", name), *(_write_spot(thing, pen) for thing in of)]
    if said != "yes":
        words.append(said if said.isdigit() else pen.word("answers", said))
    return " ".join(words)


STATED = ArgumentKind("fact", _fact, _write_fact, width=3, section="facts", part="stated")


def _points(at: Cursor) -> tuple[tuple[str, int], ...]:
    """Sides and their points, which may be below zero."""
    found: list[tuple[str, int]] = []
    while at.here is not None or not found:
        side = _open(at, "side", "sides")
        token = at.word
        text = token.text if token else ""
        if not NUMBER.fullmatch(text.removeprefix("-")):
            raise at.fail("number")
        at.step()
        found.append((side, int(text)))
    return tuple(found)


def _write_points(points: tuple[tuple[str, int], ...], pen: Pen) -> str:
    return " ".join(f"{pen.word('sides', side)} {number}" for side, number in points)


POINTS = ArgumentKind("side", _points, _write_points, section="sides", part="side-points")


def _source(at: Cursor) -> str:
    """An account, an edge, a hex or a headquarters that something comes from."""
    if SOURCE_OF.begins(at):
        return str(SOURCE_OF.read(at))
    return _spot(at)


def _write_source(value: str, pen: Pen) -> str:
    return pen.word("accounts", value) if pen.words.meaning("accounts", value) == value else _write_spot(value, pen)


FROM = ArgumentKind("thing", _source, _write_source, part="source")
AMOUNT = ArgumentKind(
    "number",
    COUNT.read,
    begins=lambda at: at.stands(NUMBER) and not at.stands(HEX),
)
