"""Who cannot be meant together: enemies, or a unit and an arm that may be one more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from hexforge.validator.readers.lexer import Token
from hexforge.validator.readers.words import Vocabulary


def of_one_side(units: Iterable[str], words: Vocabulary) -> bool:
    """Whether no two of some units are known to be enemies, who do nothing together."""
    return len({words.side(unit) for unit in units} - {""}) < _TWO


def stray_arm(tokens: Sequence[Token], units: Sequence[bool], words: Vocabulary) -> bool:
    """Whether an arm is named that no unit stands beside, and so may be one more: `the tanks and u1`.

    `units`: which of the tokens name units.
    """
    arms = (i for i, t in enumerate(tokens) if not units[i] and words.meaning("arms", t.key) is not None)
    return bool(words.counters) and any(not any(units[max(0, i - 1) : i + _TWO]) for i in arms)


_TWO: Final = 2
