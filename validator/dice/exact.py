"""Exact tests of dice: how often fair dice would show something as far from the middle, or farther.

Every test is two-sided and exact: none rests on a curve that fits many throws only. A probability is doubled for
its two sides, so that a fair die is accused no more often than is stated, rather less.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def sum_p(dice: Sequence[tuple[int, int]], total: int) -> float:
    """For dice, each kind with its sides and how many were thrown: the p of the sum of all faces."""
    values = sum((sides - 1) * n for sides, n in dice)
    sums = _sums if values <= _SHORT else _sums.__wrapped__
    return float(_two_sided(sums(tuple(sorted(dice))), total - sum(n for _, n in dice)))


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
    return float(_two_sided(found(tuple(sorted(levels.items()))), total))


def runs_p(above: int, below: int, runs: int) -> float:
    """For throws above and below what is expected, in order: the p of the number of runs of either kind.

    Few runs: luck comes in streaks; many: it takes turns (Wald and Wolfowitz, exact).
    """
    if min(above, below) == 0:
        return 1.0
    found = _runs if 2 * min(above, below) <= _SHORT else _runs.__wrapped__
    return float(_two_sided(found(above, below), runs))


def holm(ps: Sequence[float]) -> list[float]:
    """Probabilities corrected for how many were looked at (Holm, 1979): how sure the whole table can be of each."""
    found = np.asarray(ps, dtype=np.float64)
    order = np.argsort(found, kind="stable")
    steps = np.maximum.accumulate(found[order] * np.arange(len(found), 0, -1)) if len(found) else found
    out = np.empty_like(found)
    out[order] = np.minimum(1.0, steps)
    return [float(p) for p in out]


# ------------------------------------------------------------------------------------------ distributions


def _two_sided(tails: tuple[Numbers, Numbers], at: int) -> float:
    below, above = tails
    at = min(max(at, 0), len(below) - 1)
    return float(min(1.0, 2 * min(below[at], above[at])))


def _tails(chances: Numbers) -> tuple[Numbers, Numbers]:
    """How likely it is to get as little, and as much, by each value."""
    return np.cumsum(chances), np.cumsum(chances[::-1])[::-1]


@lru_cache(_KEPT)
def _sums(dice: tuple[tuple[int, int], ...]) -> tuple[Numbers, Numbers]:
    """The sum of dice that count from 0."""
    found = np.ones(1)
    for sides, n in dice:
        found = _joined(found, _power(np.full(sides, 1 / sides), n))
    return _tails(found)


@lru_cache(_KEPT)
def _levels(levels: tuple[tuple[tuple[tuple[int, int], ...], int], ...]) -> tuple[Numbers, Numbers]:
    found = np.ones(1)
    for one, n in levels:
        chances = np.zeros(max(level for level, _ in one) + 1)
        for level, ways in one:
            chances[level] += ways
        found = _joined(found, _power(chances / chances.sum(), n))
    return _tails(found)


def _power(chances: Numbers, n: int) -> Numbers:
    """The distribution of a sum of `n` that are alike."""
    if n < 1:
        return np.ones(1)
    size = (len(chances) - 1) * n + 1
    return _clean(np.fft.irfft(np.fft.rfft(chances, _even(size)) ** n, _even(size))[:size])


def _joined(a: Numbers, b: Numbers) -> Numbers:
    size = len(a) + len(b) - 1
    if min(len(a), len(b)) < 64:
        return np.convolve(a, b)
    return _clean(np.fft.irfft(np.fft.rfft(a, _even(size)) * np.fft.rfft(b, _even(size)), _even(size))[:size])


def _even(size: int) -> int:
    from scipy.fft import next_fast_len

    return int(next_fast_len(size, real=True)) + int(next_fast_len(size, real=True)) % 2


def _clean(chances: Numbers) -> Numbers:
    """What a transform leaves as less than nothing is nothing."""
    kept: Numbers = np.maximum(chances, 0)
    kept /= kept.sum()
    return kept


@lru_cache(_KEPT)
def _runs(above: int, below: int) -> tuple[Numbers, Numbers]:
    """How likely each number of runs is, of so many of two kinds in any order."""
    from scipy.special import gammaln

    def chosen(n: int, k: Numbers) -> Numbers:
        inside = (k >= 0) & (k <= n)
        k = np.clip(k, 0, n)
        found: Numbers = np.where(inside, gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1), -np.inf)
        return found

    runs = np.arange(2 * min(above, below) + 2, dtype=np.float64)
    half = np.floor(runs / 2)
    even = np.log(2.0) + chosen(above - 1, half - 1) + chosen(below - 1, half - 1)
    odd = np.logaddexp(
        chosen(above - 1, half) + chosen(below - 1, half - 1), chosen(above - 1, half - 1) + chosen(below - 1, half)
    )
    ways = np.where(runs % 2 == 0, even, odd)
    ways[:2] = -np.inf
    return _tails(_clean(np.exp(ways - gammaln(above + below + 1) + gammaln(above + 1) + gammaln(below + 1))))
