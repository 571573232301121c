"""The readable record of a chain of logs of any module: who did what, step by step, as text and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from hexforge.modulegen.vassal.replay import PieceView
from hexforge.modulegen.vassal.story import Action, Event
from hexforge.scenarios.words import SOURCE, Language, Words, message
from hexforge.validator.report.plain import safe
from hexforge.validator.transcribe.chain import ActionTold, Chain, LogRead
from hexforge.validator.transcribe.marks import Marks
from hexforge.validator.transcribe.noted import Noted, Origin

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
