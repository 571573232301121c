"""The question before the attack: what are the odds, and what can come of it?"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypedDict, TypeVar, Unpack

from ....scenarios.text.hexgrid import Hex
from ....scenarios.text.words import Message, Words
from ...notation import statements
from ..context import Context, Order
from ..findings import CombatRecord, Finding, parts_as_json
from ..position import Phase, Position
from . import tables
from .assault import check_refused, forces_of
from .conditions import Battle, phasing
from .figures import Fight, Figures, work_out
from .modifiers import barred, unity_of
from .participants import check_guards, check_participants, check_targets, engaged_attackers, unfit

T = TypeVar("T")


def ordered(ctx: Context, position: Position, otherwise: Order) -> tuple[Context, Position]:
    """The context and the position in another order of battle."""
    roster = {**position.roster, **otherwise.units}
    there = _with(ctx, units=roster, supposed=otherwise.whole, _movers={})
    return there, replace(position, roster=roster)


def _with(thing: T, **values: Any) -> T:
    """A copy with other values that keeps all the look-ups which the original has worked out."""
    other = copy.copy(thing)
    vars(other).update(values)
    return other


@dataclass(frozen=True, slots=True)
class Chance:
    """A result, how likely it is, what the dice show for it, and how many throws of them there are."""

    codes: tuple[str, ...]
    probability: Fraction
    rolls: tuple[int, ...]
    throws: int

    @property
    def ways(self) -> int:
        """How many throws give it."""
        return int(self.probability * self.throws)

    def as_json(self) -> dict[str, Any]:
        """The chance with its probability as a number between 0 and 1."""
        return {
            "result": " ".join(self.codes),
            "probability": round(float(self.probability), 6),
            f"of_{self.throws}": self.ways,
            "rolls": list(self.rolls),
        }


@dataclass(frozen=True, slots=True)
class Odds:
    """A combat worked out before the dice. `objections` are findings that the attack as asked would earn.

    There are no `chances` where nobody is there to be attacked. `formations` are the complete ones on each side,
    the attacker's first; `ask` gives the data that nobody prints by which it would be worked out otherwise.
    """

    target: Hex
    figures: Figures
    chances: tuple[Chance, ...]
    objections: tuple[Finding, ...] = ()
    formations: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    ask: Callable[[], tuple[Message, ...]] = field(default=tuple, compare=False, repr=False)

    @property
    def record(self) -> CombatRecord:
        """What the referee computes of it."""
        f = self.figures
        return CombatRecord(
            0, "combat", (self.target,), f.attack, f.defence, f.odds, None, f.shifts, f.column_name, parts=f.parts,
            die=f.die, changes=f.changes,
        )  # fmt: skip

    def as_json(self, words: Words) -> dict[str, Any]:
        """The whole computation, part by part."""
        figures = self.figures
        return {
            "target": self.target,
            "attack": figures.attack,
            "defence": figures.defence,
            "parts": parts_as_json(figures.parts, figures.changes),
            "odds": figures.odds,
            "shifts": [shift.as_json() for shift in figures.shifts],
            "column": figures.column_name,
            "formations": [list(names) for names in self.formations],
            "outcomes": [chance.as_json() for chance in self.chances],
            "rests_on": [words.say(d) for d in self.ask()],
            "objections": [finding.as_json(words) for finding in self.objections],
        }


def _chances(figures: Figures) -> list[tuple[tuple[str, ...], Fraction, tuple[int, ...]]]:
    if (sure := figures.result(None)) is not None:
        return [(sure, Fraction(1), ())]
    return tables.chances(figures.table, figures.column, die=figures.die_modifier)


class Aid(TypedDict, total=False):
    """What helps either side of an attack that is asked about; nothing of it need be given.

    `support` are guns of the attacker's, `guards` of the defender's; `shares` are the points that units give who
    divide their strength; all else are points.
    """

    support: Sequence[str]
    guards: Sequence[str]
    offboard: int
    guard_offboard: int
    air: int
    guard_air: int
    shares: Mapping[str, int]


def odds(ctx: Context, position: Position, target: Hex, attackers: Sequence[str], **aid: Unpack[Aid]) -> Odds:
    """The odds of an attack on `target` as if it were made now, in the attackers' combat phase.

    Units that do not exist are left out with an objection; those that may not attack are counted, with theirs.
    """
    known = [u for u in attackers if u in position.roster]
    if known:
        side = position.roster[known[0]].side
        old = position.phase
        if old is None or (old.side, old.kind) != (side, "combat"):
            # What the other phases used up does not bind this one.
            position = replace(
                position, phase=Phase(position.turn, side, "combat"), ledger=position.ledger.next_phase()
            )
    battle = Battle(ctx, position, phasing(ctx, position))
    section = battle.rules.sections.participants
    support, guards = aid.get("support", ()), aid.get("guards", ())
    unknown = [u for u in (*attackers, *support, *guards) if u not in position.roster]
    fight = Fight(
        0,
        (target,),
        attackers=dict.fromkeys(known, 0),
        supports={u: 0 for u in support if u not in unknown},
        guards={u: 0 for u in guards if u not in unknown},
        offboard=aid.get("offboard", 0),
        guard_offboard=aid.get("guard_offboard", 0),
        air=aid.get("air", 0),
        guard_air=aid.get("guard_air", 0),
        shares={unit: statements.Share(0, unit, points) for unit, points in aid.get("shares", {}).items()},
    )
    forces = forces_of(fight, engaged_attackers(battle, fight))
    figures = work_out(battle, forces)
    taking = list(check_participants(battle, fight))
    taking += barred(battle, forces, {}, unfit(taking))
    objections = (
        *(battle.found(0, "unknown-unit", section=section, units=(u,), unit=u) for u in unknown),
        *check_targets(battle, 0, fight.targets),
        *taking,
        *check_guards(battle, fight, unfit(taking)),
        *check_refused(battle, fight, figures),
    )
    throws = figures.table.thrown.throws
    nobody = target in position.grid and not figures.defenders
    chances = () if nobody else tuple(Chance(*row, throws) for row in _chances(figures))
    formations = (
        unity_of(battle, (*fight.attackers, *fight.supports), "attackers").formations,
        unity_of(battle, (*figures.defenders, *fight.guards), "defenders").formations,
    )
    return Odds(target, figures, chances, objections, formations)
