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
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

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
from .legs import ActionTold, LogRead, LogStanding, arranged, games_in, hand_of
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


def chain_notes(logs: Sequence[LogRead], marks: Marks | None, lost: Sequence[str] = ()) -> Iterator[Noted]:
    """All that is wrong with the logs of a chain, apart from their rules. `lost`: files that could not be read."""
    yield from _reversals(logs)
    yield from _breaks(logs, marks, lost)
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


def _breaks(logs: Sequence[LogRead], marks: Marks | None, lost: Sequence[str]) -> Iterator[Noted]:
    """Logs that begin from another position than the one before them ended with.

    What lies between them may stand in one that was `lost`.
    """
    for earlier, later in pairwise(logs):
        changes, turned = _changes(earlier.end, later.start, marks), _turned(earlier.end, later.start)
        where, names = Origin(later.name, 0), {"earlier": earlier.name, "later": later.name}
        as_begun = not _changes(earlier.start, later.start, marks) and not _turned(earlier.start, later.start)
        if (changes or turned) and as_begun and set(later.start.players) >= set(earlier.end.players):
            # VASSAL sets up a log's first position when it is loaded: whoever logs on at once begins from there.
            yield note(where, "not-stepped-through", who=hand_of(later) or "?", **names)
            continue
        if turned and not changes and marks is not None:
            # Which phases are missing is judged by the rules of the game.
            yield note(where, "turned-between", **names)
        elif (changes or turned) and lost:
            yield note(where, "lost-between", changes=_told(changes), files=tuple(lost[:MAX_NAMED]), **names)
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


@dataclass(frozen=True)
class Chain:
    """Several logs in order. `marks` is None for modules that are not ours; `archive` is the file of the module.

    `aside` are logs that others hold, copies among them: nothing of them is told.
    """

    logs: tuple[LogRead, ...]
    module: Module | None
    marks: Marks | None
    noted: tuple[Noted, ...]
    archive: Path | None = None
    aside: tuple[LogRead, ...] = ()


@dataclass(frozen=True)
class Heap:
    """Logs that lie together: the games that they are of, and what could not be read, with the reason."""

    chains: tuple[Chain, ...]
    failures: tuple[tuple[str, FormatError | OSError], ...] = ()


Source: TypeAlias = "str | Path | Attached"


def find_module(path: Path, wanted: SavedGame) -> Path | None:
    """The module that a log belongs to, if it lies beside it: the one of the name that the log gives."""
    name = wanted.module.name if wanted.module else ""
    return next((p for p, data in modules_in(path.absolute().parent) if data.name == name), None) if name else None


def read_chain(
    paths: Sequence[Source],
    *,
    module: str | Path | None = None,
    reveal: str | None = None,
    salvage: bool = False,
    progress: Progress | None = None,
    reorder: bool = True,
) -> Chain:
    """Read logs of one game: files, or attachments of mails.

    What they repeat of each other is told once, and with `reorder` they are put in the order in which each goes on
    from another, if there is one. `module`: the `.vmod`, for names of locations; without it the one beside the
    first log, if there is one. Raises FormatError for what cannot be read (with `salvage`, only for what holds
    nothing at all) and for a module that is not that of the logs, OSError.
    """
    if len(paths) > MAX_LOGS:
        raise FormatError(message("vassal.logs", found=len(paths), most=MAX_LOGS))
    opened = [_opened(source, salvage) for source in paths]
    return _Reader(opened, module, reveal, progress).chain(reorder=reorder)


def read_heap(
    paths: Sequence[Source],
    *,
    module: str | Path | None = None,
    reveal: str | None = None,
    salvage: bool = False,
    progress: Progress | None = None,
    apart: bool = False,
) -> Heap:
    """As `read_chain`, with what cannot be read told by itself; `apart`: they may be of several games.

    Raises what kept a log from being read that is alone.
    """
    if len(paths) > MAX_LOGS:
        raise FormatError(message("vassal.logs", found=len(paths), most=MAX_LOGS))
    opened: list[_Opened] = []
    failures: list[tuple[str, FormatError | OSError]] = []
    for source in paths:
        try:
            opened.append(_opened(source, salvage))
        except (FormatError, OSError) as error:
            failures.append((str(source.name if isinstance(source, Attached) else source), error))
    if not opened and len(failures) == 1:
        raise failures[0][1]
    lost = tuple(Path(name).name for name, _ in failures)
    if not apart and opened:
        return Heap((_Reader(opened, module, reveal, progress, lost).chain(),), tuple(failures))
    chains: list[Chain] = []
    for logs in _by_module(opened):
        try:
            chains += _Reader(logs, module, reveal, progress, lost).chains()
        except FormatError as error:
            failures += [(str(path), error) for path, _, _ in logs]
    if not chains and len(failures) == 1:
        raise failures[0][1]
    return Heap(tuple(chains), tuple(failures))


_Opened: TypeAlias = "tuple[Path, SavedGame, str]"
"""A log: its path, what it holds, and the mail that carried it."""


def _by_module(opened: Sequence[_Opened]) -> Iterator[list[_Opened]]:
    """Logs by what module they are of; those that do not say it are of the only one, if there is only one."""
    found: dict[str, list[_Opened]] = {}
    for one in opened:
        found.setdefault(one[1].module.name if one[1].module else "", []).append(one)
    if len(found) == _WITH_UNNAMED and "" in found:
        yield list(opened)
    else:
        yield from found.values()


_WITH_UNNAMED: Final = 2


class _Reader:
    """Logs that have been opened, as chains. `lost`: those beside them that could not be."""

    def __init__(
        self,
        opened: Sequence[_Opened],
        module: str | Path | None,
        reveal: str | None,
        progress: Progress | None,
        lost: tuple[str, ...] = (),
    ) -> None:
        self.reveal, self.lost = reveal, lost
        games = [(path, game) for path, game, _ in opened]
        self.archive = Path(module) if module is not None else find_module(*games[0]) if games else None
        self.module = read_module(self.archive) if self.archive is not None else None
        if module is not None and self.module is not None:
            _refuse_other(games, self.module)
        self.tied = _tied(games, self.module) if self._marks([game for _, game in games]) is None else None
        names = _names([path for path, _ in games])
        self.sources = dict(zip(names, games, strict=True))
        self.logs = [
            replace(self._read(name, progress), mail=mail) for name, (_, _, mail) in zip(names, opened, strict=True)
        ]

    def chains(self) -> Iterator[Chain]:
        """The games that the logs are of."""
        for logs in games_in(self.logs):
            yield self.chain(logs)

    def chain(self, logs: Sequence[LogRead] | None = None, *, reorder: bool = True) -> Chain:
        """Logs of one game; all of them, unless some are given."""
        found = arranged(self.logs if logs is None else logs, self._standing, reorder=reorder)
        # What is read anew is the part that no other log tells.
        told = [
            replace(self._read(leg.name, None, found.ends[leg.name]), mail=leg.log.mail)
            if leg.name in found.ends
            else leg.log
            for leg in found.legs
        ]
        marks = self.tied.marks if self.tied else self._marks([log.game for log in told])
        noted = (*found.noted, *chain_notes(told, marks, self.lost))
        aside = tuple(leg.log for leg in found.aside)
        return Chain(tuple(told), self.module, marks, noted, self.archive, aside)

    def _marks(self, games: Sequence[SavedGame]) -> Marks | None:
        marks = next((m for game in games if (m := read_marks(game.module))), None)
        if marks is None and self.module is not None and all(game.module is None for game in games):
            marks = read_marks(self.module.metadata)
        return marks

    def _read(self, name: str, progress: Progress | None, steps: int | None = None) -> LogRead:
        """A log, or as many of its actions."""
        path, game = self.sources[name]
        scrub, tied, reveal = secrets_of(game), self.tied, self.reveal
        replay = LogReplay(game, self.module, scrub=scrub, seen=tied.see if tied else None)
        start = _standing(replay, reveal, tied)
        actions: list[Action] = []
        for action in tell(replay, reveal=reveal):
            actions.append(tied.act(action) if tied else action)
            if progress is not None:
                progress(name, len(actions), len(replay))
        live, target = undone(actions)
        if steps is not None:
            actions = actions[:steps]
            replay.goto(steps)
        told = (ActionTold(Origin(name, a.number), a, not live[i], target.get(i)) for i, a in enumerate(actions))
        missed = frozenset(map(scrub.name, replay.position.missed))
        end, known = _standing(replay, reveal, tied), _extensions(game, scrub)
        unfit = _unfit(replay, reveal, scrub)
        return LogRead(str(path), name, game, tuple(told), start, end, missed, unfit, known)

    def _standing(self, log: LogRead, steps: int) -> LogStanding:
        replay = LogReplay(
            log.game, self.module, scrub=secrets_of(log.game), seen=self.tied.see if self.tied else None
        )
        replay.goto(steps)
        return _standing(replay, self.reveal, self.tied)


def _refuse_other(games: Sequence[tuple[Path, SavedGame]], module: Module) -> None:
    """Raise FormatError for a log that is of another module: every place in it would be a wrong one."""
    for path, game in games:
        if game.module is not None and game.module.name and module.name and game.module.name != module.name:
            what = message("logs.other-module", module=module.name, wanted=game.module.name)
            raise FormatError(what, path=str(path))


def _tied(games: Sequence[tuple[Path, SavedGame]], module: Module | None) -> Bound | None:
    """The binding for the module of some logs, where a game has one."""
    from .bindings import bound

    stated = next((game.module for _, game in games if game.module), module.metadata if module else None)
    return bound(stated, str(games[0][0])) if games else None


def _opened(source: Source, salvage: bool) -> _Opened:
    if not isinstance(source, Attached):
        return Path(source), read_save(source, salvage=salvage), ""
    try:
        return Path(source.name), read_save(source.data, salvage=salvage), source.mail
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
