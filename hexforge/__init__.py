"""Compile hex wargames into VASSAL modules, and judge the games played with them."""

from pathlib import Path
from typing import TYPE_CHECKING

_TREE = Path(__file__).parent.parent
if not Path(__file__).with_name("scenarios").is_dir() and (_TREE / "scenarios").is_dir():
    # A tree without its links: a ZIP unpacked on Windows, a source distribution.
    __path__.append(str(_TREE))

__all__ = [
    "Answer", "Audited", "BuildResult", "Chain", "Course", "Finding", "HexforgeError", "Judged", "Listed", "Odds",
    "Open", "Reach", "Replay", "Reply", "Scenario", "Survey", "Words", "audit", "build", "check", "check_all",
    "course", "dice", "duties", "format_sheet", "load", "odds", "page", "reach", "read_log", "replay", "reply",
    "transcribe", "units",
]  # fmt: skip

if TYPE_CHECKING:
    from hexforge.api import (
        Answer,
        Audited,
        BuildResult,
        Chain,
        Course,
        Finding,
        HexforgeError,
        Judged,
        Listed,
        Odds,
        Open,
        Reach,
        Replay,
        Reply,
        Scenario,
        Survey,
        Words,
        audit,
        build,
        check,
        check_all,
        course,
        dice,
        duties,
        format_sheet,
        load,
        odds,
        page,
        reach,
        read_log,
        replay,
        reply,
        transcribe,
        units,
    )


def __getattr__(name: str) -> object:
    # Loaded when it is asked for, so that commands which need little of it start at once.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from hexforge import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
