"""All checks of a scenario in order, and that what is named exists.

Each rule is a public function of a module, from an examination to problems, or stands with a schema's fields.

Slips of which many lines would tell: what is defined under one name and called by another, told once.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..console import Problem, alike, unknown
from ..model import Reference, Scenario
from ..schema.base import Defines, RefKind
from ..schema.rules_combat import AdvanceRules
from ..text.words import Param
from ..walk import marked
from . import (
    Checker,
    Locate,
    Origin,
    Rule,
    Where,
    contradictions,
    geography,
    oddities,
    rules_of,
    setup,
    slips_of,
    tables,
    texts,
    unreachable,
)

_MOST_PLACES: Final = 8


class _Definition(NamedTuple):
    """What kind of thing, its id, the file and the place in it."""

    kind: RefKind
    id: str
    file: str
    where: Where


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
    priced = {weather for *_, effect in c.effects for cost in effect.costs.values() for weather in cost} - {""}
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
    for one in marked(c.scenario, Defines):
        where = one.where[:1] if one.file.endswith(".csv") else one.where
        yield _Definition(one.mark.kind, str(one.value), one.file, where)


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


MAP_RULES: Final = rules_of(geography)
RULES: Final = (*MAP_RULES, *rules_of(tables), *rules_of(setup), *rules_of(texts))
OWN_RULES: Final[tuple[Rule, ...]] = (
    partial(slips_of, more=(*contradictions.SLIPS, *unreachable.SLIPS, *oddities.SLIPS)),
    *(rule for module in (contradictions, unreachable, oddities) for rule in rules_of(module)),
)
"""Rules whose warnings are for the game's own files: what a family lends need not come to anything in each game."""
