"""Numbers that strangers write are judged, however long they are."""

from __future__ import annotations

from hexforge.modulegen.archive import _slots
from hexforge.modulegen.vassal.buildfile import Element


def test_a_slot_with_thousands_of_digits_is_told() -> None:
    for gpid, following in (("9" * 5000, "5"), ("3", "9" * 5000), ("٣", "9"), ("3", "x")):
        slot = Element("PieceSlot", {"gpid": gpid, "entryName": "a"})
        root = Element("root", {"nextPieceSlotId": following}, (slot,))
        assert [len(str(said)) < 300 for said in _slots(root)] == [True]
