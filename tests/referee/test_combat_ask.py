"""The question before the attack."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from fractions import Fraction

from hexforge.scenarios.text.words import Words
from hexforge.validator.judging import questions
from hexforge.validator.judging.replay import Judgement
from hexforge.validator.judging.replayed import Replayed
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.report.text import odds_told
from hexforge.validator.rules.combat.preview import Odds, odds
from hexforge.validator.rules.findings import doubt
from hexforge.validator.rules.position import Unit
from tests.referee.combat_sheets import play

POSITION = """terrain town 1010
    unit a1 american infantry 4-4-5 regiment 112 division 28
    unit a2 american infantry 4-4-5 regiment 112 division 28
    unit a3 american infantry 4-4-5 regiment 109 division 28
    unit a7 american artillery 2-1-4 range 3
    unit g1 german infantry 1-2-5
    position
    a1 1009
    a2 1009
    a3 1008
    a7 1005
    g1 1010
    turn 3 american movement"""


def ask(*attackers: str, support: tuple[str, ...] = ()) -> Odds:
    judged = play("hurtgen", POSITION)
    return odds(judged.ctx, judged.position, "1010", attackers, support=support)


def test_the_whole_computation_is_told() -> None:
    answer = ask("a1", "a2")
    assert answer.objections == ()
    assert answer.formations == (("112/28",), ())
    told = answer.as_json(Words("en"))
    assert (told["attack"], told["defence"], told["odds"], told["column"]) == (8, 2, "4-1", "3-1")
    assert [(s["cause"], s["columns"]) for s in told["shifts"]] == [("terrain", -2), ("unity", 1)]
    assert [p["points"] for p in told["parts"]] == [4, 4, 2]


def test_outcomes_are_those_of_thirty_six_throws() -> None:
    answer = ask("a1", "a2")
    assert sum(chance.probability for chance in answer.chances) == Fraction(1)
    chances = {chance.codes: (chance.probability, chance.rolls) for chance in answer.chances}
    assert chances["DVB", "ARI"] == (Fraction(6, 36), (7,))
    assert chances["IMP",] == (Fraction(10, 36), (6, 8))


def test_what_would_be_illegal_is_objected_to() -> None:
    answer = ask("a1", "a3", support=("a7",))
    assert [f.code for f in answer.objections] == ["not-adjacent", "artillery-range"]
    assert answer.figures.attack == 10


def test_nothing_can_come_of_an_attack_on_an_empty_hex() -> None:
    judged = play("hurtgen", POSITION)
    answer = odds(judged.ctx, judged.position, "1011", ["a1"])
    assert answer.chances == ()
    first, *_ = answer.objections
    assert first.message.key == "findings.no-target"
    assert list(odds_told(answer, Words("en")))[1].endswith("no enemy stands in 1011")


def test_the_position_is_not_changed_by_asking() -> None:
    judged = play("hurtgen", POSITION)
    before = judged.position
    odds(judged.ctx, judged.position, "1010", ["a1", "ghost"], air=3, offboard=10)
    assert judged.position is before
    assert judged.position.ledger.targets == frozenset()


def test_what_was_fought_in_another_phase_does_not_bind_this_one() -> None:
    judged = play(
        "hurtgen", POSITION.replace("american movement", "german combat") + "\npartial\ncombat 1009\nattack g1"
    )
    assert judged.position.ledger.targets == frozenset({"1009"})
    answer = odds(judged.ctx, judged.position, "1009", ["g1"])
    assert [f.code for f in answer.objections] == ["attacked-twice", "attacked-twice"]
    answer = odds(judged.ctx, judged.position, "1010", ["a1", "a2"])
    assert answer.objections == ()


def test_formations_that_no_list_prints_are_told() -> None:
    judged = play("hurtgen", POSITION)
    printed = {u: replace(unit, line=0) for u, unit in judged.position.roster.items()}
    sure = _asked(judged, printed)
    assert doubt("identity", units="a1 a2") not in sure.ask()
    told = _asked(judged, {**printed, "a2": replace(printed["a2"], assumed=frozenset({"identity"}))})
    assert told.figures == sure.figures
    assert doubt("identity", units="a1 a2") in told.ask(), "without it there is no shift for unity"
    assert [Words("en").say(d) for d in told.ask()] == told.as_json(Words("en"))["rests_on"]


def _asked(judged: Judgement, roster: dict[str, Unit]) -> Odds:
    ctx = copy(judged.ctx)
    vars(ctx).update(units=roster, _movers={})
    there = replace(judged, ctx=ctx, position=replace(judged.position, roster=roster))
    return questions.odds(Replayed(read_sheet("", ""), ctx.scenario, there), "1010", ["a1", "a2"])


WEAKENED = """terrain open 1010
    unit g1 german artillery 4-2-4 range 3
    unit g2 german infantry 4-4-5
    unit a1 american infantry 1-2-5
    position
    g1 1007
    g2 1009
    a1 1010
    turn 26 german combat"""


def test_what_multiplies_a_strength_is_named() -> None:
    """On the last turn German guns fire with half of their strength; the infantry beside them does not."""
    judged = play("bastogne", WEAKENED)
    answer = odds(judged.ctx, judged.position, "1010", ["g2"], support=("g1",))
    told = answer.as_json(Words("en"))
    by = {part["unit"]: part.get("changed_by") for part in told["parts"]}
    assert (told["attack"], by) == (
        6,
        {"g2": None, "a1": None, "g1": [{"cause": "weakened", "factor": "1/2", "rule": "B 8.0"}]},
    )
    words = Words("pt").of(judged.ctx.scenario.texts)
    (line,) = [line for line in odds_told(answer, words) if "×½" in line]
    assert line.split("  ")[-1] == "×½ (B 8.0): g1"
