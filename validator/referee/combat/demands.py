"""What a result demands of both sides, by what the game says of its codes (5.1.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from hexforge.scenarios.schema.results import Demand, Exchange, Loss, Result, Retreat

Role = Literal["attacker", "defender"]


@dataclass(frozen=True, slots=True)
class Part:
    """What a result demands of one side. A side retreats once, however many codes say so."""

    steps: Loss | None = None
    units: Loss | None = None
    retreat: Retreat | None = None
    marks: tuple[str, ...] = ()
    again: int = 0
    advance: bool = False

    def with_(self, demand: Demand) -> Part:
        """The same with what another code demands."""
        longer = max(
            (r for r in (self.retreat, demand.retreat) if r), key=lambda retreat: retreat.hexes, default=None
        )
        return Part(
            self.steps or demand.steps,
            self.units or demand.units,
            longer,
            (*self.marks, demand.mark) if demand.mark else self.marks,
            max(self.again, demand.again),
            self.advance or demand.advance,
        )


@dataclass(frozen=True, slots=True)
class Demands:
    """`text` is the result as written."""

    text: str
    attacker: Part = Part()
    defender: Part = Part()
    exchange: Exchange | None = None

    def of(self, role: Role) -> Part:
        """What is demanded of a side."""
        return self.attacker if role == "attacker" else self.defender

    @property
    def advance(self) -> bool:
        """Whether the attacker may advance."""
        return self.attacker.advance


@dataclass(frozen=True, slots=True)
class Owed:
    """Steps and whole units that a side still has to lose. `untouched` says that none of it was taken yet."""

    steps: int = 0
    units: int = 0
    untouched: bool = True

    def __bool__(self) -> bool:
        return bool(self.steps or self.units)

    def taken(self, steps: int, *, whole: bool) -> Owed:
        """What is left after a unit lost steps; `whole` says that it is eliminated."""
        if self.units and whole:
            return replace(self, units=self.units - 1, untouched=False)
        return replace(self, steps=max(0, self.steps - steps), untouched=False)


def demands(
    alphabet: Mapping[str, Result], codes: Iterable[str], *, advance_after_exchange: bool = False
) -> Demands:
    """The demands of a result, e.g. of `("DRB", "AVI")`, by what each code of the game says."""
    written = tuple(codes)
    found = Demands(" ".join(written))
    for result in (alphabet[code] for code in dict.fromkeys(written) if code in alphabet):
        attacker = found.attacker.with_(result.attacker)
        if result.exchange and result.exchange.advance_option and advance_after_exchange:
            attacker = replace(attacker, advance=True)
        found = replace(
            found,
            attacker=attacker,
            defender=found.defender.with_(result.defender),
            exchange=result.exchange or found.exchange,
        )
    return found


def owed(part: Part, steps: Sequence[int], marked: int = 0) -> Owed:
    """What a side has to lose whose units have so many steps each, of which some bear what the result gives."""
    return Owed(_count(part.steps, steps) + marked * part.again, _count(part.units, [1] * len(steps)))


def _count(loss: Loss | None, of: Sequence[int]) -> int:
    if loss is None:
        return 0
    if loss.each:
        return sum(_share(loss, n) for n in of)
    return _share(loss, sum(of))


def _share(loss: Loss, whole: int) -> int:
    if loss.count == "all":
        return whole
    return -(-whole // 2) if loss.count == "half" else min(loss.count, max(whole, 1))
