"""Charges: a modifier for those who came over so many hexes in a straight line."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from hexforge.modulegen.plan import plan
from hexforge.modulegen.render.condition_words import condition_words
from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.schema import modifiers as m
from hexforge.validator.judging.replay import replay
from hexforge.validator.reading.sheet import read_sheet
from tests.referee.played import scenario
from tests.scenarios.slips import told_of

RUN = m.WithUnits(kind="units", of="attackers", types=("cavalry",), ran=3)
HEAD = "sheet 1\ngame kestrel\npartial\nposition{}\n  bl-c2 {}\n  re-a 0905\n"
MOVED = "turn 1 blue movement\nmove bl-c2: {}\nturn 1 red movement\n"
FOUGHT = (
    "turn 1 blue combat\ncombat 0905\n  attack bl-c2\n{}  declare 3:2 odds 3-2 column {}\n  roll 3\n  result {}\n"
)


@cache
def kestrel(*, free: bool = True) -> Scenario:
    """Kestrel, whose cavalry may charge (or does) after three hexes in a straight line: two columns better."""
    game = scenario("tests/games/kestrel")
    when = (RUN, m.IsDeclared(kind="declared", most=1)) if free else (RUN,)
    rule = m.Modifier(name="charge", when=when, what=m.Columns(kind="columns", columns=2), section="4.9")
    combat = replace(game.game.rules.combat, modifiers=(*game.game.rules.combat.modifiers, rule))
    rules = replace(game.game.rules, combat=combat)
    return replace(game, game=replace(game.game, rules=rules))


def found(lines: str, *, free: bool = True, begins: str = "", at: str = "0909") -> list[tuple[str, str]]:
    judged = replay(kestrel(free=free), read_sheet(HEAD.format(begins, at) + lines))
    wrong = (f for f in judged.findings if f.severity in ("illegal", "doubtful"))
    return [(f.severity, f.code) for f in wrong if f.code not in ("retreat", "losses")]


PLAIN, CHARGED = ("3-2", "DR1"), ("3-1", "DR2")


@pytest.mark.parametrize(
    ("at", "way", "use", "said", "wrong"),
    [
        ("0909", "0909 0908 0907 0906", "  use charge\n", CHARGED, False),
        ("0909", "0909 0908 0907 0906", "", PLAIN, False),  # a choice
        ("0909", "0909 0908 0907 0906", "", CHARGED, True),
        ("0908", "0908 0907 0906", "  use charge\n", CHARGED, True),  # too short
        ("1008", "1008 0908 0907 0906", "  use charge\n", CHARGED, True),  # not straight
        ("1009", "1009 0909 0908 0907 0906", "  use charge\n", CHARGED, False),  # straight enough at its end
    ],
)
def test_who_came_in_a_straight_line_charges_if_he_will(
    at: str, way: str, use: str, said: tuple[str, str], wrong: bool
) -> None:
    assert bool(found(MOVED.format(way) + FOUGHT.format(use, *said), at=at)) == wrong


def test_two_moves_of_a_phase_are_one_way_and_those_of_two_phases_are_not() -> None:
    two = "turn 1 blue movement\nmove bl-c2: 0909 0908\nmove bl-c2: 0908 0907 0906\nturn 1 red movement\n"
    assert "column" not in {code for _, code in found(two + FOUGHT.format("  use charge\n", *CHARGED))}
    later = "turn 1 blue combat\nturn 1 blue movement\nmove bl-c2: 0907 0906\n"
    lines = MOVED.format("0909 0908 0907") + later + FOUGHT.format("  use charge\n", *CHARGED)
    assert ("illegal", "column") in found(lines) or ("illegal", "shifts") in found(lines)


def test_whoever_does_not_choose_has_it_anyway() -> None:
    lines = MOVED.format("0909 0908 0907 0906") + FOUGHT
    assert [bool(found(lines.format("", *said), free=False)) for said in (CHARGED, PLAIN)] == [False, True]


def test_a_sheet_that_begins_with_the_combat_is_in_doubt() -> None:
    told = (FOUGHT.format("", *said) for said in (CHARGED, ("4-1", "DR3"), PLAIN))
    wrong = [found(lines, free=False, begins=" after turn 1 red movement", at="0906") for lines in told]
    assert [{severity for severity, _ in each} for each in wrong] == [{"doubtful"}, {"illegal"}, set()]


def test_charts_say_how_far_they_came() -> None:
    made = plan(load(kestrel().folder), "en")
    assert "over 3 hexes in a straight line" in condition_words(made.scenario, made.words.text, RUN)


@pytest.mark.parametrize(
    ("when", "what", "told"),
    [
        ("of: attackers, types: cavalry, ran: 3", "{kind: columns, columns: 1}", 0),
        ("of: defenders, types: cavalry, ran: 3", "{kind: columns, columns: 1}", 1),
        ("of: attackers", "{kind: factor, of: defenders, units: {ran: 2}, by: 2}", 1),
    ],
)
def test_runs_of_who_is_attacked_are_refused(tmp_path: Path, when: str, what: str, told: int) -> None:
    shutil.copytree("tests/games/kestrel", tmp_path / "kestrel")
    charge = f'      - {{name: charge, when: [{{kind: units, {when}}}], what: {what}, section: "4"}}\n'
    found = told_of(tmp_path / "kestrel", [("game.yaml", "      - {name: rout,", f"{charge}      - {{name: rout,")])
    assert len([one for one in found if "have run" in str(one.message)]) == told
