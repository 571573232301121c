"""Exact tests of dice: how often fair dice would show something as far from the middle, or farther.

Every test is two-sided and exact: none rests on a curve that fits many throws only. A probability is doubled for
its two sides, so that a fair die is accused no more often than is stated, rather less.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

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
