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

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.language import default_language, said
from hexforge.scenarios.model import Counter, Scenario
from hexforge.scenarios.provenance import origin_name
from hexforge.scenarios.touches import objectives_on, on_area, on_counter, on_edge, on_hex, places_on, setups_on

_GIT_SECONDS = 10
"""How long git may take to hand over the last commit."""


@dataclass(frozen=True, slots=True)
class Change:
    """One datum that differs. `what` is its kind (`hex`, `hexside`, `counter` …), `id` which one it is.

    `before` and `after` are its value as words, "" where there was or is none. `touches` names what rests on it.
    """

    what: str
    id: str
    before: str
    after: str
    touches: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.before:
            change = said(f"new: {self.after}", f"novo: {self.after}")
        elif not self.after:
            change = said(f"gone: {self.before}", f"retirado: {self.before}")
        else:
            change = f"{self.before} -> {self.after}"
        rests = "".join(f"\n    {line}" for line in self.touches)
        return f"{_named(self.what)} {self.id}: {change}{rests}"


def _named(what: str) -> str:
    return {
        "hex": said("hex", "hexágono"),
        "hexside": said("hexside", "lado de hexágono"),
        "bridge": said("bridge", "ponte"),
        "way": said("way", "via"),
        "place": said("place", "lugar"),
        "area": said("area", "área"),
        "edge": said("edge", "borda"),
        "counter": said("counter", "peça"),
        "set-up of": said("set-up of", "posição inicial de"),
        "objective": said("objective", "objetivo"),
    }[what]


def impact(old: Scenario, new: Scenario) -> list[Change]:
    """Every datum of map, counters, set-up and victory that differs between two readings of a game, map first."""
    return [*_map(old, new), *_counters(old, new), *_plans(old, new)]


def baseline(scenario: Scenario) -> Scenario | None:
    """The reading that a game was corrected from; None where none is to be found.

    For a copy of one of the program's games it is the program's own; for a game in a git work tree (the program's
    own included) what was last committed there.
    """
    from hexforge.scenarios.loader import HOME, load
    from hexforge.scenarios.problems import ScenarioError

    own = HOME / scenario.name
    try:
        if scenario.folder.resolve() != own.resolve() and (own / "game.yaml").is_file():
            return load(own, strict=False)
        with tempfile.TemporaryDirectory() as folder:
            return _committed(scenario.folder.resolve(), Path(folder))
    except (ScenarioError, OSError, subprocess.SubprocessError, tarfile.TarError):
        return None


def _committed(game: Path, folder: Path) -> Scenario | None:
    """The last commit's reading of a game. Its neighbours are taken along, for one of them may be its family."""
    from hexforge.scenarios.loader import load

    command = ["git", "-C", str(game.parent), "archive", "--format=tar", "HEAD", "."]
    archive = subprocess.run(command, capture_output=True, check=True, timeout=_GIT_SECONDS).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")
    return load(folder / game.name, strict=False) if (folder / game.name / "game.yaml").is_file() else None


def _map(old: Scenario, new: Scenario) -> Iterator[Change]:
    def about_side(scenario: Scenario, key: str) -> Iterator[str]:
        for hex_ in key.split(" ", 1)[0].split("/"):
            yield from (f"{hex_}: {line}" for line in (*places_on(scenario, hex_), *setups_on(scenario, hex_)))

    def about_hexes(scenario: Scenario, hexes: Iterable[Hex]) -> Iterator[str]:
        for hex_ in hexes:
            yield from (f"{hex_}: {line}" for line in (*setups_on(scenario, hex_), *objectives_on(scenario, hex_)))

    yield from _compare("hex", old, new, _terrain, on_hex)
    yield from _compare("hexside", old, new, _sides, about_side)
    yield from _compare("bridge", old, new, _bridges, about_side)
    yield from _compare("way", old, new, _ways, lambda s, key: ())
    yield from _compare(
        "place",
        old,
        new,
        _places,
        lambda s, key: about_hexes(s, s.map.place[key].hexes if key in s.map.place else ()),
    )
    yield from _compare("area", old, new, _areas, on_area)
    yield from _compare(
        "edge", old, new, lambda s: {k: " ".join(sorted(v)) for k, v in s.map.edges.items()}, on_edge
    )


def _compare(
    what: str,
    old: Scenario,
    new: Scenario,
    values: Callable[[Scenario], Mapping[str, str]],
    touched: Callable[[Scenario, str], Iterable[str]],
) -> Iterator[Change]:
    before, after = values(old), values(new)
    for key in sorted({*before, *after}):
        if before.get(key) != after.get(key):
            rests = dict.fromkeys((*touched(old, key), *touched(new, key)))
            yield Change(what, key, before.get(key, ""), after.get(key, ""), tuple(rests))


def _terrain(scenario: Scenario) -> dict[str, str]:
    ground = scenario.map
    return {
        h: "+".join(t)
        + (said(" fortified", " fortificado") if h in ground.fortified else "")
        + f" ({origin_name(ground.provenance.get(h, 'assumed'))})"
        for h, t in ground.terrain.items()
    }


def _sides(scenario: Scenario) -> dict[str, str]:
    return {
        f"{a}/{b} {run.kind}": f"{run.kind} {run.name}".rstrip() + f" ({origin_name(run.provenance)})"
        for run in scenario.map.hexside_runs
        for a, b in run.sides
    }


def _bridges(scenario: Scenario) -> dict[str, str]:
    return {
        "/".join(b.side): (
            said(f"from turn {b.from_turn} ", f"a partir do turno {b.from_turn} ") if b.from_turn else ""
        )
        + f"{b.name} ({origin_name(b.provenance)})".lstrip()
        for b in scenario.map.bridge_list
    }


def _ways(scenario: Scenario) -> dict[str, str]:
    ways: dict[str, str] = {}
    for way in scenario.map.ways:
        name = f"{way.kind} {way.name or way.hexes[0] + '-' + way.hexes[-1]}"
        ways[name] = (
            ways[name] + "; " if name in ways else ""
        ) + f"{' '.join(way.hexes)} ({origin_name(way.provenance)})"
    return ways


def _places(scenario: Scenario) -> dict[str, str]:
    return {
        p.id: f"{p.name}, {p.kind} {' '.join(p.hexes)} ({origin_name(p.provenance)})" for p in scenario.map.places
    }


def _areas(scenario: Scenario) -> dict[str, str]:
    return {a.id: f"{' '.join(sorted(a.hexes))} ({origin_name(a.provenance)})" for a in scenario.map.areas}


def _counters(old: Scenario, new: Scenario) -> Iterator[Change]:
    def rows(scenario: Scenario) -> dict[str, str]:
        return {u.id: _row(u) for u in scenario.counters.values()}

    def touched(scenario: Scenario, id_: str) -> Iterable[str]:
        return on_counter(scenario, id_) if id_ in scenario.counters else ()

    yield from _compare("counter", old, new, rows, touched)


def _row(unit: Counter) -> str:
    reach = "" if unit.range is None else said(f" range {unit.range}", f" alcance {unit.range}")
    weaker = f"{unit.reduced_attack}-{unit.reduced_defence}"
    back = "" if unit.reduced_attack is None else said(f" reduced {weaker}", f" reduzida {weaker}")
    belongs = " ".join(
        f"{kind} {name}"
        for kind, name in (
            (said("regiment", "regimento"), unit.regiment),
            (said("division", "divisão"), unit.division),
            (said("corps", "corpo"), unit.corps),
        )
        if name
    )
    sources = "/".join((unit.source_strength, unit.source_reduced, unit.source_range, unit.source_identity))
    figures = f"{unit.attack}-{unit.defence}-{unit.move}{reach}{back}"
    return f"{unit.name(default_language())}, {unit.type} {unit.size} {figures} {belongs} ({sources})".replace(
        "  ", " "
    )


def _plans(old: Scenario, new: Scenario) -> Iterator[Change]:
    def lines(scenario: Scenario) -> dict[str, str]:
        found: dict[str, str] = {}
        for p in scenario.setup.at_start:
            where = " ".join([*p.hexes, *p.areas]) or said("free", "à escolha")
            found |= dict.fromkeys(p.units, said(f"starts in {where}", f"começa em {where}"))
        for r in scenario.setup.reinforcements:
            where = " ".join(r.hexes) or said(" or ", " ou ").join(r.edges)
            entry = said(f"enters in turn {r.turn} by {where}", f"entra no turno {r.turn} por {where}")
            found |= dict.fromkeys(r.units, entry)
        for w in scenario.setup.withdrawals:
            for u in w.units:
                found[u] = found.get(u, "") + said(f", leaves in turn {w.turn}", f", sai no turno {w.turn}")
        return found

    def points(scenario: Scenario) -> dict[str, str]:
        return {
            " ".join(o.place): ", ".join(f"{side} {n}" for side, n in o.points.items())
            for o in scenario.victory.objectives
        }

    yield from _compare("set-up of", old, new, lines, lambda s, key: ())
    yield from _compare("objective", old, new, points, lambda s, key: ())
