"""What the players worked out, held against the referee's figures; each figure on its own line, each error once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from ....scenarios.schema.results import ByOdds
from ....scenarios.schema.tables import ResultTable
from ....scenarios.text.words import SOURCE, Param, Term, Words, message
from ...notation import statements
from ..findings import Finding, Shift
from . import tables
from .conditions import Battle, Forces
from .figures import Fight, Figures, strength_causes
from .shifts import Claim, claims, likeliest, suspects

_ROLES: Final[tuple[statements.RoleName, ...]] = ("attacker", "defender")
_COUNTED: Final = {1: "one", 2: "two", 3: "three"}


def cause_of(shift: Shift) -> Param:
    """The word for what moves a column: terrain, unity …, a line on hexsides, or a modifier of the game's own."""
    key = f"findings.cause.{shift.cause}"
    ours = Words(SOURCE).has(key) and not shift.own
    return message(key) if ours else Term(shift.words, shift.cause, shift.cause.replace("_", " "))


def shifts_told(shifts: Sequence[Shift]) -> Param:
    """All shifts in words."""
    told = tuple(message("findings.cause.shift", cause=cause_of(s), columns=s.columns) for s in shifts)
    return told or message("findings.cause.none")


def check_announcements(battle: Battle, fight: Fight, figures: Figures, forces: Forces) -> Iterator[Finding]:
    """The attacker speaks first, and after the defender has spoken nothing changes (5.1.1)."""
    opened = [a.line for a in fight.announcements if a.role == "attacker"]
    defender_spoke = False
    for act in fight.announcements:
        after_attacker = any(line < act.line for line in opened)
        if act.role == "defender" and opened and not after_attacker:
            yield battle.found(act.line, "announce-order")
        elif defender_spoke and (act.role == "defender" or after_attacker):
            yield battle.found(act.line, "announce-late", declared=act.total)
        defender_spoke = defender_spoke or act.role == "defender"
    for late in fight.late:
        yield battle.found(late.line, "announce-late")
    totals: tuple[tuple[statements.RoleName, int], ...] = (
        ("attacker", figures.attack),
        ("defender", figures.defence),
    )
    for role, total in totals:
        spoken = [a for a in fight.announcements if a.role == role]
        # The total that binds is the first that was spoken; changes of it are found fault with by themselves.
        if spoken and spoken[0].total != total:
            yield _wrong_sum(battle, forces, figures, role, (spoken[0].line, spoken[0].total))


def _wrong_sum(
    battle: Battle, forces: Forces, figures: Figures, role: statements.RoleName, told: tuple[int, int]
) -> Finding:
    """The finding on a total that was told on a line, with what makes it another."""
    line, said = told
    key, total = ("attack-sum", figures.attack) if role == "attacker" else ("defence-sum", figures.defence)
    causes = strength_causes(battle, forces, role, figures.defenders)
    return battle.found(
        line,
        f"{key}-by" if causes else key,
        declared=said,
        computed=total,
        causes=causes,
    )


def check_declaration(
    battle: Battle, fight: Fight, figures: Figures, forces: Forces
) -> tuple[int | None, list[Finding]]:
    """Sums, odds and column as declared: the index of the declared column (None without one), and findings."""
    column: int | None = None
    findings: list[Finding] = []
    acts = [_as_either(battle, fight, figures, told) for told in fight.declarations]
    for act in acts:
        if act.either is not None:
            name = figures.column_name
            findings.append(battle.found(act.line, "either", declared=act.either, odds=figures.odds, computed=name))
        seen = _beside(act, acts, fight)
        base, found = _check_odds(battle, figures, act, seen)
        findings += [*_check_sums(battle, fight, figures, act, forces), *found]
        if act.column is not None:
            column = _declared_column(figures.table, act.column)
            findings += _check_column(battle, figures, forces, seen, (base, column))
    return column, findings


def _beside(act: statements.Declare, acts: Sequence[statements.Declare], fight: Fight) -> statements.Declare:
    """A declaration with the totals and odds that other lines of its combat tell, where it tells none itself."""
    before = [a for a in acts if a.line < act.line]
    near = [act, *reversed(before), *(a for a in acts if a.line >= act.line)]
    said = {role: next((a.total for a in fight.announcements if a.role == role), None) for role in _ROLES}
    return replace(
        act,
        attack=next((a.attack for a in near if a.attack is not None), said["attacker"]),
        defence=next((a.defence for a in near if a.defence is not None), said["defender"]),
        odds=next((a.odds for a in near if a.odds is not None), None),
    )


def _as_either(battle: Battle, fight: Fight, figures: Figures, act: statements.Declare) -> statements.Declare:
    """A declaration with a ratio that may be odds or column as what it is; as it stands where it is neither."""
    if act.either is None:
        return act
    odds, column = replace(act, either=None, odds=act.either), replace(act, either=None, column=act.either)
    if not _check_odds(battle, figures, odds, _beside(odds, fight.declarations, fight))[1]:
        return odds
    return column if _declared_column(figures.table, act.either) == figures.column else act


def _check_sums(
    battle: Battle, fight: Fight, figures: Figures, act: statements.Declare, forces: Forces
) -> Iterator[Finding]:
    announced: dict[str, int] = {a.role: a.total for a in reversed(fight.announcements)}
    totals: tuple[tuple[statements.RoleName, int | None, int], ...] = (
        ("attacker", act.attack, figures.attack),
        ("defender", act.defence, figures.defence),
    )
    for role, said, total in totals:
        if said is not None and said != total and announced.get(role) != said:
            yield _wrong_sum(battle, forces, figures, role, (act.line, said))


def _check_odds(
    battle: Battle, figures: Figures, act: statements.Declare, seen: statements.Declare
) -> tuple[int, list[Finding]]:
    """The column, before shifts, that the players went on from, by this line and what was `seen` beside it."""
    table = figures.table
    inverse = tables.inverse_of(table, battle.ctx.option("inverse_rounding"))
    up, by = inverse == "defender", table.column_by
    own = figures.base
    both = seen.attack is not None and seen.defence is not None
    attack, defence = (seen.attack or 0, seen.defence or 0) if both else (figures.attack, figures.defence)
    if both:
        own = tables.odds_column(table, attack, defence, inverse=inverse)
    if act.odds is None:
        stood = _odds_index(table, seen.odds) if seen.odds is not None else None
        return own if stood is None else stood, []
    declared = _odds_index(table, act.odds)
    sums = ((attack, defence), (figures.attack, figures.defence))
    # Odds beyond the table may be called by their own name or by that of the end column, but by no third one.
    exact = {str(tables.odds(a, d, round_up_inverse=up)) for a, d in sums}
    exact |= {text for a, d in sums for text in (str(a - d), f"{a - d:+d}") if not isinstance(by, ByOdds)}
    named = tables.column_index(table, act.odds) is not None or act.odds.replace(":", "-") in exact
    if declared is not None and declared in (own, figures.base) and named:
        return declared, []
    found = battle.found(
        act.line,
        "odds",
        severity="unread" if declared is None else "illegal",
        declared=act.odds,
        computed=table.columns[own],
        attack=attack,
        defence=defence,
    )
    return own if declared is None else declared, [found]


def _odds_index(table: ResultTable, text: str) -> int | None:
    """The column of odds as written; those beyond the table stand on its end column. None if it is no ratio."""
    try:
        if not isinstance(table.column_by, ByOdds):
            named = tables.column_index(table, text)
            return tables.value_column(table, int(text)) if named is None else named
        return tables.ratio_column(table, tables.parse_ratio(text))
    except (ValueError, ZeroDivisionError):
        return None


def _declared_column(table: ResultTable, text: str) -> int | None:
    index = tables.column_index(table, text)
    return _odds_index(table, text) if index is None else index


def _check_column(
    battle: Battle, figures: Figures, forces: Forces, act: statements.Declare, told: tuple[int, int | None]
) -> Iterator[Finding]:
    """The column as declared, after the odds of a column; where it is wrong, which shift was misjudged."""
    base, declared = told
    if declared is None:
        # What no table calls a column is a slip of the pen: no rule speaks of it, see R131.
        name = figures.column_name
        yield battle.found(act.line, "no-column", severity="unread", declared=act.column, computed=name)
        return
    table, shifts = figures.table, figures.shifts
    from_base = partial(_shifted, table, base, figures.beyond if base == figures.base else 0)
    right = from_base(sum(s.columns for s in shifts))
    if declared in (figures.column, right):
        return
    terrain = battle.ctx.scenario.citation(battle.rules.sections.terrain)
    found = suspects(shifts, declared, from_base, terrain_rule=terrain, alternatives=figures.misreadings)
    hexes = tuple(dict.fromkeys(h for u in figures.defenders if (h := battle.position.hex_of(u))))
    said: dict[str, Any] = {"hexes": hexes, "declared": act.column, "computed": table.columns[right]}

    def explains(by: int) -> bool:
        return from_base(sum(s.columns for s in shifts) + by) == declared

    cause = likeliest(found, _claimed(battle, forces, explains))
    if cause is None:
        yield battle.found(act.line, "column", shifts=shifts_told(shifts), **said)
        return
    wanting = {"wanting": cause.wanting} if isinstance(cause, Claim) else {}
    yield battle.found(
        act.line,
        cause.key,
        section=cause.shift.rule.partition(" ")[2],
        columns=cause.shift.columns,
        cause=cause_of(cause.shift),
        **wanting,
        **said,
    )


def _claimed(battle: Battle, forces: Forces, explains: Callable[[int], bool]) -> list[Claim]:
    """What of the columns that nearly hold leads to the declared one, for each rule and key the first."""
    found: dict[tuple[str, str], Claim] = {}
    for claim in claims(battle, forces):
        if explains(claim.shift.columns):
            found.setdefault((claim.shift.rule, claim.key), claim)
    return list(found.values())


def _shifted(table: ResultTable, base: int, beyond: int, columns: int) -> int:
    return tables.shifted(table, base, (columns,), beyond=beyond)


def check_roll(battle: Battle, fight: Fight, table: ResultTable) -> tuple[int | None, list[Finding]]:
    """What the dice show (None if it is nothing that the table knows), and findings."""
    if fight.roll is None:
        owed = fight.result is not None or not battle.ctx.partial
        return None, [battle.found(fight.line, "no-roll", severity="warning")] if owed else []
    dice, faces, line = table.thrown, fight.roll.faces, fight.roll.line
    told = " ".join(map(str, faces))
    if dice.shows(faces):
        return dice.value(faces), []
    if len(faces) == 1 and faces[0] in dice.ways and faces[0] > dice.faces:
        return faces[0], [battle.found(line, "dice-sum", severity="warning", declared=told, faces=told)]
    kind = message(f"findings.dice-kind.{_COUNTED[dice.count]}", highest=dice.faces)
    found = battle.found(
        line,
        "dice",
        declared=told,
        faces=told,
        kind=kind,
    )
    return sum(faces) if not dice.tens and sum(faces) in dice.ways else None, [found]


def codes_followed(fight: Fight, table: ResultTable, computed: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The result that the players went on from: their own reading if the table has it, else the right one."""
    told = fight.declared_codes
    return told if told is not None and tables.has_cell(table, told) else computed


def check_result(
    battle: Battle,
    fight: Fight,
    *,
    table: ResultTable,
    column: int,
    declared_column: int | None,
    roll: int | None,
    section: str,
    certain: tuple[str, ...] | None = None,
) -> Iterator[Finding]:
    """The result as read off the table: right for the right column, or for the one that the players stood on.

    `certain` is the result of what needs no dice.
    """
    codes = fight.declared_codes
    if codes is None or fight.result is None:
        return
    line, told = fight.result.line, " ".join(codes)
    if certain is not None:
        if not tables.same_codes(codes, certain):
            right = " ".join(certain)
            given = {"declared": told, "computed": right, "result": right}
            yield battle.found(line, "result-certain", section=section, **given)
        return
    if not tables.has_cell(table, codes):
        computed = " ".join(tables.result(table, roll, column)) if roll is not None else None
        yield battle.found(line, "no-code", section=section, declared=told, computed=computed)
        return
    if roll is None:
        return
    stood = column if declared_column is None else declared_column
    if any(tables.same_codes(codes, tables.result(table, roll, c)) for c in (column, stood)):
        return
    yield battle.found(
        line,
        "result",
        section=section,
        declared=told,
        computed=" ".join(tables.result(table, roll, stood)),
        roll=roll,
        column=table.columns[stood],
    )
