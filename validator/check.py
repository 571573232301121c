"""Judge a sheet: read it, load its game, replay it, and put the answer together."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexforge.scenarios.words import HexforgeError, message
from hexforge.validator import games
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.cursor import expected
from hexforge.validator.readers.sheet import read_file
from hexforge.validator.referee.findings import Finding, Ruled
from hexforge.validator.report.answer import Answer, Edition
from hexforge.validator.taken import account_of, refusals
from hexforge.validator.unbegun import midway, unbegun
from hexforge.validator.unread import Unsure, inherited, lenient, syntax_finding

if TYPE_CHECKING:
    from hexforge.scenarios.extended import Extension
    from hexforge.scenarios.model import Scenario
    from hexforge.validator.continuing import Link
    from hexforge.validator.referee.context import Context
    from hexforge.validator.referee.replay import Judgement
    from hexforge.validator.referee.rulings import Waiver
    from hexforge.validator.referee.state import Position
    from hexforge.validator.tournament import Applied

_PLACED: Final = ("findings.placed-early", "findings.placed-withdrawn")
"""What is said of a unit on the map once, not on each sheet that goes on from there."""


class UnknownOption(HexforgeError):
    """An option that a game has not, or a value that it does not know. `known` maps each option to its values."""

    def __init__(self, name: str, value: str, known: Mapping[str, tuple[str, ...]]) -> None:
        key, choices = ("option-value", known[name]) if known.get(name) else ("option-name", tuple(sorted(known)))
        super().__init__(message(f"validator.{key}", name=name, value=value, known=choices))
        self.name = name
        self.value = value
        self.known = known


@cache
def program() -> str:
    """Name and version of this program."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"hexforge {version('hexforge')}"
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "hexforge"


def game_of(sheet: st.Sheet) -> st.GameName | None:
    """The statement that names the sheet's game."""
    return next((s for s in sheet.statements if isinstance(s, st.GameName)), None)


def scenario_of(sheet: st.Sheet) -> Scenario | None:
    """The game that a sheet names; None if it names none that is known. Raises ScenarioError for broken files."""
    game = game_of(sheet)
    return games.scenario(game.name, sheet.source) if game is not None else None


def extension_of(sheet: st.Sheet) -> Extension | None:
    """The game that a sheet names, if only some of its rules are known: one with accounts to keep."""
    from hexforge.scenarios.model import Scenario

    named = game_of(sheet)
    found = games.game(named.name, sheet.source) if named is not None else None
    return None if found is None or isinstance(found, Scenario) or found.ledger is None else found


@dataclass(frozen=True, slots=True)
class Replayed:
    """A sheet with its replay, for whoever wants to ask more of it than an answer holds.

    `steps` gives, for the lines of a sheet that was transcribed from logs, the log's name and its step. `links` is
    what is wrong with how it goes on from another. `applied` is what a tournament's file says of the game, `ruled`
    the options that it sets, `waivers` are all in force. `unsure` are lines that could not be read of the other,
    `stood` the units that it left on the map. `noted` is whom regiments mean that it names as a whole.
    """

    sheet: st.Sheet
    scenario: Scenario
    judgement: Judgement
    steps: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    links: tuple[Finding, ...] = ()
    applied: Applied | None = None
    waivers: tuple[Waiver, ...] = ()
    ruled: Mapping[str, str] = field(default_factory=dict)
    unsure: tuple[Unsure, ...] = ()
    stood: frozenset[str] = frozenset()
    noted: tuple[Finding, ...] = ()

    @property
    def context(self) -> Context:
        """What the rules were judged against."""
        return self.judgement.ctx

    @property
    def position(self) -> Position:
        """The position at the end."""
        return self.judgement.position


def replayed(
    sheet: st.Sheet,
    options: Mapping[str, str] | None = None,
    *,
    strict: bool = False,
    before: Replayed | None = None,
    steps: Mapping[int, tuple[str, int]] | None = None,
) -> Replayed | None:
    """The replay of a sheet; None if it names no game that is known.

    It goes on from `before` where it does not say itself how it begins; `steps` are those of the logs that it was
    transcribed from. Raises UnknownOption for one of `options`, ScenarioError if the files of the game, or its
    tournament's, are broken.
    """
    from hexforge.validator import tournament
    from hexforge.validator.directed import directed
    from hexforge.validator.groups import named_whole, with_units
    from hexforge.validator.referee.replay import replay
    from hexforge.validator.referee.rulings import waivers_of

    scenario = scenario_of(sheet)
    if scenario is None:
        return None
    known = {name: option.choices for name, option in scenario.game.options.items()}
    for name, value in (options or {}).items():
        if value not in known.get(name, ()):
            raise UnknownOption(name, value, known)
    applied = tournament.holding(sheet)
    ruled = applied.options(scenario) if applied else {}
    in_force = {**ruled, **(options or {})}
    link = _link(applied.allowed(sheet) if applied else sheet, scenario, in_force, before)
    waivers = applied.waivers(sheet, steps or {}) if applied else []
    played = directed(applied, link.sheet, scenario, steps or {}) if applied else link.sheet
    noted: tuple[Finding, ...] = ()
    if named_whole(played):
        played, noted = with_units(played, scenario, in_force)
    judgement = replay(scenario, played, options=in_force, strict=strict, waivers=waivers)
    every = (*waivers, *waivers_of(played))
    return Replayed(
        played,
        scenario,
        judgement,
        steps or {},
        link.findings,
        applied,
        every,
        ruled,
        link.unsure,
        link.stood,
        noted,
    )


def _link(sheet: st.Sheet, scenario: Scenario, options: Mapping[str, str], before: Replayed | None) -> Link:
    from hexforge.validator.continuing import linked

    return linked(sheet, scenario, options, before)


def problems_of(sheet: st.Sheet, *, known: bool = True) -> tuple[Finding, ...]:
    """What cannot be read in a sheet, and what was not taken of it; `known` says whether its game is."""
    problems = list(sheet.problems)
    game = game_of(sheet)
    if game is not None and not known:
        hint = expected("unknown-game", known=tuple(games.all_names()))
        problems.append(st.SyntaxProblem(game.line, 1, game.name, hint))
    found = map(syntax_finding, sorted(problems, key=lambda p: (p.line, p.column)))
    return (*refusals(sheet), *found) if sheet.intake.marks or sheet.intake.surmised else tuple(found)


def _ruled(found: Replayed, more: Iterable[Finding]) -> tuple[Finding, ...]:
    """All findings on a sheet by their lines, with what rulings make of them and who rules so."""
    from hexforge.validator.referee.rulings import by_line, idle, waive

    sheet, judgement, waivers = found.sheet, found.judgement, found.waivers
    count, units, gone = len(found.links), judgement.ctx.units, partial(_unseen, found)
    news = [f for f in judgement.findings if f.message.key not in _PLACED or not found.stood.issuperset(f.units)]
    judged = (*found.links, *midway(sheet, unbegun(sheet, news, found.links), found.scenario.game))
    judged = inherited(sheet, judged, units, found.unsure, gone)
    findings = [*waive((*more, *judged[:count]), by_line(waivers)), *problems_of(sheet), *found.noted]
    findings += lenient(sheet, judged[count:], units, partial(_again, found), gone)
    if found.applied is not None:
        findings += found.applied.findings(found.scenario, players_of(sheet), 1)
    if not judgement.stopped:
        findings += idle(findings, waivers, len(sheet.lines))
    said = (replace(f, ruled=_said_in(found, f.ruled)) if f.ruled else f for f in findings)
    return tuple(sorted(said, key=lambda f: f.line))


def _again(
    found: Replayed, left_out: Container[int], asked_of: Callable[[Finding], bool]
) -> tuple[Finding, ...] | None:
    """What is found on a sheet without some of its lines, under the same rulings; None: too often asked."""
    from hexforge.validator.referee.replay import without

    return without(found.sheet, found.judgement, left_out, asked_of, found.waivers)


def _unseen(
    found: Replayed, gone: Mapping[int, Iterable[str]], asked_of: Callable[[Finding], bool]
) -> tuple[Finding, ...]:
    """What is found on a sheet if units are off the map from below some of its lines on, under the same rulings."""
    from hexforge.validator.referee.replay import unseen

    return unseen(found.sheet, found.judgement, gone, asked_of, found.waivers)


def players_of(sheet: st.Sheet) -> dict[str, str]:
    """Who plays, by side, as the sheet says."""
    return dict(pair for s in sheet.statements if isinstance(s, st.Players) for pair in s.names)


def _said_in(found: Replayed, ruled: Ruled) -> Ruled:
    """A ruling with the file that it stands in: of a line of the sheet the log or the mail, and who sent that."""
    sheet = found.sheet
    if ruled.source not in ("", sheet.source):
        return ruled
    log, step = found.steps.get(ruled.line, ("", 0))
    if log:
        return replace(ruled, source=f"{log}:{step}")
    file, line = sheet.intake.places.get(ruled.line, (sheet.source, ruled.line))
    letters = sheet.intake.letters
    # An attachment is named after the mail that carries it.
    sender = next((m.sender for m in letters if file == m.source or file.startswith(f"{m.source}: ")), "")
    return replace(ruled, source=file, line=line, by=ruled.by or sender)


def judge(
    sheet: st.Sheet,
    options: Mapping[str, str] | None = None,
    *,
    strict: bool = False,
    more: Iterable[Finding] = (),
    steps: Mapping[int, tuple[str, int]] | None = None,
) -> Answer:
    """The judgement of a sheet that has been read.

    `options` overrule the sheet's own `option` lines; `strict` stops at the first illegal statement; `more` has
    been found before, in the logs that the sheet was written from by their `steps`. Raises what `replayed` raises.
    """
    from hexforge.validator.referee import victory

    extension = extension_of(sheet)
    if extension is not None:
        from hexforge.validator.bookkeeping import answer

        return answer(sheet, extension, options, strict=strict, more=more, steps=steps)
    found = replayed(sheet, options, strict=strict, steps=steps)
    if found is None:
        return Answer(
            sheet.source,
            "",
            Edition(program()),
            (*problems_of(sheet, known=False), *more),
            lines=sheet.lines,
            account=account_of(sheet),
            intake=sheet.intake,
        )
    scenario, judgement = found.scenario, found.judgement
    return Answer(
        source=sheet.source,
        game=scenario.name,
        edition=Edition(program(), scenario.game.module.version, scenario.digest, dict(judgement.options)),
        findings=_ruled(found, (*more, *(found.applied.refused(sheet) if found.applied else ()))),
        combats=judgement.combats,
        moves=judgement.moves,
        actions=judgement.actions,
        players={**players_of(sheet), **(found.applied.players if found.applied else {})},
        tournament=found.applied.as_json(found.ruled) if found.applied else None,
        position=judgement.position,
        field=judgement.ctx.map,
        score=judgement.score,
        parts=victory.parts(judgement.ctx, judgement.position),
        lines=sheet.lines,
        shown=frozenset(s.unit for s in sheet.statements if isinstance(s, st.UnitDefinition)),
        stopped=judgement.stopped,
        scenario=scenario,
        scenes=judgement.scenes,
        since=judgement.since,
        account=account_of(replace(sheet, problems=found.sheet.problems)),
        intake=sheet.intake,
        sheet=sheet,
        played=found.sheet,
        course=judgement.course,
        numbers=judgement.numbers,
    )


def check_file(path: str | Path, options: Mapping[str, str] | None = None, *, strict: bool = False) -> Answer:
    """`judge` for a file, `-` being standard input. Raises UnreadableSheet besides what `judge` raises."""
    return judge(read_file(path), options, strict=strict)
