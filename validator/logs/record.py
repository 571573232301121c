"""The readable record of a chain of logs of any module: who did what, step by step, as text and as plain data.

What became of every command of a log: judged, told, or harmless. None goes missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from ...modulegen.vassal.replay import PieceView
from ...modulegen.vassal.story import Action, CommandTold, Event
from ...scenarios.console import safe
from ...scenarios.text.words import SOURCE, Language, Words, message
from .chain import Chain
from .legs import ActionTold, LogRead
from .locations import Marks, Noted, Origin, unit_of

_MAX_TEXT: Final = 500
Line = tuple[str, Origin]


def record_lines(chain: Chain, lang: Language = SOURCE) -> list[Line]:
    """The record, line by line, each with the step that it tells of."""
    words = Words(lang)
    found: list[Line] = []
    noted: dict[str, list[Noted]] = {}
    for note in chain.noted:
        noted.setdefault(note.origin.log, []).append(note)
    for log in chain.logs:
        if found:
            found.append(("", Origin(log.name, 0)))
        found += ((f"# {safe(text)}", Origin(log.name, 0)) for text in _head(log, words))
        for told in log.told:
            found += _action(told, log, chain.marks, words)
        for note in noted.get(log.name, ()):
            if note.code != "undone-roll":
                found.append((f"! {safe(words.say(note.message))}", note.origin))
    return found


def _head(log: LogRead, words: Words) -> Iterator[str]:
    module = log.game.module
    name = f"{module.name} {module.version}".strip() if module else ""
    yield ", ".join(filter(None, (log.name, name, words("logs.record.steps", count=len(log.told)))))
    if log.end.players:
        players = tuple(f"{name} ({side})" if side else name for name, side in log.end.players)
        yield words("logs.record.players", players=players)


def _action(told: ActionTold, log: LogRead, marks: Marks | None, words: Words) -> Iterator[Line]:
    action = told.action
    who = action.player + (f" ({action.side})" if action.side else "")
    texts = list(events_told(action, marks, words))
    if action.takes_back:
        step = log.told[told.back].origin.step if told.back is not None else None
        back = message("logs.record.undo", step=step) if step is not None else message("logs.record.undo-some")
        texts.insert(0, words.say(back))
    if told.undone:
        texts.append(f"[{words('logs.record.undone')}]")
    lead = f"{told.origin.step:>5}  {safe(who)[:24]:<16}  "
    for i, text in enumerate(texts):
        yield (lead if i == 0 else " " * len(lead)) + safe(text[:_MAX_TEXT]), told.origin


def events_told(action: Action, marks: Marks | None, words: Words) -> Iterator[str]:
    """What an action did, a text for each thing; names and chat stand in them as the log has them."""
    moves: dict[tuple[str, str], list[str]] = {}
    for event in action.events:
        if event.kind == "move":
            moves.setdefault(_ends(event, marks, words), []).append(_name(event.piece, words))
    for (before, after), names in moves.items():
        yield f"{', '.join(names)}: {before} -> {after}"
    dice = {event.text for event in action.events if event.kind == "dice"}
    for event in action.events:
        if event.kind == "property" and _of_dice(event.text, dice):
            continue
        if text := _event(event, words):
            yield text


def _of_dice(name: str, dice: set[str]) -> bool:
    """Whether a property is one that a dice button keeps of its throw."""
    stem, _, what = name.rpartition("_")
    return what in ("result", "total", "keep", "summary") and any(stem == d.replace(" ", "_") for d in dice)


def _ends(event: Event, marks: Marks | None, words: Words) -> tuple[str, str]:
    """Where a move begins and ends, as players call it."""
    before, after = (place or words("logs.record.off") for place in (event.before, event.after))
    if marks is None or event.piece is None or event.piece.location is not None:
        return before, after
    # Without the module, a log of ours still knows its hexes.
    pixels = (event.pixel_before, event.pixel_after)
    named = [
        marks.hex_at(*p) if p is not None and text == f"{marks.main} {p[0]},{p[1]}" else text
        for text, p in zip((before, after), pixels, strict=True)
    ]
    return named[0], named[1]


def _name(piece: PieceView | None, words: Words) -> str:
    if piece is None or piece.hidden:
        return words("logs.record.hidden")
    return piece.name or piece.told_id


def _event(event: Event, words: Words) -> str:
    match event.kind:
        case "chat":
            return event.text
        case "dice":
            return f"{event.text}: {' '.join(map(str, event.numbers))}"
        case "add" | "remove":
            where = f" ({event.after})" if event.after else ""
            return words(f"logs.record.{event.kind}", piece=_name(event.piece, words)) + where
        case "change":
            told = [c for c in event.changes if not c[0].endswith(("_Image", "_Active"))] or event.changes
            changes = ", ".join(f"{name} {old or '-'} -> {new or '-'}" for name, old, new in told)
            return f"{_name(event.piece, words)}: {changes}"
        case "property":
            return f"{event.text}: {event.before or '-'} -> {event.after or '-'}"
        case "turn" | "unknown":
            return words(f"logs.record.{event.kind}", what=event.text)
        case "player":
            return words(
                "logs.record.player" if event.text else "logs.record.leaves",
                player=event.text,
                side=event.after or "",
            )
        case _:
            return ""


# -------------------------------------------------------------------------------------------- data


def record_data(chain: Chain) -> dict[str, Any]:
    """The record as dictionaries, lists, texts and numbers."""
    return {
        "kind": "transcript",
        "game": chain.marks.game if chain.marks else None,
        "logs": [
            {
                "file": log.name,
                "module": log.game.module.name if log.game.module else None,
                "version": log.game.module.version if log.game.module else None,
                "steps": len(log.told),
                "players": [{"name": name, "side": side} for name, side in log.end.players],
                "damage": str(log.game.damage) if log.game.damage else None,
            }
            for log in chain.logs
        ],
        "findings": [note_data(note) for note in chain.noted],
        "actions": [_told_data(told, log) for log in chain.logs for told in log.told],
    }


def note_data(note: Noted) -> dict[str, Any]:
    """What is found wrong with logs, in English."""
    return {
        "log": note.origin.log,
        "step": note.origin.step,
        "code": note.code,
        "severity": note.severity,
        "message": str(note.message),
    }


def _told_data(told: ActionTold, log: LogRead) -> dict[str, Any]:
    action = told.action
    return {
        "log": told.origin.log,
        "step": told.origin.step,
        "player": action.player,
        "side": action.side,
        "undone": told.undone,
        "takes_back": log.told[told.back].origin.step if told.back is not None else None,
        "events": [_event_data(event) for event in action.events if event.kind != "undo"],
    }


def _event_data(event: Event) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": event.kind}
    if event.piece is not None:
        piece = event.piece
        found["piece"] = (
            {"hidden": True}
            if piece.hidden
            else {
                "id": piece.told_id,
                "name": piece.name,
                "unit": piece.properties.get("UnitId"),
                "masked": piece.masked,
            }
        )
    if event.text:
        found["text"] = event.text
    if event.before is not None or event.after is not None:
        found |= {"from": event.before, "to": event.after}
    if event.numbers:
        found["faces" if event.kind == "dice" else "numbers"] = list(event.numbers)
    if event.changes:
        found["changes"] = [{"name": name, "from": old, "to": new} for name, old, new in event.changes]
    return found


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

    return "judged" if unit_of(event.piece.properties) else "told"
