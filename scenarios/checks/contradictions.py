"""What is wrong with choices that can never come to anything, or that say nothing: slips that no name betrays.

Modifiers whose conditions cannot hold of what they change: nobody would ever notice them.

Rules of a list that no unit ever comes to, because one before them fits all that they fit.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from ..console import Problem, alike
from ..model import MEANT_OTHERWISE, references
from ..schema import modifiers
from ..schema.base import in_turns
from ..schema.declared import Model
from ..schema.game import GUNS, PhaseSpec, Share
from ..schema.modifiers import Between, Die
from ..schema.results import ByOdds, Demand, Failure, Result, Worse
from ..schema.rules_zones import Supply
from ..schema.setup import ExitScore
from ..schema.tables import ResultTable
from . import Checker
from .no_effect import keys_come_to_something

_ONE: Final = re.compile(r"[+-]?\d+")
_SPAN: Final = re.compile(r"([+-]?\d+)(?:-|\.\.)([+-]?\d+)")


_Giver = Demand | Failure | Worse


def choices_come_to_something(c: Checker) -> Iterator[Problem]:
    """Rules without what they work with; of what a family lends nothing is told but in the family itself."""
    found = (
        *_weather(c),
        *_lines(c),
        *_allowances(c),
        *_replacements(c),
        *_ends(c),
        *_columns(c),
        *_guns(c),
        *_fire(c),
        *_morale(c),
        *_idle_marks(c),
        *_views(c),
        *_taken(c),
        *_phases(c),
        *_entries(c),
        *_ways(c),
        *keys_come_to_something(c),
    )
    yield from (p for p in found if p.severity == "error" or Path(p.file).parent == c.scenario.folder)


def _weather(c: Checker) -> Iterator[Problem]:
    """Each turn has one row of the weather's dice: one that names it, or the one that names none."""
    game = c.scenario.game
    rows = game.weather_die.rows if game.weather_die is not None else ()
    for turn in range(game.turns.first, game.turns.last + 1) if rows else ():
        named = sum(row.turns is not None and in_turns(row.turns, turn) for row in rows)
        count = named or sum(row.turns is None for row in rows)
        if count != 1:
            yield c.error("game.yaml", ["weather_die", "rows"], "game.weather-row", turn=turn, count=count)
            return


def _lines(c: Checker) -> Iterator[Problem]:
    rules = c.scenario.game.rules
    for i, rule in enumerate(rules.supply):
        at: list[str | int] = ["rules", "supply", i]
        if not rule.places and not rule.edges and not rule.depots:
            yield c.error("game.yaml", at, "game.no-source")
        if rule.headquarters_line is not None and not rule.headquarters:
            yield c.warning("game.yaml", [*at, "headquarters_line"], "game.no-headquarters")
        if not rule.direct and not rule.headquarters:
            yield c.error("game.yaml", [*at, "direct"], "game.nobody-passes")
    for i, march in enumerate(rules.movement.marches):
        if march.times == 1 and not march.more:
            yield c.error("game.yaml", ["rules", "movement", "marches", i], "game.vain-march")
    for i, dearer in enumerate(rules.movement.surcharges):
        if not (dearer.terrain or dearer.hexsides) or not (dearer.points or dearer.whole or dearer.barred):
            yield c.error("game.yaml", ["rules", "movement", "surcharges", i], "game.vain-surcharge")


def _allowances(c: Checker) -> Iterator[Problem]:
    """Shares that leave allowances as they are, phases for whom an earlier one has moved where there is none."""
    game = c.scenario.game
    for i, rule in enumerate(game.rules.movement.allowances):
        if rule.times == rule.divide and not rule.more and not rule.less:
            yield c.error("game.yaml", ["rules", "movement", "allowances", i], "game.vain-share")
    for i, phase in enumerate(game.sequence):
        if isinstance(phase.allowance, Share) and phase.allowance.times == phase.allowance.divide:
            yield c.error("game.yaml", ["sequence", i, "allowance"], "game.vain-share")
        earlier = [one for one in game.sequence[:i] if one.side == phase.side]
        going = any(one.phase == "movement" or {"rail", "enter"}.intersection(one.does) for one in earlier)
        if phase.before != "any" and not going:
            yield c.error("game.yaml", ["sequence", i, "before"], "game.none-before", side=phase.side)
    for i, sworn in enumerate(game.rules.allegiance):
        if sworn.side == sworn.to:
            yield c.error("game.yaml", ["rules", "allegiance", i, "to"], "game.sworn-already", side=sworn.to)


def _replacements(c: Checker) -> Iterator[Problem]:
    for i, rule in enumerate(c.scenario.game.rules.replacements):
        at: list[str | int] = ["rules", "replacements", i]
        if rule.rebuild is not None and not rule.places and not rule.edges and not rule.near:
            yield c.error("game.yaml", [*at, "rebuild"], "game.no-return")
        if rule.near is not None and rule.near.side not in (None, rule.side):
            yield c.error("game.yaml", [*at, "near", "side"], "game.near-nobody", side=rule.side)
        if rule.rebuild is None and rule.step is None:
            yield c.error("game.yaml", at, "game.vain-points")


def _both_count(one: ExitScore, other: ExitScore) -> bool:
    """Whether a unit may leave by two exits at once."""
    by_hex = not one.hexes or not other.hexes or not set(one.hexes).isdisjoint(other.hexes)
    of_all = None in (one.division, other.division) or one.division == other.division
    return by_hex and of_all and (one.side, one.edge) == (other.side, other.edge)


def _ends(c: Checker) -> Iterator[Problem]:
    victory = c.scenario.victory
    for i, end in enumerate(victory.sudden):
        if not end.place and end.points is None and end.lead is None and not end.none_left:
            yield c.error("victory.yaml", ["sudden", i], "victory.no-condition")
    for i, way_out in enumerate(victory.exits):
        rim = c.scenario.map.edges.get(way_out.edge, frozenset())
        for hex_ in way_out.hexes:
            if hex_ not in rim:
                yield c.error(
                    "victory.yaml", ["exits", i, "hexes"], "victory.exit-hex", hex=hex_, edge=way_out.edge
                )
        for number, before in enumerate(victory.exits[:i], 1):
            if set(before.phases) != set(way_out.phases) and _both_count(before, way_out):
                yield c.error("victory.yaml", ["exits", i, "phases"], "victory.exit-phases", other=number)
    for i, level in enumerate(victory.levels):
        for other in victory.levels[:i]:
            if (other.measured, other.by) == (level.measured, level.by) and other.least <= level.least:
                told = {"name": level.name, "other": other.name}
                yield c.warning("victory.yaml", ["levels", i], "victory.level-hidden", **told)


def _columns(c: Checker) -> Iterator[Problem]:
    tables = c.scenario.tables
    for key, table in (("crt", tables.crt), ("bombardment", tables.bombardment)):
        if table is not None and not isinstance(table.column_by, ByOdds):
            yield from _joined(c, key, table)
    moved = any(isinstance(rule.what, Die) for rule in c.scenario.game.rules.combat.modifiers)
    if tables.crt.die_modifier_most is not None and not moved:
        yield c.warning("tables.yaml", ["crt", "die_modifier_most"], "tables.no-die-modifier")


def _joined(c: Checker, key: str, table: ResultTable) -> Iterator[Problem]:
    """Where a column says its last number, the next begins with the one after it."""
    last: int | None = None
    spans = any(map(_SPAN.fullmatch, table.columns))
    for name in table.columns:
        span = _SPAN.fullmatch(name)
        first = re.match(r"[+-]?\d+", name)
        if last is not None and first is not None and int(first[0]) != last + 1:
            yield c.error("tables.yaml", [key, "columns"], "tables.gap", column=name, last=last)
        # Where some columns are spans, one with a single number is that number alone.
        last = int(span[2]) if span else int(name) if spans and _ONE.fullmatch(name) else None


def _guns(c: Checker) -> Iterator[Problem]:
    """A gun without a range, where others of its type have one; a type of guns of which none has any."""
    kinds = c.scenario.game.classes.get(GUNS, ())
    ranged = {u.type for u in c.scenario.counters.values() if u.range is not None}
    for unit in c.scenario.counters.values():
        if unit.range is None and unit.type in kinds and unit.type in ranged:
            yield c.warning("counters.csv", [unit.id, "range"], "counters.no-range")
    for kind in {u.type: None for u in c.scenario.counters.values() if u.type in kinds and u.type not in ranged}:
        yield c.warning("game.yaml", ["classes", GUNS], "game.no-range-at-all", type=kind)


def _views(c: Checker) -> Iterator[Problem]:
    """What lies between matters to who fires from afar alone."""
    afar = any(unit.range is not None for unit in c.scenario.counters.values())
    for i, rule in enumerate(c.scenario.game.rules.combat.modifiers):
        if not afar and any(isinstance(condition, Between) for condition in rule.when):
            yield c.warning("game.yaml", ["rules", "combat", "modifiers", i], "game.no-view")


def _taken(c: Checker) -> Iterator[Problem]:
    """Points for a mark that nobody takes while he moves."""
    moving = [p for p in c.scenario.game.sequence if p.phase == "movement"]
    late = {p.side for p in c.scenario.game.sequence if p.phase != "movement" and "mark" in p.does}
    early = {p.side for p in moving if p.side not in late or "mark" in p.does}
    for i, rule in enumerate(c.scenario.game.rules.marks):
        if rule.take is not None and rule.take.points is not None and not early:
            yield c.warning("game.yaml", ["rules", "marks", i, "take", "points"], "game.no-points-for")


def _fire(c: Checker) -> Iterator[Problem]:
    """What results of bombardments alone demand of who fires, who takes no more than a mark."""
    tables = c.scenario.tables
    codes = [
        {code for cells in table.rows.values() for cell in cells for code in cell.split()} if table else set()
        for table in (tables.bombardment, tables.crt)
    ]
    for code in sorted(codes[0] - codes[1]):
        demand = tables.results[code].attacker if code in tables.results else None
        if demand is not None and demand.model_copy(update={"mark": None}) != Demand():
            yield c.warning("tables.yaml", ["results", code, "attacker"], "tables.fire-costs", code=code)


def _morale(c: Checker) -> Iterator[Problem]:
    """A type of which no unit has a morale although units are tested; a morale that nothing tests."""
    rallies = (rule.rally for rule in c.scenario.game.rules.marks)
    tested = any(
        d.morale for result in c.scenario.tables.results.values() for d in (result.attacker, result.defender)
    )
    tested = tested or any(rally.passes for rally in rallies if rally)
    worthy = {u.type for u in c.scenario.counters.values() if u.morale}
    fighting = {u.type: None for u in c.scenario.counters.values() if u.attack or u.defence}
    for kind in fighting if tested else ():
        if kind not in worthy:
            yield c.warning("game.yaml", ["unit_types", kind], "game.no-morale", type=kind)
    for unit in () if tested else c.scenario.counters.values():
        if unit.morale:
            yield c.warning("counters.csv", [unit.id, "morale"], "counters.idle-morale")
            return


def _phases(c: Checker) -> Iterator[Problem]:
    """A side that never moves or never fights."""
    sequence = c.scenario.game.sequence
    for side in c.scenario.game.sides:
        for kind in ("movement", "combat"):
            if not any((phase.side, phase.phase) == (side.id, kind) for phase in sequence):
                yield c.warning("game.yaml", ["sequence"], "game.no-phase-of", side=side.id, phase=kind)


def _entries(c: Checker) -> Iterator[Problem]:
    """Reinforcements of a side that has no phase in which anybody comes on the map, or none in their turn."""
    where: list[str | int]
    let_in: dict[str, set[str]] = {}
    sequence = c.scenario.game.sequence
    for phase in sequence:
        if _lets_in(phase):
            let_in.setdefault(phase.side, set()).update(phase.names)
    for i, line in enumerate(c.scenario.setup.reinforcements):
        side = next((u.side for id_ in line.units if (u := c.scenario.counters.get(id_)) is not None), None)
        if side is not None and side not in let_in:
            yield c.warning("setup.yaml", ["reinforcements", i], "setup.no-phase", side=side)
        elif side is not None and not any(p.side == side and _lets_in(p) and p.played(line.turn) for p in sequence):
            where = ["reinforcements", i, "turn"]
            yield c.warning("setup.yaml", where, "setup.no-phase-then", side=side, turn=line.turn)
        lets = let_in.get(side or "", set())
        for kind in line.phases if lets else ():
            if kind not in lets:
                where = ["reinforcements", i, "phases"]
                known = tuple(sorted(lets))
                yield c.error("setup.yaml", where, "setup.no-entry-phase", side=side or "", phase=kind, known=known)
        if line.until is not None and line.until < line.turn:
            yield c.error("setup.yaml", ["reinforcements", i, "until"], "setup.until-early", turn=line.turn)


def _lets_in(phase: PhaseSpec) -> bool:
    """Whether anybody comes on the map in a phase."""
    return "enter" in phase.does or (phase.phase == "movement" and phase.entry)


def _ways(c: Checker) -> Iterator[Problem]:
    """Phases and marches along ways that have no price for anybody who would go there."""
    game, ways = c.scenario.game, c.scenario.tables.ways
    asked: list[tuple[list[str | int], tuple[str, ...], tuple[str, ...]]] = [
        (["sequence", i, "ways"], phase.ways, phase.who) for i, phase in enumerate(game.sequence)
    ]
    for i, march in enumerate(game.rules.movement.marches):
        asked.append((["rules", "movement", "marches", i, "ways"], march.ways, march.types))
    for at, kinds, who in asked:
        types = [t for t in game.unit_types if not who or not c.scenario.kinds(t).isdisjoint(who)]
        classes = {game.unit_types[t].movement for t in types}
        priced = [kind for kind in kinds if kind in ways and not classes.isdisjoint(ways[kind].costs)]
        if kinds and not priced:
            yield c.warning("game.yaml", at, "game.no-price", ways=tuple(kinds))


def _idle_marks(c: Checker) -> Iterator[Problem]:
    """Marks that supply or results give and of which no rule makes anything."""
    used = {r.id for r in references(c.scenario) if r.kind == "mark" and not isinstance(r.holder, Supply)}
    for i, rule in enumerate(c.scenario.game.rules.supply):
        for key, marks in (("mark", (rule.mark,)), ("stages", rule.stages)):
            for mark in marks:
                if mark not in used and not (key == "mark" and rule.stages):
                    at: list[str | int] = ["rules", "supply", i, key]
                    yield c.warning("game.yaml", at, "game.idle-mark", mark=mark)
    results = c.scenario.tables.results
    many = Tally(mark for code, result in results.items() for *_, mark in _given(result, code))
    for code, result in results.items():
        for at_, giver, given in _given(result, code):
            if given in used | MEANT_OTHERWISE:
                continue
            # Who is given a mark that `again` asks for has it for that; a slip of the pen has it for nothing.
            asked = not isinstance(giver, Worse) and any(one.bears is None for one in giver.again)
            like = alike(given, used | {m for m in many if many[m] > many[given]})
            if like or not asked:
                said = "game.mark-like" if like else "game.idle-mark"
                c.strange |= {given} if like else frozenset[str]()
                yield c.warning("tables.yaml", [*at_, "mark"], said, mark=given, like="".join(like))


def _given(result: Result, code: str) -> Iterator[tuple[Sequence[str | int], _Giver, str]]:
    """Each mark that a result gives, with what gives it and where that stands."""
    for part, demand in (("attacker", result.attacker), ("defender", result.defender)):
        for where, giver in _givers(demand, ["results", code, part]):
            if giver.mark is not None:
                yield where, giver, giver.mark


def _givers(demand: Demand, where: Sequence[str | int]) -> Iterator[tuple[Sequence[str | int], _Giver]]:
    """What gives marks in a demand, and where it stands."""
    yield where, demand
    yield from (([*where, "again", i], worse) for i, worse in enumerate(demand.again))
    if demand.morale is not None:
        at = [*where, "morale", "fails"]
        yield at, demand.morale.fails
        yield from (([*at, "again", i], worse) for i, worse in enumerate(demand.morale.fails.again))


def modifiers_may_hold(c: Checker) -> Iterator[Problem]:
    """Errors on modifiers that can change nothing in any combat, or under any fire."""
    rules = c.scenario.game.rules.combat
    close = rules.artillery.adjacent == "fire"
    for i, rule in enumerate(rules.modifiers):
        at: list[str | int] = ["rules", "combat", "modifiers", i]
        fire = rule.table == "bombardment"
        if fire and isinstance(rule.what, modifiers.Multiply | modifiers.Fixed) and rule.what.of == "defenders":
            yield c.error("game.yaml", [*at, "what", "of"], "tables.no-defence", name=rule.name)
        if fire and isinstance(rule.what, modifiers.ByUnity) and rule.what.of == "attackers":
            yield c.error("game.yaml", [*at, "what", "of"], "tables.no-unity", name=rule.name)
        for j, condition in enumerate(rule.when):
            if _next_to_it(rule.what) and _from_afar(condition):
                yield c.error("game.yaml", [*at, "when", j], "tables.never-afar", name=rule.name)
            if _in_an_overrun(condition) and (fire or not c.scenario.game.rules.movement.overruns):
                yield c.error("game.yaml", [*at, "when", j], "tables.never-overrun", name=rule.name)
            if fire and not close and _from_next_to_it(condition):
                yield c.error("game.yaml", [*at, "when", j], "tables.never-near", name=rule.name)


def _in_an_overrun(condition: modifiers.Condition) -> bool:
    return isinstance(condition, modifiers.InOverrun) and condition.share == "all"


def _next_to_it(what: modifiers.Effect) -> bool:
    """Whether an effect is on attackers next to the target alone: they are tested, and go forward."""
    return isinstance(what, modifiers.Stays) or (isinstance(what, modifiers.Morale) and what.of == "attackers")


def _from_afar(condition: modifiers.Condition) -> bool:
    """Whether a condition never holds of who stands next to the target."""
    match condition:
        case modifiers.Between():
            return condition.share != "none"
        case modifiers.AtRange():
            return condition.least > 1 and condition.share != "none"
        case modifiers.FromAfar():
            return condition.alone
    return False


def _from_next_to_it(condition: modifiers.Condition) -> bool:
    """Whether a condition holds only where somebody attacks or fires from next to the target."""
    match condition:
        case modifiers.AcrossHexside():
            return condition.share != "none"
        case modifiers.AtRange():
            return condition.most == 1 and condition.share != "none"
        case modifiers.FromAfar():
            return not condition.alone
    return isinstance(condition, modifiers.Around)


_LISTED: Final = ("types", "divisions", "units", "marks", "weather")
_ALIKE: Final = ("phase", "whose", "moved")
"""Keys of which nothing fits everything: other values fit other cases."""


def rules_are_reached(c: Checker) -> Iterator[Problem]:
    """Where the first rule that fits counts, none stands behind one that fits whatever it fits."""
    rules = c.scenario.game.rules
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
            at: list[str | int] = ["rules", *keys, i]
            for j in range(i):
                both = _crossing(group[j], rule)
                if _covers(c, group[j], rule):
                    found = c.warning("game.yaml", at, "game.never-come-to", other=j + 1)
                elif both is not None and _covers(c, group[j], rule, ("turns",)):
                    found = c.warning("game.yaml", at, "game.crosses", other=j + 1, first=both[0], last=both[1])
                else:
                    continue
                if Path(found.file).parent == c.scenario.folder:
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
    return frozenset(t for t in c.scenario.game.unit_types if asked & c.scenario.kinds(t)) if asked else asked
