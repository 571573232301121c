"""The dice of a game or a tournament, looked at by player, button, game and round, with exact tests.

Exact tests of dice: how often fair dice would show something as far from the middle, or farther.

Every test is two-sided and exact: none rests on a curve that fits many throws only. A probability is doubled for
its two sides, so that a fair die is accused no more often than is stated, rather less.
"""

from __future__ import annotations

import cmath
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias

from ...scenarios.text.words import Language
from .throws import RolledAttack, Throw

_NEGLIGIBLE: Final = 1e-20
_LEAST: Final = 1e-300

_Wave: TypeAlias = Callable[[int, Sequence[complex]], complex]
"""A characteristic function, about some middle: its value at so many turns, of a circle given by its points."""


def sum_p(dice: Sequence[tuple[int, int]], total: int) -> float:
    """For dice, each kind with its sides and how many were thrown: the p of the sum of all faces."""

    def wave_of(sides: int) -> _Wave:
        def wave(turns: int, circle: Sequence[complex]) -> complex:
            return circle[turns * sides % len(circle)].imag / (sides * circle[turns].imag)

        return wave

    most = sum((sides - 1) * n for sides, n in dice)
    variance = sum((sides * sides - 1) / 12 * n for sides, n in dice)
    kinds = [(wave_of(sides), n) for sides, n in dice]
    return _summed_p(kinds, most, most, _reach(variance), total - sum(n for _, n in dice))


def counts_p(counts: Sequence[int]) -> float:
    """For how often a die showed each of its faces: the p of that which is farthest off, for as many as there are.

    Each face by itself is a binomial test.
    """
    n, sides = sum(counts), len(counts)
    if n == 0 or sides == 1:
        return 1.0
    chances = _unimodal(n // sides, 0, n, lambda k: (n - k) / ((k + 1) * (sides - 1)))
    return min(1.0, min(_two_sided(chances, found) for found in {min(counts), max(counts)}) * sides)


def levels_p(levels: Mapping[tuple[tuple[int, int], ...], int], total: int) -> float:
    """For attacks, each kind with how many there were: the p of the sum of their levels.

    A kind is the levels that its dice can give, whole numbers from 0 up, and in how many ways each.
    """

    def wave_of(chances: Sequence[tuple[int, float]]) -> _Wave:
        def wave(turns: int, circle: Sequence[complex]) -> complex:
            return sum(p * circle[2 * turns * level % len(circle)] for level, p in chances)

        return wave

    kinds, most, centre, variance, farthest = [], 0, 0, 0.0, 0
    for one, n in levels.items():
        ways = sum(many for _, many in one)
        mean = sum(level * many for level, many in one) / ways
        middle, highest = round(mean), max(level for level, _ in one)
        kinds.append((wave_of([(level - middle, many / ways) for level, many in one]), n))
        most += highest * n
        centre += 2 * middle * n
        variance += sum((level - mean) ** 2 * many for level, many in one) / ways * n
        farthest = max(farthest, highest)
    return _summed_p(kinds, most, centre, _reach(variance, farthest), total)


def runs_p(above: int, below: int, runs: int) -> float:
    """For throws above and below what is expected, in order: the p of the number of runs of either kind.

    Few runs: luck comes in streaks; many: it takes turns (Wald and Wolfowitz, exact).
    """
    if min(above, below) == 0:
        return 1.0
    n = above + below

    def ratio(k: int) -> float:
        # Two runs more are one more of either kind; one more is a run of this kind or of that.
        half = k // 2
        odd = (n - 2 * half) / (2 * half)
        return odd if k % 2 == 0 else (above - half) * (below - half) / (half * half) / odd

    last = 2 * min(above, below) + (above != below)
    return _two_sided(_unimodal(min(last, 1 + 2 * above * below // n), 2, last, ratio), runs)


def holm(ps: Sequence[float]) -> list[float]:
    """Probabilities corrected for how many were looked at (Holm, 1979): how sure the whole table can be of each."""
    found, least = list(ps), 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        least = max(least, ps[place] * (len(ps) - rank))
        found[place] = min(1.0, least)
    return found


# ------------------------------------------------------------------------------------------ distributions


def _unimodal(middle: int, first: int, last: int, ratio: Callable[[int], float]) -> dict[int, float]:
    """The chances of whole numbers that rise to a middle and fall from there.

    `ratio`: how much likelier k + 1 is than k. What is too little to be told is left out.
    """
    found = {middle: 1.0}
    for k in range(middle, last):
        found[k + 1] = found[k] * ratio(k)
        if found[k + 1] < _LEAST:
            break
    for k in range(middle - 1, first - 1, -1):
        found[k] = found[k + 1] / ratio(k)
        if found[k] < _LEAST:
            break
    whole = math.fsum(found.values())
    return {k: chance / whole for k, chance in found.items()}


def _two_sided(chances: Mapping[int, float], at: int) -> float:
    below = math.fsum(chance for k, chance in chances.items() if k <= at)
    above = math.fsum(chance for k, chance in chances.items() if k >= at)
    return min(1.0, 2 * min(below, above))


def _reach(variance: float, farthest: int = 0) -> int:
    """How far from its middle a sum is worked out: what lies beyond is less than the last digit of a computer.

    By Bernstein's bound, of values that lie at most so far from their middles; dice have thinner tails. So the
    work that a test takes grows with the root of the number of throws, and not with the number.
    """
    return math.ceil(9 * math.sqrt(variance) + 27 * farthest) + 1


def _summed_p(kinds: Sequence[tuple[_Wave, int]], most: int, centre: int, reach: int, at: int) -> float:
    """The p of a sum of independent whole numbers, from 0 to `most` in all, so many of each kind.

    `centre`: twice the sum of the middles about which the kinds' waves are. The chances come of the waves by a sum
    of Fourier's over a circle of as many numbers as are worth anything; those of a whole tail come by one such sum.
    """
    first, last = max(0, centre // 2 - reach), min(most, (centre + 1) // 2 + reach)
    size, at = last - first + 1, min(max(at, first), last)
    circle = [cmath.rect(1.0, math.pi * point / size) for point in range(2 * size)]
    tails = [
        (centre - low - high, high - low + 1, [(high - low + 1) / size]) for low, high in ((first, at), (at, last))
    ]
    for turns in range(1, size // 2 + 1):
        wave: complex = 1.0
        for kind, n in kinds:
            wave *= kind(turns, circle) ** n
            if abs(wave) < _NEGLIGIBLE:
                break
        else:
            wave *= (1 if 2 * turns == size else 2) / (size * circle[turns].imag)
            for middle, width, terms in tails:
                turned = wave * circle[turns * middle % len(circle)]
                terms.append(turned.real * circle[turns * width % len(circle)].imag)
    return min(1.0, 2 * max(0.0, min(math.fsum(terms) for _, _, terms in tails)))


By: TypeAlias = Literal["player", "side", "button", "game", "round"]
Levels: TypeAlias = tuple[tuple[int, int], ...]
Test: TypeAlias = Literal["sum", "faces", "runs", "luck"]
TABLES: Final[tuple[By, ...]] = ("player", "side", "button", "game", "round")
"""A side stands for its player where nobody says who that is."""
LEVEL: Final = 0.01
"""How often, at most, anything in a table stands out although all dice are fair."""
FEWEST: Final = 20
"""Dice, and throws, and attacks, of which nothing is said because they are too few."""


@dataclass(frozen=True, slots=True)
class Tested:
    """A test of a row. `p`: how often fair dice are as far off; `holm`: the same for the whole table at once."""

    test: Test
    p: float
    holm: float = 1.0


@dataclass(frozen=True, slots=True)
class DiceRow:
    """The dice of one player, button, game or round.

    `counts`: sides -> how often each face was shown. `mean` and `expected` are those of all faces. `attacks`,
    `hits`, `hits_expected` and `luck` (0 to 1, 0.5 being what is to be expected) are those of attacks by the table.
    """

    name: str
    throws: int
    undone: int
    counts: Mapping[int, tuple[int, ...]]
    attacks: int = 0
    hits: int = 0
    hits_expected: float = 0.0
    luck: float | None = None
    runs: int = 0
    tests: tuple[Tested, ...] = ()

    @property
    def dice(self) -> int:
        """How many dice."""
        return sum(map(sum, self.counts.values()))

    @property
    def mean(self) -> float | None:
        """What the faces came to on the average."""
        total = sum(face * n for faces in self.counts.values() for face, n in enumerate(faces, 1))
        return total / self.dice if self.dice else None

    @property
    def expected(self) -> float | None:
        """What they were to come to."""
        total = sum(sum(faces) * (sides + 1) / 2 for sides, faces in self.counts.items())
        return total / self.dice if self.dice else None

    def stands_out(self, level: float) -> tuple[Tested, ...]:
        """The tests of it that stand out among all of its table."""
        return tuple(test for test in self.tests if test.holm < level)

    def as_json(self, level: float) -> dict[str, Any]:
        """The row for scripts."""
        return {
            "name": self.name,
            "throws": self.throws,
            "undone": self.undone,
            "dice": self.dice,
            "faces": {str(sides): list(faces) for sides, faces in self.counts.items()},
            "mean": self.mean,
            "expected": self.expected,
            "attacks": self.attacks,
            "hits": self.hits,
            "hits_expected": round(self.hits_expected, 4),
            "luck": self.luck,
            "runs": self.runs,
            "tests": [{"test": t.test, "p": t.p, "corrected": t.holm} for t in self.tests],
            "stands_out": [t.test for t in self.stands_out(level)],
        }


@dataclass(frozen=True)
class Survey:
    """All tables. `level` is that of each; `unknown` are throws of which it is not known what was thrown.

    `sides`: what the games call their sides; `how`: how many throws were typed, thrown in logs, and sealed.
    """

    throws: tuple[Throw, ...]
    attacks: tuple[RolledAttack, ...]
    tables: Mapping[By, Collection[DiceRow]]
    level: float = LEVEL
    unknown: int = 0
    sides: Mapping[str, Mapping[Language, str]] = field(default_factory=dict)
    how: Mapping[str, int] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether there are no dice."""
        return not any(self.tables.values())

    @property
    def stands_out(self) -> bool:
        """Whether anything does."""
        return any(row.stands_out(self.level) for rows in self.tables.values() for row in rows)

    def as_json(self) -> dict[str, Any]:
        """The survey for scripts."""
        return {
            "kind": "dice",
            "level": self.level,
            "unknown": self.unknown,
            "how": dict(sorted(self.how.items())),
            "stands_out": self.stands_out,
            **{f"by_{by}": [row.as_json(self.level) for row in rows] for by, rows in self.tables.items()},
            "throws": [throw.as_json() for throw in self.throws],
        }


def survey(throws: Iterable[Throw], attacks: Iterable[RolledAttack] = (), *, level: float = LEVEL) -> Survey:
    """Look at throws from every side. Dice that were taken back count by themselves, and are not tested."""
    all_throws, all_attacks = tuple(throws), tuple(attacks)
    ledger = DiceLedger()
    for throw in all_throws:
        ledger.add(throw)
    for attack in all_attacks:
        ledger.fought(attack)
    return replace(ledger.survey(level), throws=all_throws, attacks=all_attacks)


class DiceLedger:
    """Throws and attacks as they come, of which nothing but the tables is held; `tables`: which there are."""

    def __init__(self, tables: Iterable[By] = TABLES) -> None:
        self.tallies: dict[By, dict[str, Tally]] = {by: {} for by in tables}
        self.unknown = 0
        self.how: Counter[str] = Counter()

    def add(self, throw: Throw) -> None:
        """Take in a throw; those of one game in their order."""
        self.unknown += throw.sides == 0
        self.how[throw.how] += 1
        for by in self.tallies:
            if tally := self._of(by, throw):
                tally.add(throw)

    def fought(self, attack: RolledAttack) -> None:
        """Take in an attack."""
        for by in self.tallies:
            if by != "button" and (tally := self._of(by, attack)):
                tally.fought(attack)

    def _of(self, by: By, what: Throw | RolledAttack) -> Tally | None:
        name = "" if by == "side" and what.player else str(getattr(what, by))
        key = name.casefold() if by == "player" else name
        return self.tallies[by].setdefault(key, Tally(name)) if key else None

    def survey(self, level: float = LEVEL) -> Survey:
        """The tables."""
        tables = {by: corrected([found[key].row() for key in sorted(found)]) for by, found in self.tallies.items()}
        # A table of one row is that of all there is, which the others show too.
        kept = {by: rows for by, rows in tables.items() if by not in ("game", "round") or len(rows) > 1}
        return Survey((), (), kept, level, self.unknown, how=dict(self.how))


@dataclass(slots=True)
class Tally:
    """What becomes a row."""

    name: str
    throws: int = 0
    undone: int = 0
    counts: dict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    signs: Counter[bool] = field(default_factory=Counter)
    runs: int = 0
    last: bool | None = None
    attacks: int = 0
    hits: int = 0
    sure: float = 0.0
    share: float = 0.0
    luck: Counter[int] = field(default_factory=Counter)
    levels: dict[int, Counter[Levels]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, throw: Throw) -> None:
        """Take in a throw."""
        self.throws += 1
        self.undone += throw.undone
        if not throw.sides or throw.undone:
            return
        self.counts[throw.sides].update(throw.faces)
        middle = len(throw.faces) * (throw.sides + 1) / 2
        if sum(throw.faces) != middle:
            above = sum(throw.faces) > middle
            self.signs[above] += 1
            self.runs += above != self.last
            self.last = above

    def fought(self, attack: RolledAttack) -> None:
        """Take in an attack."""
        self.attacks += 1
        self.hits += attack.hit
        self.sure += attack.hits / attack.throws
        self.share += attack.luck / (2 * attack.throws)
        self.luck[attack.throws] += attack.luck
        self.levels[attack.throws][attack.levels] += 1

    def row(self) -> DiceRow:
        """The row, its tests not yet corrected."""
        faces = {s: tuple(n[face] for face in range(1, s + 1)) for s, n in sorted(self.counts.items())}
        tests = (*examined(faces, self.signs[True], self.signs[False], self.runs), *self._lucky())
        luck = self.share / self.attacks if self.attacks else None
        return DiceRow(
            self.name, self.throws, self.undone, faces, self.attacks, self.hits, self.sure, luck, self.runs, tests
        )

    def _lucky(self) -> tuple[Tested, ...]:
        """The test of luck; of attacks with dice of several kinds those that are most."""
        size = max(self.levels, key=lambda size: self.levels[size].total(), default=0)
        if not size or self.levels[size].total() < FEWEST:
            return ()
        return (Tested("luck", levels_p(self.levels[size], self.luck[size])),)


def corrected(rows: Sequence[DiceRow]) -> tuple[DiceRow, ...]:
    """The rows of a table, each test corrected for how many there are in it."""
    sure = iter(holm([test.p for row in rows for test in row.tests]))
    return tuple(replace(row, tests=tuple(replace(t, holm=next(sure)) for t in row.tests)) for row in rows)


def examined(faces: Mapping[int, Sequence[int]], above: int, below: int, runs: int) -> tuple[Tested, ...]:
    """The tests of faces that were shown (sides -> how often each), and of runs above and below the middle."""
    found: list[Tested] = []
    dice = [(sides, sum(shown)) for sides, shown in faces.items()]
    if sum(n for _, n in dice) >= FEWEST:
        total = sum(face * n for shown in faces.values() for face, n in enumerate(shown, 1))
        found.append(Tested("sum", sum_p(dice, total)))
        ps = [counts_p(shown) for sides, shown in faces.items() if sum(shown) >= FEWEST]
        if ps:
            found.append(Tested("faces", min(1.0, min(ps) * len(ps))))
    if above + below >= FEWEST:
        found.append(Tested("runs", runs_p(above, below, runs)))
    return tuple(found)
