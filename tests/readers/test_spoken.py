"""What people say around a statement is left out, and no more than that."""

from __future__ import annotations

import re
from typing import Final

import pytest

from hexforge.validator.notation import games
from hexforge.validator.notation.vocabulary import write_statement
from hexforge.validator.reading.sheet import read_sheet

SAID: Final = {
    "1/112 moves 0806 to 0907": "move us-112-1: 0806 0907",
    "II/983 e I/983 vão de 1007 para 1107": "move ge-983-2 ge-983-1: 1007 1107",
    "the 707th tanks go to 0907": "move us-707-tank: 0907",
    "Then us-112-2 and us-112-3 go to 0908 via 0807.": "move us-112-2 us-112-3: - 0807 0908",
    "mover us-112-1 de 0806 para 0908 via 0907": "move us-112-1: 0806 0907 0908",
    "mover us-112-2/us-112-3 p/ 0908": "move us-112-2 us-112-3: 0908",
    "move us-112-1 - 0806, 0907": "move us-112-1: 0806 0907",
    "mover us-112-1: 0806 0907 (custo: 2)": "move us-112-1: 0806 0907",
    "movimento do us-112-1: 0806 0907": "move us-112-1: 0806 0907",
}
ACTS: Final = {
    "We attack 1007 with us-112-1 and us-112-2.": "attack us-112-1 us-112-2",
    "Supported by 30 points of off-board artillery": "support offboard 30",
    "apoio de us-28-art-1": "support us-28-art-1",
    "declarar 15x3 proporção 5-1 coluna 4-1": "declare 15:3 odds 5-1 column 4-1",
    "declare 17:4 - odds 4-1 - column 3-1": "declare 17:4 odds 4-1 column 3-1",
    "declara odds 4-1 - coluna 3-1": "declare odds 4-1 column 3-1",
    "68 contra 4, dá 9-1": "declare 68:4 odds 9-1",
    "I rolled a 5 and a 3.": "roll 5 3",
    "roll ⚂ ⚃": "roll 3 4",
    "2d6 = 6, 6": "roll 6 6",
    "DRB / AVI": "result DRB AVI",
    "RESULTADO – DRB AVB": "result DRB AVB",
    "The defender loses a step from ge-983-1": "lose ge-983-1",
    "e recua o ge-983-1 p/ 1107": "retreat ge-983-1: 1107",
}


def read(line: str, phase: str) -> str:
    combat = "combat 1007\n" if phase == "combat" else ""
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 american {phase}\n{combat}{line}\n")
    assert not sheet.problems
    last = sheet.statements[-1]
    return write_statement(getattr(last, "acts", (last,))[-1], words=games.vocabulary("hurtgen"))


@pytest.mark.parametrize(("typed", "meant"), SAID.items())
def test_moves_as_people_tell_them(typed: str, meant: str) -> None:
    assert read(typed, "movement") == meant


@pytest.mark.parametrize(("typed", "meant"), ACTS.items())
def test_combats_as_people_tell_them(typed: str, meant: str) -> None:
    assert read(typed, "combat") == meant


@pytest.mark.parametrize("game", ["hurtgen", "bastogne", "metz"])
def test_a_battalion_by_its_name_is_that_counter_or_none(game: str) -> None:
    scenario = games.scenario(game)
    assert scenario is not None
    found = 0
    for unit, counter in scenario.counters.items():
        name = re.match(r"([1-6]|I{1,3}|IV|VI?)/([0-9]{2,4})", counter.names["en"])
        if name is None:
            continue
        sheet = read_sheet(f"sheet 1\ngame {game}\nturn 2 {counter.side} movement\nmove {name[0]}: 0101 0102\n")
        units = [u for s in sheet.statements for u in getattr(s, "units", ())]
        assert units in ([unit], []), name[0]
        found += units == [unit]
    assert found > 10 or game == "metz"
