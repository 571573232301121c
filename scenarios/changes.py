"""What a change of data touches: the set-ups, ways, places, rules and examples that rest on what was changed.

`impact(old, new)` compares two readings of a game and says, for every datum that differs, what lies on it.
`baseline(scenario)` finds the reading that a corrected game is to be compared with.
"""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.model import Counter, Scenario
from hexforge.scenarios.provenance import origin_name
from hexforge.scenarios.schema.base import Provenance
from hexforge.scenarios.schema.declared import Model
from hexforge.scenarios.schema.map import Place
from hexforge.scenarios.schema.setup import Placement
from hexforge.scenarios.schema.victory import Objective
from hexforge.scenarios.touches import naming, touches_counter, touches_hex
from hexforge.scenarios.words import SOURCE, Language, Message, Param, Words, message

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
    from hexforge.scenarios.loader import load

    return reading_before(scenario.name, scenario.folder, lambda folder: load(folder, strict=False))


def reading_before(name: str, home: Path, read: Callable[[Path], Reading]) -> Reading | None:
    """As `baseline`, of a game or an extension by its name and folder; `read` reads a folder."""
    from hexforge.scenarios.folders import HOME
    from hexforge.scenarios.problems import ScenarioError

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
