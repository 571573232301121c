"""Exact tests of dice: how often fair dice would show something as far from the middle, or farther.

Every test is two-sided and exact: none rests on a curve that fits many throws only. A probability is doubled for
its two sides, so that a fair die is accused no more often than is stated, rather less.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.float64]

_KEPT: Final = 128
"""Distributions that are remembered, of each kind."""
_SHORT: Final = 1 << 13
"""Values of a distribution that is remembered: those of many throws are long, and seldom asked for again."""
_REACH: Final = 14
"""Standard deviations to either side of the middle within which a distribution is worked out.

What lies beyond is less than the last digit of what a computer calculates with. So the room that a test takes grows
with the root of the number of throws, and not with the number.
"""


def sum_p(dice: Sequence[tuple[int, int]], total: int) -> float:
    """For dice, each kind with its sides and how many were thrown: the p of the sum of all faces."""
    values = sum((sides - 1) * n for sides, n in dice)
    sums = _sums if values <= _SHORT else _sums.__wrapped__
    return _two_sided(sums(tuple(sorted(dice))), total - sum(n for _, n in dice))


def counts_p(counts: Sequence[int] | Numbers) -> float:
    """For how often a die showed each of its faces: the p of that which is farthest off, for as many as there are.

    Each face by itself is a binomial test.
    """
    from scipy.special import bdtr

    found = np.asarray(counts, dtype=np.float64)
    n, sides = int(found.sum()), len(found)
    if n == 0:
        return 1.0
    below = bdtr(found, n, 1 / sides)
    above = 1 - np.where(found > 0, bdtr(np.maximum(found - 1, 0), n, 1 / sides), 0.0)
    return float(min(1.0, 2 * np.minimum(below, above).min() * sides))


def levels_p(levels: Mapping[tuple[tuple[int, int], ...], int], total: int) -> float:
    """For attacks, each kind with how many there were: the p of the sum of their levels.

    A kind is the levels that its dice can give, whole numbers from 0 up, and in how many ways each.
    """
    values = sum(max(level for level, _ in one) * n for one, n in levels.items())
    found = _levels if values <= _SHORT else _levels.__wrapped__
    return _two_sided(found(tuple(sorted(levels.items()))), total)


def runs_p(above: int, below: int, runs: int) -> float:
    """For throws above and below what is expected, in order: the p of the number of runs of either kind.

    Few runs: luck comes in streaks; many: it takes turns (Wald and Wolfowitz, exact).
    """
    if min(above, below) == 0:
        return 1.0
    found = _runs if 2 * min(above, below) <= _SHORT else _runs.__wrapped__
    return _two_sided(found(above, below), runs)


def holm(ps: Sequence[float]) -> list[float]:
    """Probabilities corrected for how many were looked at (Holm, 1979): how sure the whole table can be of each."""
    found = np.asarray(ps, dtype=np.float64)
    order = np.argsort(found, kind="stable")
    steps = np.maximum.accumulate(found[order] * np.arange(len(found), 0, -1)) if len(found) else found
    out = np.empty_like(found)
    out[order] = np.minimum(1.0, steps)
    return [float(p) for p in out]


# ------------------------------------------------------------------------------------------ distributions


@dataclass(frozen=True, slots=True)
class _Tails:
    """How likely it is to get as little, and as much, by each value from `first` on."""

    first: int
    below: Numbers
    above: Numbers


def _two_sided(tails: _Tails, at: int) -> float:
    at = min(max(at - tails.first, 0), len(tails.below) - 1)
    return float(min(1.0, 2 * min(tails.below[at], tails.above[at])))


def _tails(chances: Numbers, first: int = 0) -> _Tails:
    return _Tails(first, np.cumsum(chances), np.cumsum(chances[::-1])[::-1])


@lru_cache(_KEPT)
def _sums(dice: tuple[tuple[int, int], ...]) -> _Tails:
    """The sum of dice that count from 0."""
    return _summed([(np.full(sides, 1 / sides), n) for sides, n in dice])


@lru_cache(_KEPT)
def _levels(levels: tuple[tuple[tuple[tuple[int, int], ...], int], ...]) -> _Tails:
    kinds = []
    for one, n in levels:
        chances = np.zeros(max(level for level, _ in one) + 1)
        for level, ways in one:
            chances[level] += ways
        kinds.append((chances / chances.sum(), n))
    return _summed(kinds)


def _summed(kinds: Sequence[tuple[Numbers, int]]) -> _Tails:
    """The sum of independent values from 0 up, so many of each kind of chances.

    A transform of so many values goes round in a circle of that length; all that is worth anything fits into it.
    """
    most = sum((len(chances) - 1) * n for chances, n in kinds)
    mean = variance = 0.0
    for chances, n in kinds:
        values = np.arange(len(chances))
        middle = float(values @ chances)
        mean += n * middle
        variance += n * float((values - middle) ** 2 @ chances)
    reach = math.ceil(_REACH * math.sqrt(variance)) + max((len(chances) for chances, _ in kinds), default=1)
    first, last = max(0, math.floor(mean) - reach), min(most, math.ceil(mean) + reach)
    size = _even(last - first + 1)
    found = np.ones(size // 2 + 1, dtype=np.complex128)
    for chances, n in kinds:
        round_ = np.bincount(np.arange(len(chances)) % size, weights=chances, minlength=size)
        found *= np.fft.rfft(round_, size) ** n
    circle = np.roll(np.fft.irfft(found, size), -(first % size))
    return _tails(_clean(circle[: last - first + 1]), first)


def _even(size: int) -> int:
    from scipy.fft import next_fast_len

    return int(next_fast_len(size, real=True)) + int(next_fast_len(size, real=True)) % 2


def _clean(chances: Numbers) -> Numbers:
    """What a transform leaves as less than nothing is nothing."""
    kept: Numbers = np.maximum(chances, 0)
    kept /= kept.sum()
    return kept


@lru_cache(_KEPT)
def _runs(above: int, below: int) -> _Tails:
    """How likely each number of runs is, of so many of two kinds in any order."""
    from scipy.special import gammaln

    def chosen(n: int, k: Numbers) -> Numbers:
        inside = (k >= 0) & (k <= n)
        k = np.clip(k, 0, n)
        found: Numbers = np.where(inside, gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1), -np.inf)
        return found

    middle = 2 * above * below / (above + below)
    reach = _REACH * math.sqrt(max(1.0, middle * (middle - 1) / (above + below)))
    first, last = max(2, math.floor(middle - reach)), min(2 * min(above, below) + 1, math.ceil(middle + reach) + 1)
    runs = np.arange(first, last + 1, dtype=np.float64)
    half = np.floor(runs / 2)
    even = np.log(2.0) + chosen(above - 1, half - 1) + chosen(below - 1, half - 1)
    odd = np.logaddexp(
        chosen(above - 1, half) + chosen(below - 1, half - 1), chosen(above - 1, half - 1) + chosen(below - 1, half)
    )
    ways = np.where(runs % 2 == 0, even, odd)
    return _tails(
        _clean(np.exp(ways - gammaln(above + below + 1) + gammaln(above + 1) + gammaln(below + 1))), first
    )
