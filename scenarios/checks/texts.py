"""What is wrong with the words of a game: what one language lacks, and what is the word for nothing.

Warnings on what is sound by itself but stands so oddly beside its like that it is most likely a slip.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache, partial
from itertools import chain, combinations, pairwise
from typing import Any, Final

from ..console import Problem, alike
from ..model import MEANT_OTHERWISE, NAMED_IN_SHEETS, Text, markers, marks, references
from ..schema.base import RefKind
from ..schema.declared import warning
from ..schema.modifiers import IsDeclared, Morale, Together
from ..schema.results import Dice, lower_bounds
from ..schema.rules import Stacking, Untried
from ..schema.rules_movement import Railway
from ..text.words import SOURCE, catalogue
from . import Case, Checker, Rule, Slips

_NAMED: Final[Mapping[str, RefKind]] = {
    "areas": "area",
    "classes": "class",
    "edges": "edge",
    "flags": "mark",
    "hexsides": "hexside",
    "movement_classes": "movement-class",
    "places": "place",
    "sides": "side",
    "terrain": "terrain",
    "unit_types": "unit-type",
    "units_of": "side",
    "ways": "way",
}
"""Sections of the texts whose keys are the ids of things that other files name."""
_SHORT: Final = "_short"
_OURS: Final = ("charts", "module", "notation", "terms")
"""The catalogues whose words a game may say otherwise; those of modules stand below `module` there."""
_PLAIN: Final = frozenset(("title.name", "title.subtitle", "title.period", "introduction", "fortified", "bridge"))
_READ: Final = (
    *("sides", "terrain", "hexsides", "ways", "unit_types", "movement_classes", "classes", "branches"),
    *("weather", "marks", "levels", "modifiers"),
)
"""Sections of which each thing needs a word."""
_HELP: Final = ("setup", "victory", "special")
"""What the help window shows of a game's own: two texts, and as many of the third kind as there are."""
_STEPS: Final = 9
_LIKE: Final = 0.8
"""How alike two keys must be, between 0 and 1, for one to be the other misspelt."""


def languages_say_the_same(c: Checker) -> Iterator[Problem]:
    """What one of the game's languages has, the others have too; a translation may lack what it likes."""
    texts = {language: c.scenario.texts[language] for language in c.game.languages}
    strange = {language: _misspelt(c, text) for language, text in texts.items()}
    every = {key for text in texts.values() for key in text.values} - {*chain.from_iterable(strange.values())}
    # What needs a word is told as such, and what is misspelt where it stands.
    told = {f"{section}.{id_}" for section, ids in _needed(c).items() for id_ in ids}
    for language, text in texts.items():
        for key in sorted(every - set(text.values) - told):
            if not alike(key, strange[language], least=_LIKE):
                yield c.warning(f"text.{language}.yaml", [], "game.untranslated", key=key)


def _misspelt(c: Checker, text: Text) -> list[str]:
    """The keys of a text that are the words for nothing that there is."""
    return [str(problem.message.values["key"]) for problem in _strange(c, "", text, _there(c))]


def rules_that_are_not_judged_are_told(c: Checker) -> Iterator[Problem]:
    """Each stands once in the list, and what it says in each of the game's languages."""
    seen: set[str] = set()
    for i, rule in enumerate(c.game.not_judged):
        if rule.id in seen:
            yield c.error("game.yaml", ["not_judged", i, "id"], "map.id-twice", id=rule.id)
        seen.add(rule.id)
        for language in c.game.languages:
            if not c.scenario.texts[language].get(key := f"not_judged.{rule.id}"):
                file = f"text.{language}.yaml"
                yield c.error("game.yaml", ["not_judged", i, "id"], "game.untold", key=key, file=file)


def phases_of_ones_own_are_told(c: Checker) -> Iterator[Problem]:
    """A phase with an id, or that is neither movement nor combat, has a name in each of the game's languages.

    No other phase of its side has the same id, and no kind of phase is called so.
    """
    sequence = c.game.sequence
    for i, spec in enumerate(sequence):
        for language in c.game.languages if spec.name not in ("movement", "combat") else ():
            if not c.scenario.texts[language].get(key := f"phases.{spec.name}"):
                told = {"phase": spec.name, "key": key, "file": f"text.{language}.yaml"}
                yield c.error(
                    "game.yaml", ["sequence", i, "id" if spec.id else "phase"], "game.untold_phase", **told
                )
        if spec.id and spec.id in (*("movement", "combat"), *(p.phase for p in sequence)):
            yield c.error("game.yaml", ["sequence", i, "id"], "game.phase-kind", id=spec.id)
        elif spec.id and any(
            p.id == spec.id and (p.side == spec.side or p.phase != spec.phase) for p in sequence[:i]
        ):
            yield c.error("game.yaml", ["sequence", i, "id"], "map.id-twice", id=spec.id)


def what_there_is_has_words(c: Checker) -> Iterator[Problem]:
    """What players read the names of has one in each language; without it they read its id."""
    for language in c.game.languages:
        text = c.scenario.texts[language]
        strange = _misspelt(c, text)
        for section, there in _needed(c).items():
            lacking = [
                id_
                for id_ in sorted(there)
                if not text.section(f"{section}.{id_}") and not text.get(f"{section}.{id_}")
                # A definition that is misspelt is told where it is named.
                if not alike(id_, c.strange)
                # So is a word for it that is misspelt.
                and not alike(f"{section}.{id_}", strange, least=_LIKE)
            ]
            if lacking:
                # A section that a family has too is to be written in the game's own file.
                at = [section] if any(key.startswith(f"{section}.") for key in text.own) else []
                say = partial(c.warning, f"text.{language}.yaml", at, "game.nameless")
                yield say(section=section, ids=tuple(lacking), first=lacking[0])


def words_are_for_what_there_is(c: Checker) -> Iterator[Problem]:
    """What a game's own texts have a word for is there: a key that is none is most likely misspelt."""
    there = _there(c)
    for language, text in c.scenario.texts.items():
        yield from _strange(c, f"text.{language}.yaml", text, there)
    for language, text in c.scenario.notation.items():
        sections = {key.partition(".")[0] for key in text.values}
        for section in sorted(sections - {*NAMED_IN_SHEETS}):
            yield c.warning(f"notation.{language}.yaml", [section], "game.unsaid", known=NAMED_IN_SHEETS)
        named = {key for key in text.own if key.partition(".")[0] in NAMED_IN_SHEETS}
        yield from _strange(c, f"notation.{language}.yaml", Text(language, text.values, frozenset(named)), there)


def _strange(c: Checker, file: str, text: Text, there: Mapping[str, Collection[str]]) -> Iterator[Problem]:
    for key in sorted(text.own):
        section, _, id_ = key.partition(".")
        names = there.get(section, ())
        # A section of ours may hold more keys below one that is a thing of the game: `sides.north.name`.
        there_is = {*names, *c.strange}
        if key in _PLAIN or key in _ours() or {id_, id_.removesuffix(".name")} & there_is:
            continue
        if section == "help":
            if id_ not in _HELP and not id_.startswith(_HELP[-1]):
                yield c.warning(file, key.split("."), "game.help", key=key, known=_HELP[:-1], more=_HELP[-1])
            continue
        like = alike(id_, names) if names else alike(section, [*there, *_PLAIN])
        said = "game.like" if like else "game.wordless"
        yield c.warning(file, key.split("."), said, key=key, like="".join(like))


def _needed(c: Checker) -> dict[str, Collection[str]]:
    """By section, the ids of what players read the names of."""
    there = _there(c) | {"marks": _shown_marks(c), "classes": _shown_classes(c)}
    return {section: there[section] for section in _READ}


def _shown_marks(c: Checker) -> set[str]:
    """The marks that this game's own rules give, which a module has an entry in a menu for."""
    scenario = c.scenario
    rules = scenario.game.rules
    found = {mark for result in scenario.tables.results.values() for mark in result.marks}
    found |= {mark for rule in rules.supply for mark in (rule.mark, *rule.stages)}
    return (found | {mark for rule in rules.marks for mark in rule.gives}) - MEANT_OTHERWISE


def _shown_classes(c: Checker) -> set[str]:
    """The classes of units that charts name: those that phases, allowances and modifiers speak of."""
    named = (r for r in c.scenario.references if r.file == "game.yaml" and r.kind in ("type", "class"))
    return {str(r.id) for r in named if r.id in c.game.classes}


def _there(c: Checker) -> dict[str, Collection[str]]:
    """By section of the texts, the ids of what can have a word in it."""
    scenario = c.scenario
    things, game = c.known, scenario.game
    found: dict[str, Collection[str]] = {section: set(things[kind]) for section, kind in _NAMED.items()}
    phases = {name for phase in game.sequence for name in phase.names}
    found["branches"] = {branch for side in game.sides for branch in side.branches}
    found["phase_steps"] = {f"{phase}_{i}" for phase in phases for i in range(1, _STEPS + 1)}
    found["phases"] = phases
    found["modifiers"] = {rule.name for rule in game.rules.combat.modifiers}
    found["marks"] = marks(scenario)
    found["levels"] = {level.name for level in scenario.victory.levels}
    found["results"] = scenario.tables.results
    found["not_judged"] = {rule.id for rule in game.not_judged}
    found["rivers"] = {run.name for run in scenario.map.hexside_runs}
    found["weather"] = game.weathers
    found["modifiers"] = {rule.name for rule in game.rules.combat.modifiers}
    found["formations"] = {
        name
        for unit in scenario.counters.values()
        for number in (unit.division, unit.corps)
        for name in (number, f"{unit.side}.{number}")
    }
    faces = {face.id for marker in game.markers.values() for face in marker.faces}
    faces |= {face for marker in markers(scenario) for face in marker.faces}
    found["markers"] = faces | {key.partition(".")[2] for key in _ours() if key.startswith("markers.")}
    found |= dict.fromkeys(("tracks", "tracks_notes", "tracks_waiting"), game.tracks)
    found["boxes"] = {f"{id_}.{box}" for id_, track in game.tracks.items() for box in track.boxes}
    return found | {f"{section}{_SHORT}": ids for section, ids in found.items()}


@cache
def _ours() -> frozenset[str]:
    """The keys of the program's own words that a game's text may replace."""
    keys = chain.from_iterable(
        (f"module.{key}" if domain == "module" else key for key in catalogue(domain, SOURCE)) for domain in _OURS
    )
    return frozenset(keys)


TEXT_RULES: tuple[Rule, ...] = (
    languages_say_the_same,
    rules_that_are_not_judged_are_told,
    phases_of_ones_own_are_told,
    what_there_is_has_words,
    words_are_for_what_there_is,
)


_STAFF: Final = "headquarters"
"""The drawing that headquarters have."""
_LISTED: Final = frozenset(
    ("area", "division", "edge", "hexside", "mark", "phase-of-either", "place", "side", "terrain", "type", "unit")
) | {"unit-type", "way", "weather"}
"""What lists name of which each may stand in them once."""
_TWIN: Final = ("when", "what", "group", "each", "table")
_TIMES: Final = 3
"""How many times the next best a unit's movement or strength must be to look like a slip of the hand."""


def movement_is_alike(c: Checker) -> Iterator[Problem]:
    """An allowance several times as high as any other of its type."""
    of_type: dict[str, list[int]] = {}
    for unit in c.units:
        of_type.setdefault(unit.type, []).append(unit.move)
    for unit in c.units:
        *_, most, own = sorted([0, 0, *of_type[unit.type]])
        if unit.move == own > _TIMES * most > 0:
            odd = partial(c.warning, "counters.csv", [unit.id, "move"], "counters.far-mover")
            yield odd(move=own, most=most, type=unit.type)
        if unit.move == 0 < sorted(of_type[unit.type])[-1]:
            yield c.warning("counters.csv", [unit.id, "move"], "counters.unmoved", type=unit.type)


def strengths_are_alike(c: Checker) -> Iterator[Problem]:
    """A strength several times as high as any other."""
    for unit in c.units:
        others = [figure for other in c.units if other is not unit for figure in (other.attack, other.defence)]
        most = max(others, default=0)
        if max(unit.attack, unit.defence) > _TIMES * most > 0:
            odd = partial(c.warning, "counters.csv", [unit.id], "counters.far-stronger")
            yield odd(attack=unit.attack, defence=unit.defence, most=most)


def morale_can_be_thrown(c: Checker) -> Iterator[Problem]:
    """Units whose morale lies beyond all that the dice of their tests show, whatever modifies it."""
    game, results = c.game, c.tables.results
    demands = [
        (d.morale.dice, d.morale.passes) for r in results.values() for d in (r.attacker, r.defender) if d.morale
    ]
    rallies = [rule.rally for rule in game.rules.marks if rule.rally is not None]
    demands += [(rally.dice, rally.passes) for rally in rallies if rally.dice and rally.passes]
    moved = sum(abs(rule.what.morale) for rule in game.rules.combat.modifiers if isinstance(rule.what, Morale))
    for dice in dict.fromkeys(dice for dice, _ in demands):
        shown = sorted(Dice.of(dice).ways)
        for unit in c.units:
            beyond = [m for m in unit.morale if m - moved > shown[-1] or 0 < m + moved < shown[0]]
            if beyond:
                odd = partial(c.warning, "counters.csv", [unit.id, "morale"], "counters.beyond-dice")
                yield odd(morale=beyond[0], dice=dice, least=shown[0], most=shown[-1])


def modifiers_differ(c: Checker) -> Iterator[Problem]:
    """Two modifiers that do the same on the same conditions, so that it counts twice."""
    rules = list(enumerate(c.rules.combat.modifiers))
    for (_, first), (number, second) in combinations(rules, 2):
        declared = any(isinstance(condition, IsDeclared) for condition in second.when)
        if not declared and all(getattr(first, key) == getattr(second, key) for key in _TWIN):
            at = ("rules", "combat", "modifiers", number)
            yield c.warning("game.yaml", at, "game.twin", name=second.name, other=first.name)


def lists_name_once(c: Checker) -> Iterator[Problem]:
    """A list that names one thing twice, most likely in place of another."""
    seen: set[tuple[Any, ...]] = set()
    for ref in references(c.scenario):
        listed = ref.kind in _LISTED
        # The words of one line have its place; items of a list have their number.
        at = ref.where[:-1] if isinstance(ref.where[-1], int) else ref.where
        key = (ref.file, *at, ref.kind, ref.id)
        if listed and key in seen:
            yield c.warning(ref.file, at, "value.named-twice", id=str(ref.id))
        seen.add(key)


def places_are_held(c: Checker) -> Iterator[Problem]:
    """Places that bring replacements to who holds them, and that nobody holds when the game begins."""
    victory, setup = c.victory, c.setup
    taken = {h for line in setup.at_start for h in line.hexes if len(line.hexes) == 1}
    if setup.is_chosen:
        return
    asked: list[tuple[str, list[str | int], tuple[str, ...]]] = [
        ("game.yaml", ["rules", "replacements", i, "held"], rule.held)
        for i, rule in enumerate(c.rules.replacements)
    ]
    asked += [("victory.yaml", ["sudden", i, "place"], end.place) for i, end in enumerate(victory.sudden)]
    asked += [("victory.yaml", ["objectives", i, "place"], aim.place) for i, aim in enumerate(victory.objectives)]
    for file, at, places in asked:
        for place in places:
            hexes = c.map.place[place].hexes if place in c.map.place else ()
            if hexes and victory.control and place not in victory.control and taken.isdisjoint(hexes):
                yield c.warning(file, at, "game.nobodys", place=place)


def edges_have_one_owner(c: Checker) -> Iterator[Problem]:
    """An edge of the map from which both sides have their supply."""
    seen: dict[str, str] = {}
    for i, rule in enumerate(c.rules.supply):
        for edge in rule.edges:
            other = seen.setdefault(edge, rule.side or "")
            if rule.side is not None and other and other != rule.side:
                where = ("rules", "supply", i, "edges")
                yield c.warning("game.yaml", where, "game.same-edge", edge=edge, other=other)


def staffs_pass_supply_on(c: Checker) -> Iterator[Problem]:
    """Types drawn as headquarters that pass no supply on where others do."""
    game, kinds = c.game, c.kinds
    rules = [rule for rule in game.rules.supply if rule.headquarters]
    used = {unit.type for unit in c.units}
    for type_, spec in game.unit_types.items():
        named = any(not kinds(type_).isdisjoint(rule.headquarters) for rule in rules)
        if rules and not named and type_ in used and spec.symbol == _STAFF:
            yield c.warning("game.yaml", ["unit_types", type_], "game.idle-staff", type=type_)


def vulnerability_has_a_column(c: Checker) -> Iterator[Problem]:
    """Units worth something in defence whose vulnerability of 0 gives a value below the table's first column."""
    tables = c.tables
    first = tables.bombardment.columns[0] if tables.bombardment is not None else "0"
    fights = {unit.type for unit in c.units if unit.defence}
    for means, indices in tables.vulnerability.items():
        for type_, index in indices.items():
            if not index and type_ in fights and lower_bounds((first,))[0] > 0:
                where = ("vulnerability", means, type_)
                yield c.warning("tables.yaml", where, "tables.no-value", type=type_, column=first)


def _two_in_one(c: Checker, arms: Together) -> Case | None:
    """Combined arms that one unit is by itself, because its type is in two of the lists."""
    for type_ in sorted({unit.type for unit in c.units}):
        if sum(not c.kinds(type_).isdisjoint(kinds) for kinds in arms.types) > 1:
            return {"type": type_}
    return None


def _short(c: Checker, rule: Untried) -> Case | None:
    """Strengths to be drawn that are fewer than the units that draw one."""
    many, found = sum(c.scenario.fits(rule, id_) for id_ in c.counters), sum(rule.pool.values())
    return {"found": found, "units": many} if rule.pool and not rule.returned and found < many else None


def _rises(_: Checker, rule: Untried) -> Iterator[Case]:
    """Strengths of which a later step is stronger."""
    for figures in rule.pool:
        steps = [tuple(map(int, step.split("-"))) for step in figures.split()]
        if any(after > before for a, b in pairwise(steps) for before, after in zip(a, b, strict=True)):
            yield {"at": (figures,)}


def _counts_one(c: Checker, rule: Stacking) -> Case | None:
    """Stacking points that say even who counts one, and leave a type out, which then counts one too."""
    named, types = {*rule.points, *rule.free}, {u.type for u in c.units}
    left = sorted({u.type for u in c.units if named.isdisjoint({u.id, u.size, *c.kinds(u.type)})})
    return {"type": left[0]} if 1 in rule.points.values() and len(left) == 1 and len(types) > 1 else None


def _other_way(c: Checker, railway: Railway) -> Case | None:
    """A railway on a way that units march along, while another way serves no unit and no rule."""
    game, ways = c.game, c.tables.ways
    classes = {game.unit_types[u.type].movement for u in c.units if u.type in game.unit_types}
    idle = [kind for kind, way in ways.items() if classes.isdisjoint(way.costs)]
    rules = (ref for ref in references(c.scenario) if ref.kind == "way" and ref.file == "game.yaml")
    named = {ref.id for ref in rules if "includes_water" not in ref.where}
    spare = [kind for kind in idle if kind not in named]
    return (
        {"way": railway.way, "other": spare[0]}
        if railway.way in ways and spare and railway.way not in idle
        else None
    )


SLIPS: Final[Slips] = (
    (Together, warning("game.two-in-one", "types", _two_in_one)),
    (Untried, warning("game.short-pool", "pool", _short)),
    (Untried, warning("game.pool-rises", "pool", _rises)),
    (Stacking, warning("game.counts-one", "points", _counts_one)),
    (Railway, warning("game.other-way", "way", _other_way)),
)
ODD_RULES: Final[tuple[Rule, ...]] = (
    movement_is_alike,
    strengths_are_alike,
    morale_can_be_thrown,
    modifiers_differ,
    lists_name_once,
    places_are_held,
    edges_have_one_owner,
    staffs_pass_supply_on,
    vulnerability_has_a_column,
)
