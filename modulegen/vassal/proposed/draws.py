"""Whether the random numbers in a log are those that its seed gives, one after the other.

Each log that carries such numbers begins with a long, the next number of the generator as the log before left it,
which becomes its seed. Source: vassalengine/vassal, pull request 15004, `VASSAL.build.Random`.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from hexforge.modulegen.vassal.proposed.javarandom import JavaRandom
from hexforge.modulegen.vassal.proposed.random_number import RandomNumber
from hexforge.modulegen.vassal.save import SavedGame

MAX_DRAWS: Final = 1_000_000
MAX_SKIPPED: Final = 5_000
"""How many numbers left out are looked for, at most."""
MAX_LOOKED: Final = 100_000
"""The same, for all breaks of a log together."""
MAX_BREAKS: Final = 20
MAX_TRIED: Final = 500
"""For how many numbers that do not fit it is tried to say why."""
# Bits by which numbers must agree, to say that it is no chance: five thousand places are tried.
_SURE: Final = 32.0
_LIKELY: Final = 12.0
_RUN: Final = 64

BreakKind = Literal["left_out", "other", "seed", "form"]


@dataclass(frozen=True, slots=True)
class Draw:
    """A number, or the seed, in the log's step `step`, counted from 1 (0: the saved position)."""

    step: int
    number: RandomNumber


@dataclass(frozen=True, slots=True)
class SeedBreak:
    """Where a log's numbers are not the next ones of its seed.

    `left_out`: `count` numbers of 32 bits were drawn before this one and are not in the log. `other`: the seed
    gives `expected`, not `found`, and so for `count` numbers. `seed`: the seed is set anew, to another number than
    the one before it. `form`: `count` entries cannot be read. `bound`: of a bounded number.
    """

    kind: BreakKind
    step: int
    count: int = 1
    found: str = ""
    expected: str = ""
    bound: int | None = None


@dataclass(frozen=True)
class Stream:
    """The numbers of one log. `numbers`: how many, without the seed and the long that became it; `fitting`: how
    many of them the seed gives. `seed`: the last one set, None where there is none.

    `link`: the long with which the log begins; `end`: the generator behind the last number, if that is known.
    """

    draws: tuple[Draw, ...] = field(repr=False)
    numbers: int
    fitting: int
    seed: int | None
    link: int | None
    breaks: tuple[SeedBreak, ...]
    end: JavaRandom | None = field(repr=False)

    @property
    def kinds(self) -> dict[str, int]:
        """How many numbers there are of each kind, the seed and what cannot be read (`""`) among them."""
        return dict(Counter(draw.number.kind for draw in self.draws).most_common())

    @property
    def summary(self) -> dict[str, str | int | None]:
        """The seed, as text (not every reader of JSON has whole numbers of 64 bits), and the counts."""
        seed = None if self.seed is None else str(self.seed)
        return {"seed": seed, "numbers": self.numbers, "as_the_seed_gives": self.fitting}

    def follows(self, earlier: Stream) -> bool | None:
        """Whether this log was begun from the end of another; None where that cannot be told."""
        if self.link is None or earlier.end is None:
            return None
        return earlier.end.copy().next_long() == self.link

    def left_out_after(self, earlier: Stream) -> int | None:
        """How many numbers of 32 bits were drawn between the end of another log and this one, if that is all."""
        if self.link is None or earlier.end is None:
            return None
        place = earlier.end.copy()
        for count in range(MAX_SKIPPED + 1):
            if place.copy().next_long() == self.link:
                return count
            place.skip()
        return None

    def branches_from(self, earlier: Stream) -> int | None:
        """After which step of another log this one was begun, if its seed continues the numbers up to there."""
        if self.link is None or earlier.breaks:
            return None
        place: JavaRandom | None = None
        walk = _Walk(earlier.draws)
        for index in range(min(len(earlier.draws), MAX_LOOKED)):
            if place is not None and place.copy().next_long() == self.link:
                return earlier.draws[index - 1].step
            walk.next(index)
            place = walk.place
        return None


def draws_of(game: SavedGame) -> tuple[Draw, ...]:
    """All numbers that a save or log carries, in order; most carry none."""
    return tuple(_draws(game))


def _draws(game: SavedGame) -> Iterator[Draw]:
    step, count = 0, 0
    if b"RNG\t" not in (game.text or game.root.encode()):
        return
    for node in game.nodes:
        step += node.is_log_entry
        for leaf in node.leaves() if node.parts else (node,):
            raw = leaf.raw
            if not raw.startswith((b"RNG\t", b"LOG\tRNG\t")):
                continue
            count += 1
            if count > MAX_DRAWS:
                return
            yield Draw(step if node.is_log_entry else 0, RandomNumber.read(leaf.text.removeprefix("LOG\t")))


def follow(draws: Sequence[Draw]) -> Stream | None:
    """Compare the numbers of a log with those that its seed gives; None where there are neither."""
    if not draws:
        return None
    walk = _Walk(draws)
    for index in range(len(draws)):
        walk.next(index)
    return walk.stream()


def read_stream(game: SavedGame) -> Stream | None:
    """The numbers of a save or log, compared with its seed; None where it carries none.

    Nobody knows the last number of a log that was cut off.
    """
    stream = follow(draws_of(game))
    cut_off = stream is not None and (game.damage is not None or len(stream.draws) >= MAX_DRAWS)
    return replace(stream, end=None) if stream is not None and cut_off else stream


class _Walk:
    """Draws the numbers of a log once more."""

    def __init__(self, draws: Sequence[Draw]) -> None:
        self.draws = draws
        self.place: JavaRandom | None = None
        self.breaks: list[SeedBreak] = []
        self.seed: int | None = None
        self.link: int | None = None
        self.numbers = self.fitting = 0
        self._looked = self._others = 0
        self._doubles: list[float] = []

    def stream(self) -> Stream:
        return Stream(
            tuple(self.draws), self.numbers, self.fitting, self.seed, self.link, tuple(self.breaks), self.place
        )

    def next(self, index: int) -> None:
        draw = self.draws[index]
        number = draw.number
        if number.number is None:
            self._broken("form", draw)
        elif number.is_seed:
            self._seed(index, int(number.number))
        else:
            self.numbers += not self._becomes_seed(index)
            self._number(index)
        # A normally distributed number may be made of the two doubles that the log tells of before it.
        value = number.number
        self._doubles = [*self._doubles, value][-2:] if number.kind == "D" and isinstance(value, float) else []

    def _broken(self, kind: BreakKind, draw: Draw, found: str = "", expected: str = "", count: int = 1) -> None:
        bound = draw.number.limit if kind == "other" else None
        made = SeedBreak(kind, draw.step, count, found[:60], expected, bound)
        if kind in ("other", "form"):
            for position, known in enumerate(self.breaks):
                if known.kind == kind:
                    self.breaks[position] = replace(known, count=known.count + 1)
                    return
            self.breaks.append(made)
        elif sum(b.kind == kind for b in self.breaks) < MAX_BREAKS:
            self.breaks.append(made)

    def _becomes_seed(self, index: int) -> bool:
        """Whether this long is one that is made the seed at once."""
        if self.draws[index].number.kind != "L" or index + 1 >= len(self.draws):
            return False
        after = self.draws[index + 1].number
        return after.is_seed and after.number == self.draws[index].number.number

    def _seed(self, index: int, seed: int) -> None:
        before = self.draws[index - 1].number if index else None
        drawn = before.number if before is not None and before.kind == "L" else None
        if index and drawn != seed:
            self._broken("seed", self.draws[index], found=str(seed))
        if self.seed is None:
            self.link = seed if drawn is None else int(drawn)
        self.seed = seed
        self.place = JavaRandom(seed)

    def _number(self, index: int) -> None:
        place, draw = self.place, self.draws[index]
        if place is None:
            return
        counted = not self._becomes_seed(index)
        trial = place.copy()
        expected = _take(trial, draw.number, self._doubles)
        if expected is None:
            # Java refuses such a bound, and draws nothing.
            self._broken("form", draw)
            return
        if same(draw.number, expected):
            self.place = trial
            self.fitting += counted
            return
        self._others += 1
        tried = self._others <= MAX_TRIED
        after = (self._agreement(trial, index + 1), self._agreement(place, index + 1)) if tried else (0.0, 0.0)
        if tried and max(after) < _LIKELY:
            found = self._search(place, index)
            if found is not None:
                skipped, self.place = found
                self._broken("left_out", draw, count=skipped)
                self.fitting += counted
                return
        # The engine draws its own number to compare; one that the log only has too much leaves the others in place.
        self.place = place if after[1] > max(after[0], _LIKELY) else trial
        self._broken("other", draw, draw.number.value, _shown(expected))

    def _search(self, place: JavaRandom, index: int) -> tuple[int, JavaRandom] | None:
        """A later place from which the numbers go on as in the log, with the generator behind the next of them."""
        if self._looked >= MAX_LOOKED:
            return None
        number = self.draws[index].number
        ahead = place.copy()
        for skipped in range(1, MAX_SKIPPED + 1):
            self._looked += 1
            ahead.skip()
            trial = ahead.copy()
            value = _take(trial, number, [])
            if value is None or not same(number, value):
                continue
            if _weight(number) + self._agreement(trial, index + 1) >= _SURE:
                return skipped, trial
        return None

    def _agreement(self, place: JavaRandom, index: int) -> float:
        """By how many bits the numbers from an index on agree with a generator, up to enough of them."""
        trial, bits = place.copy(), 0.0
        doubles: list[float] = []
        for draw in self.draws[index : index + _RUN]:
            number = draw.number
            value = None if number.is_seed or number.number is None else _take(trial, number, doubles)
            if value is None or not same(number, value):
                break
            doubles = [*doubles, value][-2:] if number.kind == "D" and isinstance(value, float) else []
            bits += _weight(number)
            if bits >= _SURE:
                break
        return bits


def _take(place: JavaRandom, number: RandomNumber, doubles: Sequence[float]) -> int | float | bool | None:
    """What a generator draws next of the number's kind; None for a bound below which nothing can be drawn."""
    match number.kind:
        case "I":
            return place.next_int()
        case "M":
            return place.next_int(number.limit) if number.limit is not None else None
        case "L":
            return place.next_long()
        case "D":
            return place.next_double()
        case "F":
            return place.next_float()
        case "B":
            return place.next_boolean()
        case "G":
            return _gaussian(place, number, doubles)
        case _:
            return None


def _gaussian(place: JavaRandom, number: RandomNumber, doubles: Sequence[float]) -> float:
    """The next one; Java makes two at a time of doubles, which the proposal writes down as numbers of their own."""
    drawn = place.copy()
    value = drawn.next_gaussian()
    if len(doubles) == 2 and not same(number, value):
        told = place.copy()
        made = told.gaussian_of(*doubles)
        if made is not None and same(number, made):
            place.become(told)
            return made
    place.become(drawn)
    return value


def same(number: RandomNumber, value: float | bool) -> bool:
    """Whether a number in a log is the one drawn. A float is written with as few digits as tell it from others."""
    found = number.number
    if number.kind != "F" or found is None:
        return found == value
    try:
        return bool(struct.unpack("f", struct.pack("f", found))[0] == value)
    except OverflowError:
        return False


def _weight(number: RandomNumber) -> float:
    """The bits of chance in a number."""
    if number.kind == "M":
        return math.log2(number.limit or 1)
    return {"B": 1.0, "F": 24.0}.get(number.kind, 32.0)


def _shown(value: float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
