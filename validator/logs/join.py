"""Several logs of a game as one: without what was taken back, what lies between them as a step of its own.

A log's steps are written as they stand. What players do between two logs (somebody sits down, loading sets a value
anew) is in the position that the second begins with. Whoever replays the joined log comes to the same position,
which is looked at before anything is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ...modulegen.vassal.commands import (
    AddPlayer,
    ChangePiece,
    ChangeProperty,
    Chat,
    Command,
    Log,
    Null,
    PrivateChat,
    RemovePlayer,
    SetTurn,
)
from ...modulegen.vassal.payload import Node, group, leaf
from ...modulegen.vassal.replay import LogReplay
from ...modulegen.vassal.save import save_bytes
from ...modulegen.vassal.story import is_typed
from ...modulegen.vassal.traits.piece import nest
from ...scenarios.text.words import HexforgeError, message

if TYPE_CHECKING:
    from ...modulegen.vassal.position import GameState
    from .chain import Chain
    from .legs import LogRead

_BREAKS: Final = frozenset(
    f"logs.note.{key}"
    for key in ("other-position", "lost-between", "not-stepped-through", "other-module", "same-actions", "damaged")
)
"""What keeps logs from being one: the steps of the later ones were done in another position."""


class CannotJoin(HexforgeError):
    """Logs that are not one game from the first position to the last."""


@dataclass(frozen=True)
class Joined:
    """A joined log: its bytes, how many steps it has, and how many were taken back, or nothing but talk."""

    data: bytes
    steps: int
    undone: int
    silent: int


def joined(chain: Chain, *, chat: bool = True) -> Joined:
    """The logs of a chain as one. `chat`: with what players typed. Raises CannotJoin."""
    broken = next((note for note in chain.noted if note.message.key in _BREAKS), None)
    if broken is not None:
        raise CannotJoin(message("logs.join.broken", why=broken.message))
    found = _written(chain.logs, chat=chat, undone=False)
    if found is None:
        # What was taken back has left something behind that VASSAL does not take back: it has to stay.
        found = _written(chain.logs, chat=chat, undone=True)
    if found is None:
        raise CannotJoin(message("logs.join.otherwise", log=chain.logs[-1].name))
    return found


def _written(logs: Sequence[LogRead], *, chat: bool, undone: bool) -> Joined | None:
    """The joined log; None where it does not come to the position that the last of the logs ends with."""
    steps: list[Node] = []
    gone = silent = 0
    reached, before = LogReplay(logs[0].game).position, None

    def add(step: Node) -> None:
        steps.append(_fitted(step, reached))
        reached.apply(steps[-1].commands())

    for log in logs:
        replay = LogReplay(log.game)
        if before is not None and (between := list(_between(before, replay.position))):
            add(_step(between))
        for told, step in zip(log.told, log.game.steps, strict=False):
            if not undone and (told.undone or told.action.takes_back):
                gone += 1
            elif (kept := step if chat else _without_talk(step)) is not None:
                add(kept)
            else:
                silent += 1
        before = replay.goto(len(log.told))
    assert before is not None
    if _standing(reached) != _standing(before):
        return None
    last = logs[-1].game
    root = group(*logs[0].game.restore, *steps)
    return Joined(save_bytes(root, last.module, last.saved), len(steps), gone, silent)


def _fitted(step: Node, position: GameState) -> Node:
    """A step that says of properties from what it changes them: a throw that is left out has set some."""
    commands = [c.command if isinstance(c, Log) else c for c in step.commands()]
    fitted = [
        replace(c, old=position.properties.get((c.container, c.name), c.old))
        if isinstance(c, ChangeProperty)
        else c
        for c in commands
    ]
    return _step(fitted) if fitted != commands else step


def _step(commands: Iterable[Command]) -> Node:
    return group(*[leaf(Log(command)) for command in commands])


def _without_talk(step: Node) -> Node | None:
    """A step without what somebody typed in it; None where nothing else is in it."""
    commands = [c.command if isinstance(c, Log) else c for c in step.commands()]
    kept = [c for c in commands if not (isinstance(c, PrivateChat) or (isinstance(c, Chat) and is_typed(c.text)))]
    if len(kept) == len(commands):
        return step
    return _step(kept) if any(not isinstance(c, Null) for c in kept) else None


def _between(old: GameState, new: GameState) -> Iterator[Command]:
    """What makes of the end of one log the beginning of the next, where nobody has moved anything."""
    gone = {player.id for key, player in old.players.items() if key not in new.players}
    yield from map(RemovePlayer, gone)
    for key, player in new.players.items():
        if old.players.get(key) != player or player.id in gone:
            yield AddPlayer(player.id, player.name, player.side)
    for (container, name), value in new.properties.items():
        if (before := old.properties.get((container, name), "")) != value:
            yield ChangeProperty(name, before, value, container)
    for tracker, state in new.turns.items():
        if old.turns.get(tracker) != state:
            yield SetTurn(tracker, state)
    for id_, record in new.pieces.items():
        known = old.pieces.get(id_)
        if known is not None and known.type == record.type and known.states[:-1] != record.states[:-1]:
            states = (*record.states[:-1], known.states[-1])
            yield ChangePiece(id_, nest(states), nest(known.states))


def _standing(position: GameState) -> tuple[object, ...]:
    """All that players see of a position, and what they do not."""
    pieces = {
        id_: (record.type, record.states[:-1], position.place(id_), position.stack_of(id_))
        for id_, record in position.pieces.items()
    }
    players = sorted((player.id.reveal(), player.name, player.side) for player in position.players.values())
    return pieces, dict(position.properties), dict(position.turns), players
