"""A small part of the golden net at each run of the tests, and that what differs in it is seen."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import pytest
from click.testing import CliRunner

from tests.golden import net
from tests.golden.__main__ import main
from tests.golden.asking import FAILED, Asked, answer
from tests.golden.subjects import DRAWN, SUBJECTS

EVERY = 16
GROUPS = (
    "programs",
    "mails",
    "unseen",
    "logs-played-hurtgen",
    "hurtgen",
    "hurtgen-review",
    "metz-audit",
    "ledger",
    "ashvale",
)
"""Some of each kind of input, of no more games than are loaded in a few seconds; last, what makes a game known."""


@pytest.fixture
def kept_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what is kept, which a test may change."""
    shutil.copytree(net.KEPT, tmp_path / "kept")
    shutil.copy(net.CHANGES, tmp_path)
    monkeypatch.setattr(net, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(net, "CHANGES", tmp_path / "changes.md")
    return tmp_path


def test_a_part_is_answered_as_it_was_kept() -> None:
    asked = net.asked_of(SUBJECTS.keys() - DRAWN)
    now: dict[str, net.Answers] = {subject: {} for subject in asked}
    for group in GROUPS:
        for subject, questions in asked.items():
            part = (one for one in questions if one.group == group and crc32(one.name.encode()) // 64 % EVERY == 0)
            now[subject] |= {one.name: answer(one) for one in part}
    assert sum(map(len, now.values())) > 50
    shown = "\n".join(net.shown(net.differences(now, part=True)))
    assert not shown, shown


@pytest.mark.parametrize("subject", SUBJECTS)
def test_each_digest_is_that_of_the_answer_kept_beside_it(subject: str) -> None:
    assert net.digests(subject) == {name: net.short(text) for name, text in net.kept(subject).items()}
    assert net.failed({subject: net.kept(subject)}) == []


@pytest.mark.parametrize("subject", SUBJECTS)
def test_no_two_inputs_have_one_name(subject: str) -> None:
    names = [asked.name for asked in SUBJECTS[subject]()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text.replace("exit 1", "exit 0"), ["-exit 1", "+exit 0"]),
        (lambda text: f"exit 1\n{FAILED}KeyError", [f"+{FAILED}KeyError"]),
        (lambda text: "", ["- gone: check-en examples/hurtgen-turn2-mistakes"]),
    ],
)
def test_what_is_answered_otherwise_is_shown(change: Callable[[str], str], told: list[str]) -> None:
    name = "examples/hurtgen-turn2-mistakes"
    now = net.kept("check-en")
    now = {one: changed for one, text in now.items() if (changed := change(text) if one == name else text)}
    found = net.differences({"check-en": now})
    assert [(one.subject, one.name) for one in found] == [("check-en", name)]
    head, *lines = net.shown(found)
    assert head == f"=== 1 so: check-en {name}"
    assert [line for line in lines if line[0] in "+-"] == told


def test_what_is_asked_for_the_first_time_is_told() -> None:
    now = {"check-en": net.kept("check-en") | {"examples/another": "exit 0"}}
    assert list(net.shown(net.differences(now)))[1:] == ["+ new: check-en examples/another"]
    assert net.differences({"check-en": {"examples/another": "exit 0"}}, part=True) == []


def test_the_same_change_is_shown_once() -> None:
    now = {name: text.replace("exit 0", "exit 4") for name, text in net.kept("format").items()}
    head, *lines = net.shown(net.differences({"format": now}))
    assert head.startswith("=== ")
    assert head.endswith(" more")
    assert [line for line in lines if line[0] in "+-"] == ["-exit 0", "+exit 4"]


def test_a_change_is_accepted_with_its_reason_alone(kept_elsewhere: Path) -> None:
    before = net.CHANGES.read_text("utf-8")
    for words in (["accept"], ["accept", "--why", " "]):
        assert CliRunner().invoke(main, words).exit_code == 2
    now = {"position": net.kept("position")}
    assert net.accept(now, "Nothing.") == []
    assert net.CHANGES.read_text("utf-8") == before
    now["position"]["examples/bastogne-turn16-mistakes"] += "More.\n"
    net.accept(now, "More is said.")
    assert net.differences(now) == []
    note = net.CHANGES.read_text("utf-8").removeprefix(before)
    assert "1 answer" in note
    assert "More is said." in note
    assert "- `position` 1: examples/bastogne-turn16-mistakes" in note


def test_what_fails_by_itself_is_not_kept(monkeypatch: pytest.MonkeyPatch, kept_elsewhere: Path) -> None:
    unknown = Asked("none/unknown", ("validator", "check", "a.sheet"), {"a.sheet": "sheet 1\n"})
    monkeypatch.setitem(SUBJECTS, "format", lambda: iter([unknown]))
    monkeypatch.setattr(net, "answered", lambda asked: {"format": {"none/unknown": FAILED + "KeyError"}})
    result = CliRunner().invoke(main, ["accept", "format", "--why", "So."])
    assert result.exit_code == 1
    assert "none/unknown" in result.output
