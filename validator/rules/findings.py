"""What the referee answers: findings, computed combats, priced moves, in the shape of the contract.

Movement points are counted in halves (`cost=5` is 2½), so that half-point roads stay exact; `as_json` writes them
as the contract does, in points.

What kinds of finding there are: each message's code, and the section of the rulebook that it stands on.

The words are in `art/words/findings.*.yaml`, by the same keys; places that find something name the key alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from ...scenarios.text.words import Message, Param, Term, Words, message
from .values import Price

if TYPE_CHECKING:
    from ...scenarios.model import Scenario


Severity = Literal["illegal", "unread", "doubtful", "waived", "warning", "info"]
"""`unread`: what was written cannot be taken for anything, so that no rule was put to it."""
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)

GIVEN: Final = ""
"""The section is that of the one rule, of several in the game's files, that was broken: the finder gives it."""

_KINDS: Final[Mapping[str, Mapping[str, str]]] = {
    "syntax": {"nowhere": "syntax syntax-end", "movement.map": "unknown-option unknown-terrain"},
    "not-read": {
        "nowhere": "not-read-outside not-read-likely not-read-again not-read-changed not-read-spare "
        "not-read-differs game-by-units game-by-folder game-by-tournament game-by-sheets game-by-spelling group-as"
    },
    "unknown-unit": {"movement.allowance": "unknown-unit", "combat.retreat": "nobody-named"},
    "unknown-hex": {"movement.allowance": "unknown-hex over-edge"},
    "wrong-phase": {
        "movement.phase": "phase-idle phase-who phase-mark phase-unmarked phase-without phase-within phase-apart "
        "phase-beside phase-moved phase-unmoved phase-way phase-which phase-again phase-entry "
        "wrong-phase no-phase no-such-phase phase-number sequence put-elsewhere phase-walk",
        "combat.airstrike": "air-phase",
        "combat.artillery": "bombards-out-of-phase",
        GIVEN: "phase-attack phase-attack-mark phase-attack-unmarked not-in-part not-in-phase day-back "
        "begun-already",
    },
    "wrong-side": {
        GIVEN: "other-side others-phase",
        "movement.phase": "wrong-side",
        "combat.phase": "not-its-phase",
        "combat.artillery": "wrong-guns",
        "victory": "no-such-side",
    },
    "not-adjacent": {
        "movement.allowance": "not-adjacent no-path goes-nowhere",
        "combat.participants": "not-next-to nobody-adjacent",
        "combat.advance": "advance-from",
        GIVEN: "path-gap",
    },
    "not-there": {
        "movement.allowance": "not-there",
        "movement.entry": "already-here",
        "movement.exit": "withdrawn",
        "combat.participants": "no-target",
        "combat.retreat": "wrong-start",
        GIVEN: "not-on-map off-map elsewhere in-pool gone guns-elsewhere never-placed",
    },
    "moved-twice": {
        "movement.allowance": "moved-twice same-unit said-twice",
        GIVEN: "move-given-up",
    },
    "movement-cost": {"movement.allowance": "movement-cost movement-cost-cut way-found", GIVEN: "march-capacity"},
    "prohibited-terrain": {
        "movement.allowance": "no-way",
        "combat.retreat": "barred barred-uncleared",
        "combat.advance": "advance-barred advance-uncleared retreat-only",
        "movement.barred": "barred-terrain barred-line barred-way",
        "movement.clearing": "uncleared",
        GIVEN: "barred-hex no-engagement attack-barred guard-barred",
    },
    "river-crossing": {
        "combat.advance": "bad-crossing",
        "combat.retreat": "barred-across",
        "movement.water": "barred-water",
        GIVEN: "frontier",
    },
    "bridge-closed": {"combat.advance": "bad-bridge", "movement.water": "bridge-closed"},
    "zone-of-engagement": {"movement.zone": "zone-to-zone zone-again zone-hold zone-shut zone-bond idle-contact"},
    "must-stop": {"movement.zone": "must-stop", "combat.advance": "zone-stop"},
    "must-attack": {"movement.zone": "must-attack must-attack-moved must-attack-plain", GIVEN: "must-be-attacked"},
    "stacking": {
        "stacking": "stacking stacking-points stacking-mixed stacking-passing crowded-start crowded-start-points",
        "combat.chain": "overstacked overstacked-points overstacked-still overstacked-still-points",
    },
    "enemy-occupied": {
        "movement.zone": "enemy-occupied",
        "combat.retreat": "enemy-hex",
        "combat.advance": "still-held",
        GIVEN: "enemy-start",
    },
    "off-map": {"combat.leaving": "edge leaves-map leaves-freely"},
    "entry": {
        "movement.returns": "return-edge return-far",
        GIVEN: "wrong-edge wrong-hex group-edge entry-ground entry-east entry-front entry-far entry-held "
        "entry-phase",
        "movement.entry": "moves-in entry-edge-found entry-clear entry-no-edge entry-not-on-edge entry-not-on-way",
    },
    "exit": {
        "movement.exit": "no-exit exit-edge exit-no-edge exit-not-on-edge exit-not-on-way",
        GIVEN: "exit-hex exit-late exit-phase exit-unscored",
    },
    "reinforcement": {
        "movement.exit": "no-return",
        "movement.returns": "return-turn",
        GIVEN: "not-due overdue no-reinforcement starts-later starts-never rebuild-place rebuild-early "
        "never-rebuilt never-came arrivals-none arrivals-when arrivals-dice arrivals-twice arrivals-given "
        "arrivals-unthrown arrivals-many",
    },
    "rail": {
        "movement.allowance": "no-rail",
        "movement.railway": "rail-start rail-engaged rail-line rail-far rail-zone rail-lost rail-nobody "
        "rail-capacity rail-broken by-rail",
    },
    "recovery": {
        "recovery": "recovery-never recovery-full recovery-engaged recovery-contact",
        GIVEN: "recovery-turn recovery-last recovery-count recovery-type recovery-line recovery-network "
        "recovery-cleared recovery-absent replacement-none replacement-points replacement-often "
        "replacement-contact replacement-mark replacement-far replacement-phase",
    },
    "bridge-building": {
        "movement.allowance": "no-bridging",
        "movement.bridging": "bridge-nobody bridge-builder bridge-turn bridge-place bridge-water bridge-there "
        "bridge-way bridge-since bridge-moved bridge-again bridge-held bridge-held-now bridge-enemy bridge-enemies "
        "bridge-zone bridge-fell worked",
    },
    "trail-clearing": {
        "movement.allowance": "no-clearing",
        "movement.clearing": "clear-nobody clear-unit clear-place clear-hex clear-once clear-roll",
    },
    "artillery-range": {"combat.artillery": "range"},
    "artillery-reuse": {"combat.artillery": "gun-fought-before gun-defended-before gun-twice-in-one"},
    "artillery-support": {
        "combat.artillery": "gun-engaged no-gun defends-already other-division two-divisions bombards-adjacent "
        "guard-enemies guard-zones guards-most guards-phase mixed-guns no-guns not-in-bombardment no-offboard "
        "offboard-spent offboard-guards no-bombardment",
        "movement.transit": "not-employed",
    },
    "artillery-terrain": {"combat.artillery": "silent"},
    "air-points": {
        "air": "air-none no-air-die air-die-twice air-die-late air-die-missing",
        "combat.air": "no-air air-spent",
        "combat.airstrike": "no-points no-airstrike",
        "combat.artillery": "guns-only-air no-air-in-bombardment",
    },
    "air-limits": {"combat.airstrike": "air-limits"},
    "attacked-twice": {
        "combat.once": "attacked-before attacked-by-enemy unit-attacked-before",
        "combat.participants": "fought-before fought-split twice-in-one attackers-apart share-none share-nobody "
        "share-more stack-split",
    },
    "odds": {
        "combat.odds": "announce-order announce-late attack-sum defence-sum attack-sum-by defence-sum-by "
        "odds odds-refused either",
        GIVEN: "value",
    },
    "shifts": {
        GIVEN: "shift-forgotten shift-twice shift-reversed shift-added shift-off-by-one "
        "shift-not-all shift-not-whole shift-way-out shift-other-side shift-other-turn shift-excepted"
    },
    "column": {"combat.column": "no-column column"},
    "roll": {
        "combat.row": "dice dice-sum no-roll rolled-twice",
        "air": "die",
        "combat.result": "loss-dice loss-dice-none loss-dice-untold "
        "morale-none morale-dice morale-twice morale-untold morale-early",
    },
    "result": {"combat.result": "carried-early", GIVEN: "no-code result result-certain"},
    "losses": {
        "combat.result": "loss-outsider already-dead dies-outright loss-missing elimination-missing loss-clause "
        "put-lost loss-picked loss-picked-unsaid morale-loss-missing morale-death-missing "
        "again-loss-missing again-death-missing",
        "recovery": "last-step-lost",
        GIVEN: "no-loss not-eliminated not-eliminated-retreat retreat-loss-missing retreat-death-missing",
    },
    "retreat": {
        "combat.result": "no-retreat retreat-twice retreat-missing retreat-length retreat-paid "
        "retreat-missing-choice retreat-hexes-choice retreat-led retreat-led-unsaid",
        "combat.retreat": "goes-as "
        "free-hex retreat-hexes retreat-back retreat-returns retreat-forward retreat-friends",
        "combat.chain": "chain-length chain-hex",
        GIVEN: "enemy-zone enemy-zone-passed",
    },
    "advance": {
        "combat.advance": "no-victory no-advance retreated never-advances not-vacated advance-length "
        "advanced-before advance-most advance-astray advance-missing first-terrain second-terrain "
        "no-road line-between",
        GIVEN: "stays",
    },
    "exchange": {"combat.result": "exchange-none exchange-short"},
    "supply": {GIVEN: "unsupplied"},
    "score": {"victory": "score played-on", GIVEN: "accounts-score won-at-once"},
    "fact": {GIVEN: "needs fact-idle kept-many steps-untold"},
    "account": {
        GIVEN: "none-left uncounted record-closed record-short level no-such-level repair-price spaces stock-short "
        "stock-unsaid bonus supplies-too-many isolation isolation-owed isolated-twice too-many-steps "
        "gun-value points-read",
    },
    "not-judged": {GIVEN: "unjudged-here move-unjudged other-source"},
    "ruling": {
        "nowhere": "ruled-put ruled-control accept-idle accept-unread "
        "tournament-game tournament-side tournament-player ruling-refused"
    },
    "continuation": {
        "nowhere": "continues-differs continues-phase continues-phase-of continues-option continues-game "
        "continues-missing continues-nowhere continues-circle continues-unread continues-changed begins-late midway"
    },
    "sealed": {
        "nowhere": "sealed-none sealed-anchor sealed-new sealed-nobody sealed-idle sealed-again sealed-chain "
        "sealed-skipped sealed-changed sealed-whose sealed-own sealed-late sealed-told sealed-dice sealed-behind "
        "sealed-early sealed-passed sealed-waiting sealed-waiting-seal sealed-opened sealed-twice "
        "sealed-demanded",
    },
    "special": {
        "movement.map": "placed-twice steps-lost unknown-weather unknown-climate unknown-marker unknown-stock "
        "unknown-status unknown-area unknown-area-like",
        "movement.exit": "withdrawal withdrawal-held",
        "combat.terrain": "two-targets",
        "movement.transit": "perimeter",
        GIVEN: "placed-early placed-withdrawn "
        "immobile garrison starts-whole starts-reduced starts-elsewhere place-taken not-placed quota "
        "quota-split put-off put-on put-between turned-over captured weather-no-die weather-dice weather-twice "
        "weather-late weather-which weather-fixed weather-missing weather-given weather-there changes-side "
        "order-no-die order-dice order-twice order-late order-given order-missing "
        "rally-nothing rally-which rally-led rally-phase rally-twice rally-moved rally-zone rally-dice "
        "mark-none mark-phase mark-unit mark-again mark-moved mark-zone mark-terrain mark-points "
        "overrun-none overrun-odds overrun-strength overrun-terrain overrun-target overrun-unit overrun-mark "
        "overrun-points "
        "declared-unknown declared-again declared-often declared-void untried "
        "reveal-nothing reveal-again reveal-pool reveal-spent "
        "attrition-missing attrition-missing-plain attrition-twice attrition-nothing attrition-dice "
        "attrition-no-dice not-of-kind on-map-already off-road wrong-headquarters not-driven no-headquarters "
        "no-line cut-off outside must-wait waits-otherwise dead-for-good in-zone too-far no-source no-rebuilding "
        "never-stopped captured-already not-everywhere not-alone not-captured not-held nothing-to-repair "
        "repaired-already never-moves dies-in-place no-escort hidden-hex hidden-twice hidden-one face-up "
        "chosen-otherwise no-such-choice not-in-use held-late no-die not-held-back die-early die-again die-first "
        "landed-twice before-the-other sent-elsewhere no-company special-marker others-marker only-exits",
    },
}


_LOG_KINDS: Final[Mapping[str, Mapping[Severity, str]]] = {
    "log-chain": {
        "illegal": "stands-twice other-position other-module throws-missing",
        # What was lost may have been illegal: a verdict on the rest alone is no acquittal.
        "doubtful": "damaged unfit unfit-more lost-between values-between throws-between throws-cut "
        "throws-uncounted begun-lost begun-air",
        "warning": "throws-recounted turned-between other-values throws-before",
        "info": "same-file goes-on repeats reordered begun-later",
    },
    "undone-roll": {"illegal": "thrown-again", "warning": "throw-undone"},
    "roll": {
        "illegal": "other-dice",
        "doubtful": "thrown-twice impossible-dice told-roll typed-roll typed-alone",
        "warning": "undeclared-throw thrown-before strange-dice air-thrown-again",
    },
    "wrong-phase": {"warning": "carried-late fought-early passed-for"},
    "special": {
        "doubtful": "untold undated not-of-module not-tried taken-out",
        "warning": "not-stepped-through dropped-first still-there not-understood ruled-in-log said-late "
        "partial-said "
        "marker-bridge marker-bridge-destroyed marker-way-cleared marker-way-blocked "
        "marker-in-transit marker-control",
        "info": "other-data no-rules no-version",
    },
}


@dataclass(frozen=True, slots=True)
class FindingKind:
    """What all findings of one message share. `section` is a path below a game's rules, or `GIVEN`.

    `severity` is that of what is not said to be any other.
    """

    code: str
    section: str
    severity: Severity = "illegal"


UNREAD: Final = ("syntax", "not-read")
"""The codes of what cannot be read, or was not: a slip of the pen breaks no rule."""
SLIPS: Final = ("unknown-unit", "unknown-hex", "nobody-named", "either")
"""The keys, and most of them codes, of what can be read and means nothing: a slip too, see R131."""
KINDS: Final[Mapping[str, FindingKind]] = {
    key: FindingKind(code, section, "unread" if code in UNREAD or key in SLIPS else "illegal")
    for code, by_section in _KINDS.items()
    for section, keys in by_section.items()
    for key in keys.split()
}


def log_kinds(table: Mapping[str, Mapping[Severity, str]]) -> dict[str, FindingKind]:
    """The kinds of what is found wrong with logs themselves, by code and severity; no rulebook speaks of them."""
    return {
        key: FindingKind(code, "nowhere", severity)
        for code, by_severity in table.items()
        for severity, keys in by_severity.items()
        for key in keys.split()
    }


LOG_KINDS: Final[Mapping[str, FindingKind]] = log_kinds(_LOG_KINDS)
"""As `KINDS`, with the keys below `note` in `art/words/logs.*.yaml`."""


def section_of(scenario: Scenario, path: str) -> str:
    """Where a game's rulebook prints what a path names; "" for nowhere.

    A path is that of a rule below the game's rules (`stacking`, `movement.railway`) or of one of the sections of a
    group of rules (`movement.zone`).
    """
    rules = scenario.game.rules
    match path:
        case "nowhere" | "":
            return ""
        case "stacking":
            return rules.stacking.section
        case "recovery":
            return rules.movement.recovery_section
        case "air":
            return rules.movement.air_section
        case "victory":
            return scenario.victory.section
    part, _, name = path.partition(".")
    group = getattr(rules, part)
    if hasattr(group.sections, name):
        return str(getattr(group.sections, name))
    rule = getattr(group, name)
    return str(rule.section) if rule is not None else ""


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
    this one cannot be read. `asked` is the number of an open line, from 1, and `proposed` what it may mean, each
    line with the words that this leaves out. `ruled` is the ruling that waives it, or that it tells of; `waived` is
    the severity that it would have but for that.
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
    asked: int = 0
    proposed: tuple[tuple[str, str], ...] = ()
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
            **({"open": self.asked} if self.asked else {}),
            **({"proposed": [{"line": a, "without": b} for a, b in self.proposed]} if self.proposed else {}),
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
