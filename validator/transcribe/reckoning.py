"""What became of every command of a log: judged, told, or harmless. None goes missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from hexforge.modulegen.vassal.story import CommandTold, Event
from hexforge.validator.transcribe.noted import Origin

if TYPE_CHECKING:
    from hexforge.validator.transcribe.chain import ActionTold, Chain

Fate = Literal["judged", "told", "harmless"]
"""Held against the rules; said in the record of the log and judged by nobody; without any meaning for the game."""

SILENT: Final = frozenset(
    (
        *("Null", "Flare", "Clock", "ClockControl", "PlayClip", "PrivateChat", "PrivateNote", "PublicNotes"),
        *("SecretNote", "ScenarioNotes", "LockTab", "WakeUp", "Invitation", "Plugin", "StartupCommand"),
        *("TranslatableProperty", "AtStartStacks", "Extension", "AllowUnmasking", "DeckFile", "SetBoards"),
        *("SetPersistentProperty", "BeginSave", "EndSave"),
    )
)
"""Commands that change nothing that a rule looks at: marks of VASSAL's own, zoom, notes, sounds, windows."""
_JUDGED: Final = frozenset(("dice", "turn", "undo"))


@dataclass(frozen=True, slots=True)
class Reckoned:
    """A command with what became of it; `kind` is its class in `modulegen.vassal.commands`."""

    origin: Origin
    kind: str
    fate: Fate


@dataclass(frozen=True)
class Reckoning:
    """All commands of a chain of logs, in order."""

    commands: tuple[Reckoned, ...] = ()

    @property
    def counts(self) -> dict[Fate, int]:
        """How many there are of each fate."""
        found = Counter(c.fate for c in self.commands)
        return {"judged": found["judged"], "told": found["told"], "harmless": found["harmless"]}


NOTHING: Final = Reckoning()


def reckon(chain: Chain, heard: Mapping[Origin, frozenset[str]], judged: frozenset[str]) -> Reckoning:
    """What became of the commands of a chain.

    `heard`: the chat lines that were taken, by their steps; `judged`: properties that the referee looks at.
    """
    return Reckoning(tuple(c for log in chain.logs for told in log.told for c in _step(told, heard, judged)))


def _step(told: ActionTold, heard: Mapping[Origin, frozenset[str]], judged: frozenset[str]) -> Iterator[Reckoned]:
    action, origin = told.action, told.origin
    if told.undone or action.takes_back:
        # Dice that were taken back are looked for; all else is as if it had not been.
        yield from (Reckoned(origin, d.kind, "harmless" if d.kind in SILENT else "judged") for d in action.done)
        return
    pieces: dict[str, Fate] = {}
    for done in action.done:
        fate = _fate(done, pieces, heard.get(origin, frozenset()), judged)
        for event in done.events:
            if event.piece is not None:
                pieces[event.piece.id] = _of_event(event, frozenset(), judged)
        yield Reckoned(origin, done.kind, fate)


def _fate(done: CommandTold, pieces: Mapping[str, Fate], heard: frozenset[str], judged: frozenset[str]) -> Fate:
    fates = {_of_event(event, heard, judged) for event in done.events}
    if not fates:
        # What was done to these pieces is told of a command before; where nothing was, they are as they were.
        fates = {pieces[p] for p in done.pieces if p in pieces}
    if not fates:
        still = bool(done.pieces) or done.kind in SILENT or done.kind in _WITHOUT_EVENT
        return "harmless" if still else "told"
    return "judged" if "judged" in fates else "told" if "told" in fates else "harmless"


_WITHOUT_EVENT: Final = frozenset(
    (
        *("MovePiece", "ChangePiece", "AddPiece", "RemovePiece", "ChangeProperty", "SetGlobalProperty", "Chat"),
        "DiceResults",
    )
)
"""Commands that leave no event where they change nothing, or name a piece that is not there."""


def _of_event(event: Event, heard: frozenset[str], judged: frozenset[str]) -> Fate:
    if event.kind in _JUDGED:
        return "judged"
    if event.kind == "chat":
        return "judged" if event.text in heard else "told"
    if event.kind == "property":
        return "judged" if event.text in judged else "harmless"
    if event.piece is None or event.piece.hidden:
        return "told"
    from hexforge.validator.transcribe.spots import unit_of

    return "judged" if unit_of(event.piece.properties) else "told"
