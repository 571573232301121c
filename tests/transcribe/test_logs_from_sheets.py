"""Sheet to log to sheet: the same statements, the same verdict, and counters that stand where the sheet says."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from hexforge.modulegen.vassal.commands import Chat
from hexforge.modulegen.vassal.encoding import FormatError
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import read_save, save_bytes, save_tree
from hexforge.scenarios.commands import names
from hexforge.validator.judging.check import check_logs, judge
from hexforge.validator.judging.transcription import NoModule, game_module, log_of, scenario_of, transcript
from hexforge.validator.logs.chain import Chain, read_chain
from hexforge.validator.logs.locations import UNIT
from hexforge.validator.notation import base, statements_head
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.sheet import read_sheet
from tests.cases.catalogue import Case, cases
from tests.examples import FULL, leading
from tests.transcribe.modules import both_ways, log_from, module_of

SCENARIOS = Path(__file__).parents[2] / "scenarios"
# An extension's module has no map of its own to play a sheet on.
EXAMPLES = [path for name in names() for path in sorted((SCENARIOS / name / "examples").glob("*.sheet"))]
LONGEST = "turn16-mistakes"
# Of the largest example with mistakes `make full` alone writes the log: those of other games hold what it holds.
WRITTEN = [path for path in EXAMPLES if FULL or path.stem != LONGEST]
GAMES = ("hurtgen", "metz", "bastogne")
SAMPLE = 8
# What the map itself shows; the rest (who attacks, what was worked out) only the chat can tell.
SHOWN = re.compile(
    r"&lt;[^&]*&gt; - !?(move|enter|exit|recover|retreat|advance|lose|eliminate|roll|turn|airroll)\b"
)


def game_of(text: str) -> str:
    return next(s.name for s in read_sheet(text).statements if isinstance(s, statements_head.GameName))


def plain(statements: tuple[base.Statement, ...]) -> list[base.Statement]:
    found: list[base.Statement] = []
    for s in statements:
        if isinstance(s, st.Engagement):
            found += [replace(s, line=0, acts=()), *(replace(act, line=0) for act in s.acts)]
        else:
            found.append(replace(s, line=0))
    return found


@cache
def _chain(path: Path) -> Chain:
    """The log of an example, read."""
    text = path.read_text("utf-8")
    with TemporaryDirectory() as folder:
        return read_chain([log_from(text, game_of(text), Path(folder))])


@pytest.mark.parametrize("path", WRITTEN, ids=lambda p: p.stem)
def test_an_example_comes_back_statement_by_statement(path: Path) -> None:
    text = path.read_text("utf-8")
    found = transcript(_chain(path))
    assert found is not None
    assert plain(read_sheet(found.text).statements) == plain(read_sheet(text).statements)


@pytest.mark.parametrize("path", WRITTEN, ids=lambda p: p.stem)
@pytest.mark.parametrize("language", leading(1, ["pt", "en"]))
def test_an_example_has_the_same_verdict_as_its_log(path: Path, language: str, tmp_path: Path) -> None:
    text = path.read_text("utf-8")
    sheet, log = both_ways(text, game_of(text), tmp_path, language)
    assert log == sheet


_UNTHROWN = re.compile(r"^\s*roll\b.*\b(?:[07-9]|\d{2,})\b", re.MULTILINE)
"""Dice that no button throws: a log of them has them typed, and says so."""


def _sample() -> list[tuple[str, str, str]]:
    """A few cases of each game, others as the catalogue changes, with those that cannot be read among them."""
    chosen = []
    for game in GAMES:
        own = [c for c in cases() if f"game {game}" in c.sheet and not _UNTHROWN.search(c.sheet)]
        picked = random.Random(len(own)).sample(own, min(SAMPLE, len(own)))
        odd = (c for c in own if c.expect["verdict"] == "unread" or not all(f.get("rule") for f in _wanted(c)))
        picked += islice((c for c in odd if judge_has_syntax(c.sheet)), 3)
        chosen += [(c.id, game, c.sheet) for c in picked]
    return chosen


def _wanted(case: Case) -> list[Mapping[str, Any]]:
    return list(case.expect.get("findings", ()))


def judge_has_syntax(text: str) -> bool:
    return bool(read_sheet(text).problems)


SAMPLED = _sample()


@pytest.mark.parametrize(("game", "text"), [(g, t) for _, g, t in SAMPLED], ids=[i for i, _, _ in SAMPLED])
def test_cases_have_the_same_verdict_as_their_logs(game: str, text: str, tmp_path: Path) -> None:
    sheet, log = both_ways(text, game, tmp_path)
    # Who is withdrawn as a turn begins is taken off by the rule; a log shows the counter leave as well.
    gone = {u for f in sheet["findings"] if f["severity"] == "info" for u in f["units"]}
    log["actions"] = [a for a in log["actions"] if a["action"] != "exit" or not gone.issuperset(a["units"])]
    assert log == sheet


def silenced(path: Path) -> Path:
    """The log without the lines that say what the map shows too."""
    game = read_save(path)
    actions = [
        [c for c in node.commands() if not (isinstance(c, Chat) and SHOWN.match(c.text))] for node in game.steps
    ]
    path.write_bytes(save_bytes(save_tree(game.restore, [a for a in actions if a]), game.module, game.saved))
    return path


def test_what_the_map_shows_need_not_be_typed(tmp_path: Path) -> None:
    text = (EXAMPLES[0].parents[2] / "hurtgen/examples/turn2-well.sheet").read_text("utf-8")
    log = silenced(log_from(text, "hurtgen", tmp_path))
    chain = read_chain([log])
    assert not any("> - move" in e.text for t in chain.logs[0].told for e in t.action.events if e.kind == "chat")
    told, meant = check_logs([log]), judge(read_sheet(text))
    assert told.verdict == meant.verdict == "legal"
    assert told.position is not None and meant.position is not None
    assert {u: (s.hex, s.step) for u, s in told.position.units.items()} == {
        u: (s.hex, s.step) for u, s in meant.position.units.items()
    }
    assert [(c.target, c.roll, c.result) for c in told.combats] == [
        (c.target, c.roll, c.result) for c in meant.combats
    ]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_the_counters_end_where_the_referee_has_them(path: Path) -> None:
    text = path.read_text("utf-8")
    chain = _chain(path)
    marks, answer = chain.marks, judge(read_sheet(text))
    assert marks is not None and answer.position is not None
    shown = {
        view.properties[UNIT]: marks.hex_at(view.x or 0, view.y or 0)
        for view in chain.logs[-1].end.pieces.values()
        if view.map == marks.main and UNIT in view.properties
    }
    assert shown == {u: s.hex for u, s in answer.position.units.items() if s.hex is not None}


def test_a_log_can_be_stepped_forth_and_back(tmp_path: Path) -> None:
    text = EXAMPLES[0].read_text("utf-8")
    replay = LogReplay(read_save(log_from(text, game_of(text), tmp_path)))
    start = {k: replay.position.place(k) for k in replay.position.pieces}
    replay.goto(-1)
    assert {k: replay.position.place(k) for k in replay.position.pieces} != start
    assert not replay.position.missed
    replay.goto(0)
    assert {k: replay.position.place(k) for k in replay.position.pieces} == start


def test_units_of_the_sheets_own_are_on_the_map(tmp_path: Path) -> None:
    text = "sheet 1\ngame hurtgen\nmap blank open 18x12\nunit a1 american infantry 3-4-5\n"
    text += "position\n  a1 0705 reduced\nturn 3 american movement\nmove a1: 0705 0604\n"
    chain = read_chain([log_from(text, "hurtgen", tmp_path)])
    marks = chain.marks
    assert marks is not None
    (own,) = (v for v in chain.logs[0].end.pieces.values() if v.properties.get(UNIT) == "a1")
    assert marks.hex_at(own.x or 0, own.y or 0) == "0604" and own.properties["Step_Level"] == "2"
    assert not any(
        v.map == marks.main and v.properties.get(UNIT, "a1") != "a1" for v in chain.logs[0].start.pieces.values()
    )


def test_a_log_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    text = EXAMPLES[0].read_text("utf-8")
    first = log_from(text, game_of(text), tmp_path).read_bytes()
    assert log_from(text, game_of(text), tmp_path).read_bytes() == first


def test_a_log_needs_a_module_of_its_own_game(tmp_path: Path) -> None:
    scenario = scenario_of("metz")
    assert scenario is not None
    with pytest.raises(FormatError, match="no module of the game metz"):
        log_of(read_sheet("sheet 1\ngame metz\n"), scenario, module_of("hurtgen"))
    with pytest.raises(NoModule):
        game_module("metz", [module_of("hurtgen").parent / "nowhere", tmp_path])
    assert game_module("hurtgen", [tmp_path, module_of("hurtgen").parent]).stem.startswith("hurtgen-")
