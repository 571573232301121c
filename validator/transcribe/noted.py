"""What is found wrong with logs themselves, and where."""

from __future__ import annotations

from dataclasses import dataclass

from hexforge.validator.referee.kinds import Severity


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something stands: the file's name, and the step of the log, counted from 1 (0: its beginning)."""

    log: str
    step: int


@dataclass(frozen=True, slots=True)
class Noted:
    """Something found wrong with the logs themselves, before any rule is asked."""

    origin: Origin
    code: str
    severity: Severity
    en: str
    pt: str
