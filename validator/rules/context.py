"""What a rule is judged against: scenario, map, units, options in force. It does not change during a replay.

What a rule hands back: the position after a statement, and what there is to say about it.

Other orders of battle that the rulebook's text allows: whose formation, or how many of it, it does not print.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from ...scenarios.model import GameMap, Scenario
from ...scenarios.schema.base import AtTimes, in_turns
from ...scenarios.schema.game import PhaseZones
from ...scenarios.schema.rules import Allegiance, Rules
from ...scenarios.schema.rules_movement import InTurns, MovementRules, Sections
from ...scenarios.schema.rules_zones import ZoneException
from ...scenarios.text.hexgrid import Hex, Side
from ...scenarios.text.words import Param, Term
from ..notation.base import Statement
from .accounts_books import AccountsHead, Effect
from .board import Case, Toll, reaches, tolls
from .combat.unity import Formation, division_of, regiment_of
from .findings import KINDS, CombatRecord, Finding, MoveRecord, find, section_of
from .ground import Ground, Mover
from .position import Phase, Position, Unit, UnitState, ZoneReach
from .roster import fits, formation_key


@dataclass(frozen=True)
class Context:
    """Everything that stays the same from the first statement to the last.

    `ground` is the map that is played on, `units` all units by id, `options` every ruling in force by name.
    `declared` are the units that the sheet itself brings, `beside` says that the game's own play beside them;
    `partial` excuses duties.
    """

    scenario: Scenario
    ground: Ground
    units: Mapping[str, Unit]
    options: Mapping[str, str]
    partial: bool = False
    declared: frozenset[str] = frozenset()
    beside: bool = False
    due: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """The sheet's own reinforcements: unit -> turn and edge ("" for any)."""
    start: Mapping[str, frozenset[Hex]] = field(default_factory=dict)
    """Hexes in which each side's units stood when the sheet began."""
    named: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Turn -> units that the sheet has do something in it other than leave the map."""
    named_leaving: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Turn -> units that the sheet has leave the map."""
    repeats: frozenset[Statement] = frozenset()
    """Orders that the sheet gives in the same words as before them in the phase."""
    announced: tuple[Phase, ...] = ()
    """The phases that the sheet announces, in their order."""
    unset: frozenset[str] = frozenset()
    """Units with a choice of hexes at set-up, of which the sheet does not say as it begins where they stand."""
    head: AccountsHead = field(default_factory=AccountsHead)
    """What the sheet says of the accounts of a game that is judged by those."""
    supposed: Mapping[Formation, bool] = field(default_factory=dict)
    """Formations supposed to be there whole, or not, whatever the counters say (`order_of_battle`)."""
    _base: Context | None = field(default=None, compare=False, repr=False)
    """That of before any unit changed sides."""
    _movers: dict[tuple[object, ...], Mover] = field(default_factory=dict, compare=False, repr=False)
    _reaches: dict[frozenset[Side], ZoneReach] = field(default_factory=dict, compare=False, repr=False)

    @property
    def map(self) -> GameMap:
        """The map that is played on."""
        return self.ground.map

    @property
    def rules(self) -> Rules:
        """The figures of all rules."""
        return self.scenario.game.rules

    @property
    def movement(self) -> MovementRules:
        """The figures of the rules of movement."""
        return self.scenario.game.rules.movement

    @property
    def sections(self) -> Sections:
        """Where the rulebook prints the rules of movement."""
        return self.scenario.game.rules.movement.sections

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """Both sides' ids."""
        return tuple(s.id for s in self.scenario.game.sides)

    def enemy(self, side: str) -> str:
        """The other side."""
        return next(s for s in self.sides if s != side)

    @cached_property
    def short(self) -> Mapping[str, int]:
        """Steps that units of the set-up lack from the first."""
        setup = self.scenario.setup
        placed = ((p.units, p.reduced) for p in setup.at_start)
        coming = ((p.units, p.reduced) for p in setup.reinforcements)
        return {u: reduced for units, reduced in (*placed, *coming) if reduced for u in units}

    def at(self, turn: int) -> Context:
        """The same in a turn in which units may be under the other side's command."""
        base = self._base or self
        now = tuple(rule for rule in base.rules.allegiance if rule.turn <= turn)
        if now and now not in base._sworn:
            changed = {u: _sworn(unit, now) for u, unit in base.units.items()}
            base._sworn[now] = replace(base, units=changed, _base=base, _movers={}, _reaches={})
        return base._sworn[now] if now else base

    def begun(self, start: Mapping[str, frozenset[Hex]], unset: frozenset[str], turn: int) -> Context:
        """The same in a turn, with what is known of units once a position has been read, whoever commands them."""
        return replace(self._base or self, start=start, unset=unset).at(turn)

    @cached_property
    def _sworn(self) -> dict[tuple[Allegiance, ...], Context]:
        return {}

    def sworn_by(self, unit: str) -> str:
        """Where the rulebook puts a unit under the other side's command by now; "" if it is its own side's."""
        own = (self._base or self).units[unit]
        if own.side == self.units[unit].side:
            return ""
        return next((rule.section for rule in self.rules.allegiance if fits(rule, own)), "")

    def plays(self, unit: str) -> bool:
        """Whether a unit is in the game: one that the sheet declares, or the game's own where it declares none."""
        return self.beside or not self.declared or unit in self.declared

    def option(self, name: str) -> str:
        """A ruling in force; "" for one that the game does not know."""
        return self.options.get(name, "")

    def on(self, name: str) -> bool:
        """Whether a yes-or-no ruling stands at yes, as it does in games that do not offer the choice."""
        return self.options.get(name, "yes") == "yes"

    def holds(self, rule: InTurns, turn: int, position: Position | None = None, hex_: Hex | None = None) -> bool:
        """Whether a rule for some turns is in force in a turn, and in the weather of a position if one is given."""
        if rule.weather and position is not None and self.weather(position, hex_) not in rule.weather:
            return False
        if position is not None and not self.in_phase(rule.phases, position.phase):
            return False
        switched = rule.option is None or self.options[rule.option] == "yes"
        return switched and in_turns(rule.turns, turn)

    def found(self, line: int, key: str, *, section: str = "", **more: Any) -> Finding:
        """A finding of a kind of `KINDS`, with what `findings.find` takes.

        `section` is that of the rule that was broken, for kinds whose section is not always the same.
        """
        return find(line, key, self.citation(key, section), **more)

    def term(self, ids: str) -> Param:
        """What a message calls a kind of terrain, hexside, way, or an area; several with commas between."""
        return tuple(Term(self._section_of(id_), id_) for id_ in ids.split(", ") if id_)

    def place(self, id_: str) -> Term:
        """What a message calls a place of the map."""
        return Term("places", id_, next((p.name for p in self.map.places if p.id == id_), ""))

    def area(self, id_: str) -> Term:
        """What a message calls an area of the map."""
        return Term("areas", id_, next((a.name for a in self.map.areas if a.id == id_ and a.name), ""))

    def _section_of(self, id_: str) -> str:
        tables = self.scenario.tables
        known: dict[str, Collection[str]] = {
            "terrain": tables.terrain,
            "hexsides": tables.hexsides,
            "ways": tables.ways,
        }
        return next((section for section, ids in known.items() if id_ in ids), "areas")

    def citation(self, key: str, section: str = "") -> str:
        """How a finding of a kind cites the rulebook."""
        return self.scenario.citation(section or section_of(self.scenario, KINDS[key].section))

    # ------------------------------------------------------------------ zones

    def reach(self, built: frozenset[Side] = frozenset()) -> ZoneReach:
        """How far zones reach on this ground with the bridges that were `built` in play, and whose do."""
        rule = self.movement.zones
        built = built if rule.over_bridges else frozenset()
        if built not in self._reaches:
            among = rule.exerted_by
            silent = (u.id for u in self.units.values() if not rule.exerted or (among and not u.is_any(among)))
            self._reaches[built] = ZoneReach(
                reaches(self.ground, rule, built),
                frozenset(silent),
                rule.reduced,
                rule.friends_cancel,
                frozenset(rule.silenced_by),
            )
        return self._reaches[built]

    def know(self, built: frozenset[Side], reach: ZoneReach) -> None:
        """Take it from whoever supposes another ground how far zones reach on it with those bridges."""
        self._reaches[built if self.movement.zones.over_bridges else frozenset()] = reach

    def tolls(self, position: Position, unit: Unit) -> Mapping[Case, Toll]:
        """What zones take of each kind of a unit's steps."""
        sequence, phase, state = self.scenario.game.sequence, position.phase, position.units[unit.id]
        place = phase.places[0] if phase is not None and phase.places else None
        if place is None or sequence[place].zones is None:
            place = None  # phases that change nothing are judged alike
        rules = self.movement.zones.exceptions
        special = (
            i
            for i, rule in enumerate(rules)
            if fits(rule, unit, state) and self.in_force(rule, position, state.hex)
        )
        return self._tolls_by(place, next(special, None))

    def in_force(self, rule: AtTimes, position: Position, hex_: Hex | None = None) -> bool:
        """Whether a rule for some turns or some weather is in force, for who stands in a hex."""
        in_time = in_turns(rule.turns, position.turn)
        in_time = in_time and self.in_phase(rule.phases, position.phase)
        return in_time and (not rule.weather or self.weather(position, hex_) in rule.weather)

    def names(self, phase: Phase) -> tuple[str, ...]:
        """The words by which rules may speak of a phase: its kind and, if it has one, its id."""
        spec = self.scenario.game.sequence[phase.places[0]] if phase.places else None
        return spec.names if spec is not None else (phase.kind,)

    def in_phase(self, phases: Collection[str], phase: Phase | None) -> bool:
        """Whether a rule that holds in some phases alone, or in all where it names none, holds in one."""
        return not phases or (phase is not None and not set(self.names(phase)).isdisjoint(phases))

    def _tolls_by(self, place: int | None, exception: int | None) -> Mapping[Case, Toll]:
        """By the place of a phase with zones of its own, and of an exception; what the phase says comes first."""
        if (place, exception) not in self._tolls:
            rule, others = self.movement.zones, list[tuple[ZoneException | PhaseZones, str]]()
            if exception is not None:
                others.append((rule.exceptions[exception], rule.exceptions[exception].section))
            phase = self.scenario.game.sequence[place] if place is not None else None
            if phase is not None and phase.zones is not None:
                others.append((phase.zones, phase.zones.section or phase.section or self.sections.phase))
            self._tolls[place, exception] = tolls(rule, others, between=self.on("zoe_to_zoe"))
        return self._tolls[place, exception]

    @cached_property
    def _tolls(self) -> dict[tuple[int | None, int | None], Mapping[Case, Toll]]:
        return {}

    def weather(self, position: Position, hex_: Hex | None = None) -> str:
        """The weather now: that which the dice have given, or that of the turn; "" where the game has none.

        That of a hex is that of its area, if this has its own.
        """
        area = self.ground.climate.get(hex_, "") if hex_ else ""
        own = dict(self.skies(position)).get(area) if area else None
        return own or position.weather or self.scenario.weather(position.turn)

    def skies(self, position: Position) -> tuple[tuple[str, str], ...]:
        """The weather of areas that have their own."""
        return position.skies or self.scenario.weather_by_area(position.turn)

    # ----------------------------------------------------------------- movers

    def mover(
        self, position: Position, unit: Unit, *, movement: str = "", only: frozenset[str] = frozenset()
    ) -> Mover:
        """All that the price of a unit's steps depends on, in the turn being played; `only` some ways, if any."""
        state = position.units[unit.id]
        turn = position.turn
        relevant = state.marks & self._frontier_marks
        # Where areas have a weather of their own, rules may hang on where a unit stands.
        where = self.ground.climate.get(state.hex or "", "")
        place = position.phase.places[:1] if position.phase is not None else ()
        key = (
            unit.id, movement, turn, relevant, position.bridges, position.cleared, only, position.sky, where, place,
        )  # fmt: skip
        known = self._movers.get(key)
        if known is not None:
            return known
        rules = self.movement
        closed = [
            h
            for rule in rules.closed_bridges
            if fits(rule, unit, state) and self.holds(rule, turn, position, state.hex)
            for h in rule.hexes
        ]
        # Turns are kept out of the mover where nothing depends on them, so that its steps serve the whole game.
        dates = {d for d in self.ground.bridge_dates.values() if d <= turn}
        mover = Mover(
            movement=movement or unit.movement,
            kinds=unit.kinds & self._barring,
            weather=self.weather(position),
            skies=self.skies(position),
            frontiers=tuple(i for i, rule in enumerate(rules.frontiers) if fits(rule, unit, state)),
            surcharges=tuple(
                i
                for i, rule in enumerate(rules.surcharges)
                if fits(rule, unit, state)
                and in_turns(rule.turns, position.turn)
                and self.in_phase(rule.phases, position.phase)
            ),
            closed=frozenset(closed),
            barred=frozenset(h for rule in rules.barred_hexes if fits(rule, unit, state) for h in rule.hexes),
            turn=max(dates, default=0),
            bridges=position.bridges,
            cleared=position.cleared,
            only=only,
        )
        self._movers[key] = mover
        return mover

    @cached_property
    def _frontier_marks(self) -> frozenset[str]:
        rules = (
            *self.movement.frontiers,
            *self.movement.surcharges,
            *self.movement.barred_hexes,
            *self.movement.closed_bridges,
        )
        return frozenset(m for rule in rules for m in rule.marks)

    @cached_property
    def _barring(self) -> frozenset[str]:
        tables = self.scenario.tables
        barred = {word for effect in tables.terrain.values() for word in effect.barred}
        barred |= {word for line in tables.hexsides.values() for word in line.barred}
        barred |= {word for way in tables.ways.values() for word in way.barred}
        clearing = self.movement.clearing
        return frozenset(barred | set(clearing.barred if clearing else ()))


def _sworn(unit: Unit, rules: tuple[Allegiance, ...]) -> Unit:
    """A unit as it is under the command that some rules in turn give it."""
    for rule in rules:
        unit = replace(unit, side=rule.to) if fits(rule, unit) else unit
    return unit


@dataclass(frozen=True)
class Outcome:
    """The position as played, findings in the order they were made, and what was computed.

    On accounts: what followed, the lines of facts each with the line that rests on it, and what is not judged.
    `aftermath` is that of an attack whose result is known: what its sides owe, and what they have done of it.
    """

    position: Position
    findings: tuple[Finding, ...] = ()
    moves: tuple[MoveRecord, ...] = ()
    combats: tuple[CombatRecord, ...] = ()
    effects: tuple[Effect, ...] = ()
    facts: frozenset[tuple[int, int]] = frozenset()
    unjudged: tuple[str, ...] = ()
    aftermath: object = field(default=None, compare=False, repr=False)

    def then(self, after: Outcome) -> Outcome:
        """This outcome, and that of the rule that went on from its position."""
        return Outcome(
            after.position,
            (*self.findings, *after.findings),
            (*self.moves, *after.moves),
            (*self.combats, *after.combats),
            (*self.effects, *after.effects),
            self.facts | after.facts,
            (*self.unjudged, *after.unjudged),
            after.aftermath or self.aftermath,
        )


IDENTITY: Final = "identity"
"""What `Unit.assumed` holds for a counter whose formation no rulebook prints."""


@dataclass(frozen=True, slots=True)
class Order:
    """An order of battle: units that are otherwise, and formations supposed to be there whole, or not."""

    units: Mapping[str, Unit] = field(default_factory=dict)
    whole: Mapping[Formation, bool] = field(default_factory=dict)


def other_orders(ctx: Context, outcome: Outcome) -> Iterator[tuple[tuple[str, ...], Order]]:
    """Each order of battle that differs in one thing, with the counters whose formation is in doubt.

    The lists print which division a unit is of, but not always its regiment, nor how many there are. Only the units
    of a combat are looked at, and those that could belong to their regiments.
    """
    named = dict.fromkeys(unit for combat in outcome.combats for _, unit, _ in combat.parts)
    there = [u for u in named if u in ctx.units and not ctx.units[u].line]
    if not there:
        return
    yield from _completeness(ctx, there)
    strange = [u for u in there if IDENTITY in ctx.units[u].assumed]
    for group in _groups(ctx, strange):
        for regiment in sorted(_regiments(ctx, there, group[0])) if len(group) > 1 else ():
            yield group, Order({u: replace(ctx.units[u], regiment=regiment) for u in group})
    for u in (*strange, *_others(ctx, there)):
        for regiment in sorted(_regiments(ctx, there, u) - {ctx.units[u].regiment}):
            yield (u,), Order({u: replace(ctx.units[u], regiment=regiment)})


def _whose(unit: Unit) -> tuple[str, str, str]:
    """What the lists print of a unit's formation."""
    return unit.side, unit.division, unit.corps


def _regiments(ctx: Context, there: Iterable[str], unit: str) -> set[str]:
    """The regiments in a combat that a unit could be of, and none."""
    mine = _whose(ctx.units[unit])
    return {ctx.units[u].regiment for u in there if _whose(ctx.units[u]) == mine} | {""}


def _groups(ctx: Context, strange: Iterable[str]) -> list[tuple[str, ...]]:
    """Units of one division or corps."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for u in strange:
        found.setdefault(_whose(ctx.units[u]), []).append(u)
    return [tuple(units) for units in found.values()]


def _others(ctx: Context, there: Collection[str]) -> list[str]:
    """One of each regiment that is not there, of the divisions of those who are: it may as well be of theirs."""
    divisions = {_whose(ctx.units[u]) for u in there}
    found: dict[tuple[str, ...], str] = {}
    for u, unit in ctx.units.items():
        if IDENTITY in unit.assumed and _whose(unit) in divisions and u not in there and not unit.is_gun:
            found.setdefault((*_whose(unit), unit.regiment), u)
    return list(found.values())


def _completeness(ctx: Context, there: Iterable[str]) -> Iterator[tuple[tuple[str, ...], Order]]:
    """Each regiment and division of those there that may have more or fewer units than our counters give it."""
    unsure: dict[Formation, list[str]] = {}
    for u in there:
        unit = ctx.units[u]
        for key in (regiment_of(ctx.rules.combat.unity, unit), division_of(unit)):
            if key is not None and not unit.is_gun and unsure_of(ctx, key):
                unsure.setdefault(key, []).append(u)
    for key, units in unsure.items():
        for whole in (False, True):
            yield tuple(units), Order(whole={key: whole})
    names = tuple(dict.fromkeys(u for units in unsure.values() for u in units))
    for whole in (False, True) if len(unsure) > 1 else ():
        yield names, Order(whole=dict.fromkeys(unsure, whole))


def unsure_of(ctx: Context, key: Formation) -> bool:
    """Whether the rulebook leaves open how many units a formation has, or who they are."""
    if key[-1]:
        return False
    counted, side = ctx.rules.combat.unity.counted, key[0]
    if counted is not None:
        known = {formation_key(name) for name in counted.get(side, ())}
        return len(key) == 3 or formation_key(key[2]) not in known
    mine = (u for u in ctx.units.values() if key in (regiment_of(ctx.rules.combat.unity, u), division_of(u)))
    return any(IDENTITY in unit.assumed for unit in mine)


@dataclass(frozen=True)
class Arrival:
    """A unit that would come on at a hex of an edge; `before` are those told before it in the same statement."""

    ctx: Context
    position: Position
    line: int
    unit: Unit
    hex: Hex
    edge: str
    before: Sequence[str] = ()

    @property
    def state(self) -> UnitState:
        """The unit as it waits."""
        return self.position.units[self.unit.id]

    @property
    def turn(self) -> int:
        """The turn being played."""
        return self.position.turn

    def find(self, key: str, **more: Any) -> Finding:
        """A finding on this arrival, with what `Context.found` takes."""
        told = {"unit": self.unit.id, "hex": self.hex, "edge": Term("edges", self.edge), "turn": self.turn, **more}
        return self.ctx.found(self.line, key, hexes=(self.hex,), units=(self.unit.id,), **told)

    def not_due(self, due: int, section: str) -> Finding:
        """It comes too early."""
        return self.find("not-due", section=section, declared=self.turn, computed=due, due=due)

    def wrong_edge(self, wanted: Iterable[str], section: str) -> Finding:
        """It comes by an edge that is not its own."""
        return self.find(
            "wrong-edge",
            section=section,
            declared=Term("edges", self.edge),
            wanted=tuple(Term("edges", e) for e in wanted),
        )

    def wrong_hex(self, wanted: Iterable[Hex], section: str) -> Finding:
        """It comes at a hex that is not its own."""
        return self.find("wrong-hex", section=section, declared=self.hex, wanted=tuple(wanted))
