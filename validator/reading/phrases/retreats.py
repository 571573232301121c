"""Retreats of which it is said who goes by the part in the combat: `the defender retreats to 1107`, `ambos recuam`.

The words for whom are declared under `subjects` in `art/words/notation.LANGUAGE.yaml`; a side says it as well.

What verbs of motion mean behind a combat's result: into its hex they are the advance, out of it the retreat.

`the 104th and 328th move into 0721`, `o 112 entra em 1007`; `983-1 goes to 1107`. Only whose side is known, and who
therefore attacks or defends, is taken so.

What becomes of units, told with their side: `German loss: I/983`, `Baixa alemã: 984-1`; steps as `953 -1`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from ...notation import base, statements
from ...notation.cursor import LogicalLine, Token, ended, in_place
from ...notation.words import Vocabulary
from ..phases import FATES
from . import naming, order, spoken
from .numbers import from_first
from .spoken import phrased, with_units

_RETREAT: Final = base.WORDS[statements.Retreat][0]
_EMPTY: Final = ("fillers", "beside-turns", "lead-ins", "adverbs")
_JOINTS: Final = (":", ",", "(", ")", "/")
_ONE: Final = "1"


def fled(
    line: LogicalLine, words: Vocabulary, declared: Container[str], attacking: str, *, alone: bool = False
) -> LogicalLine:
    """The line as the retreat of a side, or of `both` or `all`, if it says that and nothing else.

    `attacking`: the side that attacks, "" where nobody knows. `alone`: the result of the combat is told, and nobody
    is named beside a retreat, so that `retreat to 1107` is of all whom the result drives back.
    """
    if line.too_long or not line.tokens:
        return line
    tokens = from_first(phrased(ended(line.tokens, declared), words), words)
    told = [i for i, t in enumerate(tokens) if words.meaning("statements", t.key) == _RETREAT]
    if len(told) != 1 or any(naming.names_unit(t, words, declared) for t in tokens):
        return line
    if any(words.meaning("words", a.key) == "by" and words.meaning("roles", b.key) for a, b in pairwise(tokens)):
        return line  # `retreat u1: 1107 by attacker`, who led it
    who = [t for t in tokens if t.key not in declared and _subject(t, words, attacking)]
    way = [t for t in tokens if words.hexes_of(t.text) or t.text == "->"]
    rest = [t for i, t in enumerate(tokens) if i not in told and t not in who and t not in way]
    subjects = {_subject(t, words, attacking) for t in who}
    subjects -= {"all"} if len(subjects) > 1 else set()  # `all attackers`
    if alone and not who and told == [0]:
        who, subjects = [tokens[0]], {"all"}
    if len(subjects) != 1 or not any(t.text != "->" for t in way) or not _says_nothing(rest, words):
        return line
    subject = in_place(who[0], "subjects", subjects.pop(), words)
    colon = Token("mark", ":", ":", way[0].line, way[0].column)
    return line.of((tokens[told[0]], subject, colon, *_way(way)))


def lacks_hex(line: LogicalLine, words: Vocabulary, declared: Container[str], attacking: str) -> bool:
    """Whether a line says of a side, or of all, that they retreat, and not where to: `todos recuam 1 hex`."""
    if line.too_long or not line.tokens:
        return False
    tokens = phrased(ended(line.tokens, declared), words)
    told = [t for t in tokens if words.meaning("statements", t.key) == _RETREAT]
    who = [t for t in tokens if t.key not in declared and _subject(t, words, attacking)]
    if len(told) != 1 or not who or any(naming.names_unit(t, words, declared) for t in tokens):
        return False
    return _says_nothing([t for t in tokens if t not in told and t not in who], words)


def names_nobody(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> bool:
    """Whether a line names no unit, no part in the combat that units have, and nothing else that becomes of any."""
    tokens = phrased(with_units(line.tokens, words, declared), words)
    fates = [t for t in tokens if t.kind == "word" and words.meaning("statements", t.key) in FATES]
    return len(fates) <= 1 and not any(
        naming.names_unit(t, words, declared) or _subject(t, words, "-") for t in tokens
    )


def _subject(token: Token, words: Vocabulary, attacking: str) -> str:
    """Whom a word means of those who fight; "" for none."""
    side = words.meaning("sides", token.key) if token.kind == "word" and attacking else None
    if side is not None:
        return "attacker" if side == attacking else "defender"
    return (words.meaning("subjects", token.key) or "") if token.kind == "word" else ""


def _way(tokens: Sequence[Token]) -> Iterator[Token]:
    """Hexes, with the arrows between them."""
    begun = False
    for token in tokens:
        if begun or token.text != "->":
            yield token
        begun = True


def _says_nothing(tokens: Sequence[Token], words: Vocabulary) -> bool:
    """Whether words stand beside a subject, a retreat and a way and say no more: `units`, `the`, `1 hex`."""
    for i, token in enumerate(tokens):
        following = tokens[i + 1].key if i + 1 < len(tokens) else ""
        counts = _ONE in (token.text, words.meaning("numbers", token.key))
        if counts and words.meaning("besides", following) == "hexes":
            continue
        unit = (
            words.meaning("statements", token.key) == "unit" or words.meaning("besides", token.key) == "battalion"
        )
        small = "to" in (words.meaning("words", token.key), words.meaning("slashed", token.key))
        small = small or words.meaning("words", token.key) in ("from", "by")
        empty = any(words.meaning(section, token.key) for section in _EMPTY)
        if token.kind == "word" and not (unit or small or empty):
            return False
        if token.kind != "word" and token.text not in _JOINTS:
            return False
    return True


_MOTION: Final = frozenset(base.WORDS[cls][0] for cls in (statements.Move, statements.Enter))
WITH_WAYS: Final = (statements.Move, statements.Enter, statements.Exit, statements.RailMove)
"""Statements of play that say where units go."""


@dataclass(frozen=True, slots=True)
class Fought:
    """A combat that is open: the hexes that are attacked, the side that does so, whether its result is told.

    `resolving`: the line at hand tells it.
    """

    targets: frozenset[str]
    side: str
    resolved: bool = True
    resolving: bool = False


def pursued(line: LogicalLine, words: Vocabulary, declared: Container[str], fought: Fought | None) -> LogicalLine:
    """The line as an advance or a retreat, if its units move into the hexes of a combat or out of them."""
    if fought is None or line.too_long or not line.tokens or line.tokens[0].kind != "word":
        return line
    tokens = phrased(ended(line.tokens, declared), words)
    told = order.told_first(tokens, words, declared)
    if words.meaning("statements", told[0].key) == base.WORDS[statements.Advance][0]:
        known = fought.resolved or fought.resolving
        return _onward(line, told, words, declared, fought) if known else line
    if not fought.resolved:
        return line  # `112-1 moves into 1007` may tell the attack
    if words.meaning("statements", told[0].key) not in _MOTION:
        told = order.moved_first(tokens, words, declared)
    if len(told) < 2 or words.meaning("statements", told[0].key) not in _MOTION:
        return line
    sides = {words.side(words.one(t.key)) for t in told[1:] if naming.names_unit(t, words, declared)}
    hexes = [hex_ for t in told[1:] for hex_ in words.hexes_of(t.text)]
    if len(sides) != 1 or "" in sides or not hexes:
        return line
    attacks, into = fought.side in sides, hexes[-1] in fought.targets
    if attacks != into or (not attacks and not fought.targets.isdisjoint(hexes[1:])):
        return line
    word = base.WORDS[statements.Advance if attacks else statements.Retreat][0]
    return line.of((in_place(told[0], "statements", word, words), *told[1:]))


def _onward(
    line: LogicalLine, told: tuple[Token, ...], words: Vocabulary, declared: Container[str], fought: Fought
) -> LogicalLine:
    """`112-2 and 112-3 advance`, which says no hex, as an advance into the one that was attacked."""
    units = [t for t in told[1:] if naming.names_unit(t, words, declared)]
    alone = all(t.text in (",", "+", "&", ":") or order.is_subject(t, words, declared) for t in told[1:])
    if (
        not units
        or not alone
        or len(fought.targets) != 1
        or {words.side(words.one(t.key)) for t in units} != {fought.side}
    ):
        return line
    (hex_,) = fought.targets
    return line.of((*told, replace(units[-1], text=hex_, key=hex_)))


_LOSE: Final = base.WORDS[statements.Lose][0]
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
        named = {words.side(words.one(t.key)) for t in rest if naming.names_unit(t, words, declared)}
        return rest if len(named) == 1 and "" not in named else tokens  # `Defender loss: u1`
    else:
        return tokens
    named = {words.side(words.one(t.key)) for t in rest if naming.names_unit(t, words, declared)}
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
    if not all(naming.names_unit(t, words, declared) for t in units):
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
    whose, support = words.meaning("sides", side.key), base.WORDS[statements.Support][0]
    if not whose or words.meaning("statements", told.key) != support or side.key in declared:
        return line
    named = spoken.with_units(tuple(rest), words, declared)
    if {words.side(words.one(t.key)) for t in named if naming.names_unit(t, words, declared)} != {whose}:
        return line
    word = support if whose == attacking else base.WORDS[statements.Guard][0]
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
        units = [t for t in named if naming.names_unit(t, words, declared)]
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
