"""Units that come by dice, turn by turn, in a game that has weather by dice as well."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from hexforge.modulegen.assemble.combat.tasks import DUE, markers
from hexforge.modulegen.plan import plan
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.schema.setup import ArrivalDie
from hexforge.validator.judging.replay import Judgement, replay
from hexforge.validator.notation.vocabulary import vocabulary_of, write_sheet
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.rules.position_export import standing
from tests.referee.played import scenario

HEAD = "sheet 1\ngame corrick\npartial\n"
RED = "turn {turn} red movement\nweather 1\nturn {turn} red combat\nturn {turn} red movement\n"
PLACED = "  r-1 0404\n  r-dep 0404\n"


@cache
def corrick() -> Scenario:
    """Corrick, whose three Blues behind 1205 come by a die: on 4 and 5 one, on 6 two of them."""
    game = scenario("tests/games/corrick")
    blues, *others = game.setup.reinforcements
    die = ArrivalDie(dice="1d6", shows={"1-3": 0, "4-5": 1, "6": 2})
    blues = replace(blues, die=die, until=4)
    return replace(game, setup=replace(game.setup, reinforcements=(blues, *others)))


def judged(lines: str, begins: str = "position after turn 1 blue combat\n", turn: int = 2) -> Judgement:
    played = RED.format(turn=turn) + lines
    return replay(corrick(), read_sheet(HEAD + begins + PLACED + played))


def illegal(found: Judgement) -> list[str]:
    return [
        f.message.key.removeprefix("findings.") for f in found.findings if f.severity in ("illegal", "doubtful")
    ]


BLUE = "turn 2 blue movement\n"


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("arrivals b-5 roll 4\nenter b-4: 1205\n", []),
        ("arrivals b-5 roll 6\nenter b-4 b-5: 1205\n", []),
        ("arrivals b-5 roll 2\n", []),
        ("arrivals b-5 roll 2\nenter b-4: 1205\n", ["arrivals-many"]),
        ("arrivals b-5 roll 5\nenter b-4: 1205\nenter b-6: 1205\n", ["arrivals-many"]),
        ("arrivals b-5 roll 5\nenter b-4 b-6: 1205\n", ["arrivals-many"]),
        ("enter b-4: 1205\n", ["arrivals-unthrown"]),
        ("arrivals b-5 roll 2\narrivals b-4 roll 6\n", ["arrivals-twice"]),
        ("arrivals b-5 roll 2 3\n", ["arrivals-dice"]),
        ("arrivals b-1 roll 2\n", ["arrivals-none"]),
    ],
)
def test_so_many_come_as_the_dice_of_the_turn_say(lines: str, found: list[str]) -> None:
    assert illegal(judged(BLUE + lines)) == found


def test_nobody_throws_before_or_after_the_turns_of_the_line_or_in_the_enemys_phase() -> None:
    assert illegal(judged("turn 1 blue movement\narrivals b-4 roll 6\n", "position\n", 1)) == ["arrivals-when"]
    assert illegal(judged("arrivals b-4 roll 6\n")) == ["arrivals-when"]
    after = "position after turn 4 blue combat\n"
    assert "arrivals-when" in illegal(judged("turn 5 blue movement\narrivals b-4 roll 6\n", after, 5))


def test_who_did_not_come_waits_for_another_throw() -> None:
    before = BLUE + "arrivals b-4 roll 6\nenter b-4: 1205\nturn 2 blue movement\nturn 2 blue combat\n"
    late = judged(f"{before}{RED.format(turn=3)}turn 3 blue movement\nenter b-5: 1205\n")
    assert illegal(late) == ["arrivals-unthrown"]


def test_a_sheet_that_begins_in_mid_turn_is_told_of_throws_or_in_doubt() -> None:
    begins = HEAD + "position after turn 2 red movement 3\n  forecast dry\n" + PLACED
    lines = "turn 2 blue movement\nenter b-4: 1205\n"
    told = begins.replace("  forecast", "  used arrivals {} by 1\n  forecast")
    verdicts = {
        text: {
            f.severity for f in replay(corrick(), read_sheet(text + lines)).findings if "arrivals" in f.message.key
        }
        for text in (begins, told.format(1), told.format(0))
    }
    assert list(verdicts.values()) == [{"doubtful"}, set(), {"illegal"}]


@pytest.mark.parametrize("roll", [2, 4])
def test_a_position_says_what_dice_let_come(roll: int) -> None:
    found = judged(f"{BLUE}arrivals b-5 roll {roll}\n")
    written = write_sheet(standing(found.ctx, found.position), "en", vocabulary_of(corrick()))
    assert f"used arrivals {roll // 4} by 1" in written


def test_the_module_brings_nobody_on_before_his_dice() -> None:
    made = plan(corrick(), "en")
    assert [markers(made, made.units[u])[DUE] for u in ("b-4", "r-3")] == ["", 2]


@pytest.mark.parametrize("shows", [{"1-5": 1}, {"1-6": 1, "6": 2}, {"1-7": 1}])
def test_dice_whose_numbers_do_not_all_say_something_are_refused(shows: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="does not go with 1d6"):
        ArrivalDie(dice="1d6", shows=shows)
