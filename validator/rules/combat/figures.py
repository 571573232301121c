"""The figures of a combat (5.1): totals, odds, shifts, column.

Who takes part in a combat and with what, as the sheet says it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from ....scenarios.schema import modifiers
from ....scenarios.schema.tables import ResultTable
from ....scenarios.text.hexgrid import Hex
from ....scenarios.text.words import Message, Term, message
from ...notation import base as st
from ...notation import statements
from ..findings import Changes, Finding, Shift
from ..position import Position
from . import tables
from .conditions import Battle, Forces
from .modifiers import (
    Worth,
    attack_of,
    changing,
    defence_of,
    ground_of,
    lent,
    rounded,
    shifts,
    strength,
    within,
)


@dataclass(frozen=True, slots=True)
class Figures:
    """A combat worked out. `base` and `column` are indices of the table's columns before and after the shifts.

    `outside` is -1 for totals below the first column, 1 above the last, `die` what is added to the dice. `beyond`
    is the part of the odds beyond the table that counts (0 where odds are held within it first). `parts`
    are the totals unit by unit, `changes` what makes a unit's part another than its counter prints. `forced` is a
    result that needs no dice whatever the totals are.
    """

    table: ResultTable
    attack: int
    defence: int
    base: int
    beyond: int
    outside: int
    shifts: tuple[Shift, ...]
    die: tuple[Shift, ...]
    misreadings: tuple[int, ...]
    parts: tuple[tuple[str, str, float], ...]
    changes: Changes
    defenders: tuple[str, ...]
    forced: str = ""

    @property
    def end(self) -> str:
        """What the table says of totals that lie beyond it: `refused`, or a code; `end` for all others."""
        by, side_ = self.table.column_by, self.outside
        return str(getattr(by, "below" if side_ < 0 else "above", "end")) if side_ else "end"

    def result(self, roll: int | None) -> tuple[str, ...] | None:
        """The codes that the dice give, or that the totals give without dice; None without either."""
        if self.forced:
            return (self.forced,)
        if self.end not in ("end", "refused"):
            return (self.end,)
        row = self.row(roll)
        return tables.result(self.table, row, self.column) if row is not None else None

    def row(self, roll: int | None) -> int | None:
        """What the dice come to with all that is added to them."""
        return tables.row_of(self.table, roll, (shift.columns for shift in self.die))

    @property
    def die_modifier(self) -> int:
        """What is added to the dice."""
        return tables.modified(self.table, (shift.columns for shift in self.die))

    @property
    def odds(self) -> str:
        """The ratio before shifts, named as the table heads its columns."""
        return self.table.columns[self.base]

    @property
    def column(self) -> int:
        """Index of the column after all shifts."""
        return self.shifted(sum(s.columns for s in self.shifts))

    @property
    def column_name(self) -> str:
        """The column after all shifts, as the table heads it."""
        return self.table.columns[self.column]

    def shifted(self, columns: int) -> int:
        """Index of the column after another sum of shifts."""
        return tables.shifted(self.table, self.base, (columns,), beyond=self.beyond)


def defenders_of(position: Position, targets: Iterable[Hex], side: str) -> tuple[str, ...]:
    """Everybody of a side in the target hexes: all of them defend."""
    return tuple(u for t in targets for u in position.at(t, side))


def work_out(battle: Battle, forces: Forces) -> Figures:
    """The figures of a combat, whoever of its participants is allowed to be there."""
    defenders = defenders_of(battle.position, forces.targets, battle.defender)
    parts, changes = _parts(battle, forces, defenders)
    attack, defence = (
        rounded(sum(points for whose, _, points in parts if whose == side_), battle.rules.sums)
        for side_ in (battle.attacker, battle.defender)
    )
    table = battle.tables.crt
    inverse = tables.inverse_of(table, battle.ctx.option("inverse_rounding"))
    ratio = tables.odds(attack, defence, round_up_inverse=inverse == "defender")
    ground = ground_of(battle, forces, battle.modifiers.columns)
    return Figures(
        table=table,
        attack=attack,
        defence=defence,
        base=tables.odds_column(table, attack, defence, inverse=inverse),
        beyond=0 if battle.ctx.option("clamp_before_shift") != "no" else tables.overflow(table, ratio),
        outside=tables.outside(table, attack, defence, inverse=inverse),
        shifts=within(shifts(battle, forces, battle.modifiers.columns, ground), table.columns_most),
        die=shifts(battle, forces, battle.modifiers.dice),
        misreadings=ground.misreadings,
        parts=tuple((whose, who, shown(points)) for whose, who, points in parts),
        changes=changes,
        defenders=defenders,
    )


def shown(points: Fraction | int) -> float:
    """A strength as it is told: whole, or to two places."""
    return int(points) if Fraction(points).denominator == 1 else round(float(points), 2)


def _parts(
    battle: Battle, forces: Forces, defenders: tuple[str, ...]
) -> tuple[tuple[tuple[str, str, Fraction | int], ...], Changes]:
    attacker, defender = battle.attacker, battle.defender
    worth = [(attacker, u, _attack(battle, forces, u)) for u in (*forces.attackers, *forces.supports)]
    worth += [(defender, u, _defence(battle, forces, u)) for u in defenders]
    # A gun that defends from afar lends its attack; one in the target hex has given its defence already.
    worth += [(defender, u, _guard(battle, forces, u)) for u in forces.guards if u not in defenders]
    extras = [
        (attacker, "offboard", forces.offboard),
        (attacker, "air", forces.air),
        (defender, "offboard", forces.guard_offboard),
        (defender, "air", forces.guard_air),
    ]
    parts = [(whose, u, found.points) for whose, u, found in worth]
    return (*parts, *(part for part in extras if part[2])), tuple(
        (u, found.by) for _, u, found in worth if found.by
    )


def strength_causes(battle: Battle, forces: Forces, role: str, defenders: tuple[str, ...]) -> tuple[Message, ...]:
    """What makes a side's total another than the counters print: modifiers of strengths, each with its section."""
    if not battle.modifiers.strengths:
        return ()
    units, found = battle.position.units, list[modifiers.Modifier]()
    if role == "attacker":
        for u in (*forces.attackers, *forces.supports):
            value = forces.shares.get(u, battle.unit(u).attack_at(units[u].step))
            found += changing(battle, forces, "attackers", u, value)
    else:
        for u in defenders:
            found += changing(battle, forces, "defenders", u, battle.unit(u).defence_at(units[u].step))
        for u in (u for u in forces.guards if u not in defenders):
            found += changing(battle, None, "attackers", u, battle.unit(u).attack_at(units[u].step))
            found += changing(battle, forces, "guards", u, attack_of(battle, u), rules=_of_guards(battle))
    named = {rule.name: rule for rule in found if rule.name}
    return tuple(
        message(
            "findings.cause.by",
            cause=Term("modifiers", name, name.replace("_", " ")),
            rule=battle.ctx.scenario.citation(rule.section),
        )
        for name, rule in named.items()
    )


def _of_guards(battle: Battle) -> list[modifiers.Modifier]:
    return [
        r for r in battle.modifiers.strengths if isinstance(r.what, modifiers.Strength) and r.what.of == "guards"
    ]


def _attack(battle: Battle, forces: Forces, unit: str) -> Worth:
    value = forces.shares.get(unit, battle.unit(unit).attack_at(battle.position.units[unit].step))
    return strength(battle, forces, "attackers", unit, value) if battle.modifiers.strengths else Worth(value)


def _guard(battle: Battle, forces: Forces, unit: str) -> Worth:
    """What a gun adds from a distance to a defence: its attack, as the game changes that."""
    given, rules = lent(battle, unit), _of_guards(battle)
    value = rounded(given.points, battle.rules.sums)
    found = strength(battle, forces, "guards", unit, value, rules=rules) if rules else Worth(value)
    replaced = any(change.strength is not None for change in found.by)
    return Worth(found.points, found.by if replaced else (*given.by, *found.by))


def _defence(battle: Battle, forces: Forces, unit: str) -> Worth:
    if not battle.modifiers.strengths:
        return Worth(defence_of(battle, unit))
    value = battle.unit(unit).defence_at(battle.position.units[unit].step)
    return strength(battle, forces, "defenders", unit, value)


A = TypeVar("A", bound=st.Act)
_TAKING_PART = (statements.Attack, statements.Support, statements.Guard, statements.AirSupport, statements.GuardAir)
_SPOKEN = (
    statements.Announce,
    statements.Declare,
    statements.Roll,
    statements.Result,
    statements.Use,
    statements.Share,
    statements.Reveal,
    statements.LossRoll,
    statements.MoraleRoll,
)


@dataclass(frozen=True, slots=True)
class Fight:
    """The acts of one combat, sorted by what they say. Units map to the line that names them first.

    `attackers` attack from next to the target, `supports` and `guards` fire from afar for the attack and for the
    defence. `declared` are modifiers that a side declares, with a line for each time. `late` are
    those who took part after the defender had spoken. `aftermath` are losses, retreats and
    advances in the order written. `loss_rolls` are the dice for losses, by part,
    `tests` those for morale, `shares` what part of their strength units give.
    """

    line: int
    targets: tuple[Hex, ...]
    attackers: Mapping[str, int] = field(default_factory=dict)
    supports: Mapping[str, int] = field(default_factory=dict)
    guards: Mapping[str, int] = field(default_factory=dict)
    offboard: int = 0
    guard_offboard: int = 0
    offboard_line: int = 0
    guard_offboard_line: int = 0
    air: int = 0
    air_line: int = 0
    guard_air: int = 0
    guard_air_line: int = 0
    announcements: tuple[statements.Announce, ...] = ()
    late: tuple[st.Act, ...] = ()
    declarations: tuple[statements.Declare, ...] = ()
    roll: statements.Roll | None = None
    result: statements.Result | None = None
    aftermath: tuple[st.Act, ...] = ()
    declared: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    loss_rolls: Mapping[statements.RoleName, statements.LossRoll] = field(default_factory=dict)
    tests: tuple[statements.MoraleRoll, ...] = ()
    shares: Mapping[str, statements.Share] = field(default_factory=dict)

    @property
    def declared_codes(self) -> tuple[str, ...] | None:
        """What the players read off the table; None if they do not say."""
        return self.result.codes if self.result else None


def _modifier_called(battle: Battle, said: str) -> str:
    """The modifier that a sheet means by a name, whether that is joined by `-` or by `_`."""
    plain = said.replace("-", "_")
    return next((rule.name for rule in battle.rules.modifiers if rule.name.replace("-", "_") == plain), plain)


def _declared(battle: Battle, acts: Sequence[statements.Use]) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for act in acts:
        name = _modifier_called(battle, act.name)
        found[name] = (*found.get(name, ()), act.line)
    return found


def read_fight(battle: Battle, statement: statements.Engagement) -> tuple[Fight, list[Finding]]:
    """The acts of a statement as a fight. A unit named twice counts once, and is found fault with.

    A gun that `supports` although it stands next to the target is an attacker like any other (8.0).
    """
    acts, targets = _for_the_defence(battle, statement.acts), tuple(dict.fromkeys(statement.targets))
    attackers, supports, guards, findings = _enlisted(battle, acts, targets)
    engaged = {u: line for u, line in supports.items() if _engaged_gun(battle, u, targets)}
    support, guard = _all(acts, statements.Support), _all(acts, statements.Guard)
    air, guard_air = _all(acts, statements.AirSupport), _all(acts, statements.GuardAir)
    offboard = [act for act in acts if isinstance(act, statements.Support | statements.Guard) and act.offboard]
    fight = Fight(
        statement.line,
        targets,
        attackers={**attackers, **engaged},
        supports={u: line for u, line in supports.items() if u not in engaged},
        guards=guards,
        offboard=sum(act.offboard for act in support),
        guard_offboard=sum(act.offboard for act in guard),
        offboard_line=_last_line(offboard),
        guard_offboard_line=_last_line([act for act in guard if act.offboard]),
        air=sum(act.points for act in air),
        air_line=_last_line(air),
        guard_air=sum(act.points for act in guard_air),
        guard_air_line=_last_line(guard_air),
        announcements=_all(acts, statements.Announce),
        late=_late(acts),
        declarations=_all(acts, statements.Declare),
        roll=next(reversed(_all(acts, statements.Roll)), None),
        result=next(reversed(_all(acts, statements.Result)), None),
        declared=_declared(battle, _all(acts, statements.Use)),
        loss_rolls={act.role: act for act in _all(acts, statements.LossRoll)},
        tests=_all(acts, statements.MoraleRoll),
        shares={act.unit: act for act in _all(acts, statements.Share)},
        aftermath=tuple(act for act in acts if not isinstance(act, (*_TAKING_PART, *_SPOKEN))),
    )
    findings += [
        battle.found(line, "gun-engaged", units=(u,), severity="warning", unit=u) for u, line in engaged.items()
    ]
    findings += _rolled_twice(battle, acts)
    return fight, findings


def _for_the_defence(battle: Battle, acts: Sequence[st.Act]) -> tuple[st.Act, ...]:
    """The acts, in which points beyond the map are the defence's that are named behind it, and that it alone has.

    `Defender: u1. Support: 20 offboard`, where the attack never has any.
    """
    whose = {rule.side for rule in battle.rules.artillery.offboard}
    if battle.attacker in whose or battle.defender not in whose:
        return tuple(acts)
    found: list[st.Act] = []
    for act in acts:
        defended = any(isinstance(other, statements.Guard) for other in found)
        if defended and isinstance(act, statements.Support) and act.offboard:
            found += [statements.Support(act.line, act.units)] if act.units else []
            found.append(statements.Guard(act.line, (), act.offboard))
        else:
            found.append(act)
    return tuple(found)


def _rolled_twice(battle: Battle, acts: Sequence[st.Act]) -> Iterator[Finding]:
    """Other dice than the first: whoever threw could choose. The same once more say nothing new."""
    for first, roll in pairwise(_all(acts, statements.Roll)):
        if sorted(first.faces) != sorted(roll.faces):
            faces, before = (" ".join(map(str, one.faces)) for one in (roll, first))
            yield battle.found(roll.line, "rolled-twice", severity="doubtful", faces=faces, first=before)


def _all(acts: Sequence[st.Act], kind: type[A]) -> tuple[A, ...]:
    return tuple(act for act in acts if isinstance(act, kind))


def _last_line(acts: Sequence[st.Act]) -> int:
    return acts[-1].line if acts else 0


def _late(acts: Sequence[st.Act]) -> tuple[st.Act, ...]:
    spoken = [i for i, act in enumerate(acts) if isinstance(act, statements.Announce) and act.role == "defender"]
    return tuple(act for act in acts[spoken[0] :] if isinstance(act, _TAKING_PART)) if spoken else ()


def _enlisted(
    battle: Battle, acts: Sequence[st.Act], targets: Sequence[Hex]
) -> tuple[dict[str, int], dict[str, int], dict[str, int], list[Finding]]:
    """Attackers, supports and guards with the lines that name them, and findings on who is named in vain."""
    roles: dict[type[st.Act], dict[str, int]] = {
        statements.Attack: {},
        statements.Support: {},
        statements.Guard: {},
    }
    findings = []
    for act in acts:
        for unit in act.units if isinstance(act, statements.Attack | statements.Support | statements.Guard) else ():
            if unit not in battle.position.roster:
                section = battle.rules.sections.participants
                findings.append(battle.found(act.line, "unknown-unit", section=section, units=(unit,), unit=unit))
            elif isinstance(act, statements.Guard) and _is_attacked(battle, unit, targets):
                continue  # `Defence: u1, u2`: who is attacked fires for nobody, and is named as who defends
            elif any(unit in role for role in roles.values()):
                key = "gun-twice-in-one" if battle.unit(unit).is_gun else "twice-in-one"
                findings.append(battle.found(act.line, key, units=(unit,), unit=unit))
            else:
                roles[type(act)][unit] = act.line
    return roles[statements.Attack], roles[statements.Support], roles[statements.Guard], findings


def _is_attacked(battle: Battle, unit: str, targets: Sequence[Hex]) -> bool:
    """Whether a unit without guns is among those that are attacked, and so defends by standing there."""
    who = battle.unit(unit)
    return who.side == battle.defender and not who.is_gun and battle.position.hex_of(unit) in targets


def _engaged_gun(battle: Battle, unit: str, targets: Sequence[Hex]) -> bool:
    hex_ = battle.position.hex_of(unit)
    near = hex_ is not None and any(battle.position.grid.adjacent(hex_, target) for target in targets)
    return near and battle.unit(unit).is_gun and battle.unit(unit).side == battle.attacker
