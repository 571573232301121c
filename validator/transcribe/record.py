"""The readable record of a chain of logs of any module: who did what, step by step, as text and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from hexforge.modulegen.vassal.replay import PieceView
from hexforge.modulegen.vassal.story import Action, Event
from hexforge.scenarios.language import Language
from hexforge.validator.report.plain import safe
from hexforge.validator.transcribe.chain import Chain, LogRead, Told, takes_back
from hexforge.validator.transcribe.draws import stream_line
from hexforge.validator.transcribe.marks import Marks
from hexforge.validator.transcribe.noted import Origin

_WIDTH: Final = 100
_MAX_TEXT: Final = 500
Line = tuple[str, Origin]

_WORDS: Final[dict[str, dict[Language, str]]] = {
    "steps": {"en": "steps", "pt": "passos"},
    "players": {"en": "players", "pt": "jogadores"},
    "hidden": {"en": "a hidden piece", "pt": "uma peça oculta"},
    "add": {"en": "appears", "pt": "aparece"},
    "remove": {"en": "is removed", "pt": "é retirada"},
    "off": {"en": "off the map", "pt": "fora do mapa"},
    "undo": {"en": "takes back step", "pt": "desfaz o passo"},
    "undo_some": {"en": "takes back an action", "pt": "desfaz uma ação"},
    "undone": {"en": "taken back later", "pt": "desfeito depois"},
    "turn": {"en": "turn tracker", "pt": "marcador de turnos"},
    "random": {"en": "random numbers", "pt": "números aleatórios"},
    "unknown": {"en": "unknown command", "pt": "comando desconhecido"},
    "silent": {"en": "nothing to be seen", "pt": "nada visível"},
    "player": {"en": "sits down as", "pt": "joga como"},
    "leaves": {"en": "a player leaves", "pt": "um jogador sai"},
}


def record_lines(chain: Chain, lang: Language = "en") -> list[Line]:
    """The record, line by line, each with the step that it tells of."""
    found: list[Line] = []
    for log in chain.logs:
        if found:
            found.append(("", Origin(log.name, 0)))
        found += _head(log, lang)
        for told in log.told:
            found += _action(told, log, chain.marks, lang)
        for note in chain.noted:
            if note.origin.log == log.name and note.code != "undone-roll":
                found.append((f"! {safe(note.pt if lang == 'pt' else note.en)}", note.origin))
    return found


def _head(log: LogRead, lang: Language) -> Iterator[Line]:
    where = Origin(log.name, 0)
    module = log.game.module
    name = f"{module.name} {module.version}".strip() if module else ""
    steps = f"{len(log.told)} {_WORDS['steps'][lang]}"
    yield ", ".join(safe(part) for part in (f"# {log.name}", name, steps) if part), where
    players = ", ".join(f"{name} ({side})" if side else name for name, side in log.players)
    if players:
        yield f"# {_WORDS['players'][lang]}: {safe(players)}", where
    if log.stream is not None:
        yield f"# {stream_line(log.stream, lang)}", where


def _action(told: Told, log: LogRead, marks: Marks | None, lang: Language) -> Iterator[Line]:
    action = told.action
    who = action.player + (f" ({action.side})" if action.side else "")
    texts = list(_events(action, marks, lang))
    if takes_back(action):
        step = log.told[told.back].origin.step if told.back is not None else None
        texts.insert(0, f"{_WORDS['undo'][lang]} {step}" if step is not None else _WORDS["undo_some"][lang])
    if told.undone:
        texts.append(f"[{_WORDS['undone'][lang]}]")
    if not texts:
        return
    lead = f"{told.origin.step:>5}  {safe(who)[:24]:<16}  "
    for i, text in enumerate(texts):
        yield (lead if i == 0 else " " * len(lead)) + safe(text[:_MAX_TEXT]), told.origin


def _events(action: Action, marks: Marks | None, lang: Language) -> Iterator[str]:
    moves: dict[tuple[str, str], list[str]] = {}
    for event in action.events:
        if event.kind == "move":
            names = moves.setdefault(_ends(event, marks, lang), [])
            names.append(_name(event.piece, lang))
    for (before, after), names in moves.items():
        yield f"{', '.join(names)}: {before} -> {after}"
    dice = {event.text for event in action.events if event.kind == "dice"}
    drawn = ", ".join(event.text for event in action.events if event.kind == "random")
    if drawn:
        yield f"{_WORDS['random'][lang]}: {drawn}"
    for event in action.events:
        if event.kind == "property" and _of_dice(event.text, dice):
            continue
        text = _event(event, lang)
        if text:
            yield text


def _of_dice(name: str, dice: set[str]) -> bool:
    """Whether a property is one that a dice button keeps of its throw."""
    stem, _, what = name.rpartition("_")
    return what in ("result", "total", "keep", "summary") and any(stem == d.replace(" ", "_") for d in dice)


def _ends(event: Event, marks: Marks | None, lang: Language) -> tuple[str, str]:
    """Where a move begins and ends, as players call it."""
    off = _WORDS["off"][lang]
    before, after = event.before or off, event.after or off
    if marks is None or event.piece is None or event.piece.location is not None:
        return before, after
    # Without the module, a log of ours still knows its hexes.
    pixels = (event.pixel_before, event.pixel_after)
    named = [
        marks.hex_at(*p) if p is not None and text == f"{marks.main} {p[0]},{p[1]}" else text
        for text, p in zip((before, after), pixels, strict=True)
    ]
    return named[0], named[1]


def _name(piece: PieceView | None, lang: Language) -> str:
    if piece is None or piece.hidden:
        return _WORDS["hidden"][lang]
    return piece.name or piece.id


def _event(event: Event, lang: Language) -> str:
    w = {key: texts[lang] for key, texts in _WORDS.items()}
    match event.kind:
        case "chat":
            return event.text
        case "dice":
            return f"{event.text}: {' '.join(map(str, event.numbers))}"
        case "add" | "remove":
            where = f" ({event.after})" if event.after else ""
            return f"{_name(event.piece, lang)} {w[event.kind]}{where}"
        case "change":
            told = [c for c in event.changes if not c[0].endswith(("_Image", "_Active"))] or event.changes
            changes = ", ".join(f"{name} {old or '-'} -> {new or '-'}" for name, old, new in told)
            return f"{_name(event.piece, lang)}: {changes}"
        case "property":
            return f"{event.text}: {event.before or '-'} -> {event.after or '-'}"
        case "turn":
            return f"{w['turn']} {event.text}"
        case "unknown":
            return f"{w['unknown']} {event.text}"
        case "player":
            return f"{event.text} {w['player']} {event.after}" if event.text else w["leaves"]
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
                "players": [{"name": name, "side": side} for name, side in log.players],
                "damage": str(log.game.damage) if log.game.damage else None,
                "random_numbers": log.stream.summary if log.stream else None,
            }
            for log in chain.logs
        ],
        "findings": [
            {
                "log": note.origin.log,
                "step": note.origin.step,
                "code": note.code,
                "severity": note.severity,
                "message": note.en,
            }
            for note in chain.noted
        ],
        "actions": [_told_data(told, log) for log in chain.logs for told in log.told],
    }


def _told_data(told: Told, log: LogRead) -> dict[str, Any]:
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
                "id": piece.id,
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
