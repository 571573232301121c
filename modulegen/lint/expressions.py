"""Expressions of modules: whether they parse, which properties they name, how long BeanShell takes to read them.

An expression in braces is BeanShell (`VASSAL.script.expression.BeanShellExpression`); `$name$` in it is replaced
before it is read. One without is the old form `name = value && …` (`VASSAL.counters.PropertiesPieceFilter`), which
never fails.

BeanShell's grammar looks ahead for an assignment at the start of each expression, and reads a bracketed group or
a call's arguments once more for it: each such pair at the very start of what is inside another doubles the time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from hexforge.modulegen.vassal.remembered import remembered

MAX_TOKENS: Final = 50_000
MAX_DEPTH: Final = 150
"""Brackets within brackets that are followed; BeanShell itself would not live to see so many."""
_TOKEN = re.compile(
    r"""\s+|//[^\n]*|/\*.*?\*/
    |(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\u+[0-9a-fA-F]{4}|\\[0-7]{1,3}|\\.|[^'\\\n]|_x_)')
    |(?P<number>0[xX][0-9a-fA-F]+[lL]?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[lLfFdD]?)
    |(?P<name>[^\W\d][\w$]*|\$[\w$]*)
    |(?P<op>@\w+|>>>=|<<=|>>=|>>>|==|!=|<=|>=|=~|!~|&&|\|\||\+\+|--|<<|>>|[-+*/%&|^]=|[-+*/%&|^!~<>=?:.,()\[\];{}])
    """,
    re.X | re.S,
)
_PREFIX: Final = frozenset(("+", "-", "!", "~", "++", "--"))
_INFIX: Final = frozenset(
    [
        "+",
        "-",
        "*",
        "/",
        "%",
        "==",
        "!=",
        "<",
        ">",
        "<=",
        ">=",
        "&&",
        "||",
        "&",
        "|",
        "^",
        "<<",
        ">>",
        ">>>",
        "=~",
        "!~",
        "instanceof",
    ]
)
_ASSIGN: Final = frozenset(["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>="])
_WORDS: Final = frozenset(
    [
        "true",
        "false",
        "null",
        "this",
        "super",
        "new",
        "instanceof",
        "return",
        "if",
        "else",
        "for",
        "while",
        "int",
        "boolean",
    ]
)
_STATEMENT: Final = frozenset(("return", "if", "for", "while", "switch", "try", "import"))
_TYPES: Final = frozenset(
    [
        "int",
        "long",
        "float",
        "double",
        "boolean",
        "String",
        "Integer",
        "Float",
        "Double",
        "Boolean",
        "char",
        "Object",
    ]
)
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
_NOTHING: Final = frozenset(("", "null"))
_OPERATOR = re.compile(r"==|!=|<=|>=|&&|\|\||[A-Za-z]\w*\(")


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


def tokens(text: str) -> list[tuple[str, str]]:
    """Kind and text of each token; raises `Bad`."""
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise Bad(text[at : at + 20])
        if len(found) > MAX_TOKENS:
            raise RecursionError
        if match.lastgroup:
            found.append((match.lastgroup, match[0]))
        at = match.end()
    return found


class _Parser:
    """Recursive descent over BeanShell's expressions; notes names and the chain of doublings."""

    def __init__(self, found: list[tuple[str, str]], into: Reading) -> None:
        self.found, self.at, self.depth, self.into = found, 0, 0, into
        self.given: list[str | None] = []

    def peek(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.found[place][1] if place < len(self.found) else ""

    def kind(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.found[place][0] if place < len(self.found) else ""

    def take(self, wanted: str = "") -> str:
        token = self.peek()
        if not token or (wanted and token != wanted):
            raise Bad(token)
        self.at += 1
        return token

    def expression(self) -> int:
        """One expression; how often its first part doubles the time."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise RecursionError
        first, rest = self.chain()
        while self.peek() == "?":
            self.take()
            rest = max(rest, self.expression())
            self.take(":")
            # Behind the colon BeanShell does not look ahead.
            rest = max(rest, *self.chain())
        if self.peek() in _ASSIGN:
            # BeanShell would set a variable of that name; VASSAL's editor refuses it, where two = were meant.
            raise Bad(self.peek())
        self.depth -= 1
        return max(first + 1 if first >= 0 else 0, rest)

    def chain(self) -> tuple[int, int]:
        """Operands with operators between: what the first holds, and the others."""
        first, rest = self.operand(), 0
        while self.peek() in _INFIX or self.peek().startswith("@"):
            if self.take() == "instanceof":
                self._type()
                continue
            rest = max(rest, self.operand())
        return first, rest

    def _type(self) -> None:
        while self.kind() == "name" or self.peek() == ".":
            self.take()

    def operand(self) -> int:
        """A part between operators: -1 without brackets, else what its brackets hold."""
        prefixed = False
        while self.peek() in _PREFIX:
            self.take()
            prefixed = True
        if self.peek() == "(" and self._is_cast():
            self.at += 3
            self.operand()
            return -1
        found = self.primary()
        while True:
            if self.peek() == ".":
                self.take()
                if self.kind() != "name":
                    raise Bad(self.peek())
                self.take()
                if self.peek() == "(":
                    found = max(found, self.arguments())
            elif self.peek() == "[":
                self.take()
                found = max(found, self.expression())
                self.take("]")
            elif self.peek() in ("++", "--"):
                self.take()
            else:
                return -1 if prefixed else found

    def _is_cast(self) -> bool:
        inner, after = self.peek(1), self.kind(3)
        if self.kind(1) != "name" or self.peek(2) != ")":
            return False
        return inner in _TYPES and (after in ("name", "string", "number") or self.peek(3) == "(")

    def primary(self) -> int:
        kind, token = self.kind(), self.peek()
        if token == "(":
            self.take()
            inside = self.expression()
            self.take(")")
            return inside
        if token == "new":
            self.take()
            self._type()
            return self.arguments() if self.peek() == "(" else -1
        if kind not in ("string", "number", "name"):
            raise Bad(token)
        self.take()
        if kind == "name":
            if self.peek() == "(":
                self._note_call(token)
                inside = self.arguments()
                self.into.calls.add((token, len(self.given)))
                self._note_texts(token, self.given)
                return inside
            if token not in _WORDS and self.peek() != ".":
                self.into.names.add(token)
        elif kind == "string" and self.kind() == "string":
            raise Bad(self.peek())
        return -1

    def arguments(self) -> int:
        self.take("(")
        inside = 0
        given: list[str | None] = []
        while self.peek() != ")":
            alone = self.kind() == "string" and self.peek(1) in (")", ",")
            given.append(self.peek()[1:-1] if alone else None)
            inside = max(inside, self.expression())
            if self.peek() != ")":
                self.take(",")
                if self.peek() == ")":
                    raise Bad(")")
        self.take(")")
        self.given = given
        return inside

    def _note_texts(self, name: str, given: list[str | None]) -> None:
        """Maps and zones that a call names outright, and expressions that it is given in quotes."""
        for count, index, kind in _PLACES.get(name, ()):
            if len(given) >= count and (text := given[index]):
                self.into.places.add((kind, text.replace('\\"', '"')))
        for text in given if _CHOOSING.fullmatch(name) else ():
            inner = text.replace('\\"', '"').strip() if text else ""
            if inner.startswith("{") and self.depth < MAX_DEPTH // 10:
                found = read(inner)
                self.into.names |= found.names
                self.into.calls |= found.calls
                self.into.places |= found.places
                if found.fault is not None:
                    raise Bad(found.fault)

    def _note_call(self, name: str) -> None:
        """Functions whose argument is the name of a property, if it stands there alone."""
        alone = self.kind(1) == "string" and self.peek(2) in (")", ",")
        if alone and (name in _READS or _SUMS.fullmatch(name)):
            self.into.names.add(self.peek(1)[1:-1])


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
        if any(token in (";", "{", "}") or token in _STATEMENT for _, token in parts):
            _balanced(parts)
            return found
        parser = _Parser(parts, found)
        if parts:
            found.doublings = parser.expression()
            found.places |= set(_compared(parts))
        if parser.at < len(parts):
            raise Bad(parser.peek())
    except RecursionError:
        found.doublings = MAX_DEPTH
    except Bad as error:
        found.fault = str(error) or ""
    found.names.discard("_x_")
    if found.dynamic:
        found.names = {name for name in found.names if "_x_" not in name}
    return found


def _compared(parts: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """What a name of a part of the module is compared with, where that is a text that stands there."""
    for index in range(len(parts) - 2):
        (kind, left), (_, operator), (other, right) = parts[index : index + 3]
        before = parts[index - 1][1] if index else ""
        after = parts[index + 3][1] if index + 3 < len(parts) else ""
        if operator not in ("==", "!=") or "." in (before, after) or "+" in (before, after):
            continue
        if (kind, other) == ("string", "name"):
            left, right = right, left
        elif (kind, other) != ("name", "string"):
            continue
        value = right[1:-1].replace('\\"', '"')
        if left in _NAMED_BY and value not in _NOTHING:
            yield _NAMED_BY[left], value


def _balanced(parts: list[tuple[str, str]]) -> None:
    """Several statements are not parsed; their brackets must close all the same."""
    pairs, waiting = {")": "(", "]": "[", "}": "{"}, []
    for _, token in parts:
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
