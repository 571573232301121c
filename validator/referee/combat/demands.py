"""What a result demands of both sides, by what the game says of its codes (5.1.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from hexforge.scenarios.schema.dice import Dice
from hexforge.scenarios.schema.results import Demand, Exchange, Loss, Result, Retreat
from hexforge.scenarios.schema.rules_morale import MoraleTest, Worse
from hexforge.validator.referee.values import altered

Role = Literal["attacker", "defender"]


@dataclass(frozen=True, slots=True)
class SideDemands:
    """What a result demands of one side. A side retreats once, however many codes say so."""

    steps: Loss | None = None
    units: Loss | None = None
    retreat: Retreat | None = None
    marks: tuple[str, ...] = ()
    again: tuple[Worse, ...] = ()
    morale: MoraleTest | None = None
    advance: bool = False

    @property
    def dice(self) -> Dice | None:
        """The dice that say what it loses."""
        found = next((loss.dice for loss in (self.steps, self.units) if loss and loss.dice), None)
        return Dice.of(found) if found else None

    def with_(self, demand: Demand) -> SideDemands:
        """The same with what another code demands."""
        longer = max(
            (r for r in (self.retreat, demand.retreat) if r), key=lambda retreat: retreat.hexes, default=None
        )
        return SideDemands(
            self.steps or demand.steps,
            self.units or demand.units,
            longer,
            (*self.marks, demand.mark) if demand.mark else self.marks,
            (*self.again, *(one.model_copy(update={"bears": one.bears or demand.mark}) for one in demand.again)),
            self.morale or demand.morale,
            self.advance or demand.advance,
        )


NOTHING: Final = SideDemands()


@dataclass(frozen=True)
class Demands:
    """`text` is the result as written, `first` who by the game carries out all of it before the other."""

    text: str
    attacker: SideDemands = NOTHING
    defender: SideDemands = NOTHING
    exchange: Exchange | None = None
    first: Role | None = None

    def of(self, role: Role) -> SideDemands:
        """What is demanded of a side."""
        return self.attacker if role == "attacker" else self.defender

    @property
    def advance(self) -> bool:
        """Whether the attacker may advance."""
        return self.attacker.advance


@dataclass(frozen=True)
class Owed:
    """Steps and whole units that a side still has to lose. `untouched` says that none of it was taken yet.

    `spare` is how much of it need not be lost, where dice decide and nobody says what they showed.
    """

    steps: int = 0
    units: int = 0
    untouched: bool = True
    spare: int = 0

    def __bool__(self) -> bool:
        return bool(self.steps or self.units)

    @property
    def due(self) -> bool:
        """Whether there is anything left that must be lost."""
        return self.steps + self.units > self.spare

    def taken(self, steps: int, *, whole: bool) -> Owed:
        """What is left after a unit lost steps; `whole` says that it is eliminated."""
        if self.units and whole:
            return altered(self, units=self.units - 1, untouched=False)
        return altered(self, steps=max(0, self.steps - steps), untouched=False)


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
        found = altered(
            found,
            attacker=attacker,
            defender=found.defender.with_(result.defender),
            exchange=result.exchange or found.exchange,
            first=result.first or found.first,
        )
    return found


def owed(part: SideDemands, steps: Sequence[int], thrown: int | None = None) -> Owed:
    """What a side has to lose whose units have so many steps each.

    `thrown` is what the dice for its losses were read as.
    """
    least, most = _counts(part.steps, steps, thrown)
    fewest, all_ = _counts(part.units, [1] * len(steps), thrown)
    return Owed(most, all_, spare=most - least + all_ - fewest)


def _counts(loss: Loss | None, of: Sequence[int], thrown: int | None) -> tuple[int, int]:
    """The fewest and the most that a loss may come to."""
    if loss is None:
        return 0, 0
    if loss.dice is None:
        shares = (loss.count, loss.count)
    else:
        shares = loss.span if thrown is None else (loss.by_dice(thrown),) * 2
    least, most = (sum(_share(share, n) for n in of) if loss.each else _share(share, sum(of)) for share in shares)
    return least, most


def _share(count: int | str, whole: int) -> int:
    if isinstance(count, str):
        return whole if count == "all" else -(-whole // 2)
    return min(count, max(whole, 1))


def picker(loss: Loss | None, role: Role) -> Role:
    """Who picks the units of a part that suffer a loss."""
    return role if loss is None or loss.picks == "owner" else other(role)


def other(role: Role) -> Role:
    """The other part."""
    return "defender" if role == "attacker" else "attacker"
