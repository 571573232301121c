"""Games judged in several processes: the same is told, in the same order, whatever becomes of a process."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from hexforge.scenarios.commands import EXIT_STOPPED, HOME, answered
from hexforge.scenarios.text.words import FOLDER
from hexforge.validator.app import batch
from hexforge.validator.app import discover as jobs
from hexforge.validator.app.batch import Form, Judging, Work, parts_in_order
from hexforge.validator.app.batch import judged as jobs_judged
from hexforge.validator.app.cli import main
from hexforge.validator.app.discover import PartTold, apart
from hexforge.validator.notation import games
from hexforge.validator.reading import tournament
from hexforge.validator.report.pages import FormName, ReportForm, Rest

SHEET = "sheet 1\ngame {game}\npartial\nturn 2 american movement\nmove us-109-{unit}: 0705 {to}\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Sheets of two games, one of a folder of its own, beside what cannot be read; and a director's file."""
    home = tmp_path_factory.mktemp("several")
    own = home / "own"
    shutil.copytree(HOME / "hurtgen", own, ignore=shutil.ignore_patterns("examples"))
    text = (own / "game.yaml").read_text(encoding="utf-8")
    (own / "game.yaml").write_text(text.replace("name: hurtgen\n", "name: mine\n", 1), encoding="utf-8")
    sheets = home / "sheets"
    sheets.mkdir()
    for number in range(9):
        text = SHEET.format(
            game=("hurtgen", "mine")[number % 2], unit=1 + number % 3, to=("0805", "1505")[number // 5]
        )
        (sheets / f"{number}.sheet").write_text(text, encoding="utf-8")
    (sheets / "4.sheet").write_bytes(b"\x00")
    (sheets / "notes.doc").write_text("no game")
    (home / "rulings.yaml").write_text("tournament: Cup\ndirector: Ana\n", encoding="utf-8")
    yield home
    games._FOLDERS.pop("mine", None)
    tournament.use(None)


def whole_report(folder: Path, form: FormName, jobs: int | None) -> bytes:
    judging = Judging([folder / "sheets"])
    wanted = Form(form, "en")
    failures: list[tuple[str, str]] = []

    def parts() -> Iterator[object]:
        for found in parts_in_order(judging, wanted, jobs):
            if found.error is None:
                yield from found.part
            else:
                failures.append((found.source, str(found.error)))

    pieces = wanted.report().whole(parts(), Rest(failures, [(s, str(w)) for s, w in judging.skipped]))
    return b"".join(piece.encode() if isinstance(piece, str) else piece for piece in pieces)


def test_every_form_is_the_same_with_several_processes(folder: Path) -> None:
    games.learn(folder / "own")
    tournament.use(folder / "rulings.yaml")
    forms: tuple[FormName, ...] = ("json", "junit", "html", "xlsx")
    alone = [whole_report(folder, form, 1) for form in forms]
    assert b'"game": "mine"' in alone[0] and b'"tournament": "Cup"' in alone[0]
    for form, expected in zip(forms, alone, strict=True):
        assert whole_report(folder, form, 2) == expected, form


@pytest.mark.parametrize(("many", "alone"), [(9, 0), (10, 9)])
def test_very_many_games_go_to_processes_at_once(
    folder: Path, many: int, alone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    games.learn(folder / "own")
    expected = whole_report(folder, "json", 1)
    here: list[str] = []

    def judged(work: Work, report: ReportForm) -> PartTold:
        here.append(work.source)
        return jobs_judged(work, report)

    kept: list[bool] = []
    monkeypatch.setattr(jobs, "keep_games", lambda: kept.append(True))
    monkeypatch.setattr(batch, "_MANY", many)
    monkeypatch.setattr(batch, "_alone", lambda works, judging, form, _: (judged(w, form.report()) for w in works))
    monkeypatch.setattr(batch, "processors", lambda: 2)
    assert whole_report(folder, "json", None) == expected
    assert (len(here), len(kept)) == (alone, alone == 0)


def test_what_many_games_need_is_read_by_a_process_that_ends(folder: Path, tmp_path: Path) -> None:
    own, broken = tmp_path / "own", tmp_path / "broken"
    for home in (own, broken):
        shutil.copytree(folder / "own", home)
    (broken / "game.yaml").write_text("name: broken\nlength: none\n", encoding="utf-8")
    asked = (
        "import multiprocessing, sys; from hexforge.validator.notation import games\n"
        "from hexforge.validator.app import discover\n"
        "games.learn(sys.argv[1]); games.learn(sys.argv[2]); discover.keep_games()\n"
        "print(len(games.all_names()), 'pydantic' in sys.modules, len(multiprocessing.active_children()))"
    )
    (tmp_path / "report.xx.yaml").write_text("{", encoding="utf-8")
    stamps = []
    for own_words in ("", str(tmp_path)):
        run = subprocess.run(
            [sys.executable, "-c", asked, str(own), str(broken)],
            env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "HEXFORGE_WORDS": own_words},
            capture_output=True,
            text=True,
            check=True,
        )
        count, *left = run.stdout.split()
        assert left == ["False", "0"] and not run.stderr
        entries = sorted((tmp_path / "cache" / "hexforge" / "games").glob("*.pickle"))
        assert len(entries) == int(count) - 1, "all but the broken one"
        words = sorted((tmp_path / "cache" / "hexforge" / "parsed").glob("*.json"))
        assert len(words) > len(list(FOLDER.glob("*.*.yaml"))), "and what languages count like"
        stamps.append([(path.name, path.stat().st_mtime_ns) for path in (*entries, *words)])
    assert stamps[0] == stamps[1]


def test_the_command_says_the_same_and_ends_the_same(folder: Path) -> None:
    words = ["check", str(folder / "sheets"), "--game", str(folder / "own")]
    words += ["--tournament", str(folder / "rulings.yaml"), "--lang", "pt"]
    alone, several = (CliRunner().invoke(main, [*words, "--jobs", jobs]) for jobs in "12")
    assert alone.stdout.count("Cup") == 8 and "4.sheet" in alone.stderr
    assert (alone.stdout, alone.stderr, alone.exit_code) == (several.stdout, several.stderr, several.exit_code)


def test_a_process_that_dies_is_a_failure_of_its_game_alone(folder: Path) -> None:
    sheets = [
        Work(str(path), partial(batch._filed, str(path), {}, False, ""))
        for path in sorted((folder / "sheets").glob("[0-3].sheet"))
    ]
    deadly = Work("deadly.vlog", partial(os._exit, 9))
    games.learn(folder / "own")
    found = [told for _, told in apart([sheets[0], deadly, *sheets[1:], deadly], Form("json", "en").judge, 2)]
    assert [told.error is None for told in found] == [True, False, True, True, True, False]
    assert "deadly.vlog" in str(found[1].error) and "ended by the system" in str(found[1].error)
    assert [told.source for told in found if told.error is None] == [work.source for work in sheets]


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
@pytest.mark.parametrize("mails", [False, True])
def test_stopping_ends_all_processes_and_writes_nothing(folder: Path, tmp_path: Path, mails: bool) -> None:
    many = tmp_path / "games"
    many.mkdir()
    sheet = (folder / "sheets" / "0.sheet").read_text("utf-8")
    for number in range(1500):
        head = f"From: ana@example.org\nSubject: turn\nMessage-ID: <{number}@example.org>\n\n" if mails else ""
        (many / f"{number}.{'eml' if mails else 'sheet'}").write_text(head + sheet, "utf-8")
    words = [
        sys.executable,
        "-m",
        "hexforge.validator",
        "check",
        str(many),
        "--jobs",
        "2",
        "-o",
        str(tmp_path / "a.html"),
    ]
    # A shell has what it runs in the background ignore Ctrl+C, these tests too.
    heeding = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run = subprocess.Popen(words, stderr=subprocess.PIPE, start_new_session=True)
    finally:
        signal.signal(signal.SIGINT, heeding)
    with run:
        me = psutil.Process(run.pid)
        begun = time.monotonic()
        while len(others := me.children(recursive=True)) < (6 if mails else 4) and time.monotonic() - begun < 60:
            time.sleep(0.02)
        os.killpg(run.pid, signal.SIGINT)
        assert run.stderr is not None
        said = run.stderr.read().decode()
        assert run.wait(30) == 130
    assert "Traceback" not in said and said.count("\n") == 1
    assert not psutil.wait_procs(others, timeout=10)[1]
    assert [path.name for path in tmp_path.iterdir()] == ["games"]


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_no_request_to_stop_comes_between_a_worker_and_its_parent() -> None:
    """The first worker has Python start a process of its own, which lets such requests through again."""
    code = (
        "import multiprocessing, signal\n"
        "from hexforge.scenarios.process_pool import undisturbed\n"
        "with undisturbed():\n"
        "    worker = multiprocessing.get_context('forkserver').Process(target=int)\n"
        "    worker.start()\n"
        "    print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))\n"
        "worker.join()\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout == "True\n"


def test_what_fails_while_a_command_stops_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end, answered():
        try:
            raise KeyboardInterrupt
        finally:
            raise BrokenPipeError
    assert end.value.code == EXIT_STOPPED
    assert capsys.readouterr().err.count("\n") == 1
