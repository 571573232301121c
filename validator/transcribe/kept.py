"""The sheet of a game with an extension as far as it is written, and what its markers and tracker show."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation import statements_ledger as sl
from hexforge.validator.transcribe.blocks import Item
from hexforge.validator.transcribe.chain import Chain
from hexforge.validator.transcribe.draft import remark
from hexforge.validator.transcribe.noted import Noted, Origin
from hexforge.validator.transcribe.track_acts import Acts
from hexforge.validator.transcribe.track_spots import DayClock, Names, TrackSpot, read_days, spot_of
from hexforge.validator.transcribe.typed_accounts import AccountListener

if TYPE_CHECKING:
    from hexforge.modulegen.vassal.replay import PieceView
    from hexforge.scenarios.extended import Extension
    from hexforge.validator.transcribe.tracks import TrackMarks


@dataclass
class Keeping:
    """The sheet of one game, as far as it is written.

    `at`: where each piece is, by its id in the log; `views`: how it was last seen. `begin`, `level`: the accounts
    and the port as the turn began. `placed`: what was put where it begins; `known`: what pieces were called when
    they could be seen. `since`: the first line of the turn; `open`: the phase that was written last.
    """

    game: Extension
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
    open: sl.DayStart | None = None
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
    letters = "".join(m.letter for m in k.game.game.maps)
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
            k.start.append(Item(origin, sl.TrackLevel(0, level, spot.face > 1), indent=True))
        elif spot.face > 1:
            k.start.append(Item(origin, sl.Capture(0)))
    elif rules.hidden_guns and kind in rules.hidden_guns.markers and spot.place == "hex":
        k.placed[id_] = Item(origin, sl.Place(0, id_, spot.hex, hidden=spot.hidden, shown=not spot.hidden))
    elif spot.place == "hex":
        k.start.append(Item(origin, st.Placement(0, id_, spot.hex, spot.face > 1), indent=True))
    elif rules.battle_groups and spot.track and spot.track == rules.battle_groups.lost:
        k.start.append(Item(origin, sl.Destroy(0, (id_,))))
    elif spot.place == "beside" and rules.carriers and kind == k.acts.kind_of(rules.carriers.kind):
        k.start.append(Item(origin, sl.Truck(0, id_)))
    elif spot.place == "beside":
        k.start.append(Item(origin, remark(id_, spot.told)))


def stocks(k: Keeping, origin: Origin) -> None:
    """What the accounts show. A track that nobody has touched says nothing of points."""
    for account, total in totals(k).items():
        if total:
            k.start.append(Item(origin, sl.Stock(0, account, total)))


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
