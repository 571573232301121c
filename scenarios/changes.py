"""What a change of data touches: the set-ups, ways, places, rules and examples that rest on what was changed.

`impact(old, new)` compares two readings of a game and says, for every datum that differs, what lies on it.
`baseline(scenario)` finds the reading that a corrected game is to be compared with.

What was changed in an extension: every datum of its markers, tracks and rules that differs.

How sure each datum of a game is: printed in the rulebook, taken from real geography, or assumed.

What rests on a hex, a counter, an area or an edge: set-ups, entries, objectives, rules, examples.

Most of it is whatever names the thing in the game's files; the rest is what a counter's formation and side bring.
"""

from __future__ import annotations

import io
import re
import subprocess
import tarfile
import tempfile
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeVar

from .commands import HOME
from .compiled import load_extension
from .console import ScenarioError
from .loader import load
from .model import Reference, Scenario
from .schema.base import Provenance, RefKind, Sourced
from .schema.declared import Model
from .schema.map import Area, Bridge, HexsideRun, MapFile, Place, Way
from .schema.setup import CounterRow as Counter
from .schema.setup import Objective, Placement, Quota, Reinforcement, VictoryFile, Withdrawal
from .text.hexgrid import Hex, side
from .text.words import SOURCE, Language, Message, Param, Words, message
from .walk import Files, marked

PROVENANCES: tuple[Provenance, ...] = ("printed", "gazetteer", "assumed")

_SOURCES: Final[Mapping[str, Provenance]] = {
    **{source: source for source in PROVENANCES},
    **{source[0]: source for source in PROVENANCES},
    "history": "gazetteer",
    "inferred": "assumed",
}
"""What the files call the three: letters for hexes, words of their own for counters."""


@dataclass(frozen=True, slots=True)
class Datum:
    """One fact of a game. `kind` is what it is about (`hex`, `hexside`, `strength` …), `id` which one it is."""

    kind: str
    id: str
    value: str
    provenance: Provenance
    note: str = ""


def kind_name(kind: str) -> Message:
    """A kind of datum for readers: its id, which commands ask for, and where that is English what it means."""
    return message(f"scenario.kind.{kind}")


def origin_name(origin: Provenance) -> Message:
    """Where data come from, for readers."""
    return message(f"scenario.origin.{origin}")


def survey(scenario: Files) -> list[Datum]:
    """Every datum of the files and of the counters with its provenance, the map's first."""
    found = []
    for mark, source, _, _, holders in marked(scenario, Sourced):
        for fact in mark.facts(holders[-1]):
            note = fact.note or getattr(holders[-1], "note", "")
            found.append(Datum(mark.kind, fact.id, fact.value, _SOURCES[fact.source or source], note))
    return found


@dataclass(frozen=True, slots=True)
class Doubt:
    """How much of what may be found rests on assumed data: steps from hex to hex, and counters that fight."""

    steps: int
    doubtful_steps: int
    counters: int
    doubtful_counters: int


def doubt(scenario: Scenario) -> Doubt:
    """Which share of moves and of combats could be judged with a doubt alone.

    A step rests on the hex that it enters, on what lies on its hexside, and on the way that it follows.
    """
    ground = scenario.map
    sides = {s for run in ground.hexside_runs if run.provenance == "assumed" for s in run.sides}
    ways = {side(*p) for way in ground.ways if way.provenance == "assumed" for p in pairwise(way.hexes)}
    steps = [(a, b) for a in ground.grid for b in ground.grid.neighbours[a]]
    unsure = [
        b for a, b in steps if ground.provenance.get(b) == "assumed" or side(a, b) in sides or side(a, b) in ways
    ]
    figures = [_SOURCES[c.source_strength] == "assumed" for c in scenario.counters.values()]
    return Doubt(len(steps), len(unsure), len(figures), sum(figures))


def totals(data: list[Datum]) -> dict[str, dict[Provenance, int]]:
    """For each kind, in the order of first appearance, how many data are printed, gazetteer and assumed."""
    tally = Tally((d.kind, d.provenance) for d in data)
    return {kind: {p: tally[kind, p] for p in PROVENANCES} for kind in dict.fromkeys(d.kind for d in data)}


_FILES: Final = ("map.yaml", "setup.yaml", "victory.yaml", "game.yaml")
"""In the order in which they are told."""
_MAX_EXAMPLE: Final = 1 << 20
"""Bytes of an example sheet that are searched; none of ours comes near."""
_SHOWN: Final = 4
"""Units that a line names one by one."""


def touches_hex(scenario: Scenario, hex_: Hex) -> tuple[Message, ...]:
    """What rests on a hex of the map, one line each. Raises KeyError for a hex off the map."""
    ground = scenario.map
    if hex_ not in ground.terrain:
        raise KeyError(hex_)
    note = ground.notes.get(hex_, "")
    own = []
    if ground.provenance.get(hex_) == "printed":
        own = [_say("printed", what=note or _say("its-terrain"))]
    elif note:
        own = [_say("note", what=note)]
    return (*own, *naming(scenario, "hex", hex_), *_examples(scenario, hex_))


def touches_counter(scenario: Scenario, id_: str) -> tuple[Message, ...]:
    """What rests on a counter, one line each. Raises KeyError for one that counters.csv does not have."""
    plans = naming(scenario, "unit", id_, Placement, Reinforcement, Withdrawal, Quota)
    lines = (*plans, *_formations(scenario, id_), *naming(scenario, "unit", id_), *_examples(scenario, id_))
    return tuple(dict.fromkeys(lines))


def naming(scenario: Scenario, kind: RefKind, id_: str, *holders: type[Model]) -> tuple[Message, ...]:
    """What names a thing, or the places, areas and edges that a hex is part of; in `holders` alone if given."""
    ground = scenario.map
    things: set[tuple[str, str]] = {(kind, id_)}
    if kind == "hex":
        things |= {("place", p.id) for p in ground.places if id_ in p.hexes}
        things |= {("area", a.id) for a in ground.areas if id_ in a.hexes}
        things |= {("edge", name) for name, hexes in ground.edges.items() if id_ in hexes}
    found = [r for r in scenario.references if (r.kind, r.id) in things and r.file in _FILES]
    if kind == "hex":
        # Of what an edge means for a hex, only who comes on by it is of interest.
        found = [r for r in found if r.kind != "edge" or isinstance(r.holder, Reinforcement)]
    found = [r for r in found if not holders or isinstance(r.holder, holders)]
    lines = (_line(scenario, r, found) for r in sorted(found, key=lambda r: _FILES.index(r.file)))
    return tuple(dict.fromkeys(line for line in lines if line is not None))


def _say(key: str, **params: Param) -> Message:
    return message(f"scenario.touches.{key}", **params)


def _line(scenario: Scenario, r: Reference, beside: Iterable[Reference]) -> Message | None:
    """What a name says of the thing that it stands for; `beside`: all that is told of the thing."""
    match r.holder:
        case MapFile():
            return _say("fortified") if r.where[0] == "fortified" else None
        case Place(id=id_, name=name, kind=kind):
            return _say("place", id=id_, name=name, kind=kind)
        case Area(id=id_):
            return _say("area", id=id_)
        case Way() | HexsideRun() as line:
            key = ("way" if isinstance(line, Way) else "hexside") if line.name else "nameless"
            return _say(key, kind=line.kind, name=line.name)
        case Bridge(side=side):
            return _say("bridge", side="/".join(side))
        case Placement() as placement:
            return _placement(scenario, r, placement)
        case Reinforcement() as entry:
            edges = tuple(x.id for x in beside if x.kind == "edge" and x.holder is entry)
            return _reinforcement(scenario, r, entry, edges)
        case Withdrawal(turn=turn, section=section) if r.kind == "unit":
            return _say("leaves", turn=turn, section=scenario.citation(section))
        case Quota(regiments=regiments, area=area, section=section):
            return _say("quota", regiments=regiments, area=area, section=scenario.citation(section))
        case Objective(place=place, points=points, section=section):
            score = tuple(f"{side} {n}" for side, n in points.items())
            return _say("objective", places=" ".join(place), points=score, section=scenario.citation(section))
        case VictoryFile(section=section, beyond_area=beyond) if r.where[0] == "beyond_area":
            whose = str(r.where[1])
            return _say("beyond", points=beyond[whose][r.id], side=whose, section=scenario.citation(section))
        case VictoryFile(control=control) if r.where[0] == "control":
            return _say("control", side=control[r.id])
    return _say("rule", where=".".join(map(str, r.where)), file=r.file)


def _placement(scenario: Scenario, r: Reference, placement: Placement) -> Message:
    section = scenario.citation(placement.section)
    if r.kind == "unit":
        where = " ".join([*placement.hexes, *placement.areas]) or _say("free")
        return _say("placed", where=where, section=section)
    key = "starts-here" if placement.hexes == (r.id,) else "may-start-here"
    return _say(key, units=_units(placement.units), section=section)


def _reinforcement(scenario: Scenario, r: Reference, entry: Reinforcement, edges: tuple[str, ...]) -> Message:
    section = scenario.citation(entry.section)
    if r.kind == "unit":
        where = " ".join(entry.hexes) or message("scenario.either", choices=entry.edges)
        return _say("enters", turn=entry.turn, where=where, section=section)
    units = _units(entry.units)
    if edges:
        return _say("enters-here-by", turn=entry.turn, units=units, edges=edges, section=section)
    return _say("enters-here", turn=entry.turn, units=units, section=section)


def _formations(scenario: Scenario, id_: str) -> Iterator[Message]:
    """Who fights with a counter, the rulebook's totals, what its formation scores."""
    unit, setup = scenario.counters[id_], scenario.setup
    for kind in ("regiment", "division", "corps"):
        name = getattr(unit, kind)
        fellows = [u.id for u in scenario.counters.values() if u.side == unit.side and getattr(u, kind) == name]
        if name and len(fellows) > 1:
            yield _say(kind, name=name, units=_units(f for f in fellows if f != id_))
    if unit.side in setup.totals:
        section = scenario.citation(setup.totals_section)
        yield _say("counted", total=setup.totals[unit.side], side=unit.side, section=section)
    for exit_ in scenario.victory.exits:
        if unit.side == exit_.side and exit_.division in (None, unit.division, unit.corps):
            section = scenario.citation(exit_.section)
            yield _say("exit", points=exit_.points, edge=exit_.edge, section=section)


def _units(ids: Iterable[str]) -> Param:
    """A list of units that stays short."""
    words = list(ids)
    shown, more = " ".join(words[:_SHOWN]), len(words) - _SHOWN
    return _say("more", units=shown, count=more) if more > 0 else shown


def _examples(scenario: Scenario, word: str) -> Iterator[Message]:
    """Sheets in the game's `examples` folder that mention a hex or a counter."""
    mention = re.compile(rf"(?<![\w.-]){re.escape(word)}(?![\w.-])")
    for path in sorted((scenario.folder / "examples").glob("*.sheet")):
        with path.open(encoding="utf-8", errors="replace") as file:
            if mention.search(file.read(_MAX_EXAMPLE)):
                yield _say("example", name=path.name)


Reading = TypeVar("Reading")
_GIT_SECONDS = 10
"""How long git may take to hand over the last commit."""


@dataclass(frozen=True, slots=True)
class DataChange:
    """One datum that differs. `what` is its kind (`hex`, `hexside`, `counter` …), `id` which one it is.

    `before` and `after` are its value, None where there was or is none. `touches` names what rests on it.
    """

    what: str
    id: str
    before: Param | None
    after: Param | None
    touches: tuple[Message, ...] = ()

    def text(self, words: Words) -> str:
        """The change in words, and what it touches in lines of their own."""
        change = "new" if self.before is None else "gone" if self.after is None else "changed"
        values: dict[str, Param] = {"before": self.before or "", "after": self.after or ""}
        told = message(
            f"scenario.changes.{change}", what=message(f"scenario.changes.{self.what}"), id=self.id, **values
        )
        return "\n    ".join(map(words.say, (told, *self.touches)))

    def __str__(self) -> str:
        return self.text(Words(SOURCE))


def impact(old: Scenario, new: Scenario, language: Language = SOURCE) -> list[DataChange]:
    """Every datum of map, counters, set-up and victory that differs between two readings of a game, map first.

    Of a counter's names the one in `language` is a datum; its names in others are not.
    """
    return [*_map(old, new), *_counters(old, new, language), *_plans(old, new)]


def baseline(scenario: Scenario) -> Scenario | None:
    """The reading that a game was corrected from; None where none is to be found.

    For a copy of one of the program's games it is the program's own; for a game in a git work tree (the program's
    own included) what was last committed there.
    """
    return reading_before(scenario.name, scenario.folder, lambda folder: load(folder, strict=False))


def reading_before(name: str, home: Path, read: Callable[[Path], Reading]) -> Reading | None:
    """As `baseline`, of a game or an extension by its name and folder; `read` reads a folder."""
    own = HOME / name
    try:
        if home.resolve() != own.resolve() and (own / "game.yaml").is_file():
            return read(own)
        with tempfile.TemporaryDirectory() as folder:
            return _committed(home.resolve(), Path(folder), read)
    except (ScenarioError, OSError, subprocess.SubprocessError, tarfile.TarError):
        return None


def _committed(game: Path, folder: Path, read: Callable[[Path], Reading]) -> Reading | None:
    """The last commit's reading of a game. Its neighbours are taken along, for one of them may be its family."""
    command = ["git", "-C", str(game.parent), "archive", "--format=tar", "HEAD", "."]
    archive = subprocess.run(command, capture_output=True, check=True, timeout=_GIT_SECONDS).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")
    return read(folder / game.name) if (folder / game.name / "game.yaml").is_file() else None


def _map(old: Scenario, new: Scenario) -> Iterator[DataChange]:
    def about(scenario: Scenario, hexes: Iterable[Hex], *holders: type[Model]) -> Iterator[Message]:
        for hex_ in hexes:
            for line in naming(scenario, "hex", hex_, *holders):
                yield message("scenario.changes.at", hex=hex_, what=line)

    def about_side(scenario: Scenario, key: str) -> Iterator[Message]:
        return about(scenario, key.split(" ", 1)[0].split("/"), Place, Placement)

    def about_place(scenario: Scenario, key: str) -> Iterator[Message]:
        place = scenario.map.place.get(key)
        return about(scenario, place.hexes if place else (), Placement, Objective)

    yield from _compare("hex", old, new, _terrain, touches_hex)
    yield from _compare("hexside", old, new, _sides, about_side)
    yield from _compare("bridge", old, new, _bridges, about_side)
    yield from _compare("way", old, new, _ways, _nothing)
    yield from _compare("place", old, new, _places, about_place)
    yield from _compare("area", old, new, _areas, lambda s, key: naming(s, "area", key))
    yield from _compare("edge", old, new, _edges, lambda s, key: naming(s, "edge", key))


def _nothing(scenario: Scenario, key: str) -> Iterable[Message]:
    return ()


def _compare(
    what: str,
    old: Scenario,
    new: Scenario,
    values: Callable[[Scenario], Mapping[str, Param]],
    touched: Callable[[Scenario, str], Iterable[Message]],
) -> Iterator[DataChange]:
    before, after = values(old), values(new)
    for key in sorted({*before, *after}):
        if before.get(key) != after.get(key):
            rests = dict.fromkeys((*touched(old, key), *touched(new, key)))
            yield DataChange(what, key, before.get(key), after.get(key), tuple(rests))


def _from(value: Param, provenance: Provenance) -> Message:
    return message("scenario.changes.value", value=value, origin=origin_name(provenance))


def _terrain(scenario: Scenario) -> dict[str, Param]:
    ground = scenario.map
    found: dict[str, Param] = {}
    for hex_, terrains in ground.terrain.items():
        value: Param = "+".join(terrains)
        if hex_ in ground.fortified:
            value = message("scenario.changes.fortified", terrain=value)
        found[hex_] = _from(value, ground.provenance.get(hex_, "assumed"))
    return found


def _sides(scenario: Scenario) -> dict[str, Param]:
    return {
        f"{a}/{b} {run.kind}": _from(f"{run.kind} {run.name}".rstrip(), run.provenance)
        for run in scenario.map.hexside_runs
        for a, b in run.sides
    }


def _bridges(scenario: Scenario) -> dict[str, Param]:
    found: dict[str, Param] = {}
    for b in scenario.map.bridge_list:
        since = (message("scenario.changes.from-turn", turn=b.from_turn),) if b.from_turn else ()
        value = (*since, *filter(None, (b.name,)))
        found["/".join(b.side)] = _from(value, b.provenance) if value else origin_name(b.provenance)
    return found


def _ways(scenario: Scenario) -> dict[str, Param]:
    ways: dict[str, tuple[Param, ...]] = {}
    for way in scenario.map.ways:
        name = f"{way.kind} {way.name or way.hexes[0] + '-' + way.hexes[-1]}"
        ways[name] = (*ways.get(name, ()), _from(" ".join(way.hexes), way.provenance))
    return {**ways}


def _places(scenario: Scenario) -> dict[str, Param]:
    return {p.id: _from(f"{p.name}, {p.kind} {' '.join(p.hexes)}", p.provenance) for p in scenario.map.places}


def _areas(scenario: Scenario) -> dict[str, Param]:
    return {a.id: _from(" ".join(sorted(a.hexes)), a.provenance) for a in scenario.map.areas}


def _edges(scenario: Scenario) -> dict[str, Param]:
    return {name: " ".join(sorted(hexes)) for name, hexes in scenario.map.edges.items()}


def _counters(old: Scenario, new: Scenario, language: Language) -> Iterator[DataChange]:
    def rows(scenario: Scenario) -> dict[str, Param]:
        return {u.id: _row(u, language) for u in scenario.counters.values()}

    def touched(scenario: Scenario, id_: str) -> Iterable[Message]:
        return touches_counter(scenario, id_) if id_ in scenario.counters else ()

    yield from _compare("counter", old, new, rows, touched)


def _row(unit: Counter, language: Language) -> Message:
    parts: list[Param] = [f"{unit.type} {unit.size}", f"{unit.attack}-{unit.defence}-{unit.move}"]
    if unit.range is not None:
        parts.append(message("scenario.changes.range", range=unit.range))
    if unit.morale:
        parts.append(message("scenario.changes.morale", morale=" ".join(map(str, unit.morale))))
    if unit.reduced_attack is not None:
        figures = " ".join(f"{attack}-{defence}" for attack, defence in unit.backs)
        figures = figures or f"{unit.reduced_attack}-{unit.reduced_defence}"
        parts.append(message("scenario.changes.reduced", figures=figures))
    for kind in ("regiment", "division", "corps"):
        if name := getattr(unit, kind):
            parts.append(message(f"scenario.changes.{kind}", name=name))
    sources = "/".join((unit.source_strength, unit.source_reduced, unit.source_range, unit.source_identity))
    return message("scenario.changes.value", value=(unit.name(language), *parts), origin=sources)


def _plans(old: Scenario, new: Scenario) -> Iterator[DataChange]:
    def lines(scenario: Scenario) -> dict[str, Param]:
        found: dict[str, tuple[Param, ...]] = {}
        for p in scenario.setup.at_start:
            where = " ".join([*p.hexes, *p.areas]) or message("scenario.changes.free")
            found |= dict.fromkeys(p.units, (message("scenario.changes.starts", where=where),))
        for r in scenario.setup.reinforcements:
            by = " ".join(r.hexes) or message("scenario.either", choices=r.edges)
            found |= dict.fromkeys(r.units, (message("scenario.changes.enters", turn=r.turn, where=by),))
        for w in scenario.setup.withdrawals:
            leaves = message("scenario.changes.leaves", turn=w.turn)
            found |= {u: (*found.get(u, ()), leaves) for u in w.units}
        return {**found}

    def points(scenario: Scenario) -> dict[str, Param]:
        objectives = scenario.victory.objectives
        return {" ".join(o.place): tuple(f"{side} {n}" for side, n in o.points.items()) for o in objectives}

    yield from _compare("set-up", old, new, lines, _nothing)
    yield from _compare("objective", old, new, points, _nothing)


_KINDS: Final[Mapping[str, str]] = {
    "markers": "marker",
    "tracks": "track",
    "places": "place",
    "only_exits": "exit",
    "counts": "count",
    "options": "option",
    "days": "days",
    "phases": "phase",
}
_OTHER: Final = "setting"
_UNSAID: Final[tuple[object, ...]] = (None, "", (), [], {}, False)
_KEY: Final = ("id", "letter", "hex")
"""By which of its fields one of a list is told from the others."""


def extension_impact(old: Scenario, new: Scenario) -> list[DataChange]:
    """Every datum that differs, in the order of the files. Nothing in an extension rests on anything else."""
    before, after = dict(_data(old)), dict(_data(new))
    return [
        DataChange(kind, id_, before.get((kind, id_)), after.get((kind, id_)))
        for kind, id_ in dict.fromkeys((*before, *after))
        if before.get((kind, id_)) != after.get((kind, id_))
    ]


def extension_baseline(extension: Scenario) -> Scenario | None:
    """The reading that an extension was changed from; None where none is to be found."""
    return reading_before(extension.name, extension.folder, lambda folder: load_extension(folder, strict=False))


def _data(extension: Scenario) -> Iterator[tuple[tuple[str, str], str]]:
    """Every datum by its kind and its id, each as the files have it, in one line."""
    for file, model in extension.files.items():
        for section, value in asdict(model).items():
            kind = _KINDS.get(section, _OTHER if file == "game.yaml" else "rule")
            if kind in (_OTHER, "days") or not isinstance(value, dict | list | tuple):
                yield (kind, section), _told(value)
            elif kind == "rule":
                yield from (((kind, f"{section}.{key}"), _told(v)) for key, v in _items(value))
            else:
                yield from (((kind, key), _told(v)) for key, v in _items(value))


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield from value.items()
        return
    for i, one in enumerate(value):
        named = next((one[key] for key in _KEY if isinstance(one, dict) and key in one), i)
        yield str(named), one


def _told(value: Any) -> str:
    """A value in one line, without what is not said."""
    if isinstance(value, dict):
        said = ((key, _told(v), isinstance(v, dict)) for key, v in value.items() if v not in _UNSAID)
        return ", ".join(f"{key} ({text})" if nested else f"{key} {text}" for key, text, nested in said)
    if isinstance(value, list | tuple):
        return " ".join(f"({_told(v)})" if isinstance(v, dict) else _told(v) for v in value)
    return str(value)
