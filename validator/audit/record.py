"""What is kept of a game: a record that JSON holds, with all that pages, tables and downloads tell of it.

What is said is kept in every language, by its code.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, TypeAlias

from hexforge.scenarios.model import Scenario
from hexforge.scenarios.words import Language, Words
from hexforge.validator.dice.throws import RolledAttack, Throw, attacks_of, throws_of
from hexforge.validator.dossier import Dossier
from hexforge.validator.integrity.course import Course, course_of_logs
from hexforge.validator.referee.findings import Finding
from hexforge.validator.report import wording
from hexforge.validator.report.answer import Answer
from hexforge.validator.report.plain import clipped
from hexforge.validator.report.turns import numbered

Record: TypeAlias = dict[str, Any]
Said: TypeAlias = dict[Language, str]
MOST_FINDINGS: Final = 2_000
"""Findings of a game that its record holds; of more, only the number is told."""
_ALL: Final = -1


def record_of(game: Dossier, key: str, source: str, languages: Sequence[Language]) -> Record:
    """The record of a game that was judged. `source`: what it was called when it was found."""
    answer = game.answer
    course = course_of_logs(game.chain) if game.chain is not None else None
    words = {language: answer.words(language) for language in languages}

    def said(how: Callable[[Words], str]) -> Said:
        return {language: how(w) for language, w in words.items()}

    scenario = answer.scenario if isinstance(answer.scenario, Scenario) else None
    turn = answer.position.turn if answer.position is not None else 0
    last = scenario.game.turns.last if scenario is not None else 0
    tournament = answer.tournament or {}
    return {
        "key": key,
        "source": source,
        "files": [log.path for log in game.chain.logs] if game.chain is not None else [source],
        "name": game.name,
        "round": str(tournament.get("round") or game.round),
        "game": answer.game or _module(game),
        "title": said(lambda w: w.heading("title", "name", answer.game)) if answer.game else {},
        "verdict": answer.verdict,
        "shade": answer.shade,
        "told": said(lambda w: wording.verdict(answer, w)),
        "summary": said(lambda w: wording.summary(answer, w)),
        "counts": answer.counts,
        "players": _players(game),
        "sides": {side: said(lambda w, side=side: w.heading("sides", side)) for side in _sides(answer)},  # type: ignore[misc]
        "actions": len(answer.actions),
        "turn": turn,
        "finished": bool(last and turn >= last),
        "score": dict(answer.score),
        "winner": str(tournament.get("winner") or (answer.position.won if answer.position else "") or ""),
        "findings": list(_findings(game, said))[:MOST_FINDINGS],
        "chain": _chain(course, said),
        "throws": [asdict(throw) for throw in throws_of(answer, game.chain, game=game.name, round_=game.round)],
        "attacks": [asdict(attack) for attack in attacks_of(answer, game=game.name, round_=game.round)],
        "program": answer.edition.program,
        "scenario": {"version": answer.edition.scenario, "hash": answer.edition.digest},
        "options": dict(sorted(answer.edition.options.items())),
        "tournament": answer.tournament,
        "ruled": said(lambda w: wording.tournament(answer, w)),
        "edition": said(lambda w: wording.edition(answer, w, 12)),
        "mails": [
            {"source": m.source, "sender": m.sender, "date": m.date, "subject": m.subject}
            for m in answer.intake.letters
        ],
    }


def failed(key: str, source: str, name: str, round_: str, why: Said) -> Record:
    """The record of a game that could not be judged."""
    return {"key": key, "source": source, "name": name, "round": round_, "error": why}


def throws_in(record: Record) -> Iterator[Throw]:
    """The throws of a record."""
    for found in record.get("throws", ()):
        yield Throw(**{**found, "faces": tuple(found["faces"])})


def attacks_in(record: Record) -> Iterator[RolledAttack]:
    """The attacks of a record."""
    for found in record.get("attacks", ()):
        yield RolledAttack(**{**found, "levels": tuple((level, ways) for level, ways in found["levels"])})


# ---------------------------------------------------------------------------------------------- parts


def _module(game: Dossier) -> str:
    logs = game.chain.logs if game.chain is not None else ()
    return next((log.game.module.name for log in logs if log.game.module), "")


def _sides(answer: Answer) -> list[str]:
    if answer.scenario is None:
        return sorted(answer.players)
    return [side.id for side in answer.scenario.game.sides]


def _players(game: Dossier) -> dict[str, str]:
    """Who plays, by side: as the sheet or the director says, else as the logs' rosters do."""
    found = dict(game.answer.players)
    if game.chain is not None:
        names = game.chain.marks.sides if game.chain.marks is not None else {}
        for log in game.chain.logs:
            for name, side in log.end.players:
                if name:
                    found.setdefault(names.get(side, side), name)
    return found


def _findings(game: Dossier, said: Callable[[Callable[[Words], str]], Said]) -> Iterator[Record]:
    answer = game.answer
    blamed = _Blame(game)
    for f in answer.findings:
        log, step = answer.steps.get(f.line, ("", 0))
        turn, side, phase, number = answer.phase_of(f.line) or (0, "", "", 0)
        yield {
            "line": f.line,
            "at": answer.step(f.line),
            "log": log,
            "step": step,
            "turn": turn,
            "side": said(lambda w, side=side: w.heading("sides", side) if side else ""),  # type: ignore[misc]
            "phase": said(lambda w, p=phase, n=number: numbered(p, n, w) if p else ""),  # type: ignore[misc]
            "rule": f.rule,
            "code": f.code,
            "severity": f.severity,
            "player": blamed(f),
            "quote": clipped(answer.quote(f.line)),
            "message": said(lambda w, f=f: w.say(f.message)),  # type: ignore[misc]
            "figures": said(lambda w, f=f: wording.figures(f, w)),  # type: ignore[misc]
            "ruling": said(lambda w, f=f: wording.ruling(f, w)),  # type: ignore[misc]
        }


class _Blame:
    """Whose a finding is: the player of the log's step, the sender of the mail, or who plays the side."""

    def __init__(self, game: Dossier) -> None:
        self.answer = game.answer
        self.players = _players(game)
        self.acted = sorted({a.line: a.side for a in game.answer.actions if not a.of}.items())
        self.lines = [line for line, _ in self.acted]
        logs = game.chain.logs if game.chain is not None else ()
        self.steps = {(t.origin.log, t.origin.step): t.action.player for log in logs for t in log.told}

    def __call__(self, finding: Finding) -> str:
        place = self.answer.steps.get(finding.line)
        if place is not None and (name := self.steps.get(place)):
            return name
        at = bisect_right(self.lines, finding.line) + _ALL
        side = self.acted[at][1] if at >= 0 else ""
        return self.players.get(side, side)


def _chain(course: Course | None, said: Callable[[Callable[[Words], str]], Said]) -> Record | None:
    if course is None:
        return None
    return {
        "sound": course.sound,
        "order": list(course.order),
        "logs": [{"file": part.name, **_plain(part.about)} for part in course.parts],
        "findings": [
            {
                "file": flaw.file,
                "step": flaw.place,
                "code": flaw.code,
                "kind": flaw.message.key.rpartition(".")[2],
                "severity": flaw.severity,
                "message": said(lambda w, flaw=flaw: w.say(flaw.message)),  # type: ignore[misc]
            }
            for flaw in course.flaws
        ],
    }


def _plain(about: Mapping[str, str | int | tuple[str, ...]]) -> Record:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in about.items()}
