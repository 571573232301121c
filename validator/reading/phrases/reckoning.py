"""The figures of a combat as people reckon them: `14 a 4`, `25 to 5 is 5-1, drops to 4-1`, `27:7, 3-1, no shifts`.

A line of totals and ratios in which every other word joins them or gives a reason. Two ratios are the odds and then
the column; one that nothing is said to shift is both. One alone beside its totals is the odds, if these give it:
what it may mean else would be said of the same ratio.

Strengths told behind units, and what they come to: `112-1 (4) + 112-2 (4) + 30 offboard = 38`.

They are passed over where they are what the counters have, and the sum is theirs; the referee reckons by himself.
A strength or sum that is another one stays in the line, which then is not read.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ...notation import base, statements
from ...notation.cursor import LogicalLine, Token, ended, in_place
from ...notation.words import Vocabulary
from ..phases import FATES
from . import naming, spoken
from .deeds import talk

_FIGURE: Final = re.compile("[1-9][0-9]{0,2}")
_RATIO: Final = re.compile("([1-9][0-9]?)-1|1-([1-9])")
_SIGNED: Final = re.compile("[+-][1-9]")
_MARKS: Final = (":", "=", "->")
_BETWEEN: Final = ("to", "against")
_EMPTY: Final = ("fillers", "beside-turns", "lead-ins", "adverbs", "copulas", "terrain", "hexsides", "sides")
_JOINING: Final = frozenset(
    ("to", "from", "by", "becomes", "odds", "column", "points", "reduced", "air", "because")
)
_SAID: Final = frozenset(("strength", "shift", "unshifted"))
_DECLARE: Final = base.WORDS[statements.Declare][0]


def reckoned(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """The line as a declaration; itself where a word says anything else, or a ratio may be odds or column."""
    told = _as_totals(tuple(_shifted(tokens)), words)
    found = None if _acts(tokens[0], words) else _figures(told, words)
    if found is None:
        return tokens
    totals, ratios = found
    if len(ratios) > len(_LABELS) and totals and _beyond_table(totals, ratios, words):
        ratios = ratios[1:]
    if not (totals or len(ratios) == len(_LABELS)) or len(ratios) > len(_LABELS):
        return tokens
    if len(ratios) == 1 and not _gives([int(t.text) for t in totals], ratios[0].text, words):
        return tokens
    said = [in_place(tokens[0], "statements", _DECLARE, words)]
    if totals:
        said += [totals[0], replace(totals[1], kind="mark", text=":", key=":"), totals[1]]
    for label, ratio in zip(_LABELS, ratios, strict=False):
        said += [in_place(ratio, "words", label, words), ratio]
    return tuple(said)


def _shifted(tokens: Sequence[Token]) -> Iterator[Token]:
    """`9-1>7-1` as two ratios with an arrow between them."""
    for token in tokens:
        first, arrow, second = token.text.partition(">")
        if not (arrow and _RATIO.fullmatch(first) and _RATIO.fullmatch(second)):
            yield token
            continue
        yield replace(token, text=first, key=first)
        yield replace(token, kind="mark", text="->", key="->", column=token.column + len(first))
        yield replace(token, text=second, key=second, column=token.column + len(first) + 1)


def _as_totals(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """`48-4, 9-1, 7-1` and `48/4 = 9-1`: two figures that the ratio behind them is of as totals."""
    glued = _GLUED.fullmatch(tokens[0].text)
    slashed = len(tokens) > 3 and tokens[1].text == "/" and _FIGURE.fullmatch(tokens[2].text)
    if slashed and _FIGURE.fullmatch(tokens[0].text):
        first, second, rest = tokens[0].text, tokens[2].text, tokens[3:]
    elif glued:
        first, second, rest = glued[1], glued[2], tokens[1:]
    else:
        return tokens
    ratios = [text for t in rest if _RATIO.fullmatch(text := t.text.rstrip("."))]
    ratio = next(iter(ratios), "")
    if max(int(first), int(second)) <= _FACES and len(ratios) == 1:
        return tokens  # the dice, perhaps
    if second == "1" or not ratio or not _gives([int(first), int(second)], ratio, words):
        return tokens
    at = tokens[0]
    colon = replace(at, kind="mark", text=":", key=":")
    return (replace(at, text=first, key=first), colon, replace(at, text=second, key=second), *rest)


_FACES: Final = 6
_GLUED: Final = re.compile("([1-9][0-9]{0,2})-([1-9][0-9]?)")


def _acts(first: Token, words: Vocabulary) -> bool:
    """Whether a line begins with a word of a combat, and so says what it says."""
    begun = words.meaning("statements", first.key) if first.kind == "word" else None
    return begun is not None and any(issubclass(cls, base.Act) for cls in base.beginning(begun))


def _figures(tokens: Sequence[Token], words: Vocabulary) -> tuple[tuple[Token, ...], list[Token]] | None:
    """The two totals and the ratios that a line tells; None where it says anything else."""
    totals: tuple[Token, ...] = ()
    ratios: list[Token] = []
    plain, at, named = False, 0, False
    while at < len(tokens):
        pair, taken = _pair(tokens, at, words)
        if pair and not totals and not ratios and not _may_be_ratio(pair, at):
            totals = pair
        elif pair and totals and "1" in (pair[0].text, pair[1].text):
            text = f"{pair[0].text}-{pair[1].text}"
            ratios.append(replace(pair[0], text=text, key=text))
        elif pair:
            return None
        elif _is_named(tokens[at], words, bool(totals or ratios)):
            named = True
            if any(words.meaning("words", t.key) in _NAMED for t in tokens[at + 1 :]):
                return None  # each says which of them it is
        elif ratio := _ratio(tokens[at].text, told=bool(totals)):
            ratios.append(replace(tokens[at], text=ratio, key=ratio))
        elif not (taken := _empty(tokens, at, words)):
            return None
        plain = plain or words.meaning("besides", tokens[at].key) == "unshifted"
        at += taken or 1
    if named and totals and len(ratios) == 1 and words.meaning("words", tokens[0].key) == _LABELS[0]:
        return totals, ratios  # `Odds: 48:4 = 9-1`
    if named and (totals or len(ratios) < len(_LABELS) or not any(_SIGNED.fullmatch(t.text) for t in tokens)):
        return None  # `column 3-1`, and nothing that makes it another
    return totals, ratios * 2 if plain and len(ratios) == 1 else ratios


def _ratio(text: str, *, told: bool) -> str:
    """The ratio that a word is, also where it ends a sentence; `1x1` behind totals that are written so."""
    plain = text.rstrip(".").replace("x", "-") if told else text.rstrip(".")
    return plain if _RATIO.fullmatch(plain) else ""


def _is_named(token: Token, words: Vocabulary, told: bool) -> bool:
    """Whether a line begins with the name of the figure that follows, and says nothing else of it."""
    return not told and words.meaning("words", token.key) in _NAMED


_LABELS: Final = ("odds", "column")
_NAMED: Final = (*_LABELS, "value")


def _pair(tokens: Sequence[Token], at: int, words: Vocabulary) -> tuple[tuple[Token, ...], int]:
    """Two figures held against each other, and how many tokens that is: `16 points against your 3`."""
    if not _FIGURE.fullmatch(tokens[at].text):
        return (), 0
    end, against = at + 1, False
    while end < len(tokens):
        token = tokens[end]
        if token.text == ":" and words.meaning("words", tokens[end - 1].key) == "points":
            return (), 0  # `6 points: 12`: what they come to, perhaps
        if _FIGURE.fullmatch(token.text):
            return ((tokens[at], token), end + 1 - at) if against else ((), 0)
        parts = token.text == ":" or words.meaning("words", token.key) in _BETWEEN
        if not parts and not _beside(token, words):
            return (), 0
        against, end = against or parts, end + 1
    return (), 0


def _may_be_ratio(pair: Sequence[Token], at: int) -> bool:
    """Whether the first two figures of a line may be odds and not totals: `3 to 1`."""
    return at == 0 and pair[1].text == "1"


def _beside(token: Token, words: Vocabulary) -> bool:
    """Whether a word stands beside a total: whose it is, what it counts."""
    if token.kind != "word":
        return False
    said = words.meaning("words", token.key) == "points" or words.meaning("besides", token.key) == "strength"
    role = words.meaning("roles", token.key) or words.meaning("lead-ins", token.key)
    return said or role is not None or words.meaning("beside-turns", token.key) is not None


def _empty(tokens: Sequence[Token], at: int, words: Vocabulary) -> int:
    """How many tokens say nothing of figures from a place on, or give a reason for them; 0 for any other."""
    token = tokens[at]
    if token.kind != "word":
        return int(token.text in _MARKS)
    said = words.meaning("besides", token.key)
    if said == "shift" and at + 1 < len(tokens) and _counts(tokens[at + 1], words):
        return 2
    empty = any(words.meaning(section, token.key) for section in _EMPTY) or said in _SAID or _beside(token, words)
    if token.text.isdigit() or _throws(token, words):
        return 0  # the dice, perhaps
    moved = talk()["deeds"].get(token.key) or talk()["reckonings"].get(token.key) == "figure"
    by_words = words.meaning("words", token.key) in _JOINING or words.meaning("numbers", token.key)
    sign = _SIGNED.fullmatch(token.text.rstrip("."))
    reason = talk()["reasons"].get(token.key.strip("."))
    return int(bool(empty or moved or by_words or sign or talk()["besides"].get(token.key) or reason))


def _throws(token: Token, words: Vocabulary) -> bool:
    """Whether a word tells of a throw: it begins one, or stands before its figures."""
    return (
        words.meaning("statements", token.key) == base.WORDS[statements.Roll][0]
        or talk()["reckonings"].get(token.key) == "dice"
    )


def _counts(token: Token, words: Vocabulary) -> bool:
    return token.text in "123456" or words.meaning("numbers", token.key) is not None


def _gives(totals: Sequence[int], ratio: str, words: Vocabulary) -> bool:
    """Whether two totals are in a ratio, what is left over given to the defence, or in a higher one than any of the
    game's table, which counts as its last.
    """
    attack, defence = totals
    first, second = map(int, ratio.split("-"))
    if first > 1 or attack >= defence:
        high = ratio == words.highest or attack < (first + 1) * defence
        return second == 1 and first * defence <= attack and high
    # What is over is left out of the lower ratio, or makes it lower still, as the game has it.
    return attack * (second - 1) < defence < attack * (second + 1)


def _beyond_table(totals: Sequence[Token], ratios: Sequence[Token], words: Vocabulary) -> bool:
    """Whether the first of some ratios is what the totals give, and the next the table's last: `12-1, so 9-1`."""
    attack, defence = (int(token.text) for token in totals)
    given = f"{attack // defence}-1"
    return ratios[0].text == given != ratios[1].text == words.highest


def alone(line: LogicalLine, words: Vocabulary, totals: tuple[int, int] | None) -> LogicalLine:
    """The line with the word of a declaration, where it is the ratio alone that the totals told before it give."""
    told = ended(line.tokens, ())
    if line.too_long or totals is None or len(told) != 1 or not _RATIO.fullmatch(told[0].text):
        return line
    if not _gives(totals, told[0].text, words):
        return line
    first = told[0]
    said = in_place(first, "statements", _DECLARE, words), in_place(first, "words", _LABELS[0], words), first
    return replace(line, tokens=said)


def either(line: LogicalLine, words: Vocabulary) -> LogicalLine:
    """The line as a declaration, where it is a ratio alone: `at 3-1`. What it is of the two the referee knows."""
    told = [t for t in ended(line.tokens, ()) if not _leads_to_ratio(t, words)]
    if line.too_long or len(told) != 1 or not _RATIO.fullmatch(told[0].text):
        return line
    first = told[0]
    said = in_place(first, "statements", _DECLARE, words), in_place(first, "words", "odds-or-column", words), first
    return replace(line, tokens=said)


def _leads_to_ratio(token: Token, words: Vocabulary) -> bool:
    small = words.meaning("fillers", token.key) == "hex" or words.meaning("words", token.key) == "to"
    return token.kind == "word" and (small or words.meaning("copulas", token.key) is not None)


def valued(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """The value of a bombardment as it is reckoned: `20 x 2 = 40, 31-40, forest -2 = 11-20`.

    The column in which it begins is left out where the value lies in it; any other line is returned itself.
    """
    begun = int(tokens[0].kind == "word" and words.meaning("statements", tokens[0].key) == _DECLARE)
    value, at = _product(tokens, begun, words)
    if value is None:
        return tokens
    columns: list[Token] = []
    while at < len(tokens):
        token = tokens[at]
        named = token.kind == "word" and words.meaning("words", token.key) == "column"
        if span := _SPAN.fullmatch(token.text):
            columns.append(replace(token, text=span[0], key=span[0]))
        elif not (named or _empty(tokens, at, words)):
            return tokens
        at += max(1, 0 if named or span else _empty(tokens, at, words))
    if len(columns) > 1 and (len(columns) > len(_LABELS) or not _lies_in(int(value.text), columns[0].text)):
        return tokens
    if len(columns) == 1 and any(_SIGNED.fullmatch(t.text) for t in tokens):
        return tokens  # before the shift, perhaps
    said = [in_place(tokens[0], "statements", _DECLARE, words), in_place(value, "words", "value", words), value]
    if columns:
        said += [in_place(columns[-1], "words", "column", words), columns[-1]]
    return tuple(said)


_SPAN: Final = re.compile(r"[1-9][0-9]?-[1-9][0-9]?|[1-9][0-9]?\+")
_PRODUCT: Final = re.compile(r"([1-9][0-9]?)[x\u00d7]([2-9])")
_TIMES: Final = re.compile(r"[x\u00d7]([2-9])?")


def _product(tokens: Sequence[Token], at: int, words: Vocabulary) -> tuple[Token | None, int]:
    """What a product comes to that is told at a place, and where the line goes on; (None, at) for none."""
    text = "".join(t.text for t in tokens[at : at + 1])
    factors, end = _PRODUCT.fullmatch(text), at + 1
    first, times = (factors[1], factors[2]) if factors else (text, "")
    if not factors and not _FIGURE.fullmatch(text):
        return None, at
    if not times and end < len(tokens) - 1 and (found := _TIMES.fullmatch(tokens[end].key)):
        times, end = (found[1], end + 1) if found[1] else (tokens[end + 1].text, end + 2)
    value = tokens[end + 1] if end < len(tokens) - 1 and tokens[end].text == "=" else None
    if value is None or times not in list("23456789") or not _FIGURE.fullmatch(value.text):
        return None, at
    return (value, end + 2) if int(value.text) >= int(first) else (None, at)


def _lies_in(value: int, span: str) -> bool:
    first, _, last = span.rstrip("+").partition("-")
    return int(first) <= value and (span.endswith("+") or value <= int(last))


_STRENGTHS_FIGURE: Final = re.compile("[1-9][0-9]?")
_SUM: Final = re.compile("[1-9][0-9]{0,2}")
_STRENGTHS_BETWEEN: Final = ("(", ")")


@dataclass
class _Reckoned:
    """What a line has told so far: the tokens that say no more than its counters, and what they come to."""

    empty: list[Token]
    total: int = 0
    known: bool = True


def told(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> LogicalLine:
    """The line without the strengths of its units and their sum, where both are right; else itself."""
    if line.too_long or not words.counters or not line.tokens:
        return line
    tokens = ended(line.tokens, declared)
    if any(_is_fate(t, words) for t in tokens):
        return line  # `u1 (2)` may have lost so many
    empty: list[Token] = []
    found, start = _Reckoned([]), 0
    for i, token in enumerate(tokens):
        if _STRENGTHS_FIGURE.fullmatch(token.text) and _in_brackets(token, line):
            _reckon(found, tokens[start:i], token, words, declared)
            start = i + 1
        elif token.text == "=" and _is_sum(line, tokens[i + 1 :]):
            _reckon(found, tokens[start:i], None, words, declared)
            empty += found.empty
            empty += tokens[i : i + 2] if found.known and found.total == int(tokens[i + 1].text) else ()
            found, start = _Reckoned([]), i + 2
    empty += found.empty
    kept = tuple(t for t in line.tokens if not any(t is other for other in empty))
    return line.of(kept) if empty and kept else line


def _is_fate(token: Token, words: Vocabulary) -> bool:
    """Whether a word says what becomes of units, or throws dice."""
    if token.kind != "word":
        return False
    said = {words.meaning(section, token.key) for section in ("statements", "behind-units", "shortened")}
    return not said.isdisjoint(_OTHERS)


_OTHERS: Final = FATES | {base.WORDS[cls][0] for cls in (statements.Recover, statements.Roll)}


def _is_sum(line: LogicalLine, tokens: Sequence[Token]) -> bool:
    """Whether a line, or a part of it that a comma ends, ends with the first of some words, a figure."""
    if not tokens or not _SUM.fullmatch(tokens[0].text):
        return False
    first = tokens[0]
    text = line.texts[first.line - 1][first.column - 1 + len(first.text) :]
    return len(tokens) == 1 or text.lstrip()[:1] in (",", ";")


def _reckon(
    found: _Reckoned, piece: Sequence[Token], figure: Token | None, words: Vocabulary, declared: Container[str]
) -> None:
    """Note the units of a piece of the line, and the figure in brackets behind it if that is what they have."""
    tokens = spoken.with_units(spoken.phrased(tuple(piece), words), words, declared) if piece else ()
    tokens = tokens if _beyond(tokens, words) else naming.numbered(tokens, words)
    units = list(_units(tokens, words, declared))
    points = _points(tokens, words)
    worth = [_worth(unit, words) for unit in units]
    plain = sum(first for first, *_ in worth)
    if figure is None:
        found.total += plain + points
        return
    value = int(figure.text)
    last = worth[-1] if worth else ()
    if points:
        # `30 offboard (30)` says nothing new; another figure may be what is left.
        found.known = found.known and value == points
        found.empty += [figure] if value == points and not units else []
    elif units and tokens[-1].key in (units[-1], *_names(units[-1], words)) and value in last:
        found.empty.append(figure)
        plain += value - last[0]
    elif len(units) > 1 and value == plain:
        found.empty.append(figure)
    elif not units and _beyond(tokens, words):
        points = value
    else:
        found.known = False
    found.total += plain + points


def _names(unit: str, words: Vocabulary) -> Iterator[str]:
    tail = unit.partition("-")[2]
    if words.like(tail) == (unit,):
        yield tail


def _units(tokens: Sequence[Token], words: Vocabulary, declared: Container[str]) -> Iterator[str]:
    """The game's units that are named, none of which the sheet itself has given another strength."""
    for token in tokens:
        if token.kind != "word" or not naming.names_unit(token, words, declared):
            continue
        unit = words.one(token.key)
        if unit in words.counters and unit not in declared:
            yield unit


def _worth(unit: str, words: Vocabulary) -> tuple[int, ...]:
    """What a unit may attack or defend with, first what it attacks with at full strength."""
    counter = words.counters[unit]
    told = (counter.attack, counter.defence, counter.reduced_attack, counter.reduced_defence)
    return tuple(int(value) for value in told if value is not None)


def _beyond(tokens: Sequence[Token], words: Vocabulary) -> bool:
    return any(words.meaning("words", t.key) in ("offboard", "air") for t in tokens if t.kind == "word")


def _points(tokens: Sequence[Token], words: Vocabulary) -> int:
    """The points beyond the map, or of aircraft, that a piece of a line tells."""
    figures = [int(t.text) for t in tokens if _STRENGTHS_FIGURE.fullmatch(t.text)]
    return figures[0] if _beyond(tokens, words) and len(figures) == 1 else 0


def _in_brackets(token: Token, line: LogicalLine) -> bool:
    """Whether a figure stands alone in brackets."""
    text, start = line.texts[token.line - 1], token.column - 1
    return (
        text[:start].rstrip()[-1:] == _STRENGTHS_BETWEEN[0]
        and text[start + len(token.text) :].lstrip()[:1] == _STRENGTHS_BETWEEN[1]
    )
