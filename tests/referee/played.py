"""Sheets written in tests, judged."""

from __future__ import annotations

from functools import cache

from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from hexforge.validator.judging.replay import Judgement, replay
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.rules.findings import Finding

from .told import well_told

BLANK = {"bastogne": "51x26", "metz": "28x23", "hurtgen": "18x12"}


@cache
def scenario(game: str) -> Scenario:
    """A game, read once for all tests."""
    return load(game)


def play(game: str, text: str, *, blank: bool = True, **options: str) -> Judgement:
    """The judgement of a sheet given without its heading, on an open map of the game's size or the printed one."""
    head = f"sheet 1\ngame {game}\n" + (f"map blank open {BLANK[game]}\n" if blank else "")
    sheet = read_sheet(head + text, "test")
    assert not sheet.problems, sheet.problems
    judged = replay(scenario(game), sheet, options=options)
    well_told(judged.findings)
    return judged


def faults(judgement: Judgement) -> list[tuple[str, str]]:
    """Code and severity of everything that is not mere information."""
    return [(f.code, f.severity) for f in judgement.findings if f.severity != "info"]


def illegal(judgement: Judgement) -> list[str]:
    """The rules that were broken."""
    return [f.rule for f in judgement.findings if f.severity == "illegal"]


def only(judgement: Judgement) -> Finding:
    """The one finding there is besides information."""
    (finding,) = [f for f in judgement.findings if f.severity != "info"]
    return finding
