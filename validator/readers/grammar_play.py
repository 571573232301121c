"""The statements of play: turns, movement, combat, score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from hexforge.validator.readers import statements as st
from hexforge.validator.readers.cursor import Cursor
from hexforge.validator.readers.keywords import PHASES, ROLES, aliases

_PHASES: Final = aliases(PHASES)
_ROLES: Final = aliases(ROLES)
_OFFBOARD: Final = frozenset({"offboard"})


def _turn(at: Cursor) -> st.Statement:
    number = at.number()
    phase = at.accept_choice(_PHASES)
    side = at.side()
    phase = phase or at.choice(_PHASES, "phase")
    return st.TurnStart(at.line, number, side, cast(st.PhaseName, phase))


def _colon(at: Cursor) -> None:
    if not at.accept_mark(":"):
        raise at.fail("colon")


def _move(at: Cursor) -> st.Statement:
    units = at.units()
    _colon(at)
    return st.Move(at.line, units, at.path())


def _way_used(at: Cursor) -> st.WayKind | None:
    return at.way() if at.accept("by") else None


def _enter(at: Cursor) -> st.Statement:
    units = at.units()
    _colon(at)
    path = at.path()
    by = _way_used(at)
    edge = at.edge() if at.accept("from") else None
    return st.Enter(at.line, units, path, edge, by or _way_used(at))


def _exit(at: Cursor) -> st.Statement:
    units = at.units()
    _colon(at)
    path = at.path()
    by = _way_used(at)
    edge = at.edge() if at.accept("to") else None
    return st.Exit(at.line, units, path, edge, by or _way_used(at))


def _rail(at: Cursor) -> st.Statement:
    units = at.units()
    _colon(at)
    return st.RailMove(at.line, units, at.path())


def _recover(at: Cursor) -> st.Statement:
    return st.Recover(at.line, at.units())


def _build(at: Cursor) -> st.Statement:
    if not at.accept("bridge"):
        raise at.fail("bridge")
    side = at.pair()
    return st.BuildBridge(at.line, side, at.unit() if at.accept("by") else "")


def _clear(at: Cursor) -> st.Statement:
    hex_ = at.hex()
    unit = at.unit() if at.accept("by") else ""
    return st.ClearTrail(at.line, hex_, unit, at.number("die") if at.accept("roll") else None)


def _airroll(at: Cursor) -> st.Statement:
    return st.AirRoll(at.line, at.number("die"))


def _combat(at: Cursor) -> st.Statement:
    return st.Combat(at.line, at.hexes())


def _guns(at: Cursor) -> tuple[tuple[str, ...], int]:
    """Units, or points beyond the map, or both in any order."""
    units: list[str] = []
    offboard = 0
    while True:
        if at.accept("offboard"):
            offboard += at.number()
        else:
            units += at.units(_OFFBOARD)
        if at.here is None:
            return tuple(units), offboard


def _bombard(at: Cursor) -> st.Statement:
    targets = at.hexes()
    units, offboard = _guns(at) if at.accept("by") else ((), 0)
    return st.Bombard(at.line, targets, units=units, offboard=offboard)


def _airstrike(at: Cursor) -> st.Statement:
    targets = at.hexes()
    if at.here is not None and not at.accept("points"):
        raise at.fail("points")
    return st.AirStrike(at.line, targets, points=at.number() if at.here is not None else None)


def _attack(at: Cursor) -> st.Act:
    return st.Attack(at.line, at.units())


def _support(at: Cursor) -> st.Act:
    units, offboard = _guns(at)
    return st.Support(at.line, units, offboard)


def _guard(at: Cursor) -> st.Act:
    if at.accept("air"):
        return st.GuardAir(at.line, at.number())
    units, offboard = _guns(at)
    return st.Guard(at.line, units, offboard)


def _air(at: Cursor) -> st.Act:
    at.accept("points")
    return st.AirSupport(at.line, at.number())


def _announce(at: Cursor) -> st.Act:
    role = cast(st.RoleName, at.choice(_ROLES, "role"))
    return st.Announce(at.line, role, at.number())


def _declare(at: Cursor) -> st.Act:
    attack: int | None = None
    defence: int | None = None
    value: int | None = None
    odds: str | None = None
    column: str | None = None
    while at.here is not None or (attack, value, odds, column) == (None,) * 4:
        if at.is_number():
            attack = at.number()
            at.mark(":")
            defence = at.number()
        elif at.accept("value"):
            value = at.number()
        elif at.accept("odds"):
            odds = at.heading("column")
        elif at.accept("column"):
            column = at.heading("column")
        else:
            raise at.fail("declaration")
    return st.Declare(at.line, attack, defence, value, odds, column)


def _roll(at: Cursor) -> st.Act:
    faces = [at.number("die")]
    while at.here is not None:
        faces.append(at.number("die"))
    return st.Roll(at.line, tuple(faces))


def _result(at: Cursor) -> st.Act:
    codes: list[str] = []
    while at.here is not None or not codes:
        token = at.here
        if codes and at.accept_mark("/"):
            continue
        if token is None or not token.text.isascii() or not token.text.isalpha():
            raise at.fail("result")
        codes.append(at.step().text.upper())
    return st.Result(at.line, tuple(codes))


def _lose(at: Cursor) -> st.Act:
    return st.Lose(at.line, at.units())


def _eliminate(at: Cursor) -> st.Act:
    return st.Eliminate(at.line, at.units())


def _retreat(at: Cursor) -> st.Act:
    units = at.units()
    _colon(at)
    path = at.path()
    return st.Retreat(at.line, units, path, at.edge() if at.accept("to") else None)


def _advance(at: Cursor) -> st.Act:
    units = at.units()
    _colon(at)
    return st.Advance(at.line, units, at.path())


def _score(at: Cursor) -> st.Statement:
    points = [(at.side(), at.number())]
    while at.here is not None:
        points.append((at.side(), at.number()))
    return st.Score(at.line, tuple(points))


PLAY: Final[Mapping[str, Callable[[Cursor], st.Statement]]] = {
    "turn": _turn,
    "move": _move,
    "enter": _enter,
    "exit": _exit,
    "rail": _rail,
    "recover": _recover,
    "build": _build,
    "clear": _clear,
    "airroll": _airroll,
    "score": _score,
}
ENGAGEMENTS: Final[Mapping[str, Callable[[Cursor], st.Statement]]] = {
    "combat": _combat,
    "bombard": _bombard,
    "airstrike": _airstrike,
}
ACTS: Final[Mapping[str, Callable[[Cursor], st.Act]]] = {
    "attack": _attack,
    "support": _support,
    "guard": _guard,
    "air": _air,
    "announce": _announce,
    "declare": _declare,
    "roll": _roll,
    "result": _result,
    "lose": _lose,
    "eliminate": _eliminate,
    "retreat": _retreat,
    "advance": _advance,
}
