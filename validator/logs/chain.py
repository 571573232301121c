"""Logs read one after the other: what happened, what was taken back, and whether each begins where the last ended.

This works for the logs of any module. Nothing here holds a password, nor a piece that the reader may not see.

What a log takes back, and which of its actions stand in the end.

What is wrong with a chain of logs: breaks between them, throws taken back, throws that are in none of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...modulegen.vassal.commands import Extension
from ...modulegen.vassal.encoding import FormatError
from ...modulegen.vassal.inspect import secrets_of
from ...modulegen.vassal.module import Module, read_module
from ...modulegen.vassal.replay import LogReplay, PieceView
from ...modulegen.vassal.save import MisfitKind, SavedGame, may_be_unmarked, read_save
from ...modulegen.vassal.secrets import Scrubber
from ...modulegen.vassal.story import UNDO, Action, Event, tell
from ...scenarios.text.words import Message, Param, message
from ..notation.records import Attached, Progress
from .locations import AIR, THROWS, Marks, Noted, Origin, faces_told, modules_in, note, read_marks

if TYPE_CHECKING:
    from .bindings import Bound


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
    return _undo_standing(len(actions), target), target


def _latest(places: Sequence[int], pointer: int) -> int:
    """The last of the places that is not beyond the pointer; else the pointer itself."""
    below = bisect_right(places, pointer)
    return places[below - 1] if below else pointer


def _undo_standing(count: int, target: Mapping[int, int]) -> list[bool]:
    """Which actions stand: those that were turned over an even number of times, by undos and what these restore."""
    turns = [0] * count
    for i in sorted(target, reverse=True):
        turns[target[i]] += 1 + turns[i]
    return [times % 2 == 0 for times in turns]


def dice_of(action: Action) -> list[Event]:
    """The dice thrown in an action."""
    return [e for e in action.events if e.kind == "dice" and e.numbers]


MAX_NAMED: Final = 8
_FOUGHT: Final = "CombatFought"
_THROWN: Final = ("CombatFaces", "CombatRoll", "CombatResult", _FOUGHT)
_DIGITS: Final = 8
# As a large family of modules counts each player's throws: <Name> [with this sum / so far  avg …
_COUNTED: Final = re.compile(
    r"\((?P<kind>[^()]{0,40})\)[^<>]{0,40}<(?P<who>[^<>]{1,80})>\s*\[\d{1,9} / (?P<count>\d{1,9})\s+avg\b"
)


def chain_notes(logs: Sequence[LogRead], marks: Marks | None) -> Iterator[Noted]:
    """All that is wrong with the logs of a chain, apart from their rules."""
    yield from _reversals(logs)
    yield from _breaks(logs, marks)
    yield from _counters(logs)
    if marks is not None:
        yield from _throws_counted(logs)
    for log in logs:
        if log.game.damage is not None:
            read = len(log.told)
            why = log.game.damage.message
            yield note(Origin(log.name, read), "damaged", log=log.name, count=read, why=why)
        yield from _misfits(log, ours=marks is not None)
    yield from _strangers(logs)


def _misfits(log: LogRead, *, ours: bool) -> Iterator[Noted]:
    """Steps that do not follow from those before them: something was left out between them, or was changed.

    What the count of throws in a module of `ours` says is told by itself.
    """
    counts = {("property", THROWS)} if ours else set()
    unfit = {step: [one for one in found if one not in counts] for step, found in log.unfit.items()}
    unfit = {step: found for step, found in unfit.items() if found}
    for step, found in list(unfit.items())[:MAX_NAMED]:
        what = tuple(message(f"logs.note.unfit-{kind}", what=what) for kind, what in found[:MAX_NAMED])
        yield note(Origin(log.name, step), "unfit", log=log.name, step=step, found=what)
    if len(unfit) > MAX_NAMED:
        last = max(unfit)
        yield note(Origin(log.name, last), "unfit-more", log=log.name, count=len(unfit) - MAX_NAMED)


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
        changes, turned = _changes(earlier.end, later.start, marks), _turned(earlier.end, later.start)
        where, names = Origin(later.name, 0), {"earlier": earlier.name, "later": later.name}
        as_begun = not _changes(earlier.start, later.start, marks) and not _turned(earlier.start, later.start)
        if (changes or turned) and as_begun and set(later.start.players) >= set(earlier.end.players):
            # VASSAL sets up a log's first position when it is loaded: whoever logs on at once begins from there.
            yield note(where, "not-stepped-through", **names)
            continue
        if turned and not changes and marks is not None:
            # Which phases are missing is judged by the rules of the game.
            yield note(where, "turned-between", **names)
        elif changes or turned:
            yield note(where, "other-position", changes=_told(changes), **names)
        values = _values(earlier.end.properties, later.start.properties, ours=marks is not None)
        if values:
            kind = "values-between" if marks is not None else "other-values"
            yield note(where, kind, changes=_told(values), **names)


def _values(before: Mapping[str, str], after: Mapping[str, str], *, ours: bool) -> list[str]:
    """The properties that saves keep and that differ between two logs.

    In a module of `ours` most are notes of what was looked at last. What a throw has led to tells of one only where
    the module does not count them all.
    """
    known = [name for name in after if name in before and before[name] != after[name]]
    if ours:
        kept = (AIR, *(() if THROWS in after else _THROWN))
        known = [name for name in known if name in kept]
        # As a phase begins its combats are forgotten.
        known = [name for name in known if name != _FOUGHT or len(after[name]) > len(before[name])]
    return [f"{name} {before[name] or '-'} -> {after[name] or '-'}" for name in known]


def count_of(properties: Mapping[str, str]) -> int | None:
    """How many throws a module of ours has counted; None for one that does not count them."""
    said = properties.get(THROWS, "")
    return int(said) if said.isdecimal() and len(said) < _DIGITS else None


def _throws_counted(logs: Sequence[LogRead]) -> Iterator[Noted]:
    """Throws that are in no log, and dice that nobody threw, by the module's own count."""
    for earlier, later in pairwise(logs):
        before, now = count_of(earlier.end.properties), count_of(later.start.properties)
        if before is not None and now is not None and now > before:
            names = {"earlier": earlier.name, "later": later.name}
            yield note(Origin(later.name, 0), "throws-between", count=now - before, **names)
    for log in logs:
        now = count_of(log.start.properties)
        for told in log.told if now is not None else ():
            changes = [e for e in told.action.events if e.kind == "property" and e.text == THROWS]
            thrown = 0 if told.action.takes_back else len(dice_of(told.action))
            missing = 0
            for event in changes:
                before, after = (count_of({THROWS: text or ""}) for text in (event.before, event.after))
                if before is not None and after is not None and now is not None:
                    missing += before - now
                    thrown -= 0 if told.action.takes_back else after - before
                    now = after
            where: dict[str, Param] = {"log": log.name, "step": told.origin.step}
            if missing > 0 or thrown < 0:
                yield note(told.origin, "throws-cut", count=max(missing, 0) + max(-thrown, 0), **where)
            elif missing or thrown:
                yield note(told.origin, "throws-uncounted", **where)


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


MAX_LOGS: Final = 1000
_EXTENSION: Final = Extension.PREFIX.encode()


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


@dataclass(frozen=True)
class Chain:
    """Several logs in order. `marks` is None for modules that are not ours; `archive` is the file of the module."""

    logs: tuple[LogRead, ...]
    module: Module | None
    marks: Marks | None
    noted: tuple[Noted, ...]
    archive: Path | None = None


def find_module(path: Path, wanted: SavedGame) -> Path | None:
    """The module that a log belongs to, if it lies beside it: the one of the name that the log gives."""
    name = wanted.module.name if wanted.module else ""
    return next((p for p, data in modules_in(path.absolute().parent) if data.name == name), None) if name else None


def read_chain(
    paths: Sequence[str | Path | Attached],
    *,
    module: str | Path | None = None,
    reveal: str | None = None,
    salvage: bool = False,
    progress: Progress | None = None,
) -> Chain:
    """Read logs in the order of play: files, or attachments of mails.

    `module`: the `.vmod`, for names of locations; without it the one beside the first log, if there is one.
    Raises FormatError for what cannot be read (with `salvage`, only for what holds nothing at all), OSError.
    """
    if len(paths) > MAX_LOGS:
        raise FormatError(message("vassal.logs", found=len(paths), most=MAX_LOGS))
    games = [_opened(source, salvage) for source in paths]
    found = Path(module) if module is not None else find_module(*games[0]) if games else None
    read = read_module(found) if found is not None else None
    marks = next((m for _, game in games if (m := read_marks(game.module))), None)
    if marks is None and read is not None and all(game.module is None for _, game in games):
        marks = read_marks(read.metadata)
    tied = _tied(games, read) if marks is None else None
    names = _names([path for path, _ in games])
    logs = [_read((name, *source), read, reveal, progress, tied) for name, source in zip(names, games, strict=True)]
    carried = [source.mail if isinstance(source, Attached) else "" for source in paths]
    logs = [replace(log, mail=mail) for log, mail in zip(logs, carried, strict=True)]
    return chain_of(logs, read, tied.marks if tied else marks, found)


def _tied(games: Sequence[tuple[Path, SavedGame]], module: Module | None) -> Bound | None:
    """The binding for the module of some logs, where a game has one."""
    from .bindings import bound

    stated = next((game.module for _, game in games if game.module), module.metadata if module else None)
    return bound(stated, str(games[0][0])) if games else None


def chain_of(
    logs: Sequence[LogRead], module: Module | None, marks: Marks | None, archive: Path | None = None
) -> Chain:
    """Logs that have been read, as a chain in the order given."""
    return Chain(tuple(logs), module, marks, tuple(chain_notes(logs, marks)), archive)


def _opened(source: str | Path | Attached, salvage: bool) -> tuple[Path, SavedGame]:
    if not isinstance(source, Attached):
        return Path(source), read_save(source, salvage=salvage)
    try:
        return Path(source.name), read_save(source.data, salvage=salvage)
    except FormatError as error:
        raise error.at(path=source.name) from None


def _names(paths: Sequence[Path]) -> list[str]:
    """What logs are called: by their files, by the folders too where two files have one name, else by number."""
    short = Counter(path.name for path in paths)
    named = [path.name if short[path.name] == 1 else "/".join(path.parts[-2:]) for path in paths]
    seen: Counter[str] = Counter()
    found = []
    for name in named:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found


def _read(
    source: tuple[str, Path, SavedGame],
    module: Module | None,
    reveal: str | None,
    progress: Progress | None,
    tied: Bound | None,
) -> LogRead:
    name, path, game = source
    scrub = secrets_of(game)
    replay = LogReplay(game, module, scrub=scrub, seen=tied.see if tied else None)
    start = _standing(replay, reveal, tied)
    actions: list[Action] = []
    for action in tell(replay, reveal=reveal):
        actions.append(tied.act(action) if tied else action)
        if progress is not None:
            progress(name, len(actions), len(replay))
    live, target = undone(actions)
    told = (ActionTold(Origin(name, a.number), a, not live[i], target.get(i)) for i, a in enumerate(actions))
    missed = frozenset(map(scrub.name, replay.position.missed))
    end, known = _standing(replay, reveal, tied), _extensions(game, scrub)
    unfit = _unfit(replay, reveal, scrub)
    return LogRead(str(path), name, game, tuple(told), start, end, missed, unfit, known)


def _unfit(replay: LogReplay, reveal: str | None, scrub: Scrubber) -> dict[int, tuple[tuple[MisfitKind, str], ...]]:
    """What does not fit, told as the reader may see it. VASSAL 2 itself left out some of what was undone."""
    if not replay.misfits or may_be_unmarked(replay.game):
        return {}

    def called(id_: str) -> str:
        if id_ not in replay.position.pieces:
            return scrub.name(id_)
        view = replay.view(id_, reveal=reveal)
        return "?" if view.hidden else view.properties.get("UnitId") or view.name or scrub.name(id_)

    return {
        step: tuple(
            dict.fromkeys((m.kind, called(m.id) if m.kind != "property" else scrub.name(m.id)) for m in found)
        )
        for step, found in replay.misfits.items()
    }


def _extensions(game: SavedGame, scrub: Scrubber) -> dict[str, str]:
    lines = (leaf for node in game.restore for leaf in node.leaves() if leaf.raw.startswith(_EXTENSION))
    found = (leaf.command for leaf in lines)
    return {scrub(c.name): scrub(c.version) for c in found if isinstance(c, Extension)}


def _standing(replay: LogReplay, reveal: str | None, tied: Bound | None = None) -> LogStanding:
    position, scrub = replay.position, replay.scrub
    assert scrub is not None
    return LogStanding(
        {v.id: v for v in replay.pieces(reveal=reveal, on_map=False)},
        {k: tied.turn(v) if tied else v for k, v in scrub.keys(position.turns).items()},
        {scrub.name(name): scrub(value) for (_, name), value in position.properties.items()},
        tuple(dict.fromkeys((scrub(p.name), scrub(p.side)) for p in position.players.values())),
    )
