"""`validator page` and `validator watch`, and what their pages hold for the side to move."""

from __future__ import annotations

import gzip
import os
import re
import time
from base64 import b64decode
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.scenarios.console import without_folders
from hexforge.scenarios.text.words import Words
from hexforge.validator.app import batch
from hexforge.validator.app.batch import Watcher, stamped
from hexforge.validator.app.cli import main
from hexforge.validator.judging import questions
from hexforge.validator.judging.check import judge
from hexforge.validator.judging.situation import sheet_situation
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.report.replay_judged import replay
from hexforge.validator.report.replay_page import outlook

PLAYED = Path(__file__).resolve().parents[1] / "data" / "played"
MOVED = "sheet 1\ngame hurtgen\npartial\nturn 2 american movement\nmove us-112-1: 0806 0907\n"
FIGHTING = MOVED + "turn 2 american combat\n"


def test_the_outlook_is_what_the_commands_answer() -> None:
    answer = judge(read_sheet(FIGHTING, "x.sheet"))
    found = replay(answer)
    assert found is not None
    stood = sheet_situation(read_sheet(FIGHTING, "x.sheet"), None)
    look = outlook(stood, found)
    assert look.duties[0]["en"] == "us-112-1 in 0907 must attack: 1007"
    assert look.duties[0]["pt"].startswith("us-112-1 em 0907")
    (tank,) = [spots for unit, spots in look.reach.items() if unit == "us-707-tank"]
    wanted = questions.reach(stood, "us-707-tank").hexes
    assert {found.spots[spot].name for spot, _ in tank} == {h for h, (cost, _) in wanted.items() if cost}
    (attack,) = [one for one in look.odds if found.spots[one.target].name == "1007"]
    assert attack.pieces == ("us-112-1",) and attack.told["en"].startswith("us-112-1: 4:4 = 1-1")
    assert sum(chance.probability for chance in attack.chances) == pytest.approx(1, abs=1e-3)


def test_a_page_is_named_after_its_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.sheet").write_text(FIGHTING, "utf-8")
    done = CliRunner().invoke(main, ["page", "a.sheet", "--now", "--lang", "en"])
    assert (done.exit_code, done.output) == (0, "Written: a.html\n")
    logs = [str(PLAYED / name) for name in ("a.vlog", "b.vlog")]
    assert CliRunner().invoke(main, ["page", *logs, "-o", "mini.html"]).exit_code == 0
    assert all('id="app"' in Path(name).read_text("utf-8") for name in ("a.html", "mini.html"))
    shown = unpacked(Path("mini.html"))
    assert "a.vlog" in shown and str(PLAYED) not in shown, "whoever gets a page is not told where it was made"
    written = [
        CliRunner().invoke(main, ["check", str(tmp_path / "a.sheet"), *more, "-o", "c.html"]) for more in ([], logs)
    ]
    assert all(done.exit_code != 2 for done in written) and str(tmp_path) not in Path("c.html").read_text("utf-8")


def unpacked(page: Path) -> str:
    """All that a page says, also what is packed into it."""
    text = page.read_text("utf-8")
    (packed,) = re.findall(r'id="data">([^<]*)<', text)
    return text + gzip.decompress(b64decode(packed)).decode()


def test_folders_are_left_out_where_names_begin_and_nowhere_else() -> None:
    told = without_folders('["M/a.sheet", "x\\nM/b", "AM/c"] aGVsM/bG8= (/tmp/&lt;x/d) data:,M/', ("M", "/tmp/<x"))
    assert told == '["a.sheet", "x\\nb", "AM/c"] aGVsM/bG8= (d) data:,M/'


def test_a_page_is_of_one_game(tmp_path: Path) -> None:
    for name in ("a.sheet", "b.sheet"):
        (tmp_path / name).write_text(MOVED, "utf-8")
    done = CliRunner().invoke(main, ["page", str(tmp_path), "--lang", "en"])
    assert done.exit_code == 2 and "there are 2 games; a page is of one" in done.output


def test_a_page_that_could_not_be_written_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, target = tmp_path / "games" / "a.sheet", tmp_path / "pages"
    game.parent.mkdir()
    game.write_text(MOVED, "utf-8")
    target.write_text("a file where a folder should be")
    watcher = Watcher(game.parent, target, Words("en"))
    ((path, refused),) = watcher.look()
    assert path == game and isinstance(refused, OSError)
    assert not list(watcher.look()), "not at once"
    monkeypatch.setattr(batch, "monotonic", lambda: time.monotonic() + 2 * batch.AGAIN)
    assert not list(watcher.look()), "told once"
    target.unlink()
    target.mkdir()
    monkeypatch.setattr(batch, "monotonic", lambda: time.monotonic() + 4 * batch.AGAIN)
    ((path, answer),) = watcher.look()
    assert path == target / "a.html" and path.is_file() and not isinstance(answer, Exception)
    assert not list(watcher.look())


def test_only_what_was_edited_is_written_anew(tmp_path: Path) -> None:
    for name in ("a.sheet", "b.sheet"):
        (tmp_path / name).write_text(MOVED, "utf-8")
    watcher = Watcher(tmp_path, None, Words("en"))
    assert sorted(path.name for path, _ in watcher.look()) == ["a.html", "b.html"]
    assert list(watcher.look()) == []
    (tmp_path / "b.sheet").write_text(FIGHTING, "utf-8")
    assert [path.name for path, _ in watcher.look()] == ["b.html"]
    (tmp_path / "a.sheet").write_bytes(b"\0" * 40)
    ((path, error),) = watcher.look()
    assert path.name == "a.sheet" and isinstance(error, Exception), "the others are watched on"


def test_what_programs_hide_in_a_folder_is_not_watched_and_a_maildir_is(tmp_path: Path) -> None:
    for folder in (".git/objects", "box/cur", "box/new"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "a.sheet").write_text(FIGHTING, "utf-8")
    before = stamped([str(tmp_path)])
    (tmp_path / ".git/objects/pack.sheet").write_text(FIGHTING, "utf-8")
    assert stamped([str(tmp_path)]) == before
    (tmp_path / "box/new/1.host").write_text(f"From: a@example.org\n\n{FIGHTING}", "utf-8")
    assert stamped([str(tmp_path)]) != before


def test_pages_may_go_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "games" / "one").mkdir(parents=True)
    (tmp_path / "pages").mkdir()
    (tmp_path / "games" / "one" / "a.sheet").write_text(MOVED, "utf-8")
    words = ["watch", "--once", str(tmp_path / "games"), "-o", str(tmp_path / "pages"), "--lang", "en"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0 and done.output.endswith(f"one-a.html: legal{os.linesep}"), done.output
    assert [path.name for path in (tmp_path / "pages").iterdir()] == ["one-a.html"]
