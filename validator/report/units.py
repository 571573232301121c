"""The units of a game as players need them to type a turn: ids, counters, formations, where and when they come.

What sheets of accounts may name: the markers of a game of which only some rules are known, and kinds of unit.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...scenarios.commands import find
from ...scenarios.console import lined_up
from ...scenarios.loader import load
from ...scenarios.text.words import HexforgeError, Words, message
from ..notation import games
from ..notation.vocabulary import vocabulary_of
from .pages import page as written

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from ...scenarios.schema.setup import CounterRow as Counter
    from ...scenarios.schema.setup import Placement, Reinforcement, Withdrawal


_MOST_HEXES: Final = 8
"""Hexes of an area that are listed."""


class NoSuchSide(HexforgeError):
    """A side that a game has not."""

    def __init__(self, side: str, scenario: Scenario) -> None:
        known = tuple(spec.id for spec in scenario.game.sides)
        super().__init__(message("validator.units.no-side", side=side, known=known))


@dataclass(frozen=True, slots=True)
class Listed:
    """A unit with the rules of the set-up that name it; None where none does."""

    counter: Counter
    start: Placement | None
    arrival: Reinforcement | None
    leaving: Withdrawal | None

    @property
    def figures(self) -> str:
        """Attack, defence and movement as the counter has them: `3-4-5`."""
        c = self.counter
        return f"{c.attack}-{c.defence}-{c.move}"

    @property
    def reduced(self) -> str:
        """Attack and defence of the back, and of each step after it; "" for a unit without one."""
        return " ".join(f"{attack}-{defence}" for attack, defence in self.counter.backs)

    def as_json(self, words: Words) -> dict[str, Any]:
        """All of it, with the counter's name in the language of the words."""
        c, start, arrival, leaving = self.counter, self.start, self.arrival, self.leaving
        return {
            "id": c.id,
            "side": c.side,
            "name": c.name(words.language),
            "type": c.type,
            "size": c.size,
            "figures": self.figures,
            "reduced": self.reduced or None,
            "range": c.range,
            "morale": list(c.morale) or None,
            "regiment": c.regiment or None,
            "division": c.division or None,
            "corps": c.corps or None,
            "at_start": start is not None,
            "hexes": list(start.hexes) if start else [],
            "areas": list(start.areas) if start else [],
            "turn": arrival.turn if arrival else None,
            "edges": list(arrival.edges) if arrival else [],
            "entry_hexes": list(arrival.hexes) if arrival else [],
            "leaves": leaving.turn if leaving else None,
            "returns": leaving.returns_turn if leaving else None,
        }


def units_of(scenario: Scenario, side: str = "", *, at_start: bool = False) -> tuple[Listed, ...]:
    """The units of a game, side by side and formation by formation; of one side, or those that start on the map.

    Raises NoSuchSide.
    """
    order = [spec.id for spec in scenario.game.sides]
    if side and side not in order:
        raise NoSuchSide(side, scenario)
    setup = scenario.setup
    starts = {unit: rule for rule in reversed(setup.at_start) for unit in rule.units}
    arrivals = {unit: rule for rule in reversed(setup.reinforcements) for unit in rule.units}
    leavings = {unit: rule for rule in reversed(setup.withdrawals) for unit in rule.units}
    found = [
        Listed(counter, starts.get(id_), arrivals.get(id_), leavings.get(id_))
        for id_, counter in scenario.counters.items()
        if side in ("", counter.side) and (id_ in starts or not at_start)
    ]
    return tuple(sorted(found, key=lambda unit: _place(unit.counter, order)))


def _place(counter: Counter, sides: Sequence[str]) -> tuple[Any, ...]:
    ranks = (counter.corps, counter.division, counter.regiment, counter.id)
    return (sides.index(counter.side), *map(_natural, ranks))


def _natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """A key by which `9` comes before `10`, and what has no number last."""
    parts = re.findall(r"[0-9]+|[^0-9]+", text)
    return tuple((0, int(p), "") if p.isascii() and p.isdigit() else (1, 0, p) for p in parts) or ((2, 0, ""),)


# ------------------------------------------------------------------------------------------------- in words


def counter_told(unit: Listed, w: Words) -> str:
    """The counter's type and figures, those of its back in brackets: `infantry 4-4-5 (2-2)`."""
    back = f" ({unit.reduced})" if unit.reduced else ""
    reach = w("validator.units.range", range=unit.counter.range) if unit.counter.range else ""
    quality = " ".join(map(str, unit.counter.morale))
    morale = w("validator.units.morale", morale=quality) if quality else ""
    return f"{w.term('unit_types', unit.counter.type)} {unit.figures}{back}{reach}{morale}"


def formation_told(unit: Listed, w: Words) -> str:
    """Regiment, division, corps, as far as it belongs to any."""
    ranks = ((rank, getattr(unit.counter, rank)) for rank in ("regiment", "division", "corps"))
    return ", ".join(w(f"validator.units.{rank}", name=name) for rank, name in ranks if name)


def area_told(scenario: Scenario, id_: str, w: Words) -> str:
    """An area of the map by its name, with its hexes or, if they are many, its id."""
    area = next(area for area in scenario.map.areas if area.id == id_)
    name = w.heading("areas", id_, area.name)
    told = " ".join(area.hexes) if len(area.hexes) <= _MOST_HEXES else id_
    return name if name == told else f"{name} ({told})"


def hex_told(unit: Listed, w: Words, scenario: Scenario) -> str:
    """Where it starts: a hex, several to choose from, areas; "" for a unit that is not there yet."""
    start = unit.start
    if start is None:
        return ""
    told = [*start.hexes, *(area_told(scenario, area, w) for area in start.areas)]
    return w.alternatives(told) if told else w("validator.units.free")


def arrival_told(unit: Listed, w: Words) -> str:
    """When it comes and by where, and when it leaves; "" for a unit that starts on the map and stays."""
    return ", ".join(_comings(unit, w)) or ("" if unit.start else w("validator.units.nowhere"))


def _comings(unit: Listed, w: Words) -> Iterator[str]:
    arrival, leaving = unit.arrival, unit.leaving
    if arrival is not None:
        ways = [*(w.heading("edges", edge) for edge in arrival.edges), *arrival.hexes]
        key = "later" if arrival.optional or arrival.die else "turn"
        told = w(f"validator.units.{key}", turn=arrival.turn)
        yield f"{told}: {w.alternatives(ways)}" if ways else told
    if leaving is not None:
        yield w("validator.units.leaves", turn=leaving.turn)
        if leaving.returns_turn is not None:
            yield w("validator.units.returns", turn=leaving.returns_turn)


def scenario_named(name: str | Path) -> Scenario:
    """A game by its name, or by the folder that it is in. Raises ScenarioError for what is none."""
    known = games.scenario(str(name)) if str(name) in games.names() else None
    return known or load(find(name))


def write_units(scenario: Scenario, units: Sequence[Listed], words: Words) -> str:
    """A page with the counters' pictures, which needs nothing else."""
    from markupsafe import Markup

    from ...modulegen.render.counters import counter_png, faces

    def picture(counter: Counter, face: Any) -> Markup:
        # The pixels of the module: a page's fonts are those of whoever reads it.
        return Markup("data:image/png;base64,") + b64encode(counter_png(counter, scenario, face, 1)).decode()

    w = words.of(scenario.texts)
    sides = list(dict.fromkeys(unit.counter.side for unit in units))
    return written(
        "units.html.j2",
        w,
        title=w.heading("title", "name", scenario.name),
        sides=[(w.heading("sides", side), [u for u in units if u.counter.side == side]) for side in sides],
        pictures={u.counter.id: [(f, picture(u.counter, f)) for f in faces(u.counter)] for u in units},
        told=(counter_told, formation_told, partial(hex_told, scenario=scenario), arrival_told),
    )


@dataclass(frozen=True, slots=True)
class Named:
    """A name, or a kind of piece for `unit` lines. `count` is None where there are as many as the box holds.

    `marker` is the marker of the game that is called so, "" for what is none.
    """

    id: str
    side: str
    count: int | None
    is_kind: bool
    marker: str = ""

    def as_json(self, words: Words) -> dict[str, Any]:
        """All of it, with its name in the language of the words."""
        what = "kind" if self.is_kind else "marker"
        return {
            "id": self.id,
            "what": what,
            "side": self.side or None,
            "count": self.count,
            "name": name(self, words),
        }


def names_of(game: Scenario, side: str = "") -> tuple[Named, ...]:
    """The markers that sheets name, numbered ones by the first of them, and then the kinds; of one side or all."""
    ledger = game.ledger
    if ledger is None:
        return ()
    found = []
    for kind, piece in ledger.pieces.items():
        if piece.marker:
            numbered = game.game.markers[piece.marker].numbered
            first = f"{piece.marker}-1" if numbered else piece.marker
            found.append(Named(first, piece.side or "", game.game.count(piece.marker), False, piece.marker))
        else:
            found.append(Named(kind, piece.side or "", None, is_kind=True))
    guns, landing = ledger.hidden_guns, ledger.landing
    if guns:
        found += [Named(id_, guns.side, 1, False, id_) for id_ in guns.markers]
        found.append(Named(guns.guns, guns.side, 1, is_kind=False))
    if landing:
        found += [Named(id_, landing.side, 1, is_kind=False) for id_ in (landing.unit, landing.other)]
    every = sorted(found, key=lambda n: n.is_kind)
    return tuple(n for n in every if side in ("", n.side))


def name(named: Named, w: Words) -> str:
    """What it is called."""
    if named.is_kind:
        return w.heading("pieces", named.id)
    plain = named.id.removesuffix("-1")
    return next((t for s in ("pieces", "named", "markers") if (t := w.heading(s, plain)) != plain), named.id)


def lines(game: Scenario, found: Sequence[Named], w: Words) -> Iterator[str]:
    """The list for a terminal: id, how many there are, name; kinds by the word that sheets have for them."""
    words = vocabulary_of(game)
    rows = []
    for n in found:
        written = words.write("pieces", n.id, w.language) if n.is_kind else n.id
        many = w("validator.units.any") if n.count is None else str(n.count)
        rows.append((written, w("validator.units.kind") if n.is_kind else many, name(n, w)))
    yield from lined_up(rows)


def page(game: Scenario, found: Sequence[Named], w: Words) -> str:
    """The list as a page with the markers' pictures, which needs nothing else."""
    from markupsafe import Markup

    from ...modulegen.render.markers import face_name, face_svg
    from ...modulegen.render.raster import rasterise

    text, words = game.texts.get(w.language) or next(iter(game.texts.values())), vocabulary_of(game)

    def pictures(marker: str) -> list[tuple[str, Markup]]:
        faces = game.game.markers[marker].faces if marker else ()
        drawn = ((f, rasterise(face_svg(game, game.game.markers[marker], f, text))) for f in faces)
        return [
            (face_name(text, f.id), Markup("data:image/png;base64,") + b64encode(png).decode()) for f, png in drawn
        ]

    rows = [
        (
            words.write("pieces", n.id, w.language) if n.is_kind else n.id,
            name(n, w),
            w.heading("sides", n.side) if n.side else "",
            "" if n.is_kind else w("validator.units.any") if n.count is None else str(n.count),
            pictures(n.marker),
        )
        for n in found
    ]
    markers = [row for row, n in zip(rows, found, strict=True) if not n.is_kind]
    kinds = [row for row, n in zip(rows, found, strict=True) if n.is_kind]
    return written("names.html.j2", w, title=w.heading("title", "name", game.name), markers=markers, kinds=kinds)
