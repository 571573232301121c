"""Sealed dice on the table: asked for by one player, opened by the other, and what follows carried out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hexforge.validator.app.cli_seal import Secret
from hexforge.validator.judging.check import judge
from hexforge.validator.judging.replayed import Replayed
from hexforge.validator.notation.base import Statement
from hexforge.validator.notation.vocabulary import write_statement
from hexforge.validator.play.session import open_session
from hexforge.validator.play.table import Table
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.report.replay_pictures import Studio

STUDIO = Studio()


def _table(path: Path, text: str, secret: Secret | None = None) -> Table:
    path.write_text(text)

    def opens(found: Replayed) -> Statement:
        assert secret is not None
        return secret.open(found.opened)[0]

    return Table(open_session([str(path)]), "en", STUDIO, opens if secret is not None else None)


def _settle(table: Table, state: dict[str, Any]) -> dict[str, Any]:
    """Carry out the first thing that is open until nothing is owed."""
    for _ in range(20):
        fight = state["fight"]
        if fight is None or fight["stage"] != "owed":
            return state
        step = next(s for s in fight["steps"] if s["k"] != "advance")
        state = table.act({"do": "after", "steps": [step["n"]]}, "en")
    raise AssertionError(table.session.text)


def test_a_sealed_attack_is_asked_for_opened_and_carried_out(tmp_path: Path) -> None:
    secrets = {name: Secret.new(name, tmp_path / f"{name}.seal", 20) for name in ("ana", "bruno")}
    seals = "\n".join(write_statement(secret.anchor) for secret in secrets.values())
    text = f'sheet 1\ngame hurtgen\nplayers american="ana" german="bruno"\n{seals}\n\nturn 2 american movement\n'
    ana = _table(tmp_path / "ana.sheet", text)
    spot = ana.recorder.spot
    ana.act({"do": "move", "units": ["us-112-1"], "hex": spot["0907"]}, "en")
    ana.act({"do": "next"}, "en")
    state = ana.act({"do": "declare", "targets": [spot["1007"]], "attackers": ["us-112-1"]}, "en")
    assert state["sealed"]
    state = ana.act({"do": "seal"}, "en")
    assert (state["fight"]["stage"], state["waits"]) == ("waits", "bruno 1")
    assert judge(read_sheet(ana.session.text, "")).waits

    bruno = _table(tmp_path / "bruno.sheet", ana.session.text, secrets["bruno"])
    assert bruno.state("en")["fight"]["stage"] == "waits"
    state = bruno.act({"do": "open"}, "en")
    assert state["fight"]["stage"] in ("owed", "free")
    assert "open bruno 1" in bruno.session.text
    _settle(bruno, state)
    answer = judge(read_sheet(bruno.session.text, ""))
    assert not [f for f in answer.findings if f.severity in ("illegal", "unread", "doubtful")], bruno.session.text
    (throw,) = answer.sealed
    assert (throw.player, throw.link) == ("bruno", 1)

    changed = bruno.session.text.replace("move us-112-1: 0806 0907", "move us-112-1: 0806 0807 0907")
    assert any(f.code == "sealed" for f in judge(read_sheet(changed, "")).findings)


def test_an_attack_that_waits_for_its_defender_is_gone_on_with(tmp_path: Path) -> None:
    text = """sheet 1
game hurtgen

turn 2 american movement
move us-112-1: 0806 0907
move us-112-2 us-112-3 us-707-tank: 0807 0908

turn 2 american combat
combat 1007
  attack us-112-1 us-112-2 us-112-3 us-707-tank
  declare 18:4 odds 4-1 column 2-1
  roll 6 6
"""
    table = _table(tmp_path / "mine.sheet", text)
    state = table.state("en")
    assert state["fight"]["stage"] == "owed"
    _settle(table, state)
    assert "result DRI AVI\n  retreat ge-983-1" in table.session.text
    assert judge(read_sheet(table.session.text, "")).verdict == "legal"
    while table.session.now:
        table.act({"do": "undo"}, "en")
    assert table.session.text == text
