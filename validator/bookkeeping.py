"""The answer to a sheet of a game of which only some rules are known: accounts, and what players state as facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from hexforge.scenarios.extension import Extension
from hexforge.validator import tournament
from hexforge.validator.check import UnknownOption, players_of, problems_of, program
from hexforge.validator.readers import statements as st
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.ledger.accounts import Accounts
from hexforge.validator.referee.ledger.replay import LedgerJudgement, replay
from hexforge.validator.referee.rulings import Waiver, idle, waivers_of
from hexforge.validator.report.answer import Answer, Edition
from hexforge.validator.taken import account_of
from hexforge.validator.unread import lenient


def answer(
    sheet: st.Sheet,
    game: Extension,
    options: Mapping[str, str] | None = None,
    *,
    strict: bool = False,
    more: Iterable[Finding] = (),
) -> Answer:
    """The judgement of a sheet that has been read. Raises UnknownOption for one of `options`, ScenarioError if the
    files of a tournament are broken.
    """
    applied = tournament.around(sheet.source)
    ruled = applied.options(game) if applied else {}
    in_force = {**ruled, **_known(game, options or {})}
    allowed = applied.allowed(sheet) if applied else sheet
    waivers = applied.waivers({}) if applied else []
    judgement = replay(game, allowed, options=in_force, strict=strict, waivers=waivers)
    findings = [*more, *(applied.refused(sheet) if applied else ())]
    findings += _findings(allowed, judgement, (*waivers, *waivers_of(allowed)))
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
        tournament=applied.as_json(ruled) if applied else None,
        score=accounts.score,
        lines=sheet.lines,
        stopped=judgement.stopped,
        scenario=game,
        account=account_of(sheet),
        intake=sheet.intake,
        sheet=sheet,
        accounts=accounts,
    )


def _known(game: Extension, options: Mapping[str, str]) -> Mapping[str, str]:
    known = {name: option.choices for name, option in game.game.options.items()}
    for name, value in options.items():
        if value not in known.get(name, ()):
            raise UnknownOption(name, value, known)
    return options


def _findings(sheet: st.Sheet, judgement: LedgerJudgement, waivers: Iterable[Waiver]) -> list[Finding]:
    """All findings on a sheet, doubtful where a line that cannot be read bears on them."""
    found = [*problems_of(sheet), *lenient(sheet, judgement.findings, judgement.ctx.pieces)]
    if not judgement.stopped:
        found += idle(found, list(waivers), len(sheet.lines))
    return [
        replace(f, ruled=replace(f.ruled, source=f.ruled.source or sheet.source)) if f.ruled else f for f in found
    ]
