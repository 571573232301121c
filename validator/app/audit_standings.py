"""Who plays in a round: what was found of each, and how all stand.

What a site tells of all games together, gathered from one record after the other, none of which is held.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from ...scenarios.text.words import Language
from .audit_record import Record, attacks_in, throws_in
from .audit_result_cache import Spool, SpooledDice, SpooledRows

if TYPE_CHECKING:
    from ..report.dice import Survey


MOST_PLAYERS: Final = 5_000
MOST_GAMES: Final = 200
"""Games that a player's row leads to; of more, the number is told."""
WORST: Final = ("illegal", "unread", "doubtful", "waived", "warning")
"""Severities that are counted by rule and by player."""


@dataclass
class PlayerTotals:
    """A player with what was found of his and how he stands; `games` by their keys, of very many some."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    games: dict[str, str] = field(default_factory=dict)
    more: int = 0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    open: int = 0
    points: float = 0.0


@dataclass(frozen=True)
class GamePoints:
    """What games are worth."""

    win: float = 1.0
    draw: float = 0.5
    loss: float = 0.0


class Standings:
    """All players, gathered from one record after the other."""

    def __init__(self, points: GamePoints | None = None) -> None:
        self.points = points or GamePoints()
        self.players: dict[str, PlayerTotals] = {}

    def add(self, record: Record) -> None:
        """Take in a game."""
        if "error" in record:
            return
        for finding in record["findings"]:
            if finding["severity"] in WORST and (player := self._player(finding["player"])) is not None:
                player.counts[finding["severity"]] += 1
        self._stand(record)

    def _player(self, name: str) -> PlayerTotals | None:
        key = name.casefold()
        if not key or (key not in self.players and len(self.players) >= MOST_PLAYERS):
            return None
        return self.players.setdefault(key, PlayerTotals(name))

    def _stand(self, record: Record) -> None:
        """How a game stands for its players: won, drawn and lost count, what is under way does not yet."""
        seats = {side: player for side, name in record["players"].items() if (player := self._player(name))}
        for player in {id(player): player for player in seats.values()}.values():
            if len(player.games) < MOST_GAMES:
                player.games[record["key"]] = record["name"]
            else:
                player.more += 1
        winner = winner_of(record)
        for side, player in seats.items():
            if winner is None:
                player.open += 1
                continue
            player.played += 1
            if winner == "draw":
                player.drawn += 1
                player.points += self.points.draw
            elif winner == side:
                player.won += 1
                player.points += self.points.win
            else:
                player.lost += 1
                player.points += self.points.loss

    def standings(self) -> list[PlayerTotals]:
        """Players by their points, then by what they won."""
        seated = (player for player in self.players.values() if player.games)
        return sorted(seated, key=lambda p: (*_level(p), _sorted_as(p.name)))

    def places(self) -> list[tuple[int, PlayerTotals]]:
        """The standings with each player's place, which those share who are level."""
        places: list[tuple[int, PlayerTotals]] = []
        for number, player in enumerate(self.standings(), 1):
            level = bool(places) and _level(places[-1][1]) == _level(player)
            places.append((places[-1][0] if level else number, player))
        return places

    def blamed(self) -> list[PlayerTotals]:
        """Players by what was found of theirs."""
        found = (player for player in self.players.values() if player.counts)
        return sorted(found, key=lambda p: (*(-p.counts[severity] for severity in WORST), _sorted_as(p.name)))


def _level(player: PlayerTotals) -> tuple[float, ...]:
    return -player.points, -player.won, player.lost


def _sorted_as(name: str) -> str:
    """A name as it is sorted: a letter with an accent stands with the letter."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def winner_of(record: Record) -> str | None:
    """The side that won, or `draw`; None while nobody knows: as the director says, else by the score at the end."""
    if record["winner"]:
        return str(record["winner"])
    score = record["score"]
    if not record["finished"] or len(score) < 2:
        return None
    most = max(score.values())
    first = [side for side, points in score.items() if points == most]
    return first[0] if len(first) == 1 else "draw"


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
        from ..report.dice import TABLES, DiceLedger

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
        from ..report.dice import TABLES

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
