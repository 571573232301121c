"""The dice of a game or a tournament, looked at by player, button, game and round, with exact tests."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Final, Literal, TypeAlias

from hexforge.validator.dice import exact
from hexforge.validator.dice.throws import Attack, Throw

By: TypeAlias = Literal["player", "button", "game", "round"]
Test: TypeAlias = Literal["sum", "faces", "runs", "luck"]
TABLES: Final[tuple[By, ...]] = ("player", "button", "game", "round")
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
class Row:
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
    """All tables. `level` is that of each; `unknown` are throws of which it is not known what was thrown."""

    throws: tuple[Throw, ...]
    attacks: tuple[Attack, ...]
    tables: Mapping[By, tuple[Row, ...]]
    level: float = LEVEL
    unknown: int = 0
    tested: Mapping[By, int] = field(default_factory=dict)

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
            "stands_out": self.stands_out,
            **{f"by_{by}": [row.as_json(self.level) for row in rows] for by, rows in self.tables.items()},
            "throws": [throw.as_json() for throw in self.throws],
        }


def survey(throws: Iterable[Throw], attacks: Iterable[Attack] = (), *, level: float = LEVEL) -> Survey:
    """Look at throws from every side. Dice that were taken back count by themselves, and are not tested."""
    all_throws, all_attacks = tuple(throws), tuple(attacks)
    tables = {by: _table(by, all_throws, all_attacks) for by in TABLES}
    # A table of one row is that of all there is, which the others show too.
    kept = {by: rows for by, rows in tables.items() if by == "player" or len(rows) > 1 or by == "button"}
    unknown = sum(throw.sides == 0 for throw in all_throws)
    tested = {by: sum(len(row.tests) for row in rows) for by, rows in kept.items()}
    return Survey(all_throws, all_attacks, kept, level, unknown, tested)


def _table(by: By, throws: Sequence[Throw], attacks: Sequence[Attack]) -> tuple[Row, ...]:
    of: Callable[[Any], str] = _KEYS[by]
    grouped: dict[str, list[Throw]] = defaultdict(list)
    for throw in throws:
        grouped[of(throw)].append(throw)
    fought: dict[str, list[Attack]] = defaultdict(list)
    if by != "button":
        for attack in attacks:
            fought[of(attack)].append(attack)
    names = _names(by, throws)
    found = [_row(names.get(key, key), grouped[key], fought.get(key, ())) for key in sorted(grouped) if key]
    return corrected(found)


def corrected(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows of a table, each test corrected for how many there are in it."""
    sure = iter(exact.holm([test.p for row in rows for test in row.tests]))
    return tuple(replace(row, tests=tuple(replace(t, holm=next(sure)) for t in row.tests)) for row in rows)


_KEYS: Final[Mapping[By, Callable[[Any], str]]] = {
    "player": lambda t: (t.player or t.side).casefold(),
    "button": lambda t: t.button,
    "game": lambda t: t.game,
    "round": lambda t: t.round,
}


def _names(by: By, throws: Iterable[Throw]) -> Mapping[str, str]:
    """Players as they wrote themselves first."""
    found: dict[str, str] = {}
    for throw in throws if by == "player" else ():
        found.setdefault((throw.player or throw.side).casefold(), throw.player or throw.side)
    return found


def _row(name: str, throws: Sequence[Throw], attacks: Sequence[Attack]) -> Row:
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    standing = [throw for throw in throws if throw.sides and not throw.undone]
    for throw in standing:
        counts[throw.sides].update(throw.faces)
    faces = {sides: tuple(n[face] for face in range(1, sides + 1)) for sides, n in sorted(counts.items())}
    above, below, runs = _runs(standing)
    row = Row(name, len(throws), sum(throw.undone for throw in throws), faces, runs=runs)
    if attacks:
        hits, sure = sum(a.hit for a in attacks), sum(a.hits / a.throws for a in attacks)
        luck = sum(a.luck / (2 * a.throws) for a in attacks) / len(attacks)
        row = replace(row, attacks=len(attacks), hits=hits, hits_expected=sure, luck=luck)
    return replace(row, tests=(*examined(faces, above, below, runs), *_lucky(attacks)))


def examined(faces: Mapping[int, Sequence[int]], above: int, below: int, runs: int) -> tuple[Tested, ...]:
    """The tests of faces that were shown (sides -> how often each), and of runs above and below the middle."""
    found: list[Tested] = []
    dice = [(sides, sum(shown)) for sides, shown in faces.items()]
    if sum(n for _, n in dice) >= FEWEST:
        total = sum(face * n for shown in faces.values() for face, n in enumerate(shown, 1))
        found.append(Tested("sum", exact.sum_p(dice, total)))
        ps = [exact.counts_p(shown) for sides, shown in faces.items() if sum(shown) >= FEWEST]
        if ps:
            found.append(Tested("faces", min(1.0, min(ps) * len(ps))))
    if above + below >= FEWEST:
        found.append(Tested("runs", exact.runs_p(above, below, runs)))
    return tuple(found)


def _lucky(attacks: Sequence[Attack]) -> tuple[Tested, ...]:
    if len(attacks) < FEWEST:
        return ()
    size = attacks[0].throws
    alike = [attack for attack in attacks if attack.throws == size]
    p = exact.levels_p([attack.levels for attack in alike], sum(attack.luck for attack in alike))
    return (Tested("luck", p),)


def _runs(throws: Iterable[Throw]) -> tuple[int, int, int]:
    """How many throws were above and below what was to be expected, and in how many runs; others are left out."""
    found: list[bool] = []
    for throw in throws:
        middle = len(throw.faces) * (throw.sides + 1) / 2
        if sum(throw.faces) != middle:
            found.append(sum(throw.faces) > middle)
    runs = sum(a != b for a, b in pairwise(found)) + bool(found)
    return sum(found), len(found) - sum(found), runs
