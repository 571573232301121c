"""What a finding rests on: the statement is judged again with every assumed datum otherwise that it has looked at.

No rulebook prints all of the ground, nor every unit's formation. A finding that another hex, another river or
another order of battle would take away is doubtful and names that datum, whatever rule made it; one that stays
however each of them is changed is illegal (rulings R76, R130 and I). What several data could do together, the rules
weigh themselves.

A sheet that begins in the middle of a turn, with a phase of which its side has several: which of them it is.

So with weather of which nothing says what its dice have shown; there, what would be wrong in another is doubtful.

What comes after it may settle that. Where it does not, it is taken for the first. What is wrong there, and would
not be in another, is doubtful; what would be wrong in another is warned of. What would be left undone in another is
doubtful too: nobody is acquitted of a duty because nobody said which phase it was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from ...scenarios.text.hexgrid import Hex, Side, side
from ...scenarios.text.words import Message
from ..rules.board import reaches
from ..rules.combat.preview import _with, ordered
from ..rules.context import Context, Outcome, other_orders
from ..rules.findings import Finding, Severity, doubt
from ..rules.ground import Ground
from ..rules.move_effects import differ
from ..rules.position import Position, ZoneReach
from ..rules.weather import supposed

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


Judge = Callable[[Context, Position], Outcome]

UNSURE: Final = frozenset(
    {"movement-cost", "prohibited-terrain", "river-crossing", "bridge-closed", "must-attack"}
    | {"shifts", "column", "result", "losses", "retreat", "advance", "exchange"}
    | {"artillery-support", "artillery-terrain", "recovery", "trail-clearing", "bridge-building"}
    | {"entry", "exit", "rail", "special"}
)
"""Codes of findings that ground or formations can have a part in."""

ZONED: Final = frozenset({"zone-of-engagement", "must-stop", "wrong-phase", "supply"})
"""Codes of findings that ground has a part in where zones end at it."""

UNDRAWN: Final = frozenset({"losses", "advance", "retreat", "river-crossing"})
"""Codes of findings on which a river or a road that our map does not draw could bear."""

ALIKE: Final = (
    frozenset({"odds", "column", "shifts", "result"}),
    frozenset({"prohibited-terrain", "river-crossing", "bridge-closed", "movement-cost"}),
    frozenset({"zone-of-engagement", "must-stop"}),
)
"""Codes by which the same thing is found fault with: it stays wrong, if for another reason."""

MANY: Final = 60
"""Hexes beyond which a search has looked at the map, not at the ground of a statement."""

TOLD: Final = 3
"""Data that a finding names at most."""

MOST_WORK: Final = 50_000
"""What a sheet's findings are weighed for, some twenty seconds; a turn with ten mistakes takes a fiftieth of it."""

A_LINE: Final = 4
"""What judging a line takes of that, for all that it has to do before anything is found."""


@dataclass(frozen=True, slots=True)
class Supposition:
    """A datum, as findings name it, and a context and position in which it is otherwise.

    `codes` are those of the findings that it may take away, empty for any; `more`: it is told beside other data.
    """

    datum: Message
    ctx: Context
    position: Position
    codes: frozenset[str] = frozenset()
    more: bool = True


@dataclass(slots=True)
class Effort:
    """What may still be spent on asking what the findings of a sheet rest on, in findings judged again.

    Nobody waits longer for an answer because more is wrong; what is not asked any more is doubtful, not illegal.
    """

    left: int = MOST_WORK

    def spend(self, work: int) -> bool:
        """Whether something is left after that."""
        self.left = max(self.left - work, 0)
        return self.left > 0


class _Noted(Mapping[K, V]):
    """A look-up that writes down what was asked of it."""

    def __init__(self, base: Mapping[K, V], asked: set[K]) -> None:
        self._base, self._asked = base, asked

    def __getitem__(self, key: K) -> V:
        self._asked.add(key)
        return self._base[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._base)

    def __len__(self) -> int:
        return len(self._base)

    def items(self) -> Any:
        """Going through all of it asks for none of it."""
        return self._base.items()

    def values(self) -> Any:
        """Going through all of it asks for none of it."""
        return self._base.values()


def weighed(
    ctx: Context,
    position: Position,
    outcome: Outcome,
    judge: Judge,
    *,
    effort: Effort,
    asked_of: Callable[[Finding], bool] = lambda _: True,
) -> Outcome:
    """The outcome with those of its illegal findings doubtful that another value of an assumed datum takes away.

    `judge` judges the same statement in whatever context and position it is given. Each finding is weighed by
    itself, and only those of which `asked_of` holds. Where the `effort` does not suffice, all of them are doubtful.
    """
    unsure = UNSURE | ZONED if ctx.movement.zones.grounded else UNSURE
    sure = [f for f in outcome.findings if f.severity == "illegal" and f.code in unsure and asked_of(f)]
    if not sure or not _assumes(ctx):
        return outcome
    rests: dict[int, dict[Message, None]] = {}
    work = 1 + len(outcome.findings)
    for case in _suppositions(ctx, position, outcome, judge) if effort.left else ():
        asked = [f for f in sure if not case.codes or f.code in case.codes]
        asked = [f for f in asked if case.more or not rests.get(id(f))]
        # A finding that names as many as it can is doubtful, and nothing more can come of trying others.
        told = (rests.get(id(f), {}) for f in asked)
        asked = [f for f, data in zip(asked, told, strict=True) if case.datum not in data and len(data) < TOLD]
        if not asked:
            continue
        if not effort.spend(work):
            break
        found = _Found(judge(case.ctx, case.position).findings)
        for finding in asked:
            if not found.has(finding):
                rests.setdefault(id(finding), {})[case.datum] = None
    if not effort.left:
        for finding in sure:
            rests.setdefault(id(finding), {doubt("effort"): None})
    return replace(outcome, findings=tuple(_doubted(f, rests.get(id(f), ())) for f in outcome.findings))


def _assumes(ctx: Context) -> bool:
    return ctx.map.printed or any(not unit.line for unit in ctx.units.values())


class _Found:
    """What a statement is found fault with, looked up by line and code: it may be as long as its sheet."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._by_place: dict[tuple[str, int], list[Finding]] = {}
        self._by_group: dict[frozenset[str], list[Finding]] = {}
        for found in findings:
            if found.severity in ("illegal", "doubtful"):
                self._by_place.setdefault((found.code, found.line), []).append(found)
                for alike in ALIKE:
                    if found.code in alike:
                        self._by_group.setdefault(alike, []).append(found)

    def has(self, finding: Finding) -> bool:
        """Whether a statement is found fault with as before, if perhaps in other words."""
        there = self._by_place.get((finding.code, finding.line), ())
        groups = (found for alike, found in self._by_group.items() if finding.code in alike)
        return any(_of_the_same(finding, other) for found in (there, *groups) for other in found)


def _of_the_same(finding: Finding, other: Finding) -> bool:
    return not finding.units or not other.units or not set(finding.units).isdisjoint(other.units)


def _doubted(finding: Finding, data: Collection[Message]) -> Finding:
    if not data:
        return finding
    return replace(finding, severity="doubtful", rests_on=(*finding.rests_on, *tuple(data)[:TOLD]))


def _suppositions(ctx: Context, position: Position, outcome: Outcome, judge: Judge) -> Iterator[Supposition]:
    for units, otherwise in other_orders(ctx, outcome):
        datum = doubt("identity", units=" ".join(units))
        yield Supposition(datum, *ordered(ctx, position, otherwise), more=False)
    if not ctx.map.printed:
        return
    looked = _looked_at(ctx, position, judge)
    spoken_of = _spoken_of(ctx, position, outcome)
    near = spoken_of.union(*(ctx.map.grid.neighbours[h] for h in spoken_of))
    zoned = _ends_of_zones(ctx, looked)
    if len(zoned.hexes) > MANY or len(zoned.lines) > MANY:
        zoned = zoned.within(near)
    if len(looked.hexes) > MANY:
        looked = looked.within(near)
    looked = looked.with_(zoned)
    for h in sorted(looked.hexes):
        datum_of_hex = ctx.ground.doubt(h)
        terrains = _telling(ctx, h, barring_only=not outcome.moves and h not in spoken_of)
        for ground in _other_hexes(ctx.ground, h, terrains) if datum_of_hex else ():
            yield Supposition(datum_of_hex, *_on(ctx, position, ground))  # type: ignore[arg-type]
    for s in sorted(looked.lines | looked.links | looked.bridges):
        drawn = ctx.ground.side_doubt(s)
        datum_of_side = drawn or ctx.ground.side_gap(s)
        for ground in _other_sides(ctx.ground, s, looked) if datum_of_side else ():
            codes = frozenset() if drawn else _undrawn(ctx, s)
            yield Supposition(datum_of_side, *_on(ctx, position, ground), codes)  # type: ignore[arg-type]


def _undrawn(ctx: Context, s: Side) -> frozenset[str]:
    """The codes of findings on which it could bear that our map draws nothing on a hexside.

    Where both of its hexes are known, so is that no zone ends between them.
    """
    return UNDRAWN | ZONED if any(map(ctx.ground.doubt, s)) else UNDRAWN


@dataclass(frozen=True, slots=True)
class _LookedAt:
    """What a judgement asks of the ground: the terrain of hexes, and of hexsides lines, ways and bridges."""

    hexes: set[Hex] = field(default_factory=set)
    lines: set[Side] = field(default_factory=set)
    links: set[Side] = field(default_factory=set)
    bridges: set[Side] = field(default_factory=set)
    zones: set[Hex] = field(default_factory=set)
    """Hexes of which it is asked how far the zone of who stands there reaches."""

    def within(self, near: Collection[Hex]) -> _LookedAt:
        """What of it lies in some hexes and between them."""
        lines, links, bridges = (
            {s for s in sides if s[0] in near and s[1] in near} for sides in (self.lines, self.links, self.bridges)
        )
        return _LookedAt({h for h in self.hexes if h in near}, lines, links, bridges, self.zones)

    def with_(self, other: _LookedAt) -> _LookedAt:
        """This and the other together."""
        return _LookedAt(
            self.hexes | other.hexes,
            self.lines | other.lines,
            self.links | other.links,
            self.bridges | other.bridges,
            self.zones | other.zones,
        )


def _ends_of_zones(ctx: Context, looked: _LookedAt) -> _LookedAt:
    """What is asked of the ground to tell how far the zones reach that a judgement looks at."""
    rule, near = ctx.movement.zones, ctx.map.grid.neighbours
    into = {n for h in looked.zones for n in near[h]} if rule.not_into else set[Hex]()
    over = {side(h, n) for h in looked.zones for n in near[h]} if rule.not_across else set[Side]()
    bridged = over if rule.over_bridges else set[Side]()
    return _LookedAt(into, over, bridged, bridged)


def _looked_at(ctx: Context, position: Position, judge: Judge) -> _LookedAt:
    """What a judgement looks at, which nothing else can change."""
    looked = _LookedAt()
    ground = ctx.ground
    lines, links = _Noted(ground.hexsides, looked.lines), _Noted(ground.links, looked.links)
    map_ = _with(ctx.map, terrain=_Noted(ctx.map.terrain, looked.hexes), hexsides=lines, links=links)
    dates = _Noted(ground.bridge_dates, looked.bridges)
    there, stood = _on(ctx, position, _with(ground, map=map_, hexsides=lines, links=links, bridge_dates=dates))
    if ctx.movement.zones.grounded:
        reach = ctx.reach(position.bridges)
        stood = _reached(there, stood, replace(reach, hexes=_Noted(reach.hexes, looked.zones)))
    judge(there, stood)
    return looked


def _spoken_of(ctx: Context, position: Position, outcome: Outcome) -> set[Hex]:
    """The hexes that a statement itself is about: those of its findings, ways, targets, and of whom it moves."""
    units = {unit for combat in outcome.combats for _, unit, _ in combat.parts}
    named = {h for move in outcome.moves for h in move.path} | {h for f in outcome.findings for h in f.hexes}
    named |= {h for combat in outcome.combats for h in combat.target}
    named |= {h for unit in units for at in (position, outcome.position) if (h := at.hex_of(unit))}
    return {h for h in named if h in ctx.map.grid}


def _telling(ctx: Context, h: Hex, *, barring_only: bool) -> list[str]:
    """The terrains to try in a hex: where only what it shuts out can matter, one of each kind in that."""
    effects, shut = ctx.scenario.tables.terrain, ctx.movement.zones.not_into
    if not barring_only:
        return list(effects)
    kinds = {name: (effect.barred, name in shut) for name, effect in effects.items()}
    own = {kinds[t] for t in ctx.map.terrain[h] if t in kinds}
    return list({kind: name for name, kind in kinds.items() if kind not in own}.values())


def _on(ctx: Context, position: Position, ground: Ground) -> tuple[Context, Position]:
    """The context and the position on another ground, whose steps have still to be priced."""
    there = _with(ctx, ground=_with(ground, _steps={}), _movers={}, _reaches={})
    rule = ctx.movement.zones
    if not rule.grounded:
        return there, position
    # No zone reaches otherwise but from where a step is another one.
    reach, among = ctx.reach(position.bridges), {a for a, _ in ground.altered}
    others = reaches(ground, rule, position.bridges, among)
    return there, _reached(there, position, replace(reach, hexes={**reach.hexes, **others}))


def _reached(ctx: Context, position: Position, reach: ZoneReach) -> Position:
    """The position in which zones reach so far, as the context then has it too."""
    ctx.know(position.bridges, reach)
    return replace(position, boards={s: replace(board, reach=reach) for s, board in position.boards.items()})


def _but(ground: Ground, altered: frozenset[tuple[Hex, Hex]], **values: Any) -> Ground:
    """The ground with other values, on which no steps but the `altered` ones are other steps."""
    return _with(ground, _under=ground, _altered=altered, **values)


def _other_hexes(ground: Ground, h: Hex, terrains: Iterable[str]) -> Iterator[Ground]:
    """The ground with other terrain in a hex, and with works or without."""
    map_ = ground.map
    into = frozenset((n, h) for n in map_.grid.neighbours[h])
    for terrain in terrains:
        if map_.terrain[h] != (terrain,):
            yield _but(ground, into, map=_with(map_, terrain={**map_.terrain, h: (terrain,)}))
    if ground.tables.fortified is not None:
        yield _but(ground, into, map=_with(map_, fortified=map_.fortified ^ {h}))


def _other_sides(ground: Ground, s: Side, looked: _LookedAt) -> Iterator[Ground]:
    """The ground with other lines on a hexside, other ways, and a bridge or none, of what is looked at there."""
    over = frozenset((s, s[::-1]))
    own_lines, own_links = ground.hexsides.get(s, frozenset()), ground.links.get(s, frozenset())
    for lines in _others(own_lines, ground.tables.hexsides) if s in looked.lines else ():
        drawn = {**ground.hexsides, s: lines}
        yield _but(ground, over, map=_with(ground.map, hexsides=drawn), hexsides=drawn)
    for links in _others(own_links, ground.tables.ways) if s in looked.links else ():
        joined = {**ground.links, s: links}
        yield _but(ground, over, map=_with(ground.map, links=joined), links=joined)
    if s in looked.bridges and ground.water(s):
        dates = {key: date for key, date in ground.bridge_dates.items() if key != s}
        if s not in ground.bridge_dates:
            dates[s] = 0
        yield _but(ground, over, bridge_dates=dates)


def _others(own: frozenset[str], kinds: Iterable[str]) -> Iterator[frozenset[str]]:
    return (other for other in (frozenset[str](), *(frozenset({k}) for k in kinds)) if other != own)


JudgeLine = Callable[[Context, Position], Outcome]


def in_each(
    ctx: Context, position: Position, judge: JudgeLine, elsewhere: Severity = "warning", *, places: bool = True
) -> Outcome:
    """What comes of a statement, or of a phase's end, with what would come of it in another phase or weather.

    `elsewhere` is how grave it is that something would be illegal in another place of the phase alone; without
    `places` the weathers alone are tried.
    """
    first = judge(ctx, position)
    others = [(why, judge(ctx, other).findings) for why, other in _which_phase_others(ctx, position, places=places)]
    found = []
    for f in first.findings:
        free = [why for why, other in others if not _forbids(other, f)] if f.severity == "illegal" else []
        found.append(_resting(f, "doubtful", *dict.fromkeys(word for why in free for word in why)) if free else f)
    for why, other in others:
        severity = "doubtful" if "weather" in why else elsewhere
        found += [_resting(f, severity, *why) for f in other if f.severity == "illegal" and not _among(f, found)]
    return replace(first, findings=tuple(found))


def _which_phase_others(
    ctx: Context, position: Position, *, places: bool
) -> Iterator[tuple[tuple[str, ...], Position]]:
    """The positions that may as well be the one at hand, each with what is otherwise in it."""
    phase, sequence = position.phase, ctx.scenario.game.sequence
    if phase is None:
        return
    of_phase = phase.places if places and differ(ctx, phase) else phase.places[:1]
    for sky in position.guesses or (position.sky,):
        played = [place for place in of_phase if sequence[place].played(phase.turn, sky.weather)]
        for place in played or of_phase[:1]:
            why = [("phase", place != of_phase[0]), ("weather", sky != position.sky)]
            if any(otherwise for _, otherwise in why):
                there = replace(phase, places=(place,)) if places else phase
                other = replace(supposed(position, sky), phase=there)
                yield tuple(word for word, otherwise in why if otherwise), other


def _forbids(others: Sequence[Finding], finding: Finding) -> bool:
    """Whether another place of the phase forbids the same, be it for another reason."""
    illegal = (f for f in others if f.severity == "illegal" and f.line == finding.line)
    return _among(finding, others) or any(set(f.units) & set(finding.units) for f in illegal)


def _among(finding: Finding, others: Sequence[Finding]) -> bool:
    return any((f.line, f.code, f.units) == (finding.line, finding.code, finding.units) for f in others)


def _resting(finding: Finding, severity: Severity, *why: str) -> Finding:
    return replace(finding, severity=severity, rests_on=(*finding.rests_on, *map(doubt, why)))
