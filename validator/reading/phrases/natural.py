"""Lines as people type them, made lines of the notation: empty words are left out, those of several parts joined.

Only tokens change, and each keeps its place in the line, so that a problem still says where. What is left out, or
joined, is declared in `art/words/notation.LANGUAGE.yaml`: small words under `fillers` and `beside-turns`, words of
several parts as forms with a hyphen (`ataque-aéreo`). Words that mean something are never touched, nor what is said
freely (`because …`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Final

from ....scenarios.text.words import SOURCE
from ...notation import base, statements, statements_head
from ...notation.cursor import ARROW, HEX, Cursor, LogicalLine, Token, Unread, ended
from ...notation.kinds import ONE_UNIT
from ...notation.words import Vocabulary, fold
from .. import phases
from . import bombardment, columns, continued, movement, naming, numbers, order, retreats, spoken
from .reckoning import reckoned, valued

_SUM: Final = re.compile(r"[^+&]+(?:[+&][^+&]+)+")
_DIGIT: Final = re.compile(r"[0-9]")
_WITH_COLON: Final = frozenset(("totals", "column", "players", "ruled"))
"""Kinds in which a colon has a meaning."""


def apart(
    line: LogicalLine, words: Vocabulary, declared: Collection[str], engaged: frozenset[str] = frozenset()
) -> list[LogicalLine]:
    """The statements of a line, each as a line of its own with the same number.

    `engaged`: the hexes of the combat that the line stands in.
    """
    if not line.tokens or line.too_long:
        return [line]
    line = _tidy(line.of(columns.each_named(ended(line.tokens, declared), words)), words, declared)
    return [
        part.of(tokens)
        for part in parted(line, words, declared)
        for tokens in bombardment.reckoned(part.tokens, words, declared)
        or order.apart(part.tokens, words, declared, engaged)
    ]


def parted(line: LogicalLine, words: Vocabulary, declared: Collection[str] = ()) -> list[LogicalLine]:
    """The statements between the semicolons of a line, each as a line of its own with the same number.

    A semicolon parts a line only before what begins a statement: in a list it is a comma, in a reason it is its
    author's, unless a whole statement stands behind it.
    """
    if line.too_long or not any(";" in text for text in line.texts[line.line - 1 : line.end[0]]):
        return [line]
    if phases.is_header(line.tokens, words):
        return [line]
    tokens, found, start, reasoned = line.tokens, [], 0, False
    for i in range(1, len(tokens)):
        because = words.meaning("words", tokens[i - 1].key) == "because"
        reasoned = reasoned or because or _reasoned(tokens[start:i], words)
        if not line.semicolon(tokens[i - 1], tokens[i]):
            continue
        begins = _begins(tokens[start:i], tokens[i], words, declared)
        if begins and (not reasoned or _whole(line, i, words, declared)):
            found.append(replace(line, tokens=tokens[start:i], end=tokens[i - 1].behind))
            start, reasoned = i, False
    return [*found, line.of(tokens[start:])]


def _whole(line: LogicalLine, start: int, words: Vocabulary, declared: Collection[str]) -> bool:
    """Whether a statement of the game reads from a token to the next semicolon, or to the end of the line."""
    tokens = line.tokens
    stop = next((i for i in range(start + 1, len(tokens)) if line.semicolon(tokens[i - 1], tokens[i])), len(tokens))
    part = replace(line, tokens=tokens[start:stop], end=tokens[stop - 1].behind)
    word = words.meaning("statements", tokens[start].key) or ""
    return stop > start + 1 and any(
        _reads(cls, part, word, words, declared)
        for cls in base.beginning(word)
        if issubclass(cls, base.Play | base.Act | base.Opening | base.Ruling)
    )


def _reads(
    cls: type[base.Statement], line: LogicalLine, word: str, words: Vocabulary, declared: Collection[str]
) -> bool:
    at = Cursor(line, words, SOURCE, declared)
    at.step()
    try:
        base.read_statement(cls, at, word)
    except Unread:
        return False
    return not at.problems and not at.void


def _reasoned(before: Sequence[Token], words: Vocabulary) -> bool:
    """Whether a reason begins behind a ruling's colon: `accept 14: agreed`."""
    ruling = base.beginning(words.meaning("statements", before[0].key) or "")
    return before[-1].text == ":" and any(issubclass(cls, base.Ruling) for cls in ruling)


def _begins(before: Sequence[Token], token: Token, words: Vocabulary, declared: Container[str]) -> bool:
    """Whether a statement begins with a token, and is not part of the one before it."""
    if token.kind != "word":
        return False
    first = words.meaning("statements", before[0].key)
    if words.begins(token.key) and token.key not in declared:
        return words.meaning("words", token.key) not in _after(first or "")
    # `a1 0304; a2 0305`: where each line begins with its unit, one is whole once it says more than units.
    if not naming.names_unit(token, words, declared):
        return False
    if first in (
        base.WORDS[statements_head.PositionStart][0],
        base.WORDS[statements_head.SetupStart][0],
    ):
        return True
    return naming.names_unit(before[0], words, declared) and not all(
        naming.names_unit(t, words, declared) for t in before
    )


def plain(
    line: LogicalLine,
    words: Vocabulary,
    declared: Collection[str],
    *,
    moving: bool = False,
    fighting: bool = False,
    within: bool = False,
) -> LogicalLine:
    """The line without what is said besides; `declared` are the units that the sheet itself has named.

    `moving`: units move here, and need not be said to do so; `within`: in a phase of movement, where
    none retreats; `fighting`: a combat is told here, with its figures.
    """
    if not line.tokens or line.too_long:
        return line
    line = _tidy(line, words, declared)
    tokens = phases.turn_first(line.tokens, words)
    if fighting:
        tokens = retreats.reduced(ended(tokens, declared), words, declared)
        tokens = reckoned(spoken.phrased(ended(tokens, declared), words), words)
        tokens = order.figures_first(tokens, words)
    if tokens[0].kind != "word":
        return line
    tokens = spoken.phrased(ended(tokens, declared), words)
    tokens = bombardment.given(tokens, words, declared, fighting=fighting)
    tokens = order.from_afar(order.without_copula(tokens, words), words, fighting=fighting)
    tokens = continued.worked_first(bombardment.bombards_first(tokens, words, declared), words, declared)
    tokens = bombardment.told(phases.turn_first(tokens, words), words)
    told = tokens if _ends_a_list(line, tokens, words) else order.told_first(tokens, words, declared)
    tokens = order.declared_first(told, words)
    tokens = bombardment.flown(order.thrown_first(columns.uncounted(tokens, words), words, declared), words)
    if fighting:
        tokens = bombardment.air_within(order.figures_first(tokens, words), words)
    if moving:
        tokens = movement.inward(order.moved_first(tokens, words, declared), line.tokens[0], words)
        tokens = movement.within(tokens, line.tokens[0], words) if within else tokens
        tokens = movement.along(tokens, line.tokens[0], words)
    first = words.meaning("statements", tokens[0].key) or ""
    own = _own_words(first)
    if own:
        tokens = line.tokens
    if len(tokens) > 2 and tokens[1].text in (":", "=") and tokens[1].kind == "mark":
        tokens = (tokens[0], *tokens[2:])
    if own:
        return line.of(tokens)
    tokens = _undashed(tokens, words, declared)
    tokens = _small_words(tokens, words, declared)
    if _opens(first):
        tokens = tuple(_header(tokens, words))
    elif _colonless(first):
        tokens = tuple(t for t in tokens if t.kind != "mark" or t.text != ":")
    if first in (base.WORDS[statements.Roll][0], base.WORDS[statements_head.SheetVersion][0]):
        tokens = tuple(_in_figures(tokens, words))
    tokens = tuple(_joined(tuple(_split(tokens, declared)), words, declared))
    if first == base.WORDS[statements.Roll][0]:
        tokens = tuple(columns.without_sum(tokens, line, words))
    tokens = tuple(_hexes(tokens, words, declared))
    return line.of(bombardment.fired_by(tokens, words, declared))


class Plains:
    """Lines made plain, each once: whether a line says one thing or several is known only when all was tried.

    For as long as one line of a sheet is read; `declared` may grow meanwhile.
    """

    def __init__(self, words: Vocabulary, declared: Collection[str], *, within: bool = False) -> None:
        self._words, self._declared, self._within = words, declared, within
        self._found: dict[tuple[int, tuple[int, int], bool, bool, int], tuple[LogicalLine, LogicalLine]] = {}

    def of(self, line: LogicalLine, *, moving: bool, fighting: bool) -> LogicalLine:
        """As `plain`."""
        key = (id(line.tokens), line.end, moving, fighting, len(self._declared))
        if key not in self._found:
            made = plain(line, self._words, self._declared, moving=moving, fighting=fighting, within=self._within)
            self._found[key] = (line, made)  # with the line, whose tokens keep their id as long as they are there
        return self._found[key][1]


def _tidy(line: LogicalLine, words: Vocabulary, declared: Collection[str]) -> LogicalLine:
    """The line as it says what it says without what is said around it, its label in the words of the notation.

    A line is taken apart, tried and read: what is tidy then is not looked through again.
    """
    if line.tidied[0] is line.tokens and line.tidied[1] == len(declared):
        return line
    found = _labelled(_tidied(line, words, declared), words, declared)
    if found is not line:
        return found
    return LogicalLine(line.line, line.tokens, line.end, line.too_long, line.texts, (line.tokens, len(declared)))


def _between_hexes(tokens: Sequence[Token], i: int, words: Vocabulary) -> bool:
    """Whether a slash stands between two hexes of a way: `4202/4103/4002`."""
    around = (tokens[i - 1], tokens[i + 1]) if 0 < i < len(tokens) - 1 and tokens[i].text == "/" else ()
    # `from 0113/0114 to 0214`, `0113/0114 -> 0214`: each unit from its own hex.
    own = i > 1 and words.meaning("words", tokens[i - 2].key) == "from"
    behind = next((t for t in tokens[i + 1 :] if t.text != "/" and not words.is_hex(t.text)), None)
    leads_on = behind is not None and (behind.text == ARROW or words.meaning("words", behind.key) == "to")
    return bool(around) and not own and not leads_on and all(words.is_hex(t.text) for t in around)


def _labelled(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> LogicalLine:
    if line.too_long or line.tokens[0].kind != "word" or _says_freely(line, words):
        return line
    return line.of(columns.labelled(line.tokens, words, declared))


def _undashed(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """Without a dash where a colon would stand: `result - DRB`, `move u1 - 0806 0907`."""
    if len(tokens) > 2 and tokens[1].text == "-":
        tokens = (tokens[0], *tokens[2:])
    first = words.meaning("statements", tokens[0].key)
    if first == base.WORDS[statements.Declare][0]:
        following = (*(t.text[:1] for t in tokens[1:]), "")
        return tuple(
            t for t, f in zip(tokens, following, strict=True) if t.text not in ("-", "/") or not f.isalpha()
        )
    if numbers.has_way(first):
        tokens = tuple(t for i, t in enumerate(tokens) if not _between_hexes(tokens, i, words))
    at = next((i for i, t in enumerate(tokens) if t.text == "-"), 0)
    if 1 < at < len(tokens) - 1 and naming.names_unit(tokens[at - 1], words, declared):
        named = bool(words.hexes_of(tokens[at + 1].text))
        tokens = (*tokens[:at], *tokens[at + 1 :]) if named else tokens
    return tokens


def _ends_a_list(line: LogicalLine, tokens: Sequence[Token], words: Vocabulary) -> bool:
    """Whether points that support are told behind a comma: `…, us-707-tank, support 30` says not who does so.

    Such a line is the rest of one that was broken, in which the unit may attack.
    """
    for before, token in pairwise(tokens):
        if words.meaning("statements", token.key) == base.WORDS[statements.Support][0]:
            return tokens[-1] is not token and line.comma(before, token)
    return False


def _tidied(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> LogicalLine:
    """The line without what people say around a statement, unless they say it in their own words anyway."""
    if _says_freely(line, words):
        return line
    line = line.of(retreats.within(line.tokens, words, declared))
    bare = ended(line.tokens, declared)
    if (told := valued(bare, words)) is not bare:
        return line.of(told)
    tidied = spoken.tidied(spoken.without_asides(line, words, declared), words, declared)
    return line.of(retreats.without_side(tidied, words, declared))


def _says_freely(line: LogicalLine, words: Vocabulary) -> bool:
    """Whether somebody says something in his own words in a line, or gives a name."""
    return _own_words(words.meaning("statements", line.tokens[0].key) or "")


def _in_figures(tokens: Sequence[Token], words: Vocabulary) -> Iterator[Token]:
    """Dice in words as figures: `a six and a 4`."""
    begun = False
    for i, token in enumerate(tokens):
        if i and token.kind == "word" and words.meaning("beside-turns", token.key):
            continue
        leads = any(words.meaning(section, token.key) for section in ("fillers", "lead-ins"))
        if i and not begun and token.kind == "word" and leads:
            continue  # `lancei e deu 2 e 6`
        begun = begun or (i > 0 and token.kind == "word")
        figure = words.meaning("numbers", token.key) if token.kind == "word" else None
        article = figure == "1" and not token.text.isdigit() and i + 1 < len(tokens)
        following = tokens[i + 1] if article and tokens[i + 1].key != token.key else None
        if following is not None and (following.text.isdigit() or words.meaning("numbers", following.key)):
            continue  # `um cinco`: a five
        yield replace(token, text=figure, key=figure) if figure else token


def _small_words(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """Small words where the statement has them."""
    needed = _after(words.meaning("statements", tokens[0].key) or "")
    tokens = movement.entered(tokens, words, declared)
    tokens = numbers.unpriced(numbers.with_others(tokens, words, declared), words)
    tokens = order.through(numbers.from_first(tokens, words) if numbers.goes(tokens, words) else tokens, words)
    tokens = order.by_steps(continued.without_asides(tokens, words), words, declared)
    tokens = order.counted(order.without_articles(tokens, words, declared), words, needed)
    return order.by_edges(tokens, words, needed)


def _opens(first: str) -> bool:
    """Whether a word opens a phase."""
    return any(issubclass(cls, base.Opening) for cls in base.beginning(first))


def _own_words(first: str) -> bool:
    """Whether somebody says something in his own words behind a word, or gives a name."""
    return first in ("name", "players") or any(issubclass(cls, base.Ruling) for cls in base.beginning(first))


@cache
def _colonless(first: str) -> bool:
    """Whether a colon has no meaning in the statements of a first word."""
    forms = [base.layout(cls) for cls in base.beginning(first)]
    parts = (p for form in forms for p in (*form.required, *form.optional))
    needs = any((p.after and p.after.word == ":") or p.kind.name in _WITH_COLON for p in parts)
    return bool(forms) and not needs


def _of_one_unit(first: str) -> bool:
    """Whether the statements of a first word begin with a single unit, whatever that is called."""
    required = (base.layout(cls).required for cls in base.beginning(first))
    return any(parts[0].kind is ONE_UNIT for parts in required if parts)


@cache
def _after(first: str) -> frozenset[str]:
    """The small words that have their place in the statements of a first word."""
    forms = [base.layout(cls) for cls in base.beginning(first)]
    return frozenset(p.after.word for form in forms for p in (*form.required, *form.optional) if p.after)


@cache
def _from_hexes(first: str) -> bool:
    """Whether a hex may follow `from` in the statements of a first word, and is not its way's first."""
    forms = [base.layout(cls) for cls in base.beginning(first)]
    parts = (p for form in forms for p in (*form.required, *form.optional) if p.after)
    return any(p.after and p.after.word == "from" and p.kind.name in ("hex", "thing") for p in parts)


def _header(tokens: Sequence[Token], words: Vocabulary) -> Iterator[Token]:
    """A turn's line without its dashes and colons, and without `phase`, `of`, `the`."""
    yield tokens[0]
    for token in tokens[1:]:
        if token.text not in ("-", ":", "/", "->") and words.meaning("beside-turns", token.key) is None:
            yield token


def _split(tokens: Sequence[Token], declared: Container[str]) -> Iterator[Token]:
    """`5+3` and `u1+u2` as two words each: what is summed has figures, or is declared, unlike `town+rough`."""
    for token in tokens:
        if token.kind != "word" or not _SUM.fullmatch(token.text):
            yield token
            continue
        pieces = [(m.start(), m[0]) for m in re.finditer(r"[^+&]+", token.text)]
        if not all(_DIGIT.search(p) or fold(p) in declared for _, p in pieces):
            yield token
            continue
        for start, piece in pieces:
            yield replace(token, text=piece, key=fold(piece), column=token.column + start)


def _joined(tokens: Sequence[Token], words: Vocabulary, declared: Container[str]) -> Iterator[Token]:
    """Without `and` in a list; `+` joins terrains too, and is left out only between units, hexes and figures."""

    def listed(token: Token) -> bool:
        known = token.key in declared or token.key in words.units or bool(words.like(token.key))
        return token.kind == "word" and (known or _DIGIT.search(token.text) is not None)

    for i, token in enumerate(tokens):
        between = 1 < i < len(tokens) - 1 and token.kind == "word" and token.key not in declared
        joins = between and words.meaning("fillers", token.key) == "and"
        if not joins or (token.text == "+" and not (listed(tokens[i - 1]) and listed(tokens[i + 1]))):
            yield token


def _hexes(tokens: Sequence[Token], words: Vocabulary, declared: Container[str]) -> Iterator[Token]:
    """Without what stands before a hex and says no more: `hex`, `in`; `from` where no hex stands before it."""

    def empty(i: int) -> bool:
        token = tokens[i]
        if token.kind != "word" or token.key in declared or i == 0 or (i == 1 and names_one):
            return False
        if words.meaning("words", token.key) in (needed if _from_hexes(first) else needed - {"from"}):
            return False
        if words.meaning("fillers", token.key) == "hex":
            return True
        if words.meaning("words", token.key) == ("to" if of_hexes else "by") and (of_hexes or goes):
            return True
        return words.meaning("words", token.key) == "from" and not words.is_hex(tokens[i - 1].text)

    first = words.meaning("statements", tokens[0].key) or ""
    needed, names_one = _after(first), _of_one_unit(first)
    goes = numbers.has_way(first)
    of_hexes = any(issubclass(cls, statements.Engagement) for cls in base.beginning(first))
    following = False
    kept: list[Token] = []
    for i in reversed(range(len(tokens))):
        if following and empty(i):
            continue
        kept.append(tokens[i])
        text = tokens[i].text
        following = tokens[i].kind == "word" and (bool(HEX.fullmatch(text[:4])) or words.is_hex(text))
    return reversed(kept)
