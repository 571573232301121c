"""What the referee answers: findings, computed combats, priced moves, in the shape of the contract.

Movement points are counted in halves (`cost=5` is 2½), so that half-point roads stay exact; `as_json` writes them
as the contract does, in points.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias

from hexforge.scenarios.words import Message, Param, Term, Words, message
from hexforge.validator.referee.kinds import KINDS, LOG_KINDS, Severity
from hexforge.validator.referee.rates import Price

Verdict = Literal["legal", "doubtful", "unread", "illegal"]
RULEBOOK: Final = "rulebook"
"""What a finding rests on that no reconstructed datum has a part in, in JSON."""

CODES: Final = frozenset(kind.code for kind in (*KINDS.values(), *LOG_KINDS.values())) | {"must-disengage"}
"""All codes of the contract; the last one is part of another."""


Figure: TypeAlias = "int | float | str | Term | tuple[Figure, ...] | None"
"""What was declared, or is right: a figure, something written, a word of the game or the notation, or several."""


def plain(value: Figure) -> int | float | str | None:
    """A figure for scripts: words by their ids, several with blanks between them."""
    match value:
        case Term():
            return value.id
        case tuple():
            return " ".join(str(plain(part)) for part in value)
    return value


@dataclass(frozen=True, slots=True)
class Ruled:
    """Who rules something and why. `source` and `line` are where it is said; `by` is "" where nobody is named."""

    source: str
    line: int
    reason: str
    by: str = ""

    def as_json(self) -> dict[str, Any]:
        """The ruling for scripts."""
        return {"source": self.source, "line": self.line, "by": self.by or None, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Finding:
    """One judgement on one line.

    `message` is what to say, as a key with values; `rule` a citation such as `H 4.1.1`; `code` one of `CODES`.
    `rests_on` names the data (a hex, a counter's strength) that the rulebook does not print and that the judgement
    would change with; empty where it rests on the rulebook alone. `below` are the lines that are not judged because
    this one cannot be read. `ruled` is the ruling that waives it, or that it tells of; `waived` is the severity
    that it would have but for that.
    """

    line: int
    rule: str
    code: str
    severity: Severity
    message: Message
    hexes: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    declared: Figure = None
    computed: Figure = None
    rests_on: tuple[Message, ...] = ()
    below: tuple[int, ...] = ()
    ruled: Ruled | None = None
    waived: Severity | None = None

    def as_json(self, words: Words) -> dict[str, Any]:
        """The finding as the contract prints it; what it says comes from `words`."""
        return {
            "line": self.line,
            "rule": self.rule,
            "code": self.code,
            "severity": self.severity,
            "message": words.say(self.message),
            "hexes": list(self.hexes),
            "units": list(self.units),
            "declared": plain(self.declared),
            "computed": plain(self.computed),
            "rests_on": doubts_told(self.rests_on, words) or RULEBOOK,
            **({"below": list(self.below)} if self.below else {}),
            **({"original_severity": self.waived} if self.waived else {}),
            **({"ruling": self.ruled.as_json()} if self.ruled else {}),
        }


def doubts_told(doubts: Iterable[Message], words: Words) -> str:
    """The data that something rests on, in words; "" for none."""
    return "; ".join(map(words.say, doubts))


def doubt(kind: str, **values: Param) -> Message:
    """A datum that no rulebook prints: `doubt("hexside", a="0304", b="0305")`."""
    return message(f"findings.doubt.{kind}", **values)


def provenance_of(provenance: str) -> Message:
    """`assumed` or `gazetteer`, as a word."""
    return message(f"findings.doubt.{provenance}")


def find(
    line: int,
    key: str,
    citation: str,
    *,
    severity: Severity | None = None,
    hexes: Iterable[str] = (),
    units: Iterable[str] = (),
    declared: Figure = None,
    computed: Figure = None,
    doubts: Iterable[Message | None] = (),
    **values: Param,
) -> Finding:
    """A finding of a kind of `KINDS`, whose severity it has unless another is given.

    With `doubts` what would be illegal is doubtful, and rests on them.
    """
    severity = severity or KINDS[key].severity
    rests_on = tuple(dict.fromkeys(d for d in doubts if d))
    if severity == "illegal" and rests_on:
        severity = "doubtful"
    given = {"declared": declared, "computed": computed, **values}
    said = {name: value for name, value in given.items() if value is not None}
    return Finding(
        line,
        citation,
        KINDS[key].code,
        severity,
        message(f"findings.{key}", **said),
        tuple(hexes),
        tuple(units),
        declared,
        computed,
        rests_on,
    )


@dataclass(frozen=True, slots=True)
class Shift:
    """Columns by which a cause moves a combat; negative is left, the defender's favour. `rule` is a citation.

    `words` is the section of the game's texts in which the cause is named, where not all games have it. `limits`
    says that it is what a limit of the game takes back of the others.
    """

    cause: str
    columns: int
    rule: str
    words: str = "hexsides"
    limits: bool = False

    @property
    def own(self) -> bool:
        """Whether it is a modifier of the game's own, whatever name it bears."""
        return self.words == "modifiers" and not self.limits

    def as_json(self) -> dict[str, Any]:
        """The shift as the contract prints it."""
        return {"cause": self.cause, "columns": self.columns, "rule": self.rule}


@dataclass(frozen=True, slots=True)
class Change:
    """A modifier of the game's own that makes a strength another than the counter prints; `rule` is a citation.

    It multiplies by `factor`, or puts `strength` in place of the unit's own; the other one is None.
    """

    cause: str
    rule: str
    factor: Fraction | None = None
    strength: int | None = None

    def as_json(self) -> dict[str, Any]:
        """The change for scripts; a factor as text, `1/2`."""
        told = {"factor": str(self.factor)} if self.factor is not None else {"strength": self.strength}
        return {"cause": self.cause, **told, "rule": self.rule}


Changes: TypeAlias = tuple[tuple[str, tuple[Change, ...]], ...]
"""What changes the strengths of units in a combat, by unit; units that fight as printed are not there."""


def parts_as_json(parts: Iterable[tuple[str, str, float]], changes: Changes) -> list[dict[str, Any]]:
    """What totals are made of, each part with what changes it where anything does."""
    told = {unit: {"changed_by": [change.as_json() for change in found]} for unit, found in changes}
    return [{"side": side, "unit": unit, "points": points} | told.get(unit, {}) for side, unit, points in parts]


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
    parts: tuple[tuple[str, str, float], ...] = ()
    die: tuple[Shift, ...] = ()
    """What is added to the dice, each cause with its number in `columns`."""
    changes: Changes = ()

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
            "parts": parts_as_json(self.parts, self.changes),
        } | self._die_as_json()

    def _die_as_json(self) -> dict[str, Any]:
        told = [{"cause": shift.cause, "die": shift.columns, "rule": shift.rule} for shift in self.die]
        return {"die": told} if told else {}


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """A move, entry, exit or rail move with its price, in half points; `left` is what the poorest unit has left.

    `path` is the whole way, with what the sheet left open filled in. `parts` are the prices that make up the cost;
    empty where it was not counted hex by hex.
    """

    line: int
    units: tuple[str, ...]
    path: tuple[str, ...]
    cost: int
    left: int
    parts: tuple[Price, ...] = ()

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
    """The worst severity among findings; what is waived, warnings and information leave a sheet legal."""
    found = {finding.severity for finding in findings}
    worst: tuple[Verdict, ...] = ("illegal", "unread", "doubtful")
    return next((severity for severity in worst if severity in found), "legal")
