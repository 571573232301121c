"""Numbers that are both a hex's and a unit's, where their place in the line says which: `attack 0507 with 1010`.

So with numbers that may be figures as well: `15 loses a step`.

Left alone where they may be either; what stands for a unit is written as its id.

Ways in the order of the notation, and without what is said of their price.

Places said by their names where a hex may stand: `109-1 to Vossenack`, `attack Hill 400 with …`.

Only a place of one hex is taken, and only behind a word that leads to a hex, between the hexes of a way, or before
a colon that says what happens there; anywhere else a name may be a formation's, a road's, or the game's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Final, TypeAlias

from ...notation import base, statements
from ...notation.cursor import ARROW, LogicalLine, Token
from ...notation.words import Vocabulary, fold
from . import naming
from .deeds import talk
from .naming import of_one_side

Tokens: TypeAlias = tuple[Token, ...]


@cache
def has_way(word: str | None) -> bool:
    """Whether a word begins a statement with a way."""
    forms = (base.layout(cls) for cls in base.beginning(word or ""))
    return any(part.kind.part == "path" for form in forms for part in form.required)


def goes(tokens: Tokens, words: Vocabulary) -> bool:
    """Whether a line says where units go on the map."""
    return words.meaning("statements", tokens[0].key) in _GOING


def with_others(tokens: Tokens, words: Vocabulary, declared: Container[str]) -> Tokens:
    """`move u1 to 0308 with u2` with all who go before the way."""
    at = next((i for i, t in enumerate(tokens) if i > 2 and words.meaning("words", t.key) == "by"), 0)
    if not at or not goes(tokens, words) or not words.hexes_of(tokens[at - 1].text):
        return tokens
    others = [t for t in tokens[at + 1 :] if not (t.text in ("+", "&") or _is_joint(t, words))]
    led = next((i for i in range(1, at) if words.hexes_of(tokens[i].text)), at)
    own = [i for i in range(1, led) if _unit(tokens[i], words, declared)]
    named = [_unit(t, words, declared) for t in others]
    if not own or not named or not all(named):
        return tokens
    if not of_one_side((*named, _unit(tokens[own[-1]], words, declared)), words):
        return tokens
    return (*tokens[: own[-1] + 1], *others, *tokens[own[-1] + 1 : at])


def _unit(token: Token, words: Vocabulary, declared: Container[str]) -> str:
    """The one unit that a word names; "" for none and for several."""
    if token.key in declared or token.key in words.units:
        return token.key
    return words.one(token.key) if token.kind == "word" and not words.is_hex(token.text) else ""


def _is_joint(token: Token, words: Vocabulary) -> bool:
    return token.kind == "word" and words.meaning("fillers", token.key) in ("and", "hex")


def from_first(tokens: Tokens, words: Vocabulary) -> Tokens:
    """`to 0622 from 0522` in the order of the way."""
    said = [words.meaning("words", t.key) if t.kind == "word" else None for t in tokens]
    at = next((i for i, word in enumerate(said) if word == "from" and i > 1), 0)
    to = next((i for i, word in enumerate(said[:at]) if word == "to"), 0)
    hexes = [i for i, t in enumerate(tokens) if words.is_hex(t.text)]
    if not to or hexes != [to + 1, at + 1] or at + 2 != len(tokens):
        return tokens
    return (*tokens[:to], tokens[at], tokens[at + 1], tokens[to], tokens[to + 1], *tokens[to + 2 : at])


def unpriced(tokens: Tokens, words: Vocabulary) -> Tokens:
    """A way without what its writer says that it costs: `(2 MP)`."""
    if not has_way(words.meaning("statements", tokens[0].key)):
        return tokens
    if len(tokens) > 3 and _AMOUNT.fullmatch(tokens[-1].text):
        costs = -3 if tokens[-2].text in (":", "=") else -2
        if words.meaning("besides", tokens[costs].key) == "cost":
            tokens = tokens[:costs]
    kept: list[Token] = []
    for token in tokens:
        glued = None if words.is_hex(token.text) else _PRICE.fullmatch(token.key)
        unit = words.meaning("besides", _PRICE.sub(r"\2", token.key) if glued else token.key) == "mp"
        if token.kind != "word" or not unit or not kept:
            kept.append(token)
            continue
        counted = [glued]
        while len(kept) > 1 and _is_price(kept[-1]):
            counted.append(_AMOUNT.fullmatch(kept.pop().text))
        while len(kept) > 1 and words.meaning("besides", kept[-1].key) == "cost":
            kept.pop()
        if not any(counted):
            kept.append(token)
    return tuple(kept)


def from_where_it_stands(before: Tokens, way: Tokens, words: Vocabulary) -> Tokens:
    """A way of which the hexes are told that it goes through, open from where the units `before` it stand."""
    if words.meaning("statements", before[0].key) not in _GOING:
        return way
    colon = () if any(t.text == ":" for t in before) else (replace(way[0], kind="mark", text=":", key=":"),)
    return (*colon, replace(way[0], kind="word", text="-", key="-"), *way)


_GOING: Final = frozenset(base.WORDS[cls][0] for cls in (statements.Move, statements.Retreat))


def uncounted(tokens: Tokens, words: Vocabulary) -> Tokens:
    """A way without how many hexes long it is, where it is: `1007 1107 (1 hex)`, `recua 1 hex para 1107`."""
    hexes = [hex_ for t in tokens for hex_ in words.hexes_of(t.text)]
    steps = max(1, len(hexes) - 1) if hexes else 0
    for i, (number, unit) in enumerate(pairwise(tokens)):
        if words.meaning("besides", unit.key) != "hexes" or number.kind != "word" or not i:
            continue
        if (words.meaning("numbers", number.key) or number.text) == str(steps):
            return (*tokens[:i], *tokens[i + 2 :])
    return tokens


def _is_price(token: Token) -> bool:
    return token.text in ("+", "=") or _AMOUNT.fullmatch(token.text) is not None


_AMOUNT: Final = re.compile(r"(?:[0-9]{1,2}\u00bd?|\u00bd)(?:[.+](?:[0-9]{1,2}\u00bd?|\u00bd))*")
_PRICE: Final = re.compile(r"([0-9]{1,2}(?:[.][0-9])?)([a-z]{2,4})")


def way_first(tokens: Tokens, word: str, words: Vocabulary) -> Tokens:
    """`enter u1 from south by road at 0812` with the edge, and the kind of way, behind the hexes."""
    first = next((i for i, t in enumerate(tokens) if words.hexes_of(t.text)), 0)
    led = [
        i
        for i, (small, token) in enumerate(pairwise(tokens[:first]))
        if (words.meaning("words", small.key) == word and words.meaning("edges", token.key))
        or (words.meaning("words", small.key) == "by" and words.meaning("ways", token.key))
    ]
    before = {at for i in led for at in (i, i + 1)}
    # `entra por 0812`: what stands before the first hex alone leads to it.
    leads = first - 1 if words.meaning("words", tokens[first - 1].key) == "by" else -1
    kept = (t for i, t in enumerate(tokens) if i not in before and (i != leads or i < 1))
    return (*kept, *(tokens[i] for i in sorted(before)))


_FOUGHT: Final = frozenset(base.WORDS[cls][0] for cls in (statements.Attack, statements.Combat, statements.Bombard))
_OF_UNITS: Final = frozenset(
    base.WORDS[cls][0] for cls in (statements.Lose, statements.Eliminate, statements.Recover)
)
_OF_FIGURES: Final = frozenset(
    base.WORDS[cls][0]
    for cls in (statements.Roll, statements.Result, statements.Declare, statements.AirSupport, statements.Score)
)
_GUARD: Final = base.WORDS[statements.Guard][0]
_LEAST: Final = 2
_SHORT: Final = 2
"""Digits of a number that is a unit's, and else a figure."""
_ONWARD: Final = ("to", "->")


def meant(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """The line with the ids of units in place of such numbers, wherever nothing but a unit can stand."""
    first = words.meaning("statements", tokens[0].key) if tokens[0].kind == "word" else None
    if _GUARD in (first, words.meaning("labels", tokens[0].key)):
        return _units(tokens, words, declared, lambda i: words.is_hex(tokens[i].text))
    goes = has_way(first)
    if (first and not goes and first not in _OF_UNITS and first not in _FOUGHT) or len(tokens) < _LEAST:
        return tokens
    if goes and tokens[1].text == ":":
        tokens = (tokens[0], *tokens[2:])  # `Mov: 59 1204 1303`: that colon parts nobody from his way
    # Where units and their way are parted by a colon, no number of the way is one's.
    until = next((i for i, t in enumerate(tokens) if t.text == ":"), len(tokens)) if goes else len(tokens)
    if not any(_is_both(token, words, declared) for token in tokens[:until]):
        return tokens
    if first in _OF_UNITS:
        return _units(tokens, words, declared, lambda i: not _is_rest(tokens, i, words))
    at = next((i for i, t in enumerate(tokens) if i > 1 and _leads_to_units(t, words)), len(tokens))
    fought = len(tokens) > 1 and words.meaning("statements", tokens[1].key) in _FOUGHT and at < len(tokens)
    if first in _FOUGHT or fought:
        # Two digits may be a total there.
        return _units(tokens, words, declared, lambda i: i > at and words.is_hex(tokens[i].text))
    subject = 1 if goes else 0
    return _units(
        tokens,
        words,
        declared,
        lambda i: (
            i < until
            and not _is_rest(tokens, i, words)
            and _does(tokens, _last_of_list(tokens, i, words, declared), words, subject)
        ),
    )


def attackers(line: LogicalLine, words: Vocabulary, declared: Container[str], side: str) -> LogicalLine:
    """A line of a combat that nobody attacks in yet, who does so by numbers alone as the units of a side."""
    tokens = line.tokens
    if (
        line.too_long
        or not tokens
        or words.meaning("statements", tokens[0].key) != base.WORDS[statements.Attack][0]
    ):
        return line
    if any(_leads_to_units(token, words) and i > 1 for i, token in enumerate(tokens)):
        return line
    named = [t for t in tokens if t.kind == "word" and words.is_hex(t.text)]
    if not named or any(words.side(words.numbered(t.key)) != side for t in named):
        return line
    return line.of(_units(tokens, words, declared, lambda i: True))


def _leads_to_units(token: Token, words: Vocabulary) -> bool:
    return (token.kind == "mark" and token.text == ":") or words.meaning("words", token.key) == "by"


def _last_of_list(tokens: Sequence[Token], i: int, words: Vocabulary, declared: Container[str]) -> int:
    """The last of the numbers that are joined to one: in `73 e 74 recuam` the second."""
    while i + 1 < len(tokens):
        joined = tokens[i + 1]
        small = joined.text in ("+", "&") or words.meaning("fillers", joined.key) == "and"
        at = i + 2 if small else i + 1
        if at >= len(tokens) or not _is_both(tokens[at], words, declared):
            break
        i = at
    return i


def _does(tokens: Sequence[Token], i: int, words: Vocabulary, subject: int) -> bool:
    """Whether what follows a number is done by a unit: a verb, a colon, or the way that it goes.

    `subject`: where the first unit of the line stands.
    """
    following = tokens[i + 1 :]
    if not following:
        return False
    behind, way = following[0], [t for t in following if words.hexes_of(t.text)]
    if behind.kind == "mark" and behind.text == ":":
        return bool(way)
    small = words.meaning("words", behind.key)
    if i != subject:
        return bool(i > subject and not small and _acts(following, words))
    if words.is_hex(behind.text):
        return len(way) > 1 and not _touch(tokens[i], behind, words)
    return _acts(following, words) or (small == "from" and len(way) > 1) or (small in _ONWARD and len(way) == 1)


def _acts(following: Sequence[Token], words: Vocabulary) -> bool:
    """Whether words begin with what units do."""
    behind = following[0]
    if words.meaning("copulas", behind.key) and len(following) > 1:
        behind = following[1]
    phrase = "-".join(t.key for t in following[:2])
    verb = any(words.meaning("behind-units", key) for key in (behind.key, phrase))
    return bool(verb or talk()["deeds"].get(behind.key) or words.meaning("statements", behind.key))


def _touch(one: Token, other: Token, words: Vocabulary) -> bool:
    if words.grid is None:
        return True
    return {one.text, other.text} <= set(words.grid) and words.adjacent(one.text, other.text)


def _is_both(token: Token, words: Vocabulary, declared: Container[str]) -> bool:
    plain = token.kind == "word" and token.key not in declared
    short = token.key.isdigit() and len(token.key) == _SHORT
    return plain and (short or words.is_hex(token.text)) and bool(words.numbered(token.key))


def _is_rest(tokens: Sequence[Token], i: int, words: Vocabulary) -> bool:
    """Whether a number that may be a figure goes on with what is before it, `SS 38`, or leads to figures."""
    if words.is_hex(tokens[i].text):
        return False
    behind = words.meaning("statements", tokens[i + 1].key) if i + 1 < len(tokens) else None
    if behind in _OF_FIGURES:
        return True
    if i == 0:
        return False
    before = tokens[i - 1].key
    small = any(words.meaning(section, before) for section in ("fillers", "beside-turns"))
    return not (small or words.begins(before) or words.numbered(before) or before in words.units)


def _units(
    tokens: Sequence[Token], words: Vocabulary, declared: Container[str], where: Callable[[int], bool]
) -> tuple[Token, ...]:
    found = [
        replace(t, text=unit, key=unit)
        if where(i) and _is_both(t, words, declared) and (unit := words.numbered(t.key))
        else t
        for i, t in enumerate(tokens)
    ]
    return tuple(found)


_MOST: Final = 4
"""Words that a name has at most."""
_LEAD: Final = 2
_WHEREABOUTS_LEAST: Final = 2
"""Words of a way, its hexes joined, and of who goes it."""
_LEADING: Final = ("to", "from", "by", "at", "via", "into", "against")
_TURN: Final = re.compile(r"t[0-9]{1,2}")
_FREELY: Final = (base.Header, base.Ruling, base.Opening)
"""Statements in which a name is a name."""


def told(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> LogicalLine:
    """The line with the hexes of its places, and who goes a way before the way."""
    lead = "-".join(t.key for t in line.tokens[:_LEAD])
    if len(line.tokens) > _LEAD and words.meaning("lead-ins", lead):
        line = line.of(line.tokens[_LEAD:])  # `por fim, …`: as one word of it, that is a ruling's
    return with_units_first(with_hexes(_unlisted(line, words, declared), words, declared), words, declared)


def _unlisted(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> LogicalLine:
    """The line without the bullet that stands right before its first unit: `-112-2 0807 0908`."""
    first = line.tokens[0] if len(line.tokens) > 1 and not line.too_long else None
    if first is None or first.kind != "word" or first.text[0] not in "-+":
        return line
    bare = replace(first, text=first.text[1:], key=first.key[1:], column=first.column + 1)
    named = bool(bare.key) and naming.names_unit(bare, words, declared)
    return line.of((bare, *line.tokens[1:])) if named else line


def with_hexes(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> LogicalLine:
    """The line with the hexes of the places that it names; itself where it names none."""
    if line.too_long or all(t.key not in words.first_of_places for t in line.tokens):
        return line
    first = line.tokens[0]
    begun = base.beginning(words.meaning("statements", first.key) or "") if first.kind == "word" else []
    if any(issubclass(cls, _FREELY) for cls in begun):
        return line
    found: list[Token] = []
    at = 0
    if any(words.meaning("statements", t.key) == "turn" or _TURN.fullmatch(t.key) for t in line.tokens):
        return line  # `turn 2 of Hürtgen`: the game
    while at < len(line.tokens):
        count, hexes = _place(line.tokens[at:], words, declared)
        behind = line.tokens[at + count] if at + count < len(line.tokens) else None
        if not count:
            found.append(line.tokens[at])
            at += 1
        elif _stands(found, words, hexes) or (behind is not None and _stands([behind], words, hexes)):
            at += count  # `Vossenack (1007)`, `1007 Vossenack`: the hex says it
        elif len(hexes) == 1 and not _bracketed(line, line.tokens[at]) and _leads(found, behind, words):
            if len(found) > 1 and all(words.meaning("words", t.key) == "to" for t in found[-2:]):
                found.pop()  # `para a Encruzilhada`: before a hex nobody says so
            found.append(replace(line.tokens[at], kind="word", text=hexes[0], key=fold(hexes[0])))
            at += count
        else:
            found += line.tokens[at : at + count]
            at += count
    return line.of(tuple(found))


def with_units_first(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> LogicalLine:
    """`0807 -> 0908 112-2, 112-3` as `112-2 112-3: 0807 -> 0908`; itself for any other line."""
    tokens = line.tokens
    if (
        line.too_long
        or len(tokens) < _WHEREABOUTS_LEAST
        or tokens[0].key in declared
        or not words.hexes_of(tokens[0].text)
    ):
        return line
    way = next((i for i, t in enumerate(tokens) if not _of_way(t, words, declared)), len(tokens))
    units = [t for t in tokens[way:] if t.text != ":" and words.meaning("fillers", t.key) != "and"]
    linked = any(t.text in ("-", ARROW) or words.hexes_joined(t.text) for t in tokens[:way])
    # A number may be a hex or a unit: who means which nobody can say where both stand side by side.
    known = [naming.names_unit(t, words, declared) and not words.is_hex(t.text) for t in units]
    if not linked or not known or not all(known) or tokens[way - 1].text in ("-", ARROW):
        return line
    colon = replace(tokens[way], kind="mark", text=":", key=":")
    return line.of((*units, colon, *tokens[:way]))


def _of_way(token: Token, words: Vocabulary, declared: Container[str]) -> bool:
    return token.text in ("-", ARROW) or (bool(words.hexes_of(token.text)) and token.key not in declared)


def _place(tokens: Sequence[Token], words: Vocabulary, declared: Container[str]) -> tuple[int, tuple[str, ...]]:
    """How many words from the first on are the name of a place, the longest such, and its hexes."""
    if tokens[0].key in declared or tokens[0].key in words.units or words.like(tokens[0].key):
        return 0, ()
    for count in range(min(_MOST, len(tokens)), 0, -1):
        named = tokens[:count]
        if all(t.kind in ("word", "name") for t in named):
            hexes = words.places.get(" ".join(t.key for t in named), ())
            if hexes:
                return count, hexes
    return 0, ()


def _stands(tokens: Sequence[Token], words: Vocabulary, hexes: Sequence[str]) -> bool:
    """Whether the last token is one of the hexes of a place, and no way through it."""
    return bool(tokens) and words.is_hex(tokens[-1].text) and tokens[-1].text.upper() in hexes


def _bracketed(line: LogicalLine, token: Token) -> bool:
    """Whether a word stands in brackets, where people say why they go somewhere."""
    before = line.texts[token.line - 1][: token.column - 1] if token.line <= len(line.texts) else ""
    return any(before.count(opened) > before.count(closed) for opened, closed in ("()", "[]"))


def _leads(before: Sequence[Token], behind: Token | None, words: Vocabulary) -> bool:
    """Whether a hex may stand between these. One right behind a name may be what its writer takes the place for."""
    if behind is not None and words.is_hex(behind.text):
        return False
    if not before:
        return behind is not None and (behind.text in (":", ARROW) or _whereabouts_acts(behind, words))
    last = before[-1]
    if any(t.text == "-" and any(words.is_hex(h.text) for h in before[:i]) for i, t in enumerate(before[:-1])):
        return False  # `0806 0907 - closing on Vossenack`
    if last.text == "-":
        # Behind a whole way a dash leads to a remark as often: `0807 0908 - Vossenack next`.
        hexes = [i for i, t in enumerate(before) if words.is_hex(t.text)]
        return len(hexes) == 1 and not (hexes[0] and words.meaning("words", before[hexes[0] - 1].key) == "to")
    if last.text == ARROW:
        return len(before) > 1
    if last.kind != "word":
        return last.text == ":"
    if behind is not None and (behind.text in ("-", ARROW) or words.meaning("words", behind.key) == "to"):
        return True  # `28-td Consthum - Hoscheid`
    small = words.meaning("words", last.key) in _LEADING or words.meaning("fillers", last.key) == "hex"
    return small or _whereabouts_acts(last, words) or words.is_hex(last.text)


def _whereabouts_acts(token: Token, words: Vocabulary) -> bool:
    """Whether a word says what is done, and may be followed by where."""
    if token.kind != "word":
        return False
    if (
        words.meaning("behind-units", token.key)
        or words.meaning("labels", token.key) == base.WORDS[statements.Combat][0]
    ):
        return True
    begun = base.beginning(words.meaning("statements", token.key) or "")
    return any(issubclass(cls, base.Play | base.Act) for cls in begun)
