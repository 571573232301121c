"""What is wrong with a scenario's files, said so that whoever edits them can mend it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from hexforge.scenarios.words import SOURCE, HexforgeError, Message, Param, Words, message

_CHOICES: Final = re.compile(r", | or ")
"""How the schema library joins the choices of a literal: `'a', 'b' or 'c'`."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One defect. `line` counts from 1 and is 0 where the whole file is meant; `where` names the cell or key."""

    file: str
    line: int
    where: str | Message
    message: Message
    severity: Literal["error", "warning"] = "error"

    def text(self, words: Words) -> str:
        """The problem in words, in one line with its place."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        where = words.value(self.where)
        return f"{place}: {where + ': ' if where else ''}{words.value(self.message)}"

    def __str__(self) -> str:
        return self.text(Words(SOURCE))


class ScenarioError(HexforgeError):
    """A scenario cannot be used. `problems` holds every defect found, not only the first."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(sorted(dict.fromkeys(problems), key=lambda p: (p.file, p.line, str(p))))
        super().__init__(message("scenario.problems", list=self.text(Words(SOURCE))))

    def text(self, words: Words) -> str:
        """What stands in the way, a line each; warnings, which do not, are for a check to tell."""
        errors = [problem for problem in self.problems if problem.severity == "error"]
        return "\n".join(problem.text(words) for problem in errors or self.problems)


def message_of(error: Mapping[str, Any]) -> Message:
    """What a schema says about a value (one of pydantic's `errors()`), in the words of these files."""
    context = error.get("ctx", {})
    if isinstance(own := context.get("error"), HexforgeError):
        text = own.message
    elif Words(SOURCE).has(key := f"scenario.schema.{error['type']}"):
        values: dict[str, Param] = {
            name: value if type(value) is int else str(value) for name, value in context.items()
        }
        if "expected" in values:
            values["expected"] = tuple(_CHOICES.split(str(values["expected"])))
        text = message(key, **values)
    else:
        text = message("scenario.schema.unlisted", detail=str(error["msg"]))
    given = error.get("input")
    if error["type"] == "missing" or not isinstance(given, str | int | float) or repr(given) in str(text):
        return text
    return message("scenario.schema.found", message=text, given=repr(given))
