"""What it means that a marker of an extension goes from one place to another, as statements of its sheets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.scenarios.schema.supplies import WAITING
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation import statements_ledger as sl
from hexforge.validator.transcribe.track_spots import TrackSpot

if TYPE_CHECKING:
    from hexforge.scenarios.extended import Extension
    from hexforge.scenarios.schema.ledger import LedgerFile
    from hexforge.scenarios.schema.supplies import Marker


@dataclass(frozen=True, slots=True)
class MarkerShift:
    """A marker that went elsewhere, or was turned over: its id, and its kind as the game's files call it."""

    id: str
    kind: str
    old: TrackSpot
    new: TrackSpot


class Acts:
    """The rules of a game, asked what the ways of its markers mean."""

    def __init__(self, game: Extension, rules: LedgerFile) -> None:
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

    def of(self, shift: MarkerShift) -> list[st.Statement] | None:
        """What a shift says; None for one that no statement tells."""
        rules, kind, new = self.rules, shift.kind, shift.new
        if rules.carriers and kind == self.kind_of(rules.carriers.kind):
            return self._carrier(shift)
        if rules.battle_groups and kind == self.kind_of(rules.battle_groups.kind):
            return self._group(shift)
        if rules.frail and kind in map(self.kind_of, rules.frail.kinds):
            return self._battalion(shift)
        if rules.hidden_guns and kind in rules.hidden_guns.markers:
            return self._hidden(shift)
        if shift.old.place == "hex" and new.place in ("box", "gone"):
            return [sl.Destroy(0, (shift.id,))]
        return _marched(shift) if shift.old.place == "hex" else None

    def _carrier(self, shift: MarkerShift) -> list[st.Statement] | None:
        old, new = shift.old, shift.new
        out = new.place in ("hex", "beside")
        if old.place in ("box", "gone"):
            return [sl.Truck(0, shift.id, new.hex)] if out else []
        if not out:
            return [sl.Destroy(0, (shift.id,))]
        return _marched(shift)

    def _group(self, shift: MarkerShift) -> list[st.Statement] | None:
        old, new = shift.old, shift.new
        lost = self.rules.battle_groups.lost if self.rules.battle_groups else None
        if new.place == "box" and new.track == lost:
            return [sl.Destroy(0, (shift.id,))]
        if new.place == "hex" and old.place != "hex":
            return [sl.Place(0, shift.id, new.hex)]
        if old.place in ("box", "gone") and old.track != lost and new.place in ("box", "gone"):
            return []
        return _marched(shift) if old.place == "hex" else None

    def _battalion(self, shift: MarkerShift) -> list[st.Statement] | None:
        old, new = shift.old, shift.new
        if old.same(new):
            steps = new.face - old.face
            if steps == 0:
                return []
            return [sl.Suffer(0, shift.id, steps) if steps > 0 else sl.Replace(0, shift.id, -steps)]
        if old.place == "hex" and new.place in ("box", "gone"):
            return [sl.Destroy(0, (shift.id,))]
        return _marched(shift) if old.place == "hex" else None

    def _hidden(self, shift: MarkerShift) -> list[st.Statement] | None:
        old, new = shift.old, shift.new
        rule = self.rules.hidden_guns
        assert rule is not None
        if new.place == "hex" and old.same(new):
            if new.hidden or not old.hidden:
                return []
            if new.hex not in (rule.home, rule.moved):
                return None
            other = rule.moved if new.hex == rule.home else rule.home
            return [sl.Choose(0, rule.guns, new.hex if shift.kind == rule.markers[0] else other)]
        if new.place == "hex" and old.place != "hex":
            return [sl.Place(0, shift.id, new.hex, hidden=new.hidden, shown=not new.hidden)]
        if old.place == "hex" and new.place in ("box", "gone"):
            # Of the one that shows that the guns are elsewhere nothing is lost.
            return [sl.Destroy(0, (rule.guns,))] if shift.kind == rule.markers[0] else []
        return _marched(shift) if old.place == "hex" else []

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

    def phase_for(self, s: st.Statement) -> str:
        """The phase that a rule has for what a statement says; "" where it has none."""
        rules, whens = self.rules, []
        match s:
            case sl.Truck() if rules.carriers:
                whens = [rules.carriers.received]
            case sl.Go(units=units) if rules.carriers and self._all_of(units, rules.carriers.kind):
                whens = [rules.carriers.moved]
            case sl.Place(unit=unit) if rules.battle_groups and self._all_of((unit,), rules.battle_groups.kind):
                whens = [rules.battle_groups.placed]
            case sl.Demolish() if rules.port:
                whens = [rules.port.begun]
            case sl.Repair() if rules.port:
                whens = [rules.port.repair.when]
        return next((phase for when in whens for phase in when.phases), "")

    def _all_of(self, units: tuple[str, ...], kind: str) -> bool:
        marker = self.kind_of(kind)
        return marker is not None and all(u.startswith(f"{marker}-") for u in units)

    def any_phase(self) -> str:
        """A phase that every turn has, for what belongs to none."""
        moved = self.rules.carriers.moved.phases if self.rules.carriers else ()
        every = (phase.id for phase in self.game.game.phases if not phase.turns)
        return next(iter(moved), "") or next(every, "") or self.game.game.phases[0].id


def _marched(shift: MarkerShift) -> list[st.Statement] | None:
    """A way from hex to hex, of which only the ends are seen."""
    if shift.old.same(shift.new):
        return []
    if shift.new.place != "hex":
        return None
    way = (shift.old.hex, shift.new.hex) if shift.old.hex else (shift.new.hex,)
    return [sl.Go(0, (shift.id,), way)]
