"""Words put into the order in which the notation has them: `112-1 retreats to 1107`, `20 points off-map`.

Only lines of which every word has its place are put in order. Each token keeps its own place in the line, so that a
problem still says where.

Places as people list them in a position: the hex first (`3802 - u1, u2`), or several units in one hex.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, TypeAlias

from ...notation import base, statements
from ...notation.cursor import DIGIT, LogicalLine, Token, in_place
from ...notation.words import Vocabulary, fold
from . import naming
from .movement import going
from .naming import fits, is_kind, names_unit, of_one_side, stray_kind
from .numbers import from_first, from_where_it_stands, has_way, unpriced, way_first, with_others

Tokens: TypeAlias = tuple[Token, ...]


_FIGURE: Final = re.compile(r"[0-9]{1,3}")
_WORKED_OUT: Final = ("odds", "column", "value")
"""What a declaration may give alone, without the word that begins it."""


def apart(
    tokens: Tokens, words: Vocabulary, declared: Container[str], engaged: frozenset[str] = frozenset()
) -> list[Tokens]:
    """A line that says two things as two: `combat 1007: us-112-1 us-112-2`, `roll 3 6 -> DRB`.

    `engaged`: the hexes of the combat that the line stands in, which an attack on them begins no second time.
    """
    first = words.meaning("statements", tokens[0].key) if tokens[0].kind == "word" else None
    if first == base.WORDS[statements.Attack][0] and (attacked := _attacked(tokens, words, declared, engaged)):
        return attacked
    if first is None and (told := told_first(tokens, words, declared)) != tokens:
        attacked = _attacked(told, words, declared, engaged) if _attacks(told[0], words) else []
        return attacked or [tokens]
    if first == base.WORDS[statements.Combat][0]:
        tokens = _with_as_colon(tokens, words)
    at = next(
        (i for i, t in enumerate(tokens) if i and t.kind == "mark" and t.text in _JOINTS.get(first or "", ())), 0
    )
    before, after = tokens[:at], tokens[at + 1 :]
    if first == base.WORDS[statements.Combat][0] and not at and all(t.kind == "word" for t in tokens):
        # `combat 1007 us-112-1 us-112-2`
        at = next((i for i, t in enumerate(tokens) if i > 1 and names_unit(t, words, declared)), 0)
        before, after = tokens[:at], tokens[at:] if at else ()
    if not before or not after or any(t.kind != "word" for t in (*before, *after)):
        return [tokens]
    coded = all(words.are_codes(t.text) for t in after)
    if first == "roll" and (coded or (tokens[at].text != ":" and not any(DIGIT.search(t.text) for t in after))):
        return [before, (_beginning("result", after[0], words), *after)]
    named = [names_unit(t, words, declared) for t in after]
    if (
        first == "combat"
        and len(before) > 1
        and named[0]
        and all(known or is_small(t, words) for known, t in zip(named, after, strict=True))
    ):
        return [before, (_beginning("attack", after[0], words), *after)]
    return [tokens]


def _attacks(token: Token, words: Vocabulary) -> bool:
    return words.meaning("statements", token.key) == base.WORDS[statements.Attack][0]


def _attacked(tokens: Tokens, words: Vocabulary, declared: Container[str], engaged: frozenset[str]) -> list[Tokens]:
    """`attack on 1007 with u1 u2` as the combat and who attacks; none for what names no hex or anything else."""
    hexes: list[Token] = []
    units: list[Token] = []
    for before, token in pairwise(tokens):
        if token.text == ":" and words.meaning("labels", before.key):
            return []  # `…, artillery: u3`: another statement
        if token.kind == "word" and names_unit(token, words, declared):
            units.append(token)
        elif token.kind == "word" and words.is_hex(token.text):
            hexes.append(token)
        elif not (token.text == ":" or is_small(token, words) or is_kind(token, words) or _is_side(token, words)):
            return []
        elif token.kind == "word" and words.meaning("words", token.key) == "from":
            return []  # the hexes that they attack from, perhaps
    if not hexes or stray_kind(tokens[1:], [names_unit(t, words, declared) for t in tokens[1:]], words):
        return []
    combat: Tokens = (_beginning(base.WORDS[statements.Combat][0], tokens[0], words), *hexes)
    if not units:
        return [combat]
    attack: Tokens = (_beginning(base.WORDS[statements.Attack][0], units[0], words), *units)
    return [attack] if engaged == {token.text.upper() for token in hexes} else [combat, attack]


def _is_side(token: Token, words: Vocabulary) -> bool:
    return token.kind == "word" and words.meaning("sides", token.key) is not None


def _with_as_colon(tokens: Tokens, words: Vocabulary) -> Tokens:
    """`combat 1007 with u1` as `combat 1007: u1`."""
    with_ = next((i for i, t in enumerate(tokens) if i > 1 and words.meaning("words", t.key) == "by"), 0)
    if not with_ or any(t.kind == "mark" for t in tokens):
        return tokens
    return (*tokens[:with_], replace(tokens[with_], kind="mark", text=":", key=":"), *tokens[with_ + 1 :])


_JOINTS: Final = {"roll": ("->", "=", ":"), "combat": (":",)}
"""The marks behind which another statement may stand, by the word that begins the first."""


def _beginning(statement: str, at: Token, words: Vocabulary) -> Token:
    """The word that begins a statement, in the place of a token."""
    return in_place(at, "statements", statement, words)


def told_first(tokens: Tokens, words: Vocabulary, declared: Container[str]) -> Tokens:
    """What units do before the units: `112-1 and 112-2 retreat to 1107`."""
    if words.begins(tokens[0].key) and tokens[0].key not in declared:
        return tokens
    for i, token in enumerate(tokens):
        if token.kind != "word":
            return tokens
        behind = words.meaning("behind-units", token.key)
        if behind is None and i and words.meaning("words", token.key) == "against":
            rest = tokens[i + 1 :]
            attacks = bool(rest) and all(words.is_hex(t.text) or is_small(t, words) for t in rest)
            behind = base.WORDS[statements.Attack][0] if attacks else None
        if i and token.key not in declared and (behind or _of_units(words.meaning("statements", token.key))):
            if any(names_unit(t, words, declared) for t in tokens[i + 1 :]):
                return tokens  # whoever stands behind does what is said, or another thing
            if stray_kind(tokens[:i], [names_unit(t, words, declared) for t in tokens[:i]], words):
                return tokens
            subject = without_small(tokens[:i], words, declared)
            act = _beginning(behind, token, words) if behind else token
            together = of_one_side((next(iter(_one(t, words))) for t in subject), words)
            return (act, *subject, *tokens[i + 1 :]) if subject and together else tokens
        if not (names_unit(token, words, declared) or is_small(token, words) or is_kind(token, words)):
            return tokens
    return tokens


def moved_first(tokens: Tokens, words: Vocabulary, declared: Container[str]) -> Tokens:
    """`112-1: 0806 0907` with the word that begins a move, for whoever names units and a way means one.

    A single hex behind the units may be where they stand, and is left alone unless `to` or an arrow goes before it.
    """
    if words.begins(tokens[0].key) and tokens[0].key not in declared:
        return tokens
    if words.begins(tokens[0].key) and len(tokens) > 1 and names_unit(tokens[1], words, declared):
        return tokens
    move = _beginning(base.WORDS[statements.Move][0], tokens[0], words)
    tokens = with_others((move, *from_first(tokens, words)), words, declared)[1:]
    told, goes = going(unpriced((move, *tokens), words)[1:], words, declared)
    at = next((i for i, t in enumerate(told) if not is_subject(t, words, declared)), len(told))
    way = [t for t in told[at:] if t.text != ":" or t.kind != "mark"]
    named = any(names_unit(t, words, declared) for t in told[:at])
    hexes = sum(len(words.hexes_of(t.text)) for t in way)
    onward = goes or any(t.text == "->" or words.meaning("words", t.key) == "to" for t in told)
    if stray_kind(told[:at], [names_unit(t, words, declared) for t in told[:at]], words):
        return tokens
    if not named or not (hexes > 1 or (hexes and onward)) or not all(_is_of_way(t, words) for t in way):
        return tokens
    subject = (t for t in told[:at] if names_unit(t, words, declared) or not is_kind(t, words))
    return (move, *subject, *told[at:])


def is_subject(token: Token, words: Vocabulary, declared: Container[str]) -> bool:
    """Whether a word names a unit, says what it is, or says no more than stands before units."""
    named = names_unit(token, words, declared) or is_kind(token, words)
    return token.kind == "word" and (named or is_small(token, words))


def _is_of_way(token: Token, words: Vocabulary) -> bool:
    if token.kind == "mark":
        return token.text in ("->", "/")
    hexes = bool(words.hexes_of(token.text)) or token.text == "-"
    return hexes or words.meaning("fillers", token.key) == "hex" or words.meaning("words", token.key) in _ON_THE_WAY


def by_steps(tokens: Tokens, words: Vocabulary, declared: Container[str]) -> Tokens:
    """Who loses a step once, who loses two twice: `lose u1 two steps` as `lose u1 u1`; `u1 loses 1`, `u1 recovers
    a step` as who does so."""
    word = words.meaning("statements", tokens[0].key)
    if word not in (base.WORDS[statements.Lose][0], base.WORDS[statements.Recover][0]):
        return tokens
    tokens = _uncounted(tokens, words, declared)
    steps = [i for i, t in enumerate(tokens) if i and words.meaning("besides", t.key) == "step"]
    if len(steps) != 1:
        return tokens
    at = steps[0]
    told = words.meaning("numbers", tokens[at - 1].key) or tokens[at - 1].text
    count = int(told) if told in _STEPS else 1
    rest = tokens[1 : at - (told in _STEPS or is_small(tokens[at - 1], words))] + tokens[at + 1 :]
    rest = tuple(t for t in rest if t.text != ":" and not is_small(t, words))
    if not rest or not all(names_unit(t, words, declared) for t in rest) or (count > 1 and len(rest) > 1):
        return tokens
    if count > 1 and word == base.WORDS[statements.Recover][0]:
        return tokens
    return (tokens[0], *(t for t in rest for _ in range(count)))


def _uncounted(tokens: Tokens, words: Vocabulary, declared: Container[str]) -> Tokens:
    """`lose u1 1`, where no unit is called so, as `lose u1 1 step`."""
    last = tokens[-1]
    told = words.meaning("numbers", last.key) or last.text
    if told not in _STEPS or last.key in declared or last.key in words.units or len(tokens) < _COUNTED:
        return tokens
    step = words.first("besides", "step")
    behind = replace(last, text=step, key=fold(step)) if names_unit(tokens[-2], words, declared) else None
    return (*tokens, behind) if behind else tokens


_STEPS: Final = frozenset("123456")
_COUNTED: Final = 3
"""Words of a line that says who loses how many."""


def without_small(tokens: Tokens, words: Vocabulary, declared: Container[str]) -> Tokens:
    """The units alone, one that is named twice in a row, by its id and by a part of it, once."""
    named = [t for t in tokens if names_unit(t, words, declared)]
    again = {
        i
        for i, t in enumerate(named[1:], 1)
        if t.key != named[i - 1].key and _one(t, words) == _one(named[i - 1], words)
    }
    return tuple(t for i, t in enumerate(named) if i not in again)


def _one(token: Token, words: Vocabulary) -> tuple[str, ...]:
    return (token.key,) if token.key in words.units else words.like(token.key) or (token.key,)


def _of_units(word: str | None) -> bool:
    """Whether a word begins a statement of units."""
    forms = (base.layout(cls) for cls in base.beginning(word or ""))
    return any(
        len(form.words) == 1 and form.required and form.required[0].kind.part in ("units", "guns") for form in forms
    )


def is_small(token: Token, words: Vocabulary) -> bool:
    small = ("fillers", "beside-turns")
    return any(words.meaning(s, token.key) for s in small) or words.meaning("words", token.key) in _SMALL


_GUNS: Final = "artillery"
_SMALL: Final = ("by", "from", "to")
_ON_THE_WAY: Final = (*_SMALL, "via")


def without_articles(tokens: Tokens, words: Vocabulary, declared: Container[str]) -> Tokens:
    """Units without what stands before them and says no more: `attack with the 112-1`, `ataca a 112-1`."""
    word = words.meaning("statements", tokens[0].key)
    if not _of_units(word) and word != base.WORDS[statements.Bombard][0]:
        return tokens
    kept = [tokens[-1]]
    for token in reversed(tokens[1:-1]):
        following = kept[-1]
        unit = names_unit(following, words, declared) or words.meaning("words", following.key) == "offboard"
        # A unit may be called `de`, and need not be declared to be told apart from others.
        sure = following.key in words.units or bool(words.like(following.key))
        small = is_small(token, words) and (sure or words.meaning("words", token.key) != "from")
        small = small and (_of_units(word) or words.meaning("words", token.key) != "by")
        kind = is_kind(token, words) and (not unit or fits(following, token, words))
        empty = small or words.meaning("statements", token.key) == "unit" or kind
        if not (unit and empty and token.kind == "word" and token.key not in declared):
            kept.append(token)
    while len(kept) > 2 and is_kind(kept[0], words) and kept[0].key not in declared and _of_beyond(kept[1:], words):
        del kept[0]  # `30 points of off-board artillery`
    return (tokens[0], *reversed(kept)) if len(tokens) > 1 else tokens


def _of_beyond(tokens: Sequence[Token], words: Vocabulary) -> bool:
    """Whether points beyond the map end, or begin, a list that is told from its end."""
    return any(words.meaning("words", token.key) == "offboard" for token in tokens[:2])


def through(tokens: Tokens, words: Vocabulary) -> Tokens:
    """`to 0908 via 0807`, `para 0908 por 0807` as a way that ends where it is said to: `- 0807 to 0908`."""
    at = next((i for i in range(len(tokens)) if i and _leads_through(tokens, i, words)), 0)
    if not at or not has_way(words.meaning("statements", tokens[0].key)):
        return tokens
    before, after = tokens[:at], tokens[at + 1 :]
    onward = len(before) > 2 and (before[-2].text == "->" or words.meaning("words", before[-2].key) == "to")
    if onward and words.is_hex(before[-1].text) and after and all(_is_of_way(t, words) for t in after):
        begun = any(words.is_hex(t.text) for t in before[:-2])
        way = (before[-2], *after) if begun else from_where_it_stands(before, after, words)
        return (*before[:-2], *way, *before[-2:])
    return (*before, *after)


def _leads_through(tokens: Tokens, i: int, words: Vocabulary) -> bool:
    """Whether a word leads to hexes that a way goes through: `via`, and `by` behind the hex that it ends in."""
    if words.meaning("words", tokens[i].key) != "by" or not 2 < i < len(tokens) - 1:
        return words.meaning("words", tokens[i].key) == "via"
    onward = tokens[i - 2].text == "->" or words.meaning("words", tokens[i - 2].key) == "to"
    return onward and words.is_hex(tokens[i - 1].text) and words.is_hex(tokens[i + 1].text)


def from_afar(tokens: Tokens, words: Vocabulary, *, fighting: bool = False) -> Tokens:
    """`support 30`: plain points, which no unit is, come from beyond the map; so do `13 points off-map support`.

    `fighting`: a combat is told here, to which points belong that are said to do no more.
    """
    if fighting or words.begins(tokens[0].key):
        tokens = _beyond_first(tokens, words)
    begins = words.meaning("statements", tokens[0].key) == base.WORDS[statements.Support][0]
    told = [t for t in tokens[1:] if t.text != ":" and words.meaning("words", t.key) != "points"]
    if not begins or len(told) != 1 or not _FIGURE.fullmatch(told[0].text):
        return tokens
    return (tokens[0], in_place(told[0], "words", "offboard", words), told[0])


def _beyond_first(tokens: Tokens, words: Vocabulary) -> Tokens:
    """`13 points off-map support`, `off-board artillery 13` as `support offboard 13`."""
    support = base.WORDS[statements.Support][0]
    figures = [t for t in tokens if _FIGURE.fullmatch(t.text)]
    beyond = [t for t in tokens if words.meaning("words", t.key) == "offboard"]
    begun = words.begins(tokens[0].key) and words.meaning("statements", tokens[0].key) != support
    begun = begun and words.meaning("words", tokens[0].key) != "points"
    if len(figures) != 1 or len(beyond) != 1 or begun:
        return tokens
    for token in tokens:
        supports = support in (words.meaning(s, token.key) for s in ("statements", "labels"))
        counts = words.meaning("words", token.key) == "points"
        kind = is_kind(token, words) and words.meaning("arms", token.key) in (None, _GUNS)
        told = supports or counts or token.text == ":" or kind or is_small(token, words)
        if not told and token not in (*figures, *beyond):
            return tokens
    return (_beginning(support, tokens[0], words), beyond[0], figures[0])


def without_copula(tokens: Tokens, words: Vocabulary) -> Tokens:
    """`The odds are 9-1`, `the dice came up 5 and 4` without the verb between a figure and its name."""
    named = words.meaning("words", tokens[0].key) in _WORKED_OUT
    told = named or words.meaning("statements", tokens[0].key) in _TOLD
    same = told and len(tokens) > 3 and words.meaning("statements", tokens[1].key)
    if same and same == words.meaning("statements", tokens[0].key) and words.meaning("copulas", tokens[2].key):
        return (tokens[0], *tokens[3:])  # `os dados lançados foram 5 e 3`
    if told and len(tokens) > 2 and words.meaning("copulas", tokens[1].key):
        return (tokens[0], *tokens[2:])
    return tokens


_TOLD: Final = tuple(base.WORDS[cls][0] for cls in (statements.Roll, statements.Result, statements.AirRoll))


def counted(tokens: Tokens, words: Vocabulary, needed: Container[str]) -> Tokens:
    """What is counted behind its word: `6 points` as `points 6`, or `6` where no word stands before it."""
    found = [
        t
        for i, t in enumerate(tokens)
        if not (words.meaning("words", t.key) == "points" and i and _beyond_beside(tokens, i, words))
    ]
    for i in range(len(found) - 1, 1, -1):
        if words.meaning("words", found[i].key) == "points" and _FIGURE.fullmatch(found[i - 1].text):
            if "points" in needed and not _counts(found, i - 2, words):
                found[i - 1], found[i] = found[i], found[i - 1]
            else:
                del found[i]
    for i in range(len(found) - 1, 1, -1):
        beyond = words.meaning("words", found[i].key) == "offboard" and _FIGURE.fullmatch(found[i - 1].text)
        told = i + 1 < len(found) and _FIGURE.fullmatch(found[i + 1].text)
        if beyond and not told and not _counts(found, i - 2, words):
            found[i - 1], found[i] = found[i], found[i - 1]
    return tuple(t for i, t in enumerate(found) if not (i and "by" not in needed and _with_number(found, i, words)))


def _beyond_beside(tokens: Sequence[Token], i: int, words: Vocabulary) -> bool:
    """Whether the word of points beyond the map stands beside a place: `20 off-board points`."""
    return any(words.meaning("words", t.key) == "offboard" for t in (*tokens[i - 1 : i], *tokens[i + 1 : i + 2]))


def _counts(tokens: Sequence[Token], i: int, words: Vocabulary) -> bool:
    """Whether the word there is that of the number behind it."""
    return i > 0 and words.meaning("words", tokens[i].key) in ("points", "offboard")


def _with_number(tokens: Sequence[Token], i: int, words: Vocabulary) -> bool:
    """Whether `with` stands here, before a number or the word of one."""
    if words.meaning("words", tokens[i].key) != "by" or i + 1 == len(tokens):
        return False
    return bool(_FIGURE.fullmatch(tokens[i + 1].text)) or _counts(tokens, i + 1, words)


def by_edges(tokens: Tokens, words: Vocabulary, needed: Container[str]) -> Tokens:
    """The word that stands before an edge in this statement: `pelo sul` as `do sul`; none between the two."""
    word = next((w for w in ("from", "to") if w in needed), "")
    found: list[Token] = []
    for token in tokens:
        edge = token.kind == "word" and words.meaning("edges", token.key)
        while edge and word and found and _between(found[-1], words):
            found.pop()
        if edge and word and found and words.meaning("words", found[-1].key) in ("by", "from", "to"):
            found[-1] = in_place(found[-1], "words", word, words)
        elif edge and word and found and words.is_hex(found[-1].text):
            found.append(in_place(token, "words", word, words))
        found.append(token)
    goes = has_way(words.meaning("statements", tokens[0].key))
    return way_first(tuple(found), word, words) if word and goes else tuple(found)


def _between(token: Token, words: Vocabulary) -> bool:
    return token.kind == "word" and words.meaning("fillers", token.key) == "hex"


def declared_first(tokens: Tokens, words: Vocabulary) -> Tokens:
    """`column 7-1`, `48:4 = 9-1` with the word that begins a declaration."""
    first = tokens[0]
    alone = words.meaning("words", first.key) in _WORKED_OUT and len(tokens) > 1 and not words.begins(first.key)
    totals = faces(tokens, words) and all(_FIGURE.fullmatch(tokens[i].text) for i in (0, 2))
    if not alone and not (totals and any(DIGIT.fullmatch(t.text) for t in tokens[3:])):
        return tokens
    labels = [i for i in range(1, len(tokens) - 1) if words.meaning("words", tokens[i - 1].key) in _WORKED_OUT]
    gone = {i for i in labels if tokens[i].text in (":", "=") and (alone or i > 1)}
    return (_beginning("declare", first, words), *(t for i, t in enumerate(tokens) if i not in gone))


def faces(tokens: Tokens, words: Vocabulary) -> bool:
    """Whether a line begins with a total against another, and goes on: `48:4`, `48 to 4`, `48 x 4`."""
    between = len(tokens) > 3 and _FIGURE.fullmatch(tokens[0].text) is not None
    return between and (tokens[1].text == ":" or words.meaning("words", tokens[1].key) in ("against", "to"))


def thrown_first(tokens: Tokens, words: Vocabulary, declared: Container[str]) -> Tokens:
    """What came out without the word that begins it: `2d6: 5, 3`, and codes of the game's tables, `DRB / AVI`."""
    if len(tokens) > 1 and _DIE_KIND.fullmatch(tokens[0].key) and tokens[0].key not in declared:
        return (_beginning(base.WORDS[statements.Roll][0], tokens[0], words), *tokens)
    codes = [t for t in tokens if t.text not in ("/", "+", "-", "->")]
    if not codes or any(t.kind != "word" for t in codes) or not words.tell_codes([t.text for t in codes]):
        return tokens
    return (_beginning(base.WORDS[statements.Result][0], tokens[0], words), *tokens)


def figures_first(tokens: Tokens, words: Vocabulary) -> Tokens:
    """Figures that say by themselves what they are, in a combat: totals `44:4`, dice `5 + 3 = 8`."""
    while len(tokens) > 1 and words.meaning("lead-ins", tokens[0].key):
        tokens = tokens[1:]
    if len(tokens) > _SEVERAL and words.meaning("statements", tokens[-1].key) == base.WORDS[statements.Roll][0]:
        tokens = tokens[:-1]  # `2 e 5 nos dados`
        while len(tokens) > 1 and words.meaning("fillers", tokens[-1].key) == "hex":
            tokens = tokens[:-1]
    told = [t for t in tokens if t.text not in ("+", "&") and words.meaning("fillers", t.key) != "and"]
    texts = [t.text for t in told]
    declare = base.WORDS[statements.Declare][0]
    facing = len(texts) == 3 and (texts[1] == ":" or words.meaning("words", told[1].key) == "against")
    if facing and all(map(_FIGURE.fullmatch, (texts[0], texts[2]))):
        return (_beginning(declare, tokens[0], words), *told)
    if len(texts) in (3, 4) and texts[-2] == "=" and texts[-1].isdigit():
        *told, _, total = told
        texts = [t.text for t in told]
    else:
        total = None
    summed = _SUMMED.split(texts[0]) if len(texts) == 1 else []
    if len(summed) > 1:
        told = [replace(told[0], text=face, key=face) for face in summed]
    if len(told) < _SEVERAL or not all(t.text.isdecimal() and len(t.text) <= _SEVERAL for t in told):
        return tokens
    if words.thrown is None or not words.thrown.shows([int(t.text) for t in told]):
        return tokens
    if total is not None and int(total.text) != sum(int(t.text) for t in told):
        return tokens
    return (_beginning(base.WORDS[statements.Roll][0], tokens[0], words), *told)


_SUMMED: Final = re.compile("[+&]")
_SEVERAL: Final = 2
"""So many figures beside one another may be dice, and each has as many digits at most."""
_DIE_KIND: Final = re.compile(r"[0-9]?d(?:4|6|8|10|12|20)")


_PLACING_JOINTS: Final = (":", "-", "->", "=")


def placed(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> list[LogicalLine]:
    """The line as one for each unit, if it says one hex and who stands there, and nothing else."""
    told = [t for t in line.tokens if t.text not in _PLACING_JOINTS and not _joins(t, words)]
    hexes = [t for t in told if t.kind == "word" and words.is_hex(t.text) and t.key not in declared]
    if line.too_long or len(hexes) != 1 or len(told) < 2:
        return [line]
    (hex_,) = hexes
    if told[-1] is hex_ and len(told) > 2 and all(naming.names_unit(t, words, declared) for t in told[:-1]):
        return [replace(line, tokens=(unit, hex_)) for unit in told[:-1]]
    if told[0] is not hex_ or not naming.names_unit(told[1], words, declared):
        return [line]
    starts = [i for i, t in enumerate(told) if i and naming.names_unit(t, words, declared)]
    pieces = (told[start:end] for start, end in zip(starts, [*starts[1:], len(told)], strict=True))
    return [replace(line, tokens=(unit, hex_, *rest)) for unit, *rest in pieces]


def _joins(token: Token, words: Vocabulary) -> bool:
    return token.kind == "word" and words.meaning("fillers", token.key) == "and"
