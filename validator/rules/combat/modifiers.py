"""Which of a game's modifiers hold in a combat, and what they come to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import floor
from operator import itemgetter
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from ....scenarios.modifiers import NOT_ENGAGED, WORKS, Implied
from ....scenarios.schema import modifiers
from ....scenarios.text.hexgrid import Hex
from ....scenarios.text.words import Term
from ..findings import Change, Finding, Shift
from ..values import altered
from .conditions import Asked, all_hold, asked_of, fits, fronts, hold_for, party, shooters
from .unity import Formation, UnityResult, unity

if TYPE_CHECKING:
    from .conditions import Battle, Forces


E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class ActiveModifier:
    """A modifier that holds, by what it moves, and the word for its cause; `back`: what a limit takes back."""

    rule: modifiers.Modifier
    value: int
    cause: str
    back: bool = False

    @property
    def of_line(self) -> bool:
        """Whether it depends on hexsides."""
        return bool(lines_of(self.rule))


@dataclass(frozen=True, slots=True)
class HexModifiers:
    """What moves a column or die at one hex attacked: all that holds there, and of it what counts."""

    held: tuple[ActiveModifier, ...] = ()
    counted: tuple[ActiveModifier, ...] = ()

    @property
    def total(self) -> int:
        """What it comes to."""
        return sum(held.value for held in self.counted)

    @property
    def misreadings(self) -> tuple[int, ...]:
        """Sums that one gets by adding what does not add, or by leaving out what does."""
        lines: dict[str | None, int] = {}
        for held in self.held:
            if held.of_line or held.rule.group == WORKS:
                lines[held.rule.group] = min(held.value, lines.get(held.rule.group, 0))
        terrains = [h.value for h in self.held if not (h.of_line or h.rule.group == WORKS)]
        pieces = [*terrains, *lines.values()]
        sums = {sum(some) for n in range(1, len(pieces) + 1) for some in combinations(pieces, n)}
        return tuple(sorted(sums - {self.total}))


NO_GROUND: Final = HexModifiers()


def shifts(
    battle: Battle, forces: Forces, rules: Sequence[modifiers.Modifier], ground: HexModifiers | None = None
) -> tuple[Shift, ...]:
    """What some modifiers move the column by, or add to the die; of a group what counts.

    `ground` is theirs at the hex attacked where it is worked out already.
    """
    rows = (row for rule in rules if rule.each == "combat" for row in _held(battle, forces, rule))
    counted = [*(ground or ground_of(battle, forces, rules)).counted, *_counted(battle, rows)]
    order = {id(rule): number for number, rule in enumerate(rules)}
    return tuple(shift_of(battle, held) for held in sorted(counted, key=lambda h: (h.back, order[id(h.rule)])))


def within(shifts: tuple[Shift, ...], most: int | None) -> tuple[Shift, ...]:
    """Shifts of the column, and what the table's limit takes back of their sum."""
    back = _back(sum(shift.columns for shift in shifts), most)
    return (*shifts, Shift("over_limit", back, shifts[-1].rule, "modifiers", limits=True)) if back else shifts


def _back(total: int, most: int | None) -> int:
    """What a limit, if there is one, takes back of a sum."""
    return 0 if most is None else min(max(total, -most), most) - total


def ground_of(battle: Battle, forces: Forces, rules: Sequence[modifiers.Modifier]) -> HexModifiers:
    """Those that are asked of each hex attacked by itself, at the one that is best for the defender."""
    each = [rule for rule in rules if rule.each == "target"]
    found = []
    for target in battle.known(forces.targets) if each else ():
        there = altered(forces, targets=(target,))
        rows = tuple(row for rule in each for row in _held(battle, there, rule))
        found.append(HexModifiers(rows, tuple(_counted(battle, rows))))
    return min(found, key=lambda ground: ground.total, default=NO_GROUND)


def lines_of(rule: modifiers.Modifier) -> frozenset[str]:
    """The kinds of hexside that a modifier asks for."""
    return frozenset(kind for c in rule.when if isinstance(c, modifiers.AcrossHexside) for kind in c.hexsides)


def _held(battle: Battle, forces: Forces, rule: modifiers.Modifier) -> Iterator[ActiveModifier]:
    if not all_hold(battle, forces, rule):
        return
    match rule.what:
        case modifiers.Columns(columns=value) | modifiers.Die(die=value):
            value *= forces.times(rule.name)
            yield ActiveModifier(rule, value, rule.name or _line(battle, forces, rule, value))
        case modifiers.ByUnity(of=of):
            bonus = unity_of(battle, party(battle, forces, of), of)
            sign = 1 if of == "attackers" else -1
            for cause, value in (("unity", bonus.regiment), ("division", bonus.division)):
                if value:
                    yield ActiveModifier(rule, sign * value, cause)


def _line(battle: Battle, forces: Forces, rule: modifiers.Modifier, columns: int) -> str:
    """The kind of line that a short-hand speaks of: the first that is worth so much."""
    known, effects = lines_of(rule), battle.tables.hexsides
    for _, sides in sorted(fronts(battle, forces), key=itemgetter(0)):
        kinds = sorted(known.intersection(*sides), key=lambda kind: (effects[kind].combat, kind))
        if kinds and effects[kinds[0]].combat == columns:
            return kinds[0]
    return ""


def shift_of(battle: Battle, held: ActiveModifier) -> Shift:
    """A modifier that holds, as findings and records cite it."""
    words = held.rule.words if isinstance(held.rule, Implied) else "modifiers"
    return Shift(held.cause, held.value, battle.ctx.scenario.citation(held.rule.section), words, held.back)


def _counted(battle: Battle, rows: Iterable[ActiveModifier]) -> Iterator[ActiveModifier]:
    found = [(held.rule, held) for held in rows]
    counted = [held for _, held in _grouped(battle.modifiers.groups, found)]
    yield from counted
    kept = set(map(id, counted))
    for name, take in battle.modifiers.groups.items():
        members = [held for _, held in found if held.rule.group == name and take not in ("sum", "best")]
        # Of a number of shifts players ask which did not count; they are told with what takes them back.
        over = [held for held in members if id(held) not in kept]
        yield from over
        sum_ = sum(held.value for held in members)
        back = _back(sum_, take.most) if isinstance(take, modifiers.Cap) else -sum(held.value for held in over)
        if back:
            yield ActiveModifier((over or members)[-1].rule, back, "over_limit", back=True)


def unity_of(
    battle: Battle, fighters: Iterable[str], of: modifiers.Party, supposed: Mapping[Formation, bool] | None = None
) -> UnityResult:
    """Unity of command of those who fight on one side; `supposed` in place of what the context supposes."""
    units = battle.position.units
    surviving = battle.ctx.option("unity_counts") == "surviving"
    return unity(
        battle.rules.unity,
        battle.position.roster,
        fighters,
        "attack" if of == "attackers" else "defence",
        counts=(lambda u: units[u].alive) if surviving else (lambda _: True),
        stacks=battle.ctx.option("regimental_stacks") == "yes",
        lone=battle.ctx.option("lone_battalion") == "counts",
        supposed=battle.ctx.supposed if supposed is None else supposed,
    )


@dataclass(frozen=True, slots=True)
class Worth:
    """What a unit's strength comes to, and what makes it so; whole unless the game rounds a side's sum alone."""

    points: Fraction | int
    by: tuple[Change, ...] = ()


def strength(
    battle: Battle,
    forces: Forces | None,
    party: modifiers.Party | Literal["guards"],
    unit: str,
    value: int,
    *,
    rules: Iterable[modifiers.Modifier] | None = None,
) -> Worth:
    """What a unit's strength comes to in a combat; without forces, by what depends on no combat.

    `rules` are those of combats, or of bombardments.
    """
    rules = changing(battle, forces, party, unit, value, rules=rules)
    cite = battle.ctx.scenario.citation
    fixed = [(rule, rule.what.strength) for rule in rules if isinstance(rule.what, modifiers.Fixed)]
    by = [Change(rule.name, cite(rule.section), strength=points) for rule, points in fixed[-1:]]
    value = fixed[-1][1] if fixed else value
    factors = [
        (rule, rule.what.by ** (forces.times(rule.name) if forces else 1))
        for rule in rules
        if isinstance(rule.what, modifiers.Multiply)
    ]
    product, rounding = Fraction(value), "up"
    for rule, times in _grouped(battle.modifiers.groups, factors):
        product *= times
        by.append(Change(rule.name, cite(rule.section), factor=times))
        rounding = rule.what.rounding if isinstance(rule.what, modifiers.Multiply) else rounding
    return Worth(product if rounding == "sum" else Fraction(rounded(product, rounding)), tuple(by))


def changing(
    battle: Battle,
    forces: Forces | None,
    party: modifiers.Party | Literal["guards"],
    unit: str,
    value: int,
    *,
    rules: Iterable[modifiers.Modifier] | None = None,
) -> list[modifiers.Modifier]:
    """The modifiers that change a unit's strength in a combat, as `strength` takes them."""
    rules = battle.modifiers.strengths if rules is None else rules
    return [rule for rule in rules if _changes(battle, forces, party, unit, rule, value=value)]


def morale(battle: Battle, forces: Forces, party: modifiers.Party, unit: str, lost: int = 0) -> int:
    """What dice are held against when the morale of a unit is tested that has lost so many steps in the combat."""
    known = battle.unit(unit)
    value = known.morale_at(known.at_loss(battle.position.units[unit].lost + lost))
    rules = [
        (rule, rule.what.morale)
        for rule in battle.modifiers.morale
        if isinstance(rule.what, modifiers.Morale) and _changes(battle, forces, party, unit, rule)
    ]
    return value + sum(by for _, by in _grouped(battle.modifiers.groups, rules))


def _changes(
    battle: Battle,
    forces: Forces | None,
    party: modifiers.Party | Literal["guards"],
    unit: str,
    rule: modifiers.Modifier,
    *,
    value: int = 0,
) -> bool:
    """Whether a modifier changes the strength or morale, of such a `value`, with which a unit takes part."""
    what = rule.what
    if not isinstance(what, modifiers.Strength) or not fits(battle, unit, what.units):
        return False
    if what.of != party and (what.of != "both" or party == "guards"):
        return False
    if forces is None:
        return all_hold(battle, None, rule)
    asked = asked_of(battle, forces, "attackers" if party == "attackers" else "defenders", unit)
    if rule.each == "combat" or party != "attackers":
        return hold_for(battle, asked, rule)
    # Of several hexes the one counts that is best for the defender: whatever helps the attacker must hold at all.
    helps = (
        (isinstance(what, modifiers.Multiply) and what.by > 1)
        or (isinstance(what, modifiers.Fixed) and what.strength > value)
        or (isinstance(what, modifiers.Morale) and what.morale > 0)
    )
    there = [hold_for(battle, asked.at(target), rule) for target in asked.part.targets]
    return all(there) if helps and there else any(there)


def rounded(value: Fraction | int, rounding: str) -> int:
    """A strength or a sum as a whole number, rounded `up`, to the `nearest`, or else down."""
    if isinstance(value, int):
        return value
    more = {"up": 1 - Fraction(1, value.denominator), "nearest": Fraction(1, 2)}
    return floor(value + more.get(rounding, 0))


def barred(
    battle: Battle, forces: Forces, lines: Mapping[str, int], unfit: Collection[str] = ()
) -> Iterator[Finding]:
    """Attackers whom a modifier forbids this attack, and guns the defence, on the lines that name them.

    `unfit` are those who may not take part by other rules.
    """
    attackers = _there(battle, shooters(forces), battle.attacker)
    for unit, rule, targets in _shut_out(
        battle, forces, attackers, battle.modifiers.barring, unfit=unfit, ask=_attacking
    ):
        yield _barred(battle, altered(forces, targets=targets), rule, unit, lines.get(unit, 0))
    guards = _there(battle, forces.guards, battle.defender)
    for gun, rule, _ in _shut_out(battle, forces, guards, battle.modifiers.shielding, unfit=unfit, ask=_guarding):
        yield _barred(battle, forces, rule, gun, lines.get(gun, 0), key="guard-barred")


def _there(battle: Battle, units: Iterable[str], side: str) -> list[str]:
    return [u for u in units if battle.unit(u).side == side and battle.position.hex_of(u) is not None]


def _attacking(battle: Battle, forces: Forces, unit: str) -> Asked:
    return asked_of(battle, forces, "attackers", unit)


def _guarding(battle: Battle, forces: Forces, gun: str) -> Asked:
    # Ground and distance are the gun's own, as of guns that fire for an attack.
    return altered(asked_of(battle, forces, "defenders", gun), part=forces.firing(gun))


def _shut_out(
    battle: Battle,
    forces: Forces,
    units: Sequence[str],
    rules: Sequence[modifiers.Modifier],
    *,
    unfit: Collection[str],
    ask: Callable[[Battle, Forces, str], Asked],
) -> list[tuple[str, modifiers.Modifier, tuple[Hex, ...]]]:
    """Each of some units with the modifiers that bar it, and the hexes from which they do.

    Of those that allow so many and no more nobody counts who may not take part anyway.
    """
    limits = [rule for rule in rules if any(isinstance(c, modifiers.WithUnits) and c.least > 1 for c in rule.when)]
    others = [rule for rule in rules if rule not in limits]
    found = [(u, rule, hexes) for u in units for rule, hexes in bars(battle, ask(battle, forces, u), u, others)]
    out = {*unfit, *(unit for unit, _, _ in found)}
    fit = forces.without(out)
    for unit in (u for u in units if limits and u not in out):
        found += [(unit, rule, hexes) for rule, hexes in bars(battle, ask(battle, fit, unit), unit, limits)]
    return sorted(found, key=lambda row: units.index(row[0]))


def silenced(battle: Battle, forces: Forces, line: int, unfit: Collection[str] = ()) -> Iterator[Finding]:
    """Guns whom a modifier forbids this bombardment; `unfit` may not take part by other rules."""
    guns = _there(battle, forces.supports, battle.attacker)
    for gun, rule, hexes in _shut_out(
        battle, forces, guns, battle.modifiers.silencing, unfit=unfit, ask=_attacking
    ):
        yield _barred(battle, altered(forces, targets=hexes), rule, gun, line)


def bars(
    battle: Battle, asked: Asked, unit: str, rules: Iterable[modifiers.Modifier] | None = None
) -> Iterator[tuple[modifiers.Modifier, tuple[Hex, ...]]]:
    """The modifiers that forbid a unit its part in an attack, each with the hexes that it bars.

    `rules` are those of combats, of bombardments, or of advances.
    """
    for rule in battle.modifiers.barring if rules is None else rules:
        if not isinstance(rule.what, modifiers.Barred | modifiers.Stays) or not fits(battle, unit, rule.what.units):
            continue
        each = [asked.at(t) for t in asked.part.targets] if rule.each == "target" else [asked]
        for one in each:
            if hold_for(battle, one, rule):
                yield rule, one.part.targets


def _barred(
    battle: Battle, forces: Forces, rule: modifiers.Modifier, unit: str, line: int, *, key: str = "attack-barred"
) -> Finding:
    """A finding on a unit that a modifier bars from the targets of some forces."""
    targets = forces.targets
    told = {"section": rule.section, "units": (unit,), "hexes": targets, "unit": unit}
    if rule.name != NOT_ENGAGED:
        cause = Term("modifiers", rule.name, rule.name.replace("_", " "))
        return battle.found(line, key, **told, cause=cause)
    grounds = {
        t for condition in rule.when if isinstance(condition, modifiers.InTerrain) for t in condition.terrain
    }
    what = next(t for t in battle.ctx.map.terrain[targets[0]] if t in grounds)
    return battle.found(line, NOT_ENGAGED, **told, hex=targets[0], what=Term("terrain", what))


def _grouped(
    groups: Mapping[str, modifiers.Group], found: Iterable[tuple[modifiers.Modifier, E]]
) -> list[tuple[modifiers.Modifier, E]]:
    """Those that count, in their own order."""
    rows = list(found)
    dropped = set[int]()
    for name, take in groups.items():
        if take == "sum" or isinstance(take, modifiers.Cap):
            continue
        members = [i for i, (rule, _) in enumerate(rows) if rule.group == name]
        strongest = sorted(members, key=lambda i: -abs(_push(rows[i][1])))
        if take == "best":
            dropped.update(strongest[1:])
            continue
        for sign in (1, -1):
            dropped.update([i for i in strongest if sign * _push(rows[i][1]) > 0][take:])
    return [row for i, row in enumerate(rows) if i not in dropped]


def _push(value: object) -> float:
    """How strong a modifier is, and which way it goes: a half as much down as twice goes up."""
    match value:
        case Fraction():
            return float(value) if value >= 1 else -float(1 / value)
        case ActiveModifier():
            return value.value
        case int():
            return value
    return 0


def lent(battle: Battle, unit: str) -> Worth:
    """The attack of a unit as it stands, its fraction kept: its step, and what changes it in every combat."""
    value = battle.unit(unit).attack_at(battle.position.units[unit].step)
    return strength(battle, None, "attackers", unit, value) if battle.modifiers.strengths else Worth(value)


def attack_of(battle: Battle, unit: str) -> int:
    """The attack of a unit as it stands, whole."""
    return rounded(lent(battle, unit).points, battle.rules.sums)


def defence_of(battle: Battle, unit: str) -> int:
    """The defence of a unit as it stands, whole."""
    value = battle.unit(unit).defence_at(battle.position.units[unit].step)
    if not battle.modifiers.strengths:
        return value
    return rounded(strength(battle, None, "defenders", unit, value).points, battle.rules.sums)
