"""What is wrong with a scenario's files, said so that whoever edits them can mend it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hexforge.scenarios.language import said


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
    from hexforge.scenarios.library_words import schema_words

    if error["type"] == "extra_forbidden":
        return said("is not a key that is known here", "não é uma chave conhecida aqui")
    if error["type"] == "missing":
        return said("is missing", "falta")
    text = schema_words(error["type"], str(error["msg"]).removeprefix("Value error, "), error.get("ctx", {}))
    given = error.get("input")
    if not isinstance(given, str | int | float) or repr(given) in text:
        return text
    return said(f"{text}; found {given!r}", f"{text}; há {given!r}")
