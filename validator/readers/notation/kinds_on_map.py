"""Kinds of arguments that stand on a map: hexes, hexsides, ways, units and guns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hexforge.validator.readers.notation.cursor import DIGIT, HEX, UNIT, Cursor
from hexforge.validator.readers.notation.kinds import COUNT, OPEN, ArgumentKind, Pen, several


def _hex(at: Cursor) -> str:
    return at.take(HEX, "hex")


def _pair_stands(at: Cursor) -> bool:
    slash = at.ahead()
    return bool(_joined_pair(at)) or (
        at.stands(HEX) and slash is not None and slash.kind == "mark" and slash.text == "/"
    )


def _joined_pair(at: Cursor) -> tuple[str, ...]:
    """The two hexes of a hexside that is written with a hyphen; none for anything else."""
    found = at.hexes_joined()
    return found if len(found) == 2 and at.here is not None and not at.here.text.endswith(OPEN) else ()


def _pair(at: Cursor) -> tuple[str, str]:
    if joined := _joined_pair(at):
        at.step()
        return joined[0], joined[1]
    first = at.take(HEX, "hexside")
    if not at.accept("/"):
        raise at.fail("hexside-rest")
    return first, at.take(HEX, "hexside-rest")


def _write_pair(pair: tuple[str, str], _: Pen) -> str:
    return "/".join(pair)


def _figures(at: Cursor) -> bool:
    """Whether another hex stands here, or figures that are meant for one."""
    return at.stands(DIGIT) or at.at_hex()


def _onward(at: Cursor, found: list[str]) -> None:
    """Take `to` or an arrow. Between hexes that touch it is a step, else it leaves the way between them open."""
    at.step()
    goal = at.here.text.upper() if at.here else ""
    if found and found[-1] != OPEN and not at.words.adjacent(found[-1], goal):
        found.append(OPEN)


def _path(at: Cursor) -> tuple[str, ...]:
    """Hexes, with `-` where the way between two, or from where the units stand to the first, is left open."""
    found: list[str] = []
    while at.here is not None:
        if not at.at_hex() and not at.hexes_joined() and at.at_way():
            _onward(at, found)
        token = at.word
        if token is None:
            break
        if at.stands(HEX):
            found.append(token.text.upper())
        elif token.text == OPEN and found[-1:] != [OPEN]:
            found.append(OPEN)
        elif steps := at.hexes_joined():
            for i, step in enumerate(steps):
                found += [OPEN, step] if i else [step]
            if token.text.endswith(OPEN):
                found.append(OPEN)
        else:
            break
        at.step()
    if not found or found[-1] == OPEN or _figures(at):
        raise at.fail("hex")
    return tuple(found)


def _spot(at: Cursor) -> tuple[tuple[str, str] | None, str | None]:
    """A hexside, or else a hex."""
    return (_pair(at), None) if _pair_stands(at) else (None, _hex(at))


def _is_unit(at: Cursor) -> bool:
    return at.stands(UNIT)


def _is_next_unit(at: Cursor) -> bool:
    if any(map(at.at_word, at.stops)):
        return False
    return _is_unit(at) and (at.has_mark(":") or not at.at_way())


def _unit(at: Cursor) -> str:
    return at.unit()


def _guns(at: Cursor) -> tuple[tuple[str, ...], int]:
    """Units, or points beyond the map, or both in any order."""
    units: list[str] = []
    points = 0
    while at.here is not None or not (units or points):
        if at.accept("offboard"):
            _ = at.accept(":") or at.accept("=")
            points += COUNT.read(at)
            if at.here is None:
                break
        else:
            units.append(_unit(at))
    return tuple(units), points


def _write_guns(guns: tuple[tuple[str, ...], int], pen: Pen) -> str:
    units, points = guns
    beyond = [f"{pen.word('words', 'offboard')} {points}"] if points or not units else []
    return " ".join((*units, *beyond))


def _spaced(values: Iterable[str], _: Pen) -> str:
    return " ".join(values)


ONE_HEX = ArgumentKind("hex", _hex, begins=lambda at: at.stands(HEX))
HEXES = ArgumentKind(
    "hex", several(_hex, _figures), _spaced, lambda at: at.stands(HEX) and not _pair_stands(at), part="hexes"
)
HEXES_OF_PLACE = replace(HEXES, read=several(_hex, lambda at: at.stands(HEX)))
HEXSIDE = ArgumentKind("hexside", _pair, _write_pair, _pair_stands)
HEXSIDES = ArgumentKind(
    "hexside",
    several(_pair, _figures),
    lambda pairs, pen: " ".join(_write_pair(pair, pen) for pair in pairs),
    _pair_stands,
    part="hexsides",
)
SPOT = ArgumentKind("hex", _spot, lambda v, pen: _write_pair(v[0], pen) if v[0] else v[1], width=2, part="spot")
PATH = ArgumentKind("hex", _path, _spaced, part="path")
ONE_UNIT = ArgumentKind("unit", _unit, begins=_is_unit)
UNITS = ArgumentKind("unit", several(_unit, _is_next_unit), _spaced, _is_unit, part="units")
GUNS = ArgumentKind("unit", _guns, _write_guns, _is_unit, width=2, part="guns")
