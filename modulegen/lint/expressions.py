"""Expressions of modules: whether they parse, which properties they name, how long BeanShell takes to read them.

An expression in braces is BeanShell (`VASSAL.script.expression.BeanShellExpression`); `$name$` in it is replaced
before it is read. One without is the old form `name = value && …` (`VASSAL.counters.PropertiesPieceFilter`), which
never fails.

BeanShell's grammar looks ahead for an assignment at the start of each expression, and reads a bracketed group or
a call's arguments once more for it: each such pair at the very start of what is inside another doubles the time.

The functions that an expression may call: those of VASSAL's script for expressions, and BeanShell's commands.

Source: `VASSAL/script/init_expression.bsh`. Methods of texts and of Java's classes (`Math.max`) follow a point and
are not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Any, Final

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.visitors import Transformer_NonRecursive

from ..vassal.encoding import remembered

MAX_TOKENS: Final = 50_000
MAX_DEPTH: Final = 150
"""Brackets within brackets that are followed; BeanShell itself would not live to see so many."""
_WORDS: Final = frozenset(["true", "false", "null", "this", "super", "int", "boolean", "else"])
_GRAMMAR: Final = r"""
    ?expression: chain | expression "?" expression ":" chain -> choice
    ?chain: operand ((_SIGN | _INFIX) operand | "instanceof" type)*
    ?operand: postfix | (_NOT | _SIGN | _STEP | _CAST)+ postfix -> alone
    ?postfix: primary (suffix | _STEP)*
    ?suffix: "." NAME -> alone | "." NAME arguments -> within | "[" expression "]" -> group
    ?primary: "(" expression ")" -> group
        | "new" type -> alone | "new" type arguments -> within
        | STRING | NUMBER -> alone
        | NAME -> name | NAME arguments -> call
        | NAME "." NAME -> alone | NAME "." NAME arguments -> within
    type: NAME ("." NAME)* -> alone
    arguments: "(" (expression ("," expression)*)? ")"
    // No expression holds these; without a rule they were no tokens.
    other: ASSIGN | STATEMENT

    ASSIGN.2: />>>=|<<=|>>=|[-+*\/%&|^]=|=(?![=~])/
    _CAST.2: /\(\s*(int|long|char|[fF]loat|[dD]ouble|[bB]oolean|String|Integer|Object)\s*\)(?=\s*([\w"'($]|\.\d))/
    _INFIX.1: />>>|==|!=|<=|>=|=~|!~|&&|\|\||<<|>>|[*\/%<>&|^]|@\w+/
    _STEP.1: "++" | "--"
    _SIGN: "+" | "-"
    _NOT: "!" | "~"
    STATEMENT.1: /[;{}]|(return|if|for|while|switch|try|import)(?![\w$])/
    STRING: /"(\\.|[^"\\\n])*"|'(\\u+[0-9a-fA-F]{4}|\\[0-7]{1,3}|\\.|[^'\\\n]|_x_)'/s
    NUMBER.1: /0[xX][0-9a-fA-F]+[lL]?|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[lLfFdD]?/
    NAME: /[^\W\d][\w$]*|\$[\w$]*/
    BLANK.3: /\s+|\/\/[^\n]*|\/\*.*?\*\//s
    %ignore BLANK
"""
"""What BeanShell takes for an expression, its operators in a chain whatever their rank."""
_DYNAMIC = re.compile(r"""\$([^$\s"'();=][^$"'();=\n]{0,200}?)\$""")
_IN_FORMAT = re.compile(r"\$([^$\s][^$\n]{0,200}?)\$")
_UNCLOSED = re.compile(r"\$(\w{2,80})[^$]*$")
_READS: Final = {"GetProperty": 0, "GetMapProperty": 0, "GetZoneProperty": 0, "GetString": 0}
_SUMS = re.compile(r"(?:Sum|Min|Max|Average)[A-Z]\w*")
_CHOOSING = re.compile(r"(?:Sum|Count|Min|Max|Average|Range)\w*")
"""Functions whose arguments may be expressions themselves, in braces within quotes."""
_PLACES: Final[dict[str, tuple[tuple[int, int, str], ...]]] = {
    "GetMapProperty": ((2, 1, "map"),),
    "GetZoneProperty": ((2, 1, "zone"), (3, 2, "map")),
    "Sum": ((3, 2, "map"),),
    "Count": ((2, 1, "map"),),
    "SumMap": ((3, 1, "map"),),
    "CountMap": ((3, 0, "map"),),
    "SumLocation": ((3, 2, "map"),),
    "CountLocation": ((3, 1, "map"),),
    "SumZone": ((3, 1, "zone"), (3, 2, "map")),
    "CountZone": ((3, 0, "zone"), (3, 1, "map")),
}
"""Function -> from how many arguments on, which of them (from 0) names a map or zone (`init_expression.bsh`)."""
_NAMED_BY: Final = {
    **dict.fromkeys(("CurrentMap", "OldMap"), "map"),
    **dict.fromkeys(("CurrentBoard", "OldBoard"), "board"),
    **dict.fromkeys(("CurrentZone", "OldZone"), "zone"),
    **dict.fromkeys(("DeckName", "OldDeckName"), "deck"),
    **dict.fromkeys(("PlayerSide", "playerSide"), "side"),
}
"""Properties of VASSAL's whose value is the name of a part of the module (`VASSAL.counters.BasicPiece`)."""
_COMPARES: Final = frozenset(("==", "!="))
_NOTHING: Final = frozenset(("", "null"))
_OPERATOR = re.compile(r"==|!=|<=|>=|&&|\|\||[A-Za-z]\w*\(")


_DEEPER: Final = {"LPAR": 1, "LSQB": 1, "QMARK": 1, "RPAR": -1, "RSQB": -1, "COLON": -1}
Part = str | int | tuple[int, int]
"""What is known of a part of an expression: a text that stands alone, or how often it doubles the time."""


class Bad(ValueError):
    """An expression that BeanShell would not read; the text says what stands there."""


@dataclass
class Reading:
    """What an expression says.

    `calls`: functions and how many arguments each is given; `fault`: what it stumbled over, None where it parses;
    `places`: maps, zones and the like that it names; `old`: one of the old form with `==`, unknown to it.
    `quoted`: one of the old form whose value stands in quotes, which belong to the value there.
    """

    names: set[str] = field(default_factory=set)
    calls: set[tuple[str, int]] = field(default_factory=set)
    doublings: int = 0
    fault: str | None = None
    dynamic: bool = False
    places: set[tuple[str, str]] = field(default_factory=set)
    old: bool = False
    quoted: bool = False


@cache
def _grammar() -> Lark:
    return Lark(_GRAMMAR, parser="lalr", lexer="basic", start=["expression", "other"])


def tokens(text: str) -> list[Token]:
    """The tokens of an expression without its braces; raises `Bad`."""
    try:
        lexed = _grammar().parse_interactive(text, "expression").lexer_thread.lex(None)
        found = list(islice(lexed, MAX_TOKENS + 1))
    except UnexpectedCharacters as error:
        raise Bad(text[error.pos_in_stream :][:20]) from error
    if len(found) > MAX_TOKENS:
        raise RecursionError
    return found


def _parse(found: list[Token], into: Reading) -> None:
    """Note what an expression says, also where it stumbles behind that."""
    parser, notes, depth = _grammar().parse_interactive(start="expression"), _Notes(into), 0
    fault: Exception | None = None
    try:
        for token in found:
            depth += _DEEPER.get(token.type, 0)
            if depth >= MAX_DEPTH:
                raise RecursionError
            parser.feed_token(token)
        into.doublings = _worth(notes.transform(parser.feed_token(Token("$END", ""))))
    except UnexpectedToken as error:
        fault = Bad(error.token)
        with suppress(UnexpectedToken):
            # What stands before an operator is complete.
            parser.feed_token(Token("_INFIX", ""))
    except RecursionError as error:
        fault = error
    for part in parser.parser_state.value_stack if fault else ():
        notes.transform(part)
    if fault:
        raise fault


def _pair(part: Part) -> tuple[int, int]:
    """How often the first operand of a part doubles the time, -1 without brackets; and the most of the others."""
    return part if isinstance(part, tuple) else (-1 if isinstance(part, str) else part, 0)


def _worth(part: Part) -> int:
    first, rest = _pair(part)
    return max(first + 1, rest)


class _Notes(Transformer_NonRecursive[Token, Any]):
    """Notes names and calls, and makes of each part the chain of doublings; a text alone stays as it is."""

    def __init__(self, into: Reading) -> None:
        super().__init__(visit_tokens=False)
        self.into = into

    def choice(self, parts: list[Part]) -> Part:
        # Behind the colon BeanShell does not look ahead.
        first, rest = _pair(parts[0])
        return first, max(rest, _worth(parts[1]), *_pair(parts[2]))

    def chain(self, parts: list[Part]) -> Part:
        first, *others = (_pair(part)[0] for part in parts)
        return first, max(0, *others)

    def postfix(self, parts: list[Part]) -> Part:
        return max(_pair(part)[0] for part in parts)

    def group(self, parts: list[Part]) -> Part:
        return _worth(parts[0])

    def alone(self, parts: list[Part]) -> Part:
        return -1

    def arguments(self, parts: list[Part]) -> list[Part]:
        return parts

    def within(self, parts: list[Any]) -> Part:
        return max(0, 0, *map(_worth, parts[-1]))

    def name(self, parts: list[Token]) -> Part:
        self.into.names |= {*map(str, parts)} - _WORDS
        return -1

    def call(self, parts: list[Any]) -> Part:
        """Note a function, properties, maps and zones that it names outright, and expressions given in quotes."""
        name, given = str(parts[0]), [part[1:-1] if isinstance(part, str) else None for part in parts[1]]
        if given and given[0] is not None and (name in _READS or _SUMS.fullmatch(name)):
            self.into.names.add(given[0])
        self.into.calls.add((name, len(given)))
        for count, index, kind in _PLACES.get(name, ()):
            if len(given) >= count and (text := given[index]):
                self.into.places.add((kind, text.replace('\\"', '"')))
        for text in given if _CHOOSING.fullmatch(name) else ():
            inner = text.replace('\\"', '"').strip() if text else ""
            if inner.startswith("{"):
                found = read(inner)
                self.into.names |= found.names
                self.into.calls |= found.calls
                self.into.places |= found.places
                if self.into.fault is None:
                    self.into.fault = found.fault
        return self.within(parts)


@remembered(1 << 23)
def read(text: str) -> Reading:
    """Read an expression as VASSAL stores it, with or without braces."""
    found = Reading()
    stripped = text.strip()
    if not (stripped.startswith("{") and stripped.endswith("}")) or len(stripped) < 2:
        _read_old(stripped, found)
        return found
    body = stripped[1:-1]
    found.dynamic = bool(_DYNAMIC.search(body))
    found.names |= set(_DYNAMIC.findall(body))
    try:
        parts = tokens(_DYNAMIC.sub("_x_", body))
        if any(token.type == "STATEMENT" for token in parts):
            _balanced(parts)
            return found
        if parts:
            _parse(parts, found)
            found.places |= set(_compared(parts))
    except RecursionError:
        found.doublings = MAX_DEPTH
    except Bad as error:
        found.fault = str(error) if found.fault is None else found.fault
    found.names.discard("_x_")
    if found.dynamic:
        found.names = {name for name in found.names if "_x_" not in name}
    return found


def _compared(parts: list[Token]) -> Iterator[tuple[str, str]]:
    """What a name of a part of the module is compared with, where that is a text that stands there."""
    for before, left, operator, right, after in zip(
        ["", *parts], parts, parts[1:], parts[2:], [*parts[3:], ""], strict=False
    ):
        if operator not in _COMPARES or not {".", "+"}.isdisjoint((before, after)):
            continue
        name, text = (right, left) if left.type == "STRING" else (left, right)
        value = text[1:-1].replace('\\"', '"')
        if name.type == "NAME" and text.type == "STRING" and name in _NAMED_BY and value not in _NOTHING:
            yield _NAMED_BY[name], value


def _balanced(parts: list[Token]) -> None:
    """Several statements are not parsed; their brackets must close all the same."""
    pairs, waiting = {")": "(", "]": "[", "}": "{"}, []
    for token in parts:
        if token in ("(", "[", "{"):
            waiting.append(token)
        elif token in pairs and (not waiting or waiting.pop() != pairs[token]):
            raise Bad(token)
    if waiting:
        raise Bad("")


def _read_old(text: str, found: Reading) -> None:
    """The names left of the comparisons of an old expression."""
    if text.startswith("{"):
        found.fault = ""
        return
    found.names |= set(_DYNAMIC.findall(text))
    found.old = "==" in text
    for part in re.split(r"&&|\|\|", text):
        name = re.split(r"!=|<=|>=|>|<|=~|=|!~", part, maxsplit=1)
        if len(name) == 2 and "$" not in name[0] and name[0].strip():
            found.names.add(name[0].strip())
            kind, value = _NAMED_BY.get(name[0].strip()), name[1].strip()
            found.quoted = found.quoted or (value[:1] == value[-1:] == '"' and len(value) > 1 and not found.old)
            if kind and value not in _NOTHING and "=~" not in part and "!~" not in part and "==" not in part:
                found.places.add((kind, value))


def looks_computed(text: str) -> bool:
    """Whether a text that is taken as it stands was most likely meant as an expression, its braces forgotten."""
    return not text.strip().startswith("{") and _OPERATOR.search(text) is not None


def unclosed(text: str) -> str:
    """The name behind a last `$` of a message format that no other closes; "" where there is none."""
    found = _UNCLOSED.search(text) if text.count("$") % 2 and not text.strip().startswith("{") else None
    return found[1] if found else ""


def in_format(text: str) -> Reading:
    """What a message format names: `$name$`, or an expression in braces."""
    stripped = text.strip()
    if stripped.startswith("{") and stripped.endswith("}"):
        return read(stripped)
    return Reading(names=set(_IN_FORMAT.findall(text)))


_ARGUMENTS: Final = """
Alert 1 2, Audit 1 2 3, Count 1 2, CountAttach 2 3, CountLocation 0 1 2 3 4, CountMap 0 1 2 3, CountMat 0 1 2,
CountRange 2 3 4, CountRangePx 2 3 4, CountStack 0 1 2, CountZone 0 1 2 3 4, GetAttachProperty 2 3,
GetLocalizedProperty 1, GetMapProperty 2, GetProperty 1, GetString 1, GetZoneProperty 2 3, If 3, IsRandom 0 1,
MaxAttach 2, MinAttach 2, Random 1 2, Range 1 2 4 5, RangePx 1 2 4 5, Sleep 1, Sum 2 3, SumAttach 2 3,
SumLocation 1 2 3 4, SumMap 1 2 3, SumMat 1 2, SumRange 3 4, SumRangePx 3 4, SumStack 1 2, SumZone 1 2 3 4,
booleanValue 1, unwrap 1
"""
ARGUMENTS: Final = {
    name: frozenset(map(int, counts))
    for name, *counts in (entry.split() for entry in _ARGUMENTS.replace("\n", " ").split(","))
}
"""Function -> how many arguments it can have."""

_COMMANDS: Final = "clear debug error eval exec exit getClass load object print run save set source unset"
COMMANDS: Final = frozenset(_COMMANDS.split())
"""Commands of BeanShell itself that do not ask for a window; any number of arguments."""
