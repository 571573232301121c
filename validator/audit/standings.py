"""Who plays in a round: what was found of each, and how all stand."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from hexforge.validator.audit.record import Record

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
