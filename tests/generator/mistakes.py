"""Mistakes: from a legal game, the same game with one thing wrong in it, and what the referee should say of that.

A mistake takes a moment of the game and gives what is played instead, or None where there is nothing to get wrong.
The game is cut at the end of the phase, for what comes later would have been played otherwise.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from scenarios.hexgrid import Hex
from scenarios.model import Scenario
from tests.generator.game import Game, written
from tests.generator.table import Table
from validator.readers import statements as st
from validator.referee.context import Context
from validator.referee.replay import steps
from validator.referee.state import Position
from validator.referee.travel import traveller


@dataclass(frozen=True)
class Moment:
    """A statement of a legal game, with the position before it. `last` says that it ends its phase."""

    ctx: Context
    index: int
    statement: st.Statement
    before: Position
    draw: random.Random
    last: bool

    @property
    def table(self) -> Table:
        """The table as it is before the statement."""
        return Table(self.ctx.scenario, self.ctx, self.before, self.draw)


@dataclass(frozen=True)
class Wrong:
    """What stands in place of the statement; `at` and `act` point to the line that the finding belongs on.

    `at` is an index into `statements`, -1 for the line that opens the phase; `act` one into its acts, None for the
    head. `codes` are the findings any of which names the mistake; with `ends` the game ends there.
    """

    statements: tuple[st.Statement, ...]
    codes: frozenset[str]
    at: int = 0
    act: int | None = None
    ends: bool = False


@dataclass(frozen=True)
class Mutant:
    """A game with a mistake: the line it is on, the lines of the whole statement, and the codes expected."""

    game: Game
    line: int
    own: range
    codes: frozenset[str]


Mistake: TypeAlias = Callable[[Moment], Wrong | None]
MISTAKES: dict[str, Mistake] = {}
_M = TypeVar("_M", bound=Mistake)


def mistake(rule: _M) -> _M:
    """Enters a mistake into the list."""
    MISTAKES[rule.__name__] = rule
    return rule


def moments(scenario: Scenario, game: Game, seed: int = 0) -> list[Moment]:
    """Every statement of a game with the position before it, in an order that the seed shuffles."""
    draw = random.Random(seed)
    played = iter(steps(scenario, game.sheet))
    ctx, _, outcome = next(played)
    statements = game.sheet.statements
    found = []
    for index, (_, statement, after) in enumerate(played):
        if statement is not None:
            last = index + 1 == len(statements) or isinstance(statements[index + 1], st.TurnStart)
            found.append(Moment(ctx, index, statement, outcome.position, draw, last))
        outcome = after
    draw.shuffle(found)
    return found


def mutants(game: Game, found: Sequence[Moment], name: str) -> Iterator[Mutant]:
    """The game with one mistake of a kind in it, wherever it can be made."""
    for moment in found:
        wrong = MISTAKES[name](moment)
        if wrong is not None:
            yield _mutant(game, moment, wrong)


def _mutant(game: Game, moment: Moment, wrong: Wrong) -> Mutant:
    before = game.sheet.statements[: moment.index]
    rest = game.sheet.statements[moment.index + 1 :]
    end = 0 if wrong.ends else next((i for i, s in enumerate(rest) if isinstance(s, st.TurnStart)), len(rest))
    made = written([*before, *wrong.statements, *rest[:end]])
    index = moment.index + wrong.at
    if wrong.at < 0:
        index = max(i for i, s in enumerate(before) if isinstance(s, st.TurnStart))
    statement = made.sheet.statements[index]
    following = made.sheet.statements[index + 1 :]
    stop = following[0].line if following else len(made.sheet.lines) + 1
    line = statement.line
    if wrong.act is not None:
        assert isinstance(statement, st.Engagement)
        line = statement.acts[wrong.act].line
    return Mutant(made, line, range(statement.line, stop), wrong.codes)


def _wrong(statement: st.Statement, *codes: str) -> Wrong:
    return Wrong((statement,), frozenset(codes))


def _astray(statement: st.Statement, *codes: str) -> Wrong:
    """A mistake that leaves units where nobody expects them: the game ends there."""
    return Wrong((statement,), frozenset(codes), ends=True)


# ------------------------------------------------------------------------------------------------ movement


def _plain_move(moment: Moment) -> st.Move | None:
    move = moment.statement
    return move if isinstance(move, st.Move) and len(move.units) == 1 and st.OPEN not in move.path else None


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
            return _astray(replace(move, path=way), "movement-cost")
    return None


@mistake
def onto_the_enemy(moment: Moment) -> Wrong | None:
    """A move ends in a hex that the enemy holds."""
    move = _plain_move(moment)
    if move is None:
        return None
    near = moment.before.adjacent_enemies(move.path[-1], moment.ctx.units[move.units[0]].side)
    return _astray(replace(move, path=(*move.path, near[0])), "enemy-occupied") if near else None


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
    return _astray(replace(move, path=(*move.path, free[0])), "must-stop") if free else None


@mistake
def one_too_many(moment: Moment) -> Wrong | None:
    """A move ends in a hex that is full."""
    move = _plain_move(moment)
    if move is None:
        return None
    one = traveller(moment.ctx, moment.before, moment.ctx.units[move.units[0]])
    for _, hex_, way in one.explore(move.path[0]):
        if len(moment.before.at(hex_, one.unit.side)) == moment.ctx.rules.stacking.limit and hex_ != move.path[0]:
            return _astray(replace(move, path=way), "stacking")
    return None


@mistake
def a_jump(moment: Moment) -> Wrong | None:
    """A hex is left out of a move."""
    move = _plain_move(moment)
    if move is None or len(move.path) < 4 or moment.ctx.map.grid.adjacent(move.path[0], move.path[2]):
        return None
    return _wrong(replace(move, path=(move.path[0], *move.path[2:])), "not-adjacent")


@mistake
def from_elsewhere(moment: Moment) -> Wrong | None:
    """A move begins next to where the unit stands."""
    move = _plain_move(moment)
    if move is None or len(move.path) < 3:
        return None
    return _astray(replace(move, path=move.path[1:]), "not-there")


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
            return _astray(st.Move(0, (unit,), way), "wrong-side")
    return None


@mistake
def a_name_that_is_none(moment: Moment) -> Wrong | None:
    """A unit is misspelt."""
    move = _plain_move(moment)
    return _wrong(replace(move, units=(move.units[0] + "x",)), "unknown-unit") if move else None


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
    return _wrong(replace(enter, edge=others[0]), "entry") if others else None


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
        if moment.before.units[unit].step == "reduced" and moment.before.engaged(unit):
            return _wrong(st.Recover(0, (unit,)), "recovery")
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
    return _astray(replace(turn, number=turn.number + 1), "wrong-phase")


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


# ------------------------------------------------------------------------------------------------- combat

_T = TypeVar("_T", bound=st.Act)


def _act(moment: Moment, kind: type[_T]) -> tuple[st.Engagement, int, _T] | None:
    """The statement's first act of a kind, with its index."""
    fight = moment.statement
    if isinstance(fight, st.Engagement):
        for i, act in enumerate(fight.acts):
            if isinstance(act, kind):
                return fight, i, act
    return None


def _with(fight: st.Engagement, index: int, act: st.Act | None, *codes: str, at_head: bool = False) -> Wrong:
    """A fight with another act in the place of one (or without it)."""
    acts = (*fight.acts[:index], *((act,) if act else ()), *fight.acts[index + 1 :])
    line = None if at_head or act is None else index
    return Wrong((replace(fight, acts=acts),), frozenset(codes), act=line)


def _result(moment: Moment) -> tuple[str, ...]:
    found = _act(moment, st.Result)
    return found[2].codes if found else ()


@mistake
def a_wrong_column(moment: Moment) -> Wrong | None:
    """The column declared is another one."""
    found = _act(moment, st.Declare)
    if found is None or found[2].column is None:
        return None
    fight, index, act = found
    tables = moment.ctx.scenario.tables
    table = tables.crt if isinstance(fight, st.Combat) else tables.bombardment
    assert table is not None
    others = [c for c in table.columns if c != act.column]
    return _with(fight, index, replace(act, column=moment.draw.choice(others)), "column", "shifts")


@mistake
def a_wrong_sum(moment: Moment) -> Wrong | None:
    """The attacker counts a point too many."""
    found = _act(moment, st.Declare)
    if found is None or found[2].attack is None or _act(moment, st.Announce):
        return None
    fight, index, act = found
    return _with(fight, index, replace(act, attack=(act.attack or 0) + 1), "odds")


@mistake
def a_wrong_value(moment: Moment) -> Wrong | None:
    """A bombardment is worth a point more."""
    found = _act(moment, st.Declare)
    if found is None or found[2].value is None:
        return None
    fight, index, act = found
    return _with(fight, index, replace(act, value=(act.value or 0) + 1), "odds")


@mistake
def wrong_odds(moment: Moment) -> Wrong | None:
    """The odds declared are not those of the sums."""
    found = _act(moment, st.Declare)
    if found is None or found[2].odds is None:
        return None
    fight, index, act = found
    columns = [c for c in moment.ctx.scenario.tables.crt.columns if c != act.odds]
    wrong = replace(act, odds=moment.draw.choice(columns), column=None)
    return _with(fight, index, wrong, "odds")


@mistake
def another_row(moment: Moment) -> Wrong | None:
    """The result is read in another row than the dice say."""
    found, codes = _act(moment, st.Roll), _result(moment)
    if found is None or not isinstance(found[0], st.Combat):
        return None
    fight, index, act = found
    crt = moment.ctx.scenario.tables.crt
    for faces in ((1, 1), (3, 4), (2, 1), (4, 4)):
        row = crt.row(sum(faces))
        if sum(faces) not in (sum(act.faces), 14 - sum(act.faces)) and " ".join(codes) not in row:
            place = next(i for i, a in enumerate(fight.acts) if isinstance(a, st.Result))
            acts = (*fight.acts[:index], replace(act, faces=faces), *fight.acts[index + 1 :])
            changed = replace(fight, acts=acts)
            return Wrong((changed,), frozenset({"result"}), act=place)
    return None


@mistake
def a_die_with_seven_faces(moment: Moment) -> Wrong | None:
    """A die shows a seven."""
    found = _act(moment, st.Roll)
    return _with(found[0], found[1], replace(found[2], faces=(7, 1)), "roll") if found else None


@mistake
def a_wrong_result(moment: Moment) -> Wrong | None:
    """Another cell of the table is read."""
    found = _act(moment, st.Result)
    if found is None or not isinstance(found[0], st.Combat):
        return None
    fight, index, act = found
    cells = sorted({c for row in moment.ctx.scenario.tables.crt.rows.values() for c in row} - {" ".join(act.codes)})
    return _with(fight, index, replace(act, codes=tuple(moment.draw.choice(cells).split())), "result")


@mistake
def a_retreat_forgotten(moment: Moment) -> Wrong | None:
    """A unit that must retreat stays."""
    found = _act(moment, st.Retreat)
    if found is None or not moment.last or _act(moment, st.Advance):
        return None
    fight, index, act = found
    later = fight.acts[index + 1 :]
    named = any(isinstance(a, st.Lose | st.Eliminate | st.Retreat) for a in later)
    return None if named or act.edge else _with(fight, index, None, "retreat")


@mistake
def a_retreat_too_far(moment: Moment) -> Wrong | None:
    """A unit with a free hex next to it retreats two."""
    found = _act(moment, st.Retreat)
    if found is None or not moment.last or len(found[2].path) != 2 or found[2].edge:
        return None
    fight, index, act = found
    held = {h for board in moment.before.boards.values() for h in board.at}
    near = moment.ctx.map.grid.neighbours[act.path[-1]]
    empty = [n for n in near if n not in held and n != act.path[0]]
    limit = moment.ctx.rules.stacking.limit - len(moment.before.at(act.path[-1]))
    if not empty or limit < 2:
        return None
    return _with(fight, index, replace(act, path=(*act.path, empty[0])), "retreat", "prohibited-terrain")


@mistake
def a_retreat_into_the_enemy(moment: Moment) -> Wrong | None:
    """A unit retreats into the hex of an enemy."""
    found = _act(moment, st.Retreat)
    if found is None or not moment.last or len(found[2].path) != 2 or found[2].edge:
        return None
    fight, index, act = found
    if not isinstance(fight, st.Combat) or any(
        isinstance(a, st.Eliminate | st.Advance | st.Lose) for a in fight.acts
    ):
        return None
    side = moment.ctx.units[act.units[0]].side
    near = moment.before.adjacent_enemies(act.path[0], side)
    return _with(fight, index, replace(act, path=(act.path[0], near[0])), "enemy-occupied") if near else None


@mistake
def a_loss_forgotten(moment: Moment) -> Wrong | None:
    """Nobody takes the loss that the result demands."""
    found = _act(moment, st.Lose)
    if found is None or not moment.last or "EMP" in _result(moment):
        return None
    fight, index, act = found
    first = not any(isinstance(a, st.Retreat | st.Eliminate) for a in fight.acts[:index])
    whole = moment.before.units[act.units[0]].step == "full"
    again = any(act.units[0] in getattr(a, "units", ()) for a in fight.acts[index + 1 :])
    return _with(fight, index, None, "losses", at_head=True) if first and whole and not again else None


@mistake
def a_loss_too_many(moment: Moment) -> Wrong | None:
    """A unit loses a step that nothing demands."""
    fight = moment.statement
    if not isinstance(fight, st.Combat) or _result(moment) != ("IMP",):
        return None
    attack = _act(moment, st.Attack)
    assert attack is not None
    acts = (*fight.acts, st.Lose(0, attack[2].units[:1]))
    return Wrong((replace(fight, acts=acts),), frozenset({"losses"}), act=len(acts) - 1)


@mistake
def an_exchange_half_paid(moment: Moment) -> Wrong | None:
    """The attacker gives up nothing in an exchange."""
    fight = moment.statement
    if not isinstance(fight, st.Combat) or "EMP" not in _result(moment):
        return None
    ours = moment.table.side
    acts = tuple(
        a for a in fight.acts if not (isinstance(a, st.Eliminate) and moment.ctx.units[a.units[0]].side == ours)
    )
    return Wrong((replace(fight, acts=acts),), frozenset({"exchange"}))


@mistake
def an_advance_too_far(moment: Moment) -> Wrong | None:
    """A unit on foot follows up two hexes."""
    found = _act(moment, st.Advance)
    if found is None or not moment.last:
        return None
    fight, index, act = found
    if moment.ctx.units[act.units[0]].is_any(moment.ctx.rules.combat.advance.two) or len(fight.targets) != 1:
        return None
    held = {h for board in moment.before.boards.values() for h in board.at}
    retreats = {h for a in fight.acts if isinstance(a, st.Retreat) for h in a.path}
    free = [n for n in moment.ctx.map.grid.neighbours[fight.targets[0]] if n not in held | retreats]
    if not free:
        return None
    return _with(fight, index, replace(act, path=(fight.targets[0], free[0])), "advance")


@mistake
def an_advance_without_victory(moment: Moment) -> Wrong | None:
    """The attackers have to retreat or nobody moves, and one of them goes forward all the same."""
    fight = moment.statement
    if not isinstance(fight, st.Combat) or _result(moment) != ("IMP",) or not moment.last:
        return None
    attack = _act(moment, st.Attack)
    assert attack is not None
    acts = (*fight.acts, st.Advance(0, attack[2].units[:1], fight.targets))
    return Wrong((replace(fight, acts=acts),), frozenset({"advance", "enemy-occupied"}), act=len(acts) - 1)


def _gun_of(moment: Moment, *, fired: bool, reach: bool) -> str:
    """A gun of the phase's side that has fired in this phase or not, within reach of the target or not."""
    fight = moment.statement
    assert isinstance(fight, st.Engagement)
    grid, ledger = moment.ctx.map.grid, moment.before.ledger
    used = {u for a in fight.acts for u in getattr(a, "units", ())}
    for unit in sorted(moment.before.on_map(moment.table.side)):
        who, hex_ = moment.ctx.units[unit], moment.before.hex_of(unit) or ""
        silent = set(moment.ctx.map.terrain[hex_]) & set(moment.ctx.rules.combat.artillery.silent_terrain)
        if who.range is None or "guns" not in who.kinds or silent or unit in used or moment.before.engaged(unit):
            continue
        distance = grid.distance(hex_, fight.targets[0])
        if (unit in ledger.fired) == fired and distance > 1 and (distance <= who.range) == reach:
            return unit
    return ""


def _supported(moment: Moment, unit: str, code: str) -> Wrong | None:
    fight = moment.statement
    if not isinstance(fight, st.Combat) or not unit:
        return None
    acts = (*fight.acts[:1], st.Support(0, (unit,)), *(a for a in fight.acts[1:] if not isinstance(a, _SAID)))
    return Wrong((replace(fight, acts=acts),), frozenset({code}), act=1)


_SAID = (st.Declare, st.Announce)


@mistake
def a_gun_that_fires_twice(moment: Moment) -> Wrong | None:
    """A gun supports a second combat of the phase."""
    if not isinstance(moment.statement, st.Combat):
        return None
    return _supported(moment, _gun_of(moment, fired=True, reach=True), "artillery-reuse")


@mistake
def a_gun_out_of_range(moment: Moment) -> Wrong | None:
    """A gun supports a combat that it cannot reach."""
    if not isinstance(moment.statement, st.Combat) or not moment.last:
        return None
    return _supported(moment, _gun_of(moment, fired=False, reach=False), "artillery-range")


@mistake
def an_attack_left_out(moment: Moment) -> Wrong | None:
    """Units that came next to the enemy in this turn do not attack."""
    fight = moment.statement
    if not isinstance(fight, st.Combat) or not moment.last:
        return None
    attack = _act(moment, st.Attack)
    assert attack is not None
    moved = [u for u in attack[2].units if moment.before.units[u].moved]
    return Wrong((), frozenset({"must-attack"}), at=-1) if moved else None


@mistake
def the_same_hex_again(moment: Moment) -> Wrong | None:
    """A hex that was attacked is attacked once more."""
    fight = moment.statement
    if not isinstance(fight, st.Combat) or _result(moment) != ("IMP",) or not moment.last:
        return None
    return Wrong((fight, fight), frozenset({"attacked-twice"}), at=1)


@mistake
def too_many_air_points(moment: Moment) -> Wrong | None:
    """More aircraft take part than there are."""
    fight = moment.statement
    if not isinstance(fight, st.Combat) or not moment.last:
        return None
    if any(isinstance(a, st.AirSupport | st.GuardAir) for a in fight.acts):
        return None
    acts = (*fight.acts[:1], st.AirSupport(0, 99), *(a for a in fight.acts[1:] if not isinstance(a, _SAID)))
    return Wrong((replace(fight, acts=acts),), frozenset({"air-points"}), act=1)


@mistake
def too_small_an_air_strike(moment: Moment) -> Wrong | None:
    """An air strike takes a single point."""
    strike = moment.statement
    if not isinstance(strike, st.AirStrike):
        return None
    acts = tuple(a for a in strike.acts if not isinstance(a, st.Declare))
    return _wrong(replace(strike, points=1, acts=acts), "air-limits")


@mistake
def guns_of_another_division(moment: Moment) -> Wrong | None:
    """A gun supports the defence of units that are not of its division."""
    fight, rule = moment.statement, moment.ctx.rules.combat.artillery
    if not isinstance(fight, st.Combat) or not moment.last or rule.defence == "any" or _act(moment, st.Guard):
        return None
    table = moment.table
    own = {moment.ctx.units[u].division for u in moment.before.at(fight.targets[0], table.enemy)}
    for unit in sorted(moment.before.on_map(table.enemy)):
        who, hex_ = moment.ctx.units[unit], moment.before.hex_of(unit) or ""
        near = who.range is not None and moment.ctx.map.grid.distance(hex_, fight.targets[0]) <= who.range
        ours = rule.perimeter is not None and rule.perimeter.side == table.enemy
        idle = unit not in moment.before.ledger.fired
        if near and idle and "guns" in who.kinds and who.division not in own and not ours and _speaks(moment, hex_):
            acts = (*fight.acts[:1], st.Guard(0, (unit,)), *(a for a in fight.acts[1:] if not isinstance(a, _SAID)))
            return Wrong((replace(fight, acts=acts),), frozenset({"artillery-support"}), act=1)
    return None


def _speaks(moment: Moment, hex_: Hex) -> bool:
    silent: Sequence[str] = moment.ctx.rules.combat.artillery.silent_terrain
    return not set(moment.ctx.map.terrain[hex_]) & set(silent)
