"""What stands above the first turn of a transcribed sheet: header, and the position where it is not the set-up."""

from __future__ import annotations

from collections.abc import Iterator

from hexforge.scenarios.words import message
from hexforge.validator.readers.assembly import VERSION
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.transcribe.blocks import Item
from hexforge.validator.transcribe.chain import Chain
from hexforge.validator.transcribe.draft import SheetDraft, remark
from hexforge.validator.transcribe.laid import known_of
from hexforge.validator.transcribe.noted import Origin
from hexforge.validator.transcribe.spots import first_clock, place_of, places_of, reading_at


def outline(draft: SheetDraft, chain: Chain) -> Iterator[Item]:
    """The lines before the first turn. What players typed of them stands, and stands alone where it says all."""
    first = chain.logs[0]
    start, typed = Origin(first.name, 0), list(draft.header)
    said = {type(item.statement) for item in typed}
    if any(log.game.damage is not None for log in chain.logs) and st.Partial not in said:
        # What is owed at a phase's end may stand in the part that was lost.
        typed.append(Item(start, st.Partial(0)))
    if st.SheetVersion not in said:
        yield Item(start, st.SheetVersion(0, VERSION))
        yield Item(start, st.GameName(0, draft.scenario.name))
        names = _players(draft, chain)
        if names and st.Players not in said:
            yield Item(start, st.Players(0, names))
    if said & {st.SheetVersion, st.PositionStart, st.SetupStart}:
        yield from typed
        return
    # Of what no position shows, the players tell; at the game's beginning there is nothing of the kind.
    states = [item for item in typed if isinstance(item.what, st.UnitStatus)]
    yield from (item for item in typed if item not in states)
    # Where not even the first action was reached, the position may lack units that stood on the map.
    laid_out = list(_position(draft, start, whole=first.game.damage is None or bool(first.told)))
    yield from laid_out
    yield from (states if laid_out and isinstance(laid_out[0].what, st.PositionStart) else ())


def _players(draft: SheetDraft, chain: Chain) -> tuple[tuple[str, str], ...]:
    sides = draft.marks.sides
    found: dict[str, str] = {}
    for log in chain.logs:
        for name, side in log.end.players:
            # A name as the notation can write it.
            shown = " ".join(name.replace('"', "'").split())
            if side in sides and shown:
                found[sides[side]] = shown
    return tuple((side.id, found[side.id]) for side in draft.scenario.game.sides if side.id in found)


def _position(draft: SheetDraft, start: Origin, *, whole: bool) -> Iterator[Item]:
    """Nothing where all stands as printed; the units alone where the players only chose their places."""
    started, scenario = draft.started, draft.scenario
    on_map = {u: s for u, s in started.at.items() if s.place == "hex"}
    fresh = not any(s.reduced or s.place in ("dead", "left") for s in started.at.values())
    at_start = scenario.setup.at_start
    # Whoever is hidden from the reader may well be in place: of such a set-up no unit is said to be missing.
    unseen = tuple(u for p in at_start for u in p.units if u not in on_map) if started.veiled else ()
    chosen = whole and fresh and started.clock == first_clock(scenario) and not unseen
    printed = {u: p.hexes[0] for p in at_start if len(p.hexes) == 1 and not p.areas for u in p.units}
    if chosen and {u: s.hex for u, s in on_map.items()} == printed:
        return
    yield Item(start, st.SetupStart(0) if chosen else st.PositionStart(0, after=_over(draft)))
    order = {u: i for i, u in enumerate(scenario.counters)}
    for unit in sorted(on_map, key=lambda u: (order.get(u, len(order)), u)):
        placement = st.Placement(0, unit, on_map[unit].hex, on_map[unit].reduced)
        yield Item(started.placed.get(unit, start), placement, indent=True)
    if unseen:
        yield Item(start, message("logs.comment.unseen", units=unseen), indent=True)
    if not chosen:
        yield from _rest(draft, start)


def _over(draft: SheetDraft) -> tuple[int, str, str, int] | None:
    """The phase of the same turn that was over, where the first one is one of several of its kind.

    A sheet names the side and the kind of a phase; which it is, the tracker shows, and the phase before it tells.
    """
    clock, scenario = draft.blocks[0].clock if draft.blocks else draft.started.clock, draft.scenario
    place, game = place_of(clock, scenario), scenario.game
    if place is None or len(places_of(clock, scenario)) == 1:
        return None
    before = next((i for i in reversed(range(place)) if game.sequence[i].played(clock.turn)), None)
    # Where dice say who goes first, the phase before that of another side need not be the one before it here.
    if before is None or (game.order_die is not None and game.sequence[before].side != clock.side):
        return None
    over = reading_at(clock.turn, before, scenario)
    alike = [i for i in places_of(over, scenario) if game.sequence[i].played(clock.turn)]
    return over.turn, over.side, over.phase, alike.index(before) + 1 if len(alike) > 1 else 0


def _rest(draft: SheetDraft, start: Origin) -> Iterator[Item]:
    """Air points, the dead, and what a position cannot say of those that left."""
    started, rule = draft.started, draft.scenario.game.rules.combat.air
    if rule is not None and started.air:
        yield Item(start, st.AirPoints(0, rule.side, started.air), indent=True)
    for known in known_of(started.laid, draft.scenario, {u: s.hex for u, s in started.at.items() if s.hex}):
        yield Item(start, known, indent=True)
    for unit, spot in started.at.items():
        counter = draft.scenario.counters.get(unit)
        if counter is not None and spot.place == "dead":
            lost = st.LostUnit(0, counter.side, counter.type, counter.attack, counter.defence, counter.move)
            yield Item(start, lost, indent=True)
        elif counter is not None and spot.place == "left":
            yield Item(start, remark(unit, message("logs.comment.left-before")), indent=True)
