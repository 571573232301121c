"""Java's random numbers, bit by bit: what VASSAL draws from a seed, anyone can draw again.

Source: the API documentation of `java.util.Random`, which prescribes a linear congruential generator of 48 bits
(Knuth, The Art of Computer Programming, volume 2, 3.2.1) and how each kind of number is made of its bits. Normally
distributed numbers need the natural logarithm as `java.lang.StrictMath` defines it, by fdlibm's method; the one of
the machine's own library differs in the last bit now and then.
"""

from __future__ import annotations

import math
import struct
from typing import Final, Self

_MULTIPLIER: Final = 0x5DEECE66D
_ADDEND: Final = 0xB
_MASK: Final = (1 << 48) - 1
# A sound state rejects less than half of all candidates; only a broken one comes near this.
MAX_TRIES: Final = 10_000


class JavaRandom:
    """A generator in the state that `new java.util.Random(seed)` has. `seed`: a Java long."""

    __slots__ = ("_spare", "_state")

    def __init__(self, seed: int) -> None:
        self._state = 0
        self._spare: float | None = None
        self.set_seed(seed)

    def set_seed(self, seed: int) -> None:
        """Begin anew from a seed; a second normally distributed number that was kept back is forgotten."""
        self._state = (seed ^ _MULTIPLIER) & _MASK
        self._spare = None

    def copy(self) -> Self:
        """Another generator that will draw the same numbers."""
        twin = object.__new__(type(self))
        twin._state = self._state
        twin._spare = self._spare
        return twin

    def become(self, other: JavaRandom) -> None:
        """Take over the state of another generator."""
        self._state = other._state
        self._spare = other._spare

    def skip(self) -> None:
        """Throw the next 32 bits away, and what was kept back with them."""
        self._spare = None
        self._state = (self._state * _MULTIPLIER + _ADDEND) & _MASK

    def _bits(self, count: int) -> int:
        """The next bits, unsigned, 32 at most."""
        self._state = (self._state * _MULTIPLIER + _ADDEND) & _MASK
        return self._state >> (48 - count)

    def next_int(self, bound: int | None = None) -> int:
        """A Java int or, with a bound, a number from 0 up to but not including it. Raises ValueError, for a bound
        that is no positive Java int."""
        if bound is None:
            return _signed(self._bits(32), 32)
        if not 0 < bound < 1 << 31:
            raise ValueError(f"bound {bound}, expected 1 to {(1 << 31) - 1}")
        if bound & (bound - 1) == 0:
            # The high bits are the better ones of such a generator.
            return (bound * self._bits(31)) >> 31
        for _ in range(MAX_TRIES):
            bits = self._bits(31)
            number = bits % bound
            # Those of the last, incomplete run of `bound` numbers would make the low ones likelier.
            if bits - number + bound <= 1 << 31:
                return number
        raise ValueError(f"no number below {bound} in {MAX_TRIES} tries")

    def next_long(self) -> int:
        """A Java long, of two halves that are signed each."""
        high = _signed(self._bits(32), 32)
        return _signed(((high << 32) + _signed(self._bits(32), 32)) & ((1 << 64) - 1), 64)

    def next_double(self) -> float:
        """A multiple of 2^-53 in [0, 1)."""
        high = self._bits(26)
        return ((high << 27) + self._bits(27)) * 2.0**-53

    def next_float(self) -> float:
        """A multiple of 2^-24 in [0, 1)."""
        return self._bits(24) * 2.0**-24

    def next_boolean(self) -> bool:
        """One bit."""
        return self._bits(1) == 1

    def next_gaussian(self) -> float:
        """A normally distributed number, mean 0 and deviation 1; each second one was kept from the one before."""
        if self._spare is not None:
            kept, self._spare = self._spare, None
            return kept
        for _ in range(MAX_TRIES):
            first = self.next_double()
            found = self.gaussian_of(first, self.next_double())
            if found is not None:
                return found
        raise ValueError(f"no normally distributed number in {MAX_TRIES} tries")

    def gaussian_of(self, first: float, second: float) -> float | None:
        """What two doubles give (Marsaglia's polar method), keeping the other number; None if they have to be drawn
        again."""
        x, y = 2 * first - 1, 2 * second - 1
        square = x * x + y * y
        if not 0 < square < 1:
            return None
        factor = math.sqrt(-2 * strict_log(square) / square)
        self._spare = y * factor
        return x * factor


def _signed(number: int, width: int) -> int:
    return number - (1 << width) if number >> (width - 1) else number


# fdlibm's figures: ln 2 in a part with trailing zeros and the rest, and the polynomial's coefficients for the
# powers of s² from the first on.
_LN2_HIGH: Final = 6.93147180369123816490e-01
_LN2_LOW: Final = 1.90821492927058770002e-10
_SERIES: Final = (
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
)


def strict_log(x: float) -> float:
    """The natural logarithm of a positive, normal, finite number, as Java's `StrictMath.log` rounds it.

    With x = 2^k (1 + f) and s = f / (2 + f): log(1 + f) = 2 artanh s, by a polynomial in s².
    """
    word: int = struct.unpack(">q", struct.pack(">d", x))[0]
    exponent, fraction = (word >> 52) - 1023, word >> 32 & 0xFFFFF
    # 1 + f lies between about √2 / 2 and √2.
    up = (fraction + 0x95F64) >> 20
    k = exponent + up
    mantissa = (word & ((1 << 52) - 1)) | ((1023 - up) << 52)
    (scaled,) = struct.unpack(">d", struct.pack(">q", mantissa))
    f = float(scaled) - 1.0
    high, low = k * _LN2_HIGH, k * _LN2_LOW
    if (fraction + 2) & 0xFFFFF < 3:
        # |f| < 2^-20: two terms of the series are enough.
        if f == 0:
            return high + low
        rest = f * f * (0.5 - 0.33333333333333333 * f)
        return f - rest if k == 0 else high - ((rest - low) - f)
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    c1, c2, c3, c4, c5, c6, c7 = _SERIES
    even = w * (c2 + w * (c4 + w * c6))
    odd = z * (c1 + w * (c3 + w * (c5 + w * c7)))
    series = odd + even
    if 0x6147A <= fraction <= 0x6B851:
        half = 0.5 * f * f
        if k == 0:
            return f - (half - s * (half + series))
        return high - ((half - (s * (half + series) + low)) - f)
    if k == 0:
        return f - s * (f - series)
    return high - ((s * (f - series) - low) - f)
