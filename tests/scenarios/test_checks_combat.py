"""Names that the rules of combat count with: each that the game does not know is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hexforge.scenarios import load
from hexforge.scenarios.loader import HOME

CASES = [
    ("bastogne", "destroyed: armoured", "destroyed: armored", "retreat.destroyed"),
    ("bastogne", "bearers: armor", "bearers: armour", "loss_clauses.0.bearers"),
    ("bastogne", "immune: {american: parachute", "immune: {british: parachute", "'british' is no side"),
    ("bastogne", "area: bastogne-perimeter, margin", "area: bastogne-ring, margin", "artillery.perimeter.area"),
    ("metz", "along: road", "along: roads", "advance.along"),
    ("metz", "bars: river fortification", "bars: rivers fortification", "advance.bars"),
    ("metz", "east: 2822 2823", "east: 2722 2823", "2722 does not lie on the rim"),
    ("metz", "german: west south}", "german: west sud}", "'sud' is no edge"),
    ("hurtgen", "silent_terrain: forest", "silent_terrain: woods", "artillery.silent_terrain"),
    ("hurtgen", "terrain: mountain, section", "terrain: ridge, section", "no_engagement.0.terrain"),
]


@pytest.mark.parametrize(("game", "old", "new", "said"), CASES)
def test_unknown_names_are_told(game: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    for part in (game, "somnium"):
        shutil.copytree(HOME / part, tmp_path / part)
    files = (tmp_path / game / "game.yaml", tmp_path / "somnium" / "family.yaml")
    path, text = next((p, t) for p in files if old in (t := p.read_text(encoding="utf-8")))
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    found = [f"{p.severity} {p.where}: {p.message}" for p in load(tmp_path / game, strict=False).warnings]
    assert any(told.startswith("error rules.combat") and said in told for told in found), found


@pytest.mark.parametrize("game", ["bastogne", "metz", "hurtgen"])
def test_the_games_themselves_name_nothing_unknown(game: str) -> None:
    assert [p for p in load(game).warnings if p.where.startswith("rules.combat")] == []
