"""What a log takes back, and which of its actions stand in the end."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from hexforge.modulegen.vassal.story import UNDO, Action, Event

_Signature = tuple[frozenset[str], frozenset[str]]


def _signature(action: Action) -> _Signature:
    texts = frozenset(text.removeprefix(UNDO) for text in action.chat)
    return texts, frozenset(e.piece.id for e in action.events if e.piece is not None)


def undone(actions: Sequence[Action]) -> tuple[list[bool], dict[int, int]]:
    """Which actions stand, and the action that each undo takes back, by their places.

    VASSAL walks down its list, from the latest action on. An undo that is taken back itself restores what it took.
    """
    target: dict[int, int] = {}
    # Where each signature stands, in order: a long log must not be walked down for each of its undos.
    alike: dict[_Signature, list[int]] = {}
    pointer = -1
    for i, action in enumerate(actions):
        wanted = _signature(action)
        if not action.takes_back:
            pointer = i
        elif (found := _latest(alike.get(wanted, ()), pointer)) >= 0:
            target[i] = found
            pointer = found - 1
        alike.setdefault(wanted, []).append(i)
    return _standing(len(actions), target), target


def _latest(places: Sequence[int], pointer: int) -> int:
    """The last of the places that is not beyond the pointer; else the pointer itself."""
    below = bisect_right(places, pointer)
    return places[below - 1] if below else pointer


def _standing(count: int, target: Mapping[int, int]) -> list[bool]:
    """Which actions stand: those that were turned over an even number of times, by undos and what these restore."""
    turns = [0] * count
    for i in sorted(target, reverse=True):
        turns[target[i]] += 1 + turns[i]
    return [times % 2 == 0 for times in turns]


def dice_of(action: Action) -> list[Event]:
    """The dice thrown in an action."""
    return [e for e in action.events if e.kind == "dice" and e.numbers]
