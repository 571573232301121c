"""Mistakes of combats, bombardments and what follows from them, one function each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from hexforge.scenarios.text.hexgrid import Hex
from hexforge.validator.notation import base
from hexforge.validator.notation import statements as st
from tests.generator.mistakes import Moment, Wrong, mistake, wrong

_T = TypeVar("_T", bound=base.Act)


def _act(moment: Moment, kind: type[_T]) -> tuple[st.Engagement, int, _T] | None:
    """The statement's first act of a kind, with its index."""
    fight = moment.statement
    if isinstance(fight, st.Engagement):
        for i, act in enumerate(fight.acts):
            if isinstance(act, kind):
                return fight, i, act
    return None


def _with(fight: st.Engagement, index: int, act: base.Act | None, *codes: str, at_head: bool = False) -> Wrong:
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
    return wrong(replace(strike, points=1, acts=acts), "air-limits")


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
