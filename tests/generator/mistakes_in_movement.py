"""Mistakes of moves, entries, exits and engineers, one function each."""

from __future__ import annotations

from dataclasses import replace

from hexforge.validator.notation import kinds
from hexforge.validator.notation import statements as st
from hexforge.validator.rules.travel import traveller
from tests.generator.mistakes import Moment, Wrong, astray, mistake, wrong


def _plain_move(moment: Moment) -> st.Move | None:
    move = moment.statement
    return move if isinstance(move, st.Move) and len(move.units) == 1 and kinds.OPEN not in move.path else None


@mistake
def one_point_too_far(moment: Moment) -> Wrong | None:
    """A move goes on until its points do not suffice."""
    move = _plain_move(moment)
    if move is None:
        return None
    one = traveller(moment.ctx, moment.before, moment.ctx.units[move.units[0]])
    dear = one.allowance + 1
    for cost, hex_, way in one.explore(move.path[0], limit=one.allowance + 14):
        if cost >= dear and len(moment.before.at(hex_, one.unit.side)) < moment.ctx.rules.stacking.limit:
            return astray(replace(move, path=way), "movement-cost")
    return None


@mistake
def onto_the_enemy(moment: Moment) -> Wrong | None:
    """A move ends in a hex that the enemy holds."""
    move = _plain_move(moment)
    if move is None:
        return None
    near = moment.before.adjacent_enemies(move.path[-1], moment.ctx.units[move.units[0]].side)
    return astray(replace(move, path=(*move.path, near[0])), "enemy-occupied") if near else None


@mistake
def through_a_zone(moment: Moment) -> Wrong | None:
    """A move into a zone of engagement goes on."""
    move = _plain_move(moment)
    if move is None:
        return None
    side, last = moment.ctx.units[move.units[0]].side, move.path[-1]
    if last not in moment.before.zoc_against(side):
        return None
    held = moment.before.boards[moment.before.enemy(side)].at
    free = [n for n in moment.ctx.map.grid.neighbours[last] if n not in held and n not in move.path]
    return astray(replace(move, path=(*move.path, free[0])), "must-stop") if free else None


@mistake
def one_too_many(moment: Moment) -> Wrong | None:
    """A move ends in a hex that is full."""
    move = _plain_move(moment)
    if move is None:
        return None
    one = traveller(moment.ctx, moment.before, moment.ctx.units[move.units[0]])
    for _, hex_, way in one.explore(move.path[0]):
        if len(moment.before.at(hex_, one.unit.side)) == moment.ctx.rules.stacking.limit and hex_ != move.path[0]:
            return astray(replace(move, path=way), "stacking")
    return None


@mistake
def a_jump(moment: Moment) -> Wrong | None:
    """A hex is left out of a move."""
    move = _plain_move(moment)
    if move is None or len(move.path) < 4 or moment.ctx.map.grid.adjacent(move.path[0], move.path[2]):
        return None
    return wrong(replace(move, path=(move.path[0], *move.path[2:])), "not-adjacent")


@mistake
def from_elsewhere(moment: Moment) -> Wrong | None:
    """A move begins next to where the unit stands."""
    move = _plain_move(moment)
    if move is None or len(move.path) < 3:
        return None
    return astray(replace(move, path=move.path[1:]), "not-there")


@mistake
def moved_again(moment: Moment) -> Wrong | None:
    """A unit that has moved goes back."""
    move = _plain_move(moment)
    if move is None:
        return None
    back = replace(move, path=move.path[-2:][::-1])
    return Wrong((move, back), frozenset({"moved-twice"}), at=1, ends=True)


@mistake
def out_of_turn(moment: Moment) -> Wrong | None:
    """A unit of the other side moves."""
    move = _plain_move(moment)
    if move is None:
        return None
    table = moment.table
    for unit in sorted(moment.before.on_map(table.enemy)):
        hex_ = moment.before.hex_of(unit) or ""
        way = (hex_, moment.ctx.map.grid.neighbours[hex_][0])
        if not moment.before.at(way[1]):
            return astray(st.Move(0, (unit,), way), "wrong-side")
    return None


@mistake
def a_name_that_is_none(moment: Moment) -> Wrong | None:
    """A unit is misspelt."""
    move = _plain_move(moment)
    return wrong(replace(move, units=(move.units[0] + "x",)), "unknown-unit") if move else None


@mistake
def too_early(moment: Moment) -> Wrong | None:
    """A reinforcement of a later turn comes on where another one does."""
    enter = moment.statement
    if not isinstance(enter, st.Enter):
        return None
    side = moment.ctx.units[enter.units[0]].side
    for rule in moment.ctx.scenario.setup.reinforcements:
        if rule.turn > moment.before.turn and moment.ctx.units[rule.units[0]].side == side:
            early = replace(enter, units=(rule.units[0],), path=enter.path[:1])
            full = len(moment.before.at(enter.path[0], side)) >= moment.ctx.rules.stacking.limit
            return None if full else Wrong((early, enter), frozenset({"reinforcement"}))
    return None


@mistake
def by_another_edge(moment: Moment) -> Wrong | None:
    """A reinforcement names an edge that its first hex does not lie on."""
    enter = moment.statement
    if not isinstance(enter, st.Enter):
        return None
    edges: tuple[st.EdgeName, ...] = ("north", "south", "east", "west")
    others = [e for e in edges if enter.path[0] not in moment.ctx.ground.edge(e)]
    return wrong(replace(enter, edge=others[0]), "entry") if others else None


@mistake
def already_whole(moment: Moment) -> Wrong | None:
    """A unit without a loss recovers."""
    recover = moment.statement
    if not isinstance(recover, st.Recover):
        return None
    state = moment.before.units
    whole = [u for u in moment.before.on_map(moment.table.side) if state[u].step == "full"]
    return Wrong((st.Recover(0, (whole[0],)), recover), frozenset({"recovery"})) if whole else None


@mistake
def recovered_in_contact(moment: Moment) -> Wrong | None:
    """A unit next to the enemy recovers."""
    if not isinstance(moment.statement, st.Recover):
        return None
    for unit in moment.before.on_map(moment.table.side):
        if moment.before.units[unit].lost and moment.before.engaged(unit):
            return wrong(st.Recover(0, (unit,)), "recovery")
    return None


@mistake
def the_air_die_again(moment: Moment) -> Wrong | None:
    """The die for the turn's air points is thrown twice."""
    roll = moment.statement
    if not isinstance(roll, st.AirRoll):
        return None
    return Wrong((roll, roll), frozenset({"air-points"}), at=1)


@mistake
def a_phase_left_out(moment: Moment) -> Wrong | None:
    """A phase follows, but is called another turn's."""
    turn = moment.statement
    if not isinstance(turn, st.TurnStart) or moment.before.phase is None or turn.phase != "movement":
        return None
    return astray(replace(turn, number=turn.number + 1), "wrong-phase")


@mistake
def a_move_among_combats(moment: Moment) -> Wrong | None:
    """A unit moves in the combat phase."""
    if not isinstance(moment.statement, st.Combat):
        return None
    for unit in sorted(moment.before.on_map(moment.table.side)):
        hex_ = moment.before.hex_of(unit) or ""
        if not moment.before.engaged(unit):
            move = st.Move(0, (unit,), (hex_, hex_))
            return Wrong((move, moment.statement), frozenset({"wrong-phase"}))
    return None
