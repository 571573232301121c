"""A place may stand for its hex where a hex may stand, and nowhere else."""

from __future__ import annotations

import pytest

from hexforge.validator.notation import statements as st
from hexforge.validator.notation import statements_head
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet

HEAD = "sheet 1\ngame hurtgen\nturn 2 american movement\n"
FIGHT = "sheet 1\ngame hurtgen\nturn 2 american combat\n"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("109-1 to Vossenack", "move us-109-1: 1007"),
        ("109-1 para Vossenack", "move us-109-1: 1007"),
        ("893-td goes from 0306 to Germeter", "move us-893-td: 0306 - 0807"),
        ("112-2 from Germeter to 0908", "move us-112-2: 0807 0908"),
        ("112-2: Germeter -> 0908", "move us-112-2: 0807 0908"),
        ("112-1 to Vossenack (1007)", "move us-112-1: 1007"),
        ("112-2 vai de Germeter (0807) para a Encruzilhada 471", "move us-112-2: 0807 - 0609"),
        ("112-2 to Crossroads 471", "move us-112-2: 0609"),
    ],
)
def test_a_way_by_places(typed: str, meant: str) -> None:
    sheet = read_sheet(f"{HEAD}{typed}\n")
    assert not sheet.problems
    assert write_sheet(sheet.statements).splitlines()[-1:] == [meant]


@pytest.mark.parametrize(
    "typed", ["attack Vossenack with 112-2", "ataco Vossenack com 112-2", "Vossenack: attack with 112-2"]
)
def test_a_combat_by_its_place(typed: str) -> None:
    sheet = read_sheet(f"{FIGHT}{typed}\n")
    assert not sheet.problems
    (combat,) = [s for s in sheet.statements if isinstance(s, st.Combat)]
    assert combat.targets == ("1007",)
    assert [act.units for act in combat.acts if isinstance(act, st.Attack)] == [("us-112-2",)]


@pytest.mark.parametrize(
    "typed",
    [
        "112-1 to Atlantis",
        "112-1 Kampfgruppe Schmidt",
    ],
)
def test_a_name_that_says_no_hex_is_named_as_not_read(typed: str) -> None:
    assert read_sheet(f"{HEAD}{typed}\n").problems


def test_a_place_of_several_hexes_is_not_guessed() -> None:
    assert read_sheet("sheet 1\ngame metz\nturn 2 american movement\n2 to Metz\n").problems


def test_names_in_the_head_and_in_reasons_stay_names() -> None:
    text = "sheet 1\ngame Hürtgen\nname 0306 Germeter\nturn 2 american movement\nmove us-109-1: 0705 0706\n"
    sheet = read_sheet(f"{text}accept because it was on the way to Vossenack\n")
    assert not sheet.problems
    assert [s.name for s in sheet.statements if isinstance(s, statements_head.GameName)] == ["hurtgen"]
    assert [s.reason for s in sheet.statements if isinstance(s, statements_head.Accept)] == [
        "it was on the way to Vossenack"
    ]
