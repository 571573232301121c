"""`validator audit`: a heap of files becomes a site; nothing is judged twice, gets lost, or gets out."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from base64 import b64decode
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner

from hexforge.validator.app import audit_run, audit_runner
from hexforge.validator.app.audit_record import dossiers
from hexforge.validator.app.audit_run import Audited, AuditPlan, audit
from hexforge.validator.app.cli import main
from hexforge.validator.reading import tournament
from tests.transcribe.modules import PLAYED, PLAYED_HURTGEN

EXAMPLES = Path(__file__).parents[2] / "scenarios" / "hurtgen" / "examples"
WELL, WRONG = EXAMPLES / "turn2-well.sheet", EXAMPLES / "turn2-mistakes.sheet"
SHEET = """sheet 1
game hurtgen
partial
players american=Ana german=Bruno
turn 2 american movement
move us-109-1: 0705 {to}
"""
RULINGS = """tournament: Copa de Inverno
director: Carla
points: {win: 3, draw: 1, loss: 0}
games:
  - {name: mesa 5, files: r2/well.sheet, round: final, winner: german}
"""


@pytest.fixture(scope="module", autouse=True)
def _no_rulings() -> Iterator[None]:
    tournament.use(None)
    yield
    tournament.use(None)


@pytest.fixture
def heap(tmp_path: Path) -> Path:
    """Logs of two games in one folder, sheets of a round, a mail, what is no game, what cannot be read."""
    home = tmp_path / "heap"
    for name in ("r1", "r2"):
        (home / name).mkdir(parents=True)
    for log in (
        PLAYED_HURTGEN / "ana-2.vlog",
        PLAYED_HURTGEN / "bruno-2.vlog",
        PLAYED / "a.vlog",
        PLAYED / "b.vlog",
    ):
        shutil.copy(log, home / "r1" / log.name)
    shutil.copy(WELL, home / "r2" / "well.sheet")
    shutil.copy(WRONG, home / "r2" / "wrong.sheet")
    (home / "r2" / "bad.sheet").write_bytes(b"\x00")
    (home / "notes.doc").write_text("nothing")
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "Davi <davi@example.org>", "turno"
    mail.set_content(SHEET.format(to="0805"))
    (home / "turno.eml").write_bytes(bytes(mail))
    (home / "tournament.yaml").write_text(RULINGS, "utf-8")
    return home


def run(heap: Path, site: Path, **more: Any) -> Audited:
    """An audit in this process, without what takes longest: pages to play games through."""
    return audit(AuditPlan([str(heap)], site, **{"jobs": 1, "replays": False, **more}))


def games(site: Path) -> dict[str, dict[str, Any]]:
    found = json.loads((site / "results.json").read_text("utf-8"))
    return {game["name"]: game for game in found}


def files(site: Path) -> dict[str, bytes]:
    return {str(p.relative_to(site)): p.read_bytes() for p in site.rglob("*") if p.is_file()}


def test_a_heap_becomes_a_site(heap: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    words = ["audit", str(heap), "-o", str(site), "--jobs", "1", "--no-replays", "--lang", "en"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2, done.output
    assert "6 games" in done.stdout and "unreadable: 1" in done.stdout
    found = games(site)
    assert set(found) == {
        "r1 (ana-2.vlog)", "r1 (a.vlog)", "mesa 5", "r2/wrong.sheet", "r2/bad.sheet", "turno.eml",
    }  # fmt: skip
    assert found["r1 (ana-2.vlog)"]["game"] == "hurtgen" and found["r1 (a.vlog)"]["game"] == "Mini"
    assert found["r1 (ana-2.vlog)"]["chain"]["sound"] and found["mesa 5"]["round"] == "final"
    assert found["r1 (ana-2.vlog)"]["players"] == {"american": "Ana", "german": "Bruno"}
    assert found["turno.eml"]["mails"][0]["sender"].startswith("Davi")
    assert "error" in found["r2/bad.sheet"]
    wrong = [f["player"] for f in found["r1 (ana-2.vlog)"]["findings"] if f["severity"] == "illegal"]
    assert set(wrong) == {"Ana", "Bruno"}
    index = (site / "en" / "index.html").read_text("utf-8")
    assert "not judged by rules: 1" in done.stdout and '<span class="badge info">not judged by rules' in index
    assert "<h2>final <" in index and ">Hürtgen<" in index
    index = (site / "pt" / "index.html").read_text("utf-8")
    assert "Copa de Inverno" in index and "não pode ser lida" in index and str(heap) not in index
    standings = (site / "en" / "standings.html").read_text("utf-8")
    assert re.search(r">1</td><td class=\"name\">Bruno</td><td class=\"num\"><b>3</b>", standings)
    assert "must-stop" in (site / "en" / "findings.html").read_text("utf-8")
    dice = (site / "pt" / "dice.html").read_text("utf-8")
    assert "2d6" in dice and ">combate</td>" in dice


def test_what_can_be_taken_away_says_the_same(heap: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    run(heap, site)
    found = games(site)
    wrong = sum(len(game.get("findings", ())) for game in found.values())
    with (site / "en" / "findings.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == wrong
    when = {(r["turn"], r["phase"], r["side"], r["player"]) for r in rows if r["name"] == "r2/wrong.sheet"}
    assert ("2", "Movement", "American", "Ana") in when and all(turn == "2" for turn, *_ in when)
    book = openpyxl.load_workbook(site / "en" / "results.xlsx", read_only=True)
    assert book.sheetnames == ["games", "findings", "dice", "chain", "Standings"]
    assert sum(1 for _ in book["findings"].iter_rows(min_row=2)) == wrong
    assert sum(1 for _ in book["games"].iter_rows(min_row=2)) == len(found)
    with (site / "pt" / "games.csv").open(encoding="utf-8-sig", newline="") as file:
        assert {row["sequência"] for row in csv.DictReader(file)} == {"", "inteira"}


def test_a_folder_is_audited_from_within_it_and_named_files_hide_theirs(
    heap: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(heap / "r2")
    run(Path(), tmp_path / "inside")
    pages = list((tmp_path / "inside" / "en" / "games").glob("*.html"))
    assert len(pages) == 2 and all('href="../index.html"' in page.read_text("utf-8") for page in pages)
    run(heap / "turno.eml", tmp_path / "named")
    shown = {name: data for name, data in files(tmp_path / "named").items() if ".audit" not in name}
    assert [name for name, data in shown.items() if str(heap).encode() in data] == [] and len(shown) > 10


def test_links_lead_somewhere_and_nothing_comes_from_a_network(heap: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    run(heap, site)
    pages = [page for page in site.rglob("*.html") if "replays" not in page.parts]
    assert len(pages) == 1 + 2 * (5 + 5)
    for page in pages:
        text = page.read_text("utf-8")
        assert "default-src 'none'" in text and "<script" not in text and "http://" not in text
        for target in re.findall(r'(?:href|src)="([^"]*)"', text):
            assert (page.parent / target).resolve().is_file(), f"{page}: {target}"


def test_pages_share_pictures_and_none_is_left_that_nobody_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, site = many(tmp_path / "M", 2), tmp_path / "site"
    monkeypatch.chdir(tmp_path)
    # What is packed into a page may hold the name of a folder that is so short.
    run(Path("M"), site, replays=True)
    pages = {page: page.read_text("utf-8") for page in (site / "replays").glob("*.html")}
    kept = {p.name for p in (site / "replays").iterdir() if p.suffix in (".png", ".webp")}
    assert len(pages) == 2 and len(kept) >= 2
    for text in pages.values():
        assert set(re.findall(r"[0-9a-f]{16}\.(?:webp|png)", text)) == kept
        assert "img-src data: 'self' file:;" in text and "data:image" not in text and len(text) < 250_000
        (packed,) = re.findall(r'id="data">([^<]*)<', text)
        data = gzip.decompress(b64decode(packed)).decode()
        assert ".sheet" in data and str(home) not in data + text
    for sheet in home.iterdir():
        sheet.unlink()
    (home / "bad.sheet").write_bytes(b"\x00")
    run(home, site, replays=True)
    assert list((site / "replays").iterdir()) == []


# ------------------------------------------------------------------------------------------- incremental


def test_nothing_is_judged_twice(heap: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    assert run(heap, site).judged == 6
    before = files(site)
    again = run(heap, site)
    # What could not be read may be readable now, and is tried once more.
    assert (again.judged, again.known) == (1, 5)
    assert files(site) == before
    monkeypatch.chdir(heap.parent)
    assert run(Path(heap.name), site).known == 5, "however the folder's path is typed"
    assert files(site) == before
    text = (heap / "r2" / "wrong.sheet").read_text("utf-8")
    (heap / "r2" / "wrong.sheet").write_text(text + "# one more\n", "utf-8")
    assert run(heap, site).judged == 2
    (heap / "tournament.yaml").write_text(RULINGS.replace("Carla", "Davi"), "utf-8")
    assert run(heap, site).known == 0
    assert run(heap, site, again=True).known == 0


def test_a_game_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    home, site = many(tmp_path / "games", 2), tmp_path / "site"
    (home / "r2").mkdir()
    shutil.copy(home / "00.sheet", home / "r2" / "copy.sheet")
    assert run(home, site).totals.count == 2
    assert "r2/copy.sheet holds the same as 00.sheet" in (site / "en" / "index.html").read_text("utf-8")
    assert "contém o mesmo que 00.sheet" in (site / "pt" / "index.html").read_text("utf-8")


def test_what_was_typed_in_several_mails_is_called_as_the_first(tmp_path: Path) -> None:
    """The names of all of them, one after the other, are no path in which a round could be looked for."""
    home, site = tmp_path / "games", tmp_path / "site"
    (home / "r1").mkdir(parents=True)
    turn, fight = SHEET.format(to="0805"), "turn 2 american combat\n"
    (home / "r1" / "a.eml").write_text(
        f"From: ana@example.org\nSubject: turn\nMessage-ID: <1@x>\n\n{turn}", "utf-8"
    )
    again = f"From: ana@example.org\nSubject: Re: turn\nMessage-ID: <2@x>\nIn-Reply-To: <1@x>\n\n{fight}"
    (home / "r1" / "b.eml").write_text(again, "utf-8")
    run(home, site)
    (record,) = json.loads((site / "results.json").read_text("utf-8"))
    assert (record["name"], record["round"]) == ("r1/a.eml", "r1")
    assert record["source"] == "r1/a.eml r1/b.eml"


def test_a_remark_above_a_sheet_does_not_join_it_to_another(tmp_path: Path) -> None:
    home, site = tmp_path / "games", tmp_path / "site"
    home.mkdir()
    with zipfile.ZipFile(home / "turns.zip", "w") as archive:
        archive.writestr("a.sheet", SHEET.format(to="0805"))
        archive.writestr("b.sheet", "# another game\n" + SHEET.format(to="0806"))
    run(home, site)
    records = json.loads((site / "results.json").read_text("utf-8"))
    assert sorted(r["name"] for r in records) == ["turns.zip: a.sheet", "turns.zip: b.sheet"]


def test_a_game_that_is_gone_is_gone_from_the_site(heap: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    run(heap, site)
    count = len(files(site))
    (heap / "r2" / "wrong.sheet").unlink()
    run(heap, site)
    # Its record, and its page in two languages.
    assert "r2/wrong.sheet" not in games(site) and len(files(site)) == count - 3


def many(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        text = f"# {number}\n" + SHEET.format(to=("0805", "1505")[number % 2])
        (folder / f"{number:02}.sheet").write_text(text, "utf-8")
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_an_audit_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    home, site = many(tmp_path / "games", 12), tmp_path / "site"
    words = [
        sys.executable,
        "-m",
        "hexforge.validator",
        "audit",
        str(home),
        "-o",
        str(site),
        "--jobs",
        "1",
        "--no-replays",
    ]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while len(list((site / ".audit").glob("*.json"))) < 3 and process.poll() is None:
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGKILL)
    assert not (site / "results.json").exists()
    kept = len(list((site / ".audit").glob("*.json")))
    assert 3 <= kept < 12
    found = run(home, site)
    assert found.known == kept and found.judged == 12 - kept
    whole = tmp_path / "whole"
    run(home, whole)
    assert files(site) == files(whole)


def test_several_processes_write_the_same_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # As if six games were many: their tables too are written by other processes.
    monkeypatch.setattr(audit_run, "_MANY", 5)
    home = many(tmp_path / "games", 6)
    one, two = tmp_path / "one", tmp_path / "two"
    run(home, one)
    run(home, two, jobs=2)
    assert files(one) == files(two)


def test_a_fault_in_one_game_spoils_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, site = many(tmp_path / "games", 3), tmp_path / "site"

    def faulty(work: Any, roots: Any) -> Any:
        if work.source.endswith("01.sheet"):
            raise ZeroDivisionError("planted")
        return dossiers(work, roots)

    monkeypatch.setattr(audit_runner, "dossiers", faulty)
    assert run(home, site).totals.verdicts == {"legal": 2, "unreadable": 1}
    assert "planted" in games(site)["01.sheet"]["error"]["en"]


# ---------------------------------------------------------------------------------------------- cluster


@pytest.mark.full
def test_a_worker_of_a_cluster_that_dies_loses_nothing(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    home, site, local = many(tmp_path / "games", 12), tmp_path / "site", tmp_path / "local"
    killed: list[int] = []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1", silence_logs=50
    ) as cluster:
        victim = next(iter(cluster.workers.values())).pid

        def kill(done: int, count: int) -> None:
            if done == 4 and not killed:
                killed.append(victim)
                os.kill(victim, signal.SIGKILL)

        plan = AuditPlan([str(home)], site, cluster=cluster.scheduler_address, replays=False)
        found = audit(plan, kill)
    assert killed and found.judged == 12
    run(home, local)
    assert files(site) == files(local)


def test_a_cluster_that_is_not_there_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexforge.validator.app.audit_runner._TIMEOUT", "0.2s")
    home = many(tmp_path / "games", 1)
    done = CliRunner().invoke(
        main, ["audit", str(home), "-o", str(tmp_path / "s"), "--cluster", "tcp://127.0.0.1:9", "--lang", "en"]
    )
    assert done.exit_code == 2 and "no scheduler answers" in done.stderr


# ---------------------------------------------------------------------------------------------- hostile


def test_names_get_neither_out_of_their_place_nor_into_the_page(tmp_path: Path) -> None:
    home, site = tmp_path / "games", tmp_path / "site"
    home.mkdir()
    evil = '<img src=x onerror="alert(1)">'
    text = SHEET.format(to="1505").replace("american=Ana", 'american="=<script>alert(1)</script>"')
    (home / f"{evil} ..%2f.sheet").write_text(text, "utf-8")
    (home / "..x..sheet").write_text(text, "utf-8")
    run(home, site)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["games", "site"]
    assert all(re.fullmatch(r"[0-9a-f]{16}\.html", p.name) for p in (site / "en" / "games").iterdir())
    for page in site.rglob("*.html"):
        shown = page.read_text("utf-8")
        assert evil not in shown and "<script>alert" not in shown
    for table in site.rglob("*.csv"):
        assert not re.search(r"(?m)(^|,)\"?[=@]", table.read_text("utf-8-sig"))


def test_nothing_of_others_is_written_over(tmp_path: Path) -> None:
    home = many(tmp_path / "games", 1)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("mine")
    for site in (tmp_path / "mine", home / "site"):
        done = CliRunner().invoke(main, ["audit", str(home), "-o", str(site)])
        assert done.exit_code == 2 and not (site / "index.html").exists()


@pytest.mark.parametrize("there", [False, True])
def test_a_full_disk_leaves_no_empty_folders(
    there: bool, heap: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was there before stays, also where it is empty."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    site = tmp_path / "sites" / "site"
    if there:
        site.mkdir(parents=True)
    monkeypatch.setattr("hexforge.validator.app.audit_result_cache.put", full)
    with pytest.raises(OSError, match="No space left"):
        run(heap, site)
    assert site.exists() == there
    assert site.parent.exists() == there
    assert not there or not any(site.iterdir())
