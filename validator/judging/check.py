"""Judge a sheet: read it, load its game, replay it, and put the answer together.

Judge logs: the sheet that they transcribe to, with what is wrong with the logs themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, Unpack

from ...scenarios.text.words import SOURCE, Language
from ..notation import statements, statements_head
from ..notation.records import Attached, Progress
from ..notation.statements import TurnStart
from ..reading.sheet import read_file
from ..rules import victory
from ..rules.findings import Finding, Ruled, find
from ..rules.rulings import by_line, idle, waive
from ..rules.sealed import unsealed
from .answer import Answer, Edition
from .replay import unseen, without
from .replayed import Replayed, account_of, players_of, problems_of, program
from .situation import replayed
from .worlds.unread import MIDWAY, begins_late, entered, inherited, lenient, unbegun

if TYPE_CHECKING:
    from ..logs.chain import Chain
    from ..logs.locations import Noted
    from ..rules.accounts_bench import Accounts
    from .replay import Judgement
    from .transcription import Transcript

_PLACED: Final = ("findings.placed-early", "findings.placed-withdrawn")
"""What is said of a unit on the map once, not on each sheet that goes on from there."""


def _ruled(found: Replayed, more: Iterable[Finding]) -> tuple[Finding, ...]:
    """All findings on a sheet by their lines, with what rulings make of them and who rules so."""
    sheet, judgement, waivers = found.sheet, found.judgement, found.waivers
    kept, count, units = found.scenario.ledger is not None, len(found.links), found.units
    # Of accounts it is not asked what else would be otherwise: any line may have changed them.
    again, gone = (None, None) if kept else (partial(_again, found), partial(_unseen, found))
    news = [f for f in judgement.findings if f.message.key not in _PLACED or not found.stood.issuperset(f.units)]
    begun = tuple(unbegun(sheet, found.links, found.scenario.game))
    notes = [find(one.line, "midway", "", severity="info") for one in begun if one.told == MIDWAY]
    if not kept and (line := begins_late(sheet, found.scenario.game)) is not None and not found.steps:
        notes.append(find(line, "begins-late", "", severity="info"))
    judged = inherited(sheet, (*found.links, *notes, *news), units, (*begun, *found.unsure), gone)
    findings = [*waive((*more, *judged[:count]), by_line(waivers)), *problems_of(sheet), *found.noted]
    judged = lenient(sheet, judged[count:], units, again, gone)
    findings += entered(sheet, judged, found.unsure) if kept else judged
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
    return without(found.sheet, found.judgement, left_out, asked_of, found.waivers)


def _unseen(
    found: Replayed, gone: Mapping[int, Iterable[str]], asked_of: Callable[[Finding], bool]
) -> tuple[Finding, ...]:
    """What is found on a sheet if units are off the map from below some of its lines on, under the same rulings."""
    return unseen(found.sheet, found.judgement, gone, asked_of, found.waivers)


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
    sheet: statements.Sheet,
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
    return answer_of(sheet, found, more)


def answer_of(sheet: statements.Sheet, found: Replayed, more: Iterable[Finding] = ()) -> Answer:
    """The judgement of a sheet of which the replay is at hand; `more` has been found before."""
    scenario, judgement, applied = found.scenario, found.judgement, found.applied
    demanded = (*applied.refused(sheet), *applied.unsealed(unsealed(sheet, found.opened))) if applied else ()
    accounts = _accounts(judgement)
    return Answer(
        source=sheet.source,
        game=scenario.name,
        edition=Edition(program(), scenario.game.module.version, scenario.digest, dict(judgement.options)),
        findings=_ruled(found, (*more, *found.opened.findings, *demanded)),
        combats=judgement.combats,
        moves=judgement.moves,
        actions=judgement.actions,
        players={**players_of(sheet), **(found.applied.players if found.applied else {})},
        tournament=found.applied.as_json(found.ruled) if found.applied else None,
        position=judgement.position if scenario.has_map else None,
        field=judgement.ctx.map if scenario.has_map else None,
        score=accounts.score if accounts else judgement.score,
        parts=victory.parts(judgement.ctx, judgement.position),
        lines=sheet.lines,
        shown=frozenset(s.unit for s in sheet.statements if isinstance(s, statements_head.UnitDefinition)),
        stopped=judgement.stopped,
        scenario=scenario,
        scenes=judgement.scenes,
        since=judgement.since,
        account=account_of(replace(sheet, problems=found.sheet.problems)),
        intake=sheet.intake,
        sheet=sheet,
        played=found.sheet,
        course=judgement.course,
        calls=judgement.calls,
        accounts=accounts,
        sealed=found.opened.throws,
        waits=bool(found.opened.waits),
    )


def _accounts(judgement: Judgement) -> Accounts | None:
    """The accounts as an answer shows them; None for a game that has none."""
    if (found := judgement.accounts) is None:
        return None
    from ..rules.accounts_bench import Accounts, Bench

    bench = Bench(judgement.ctx, judgement.position.accounts)
    return Accounts(bench, found.effects, found.facts, found.unjudged)


def check_file(path: str | Path, options: Mapping[str, str] | None = None, *, strict: bool = False) -> Answer:
    """`judge` for a file, `-` being standard input. Raises UnreadableSheet besides what `judge` raises."""
    return judge(read_file(path), options, strict=strict)


class Manner(TypedDict, total=False):
    """How to judge; nothing of it need be given.

    `strict` stops at the first illegal statement; `module`, `reveal`, `salvage` and `progress` are about logs, as
    in `read_chain`; `lang` is the language of the sheets that logs are written down as. `answer` is what a player
    says of the open lines of a turn.
    """

    strict: bool
    module: str | Path | None
    reveal: str | None
    salvage: bool
    lang: Language
    progress: Progress | None
    answer: str


def check_logs(
    paths: Sequence[str | Path | Attached],
    options: Mapping[str, str] | None = None,
    **how: Unpack[Manner],
) -> Answer:
    """The judgement of logs that continue one another.

    Raises FormatError, OSError for logs that cannot be read, besides what `judge` raises. Logs of a module that is
    not ours are judged as logs only: chain and dice.
    """
    from ..logs.chain import read_chain

    chain = read_chain(
        paths, module=how.get("module"), reveal=how.get("reveal"), salvage=how.get("salvage", False),
        progress=how.get("progress"),
    )  # fmt: skip
    return judge_chain(chain, source_of(paths), options, **how)


@dataclass(frozen=True, slots=True)
class Answers:
    """What becomes of what lies together: the answers on its games, and what of it could not be read."""

    answers: tuple[Answer, ...]
    failures: tuple[tuple[str, Exception], ...] = ()


def check_heap(
    paths: Sequence[str | Path | Attached],
    options: Mapping[str, str] | None = None,
    *,
    apart: bool = False,
    **how: Unpack[Manner],
) -> Answers:
    """The judgements of logs that lie together; `apart`: they may be of several games.

    Raises as `check_logs` where nothing can be read.
    """
    from ..logs.chain import read_heap

    heap = read_heap(
        paths, module=how.get("module"), reveal=how.get("reveal"), salvage=how.get("salvage", False),
        progress=how.get("progress"), apart=apart,
    )  # fmt: skip
    # What was named as one game is called as it was.
    named = {} if apart else {0: source_of(paths)}
    return Answers(
        tuple(
            judge_chain(chain, named.get(i) or source_of([log.path for log in chain.logs]), options, **how)
            for i, chain in enumerate(heap.chains)
        ),
        heap.failures,
    )


def _same(chain: Chain) -> Chain:
    """The logs, which need not be read once more while they are at hand."""
    return chain


def source_of(paths: Sequence[str | Path | Attached]) -> str:
    """What a game of several logs is called: all their names."""
    return " ".join(p.name if isinstance(p, Attached) else str(p) for p in paths)


def judge_chain(
    chain: Chain, source: str, options: Mapping[str, str] | None = None, **how: Unpack[Manner]
) -> Answer:
    """As `check_logs`, for a chain that has been read already."""
    from ..logs.locations import Origin, note
    from .chain import begun_anew
    from .transcription import transcript

    strict, lang = how.get("strict", False), how.get("lang", SOURCE)
    found = transcript(chain, lang)
    if found is None:
        return replace(_plain(chain, source, lang), reread=partial(_same, chain))
    noted = (*found.noted, *begun_anew(chain))
    if not found.same_data:
        noted = (note(Origin(chain.logs[0].name, 0), "other-data", game=found.scenario.name), *noted)
    told = {log.name for log in chain.logs}
    # What is said of a log that is set aside stands at the beginning.
    more = [_finding(n, found.line_of(n.origin) if n.origin.log in told else 1) for n in noted]
    answer = judge(found.sheet, options, strict=strict, more=more, steps=found.steps)
    findings = tuple(_unthrown(answer.findings, found))
    return replace(
        answer, source=source, findings=findings, steps=found.steps, commands=found.reckoning,
        reread=partial(_same, chain),
    )  # fmt: skip


def _unthrown(findings: Iterable[Finding], transcript: Transcript) -> Iterator[Finding]:
    """Findings, of which a combat without dice is doubtful once its phase is over.

    A sheet may leave dice out; a log holds all that were thrown, unless somebody took them out.
    """
    begun = [s.line for s in transcript.sheet.statements if isinstance(s, TurnStart)]
    last = len(transcript.lines) + 1 if transcript.over else max(begun, default=0)
    for found in findings:
        over = found.message.key == "findings.no-roll" and found.line < last
        yield replace(found, severity="doubtful") if over and found.severity == "warning" else found


def _finding(noted: Noted, line: int) -> Finding:
    return Finding(line, "", noted.code, noted.severity, noted.message, hexes=noted.hexes, units=noted.units)


def _plain(chain: Chain, source: str, lang: Language) -> Answer:
    from ..logs.bindings import other_versions
    from ..logs.locations import Origin, Places, note, steps_of
    from ..logs.record import record_lines
    from .chain import begun_anew

    lines, origins = zip(*record_lines(chain, lang), strict=True) if chain.logs else ((), ())
    module = chain.logs[0].game.module if chain.logs else None
    unjudged = note(Origin("", 0), "no-rules", module=module.name if module else "?")
    if module is not None and (near := other_versions(module, chain.logs[0].path)) is not None:
        file, versions = near
        unjudged = note(
            Origin("", 0), "no-version", module=module.name, version=module.version, file=file, versions=versions
        )
    places = Places(origins)
    findings = [_finding(n, places.line_of(n.origin)) for n in (unjudged, *chain.noted, *begun_anew(chain))]
    return Answer(
        source,
        "",
        Edition(program()),
        tuple(sorted(findings, key=lambda f: f.line)),
        lines=lines,
        steps=steps_of(origins),
    )
