"""Logs that lie in one heap, sorted into games: by module, by where each begins and ends, and by who plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hexforge.validator.integrity.links import Leg, order_of
from hexforge.validator.integrity.origins import hand_of
from hexforge.validator.transcribe.chain import LogRead

_TWO = 2


@dataclass
class _Game:
    """Logs of one game so far, with who plays it."""

    legs: list[Leg]
    players: set[str] = field(default_factory=set)

    def takes(self, leg: Leg, players: set[str]) -> bool:
        """Whether these players may be those of this game."""
        together = self.players | players
        nested = self.players <= players or players <= self.players
        return nested or (bool(self.players & players) and len(together) <= _TWO) or len(together) <= _TWO

    def add(self, leg: Leg, players: set[str]) -> None:
        self.legs.append(leg)
        self.players |= players


def games_in(logs: Sequence[LogRead]) -> list[list[LogRead]]:
    """The games that logs are of, each in the order of play; `logs` are in the order in which they were written."""
    modules: dict[str, list[_Game]] = {}
    for log in logs:
        leg, players = Leg(log, hand_of(log)), _players(log)
        games = modules.setdefault(log.game.module.name if log.game.module else "", [])
        game = _of(leg, players, games)
        if game is None:
            game = _Game([])
            games.append(game)
        game.add(leg, players)
    found = [game for games in modules.values() for game in games]
    return [[leg.log for leg in order_of(game.legs) or game.legs] for game in found]


def _of(leg: Leg, players: set[str], games: Sequence[_Game]) -> _Game | None:
    """The game that a log goes on from; else the one of its players; None for the first of a game."""
    able = [game for game in reversed(games) if game.takes(leg, players)]
    for game in able:
        if any(other.ends == leg.begins for other in game.legs):
            return game
    shared = [game for game in able if game.players & players]
    return shared[0] if shared else None


def _players(log: LogRead) -> set[str]:
    seated = {name.casefold() for name, _ in (*log.start.players, *log.end.players)}
    hand = hand_of(log).casefold()
    return {name for name in (*seated, hand) if name}
