"""Logs as parts of games: which are of one game, what each repeats of another, and the order of play.

Whoever steps through a log while he keeps his own has all its steps in there again, and files are sent twice,
packed, or called anew by a browser. Each step is told once: a copy, and a log that another one holds, are set
aside; of one that the next repeats in part, the part that is repeated is left to that.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from .locations import Noted, Origin, note

if TYPE_CHECKING:
    from ...modulegen.vassal.replay import PieceView
    from ...modulegen.vassal.save import MisfitKind, SavedGame
    from ...modulegen.vassal.story import Action


FEWEST: Final = 2
"""Actions that two logs must have in common before it is no coincidence."""
_TWO: Final = 2
_LOGGED: Final = b"LOG\t"
_NOTHING: Final = (b"", b"null")


@dataclass(frozen=True, slots=True)
class ActionTold:
    """An action with its place. `undone`: it was taken back later; `back`: the action that it takes back itself."""

    origin: Origin
    action: Action
    undone: bool = False
    back: int | None = None


@dataclass(frozen=True)
class LogStanding:
    """How a game stands at one place of a log.

    `pieces` by id; `turns`: what each turn tracker shows; `players`: names with their sides.
    """

    pieces: Mapping[str, PieceView]
    turns: Mapping[str, str]
    properties: Mapping[str, str]
    players: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class LogRead:
    """One log of a chain: its actions, and how the game stands before the first and after the last of them.

    `missed`: ids that it names and that no piece has.
    `unfit`: by step, how its commands do not fit what it has led to, and what they are about.
    `early`: units of which some actions are read with the log before.
    `extensions`: versions of the module's extensions, by their names. `mail`: what carried it, if any did.
    """

    path: str
    name: str
    game: SavedGame = field(repr=False)
    told: tuple[ActionTold, ...]
    start: LogStanding = field(repr=False)
    end: LogStanding = field(repr=False)
    missed: frozenset[str] = frozenset()
    unfit: Mapping[int, tuple[tuple[MisfitKind, str], ...]] = field(default_factory=dict)
    extensions: Mapping[str, str] = field(default_factory=dict)
    early: frozenset[str] = frozenset()
    mail: str = ""


def hand_of(log: LogRead) -> str:
    """Who kept a log: the player for whom most dice were thrown and most was said in it, else who moved most."""
    spoke: Counter[str] = Counter()
    moved: Counter[str] = Counter()
    for told in log.told:
        if told.action.player:
            moves = any(event.kind == "move" for event in told.action.events)
            (moved if moves else spoke)[told.action.player] += 1
    most = (spoke or moved).most_common(1)
    return most[0][0] if most else ""


@dataclass(frozen=True, eq=False)
class Leg:
    """A log as a part of the way from the first position to the last, with marks of its two ends."""

    log: LogRead
    hand: str

    @classmethod
    def of(cls, log: LogRead) -> Leg:
        """A log, with who kept it."""
        return cls(log, hand_of(log))

    @property
    def name(self) -> str:
        """What the log is called."""
        return self.log.name

    @cached_property
    def whole(self) -> str:
        """A mark of all that it holds."""
        return hashlib.sha256(self.log.game.text).hexdigest()

    @cached_property
    def begins(self) -> str:
        """A mark of the position that it begins with."""
        return mark(self.log.start)

    @cached_property
    def ends(self) -> str:
        """A mark of the position that it ends with."""
        return mark(self.log.end)

    @cached_property
    def _told(self) -> Sequence[tuple[int, bytes]]:
        """How many steps stand before each that does anything, and a mark of it.

        VASSAL leaves out what does nothing when it logs a step again.
        """
        found = []
        for number, step in enumerate(self.log.game.steps):
            done = [text for leaf in step.leaves() if (text := leaf.raw.removeprefix(_LOGGED)) not in _NOTHING]
            if done:
                found.append((number, hashlib.sha256(b"\x1b".join(done)).digest()))
        return found

    @cached_property
    def actions(self) -> tuple[bytes, ...]:
        """Marks of its actions."""
        return tuple(action for _, action in self._told)

    def steps_before(self, place: int) -> int:
        """How many steps stand before the action of a place."""
        return self._told[place][0]

    @cached_property
    def places(self) -> Mapping[bytes, Sequence[int]]:
        """Where each of its actions stands."""
        found: dict[bytes, list[int]] = defaultdict(list)
        for place, action in enumerate(self.actions):
            found[action].append(place)
        return found

    @property
    def where(self) -> Origin:
        """Its beginning."""
        return Origin(self.log.name, 0)


def mark(standing: LogStanding) -> str:
    """A mark of a position as far as it may be seen; hidden pieces and decks show nothing."""
    found = hashlib.sha256()
    for id_, view in sorted(standing.pieces.items()):
        if view.hidden or view.deck or view.map is None:
            continue
        levels = sorted(view.levels.items())
        found.update(repr((id_, view.map, view.x, view.y, [] if view.masked else levels)).encode())
    found.update(repr(sorted(standing.turns.items())).encode())
    return found.hexdigest()


# ------------------------------------------------------------------------------------------- what repeats what

At = Callable[[LogRead, int], LogStanding]
"""How a game stands after so many actions of a log."""


@dataclass
class Arranged:
    """Logs in the order of play. `ends`: of some, by their names, after how many actions the next one takes over.

    `aside`: logs of which each action is told by another.
    """

    legs: list[Leg]
    ends: dict[str, int] = field(default_factory=dict)
    aside: list[Leg] = field(default_factory=list)
    noted: list[Noted] = field(default_factory=list)


def arranged(logs: Sequence[LogRead], at: At, *, reorder: bool) -> Arranged:
    """Logs without what they repeat of each other; with `reorder` in the one order in which they follow, if any."""
    found = Arranged([])
    kept = _without_copies([Leg.of(log) for log in logs], found)
    for i, leg in enumerate(kept):
        count = len(leg.actions)
        larger = (o for j, o in enumerate(kept) if len(o.actions) > count or (len(o.actions) == count and j < i))
        holders = [other for other in larger if _holds(other, leg, at)]
        if holders:
            holder = max(holders, key=lambda other: len(other.actions))
            found.aside.append(leg)
            found.noted.append(note(leg.where, "goes-on", earlier=leg.name, later=holder.name))
        else:
            found.legs.append(leg)
    order = order_of(found.legs) if reorder else None
    if order is not None:
        found.legs = order
        found.noted.append(note(order[0].where, "reordered", files=tuple(leg.name for leg in order)))
    for earlier, later in pairwise(found.legs):
        if (place := _repeated(earlier, later, at)) is not None:
            found.ends[earlier.name] = earlier.steps_before(place)
            count = len(earlier.actions) - place
            found.noted.append(note(later.where, "repeats", earlier=earlier.name, later=later.name, count=count))
    return found


def _without_copies(legs: Sequence[Leg], found: Arranged) -> list[Leg]:
    """The logs without copies; of these that one is kept which nobody has renamed, as far as names tell."""
    alike: dict[str, list[Leg]] = {}
    for leg in legs:
        alike.setdefault(leg.whole, []).append(leg)
    kept = []
    for same in alike.values():
        first = min(same, key=lambda leg: len(leg.name))
        kept.append(first)
        for leg in same:
            if leg is not first:
                found.aside.append(leg)
                found.noted.append(note(leg.where, "same-file", earlier=first.name, later=leg.name))
    return kept


def _holds(whole: Leg, part: Leg, at: At) -> bool:
    """Whether a log has all actions of another, from the position on that this one begins with."""
    count = len(part.actions)
    if not count or part.actions[0] not in whole.places:
        return False
    if whole.begins == part.begins and whole.actions[:count] == part.actions:
        return True
    if whole.begins == part.ends or (count < FEWEST and part.begins == part.ends):
        return False  # it goes on from there, and something was done a second time
    return any(
        whole.actions[place : place + count] == part.actions
        and mark(at(whole.log, whole.steps_before(place))) == part.begins
        for place in whole.places[part.actions[0]]
        if place
    )


def _repeated(earlier: Leg, later: Leg, at: At) -> int | None:
    """From which action on a log is repeated by the next, which goes on from its end; None where nothing is."""
    if earlier.ends == later.begins or not later.actions:
        return None
    for place in earlier.places.get(later.actions[0], ()):
        rest = earlier.actions[place:]
        if (
            later.actions[: len(rest)] == rest
            and mark(at(earlier.log, earlier.steps_before(place))) == later.begins
        ):
            return place
    return None


# ------------------------------------------------------------------------------------------------ order and games


def order_of(legs: Sequence[Leg]) -> list[Leg] | None:
    """The logs in the one order in which each begins where the one before it ended; None where there is none, or
    where it is the order that they are in."""
    begins: dict[str, list[int]] = defaultdict(list)
    for i, leg in enumerate(legs):
        begins[leg.begins].append(i)
    ends = {leg.ends for leg in legs}
    first = [i for i, leg in enumerate(legs) if leg.begins not in ends]
    if len(first) != 1:
        return None
    found = first
    while len(found) < len(legs):
        following = [i for i in begins[legs[found[-1]].ends] if i not in found]
        if len(following) != 1:
            return None
        found.append(following[0])
    return [legs[i] for i in found] if found != sorted(found) else None


@dataclass
class _Game:
    """Logs of one game so far, with who plays it."""

    legs: list[Leg]
    players: set[str] = field(default_factory=set)
    sides: set[str] = field(default_factory=set)

    def takes(self, players: set[str]) -> bool:
        """Whether these players may be those of this game."""
        nested = self.players <= players or players <= self.players
        return nested or len(self.players | players) <= _TWO

    def faces(self, leg: Leg) -> bool:
        """Whether a log is of the other side, by players who have not met in any log."""
        sides = _sides(leg.log)
        return bool(self.sides and sides) and not self.sides & sides

    def add(self, leg: Leg, players: set[str]) -> None:
        self.legs.append(leg)
        self.players |= players
        self.sides |= _sides(leg.log)


def games_in(logs: Sequence[LogRead]) -> list[list[LogRead]]:
    """The games that logs are of; `logs` are in the order in which they were written."""
    modules: dict[str, list[_Game]] = {}
    for log in logs:
        leg, players = Leg.of(log), _players(log)
        games = modules.setdefault(log.game.module.name if log.game.module else "", [])
        game = _of(leg, players, games)
        if game is None:
            game = _Game([])
            games.append(game)
        game.add(leg, players)
    return [[leg.log for leg in game.legs] for games in modules.values() for game in games]


def _of(leg: Leg, players: set[str], games: Sequence[_Game]) -> _Game | None:
    """The game that a log goes on from; else the one of its players; else the one that lacks its side.

    None for the first of a game.
    """
    able = [game for game in reversed(games) if game.takes(players)]
    for game in able:
        if any(other.ends == leg.begins for other in game.legs):
            return game
    shared = [game for game in able if game.players & players] or [game for game in able if game.faces(leg)]
    return shared[0] if shared else None


def _sides(log: LogRead) -> set[str]:
    return {side.casefold() for _, side in (*log.start.players, *log.end.players) if side}


def _players(log: LogRead) -> set[str]:
    seated = {name.casefold() for name, _ in (*log.start.players, *log.end.players)}
    hand = hand_of(log).casefold()
    return {name for name in (*seated, hand) if name}
