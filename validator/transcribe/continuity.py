"""What is wrong with a chain of logs: breaks between them, throws taken back, throws that are in none of them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.vassal.replay import PieceView
from hexforge.modulegen.vassal.story import Event
from hexforge.scenarios.words import Message, message
from hexforge.validator.transcribe.noted import Noted, Origin, faces_told, note
from hexforge.validator.transcribe.undo import dice_of

if TYPE_CHECKING:
    from hexforge.validator.transcribe.chain import LogRead, LogStanding
    from hexforge.validator.transcribe.marks import Marks

MAX_NAMED: Final = 8
# As a large family of modules counts each player's throws: <Name> [with this sum / so far  avg …
_COUNTED: Final = re.compile(
    r"\((?P<kind>[^()]{0,40})\)[^<>]{0,40}<(?P<who>[^<>]{1,80})>\s*\[\d{1,9} / (?P<count>\d{1,9})\s+avg\b"
)


def chain_notes(logs: Sequence[LogRead], marks: Marks | None) -> Iterator[Noted]:
    """All that is wrong with the logs of a chain, apart from their rules."""
    yield from _reversals(logs)
    yield from _breaks(logs, marks)
    yield from _counters(logs)
    for log in logs:
        if log.game.damage is not None:
            read = len(log.told)
            why = log.game.damage.message
            yield note(Origin(log.name, read), "damaged", log=log.name, count=read, why=why)
        yield from _misfits(log)
    yield from _strangers(logs)


def _misfits(log: LogRead) -> Iterator[Noted]:
    """Steps that do not follow from those before them: something was left out between them, or was changed."""
    for step, found in list(log.unfit.items())[:MAX_NAMED]:
        what = tuple(message(f"logs.note.unfit-{kind}", what=what) for kind, what in found[:MAX_NAMED])
        yield note(Origin(log.name, step), "unfit", log=log.name, step=step, found=what)
    if len(log.unfit) > MAX_NAMED:
        last = max(log.unfit)
        yield note(Origin(log.name, last), "unfit-more", log=log.name, count=len(log.unfit) - MAX_NAMED)


def _reversals(logs: Sequence[LogRead]) -> Iterator[Noted]:
    """Dice that were taken back, and whether they were thrown again."""
    for log in logs:
        taken = {t.back: t.origin.step for t in reversed(log.told) if t.back is not None}
        throws = _Throws(log)
        for i, told in enumerate(log.told):
            if not told.undone or told.action.takes_back:
                continue
            for event in dice_of(told.action):
                undo = taken.get(i, told.origin.step)
                thrown = {"dice": event.text, "faces": faces_told(event.numbers)}
                again = throws.after(undo, event.text)
                if again is None:
                    yield note(told.origin, "throw-undone", step=told.origin.step, undo=undo, **thrown)
                else:
                    now = faces_told(again[1].numbers)
                    yield note(again[0], "thrown-again", step=told.origin.step, undo=undo, now=now, **thrown)


class _Throws:
    """The throws of a log that stand, by the name of the dice."""

    def __init__(self, log: LogRead) -> None:
        self.by_dice: dict[str, tuple[list[int], list[tuple[Origin, Event]]]] = {}
        for told in log.told:
            if not told.undone and not told.action.takes_back:
                for event in dice_of(told.action):
                    steps, found = self.by_dice.setdefault(event.text, ([], []))
                    steps.append(told.origin.step)
                    found.append((told.origin, event))

    def after(self, step: int, dice: str) -> tuple[Origin, Event] | None:
        """The first throw of the same dice after a step that took one back."""
        steps, found = self.by_dice.get(dice, ([], []))
        place = bisect_right(steps, step)
        return found[place] if place < len(found) else None


def _label(view: PieceView) -> str:
    return view.properties.get("UnitId") or view.name or view.id


def place_of(view: PieceView | None, marks: Marks | None) -> str:
    """What players call the place of a piece; "-" for one that is nowhere."""
    if view is None or view.map is None or view.hidden:
        return "-"
    if view.location:
        return view.location
    if marks is not None and view.map == marks.main and view.x is not None and view.y is not None:
        return marks.hex_at(view.x, view.y)
    if marks is not None and view.map in (marks.reserves, marks.losses):
        return view.map
    return f"{view.map} {view.x},{view.y}"


def _changes(before: LogStanding, after: LogStanding, marks: Marks | None) -> list[str]:
    """In what two positions differ, as far as it may be seen."""
    changes = []
    for piece in sorted({*before.pieces, *after.pieces}):
        old, new = before.pieces.get(piece), after.pieces.get(piece)
        shown = new or old
        if shown is None or any(v is not None and (v.hidden or v.deck) for v in (old, new)):
            continue
        places = [None if v is None else (v.map, v.x, v.y) for v in (old, new)]
        if places[0] != places[1] and any(v is not None and v.map is not None for v in (old, new)):
            changes.append(f"{_label(shown)} {place_of(old, marks)} -> {place_of(new, marks)}")
        elif old and new and not (old.masked or new.masked) and old.levels != new.levels:
            changes.append(f"{_label(shown)} ({place_of(new, marks)})")
    return changes


def _turned(old: LogStanding, new: LogStanding) -> bool:
    return any(k in old.turns and old.turns[k] != new.turns[k] for k in new.turns)


def _breaks(logs: Sequence[LogRead], marks: Marks | None) -> Iterator[Noted]:
    """Logs that begin from another position than the one before them ended with."""
    for earlier, later in pairwise(logs):
        changes = _changes(earlier.end, later.start, marks)
        if not changes and not _turned(earlier.end, later.start):
            continue
        where, names = Origin(later.name, 0), {"earlier": earlier.name, "later": later.name}
        as_begun = not _changes(earlier.start, later.start, marks) and not _turned(earlier.start, later.start)
        if as_begun and set(later.start.players) >= set(earlier.end.players):
            # VASSAL sets up a log's first position when it is loaded: whoever logs on at once begins from there.
            yield note(where, "not-stepped-through", **names)
        elif not changes and marks is not None:
            # Which phases are missing is judged by the rules of the game.
            yield note(where, "turned-between", **names)
        else:
            yield note(where, "other-position", changes=_told(changes), **names)


def _told(changes: Sequence[str]) -> Message:
    if not changes:
        return message("logs.note.other-turn")
    shown, more = "; ".join(changes[:MAX_NAMED]), len(changes) - MAX_NAMED
    return message("logs.note.and-more" if more > 0 else "logs.note.changes", changes=shown, count=more)


def _counters(logs: Sequence[LogRead]) -> Iterator[Noted]:
    """Throws that are in no log, where the module itself counts them."""
    last: dict[tuple[str, str], int] = {}
    told = (t for log in logs for t in log.told if not t.action.takes_back)
    for origin, text in ((t.origin, text) for t in told for text in t.action.chat):
        match = _COUNTED.search(text) if text.startswith("*") else None
        if match is None:
            continue
        # The counts of one die and of two run apart; the word for them ends the label.
        who, words, count = match["who"], match["kind"].split(), int(match["count"])
        key = (who, words[-1] if words else "")
        before = last.get(key)
        last[key] = count
        if before is not None and count != before + 1:
            kind = "throws-missing" if count > before else "throws-recounted"
            yield note(origin, kind, who=who, before=before, count=count)


def _strangers(logs: Sequence[LogRead]) -> Iterator[Noted]:
    """Logs of different modules in one chain."""
    names = {log.name: log.game.module.name for log in logs if log.game.module and log.game.module.name}
    first = next(iter(names.values()), "")
    for log, name in names.items():
        if name != first:
            yield note(Origin(log, 0), "other-module", log=log, module=name, first=first)
