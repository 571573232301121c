"""Expressions that work a combat out: sums to odds, odds to a column, dice to a result, all from a game's tables.

Each is one BeanShell expression, a flat chain of choices (see `expressions`), of properties that `combat` lists.
Whether they say what the rules say is held against the referee by the tests.

A game's own modifiers of combat as expressions of the module.

How high a stack may be, and what a counter counts in it, as VASSAL works it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from ....scenarios.schema import modifiers
from ....scenarios.schema.base import spans_of
from ....scenarios.schema.results import ByOdds, halfway, lower_bound, lower_bounds, parse_odds, ratios
from ...plan import battlefield
from ...plan.battlefield import doubled, is_said, letter, letters
from ...vassal import traits
from .. import air
from ..expressions import quoted
from . import steps

if TYPE_CHECKING:
    from ....scenarios.model import Scenario
    from ....scenarios.schema.results import Rounding
    from ....scenarios.schema.rules_combat import Unity
    from ....scenarios.schema.tables import ResultTable
    from ....scenarios.text.hexgrid import Hex
    from ...plan import Plan
    from ...plan.markers import UnitPlan


IMMUNE = "[I]"
"""The code of a unit that is used to being surrounded."""
LINE_CODE, WORKS_CODE = "L", "W"
_ALPHABET = quoted("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def option(scenario: Scenario, name: str) -> str:
    """A ruling as the game sets it; "" for one that it does not know."""
    found = scenario.game.options.get(name)
    return found.default if found else ""


def inverse(scenario: Scenario) -> Rounding | None:
    """How odds below 1-1 are rounded: as the game's option says where it has one, else as its table does."""
    chosen: dict[str, Rounding] = {"truncate": "attacker", "ceil": "defender"}
    by = scenario.tables.crt.column_by
    own = (by.inverse or by.rounding) if isinstance(by, ByOdds) else None
    return chosen.get(option(scenario, "inverse_rounding"), own)


def base(table: ResultTable, inverse: Rounding | None) -> str:
    """The column of two sums before any shift: the last whose ratio they reach, the first where they reach none."""
    last, by = len(table.columns) - 1, table.column_by
    found = "0"
    if not isinstance(by, ByOdds):
        for index, low in enumerate(lower_bounds(table.columns)):
            found = f"{steps.SUM_ATTACK} - {steps.SUM_DEFENCE} >= {low} ? {index} : {found}" if index else found
        return found
    known = ratios(table.columns)
    for index, ratio in enumerate(known):
        if index:
            below = known[index - 1]
            rounding = by.rounding if below >= 1 else inverse or by.inverse or by.rounding
            found = f"{_reached(below, ratio, rounding)} ? {index} : {found}"
    # Nothing to divide by, or nothing to divide.
    return f"{steps.SUM_ATTACK} <= 0 ? 0 : {steps.SUM_DEFENCE} <= 0 ? {last} : {found}"


def _reached(below: Fraction, ratio: Fraction, rounding: Rounding) -> str:
    """Whether the sums stand on the column of a ratio rather than on the one below it."""
    if rounding == "defender":
        return f"{_times(steps.SUM_ATTACK, ratio.denominator)} >= {_times(steps.SUM_DEFENCE, ratio.numerator)}"
    edge = below if rounding == "attacker" else halfway(below, ratio)
    return f"{_times(steps.SUM_ATTACK, edge.denominator)} > {_times(steps.SUM_DEFENCE, edge.numerator)}"


def _times(sum_: str, factor: int) -> str:
    return sum_ if factor == 1 else f"{sum_} * {factor}"


def beyond(table: ResultTable, *, round_up: bool) -> str:
    """By how many columns the odds lie beyond the table, where that part of them counts."""
    (low, by), (high, of) = parse_odds(table.columns[0]), parse_odds(table.columns[-1])
    up, down = f"{steps.SUM_ATTACK} / {steps.SUM_DEFENCE}", f"{steps.SUM_DEFENCE} / {steps.SUM_ATTACK}"
    if round_up:
        down = f"({steps.SUM_DEFENCE} + {steps.SUM_ATTACK} - 1) / {steps.SUM_ATTACK}"
    return (
        f"{steps.SUM_ATTACK} <= 0 || {steps.SUM_DEFENCE} <= 0 ? 0 "
        f": {steps.SUM_ATTACK} >= {steps.SUM_DEFENCE} && {up} * {of} > {high} ? {up} - {high} "
        f": {steps.SUM_ATTACK} >= {steps.SUM_DEFENCE} && {up} * {by} < {low} ? {by - 1} "
        f": {steps.SUM_ATTACK} >= {steps.SUM_DEFENCE} ? 0 "
        f": {of} > {down} * {high} ? {1 - high} "
        f": {by} < {down} * {low} ? {by} - {down} : 0"
    )


def held(table: ResultTable, index: str) -> str:
    """An index held within the table."""
    last = len(table.columns) - 1
    return f"{index} < 0 ? 0 : {index} > {last} ? {last} : {index}"


def value_column(table: ResultTable) -> str:
    """The column of a bombardment's value: the last whose lower bound it reaches."""
    found = "0"
    for index, name in enumerate(table.columns):
        if index:
            found = f"{steps.VALUE} >= {lower_bound(name)} ? {index} : {found}"
    return found


def named(table: ResultTable, index: str) -> str:
    """What the table calls a column."""
    found = quoted(table.columns[-1])
    for number in reversed(range(len(table.columns) - 1)):
        found = f"{index} == {number} ? {quoted(table.columns[number])} : {found}"
    return found


def rolls(table: ResultTable) -> tuple[int, ...]:
    """The numbers that the table has rows for, and all between them."""
    return tuple(range(min(table.by_number), max(table.by_number) + 1))


def rolled(table: ResultTable) -> str:
    """What the dice are read as: their sum, or tens and ones."""
    if not table.thrown.tens:
        return f"{steps.DICE}_total"
    tens, ones = (f'Integer.parseInt({steps.DICE}_result.split(",")[{i}])' for i in (0, 1))
    if table.thrown.faces != 10:
        return f"{tens} * 10 + {ones}"
    both = f"{tens} % 10 * 10 + {ones} % 10"
    return f"{both} == 0 ? 100 : {both}"


def cell(table: ResultTable) -> str:
    """The cell of a roll and a column, cut out of a text that holds all of them."""
    none = ("",) * len(table.columns)
    cells = [c for roll in rolls(table) for c in table.by_number.get(roll, none)]
    wide, columns = max(map(len, cells)) + 1, len(table.columns)
    text = "".join(c.ljust(wide) for c in cells)
    start = f"{steps.ROLL} * {columns * wide} + {steps.COLUMN} * {wide} - {rolls(table)[0] * columns * wide}"
    return f"{quoted(text)}.substring({start}, {start} + {wide}).trim()"


def ground(records: Mapping[str, str], defender: str) -> str:
    """The record of the target for the side that defends it; that of any hex where it has none of its own."""
    start = f'{steps.TARGET}.replaceAll(":.*", ":")'
    plain = quoted(battlefield.PLAIN)
    found = [
        f"{quoted(text)}.concat({start} + {plain}).split({start})[1].substring(0, {len(battlefield.PLAIN)})"
        for text in records.values()
    ]
    if len(set(found)) == 1:
        return found[0]
    return f"{defender} == {quoted(next(iter(records)))} ? {found[0]} : {found[1]}"


def columns_at(index: int) -> str:
    """The columns that a letter of the target's record stands for."""
    zero = ord(battlefield.ZERO) - ord("A")
    return f"{_ALPHABET}.indexOf({steps.GROUND}.substring({index}, {index + 1})) - {zero}"


def lines(kind: str, values: Iterable[int], *, worst: bool) -> str:
    """The columns of the lines before the attackers: those of the one that helps least (`worst`) or most.

    The facts of a combat say `[LK]` for each attacker who crosses a line of the letter K.
    """
    found = "0"
    for value in sorted({*values, 0}, reverse=not worst):
        found = f"{steps.RECORD}.contains({quoted(f'[{kind}{letter(value)}]')}) ? {value} : {found}"
    return found


def cover() -> str:
    """What the ground gives the defender: the best of hex and line, and the works that all attackers face."""
    return f"{steps.HEX} < {steps.LINE} ? {steps.HEX} + {steps.WORKS} : {steps.LINE} + {steps.WORKS}"


def shut(barriers: battlefield.Barriers) -> str:
    """The letters of the barriers that nobody among the defenders can pass; the record has their groups."""
    parts = []
    for number in range(len(barriers.sets)):
        free = " || ".join(f"{steps.RECORD}.contains({quoted(f'[T{g}]')})" for g in barriers.outside(number))
        parts.append(f"({free} ? {quoted('')} : {quoted(letters(number))})" if free else quoted(letters(number)))
    return " + ".join(parts) or quoted("")


def surrounded(columns: int, relief: int, defenders: str, *, barred: bool) -> str:
    """Columns against defenders around whom every hex that there is, is covered by the enemy or barred to them."""
    if not columns:
        return "0"
    held = [f"{steps.COVERS}.contains({quoted(letters(i))})" for i in range(battlefield.SIDES)]
    if barred:
        start = battlefield.BARRED
        held = [
            f"({one} || {steps.BARS}.contains({steps.GROUND}.substring({start + i}, {start + i + 1})))"
            for i, one in enumerate(held)
        ]
    around_ = " && ".join(held)
    freed = (
        f"{steps.RECORD}.contains({quoted(IMMUNE)}) ? {columns - relief} : {columns}" if relief else str(columns)
    )
    return f"!{defenders}.isEmpty() && {around_} ? {freed} : 0"


def unity(rules: Unity, bonus: int, greater: int, *, stacks: bool) -> str:
    """Columns for the complete formations that the record names, each once, in parentheses."""
    small, large = (
        f'{steps.RECORD}.contains("([R") || {steps.RECORD}.contains("([C")',
        f'{steps.RECORD}.contains("([D")',
    )
    if not stacks:
        both = max(bonus, greater) if rules.division.in_all else bonus + greater
        if not greater:
            return f"{small} ? {bonus} : 0" if bonus else "0"
        if not bonus:
            return f"{large} ? {greater} : 0"
        return f"!{large} ? {small} ? {bonus} : 0 : {small} ? {both} : {greater}"
    every = f"{_count('([R')} * {bonus} + {_count('([C')} * {bonus}"
    if not greater:
        return every
    most = f"{every} + {greater}"
    if rules.division.in_all:
        most = f"Math.max({every}, {_count('([O')} * {bonus} + {greater})"
    return f"{large} ? {most} : {every}"


def _count(code: str) -> str:
    """How often codes of a kind stand in the record."""
    return (
        f"({steps.RECORD}.length() - {steps.RECORD}.replace({quoted(code)}, {quoted('')}).length()) / {len(code)}"
    )


def complete(code: str, size: str) -> str:
    """Whether as many units of a formation fight as it has."""
    rest = f"{steps.RECORD}.length() - {steps.RECORD}.replace({code}, {quoted('')}).length()"
    return f"{rest} == {code}.length() * {size} && !{code}.equals({quoted(battlefield.NOBODY)})"


def commanded(number: int, side: str, ranks: int) -> str:
    """Whether all ranks of a command of the counter's division fight, and it is not named yet."""
    name = letters(number)
    codes = [f'"[C{name}{letters(rank)}:" + Command + "]"' for rank in range(ranks)]
    there = " && ".join(f"{steps.RECORD}.contains({code})" for code in codes)
    done = f'{steps.RECORD}.contains("([C" + Command + "])")'
    return f"!Command.isEmpty() && Side == {quoted(side)} && {there} && !{done}"


def columns(scenario: Scenario) -> str:
    """The columns of all modifiers that move the column."""
    found = [
        f"({_holds(scenario, rule)} ? {rule.what.columns} : 0)"
        for rule in scenario.game.rules.combat.modifiers
        if isinstance(rule.what, modifiers.Columns) and is_said(scenario, rule)
    ]
    return " + ".join(found) or "0"


def defences(scenario: Scenario) -> Iterator[str]:
    """For each modifier that multiplies the defence, the sum after it."""
    for rule in scenario.game.rules.combat.modifiers:
        if doubled(rule) and is_said(scenario, rule):
            yield f"{_holds(scenario, rule)} ? {steps.SUM} * {doubled(rule)} : {steps.SUM}"


def _holds(scenario: Scenario, rule: modifiers.Modifier) -> str:
    return " && ".join(said for c in rule.when if (said := _condition(scenario, c)) is not None) or "true"


def _condition(scenario: Scenario, condition: modifiers.Condition) -> str | None:
    """A condition as an expression; None for one that the module does not know."""
    match condition:
        case modifiers.InTurns():
            return _in_turns(condition.turns)
        case modifiers.ByAttacker():
            return f"{steps.ATTACKER} == {quoted(condition.side)}"
        case modifiers.InWeather():
            spans = [scenario.game.weather[w] for w in condition.weather if w in scenario.game.weather]
            return "(" + (" || ".join(_in_turns(span) for span in spans) or "false") + ")"
        case modifiers.InTerrain():
            hexes = [h for h, kinds in scenario.map.terrain.items() if not set(kinds).isdisjoint(condition.terrain)]
            listed = quoted(" ".join(("", *hexes, "")))
            inside = f'{listed}.contains(" " + {steps.TARGET_HEX} + " ")'
            return f"!{inside}" if condition.share == "none" else inside
    return None


def _in_turns(turns: tuple[int, int]) -> str:
    found = [f"{air.TURN} >= {first} && {air.TURN} <= {last}" for first, last in spans_of(turns)]
    return found[0] if len(found) == 1 else f"({' || '.join(f'({one})' for one in found)})"


def crowded(plan: Plan, more: str = "") -> str:
    """Whether a counter's stack is higher than the limit of its hex, or would be with as many points `more`."""
    first, second = (side.id for side in plan.scenario.game.sides)
    if not plan.scenario.game.rules.stacking.sides:
        return _crowded(plan, first, more)
    is_first = f"SideName == {quoted(plan.words.side(first))}"
    return f"({is_first} ? {_crowded(plan, first, more)} : {_crowded(plan, second, more)})"


def _crowded(plan: Plan, side: str, more: str) -> str:
    rule, map_ = plan.scenario.game.rules.stacking, plan.scenario.map
    count = f'SumStack("{steps.WEIGHT}")' if rule.weighs else 'CountStack("UnitId")'
    count += f" + {more}" if more else ""
    usual = rule.most((), side)
    found = f"{count} > {usual}"
    own: dict[int, list[Hex]] = {}
    for hex_ in map_.grid if rule.terrain else ():
        own.setdefault(rule.most(map_.terrain[hex_], side), []).append(hex_)
    own.pop(usual, None)
    for limit, hexes in own.items():
        found = f"{quoted(' '.join(hexes))}.contains(LocationName.trim()) ? {count} > {limit} : {found}"
    return f"({found})" if own else found


def weighed(plan: Plan, unit: UnitPlan) -> Iterator[traits.Trait]:
    """What a counter counts towards the limit of its hex, where that hangs on its steps."""
    if _by_steps(plan, unit):
        counter, rule = unit.counter, plan.scenario.game.rules.stacking
        step = rule.weight(counter.id, plan.scenario.kinds(counter.type), counter.size, 1)
        yield traits.CalculatedProperty(steps.WEIGHT, f"{{{step} * ({len(unit.images) + 1} - Step_Level)}}")


def markers(plan: Plan, unit: UnitPlan) -> dict[str, object]:
    """What a counter counts where it is always the same, in games in which that is not one for each."""
    rule, counter = plan.scenario.game.rules.stacking, unit.counter
    if not rule.weighs or _by_steps(plan, unit):
        return {}
    return {steps.WEIGHT: rule.weight(counter.id, plan.scenario.kinds(counter.type), counter.size, 1)}


def _by_steps(plan: Plan, unit: UnitPlan) -> bool:
    return plan.scenario.game.rules.stacking.counted == "steps" and len(unit.images) > 1
