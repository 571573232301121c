"""From what happened to the markers of an extension, and was typed into the chat, to the lines of its sheet.

The two sources are laid over each other as in the sheets of whole games: a typed line and the drag that carries it
out are one, in either order. The tracker shows days and their parts alone: a phase is the one that a player typed,
else the one that the rule has for what was done. What no statement tells stands as a comment, and as a finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ...modulegen.module_marks import game_of
from ...modulegen.vassal.story import Event
from ...scenarios.text.words import Message, message
from ..notation import base, statements_accounts, statements_head
from .blocks import Item
from .chain import Chain, dice_of
from .draft import head, remark
from .legs import ActionTold, LogRead
from .locations import Origin, faces_told, note
from .tracks import (
    GONE,
    AccountListener,
    Acts,
    DayClock,
    Keeping,
    MarkerShift,
    Names,
    TrackSpot,
    days_of,
    port_level,
    spot_in,
    stocks,
    stood,
    totals,
)
from .typed import TypedLine, units_of

if TYPE_CHECKING:
    from ...modulegen.vassal.replay import PieceView
    from ...scenarios.model import Scenario
    from ...scenarios.schema.extension import LedgerFile
    from .tracks import TrackMarks


_SHOWN: Final = 200
_HEAD: Final = (
    statements_accounts.Piece,
    statements_accounts.MarkerCount,
    statements_head.OptionSetting,
    statements_head.Players,
    statements_head.Partial,
)
"""What stands above the first turn, whenever it is typed."""
_LOSSES: Final = (statements_accounts.Isolate, statements_accounts.Suffer, statements_accounts.Break)
_PLACED: Final = (statements_head.PositionStart, statements_head.Placement, statements_accounts.TrackLevel)


def keep(chain: Chain, marks: TrackMarks, game: Scenario, rules: LedgerFile) -> Keeping:
    """The sheet of a chain of logs played with an extension, or with the module of it that stands alone."""
    k = Keeping(game, marks, chain, Acts(game, rules), Names(game), AccountListener(game))
    module = chain.logs[0].game.module if chain.logs else None
    k.alone = module is not None and game_of(module.extra1) == game.name
    for number, log in enumerate(chain.logs):
        _begin(k, log, first=number == 0)
        for told in log.told:
            if told.undone or told.action.takes_back:
                _follow(k, told)
            else:
                _act(k, told)
    if chain.logs:
        _end_turn(k, Origin(chain.logs[-1].name, len(chain.logs[-1].told)))
    return k


def lines(k: Keeping) -> Iterator[Item]:
    """The whole sheet."""
    start = Origin(k.chain.logs[0].name, 0)
    said = {type(item.statement) for item in k.head}
    yield from head(k.chain, k.game, k.marks.sides, said)
    yield from k.head
    stand = [*k.start, *k.placed.values()]
    standing = (statements_head.Placement, statements_accounts.TrackLevel)
    if any(isinstance(item.statement, standing) for item in stand):
        yield Item(start, statements_head.PositionStart(0))
    yield from sorted(stand, key=lambda item: not isinstance(item.statement, standing))
    yield from k.items


# ------------------------------------------------------------------------------------------------ beginning


def _begin(k: Keeping, log: LogRead, *, first: bool) -> None:
    before = dict(k.at)
    k.at, k.views = {}, {}
    for view in log.start.pieces.values():
        k.views[view.id] = view
        k.at[view.id] = spot_in(k, view)
    clock = next((c for state in log.start.turns.values() if (c := days_of(k, state)) is not None), None)
    origin = Origin(log.name, 0)
    if first:
        days = k.game.days
        k.clock = clock
        k.setting_up = clock is None or (days is not None and clock == DayClock(days.first, 0))
        for view in k.views.values():
            stood(k, view, origin)
        stocks(k, origin)
        _note_turn(k)
        return
    for id_, spot in k.at.items():
        if id_ in before and before[id_] != spot:
            _tell(k, origin, k.views[id_], before[id_], spot)
    if clock is not None and clock != k.clock:
        _turn(k, clock, origin)
    _note_turn(k)


# --------------------------------------------------------------------------------------------------- actions


def _follow(k: Keeping, told: ActionTold) -> None:
    """Keep pace with an action that is not to be told."""
    for event in told.action.events:
        _changed(k, event)
        clock = days_of(k, event.after) if event.kind == "turn" else None
        if clock is not None:
            _turn(k, clock, told.origin)


def _changed(k: Keeping, event: Event) -> tuple[PieceView, TrackSpot, TrackSpot] | None:
    view = event.piece
    if view is None or event.kind not in ("move", "add", "remove", "change"):
        return None
    old = k.at.get(view.id, GONE)
    new = replace(GONE, face=old.face) if event.kind == "remove" else spot_in(k, view)
    k.at[view.id], k.views[view.id] = new, view
    return (view, old, new) if old != new else None


def _act(k: Keeping, told: ActionTold) -> None:
    """An action that stands."""
    origin, events = told.origin, told.action.events
    heard = {e.text: _heard(k, e.text) for e in events if e.kind == "chat"}
    k.heard[origin] = frozenset(text for text, said in heard.items() if said)
    for event in dice_of(told.action):
        k.thrown = event.numbers
        k.items.append(Item(origin, remark(event.text, faces_told(event.numbers))))
    for line in (line for said in heard.values() for line in said):
        _take(k, line, origin)
    changes = [change for event in events if (change := _changed(k, event)) is not None]
    for event in events:
        clock = days_of(k, event.after) if event.kind == "turn" else None
        if clock is not None:
            _turn(k, clock, origin)
    first: dict[str, TrackSpot] = {}
    for view, old, _ in changes:
        first.setdefault(view.id, old)
    for id_, old in first.items():
        if old != k.at[id_]:
            _tell(k, origin, k.views[id_], old, k.at[id_])


def _heard(k: Keeping, chat: str) -> list[TypedLine]:
    """What a line of the chat says; several things where semicolons part it in whole statements."""
    who, mark, text = chat.partition("> - ")
    parts = [k.listener.hear(f"{who}{mark}{part.strip()}") for part in text.split(";")] if ";" in text else []
    said = [line for line in parts if line is not None and line.statement is not None]
    if parts and len(said) == len(parts):
        return said
    line = k.listener.hear(chat)
    return [line] if line is not None else []


def _turn(k: Keeping, clock: DayClock, origin: Origin) -> None:
    if clock == k.clock:
        return
    _end_turn(k, origin)
    k.clock, k.given, k.setting_up = clock, False, False
    _note_turn(k)


def _note_turn(k: Keeping) -> None:
    k.since, k.begin, k.level, k.thrown = len(k.items), totals(k), port_level(k), ()


def _end_turn(k: Keeping, origin: Origin) -> None:
    """What the tracks of points show at the end of a turn, against what its lines say of them."""
    now = totals(k)
    for account in now:
        gained = now[account] - k.begin.get(account, 0)
        if gained:
            _account(k, origin, account, gained, now[account])


def _account(k: Keeping, origin: Origin, account: str, gained: int, total: int) -> None:
    said = [item for item in k.items[k.since :] if item.statement is not None]
    repairs = [item for item in said if isinstance(item.statement, statements_accounts.Repair)]
    if account == "points" and gained < 0 and repairs:
        last = repairs[-1]
        if isinstance(last.what, statements_accounts.Repair) and last.what.points is None:
            last.what = replace(last.what, points=-gained)
        return
    if account == "record":
        used = sum(
            _steps(s)
            for i in said
            if isinstance(s := i.statement, statements_accounts.Replace) and s.account == "record"
        )
        entered = sum(s.points for i in said if isinstance(s := i.statement, statements_accounts.Record))
        if gained == entered - used:
            return
        if gained > entered - used:
            _emit(k, Item(origin, statements_accounts.Record(0, gained - entered + used), read=True))
            return
        k.noted.append(note(origin, "untold", unit=account, told=f"{gained:+}"))
    _emit(k, Item(origin, statements_accounts.Stock(0, account, total), read=True))


def _steps(s: statements_accounts.Replace) -> int:
    return 1 if s.steps is None else s.steps


# ----------------------------------------------------------------------------------------------------- lines


def _take(k: Keeping, line: TypedLine, origin: Origin) -> None:
    """A typed line, in place of what was read from the map in the same turn, if that is the same."""
    s = line.statement
    misplaced = isinstance(s, _PLACED) and bool(k.open)
    if line.why or misplaced:
        k.items.append(Item(origin, message("logs.comment.not-taken", text=line.text[:_SHOWN])))
        k.noted.append(note(origin, line.why or "not-understood", text=line.text[:_SHOWN]))
        return
    if s is None:
        k.items.append(Item(origin, line.text))
    elif isinstance(s, _HEAD) or (
        line.marked and isinstance(s, statements_head.SheetVersion | statements_head.GameName | _PLACED)
    ):
        k.head.append(Item(origin, s, indent=isinstance(s, statements_head.Placement)))
    elif isinstance(s, statements_accounts.DayStart):
        if k.open is None or k.open.key[:3] != s.key[:3]:
            _end_turn(k, origin)
            _note_turn(k)
        k.items.append(Item(origin, s))
        k.open, k.given, k.setting_up = s, True, False
    elif k.setting_up and k.open is None and _of_beginning(k, s):
        k.placed.pop(getattr(s, "unit", ""), None)
        k.start.append(Item(origin, s))
    else:
        _held_against_dice(k, s, origin)
        read = [i for i in k.items[k.since :] if i.read and i.statement is not None and _same(i.statement, s)]
        k.items = [i for i in k.items if not any(i is gone for gone in read)]
        _emit(k, Item(origin, s))


def _of_beginning(k: Keeping, s: base.Statement) -> bool:
    """Whether a typed line says how the game begins, above the first turn."""
    hidden = k.acts.rules.hidden_guns
    if isinstance(s, statements_accounts.Place):
        return hidden is not None and s.unit in hidden.markers
    return isinstance(s, statements_accounts.Choose | statements_accounts.Stock | statements_accounts.Attach) or (
        isinstance(s, statements_accounts.Fact) and k.clock is None
    )


def _held_against_dice(k: Keeping, s: base.Statement, origin: Origin) -> None:
    if isinstance(s, statements_accounts.Throw) and k.thrown and s.face not in k.thrown:
        k.noted.append(note(origin, "other-dice", typed=str(s.face), thrown=faces_told(k.thrown)))


def _same(a: base.Statement, b: base.Statement) -> bool:
    """Whether one of two statements, a typed one and what the map shows, tells what the other does."""
    if isinstance(a, _LOSSES) and isinstance(b, _LOSSES):
        return a.unit == b.unit
    if type(a) is not type(b):
        return False
    match a, b:
        case ((statements_accounts.Demolish() | statements_accounts.Repair()), _):
            return True
        case statements_accounts.Go(path=one), statements_accounts.Go(path=other) if one[-1] != other[-1]:
            return False
        case statements_accounts.Place(hex=here), statements_accounts.Place(hex=there) if here != there:
            return False
    return bool(set(units_of(a)) & set(units_of(b)))


def _emit(k: Keeping, item: Item) -> None:
    """A line of play, below the line of its phase."""
    s, clock = item.statement, k.clock
    if s is None or k.given or not isinstance(s, base.Play | statements_accounts.Fact | statements_accounts.Place):
        k.items.append(item)
        return
    if clock is None:
        k.items.append(replace(item, aside=True))
        k.noted.append(note(item.origin, "undated"))
        return
    want = k.acts.phase_for(s)
    parts = k.game.days.parts if k.game.days else ()
    now = (clock.day.month, clock.day.day, parts[clock.part])
    turned = not k.given and (k.open is None or (k.open.month, k.open.day, k.open.part) != now)
    if turned or (want and not k.given and k.open is not None and k.open.phase != want):
        phase = want or k.acts.any_phase()
        k.open = statements_accounts.DayStart(0, now[1], now[0], now[2], phase, 0, "")
        k.items.append(Item(item.origin, k.open))
    k.items.append(item)


def _tell(k: Keeping, origin: Origin, view: PieceView, old: TrackSpot, new: TrackSpot) -> None:
    """A piece went elsewhere, or was turned over."""
    id_ = k.names.name(view)
    put = message("logs.comment.put", before=_spot_name(old), after=_spot_name(new))
    if not id_:
        _masked(k, view, old, new)
        if not old.same(new):
            (k.start if k.setting_up else k.items).append(Item(origin, remark(view.name or view.id, put)))
        return
    k.known[view.id] = id_
    kind = view.properties.get("Kind", "")
    if kind == k.acts.port_marker():
        _ported(k, origin)
        return
    if k.acts.worth(kind)[0]:
        return  # at the end of the turn
    if k.setting_up and _set_up(k, origin, MarkerShift(id_, kind, old, new)):
        return
    said = k.acts.of(MarkerShift(id_, kind, old, new))
    if said is None:
        k.items.append(Item(origin, remark(id_, put)))
        _untold(k, origin, id_, put)
    for s in said or ():
        _read(k, origin, s)


def _masked(k: Keeping, view: PieceView, old: TrackSpot, new: TrackSpot) -> None:
    """A marker that everybody saw being placed was turned face down; where it went since then nobody saw."""
    id_ = k.known.get(view.id, "")
    item = k.placed.get(id_)
    if item is None or not isinstance(item.what, statements_accounts.Place):
        return
    if old.same(new):
        item.what = replace(item.what, hidden=True, shown=False)
    else:
        del k.placed[id_]


def _spot_name(spot: TrackSpot) -> str:
    return spot.told or "–"


def _untold(k: Keeping, origin: Origin, id_: str, put: Message) -> None:
    typed = (i.statement for i in k.items[k.since :] if i.statement is not None and not i.read)
    if not any(id_ in (*units_of(s), getattr(s, "company", "")) for s in typed):
        k.noted.append(note(origin, "untold", unit=id_, told=put).on((id_,)))


def _set_up(k: Keeping, origin: Origin, shift: MarkerShift) -> bool:
    """Whether a marker is put where it begins: one of those that no rule brings onto the map."""
    rules, hex_ = k.acts.rules, shift.new.hex
    hidden = rules.hidden_guns is not None and shift.kind in rules.hidden_guns.markers
    fixed = rules.fixed_guns is not None and shift.kind == rules.fixed_guns.marker
    frail = rules.frail is not None and shift.kind in map(k.acts.kind_of, rules.frail.kinds)
    if not (hidden or fixed or frail):
        return False
    k.placed.pop(shift.id, None)
    if hidden and hex_:
        down = shift.new.hidden
        k.placed[shift.id] = Item(origin, statements_accounts.Place(0, shift.id, hex_, hidden=down, shown=not down))
    elif hex_:
        k.placed[shift.id] = Item(
            origin, statements_head.Placement(0, shift.id, hex_, shift.new.face > 1), indent=True
        )
    return True


def _ported(k: Keeping, origin: Origin) -> None:
    """The port's marker, of which a turn tells where it has come to."""
    now = port_level(k)
    k.items = [
        i
        for n, i in enumerate(k.items)
        if n < k.since
        or not (i.read and isinstance(i.what, statements_accounts.Demolish | statements_accounts.Repair))
    ]
    if now == k.level:
        return
    if now is None:
        put = message("logs.comment.put", before=str(k.level), after="–")
        k.noted.append(note(origin, "untold", unit=k.acts.port_marker(), told=put))
        k.items.append(Item(origin, remark(k.acts.port_marker(), put)))
    elif k.level is None or now < k.level:
        _read(k, origin, statements_accounts.Demolish(0, now))
    else:
        _read(k, origin, statements_accounts.Repair(0, now - k.level))


def _read(k: Keeping, origin: Origin, s: base.Statement) -> None:
    """A statement that was read from the map: told once in a turn, and not where a player typed it."""
    this_turn = k.items[k.since :]
    if any(not i.read and i.statement is not None and _same(s, i.statement) for i in this_turn):
        return
    if isinstance(s, statements_accounts.Go):
        for item in this_turn:
            went = item.what if item.read else None
            if isinstance(went, statements_accounts.Go) and went.units == s.units and went.path[-1] == s.path[0]:
                item.what = replace(went, path=_led_on(went.path, s.path[-1]))
                if len(item.what.path) == 1:
                    k.items = [i for i in k.items if i is not item]
                return
    _emit(k, Item(origin, s, read=True))


def _led_on(path: tuple[str, ...], new: str) -> tuple[str, ...]:
    """A way that goes on to a hex; one that comes back to where it was, was a slip from there on."""
    return path[: path.index(new) + 1] if new in path else (*path, new)


def touched(k: Keeping) -> bool:
    """Whether anything was said of the game, or done with its markers."""
    return any(item.statement is not None for item in (*k.head, *k.items, *k.placed.values()))
