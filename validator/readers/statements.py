"""The statements of a turn sheet, as values.

A sheet is a list of statements in the order of the paper. Each class below is one kind of line; `line` is the
first physical line it stands on, counted from 1. Nothing here judges: a statement may name a unit that does not
exist, a hex off the map or an impossible path. Only its *form* has been read.

Overview
--------

=================  =======================================================================================
header             SheetVersion GameName Players OptionSetting Partial MapPrinted MapBlank
map edits          TerrainEdit PlaceName WayEdit HexsideEdit FortifiedHexes BridgeEdit AreaEdit
units              UnitDefinition
position           PositionStart | SetupStart, then Placement MarkerPlacement AirPoints ClearedTrail Control
                   UnitStatus Due LostUnit LeftMap
sequence           TurnStart
movement phase     Move Enter Exit RailMove Recover BuildBridge ClearTrail AirRoll
combat phase       Combat Bombard AirStrike; each holds its sub-statements in `acts`, in order:
                   Attack Support Guard AirSupport GuardAir Announce Declare Roll Result Lose Eliminate
                   Retreat Advance
end                Score
=================  =======================================================================================

Values
------

- A hex is four digits, column then row: `"0609"`. A hexside is a pair of hexes as written, not sorted and perhaps
  not adjacent.
- A path is a tuple of hexes in which `OPEN` (`"-"`) between two hexes leaves the way between them open. `Move`,
  `RailMove`, `Exit`, `Retreat` and usually `Advance` begin with the hex the units stand in; `Enter` begins with the
  first hex on the map.
- Sides, phases, unit types, terrain and edges are the canonical English words whatever language the sheet uses.
- Strengths and points are whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from hexforge.validator.readers.statements_base import (
    OPEN,
    EdgeName,
    HexId,
    HexPair,
    Path,
    PhaseName,
    RoleName,
    Statement,
    WayKind,
)
from hexforge.validator.readers.statements_play import (
    Act,
    Advance,
    AirRoll,
    AirStrike,
    AirSupport,
    Announce,
    Attack,
    Bombard,
    BuildBridge,
    ClearTrail,
    Combat,
    Declare,
    Eliminate,
    Engagement,
    Enter,
    Exit,
    Guard,
    GuardAir,
    Lose,
    Move,
    RailMove,
    Recover,
    Result,
    Retreat,
    Roll,
    Score,
    Support,
    TurnStart,
)
from hexforge.validator.readers.statements_start import (
    AirPoints,
    AreaEdit,
    BridgeEdit,
    ClearedTrail,
    Control,
    Due,
    FortifiedHexes,
    GameName,
    HexsideEdit,
    LeftMap,
    LostUnit,
    MapBlank,
    MapPrinted,
    MarkerPlacement,
    OptionSetting,
    Partial,
    Placement,
    PlaceName,
    Players,
    PositionStart,
    SetupStart,
    SheetVersion,
    TerrainEdit,
    UnitDefinition,
    UnitStatus,
    WayEdit,
)

__all__ = [
    "OPEN",
    "Act",
    "Advance",
    "AirPoints",
    "AirRoll",
    "AirStrike",
    "AirSupport",
    "Announce",
    "AreaEdit",
    "Attack",
    "Bombard",
    "BridgeEdit",
    "BuildBridge",
    "ClearTrail",
    "ClearedTrail",
    "Combat",
    "Control",
    "Declare",
    "Due",
    "EdgeName",
    "Eliminate",
    "Engagement",
    "Enter",
    "Exit",
    "FortifiedHexes",
    "GameName",
    "Guard",
    "GuardAir",
    "HexId",
    "HexPair",
    "HexsideEdit",
    "LeftMap",
    "Lose",
    "LostUnit",
    "MapBlank",
    "MapPrinted",
    "MarkerPlacement",
    "Move",
    "OptionSetting",
    "Partial",
    "Path",
    "PhaseName",
    "PlaceName",
    "Placement",
    "Players",
    "PositionStart",
    "RailMove",
    "Recover",
    "Result",
    "Retreat",
    "RoleName",
    "Roll",
    "Score",
    "SetupStart",
    "Sheet",
    "SheetVersion",
    "Statement",
    "Support",
    "SyntaxProblem",
    "TerrainEdit",
    "TurnStart",
    "UnitDefinition",
    "UnitStatus",
    "WayEdit",
    "WayKind",
]


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """A line that could not be read as it stands. `column` counts from 1 in the physical line `line`.

    `found` is the text at that place ("" at the end of a line), `expected_*` say in words what would have fitted.
    """

    line: int
    column: int
    found: str
    expected_en: str
    expected_pt: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything a file holds. `lines` are its physical lines, `lines[0]` being line 1."""

    statements: tuple[Statement, ...]
    problems: tuple[SyntaxProblem, ...] = ()
    lines: tuple[str, ...] = ()
    source: str = ""
