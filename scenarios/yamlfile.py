"""YAML as people write scenario files: plain scalars stay what they look like, and errors know their line.

Differs from PyYAML's safe loader in four ways: `0105` is a hex number and not octal, `on`/`off`/`yes`/`no` and
dates are text, a key given twice is an error, and size and depth are bounded.

What the YAML library objects to, as whoever edits the file would put it.

The library speaks of tokens and nodes, in English. Its two readers (libyaml and the one in Python) word the same
defect differently; each entry of `_PLAIN` knows both.

binding.yaml: what ties a published module to a game, so that its logs are those of the game.

    module: {name: "The Forest", versions: ["1.*"]}
    maps: {main: Battlefield, reserves: Pool, losses: Dead Pile}
    hexes: {x0: 40, y0: 52, dx: 52.3, dy: 60.4, first: "0101"}
    sides: {Americans: us, Germans: ge}
    steps: {property: Flip_Level}
    pieces: {"1/109": us-109-1}
    slots: {"217": us-110-1}
    ids: {"1711658057730": us-112-1}
    phases: [ge movement, ge combat, us movement, us combat]
    dice: ["2d6"]
    left: {us: [10, 10, 200, 300]}

A game has as many as it likes: `binding.yaml`, and others that begin with `binding-`.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final, cast

import yaml

from .console import Problem, ScenarioError, open_file, refused
from .text.words import Message, message

_PLAIN: Final = tuple(
    (re.compile(pattern), key)
    for pattern, key in (
        (r"tab character", "tab"),
        (r"cannot start any token", "quotes"),
        (r"(quoted|double-quoted) scalar.*(unexpected|document)", "open-quotes"),
        (r"unknown escape", "backslash"),
        (r"flow (sequence|mapping)", "open-bracket"),
        (r"simple key", "no-colon"),
        (r"mapping values are not allowed", "colon"),
        (r"sequence entries are not allowed", "dash"),
        (r"block mapping.*(expected key|block end)", "indent"),
        (r"block collection", "indent-list"),
        (r"alias|anchor|constructor for the tag|tag handle|scanning a tag", "quotes"),
        (r"node content", "quotes"),
        (r"block scalar", "block-text"),
        (r"single document|document start", "one-document"),
        (r"unhashable", "bracket-key"),
    )
)
"""What the library says, its context and its problem in one line, and what that means; the first that fits."""


_SLIPS: Final = (
    (re.compile("[ \\t]*\N{NO-BREAK SPACE}"), "hard-blank"),
    (re.compile(r"[ ]*-(?:[{\[]|[A-Za-z_]\w*: )"), "dash-blank"),
)
"""Beginnings of lines that the library stumbles over only later, and what is wrong with them."""


def _before(text: str, line: int) -> tuple[Message, int] | None:
    """What is wrong with the line, counted from 0, or with one of the two before it."""
    lines = text.split("\n")
    for number in range(max(0, line - 2), min(line + 1, len(lines))):
        for pattern, key in _SLIPS:
            if pattern.match(lines[number]):
                return message(f"scenario.yaml.plain.{key}"), number
    return None


def plain(error: yaml.MarkedYAMLError, text: str) -> tuple[Message, yaml.Mark | None]:
    """What is wrong in an editor's words, and the place to look at; the library's own words where they are new."""
    said = " ".join(part for part in (error.context, error.problem) if part)
    mark = error.problem_mark or error.context_mark
    key = next((key for pattern, key in _PLAIN if pattern.search(said)), None)
    if error.context and "scanning an" in error.context:
        mark = error.context_mark
    character = text[mark.index : mark.index + 1] if mark else ""
    if key == "quotes" and character == "\t":
        key = "tab"
    line = 0
    if key == "quotes" and not character:
        # Nothing begins at the end of the file: what was opened before wants its end.
        key, line = "open-bracket", text.count("\n", 0, max(text.rfind("["), text.rfind("{"))) + 1
    if mark and (slip := _before(text, mark.line)):
        said_so, number = slip
        return said_so, yaml.Mark("", 0, number, 0, "", 0)
    if key is None:
        return message("scenario.yaml.library", detail=said), mark
    opened = error.context_mark or mark
    if key == "open-quotes":
        # The library comes to the end of the file before it sees that there are no more.
        mark = opened
    line = line or (opened.line + 1 if opened else 0)
    return message(f"scenario.yaml.plain.{key}", character=character, line=line), mark


MAX_BYTES = 4_000_000
MAX_DEPTH = 40
MAX_ALIASES = 100
_EXCERPT = 60
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff")
_TOO_DEEP: Final = "maximum nesting depth"

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
"""Characters that XML, and so a module, cannot hold, and that would steer a terminal."""
_BRACKETS = re.compile(r"[\[\]{}]")
_INDENT = re.compile(r"(?m)^[ \t?:-]+")

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Refused(Exception):
    """What this reader does not take, and where."""

    def __init__(self, said: Message, mark: yaml.Mark | None = None) -> None:
        super().__init__(said)
        self.said, self.line = said, mark.line + 1 if mark else 0


def _control(character: str) -> Message:
    return message("scenario.file.control", character=repr(character))


class Loader(_Base):  # type: ignore[misc]
    """A safe loader with the plain scalars of the YAML 1.2 core schema."""

    yaml_implicit_resolvers: ClassVar[dict[str, list[tuple[str, re.Pattern[str]]]]] = {}

    def construct_scalar(self, node: yaml.ScalarNode) -> Any:
        value = super().construct_scalar(node)
        if isinstance(value, str) and (found := CONTROL.search(value)):
            raise _Refused(_control(found[0]), node.start_mark)
        return value

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Any] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise _Refused(message("scenario.yaml.key-twice", key=key.value), key.start_mark)
                seen.add(key.value)
        return super().construct_mapping(node, deep)  # type: ignore[no-any-return]


for _tag, _pattern, _first in (
    ("tag:yaml.org,2002:bool", r"true|false", "tf"),
    ("tag:yaml.org,2002:null", r"null|~|", ["n", "~", ""]),
    ("tag:yaml.org,2002:int", r"-?(?:0|[1-9][0-9]*)", "-0123456789"),
    ("tag:yaml.org,2002:float", r"-?(?:0|[1-9][0-9]*)\.[0-9]+", "-0123456789"),
):
    Loader.add_implicit_resolver(_tag, re.compile(rf"^(?:{_pattern})$"), list(_first))


def read_bytes(path: Path, limit: int = MAX_BYTES) -> bytes:
    """The file's bytes. Raises ScenarioError when it cannot be read or is larger than `limit`."""
    try:
        with open_file(path) as stream:
            data = stream.read(limit + 1)
    except OSError as error:
        why = message("scenario.file.unreadable", why=refused(error))
        raise ScenarioError([Problem(str(path), 0, "", why)]) from error
    if len(data) > limit:
        raise ScenarioError([Problem(str(path), 0, "", message("scenario.file.too-large", limit=limit))])
    return data


def decode(data: bytes, path: Path) -> str:
    """Text of a UTF-8 file, a byte-order mark allowed, or of UTF-16 with one, which Windows calls Unicode.

    Raises ScenarioError naming the line that is not UTF-8.
    """
    try:
        return data.decode("utf-16" if data[:2] in _WIDE else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ScenarioError([Problem(str(path), line, "", message("scenario.file.not-utf8"))]) from error


def _may_be_deep(text: str) -> bool:
    """Whether nesting could go beyond MAX_DEPTH, by a count that is cheap and never too low."""
    depth = most = 0
    for bracket in _BRACKETS.findall(text):
        depth = depth + 1 if bracket in "[{" else max(0, depth - 1)
        most = max(most, depth)
    return most + max(map(len, _INDENT.findall(text)), default=0) >= MAX_DEPTH


def _check_depth(text: str) -> None:
    """Raises a YAML error at the first value that is nested too deep: composing it would overrun the stack."""
    depth = 0
    for event in yaml.parse(text, Loader=Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise _Refused(
                    message("scenario.yaml.too-deep", limit=MAX_DEPTH), cast("yaml.Mark", event.start_mark)
                )
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def parse(text: str, path: Path) -> dict[str, Any]:
    """The mapping that a YAML file holds. Raises ScenarioError with the line of the first syntax error."""
    try:
        if len(re.findall(r"(?m)(?:^|[\s\[{,:-])\*\w", text)) > MAX_ALIASES:
            raise _Refused(message("scenario.yaml.aliases", limit=MAX_ALIASES))
        if _may_be_deep(text):
            _check_depth(text)
        value = yaml.load(text, Loader=Loader)
    except _Refused as error:
        raise ScenarioError([Problem(str(path), error.line, "", error.said)]) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ScenarioError([_unreadable(error, text, path)]) from error
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ScenarioError([Problem(str(path), 1, "", message("scenario.yaml.no-mapping"))])
    return value


def _unreadable(error: Exception, text: str, path: Path) -> Problem:
    """Where the YAML library gave up, and why in plain words."""
    if found := CONTROL.search(text):
        return Problem(str(path), text.count("\n", 0, found.start()) + 1, "", _control(found[0]))
    if not isinstance(error, yaml.MarkedYAMLError):
        return Problem(str(path), 0, "", message("scenario.yaml.unreadable", detail=str(error)))
    if _TOO_DEEP in str(error.problem) and error.problem_mark is not None:
        # libyaml stops by itself where it reads ahead of the events that are counted here.
        said = message("scenario.yaml.too-deep", limit=MAX_DEPTH)
        return Problem(str(path), error.problem_mark.line + 1, "", said)
    detail, mark = plain(error, text)
    if mark is None:
        return Problem(str(path), 0, "", message("scenario.yaml.unreadable", detail=detail))
    lines = text.splitlines()
    excerpt = lines[mark.line].strip()[:_EXCERPT] if mark.line < len(lines) else ""
    key = "unreadable-here" if excerpt else "unreadable-end"
    said = message(f"scenario.yaml.{key}", column=mark.column + 1, excerpt=excerpt, detail=detail)
    return Problem(str(path), mark.line + 1, "", said)


@lru_cache(maxsize=4)
def _composed(text: str) -> yaml.Node | None:
    """The nodes of a file, of which a check may ask the lines of many, one after the other."""
    node: yaml.Node | None = yaml.compose(text, Loader=Loader)
    return node


def line_of(text: str, where: Sequence[str | int]) -> int:
    """Line (from 1) of the value at a path of keys and indices; of the nearest enclosing one if there is none."""
    try:
        node = _composed(text)
    except yaml.YAMLError:
        return 0
    line = 1
    for step in where:
        found: yaml.Node | None = None
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if isinstance(key, yaml.ScalarNode) and key.value == str(step):
                    found, line = value, key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            found = node.value[step]
            line = found.start_mark.line + 1
        if found is None:
            return line
        node = found
    return line
