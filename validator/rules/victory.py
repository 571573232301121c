"""Victory points: objectives held, units destroyed, exits, and the share of the losses (10.2, Metz 11.2).

A score is a sum of parts, so that players can see where each point comes from. It is the score as if the game ended
now; what only its end brings (the share of the losses) is counted from the last phase of the last turn on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...scenarios.model import GameMap
from ...scenarios.schema.setup import Border, ExitScore, Objective
from ...scenarios.text.hexgrid import Hex, flood
from ...scenarios.text.hexgrid import side as hexside
from ...scenarios.text.words import Message, Param, Term, message
from ..notation.statements import Score
from .combat.conditions import lost
from .context import Context
from .findings import Finding, doubt
from .move_effects import holder, marks_of
from .position import Position
from .roster import formation_key
from .values import once_for_each


@dataclass(frozen=True, slots=True)
class ScorePart:
    """Points of a side. `cause` is objective, destroyed, exit, no-exit, losses or beyond; `what` says which.

    `doubts` name the reconstructed data that the points rest on.
    """

    side: str
    points: int
    cause: str
    what: Param
    section: str
    doubts: tuple[Message, ...] = ()

    @property
    def told(self) -> Message:
        """What the points are for, and how many."""
        return message("findings.score-part.told", what=self.what, points=self.points)


def parts(ctx: Context, position: Position) -> tuple[ScorePart, ...]:
    """Everything that scores as the position stands."""
    return (
        *_objectives(ctx, position),
        *_by_turns(ctx, position),
        *_destroyed(ctx, position),
        *_exits(ctx, position),
        *_beyond(ctx, position),
        *(_losses(ctx, position) if over(ctx, position) else ()),
    )


def score(ctx: Context, position: Position) -> dict[str, int]:
    """Points by side."""
    total = dict.fromkeys(ctx.sides, 0)
    for part in parts(ctx, position):
        total[part.side] += part.points
    return total


def over(ctx: Context, position: Position) -> bool:
    """Whether the last phase of the game is being played, or a later one."""
    phase = position.phase
    return phase is not None and phase.turn == ctx.scenario.game.turns.last and _turn_ends(ctx, position)


def _turn_ends(ctx: Context, position: Position) -> bool:
    """Whether no phase of the turn comes after the one that is being played."""
    phase, game = position.phase, ctx.scenario.game
    if phase is None or not phase.places:
        return False
    after, weather = game.sequence[max(phase.places) + 1 :], ctx.weather(position)
    return not any(spec.played(phase.turn, weather) for spec in after)


def judge(ctx: Context, position: Position, statement: Score) -> list[Finding]:
    """Findings on a `score` line: each side whose figure is not the referee's.

    A difference that reconstructed places alone could explain is doubtful. In the last phase of a turn, what the
    turn brings may be counted already or not yet.
    """
    found: list[Finding] = []
    all_parts = parts(ctx, position)
    ends = _turn_ends(ctx, position) and not over(ctx, position)
    told = turn_points(ctx, position) if ends else position.scored
    for side, declared in statement.points:
        if side not in ctx.sides:
            found.append(_unknown(ctx, statement.line, side))
            continue
        mine = [p for p in all_parts if p.side == side]
        computed = sum(p.points for p in mine)
        if declared not in (computed, computed + told.get(side, 0) - position.scored.get(side, 0)):
            found.append(_wrong(ctx, position, statement.line, (side, declared), mine))
    return found


def _wrong(ctx: Context, position: Position, line: int, entry: tuple[str, int], mine: list[ScorePart]) -> Finding:
    side, declared = entry
    computed = sum(p.points for p in mine)
    possible = {0}
    doubts: list[Message] = []
    for points, data in (*((-p.points, p.doubts) for p in mine if p.doubts), *_missed(ctx, position, side)):
        possible |= {p + points for p in possible}
        doubts += data
    unweighed = _unweighed(ctx, position)
    return ctx.found(
        line,
        "score",
        doubts=(*(_some(doubts) if declared - computed in possible else ()), *unweighed),
        declared=declared,
        computed=computed,
        side=Term("sides", side),
        parts=_sum(mine) if mine else 0,
    )


def _sum(parts: list[ScorePart]) -> Param:
    """Parts of a score, one added to the other."""
    first, *rest = (part.told for part in parts)
    for part in rest:
        first = message("findings.score-part.plus", a=first, b=part)
    return first


def _some(doubts: list[Message], most: int = 3) -> tuple[Message, ...]:
    names = list(dict.fromkeys(doubts))
    if len(names) <= most:
        return tuple(names)
    last = message("findings.doubt.more", names=names[most - 1], count=len(names) - most)
    return (*names[: most - 1], last)


def _unknown(ctx: Context, line: int, side: str) -> Finding:
    known = tuple(Term("sides", s) for s in ctx.sides)
    return ctx.found(line, "no-such-side", declared=side, side=side, known=known)


# -------------------------------------------------------------------------------------------- objectives


def _place_doubts(ctx: Context, objective: Objective) -> tuple[Message, ...]:
    if not ctx.map.printed:
        return ()
    known = _unsure_places(ctx.map)
    if objective.place not in known:
        unsure = [p for p in ctx.map.places if p.id in objective.place and p.provenance != "printed"]
        known[objective.place] = tuple(doubt("places", place=ctx.place(p.id)) for p in unsure)
    return known[objective.place]


def _place_name(ctx: Context, objective: Objective) -> Param:
    known = _place_names(ctx.map)
    if objective.place not in known:
        places = {p.name: ctx.place(p.id) for id_ in objective.place for p in ctx.map.places if p.id == id_}
        known[objective.place] = tuple(places.values()) or tuple(objective.place)
    return known[objective.place]


@once_for_each
def _unsure_places(_: GameMap) -> dict[tuple[str, ...], tuple[Message, ...]]:
    """The doubts about objectives of a map, as far as they were asked for: a score is counted at every step."""
    return {}


@once_for_each
def _place_names(_: GameMap) -> dict[tuple[str, ...], Param]:
    """What objectives of a map are called, as far as it was asked for."""
    return {}


def owner(ctx: Context, position: Position, objective: Objective) -> str | None:
    """The side that holds every hex of an objective; None if they are split, or the map has no such place."""
    hexes = [ctx.ground.place(id_) for id_ in objective.place]
    if not all(hexes):
        return None
    holders = {holder(ctx, position, h) for place in hexes for h in place}
    return holders.pop() if len(holders) == 1 else None


def turn_points(ctx: Context, position: Position) -> dict[str, int]:
    """Points of each side for the turns that are over, with those for the turn that ends here."""
    total = dict(position.scored)
    for part in _objectives(ctx, position, each_turn=True):
        total[part.side] = total.get(part.side, 0) + part.points
    return total


def _by_turns(ctx: Context, position: Position) -> Iterator[ScorePart]:
    """What was scored turn by turn; the last turn's share comes with its last phase."""
    total = turn_points(ctx, position) if over(ctx, position) else position.scored
    for side, points in total.items():
        what = message("findings.score-part.turns")
        yield ScorePart(side, points, "turns", what, ctx.scenario.victory.section)


def _objectives(ctx: Context, position: Position, *, each_turn: bool = False) -> Iterator[ScorePart]:
    for objective in ctx.scenario.victory.objectives:
        if objective.by_turns != each_turn or (objective.at_turns and position.turn not in objective.at_turns):
            continue
        side = owner(ctx, position, objective)
        points = objective.points.get(side, 0) if side else 0
        if side and points:
            doubts = _place_doubts(ctx, objective)
            yield ScorePart(side, points, "objective", _place_name(ctx, objective), objective.section, doubts)


def _missed(ctx: Context, position: Position, side: str) -> Iterator[tuple[int, tuple[Message, ...]]]:
    """Points that a side would have if a reconstructed place lay elsewhere."""
    for objective in ctx.scenario.victory.objectives:
        doubts = _place_doubts(ctx, objective)
        if doubts and objective.points.get(side, 0) and owner(ctx, position, objective) != side:
            yield objective.points[side], doubts
    for area, points in ctx.scenario.victory.beyond_area.get(side, {}).items():
        doubts = _area_doubts(ctx, area)
        if doubts and not _stands_in(ctx, position, side, area):
            yield points, doubts


# ------------------------------------------------------------------------------------- destroyed, losses


def _destroyed(ctx: Context, position: Position) -> Iterator[ScorePart]:
    victory = ctx.scenario.victory
    for side, points in victory.destroyed.items():
        enemy = ctx.enemy(side)
        dead = lost(ctx, position, enemy, victory.destroyed_counted) // victory.destroyed_every
        if dead:
            what = message("findings.score-part.times", count=dead, what=Term("sides", enemy))
            yield ScorePart(side, dead * points, "destroyed", what, victory.section)


def _losses(ctx: Context, position: Position) -> Iterator[ScorePart]:
    """A share of the reduced units on the map, rounded down, is lost at the end."""
    victory = ctx.scenario.victory
    if victory.final_loss_every is None:
        return
    for side in victory.final_losses:
        reduced = sum(1 for u in position.on_map(side) if position.units[u].lost)
        enemy = ctx.enemy(side)
        gone = reduced // victory.final_loss_every
        points = victory.destroyed.get(enemy, 0) * gone
        if points:
            what = message("findings.score-part.reduced", lost=gone, reduced=reduced)
            yield ScorePart(enemy, points, "losses", what, victory.section)


# ------------------------------------------------------------------------------------------------- exits


def _exited(ctx: Context, position: Position, rule: ExitScore) -> int:
    """Units that left as the rule wants, or the steps or attack factors that they left with."""
    formation = formation_key(rule.division) if rule.division else None
    marks = marks_of(ctx, rule.after_place) if rule.after_place else frozenset()
    count = 0
    for unit, state in position.units.items():
        left, who = state.left, position.roster[unit]
        if state.where != "exited" or left is None or who.side != rule.side:
            continue
        passed = rule.after_place is None or not marks.isdisjoint(state.marks)
        here = left.edge == rule.edge and (not rule.hexes or left.hex in rule.hexes)
        if (
            formation in (None, formation_key(who.named_division))
            and here
            and passed
            and left.turn <= rule.last_turn
        ):
            worth = {"steps": who.steps_at(state.step), "factors": who.attack_at(state.step)}
            count += worth.get(rule.counted, 1)
    # Of a unit that left before the sheet begins nobody can see any more what it passed.
    return count + (len(_gone(position, rule)) if rule.counted == "units" else 0)


def _gone(position: Position, rule: ExitScore) -> list[str]:
    """Formations of which a unit left before the sheet begins, as the rule wants (`left american 28 east 3`)."""
    formation = formation_key(rule.division) if rule.division else None
    return [
        name
        for side, name, edge, turn in position.gone
        if side == rule.side
        and formation in (None, formation_key(name))
        and edge == rule.edge
        and turn <= rule.last_turn
    ]


def _unweighed(ctx: Context, position: Position) -> Iterator[Message]:
    """Why a score is uncertain: units have left, and nothing says how strong they were, or by which hex."""
    rules = ctx.scenario.victory.exits
    weighed = [name for rule in rules if rule.counted != "units" for name in _gone(position, rule)]
    somewhere = [name for rule in rules if rule.hexes for name in _gone(position, rule)]
    for key, names in (("gone", weighed), ("gone-by", somewhere)):
        if names:
            yield doubt(key, names=" ".join(dict.fromkeys(names)))


def _exits(ctx: Context, position: Position) -> Iterator[ScorePart]:
    victory = ctx.scenario.victory
    by_side: dict[str, int] = {}
    for rule in victory.exits:
        count = _exited(ctx, position, rule)
        by_side[rule.side] = by_side.get(rule.side, 0) + count
        if count:
            yield ScorePart(
                rule.side,
                count * rule.points,
                "exit",
                message("findings.score-part.times", count=count, what=rule.division or Term("sides", rule.side)),
                rule.section,
            )
    for side, points in victory.no_exit_bonus.items():
        if not by_side.get(ctx.enemy(side), 0):
            yield ScorePart(side, points, "no-exit", message("findings.score-part.no-exit"), victory.section)


# ------------------------------------------------------------------------------------------------ beyond


def _area_doubts(ctx: Context, area: str) -> tuple[Message, ...]:
    assumed = [a.id for a in ctx.map.areas if a.id == area and a.provenance != "printed"]
    return tuple(doubt("area", area=a) for a in assumed if ctx.map.printed)


def _stands_in(ctx: Context, position: Position, side: str, area: str) -> bool:
    hexes = ctx.ground.area(area) or _behind_line(ctx, area)
    return any(h in hexes for h in position.boards[side].at)


def _behind_line(ctx: Context, area: str) -> frozenset[Hex]:
    """The area of a map that draws only its border: what lies between the border's line and an edge of the map.

    Nothing, if the line does not part the edge from the one across.
    """
    border = ctx.scenario.victory.borders.get(area)
    if border is None:
        return frozenset()
    known = _behind_lines(ctx.map)
    key = (border.edge, border.line)
    if key not in known:
        known[key] = _parted(ctx, border)
    return known[key]


@once_for_each
def _behind_lines(_: GameMap) -> dict[tuple[str, str], frozenset[Hex]]:
    """What lies behind lines of a map, as far as it was asked for."""
    return {}


def _parted(ctx: Context, border: Border) -> frozenset[Hex]:
    near = _flood(ctx, ctx.ground.edge(border.edge), border.line)
    far = {"east": "west", "west": "east", "north": "south", "south": "north"}[border.edge]
    return frozenset() if near & ctx.ground.edge(far) else near


def _flood(ctx: Context, start: frozenset[Hex], line: str) -> frozenset[Hex]:
    def onward(here: Hex) -> list[Hex]:
        return [h for h in ctx.map.grid.neighbours[here] if line not in ctx.map.hexsides.get(hexside(here, h), ())]

    return frozenset(here for here, _ in flood(start, onward))


def _beyond(ctx: Context, position: Position) -> Iterator[ScorePart]:
    victory = ctx.scenario.victory
    for side, areas in victory.beyond_area.items():
        for area, points in areas.items():
            if _stands_in(ctx, position, side, area):
                yield ScorePart(side, points, "beyond", ctx.area(area), victory.section, _area_doubts(ctx, area))
