"""What is kept of a game: a record that JSON holds, with all that pages, tables and downloads tell of it.

What is said is kept in every language, by its code.

The pages of one game: what there is to know of it at a glance, and the one on which it is played through.

All there is to know of one game: the answer on it, the logs that it was played in, and where it belongs.

The throws and attacks of all games that were named.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, Unpack

from ...scenarios.console import clipped
from ...scenarios.text.words import HexforgeError, Language, Words, languages
from ..judging.answer import Answer
from ..report import wording
from ..report.pages import Rest, page_pieces
from ..report.throws import RolledAttack, Throw
from ..report.wording import numbered
from ..rules.findings import SEVERITIES, Finding
from .batch import Judging, worth_several
from .discover import processors

if TYPE_CHECKING:
    from ..judging.chain import Course
    from ..judging.check import Manner
    from ..logs.chain import Chain
    from ..report.html import Article
    from .batch import Work


@dataclass(frozen=True)
class Dossier:
    """A game. `name` is what it is called, `round` the round that it belongs to, "" where none is known.

    `chain` are its logs, None for what was typed.
    """

    answer: Answer
    name: str
    round: str = ""
    chain: Chain | None = None


def dossiers(
    work: Work, roots: Iterable[str | Path]
) -> tuple[tuple[Dossier, ...], tuple[tuple[str, Exception], ...]]:
    """The dossiers of a game, or of those in a heap of logs, and what could not be read.

    `roots` are the folders that were searched. Raises what judging it raises.
    """
    name, round_ = place_of(work, roots)
    found = work.answers()
    told: list[Dossier] = []
    for answer in found.answers:
        chain = answer.reread() if work.logs and answer.reread is not None else None
        called = name if chain is None or len(found.answers) == 1 else f"{name} ({chain.logs[0].name})"
        ruled = answer.tournament or {}
        told.append(Dossier(answer, str(ruled.get("game") or called), round_, chain))
    return tuple(told), found.failures


def place_of(work: Work, roots: Iterable[str | Path]) -> tuple[str, str]:
    """What a game is called by its place, and the round that it was played in.

    Logs are called as their folder, if one was searched, else as the first of them; what was typed in several files
    as the first. A folder of games in the folder
    that was searched is a round.
    """
    first = work.logs[0] if work.logs else work.first or work.source
    path = Path(first if isinstance(first, str) else first.name)
    for root in roots:
        inside = list(_below(path, Path(root)))
        if work.logs and len(inside) > 1:
            inside = inside[:-1]
        if inside:
            return "/".join(inside), inside[0] if len(inside) > 1 else ""
    return path.name, ""


def _below(path: Path, root: Path) -> Iterator[str]:
    if root.is_dir() and path.is_relative_to(root):
        yield from path.relative_to(root).parts


Record: TypeAlias = dict[str, Any]
Said: TypeAlias = dict[Language, str]
MOST_FINDINGS: Final = 2_000
"""Findings of a game that its record holds; of more, only the number is told."""
_ALL: Final = -1


def record_of(game: Dossier, key: str, source: str, languages: Sequence[Language]) -> Record:
    """The record of a game that was judged. `source`: what it was called when it was found."""
    from ..judging.chain import course_of_logs
    from ..report.throws import attacks_of, throws_of

    answer = game.answer
    course = course_of_logs(game.chain) if game.chain is not None else None
    words = {language: answer.words(language) for language in languages}

    def said(how: Callable[[Words], str]) -> Said:
        return {language: how(w) for language, w in words.items()}

    scenario = answer.scenario if answer.scenario is not None and answer.scenario.has_map else None
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
            **({"proposed": [line for line, _ in f.proposed]} if f.proposed else {}),
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


class GamePages:
    """Writes the pages of games, in all languages."""

    def __init__(
        self, languages: Sequence[Language], title: str, *, replays: bool = True, said: Callable[[str], str] = str
    ) -> None:
        """`replays`: with a page on which each is played through; `said` as `HtmlReport`."""
        from ..report.html import HtmlReport
        from ..report.replay_pictures import Studio

        self.languages, self.title, self.replays = tuple(languages), title, replays
        # One page of each game is in all languages, and is played through; what it draws is drawn once.
        self.report = HtmlReport(Words(self.languages[0]), playable=True, studio=Studio(), said=said)

    def of(self, record: Record, answer: Answer) -> dict[str, str | bytes]:
        """The pages of a game by their paths within the site, and the pictures that they share with others."""
        found: dict[str, str | bytes] = {}
        if self.replays:
            self.report.fresh()
            part, pictures = _apart(self.report.part(answer))
            found[f"replays/{record['key']}.html"] = "".join(self.report.whole([part], Rest(many=False)))
            found |= {f"replays/{name}": data for name, data in pictures.items()}
        for language in self.languages:
            found[f"{language}/games/{record['key']}.html"] = self._game(record, language)
        return found

    def _game(self, record: Record, language: Language) -> str:
        from ..report.dice import survey
        from ..report.dice_report import SurveyTold

        words = Words(language)
        seen = replace(survey(throws_in(record), attacks_in(record)), sides=record["sides"])
        here = f"games/{record['key']}.html"
        return site_page(
            "audit_game.html.j2", language, self.languages, self.title, here=here, up="../", game=record,
            severities=SEVERITIES, survey=seen, dice=SurveyTold(seen, words), played=self.replays,
        )  # fmt: skip


def _apart(part: Article) -> tuple[Article, dict[str, bytes]]:
    """A page whose pictures are files beside it: the board and the counters of a game are those of most others."""
    from ..report.replay_pictures import apart

    if part.game is None:
        return part, {}
    pictures, files = apart(part.game.pictures)
    return replace(part, game=replace(part.game, pictures=pictures)), files


def site_page(template: str, language: Language, languages: Sequence[Language], title: str, **values: Any) -> str:
    """A page of the site; `values` as `site_pieces`."""
    return "".join(site_pieces(template, language, languages, title, **values))


def site_pieces(
    template: str,
    language: Language,
    languages: Sequence[Language],
    title: str,
    *,
    here: str,
    up: str = "",
    **values: Any,
) -> Iterator[str]:
    """A page of the site. `here`: its path below the language's folder; `up`: the way back to that."""
    common: Mapping[str, Any] = {"language": language, "languages": languages, "site_title": title}
    return page_pieces(template, Words(language), here=here, up=up, **common, **values)


@dataclass
class Thrown:
    """Throws and attacks of games, what could not be read (its name and why), and the names of their sides.

    `closed`: something that mails and archives carry could not be opened.
    """

    throws: list[Throw] = field(default_factory=list)
    attacks: list[RolledAttack] = field(default_factory=list)
    failures: list[tuple[str, Exception]] = field(default_factory=list)
    closed: bool = False
    sides: dict[str, dict[Language, str]] = field(default_factory=dict)


def thrown_in(
    paths: Iterable[str | Path],
    options: Mapping[str, str] | None = None,
    told: Callable[[int, int], None] | None = None,
    **how: Unpack[Manner],
) -> Thrown:
    """Read all games that are named, as `check` would. `told` hears how many are read, and how many there are.

    Raises NothingThere for a folder with nothing in it.
    """
    from ..report.throws import attacks_of, throws_of

    named = [str(path) for path in paths]
    how["progress"] = None
    judging = Judging(named, options, **how)
    found = Thrown(failures=list(judging.failures), closed=judging.closed)
    roots = [path for path in named if Path(path).is_dir()]
    start = time.monotonic()
    for number, work in enumerate(judging.works(apart=True), 1):
        try:
            games, failures = dossiers(work, roots)
        except (HexforgeError, OSError) as error:
            found.failures.append((work.source, error))
            continue
        found.failures += failures
        for game in games:
            found.throws += throws_of(game.answer, game.chain, game=game.name, round_=game.round)
            found.attacks += attacks_of(game.answer, game=game.name, round_=game.round)
            for side in game.answer.scenario.game.sides if game.answer.scenario is not None else ():
                named_ = {code: game.answer.words(code).heading("sides", side.id) for code in languages()}
                found.sides.setdefault(side.id, named_)
        if told is not None:
            told(number, judging.count)
        # What people say takes longer to be read than to be judged.
        if worth_several(number, judging.count, time.monotonic() - start, processors()):
            judging.hearers = processors()
    return found
