"""A combat told as a sentence: `Vossenack (1007) atacado pelo 112-1, com 30 de fora`, `15 and 110 hit 0910`.

A line of which every word is a hex, a unit, says that somebody attacks, or nothing, in any order. What names guns
or points beyond the map behind those who attack supports them.

A combat told by its hex alone: `0705: 984-1 + 984-2`, `0705 by 984-1`, `984-1 984-2 x 0705`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import Final

from ...notation import base, statements
from ...notation.cursor import LogicalLine, Token, ended, in_place
from ...notation.words import Vocabulary, fold
from . import battalions, naming, reckoning, spoken
from .naming import is_kind, is_past, numbered
from .spoken import phrased, with_units

_SHORTEST: Final = 4
"""Words of an attack with air points."""
_POINTS: Final = re.compile("[1-9][0-9]?")
_GUNS: Final = "artillery"
_ATTACK, _COMBAT, _SUPPORT, _AIR = (
    base.WORDS[cls][0] for cls in (statements.Attack, statements.Combat, statements.Support, statements.AirSupport)
)
_JOINTS: Final = (":", "-", "<", "<-", "<--", "\u2190", "+", "&", "/")


def assaulted(
    line: LogicalLine, words: Vocabulary, declared: Container[str], engaged: frozenset[str]
) -> list[LogicalLine]:
    """The line as a combat, who attacks and what supports them, each a line; the line alone for any other.

    `engaged`: the hexes of the combat that the line stands in, which an attack on them begins no second time.
    """
    if line.too_long or not words.counters or not _may_tell(line.tokens, words):
        return [line]
    tokens = ended(_placeless(line.tokens, words), declared)
    tokens = spoken.with_units(spoken.phrased(tokens, words), words, declared, guns=_SUPPORT)
    tokens = battalions.by_number(naming.numbered(tokens, words), words, declared)
    tokens, air = _flown(tokens, words)
    at = _behind(tokens, words, declared)
    front = _front(tokens[:at], words, declared)
    guns = _guns(tokens[at:], words, declared) if at < len(tokens) else ()
    if front is None or guns is None:
        return [line]
    hexes, units = front
    # Who is said to attack does so; guns that are only listed add their fire.
    units, behind = (units, []) if any(_says_attack(t, words) for t in tokens) else guns_apart(units, words)
    if behind and not guns:
        guns = (in_place(behind[0], "statements", _SUPPORT, words), *behind)
    elif behind:
        guns = (guns[0], *behind, *guns[1:])
    again = engaged == {hexes[0].text.upper()} and units
    combat = () if again else (in_place(tokens[0], "statements", _COMBAT, words), hexes[0])
    attack = (in_place(units[0], "statements", _ATTACK, words), *units) if units else ()
    return [replace(line, tokens=tuple(part)) for part in (combat, attack, guns, air) if part]


def guns_apart(units: Sequence[Token], words: Vocabulary) -> tuple[list[Token], list[Token]]:
    """Who attacks, and the guns behind them, which add their fire: `0721: u1, u2 + xii-art`.

    A gun next to its target attacks however it is named, so that it makes no difference which it is called.
    """
    at = len(units)
    while at and _is_gun(units[at - 1], words):
        at -= 1
    return (list(units[:at]), list(units[at:])) if at else (list(units), [])


def _flown(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """The line without the air points that it ends with, and these: `+ 3 air points`."""
    kept = [t for t in tokens if words.meaning("words", t.key) != "points" or t.kind != "word"]
    told = {words.meaning("words", t.key) for t in kept[-2:]}
    figures = [t for t in kept[-2:] if _POINTS.fullmatch(t.text)]
    if len(kept) < _SHORTEST or "air" not in told or len(figures) != 1:
        return tokens, ()
    return tuple(kept[:-2]), (in_place(kept[-2], "statements", _AIR, words), figures[0])


def _may_tell(tokens: Sequence[Token], words: Vocabulary) -> bool:
    """Whether a line may tell a combat: not one that begins another statement, or a combat's hex alone."""
    begun = words.meaning("statements", tokens[0].key) if tokens[0].kind == "word" else None
    other = begun is not None and begun not in (_ATTACK, _COMBAT)
    other = other or any(is_past(tokens, i, words) for i in range(len(tokens)))
    return not other and len(tokens) > _LEAST and any(_is_target(t, words) for t in tokens)


_LEAST: Final = 2
"""Words of a line that says no more than a combat's hex."""


def _is_target(token: Token, words: Vocabulary) -> bool:
    return token.kind == "word" and words.is_hex(token.text) and (words.grid is None or token.text in words.grid)


def _placeless(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """Without the name of a place before its hex; a name alone as the hex, where it has one."""
    found: list[Token] = []
    for i, token in enumerate(tokens):
        hexes = words.places.get(token.key, ()) if token.kind == "word" else ()
        following = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if not hexes or following not in hexes:
            found.append(token)
    return tuple(found)


def _behind(tokens: Sequence[Token], words: Vocabulary, declared: Container[str]) -> int:
    """Where the support begins: at its word, or at that which stands before guns or points beyond the map."""
    seen = False
    for i, token in enumerate(tokens):
        if not seen:
            seen = naming.names_unit(token, words, declared)
            continue
        with_ = _is_with(token, words)
        if _supports(token, words) or (with_ and _all_guns(tokens[i + 1 :], words, declared)):
            return i
        if _POINTS.fullmatch(token.text) and _all_guns(tokens[i:], words, declared):
            return i
        if words.meaning("words", token.key) == "offboard":
            return i
    return len(tokens)


def _is_with(token: Token, words: Vocabulary) -> bool:
    return "by" in (words.meaning("words", token.key), words.meaning("slashed", token.key))


def _supports(token: Token, words: Vocabulary) -> bool:
    """Whether a word leads to those who support: `art`, `guns`, `apoio`."""
    word = token.kind == "word" and not words.like(token.key) and token.key not in words.units
    said = (words.meaning(section, token.key) for section in ("statements", "labels", "columns"))
    return word and (_SUPPORT in said or words.meaning("shortened", token.key) == _SUPPORT)


def _all_guns(tokens: Sequence[Token], words: Vocabulary, declared: Container[str]) -> bool:
    """Whether units of artillery, or points beyond the map, and nothing else is named."""
    units = [t for t in tokens if naming.names_unit(t, words, declared)]
    guns = all(_is_gun(t, words) for t in units)
    return guns and bool(units or any(words.meaning("words", t.key) == "offboard" for t in tokens))


def _is_gun(token: Token, words: Vocabulary) -> bool:
    unit = next(iter(words.like(token.key)), token.key)
    counter = words.counters.get(unit)
    return counter is not None and _GUNS in counter.type.split("_")


def _front(
    tokens: Sequence[Token], words: Vocabulary, declared: Container[str]
) -> tuple[list[Token], list[Token]] | None:
    """The hexes that are attacked and who attacks them; None where a word says anything else."""
    hexes: list[Token] = []
    units: list[Token] = []
    told = False
    for token in tokens:
        if token.kind == "word" and naming.names_unit(token, words, declared):
            units.append(token)
        elif _is_target(token, words):
            if words.numbered(token.key):
                return None  # a hex's number, and a unit's
            hexes.append(token)
            told = told or not units
        elif _attacks(token, words):
            told = True
        elif not (token.text in _JOINTS or _says_nothing(token, words)):
            return None
    sides = {words.side(next(iter(words.like(t.key)), t.key)) for t in units}
    # A place may be named beside its hex: `At Nomeny I attack 0314`.
    whole = (
        len({t.text for t in hexes}) == 1 and told and (len(sides) == 1 or (not units and _begins(tokens, words)))
    )
    return (hexes, units) if whole else None


def _begins(tokens: Sequence[Token], words: Vocabulary) -> bool:
    """Whether a word of a line begins a combat, and does more than stand beside its hex."""
    return any(words.meaning("statements", t.key) in (_ATTACK, _COMBAT) for t in tokens if t.kind == "word")


def _says_attack(token: Token, words: Vocabulary) -> bool:
    said = (words.meaning(section, token.key) for section in ("statements", "shortened", "behind-units"))
    return token.kind == "word" and _ATTACK in said


def _attacks(token: Token, words: Vocabulary) -> bool:
    """Whether a word says that somebody attacks, or whom."""
    if token.kind != "word":
        return False
    said = (words.meaning(s, token.key) for s in ("statements", "shortened", "behind-units", "labels"))
    return words.meaning("words", token.key) == "against" or any(word in (_ATTACK, _COMBAT) for word in said)


def _guns(tokens: Sequence[Token], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...] | None:
    """Who supports an attack as a statement; None where a word says anything else."""
    named = naming.named(tuple(t for t in tokens if not _supports(t, words)), words, declared, _GUNS)
    units: list[Token] = []
    points: list[Token] = []
    beyond = False
    for token in named:
        if token.kind == "word" and naming.names_unit(token, words, declared):
            units.append(token)
        elif _POINTS.fullmatch(token.text):
            points.append(token)
        elif words.meaning("words", token.key) == "offboard":
            beyond = True
        elif not (token.text in _JOINTS or _is_empty(token, words)):
            return None
    if len(points) != beyond or not (units or points):
        return None
    offboard = (in_place(points[0], "words", "offboard", words), points[0]) if points else ()
    return (in_place(tokens[0], "statements", _SUPPORT, words), *units, *offboard)


def _is_empty(token: Token, words: Vocabulary) -> bool:
    """Whether a word says nothing beside guns: also what they are, and whose."""
    of = words.meaning("words", token.key) in ("from", "points") or words.meaning("arms", token.key) == _GUNS
    of = of or _is_with(token, words)
    return _says_nothing(token, words) or (token.kind == "word" and of)


def _says_nothing(token: Token, words: Vocabulary) -> bool:
    """Whether a word says nothing beside units and hexes: an article, `and`, `again`, a side, `battalion`.

    What arm a unit is of may name another one, and is not empty.
    """
    if token.kind != "word":
        return False
    empty = any(words.meaning(s, token.key) for s in _EMPTY) or words.meaning("words", token.key) in ("by", "to")
    return empty or (is_kind(token, words) and words.meaning("arms", token.key) is None)


_EMPTY: Final = ("adverbs", "lead-ins", "sides", "fillers", "beside-turns")


_ARROWS: Final = ("<-", "<--", "\u2190")
_MEETING_JOINTS: Final = (":", "-", "<-")
_SUM: Final = re.compile(r"[0-9-]+(?:\+[0-9-]+)+")
_MEETING_LEAST: Final = 2


def met(
    line: LogicalLine,
    words: Vocabulary,
    declared: Container[str],
    engaged: frozenset[str],
    sides: tuple[str, str] = ("", ""),
) -> list[LogicalLine]:
    """The line with the word that begins a combat, where it begins with one hex and goes on with who attacks it.

    The guns that it names behind them stand in a line of their own. Only where combats may be told, for elsewhere
    units stand in hexes. `engaged`: the hexes of the combat that the line stands in; `sides`: the
    one that attacks in this phase, and that which attacks in the combat as long as nobody is said to.
    """
    line = reckoning.told(_arrowed(line, words), words, declared)
    attacking, awaited = sides
    begins = attacking and len(line.tokens) > _MEETING_LEAST and words.is_hex(line.tokens[0].text)
    if begins and line.tokens[1].text == ":":
        summed = _summed(line.of(line.tokens[2:]), words, declared, attacking)
        if summed:
            target = line.tokens[0]
            fight = in_place(target, "statements", base.WORDS[statements.Combat][0], words)
            return [replace(line, tokens=(fight, target)), *summed]
    if awaited and (summed := _summed(line, words, declared, awaited)):
        return summed
    told = assaulted(line, words, declared, engaged)
    if told != [line]:
        return told
    tokens = line.tokens
    if line.too_long or len(tokens) < _MEETING_LEAST or not words.is_hex(tokens[0].text):
        return [line]
    rest = tokens[1:]
    joined = rest[0].text in _MEETING_JOINTS or words.meaning("words", rest[0].key) == "by"
    joined = joined or words.meaning("shortened", rest[0].key) == base.WORDS[statements.Attack][0]
    rest = rest[1:] if joined else rest
    if not rest or not _may_be_unit(rest[0], words) or (not joined and not words.like(rest[0].key)):
        return [line]
    combat = in_place(tokens[0], "statements", base.WORDS[statements.Combat][0], words)
    colon = replace(tokens[0], kind="mark", text=":", key=":", column=rest[0].column)
    rest = _of_side(tuple(_apart(rest)), words, attacking)
    support = base.WORDS[statements.Support][0]
    last = len(rest) - 1
    at = next((i for i, t in enumerate(rest) if words.meaning("labels", t.key) == support and i < last), 0)
    if not at or not _may_be_unit(rest[at + 1], words):
        named = with_units(rest, words, declared)
        front, behind = guns_apart(named, words) if all(_may_be_unit(t, words) for t in named) else ([], [])
        if behind:
            firing = (in_place(behind[0], "statements", support, words), *behind)
            return [replace(line, tokens=(combat, tokens[0], colon, *front)), replace(line, tokens=firing)]
        return [replace(line, tokens=(combat, tokens[0], colon, *rest))]
    guns = (in_place(rest[at], "statements", support, words), *rest[at + 1 :])
    first = replace(line, tokens=(combat, tokens[0], colon, *rest[:at]), end=rest[at - 1].behind)
    return [first, replace(line, tokens=guns)]


def _arrowed(line: LogicalLine, words: Vocabulary) -> LogicalLine:
    """`Combat: 1007 <- u1` without its first word, for the arrow says as much."""
    tokens = line.tokens
    begins = (
        len(tokens) > _MEETING_LEAST
        and words.meaning("statements", tokens[0].key) == base.WORDS[statements.Combat][0]
    )
    at = 2 if begins and tokens[1].text == ":" else 1
    arrow = begins and len(tokens) > at + 1 and tokens[at + 1].text in _ARROWS
    return line.of(tokens[at:]) if arrow and words.is_hex(tokens[at].text) else line


def _of_side(tokens: tuple[Token, ...], words: Vocabulary, side: str) -> tuple[Token, ...]:
    """The units that begin a list by their ids, where they are called by short numbers: `0509: 2, 10, 11`.

    A number alone is none of several, and may be a total.
    """
    joins = (_may_be_unit(t, words) or words.meaning("fillers", t.key) == "and" for t in tokens)
    end = next((i for i, joined in enumerate(joins) if not joined), len(tokens))
    called = [words.numbered(t.key) if t.text.isdigit() else "" for t in tokens[:end]]
    if end < _MEETING_LEAST or not side or any(unit and words.side(unit) != side for unit in called):
        return tokens
    named = (replace(t, text=u, key=u) if u else t for t, u in zip(tokens[:end], called, strict=True))
    return (*named, *tokens[end:])


def _summed(line: LogicalLine, words: Vocabulary, declared: Container[str], side: str) -> list[LogicalLine]:
    """`u1 + u2 + 30 offboard = 38 x 4, 9-1` of a side as who attacks, what supports and what they come to; none for
    others.
    """
    at = next((i for i, t in enumerate(line.tokens) if t.text == "="), 0)
    if not at or line.too_long or at + _MEETING_LEAST >= len(line.tokens) or not line.tokens[at + 1].text.isdigit():
        return []
    named = with_units(phrased(tuple(_apart(line.tokens[:at])), words), words, declared)
    named = named if any(words.meaning("words", t.key) == "offboard" for t in named) else numbered(named, words)
    units = [t for t in named if naming.names_unit(t, words, declared)]
    rest = [t for t in named if t not in units]
    points = [t for t in rest if t.text.isdigit()]
    beyond = [t for t in rest if words.meaning("words", t.key) == "offboard"]
    sides = {words.side(next(iter(words.like(t.key)), t.key)) for t in units}
    if sides != {side} or len(points) != len(beyond) or len(points) > 1 or len(rest) != len(points) + len(beyond):
        return []
    front, guns = guns_apart(units, words)
    behind = (*guns, *beyond, *points)
    told = [
        replace(line, tokens=(in_place(front[0], "statements", base.WORDS[statements.Attack][0], words), *front))
    ]
    if behind:
        support = in_place(behind[0], "statements", base.WORDS[statements.Support][0], words)
        told.append(replace(line, tokens=(support, *behind)))
    return [*told, replace(line, tokens=line.tokens[at + 1 :])]


def _apart(tokens: Sequence[Token]) -> Iterator[Token]:
    """`1+984` as two words, and no `+` between units."""
    for token in tokens:
        if token.text == "+":
            continue
        column = token.column
        for piece in token.text.split("+") if _SUM.fullmatch(token.text) else [token.text]:
            yield replace(token, text=piece, key=fold(piece), column=column)
            column += len(piece) + 1


def _may_be_unit(token: Token, words: Vocabulary) -> bool:
    named = token.key in words.units or bool(words.like(token.key))
    return token.kind == "word" and not words.is_hex(token.text) and (named or token.text.isdigit())
