"""Every command of every log at hand is judged, told or harmless, and the referee ends where the log ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.modulegen.vassal.save import read_save
from hexforge.validator.judging.check import check_logs
from hexforge.validator.judging.transcription import transcript
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.logs.locations import spot_of, unit_of
from tests.transcribe.modules import PLAYED_HURTGEN

DATA = Path(__file__).resolve().parents[1] / "data"
LOGS = sorted((*(DATA / "engine").glob("*.vlog"), *PLAYED_HURTGEN.glob("*.vlog")))


@pytest.mark.parametrize("path", LOGS, ids=lambda p: p.stem)
def test_every_command_ends_as_judged_told_or_harmless(path: Path) -> None:
    answer = check_logs([path])
    assert answer.commands is not None
    steps = read_save(path).steps
    given = [type(c).__name__ for node in steps for c in node.commands()]
    assert [c.kind for c in answer.commands.commands] == given
    assert sum(answer.commands.counts.values()) == len(given) > 5
    assert answer.as_json()["commands"] == answer.commands.counts
    # Nothing that the log does to counters, turn or dice is passed over.
    harmless = {c.kind for c in answer.commands.commands if c.fate == "harmless"}
    assert harmless <= {"Null", "MovePiece", "ChangePiece", "AddPiece", "ChangeProperty"}


@pytest.mark.parametrize("path", LOGS, ids=lambda p: p.stem)
def test_the_referee_ends_where_the_log_ends(path: Path) -> None:
    """What is not judged cannot have moved anybody: unit by unit, hex by hex, side by side."""
    chain = read_chain([path])
    found = transcript(chain)
    position = check_logs([path]).position
    assert found is not None and chain.marks is not None and position is not None
    for view in chain.logs[-1].end.pieces.values():
        unit = unit_of(view.properties)
        if not unit or view.gpid in ("", None):
            continue
        spot, state = spot_of(view, chain.marks, found.scenario.map.grid), position.units[unit]
        if spot.place == "hex" and state.where != "withdrawn" and unit not in stands_twice(chain):
            assert (unit, spot.hex, spot.reduced) == (unit, state.hex, state.step == "reduced")
        elif spot.place == "dead":
            assert (unit, state.hex) == (unit, None)


def stands_twice(chain: object) -> set[str]:
    """Units that have two counters on the map."""
    ids = [unit_of(v.properties) for v in chain.logs[-1].end.pieces.values()]  # type: ignore[attr-defined]
    return {u for u in ids if u and ids.count(u) > 1}
