"""What zones take of a step where units are excepted and a phase has its own rule."""

from __future__ import annotations

import pytest

from hexforge.scenarios.schema.game import PhaseZones
from hexforge.scenarios.schema.rules_zones import Free, Never, Price, Stop, ZoneException, Zones
from hexforge.validator.rules.board import Toll, tolls

RULE = Zones(enter=Stop(kind="stop"), leave=Never(kind="never"))
ARMOUR = ZoneException(types=("tank",), leave=Price(kind="points", points=1), section="3")
LEAVING, ENTERING = (True, False, True), (False, True, True)


@pytest.mark.parametrize(
    ("zones", "leaving", "entering"),
    [
        (PhaseZones(enter=Never(kind="never")), Toll(2), Toll(0, "zone-shut", "9")),
        (PhaseZones(leave=Never(kind="never")), Toll(0, "zone-hold", "9"), Toll()),
        (PhaseZones(leave=Free(kind="free")), Toll(), Toll()),
    ],
)
def test_an_exception_holds_where_the_phase_says_nothing_else(
    zones: PhaseZones, leaving: Toll, entering: Toll
) -> None:
    found = tolls(RULE, [(ARMOUR, "3"), (zones, "9")], between=True)
    assert (found[LEAVING], found[ENTERING]) == (leaving, entering)


def test_what_no_change_says_of_is_forbidden_by_the_zones_themselves() -> None:
    found = tolls(RULE, [(PhaseZones(enter=Never(kind="never")), "9")], between=True)
    assert (found[LEAVING], found[ENTERING]) == (Toll(0, "zone-hold"), Toll(0, "zone-shut", "9"))
