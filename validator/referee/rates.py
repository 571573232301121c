"""What the price of a way is made of, and why: the rates of the game's tables, hex by hex.

Costs are in half points.
"""

from __future__ import annotations

from typing import Final, NamedTuple

CONTACT: Final = ""
ZONE: Final = "+"
OFF: Final = "-"
"""What has a price besides hexes: breaking contact, entering an enemy zone, the step off the map."""


class Rate(NamedTuple):
    """A rate that a price is made of, of a kind of terrain, hexside or way: `section` is that of the game's texts.

    `weather` is the one that it holds for, "" for a rate that is the same in all.
    """

    section: str
    id: str
    cost: int
    weather: str = ""


class Price(NamedTuple):
    """What a hex of a way costs, or one of `CONTACT`, `ZONE` and `OFF`.

    `rates` make up the cost; none where no table has it: in zones, and where each hex costs the same.
    """

    where: str
    cost: int
    rates: tuple[Rate, ...] = ()
