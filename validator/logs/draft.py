"""A sheet as far as it is written, with what must be known to write on: where all stand, and what is still open.

What stands above the first turn of a transcribed sheet: header, and the position where it is not the set-up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ...scenarios.schema.base import in_turns
from ...scenarios.text.words import Message, Param, message
from ..notation import kinds, statements, statements_head
from ..notation.records import VERSION
from .blocks import CounterChange, CounterFact, Item, LogEntry, Marked, PhaseBlock, without
from .chain import Chain
from .locations import (
    Laid,
    Noted,
    Origin,
    Spot,
    TrackerReading,
    first_clock,
    known_of,
    note,
    note_on,
    place_of,
    places_of,
    reading_at,
)
from .typed import Listener

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from ...scenarios.text.hexgrid import HexGrid
    from .locations import Marks


TARGET: Final = "CombatTarget"
"""The hex that is marked as the target of a combat, as `h0905:german`."""
OFFBOARD: Final = "CombatOffboard"
AIR: Final = "CombatAir"
_ROLES: Final = ("1", "2", "3")
"""How the modules number those who attack, support and guard."""


@dataclass
class Started:
    """How the game stood before the first action, and what was put in place before play began.

    `veiled`: some piece on the map is hidden or masked from whoever reads, so that units may stand unseen.
    `thrown`: how many throws the module had counted.
    """

    at: dict[str, Spot]
    clock: TrackerReading
    air: int | None = None
    placed: dict[str, Origin] = field(default_factory=dict)
    laid: dict[str, Laid] = field(default_factory=dict)
    veiled: bool = False
    thrown: int = 0


@dataclass(frozen=True, slots=True)
class Copy:
    """A second counter of a unit: where it is, the action that brought it, and whether that is told."""

    unit: str
    spot: Spot
    origin: Origin
    told: bool = False


@dataclass(frozen=True, slots=True)
class ClosedCombats:
    """What was kept of a phase when it was over, with the lines and notes that were made of it."""

    kept: list[LogEntry]
    lines: list[Item]
    noted: list[Noted]


@dataclass
class SheetDraft:
    """The sheet of one game, as far as it is written.

    `at`, `sides`: of each counter; `stood`: where they stood before the action that is being told; `changed`: the
    action that last put each elsewhere or turned it over. `wanted`: what a typed line says of a counter that the
    map does not show yet, with the line's place in its block. `kept`: what happened in a phase of combat so far;
    `closed`: the same of the phases that are over, by the identities of their blocks.
    `unclear`: counters of which a typed line says what was not done. `pieces`: the piece that each unit is;
    `copies`: pieces that are one more of a unit; `laid`: those that are markers on the map. `astray`: counters that
    were dropped beside the map. `combat`, `roles`: what the module keeps of the combat that is being declared, and
    the counters that are marked for it, the latest last. `heard`: the chat lines of each step that were taken.
    `begun`: the players said that the set-up is over, `setting_up`: that they are at it; `arranged`: counters that
    were placed in an earlier log. `rests`: the phase at which the tracker is left in the end, if nothing was done
    in it. `claimed`: dice of lines, but for those of combats, whose own action threw none; `thrown`: dice that no
    line of their own action tells of.
    """

    scenario: Scenario
    marks: Marks
    clock: TrackerReading
    started: Started
    listener: Listener
    sides: dict[str, str]
    at: dict[str, Spot] = field(default_factory=dict)
    header: list[Item] = field(default_factory=list)
    blocks: list[PhaseBlock] = field(default_factory=list)
    rests: PhaseBlock | None = None
    scores: list[Item] = field(default_factory=list)
    noted: list[Noted] = field(default_factory=list)
    wanted: dict[str, tuple[Callable[[Spot], bool], int]] = field(default_factory=dict)
    stood: dict[str, Spot] = field(default_factory=dict)
    changed: dict[str, Origin] = field(default_factory=dict)
    kept: list[LogEntry] = field(default_factory=list)
    closed: dict[int, ClosedCombats] = field(default_factory=dict)
    unclear: set[str] = field(default_factory=set)
    claimed: list[tuple[Origin, tuple[int, ...]]] = field(default_factory=list)
    thrown: list[tuple[int, ...]] = field(default_factory=list)
    pieces: dict[str, str] = field(default_factory=dict)
    copies: dict[str, Copy] = field(default_factory=dict)
    laid: dict[str, Laid] = field(default_factory=dict)
    astray: dict[str, CounterChange] = field(default_factory=dict)
    combat: dict[str, str] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)
    heard: dict[Origin, frozenset[str]] = field(default_factory=dict)
    begun: bool = False
    setting_up: bool = False
    arranged: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, scenario: Scenario, marks: Marks) -> SheetDraft:
        """An empty one."""
        clock = first_clock(scenario)
        sides = {c.id: c.side for c in scenario.counters.values()}
        return cls(scenario, marks, clock, Started({}, clock), Listener(scenario), sides)

    @property
    def grid(self) -> HexGrid:
        """The map's hexes."""
        return self.scenario.map.grid

    @cached_property
    def choices(self) -> frozenset[str]:
        """The units whose place at the start is for the players to choose."""
        at_start = self.scenario.setup.at_start
        return frozenset(u for p in at_start if not (len(p.hexes) == 1 and not p.areas) for u in p.units)

    @cached_property
    def _grounds(self) -> dict[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        areas = {a.id: frozenset(a.hexes) for a in self.scenario.map.areas}
        for p in self.scenario.setup.at_start:
            hexes = frozenset(p.hexes).union(*(areas.get(a, frozenset()) for a in p.areas))
            for u in p.units:
                found[u] = found.get(u, frozenset()) | hexes
        return found

    def may_start(self, unit: str, hex_: str) -> bool:
        """Whether a unit may stand in a hex at the start, as far as the set-up lists hexes."""
        grounds = self._grounds.get(unit, frozenset())
        return not grounds or hex_ in grounds

    @property
    def at_setup(self) -> bool:
        """Whether the first log begins with the game: at its first phase, unless its players say another."""
        first, blocks = self.started.clock, self.blocks
        said = bool(blocks) and blocks[0].given and blocks[0].clock != first
        return first == first_clock(self.scenario) and not said

    @property
    def last(self) -> list[Item]:
        """The lines to which a comment belongs: those of the phase, or what stands before the first."""
        return self.blocks[-1].items if self.blocks else self.header

    def block(self, origin: Origin) -> PhaseBlock:
        """The phase that is being played."""
        if not self.blocks:
            self.blocks.append(PhaseBlock(self.clock, origin, begin=dict(self.stood)))
        return self.blocks[-1]

    @property
    def fighting(self) -> bool:
        """Whether what happens is kept until the phase is over: in combat, and after a combat's line elsewhere."""
        return bool(self.kept) or (bool(self.blocks) and self.blocks[-1].clock.phase == "combat")

    def keep(self, entry: LogEntry) -> None:
        """Keep something for the end of the phase."""
        self.kept.append(entry)

    @property
    def marked(self) -> Marked:
        """What is marked for a combat now."""
        attack, support, guard = (tuple(u for u, role in self.roles.items() if role == wanted) for wanted in _ROLES)
        values = self.combat
        aimed = values.get(TARGET, "").removeprefix("h").partition(":")[0]
        offboard, air = (int(n) if (n := values.get(name, "")).isdecimal() else 0 for name in (OFFBOARD, AIR))
        return Marked(aimed, attack, support, guard, offboard, air)

    def drop(self, gone: Iterable[Item]) -> None:
        """Take lines of this phase away."""
        if self.blocks:
            self.blocks[-1].items[:] = without(self.blocks[-1].items, gone)

    def comment(self, origin: Origin, what: Param, told: Param) -> None:
        """Tell something of a counter, or of dice, that is no statement."""
        self.tell(Item(origin, remark(what, told)))

    def tell(self, item: Item) -> None:
        """A comment, in its place."""
        if self.fighting:
            self.keep(LogEntry(item.origin, item))
        else:
            self.last.append(item)

    def comment_place(self, change: CounterChange) -> None:
        """Tell that a counter was put elsewhere."""
        self.last.append(Item(change.origin, self.place_told(change)))

    @staticmethod
    def place_told(change: CounterChange) -> Message:
        """What is told of a counter that was put elsewhere."""
        before, after = (spot.hex or message(f"logs.place.{spot.place}") for spot in (change.old, change.new))
        return remark(change.unit, message("logs.comment.put", before=before, after=after))


def remark(what: Param, told: Param) -> Message:
    """A comment on something."""
    return message("logs.comment.on", what=what, told=told)


def found_line(draft: SheetDraft, unit: str, spot: Spot, origin: Origin, *, unclear: bool = False) -> Item | None:
    """The line that says where a counter stands, which no rule brought there; None for what is no unit."""
    if unit not in draft.listener.units:
        return None
    unclear = unclear or unit in draft.unclear
    lost = spot.place == "dead"
    put = statements.Found(
        0, unit, spot.hex, reduced=spot.reduced if spot.place == "hex" else 0, lost=lost, unclear=unclear
    )
    return Item(origin, put, read=True)


def lead_on(draft: SheetDraft, items: list[Item], going: CounterFact, new: str) -> None:
    """Lead the way of a counter, that a fact among some lines tells of, on to another hex."""
    if new not in going.path:
        going.path += [new] if draft.grid.adjacent(going.path[-1], new) else [kinds.OPEN, new]
        return
    # Dragged back: the way from there on was a slip.
    del going.path[going.path.index(new) + 1 :]
    if len(going.path) == 1 and going.kind != "enter":
        items[:] = [i for i in items if i.fact is not going]


def outline(draft: SheetDraft, chain: Chain) -> Iterator[Item]:
    """The lines before the first turn. What players typed of them stands, and stands alone where it says all."""
    first = chain.logs[0]
    start, typed = Origin(first.name, 0), list(draft.header)
    said = {type(item.statement) for item in typed}
    if any(log.game.damage is not None for log in chain.logs) and statements_head.Partial not in said:
        # What is owed at a phase's end may stand in the part that was lost.
        typed.append(Item(start, statements_head.Partial(0)))
    yield from head(chain, draft.scenario, draft.marks.sides, said)
    if said & {statements_head.SheetVersion, statements_head.PositionStart, statements_head.SetupStart}:
        yield from typed
        return
    # Of what no position shows, the players tell; at the game's beginning there is nothing of the kind.
    states = [item for item in typed if isinstance(item.what, statements_head.UnitStatus)]
    yield from (item for item in typed if item not in states)
    # Where not even the first action was reached, the position may lack units that stood on the map.
    laid_out = list(_position(draft, start, whole=first.game.damage is None or bool(first.told)))
    yield from laid_out
    yield from (states if laid_out and isinstance(laid_out[0].what, statements_head.PositionStart) else ())


def head(
    chain: Chain, scenario: Scenario, sides: Mapping[str, str], said: Collection[type[object]]
) -> Iterator[Item]:
    """The first lines of a sheet, if no line that was typed begins one; `sides` by the names that players see."""
    if statements_head.SheetVersion in said:
        return
    start, found = Origin(chain.logs[0].name, 0), dict[str, str]()
    yield Item(start, statements_head.SheetVersion(0, VERSION))
    yield Item(start, statements_head.GameName(0, scenario.name))
    for log in chain.logs:
        for name, side in log.end.players:
            # A name as the notation can write it.
            shown = " ".join(name.replace('"', "'").split())
            if side in sides and shown:
                found[sides[side]] = shown
    names = tuple((side.id, found[side.id]) for side in scenario.game.sides if side.id in found)
    if names and statements_head.Players not in said:
        yield Item(start, statements_head.Players(0, names))


def _position(draft: SheetDraft, start: Origin, *, whole: bool) -> Iterator[Item]:
    """Nothing where all stands as printed; the units alone where the game begins, to be held against its set-up."""
    started, scenario = draft.started, draft.scenario
    on_map = {u: s for u, s in started.at.items() if s.place == "hex"}
    at_start = scenario.setup.at_start
    # Whoever is hidden from the reader may well be in place: of such a set-up no unit is said to be missing.
    unseen = tuple(u for p in at_start for u in p.units if u not in on_map) if started.veiled else ()
    chosen = whole and draft.at_setup and not unseen
    weak = scenario.setup.weak
    printed = {
        u: (p.hexes[0], weak.get(u, 0)) for p in at_start if len(p.hexes) == 1 and not p.areas for u in p.units
    }
    if chosen and {u: (s.hex, s.reduced) for u, s in on_map.items()} == printed:
        return
    yield Item(
        start, statements_head.SetupStart(0) if chosen else statements_head.PositionStart(0, after=_over(draft))
    )
    order = {u: i for i, u in enumerate(scenario.counters)}
    for unit in sorted(on_map, key=lambda u: (order.get(u, len(order)), u)):
        placement = statements_head.Placement(0, unit, on_map[unit].hex, on_map[unit].reduced)
        yield Item(started.placed.get(unit, start), placement, indent=True)
    if unseen:
        yield Item(start, message("logs.comment.unseen", units=unseen), indent=True)
    if not chosen:
        yield from _rest(draft, start)


def begun_otherwise(draft: SheetDraft, chain: Chain) -> Iterator[Noted]:
    """What a log's first position has that the set-up has not, but for the units on the map, which are judged.

    Where the log begins later, nobody can say how the game came to stand so.
    """
    if not chain.logs:
        return
    started, scenario, start = draft.started, draft.scenario, Origin(chain.logs[0].name, 0)
    if not draft.at_setup:
        said = any(isinstance(item.what, statements_head.PositionStart) for item in draft.header)
        if not said and any(True for _ in _position(draft, start, whole=True)):
            yield note(start, "begun-later", log=start.log)
        return
    if started.thrown:
        yield note(start, "throws-before", count=started.thrown)
    pool = {u for p in scenario.setup.pool for u in p.units} | {u for p in scenario.setup.at_start for u in p.units}
    away = (u for u, s in started.at.items() if s.place in ("dead", "left"))
    lost = [u for u in away if u in scenario.counters and u not in pool]
    if lost:
        yield note_on(start, "begun-lost", lost)
    turn = scenario.game.turns.first
    points = next((row.points for row in scenario.tables.air if row.turns and in_turns(row.turns, turn)), 0)
    # Fewer are nobody's gain: a module may give them only as the turn begins.
    if started.air is not None and started.air > points:
        yield note(start, "begun-air", found=started.air, wanted=points)


def _over(draft: SheetDraft) -> tuple[int, str, str, int] | None:
    """The phase of the same turn that was over, where the first one is one of several of its kind.

    A sheet names the side and the kind of a phase; which it is, the tracker shows, and the phase before it tells.
    """
    clock, scenario = draft.blocks[0].clock if draft.blocks else draft.started.clock, draft.scenario
    place, game = place_of(clock, scenario), scenario.game
    if place is None or clock.name or len(places_of(clock, scenario)) == 1:
        return None
    before = next((i for i in reversed(range(place)) if game.sequence[i].played(clock.turn)), None)
    # Where dice say who goes first, the phase before that of another side need not be the one before it here.
    if before is None or (game.order_die is not None and game.sequence[before].side != clock.side):
        return None
    over = reading_at(clock.turn, before, scenario)
    alike = game.counted(over.side, over.phase, clock.turn, scenario.weather(clock.turn))
    which = alike.index(before) + 1 if len(alike) > 1 and before in alike and not over.name else 0
    return over.turn, over.side, over.name or over.phase, which


def _rest(draft: SheetDraft, start: Origin) -> Iterator[Item]:
    """Air points, the dead, and what a position cannot say of those that left."""
    started, rule = draft.started, draft.scenario.game.rules.combat.air
    if rule is not None and started.air:
        yield Item(start, statements_head.AirPoints(0, rule.side, started.air), indent=True)
    for known in known_of(started.laid, draft.scenario, {u: s.hex for u, s in started.at.items() if s.hex}):
        yield Item(start, known, indent=True)
    for unit, spot in started.at.items():
        counter = draft.scenario.counters.get(unit)
        if counter is not None and spot.place == "dead":
            lost = statements_head.LostUnit(
                0, counter.side, counter.type, counter.attack, counter.defence, counter.move
            )
            yield Item(start, lost, indent=True)
        elif counter is not None and spot.place == "left":
            yield Item(start, remark(unit, message("logs.comment.left-before")), indent=True)
