"""What the validator answers about one sheet, as a value, and the JSON of it that the notation promises.

The answer to a sheet of a game of which only some rules are known: accounts, and what players state as facts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as default
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ...scenarios.console import clipped
from ...scenarios.model import Extension
from ...scenarios.text.words import SOURCE, Language, Param, Words
from ..notation import statements, statements_head
from ..notation.records import COMMENT, NOTHING, REFUSED, UNREAD, Account, Intake
from ..notation.statements import TurnStart
from ..notation.vocabulary import vocabulary_of, write_statement
from ..reading import tournament
from ..reading.phases import UnreadableSheet
from ..reading.sheet import read_file
from ..rules.findings import (
    RULEBOOK,
    SEVERITIES,
    CombatRecord,
    Finding,
    MoveRecord,
    Severity,
    Verdict,
    doubts_told,
    find,
    verdict,
)
from ..rules.phases import level
from ..rules.position import Position
from ..rules.rulings import idle, waivers_of
from ..rules.withdrawal import ActionRecord
from . import director
from .canonical import understood
from .continuing import MAX_CHAIN, beside, digest_of, missing
from .replayed import Kept, UnknownOption, _unread, account_of, game_of, players_of, problems_of, program, unbegun
from .worlds.unread import Unsure, entered, inherited, lenient

if TYPE_CHECKING:
    from ...scenarios.model import AnyGame, GameMap, Scenario
    from ...scenarios.schema.game import NotJudged, Part
    from ...scenarios.schema.setup import Level
    from ..logs.chain import Chain
    from ..logs.record import Reckoning
    from ..notation.statements import Sheet
    from ..notation.words import Vocabulary
    from ..rules.accounts_replay import Accounts, LedgerJudgement
    from ..rules.victory import ScorePart
    from .replay import Course, Scene


@dataclass(frozen=True, slots=True)
class Edition:
    """What the answer was computed with: the same input with the same edition gives the same bytes.

    `scenario` and `digest` are the version and the hash (SHA-256, hex) of the scenario's files; `options` are all
    rulings in force, by name.
    """

    program: str
    scenario: str = ""
    digest: str = ""
    options: Mapping[str, str] = default(default_factory=dict)


class PlayedIn(NamedTuple):
    """The turn, side and kind of a phase; `number` is which of its kind the side has in the turn, 0 if alone."""

    turn: int
    side: str
    kind: str
    number: int


@dataclass(frozen=True)
class Answer:
    """The judgement of one sheet. `lines` are its own, for quotation; `position` is None if there is no game.

    `field` is the map that was played on; `shown` are units that the position lists although they never stood on
    it; `stopped` says that judging ended at the first illegal statement. `steps` gives, for the lines of a sheet
    that was transcribed from logs, the log's name and its step. `scenario` is the game, None if none is known.
    `actions` is all that was done, in order; `players` are the names by side, of those that the sheet names.
    `scenes` are the positions, by line, that findings are about; `since` is the line on which the last turn begins.
    `tournament` is what a director's file says of the game, as JSON has it. `account` says what became of every
    line of a text, `intake` which mails it was typed in; `commands` what became of every command of logs.
    `accounts` are those of a game of which only some rules are known. `played` is the sheet as it was judged, with
    what a file before it or a director added, and `course` what came of it, None where it was let go of (`light`).
    `reread` reads the logs once more that it was transcribed from. `numbers` tell phases of a kind apart of which a
    side has several in a turn, by the lines that open them.
    """

    source: str
    game: str
    edition: Edition
    findings: tuple[Finding, ...] = ()
    combats: tuple[CombatRecord, ...] = ()
    moves: tuple[MoveRecord, ...] = ()
    actions: tuple[ActionRecord, ...] = ()
    players: Mapping[str, str] = default(default_factory=dict)
    tournament: Mapping[str, Any] | None = None
    position: Position | None = None
    field: GameMap | None = None
    score: Mapping[str, int] = default(default_factory=dict)
    parts: tuple[ScorePart, ...] = ()
    lines: tuple[str, ...] = ()
    shown: frozenset[str] = frozenset()
    stopped: bool = False
    steps: Mapping[int, tuple[str, int]] = default(default_factory=dict)
    scenario: AnyGame | None = None
    scenes: Mapping[int, Scene] = default(default_factory=dict)
    since: int = 0
    account: tuple[Account, ...] = ()
    intake: Intake = NOTHING
    commands: Reckoning | None = None
    sheet: Sheet | None = None
    accounts: Accounts | None = None
    played: Sheet | None = None
    course: Course | None = None
    reread: Callable[[], Chain] | None = None
    numbers: Mapping[int, int] = default(default_factory=dict)

    @property
    def level(self) -> Level | None:
        """How well a side has won, if the game knows levels and ended now."""
        levels = getattr(getattr(self.scenario, "victory", None), "levels", ())
        return level(cast("Scenario", self.scenario), self.score) if levels else None

    @property
    def light(self) -> Answer:
        """The answer without what came of each statement: of a long game several times as large as all the rest."""
        return replace(self, course=None)

    @cached_property
    def understood(self) -> Mapping[int, str]:
        """The lines that were taken for something that is written otherwise, by their numbers, as it is written."""
        if self.sheet is None or self._vocabulary is None or self.steps:
            return {}

        return understood(self.sheet, self._vocabulary)

    @cached_property
    def _vocabulary(self) -> Vocabulary | None:
        """The words that a sheet of the game is written in."""
        return vocabulary_of(self.scenario) if self.scenario else None

    @property
    def verdict(self) -> Verdict:
        """The worst severity among the findings."""
        return verdict(self.findings)

    @property
    def by_ruling(self) -> bool:
        """Whether the verdict rests on rulings: something is waived, or put right by hand."""
        return any(finding.ruled and finding.severity in ("waived", "info") for finding in self.findings)

    @property
    def without_rules(self) -> bool:
        """Whether these are logs of a game whose rules nobody knows here: only chain and dice were looked at."""
        return bool(self.steps) and self.scenario is None and not self.game

    @property
    def shade(self) -> Severity | Verdict:
        """The colour of the verdict: what nobody judged by rules is not shown as legal."""
        return "info" if self.without_rules and self.verdict == "legal" else self.verdict

    @property
    def not_judged(self) -> tuple[NotJudged, ...]:
        """The rules of the game that nothing here judges."""
        return self.scenario.game.not_judged if self.scenario else ()

    @property
    def as_stated(self) -> bool:
        """Whether the verdict rests on facts that the players state."""
        return self.accounts is not None and bool(self.accounts.facts)

    @property
    def counts(self) -> dict[Severity, int]:
        """How many findings there are of each severity, the worst first."""
        return {s: sum(f.severity == s for f in self.findings) for s in SEVERITIES}

    @property
    def marks(self) -> dict[int, Severity]:
        """The worst severity on each line that has findings."""
        found: dict[int, Severity] = {}
        for finding in sorted(self.findings, key=lambda f: SEVERITIES.index(f.severity)):
            found.setdefault(finding.line, finding.severity)
        return found

    def quote(self, line: int) -> str:
        """A line of the sheet, the beginning of a long one; "" where it has none of that number."""
        return clipped(self.lines[line - 1].strip()) if 1 <= line <= len(self.lines) else ""

    def step(self, line: int) -> str:
        """Where a line comes from in a log or a mail: `a.vlog:12`; "" for a sheet's own lines."""
        file, step = self.steps.get(line) or self.intake.places.get(line, ("", 0))
        return f"{file}:{step}" if file else ""

    def phase_of(self, line: int) -> PlayedIn | None:
        """The phase that a line is played in; of a line that ends one, that one.

        None for what stands before the first.
        """
        scene = self.scenes.get(line)
        if scene is not None and (phase := scene.before.phase) is not None:
            return PlayedIn(phase.turn, phase.side, phase.kind, self.numbers.get(phase.line, 0))
        number = bisect_right([opened for opened, _ in self._phases], line)
        return self._phases[number - 1][1] if number else None

    @cached_property
    def _phases(self) -> tuple[tuple[int, PlayedIn], ...]:
        """The phases that the sheet opens, with their lines."""
        found = (s for s in (self.played.statements if self.played else ()) if isinstance(s, TurnStart))
        return tuple((s.line, PlayedIn(s.number, s.side, s.phase, self.numbers.get(s.line, 0))) for s in found)

    @property
    def set_aside(self) -> tuple[Account, ...]:
        """Lines that are no statements, and lines that no finding tells of although they were not judged."""
        return tuple(a for a in self.account if a.part != "judged" and a.why not in (COMMENT, UNREAD, *REFUSED))

    def _placed(self, found: dict[str, Any]) -> dict[str, Any]:
        """A finding or record with the log and the step that it is about."""
        if found["line"] in self.steps:
            log, step = self.steps[found["line"]]
            found |= {"log": log, "step": step}
        elif found["line"] in self.intake.places:
            file, line = self.intake.places[found["line"]]
            found |= {"file": file, "file_line": line}
        return found

    def _partly(self, found: dict[str, Any], part: Part) -> dict[str, Any]:
        """A record as `_placed`, with the ids of the rules that hang on it and are not judged."""
        if rules := [rule.id for rule in self.not_judged if part in rule.about]:
            found["not_judged"] = rules
        return self._placed(found)

    def words(self, language: Language) -> Words:
        """How a language says what the answer holds, with the words of its game."""
        return Words(language, self.scenario.texts if self.scenario else None)

    def told(self, action: ActionRecord, language: Language) -> str:
        """The line of an action in the canonical form of the notation."""
        return write_statement(action.statement, language, self._vocabulary)

    def as_json(self, language: Language = SOURCE) -> dict[str, Any]:
        """The answer in the shape of the notation, with the edition it was computed by.

        Messages, and the lines of actions, are in `language`; keys, codes and ids are the same in all.
        """
        words = self.words(language)
        return {
            "source": self.source,
            "game": self.game,
            "verdict": self.verdict,
            **({"not_judged": not_judged_json(self.scenario, words)} if self.scenario and self.not_judged else {}),
            **({"without_rules": True} if self.without_rules else {}),
            **({"by_ruling": True} if self.by_ruling else {}),
            "findings": [self._placed(finding.as_json(words)) for finding in self.findings],
            "combats": [self._partly(record.as_json(), "combat") for record in self.combats],
            "moves": [self._partly(record.as_json(), "movement") for record in self.moves],
            "actions": [
                self._placed(action.as_json(self.players.get(action.side, ""), self.told(action, language)))
                for action in self.actions
            ],
            "position": position_json(self.position, self.shown) if self.position else {},
            "air": dict(sorted(self.position.air.items())) if self.position else {},
            "score": dict(sorted(self.score.items())),
            **({"level": self.level.name} if self.level else {}),
            "score_parts": [
                {
                    "side": p.side,
                    "points": p.points,
                    "cause": p.cause,
                    "what": words.value(p.what),
                    "rests_on": doubts_told(p.doubts, words) or RULEBOOK,
                }
                for p in self.parts
            ],
            "program": self.edition.program,
            "scenario": {"version": self.edition.scenario, "hash": self.edition.digest},
            "options": dict(sorted(self.edition.options.items())),
            **({"tournament": self.tournament} if self.tournament else {}),
            **(self.accounts.as_json(words) if self.accounts else {}),
            **({"as_stated": self.as_stated} if self.accounts else {}),
            **self._intake_json(),
            **self._understood_json(),
        }

    def _understood_json(self) -> dict[str, Any]:
        """What was typed otherwise than the notation writes it, as it was understood."""
        found = [{"line": line, "written": text} for line, text in self.understood.items()]
        return {"understood": found} if found else {}

    def _intake_json(self) -> dict[str, Any]:
        """The mails, the account of lines and what was left out, of texts that are more than a sheet."""
        found: dict[str, Any] = {}
        if self.intake.letters:
            found["mails"] = [
                {"source": m.source, "sender": m.sender, "date": m.date, "subject": m.subject}
                for m in self.intake.letters
            ]
        if self.set_aside or self.intake.marks:
            found["lines"] = [
                {"part": a.part, "why": a.why, "source": a.source, "first": a.first, "last": a.last}
                for a in self.account
            ]
        if self.commands is not None:
            found["commands"] = self.commands.counts
        if self.intake.aside:
            found["aside"] = [{"name": name, "why": why} for name, why in self.intake.aside]
        return found


def not_judged_json(scenario: AnyGame, words: Words) -> list[dict[str, Any]]:
    """The rules of a game that nothing here judges, with what hangs on them."""
    return [
        {
            "id": rule.id,
            "rule": scenario.citation(rule.section),
            "what": words.heading("not_judged", rule.id),
            "about": list(rule.about),
        }
        for rule in scenario.game.not_judged
    ]


def position_json(position: Position, shown: frozenset[str]) -> dict[str, dict[str, Any]]:
    """Where each unit stands: `hex` (null off the map), `step` and, off the map, `where` it is.

    Counters that neither the sheet nor the play has touched are left out.
    """
    found: dict[str, dict[str, Any]] = {}
    for unit, state in sorted(position.units.items()):
        if state.hex is None and state.where == "absent" and unit not in shown:
            continue
        entry: dict[str, Any] = {"hex": state.hex, "step": state.step}
        if state.hex is None:
            entry["where"] = state.where or "absent"
        found[unit] = entry
    return found


def kept(
    sheet: statements.Sheet,
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
    from ..rules.accounts_replay import replay

    applied = tournament.holding(sheet)
    ruled = applied.options(game) if applied else {}
    in_force = {**ruled, **_known(game, options or {})}
    if applied:
        director.refuse(applied)
    allowed = applied.allowed(sheet) if applied else sheet
    waivers = applied.waivers(sheet, steps or {}) if applied else []
    earlier, links, gaps = _before(allowed, game, in_force)
    if earlier is None and before is not None:
        earlier, gaps = before.judgement, before.unread
    judgement = replay(game, allowed, options=in_force, strict=strict, waivers=waivers, before=earlier)
    every = (*waivers, *waivers_of(allowed))
    return Kept(allowed, game, judgement, tuple(links), applied, every, ruled, gaps)


def answer(
    sheet: statements.Sheet,
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
    from ..rules.accounts_replay import Accounts

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
    sheet: statements.Sheet, game: Extension, options: Mapping[str, str], opened: tuple[str, ...] = ()
) -> tuple[LedgerJudgement | None, list[Finding], tuple[Unsure, ...]]:
    """The accounts that a sheet goes on from, if it names its file; what is wrong with that, and was not read."""
    from ..rules.accounts_replay import replay

    named = next((s for s in sheet.statements if isinstance(s, statements_head.Continues)), None)
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
