"""What is wrong with a scenario's files, said so that whoever edits them can mend it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from hexforge.scenarios.alike import alike
from hexforge.scenarios.words import SOURCE, HexforgeError, Message, Param, Words, message

_CHOICES: Final = re.compile(r", | or ")
"""How the schema library joins the choices of a literal: `'a', 'b' or 'c'`."""
_LIKE: Final = 0.7
"""How alike a name must be to one that there is, between 0 and 1, to be told as a slip of it."""
_DIGITS: Final = re.compile(r"\d+")


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


def unknown(what: str, id_: Any, there: Collection[Any], /, **params: Param) -> Message:
    """That a name stands for nothing, after the one of `there` that must be meant, if one is like it.

    `what` is the end of a key below `scenario.unknown.`, whose text has `id` and `params` in it.
    """
    text = message(f"scenario.unknown.{what}", id=id_, **params)
    like = _like(id_, there) if isinstance(id_, str) else ""
    return message("scenario.unknown.likely", id=id_, like=like, said=text) if like else text


def _like(id_: str, known: Collection[Any]) -> str:
    """The name that another is a slip of. One that has other numbers is another of its kind, not a slip of it."""
    numbers = _DIGITS.findall(id_)
    there = {str(name).lower(): str(name) for name in known if _DIGITS.findall(str(name)) == numbers}
    return next((there[like] for like in alike(id_.lower(), there, least=_LIKE)), "")


def message_of(error: Mapping[str, Any], *others: Mapping[str, Any]) -> Message:
    """What a schema says about a value (one of pydantic's `errors()`), in the words of these files.

    `others`: what it says of the same value where that may be one of several kinds.
    """
    texts = tuple(dict.fromkeys(map(_text_of, (error, *others))))
    text = texts[0] if len(texts) == 1 else message("scenario.schema.any", ways=texts)
    given = error.get("input")
    if error["type"] == "missing" or not isinstance(given, str | int | float) or repr(given) in str(text):
        return text
    return message("scenario.schema.found", message=text, given=repr(given))


def _text_of(error: Mapping[str, Any]) -> Message:
    context = error.get("ctx", {})
    if isinstance(own := context.get("error"), HexforgeError):
        return own.message
    if Words(SOURCE).has(key := f"scenario.schema.{error['type']}"):
        values: dict[str, Param] = {
            name: value if type(value) is int else str(value) for name, value in context.items()
        }
        for name in {"expected", "expected_tags"} & values.keys():
            values[name] = tuple(_CHOICES.split(str(values[name])))
        return message(key, **values)
    return message("scenario.schema.unlisted", detail=str(error["msg"]))
