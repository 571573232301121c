"""A mail that does not say which game it is of: what lies around it, or what it names, may tell."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hexforge.scenarios.text.words import Words
from hexforge.validator.judging.check import judge
from hexforge.validator.judging.worlds.unread import syntax_finding
from hexforge.validator.notation import cursor, statements_head
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails, threads
from tests import starters

SHARED = "T6 US movement\n109-1 0705 0805\n109-2 0705 0805\n"
"""Units and hexes that two of the games have."""
ALONE = SHARED + "146-eng 0306 0307\n"


def sheet_of_mail(text: str, path: Path | str = "turn.eml", subject: str = "my turn") -> st.Sheet:
    data = f"From: Ana <ana@example.org>\nSubject: {subject}\n\n{text}".encode()
    if isinstance(path, Path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (thread,) = threads(read_mails(data, str(path)))[0]
    (game,) = games_of(thread)
    return game.sheet()


def named(sheet: st.Sheet) -> str:
    return next((s.name for s in sheet.statements if isinstance(s, statements_head.GameName)), "")


def test_units_and_hexes_that_one_game_alone_has_tell_it() -> None:
    sheet = sheet_of_mail(ALONE)
    assert named(sheet) == "hurtgen"
    assert [f.message.key for f in judge(sheet).findings][:1] == ["findings.game-by-units"]
    assert sum(isinstance(s, st.Move) for s in sheet.statements) == 3


def test_units_of_several_games_tell_none() -> None:
    sheet = sheet_of_mail(SHARED)
    assert not sheet.statements
    assert [f.message.key for f in judge(sheet).findings] == ["findings.not-read-outside"]


def test_the_game_that_knows_most_is_named_where_none_knows_all() -> None:
    sheet = sheet_of_mail(ALONE + "501-2 1610 1611\n984-1 0905 0805\n")
    assert [(f.message.key, dict(f.message.params)["game"]) for f in judge(sheet).findings] == [
        ("findings.not-read-likely", "hurtgen")
    ]


def test_sheets_beside_it_tell_nothing_of_hexes_that_their_map_has_not(tmp_path: Path) -> None:
    path = tmp_path / "t" / "ana.eml"
    path.parent.mkdir()
    (path.parent / "before.sheet").write_text("sheet 1\ngame hurtgen\n", "utf-8")
    sheet = sheet_of_mail("T1 US movement\n101: 0520 0621\n104: 0522 0622\n", path)
    assert not sheet.statements
    assert {f.severity for f in judge(sheet).findings} == {"unread"}


@pytest.mark.parametrize(
    ("name", "beside", "by"),
    [
        ("hurtgen/ana.eml", "", "folder"),
        ("t/ana.eml", "tournament.yaml", "tournament"),
        ("t/ana.eml", "before.sheet", "sheets"),
    ],
)
def test_what_lies_around_it_tells_its_game(tmp_path: Path, name: str, beside: str, by: str) -> None:
    path = tmp_path / name
    path.parent.mkdir()
    texts = {
        "tournament.yaml": "tournament: Winter\ngames:\n- {name: T1, files: [t], game: hurtgen}\n",
        "before.sheet": "sheet 1\ngame hurtgen\n",
    }
    if beside:
        (path.parent / beside).write_text(texts[beside].replace("[t]", "[ana.eml]"), "utf-8")
    sheet = sheet_of_mail(SHARED, path)
    assert named(sheet) == "hurtgen"
    assert sheet.intake.surmised is not None
    assert sheet.intake.surmised[1:] == ("hurtgen", by)


def test_a_subject_says_the_turn_of_a_phase_that_opens_without_one() -> None:
    sheet = sheet_of_mail("MOVEMENT\n109-1 0705 0805\nCOMBAT\n", subject="Re: Hurtgen T6 US")
    turns = [s for s in sheet.statements if isinstance(s, st.TurnStart)]
    assert [(t.number, t.side, t.phase) for t in turns] == [(6, "american", "movement"), (6, "american", "combat")]


def test_a_misspelt_phase_opens_a_game_all_the_same() -> None:
    sheet = sheet_of_mail("turn 4 german movment\nge-15 1111 1010\n", subject="Metz")
    assert named(sheet) == "metz"
    assert [sheet.intake.places.get(p.line, ("", p.line))[1] for p in sheet.problems] == [1]
    assert any(isinstance(s, st.Move) for s in sheet.statements)


def own_game(folder: Path) -> Path:
    """A game of one's own, under a name of two words, that no command was told of."""
    starters.write(folder / "my-game")
    return folder / "my-game"


@pytest.mark.parametrize(
    ("text", "subject", "name", "by"),
    [
        ("so, game my-game, nice one\n\n", "my turn", "mails/ana.eml", ""),
        ("", "My Game, turn 1", "mails/ana.eml", ""),
        ("", "my turn", "my-game 1.eml", ""),
        ("", "my turn", "mails/ana.eml", "folder"),
    ],
)
def test_a_mail_in_the_folder_of_its_game_is_of_that_game(
    tmp_path: Path, text: str, subject: str, name: str, by: str
) -> None:
    path = own_game(tmp_path / "anybodys") / name
    sheet = sheet_of_mail(f"{text}turn 1 south movement\nso-7-1: 1208 1207\n", path, subject)
    assert named(sheet) == "my-game"
    assert (sheet.intake.surmised[2] if sheet.intake.surmised else "") == by
    assert "unknown-game" not in {f.code for f in judge(sheet).findings}


def test_beyond_its_folder_a_game_of_ones_own_is_told_by_the_option(tmp_path: Path) -> None:
    own_game(tmp_path)
    sheet = sheet_of_mail(
        "my-game\n\nturn 1 south movement\nmove so-7-1: 1208 1207\n", tmp_path / "mails" / "ana.eml"
    )
    assert not sheet.statements
    (finding,) = judge(sheet).findings
    assert "`--game FOLDER`" in Words("en").say(finding.message)
    assert "`--game PASTA`" in Words("pt").say(finding.message)


def test_a_line_that_was_read_in_parts_is_counted_once() -> None:
    """What rests on a line that cannot be read is one line, however many statements stand in it."""
    problem = cursor.SyntaxProblem(4, 1, "No.", (), below=(5, 5, 5, 7))
    found = Words("en").say(syntax_finding(problem).message)
    assert "lines 5, 7 rest on this one" in found
    one = Words("en").say(syntax_finding(replace(problem, below=(5, 5, 5))).message)
    assert "line 5 rests on this one" in one
