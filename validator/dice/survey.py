"""The dice of a game or a tournament, looked at by player, button, game and round, with exact tests."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias

from hexforge.scenarios.words import Language
from hexforge.validator.dice import exact
from hexforge.validator.dice.throws import RolledAttack, Throw

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

    `sides`: what the games call their sides.
    """

    throws: tuple[Throw, ...]
    attacks: tuple[RolledAttack, ...]
    tables: Mapping[By, Collection[DiceRow]]
    level: float = LEVEL
    unknown: int = 0
    sides: Mapping[str, Mapping[Language, str]] = field(default_factory=dict)

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

    def add(self, throw: Throw) -> None:
        """Take in a throw; those of one game in their order."""
        self.unknown += throw.sides == 0
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
        return Survey((), (), kept, level, self.unknown)


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
        return (Tested("luck", exact.levels_p(self.levels[size], self.luck[size])),)


def corrected(rows: Sequence[DiceRow]) -> tuple[DiceRow, ...]:
    """The rows of a table, each test corrected for how many there are in it."""
    sure = iter(exact.holm([test.p for row in rows for test in row.tests]))
    return tuple(replace(row, tests=tuple(replace(t, holm=next(sure)) for t in row.tests)) for row in rows)


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
