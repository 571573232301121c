"""What is wrong with choices that can never come to anything, or that say nothing: slips that no name betrays.

Modifiers whose conditions cannot hold of what they change: nobody would ever notice them.

Rules of a list that no unit ever comes to, because one before them fits all that they fit.

What is said well and decides nothing: things done twice, for nothing, by nobody, or nowhere.

What a game's own files define and nothing in them uses, and what is copied and not changed.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from ..console import Problem, alike
from ..model import MEANT_OTHERWISE, references
from ..schema import modifiers
from ..schema.base import Selector, in_turns
from ..schema.declared import Model, error, warning
from ..schema.game import GUNS, PhaseSpec, WeatherDie
from ..schema.results import ByOdds, Demand, Failure, Result, Worse
from ..schema.rules import Stacking, Take
from ..schema.rules_movement import March
from ..schema.rules_zones import Supply
from ..schema.setup import ExitScore, VictoryFile
from ..schema.tables import ResultTable
from . import Case, Checker, Slips, Where
from .tables import hurt

_ONE: Final = re.compile(r"[+-]?\d+")
_SPAN: Final = re.compile(r"([+-]?\d+)(?:-|\.\.)([+-]?\d+)")
_COMMON: Final = ("movement", "combat")
"""Phases that every game has, in which sides may well do different things."""
_BEYOND: Final = (("below", 0, ("defender", "attacker")), ("above", -1, ("attacker", "defender")))
"""Which end of a table, its column, and who suffers beyond it and within where the two are exchanged."""


def _unsure(c: Checker, die: WeatherDie) -> Case | None:
    """Each turn has one row of the weather's dice: one that names it, or the one that names none."""
    for turn in c.turns:
        named = sum(row.turns is not None and in_turns(row.turns, turn) for row in die.rows)
        count = named or sum(row.turns is None for row in die.rows)
        if count != 1:
            return {"turn": turn, "count": count}
    return None


def _hidden_levels(_: Checker, victory: VictoryFile) -> Iterator[Case]:
    """Levels of victory behind others that fit whenever they do."""
    for i, level in enumerate(victory.levels):
        for other in victory.levels[:i]:
            if (other.measured, other.by) == (level.measured, level.by) and other.least <= level.least:
                yield {"at": (i,), "name": level.name, "other": other.name}


def _both_count(one: ExitScore, other: ExitScore) -> bool:
    """Whether a unit may leave by two exits at once."""
    by_hex = not one.hexes or not other.hexes or not set(one.hexes).isdisjoint(other.hexes)
    of_all = None in (one.division, other.division) or one.division == other.division
    return by_hex and of_all and (one.side, one.edge) == (other.side, other.edge)


def _phases_differ(_: Checker, victory: VictoryFile) -> Iterator[Case]:
    """Exits by which a unit may leave at once, in other phases by the one than by the other."""
    for i, way_out in enumerate(victory.exits):
        for number, before in enumerate(victory.exits[:i], 1):
            if set(before.phases) != set(way_out.phases) and _both_count(before, way_out):
                yield {"at": (i, "phases"), "other": number}


def _never_taken(c: Checker, take: Take) -> bool:
    """Points for a mark that nobody takes while he moves."""
    late = {p.side for p in c.game.sequence if p.phase != "movement" and "mark" in p.does}
    moving = (p for p in c.game.sequence if p.phase == "movement")
    return take.points is not None and not any(p.side not in late or "mark" in p.does for p in moving)


def _uncounted(c: Checker, rule: Stacking) -> Iterator[Case]:
    """What counts in a stack for nobody."""
    for word in rule.points:
        if not any(word in (u.id, u.size) or word in c.kinds(u.type) for u in c.units):
            yield {"at": (word,)}


def _unpriced(c: Checker, kinds: Sequence[str], who: Sequence[str]) -> Case | None:
    """Ways that have no price for anybody who would go there."""
    types = [t for t in c.game.unit_types if not who or not c.kinds(t).isdisjoint(who)]
    classes = {c.game.unit_types[t].movement for t in types}
    priced = [kind for kind in kinds if not classes.isdisjoint(getattr(c.tables.ways.get(kind), "costs", ()))]
    return {"ways": tuple(kinds)} if kinds and not priced else None


def _undone(c: Checker, phase: PhaseSpec) -> Iterator[Case]:
    """What is done in a phase for which the game has no rule."""
    movement, marks, combat = c.rules.movement, c.rules.marks, c.rules.combat
    there = {
        "recover": movement.recovery or c.rules.replacements,
        "rally": any(rule.rally is not None for rule in marks),
        "mark": any(rule.take is not None for rule in marks),
        "bombard": c.afar or combat.artillery.offboard or c.tables.bombardment is not None,
        "airstrike": combat.air is not None,
        "rail": movement.railway is not None,
    }
    return ({"deed": deed} for deed in phase.does if not there.get(deed, True))


SLIPS: Final[Slips] = (
    (March, warning("game.no-price", "ways", lambda c, r: _unpriced(c, r.ways, r.types))),
    (PhaseSpec, warning("game.no-price", "ways", lambda c, r: _unpriced(c, r.ways, r.who))),
    (PhaseSpec, warning("game.no-such-deed", "does", _undone)),
    (WeatherDie, error("game.weather-row", "rows", _unsure)),
    (VictoryFile, warning("victory.level-hidden", "levels", _hidden_levels)),
    (VictoryFile, error("victory.exit-phases", "exits", _phases_differ)),
    (Take, warning("game.no-points-for", "points", _never_taken)),
    (Stacking, warning("game.fits-nobody", "points", _uncounted)),
)


def columns_follow_one_another(c: Checker) -> Iterator[Problem]:
    """Where a column says its last number, the next begins with the one after it."""
    for key, table in (("crt", c.tables.crt), ("bombardment", c.tables.bombardment)):
        if table is not None and not isinstance(table.column_by, ByOdds):
            yield from _joined(c, key, table)


def _joined(c: Checker, key: str, table: ResultTable) -> Iterator[Problem]:
    last: int | None = None
    spans = any(map(_SPAN.fullmatch, table.columns))
    for name in table.columns:
        span = _SPAN.fullmatch(name)
        first = re.match(r"[+-]?\d+", name)
        if last is not None and first is not None and int(first[0]) != last + 1:
            yield c.error("tables.yaml", [key, "columns"], "tables.gap", column=name, last=last)
        # Where some columns are spans, one with a single number is that number alone.
        last = int(span[2]) if span else int(name) if spans and _ONE.fullmatch(name) else None


def guns_have_a_range(c: Checker) -> Iterator[Problem]:
    """A gun without a range, where others of its type have one; a type of guns of which none has any."""
    kinds = c.game.classes.get(GUNS, ())
    ranged = {u.type for u in c.units if u.range is not None}
    for unit in c.units:
        if unit.range is None and unit.type in kinds and unit.type in ranged:
            yield c.warning("counters.csv", [unit.id, "range"], "counters.no-range")
    for kind in {u.type: None for u in c.units if u.type in kinds and u.type not in ranged}:
        yield c.warning("game.yaml", ["classes", GUNS], "game.no-range-at-all", type=kind)


def fire_costs_nothing(c: Checker) -> Iterator[Problem]:
    """What results of bombardments alone demand of who fires, who takes no more than a mark."""
    tables = c.tables
    codes = [
        {code for cells in table.rows.values() for cell in cells for code in cell.split()} if table else set()
        for table in (tables.bombardment, tables.crt)
    ]
    for code in sorted(codes[0] - codes[1]):
        demand = tables.results[code].attacker if code in tables.results else None
        if demand is not None and demand.model_copy(update={"mark": None}) != Demand():
            yield c.warning("tables.yaml", ["results", code, "attacker"], "tables.fire-costs", code=code)


def morale_is_tested(c: Checker) -> Iterator[Problem]:
    """A type of which no unit has a morale although units are tested; a morale that nothing tests."""
    rallies = (rule.rally for rule in c.rules.marks)
    tested = any(d.morale for result in c.tables.results.values() for d in (result.attacker, result.defender))
    tested = tested or any(rally.passes for rally in rallies if rally)
    worthy = {u.type for u in c.units if u.morale}
    fighting = {u.type: None for u in c.units if u.attack or u.defence}
    for kind in fighting if tested else ():
        if kind not in worthy:
            yield c.warning("game.yaml", ["unit_types", kind], "game.no-morale", type=kind)
    for unit in () if tested else c.units:
        if unit.morale:
            yield c.warning("counters.csv", [unit.id, "morale"], "counters.idle-morale")
            return


def sides_move_and_fight(c: Checker) -> Iterator[Problem]:
    """A side that never moves or never fights."""
    for side in c.game.sides:
        for kind in ("movement", "combat"):
            if not any((phase.side, phase.phase) == (side.id, kind) for phase in c.game.sequence):
                yield c.warning("game.yaml", ["sequence"], "game.no-phase-of", side=side.id, phase=kind)


def somebody_moved_before(c: Checker) -> Iterator[Problem]:
    """Phases for whom an earlier one has moved where there is none."""
    for i, phase in enumerate(c.game.sequence):
        earlier = [one for one in c.game.sequence[:i] if one.side == phase.side]
        going = any(one.phase == "movement" or {"rail", "enter"}.intersection(one.does) for one in earlier)
        if phase.before != "any" and not going:
            yield c.error("game.yaml", ["sequence", i, "before"], "game.none-before", side=phase.side)


def marks_are_heeded(c: Checker) -> Iterator[Problem]:
    """Marks that supply or results give and of which no rule makes anything."""
    used = {r.id for r in references(c.scenario) if r.kind == "mark" and not isinstance(r.holder, Supply)}
    for i, rule in enumerate(c.rules.supply):
        for key, marks in (("mark", (rule.mark,)), ("stages", rule.stages)):
            for mark in marks:
                if mark not in used and not (key == "mark" and rule.stages):
                    yield c.warning("game.yaml", ["rules", "supply", i, key], "game.idle-mark", mark=mark)
    found = [(file, at, giver) for file, at, giver in c.models if isinstance(giver, Demand | Failure | Worse)]
    many = Tally(giver.mark for *_, giver in found if giver.mark)
    for file, at, giver in found:
        if not giver.mark or giver.mark in used | MEANT_OTHERWISE:
            continue
        # Who is given a mark that `again` asks for has it for that; a slip of the pen has it for nothing.
        asked = not isinstance(giver, Worse) and any(one.bears is None for one in giver.again)
        like = alike(giver.mark, used | {m for m in many if many[m] > many[giver.mark]})
        if like or not asked:
            said = "game.mark-like" if like else "game.idle-mark"
            c.strange |= {giver.mark} if like else frozenset[str]()
            yield c.warning(file, [*at, "mark"], said, mark=giver.mark, like="".join(like))


def phases_differ(c: Checker) -> Iterator[Problem]:
    """A phase that is there twice on end; one of the game's own in which one side does nothing."""
    sequence = c.game.sequence
    for i, (first, second) in enumerate(pairwise(sequence), 1):
        if first == second:
            yield c.warning("game.yaml", ["sequence", i], "game.phase-twice", phase=second.phase, side=second.side)
    for i, phase in enumerate(sequence):
        other = next((p for p in sequence if p.phase == phase.phase and p.side != phase.side and p.does), None)
        if phase.phase not in _COMMON and not phase.does and other is not None:
            one_sided = partial(c.warning, "game.yaml", ["sequence", i], "game.one-sided")
            yield one_sided(phase=phase.phase, side=phase.side, other=other.side, does=tuple(other.does))


def everybody_moves(c: Checker) -> Iterator[Problem]:
    """Types of which every phase of movement of their side leaves those out that could move."""
    units = c.units
    for side in c.game.sides:
        phases = [p for p in c.game.sequence if (p.side, p.phase) == (side.id, "movement")]
        types = dict.fromkeys(unit.type for unit in units if unit.side == side.id and unit.move)
        left = tuple(t for t in types if all(p.who and c.kinds(t).isdisjoint(p.who) for p in phases) and phases)
        if left:
            yield c.warning("game.yaml", ["sequence"], "game.never-moves", side=side.id, types=left)


def ends_of_the_table_agree(c: Checker) -> Iterator[Problem]:
    """What becomes of odds beyond a table, where it is worse for the stronger than its last column."""
    tables = c.tables
    table = tables.crt
    for name, column, (beyond, within) in _BEYOND:
        code = getattr(table.column_by, name, "")
        cells = [cells[column] for cells in table.rows.values() if cells]
        known = tables.results
        there = [hurt([known[one] for one in cell.split() if one in known]) for cell in cells]
        if code in known and hurt([known[code]]) == {beyond} and {within} in there:
            where = ("crt", "column_by", name)
            yield c.warning("tables.yaml", where, "tables.turned-beyond", code=code, column=table.columns[column])


def units_are_armed(c: Checker) -> Iterator[Problem]:
    """Units without any strength, where others of their type have some."""
    units = c.units
    armed = {unit.type for unit in units if unit.attack or unit.defence}
    for unit in units:
        if not unit.attack and not unit.defence and unit.type in armed:
            yield c.warning("counters.csv", [unit.id], "counters.unarmed", type=unit.type)


def modifiers_may_hold(c: Checker) -> Iterator[Problem]:
    """Errors on modifiers that can change nothing in any combat, or under any fire."""
    rules = c.rules.combat
    close = rules.artillery.adjacent == "fire"
    for i, rule in enumerate(rules.modifiers):
        at = ("rules", "combat", "modifiers", i)
        fire = rule.table == "bombardment"
        if fire and isinstance(rule.what, modifiers.Multiply | modifiers.Fixed) and rule.what.of == "defenders":
            yield c.error("game.yaml", [*at, "what", "of"], "tables.no-defence", name=rule.name)
        if fire and isinstance(rule.what, modifiers.ByUnity) and rule.what.of == "attackers":
            yield c.error("game.yaml", [*at, "what", "of"], "tables.no-unity", name=rule.name)
        units = getattr(rule.what, "units", None)
        if units is not None and units.ran and getattr(rule.what, "of", "") in ("defenders", "guards"):
            yield c.error("game.yaml", [*at, "what", "units"], "tables.never-ran", name=rule.name)
        for j, condition in enumerate(rule.when):
            if isinstance(condition, modifiers.WithUnits) and condition.ran and condition.of == "defenders":
                yield c.error("game.yaml", [*at, "when", j], "tables.never-ran", name=rule.name)
            if _next_to_it(rule.what) and _from_afar(condition):
                yield c.error("game.yaml", [*at, "when", j], "tables.never-afar", name=rule.name)
            if _in_an_overrun(condition) and (fire or not c.rules.movement.overruns):
                yield c.error("game.yaml", [*at, "when", j], "tables.never-overrun", name=rule.name)
            if fire and not close and _from_next_to_it(condition):
                yield c.error("game.yaml", [*at, "when", j], "tables.never-near", name=rule.name)


def _in_an_overrun(condition: modifiers.Condition) -> bool:
    return isinstance(condition, modifiers.InOverrun) and condition.share == "all"


def _next_to_it(what: modifiers.Effect) -> bool:
    """Whether an effect is on attackers next to the target alone: they are tested, and go forward."""
    return isinstance(what, modifiers.Stays) or (isinstance(what, modifiers.Morale) and what.of == "attackers")


def _from_afar(one: modifiers.Condition) -> bool:
    """Whether a condition never holds of who stands next to the target."""
    far = isinstance(one, modifiers.Between) or (isinstance(one, modifiers.AtRange) and one.least > 1)
    return (far and getattr(one, "share", "") != "none") or (isinstance(one, modifiers.FromAfar) and one.alone)


def _from_next_to_it(one: modifiers.Condition) -> bool:
    """Whether a condition holds only where somebody attacks or fires from next to the target."""
    near = isinstance(one, modifiers.AcrossHexside) or (isinstance(one, modifiers.AtRange) and one.most == 1)
    return (near and getattr(one, "share", "") != "none") or (
        isinstance(one, modifiers.Around) or (isinstance(one, modifiers.FromAfar) and not one.alone)
    )


_LISTED: Final = ("types", "divisions", "units", "marks", "weather")
_ALIKE: Final = ("phase", "whose", "moved")
"""Keys of which nothing fits everything: other values fit other cases."""


def rules_are_reached(c: Checker) -> Iterator[Problem]:
    """Where the first rule that fits counts, none stands behind one that fits whatever it fits."""
    rules = c.rules
    railway = rules.movement.railway
    groups: dict[tuple[str, ...], Sequence[Model]] = {
        ("attrition",): rules.attrition,
        ("replacements",): rules.replacements,
        ("movement", "zones", "exceptions"): rules.movement.zones.exceptions,
        ("movement", "railway", "uses"): railway.uses if railway is not None else (),
        ("combat", "advance", "far"): rules.combat.advance.far,
    }
    for keys, group in groups.items():
        for i, rule in enumerate(group):
            at: Where = ("rules", *keys, i)
            for j in range(i):
                both = _crossing(group[j], rule)
                if _covers(c, group[j], rule):
                    found = c.warning("game.yaml", at, "game.never-come-to", other=j + 1)
                elif both is not None and _covers(c, group[j], rule, ("turns",)):
                    found = c.warning("game.yaml", at, "game.crosses", other=j + 1, first=both[0], last=both[1])
                else:
                    continue
                yield found
                break


def _crossing(first: Model, second: Model) -> tuple[int, int] | None:
    """The turns of either where each has some that the other has not: a slip, and no exception from a rule."""
    mine, theirs = getattr(first, "turns", None), getattr(second, "turns", None)
    if mine is None or theirs is None:
        return None
    both = (max(mine[0], theirs[0]), min(mine[1], theirs[1]))
    return both if both[0] <= both[1] and both not in (tuple(mine), tuple(theirs)) else None


def _covers(c: Checker, first: Model, second: Model, but: tuple[str, ...] = ()) -> bool:
    """Whether one rule fits whatever another fits, but for some keys."""
    for key in _ALIKE:
        if getattr(first, key, None) != getattr(second, key, None):
            return False
    if getattr(first, "side", None) not in (None, getattr(second, "side", None)):
        return False
    mine, theirs = getattr(first, "turns", None), getattr(second, "turns", None)
    if (
        "turns" not in but
        and mine is not None
        and (theirs is None or not mine[0] <= theirs[0] <= theirs[1] <= mine[1])
    ):
        return False
    for key in _LISTED:
        wide, narrow = _asked(c, key, first), _asked(c, key, second)
        if wide and not (narrow and wide >= narrow):
            return False
    return True


def _asked(c: Checker, key: str, rule: Model) -> frozenset[str]:
    """What a rule asks for in a key; types by themselves, without their classes."""
    asked = frozenset(getattr(rule, key, ()))
    if key != "types":
        return asked
    return frozenset(t for t in c.game.unit_types if asked & c.kinds(t)) if asked else asked


_REPEATED: Final = ("sequence", "when", "ways", "hexsides", "bridges", "at_start", "reinforcements", "modifiers")
"""Lists in which a thing may stand twice, or of which another check says so."""


def nothing_is_said_twice(c: Checker) -> Iterator[Problem]:
    """The items of a list that an earlier one of it says already."""
    seen: dict[tuple[str | int, ...], list[Model]] = {}
    for file, where, model in c.models:
        if len(where) > 1 and isinstance(where[-1], int) and where[-2] not in _REPEATED:
            before = seen.setdefault((file, *where[:-1]), [])
            if model in before:
                yield c.warning(file, where, "value.said-twice", other=before.index(model) + 1)
            before.append(model)


def rules_speak_of_somebody(c: Checker) -> Iterator[Problem]:
    """A rule for units of which there are none, and a phase in which nobody acts."""
    known = {*c.known["type"]}
    for file, where, rule in c.models:
        if isinstance(rule, PhaseSpec) and rule.who and known.issuperset(rule.who):
            if not _speaks(c, Selector(side=rule.side, types=rule.who)):
                yield c.warning(file, [*where, "who"], "game.phase-of-nobody", side=rule.side, who=rule.who)
        elif isinstance(rule, Selector) and known.issuperset(rule.types) and not _speaks(c, rule):
            yield c.warning(file, where, "game.fits-nobody")


def _speaks(c: Checker, rule: Selector) -> bool:
    return any(c.scenario.fits(rule, id_) for id_ in c.counters)


def results_are_used(c: Checker) -> Iterator[Problem]:
    tables, overruns = c.tables, c.rules.movement.overruns
    both = [table for table in (tables.crt, tables.bombardment) if table is not None]
    used = {code for table in both for cells in table.rows.values() for cell in cells for code in cell.split()}
    used |= {getattr(tables.crt.column_by, key, "end") for key in ("below", "above")}
    used |= {rule.result for rule in overruns if rule.result}
    for code in tables.results:
        if code not in used:
            yield c.warning("tables.yaml", ["results", code], "tables.unused-result", code=code)
    without = [code for code, result in tables.results.items() if code in used and result == Result()]
    for code in without[1:]:
        yield c.warning("tables.yaml", ["results", code], "tables.without-effect", code=code, other=without[0])


def groups_are_used(c: Checker) -> Iterator[Problem]:
    rules = c.rules.combat
    used = {rule.group for rule in rules.modifiers}
    for name in rules.groups:
        if name not in used:
            yield c.warning("game.yaml", ["rules", "combat", "groups", name], "tables.unused-group", name=name)


def marks_are_given(c: Checker) -> Iterator[Problem]:
    rules, tables = c.rules, c.tables
    given = c.given | {rule.mark for rule in rules.movement.passages}
    for code, result in tables.results.items():
        for mark in sorted(MEANT_OTHERWISE.intersection(result.marks)):
            # Results gave such marks before sheets could name them: a game that has one is played on as it was.
            yield c.warning("tables.yaml", ["results", code], "tables.mark-word", mark=mark)
    for number, rule in enumerate(rules.marks):
        at = ("rules", "marks", number)
        if rule.take is not None and rule.mark in MEANT_OTHERWISE:
            yield c.error("game.yaml", [*at, "mark"], "tables.mark-word", mark=rule.mark)
        if rule.mark not in given:
            yield c.warning("game.yaml", [*at, "mark"], "tables.unused-mark", name=rule.mark)
