"""The aftermath of one combat: where units stand by now, what is still demanded, who was hit, who went where.

Whom a retreat means that names its units by their part: `retreat defender: 1107`, `retreat both-units: 1107`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from ....scenarios.schema.results import Consequence, Failure, MoraleTest, Retreat, Worse, worse
from ....scenarios.text.hexgrid import Hex
from ....scenarios.text.words import Message
from ...notation import base, statements
from ...notation.statements import RoleName
from ..context import Context
from ..findings import Finding
from ..move_effects import passes
from ..position import Position, Step
from ..values import altered
from .conditions import Asked, Battle
from .figures import Fight
from .modifiers import attack_of, defence_of
from .tables import NOTHING, Demands, Owed, SideDemands, owed


@dataclass(frozen=True, slots=True)
class RetreatPrice:
    """What a retreat, a test `of` morale, or a mark that it bore costs a unit: a step, or its life, by which
    section, and for what.

    `line` is the retreat's, or the combat's.
    """

    line: int
    section: str
    death: bool
    why: Message
    of: Literal["retreat", "morale", "again"] = "retreat"


@dataclass(frozen=True, slots=True)
class Overfull:
    """A hex into which a retreat brought more units than may stand there."""

    hex: Hex
    side: str
    line: int


@dataclass(frozen=True)
class Aftermath:
    """A combat after some of the acts that follow its dice; each act gives a new one.

    `demands` is None while no result is known; then nothing is judged. `home` is where each fighter stood when the
    dice fell, `bore` the marks and `had` the steps that it had; `strength` is what they who pay second in an
    exchange had, `fought` are the strengths that units then counted with; `hit` are units that lost a step in the
    combat itself, `instead` steps by unit that were lost in place of a retreat;
    `given_up` are exchange points (EMP) by part, `exchanged` points and step of each unit given up; `displaced` are
    those who made room for one that retreated, `went` is the way of each retreat on the map. `morale` says of units
    whose test was told whether they stood it, `whole` is the combat as its dice fell,
    `declared` the result if players said it.
    """

    battle: Battle
    line: int
    targets: tuple[Hex, ...]
    demands: Demands | None
    defenders: tuple[str, ...]
    engaged: tuple[str, ...]
    home: Mapping[str, Hex | None]
    bore: Mapping[str, frozenset[str]]
    had: Mapping[str, int]
    budget: Mapping[RoleName, Owed]
    strength: int = 0
    fought: Mapping[str, float] = field(default_factory=dict)
    hit: frozenset[str] = frozenset()
    instead: Mapping[str, int] = field(default_factory=dict)
    given_up: Mapping[RoleName, int] = field(default_factory=lambda: {"attacker": 0, "defender": 0})
    exchanged: Mapping[str, tuple[int, Step]] = field(default_factory=dict)
    prices: Mapping[str, tuple[RetreatPrice, ...]] = field(default_factory=dict)
    retreated: frozenset[str] = frozenset()
    displaced: Mapping[str, Hex] = field(default_factory=dict)
    went: Mapping[str, tuple[Hex, ...]] = field(default_factory=dict)
    overfull: tuple[Overfull, ...] = ()
    advanced: frozenset[str] = frozenset()
    morale: Mapping[str, bool] = field(default_factory=dict)
    whole: Asked | None = None
    declared: str | None = None
    findings: tuple[Finding, ...] = ()

    # ------------------------------------------------------------------ asking

    @property
    def ctx(self) -> Context:
        """What the combat is judged against."""
        return self.battle.ctx

    @property
    def position(self) -> Position:
        """The position as it is by now."""
        return self.battle.position

    def step_of(self, unit: str) -> Step:
        """The step that a unit is at."""
        return self.position.units[unit].step

    def steps(self, unit: str) -> int:
        """How many steps a unit has left."""
        return self.battle.steps_of(unit)

    def part_of(self, unit: str) -> RoleName | None:
        """The part of a unit that suffers results; guns that fire from afar have none."""
        return "defender" if unit in self.defenders else "attacker" if unit in self.engaged else None

    def demanded(self, unit: str) -> SideDemands:
        """What the result demands of a unit's side; nothing of who has no part."""
        part = self.part_of(unit)
        return self.demands.of(part) if self.demands is not None and part is not None else NOTHING

    def test_of(self, unit: str) -> MoraleTest | None:
        """The test that the result asks of a unit; of one without morale it asks none."""
        test = self.demanded(unit).morale
        return test if test is not None and self.battle.unit(unit).morale else None

    def failure(self, unit: str) -> Failure | None:
        """What becomes of a unit that failed its test; None for one that did not."""
        test = self.test_of(unit)
        return test.fails if test is not None and self.morale.get(unit) is False else None

    def worse(self, unit: str) -> tuple[Worse, ...]:
        """What befalls a unit, beyond the result and its test, for a mark that it bore when the dice fell."""
        demanded, failure, bore = self.demanded(unit), self.failure(unit), self.bore.get(unit, frozenset())
        found = [worse(demanded.again, None, bore)]
        if failure is not None:
            found.append(worse(failure.again, failure.mark, bore))
        return tuple(one for one in found if one is not None)

    def befalls(self, unit: str) -> tuple[Consequence, ...]:
        """What a unit suffers by itself, besides what the result asks of its side."""
        failure = self.failure(unit)
        return (*((failure,) if failure is not None else ()), *self.worse(unit))

    def open_to(self, unit: str) -> bool:
        """Whether a unit may have failed a test of which nobody says what its dice showed."""
        return self.test_of(unit) is not None and unit not in self.morale

    def retreat_of(self, unit: str) -> Retreat | None:
        """The retreat that the result, a test that it failed or a mark demands of a unit: the longest one."""
        back = self.demanded(unit).retreat
        further = max((one.retreat for one in self.befalls(unit)), default=0)
        if not further or (back is not None and back.hexes >= further):
            return back
        return Retreat(hexes=further)

    def bought(self, unit: str) -> int:
        """The steps that count as lost in place of a unit's retreat: its own, or those of its whole part."""
        back, part = self.demanded(unit).retreat, self.part_of(unit)
        if back is not None and back.instead_of == "unit":
            return self.instead.get(unit, 0)
        return sum(lost for u, lost in self.instead.items() if self.part_of(u) == part)

    def must_retreat(self, unit: str) -> bool:
        """Whether the result drives a unit back."""
        return self.retreat_of(unit) is not None

    @property
    def second(self) -> RoleName:
        """Who pays second in an exchange."""
        exchange = self.demands.exchange if self.demands else None
        return "defender" if exchange and exchange.first == "attacker" else "attacker"

    def worth(self, unit: str, part: RoleName, *, steps: int | None = None) -> int:
        """What a unit as it stands, or so many of its steps, counts in an exchange."""
        exchange = self.demands.exchange if self.demands else None
        left = self.steps(unit)
        if exchange is not None and exchange.counted == "steps":
            return left if steps is None else steps
        if exchange is not None and exchange.counted == "units":
            return int(steps is None or steps >= left)
        who, step = self.battle.unit(unit), self.step_of(unit)
        printed = who.defence_at if part == "defender" else who.attack_at
        if exchange is not None and exchange.strength == "printed":
            whole = printed(step)
        elif step == "full" and unit in self.fought:
            whole = int(self.fought[unit])
        else:
            whole = defence_of(self.battle, unit) if part == "defender" else attack_of(self.battle, unit)
        if steps is None or steps >= left or not printed(step):
            return whole
        rest = printed(who.at_loss(self.position.units[unit].lost + steps))
        return -(-whole * (printed(step) - rest) // printed(step))

    def missing(self, unit: str, line: int, section: str) -> list[Finding]:
        """A finding if a unit that is to go somewhere does not exist, or stands nowhere."""
        if self.position.hex_of(unit) is not None:
            return []
        if self.home.get(unit) is not None and unit in self.hit:
            return [self.battle.found(line, "last-step-lost", units=(unit,), unit=unit)]
        key = "not-on-map" if unit in self.position.roster else "unknown-unit"
        return [self.battle.found(line, key, section=section, units=(unit,), unit=unit)]

    def breaks(self, path: tuple[Hex, ...], line: int, section: str) -> list[Finding]:
        """A finding if a path does not hang together: on hexes that the map has not, or on its first jump."""
        strange = tuple(h for h in path if h not in self.position.grid)
        if strange:
            return [self.battle.found(line, "unknown-hex", section=section, hexes=strange, hex=strange[0])]
        return [
            self.battle.found(line, "path-gap", section=section, hexes=(a, b), a=a, b=b)
            for a, b in list(self.position.grid.gaps(path))[:1]
        ]

    # ---------------------------------------------------------------- changing

    def noted(self, **changes: Any) -> Aftermath:
        """Other values of its fields."""
        return altered(self, **changes)

    def adding(self, findings: Iterable[Finding]) -> Aftermath:
        """The same with more findings."""
        more = tuple(findings)
        return altered(self, findings=(*self.findings, *more)) if more else self

    def at(self, position: Position) -> Aftermath:
        """The same in another position."""
        return altered(self, battle=altered(self.battle, position=position))

    def put(self, unit: str, path: tuple[Hex, ...]) -> Aftermath:
        """A unit at the end of the path that it goes; the path begins with the hex that it leaves."""
        return self.at(passes(self.ctx, self.position.put(unit, path[-1]), unit, path[1:]))

    def reduced(self, unit: str) -> Aftermath:
        """A step off a unit: turned over, or off the map if it was already."""
        if self.steps(unit) == 1:
            return self.lost(unit)
        lost = self.position.units[unit].lost + 1
        return self.at(self.position.set(unit, step=self.battle.unit(unit).at_loss(lost)))

    def lost(self, unit: str) -> Aftermath:
        """A unit eliminated."""
        return self.at(self.position.take_off(unit, "eliminated"))

    def settled(self, part: RoleName) -> Aftermath:
        """Nothing more demanded of a part's steps."""
        return altered(self, budget={**self.budget, part: Owed(untouched=False)})

    def paid(self, part: RoleName, steps: int, *, whole: bool) -> Aftermath:
        """Steps lost by a unit of a part taken off what the part owes."""
        return altered(self, budget={**self.budget, part: self.budget[part].taken(steps, whole=whole)})

    def priced(self, unit: str, prices: Iterable[RetreatPrice]) -> Aftermath:
        """What a unit's retreat has cost it besides."""
        due = (*self.prices.get(unit, ()), *prices)
        return altered(self, prices={**self.prices, unit: due}) if due else self


def captured(after: Aftermath) -> Aftermath:
    """The enemy's counters in place of those that were eliminated where he has come into their hex."""
    rule = after.ctx.rules.captures
    if rule is None:
        return after
    for unit, hex_ in after.home.items():
        position, other = after.position, after.position.roster.get(rule.becomes.get(unit, ""))
        if other is None or hex_ is None or position.units[unit].alive or position.hex_of(other.id):
            continue
        if position.at(hex_, other.side):
            taken = position.set(
                other.id, step="full", hex=hex_, where="", died=None, moved=True, since=position.turn
            )
            # It goes no farther in the phase in which it was taken.
            taken = taken.noted(spent={**position.ledger.spent, other.id: 2 * other.move_at("full")})
            told = {"section": rule.section, "unit": unit, "other": other.id, "hex": hex_}
            found = after.battle.found(
                after.line, "captured", severity="info", units=(unit, other.id), hexes=(hex_,), **told
            )
            after = after.at(taken).adding([found])
    return after


def when_the_dice_fell(
    battle: Battle,
    fight: Fight,
    demands: Demands | None,
    defenders: tuple[str, ...],
    engaged: tuple[str, ...],
    *,
    parts: Iterable[tuple[str, str, float]] = (),
) -> Aftermath:
    """The aftermath before its first act."""
    fought = {unit: points for _, unit, points in parts if unit in battle.position.roster}
    after = Aftermath(
        battle,
        fight.line,
        fight.targets,
        demands,
        defenders,
        engaged,
        fought=fought,
        declared=demands.text if demands and demands.text == " ".join(fight.declared_codes or ()) else None,
        home={u: battle.position.hex_of(u) for u in (*defenders, *engaged)},
        bore={u: battle.position.units[u].marks for u in (*defenders, *engaged)},
        had={u: battle.steps_of(u) for u in (*defenders, *engaged)},
        budget={
            "defender": _owed(battle, fight, "defender", demands, defenders),
            "attacker": _owed(battle, fight, "attacker", demands, engaged),
        },
    )
    payers = {"attacker": engaged, "defender": defenders}[after.second]
    return after.noted(strength=sum(after.worth(u, after.second) for u in payers))


def _owed(battle: Battle, fight: Fight, role: RoleName, demands: Demands | None, units: tuple[str, ...]) -> Owed:
    """What a side has to lose, by what its units are when the dice fall, and by dice of its own."""
    part = demands.of(role) if demands else NOTHING
    return owed(part, [battle.steps_of(u) for u in units], thrown(part, fight, role))


def thrown(part: SideDemands, fight: Fight, role: RoleName) -> int | None:
    """What the dice for a side's losses are read as; None where they were not told or are none that it throws."""
    told, dice = fight.loss_rolls.get(role), part.dice
    return dice.value(told.faces) if told is not None and dice is not None and dice.shows(told.faces) else None


_BOTH: Final = 2


def named(after: Aftermath, acts: Iterable[base.Act]) -> tuple[base.Act, ...]:
    """The acts, with the units that their retreats mean; one that may mean several, or none, as it stands.

    Hangs on nothing that the acts change, so that whoever asks is told the same.
    """
    acts = tuple(acts)
    return tuple(_with_units(after, act, acts) if isinstance(act, statements.RetreatOf) else act for act in acts)


def _with_units(after: Aftermath, act: statements.RetreatOf, acts: Sequence[base.Act]) -> base.Act:
    units = _meant(after, act, _who_is_left(after, act, acts))
    return statements.Retreat(act.line, units, act.path) if units else act


def _meant(after: Aftermath, act: statements.RetreatOf, left: Sequence[str]) -> tuple[str, ...]:
    sides = [tuple(u for u in left if u in part) for part in (after.engaged, after.defenders)]
    attackers, defenders = ([u for u in units if _from(after, act, u)] for units in sides)
    if act.who in ("attacker", "defender"):
        units = attackers if act.who == "attacker" else defenders
        meant = units if after.demands is None else list(filter(after.must_retreat, units))
    else:
        fleeing = [units for units in (attackers, defenders) if any(map(after.must_retreat, units))]
        meant = fleeing[0] if len(fleeing) == 1 else []
        if act.who == "all":
            meant = list(filter(after.must_retreat, meant))
        elif len(meant) != _BOTH:
            meant = []
    # Those of several hexes go to one that touches them all; else nobody has said who goes where. So with `all`,
    # which may be of the other side than the one that its writer means.
    homes = {after.home[unit] for unit in meant}
    touched = len(act.path) == 1 and all(h is not None and _touch(after, h, act.path[0]) for h in homes)
    sure = len(homes) == 1 and (act.who != "all" or len(act.path) > 1)
    return tuple(meant) if sure or touched else ()


def _touch(after: Aftermath, a: Hex, b: Hex) -> bool:
    grid = after.position.grid
    return b in grid and grid.adjacent(a, b)


def _from(after: Aftermath, act: statements.RetreatOf, unit: str) -> bool:
    """Whether a unit stood where the way begins; one hex alone is where all of them end."""
    return len(act.path) == 1 or after.home[unit] == act.path[0]


def _who_is_left(after: Aftermath, act: statements.RetreatOf, acts: Sequence[base.Act]) -> list[str]:
    """Who fought, without those who are told to be lost or to go by themselves."""
    others = (one for one in acts if isinstance(one, statements.Retreat | statements.Eliminate))
    gone = {unit for one in others for unit in one.units}
    lost = Counter(_losses(acts))
    return [u for u in after.home if u not in gone and lost[u] < after.had[u]]


def _losses(acts: Sequence[base.Act]) -> Iterator[str]:
    for act in acts:
        if isinstance(act, statements.Lose):
            yield from act.units
