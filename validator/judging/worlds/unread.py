"""What rests on lines that could not be read: they may have said what is missed, so that nobody is accused of it.

A finding that is illegal by what was read is doubtful where a line that was not

- stands in the same combat, bombardment or air strike, or tells of one and stands above its first line,
- stands above the first phase, and says how the game begins or what it is judged by,
- names a unit or a hex that the finding is about, or the combat that it stands in, in the same phase or before,
- stands in the phase in which something is missed that had to be done, as an attack or a die,
- speaks of units without which it would not stand: nobody knows what became of them,
- opens the phase, and was taken for what it surely means, or is missing between this phase and the one before,
- takes back or mends what was said, in the same phase or the one before it,
- stands above it, in a game of accounts of which it says one, for any line may have changed that,
- stands above it, in this sheet or one before, if it is about the score: any line may have earned points,
- opens the combat, and was taken for what it surely means or for what the lines below it say.

What was done in a phase that a line opens which was taken for what it means, and would be illegal there, may not
have been done: what is found later of the units that did it, or not found without it, is doubtful too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from ....scenarios.console import alike
from ....scenarios.schema.game import GameFile
from ....scenarios.text.words import Message, message
from ...notation import base, cursor, statements, statements_head
from ...notation.cursor import HEX, expected, logical_lines
from ...notation.kinds import OPEN
from ...notation.records import REFUSED
from ...notation.vocabulary import notation
from ...notation.words import runs_of
from ...reading.line_classifier import takes_back
from ...rules.findings import SLIPS, Finding, doubt, find
from ...rules.position_export import BEGINS

Unseen: TypeAlias = Callable[[Mapping[int, Iterable[str]], Callable[[Finding], bool]], Sequence[Finding]]
Again: TypeAlias = Callable[[Container[int], Callable[[Finding], bool]], Sequence[Finding] | None]
MIDWAY: Final = doubt("midway")
_BY_ITSELF: Final = frozenset(f"findings.{key}" for key in ("no-code", "die", "path-gap"))
"""What is wrong with a line whatever any other says: a code that no table has, two hexes that do not touch."""
_MISSED: Final = frozenset(("air-points", "must-attack"))
"""Codes of findings on the line that opens a phase: of what had to be done in it, and no line says."""
_BOOKED: Final = frozenset(("account", "score"))
"""Codes of findings on accounts, in which all that was entered before has a part."""
_STACKED: Final = "stacking"
_SCORED: Final = "score"
"""The code of findings on points, which need not name the unit or the hex that earned them."""
_ENTERED: Final = frozenset(f"findings.{key}" for key in ("no-such-level", "gun-value"))
"""What of them is wrong with an entry by itself."""
_SUMS: Final = frozenset(("odds", "exchange"))
"""Codes of findings on strengths that are added up."""
_TOLD_IN_COMBAT: Final = frozenset({"column", "shifts", "result"})
"""Codes of findings on figures of a combat that no line of another one can change (R141)."""
_OUTSIDE: Final = expected("in-engagement")
"""What is said of a line that belongs to a combat and stands in none: it may have been meant for the next."""
_MOST: Final = 3
"""Lines that a finding is said to rest on, and ids that it may have meant."""
_NUMBER: Final = re.compile("[0-9]{2,}")
"""The figures by which a unit is called; one alone is a die, a step or a battalion of anybody's."""
_ALIKE: Final = 0.75
"""How like each other two ids are of which one may be meant by the other."""


def syntax_finding(problem: cursor.SyntaxProblem) -> Finding:
    """A problem of the reader as a finding of the contract."""
    found = find(
        problem.line,
        "syntax" if problem.found else "syntax-end",
        "",
        declared=problem.found or None,
        column=problem.column,
        found=problem.found,
        expected=problem.expected,
    )
    if problem.assumed:
        found = replace(
            found, message=message("findings.reading.assumed", what=found.message, assumed=problem.assumed)
        )
    if problem.below:
        # Of a line that was read in parts the number stands there once for each.
        lines, count = runs(problem.below), len(set(problem.below))
        told = message("findings.reading.below", what=found.message, lines=lines, count=count)
        found = replace(found, message=told, below=problem.below)
    return found


def runs(lines: Sequence[int]) -> str:
    """Line numbers in order, those that follow one another as a range: `13-20, 24`."""
    found: list[list[int]] = []
    for line in dict.fromkeys(lines):
        if found and line == found[-1][1] + 1:
            found[-1][1] = line
        else:
            found.append([line, line])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in found)


@dataclass(frozen=True)
class _Gap:
    """A line that was not read: what it names, with the lines below it, and the lines that it casts doubt on.

    `since`: from which line on its names count; `block`: the lines (from, up to) of the combat or the phase that it
    stands in or was to open; `nameless`: it names nothing by its id, and its figures may be of anything. `combat`:
    the block is a combat, to which alone what the line may have said of figures belongs.
    """

    line: int
    names: frozenset[str]
    since: int
    block: tuple[int, int]
    nameless: bool = False
    combat: bool = False

    def bears(self, line: int, names: Iterable[str]) -> bool:
        """Whether something on a line, about units and hexes, may be for want of this line."""
        within = self.block[0] <= line < self.block[1]
        return within or (line >= self.since and not self.names.isdisjoint(names))


class _Sheet:
    """A sheet by its lines: where its phases and its combats begin and end, and what they name."""

    def __init__(self, sheet: statements.Sheet, names: Collection[str], units: Iterable[str]) -> None:
        self.sheet = sheet
        self.known = names
        self.listed = tuple(units)
        self.units = frozenset(self.listed)
        self.end = len(sheet.lines) + 1
        self.played = [s for s in sheet.statements if not isinstance(s, statements_head.Accept)]
        self.starts = [s.line for s in self.played]
        self.turns = [s.line for s in sheet.statements if isinstance(s, base.Opening)]
        self._short: dict[str, set[str]] = {}
        self._named: dict[tuple[int, int], frozenset[str]] = {}
        for name in names:
            for run in runs_of(name):
                self._short.setdefault(run, set()).add(name)

    def gaps(self, slips: Iterable[Finding]) -> list[_Gap]:
        """The lines that could not be read, and those that name what is not there."""
        unread = [self._gap(problem) for problem in self.sheet.problems if 1 <= problem.line < self.end]
        return unread + [self._slip(finding) for finding in slips]

    def _slip(self, finding: Finding) -> _Gap:
        """Who was meant may be anybody; who is named beside him on the line is known."""
        phase = bisect_right(self.turns, finding.line)
        named = self.names((finding.line,)) - {*finding.units, *finding.hexes}
        if not phase:  # nobody knows who stands where
            return _Gap(finding.line, named, 0, (0, self.end), not named)
        return _Gap(finding.line, named, self.turns[phase - 1], self.combat(finding.line), not named)

    def _gap(self, problem: cursor.SyntaxProblem) -> _Gap:
        line = problem.line
        phase = bisect_right(self.turns, line)
        following = self.turns[phase] if phase < len(self.turns) else self.end
        if problem.assumed:
            combat = self.combat(line)
            block = combat if combat[0] == line else (line, following)
        elif problem.below:
            # The phase that comes next is out of turn only for want of one that takes all the lines before it.
            end = max(problem.below) + 1
            block = (line, following + 1 if end >= following else end)
        elif problem.expected == _OUTSIDE:
            block = self.combat_below(line)
        else:
            block = self.combat(line)
        if problem.head:
            block = (0, self.end)
        since = self.turns[phase - 1] if phase else 0
        named = self.names((line, *problem.below))
        names = named | self._meant(line)
        if takes_back(self.sheet.lines[line - 1], notation(), named=bool(names)):
            since = self.turns[phase - 2] if phase > 1 else since
            block = (min(block[0], since) if any(block) else since, max(block[1], following))
            names = names if names & self.units else names | self.names(range(max(since, 1), line))
        opens = bool(problem.below) and block[1] <= following
        fights = block == self.combat(line) != (0, 0) or (opens and not problem.head)
        return _Gap(line, names, since, block, not named, fights)

    def lost(self, gaps: Iterable[_Gap], slips: Iterable[Finding]) -> dict[int, frozenset[str]]:
        """By the lines of phases that could not be read the units of which nobody knows what became."""
        first = self.turns[0] if self.turns else self.end
        assumed = {problem.line for problem in self.sheet.problems if problem.assumed}
        found: dict[int, frozenset[str]] = {}
        for gap in gaps:
            if gap.line > first and gap.line not in assumed:
                named = {name for name in gap.names if not HEX.fullmatch(name)}
                found[gap.line] = frozenset(named or self._fighting(self.combat(gap.line)))
        for slip in slips:
            like = alike(slip.units[0], self.listed, _MOST, _ALIKE) if slip.units else ()
            if slip.line > first:
                found[slip.line] = frozenset(like) | self._fighting(self.combat(slip.line))
        return {line: units & self.units for line, units in sorted(found.items()) if units & self.units}

    def _within(self, block: tuple[int, int]) -> frozenset[str]:
        """The units and hexes that the lines of a combat name, which is asked of each of them."""
        if block not in self._named:
            self._named[block] = self.names(range(*block))
        return self._named[block]

    def _fighting(self, block: tuple[int, int]) -> frozenset[str]:
        return self._within(block) & self.units

    def combat(self, line: int) -> tuple[int, int]:
        """The lines of the combat, bombardment or air strike that a line stands in; (0, 0) if in none."""
        at = bisect_right(self.starts, line)
        if not at or not isinstance(self.played[at - 1], statements.Engagement):
            return (0, 0)
        return self.starts[at - 1], self.starts[at] if at < len(self.starts) else self.end

    def combat_below(self, line: int) -> tuple[int, int]:
        """The lines of the combat that comes next after a line; (0, 0) if something else does."""
        at = bisect_right(self.starts, line)
        return self.combat(self.starts[at]) if at < len(self.starts) else (0, 0)

    def names(self, lines: Iterable[int]) -> frozenset[str]:
        """The units and hexes that lines name."""
        texts = [self.sheet.lines[number - 1] for number in lines]
        keys = {token.key for source in logical_lines(texts) for token in source.tokens}
        return frozenset(key for key in keys if key in self.known or HEX.fullmatch(key))

    def _meant(self, line: int) -> frozenset[str]:
        """The units that a line may mean by a part of their ids: `the 112th` is each of `us-112-1` to `-3`."""
        keys = (token.key for source in logical_lines([self.sheet.lines[line - 1]]) for token in source.tokens)
        parts = {part for key in keys for part in (key, *_NUMBER.findall(key)) if _NUMBER.search(part)}
        return frozenset(unit for part in parts for unit in self._short.get(part, ()))

    def about(self, finding: Finding) -> frozenset[str]:
        """The units and hexes that a finding is about: in a combat, all that take part in it."""
        return self._within(self.combat(finding.line)) | {*finding.units, *finding.hexes}


def _refused(sheet: statements.Sheet) -> list[_Gap]:
    """The lines that were understood and not taken, which leave nothing in doubt but what counts everything."""
    marks = sheet.intake.marks.items()
    return [_Gap(line, frozenset(), line, (0, 0)) for line, mark in marks if mark.why in REFUSED]


def lenient(
    sheet: statements.Sheet,
    findings: Sequence[Finding],
    units: Iterable[str],
    again: Again | None = None,
    unseen: Unseen | None = None,
) -> tuple[Finding, ...]:
    """The findings of the referee, doubtful where they rest on lines that could not be read.

    `units` are the ids of all that may play; `again` judges the sheet with the statements of some lines left out,
    and weighs those findings that are asked for, or says None where that has been done too often; without it what
    follows from a line that was guessed is not looked for. `unseen` does so with units off the map from below some
    lines on.
    """
    units = tuple(units)
    slips = [
        finding for finding in findings if finding.severity == "unread" and 1 <= finding.line <= len(sheet.lines)
    ]
    refused = _refused(sheet)
    if not sheet.problems and not slips and not refused:
        return tuple(findings)
    findings = [_with_likely(finding, units) for finding in findings]
    lines = _Sheet(sheet, {*units, *(unit for finding in findings for unit in finding.units)}, units)
    gaps = lines.gaps(slips)
    found = [_judged(finding, lines, [*gaps, *refused]) for finding in findings]
    if again is not None:
        assumed = {problem.line for problem in sheet.problems if problem.assumed}
        for line, done in _blaming(findings, found, assumed).items():
            found = _follow(line, done, found, lines, again)
    return tuple(_unsighted(found, lines, lines.lost(gaps, slips), unseen) if unseen else found)


def _unsighted(
    findings: Sequence[Finding], lines: _Sheet, gone: Mapping[int, frozenset[str]], unseen: Unseen
) -> Sequence[Finding]:
    """The findings, doubtful where they would be others without the units of lines that could not be read."""
    first = min(gone, default=0)
    asked = {
        (f.line, f.message) for f in findings if f.severity == "illegal" and f.line > first and not by_itself(f)
    }
    if not gone or not asked:
        return findings
    judged = unseen(gone, lambda f: (f.line, f.message) in asked)
    lost = frozenset[str]().union(*gone.values())
    # A sum is about everybody in its combat, and one of them may have lost a step.
    told = ((f, lines.about(f) if f.code in _SUMS else f.units) for f in judged if f.severity == "illegal")
    asked -= {(f.line, f.message) for f, about in told if lost.isdisjoint(about)}
    return [
        _resting(f, [line for line in gone if line < f.line][-_MOST:]) if (f.line, f.message) in asked else f
        for f in findings
    ]


@dataclass(frozen=True, slots=True)
class Unsure:
    """A line that could not be read of what a sheet goes on from, and who or what it may have been about.

    `units` are those of which nobody knows what became; `all`: it may bear on anything, as how the game begins.
    `told` is what rests on it, where no line says it.
    """

    file: str
    line: int
    names: frozenset[str]
    units: frozenset[str]
    all: bool = False
    told: Message | None = None

    @property
    def why(self) -> Message:
        """What rests on it, as findings tell it."""
        return self.told or doubt("unread-before", file=self.file, line=self.line)


def unbegun(sheet: statements.Sheet, links: Iterable[Finding], game: GameFile) -> Iterator[Unsure]:
    """How a game began, where a sheet goes on from what could not be read, or a mail from a later phase on.

    In a sheet that somebody wrote the printed set-up stands where it says no other; nobody who types his turn into
    a mail means that. `links` say what is wrong with what the sheet goes on from.
    """
    if any(isinstance(s, BEGINS) for s in sheet.statements):
        return
    nothing, told = frozenset[str](), []
    told += [(1, doubt("begins", file=str(f.message.values["file"]))) for f in links if f.severity == "unread"][:1]
    first = next((s for s in sheet.statements if isinstance(s, base.Opening)), None)
    goes_on = any(isinstance(s, statements_head.Continues) for s in sheet.statements)
    if sheet.intake.unwritten and not goes_on and isinstance(first, statements.TurnStart):
        begins = game.sequence[0]
        if (first.number, first.side, first.phase) != (game.turns.first, begins.side, begins.phase):
            told.append((first.line, MIDWAY))
    yield from (Unsure("", line, nothing, nothing, all=True, told=why) for line, why in told)


def begins_late(sheet: statements.Sheet, game: GameFile) -> int | None:
    """The line of a written sheet that opens a later turn than the first, where none says what was before."""
    if sheet.intake.unwritten or any(isinstance(s, (*BEGINS, statements_head.Continues)) for s in sheet.statements):
        return None
    first = next((s for s in sheet.statements if isinstance(s, base.Opening)), None)
    return first.line if isinstance(first, statements.TurnStart) and first.number > game.turns.first else None


def unsure(
    sheet: statements.Sheet, findings: Sequence[Finding], units: Iterable[str], file: str
) -> tuple[Unsure, ...]:
    """The lines of a sheet that could not be read, for a sheet that goes on from it; `file` is its name there."""
    slips = [f for f in findings if f.severity == "unread" and 1 <= f.line <= len(sheet.lines)]
    refused = _refused(sheet)
    if not sheet.problems and not slips and not refused:
        return ()
    units = tuple(units)
    lines = _Sheet(sheet, {*units, *(unit for f in findings for unit in f.units)}, units)
    gaps = lines.gaps(slips)
    lost = lines.lost(gaps, slips)
    nobody = frozenset[str]()
    found = {
        gap.line: Unsure(file, gap.line, gap.names, lost.get(gap.line, nobody), gap.block == (0, lines.end))
        for gap in [*refused, *gaps]
    }
    return tuple(found.values())


def inherited(
    sheet: statements.Sheet,
    findings: Sequence[Finding],
    units: Iterable[str],
    before: Sequence[Unsure],
    unseen: Unseen | None = None,
) -> tuple[Finding, ...]:
    """The findings, doubtful where they rest on lines that could not be read of what the sheet goes on from.

    Without `unseen` it is not asked what else would be otherwise without the units of such lines.
    """
    if not before:
        return tuple(findings)
    units = tuple(units)
    lines = _Sheet(sheet, {*units, *(name for gap in before for name in gap.names)}, units)

    came = _came(sheet)

    def bearing(finding: Finding) -> list[Unsure]:
        about = lines.about(finding)
        scored = finding.code == _SCORED
        if (
            finding.code == _STACKED
            and finding.units
            and all(finding.hexes == came.get(unit) for unit in finding.units)
        ):
            return []  # wherever others stood, the lines of the sheet bring all of these there
        return [gap for gap in before if scored or gap.all or not about.isdisjoint(gap.names | gap.units)]

    def judged(finding: Finding) -> Finding:
        if finding.severity != "illegal" or by_itself(finding) or not (blamed := bearing(finding)):
            return finding
        return replace(finding, severity="doubtful", rests_on=tuple(gap.why for gap in blamed[:_MOST]))

    found = [judged(finding) for finding in findings]
    gone = lines.units.intersection(unit for gap in before for unit in gap.units)
    since = (lines.turns[0] if lines.turns else lines.end) - 1
    asked = {(f.line, f.message) for f in found if f.severity == "illegal" and not by_itself(f)}
    if not gone or not asked or unseen is None:
        return tuple(found)
    told = {(f.line, f.message) for f in unseen({since: gone}, lambda f: (f.line, f.message) in asked)}
    why = tuple(gap.why for gap in before if gap.units)[-_MOST:]
    return tuple(
        replace(f, severity="doubtful", rests_on=why)
        if (f.line, f.message) in asked and (f.line, f.message) not in told
        else f
        for f in found
    )


def _came(sheet: statements.Sheet) -> dict[str, tuple[str]]:
    """Where the lines of a sheet bring units which say where these stood."""
    moves = (
        s for s in sheet.statements if isinstance(s, statements.Move) and s.path[0] != OPEN and len(s.path) > 1
    )
    return {unit: (move.path[-1],) for move in moves for unit in move.units}


def entered(sheet: statements.Sheet, findings: Sequence[Finding], before: Sequence[Unsure]) -> tuple[Finding, ...]:
    """The findings on accounts, doubtful where a line above them, or in a sheet before, could not be read.

    An entry need name no unit: nobody knows which account such a line was to change.
    """
    unread = {p.line for p in sheet.problems} | {f.line for f in findings if f.severity == "unread"}
    lines = sorted(unread)

    def judged(finding: Finding) -> Finding:
        booked = finding.code in _BOOKED and finding.message.key not in _ENTERED
        above = [doubt("unread", line=line) for line in lines[: bisect_right(lines, finding.line)]]
        why = (*(gap.why for gap in before), *above)[-_MOST:]
        if not booked or not why or finding.severity != "illegal":
            return finding
        return replace(finding, severity="doubtful", rests_on=why)

    return tuple(judged(finding) for finding in findings)


def by_itself(finding: Finding) -> bool:
    """Whether a finding stands whatever any other line says."""
    return finding.message.key in _BY_ITSELF


def _with_likely(finding: Finding, units: Sequence[str]) -> Finding:
    """What is said of a unit that does not exist, with the ids that it is like."""
    near = tuple(alike(finding.units[0], units, _MOST, _ALIKE)) if finding.code in SLIPS and finding.units else ()
    if not near:
        return finding
    return replace(finding, message=message("findings.reading.like", what=finding.message, like=near))


def _blaming(before: Sequence[Finding], after: Sequence[Finding], lines: Iterable[int]) -> dict[int, list[Finding]]:
    """By those of some lines that have any, the findings that have become doubtful for want of them."""
    found: dict[int, list[Finding]] = {line: [] for line in sorted(lines)}
    for old, new in zip(before, after, strict=True):
        for why in new.rests_on if old.severity != new.severity else ():
            line = why.values.get("line")
            if isinstance(line, int) and line in found and why == doubt("unread", line=line):
                found[line].append(new)
    return {line: done for line, done in found.items() if done}


def _follow(
    line: int,
    done: Sequence[Finding],
    findings: Sequence[Finding],
    lines: _Sheet,
    again: Again,
) -> list[Finding]:
    """The findings, doubtful where they follow from what was `done` below a line that is not sure."""
    since = min(finding.line for finding in done)
    units = frozenset(unit for finding in done for unit in finding.units)
    gap = _Gap(line, units, since, (0, 0))
    found = [_judged(finding, lines, [gap]) for finding in findings]
    asked = {(f.line, f.message) for f in found if f.severity == "illegal" and f.line > since}
    if not asked:
        return found
    left_out = {lines.combat(finding.line)[0] or finding.line for finding in done}
    judged = again(left_out, lambda f: (f.line, f.message) in asked)
    why = doubt("effort") if judged is None else doubt("unread", line=line)
    asked -= {(f.line, f.message) for f in judged or () if f.severity == "illegal"}
    return [
        replace(f, severity="doubtful", rests_on=(why,))
        if f.severity == "illegal" and (f.line, f.message) in asked
        else f
        for f in found
    ]


def _judged(finding: Finding, lines: _Sheet, gaps: Sequence[_Gap]) -> Finding:
    if finding.severity != "illegal" or by_itself(finding):
        return finding
    about = lines.about(finding)
    missed = finding.code in _MISSED and finding.line in lines.turns
    drawn = finding.code == "air-points"  # a line that names nobody may have given the die
    scored = finding.code == _SCORED
    here = lines.combat(finding.line)
    figured = finding.code in _TOLD_IN_COMBAT and any(here)
    blaming = (
        g.line
        for g in gaps
        if not (figured and g.combat and g.block != here)
        and (
            g.bears(finding.line, about)
            or (missed and g.since == finding.line)
            or (drawn and g.nameless and g.line < finding.line)
            or (scored and g.line <= finding.line)
        )
    )
    blamed = list(dict.fromkeys(blaming))[:_MOST]
    return _resting(finding, blamed) if blamed else finding


def _resting(finding: Finding, lines: Iterable[int]) -> Finding:
    return replace(finding, severity="doubtful", rests_on=tuple(doubt("unread", line=line) for line in lines))
