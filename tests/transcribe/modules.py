"""The modules that these tests write logs for, and logs made from sheets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import check_logs, judge
from hexforge.validator.judging.transcription import log_of, scenario_of
from hexforge.validator.reading.sheet import read_sheet
from tests.built import module_file

PLAYED = Path(__file__).parents[1] / "data" / "played"
PLAYED_HURTGEN = Path(__file__).parents[1] / "data" / "played-hurtgen"
SECRETS = ("alicepw", "bobpw", "ana-kept-secret", "bruno-kept-secret")


def module_of(game: str, language: str = "pt") -> Path:
    """The module of a game."""
    return module_file(game, language)


def log_from(text: str, game: str, folder: Path, language: str = "pt") -> Path:
    """The log of a sheet."""
    scenario = scenario_of(game)
    assert scenario is not None
    path = folder / "made.vlog"
    path.write_bytes(log_of(read_sheet(text), scenario, module_of(game, language)))
    return path


def verdict_of(answer: Answer) -> dict[str, Any]:
    """An answer's JSON without what tells a sheet's own lines from those of a transcript."""
    found = answer.as_json()
    found.pop("source")
    found.pop("commands", None)
    for part in ("findings", "combats", "moves", "actions"):
        for entry in found[part]:
            for key in ("line", "log", "step", "of", "text"):
                entry.pop(key, None)
            if "rests_on" in entry:
                entry["rests_on"] = re.sub(r"\b(line|linha) \d+", r"\1", entry["rests_on"])
    return found


def both_ways(text: str, game: str, folder: Path, language: str = "pt") -> tuple[dict[str, Any], dict[str, Any]]:
    """The verdict on a sheet, and on the log that is made of it."""
    return verdict_of(judge(read_sheet(text))), verdict_of(check_logs([log_from(text, game, folder, language)]))
