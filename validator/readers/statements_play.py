"""Statements of play: turns, movement, combat, score. `statements` gives the overview."""

from __future__ import annotations

from dataclasses import dataclass

from hexforge.validator.readers.statements_base import (
    EdgeName,
    HexId,
    HexPair,
    Path,
    PhaseName,
    RoleName,
    Statement,
    WayKind,
)

# -------------------------------------------------------------------------------------------- sequence


@dataclass(frozen=True, slots=True)
class TurnStart(Statement):
    """`turn 2 american movement`: opens a phase."""

    number: int
    side: str
    phase: PhaseName


# -------------------------------------------------------------------------------------- movement phase


@dataclass(frozen=True, slots=True)
class Move(Statement):
    """`move a1 a2: 0705 0704 0604`: a stack that moves together."""

    units: tuple[str, ...]
    path: Path


@dataclass(frozen=True, slots=True)
class Enter(Statement):
    """`enter a9: 0101 0201 from west by road`: a reinforcement. `edge` is None where the sheet names none."""

    units: tuple[str, ...]
    path: Path
    edge: EdgeName | None = None
    by: WayKind | None = None


@dataclass(frozen=True, slots=True)
class Exit(Statement):
    """`exit a9: 0201 0101 to west`: leaves the map from the last hex of the path."""

    units: tuple[str, ...]
    path: Path
    edge: EdgeName | None = None
    by: WayKind | None = None


@dataclass(frozen=True, slots=True)
class RailMove(Statement):
    """`rail g3: 2205 - 1714`."""

    units: tuple[str, ...]
    path: Path


@dataclass(frozen=True, slots=True)
class Recover(Statement):
    """`recover a4`: reduced units turned back."""

    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BuildBridge(Statement):
    """`build bridge 0304/0305 by a5`. `unit` is "" where the sheet names none."""

    side: HexPair
    unit: str = ""


@dataclass(frozen=True, slots=True)
class ClearTrail(Statement):
    """`clear 0809 by a5 roll 4`. `unit` is "" and `roll` None where the sheet gives none."""

    hex: HexId
    unit: str = ""
    roll: int | None = None


@dataclass(frozen=True, slots=True)
class AirRoll(Statement):
    """`airroll 6`: the die for the turn's air points."""

    roll: int


# ---------------------------------------------------------------------------------------- combat phase


@dataclass(frozen=True, slots=True)
class Act(Statement):
    """A line within a combat, bombardment or air strike."""


@dataclass(frozen=True, slots=True)
class Attack(Act):
    """`attack a1 a2`: units that attack from adjacent hexes."""

    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Support(Act):
    """`support a7 a8`, `support offboard 20`: the attacker's artillery; `offboard` are points beyond the map."""

    units: tuple[str, ...]
    offboard: int = 0


@dataclass(frozen=True, slots=True)
class Guard(Act):
    """`guard g7`, `guard offboard 20`: artillery that supports the defence."""

    units: tuple[str, ...]
    offboard: int = 0


@dataclass(frozen=True, slots=True)
class AirSupport(Act):
    """`air 3`: the attacker's air points."""

    points: int


@dataclass(frozen=True, slots=True)
class GuardAir(Act):
    """`guard air 3`: the defender's air points."""

    points: int


@dataclass(frozen=True, slots=True)
class Announce(Act):
    """`announce attacker 11`: a total in the order in which it was spoken."""

    role: RoleName
    total: int


@dataclass(frozen=True, slots=True)
class Declare(Act):
    """`declare 11:4 odds 2-1 column 1-1`, `declare value 18 column 13-24`; parts not given are None."""

    attack: int | None = None
    defence: int | None = None
    value: int | None = None
    odds: str | None = None
    column: str | None = None


@dataclass(frozen=True, slots=True)
class Roll(Act):
    """`roll 3 4`: the faces, one by one (not checked against the six faces of a die)."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Result(Act):
    """`result DRB AVB`: the codes in upper case."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lose(Act):
    """`lose g1`: each unit loses a step."""

    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Eliminate(Act):
    """`eliminate g2`."""

    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Retreat(Act):
    """`retreat g1: 0609 0509`; with `edge` it leaves the map from the last hex."""

    units: tuple[str, ...]
    path: Path
    edge: EdgeName | None = None


@dataclass(frozen=True, slots=True)
class Advance(Act):
    """`advance a1: 0609` or, with the hex it comes from, `advance a1: 0608 0609`."""

    units: tuple[str, ...]
    path: Path


@dataclass(frozen=True, slots=True)
class Engagement(Statement):
    """A combat, bombardment or air strike with what follows it, in the order written."""

    targets: tuple[HexId, ...]
    acts: tuple[Act, ...] = ()


@dataclass(frozen=True, slots=True)
class Combat(Engagement):
    """`combat 0609`: one or more defending hexes."""


@dataclass(frozen=True, slots=True)
class Bombard(Engagement):
    """`bombard 0609 by a7 a8 offboard 30`: artillery alone."""

    units: tuple[str, ...] = ()
    offboard: int = 0


@dataclass(frozen=True, slots=True)
class AirStrike(Engagement):
    """`airstrike 0609 points 6`: air alone. `points` is None where the sheet gives none."""

    points: int | None = None


# ------------------------------------------------------------------------------------------------- end


@dataclass(frozen=True, slots=True)
class Score(Statement):
    """`score american 120 german 90`: pairs of side and points."""

    points: tuple[tuple[str, int], ...]
