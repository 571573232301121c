"""Many mails are read in as many processes as are wanted, as they are asked for, and told in their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from hexforge.scenarios.process_pool import ProcessPool, WorkerEnded
from hexforge.validator.app import discover
from hexforge.validator.app.audit_record import thrown_in
from hexforge.validator.app.batch import Judging
from hexforge.validator.app.cli import main
from hexforge.validator.app.discover import Gathered, gather
from hexforge.validator.reading.intake import kept_games

TURN: Final = "game hurtgen\nturn 2 american movement\nus-112-1: 0806 to 09{n:02d}\n"
TALK: Final = "see you on friday\n"
COUNT: Final = 7


def _mail(folder: Path, n: int, text: str) -> None:
    head = f"From: Ana <ana@example.org>\nSubject: letter {n}\nMessage-ID: <{n}@example.org>\n"
    (folder / f"{n}.eml").write_text(f"{head}Content-Type: text/plain; charset=utf-8\n\n{text}", "utf-8")


@pytest.fixture
def round_(tmp_path: Path) -> Path:
    """Some mails of a game each, of which the fourth is talk."""
    for n in range(COUNT):
        _mail(tmp_path, n, TALK if n == 3 else TURN.format(n=n))
    return tmp_path


@pytest.mark.parametrize("form", ["text", "json", "junit", "md"])
def test_the_same_is_told_however_many_processes_read(round_: Path, form: str) -> None:
    one, three = (
        CliRunner().invoke(main, ["check", str(round_), "--format", form, "--jobs", str(n)]) for n in (1, 3)
    )
    assert (one.output, one.exit_code) == (three.output, three.exit_code)
    assert all(f"{n}.eml" in one.output for n in range(COUNT))


def test_a_folder_of_mails_is_read_as_it_is_asked_for(round_: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    whole = kept_games
    monkeypatch.setattr(
        discover, "kept_games", lambda thread, told=None: (read.append(thread[0].source), whole(thread))[1]
    )
    judging = Judging([round_])
    assert (judging.count, judging.many, read) == (COUNT, True, [])
    answers = judging.answers()
    next(answers)
    assert [Path(source).name for source in read] == ["0.eml"]
    assert len([*answers]) == COUNT - 2
    assert judging.count == COUNT - 1
    assert [Path(source).name for source, _ in judging.skipped] == ["3.eml"]


def test_one_game_among_talk_is_one_game(tmp_path: Path) -> None:
    for n in range(3):
        _mail(tmp_path, n, TURN.format(n=n) if n == 1 else TALK)
    assert not Judging([*map(str, sorted(tmp_path.iterdir()))]).many


def test_a_thread_that_ends_its_process_is_told_and_no_other_is_lost(
    round_: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = ProcessPool.results

    def dying(self: ProcessPool[Any, Any], works: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        for letters, games in whole(self, works):
            yield letters, WorkerEnded() if letters[0].source.endswith("2.eml") else games

    monkeypatch.setattr(ProcessPool, "results", dying)
    judging = Judging([round_])
    judging.hearers = 2
    answers = [*judging.answers()]
    assert [Path(source).name for source, _ in judging.failures] == ["2.eml"]
    assert len(answers) == COUNT - 2


def test_whoever_gathers_otherwise_has_all_at_once(round_: Path) -> None:
    found = gather([str(round_)])
    assert len(found.typed) == COUNT - 1
    assert isinstance(found, Gathered)
    assert [*found.heard(lambda: 1)] == []


@pytest.mark.parametrize("worth", [0.0, 1000.0])
def test_dice_are_read_in_processes_once_it_is_worth_it_and_are_the_same(
    round_: Path, worth: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    fights = "{}turn 2 american combat\ncombat 1007\nattack us-112-2 us-112-3\nroll 5 {}\n"
    for n in range(COUNT):
        _mail(round_, n, TALK if n == 3 else fights.format(TURN.format(n=n), 1 + n % 6))
    monkeypatch.setattr("hexforge.validator.app.batch._WORTH", worth)
    monkeypatch.setattr("hexforge.validator.app.audit_record.processors", lambda: 2)
    read: list[str] = []

    whole = ProcessPool.results

    def heard(self: ProcessPool[Any, Any], works: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        for letters, games in whole(self, works):
            read.append(Path(letters[0].source).name)
            yield letters, games

    monkeypatch.setattr(ProcessPool, "results", heard)
    found = thrown_in([round_])
    assert [throw.faces[1] for throw in found.throws] == [1 + n % 6 for n in range(COUNT) if n != 3]
    assert read == ([f"{n}.eml" for n in range(2, COUNT)] if worth == 0.0 else [])
