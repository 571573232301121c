"""Logs as people send them: twice, packed, renamed, in any order, with what went before; each step counts once."""

from __future__ import annotations

import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

from hexforge.modulegen.vassal.encoding import FormatError
from hexforge.modulegen.vassal.payload import group
from hexforge.modulegen.vassal.save import read_save, save_bytes
from hexforge.validator.app.audit_record import thrown_in
from hexforge.validator.app.batch import Judged, check_all
from hexforge.validator.logs.chain import read_chain
from tests.commands import here
from tests.transcribe.modules import PLAYED, PLAYED_HURTGEN

ANA, BRUNO, GAP = (PLAYED_HURTGEN / f"{name}.vlog" for name in ("ana-2", "bruno-2", "bruno-2-gap"))


def part(source: Path, target: Path, first: int = 0, last: int | None = None) -> Path:
    """A log of some of another's actions; the first are but said, so that the position is as it was."""
    game = read_save(source)
    root = group(*game.restore, *game.steps[first:last])
    target.write_bytes(save_bytes(root, game.module, game.saved))
    return target


def told(found: Judged) -> list[tuple[str, list[str]]]:
    """Of each game, what is found in its logs themselves."""
    return [
        (a.verdict, [f.message.key.rpartition(".")[2] for f in a.findings if f.code == "log-chain"])
        for a in found.answers
    ]


def test_what_logs_repeat_of_each_other_is_told_once(tmp_path: Path) -> None:
    shorter, later = part(ANA, tmp_path / "shorter.vlog", last=15), part(ANA, tmp_path / "later.vlog", first=1)
    whole = [len(log.told) for log in read_chain([ANA]).logs]
    for logs in ([shorter, ANA], [ANA, shorter], [ANA, later], [shorter, ANA, shorter, ANA]):
        found = read_chain(logs)
        assert [len(log.told) for log in found.logs] == whole
        assert len(found.aside) == len(logs) - 1
    found = read_chain([shorter, later])
    assert [(n.message.key, dict(n.message.params)["count"]) for n in found.noted] == [("logs.note.repeats", 14)]
    assert [len(log.told) for log in found.logs] == [1, whole[0] - 1]
    assert len(thrown_in([shorter, later]).throws) == len(thrown_in([ANA]).throws)


def test_logs_are_read_in_the_order_in_which_they_follow() -> None:
    first, second = check_all([ANA, BRUNO]), check_all([BRUNO, ANA])
    assert [f.message.key for f in first.answers[0].findings] == [
        f.message.key for f in second.answers[0].findings if f.message.key != "logs.note.reordered"
    ]
    assert told(second) == [(told(first)[0][0], ["reordered"])]


def test_a_folder_holds_copies_under_any_name_and_games_of_other_modules(tmp_path: Path) -> None:
    for log, name in (
        (ANA, "ana-2.vlog"),
        (ANA, "ana-2 (1).vlog"),
        (ANA, "turno"),
        (PLAYED / "a.vlog", "x.vlog.bin"),
    ):
        shutil.copy(log, tmp_path / name)
    with ZipFile(tmp_path / "sent.zip", "w") as packed:
        packed.write(ANA, "again.vlog")
    (tmp_path / "photo").write_bytes(b"PK\x03\x04 of something else")
    verdict = told(check_all([ANA]))[0][0]
    found = check_all([tmp_path])
    assert {(v, len(k)) for v, k in told(found)} == {(verdict, 3), (told(check_all([PLAYED / "a.vlog"]))[0][0], 0)}
    assert [Path(path).name for path, _ in found.skipped] == ["photo"]
    assert here("validator", "transcribe", tmp_path / "sent.zip").returncode == 0


def test_what_cannot_be_read_is_named_and_spoils_no_game(tmp_path: Path) -> None:
    """Where a log is lost, nobody is accused of what may stand in it."""
    cut = tmp_path / "middle.vlog"
    cut.write_bytes(ANA.read_bytes()[:3000])
    found = check_all([ANA, cut])
    assert told(found) == told(check_all([ANA]))
    assert [Path(name).name for name, _ in found.failures] == ["middle.vlog"]
    assert "other-position" in told(check_all([BRUNO, GAP]))[0][1]
    assert "lost-between" in told(check_all([BRUNO, cut, GAP]))[0][1]


def test_two_who_never_met_in_a_log_may_play_each_other(tmp_path: Path) -> None:
    for log in (ANA, GAP):
        shutil.copy(log, tmp_path)
    assert [verdict for verdict, _ in told(check_all([tmp_path]))] == ["illegal"]


def test_a_module_of_another_name_is_refused(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "other.vmod", "w") as module:
        module.writestr("buildFile.xml", '<VASSAL.build.GameModule name="Other" version="1"/>')
    with pytest.raises(FormatError, match="'Other'"):
        read_chain([ANA], module=tmp_path / "other.vmod")
