"""`validator chain`: what breaks a chain of logs is found and named, and a whole chain is called whole."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hexforge.modulegen.vassal.commands import AddPiece, Command, Extension, MovePiece
from hexforge.modulegen.vassal.save import SavedGame, read_save, save_bytes, save_tree
from hexforge.validator.app.cli import main
from hexforge.validator.judging.chain import broken, hands
from hexforge.validator.logs.legs import Leg, LogRead, LogStanding
from tests.transcribe.modules import PLAYED, PLAYED_HURTGEN

ANA, BRUNO = PLAYED_HURTGEN / "ana-2.vlog", PLAYED_HURTGEN / "bruno-2.vlog"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["chain", *map(str, arguments), "--lang", "en"])


def kinds(*logs: Path, code: int | None = None) -> set[str]:
    found = run(*logs, "--format", "json")
    assert code is None or found.exit_code == code, found.output
    return {flaw["kind"] for flaw in json.loads(found.stdout)["findings"]}


def changed(source: Path, target: Path, change: Callable[[SavedGame], SavedGame]) -> Path:
    """A copy of a log, with another head."""
    game = change(read_save(source))
    target.write_bytes(save_bytes(game.root, game.module, game.saved))
    return target


def dated(milliseconds: int) -> Callable[[SavedGame], SavedGame]:
    def change(game: SavedGame) -> SavedGame:
        assert game.saved is not None
        return replace(game, saved=replace(game.saved, date_saved=milliseconds))

    return change


def rewritten(
    source: Path, target: Path, restore: Iterable[Command] = (), log: Iterable[Command] = (), *, cut: int = 0
) -> Path:
    """A copy of a log: more is set up before its end, the last `cut` actions are gone, and one is added."""
    game = read_save(source)
    steps = [list(step.commands()) for step in game.steps]
    head = list(game.restore)
    made = save_tree([*head[:-1], *restore, head[-1]], [*steps[: len(steps) - cut], *([[*log]] if log else ())])
    target.write_bytes(save_bytes(made, game.module, game.saved))
    return target


def test_a_whole_chain_is_called_whole() -> None:
    done = run(ANA, BRUNO)
    assert done.exit_code == 0, done.output
    assert "2 files, of which each goes on from the one before it" in done.stdout
    assert "kept by" in done.stdout and "Bruno" in done.stdout


@pytest.mark.parametrize(
    ("logs", "expected"),
    [
        ((BRUNO, ANA), "other-position"),
        ((ANA, ANA), "same-file"),
        ((ANA, BRUNO, PLAYED_HURTGEN / "bruno-2-reroll.vlog"), "restarted"),
        ((ANA, PLAYED_HURTGEN / "bruno-2-reroll.vlog"), "thrown-again"),
        ((PLAYED / "a.vlog", PLAYED / "b-gap.vlog"), "begins-alike"),
        ((PLAYED / "a.vlog", PLAYED / "b.vlog"), "not-stepped-through"),
        ((ANA, PLAYED / "a.vlog"), "other-module"),
    ],
)
def test_what_breaks_a_chain_has_its_name(logs: tuple[Path, ...], expected: str) -> None:
    assert expected in kinds(*logs, code=0 if expected in ("not-stepped-through", "same-file") else 1)


def test_logs_in_the_wrong_order_are_told_the_right_one(tmp_path: Path) -> None:
    found = json.loads(run(BRUNO, ANA, "--format", "json").stdout)
    assert found["order"] == ["ana-2.vlog", "bruno-2.vlog"]
    assert "in this order" in run(BRUNO, ANA).stdout
    assert json.loads(run(ANA, BRUNO, "--format", "json").stdout)["order"] is None


def test_one_log_that_is_missing_is_missed() -> None:
    assert "nothing-before" in kinds(BRUNO, PLAYED / "b-gap.vlog")


def test_two_logs_that_go_on_from_one_fork(tmp_path: Path) -> None:
    other = rewritten(PLAYED_HURTGEN / "bruno-2-reroll.vlog", tmp_path / "other.vlog", cut=2)
    assert "restarted" in kinds(ANA, BRUNO, other, code=1)


def test_the_same_actions_and_then_others(tmp_path: Path) -> None:
    shorter = rewritten(ANA, tmp_path / "shorter.vlog", cut=5)
    assert "goes-on" in kinds(shorter, ANA)
    game = read_save(ANA)
    (move, *_) = (c for step in game.steps for c in step.commands() if isinstance(c, MovePiece))
    other = rewritten(ANA, tmp_path / "other.vlog", log=[replace(move, x=move.x + 1)], cut=5)
    assert "same-actions" in kinds(other, ANA, code=1)


def leg(name: str, hand: str, begins: str, ends: str) -> Leg:
    """A log of no pieces, whose positions are known by their turn."""

    def stands(turn: str) -> LogStanding:
        return LogStanding({}, {"turn": turn}, {}, ())

    game: Any = SimpleNamespace(text=repr((name, begins, ends)).encode(), steps=())
    return Leg(LogRead(name, name, game, (), stands(begins), stands(ends), {}), hand)


@pytest.mark.parametrize(
    ("legs", "expected"),
    [
        ("1Aab 3Acd 2Bbc 4Bde", {"3": "belongs-after", "2": "belongs-after", "4": "belongs-after"}),
        ("1Aab 3Acd 4Bde", {"3": "nothing-before"}),
        ("1Aab 2Bbc 3Ccd 4Abe", {"4": "forks"}),
        ("1Aab 2Bbc 3Acd 4Bbe", {"4": "restarted"}),
        ("1Aab 2Bbc 3Cad", {"3": "begins-alike"}),
    ],
)
def test_each_break_is_explained_by_what_there_is(legs: str, expected: dict[str, str]) -> None:
    chain = [leg(*one) for one in legs.split()]
    astray = {b.log.name: a.begins != b.begins for a, b in pairwise(chain) if a.ends != b.begins}
    assert {n.origin.log: n.message.key.rpartition(".")[2] for n in broken(chain, astray)} == expected


def test_logs_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for folder, log in (("ana", ANA), ("bruno", BRUNO)):
        (tmp_path / folder).mkdir()
        shutil.copy(log, tmp_path / folder / "turn.vlog")
    ana, bruno = (tmp_path / folder / "turn.vlog" for folder in ("ana", "bruno"))
    found = json.loads(run(bruno, ana, "--format", "json").stdout)
    assert [log["file"] for log in found["logs"]] == ["bruno/turn.vlog", "ana/turn.vlog"]
    assert found["order"] == ["ana/turn.vlog", "bruno/turn.vlog"]
    twice = json.loads(run(ana, bruno, ana, "--format", "json").stdout)
    assert [log["file"] for log in twice["logs"]] == ["ana/turn.vlog", "bruno/turn.vlog", "ana/turn.vlog (2)"]
    assert {f["file"] for f in twice["findings"] if f["kind"] == "same-file"} == {"ana/turn.vlog (2)"}


def test_times_that_go_back(tmp_path: Path) -> None:
    early = changed(BRUNO, tmp_path / "early.vlog", dated(1_000_000_000_000))
    assert kinds(ANA, early, code=0) == {"saved-earlier"}


def test_versions_and_extensions_that_change(tmp_path: Path) -> None:
    def newer(game: SavedGame) -> SavedGame:
        assert game.module is not None and game.saved is not None
        module, saved = replace(game.module, version="2.0"), replace(game.saved, vassal_version="3.7.9")
        return replace(game, module=module, saved=saved)

    other = changed(BRUNO, tmp_path / "other.vlog", newer)
    assert kinds(ANA, other, code=0) == {"module-version", "vassal-version"}
    more = rewritten(BRUNO, tmp_path / "more.vlog", [Extension("Dice", "1.0")])
    newest = rewritten(ANA, tmp_path / "newest.vlog", [Extension("Dice", "1.1")])
    assert {"extension-new"} <= kinds(ANA, more)
    assert {"extension-gone"} <= kinds(more, ANA)
    assert {"extension-version"} <= kinds(more, newest)


def test_ids_that_cannot_be(tmp_path: Path) -> None:
    game = read_save(ANA)
    piece = next(
        c
        for node in game.restore
        for leaf in node.leaves()
        if isinstance(c := leaf.command, AddPiece) and not c.type.startswith(("stack", "deck"))
    )
    late, old = replace(piece, id="2999999999999"), replace(piece, id="1300000000000")
    assert "id-later" in kinds(rewritten(ANA, tmp_path / "late.vlog", log=[late]))
    assert "id-older" in kinds(ANA, rewritten(BRUNO, tmp_path / "old.vlog", log=[old]))
    (move, *_) = (c for step in game.steps for c in step.commands() if isinstance(c, MovePiece))
    assert "id-unknown" in kinds(rewritten(ANA, tmp_path / "none.vlog", log=[replace(move, id="77777")]))
    assert not kinds(ANA, BRUNO) & {"id-later", "id-older", "id-unknown"}


def test_one_player_twice_in_a_row_is_asked_about() -> None:
    assert [n.severity for n in hands([leg(*one) for one in ("1Aab", "2Abc", "3Bcd")])] == ["info"]


def test_sheets_follow_from_one_another(tmp_path: Path) -> None:
    first, second, back = (tmp_path / f"{n}.sheet" for n in (1, 2, 3))
    head = "sheet 1\ngame hurtgen\npartial\n"
    first.write_text(f"{head}turn 2 american movement\nmove us-109-1: 0705 0805\n", "utf-8")
    second.write_text(f"{head}continues 1.sheet\nturn 2 american combat\n", "utf-8")
    back.write_text(f"{head}turn 1 american movement\n", "utf-8")
    assert kinds(first, second, code=0) == set()
    assert "turn-back" in kinds(first, back, code=1)
    assert "same-file" in kinds(first, first, code=1)
    assert run(first, ANA).exit_code == 2
