"""Counters that pass to the enemy who eliminates them and comes into their hex."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest

from hexforge.scenarios.model import Scenario
from hexforge.scenarios.schema.rules import Captures
from hexforge.scenarios.schema.setup import Pool
from hexforge.validator.judging.replay import Judgement, replay
from hexforge.validator.logs.blocks import CounterChange
from hexforge.validator.logs.draft import SheetDraft
from hexforge.validator.logs.locations import Origin, Spot, TrackerReading
from hexforge.validator.logs.scribe import _happened
from hexforge.validator.notation.vocabulary import vocabulary_of, write_sheet
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.rules.position_export import standing
from tests.referee.played import scenario
from tests.scenarios.slips import told_of


@cache
def longridge(*, back: bool = False) -> Scenario:
    """Longridge, where Blue's leader who is taken is a Grey counter then, which may be taken back."""
    game = scenario("tests/games/longridge")
    becomes = {"bl-l": "gr-3", **({"gr-3": "bl-l"} if back else {})}
    rules = replace(game.game.rules, captures=Captures(becomes=becomes, section="1"))
    start = tuple(replace(p, units=tuple(u for u in p.units if u != "gr-3")) for p in game.setup.at_start)
    setup = replace(game.setup, at_start=start, pool=(Pool(units=("gr-3",), section="1"),))
    return replace(game, game=replace(game.game, rules=rules), setup=setup)


HEAD = "sheet 1\ngame longridge\npartial\nposition\n  gr-1 0506\n  bl-l 0505\n"
TAKEN = "turn 1 grey movement\noverrun 0505\n  attack gr-1\n  result DE\n  eliminate bl-l\n"


def judged(lines: str, *, back: bool = False, head: str = HEAD) -> Judgement:
    return replay(longridge(back=back), read_sheet(head + lines))


def wrong(found: Judgement) -> list[str]:
    return [f.code for f in found.findings if f.severity in ("illegal", "doubtful")]


def test_who_comes_into_the_hex_has_the_counter_that_is_taken() -> None:
    found = judged(TAKEN + "  advance gr-1: 0505\n")
    assert not wrong(found)
    assert found.position.hex_of("gr-3") == "0505"
    assert not found.position.units["bl-l"].alive
    assert [f.units for f in found.findings if f.message.key == "findings.captured"] == [("bl-l", "gr-3")]
    written = write_sheet(standing(found.ctx, found.position), "en", vocabulary_of(longridge()))
    assert "gr-3 0505" in written


def test_who_does_not_come_in_takes_nothing() -> None:
    assert judged(TAKEN).position.hex_of("gr-3") is None


def test_what_is_taken_moves_with_its_new_side_from_its_next_phase_on() -> None:
    later = TAKEN + "  advance gr-1: 0505\nturn 2 blue movement\nturn 2 blue combat\nturn 2 grey movement\n"
    assert not [c for c in wrong(judged(later + "move gr-3: 0505 0506\n")) if c != "wrong-phase"]
    at_once = TAKEN + "  advance gr-1: 0505\nmove gr-3: 0505 0506\n"
    assert "moved-twice" in wrong(judged(at_once))


@pytest.mark.parametrize("back", [False, True])
def test_it_may_be_taken_back(back: bool) -> None:
    head = "sheet 1\ngame longridge\npartial\nposition\n  bl-1 0506\n  gr-3 0505\n  gone bl-l destroyed turn 1\n"
    combat = "turn 2 blue combat\ncombat 0505\n  attack bl-1\n  result DE\n  eliminate gr-3\n  advance bl-1: 0505\n"
    assert judged(combat, back=back, head=head).position.hex_of("bl-l") == ("0505" if back else None)


@pytest.mark.parametrize("phase", ["movement", "combat"])
def test_a_log_in_which_it_is_laid_there_tells_of_no_entry(phase: str) -> None:
    draft = SheetDraft.of(longridge(), cast(Any, None))
    draft.clock = TrackerReading(1, "grey", phase)
    for unit in ("gr-3", "bl-c"):
        _happened(draft, CounterChange(unit, Spot("gone"), Spot("hex", "0505"), Origin("a.vlog", 1)))
    facts = [item.fact for item in draft.blocks[-1].items if item.fact is not None]
    kept = [entry.what for entry in draft.kept if isinstance(entry.what, CounterChange)]
    assert {one.unit for one in (*facts, *kept)} == {"bl-c"}


@pytest.mark.parametrize(
    ("becomes", "told"), [("bl-l: gr-3", 1), ("bl-l: bl-1", 1), ("bl-l: gr-9", 0), ("bl-l: gr-9, gr-9: bl-l", 0)]
)
def test_what_takes_the_place_is_the_enemys_and_waits(tmp_path: Path, becomes: str, told: int) -> None:
    shutil.copytree("tests/games/longridge", tmp_path / "longridge")
    rows = "gr-l,grey,csa,Commander,leader"
    setup = (tmp_path / "longridge" / "setup.yaml").read_text("utf-8")
    (tmp_path / "longridge" / "setup.yaml").write_text(f'{setup}pool: [{{units: gr-9, section: "5"}}]\n', "utf-8")
    counters = (tmp_path / "longridge" / "counters.csv").read_text("utf-8")
    line = next(each for each in counters.splitlines() if each.startswith(rows))
    (tmp_path / "longridge" / "counters.csv").write_text(f"{counters}gr-9{line[4:]}\n", "utf-8")
    rule = f'rules:\n  captures: {{becomes: {{{becomes}}}, section: "1"}}\n'
    found = told_of(tmp_path / "longridge", [("game.yaml", "rules:\n", rule)])
    assert len([one for one in found if "taken back so itself" in str(one.message)]) == told, found
