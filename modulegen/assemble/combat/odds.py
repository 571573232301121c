"""Expressions that work a combat out: sums to odds, odds to a column, dice to a result, all from a game's tables.

Each is one BeanShell expression, a flat chain of choices (see `expressions`), of properties that `combat` lists.
Whether they say what the rules say is held against the referee by the tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.expressions import quoted
from hexforge.modulegen.plan import battlefield as field
from hexforge.modulegen.plan.battlefield import letter, letters
from hexforge.scenarios.schema.columns import ByOdds, halfway, lower_bound, lower_bounds, parse_odds, ratios

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario
    from hexforge.scenarios.schema.columns import Rounding
    from hexforge.scenarios.schema.rules_combat import Unity
    from hexforge.scenarios.schema.tables import ResultTable

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
            found = f"{n.SUM_ATTACK} - {n.SUM_DEFENCE} >= {low} ? {index} : {found}" if index else found
        return found
    known = ratios(table.columns)
    for index, ratio in enumerate(known):
        if index:
            below = known[index - 1]
            rounding = by.rounding if below >= 1 else inverse or by.inverse or by.rounding
            found = f"{_reached(below, ratio, rounding)} ? {index} : {found}"
    # Nothing to divide by, or nothing to divide.
    return f"{n.SUM_ATTACK} <= 0 ? 0 : {n.SUM_DEFENCE} <= 0 ? {last} : {found}"


def _reached(below: Fraction, ratio: Fraction, rounding: Rounding) -> str:
    """Whether the sums stand on the column of a ratio rather than on the one below it."""
    if rounding == "defender":
        return f"{_times(n.SUM_ATTACK, ratio.denominator)} >= {_times(n.SUM_DEFENCE, ratio.numerator)}"
    edge = below if rounding == "attacker" else halfway(below, ratio)
    return f"{_times(n.SUM_ATTACK, edge.denominator)} > {_times(n.SUM_DEFENCE, edge.numerator)}"


def _times(sum_: str, factor: int) -> str:
    return sum_ if factor == 1 else f"{sum_} * {factor}"


def beyond(table: ResultTable, *, round_up: bool) -> str:
    """By how many columns the odds lie beyond the table, where that part of them counts."""
    (low, by), (high, of) = parse_odds(table.columns[0]), parse_odds(table.columns[-1])
    up, down = f"{n.SUM_ATTACK} / {n.SUM_DEFENCE}", f"{n.SUM_DEFENCE} / {n.SUM_ATTACK}"
    if round_up:
        down = f"({n.SUM_DEFENCE} + {n.SUM_ATTACK} - 1) / {n.SUM_ATTACK}"
    return (
        f"{n.SUM_ATTACK} <= 0 || {n.SUM_DEFENCE} <= 0 ? 0 "
        f": {n.SUM_ATTACK} >= {n.SUM_DEFENCE} && {up} * {of} > {high} ? {up} - {high} "
        f": {n.SUM_ATTACK} >= {n.SUM_DEFENCE} && {up} * {by} < {low} ? {by - 1} "
        f": {n.SUM_ATTACK} >= {n.SUM_DEFENCE} ? 0 "
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
            found = f"{n.VALUE} >= {lower_bound(name)} ? {index} : {found}"
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
        return f"{n.DICE}_total"
    tens, ones = (f'Integer.parseInt({n.DICE}_result.split(",")[{i}])' for i in (0, 1))
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
    start = f"{n.ROLL} * {columns * wide} + {n.COLUMN} * {wide} - {rolls(table)[0] * columns * wide}"
    return f"{quoted(text)}.substring({start}, {start} + {wide}).trim()"


def ground(records: Mapping[str, str], defender: str) -> str:
    """The record of the target for the side that defends it; that of any hex where it has none of its own."""
    start = f'{n.TARGET}.replaceAll(":.*", ":")'
    plain = quoted(field.PLAIN)
    found = [
        f"{quoted(text)}.concat({start} + {plain}).split({start})[1].substring(0, {len(field.PLAIN)})"
        for text in records.values()
    ]
    if len(set(found)) == 1:
        return found[0]
    return f"{defender} == {quoted(next(iter(records)))} ? {found[0]} : {found[1]}"


def columns_at(index: int) -> str:
    """The columns that a letter of the target's record stands for."""
    zero = ord(field.ZERO) - ord("A")
    return f"{_ALPHABET}.indexOf({n.GROUND}.substring({index}, {index + 1})) - {zero}"


def lines(kind: str, values: Iterable[int], *, worst: bool) -> str:
    """The columns of the lines before the attackers: those of the one that helps least (`worst`) or most.

    The facts of a combat say `[LK]` for each attacker who crosses a line of the letter K.
    """
    found = "0"
    for value in sorted({*values, 0}, reverse=not worst):
        found = f"{n.RECORD}.contains({quoted(f'[{kind}{letter(value)}]')}) ? {value} : {found}"
    return found


def cover() -> str:
    """What the ground gives the defender: the best of hex and line, and the works that all attackers face."""
    return f"{n.HEX} < {n.LINE} ? {n.HEX} + {n.WORKS} : {n.LINE} + {n.WORKS}"


def shut(barriers: field.Barriers) -> str:
    """The letters of the barriers that nobody among the defenders can pass; the record has their groups."""
    parts = []
    for number in range(len(barriers.sets)):
        free = " || ".join(f"{n.RECORD}.contains({quoted(f'[T{g}]')})" for g in barriers.outside(number))
        parts.append(f"({free} ? {quoted('')} : {quoted(letters(number))})" if free else quoted(letters(number)))
    return " + ".join(parts) or quoted("")


def surrounded(columns: int, relief: int, defenders: str, *, barred: bool) -> str:
    """Columns against defenders around whom every hex that there is, is covered by the enemy or barred to them."""
    if not columns:
        return "0"
    held = [f"{n.COVERS}.contains({quoted(letters(i))})" for i in range(field.SIDES)]
    if barred:
        start = field.BARRED
        held = [
            f"({one} || {n.BARS}.contains({n.GROUND}.substring({start + i}, {start + i + 1})))"
            for i, one in enumerate(held)
        ]
    around_ = " && ".join(held)
    freed = f"{n.RECORD}.contains({quoted(IMMUNE)}) ? {columns - relief} : {columns}" if relief else str(columns)
    return f"!{defenders}.isEmpty() && {around_} ? {freed} : 0"


def unity(rules: Unity, bonus: int, greater: int, *, stacks: bool) -> str:
    """Columns for the complete formations that the record names, each once, in parentheses."""
    small, large = f'{n.RECORD}.contains("([R") || {n.RECORD}.contains("([C")', f'{n.RECORD}.contains("([D")'
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
    return f"({n.RECORD}.length() - {n.RECORD}.replace({quoted(code)}, {quoted('')}).length()) / {len(code)}"


def complete(code: str, size: str) -> str:
    """Whether as many units of a formation fight as it has."""
    rest = f"{n.RECORD}.length() - {n.RECORD}.replace({code}, {quoted('')}).length()"
    return f"{rest} == {code}.length() * {size} && !{code}.equals({quoted(field.NOBODY)})"


def commanded(number: int, side: str, ranks: int) -> str:
    """Whether all ranks of a command of the counter's division fight, and it is not named yet."""
    name = letters(number)
    codes = [f'"[C{name}{letters(rank)}:" + Command + "]"' for rank in range(ranks)]
    there = " && ".join(f"{n.RECORD}.contains({code})" for code in codes)
    done = f'{n.RECORD}.contains("([C" + Command + "])")'
    return f"!Command.isEmpty() && Side == {quoted(side)} && {there} && !{done}"
