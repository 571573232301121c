"""A turn typed as people type is judged as the same turn in the canonical form."""

from __future__ import annotations

from typing import Any

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet

CANONICAL = """\
sheet 1
game hurtgen
turn 2 american movement
move us-112-1: 0806 0907
move us-112-2 us-112-3: 0807 0908
move us-707-tank: 0807 0907
turn 2 american combat
bombard 0709 by offboard 20
  declare value 40 column 11-20
  roll 3 6
  result DI
combat 1007
  attack us-112-1 us-112-2 us-112-3 us-707-tank
  support offboard 30
  declare 48:4 odds 9-1 column 7-1
  roll 5 3
  result DRB AVI
  lose ge-983-1
  retreat ge-983-1 ge-983-2: 1007 1107
  advance us-112-2 us-112-3 us-707-tank: 1007
turn 2 german movement
enter ge-1055-1: 0812 0912 from south by road
move ge-983-1 ge-983-2: 1107 1206
turn 2 german combat
score american 20 german 80
"""
HEAD = "sheet 1\ngame hurtgen\npartial\nturn 2 american movement\n"


def test_units_that_stand_apart_go_to_one_hex_each_from_its_own() -> None:
    found = judge(read_sheet(HEAD + "move us-112-1 us-112-2: 0907\n"))
    assert [(m.units, m.path) for m in found.moves] == [
        (("us-112-1",), ("0806", "0907")),
        (("us-112-2",), ("0807", "0907")),
    ]
    assert found.verdict == "legal"


def test_where_only_the_end_of_a_way_is_written_only_what_is_wrong_is_told() -> None:
    found = judge(read_sheet(HEAD + "move us-12-1: 0101\n"))
    told = [(f.line, f.message.key, f.severity) for f in found.findings]
    assert told == [(5, "findings.off-map", "illegal")]


@pytest.mark.parametrize(
    ("line", "ways"),
    [
        ("10 -> 0409 via 0309", [("0310", "0309", "0409")]),
        ("10 to 0409 via 0310 0309", [("0310", "0309", "0409")]),
        ("10 vai para 0409 passando por 0309", [("0310", "0309", "0409")]),
    ],
)
def test_a_way_that_is_told_by_where_it_leads_through_begins_where_units_stand(
    line: str, ways: list[tuple[str, ...]]
) -> None:
    found = judge(read_sheet(f"sheet 1\ngame metz\npartial\nturn 1 american movement\nair die 4\n{line}\n"))
    assert found.verdict == "legal" and [move.path for move in found.moves] == ways


TYPED = """\
planilha 1
jogo: hurtgen
Turno 2 - americano - movimento
1) Mova 112-1 de 0806 para 0907.
2) movem us-112-2 e us-112-3: 0807 → 0908
mover 707 0907
Turno 2: fase de combate americana
Bombardeiam o hex 0709 por fora do mapa 20
  declara valor 40, 11-20
  dados: 3+6
  resultado: DI
combate: 1007
  atacam us-112-1, us-112-2, us-112-3 e us-707-tank
  apoio fora do mapa: 30
  declarar 48:4 9-1 7-1
  dados 5 e 3
  resultado DRB/AVI
  baixa: 983-1
  recuam ge-983-1 e ge-983-2 para 1107
  avançam us-112-2, us-112-3 e us-707-tank → 1007
turno 2 alemães movimento
entra 1055-1 0812 0912 do sul por estrada
movem ge-983-1 + ge-983-2 1107 > 1206
turno 2 alemão combate
pontos: americano 20 e alemão 80
"""


def judged(text: str) -> dict[str, Any]:
    answer = judge(read_sheet(text)).as_json()
    return {key: answer[key] for key in ("verdict", "findings", "combats", "moves", "position", "score")}


def test_a_turn_as_typed_is_judged_as_its_canonical_form() -> None:
    assert judged(CANONICAL)["verdict"] == "legal"
    assert judged(TYPED) == judged(CANONICAL)


def test_what_is_illegal_is_so_however_it_is_typed() -> None:
    faulty = [("1107 > 1206", "1107 > 1006"), ("para 0907.", "para 0706."), ("DRB/AVI", "DRI/AVI"), ("3+6", "1+1")]
    for typed, wrong in faulty:
        assert judged(TYPED.replace(typed, wrong))["verdict"] == "illegal", wrong


def test_a_way_with_its_end_alone_is_what_it_costs_from_where_the_unit_stands() -> None:
    answer = judge(read_sheet(TYPED.replace("mover 707 0907", "mover 707 para 0908"))).as_json()
    move = next(m for m in answer["moves"] if m["units"] == ["us-707-tank"])
    assert move["path"] == ["0807", "0908"]
    far = judge(
        read_sheet("sheet 1\ngame hurtgen\npartial\nturn 2 american movement\nmove us-893-td: 0707\n")
    ).as_json()
    assert far["verdict"] == "legal"
    assert (far["moves"][0]["path"][0], far["moves"][0]["path"][-1]) == ("0306", "0707")
