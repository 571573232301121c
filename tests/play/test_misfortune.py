"""Misfortune at the table: a typo in the sheet, a full disk, a file of no game, other units than were drawn."""

from __future__ import annotations

from pathlib import Path

from hexforge.scenarios.local_server import PageGuard
from hexforge.scenarios.text.words import Words
from hexforge.validator.play.session import session_of_text
from hexforge.validator.play.site import Site
from hexforge.validator.play.table import Table
from hexforge.validator.report.replay_pictures import Studio
from tests.commands import here

STUDIO = Studio()
TEXT = "sheet 1\ngame hurtgen\n\nturn 2 american movement\n"


def _table(text: str = TEXT) -> Table:
    return Table(session_of_text(text), "en", STUDIO)


def test_a_line_with_a_typo_is_told_first_among_what_is_found() -> None:
    table = _table()
    state = table.act({"do": "edit", "text": TEXT + "mvoe us-112-1 zu 0907 bitte\n"}, "en")
    assert [(one["v"], one["l"]) for one in state["found"]][:1] == [("unread", 5)]


def test_a_full_disk_is_told_and_takes_nothing_from_the_table() -> None:
    site = Site(_table(), PageGuard(Words("en")), save=Path("/dev/full/no.sheet"))
    spot = site.table.recorder.spot["0907"]
    state = site._act({"do": "move", "units": ["us-112-1"], "hex": spot}, "en")
    assert "not saved" in state["unsaved"]
    assert "move us-112-1: 0806 0907" in state["text"]


def test_a_text_with_other_units_has_the_page_loaded_anew() -> None:
    table = _table()
    more = "unit x1 american infantry 4-4-5\n"
    assert table.act({"do": "edit", "text": TEXT.replace("\nturn", f"{more}\nturn")}, "en") == {"reload": True}
    assert "x1" in table.recorder.pieces
    assert table.act({"do": "undo"}, "en") == {"reload": True}


def test_what_cannot_be_played_is_said_with_its_file(tmp_path: Path) -> None:
    sheet = tmp_path / "turn.sheet"
    sheet.write_text("sheet 1\ngame nowhere\n")
    done = here("validator", "play", str(sheet), "--no-open")
    assert done.returncode == 2
    assert "turn.sheet" in done.stderr and "hurtgen" in done.stderr
    seal = tmp_path / "ana.seal"
    seal.write_text("{}")
    done = here("validator", "play", "hurtgen", "--no-open", "--seal", str(seal))
    assert done.returncode == 2 and "ana.seal" in done.stderr
