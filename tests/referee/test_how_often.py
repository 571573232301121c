"""How often units attack and are attacked in a phase, strengths split among combats, who has to fight on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hexforge.scenarios.loader import load
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.replay import replay
from hexforge.validator.notation import games
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.rules.combat.preview import odds
from tests.referee.conftest import Judge

SAME = ("2,3,4", "5,6", "7", "8,9", "10,11,12")
TABLES: dict[str, Any] = {
    "crt": {"rows": dict.fromkeys(SAME, ["NOT"] * 6)},
    "results": {"NOT": {"attacker": {"mark": "locked"}, "defender": {"mark": "locked"}}},
}
SEQUENCE = [{"side": side, "phase": phase} for side in ("crown", "league") for phase in ("movement", "combat")]
UNITS = """unit c1 crown footmen 6-6-4 reduced 3-3
unit c2 crown footmen 6-6-4 reduced 3-3
unit l1 league footmen 3-3-4 reduced 2-2
unit l2 league footmen 3-3-4 reduced 2-2
position
  c1 0504
  c2 0605
  l1 0505
  l2 {second}
turn 1 crown combat
"""


def fought(judged: Judge, *combats: str, second: str = "0404", results: Any = None, **shape: Any) -> Answer:
    """Combats, each as `0505: attack c1 | share c1 3`."""
    lines = UNITS.format(second=second)
    for one in combats:
        targets, _, acts = one.partition(": ")
        lines += f"combat {targets}\n" + "".join(f"  {act}\n" for act in acts.split(" | ")) + "  roll 3 4\n"
    retreat = {"way": {"kind": "distance", "zones": "open"}}
    rules = {"shape": shape, "duty": {"units": "none"}, "retreat": retreat}
    tables = {**TABLES, "results": results or {"NOT": {}}}
    return judged(lines, tables=tables, combat=rules, sequence=SEQUENCE)


def wrong(answer: Answer) -> list[str]:
    return [f.message.key.removeprefix("findings.") for f in answer.findings if f.severity == "illegal"]


ONE, TWO = "0505: attack c1", "0505: attack c2"


@pytest.mark.parametrize(
    ("again", "said"), [(False, ["attacked-before"]), (True, []), ("others", ["unit-attacked-before"])]
)
def test_a_hex_may_be_attacked_once_or_more(judged: Judge, again: Any, said: list[str]) -> None:
    assert wrong(fought(judged, ONE, TWO, again=again)) == said


@pytest.mark.parametrize(("again", "said"), [(False, []), (True, []), ("others", ["unit-attacked-before"])])
def test_who_was_attacked_may_be_spared_in_another_hex(judged: Judge, again: Any, said: list[str]) -> None:
    """Driven off from 0505 to 0606, next to the other attacker."""
    driven = "0505: attack c1 | result NOT | retreat l1: 0606"
    back = {"NOT": {"defender": {"retreat": 1}}}
    rules = {"again": again}
    assert (
        wrong(fought(judged, driven, "0606: attack c2 | retreat l1: 0706", results=back, second="0901", **rules))
        == said
    )


@pytest.mark.parametrize(("attackers", "said"), [("together", []), ("apart", ["attackers-apart"])])
def test_several_attack_together_or_each_by_itself(judged: Judge, attackers: str, said: list[str]) -> None:
    assert wrong(fought(judged, "0505: attack c1 c2", attackers=attackers)) == said
    assert wrong(fought(judged, ONE, TWO, attackers=attackers, again=True)) == []


@pytest.mark.parametrize(
    ("combats", "split", "attack", "said"),
    [
        (("attack c1 | share c1 4", "attack c1 | share c1 2"), 2, [4, 2], []),
        (("attack c1 | share c1 4", "attack c1 | share c1 3"), 2, [4, 3], ["share-more"]),
        (("attack c1 | share c1 4", "attack c1"), 2, [4, 6], ["share-more"]),
        (("attack c1", "attack c1 | share c1 1"), 2, [6, 1], ["fought-split"]),
        (
            ("attack c1 | share c1 4", "attack c1 | share c1 2"),
            1,
            [4, 2],
            ["share-none", "fought-before", "share-none"],
        ),
        (("attack c1 | share c1 7",), 2, [7], ["share-more"]),
        (("attack c1 | share c2 2",), 2, [6], ["share-nobody"]),
        # Another unit gives all of its strength beside a part.
        (("attack c1 c2 | share c1 2", "attack c1 | share c1 4"), 2, [8, 4], []),
    ],
)
def test_a_unit_may_divide_its_strength(
    judged: Judge, combats: tuple[str, ...], split: int, attack: list[int], said: list[str]
) -> None:
    against = ("0505", "0404")
    answer = fought(judged, *(f"{hex_}: {acts}" for hex_, acts in zip(against, combats, strict=False)), split=split)
    assert [c.attack for c in answer.combats] == attack
    assert sorted(wrong(answer)) == sorted(said)


def test_no_more_than_so_many_combats(judged: Judge) -> None:
    three = [f"{hex_}: attack c1 | share c1 2" for hex_ in ("0505", "0404", "0505")]
    assert wrong(fought(judged, *three, split=2, again=True)) == ["fought-split"]
    assert wrong(fought(judged, *three, split=3, again=True)) == []


def test_who_lost_a_step_gives_no_more_than_is_left(judged: Judge) -> None:
    lost = {"NOT": {"attacker": {"steps": 1}}}
    first = "0505: attack c1 | share c1 2 | result NOT | lose c1"
    for points, said in ((3, []), (4, ["share-more"])):
        second = f"0404: attack c1 | share c1 {points} | result NOT | lose c1"
        assert wrong(fought(judged, first, second, results=lost, split=2)) == said


ENGAGED = """unit c1 crown footmen 6-6-4
unit c2 crown footmen 6-6-4
unit l1 league footmen 3-3-4
position
  c1 0504
  c2 0605
  l1 0505
  status c1 locked
turn 1 crown movement
{moves}turn 1 crown combat
{fight}turn 1 league movement
"""
ATTACK = "combat 0505\n  attack c1\n  roll 3 4\n  result NOT\n"


@pytest.mark.parametrize(
    ("duty", "moves", "fight", "said"),
    [
        ({"marks": "locked"}, "", ATTACK, []),
        ({"marks": "locked"}, "", "", ["must-attack-plain"]),
        ({"marks": "locked"}, "move c1: 0504 0503\n", "", ["immobile"]),
        ({"marks": "locked", "exempt": "footmen"}, "", "", []),
        ({}, "", "", []),
        ({"units": "adjacent"}, "", ATTACK, ["must-attack-plain"]),
    ],
)
def test_who_is_engaged_goes_on_fighting(
    judged: Judge, duty: dict[str, str], moves: str, fight: str, said: list[str]
) -> None:
    marks = {"marks": [{"mark": "locked", "lapses": [{"phase": "movement", "at": "start", "clear": True}]}]}
    marks["marks"][0]["section"] = "4.6"
    combat = {"duty": {"units": "none", "excuse": "none", **duty}}
    movement = {"immobile": [{"turns": [1, 6], "marks": "locked", "section": "4.6"}]}
    lines = ENGAGED.format(moves=moves, fight=fight)
    assert wrong(judged(lines, tables=TABLES, combat=combat, movement=movement, sequence=SEQUENCE, **marks)) == said


SALLOW = """sheet 1
game sallow
position
  rd-t 0505
  bu-1 0605
turn 1 red combat
"""


def test_the_odds_are_asked_for_a_part_of_a_strength() -> None:
    home = Path(__file__).parents[1] / "games" / "sallow"
    games.learn(home)
    found = replay(load(home), read_sheet(SALLOW))
    part = odds(found.ctx, found.position, "0605", ["rd-t"], shares={"rd-t": 3})
    assert (part.figures.attack, part.objections) == (3, ())
    more = odds(found.ctx, found.position, "0605", ["rd-t"], shares={"rd-t": 6})
    assert [f.code for f in more.objections] == ["attacked-twice"]
