"""What is wrong with the words of a game: what one language lacks, and what is the word for nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache, partial
from itertools import chain
from typing import Final

from ..console import Problem, alike
from ..model import MEANT_OTHERWISE, NAMED_IN_SHEETS, Text, markers, marks
from ..schema.base import RefKind
from ..text.words import SOURCE, catalogue
from . import Checker

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
    there = _there(c) | {"marks": c.given - MEANT_OTHERWISE, "classes": _shown_classes(c)}
    return {section: there[section] for section in _READ}


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
