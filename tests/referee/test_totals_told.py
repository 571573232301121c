"""What is told of a total that was miscounted, and of who is not there to be told of."""

from __future__ import annotations

from hexforge.scenarios.text.words import Words
from hexforge.validator.report import wording
from hexforge.validator.report.text import worked_out
from hexforge.validator.rules.combat.declared import cause_of
from hexforge.validator.rules.findings import Shift
from tests.referee.conftest import Judge

SUMS = """unit c1 crown footmen 3-3-4
unit c2 crown footmen 4-3-4
unit l1 league footmen 4-4-4
position
  c1 0504
  c2 0605
  l1 0505
turn 1 crown combat
combat 0505
  attack c1 c2
  declare 7:4 odds 1-1 column 1-1
  roll 2 3
turn 1 crown movement
"""
TIRED = {"name": "division", "what": {"kind": "factor", "of": "attackers", "by": "1/2", "rounding": "sum"}}


def test_a_total_says_what_makes_it_another(judged: Judge) -> None:
    """3 and 4 halved are 3.5, of which the fraction is dropped; the modifier bears a name that we use too."""
    rule = {**TIRED, "section": "4.1"}
    texts = {"modifiers": {"division": "weariness"}}
    answer = judged(SUMS, texts=texts, combat={"modifiers": [rule]})
    (found,) = [f for f in answer.findings if f.message.key.startswith("findings.attack-sum")]
    words = Words("en").of({"en": {"modifiers.division": "weariness"}})
    assert words.say(found.message) == "the attack is 3, not 7: weariness (S 4.1)"
    plain = judged(SUMS.replace("7:4", "8:4"))
    keys = [f.message.key for f in plain.findings if f.severity == "illegal"]
    assert "findings.attack-sum" in keys


def test_halves_that_make_a_whole_are_told_as_one(judged: Judge) -> None:
    answer = judged(
        SUMS.replace("c2 crown footmen 4", "c2 crown footmen 3"), combat={"modifiers": [TIRED | {"section": "4.1"}]}
    )
    (combat,) = answer.combats
    assert next(told for _, told in wording.sums(combat, Words("en"))) == "3 = c1 1.5 + c2 1.5"


def test_every_computation_names_what_changes_a_strength(judged: Judge) -> None:
    """A factor for one of two attackers, and a strength in place of the defender's own, whatever else counts."""
    tired = TIRED | {"what": TIRED["what"] | {"units": {"marks": "tired"}}, "section": "4.1"}
    stout = {"kind": "strength", "of": "defenders", "strength": 6}
    dug = {"name": "dug", "what": stout, "section": "4.2"}
    sheet = SUMS.replace("c2 0605", "c2 0605\n  status c2 tired")
    answer = judged(
        sheet, combat={"modifiers": [tired, dug]}, marks=[{"mark": "tired", "take": {}, "section": "4.1"}]
    )
    (combat,) = answer.combats
    assert (combat.attack, combat.defence) == (5, 6)
    lines = worked_out(combat, Words("en"))
    assert [line.split(maxsplit=1) for line in lines[:4]] == [
        ["crown", "5 = c1 3 + c2 2"], ["division", "×½ (S 4.1): c2"],
        ["league", "6 = l1 6"], ["dug", "= 6 (S 4.2): l1"],
    ]  # fmt: skip
    parts = {part["unit"]: part.get("changed_by") for part in combat.as_json()["parts"]}
    assert parts == {
        "c1": None,
        "c2": [{"cause": "division", "factor": "1/2", "rule": "S 4.1"}],
        "l1": [{"cause": "dug", "strength": 6, "rule": "S 4.2"}],
    }
    assert wording.work_alone(combat, Words("en")).endswith("; division ×½ (S 4.1): c2; dug = 6 (S 4.2): l1")


def test_what_does_not_count_of_a_group_is_not_named(judged: Judge) -> None:
    """Of two factors that do not add up the stronger counts; of two strengths the last."""
    weak, strong = ({"name": n, "what": {"kind": "factor", "of": "attackers", "by": by}, "group": "luck"}
                    for n, by in (("weak", 2), ("strong", 3)))  # fmt: skip
    fixed = [{"name": n, "what": {"kind": "strength", "of": "defenders", "strength": 5}} for n in ("first", "last")]
    rules = [{**rule, "section": "4.1"} for rule in (weak, strong, *fixed)]
    (combat,) = judged(SUMS, combat={"modifiers": rules, "groups": {"luck": "best"}}).combats
    assert combat.attack == 21
    assert {unit: [c.cause for c in by] for unit, by in combat.changes} == {
        "c1": ["strong"], "c2": ["strong"], "l1": ["last"],
    }  # fmt: skip


def test_a_modifier_of_a_game_s_own_keeps_its_own_word() -> None:
    own = {"en": {"modifiers.division": "three of one division"}}
    shift = Shift("division", 1, "X 1", "modifiers")
    assert wording.cause(shift, Words("en").of(own)) == "three of one division"
    assert wording.cause(Shift("division", 1, "X 1"), Words("en").of(own)) == "complete division"
    assert Words("en").of(own).value(cause_of(shift)) == "three of one division"


def test_who_was_lost_is_not_said_to_have_moved(judged: Judge) -> None:
    """Lost in the enemy's turn after a move of its own: the next turn says once that it is gone."""
    sheet = """unit c1 crown footmen 3-3-4
unit l1 league footmen 15-4-4
position
  c1 0504
  l1 0506
turn 1 crown movement
move c1: 0504 0505
turn 1 league movement
turn 1 league combat
combat 0505
  attack l1
  eliminate c1
turn 1 league movement
turn 2 crown combat
turn 2 crown movement
move c1: 0505 0504
"""
    found = [f.message.key for f in judged(sheet).findings if f.line == len(sheet.splitlines()) + 4]
    assert found == ["findings.off-map"]
