"""What it means that a marker of an extension goes from one place to another."""

from __future__ import annotations

import pytest

from hexforge.scenarios.compiled import load_extension
from hexforge.validator.logs.tracks import GONE, Acts, MarkerShift, TrackSpot, hex_in
from hexforge.validator.notation import statements_accounts as sl
from hexforge.validator.notation.base import Statement


def at(hex_: str, *, face: int = 1, hidden: bool = False) -> TrackSpot:
    return TrackSpot("hex", hex=hex_, face=face, hidden=hidden)


def box(track: str) -> TrackSpot:
    return TrackSpot("box", track, "pool")


SHIFTS: list[tuple[str, TrackSpot, TrackSpot, list[Statement] | None]] = [
    ("truck", box("force-pool"), at("B1410"), [sl.Truck(0, "truck-1", "B1410")]),
    ("truck", at("B1410"), at("B1411"), [sl.Go(0, ("truck-1",), ("B1410", "B1411"))]),
    ("truck", at("B1410"), box("force-pool"), [sl.Destroy(0, ("truck-1",))]),
    ("kg", at("B1410"), box("kg-eliminated"), [sl.Destroy(0, ("kg-1",))]),
    ("kg", box("kg-eliminated"), at("B1410"), [sl.Place(0, "kg-1", "B1410")]),
    ("kg", at("B1410"), box("kg-available"), None),
    ("battery", at("B1410"), at("B1411"), [sl.Go(0, ("battery-1",), ("B1410", "B1411"))]),
    ("battery", GONE, at("B1411"), None),
    ("ost", at("B1410"), at("B1410", face=2), [sl.Suffer(0, "ost-1", 1)]),
    ("ost", at("B1410"), GONE, [sl.Destroy(0, ("ost-1",))]),
    ("ost-company", GONE, at("B1410"), None),
    ("pdh-guns", at("B1406", hidden=True), at("B1406"), [sl.Choose(0, "guns", "B1406")]),
    ("pdh-moved", at("B1406", hidden=True), at("B1406"), [sl.Choose(0, "guns", "B1305")]),
    ("pdh-guns", at("B1407", hidden=True), at("B1407"), None),
]


@pytest.mark.parametrize(("kind", "old", "new", "said"), SHIFTS)
def test_a_way_says_what_the_rules_make_of_it(
    kind: str, old: TrackSpot, new: TrackSpot, said: list[Statement] | None
) -> None:
    game = load_extension("normandy")
    assert game.ledger is not None
    id_ = kind if kind.startswith("pdh") else f"{kind}-1"
    assert Acts(game, game.ledger).of(MarkerShift(id_, kind, old, new)) == said


@pytest.mark.parametrize(
    ("named", "hex_"),
    [
        ("B1410", "B1410"),
        ("Map B: 1410", "B1410"),
        ("B 1410", "B1410"),
        ("C1410", ""),
        ("1410", ""),
        ("AB1410", ""),
    ],
)
def test_hexes_are_known_by_the_letters_of_the_maps(named: str, hex_: str) -> None:
    assert hex_in(named, "AB") == hex_
