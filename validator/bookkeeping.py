"""The answer to a sheet of a game of which only some rules are known: accounts, and what players state as facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from hexforge.scenarios.extended import Extension
from hexforge.scenarios.words import Param
from hexforge.validator import directed, tournament
from hexforge.validator.check import UnknownOption, game_of, players_of, problems_of, program
from hexforge.validator.continuing import MAX_CHAIN, beside, digest_of, missing
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.raw import UnreadableSheet
from hexforge.validator.readers.sheet import read_file
from hexforge.validator.referee.findings import Finding, find
from hexforge.validator.referee.ledger.accounts import Accounts
from hexforge.validator.referee.ledger.replay import LedgerJudgement, replay
from hexforge.validator.referee.rulings import Waiver, idle, waivers_of
from hexforge.validator.report.answer import Answer, Edition
from hexforge.validator.taken import account_of
from hexforge.validator.unbegun import unbegun
from hexforge.validator.unread import Unsure, entered, inherited, lenient, unsure


@dataclass(frozen=True, slots=True)
class Kept:
    """A sheet with the replay of its accounts, for whoever wants to ask more of it than an answer holds.

    `links` is what is wrong with how it goes on from another; the rest is as in `check.Replayed`.
    """

    sheet: st.Sheet
    game: Extension
    judgement: LedgerJudgement
    links: tuple[Finding, ...] = ()
    applied: tournament.Applied | None = None
    waivers: tuple[Waiver, ...] = ()
    ruled: Mapping[str, str] = field(default_factory=dict)
    unsure: tuple[Unsure, ...] = ()

    @property
    def unread(self) -> tuple[Unsure, ...]:
        """The lines that could not be read of it and of all that it goes on from."""
        return (*self.unsure, *_unread(self.sheet, self.judgement, self.sheet.source))


def kept(
    sheet: st.Sheet,
    game: Extension,
    options: Mapping[str, str] | None = None,
    *,
    strict: bool = False,
    steps: Mapping[int, tuple[str, int]] | None = None,
    before: Kept | None = None,
) -> Kept:
    """The replay of a sheet that has been read, going on from the one that it names, or else from `before`.

    `steps` are those of the logs that it was transcribed from. Raises UnknownOption for one of `options`,
    ScenarioError if the files of a tournament are broken.
    """
    applied = tournament.holding(sheet)
    ruled = applied.options(game) if applied else {}
    in_force = {**ruled, **_known(game, options or {})}
    if applied:
        directed.refuse(applied)
    allowed = applied.allowed(sheet) if applied else sheet
    waivers = applied.waivers(sheet, steps or {}) if applied else []
    earlier, links, gaps = _before(allowed, game, in_force)
    if earlier is None and before is not None:
        earlier, gaps = before.judgement, before.unread
    judgement = replay(game, allowed, options=in_force, strict=strict, waivers=waivers, before=earlier)
    every = (*waivers, *waivers_of(allowed))
    return Kept(allowed, game, judgement, tuple(links), applied, every, ruled, gaps)


def answer(
    sheet: st.Sheet,
    game: Extension,
    options: Mapping[str, str] | None = None,
    *,
    strict: bool = False,
    more: Iterable[Finding] = (),
    steps: Mapping[int, tuple[str, int]] | None = None,
) -> Answer:
    """The judgement of a sheet that has been read. Raises what `kept` raises."""
    found = kept(sheet, game, options, strict=strict, steps=steps)
    applied, judgement = found.applied, found.judgement
    findings = [*more, *found.links, *(applied.refused(sheet) if applied else ())]
    findings += _findings(found)
    players = players_of(sheet)
    if applied is not None:
        findings += applied.findings(game, players, 1)
    accounts = Accounts(judgement)
    return Answer(
        source=sheet.source,
        game=game.name,
        edition=Edition(program(), game.game.module.version, game.digest, dict(judgement.ctx.options)),
        findings=tuple(sorted(findings, key=lambda f: f.line)),
        players={**players, **(applied.players if applied else {})},
        tournament=applied.as_json(found.ruled) if applied else None,
        score=accounts.score,
        lines=sheet.lines,
        stopped=judgement.stopped,
        scenario=game,
        account=account_of(sheet),
        intake=sheet.intake,
        sheet=sheet,
        accounts=accounts,
    )


def _before(
    sheet: st.Sheet, game: Extension, options: Mapping[str, str], opened: tuple[str, ...] = ()
) -> tuple[LedgerJudgement | None, list[Finding], tuple[Unsure, ...]]:
    """The accounts that a sheet goes on from, if it names its file; what is wrong with that, and was not read."""
    named = next((s for s in sheet.statements if isinstance(s, st.Continues)), None)
    if named is None:
        return None, [], ()
    files = " ".join(named.files)
    path = beside(named.files[0], sheet.source) if len(named.files) == 1 else None
    if path is None:
        return None, [missing(sheet, named.line, files)], ()
    opened = (*opened, str(Path(sheet.source).resolve()))
    if str(path) in opened or len(opened) > MAX_CHAIN:
        return None, [find(named.line, "continues-circle", "", severity="unread", file=files)], ()
    try:
        other, digest = read_file(path), digest_of([path])
    except (UnreadableSheet, OSError) as error:
        why: Param = error.message if isinstance(error, UnreadableSheet) else str(error)
        return None, [find(named.line, "continues-unread", "", severity="unread", file=files, why=why)], ()
    name = game_of(other)
    if name is None or name.name != game.name:
        other_game = name.name if name else "-"
        return None, [find(named.line, "continues-game", "", severity="unread", file=files, game=other_game)], ()
    earlier, inner, gaps = _before(other, game, options, opened)
    changed = named.hash and not digest.startswith(named.hash)
    found = [find(named.line, "continues-changed", "", file=files)] if changed else []
    found += [replace(f, line=named.line) for f in inner]
    judgement = replay(game, other, options=options, before=earlier)
    return judgement, found, (*gaps, *_unread(other, judgement, files))


def _unread(sheet: st.Sheet, judgement: LedgerJudgement, file: str) -> tuple[Unsure, ...]:
    """The lines of a sheet that could not be read; `file` is its name where a sheet goes on from it."""
    return unsure(sheet, judgement.findings, {**judgement.ctx.pieces, **judgement.books.states}, file)


def _known(game: Extension, options: Mapping[str, str]) -> Mapping[str, str]:
    known = {name: option.choices for name, option in game.game.options.items()}
    for name, value in options.items():
        if value not in known.get(name, ()):
            raise UnknownOption(name, value, known)
    return options


def _findings(kept: Kept) -> list[Finding]:
    """All findings on a sheet, doubtful where a line, or a file, that cannot be read bears on them."""
    sheet, judgement = kept.sheet, kept.judgement
    judged = unbegun(sheet, judgement.findings, kept.links)
    judged = inherited(sheet, judged, {**judgement.ctx.pieces, **judgement.books.states}, kept.unsure)
    judged = entered(sheet, lenient(sheet, judged, judgement.ctx.pieces), kept.unsure)
    found = [*problems_of(sheet), *judged]
    if not judgement.stopped:
        found += idle(found, kept.waivers, len(sheet.lines))
    return [
        replace(f, ruled=replace(f.ruled, source=f.ruled.source or sheet.source)) if f.ruled else f for f in found
    ]
