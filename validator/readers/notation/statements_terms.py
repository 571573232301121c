"""The types of what statements are made of, each with the kind of word by which it is read and written."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from hexforge.validator.readers.notation import kinds as k
from hexforge.validator.readers.notation import kinds_on_map as km

HexId: TypeAlias = Annotated[str, km.ONE_HEX]
HexIds: TypeAlias = Annotated[tuple[str, ...], km.HEXES]
HexPair: TypeAlias = Annotated[tuple[str, str], km.HEXSIDE]
HexPairs: TypeAlias = Annotated[tuple[tuple[str, str], ...], km.HEXSIDES]
Path: TypeAlias = Annotated[tuple[str, ...], km.PATH]
Unit: TypeAlias = Annotated[str, km.ONE_UNIT]
Units: TypeAlias = Annotated[tuple[str, ...], km.UNITS]
Count: TypeAlias = Annotated[int, k.COUNT]
Turn: TypeAlias = Annotated[int, k.TURN]
SideId: TypeAlias = Annotated[str, k.SIDE]
TypeId: TypeAlias = Annotated[str, k.TYPE]
Terrains: TypeAlias = Annotated[tuple[str, ...], k.TERRAINS]
WayKind: TypeAlias = Annotated[str, k.WAY]
EdgeName = Literal["north", "south", "east", "west"]
Edge: TypeAlias = Annotated[EdgeName, k.EDGE]
RoleName = Literal["attacker", "defender"]
