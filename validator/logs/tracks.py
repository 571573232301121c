"""Markers on an extension's tracks: where they are, what moving them means, the sheet of accounts.

Where a marker of an extension is, which one it is, and what the turn tracker of such a game shows.

By what a log of an extension of ours is known: the mark that its sheet of tracks leaves in every log.

The sheet of a game with an extension as far as it is written, and what its markers and tracker show.

What players type into the chat in the words of a game that is judged by accounts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final, Literal

from ...modulegen.vassal.encoding import decode
from ...scenarios.schema.markers import WAITING
from ..notation import base, statements_accounts, statements_head
from ..notation.cursor import UNIT as UNIT_ID
from .blocks import Item
from .chain import Chain
from .draft import remark
from .locations import Box, Noted, Origin, number
from .typed import Listener, TypedLine, units_of

if TYPE_CHECKING:
    from ...modulegen.vassal.replay import PieceView
    from ...scenarios.model import Scenario
    from ...scenarios.schema.extension import HiddenGuns, LedgerFile
    from ...scenarios.schema.markers import Marker
    from .locations import Marks


MARK: Final = "HexforgeSheet"
_MARK: Final = re.compile(r"hexforge 1 ([a-z0-9_-]{1,64}) ([0-9a-f]{64}) (\{.{1,20000}\})", re.DOTALL)
_TRACKS_MOST: Final = 500


@dataclass(frozen=True, slots=True)
class TrackMarks:
    """What a sheet of tracks says of itself.

    `digest`: SHA-256 of the extension's data that it was built from. `map`: the name of its window; `boxes`: track,
    box, and its corners in pixels. `sides`: from the name that players see to the extension's id.
    """

    game: str
    digest: str
    map: str
    boxes: tuple[tuple[str, str, Box], ...]
    sides: Mapping[str, str] = field(default_factory=dict)

    def box_at(self, x: int, y: int) -> tuple[str, str]:
        """The track and the box that a pixel of the sheet lies in; "" for none."""
        found = ((t, b) for t, b, (x1, y1, x2, y2) in self.boxes if x1 <= x < x2 and y1 <= y < y2)
        return next(found, ("", ""))


def track_marks(properties: Mapping[str, str]) -> TrackMarks | None:
    """The mark among a log's properties; None where there is none, or none that makes sense."""
    found = _MARK.fullmatch(properties.get(MARK, ""))
    if found is None:
        return None
    try:
        return _marks(found[1], found[2], json.loads(found[3]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _marks(game: str, digest: str, said: dict[str, Any]) -> TrackMarks:
    boxes = []
    for track, box, *corners in said["boxes"][:_TRACKS_MOST]:
        x1, y1, x2, y2 = map(number, corners)
        boxes.append((str(track), str(box), (x1, y1, x2, y2)))
    name = said["map"]
    if not isinstance(name, str) or not name:
        raise ValueError("no name")
    return TrackMarks(game, digest, name, tuple(boxes), {str(a): str(b) for a, b in said["sides"].items()})


MARKER: Final = "MarkerId"
KIND: Final = "Kind"
NUMBER: Final = "Number"
FACE: Final = "Face_Level"
MASKED: Final = "ObscuredToOthers"
_MOST: Final = 999

Place = Literal["box", "hex", "beside", "gone"]


@dataclass(frozen=True, slots=True)
class TrackSpot:
    """A box of a track, a hex, somewhere beside both on a map, or nowhere. `face` counts from 1."""

    place: Place
    track: str = ""
    box: str = ""
    hex: str = ""
    where: str = ""
    face: int = 1
    hidden: bool = False

    @property
    def told(self) -> str:
        """As a comment names it; "" for nowhere."""
        return self.hex or (f"{self.track} {self.box}" if self.track else self.where)

    def same(self, other: TrackSpot) -> bool:
        """Whether both are one place, whatever the face."""
        return (self.place, self.track, self.box, self.hex, self.where) == (
            other.place, other.track, other.box, other.hex, other.where
        )  # fmt: skip


GONE: Final = TrackSpot("gone")


def spot_of(view: PieceView, marks: TrackMarks, other: Marks | None, letters: str) -> TrackSpot:
    """Where a piece is. `other`: the marks of the module below an extension; `letters`: those of its maps."""
    shown = view.properties.get(FACE, "1")
    face = int(shown) if shown.isdecimal() and len(shown) < 3 else 1
    hidden = view.masked or view.properties.get(MASKED) == "true"
    if view.hidden or view.map is None or view.x is None or view.y is None:
        return TrackSpot("gone", face=face, hidden=hidden)
    if view.map == marks.map:
        track, box = marks.box_at(view.x, view.y)
        where = "" if track else view.map
        return TrackSpot("box" if track else "beside", track, box, "", where, face, hidden)
    named = view.location or ""
    if not named and other is not None and view.map == other.main:
        named = other.hex_at(view.x, view.y)
    hex_ = hex_in(named, letters)
    place: Place = "hex" if hex_ else "beside"
    return TrackSpot(place, "", "", hex_, "" if hex_ else f"{view.map} {named}".strip(), face, hidden)


def hex_in(named: str, letters: str) -> str:
    """The hex of a lettered map that a location is named by: `B1410`, `B 1410`, `Map B: 1410`; "" for none."""
    if not letters:
        return ""
    found = re.search(rf"(?<![A-Za-z0-9])([{letters}])\W{{0,3}}([0-9]{{4}})(?![0-9])", named)
    return found[1] + found[2] if found else ""


class Names:
    """What pieces are called: by the id of a marker that there is once, else by its kind and a number.

    The number is the one that players wrote on it; a marker without one gets the first that is free.
    """

    def __init__(self, game: Scenario) -> None:
        self.game = game
        self._given: dict[str, str] = {}

    def marker(self, view: PieceView) -> Marker | None:
        """The marker of the game that a piece is, as far as it can be seen."""
        return None if view.hidden or view.masked else self.game.game.markers.get(view.properties.get(KIND, ""))

    def name(self, view: PieceView) -> str:
        """The id of a piece; "" for one that is no marker of the game, or shows nobody which."""
        marker = self.marker(view)
        if marker is None:
            return ""
        kind, id_ = view.properties[KIND], view.properties.get(MARKER, "")
        if not marker.numbered or id_ != kind:
            known = id_ == kind or re.fullmatch(f"{re.escape(kind)}-[0-9]{{1,3}}", id_)
            return id_ if known and UNIT_ID.fullmatch(id_) else ""
        written = view.properties.get(NUMBER, "").strip()
        if re.fullmatch("[1-9][0-9]{0,2}", written):
            self._given.setdefault(view.id, f"{kind}-{written}")
        if view.id not in self._given:
            taken = set(self._given.values())
            free = next((n for n in range(1, _MOST + 1) if f"{kind}-{n}" not in taken), 0)
            if not free:
                return ""
            self._given[view.id] = f"{kind}-{free}"
        return self._given[view.id]


@dataclass(frozen=True, slots=True)
class DayClock:
    """What the tracker of days shows: a day, and which part of it, counted from 0."""

    day: date
    part: int


def read_days(state: str, game: Scenario) -> DayClock | None:
    """The state of a tracker of days with their parts; None for any other."""
    days = game.days
    if days is None:
        return None
    try:
        outer = decode(decode(state, "|")[-1], ";")
        day, part = int(outer[0]), int(decode(outer[4], ";")[0])
    except (IndexError, ValueError):
        return None
    if not 0 <= day <= (days.last - days.first).days or not 0 <= part < len(days.parts):
        return None
    return DayClock(days.first + timedelta(days=day), part)


@dataclass(frozen=True, slots=True)
class MarkerShift:
    """A marker that went elsewhere, or was turned over: its id, and its kind as the game's files call it."""

    id: str
    kind: str
    old: TrackSpot
    new: TrackSpot


class Acts:
    """The rules of a game, asked what the ways of its markers mean."""

    def __init__(self, game: Scenario, rules: LedgerFile) -> None:
        self.game = game
        self.rules = rules

    def kind_of(self, kind: str | None) -> str | None:
        """The marker of a kind of piece."""
        spec = self.rules.pieces.get(kind or "")
        return spec.marker if spec is not None else None

    def track_of(self, marker: str) -> str:
        """The track that a marker begins on; "" for none."""
        found: Marker | None = self.game.game.markers.get(marker)
        return (found.start.track or "") if found is not None and found.start is not None else ""

    def of(self, shift: MarkerShift) -> list[base.Statement] | None:
        """What a shift says; None for one that no statement tells."""
        rules, id_, kind, old, new = self.rules, shift.id, shift.kind, shift.old, shift.new
        on_map, off, came = old.place == "hex", new.place in ("box", "gone"), old.place in ("box", "gone")
        if rules.carriers and kind == self.kind_of(rules.carriers.kind):
            if came:
                return [] if off else [statements_accounts.Truck(0, id_, new.hex)]
            return [statements_accounts.Destroy(0, (id_,))] if off else _marched(shift)
        if rules.battle_groups and kind == self.kind_of(rules.battle_groups.kind):
            lost = rules.battle_groups.lost
            if new.place == "box" and new.track == lost:
                return [statements_accounts.Destroy(0, (id_,))]
            if new.place == "hex" and not on_map:
                return [statements_accounts.Place(0, id_, new.hex)]
            if came and off and old.track != lost:
                return []
            return _marched(shift) if on_map else None
        if rules.hidden_guns and kind in rules.hidden_guns.markers:
            return self._hidden(shift, rules.hidden_guns)
        if rules.frail and kind in map(self.kind_of, rules.frail.kinds) and old.same(new):
            steps = new.face - old.face
            turned = statements_accounts.Suffer if steps > 0 else statements_accounts.Replace
            return [turned(0, id_, abs(steps))] if steps else []
        if on_map and off:
            return [statements_accounts.Destroy(0, (id_,))]
        return _marched(shift) if on_map else None

    @staticmethod
    def _hidden(shift: MarkerShift, rule: HiddenGuns) -> list[base.Statement] | None:
        old, new, guns = shift.old, shift.new, shift.kind == rule.markers[0]
        if new.place == "hex" and old.same(new):
            if new.hidden or not old.hidden:
                return []
            if new.hex not in (rule.home, rule.moved):
                return None
            other = rule.moved if new.hex == rule.home else rule.home
            return [statements_accounts.Choose(0, rule.guns, new.hex if guns else other)]
        if old.place != "hex":
            placed = statements_accounts.Place(0, shift.id, new.hex, hidden=new.hidden, shown=not new.hidden)
            return [placed] if new.place == "hex" else []
        if new.place in ("box", "gone"):
            # Of the one that shows that the guns are elsewhere nothing is lost.
            return [statements_accounts.Destroy(0, (rule.guns,))] if guns else []
        return _marched(shift)

    # -------------------------------------------------------------------------------------------- tracks

    def port_marker(self) -> str:
        """The marker that shows how far the port is destroyed; "" for none."""
        port = self.rules.port
        return next((m for m in self.game.game.markers if port and self.track_of(m) == port.track), "")

    def level(self, spot: TrackSpot) -> int | None:
        """The level that a place of that marker says; None where it has not begun, or says none."""
        port = self.rules.port
        fits = port is not None and spot.track == port.track and spot.box not in ("", WAITING)
        return int(spot.box) if fits and spot.box.isdecimal() else None

    def worth(self, marker: str) -> tuple[str, int]:
        """The account that a marker counts, and how much a box of it is worth; ("", 0) for one that counts none."""
        track = self.track_of(marker)
        account = next((name for name, its in self.accounts() if its == track), "")
        if not track or not account:
            return "", 0
        figures = "".join(c for c in self.game.game.markers[marker].faces[0].large if c.isdecimal())
        return account, int(figures or "1")

    def accounts(self) -> Iterator[tuple[str, str]]:
        """The accounts that have tracks, by the words of sheets."""
        port, cut = self.rules.port, self.rules.cut_off
        if port is not None and port.repair.track:
            yield "points", port.repair.track
        if cut is not None and cut.losses:
            yield "losses", cut.losses
        if cut is not None and cut.points:
            yield "record", cut.points

    # -------------------------------------------------------------------------------------------- phases

    def phase_for(self, s: base.Statement) -> str:
        """The phase that a rule has for what a statement says; "" where it has none."""
        rules, when = self.rules, None
        match s:
            case statements_accounts.Truck() if rules.carriers:
                when = rules.carriers.received
            case statements_accounts.Go(units=units) if rules.carriers and self._all_of(units, rules.carriers.kind):
                when = rules.carriers.moved
            case statements_accounts.Place(unit=u) if rules.battle_groups:
                when = rules.battle_groups.placed if self._all_of((u,), rules.battle_groups.kind) else None
            case statements_accounts.Demolish() if rules.port:
                when = rules.port.begun
            case statements_accounts.Repair() if rules.port:
                when = rules.port.repair.when
        return next(iter(when.phases), "") if when is not None else ""

    def _all_of(self, units: tuple[str, ...], kind: str) -> bool:
        marker = self.kind_of(kind)
        return marker is not None and all(u.startswith(f"{marker}-") for u in units)

    def any_phase(self) -> str:
        """A phase that every turn has, for what belongs to none."""
        moved = self.rules.carriers.moved.phases if self.rules.carriers else ()
        every = (phase.id for phase in self.game.day_phases if not phase.turns)
        return next(iter(moved), "") or next(every, "") or self.game.day_phases[0].id


def _marched(shift: MarkerShift) -> list[base.Statement] | None:
    """A way from hex to hex, of which only the ends are seen."""
    if shift.old.same(shift.new):
        return []
    if shift.new.place != "hex":
        return None
    way = (shift.old.hex, shift.new.hex) if shift.old.hex else (shift.new.hex,)
    return [statements_accounts.Go(0, (shift.id,), way)]


_MARKED: Final = (
    statements_head.SheetVersion,
    statements_head.GameName,
    statements_head.Placement,
    statements_head.PositionStart,
    statements_accounts.TrackLevel,
)
"""What a line says only where it is marked as one of the sheet."""
_DECLARING: Final = (
    statements_accounts.Piece,
    statements_accounts.DayStart,
    statements_accounts.Fact,
    statements_accounts.MarkerCount,
    statements_accounts.Capture,
    statements_accounts.Stock,
)
"""What names nothing that another line would have to declare."""


class AccountListener(Listener):
    """Hears such statements in chat lines: the units are those that lines declare."""

    def __init__(self, game: Scenario) -> None:
        self._use(game)
        self._kinds = tuple(re.escape(kind) for kind in game.game.markers)
        self._markers = re.compile(rf"(?:{'|'.join(self._kinds)})(?:-[0-9]{{1,3}})?")
        ledger = game.ledger
        guns = [ledger.hidden_guns.guns] if ledger is not None and ledger.hidden_guns else []
        landing = ledger.landing if ledger is not None else None
        self._units = {*guns, *((landing.unit, landing.other) if landing else ())}
        self._hexes, self._codes = frozenset(), set()

    def _note(self, statement: base.Statement | None) -> None:
        if isinstance(statement, statements_accounts.Piece):
            self._units.add(statement.unit)

    def _believable(self, statement: base.Statement) -> bool:
        """Of a game of which little is known, talk is a statement where it names what a line has declared."""
        if isinstance(statement, _MARKED):
            return False
        if isinstance(statement, _DECLARING):
            return True
        if isinstance(statement, statements_head.OptionSetting):
            return statement.name in self._options
        named = units_of(statement)
        return all(u in self._units or self._markers.fullmatch(u) for u in named)

    def _declared(self, chat: str) -> TypedLine | None:
        """A module of such a game says nothing in the words of sheets."""
        return None


@dataclass
class Keeping:
    """The sheet of one game, as far as it is written.

    `at`: where each piece is, by its id in the log; `views`: how it was last seen. `begin`, `level`: the accounts
    and the port as the turn began. `placed`: what was put where it begins; `known`: what pieces were called when
    they could be seen. `since`: the first line of the turn; `open`: the phase that was written last.
    """

    game: Scenario
    marks: TrackMarks
    chain: Chain
    acts: Acts
    names: Names
    listener: AccountListener
    head: list[Item] = field(default_factory=list)
    start: list[Item] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    noted: list[Noted] = field(default_factory=list)
    heard: dict[Origin, frozenset[str]] = field(default_factory=dict)
    at: dict[str, TrackSpot] = field(default_factory=dict)
    views: dict[str, PieceView] = field(default_factory=dict)
    alone: bool = False
    clock: DayClock | None = None
    open: statements_accounts.DayStart | None = None
    given: bool = False
    since: int = 0
    begin: dict[str, int] = field(default_factory=dict)
    level: int | None = None
    placed: dict[str, Item] = field(default_factory=dict)
    known: dict[str, str] = field(default_factory=dict)
    setting_up: bool = False
    thrown: tuple[int, ...] = ()


def days_of(k: Keeping, state: str | None) -> DayClock | None:
    """What the tracker shows. The module that an extension lies on has one of its own, which says other things."""
    return read_days(state or "", k.game) if k.alone else None


def spot_in(k: Keeping, view: PieceView) -> TrackSpot:
    """Where a piece is, as these rules name places."""
    letters = k.game.letters
    return spot_of(view, k.marks, k.chain.marks, letters)


def stood(k: Keeping, view: PieceView, origin: Origin) -> None:
    """A piece as the first log begins: what stands in no box that it begins in is said."""
    id_, spot = k.names.name(view), k.at[view.id]
    if not id_:
        if view.masked and spot.place != "gone":
            k.start.append(Item(origin, remark(view.name or "?", spot.told)))
        return
    kind, rules = view.properties.get("Kind", ""), k.acts.rules
    if kind == k.acts.port_marker():
        level = k.acts.level(spot)
        if level is not None:
            k.start.append(Item(origin, statements_accounts.TrackLevel(0, level, spot.face > 1), indent=True))
        elif spot.face > 1:
            k.start.append(Item(origin, statements_accounts.Capture(0)))
    elif rules.hidden_guns and kind in rules.hidden_guns.markers and spot.place == "hex":
        k.placed[id_] = Item(
            origin, statements_accounts.Place(0, id_, spot.hex, hidden=spot.hidden, shown=not spot.hidden)
        )
    elif spot.place == "hex":
        k.start.append(Item(origin, statements_head.Placement(0, id_, spot.hex, spot.face > 1), indent=True))
    elif rules.battle_groups and spot.track and spot.track == rules.battle_groups.lost:
        k.start.append(Item(origin, statements_accounts.Destroy(0, (id_,))))
    elif spot.place == "beside" and rules.carriers and kind == k.acts.kind_of(rules.carriers.kind):
        k.start.append(Item(origin, statements_accounts.Truck(0, id_)))
    elif spot.place == "beside":
        k.start.append(Item(origin, remark(id_, spot.told)))


def stocks(k: Keeping, origin: Origin) -> None:
    """What the accounts show. A track that nobody has touched says nothing of points."""
    for account, total in totals(k).items():
        if total:
            k.start.append(Item(origin, statements_accounts.Stock(0, account, total)))


def totals(k: Keeping) -> dict[str, int]:
    """What each account shows, in points."""
    found: dict[str, int] = {}
    for id_, view in k.views.items():
        account, worth = k.acts.worth(view.properties.get("Kind", "")) if k.names.marker(view) else ("", 0)
        spot = k.at[id_]
        if account and spot.box.isdecimal() and spot.track in dict(k.acts.accounts()).values():
            found[account] = found.get(account, 0) + worth * int(spot.box)
    return found


def port_level(k: Keeping) -> int | None:
    """The level at which the port's marker stands; None where it stands on no level."""
    marker = k.acts.port_marker()
    spots = (k.at[id_] for id_, v in k.views.items() if marker and v.properties.get("Kind") == marker)
    return next((k.acts.level(spot) for spot in spots), None)
