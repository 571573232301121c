"""What rests on a hex, a counter, an area or an edge: set-ups, entries, objectives, rules, examples.

Most of it is whatever names the thing in the game's files; the rest is what a counter's formation and side bring.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.references import Reference
from hexforge.scenarios.schema.declared import Model
from hexforge.scenarios.schema.map import Area, Bridge, HexsideRun, MapFile, Place, Way
from hexforge.scenarios.schema.references import RefKind
from hexforge.scenarios.schema.setup import Placement, Quota, Reinforcement, Withdrawal
from hexforge.scenarios.schema.victory import Objective, VictoryFile
from hexforge.scenarios.words import Message, Param, message

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
