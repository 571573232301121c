"""What is open after the dice of an attack: losses, eliminations, retreats, room made for them, advances.

The referee's own account of the attack says who owes what; each act that may pay it is tried on him.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from ....scenarios.schema.results import Dice
from ....scenarios.text.hexgrid import Hex
from ...notation import base
from ...notation import statements as st
from ...rules.combat.aftermath import Aftermath
from ...rules.combat.retreat_ways import ways_back
from ...rules.context import Context, Outcome
from ...rules.findings import Finding
from ...rules.position import Position
from ..replay import judge_once
from .trial import faults

_MOST_STEPS: Final = 3
"""Steps that the price of a retreat may take at once."""
_TO_FOLLOW: Final = frozenset({"findings.advance-missing", "findings.exchange-short"})
"""What an act may bring about: that somebody has to advance into the hex, that the other side pays as much."""
_MOST_WAYS: Final = 60
"""Ways of one unit's retreat that are tried."""


@dataclass(frozen=True, slots=True)
class Step:
    """An act that is open after the dice, with those that it brings about at once and that leave no choice.

    `dice` are those of a throw, of which the act says the lowest faces.
    """

    acts: tuple[base.Act, ...]
    dice: Dice | None = None

    @property
    def act(self) -> base.Act:
        """What is chosen."""
        return self.acts[0]


@dataclass(frozen=True, slots=True)
class AfterDice:
    """What is open in an attack whose result is known, and what it still lacks."""

    steps: tuple[Step, ...]
    owed: tuple[Finding, ...]


def after_dice(ctx: Context, before: Position, statement: st.Engagement) -> AfterDice:
    """What an attack still lacks, and every act that brings it nearer to its end without a new fault.

    `before` is the position in which the attack was made.
    """
    ctx = ctx.at(before.turn)
    outcome = judge_once(ctx, before, statement)
    owed = faults(outcome)
    if not isinstance(outcome.aftermath, Aftermath) or outcome.aftermath.demands is None:
        return AfterDice((), owed)
    trial = _Trial(ctx, before, statement, outcome, outcome.aftermath)
    forced = tuple(trial.forced()) if owed else ()
    return AfterDice((*forced, *trial.advances()), owed)


@dataclass(frozen=True, slots=True)
class _Trial:
    """An attack that acts are added to, to see what the referee makes of them."""

    ctx: Context
    before: Position
    statement: st.Engagement
    outcome: Outcome
    after: Aftermath

    @property
    def at(self) -> Position:
        """The position as it is by now."""
        return self.outcome.position

    def with_(self, *acts: base.Act) -> Outcome:
        """The outcome with more acts."""
        return judge_once(self.ctx, self.before, replace(self.statement, acts=(*self.statement.acts, *acts)))

    def _better(self, outcome: Outcome, *, strictly: bool = True) -> bool:
        """Whether acts bring no fault that was not there, and do away with one, or part of one, if `strictly`."""
        old, new = _by_kind(self.outcome), _by_kind(outcome)
        if new.keys() - old.keys() - _TO_FOLLOW:
            return False
        if any(units - old[kind] for kind, units in new.items() if kind in old and kind not in _TO_FOLLOW):
            return False
        return not strictly or new != old or _owed(outcome) < _owed(self.outcome)

    def forced(self) -> Iterator[Step]:
        """Dice, losses, eliminations and retreats that do away with something that is owed."""
        for step in self._dice():
            if self._better(self.with_(*step.acts)):
                yield step
        units = [u for u in (*self.after.defenders, *self.after.engaged) if self.at.hex_of(u) is not None]
        for unit in units:
            for act in (st.Lose(0, (unit,)), st.Eliminate(0, (unit,))):
                if self._better(self.with_(act)):
                    yield Step((act,))
        crowded = [o.hex for o in self.after.overfull]
        for unit in dict.fromkeys(units):
            if self.after.must_retreat(unit) and unit not in self.after.retreated:
                yield from self._retreats(unit)
        for hex_ in dict.fromkeys(crowded):
            for unit in self.at.at(hex_):
                ways = [(hex_, n) for n in self.at.grid.neighbours[hex_]]
                yield from self._by(unit, ways)

    def _retreats(self, unit: str) -> Iterator[Step]:
        """The ways back of a unit, each with the steps that it costs; off the map too."""
        here = self.at.hex_of(unit)
        if here is None:
            return
        yield from self._by(unit, ways_back(self.after, unit))
        for edge in self.ctx.ground.edges_at(here):
            step = self._paid(st.Retreat(0, (unit,), (here,), edge))  # type: ignore[arg-type]
            if step is not None:
                yield step

    def _by(self, unit: str, ways: Iterable[tuple[Hex, ...]]) -> Iterator[Step]:
        ends: set[Hex] = set()
        for count, way in enumerate(ways):
            if count >= _MOST_WAYS:
                return
            if way[-1] not in ends and (step := self._paid(st.Retreat(0, (unit,), way))) is not None:
                ends.add(way[-1])
                yield step

    def _paid(self, act: st.Retreat) -> Step | None:
        """A retreat with the steps lost on its way, or with room still to be made; None if it may not be made."""
        (unit,) = act.units
        outcome = self.with_(act)
        if self._better(outcome):
            return Step((act,))
        after = outcome.aftermath
        if not isinstance(after, Aftermath):
            return None
        due = len(after.prices.get(unit, ()))
        if 0 < due < _MOST_STEPS and after.position.units[unit].alive:
            paid = (act, *(st.Lose(0, (unit,)) for _ in range(due)))
            return Step(paid) if self._better(self.with_(*paid)) else None
        return Step((act,)) if after.overfull and self._room(act, after) else None

    def _room(self, act: st.Retreat, after: Aftermath) -> bool:
        """Whether a unit of the hex that a retreat overfills can make room."""
        there, side = act.path[-1], after.ctx.units[act.units[0]].side
        for other in after.position.at(there, side):
            for hex_ in after.position.grid.neighbours[there]:
                aside = st.Retreat(0, (other,), (there, hex_))
                if not after.position.at(hex_, after.position.enemy(side)) and self._better(self.with_(act, aside)):
                    return True
        return False

    def advances(self) -> Iterator[Step]:
        """Advances, which nobody has to make, of attackers next to what was left."""
        side = self.after.battle.attacker
        for unit in self.after.engaged:
            here = self.at.hex_of(unit)
            if here is None or here in self.statement.targets or unit in self.after.advanced:
                continue
            for target in self.statement.targets:
                if not self.at.grid.adjacent(here, target) or self.at.at(target, self.at.enemy(side)):
                    continue
                near = [n for n in self.at.grid.neighbours[target] if n != here]
                for path in ((here, target), *((here, target, n) for n in near)):
                    act = st.Advance(0, (unit,), path)
                    if not self.at.at(path[-1], self.at.enemy(side)) and self._better(
                        self.with_(act), strictly=False
                    ):
                        yield Step((act,))

    def _dice(self) -> Iterator[Step]:
        """Throws that a result asks for, with the lowest faces: whoever makes them puts his own."""
        demands = self.after.demands
        assert demands is not None
        roles: tuple[st.RoleName, ...] = ("attacker", "defender")
        for role in roles:
            if (dice := demands.of(role).dice) is not None:
                yield Step((st.LossRoll(0, role, (1,) * dice.count),), dice)
        for unit in (*self.after.defenders, *self.after.engaged):
            test = self.after.test_of(unit)
            if test is not None and self.after.open_to(unit):
                dice = Dice.of(test.dice)
                yield Step((st.MoraleRoll(0, (unit,), (1,) * dice.count),), dice)


def _by_kind(outcome: Outcome) -> dict[str, frozenset[str]]:
    """The faults of an outcome by their kind, each with the units that it is about."""
    found: dict[str, frozenset[str]] = {}
    for finding in faults(outcome):
        key = finding.message.key
        found[key] = found.get(key, frozenset()) | frozenset(finding.units)
    return found


def _owed(outcome: Outcome) -> float:
    """How much is still owed, as far as findings tell it in numbers."""
    found = faults(outcome)
    return len(found) + sum(_amount(f.computed) - _amount(f.declared) for f in found)


def _amount(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
