"""What becomes of units, told with their side: `German loss: I/983`, `Baixa alemã: 984-1`; steps as `953 -1`."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.headers import FATES
from hexforge.validator.readers.notation.lexer import LogicalLine, Token, in_place
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phrases import order, spoken

_LOSE: Final = base.WORDS[st.Lose][0]
_LEAST: Final = 3
_PARTS: Final = ("attacker", "defender")


def without_side(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """The line without the side before or behind its first word, where all units that it names are of that side."""
    if len(tokens) < _LEAST:
        return tokens
    first, second = tokens[:2]
    if first.key in declared or second.key in declared:
        return tokens
    if words.meaning("sides", first.key) and words.meaning("statements", second.key) in FATES:
        side, rest = words.meaning("sides", first.key), tokens[1:]
    elif words.meaning("sides", second.key) and words.meaning("statements", first.key) in FATES:
        side, rest = words.meaning("sides", second.key), (first, *tokens[2:])
    elif words.meaning("subjects", first.key) in _PARTS and words.meaning("statements", second.key) in FATES:
        rest = tokens[1:]
        named = {words.side(words.one(t.key)) for t in rest if order.names_unit(t, words, declared)}
        return rest if len(named) == 1 and "" not in named else tokens  # `Defender loss: u1`
    else:
        return tokens
    named = {words.side(words.one(t.key)) for t in rest if order.names_unit(t, words, declared)}
    return rest if named == {side} else tokens


def reduced(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """`953 -1` and `953, 2gcav -1` as losses of a step each; itself for any other line."""
    if len(tokens) < _LEAST - 1 or tokens[-1].text != "-1" or tokens[-1].kind != "word":
        return tokens
    *units, _ = tokens
    last = units[-1].key
    other = f"{words.one(last).rpartition('-')[0]}-1"
    if other in words.units and not last.endswith("-1"):
        return tokens  # `983-2 -1`: the first of them as well, perhaps
    if not all(order.names_unit(t, words, declared) for t in units):
        return tokens
    return (in_place(tokens[0], "statements", _LOSE, words), *units)


def supported(line: LogicalLine, words: Vocabulary, declared: Container[str], attacking: str) -> LogicalLine:
    """`German support: u1` without the side, where its guns alone are named: of a side that does not attack, they
    fire for the defence.
    """
    if line.too_long or not attacking or len(line.tokens) < _LEAST:
        return line
    first, second, *rest = line.tokens
    told, side = (first, second) if words.meaning("sides", second.key) else (second, first)
    whose, support = words.meaning("sides", side.key), base.WORDS[st.Support][0]
    if not whose or words.meaning("statements", told.key) != support or side.key in declared:
        return line
    named = spoken.with_units(tuple(rest), words, declared)
    if {words.side(words.one(t.key)) for t in named if order.names_unit(t, words, declared)} != {whose}:
        return line
    word = support if whose == attacking else base.WORDS[st.Guard][0]
    return line.of((in_place(first, "statements", word, words), *rest))


def within(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """`26th Div: 101 0520>0621` without the formation before its colon, where the units behind it are of that."""
    at = next((i for i, t in enumerate(tokens) if t.text == ":" and t.kind == "mark"), 0)
    if not 1 < at <= _LEAST or at == len(tokens) - 1 or not words.counters:
        return tokens
    label, rest = tokens[:at], tokens[at + 1 :]
    numbers = [figures for t in label if (figures := words.figures(t.key)).isdigit()]
    named = [t for t in label if _is_big(t, words)]
    if len(numbers) != 1 or len(named) != at - 1 or any(t.key in declared for t in label):
        return tokens
    units = {unit for t in rest if not words.is_hex(t.text) and (unit := words.one(t.key) or words.numbered(t.key))}
    of = all(numbers[0] in words.counters[unit].division.split() for unit in units if unit in words.counters)
    return rest if units and of else tokens


def _is_big(token: Token, words: Vocabulary) -> bool:
    """Whether a word says that a formation is named, or of what kind it is: `Div`, `DI`, `VG`."""
    said = words.meaning("words", token.key) == "division" or words.calls.names(token.key.strip("."))
    return token.kind == "word" and bool(said)


def without_attacked(line: LogicalLine, words: Vocabulary, declared: Container[str], side: str) -> LogicalLine:
    """The line without those whom brackets behind a hex name as standing there: `1007 (983-1, 983-2)`.

    `side` attacks, and who stands there is of another one.
    """
    if line.too_long or not side or not line.tokens:
        return line
    text = line.texts[line.tokens[0].line - 1]
    kept = line.tokens
    for match in _BRACKETS.finditer(text):
        inside = tuple(t for t in kept if t.line == line.tokens[0].line and match.start() < t.column <= match.end())
        before = [t for t in kept if t.line == line.tokens[0].line and t.column <= match.start()]
        if not inside or not before or not words.is_hex(before[-1].text):
            continue
        named = spoken.with_units(inside, words, declared)
        units = [t for t in named if order.names_unit(t, words, declared)]
        joints = all(t in units or t.text in ("+", "&", "/") or words.meaning("fillers", t.key) for t in named)
        if units and joints and {words.side(words.one(t.key)) for t in units}.isdisjoint((side, "")):
            kept = tuple(t for t in kept if t not in inside)
    return line.of(kept) if kept else line


def without_faced(line: LogicalLine, words: Vocabulary, declared: Container[str], side: str) -> LogicalLine:
    """The line without those against whom others attack: `0314: 317, 318 against 126`. `side` attacks.

    They stand in the hex that is attacked, or the line would have them attack themselves.
    """
    tokens = line.tokens
    at = next((i for i, t in enumerate(tokens) if i and words.meaning("words", t.key) == "against"), 0)
    if line.too_long or not side or not at or tokens[at].kind != "word":
        return line
    told = any(words.is_hex(t.text) for t in tokens[:at])
    if words.side(_called(tokens[at - 1], words, told=told)) != side:
        return line
    end = at + 1
    while end < len(tokens):
        joined = tokens[end].text in ("+", "&") or words.meaning("fillers", tokens[end].key) == "and"
        if not joined and words.side(_called(tokens[end], words, told=told)) in (side, ""):
            break
        end += 1
    return line.of((*tokens[:at], *tokens[end:])) if end > at + 1 else line


def _called(token: Token, words: Vocabulary, *, told: bool) -> str:
    """The one unit that a word names, if only by its number; "" for none and several.

    `told`: the hex that is attacked, so that a number which may be another's is a unit's.
    """
    on_map = words.is_hex(token.text) and (words.grid is None or token.text in words.grid)
    if token.kind != "word" or (on_map and not told):
        return ""
    key = token.key.rstrip(".")
    named = replace(token, key=key)
    return words.one(named.key) or words.numbered(key)


_BRACKETS: Final = re.compile(r"\([^()]*\)")
