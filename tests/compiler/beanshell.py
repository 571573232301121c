"""VASSAL's expressions: the part of BeanShell that modules made here use, read by its grammar and worked out.

What it means is taken from the engine (`tests/witness/test_built_combats.py` holds both together). Properties are
texts; one that is all digits is a number unless a method of texts is called on its name, and `true` and `false` are
truths. Whole numbers divide without a rest; a text and a number are the same where they are written alike.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

Value = Any
Lookup = Callable[[str], str]
Run = Callable[[Mapping[str, Value]], Value]
TOKEN = re.compile(r'\s*("[^"\\]*"|\d+|[A-Za-z_]\w*|&&|\|\||==|!=|<=|>=|[-+*/%<>!?:().,\[\]])')
TEXT_METHODS = frozenset(
    ("contains", "equals", "isEmpty", "length", "replace", "replaceAll", "startsWith", "substring", "trim")
)
MOST_NESTED = 4
"""Parentheses within each other: each pair doubles the time of VASSAL's parser."""
LOOKUP = "?"
"""Where the look-up of properties by names that are worked out stands among the values."""
_KEYWORDS = frozenset(("true", "false"))


@dataclass
class Expression:
    """A parsed expression, with the properties that it names and how deep its parentheses go."""

    run: Callable[[Mapping[str, Value]], Value]
    names: tuple[str, ...]
    texts: frozenset[str]
    depth: int

    def __call__(self, lookup: Lookup) -> str:
        """What VASSAL would make of it, as text."""
        values: dict[str, Value] = {LOOKUP: lookup}
        values |= {name: lookup(name) if name in self.texts else typed(lookup(name)) for name in self.names}
        return written(self.run(values))


def typed(text: str) -> Value:
    """A property's value as the engine binds it."""
    if text in _KEYWORDS:
        return text == "true"
    return int(text) if re.fullmatch(r"[+-]?\d{1,9}", text) else text


def written(value: Value) -> str:
    """A value as text."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def parse(text: str) -> Expression:
    """An expression without its braces. Raises ValueError for what VASSAL's parser would refuse."""
    parser = _Parser(text)
    run = parser.choice()
    if parser.here < len(parser.tokens):
        raise ValueError(f"left over: {parser.tokens[parser.here :][:5]}")
    return Expression(run, tuple(parser.names), frozenset(parser.texts), parser.deepest)


@dataclass
class _Parser:
    text: str
    here: int = 0
    depth: int = 0
    deepest: int = 0
    names: dict[str, None] = field(default_factory=dict)
    texts: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.tokens: list[str] = []
        at = 0
        while at < len(self.text.rstrip()):
            found = TOKEN.match(self.text, at)
            if found is None:
                raise ValueError(f"no token: {self.text[at : at + 20]!r}")
            self.tokens.append(found[1])
            at = found.end()

    def peek(self, *wanted: str) -> bool:
        return self.here < len(self.tokens) and self.tokens[self.here] in wanted

    def take(self, *wanted: str) -> str:
        if self.here >= len(self.tokens) or (wanted and not self.peek(*wanted)):
            raise ValueError(f"expected {wanted}, found {self.tokens[self.here : self.here + 5]}")
        self.here += 1
        return self.tokens[self.here - 1]

    def choice(self) -> Run:
        condition = self.either()
        if not self.peek("?"):
            return condition
        self.take("?")
        then = self.choice()
        self.take(":")
        otherwise = self.choice()
        return lambda v: then(v) if _truth(condition(v)) else otherwise(v)

    def either(self) -> Run:
        found = self.both()
        while self.peek("||"):
            self.take()
            found = _either(found, self.both())
        return found

    def both(self) -> Run:
        found = self.compared()
        while self.peek("&&"):
            self.take()
            found = _both(found, self.compared())
        return found

    def compared(self) -> Run:
        return self.chain(self.summed, "==", "!=", "<", "<=", ">", ">=")

    def summed(self) -> Run:
        return self.chain(self.multiplied, "+", "-")

    def multiplied(self) -> Run:
        return self.chain(self.signed, "*", "/", "%")

    def chain(self, below: Callable[[], Run], *signs: str) -> Run:
        found = below()
        while self.peek(*signs):
            sign = OPERATORS[self.take()]
            found = _applied(sign, found, below())
        return found

    def signed(self) -> Run:
        if self.peek("!"):
            self.take()
            below = self.signed()
            return lambda v: not _truth(below(v))
        if self.peek("-"):
            self.take()
            below = self.signed()
            return lambda v: -below(v)
        return self.primary()

    def primary(self) -> Run:
        token = self.take()
        if token == "(":
            found = self.within()
            if self.peek("."):
                raise ValueError("BeanShell knows no method of parentheses")
            return found
        if token.startswith('"'):
            return self.suffixes(_constant(token[1:-1]))
        if token.isdecimal():
            return _constant(int(token))
        if not re.fullmatch(r"[A-Za-z_]\w*", token):
            raise ValueError(f"{token!r} begins nothing")
        if token in _KEYWORDS:
            return _constant(token == "true")
        if token == "GetProperty":
            (name,) = self.arguments()
            return lambda v: typed(v[LOOKUP](name(v)))
        if token in COUNTS:
            parts = self.arguments()
            return lambda v: typed(v[LOOKUP](f"{token}({', '.join(written(part(v)) for part in parts)})"))
        if token in ("Integer", "Math"):
            return self.function(token)
        self.names[token] = None
        if self.peek("."):
            if self.tokens[self.here + 1] not in TEXT_METHODS:
                raise ValueError(f"VASSAL has no {self.tokens[self.here + 1]!r} of a property")
            self.texts.add(token)
        return self.suffixes(_property(token))

    def function(self, owner: str) -> Run:
        self.take(".")
        function = FUNCTIONS[owner, self.take()]
        return _applied(function, *self.arguments())

    def within(self) -> Run:
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        found = self.choice()
        self.take(")")
        self.depth -= 1
        return found

    def arguments(self) -> list[Run]:
        self.take("(")
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        found = []
        while not self.peek(")"):
            found.append(self.choice())
            if self.peek(","):
                self.take()
        self.take(")")
        self.depth -= 1
        return found

    def suffixes(self, found: Run) -> Run:
        while self.peek(".", "["):
            if self.take() == "[":
                index = self.choice()
                self.take("]")
                found = _applied(operator.getitem, found, index)
                continue
            method = METHODS[self.take()]
            found = _applied(method, found, *self.arguments())
        return found


def _constant(value: Value) -> Run:
    return lambda v: value


def _property(name: str) -> Run:
    return lambda v: v[name]


def _either(a: Run, b: Run) -> Run:
    return lambda v: _truth(a(v)) or _truth(b(v))


def _both(a: Run, b: Run) -> Run:
    return lambda v: _truth(a(v)) and _truth(b(v))


def _applied(function: Callable[..., Value], *parts: Run) -> Run:
    return lambda v: function(*[part(v) for part in parts])


def _truth(value: Value) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is no truth")
    return value


def _plus(a: Value, b: Value) -> Value:
    return a + b if _numbers(a, b) else written(a) + written(b)


def _numbers(*values: Value) -> bool:
    return all(isinstance(v, int) and not isinstance(v, bool) for v in values)


def _number(function: Callable[[int, int], Value]) -> Callable[[Value, Value], Value]:
    def checked(a: Value, b: Value) -> Value:
        if not _numbers(a, b):
            raise TypeError(f"{a!r} and {b!r} are no two numbers")
        return function(a, b)

    return checked


def _order(function: Callable[[int, int], bool]) -> Callable[[Value, Value], bool]:
    return lambda a, b: function(a, b) if a not in ("",) and b not in ("",) else False


def _divided(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


OPERATORS: dict[str, Callable[[Value, Value], Value]] = {
    "+": _plus,
    "-": _number(lambda a, b: a - b),
    "*": _number(lambda a, b: a * b),
    "/": _number(_divided),
    "%": _number(lambda a, b: a - b * _divided(a, b)),
    "==": lambda a, b: written(a) == written(b),
    "!=": lambda a, b: written(a) != written(b),
    "<": _order(_number(lambda a, b: a < b)),
    "<=": _order(_number(lambda a, b: a <= b)),
    ">": _order(_number(lambda a, b: a > b)),
    ">=": _order(_number(lambda a, b: a >= b)),
}


def _text(value: Value) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text, and has no methods")
    return value


def _substring(text: Value, start: int, end: int | None = None) -> str:
    end = len(_text(text)) if end is None else end
    if not 0 <= start <= end <= len(text):
        raise IndexError(f"{start} to {end} of {text!r}")
    return str(text[start:end])


METHODS: dict[str, Callable[..., Value]] = {
    "concat": lambda t, other: _text(t) + _text(other),
    "contains": lambda t, part: _text(part) in _text(t),
    "equals": lambda t, other: _text(t) == other,
    "indexOf": lambda t, part: _text(t).find(part),
    "isEmpty": lambda t: not _text(t),
    "length": lambda t: len(_text(t)),
    "replace": lambda t, old, new: _text(t).replace(_text(old), new),
    "replaceAll": lambda t, old, new: re.sub(old, re.sub(r"\$(\d)", r"\\\1", new), _text(t)),
    "split": lambda t, by: re.split(by, _text(t)),
    "startsWith": lambda t, part: _text(t).startswith(part),
    "substring": _substring,
    "trim": lambda t: _text(t).strip(),
}
COUNTS = ("Count", "CountStack", "SumStack")
"""What VASSAL counts among the pieces of a map or a stack: asked of the lookup by its whole text."""
FUNCTIONS: dict[tuple[str, str], Callable[..., Value]] = {
    ("Integer", "parseInt"): lambda t: int(_text(t)),
    ("Math", "abs"): abs,
    ("Math", "max"): max,
    ("Math", "min"): min,
}
