"""Short turn sheets for the tests of combat, and what the referee says of them."""

from __future__ import annotations

from functools import cache

from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from hexforge.validator.judging.replay import Judgement, replay
from hexforge.validator.reading.sheet import read_sheet

from .told import well_told


@cache
def scenario(game: str) -> Scenario:
    """A game, read once."""
    return load(game)


def play(game: str, text: str, *, board: str = "map blank open 20x20") -> Judgement:
    """The judgement of a sheet that begins after its header; `|` may stand for the end of a line."""
    body = "\n".join(line.strip() for line in text.replace("|", "\n").splitlines() if line.strip())
    judged = replay(scenario(game), read_sheet(f"sheet 1\ngame {game}\n{board}\n{body}\n"))
    well_told(judged.findings)
    return judged


def faults(judged: Judgement) -> list[tuple[str, str]]:
    """Rule and code of everything illegal."""
    return [(f.rule, f.code) for f in judged.findings if f.severity in ("illegal", "unread")]


def assault(
    game: str,
    units: str,
    acts: str,
    *,
    target: str = "1010",
    turn: str = "",
    ground: str = "",
    header: str = "",
    places: str = "",
    board: str = "map blank open 20x20",
) -> Judgement:
    """A combat against `target`. `units` are lines `id type values… @ hex [reduced]`; a… American, g… German."""
    turn = turn or {"bastogne": "22 american", "metz": "6 american", "hurtgen": "6 american"}[game]
    declared, placed = [], []
    for line in filter(None, (u.strip() for u in units.replace("|", "\n").splitlines())):
        what, _, where = line.partition("@")
        id_, rest = what.split(maxsplit=1)
        declared.append(f"unit {id_} {'american' if id_.startswith('a') else 'german'} {rest}")
        if where.strip() != "-":
            placed.append(f"{id_} {where.strip()}")
    lines = [
        *header.split("|"),
        *ground.split("|"),
        *declared,
        "position",
        *placed,
        *places.split("|"),
        f"turn {turn} combat",
        f"combat {target}",
        *acts.split("|"),
    ]
    return play(game, "\n".join(lines), board=board)
