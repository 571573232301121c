"""What the players worked out, held against the referee's figures; each figure on its own line, each error once."""

from __future__ import annotations

from hexforge.scenarios.schema.tables import ResultTable
from hexforge.scenarios.words import Message
from hexforge.validator.readers import statements as st
from hexforge.validator.referee.combat import tables
from hexforge.validator.referee.combat.blame import suspects
from hexforge.validator.referee.combat.desk import Desk
from hexforge.validator.referee.combat.fight import Fight
from hexforge.validator.referee.combat.figures import Figures


def check_announcements(desk: Desk, fight: Fight, figures: Figures) -> None:
    """The attacker speaks first, and after the defender has spoken nothing changes (5.1.1)."""
    defender_spoke = False
    for act in fight.announcements:
        if act.role == "defender":
            if not any(a.role == "attacker" and a.line < act.line for a in fight.announcements) and any(
                a.role == "attacker" for a in fight.announcements
            ):
                desk.find(act.line, "announce-order")
            elif defender_spoke:
                desk.find(act.line, "announce-late", declared=act.total)
            defender_spoke = True
        elif defender_spoke and any(a.role == "attacker" and a.line < act.line for a in fight.announcements):
            desk.find(act.line, "announce-late", declared=act.total)
    for late in fight.late:
        desk.find(late.line, "announce-late")
    _check_announced_totals(desk, fight, figures)


def _check_announced_totals(desk: Desk, fight: Fight, figures: Figures) -> None:
    for role, total in (("attacker", figures.attack), ("defender", figures.defence)):
        spoken = [a for a in fight.announcements if a.role == role]
        # The total that binds is the first that was spoken; changes of it are found fault with by themselves.
        if spoken and spoken[0].total != total:
            key = "attack-sum" if role == "attacker" else "defence-sum"
            desk.find(spoken[0].line, key, declared=spoken[0].total, computed=total, doubts=figures.strength_doubts)


def check_declaration(desk: Desk, fight: Fight, figures: Figures) -> int | None:
    """Sums, odds and column as declared. Gives the index of the declared column, None without one."""
    column: int | None = None
    for act in fight.declarations:
        _check_sums(desk, fight, figures, act)
        base = _check_odds(desk, figures, act)
        if act.column is not None:
            column = _check_column(desk, figures, act, base)
    return column


def _check_sums(desk: Desk, fight: Fight, figures: Figures, act: st.Declare) -> None:
    announced: dict[str, int] = {a.role: a.total for a in reversed(fight.announcements)}
    for role, said, total, key in (
        ("attacker", act.attack, figures.attack, "attack-sum"),
        ("defender", act.defence, figures.defence, "defence-sum"),
    ):
        if said is not None and said != total and announced.get(role) != said:
            desk.find(act.line, key, declared=said, computed=total, doubts=figures.strength_doubts)


def _check_odds(desk: Desk, figures: Figures, act: st.Declare) -> int:
    """The column, before shifts, that the players went on from."""
    table = figures.table
    up = desk.option("inverse_rounding") == "ceil"
    own = figures.base
    if act.attack is not None and act.defence is not None:
        own = tables.odds_column(table, act.attack, act.defence, round_up_inverse=up)
    if act.odds is None:
        return own
    declared = _odds_index(table, act.odds)
    both = act.attack is not None and act.defence is not None
    attack, defence = (act.attack or 0, act.defence or 0) if both else (figures.attack, figures.defence)
    sums = ((attack, defence), (figures.attack, figures.defence))
    # Odds beyond the table may be called by their own name or by that of the end column, but by no third one.
    exact = {str(tables.odds(a, d, round_up_inverse=up)) for a, d in sums}
    named = tables.column_index(table, act.odds) is not None or act.odds.replace(":", "-") in exact
    if declared is None or declared not in (own, figures.base) or not named:
        desk.find(
            act.line,
            "odds",
            declared=act.odds,
            computed=table.columns[own],
            doubts=() if both else figures.strength_doubts,
            attack=attack,
            defence=defence,
        )
    return own if declared is None else declared


def _odds_index(table: ResultTable, text: str) -> int | None:
    """The column of odds as written; those beyond the table stand on its end column. None if it is no ratio."""
    try:
        return tables.ratio_column(table, tables.parse_ratio(text))
    except (ValueError, ZeroDivisionError):
        return None


def _check_column(desk: Desk, figures: Figures, act: st.Declare, base: int) -> int | None:
    table, total = figures.table, sum(s.columns for s in figures.shifts)
    assert act.column is not None
    declared = tables.column_index(table, act.column)
    if declared is None:
        declared = _odds_index(table, act.column)
    section = desk.rules.sections.column
    if declared is None:
        desk.find(act.line, "no-column", section=section, declared=act.column, computed=figures.column_name)
        return None

    def from_base(sum_: int) -> int:
        return tables.shifted(table, base, (sum_,), beyond=figures.beyond if base == figures.base else 0)

    if declared in (figures.column, from_base(total)):
        return declared
    terrain = desk.ctx.scenario.citation(desk.rules.sections.terrain)
    found = suspects(figures.shifts, declared, from_base, terrain_rule=terrain, alternatives=figures.misreadings)
    right = table.columns[from_base(total)]
    for suspect in found:
        desk.find(
            act.line,
            f"shift-{suspect.mistake}",
            section=suspect.shift.rule.partition(" ")[2],
            hexes=fight_hexes(figures, desk),
            declared=act.column,
            computed=right,
            doubts=figures.ground_doubts if suspect.shift.rule == terrain else (),
            columns=suspect.shift.columns,
            cause=desk.cause(suspect.shift),
        )
    if not found:
        desk.find(
            act.line,
            "column",
            section=section,
            hexes=fight_hexes(figures, desk),
            declared=act.column,
            computed=right,
            doubts=figures.ground_doubts,
            shifts=desk.shifts_told(figures.shifts),
        )
    return declared


def fight_hexes(figures: Figures, desk: Desk) -> tuple[str, ...]:
    """The hexes that are defended."""
    return tuple(dict.fromkeys(h for u in figures.defenders if (h := desk.position.hex_of(u))))


def check_roll(desk: Desk, fight: Fight) -> int | None:
    """The sum of the dice as rolled; None if there is none that a table knows."""
    if fight.roll is None:
        if fight.result is not None or not desk.ctx.partial:
            desk.find(fight.line, "no-roll", severity="warning")
        return None
    faces, line = fight.roll.faces, fight.roll.line
    told = " ".join(map(str, faces))
    if len(faces) == 2 and all(face in tables.FACES for face in faces):
        return sum(faces)
    if len(faces) == 1 and faces[0] in tables.ROLLS and faces[0] not in tables.FACES:
        desk.find(line, "dice-sum", severity="warning", declared=told, faces=told)
        return faces[0]
    desk.find(line, "dice", declared=told, faces=told)
    return sum(faces) if sum(faces) in tables.ROLLS else None


def codes_followed(fight: Fight, table: ResultTable, computed: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The result that the players went on from: their own reading if the table has it, else the right one."""
    told = fight.declared_codes
    return told if told is not None and tables.has_cell(table, told) else computed


def check_result(
    desk: Desk,
    fight: Fight,
    *,
    table: ResultTable,
    column: int,
    declared_column: int | None,
    roll: int | None,
    section: str,
    doubts: tuple[Message, ...] = (),
) -> None:
    """The result as read off the table: right for the right column, or for the one that the players stood on."""
    codes = fight.declared_codes
    if codes is None or fight.result is None:
        return
    line, told = fight.result.line, " ".join(codes)
    if not tables.has_cell(table, codes):
        computed = " ".join(tables.result(table, roll, column)) if roll is not None else None
        desk.find(line, "no-code", section=section, declared=told, computed=computed)
        return
    if roll is None:
        return
    stood = column if declared_column is None else declared_column
    if any(tables.same_codes(codes, tables.result(table, roll, c)) for c in (column, stood)):
        return
    desk.find(
        line,
        "result",
        section=section,
        declared=told,
        computed=" ".join(tables.result(table, roll, stood)),
        doubts=doubts if declared_column is None else (),
        roll=roll,
        column=table.columns[stood],
    )
