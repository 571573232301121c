"""Combats of a replay: what the referee worked out, part by part, beside what the players said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.actions import OUTCOMES
from hexforge.validator.referee.combat.tables import column_index, modified
from hexforge.validator.referee.kinds import SEVERITIES
from hexforge.validator.replay.model import NOBODY, Declared, Fight, Moved, Part, Table
from hexforge.validator.report import wording

if TYPE_CHECKING:
    from hexforge.scenarios.schema.tables import ResultTable
    from hexforge.validator.referee.context import Context
    from hexforge.validator.referee.findings import Change, CombatRecord, Finding, Shift
    from hexforge.validator.referee.state import Position
    from hexforge.validator.replay.judged import Tongues

_ABOUT: Final[Mapping[str, str]] = {
    "attack-sum": "attack",
    "attack-sum-by": "attack",
    "defence-sum": "defence",
    "defence-sum-by": "defence",
    "odds": "odds",
    "odds-refused": "odds",
    "value": "value",
    "column": "column",
    "no-column": "column",
    "dice": "roll",
    "dice-sum": "roll",
    "no-roll": "roll",
    "no-code": "result",
    "result": "result",
}
"""Which part of a combat a kind of finding is about. Those of misjudged shifts are about the column."""
_POINTS: Final[Mapping[str, str]] = {
    "no-offboard": "offboard",
    "offboard-spent": "offboard",
    "offboard-guards": "offboard",
    "no-air": "air",
    "air-spent": "air",
    "air-limits": "air",
}
"""Which points a kind of finding is about, as parts of totals name them."""
_SHIFT: Final = "shift-"
_FAULTS: Final = ("illegal", "doubtful", "waived")


class Fights:
    """Writes down combats. `tables` are those of the game."""

    def __init__(self, ctx: Context, sides: Sequence[str], spot: Mapping[str, int], say: Tongues) -> None:
        self.ctx, self.sides, self.spot, self.say = ctx, sides, spot, say
        found = {"combat": ctx.scenario.tables.crt, "bombard": ctx.scenario.tables.bombardment}
        self._tables: dict[str, ResultTable] = {name: table for name, table in found.items() if table is not None}
        self.tables = {name: _table(table) for name, table in self._tables.items()}

    def of(
        self,
        statement: st.Statement,
        before: Position,
        records: Iterable[CombatRecord],
        findings: Mapping[int, Sequence[Finding]],
    ) -> Iterator[Fight]:
        """The combats of a statement, before which the position was `before`. `findings` are those of each line."""
        if not isinstance(statement, st.Engagement):
            return
        lines = dict.fromkeys((statement.line, *(act.line for act in statement.acts)))
        found = [f for line in lines for f in findings.get(line, ())]
        for record in records:
            yield self._fight(statement, before, record, found)

    def _fight(
        self, statement: st.Engagement, before: Position, record: CombatRecord, found: Sequence[Finding]
    ) -> Fight:
        name = "combat" if record.kind == "combat" else "bombard"
        table = self._tables.get(name)
        blamed = {f.rule for f in found if _key(f).startswith(_SHIFT)}
        later = {act.line for act in statement.acts if isinstance(act, OUTCOMES)}
        faults = [f for f in found if f.severity in _FAULTS and f.line not in later]
        wrong = {u for f in faults for u in (*f.units, _POINTS.get(_key(f), ""))}
        said = list(self._declared(statement, before, found))
        column = next((d.said for d in reversed(said) if d.part == "column"), None)
        die = modified(table, (s.columns for s in record.die)) if table else 0
        of = dict(record.changes)
        faces = next((act.faces for act in reversed(statement.acts) if isinstance(act, st.Roll)), ())
        return Fight(
            kind=record.kind,
            target=tuple(self.spot[h] for h in record.target if h in self.spot),
            parts=tuple(self._part(part, wrong, of.get(part[1], ())) for part in record.parts),
            attack=record.attack,
            defence=record.defence,
            start=str(record.odds or "?") if record.kind == "combat" else str(record.value or 0),
            shifts=tuple(self._moved(s, s.rule in blamed) for s in record.shifts),
            die=tuple(self._moved(s, False) for s in record.die),
            column_name=record.column or "",
            roll=record.roll,
            faces=faces,
            result=record.result or "",
            declared=tuple(said),
            table=name if table else "",
            column=column_index(table, record.column) if table and record.column else None,
            row=_row(table, record.roll + die) if table and record.roll is not None else None,
            declared_column=column_index(table, column) if table and column else None,
        )

    def _part(self, part: tuple[str, str, float], wrong: set[str], by: Sequence[Change]) -> Part:
        side, unit, number = part
        label = self.say(lambda w: wording.contributor(unit, w))
        known = unit in self.ctx.units
        why = self.say(lambda w: ", ".join(f"{wording.changed_by(c, w)} {wording.changed(c, w)}" for c in by))
        return Part(self._side(side), label, unit if known else "", number, bool(unit) and unit in wrong, why)

    def _side(self, side: str) -> int:
        return self.sides.index(side) if side in self.sides else NOBODY

    def _moved(self, shift: Shift, wrong: bool) -> Moved:
        return Moved(self.say(lambda w: wording.cause(shift, w)), shift.columns, shift.rule, wrong)

    def _declared(self, statement: st.Engagement, before: Position, found: Sequence[Finding]) -> Iterator[Declared]:
        """Every figure that was said, with its speaker: declarations are the attacker's."""
        attacker = self._side(before.phase.side) if before.phase else NOBODY
        defender = 1 - attacker if attacker in (0, 1) else NOBODY
        for act in statement.acts:
            worst = _worst(f for f in found if f.line == act.line)
            if isinstance(act, st.Announce):
                part, side = ("attack", attacker) if act.role == "attacker" else ("defence", defender)
                yield Declared(part, str(act.total), side, worst.get(part, ""))
            elif isinstance(act, st.Declare):
                for part in ("attack", "defence", "value", "odds", "column"):
                    if (value := getattr(act, part)) is not None:
                        yield Declared(part, str(value), attacker, worst.get(part, ""))
            elif isinstance(act, st.Roll):
                yield Declared("roll", " ".join(map(str, act.faces)), attacker, worst.get("roll", ""))
            elif isinstance(act, st.Result):
                yield Declared("result", " ".join(act.codes), attacker, worst.get("result", ""))


def _key(finding: Finding) -> str:
    return finding.message.key.removeprefix("findings.")


def _worst(found: Iterable[Finding]) -> dict[str, str]:
    """The worst severity of what is found, by the part of the combat that it is about."""
    worst: dict[str, str] = {}
    for finding in sorted(found, key=lambda f: SEVERITIES.index(f.severity)):
        key = _key(finding)
        part = "column" if key.startswith(_SHIFT) else _ABOUT.get(key)
        if part is not None and finding.severity != "info":
            worst.setdefault(part, finding.severity)
    return worst


def _table(table: ResultTable) -> Table:
    return Table(tuple(table.columns), tuple((name, tuple(cells)) for name, cells in table.rows.items()))


def _row(table: ResultTable, roll: int) -> int | None:
    """Index of the row for what the dice count as; beyond the rows it is the end row."""
    from hexforge.scenarios.schema.dice import numbers

    spans = [tuple(numbers(name)) for name in table.rows]
    known = [n for span in spans for n in span]
    shown = min(max(roll, min(known)), max(known)) if known else roll
    return next((i for i, span in enumerate(spans) if shown in span), None)
