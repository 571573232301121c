"""What the referee answers: findings, computed combats, priced moves, in the shape of the contract.

Movement points are counted in halves (`cost=5` is 2½), so that half-point roads stay exact; `as_json` writes them
as the contract does, in points.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

Severity = Literal["illegal", "doubtful", "warning", "info"]
Verdict = Literal["legal", "doubtful", "illegal"]
RULEBOOK: Final = "rulebook"

CODES: Final = frozenset(
    (
        "syntax",
        "unknown-unit",
        "unknown-hex",
        "wrong-phase",
        "wrong-side",
        "not-adjacent",
        "not-there",
        "moved-twice",
        "movement-cost",
        "prohibited-terrain",
        "river-crossing",
        "bridge-closed",
        "zone-of-engagement",
        "must-stop",
        "must-disengage",
        "must-attack",
        "stacking",
        "enemy-occupied",
        "off-map",
        "entry",
        "exit",
        "reinforcement",
        "rail",
        "recovery",
        "bridge-building",
        "trail-clearing",
        "artillery-range",
        "artillery-reuse",
        "artillery-support",
        "artillery-terrain",
        "air-points",
        "air-limits",
        "attacked-twice",
        "odds",
        "shifts",
        "column",
        "roll",
        "result",
        "losses",
        "retreat",
        "advance",
        "exchange",
        "score",
        "special",
        "log-chain",
        "undone-roll",
    )
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One judgement on one line.

    `rule` is a citation such as `H 4.1.1`; `code` one of `CODES`; `message_pt` is "" where only English is known.
    `rests_on` is `rulebook`, or names the datum (a hex, a counter's strength) that the rulebook does not print.
    """

    line: int
    rule: str
    code: str
    severity: Severity
    message: str
    message_pt: str = ""
    hexes: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    declared: int | float | str | None = None
    computed: int | float | str | None = None
    rests_on: str = RULEBOOK

    def text(self, language: str) -> str:
        """The message in `pt` or `en`; English where there is no other."""
        return self.message_pt if language == "pt" and self.message_pt else self.message

    def doubted(self, datum: str) -> Finding:
        """The same finding as one that rests on a datum that the rulebook does not print."""
        return replace(self, severity="doubtful", rests_on=datum) if self.severity == "illegal" else self

    def as_json(self) -> dict[str, Any]:
        """The finding as the contract prints it."""
        return {
            "line": self.line,
            "rule": self.rule,
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "hexes": list(self.hexes),
            "units": list(self.units),
            "declared": self.declared,
            "computed": self.computed,
            "rests_on": self.rests_on,
        }


@dataclass(frozen=True, slots=True)
class Shift:
    """Columns by which a cause moves a combat; negative is left, the defender's favour. `rule` is a citation."""

    cause: str
    columns: int
    rule: str

    def as_json(self) -> dict[str, Any]:
        """The shift as the contract prints it."""
        return {"cause": self.cause, "columns": self.columns, "rule": self.rule}


@dataclass(frozen=True, slots=True)
class CombatRecord:
    """A combat, bombardment or air strike as the referee computes it; None where a part was not given.

    `attack`, `defence` and `odds` belong to combats, `value` to bombardments and air strikes. `parts` explains the
    totals, each a label, a unit or "", and points.
    """

    line: int
    kind: Literal["combat", "bombard", "airstrike"]
    target: tuple[str, ...]
    attack: int | None = None
    defence: int | None = None
    odds: str | None = None
    value: int | None = None
    shifts: tuple[Shift, ...] = ()
    column: str | None = None
    roll: int | None = None
    result: str | None = None
    parts: tuple[tuple[str, str, int], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The record as the contract prints it."""
        figures = (
            {"attack": self.attack, "defence": self.defence, "odds": self.odds}
            if self.kind == "combat"
            else {"value": self.value}
        )
        return {
            "line": self.line,
            "kind": self.kind,
            "target": list(self.target),
            **figures,
            "shifts": [shift.as_json() for shift in self.shifts],
            "column": self.column,
            "roll": self.roll,
            "result": self.result,
            "parts": [{"side": side, "unit": unit, "points": points} for side, unit, points in self.parts],
        }


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """A move, entry, exit or rail move with its price, in half points; `left` is what the poorest unit has left.

    `path` is the whole way, with what the sheet left open filled in.
    """

    line: int
    units: tuple[str, ...]
    path: tuple[str, ...]
    cost: int
    left: int

    def as_json(self) -> dict[str, Any]:
        """The record as the contract prints it, in points."""
        return {
            "line": self.line,
            "units": list(self.units),
            "path": list(self.path),
            "cost": points(self.cost),
            "left": points(self.left),
        }


def points(halves: int) -> int | float:
    """Movement points from halves: 5 is 2.5, 4 is 2."""
    return halves // 2 if halves % 2 == 0 else halves / 2


def verdict(findings: Iterable[Finding]) -> Verdict:
    """The worst severity among findings; warnings and information leave a sheet legal."""
    found = {finding.severity for finding in findings}
    return "illegal" if "illegal" in found else "doubtful" if "doubtful" in found else "legal"
