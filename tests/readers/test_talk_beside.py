"""Talk on the line of a statement is left out where it takes nothing back; else the line is named whole."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet

HEAD = "sheet 1\ngame hurtgen\nturn 2 american movement\n"


@pytest.mark.parametrize(
    "said",
    [
        "acho que sim",
        "ou melhor assim",
        "the gunners too",
        "Kampfgruppe Schmidt",
        "que nem o 112",
        "maybe next time",
        "if weather permits",
        "if only gunners",
        "brincadeira minha hein",
        "mas tanques primeiro",
        "gunners",
        "quem atacou perdeu",
        "foi-se de vez",
    ],
)
def test_what_may_take_it_back_or_say_more_is_named(said: str) -> None:
    sheet = read_sheet(f"{HEAD}o 109 todo desce pra 0805, {said}\n")
    assert sheet.problems


@pytest.mark.parametrize("die", ["Tirei 1 no dado a\u00e9reo", "air support die was a one, phew"])
def test_what_an_unread_line_may_say_is_not_missed(die: str) -> None:
    head, tail = "sheet 1\ngame metz\nturn 2 american movement\n", "turn 2 american combat\n"
    for said, severities in ((f"{die}\n", ["doubtful"]), ("", ["illegal"])):
        found = judge(read_sheet(f"{head}{said}{tail}")).findings
        assert [f.severity for f in found if f.code == "air-points"] == severities
