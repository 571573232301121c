"""What is wrong with a scenario's files, said so that whoever edits them can mend it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One defect. `line` counts from 1 and is 0 where the whole file is meant; `where` names the cell or key."""

    file: str
    line: int
    where: str
    message: str
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.where + ': ' if self.where else ''}{self.message}"


class ScenarioError(Exception):
    """A scenario cannot be used. `problems` holds every defect found, not only the first."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(p) for p in self.problems))


def message_of(error: Mapping[str, Any]) -> str:
    """What a schema says about a value (one of pydantic's `errors()`), in the words of these files."""
    text = str(error["msg"]).removeprefix("Value error, ")
    if error["type"] == "extra_forbidden":
        return "is not a key that is known here"
    if error["type"] == "missing":
        return "is missing"
    given = error.get("input")
    return f"{text}; found {given!r}" if isinstance(given, str | int | float) and repr(given) not in text else text
