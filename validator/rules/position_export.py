"""How a game stands, as the statements of a `position` that another sheet can go on from.

All is told that anything played later may be judged by, and nothing else: what a unit did in a movement phase is
forgotten when its side moves again, a ledger of the turn with the turn. A sheet that begins so is judged as the
rest of a longer one would be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ...scenarios.schema.game import PhaseSpec
from ...scenarios.text.hexgrid import Hex
from ..notation import base, statements_head
from .arrival import schedule
from .context import Context
from .move_effects import spec
from .phases import called, next_phase
from .position import REINFORCEMENT, Position, UnitState
from .setup import printed

_FATES: Final[Mapping[str, str]] = {"absent": "off-map"}
"""How the notation calls places off the map that it does not call as the position does."""


def standing(ctx: Context, position: Position) -> list[base.Statement]:
    """`position` and all that belongs under it."""
    phase = position.phase
    weather = "" if position.guesses else position.weather
    after = (phase.turn, phase.side, *called(ctx, phase, weather)) if phase else None
    return [
        statements_head.PositionStart(0, ctx.beside, after),
        *_placed(position),
        *_gone(ctx, position),
        *(s for u in position.units for s in _statuses(ctx, position, u)),
        *(statements_head.Revealed(0, u, *figures) for u, figures in position.revealed.items()),
        *_due(ctx, position),
        *_ground(ctx, position),
        *(
            [statements_head.Leading(0, phase.first)]
            if phase and phase.first and _within_turn(ctx, position)
            else ()
        ),
        *(_ledger(ctx, position) if _within_turn(ctx, position) else ()),
        *(statements_head.LostUnit(0, *unit) for unit in position.lost),
        *(statements_head.LeftMap(0, side, name, edge, turn) for side, name, edge, turn in position.gone),  # type: ignore[arg-type]
    ]


def _within_turn(ctx: Context, position: Position) -> bool:
    """Whether the turn goes on after the phase that is over."""
    following = next_phase(ctx, position.phase, ctx.weather(position)) if position.phase else None
    return following is not None and following.turn == position.turn


def _placed(position: Position) -> Iterator[base.Statement]:
    """Units by their hexes, those of a stack in the order in which they came."""
    for board in position.boards.values():
        for hex_, ids in board.at.items():
            yield from (statements_head.Placement(0, u, hex_, position.units[u].lost) for u in ids)


def _gone(ctx: Context, position: Position) -> Iterator[base.Statement]:
    for u, state in position.units.items():
        if state.hex is not None or state.where == "due" or not _mentioned(ctx, u, state):
            continue
        left, delayed = state.left, any(rule.delay for rule in ctx.rules.replacements)
        yield statements_head.Gone(
            0,
            u,
            "unset" if _is_unset(ctx, u, state) else _FATES.get(state.where, state.where),
            left.turn if left else state.died if delayed else None,
            left.edge or None if left else None,  # type: ignore[arg-type]
            left.hex if left else "",
            state.lost,
        )


def _is_unset(ctx: Context, unit: str, state: UnitState) -> bool:
    return unit in ctx.unset and state.where == "absent"


def _mentioned(ctx: Context, unit: str, state: UnitState) -> bool:
    """Whether a unit that stands nowhere must be spoken of, lest it be due or placed by itself."""
    if _is_unset(ctx, unit, state):
        return True
    if ctx.beside and any(u == unit for u, _ in printed(ctx.scenario)):
        return True
    return (
        state.where != "absent"
        or bool(state.lost)
        or (schedule(ctx, ctx.units[unit]) is not None and ctx.plays(unit))
    )


def _statuses(ctx: Context, position: Position, unit: str) -> Iterator[base.Statement]:
    """What is true of a unit and cannot be seen from where it stands."""
    state = position.units[unit]
    if state.where == "absent":
        return
    listed = schedule(ctx, ctx.units[unit]) is not None
    if state.arrived is not None:
        yield statements_head.UnitStatus(0, unit, "arrived", state.arrived, state.edge or None)  # type: ignore[arg-type]
    for mark in sorted(state.marks):
        if mark != REINFORCEMENT or not (listed or state.arrived is not None or unit in ctx.due):
            yield statements_head.UnitStatus(0, unit, mark)
    if state.engaged_since is not None:
        yield statements_head.UnitStatus(0, unit, "engaged-since", state.engaged_since)
    if unit in position.ledger.recovered and _within_turn(ctx, position):
        flag = "recovered-perhaps" if unit in position.ledger.disputed else "recovered"
        yield statements_head.UnitStatus(0, unit, flag, position.ledger.given.get(unit))
    met = unit in position.ledger.contacts and not position.engaged(unit) and state.hex is not None and state.lost
    if met and ctx.option("recovery_span") != "phase" and _within_turn(ctx, position):
        yield statements_head.UnitStatus(0, unit, "engaged")
    if ctx.movement.bridging is not None and state.since == position.turn and _within_turn(ctx, position):
        yield statements_head.UnitStatus(0, unit, "since", state.since)
    acts = _acts_again(ctx, position, ctx.units[unit].side)
    if state.hex is not None and acts is not None and (acts.phase != "movement" or acts.before != "any"):
        moved = state.moved or (acts.phase == "movement" and unit in position.ledger.went)
        worked, unsure = (unit in units for units in (position.ledger.worked, position.ledger.unsure_works))
        done = {"moved": moved, "rode": state.rode, "worked": worked and not unsure, "worked-perhaps": unsure}
        yield from (statements_head.UnitStatus(0, unit, flag) for flag, is_so in done.items() if is_so)


def _acts_again(ctx: Context, position: Position, side: str) -> PhaseSpec | None:
    """The next phase that a side has in this turn."""
    following = next_phase(ctx, position.phase, ctx.weather(position)) if position.phase else None
    while following is not None and following.turn == position.turn:
        if following.side == side:
            return spec(ctx, following)
        following = next_phase(ctx, following, ctx.weather(position))
    return None


def _due(ctx: Context, position: Position) -> Iterator[base.Statement]:
    """Reinforcements that wait: those of the sheet's own, and others than the rulebook lists."""
    for u, state in position.units.items():
        if state.where != "due":
            continue
        if u in ctx.due:
            turn, edge = ctx.due[u]
            yield statements_head.Due(0, u, turn, edge or None)  # type: ignore[arg-type]
        else:
            yield statements_head.Gone(0, u, "due", reduced=state.lost)


def _ground(ctx: Context, position: Position) -> Iterator[base.Statement]:
    yield from (statements_head.MarkerPlacement(0, "bridge", side) for side in sorted(position.bridges))
    yield from (statements_head.ClearedTrail(0, hex_) for hex_ in sorted(position.cleared))
    yield from (statements_head.AirPoints(0, side, points) for side, points in sorted(position.air.items()))
    yield from (statements_head.Scored(0, side, points) for side, points in position.scored.items() if points)
    yield from (
        statements_head.Saved(0, side, points)
        for side, stocks in position.saved.items()
        if any(stocks)
        for points in stocks
    )
    if position.weather and not position.guesses:
        yield statements_head.WeatherNow(0, position.weather)
        yield from (statements_head.WeatherNow(0, weather, area) for area, weather in position.skies)
    places = _places(ctx)
    stands = {hex_: side for side, board in position.boards.items() for hex_ in board.at}
    for hex_, side in sorted(position.control.items()):
        if hex_ in places and stands.get(hex_) != side:
            yield statements_head.Control(0, side, hex_)
    if ctx.movement.bridging is not None:
        yield from (
            statements_head.Stood(0, side, tuple(sorted(hexes))) for side, hexes in ctx.start.items() if hexes
        )


def _places(ctx: Context) -> frozenset[Hex]:
    """Hexes of which it matters whose they are: places, and the banks on which bridges may be built."""
    found = {h for place in ctx.map.places for h in place.hexes}
    if ctx.movement.bridging is not None:
        found |= {h for side in ctx.map.hexsides if ctx.ground.water(side) for h in side}
    return frozenset(found)


def _ledger(ctx: Context, position: Position) -> Iterator[base.Statement]:
    """What has been used up in the turn, and whose places were whose when it began."""
    ledger = position.ledger
    used = {"offboard": ledger.offboard, "clearing": ledger.attempts, "airroll": int(ledger.rolled)}
    used["weather"] = int(ledger.weathered)
    yield from (statements_head.Used(0, stock, count) for stock, count in used.items() if count)
    for stock, taken in (("march", ledger.marched), ("rail", ledger.ridden), ("arrivals", ledger.arrivals)):
        said = (one for one in sorted(taken.items()) if one[1] or stock == "arrivals")
        yield from (statements_head.Used(0, stock, count, key + 1) for key, count in said)
    if ctx.movement.bridging is not None:
        places = _places(ctx)
        for side in ctx.sides:
            if hexes := tuple(sorted(h for h, who in ledger.held.items() if who == side and h in places)):
                yield statements_head.Held(0, side, hexes)


_OWN: Final = (
    statements_head.SheetVersion,
    statements_head.PositionStart,
    statements_head.SetupStart,
    base.Positioned,
    statements_head.Continues,
    statements_head.Partial,
)
"""Lines of a head that do not hold for the sheet that goes on."""
BEGINS: Final = (statements_head.PositionStart, statements_head.SetupStart, statements_head.Placement)
"""Lines by which a sheet says itself how it begins."""


def head_of(statements: Iterable[base.Statement]) -> list[base.Statement]:
    """What a sheet says of game, players, rulings, map and units, which holds for the sheet that goes on too."""
    return [s for s in statements if isinstance(s, base.Header) and not isinstance(s, _OWN)]
