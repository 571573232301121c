"""What the director of a game rules: findings waived, units put elsewhere, places given to a side.

A waiver changes no position: whatever was wrong with a line has been played as it was told. It only takes the
finding out of the verdict, and stays to be seen with it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from ...scenarios.text.words import Term
from ..notation import base, statements, statements_head
from ..notation.base import grouped
from .context import Context, Outcome
from .findings import UNREAD, Finding, Ruled, Severity, find
from .move_effects import been, known, unknown_hexes
from .position import GARRISON, REINFORCEMENT, STEPS, Departure, Position, Step, Where

_WAIVABLE: Final[frozenset[Severity]] = frozenset(("illegal", "doubtful", "unread", "warning"))
MAX_WAIVERS: Final = 10_000
_STEPS: Final[dict[str, Step]] = {step: step for step in STEPS}
_WHERE: Final[dict[str, Where]] = {
    "eliminated": "eliminated",
    "withdrawn": "withdrawn",
    "exited": "exited",
    "retreated": "retreated",
    "due": "due",
    "off-map": "absent",
    "unset": "absent",
}


@dataclass(frozen=True, slots=True)
class Waiver:
    """A line of the sheet whose findings are waived, or those of a rule: a section, a code, or "" for all.

    `at` is the line of the sheet that the waiver itself stands on; 0 for one that stands elsewhere.
    """

    line: int
    rule: str
    ruled: Ruled
    at: int = 0

    def covers(self, finding: Finding) -> bool:
        """Whether it speaks of a finding. A section holds for those below it, with the game's letter or without."""
        if finding.line != self.line or not self.rule:
            return finding.line == self.line
        section = finding.rule if " " in self.rule else finding.rule.rpartition(" ")[2]
        return self.rule == finding.code or f"{section}.".startswith(f"{self.rule}.")


@grouped
class Directed(base.Ruling):
    """A ruling that stands elsewhere than in the sheet, below whose line `line` it takes its place."""

    statement: statements_head.Put | statements_head.RuledControl
    ruled: Ruled


def waivers_of(sheet: statements.Sheet) -> list[Waiver]:
    """The `accept` lines of a sheet, one waiver for each line that they name; of absurdly many the first."""
    accepts = [s for s in sheet.statements if isinstance(s, statements_head.Accept)]
    told = _told(sheet) if accepts else []
    found: list[Waiver] = []
    for s in accepts:
        ruled = Ruled(sheet.source, s.line, s.reason, s.by)
        above = bisect_left(told, s.line)
        lines = s.lines or (told[above - 1] if above else 0,)
        found += [Waiver(line, s.rule, ruled, s.line) for line in lines[: MAX_WAIVERS - len(found)]]
    return found


def _told(sheet: statements.Sheet) -> list[int]:
    """The lines of a sheet that say anything, rulings on lines aside, whether they can be read or not."""
    lines = [problem.line for problem in sheet.problems]
    for s in sheet.statements:
        if not isinstance(s, statements_head.Accept):
            lines += [s.line, *(act.line for act in s.acts)] if isinstance(s, statements.Engagement) else [s.line]
    return sorted(lines)


def by_line(waivers: Iterable[Waiver]) -> dict[int, list[Waiver]]:
    """Waivers by the lines that they speak of."""
    found: dict[int, list[Waiver]] = {}
    for w in waivers:
        found.setdefault(w.line, []).append(w)
    return found


def waive(findings: Iterable[Finding], waivers: Mapping[int, Sequence[Waiver]]) -> list[Finding]:
    """The findings, those that a waiver (by its line) covers with its ruling and what they would have been."""
    return [_waived(f, next((w for w in waivers.get(f.line, ()) if w.covers(f)), None)) for f in findings]


def _waived(finding: Finding, waiver: Waiver | None) -> Finding:
    if waiver is None or finding.code in UNREAD or finding.severity not in _WAIVABLE:
        return finding
    return replace(finding, severity="waived", waived=finding.severity, ruled=waiver.ruled)


def idle(findings: Sequence[Finding], waivers: Iterable[Waiver], last: int) -> list[Finding]:
    """Findings on waivers that nothing comes of: nothing is wrong with any of their lines, or nobody can read them.

    `last` is the number of the sheet's lines, on the last of which those are told that stand elsewhere.
    """
    found, on = [], {line: list(same) for line, same in groupby(sorted(findings, key=_line), key=_line)}
    for ruled, group in groupby(waivers, key=lambda w: w.ruled):
        same = list(group)
        if any(f.waived and f.ruled == ruled for w in same for f in on.get(w.line, ())):
            continue
        lines = {w.line for w in same}
        unread = any(f.code in UNREAD for line in lines for f in on.get(line, ()))
        told = find(
            same[0].at or max(last, 1),
            "accept-unread" if unread else "accept-idle",
            "",
            severity="warning",
            lines=tuple(str(n) for n in sorted(lines)),
            rule=f" ({same[0].rule})" if same[0].rule else "",
            count=len(lines),
        )
        found.append(replace(told, ruled=ruled))
    return found


def _line(finding: Finding) -> int:
    return finding.line


# ------------------------------------------------------------------------------------------- putting right


def judge_put(ctx: Context, position: Position, s: statements_head.Put) -> Outcome:
    """`put`: units in a hex, on a face or off the map, whatever the rules say of it."""
    ids, findings = known(ctx, s.line, s.units)
    bad = unknown_hexes(ctx, s.line, (s.hex,) if s.hex else ())
    if bad:
        return Outcome(position, (*findings, *bad))
    nowhere = [u for u in ids if not s.hex and s.fate not in _WHERE and not position.units[u].alive]
    findings += [_nowhere(ctx, position, s.line, u) for u in nowhere]
    ids = tuple(u for u in ids if u not in nowhere)
    for u in ids:
        position = _put(ctx, position, u, s)
    fate = Term("fates", s.fate)
    told = find(
        s.line,
        "ruled-put",
        "",
        severity="info",
        units=ids,
        hexes=(s.hex,) if s.hex else (),
        who=" ".join(ids),
        what=tuple(filter(None, (s.hex, fate if s.fate else ""))),
    )
    return Outcome(position, (*findings, *((_by(told, s),) if ids else ())))


def _nowhere(ctx: Context, position: Position, line: int, unit: str) -> Finding:
    """A warning of a dead unit that is given a face and no hex to stand in: it stays dead."""
    where = Term("where", position.units[unit].where)
    return replace(ctx.found(line, "off-map", units=(unit,), unit=unit, where=where), severity="warning")


def _put(ctx: Context, position: Position, unit: str, s: statements_head.Put) -> Position:
    state = position.units[unit]
    if s.fate in _WHERE:
        left = Departure(position.turn, "", s.hex or state.hex or "") if s.fate != "eliminated" else None
        return off_map(position, unit, s.fate, left)
    if s.hex and s.hex != state.hex:
        position = position.unmark(unit, GARRISON).put(unit, s.hex)
        # Whoever stands in a place has come to it, by whatever way.
        position = been(ctx, position.set(unit, since=state.since, left=None), unit, (s.hex,))
    return position.set(unit, step=_STEPS.get(s.fate, _revived(state.step)))


def off_map(position: Position, unit: str, fate: str, left: Departure | None) -> Position:
    """A unit off the map, as one of the notation's `fates` that mean so; on none of them it stays where it is.

    `left`: how it went, where that is known.
    """
    where = _WHERE.get(fate)
    if where is None:
        return position
    if where == "due":
        position = position.mark(unit, REINFORCEMENT)
    if where in ("due", "absent"):
        return position.set(unit, hex=None, where=where, left=None, step=_revived(position.units[unit].step))
    return position.take_off(unit, where, left=left)


def _revived(step: Step) -> Step:
    return "full" if step == "eliminated" else step


def judge_control(ctx: Context, position: Position, s: statements_head.RuledControl) -> Outcome:
    """`control` in play: a hex counts as held by a side since the turn began, until somebody enters it."""
    bad = unknown_hexes(ctx, s.line, (s.hex,))
    if bad or s.side not in ctx.sides:
        return Outcome(position, tuple(bad))
    side = Term("sides", s.side)
    told = find(s.line, "ruled-control", "", severity="info", hexes=(s.hex,), hex=s.hex, side=side)
    position = position.noted(held={**position.ledger.held, s.hex: s.side})
    return Outcome(position.held(s.side, (s.hex,)), (_by(told, s),))


def judge_directed(ctx: Context, position: Position, s: Directed) -> Outcome:
    """`put` or `control` of a director's file, told with the place that it stands in."""
    if isinstance(s.statement, statements_head.Put):
        outcome = judge_put(ctx, position, s.statement)
    else:
        outcome = judge_control(ctx, position, s.statement)
    return replace(outcome, findings=tuple(replace(f, ruled=s.ruled) for f in outcome.findings))


def _by(finding: Finding, s: statements_head.Put | statements_head.RuledControl) -> Finding:
    return replace(finding, ruled=Ruled("", s.line, s.reason, s.by))
