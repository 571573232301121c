"""What the validator answers about one sheet, as a value, and the JSON of it that the notation promises."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as default
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ...scenarios.console import clipped
from ...scenarios.text.words import SOURCE, Language, Words
from ..notation.records import COMMENT, NOTHING, REFUSED, UNREAD, Account, Intake
from ..notation.statements import TurnStart
from ..notation.vocabulary import vocabulary_of, write_statement
from ..rules.findings import (
    RULEBOOK,
    SEVERITIES,
    CombatRecord,
    Finding,
    MoveRecord,
    Severity,
    Verdict,
    doubts_told,
    verdict,
)
from ..rules.phases import level
from ..rules.position import Position
from ..rules.sealed import Sealed
from ..rules.withdrawal import ActionRecord
from .canonical import understood

if TYPE_CHECKING:
    from ...scenarios.model import GameMap, Scenario
    from ...scenarios.schema.game import NotJudged, Part
    from ...scenarios.schema.setup import Level
    from ..logs.chain import Chain
    from ..logs.record import Reckoning
    from ..notation.statements import Sheet
    from ..notation.words import Vocabulary
    from ..rules.accounts_bench import Accounts
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
    """The turn, side and kind, or id, of a phase; `number` is which of that kind the side has, 0 if alone."""

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
    side has several in a turn, by the lines that open them. `sealed` are the throws that were asked for;
    `waits`: one is not opened yet, or what follows from it not told.
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
    scenario: Scenario | None = None
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
    calls: Mapping[int, tuple[str, int]] = default(default_factory=dict)
    sealed: tuple[Sealed, ...] = ()
    waits: bool = False

    @property
    def level(self) -> Level | None:
        """How well a side has won, if the game knows levels and ended now."""
        return level(self.scenario, self.score) if self.scenario and self.scenario.victory.levels else None

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
            return self._played_in(phase.turn, phase.side, phase.name or phase.kind, phase.line)
        number = bisect_right([opened for opened, _ in self._phases], line)
        return self._phases[number - 1][1] if number else None

    @cached_property
    def _phases(self) -> tuple[tuple[int, PlayedIn], ...]:
        """The phases that the sheet opens, with their lines."""
        found = (s for s in (self.played.statements if self.played else ()) if isinstance(s, TurnStart))
        return tuple((s.line, self._played_in(s.number, s.side, s.name or s.phase, s.line)) for s in found)

    def _played_in(self, turn: int, side: str, word: str, line: int) -> PlayedIn:
        return PlayedIn(turn, side, *self.calls.get(line, (word, 0)))

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

    def action_line(self, action: ActionRecord, language: Language) -> str:
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
            **({"waits": True} if self.waits else {}),
            "findings": [self._placed(finding.as_json(words)) for finding in self.findings],
            "combats": [self._partly(record.as_json(), "combat") for record in self.combats],
            "moves": [self._partly(record.as_json(), "movement") for record in self.moves],
            "actions": [
                self._placed(action.as_json(self.players.get(action.side, ""), self.action_line(action, language)))
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
            **({"sealed": [throw.as_json() for throw in self.sealed]} if self.sealed else {}),
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


def not_judged_json(scenario: Scenario, words: Words) -> list[dict[str, Any]]:
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
