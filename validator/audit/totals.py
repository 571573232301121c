"""What a site tells of all games together, gathered from one record after the other, none of which is held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hexforge.scenarios.words import Language
from hexforge.validator.audit.record import Record, attacks_in, throws_in
from hexforge.validator.audit.spool import Spool, SpooledDice, SpooledRows
from hexforge.validator.audit.standings import WORST, GamePoints, Standings
from hexforge.validator.dice.survey import TABLES, DiceLedger, Survey

MOST_LINKS: Final = 40
"""Games that a rule's row leads to; of more, the number is told."""


@dataclass
class Offence:
    """A rule, or a code that stands in no rulebook, with what was found against it."""

    rule: str
    code: str
    counts: Counter[str] = field(default_factory=Counter)
    games: dict[str, str] = field(default_factory=dict)
    example: dict[Language, str] = field(default_factory=dict)
    more: int = 0

    def add(self, finding: Record, game: Record) -> None:
        """Take in a finding of a game."""
        self.counts[finding["severity"]] += 1
        self.example = self.example or finding["message"]
        if game["key"] not in self.games:
            if len(self.games) < MOST_LINKS:
                self.games[game["key"]] = game["name"]
            else:
                self.more += 1


class Totals:
    """Tables over all games."""

    def __init__(self, points: GamePoints | None = None) -> None:
        self.people = Standings(points)
        self.offences: dict[tuple[str, str], Offence] = {}
        self.verdicts: Counter[str] = Counter()
        self._rows, self._broken = Spool(), Spool()
        self.chains = self.unsound = 0
        self.editions: Counter[str] = Counter()
        self.options: Counter[str] = Counter()
        self.ruled: Counter[str] = Counter()
        self.ledger = DiceLedger(by for by in TABLES if by != "game")
        self._dice = SpooledDice()
        self.findings = 0
        self.sides: dict[str, dict[Language, str]] = {}

    def add(self, record: Record) -> None:
        """Take in a game."""
        verdict = verdict_of(record)
        self.verdicts[verdict] += 1
        self._rows.put(record["round"], self._row(record, verdict))
        self.people.add(record)
        if "error" in record:
            return
        self._findings(record)
        self._chain(record)
        for side, name in record["sides"].items():
            self.sides.setdefault(side, name)
        for throw in throws_in(record):
            self.ledger.add(throw)
        for attack in attacks_in(record):
            self.ledger.fought(attack)
        self._dice.add(record)
        told = record["scenario"]
        self.editions[f"{record['program']}; {record['game']} {told['version']} {told['hash'][:12]}".strip()] += 1
        for name, value in record["options"].items():
            self.options[f"{name}={value}"] += 1

    @property
    def count(self) -> int:
        """How many games there are, those that could not be judged among them."""
        return self.verdicts.total()

    @property
    def rounds(self) -> dict[str, SpooledRows[dict[str, Any]]]:
        """The rows of the games of each round."""
        return self._rows.tables()

    @property
    def broken(self) -> Collection[dict[str, Any]]:
        """The games of whose logs there is something to say."""
        return self._broken.of("")

    def survey(self) -> Survey:
        """All dice."""
        found = self.ledger.survey()
        games = self._dice.table()
        tables = {by: games if by == "game" else found.tables.get(by, ()) for by in TABLES}
        # As every survey: a table of one row is that of all there is, which the others show too.
        kept = {by: rows for by, rows in tables.items() if by not in ("game", "round") or len(rows) > 1}
        return replace(found, tables=kept, sides=self.sides)

    @staticmethod
    def _row(record: Record, verdict: str) -> dict[str, Any]:
        chain = record.get("chain")
        told = {
            key: record.get(key)
            for key in ("key", "name", "game", "title", "counts", "turn", "score", "error", "told")
        }
        return {
            **told,
            "verdict": verdict,
            "shade": record.get("shade", ""),
            "players": record.get("players") or {},
            "sides": record.get("sides") or {},
            "chain": None if chain is None else chain["sound"],
            "throws": len(record.get("throws", ())),
        }

    def _findings(self, record: Record) -> None:
        for finding in record["findings"]:
            if finding["severity"] not in WORST:
                continue
            self.findings += 1
            key = finding["rule"], finding["code"]
            self.offences.setdefault(key, Offence(*key)).add(finding, record)
            # What a file of rulings has wrong is told as a warning, and is no ruling.
            if (
                finding["severity"] != "warning"
                and finding["ruling"]
                and (text := next(iter(finding["ruling"].values()), ""))
            ):
                self.ruled[text] += 1

    def _chain(self, record: Record) -> None:
        chain = record["chain"]
        if chain is None:
            return
        self.chains += 1
        self.unsound += not chain["sound"]
        worth = [f for f in chain["findings"] if f["severity"] != "info"]
        if worth:
            row = {"key": record["key"], "name": record["name"], "sound": chain["sound"]}
            self._broken.put("", {**row, "findings": worth[:10], "more": max(0, len(worth) - 10)})

    def worst(self) -> list[Offence]:
        """Rules by how often they were broken."""
        rank = {severity: i for i, severity in enumerate(WORST)}

        def weight(o: Offence) -> tuple[int | str, ...]:
            first = min(rank[severity] for severity in o.counts)
            return first, -o.counts[WORST[first]], -o.counts.total(), o.rule, o.code

        return sorted(self.offences.values(), key=weight)


def verdict_of(record: Record) -> str:
    """What a game counts as: its verdict, or that it cannot be read, or that nobody knows its rules."""
    if "error" in record:
        return "unreadable"
    verdict = str(record["verdict"])
    return "norules" if record["shade"] == "info" else verdict
