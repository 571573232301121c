"""What a result demands of both sides (5.1.6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Loss = Literal["", "step", "unit"]

_DEFENDER_RETREATS = frozenset({"DE", "DRB", "DRI", "AVI", "AVB", "EMP"})
_ATTACKER_RETREATS = frozenset({"DVB", "DVI", "ARI", "ARB", "AE"})
_VICTORY = frozenset({"AVI", "AVB"})


@dataclass(frozen=True, slots=True)
class Demands:
    """`text` is the result as written. Both codes of a cell tell of one event, so a side retreats once.

    `defender_loss` and `attacker_loss` strike one unit: a `step`, or the whole `unit` even at full strength.
    """

    text: str
    defender_retreats: bool = False
    attacker_retreats: bool = False
    defender_loss: Loss = ""
    attacker_loss: Loss = ""
    exchange: bool = False
    advance: bool = False


def demands(codes: Iterable[str], *, advance_after_exchange: bool = False) -> Demands:
    """The demands of a result, e.g. of `("DRB", "AVI")`."""
    found = frozenset(codes)
    exchange = "EMP" in found
    return Demands(
        text=" ".join(codes),
        defender_retreats=not found.isdisjoint(_DEFENDER_RETREATS),
        attacker_retreats=not found.isdisjoint(_ATTACKER_RETREATS),
        defender_loss="unit" if "DE" in found else "step" if found & {"DRB", "DVB", "DB"} else "",
        attacker_loss="unit" if "AE" in found else "step" if found & {"AVB", "ARB"} else "",
        exchange=exchange,
        advance=not found.isdisjoint(_VICTORY) or (exchange and advance_after_exchange),
    )
