"""Where zones end at lines or ground, a finding on them rests on what nobody printed of these."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hexforge.scenarios.loader import load
from hexforge.scenarios.schema.map import HexsideRun
from hexforge.validator.judging.replay import replay
from hexforge.validator.reading.sheet import read_sheet

LOWMARCH = Path(__file__).parents[1] / "games" / "lowmarch"
"""Zones reach neither into cities nor across the line `major`."""
STOPS = "position\n we-1 0304\n ea-1 0604\nturn 1 west movement\nmove we-1: 0304 0404 0504 0505\n"
"""Past an enemy in 0604, whose zone has both of the last two hexes."""
BETWEEN = "position\n we-1 0504\n ea-1 0604\nturn 1 west movement\nmove we-1: 0504 0505\n"


def judged(text: str, assumed: str = "", drawn: str = "") -> list[tuple[str, str, str]]:
    """Codes, severities and what they rest on, where some hexes are assumed, and a line `drawn` as a river."""
    game = load(LOWMARCH)
    provenance = {**game.map.provenance, **dict.fromkeys(assumed.split(), "assumed")}
    run = HexsideRun(kind="river", provenance="assumed", sides=drawn) if drawn else None
    runs = (*game.map.hexside_runs, *((run,) if run else ()))
    there = replace(game, map=replace(game.map, provenance=provenance, hexside_runs=runs))
    sheet = read_sheet(f"sheet 1\ngame lowmarch\npartial\n{text}", "test")
    assert not sheet.problems
    findings = replay(there, sheet).findings
    return [(f.code, f.severity, ", ".join(map(str, f.rests_on))) for f in findings if f.severity != "info"]


@pytest.mark.parametrize(
    ("text", "assumed", "drawn", "severity", "rests_on"),
    [
        (STOPS, "", "", "illegal", ""),
        # Were it a city, no zone would reach into it, and nobody need stop there.
        (STOPS, "0504", "", "doubtful", "0504"),
        # Who has to stop in 0504 goes on from there, wherever to.
        (STOPS, "0505", "", "illegal", ""),
        (STOPS, "", "0504/0604", "doubtful", "0504/0604"),
        (STOPS, "", "0505/0604", "illegal", ""),
        # What our map does not draw before a hex of which we know no better may be the line.
        (BETWEEN, "0604", "", "doubtful", "0505/0604"),
        (STOPS, "0808", "", "illegal", ""),
        (BETWEEN, "0505", "", "doubtful", "0505"),
        (BETWEEN, "", "0505/0604", "doubtful", "0505/0604"),
        (BETWEEN, "0406", "0503/0504", "illegal", ""),
    ],
)
def test_a_zone_rests_on_where_it_ends(text: str, assumed: str, drawn: str, severity: str, rests_on: str) -> None:
    ((_, found, data),) = judged(text, assumed, drawn)
    assert found == severity
    assert rests_on in data and bool(data) == (severity == "doubtful")
