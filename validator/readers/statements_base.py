"""What all statements share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

HexId: TypeAlias = str
HexPair: TypeAlias = tuple[HexId, HexId]
Path: TypeAlias = tuple[str, ...]

OPEN: Final = "-"

WayKind: TypeAlias = str
PhaseName = Literal["movement", "combat"]
EdgeName = Literal["north", "south", "east", "west"]
RoleName = Literal["attacker", "defender"]


@dataclass(frozen=True, slots=True)
class Statement:
    """Anything a line of a sheet can say."""

    line: int
