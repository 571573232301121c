"""What a log takes back, and which of its actions stand in the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hexforge.modulegen.vassal.story import Action, Event

UNDO: Final = "* UNDO: "


def chats(action: Action) -> list[str]:
    return [e.text for e in action.events if e.kind == "chat"]


def takes_back(action: Action) -> bool:
    """Whether an action is an undo (some versions of VASSAL log no mark of it, but repeat the chat lines)."""
    return action.undoes or any(text.startswith(UNDO) for text in chats(action))


def _signature(action: Action) -> tuple[frozenset[str], frozenset[str]]:
    texts = frozenset(text.removeprefix(UNDO) for text in chats(action))
    return texts, frozenset(e.piece.id for e in action.events if e.piece is not None)


def undone(actions: Sequence[Action]) -> tuple[list[bool], dict[int, int]]:
    """Which actions stand, and the action that each undo takes back, by their places.

    VASSAL walks down its list, from the latest action on. An undo that is taken back itself restores what it took.
    """
    target: dict[int, int] = {}
    live = [True] * len(actions)
    pointer = -1
    for i, action in enumerate(actions):
        if not takes_back(action):
            pointer = pointer if _only_draws(action) else i
            continue
        wanted = _signature(action)
        same = (
            j for j in range(pointer, -1, -1) if _signature(actions[j]) == wanted and not _only_draws(actions[j])
        )
        found = next(same, pointer)
        if found < 0:
            continue
        target[i] = found
        _flip(found, live, target)
        pointer = found - 1
    return live, target


def _only_draws(action: Action) -> bool:
    """Whether an action is a random number and nothing else: VASSAL cannot take that back."""
    return bool(action.events) and all(e.kind == "random" for e in action.events)


def _flip(index: int, live: list[bool], target: dict[int, int]) -> None:
    live[index] = not live[index]
    while index in target:
        index = target[index]
        live[index] = not live[index]


def dice_of(action: Action) -> list[Event]:
    """The dice thrown in an action."""
    return [e for e in action.events if e.kind == "dice" and e.numbers]
