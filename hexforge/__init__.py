"""Compile hex wargames into VASSAL modules, and judge the games played with them."""

from pathlib import Path
from typing import TYPE_CHECKING

_TREE = Path(__file__).parent.parent
if not Path(__file__).with_name("scenarios").is_dir() and (_TREE / "scenarios").is_dir():
    # A tree without its links: a ZIP unpacked on Windows, a source distribution.
    __path__.append(str(_TREE))

__all__ = [
    "Answer", "Audited", "BuildResult", "Chain", "Course", "Finding", "HexforgeError", "Judged", "Listed", "Odds",
    "Offers", "Open", "Reach", "Replay", "Reply", "Scenario", "Survey", "Words", "audit", "build", "check",
    "check_all", "choices", "course", "dice", "duties", "format_sheet", "load", "odds", "page", "reach", "read_log",
    "replay", "reply", "transcribe", "units",
]  # fmt: skip

if TYPE_CHECKING:
    from hexforge.api import (
        audit,
        build,
        check,
        choices,
        course,
        dice,
        duties,
        format_sheet,
        odds,
        page,
        reach,
        read_log,
        replay,
        reply,
        transcribe,
        units,
    )
    from hexforge.modulegen.build import BuildResult
    from hexforge.scenarios.loader import load
    from hexforge.scenarios.model import Scenario
    from hexforge.scenarios.text.words import HexforgeError, Words
    from hexforge.validator.app.audit_run import Audited
    from hexforge.validator.app.batch import Judged, check_all
    from hexforge.validator.app.reply import Reply
    from hexforge.validator.judging.answer import Answer
    from hexforge.validator.judging.chain import Course
    from hexforge.validator.judging.choices.offers import Offers
    from hexforge.validator.judging.questions import Open, Reach
    from hexforge.validator.logs.chain import Chain
    from hexforge.validator.report.dice import Survey
    from hexforge.validator.report.replay_model import Replay
    from hexforge.validator.report.units import Listed
    from hexforge.validator.rules.combat.preview import Odds
    from hexforge.validator.rules.findings import Finding


def __getattr__(name: str) -> object:
    # Loaded when it is asked for, so that commands which need little of it start at once.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from hexforge import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
