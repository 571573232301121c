"""The modules that these tests write logs for, built once, without the user's cache; and logs made from sheets."""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from hexforge.modulegen.build import compile_plan
from hexforge.modulegen.draw import Cache
from hexforge.modulegen.plan import plan
from hexforge.scenarios import load
from hexforge.scenarios.kept import cache_folder
from hexforge.validator.check import judge
from hexforge.validator.readers.sheet import read_sheet
from hexforge.validator.report.answer import Answer
from hexforge.validator.transcribe.backward import log_of
from hexforge.validator.transcribe.judged import check_logs
from hexforge.validator.transcribe.sheet import scenario_of

PLAYED = Path(__file__).parents[1] / "data" / "played"
PLAYED_HURTGEN = Path(__file__).parents[1] / "data" / "played-hurtgen"
SECRETS = ("alicepw", "bobpw", "ana-kept-secret", "bruno-kept-secret")


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="modules-")


@cache
def module_of(game: str, language: str = "pt") -> Path:
    """The module of a game."""
    data, _ = compile_plan(plan(load(game), language), Cache(cache_folder()), 1)
    path = Path(_folder().name) / f"{game}-{language}.vmod"
    path.write_bytes(data)
    return path


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
