"""Sheets written as they were understood: nothing is lost, nothing changes twice."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as s

from hexforge.validator.app.cli import main
from hexforge.validator.judging.canonical import understood
from hexforge.validator.judging.situation import format_sheet
from hexforge.validator.reading.infer_game import vocabulary_for
from hexforge.validator.reading.sheet import read_sheet
from tests.cases.test_mutated_sheets import mangled
from tests.examples import examples

ROOT = Path(__file__).parents[2]
TYPED = """\
planilha 1
jogo hurtgen
Caro Bruno, segue o meu turno
> turno 2 - americano - movimento
- mova 112-1 de 0806 para 0907.     # um hex

movem us-112-2, us-112-3: 0807 → \\
   0908
turno 2 americano combate
combate: 1007
atacam us-112-1, us-112-2 e us-112-3   # "todos"
dados: 5+3
recua ge-983 para 1107
"""
WRITTEN = """\
planilha 1
jogo hurtgen
Caro Bruno, segue o meu turno
turno 2 americano movimento
mover us-112-1: 0806 0907           # um hex

mover us-112-2 us-112-3: 0807 0908
turno 2 americano combate
combate 1007
  atacar us-112-1 us-112-2 us-112-3    # "todos"
  dados 5 3
recua ge-983 para 1107
"""


def statements_in_english(text: str) -> str:
    """What a sheet says, in English, without what is no statement."""
    return "\n".join(line for line in format_sheet(text, language="en").text.splitlines() if line.strip())


def test_what_is_typed_is_written_as_it_was_understood() -> None:
    found = format_sheet(TYPED)
    assert found.text == WRITTEN
    assert [problem.line for problem in found.unread] == [3, 13]


def test_the_language_may_be_chosen() -> None:
    english = format_sheet(TYPED, language="en").text
    assert "move us-112-2 us-112-3: 0807 0908" in english
    assert format_sheet(english, language="pt").text == WRITTEN


@pytest.mark.parametrize(
    "path", sorted((ROOT / "scenarios").glob("hurtgen/examples/*.sheet")), ids=lambda p: p.name
)
def test_examples_say_the_same_in_either_language(path: Path) -> None:
    text = path.read_text("utf-8")
    there = format_sheet(text, str(path), "pt")
    assert format_sheet(there.text, str(path), "pt") == there
    back = format_sheet(there.text, str(path), "en").text
    assert back == format_sheet(text, str(path), "en").text
    assert len(read_sheet(back, str(path)).problems) == len(there.unread)


@examples(20, deadline=None)
@given(s.randoms(use_true_random=False))
def test_what_is_written_is_written_as_it_stands(rng: random.Random) -> None:
    typed = mangled(rng)
    once = format_sheet(typed)
    assert format_sheet(once.text).text == once.text
    assert len(read_sheet(once.text).problems) == len(once.unread)


def test_what_waives_lines_names_them_as_they_are_numbered_now() -> None:
    head = "sheet 1\ngame hurtgen\nturn 2 american movement\nmove us-112-1: 0806 \\\n 0907\n"
    text = head + "move us-112-2: 0806 0907\naccept 4 6 because agreed\naceitar linha 5 porque sim  # both\n"
    found = format_sheet(text, language="en").text
    assert found.splitlines()[3:] == [
        "move us-112-1: 0806 0907",
        "move us-112-2: 0806 0907",
        "accept 4 5 because agreed",
        "accept 4 because sim        # both",
    ]
    assert format_sheet(found, language="en").text == found


def test_what_was_understood_otherwise_than_typed() -> None:
    sheet = read_sheet(TYPED)
    assert understood(sheet, vocabulary_for(TYPED)) == {
        4: "turno 2 americano movimento",
        5: "mover us-112-1: 0806 0907",
        7: "mover us-112-2 us-112-3: 0807 0908",
        10: "combate 1007",
        11: "atacar us-112-1 us-112-2 us-112-3",
        12: "dados 5 3",
    }
    assert understood(read_sheet(WRITTEN), vocabulary_for(WRITTEN)) == {}


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["format", *words])
    return done.exit_code, done.output


def test_the_command(tmp_path: Path) -> None:
    sheet, clean = tmp_path / "turno.sheet", tmp_path / "clean.sheet"
    sheet.write_text(TYPED, "utf-8")
    status, told = run(str(sheet), "-o", str(clean))
    assert (status, clean.read_text("utf-8")) == (3, WRITTEN)
    assert f"{sheet}:3: " in told and "ge-983-1, ge-983-2" in told
    assert run("--check", str(sheet))[0] == 1
    assert run("--in-place", str(sheet))[0] == 3
    assert sheet.read_text("utf-8") == WRITTEN
    assert run("--check", str(sheet), str(clean))[0] == 3
    assert run(str(tmp_path / "none.sheet"))[0] == 2
    assert run(str(sheet), str(clean))[0] == 2
    assert run("-i", "--check", str(sheet))[0] == 2


def test_a_text_is_written_as_the_game_that_it_tells(tmp_path: Path) -> None:
    text, clean = tmp_path / "turno.txt", tmp_path / "limpo.sheet"
    text.write_text(
        "Oi Bruno,\n\nplanilha 1\njogo hurtgen\n2º turno americano, movimento\nmova 112-1 de 0806 para 0907\n\n"
        "Abraço,\nAna\n",
        encoding="utf-8",
    )
    assert run(str(text), "-o", str(clean)) == (0, "")
    assert clean.read_text(encoding="utf-8").splitlines() == [
        "# Oi Bruno,",
        "",
        "planilha 1",
        "jogo hurtgen",
        "turno 2 americano movimento",
        "mover us-112-1: 0806 0907",
        "",
        "# Abraço,",
        "# Ana",
    ]
    assert run("--check", str(clean)) == (0, "")
    text.write_text("Oi Bruno, tudo bem?\n", encoding="utf-8")
    assert run(str(text))[0] == 2


def test_a_text_that_names_its_game_in_passing_is_written_in_one_language(tmp_path: Path) -> None:
    text = tmp_path / "turno.txt"
    text.write_text("Hurtgen\nTurno 2 / EUA / movimento\n112-1 de 0806 para 0907\n", encoding="utf-8")
    code, written = run(str(text))
    assert code == 0
    assert written.splitlines()[2:] == ["turno 2 americano movimento", "mover us-112-1: 0806 0907"]


def test_a_line_that_says_two_things_is_written_as_two() -> None:
    text = (
        "sheet 1\ngame hurtgen\nturn 2 american combat\ncombate 0905: us-109-1 e us-109-2  # x\n"
        "dados 5+4 -> DVB ARI\naccept 5 because agreed\n"
    )
    found = format_sheet(text, language="en").text
    assert found.splitlines()[3:] == [
        "combat 0905",
        "  attack us-109-1 us-109-2  # x",
        "  roll 5 4",
        "  result DVB ARI",
        "accept 6 7 because agreed",
    ]
    assert format_sheet(found, language="en").text == found
    for odd in (
        "combat 0905: us-109-1 talk",
        "combat 0905: talk",
        "roll 5 4 -> 3",
        "combat: 0905 7",
    ):
        sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 american combat\ncombat 0905\n{odd}\n")
        assert [problem.line for problem in sheet.problems] == [5], odd


def test_lines_are_told_by_their_number_in_the_text_that_does_not_say_which_game_it_is(tmp_path: Path) -> None:
    text = tmp_path / "turno.txt"
    text.write_text(
        "Hurtgen, turn 2, US movement phase\n1/112 attacks toward Vossenack: 0806 to 0907\nxyz 0807 flu 0908\n",
        encoding="utf-8",
    )
    status, told = run(str(text))
    assert status == 3
    assert f"{text}:3: " in told and f"{text}:4: " not in told
