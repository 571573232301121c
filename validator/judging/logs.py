"""Judge logs: the sheet that they transcribe to, with what is wrong with the logs themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from ...scenarios.text.words import SOURCE, Language
from ..notation.records import Attached, Progress
from ..notation.statements import TurnStart
from ..rules.findings import Finding
from .answer import Answer, Edition
from .check import judge
from .replayed import program

if TYPE_CHECKING:
    from ..logs.chain import Chain
    from ..logs.locations import Noted
    from .transcription import Transcript


class Manner(TypedDict, total=False):
    """How to judge; nothing of it need be given.

    `strict` stops at the first illegal statement; `module`, `reveal`, `salvage` and `progress` are about logs, as
    in `read_chain`; `lang` is the language of the sheets that logs are written down as.
    """

    strict: bool
    module: str | Path | None
    reveal: str | None
    salvage: bool
    lang: Language
    progress: Progress | None


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

    read = partial(
        read_chain, paths, module=how.get("module"), reveal=how.get("reveal"), salvage=how.get("salvage", False)
    )
    answer = judge_chain(read(progress=how.get("progress")), source_of(paths), options, **how)
    return replace(answer, reread=read)


def source_of(paths: Sequence[str | Path | Attached]) -> str:
    """What a game of several logs is called: all their names."""
    return " ".join(p.name if isinstance(p, Attached) else str(p) for p in paths)


def judge_chain(
    chain: Chain, source: str, options: Mapping[str, str] | None = None, **how: Unpack[Manner]
) -> Answer:
    """As `check_logs`, for a chain that has been read already."""
    from ..logs.locations import Origin, note
    from .transcription import transcript

    strict, lang = how.get("strict", False), how.get("lang", SOURCE)
    found = transcript(chain, lang)
    if found is None:
        return _plain(chain, source, lang)
    noted = found.noted
    if not found.same_data:
        noted = (note(Origin(chain.logs[0].name, 0), "other-data", game=found.scenario.name), *noted)
    more = [_finding(n, found.line_of(n.origin)) for n in noted]
    answer = judge(found.sheet, options, strict=strict, more=more, steps=found.steps)
    findings = tuple(_unthrown(answer.findings, found))
    return replace(answer, source=source, findings=findings, steps=found.steps, commands=found.reckoning)


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

    lines, origins = zip(*record_lines(chain, lang), strict=True) if chain.logs else ((), ())
    module = chain.logs[0].game.module if chain.logs else None
    unjudged = note(Origin("", 0), "no-rules", module=module.name if module else "?")
    if module is not None and (near := other_versions(module, chain.logs[0].path)) is not None:
        file, versions = near
        unjudged = note(
            Origin("", 0), "no-version", module=module.name, version=module.version, file=file, versions=versions
        )
    places = Places(origins)
    findings = [_finding(n, places.line_of(n.origin)) for n in (unjudged, *chain.noted)]
    return Answer(
        source,
        "",
        Edition(program()),
        tuple(sorted(findings, key=lambda f: f.line)),
        lines=lines,
        steps=steps_of(origins),
    )
