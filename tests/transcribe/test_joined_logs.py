"""`validator join`: logs of a game as one, which ends as they do and says the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.modulegen.vassal.save import read_save
from hexforge.validator.judging.transcription import transcript
from hexforge.validator.logs.chain import Chain, read_chain
from hexforge.validator.logs.join import CannotJoin, joined
from tests.commands import here
from tests.transcribe.modules import PLAYED, PLAYED_HURTGEN

ANA, BRUNO, REROLL, GAP = (
    PLAYED_HURTGEN / f"{n}.vlog" for n in ("ana-2", "bruno-2", "bruno-2-reroll", "bruno-2-gap")
)


def lines_of(chain: Chain) -> tuple[str, ...]:
    found = transcript(chain)
    assert found is not None
    return tuple(found.lines)


@pytest.mark.parametrize("second", [BRUNO, REROLL], ids=["bruno-2", "bruno-2-reroll"])
def test_a_joined_log_says_what_its_logs_say_and_ends_as_they_do(second: Path, tmp_path: Path) -> None:
    logs, game = read_chain([ANA, second]), tmp_path / "game.vlog"
    game.write_bytes(joined(logs).data)
    whole = read_chain([game])
    assert lines_of(whole) == lines_of(logs)
    end, ours = logs.logs[-1].end, whole.logs[0].end
    assert {i: (v.map, v.x, v.y, v.levels) for i, v in end.pieces.items()} == {
        i: (v.map, v.x, v.y, v.levels) for i, v in ours.pieces.items()
    }
    assert (end.turns, end.players, end.properties) == (ours.turns, ours.players, ours.properties)
    assert not whole.logs[0].unfit and not any(t.undone or t.action.takes_back for t in whole.logs[0].told)


def test_talk_is_left_out_on_demand(tmp_path: Path) -> None:
    game = tmp_path / "game.vlog"
    done = here("validator", "join", ANA, BRUNO, "-o", game, "--no-chat")
    assert done.returncode == 0 and "6 of talk alone" in done.stdout
    said = read_save(game).root.encode().decode()
    assert "Good luck" not in said and "2d6" in said


@pytest.mark.parametrize("logs", [(BRUNO, GAP), (ANA, PLAYED / "a.vlog")], ids=["gap", "module"])
def test_logs_that_do_not_follow_are_not_joined(logs: tuple[Path, ...], tmp_path: Path) -> None:
    with pytest.raises(CannotJoin):
        joined(read_chain(logs))
    assert here("validator", "join", *logs, "-o", tmp_path / "game.vlog").returncode == 2
    assert not (tmp_path / "game.vlog").exists()
