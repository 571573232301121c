"""All checks of a scenario in order, and those for duplicates, unused names and slips with many effects.

Each rule is a function from a scenario to problems; `RULES` lists them in the order of a game's files. That what is
named exists is one rule for all files; rules of the map and of the set-up have modules of their own.

Rules of a list that are there twice, and rules that speak of nobody: what is copied and not changed.

What a game's own files define and nothing in them uses: most likely a slip of the hand.

Slips of which many lines would tell: what is defined under one name and called by another, told once.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..console import Problem, alike, unknown
from ..model import MEANT_OTHERWISE, Reference, Scenario
from ..schema.base import RefKind, Selector, in_turns
from ..schema.declared import Model
from ..schema.game import GUNS, OPTIONS, PhaseSpec
from ..schema.results import Result
from ..schema.rules_combat import AdvanceRules
from ..schema.setup import CounterRow as Counter
from ..text.words import Param
from . import Checker, Locate, Origin, Rule, Where, slips_of
from .contradictions import CHOICE_RULES
from .contradictions import SLIPS as CHOICES
from .geography import MAP_RULES
from .setup import SETUP_RULES
from .tables import (
    modifiers_are_told_apart,
    phases_limit_what_is_done,
    sides_change_places,
    tables_are_whole,
    weather_dice_are_whole,
    what_lies_beside_the_map_fits,
)
from .texts import ODD_RULES, TEXT_RULES
from .texts import SLIPS as ODD
from .unreachable import REACH_RULES
from .unreachable import SLIPS as REACHED

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
    given = {mark for result in tables.results.values() for mark in result.marks}
    given |= {mark for rule in rules.supply for mark in (rule.mark, *rule.stages)}
    given |= {rule.mark for rule in rules.movement.passages}
    given |= {mark for rule in rules.marks for mark in rule.gives}
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


_MOST_PLACES: Final = 8


class _Definition(NamedTuple):
    """What kind of thing, its id, the file and the place in it."""

    kind: RefKind
    id: str
    file: str
    where: Where


_Section = tuple[RefKind, str, str, Collection[str]]
"""What kind of things, the file and the key that hold them, their ids."""


def misnamed(c: Checker, strange: Sequence[Reference]) -> dict[str, _Definition]:
    """By names that stand for nothing, the definitions that must be meant: each is like one and used by nobody.

    A name that stands in one place alone may be misspelt there as well, and is told there.
    """
    # What dice make of the weather of an area is where that weather is defined.
    used = {str(ref.id) for ref in c.scenario.references if ref.where[0] != "weather_die"}
    idle = [one for one in _definitions(c) if one.id not in used]
    found: dict[str, _Definition] = {}
    several = {name for name, many in Tally(str(ref.id) for ref in strange).items() if many > 1}
    for ref in (one for one in strange if str(one.id) in several) if idle else ():
        there = {id_: one for one in idle if (id_ := one.id) in c.known.get(ref.kind, ())}
        for like in alike(str(ref.id), there):
            found.setdefault(str(ref.id), there[like])
    return found | _skies(c, idle)


def _skies(c: Checker, idle: Sequence[_Definition]) -> dict[str, _Definition]:
    """The same of weathers that no cost goes by, though costs go by weather."""
    tables = c.tables
    costs = [effect.costs for effect in tables.terrain.values()]
    costs += [effect.costs for effect in tables.hexsides.values()]
    costs += [effect.costs for effect in tables.ways.values()]
    priced = {weather for by_class in costs for cost in by_class.values() for weather in cost} - {""}
    found: dict[str, _Definition] = {}
    for one in idle if priced else ():
        if one.kind == "weather" and one.id not in priced:
            found |= dict.fromkeys(alike(one.id, priced), one)
    return found


def misnamings(c: Checker, strange: Iterable[Reference], found: Mapping[str, _Definition]) -> Iterator[Problem]:
    """One problem for each of them, at the definition, with the places that call it otherwise."""
    for name, (_, id_, file, where) in found.items():
        refs = [ref for ref in strange if str(ref.id) == name]
        places = dict.fromkeys(_place(c, ref) for ref in refs[:_MOST_PLACES])
        more = ("…",) if len(refs) > _MOST_PLACES else ()
        say = c.error if not refs or any(ref.binding for ref in refs) else c.warning
        key = "unknown.misnamed" if refs else "unknown.unnamed"
        yield say(file, where, key, id=id_, name=name, places=(*places, *more))


def follows(problem: Problem, found: Mapping[str, _Definition]) -> bool:
    """Whether a problem is one of what is misspelt where it is defined, and goes with that."""
    names = {*found, *(one.id for one in found.values())}
    said = {str(value) for given in problem.message.values.values() for value in _flat(given)}
    return not names.isdisjoint(said | {*str(problem.where).split(".")})


def _flat(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _place(c: Checker, ref: Reference) -> str:
    problem = c.error(ref.file, list(ref.where), "unknown.misnamed")
    return f"{Path(problem.file).name}:{problem.line}"


def _definitions(c: Checker) -> Iterator[_Definition]:
    scenario = c.scenario
    game, tables, ground = scenario.game, scenario.tables, scenario.map
    mappings: tuple[_Section, ...] = (
        ("unit-type", "game.yaml", "unit_types", game.unit_types),
        ("class", "game.yaml", "classes", game.classes),
        ("weather", "game.yaml", "weather", game.weather),
        ("marker", "game.yaml", "markers", game.markers),
        ("track", "game.yaml", "tracks", game.tracks),
        ("terrain", "tables.yaml", "terrain", tables.terrain),
        ("hexside", "tables.yaml", "hexsides", tables.hexsides),
        ("way", "tables.yaml", "ways", tables.ways),
        ("result", "tables.yaml", "results", tables.results),
    )
    for kind, file, key, ids in mappings:
        yield from (_Definition(kind, id_, file, [key, id_]) for id_ in ids)
    for id_ in game.movement_classes:
        yield _Definition("movement-class", id_, "game.yaml", ["movement_classes"])
    for i, side in enumerate(game.sides):
        yield _Definition("side", side.id, "game.yaml", ["sides", i, "id"])
    for i, place in enumerate(ground.places):
        yield _Definition("place", place.id, "map.yaml", ["places", i, "id"])
    for i, area in enumerate(ground.areas):
        yield _Definition("area", area.id, "map.yaml", ["areas", i, "id"])
    yield from (_Definition("unit", id_, "counters.csv", [id_]) for id_ in scenario.counters)
    yield from _thrown(c)
    yield from _causes_marks(c)


def _thrown(c: Checker) -> Iterator[_Definition]:
    """Weathers that dice show."""
    die = c.game.weather_die
    for i, row in enumerate(die.rows if die is not None else ()):
        told_by: list[tuple[Where, Mapping[str, str]]] = [(["shows"], row.shows)]
        told_by += [(["areas", area], shows) for area, shows in row.areas.items()]
        for at, shows in told_by:
            for number, id_ in shows.items():
                yield _Definition("weather", id_, "game.yaml", ["weather_die", "rows", i, *at, number])


def _causes_marks(c: Checker) -> Iterator[_Definition]:
    rules = c.rules
    for code, result in c.tables.results.items():
        yield from (_Definition("mark", mark, "tables.yaml", ["results", code]) for mark in result.marks)
    for i, line in enumerate(rules.supply):
        for mark in (line.mark, *line.stages):
            yield _Definition("mark", mark, "game.yaml", ["rules", "supply", i])
    for i, passage in enumerate(rules.movement.passages):
        yield _Definition("mark", passage.mark, "game.yaml", ["rules", "movement", "passages", i, "mark"])


def check(
    scenario: Scenario, locate: Locate, origin: Origin | None = None, *, names_alone: bool = False
) -> list[Problem]:
    """All contradictions of a scenario, errors and warnings; with `names_alone` names that stand for nothing.

    What is named but does not exist is said first; with hexes off the map the rules of the map are left out, for
    they would stumble over them.
    """
    checker = Checker(scenario, locate, origin)
    there = checker.known
    strange = [r for r in scenario.references if r.id not in there.get(r.kind, (r.id,)) and not _idle(r)]
    checker.strange = frozenset(str(r.id) for r in strange if r.binding)
    off_map = any(r.kind == "hex" for r in strange)
    meant = misnamed(checker, strange)
    found = [*misnamings(checker, strange, meant)]
    found += [_unknown(checker, r, tuple(there[r.kind])) for r in strange if str(r.id) not in meant]
    for rule in () if names_alone else (*OWN_RULES, *RULES):
        if not (off_map and rule in MAP_RULES):
            own = rule in OWN_RULES
            told = (p for p in rule(checker) if not (own and p.severity == "warning" and _lent(p, scenario)))
            found += [p for p in told if not (meant and follows(p, meant))]
    return list(dict.fromkeys(found))


def _lent(problem: Problem, scenario: Scenario) -> bool:
    return Path(problem.file).parent != scenario.folder


def _idle(reference: Reference) -> bool:
    """Whether a name is never looked at: ground for the second hex of an advance that nobody may make."""
    holder = reference.holder
    return isinstance(holder, AdvanceRules) and reference.kind == "terrain" and not holder.two


def _unknown(c: Checker, r: Reference, there: tuple[Param, ...]) -> Problem:
    numbered = r.kind in ("hex", "turn", "face")
    last = there[-1] if numbered else there
    said = unknown(r.kind, r.id, () if numbered else there, known=last, first=there[0] if there else "")
    return c.tell(r.file, list(r.where), said, "error" if r.binding else "warning")


def counters_are_of_this_game(c: Checker) -> Iterator[Problem]:
    """Branches and ids are those of the side; guns have a range; one strength is one; no back is stronger."""
    game = c.game
    sides = {s.id: s for s in game.sides}
    for unit in c.units:
        at = [unit.id]
        spec = sides.get(unit.side)
        if spec is not None and unit.branch not in spec.branches:
            branches = tuple(spec.branches)
            yield c.error("counters.csv", at, "counters.branch", branch=unit.branch, side=unit.side, known=branches)
        elif spec is not None and not unit.id.startswith(f"{spec.prefix}-"):
            yield c.error("counters.csv", at, "counters.prefix", prefix=spec.prefix, side=unit.side)
        if unit.range is not None and unit.type not in game.classes.get(GUNS, ()):
            yield c.warning("counters.csv", at, "counters.no-gun", type=unit.type)
        reach = max(c.map.grid.columns, c.map.grid.rows)
        if unit.range is not None and not 1 <= unit.range <= reach:
            yield c.warning("counters.csv", [unit.id, "range"], "counters.range", range=unit.range, most=reach)
        steps = ((unit.attack, unit.defence), *unit.backs)
        if game.figures != "attack-defence-move" and any(attack != defence for attack, defence in steps):
            yield c.error("counters.csv", [unit.id, "defence"], "counters.one-strength", figures=game.figures)
        if len(unit.morale) > 1 + len(unit.backs) > 1:
            told = {"levels": len(unit.morale), "steps": 1 + len(unit.backs)}
            yield c.warning("counters.csv", [unit.id, "morale"], "counters.morales", **told)
        for what, full, reduced in _falls(unit):
            if reduced is not None and reduced > full:
                yield c.error("counters.csv", at, f"counters.reduced-{what}", reduced=reduced, full=full)


def _falls(unit: Counter) -> Iterator[tuple[str, int, int | None]]:
    """Each figure of a counter with what it is a step later, which is no more."""
    yield "attack", unit.attack, unit.reduced_attack
    yield "defence", unit.defence, unit.reduced_defence
    for before, after in pairwise(unit.backs):
        yield from (("attack", before[0], after[0]), ("defence", before[1], after[1]))


def weather_fills_the_turns(c: Checker) -> Iterator[Problem]:
    """Every turn has one weather where the game has weather at all."""
    game = c.game
    for turn in range(game.turns.first, game.turns.last + 1):
        kinds = [w for w, turns in game.weather.items() if in_turns(turns, turn)]
        if game.weather and len(kinds) != 1:
            yield c.error("game.yaml", ["weather"], "game.weather", turn=turn, count=len(kinds))


def options_can_be_judged(c: Checker) -> Iterator[Problem]:
    """The referee can judge by every choice of an option, and its default is among them."""
    for name, option in c.game.options.items():
        known_choices = OPTIONS.get(name, option.choices)
        for choice in option.choices:
            if choice not in known_choices:
                at = ("options", name, "choices")
                yield c.error("game.yaml", at, "game.choice", choice=choice, known=known_choices)
        if option.default not in option.choices:
            at = ("options", name, "default")
            yield c.error("game.yaml", at, "game.default", default=option.default, known=option.choices)


def gaps_lie_on_the_rim(c: Checker) -> Iterator[Problem]:
    """Hexes of the perimeter that no edge has lie on it."""
    rule = c.rules.combat.off_map
    for edge, hexes in rule.gaps.items() if rule is not None else ():
        for hex_ in hexes:
            if hex_ not in c.rim:
                yield c.error("game.yaml", ["rules", "combat", "off_map", "gaps", edge], "game.gap", hex=hex_)


def victory_can_be_scored(c: Checker) -> Iterator[Problem]:
    """No hex scores twice, and what exits and final losses count with is told."""
    victory, place = c.victory, c.map.place
    scored: dict[str, str] = {}
    for i, objective in enumerate(victory.objectives):
        for hex_, name in ((h, p) for p in objective.place if p in place for h in place[p].hexes):
            other = scored.setdefault(hex_, name)
            if other != name:
                told = partial(c.warning, "victory.yaml", ["objectives", i], "victory.scores-twice")
                yield told(hex=hex_, other=other, place=name)


RULES: tuple[Rule, ...] = (
    what_lies_beside_the_map_fits,
    weather_fills_the_turns,
    options_can_be_judged,
    *MAP_RULES,
    tables_are_whole,
    modifiers_are_told_apart,
    phases_limit_what_is_done,
    sides_change_places,
    weather_dice_are_whole,
    counters_are_of_this_game,
    *SETUP_RULES,
    victory_can_be_scored,
    gaps_lie_on_the_rim,
    *TEXT_RULES,
)
OWN_RULES: tuple[Rule, ...] = (
    partial(slips_of, more=(*CHOICES, *REACHED, *ODD)),
    results_are_used,
    groups_are_used,
    marks_are_given,
    *CHOICE_RULES,
    *REACH_RULES,
    *ODD_RULES,
    nothing_is_said_twice,
    rules_speak_of_somebody,
)
"""Rules whose warnings are for the game's own files: what a family lends need not come to anything in each game."""
