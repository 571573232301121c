"""What the random numbers in logs tell: whether each is the next of its seed, whether each log's seed continues the
log before it, and whether the dice show what was drawn for them.

Only logs of a VASSAL that writes its random numbers down say anything here.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.vassal.proposed.draws import SeedBreak, Stream, read_stream
from hexforge.scenarios.words import Message, Param, message
from hexforge.validator.referee.kinds import FindingKind, log_kinds
from hexforge.validator.transcribe.noted import Noted, Origin, faces_told

if TYPE_CHECKING:
    from hexforge.modulegen.vassal.story import Action
    from hexforge.validator.transcribe.chain import LogRead

NAME: Final = "random_numbers"
KINDS: Final[Mapping[str, FindingKind]] = log_kinds(
    {
        "log-chain": {
            "illegal": "left-out other-number left-out-between branches",
            "warning": "other-seed unreadable unconnected",
        },
        "roll": {"illegal": "shows-other", "warning": "nothing-drawn"},
        "special": {"warning": "same-seed", "info": "sound"},
    }
)
"""Keys below `note` in `art/words/random_numbers.*.yaml`."""
_NAMED: Final = re.compile(r"\d{0,3} ?[dDwW] ?(?P<sides>\d{1,4})")
# So often a button must have shown its dice alike, before one throw that differs is told.
_HABIT: Final = 4

read = read_stream


def stream_of(log: LogRead) -> Stream | None:
    """The random numbers that a log carries, compared with its seed."""
    found = log.extras.get(NAME)
    return found if isinstance(found, Stream) else None


def notes(logs: Sequence[LogRead], *, plain: bool) -> Iterator[Noted]:
    """What does not fit in the random numbers of a chain; if all does, that. `plain`: the module's dice buttons add
    nothing to what they draw."""
    if not any(map(stream_of, logs)):
        return
    found = [*_within(logs), *_between(logs), *_dice(logs, plain)]
    yield from found
    if not found:
        yield from _sound(logs)


def told(log: LogRead) -> Message | None:
    """The seed and the numbers of a log in one line."""
    stream = stream_of(log)
    if stream is None:
        return None
    if stream.seed is None:
        return message(f"{NAME}.unseeded", count=stream.numbers)
    return message(f"{NAME}.seeded", seed=str(stream.seed), count=stream.numbers, fitting=stream.fitting)


def data(log: LogRead) -> dict[str, str | int | None] | None:
    """The seed and the counts."""
    stream = stream_of(log)
    return stream.summary if stream else None


def _note(origin: Origin, key: str, /, **values: Param) -> Noted:
    kind = KINDS[key]
    return Noted(origin, kind.code, kind.severity, message(f"{NAME}.note.{key}", **values))


# ------------------------------------------------------------------------------------- within a log


def _within(logs: Sequence[LogRead]) -> Iterator[Noted]:
    for log in logs:
        stream = stream_of(log)
        for found in stream.breaks if stream else ():
            yield _broken(log.name, found)


def _broken(log: str, found: SeedBreak) -> Noted:
    where, step, n = Origin(log, found.step), found.step, found.count
    match found.kind:
        case "left_out":
            return _note(where, "left-out", step=step, count=n, log=log)
        case "other":
            values: dict[str, Param] = {"step": step, "found": found.found, "expected": found.expected}
            values["range"] = message(f"{NAME}.range", top=found.bound - 1) if found.bound else ""
            values["more"] = message(f"{NAME}.more", count=n, log=log) if n > 1 else ""
            return _note(where, "other-number", **values)
        case "seed":
            return _note(where, "other-seed", found=found.found)
        case _:
            return _note(where, "unreadable", log=log, count=n)


# ------------------------------------------------------------------------------------- between logs


def _between(logs: Sequence[LogRead]) -> Iterator[Noted]:
    for earlier, later in pairwise(logs):
        old, new = stream_of(earlier), stream_of(later)
        if old is None or new is None or new.follows(old) is not False:
            continue
        where, names = Origin(later.name, 0), {"earlier": earlier.name, "later": later.name}
        if new.link == old.seed:
            # So VASSAL does when a log is begun while another is loaded and not played to its end.
            yield _note(where, "same-seed", **names)
        elif (left_out := new.left_out_after(old)) is not None:
            yield _note(where, "left-out-between", count=left_out, **names)
        elif (step := new.branches_from(old)) is not None:
            yield _note(where, "branches", step=step, **names)
        else:
            yield _note(where, "unconnected", **names)


def _sound(logs: Sequence[LogRead]) -> Iterator[Noted]:
    with_seed = [(log, s) for log in logs if (s := stream_of(log)) and s.seed is not None]
    fitting = sum(stream.fitting for _, stream in with_seed)
    if not fitting:
        return
    pairs = [(stream_of(a), stream_of(b)) for a, b in pairwise(logs)]
    chained = bool(pairs) and all(a and b and b.follows(a) for a, b in pairs)
    also: Param = message(f"{NAME}.chained") if chained else ""
    yield _note(Origin(with_seed[0][0].name, 0), "sound", fitting=fitting, count=len(with_seed), also=also)


# --------------------------------------------------------------------------------------------- dice


@dataclass(frozen=True)
class _Throw:
    """Dice with what was drawn for them: numbers from 0 up to `sides`, none where nothing was."""

    origin: Origin
    name: str
    faces: tuple[int, ...]
    drawn: tuple[int, ...]
    sides: int

    @property
    def added(self) -> int | None:
        """What the button adds to each number, 1 as a rule; None where it is not one figure for all."""
        pairs = zip(sorted(self.faces), sorted(self.drawn), strict=True)
        differences = {face - number for face, number in pairs}
        return differences.pop() if len(differences) == 1 else None


def _dice(logs: Sequence[LogRead], plain: bool) -> Iterator[Noted]:
    """Dice that show other faces than were drawn for them, or for which nothing was drawn."""
    throws: dict[str, list[_Throw]] = defaultdict(list)
    bare: list[_Throw] = []
    for log in logs:
        if stream_of(log) is None:
            continue
        pending: list[tuple[int, int]] = []
        for step in log.told:
            _collect(step.action, step.origin, pending, throws, bare)
    for name, all_of_them in throws.items():
        usual = _usual(name, all_of_them, plain)
        if usual is not None:
            yield from (_shows_other(t, usual) for t in all_of_them if t.added != usual)
    for throw in bare:
        if throw.name in throws:
            yield _note(throw.origin, "nothing-drawn", dice=throw.name, faces=faces_told(throw.faces))


def _collect(
    action: Action,
    origin: Origin,
    pending: list[tuple[int, int]],
    throws: dict[str, list[_Throw]],
    bare: list[_Throw],
) -> None:
    """The throws of an action. A dice button draws all its dice and then reports them, in any order.

    One that throws some dice away draws more than it shows, and is left out.
    """
    reported = False
    for event in action.events:
        if event.kind == "random":
            pending.append((event.numbers[0], event.numbers[1]) if len(event.numbers) == 2 else (0, 0))
        elif event.kind == "dice" and event.numbers and not action.undoes:
            count, sides = len(event.numbers), pending[-1][1] if pending else 0
            run = 0
            while run < min(len(pending), count + 1) and pending[-1 - run][1] == sides:
                run += 1
            drawn = tuple(number for number, _ in pending[-run:]) if sides and run == count else ()
            throw = _Throw(origin, event.text, event.numbers, drawn, sides)
            if drawn:
                throws[event.text].append(throw)
            elif not pending and not reported:
                bare.append(throw)
            pending.clear()
            reported = True


def _usual(name: str, throws: Sequence[_Throw], plain: bool) -> int | None:
    """What a button adds to each number; None where that is not known well enough to speak of exceptions."""
    named = _NAMED.fullmatch(name.strip())
    if plain or (named is not None and all(int(named["sides"]) == t.sides for t in throws)):
        return 1
    added, count = Counter(t.added for t in throws).most_common(1)[0]
    return added if added is not None and count >= _HABIT * max(1, len(throws) - count) else None


def _shows_other(throw: _Throw, usual: int) -> Noted:
    shown, drawn = faces_told(throw.faces), faces_told([n + usual for n in throw.drawn])
    return _note(throw.origin, "shows-other", dice=throw.name, shown=shown, drawn=drawn)
