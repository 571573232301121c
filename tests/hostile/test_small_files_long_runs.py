"""A file of some kilobytes keeps nobody waiting: time grows with what is in it, or one clear line ends it."""

from __future__ import annotations

import os
import time
from email.policy import EmailPolicy
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main as modulegen
from hexforge.modulegen.vassal import payload, position, save, story
from hexforge.modulegen.vassal.encoding import FormatError
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import read_save
from hexforge.modulegen.vassal.story import Action, Event, tell
from hexforge.scenarios.text.words import Words
from hexforge.validator.app.cli import main as validator
from hexforge.validator.judging.check import judge
from hexforge.validator.logs.chain import read_chain, undone
from hexforge.validator.reading.mails.mime import read_message
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.report.html import write_html

ROLL = "*** 1d6 = 3 *** <A>"


def log_of(restore: list[str], steps: list[str]) -> bytes:
    return "\x1b".join(["begin_save", *restore, "end_save", *[f"LOG\t{step}" for step in steps]]).encode()


def stack_of(count: int) -> list[str]:
    pieces = [f"+/{i}/piece;;;a;x{i}/M;0;0;{i}" for i in range(count)]
    return [*pieces, f"+/s/stack/M;0;0;{';'.join(map(str, range(count)))};@@-1"]


def drags(count: int) -> list[str]:
    return [f"M/s/M/{n + 1}/{n + 1}/null/M/{n}/{n}/null/p" for n in range(count)]


def slow_undone(actions: list[Action]) -> list[bool]:
    """What stands, by walking down the list for each undo as VASSAL does."""
    target: dict[int, int] = {}
    live, pointer = [True] * len(actions), -1
    for i, action in enumerate(actions):
        if not action.undoes:
            pointer = i
            continue
        wanted = {e.text for e in action.events}
        found = next((j for j in range(pointer, -1, -1) if {e.text for e in actions[j].events} == wanted), pointer)
        if found >= 0:
            target[i], pointer, index = found, found - 1, i
            while index in target:
                index = target[index]
                live[index] = not live[index]
    return live


def actions_of(pattern: str) -> list[Action]:
    """An action for each letter, which is what is said; a capital takes the small letter's back."""
    return [
        Action(n, undoes=letter.isupper(), events=(Event("chat", text=letter.lower()),))
        for n, letter in enumerate(pattern, 1)
    ]


@pytest.mark.parametrize(
    "pattern", ["aA", "abBA", "aAaA", "abBcCA", "aAA", "abABabBBA", "aabBAAbaABBA", "Aab", "abcBCA"]
)
def test_what_stands_is_what_a_walk_down_the_list_finds(pattern: str) -> None:
    for text in (pattern, pattern * 3, pattern[::-1]):
        assert undone(actions_of(text))[0] == slow_undone(actions_of(text)), text


@pytest.mark.parametrize("pattern", ["aA", "abB", "aaA", "abBcCA"])
def test_undos_take_time_by_their_number(pattern: str) -> None:
    actions = actions_of(pattern * (20_000 // len(pattern)))
    began = time.process_time()
    undone(actions)
    assert time.process_time() - began < 5


def test_a_log_of_undone_throws_is_read_in_time(tmp_path: Path) -> None:
    path = tmp_path / "undo.vlog"
    step = [f"CHAT{ROLL}", f"UNDO\ttrue\\\x1bLOG\tCHAT* UNDO: {ROLL}\\\x1bLOG\tUNDO\tfalse"]
    path.write_bytes(log_of(["PLAYER\tpw\tA\tB"], step * 3000))
    began = time.process_time()
    chain = read_chain([path])
    assert time.process_time() - began < 8
    assert sum(t.undone for t in chain.logs[0].told) == 3000


def test_a_stack_is_looked_at_once_for_each_of_its_pieces() -> None:
    replay = LogReplay(read_save(log_of(stack_of(8_000), drags(1))))
    began = time.process_time()
    assert sum(1 for action in tell(replay) for e in action.events if e.kind == "move") == 8_000
    assert time.process_time() - began < 10


def test_more_drags_than_can_be_told_end_in_a_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(story, "MAX_LOOKS", 500_000)
    path = tmp_path / "stack.vlog"
    path.write_bytes(log_of(stack_of(300), drags(100)))
    result = CliRunner().invoke(validator, ["transcribe", str(path)])
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1 and "step" in result.stderr


def test_stacks_that_cannot_be_told_are_refused_before_one_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    monkeypatch.setattr(LogReplay, "view", lambda *_, **__: looked.append(1))
    replay = LogReplay(read_save(log_of(stack_of(5_000), drags(60))))
    with pytest.raises(FormatError, match=r"step 17\b"):
        next(tell(replay))
    assert not looked


def test_a_high_stack_that_is_dragged_in_bounds_is_told_from_where_the_log_stands() -> None:
    replay = LogReplay(read_save(log_of(stack_of(700), [*drags(40), *["CHATx"] * 120])))
    replay.goto(1)
    told = list(tell(replay))
    assert [a.number for a in told] == list(range(2, 161))
    assert {(e.before, e.after) for e in told[0].events} == {("M 1,1", "M 2,2")}


def test_a_log_of_more_actions_than_people_play_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(save, "MAX_STEPS", 20)
    assert len(read_save(log_of([], ["CHATx"] * 20)).steps) == 20
    with pytest.raises(FormatError, match="21 actions"):
        read_save(log_of([], ["CHATx"] * 21))


@pytest.mark.parametrize("early", [20, 50_000], ids=["by its bytes", "by its commands"])
def test_a_file_of_more_commands_than_people_play_is_refused(monkeypatch: pytest.MonkeyPatch, early: int) -> None:
    monkeypatch.setattr(save, "MAX_DOINGS", 20)
    monkeypatch.setattr(payload, "MAX_DOINGS", early)
    fitting = log_of([f"+/{i}/stack/M;{i};5;@@-1" for i in range(50)], ["\\\x1bLOG\t".join(["CHATx"] * 6)] * 3)
    assert len(read_save(fitting).steps) == 3
    more = fitting + b"\x1bLOG\tCHATx"
    with pytest.raises(FormatError, match="more than 20 commands"):
        read_save(more)
    with pytest.raises(FormatError, match="more than 20 commands"):
        read_save(more, salvage=True)


def test_a_line_of_nothing_but_brackets_is_read_in_time() -> None:
    replay = LogReplay(read_save(log_of([], ["CHAT<A> - " + "<" * 3_000_000, "CHAT<b>x</b> <A> &lt;i&gt;"])))
    began = time.process_time()
    long, short = tell(replay)
    assert time.process_time() - began < 2
    assert len(long.events[0].text) == 3_000_006 and short.events[0].text == "x <A> <i>"


def test_a_spot_takes_no_more_pieces_than_can_be_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position, "MAX_SHIFTED", 20_000)
    crowd = [*stack_of(300)[:-1], "+/s/stack/M;5;5;0;@@-1"] + [
        f"M/{i}/M/5/5/null/M/0/0/null/p" for i in range(1, 300)
    ]
    with pytest.raises(FormatError, match="one spot"):
        LogReplay(read_save(log_of(crowd, [])))


def test_a_piece_has_no_more_properties_of_its_own_than_can_be_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    replay = LogReplay(read_save(log_of(stack_of(1)[:-1], [f"SPP\t0\tname{n}\t\tv" for n in range(300)])))
    replay.goto(-1)
    replay.goto(0)
    monkeypatch.setattr(position, "MAX_SHIFTED", 20_000)
    with pytest.raises(FormatError, match="properties of one piece"):
        replay.goto(-1)


def test_many_players_are_looked_up_and_not_searched() -> None:
    players = [f"PLAYER\tpw{i}\tname{i}\tside" for i in range(3000)]
    replay = LogReplay(read_save(log_of([*players, *stack_of(1)], drags(3000))))
    began = time.process_time()
    assert len(list(tell(replay))) == 3000
    assert time.process_time() - began < 8


def test_blank_lines_make_no_page() -> None:
    sheet = "sheet 1\ngame hurtgen\npartial\n" + "\n" * 200_000 + "nonsense here\n"
    page = write_html([judge(read_sheet(sheet))], [], Words("en"))
    assert len(page) < 400_000
    assert "199996 lines more" in page and page.count("nonsense here") >= 2
    again = write_html([judge(read_sheet(sheet[:40] + "# a\n" * 200_000))], [], Words("pt"))
    assert len(again) < 5_000_000 and "mais 15" in again


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without named pipes")
@pytest.mark.parametrize("name", ["a.vlog", "b.sheet", "c.vmod", "d.eml"])
def test_nobody_waits_for_a_pipe_or_a_device(name: str, tmp_path: Path) -> None:
    pipe, zero = tmp_path / name, tmp_path / f"zero-{name}"
    os.mkfifo(pipe)
    zero.symlink_to("/dev/zero")
    for path in map(str, (pipe, zero)):
        for program, command in (
            (validator, ["check"]), (validator, ["transcribe"]), (validator, ["duties"]), (modulegen, ["inspect"]),
            (modulegen, ["verify"]),
        ):  # fmt: skip
            result = CliRunner().invoke(program, [*command, path])
            assert result.exit_code == 2, (command, result.output)
            assert isinstance(result.exception, SystemExit) and name in result.stderr


def test_a_folder_takes_no_pipe_for_a_file_of_a_game(tmp_path: Path) -> None:
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "game.yaml")
    assert CliRunner().invoke(modulegen, ["check", str(tmp_path)]).exit_code == 2


def test_a_mail_of_one_endless_line_is_bounded(tmp_path: Path) -> None:
    mail = tmp_path / "a.eml"
    head = "From: a@b.c\nSubject: x\nContent-Type: text/plain; charset=utf-8\n\n"
    mail.write_text(head + "bla " * 2_100_000)
    result = CliRunner().invoke(validator, ["check", str(mail), "--lang", "en"])
    assert result.exit_code == 2 and "larger than 8 MB" in result.stderr
    mail.write_text(head + "bla " * 100_000 + "us-109-1 goes from 0705 to 0905")
    began = time.process_time()
    result = CliRunner().invoke(validator, ["check", str(mail), "--lang", "en"])
    assert time.process_time() - began < 10
    assert result.exit_code == 3, "what the end of a long line tells of play is not passed over"


def test_a_header_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    library = EmailPolicy.header_fetch_parse

    def counted(policy: EmailPolicy, name: str, value: str) -> str:
        parsed.append(name)
        return library(policy, name, value)

    monkeypatch.setattr(EmailPolicy, "header_fetch_parse", counted)
    mail = b"From: a@b.c\nContent-Type: text/plain; charset=utf-8; x=%d\n\nplain talk\n"
    list(read_message(mail % time.time_ns(), "a.eml"))
    assert parsed.count("Content-Type") == 1
