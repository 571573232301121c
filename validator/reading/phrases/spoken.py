"""What people say around a statement, left out: `First, we attack …`, `1/112` for `112-1`, `p/ 0907`, `u1/u2`.

All of it is declared in `art/words/notation.LANGUAGE.yaml`: words that only lead into a sentence under `lead-ins`,
what units do without that word beginning a statement (`vai`, `goes`) under `behind-units`, words that a slash
shortens under `slashed`. Each token keeps its place in the line.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import Final

from ...notation import base, statements
from ...notation.cursor import DIGIT, HEX, LogicalLine, Token, in_place
from ...notation.words import ROMAN, Vocabulary, fold
from . import battalions, naming, numbers, order
from .deeds import talk
from .naming import is_past

_BATTALION: Final = re.compile(r"[1-9]|i{1,3}|iv|vi?")
_REGIMENT: Final = re.compile("[0-9]{2,4}")
_ORDINAL: Final = re.compile(".*[0-9]{3}")
_DOTS: Final = re.compile(r"\.{2,}|\u2026|-{2,}")
_DASHES: Final = re.compile("-{2,}")
_TOTALS: Final = re.compile(r"([0-9]{1,3})[x\u00d7]([0-9]{1,3})")
_GLUED: Final = re.compile(r"([^\W\d_]{2,})([0-9]{4})")
_RATIO: Final = re.compile(r"[0-9]{1,2}-[0-9]{1,2}")
_ODDS: Final = re.compile(r"[0-9]{1,2}-1|1-[0-9]")
"""What may be odds, and no dice, where somebody says what came of it."""
_BRACKETS: Final = re.compile(r"\([^()]*\)")
_OF_NAMES: Final = frozenset(("regiment", "division", "corps", "formation"))
_ORDERED: Final = (
    statements.Move,
    statements.Enter,
    statements.Exit,
    statements.RailMove,
    statements.Recover,
    statements.BuildBridge,
    statements.ClearTrail,
    statements.Engagement,
    statements.Attack,
    statements.Support,
    statements.AirSupport,
    statements.Guard,
    statements.Retreat,
    statements.Advance,
)
"""What somebody who says that he will do it orders so."""
_BY_ROLE: Final = (statements.Lose, statements.Eliminate, statements.Retreat, statements.Advance)
"""What the text of a game says that the attacker or the defender does, and a sheet that units do."""


def tidied(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """The line without what only leads into it, and units and small words as the notation writes them."""
    tokens = numbers.uncounted(tokens, words)
    named = _without_lead(with_units(tokens, words, declared), words, declared)
    begun = words.meaning("statements", named[0].key) or ""
    if any(_says_who(t, words) for t in named) and begun in (*_OF_REGIMENTS, ""):
        named = battalions.by_number(named, words, declared)
    short = words.meaning("shortened", named[0].key) if named[0].kind == "word" else None
    if words.begins(named[0].key):  # `saiu` is said of a unit too, which then follows
        told = len(named) > 1 and named[1].text.isdigit() and not words.is_hex(named[1].text)
    else:
        told = any(DIGIT.search(t.text) for t in named[1:])
    if short == base.WORDS[statements.Roll][0]:
        told = told and not any(_ODDS.fullmatch(t.text) for t in named[1:])
    if short and told and named[0].key not in declared:
        return (in_place(named[0], "statements", short, words), *_thrown(named[1:], words))
    return named


def _says_who(token: Token, words: Vocabulary) -> bool:
    """Whether a word says what units do that go or attack, so that a number beside it may be a regiment's."""
    said = (words.meaning(section, token.key) for section in ("statements", "behind-units"))
    return token.kind == "word" and any(word in _OF_REGIMENTS for word in said)


_OF_REGIMENTS: Final = frozenset(
    base.WORDS[cls][0] for cls in (statements.Attack, statements.Move, statements.Retreat, statements.Advance)
)


def with_units(
    tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str], guns: str = ""
) -> tuple[Token, ...]:
    """The line with the ids of the units that it names otherwise; `guns`: as in `naming.named`."""
    defines = _defines(tokens[0], words)
    if not defines:
        tokens = battalions.counted(numbers.meant(tokens, words, declared), words, declared)
        tokens = battalions.named(naming.named(tokens, words, declared, guns=guns), words, declared)
    apart = tuple(_unglued(tuple(_unslashed(tokens, words)), words, declared)) or tokens
    called = tuple(_named(apart, words, declared))
    return called if defines else tuple(_without_sides(called, words, declared))


def _defines(first: Token, words: Vocabulary) -> bool:
    """Whether a line is of a head, in which words are what the game's files have, and no names of units."""
    begun = base.beginning(words.meaning("statements", first.key) or "") if first.kind == "word" else []
    return any(issubclass(cls, base.Header) for cls in begun)


def phrased(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """Words of several parts as one: `ataque aéreo`, `fora do mapa`."""
    known = words.phrases
    if not any(token.key in known for token in tokens):
        return tokens
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        taken = 1
        for parts in known.get(token.key, ()):
            stretch = tokens[at : at + len(parts)]
            if tuple(t.key for t in stretch) == parts and all(t.kind == "word" for t in stretch):
                text = "-".join(t.text for t in stretch)
                token, taken = replace(token, text=text, key=fold(text)), len(parts)
                break
        found.append(token)
        at += taken
    return tuple(found)


def _thrown(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """`6 e 4 nos dados` as `6 e 4`."""
    while len(tokens) > 1 and words.meaning("words", tokens[-1].key) == "roll":
        tokens = tokens[:-1]
        while len(tokens) > 1 and words.meaning("fillers", tokens[-1].key):
            tokens = tokens[:-1]
    return tokens


def without_asides(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """Without what stands in brackets behind a unit and names what it belongs to: `us-101 (26th Div)`."""
    inside = [
        (number, match.start() + 1, match.end())
        for number in range(line.line, line.end[0] + 1)
        for match in _BRACKETS.finditer(line.texts[number - 1] if number <= len(line.texts) else "")
    ]
    kept = list(line.tokens)
    for number, start, end in inside:
        said = [t for t in kept if t.line == number and start <= t.column < end]
        before = next((t for t in reversed(kept) if (t.line, t.column) < (number, start)), None)
        figures = before is not None and not naming.names_unit(before, words, declared)
        if said and figures and _counts_left(said, words):
            kept = [t for t in kept if t not in said]
            continue
        if not said or before is None or not naming.names_unit(before, words, declared):
            continue
        if _again(before, said, words) or not any(_tells(t, words, declared) for t in said):
            whole = len(words.like(before.key)) > 1 or words.members(before.key)
            if whole and not any(battalions.is_formation(t, words) for t in said):
                continue  # `the 109th (less the third)`
            kept = [t for t in kept if t not in said]
    return tuple(kept) or line.tokens


def _counts_left(said: Sequence[Token], words: Vocabulary) -> bool:
    """Whether brackets say how many points are left, `(leaves 20)`, which the referee counts."""
    told = [t for t in said if words.meaning("words", t.key) != "points" and t.text not in ("(", ")")]
    left = [t for t in told if words.meaning("besides", t.key) == "left"]
    return len(told) == 2 and len(left) == 1 and any(t.text.isdigit() for t in told)


def _again(unit: Token, said: Sequence[Token], words: Vocabulary) -> bool:
    """Whether brackets say the unit before them by another of its names: `707th (us-707-tank)`."""
    names = [{t.key} if t.key in words.units else {*words.like(t.key)} for t in (unit, *said)]
    return len(names) == 2 and bool(names[1]) and names[1] <= names[0]


def _tells(token: Token, words: Vocabulary, declared: Container[str]) -> bool:
    """Whether a word may be of the notation, and no part of a name."""
    if token.kind != "word" or token.key in declared or token.text.isdigit() or _RATIO.fullmatch(token.text):
        return True
    known = (words.meaning(section, token.key) for section in ("words", "fates", "flags", "edges", "ways"))
    meant = any(id_ and id_ not in _OF_NAMES for id_ in known) or words.begins(token.key)
    exact = token.key in words.units or bool(words.like(token.key)) or words.is_hex(token.text)
    return meant or exact or bool(words.hexes_joined(token.text))


def _declares(tokens: Sequence[Token], words: Vocabulary) -> int:
    """Where a line may give its totals, `15x3`: first, or behind the word of a declaration."""
    return int(words.meaning("statements", tokens[0].key) == base.WORDS[statements.Declare][0])


def _unglued(tokens: Sequence[Token], words: Vocabulary, declared: Container[str]) -> Iterator[Token]:
    """`to0908` as two words; without `only` and the like, wherever it stands."""
    for i, token in enumerate(tokens):
        if token.kind != "word" or token.key in declared:
            yield token
            continue
        if i == _declares(tokens, words) and (totals := _TOTALS.fullmatch(token.key)):
            yield replace(token, text=totals[1], key=totals[1])
            yield replace(token, kind="mark", text=":", key=":", column=token.column + len(totals[1]))
            yield replace(token, text=totals[2], key=totals[2], column=token.column + len(totals[1]) + 1)
            continue
        if _DOTS.fullmatch(token.text):
            yield replace(token, text="-", key="-")
            continue
        if words.hexes_joined(joined := _DASHES.sub("-", token.text)):
            yield replace(token, text=joined, key=fold(joined))
            continue
        listed = list(_listed(token)) if "+" in token.text else []
        slashed = any(t.text == "/" for t in tokens[max(0, i - 1) : i + 2])
        if len(listed) > 1 and all(_may_be_unit(one, words, declared, slashed=slashed) for one in listed):
            yield from listed
            continue
        glued = None if words.is_hex(token.text) or token.key in words.units else _GLUED.fullmatch(token.text)
        if (
            glued
            and words.is_hex(glued[2])
            and (words.begins(word := fold(glued[1])) or words.meaning("words", word))
        ):
            yield replace(token, text=glued[1], key=word)
            yield replace(token, text=glued[2], key=fold(glued[2]), column=token.column + len(glued[1]))
        elif words.meaning("adverbs", token.key) is None or _is_who_retreats(tokens, i, words, declared):
            yield token


def _is_who_retreats(tokens: Sequence[Token], i: int, words: Vocabulary, declared: Container[str]) -> bool:
    """Whether `both` is who retreats, and does not stand behind those who do."""
    behind = tokens[i + 1] if i + 1 < len(tokens) else None
    retreats = behind is not None and words.meaning("statements", behind.key) == base.WORDS[statements.Retreat][0]
    named = i > 0 and naming.names_unit(tokens[i - 1], words, declared)
    return retreats and not named and words.meaning("subjects", tokens[i].key) is not None


def _may_be_unit(token: Token, words: Vocabulary, declared: Container[str], *, slashed: bool) -> bool:
    """Whether a word is a unit, or beside a slash a battalion's number or its regiment's."""
    number = _BATTALION.fullmatch(token.key) or _REGIMENT.fullmatch(token.key)
    return naming.names_unit(token, words, declared) or bool(slashed and number)


def _listed(token: Token) -> Iterator[Token]:
    """`u1+u2` as two words."""
    column = token.column
    for piece in token.text.split("+"):
        if piece:
            yield replace(token, text=piece, key=fold(piece), column=column)
        column += len(piece) + 1


def _unslashed(tokens: Sequence[Token], words: Vocabulary) -> Iterator[Token]:
    """`p/ 0907` as `para 0907`."""
    for i, token in enumerate(tokens):
        if i and token.text == "/" and _shortened(tokens[i - 1], token, words):
            continue
        following = tokens[i + 1] if i + 1 < len(tokens) else None
        meant = _shortened(token, following, words) if following is not None else None
        yield in_place(token, "words", meant, words) if meant else token


def _shortened(token: Token, slash: Token, words: Vocabulary) -> str | None:
    touches = slash.text == "/" and slash.kind == "mark" and slash.column == token.column + len(token.text)
    if words.are_codes(token.text):
        return None  # `DE/AVB`
    return words.meaning("slashed", token.key) if touches and token.kind == "word" else None


def _named(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> Iterator[Token]:
    """`1/112` and `I/112th` as `112-1`, `707th` as `707`, where one unit is called so; `u1/u2` as two units."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        slashed = at + 2 < len(tokens) and tokens[at + 1].text == "/" and tokens[at + 1].kind == "mark"
        joined = _of_side(token, tokens[at + 1], words) if at + 1 < len(tokens) else ""
        if joined and token.key not in declared:
            yield replace(tokens[at + 1], text=joined, key=joined)
            at += 2
            continue
        called = _battalion(token, _last(tokens, at + 2), words) if slashed else ""
        if called:
            yield replace(token, text=called, key=called)
            at += 3
            while at < len(tokens) and _is_said_of(tokens[at], called, words):
                at += 1
            continue
        figures = words.figures(token.key) if token.kind == "word" and token.key not in declared else ""
        shortened = figures != token.key and token.key not in words.units and _ORDINAL.fullmatch(figures)
        if shortened and words.like(figures) and not words.is_hex(figures):
            token = replace(token, text=figures, key=figures)
        yield token
        at += 1
        if slashed and all(naming.names_unit(t, words, declared) for t in (token, tokens[at + 1])):
            at += 1


def _without_sides(tokens: Sequence[Token], words: Vocabulary, declared: Container[str]) -> Iterator[Token]:
    """`US 1/112`, `attack American 112-1` without the side whose the unit behind it is.

    Figures behind sides may be points: a line that begins with what is not of units is left alone.
    """
    if tokens and words.begins(tokens[0].key) and not _tells_of_units(tokens[0], words):
        yield from tokens
        return
    for i, token in enumerate(tokens):
        side = words.meaning("sides", token.key) if token.kind == "word" and token.key not in declared else None
        following = tokens[i + 1] if side and i + 1 < len(tokens) else None
        before = tokens[i - 1] if i else None
        if following is None or (before is not None and not _may_name(before, words, declared)):
            yield token
            continue
        like = (following.key,) if following.key in words.units else words.like(following.key)
        if following.kind != "word" or {words.side(unit) for unit in like} != {side}:
            yield token


def _tells_of_units(token: Token, words: Vocabulary) -> bool:
    """Whether a word begins what units do or what becomes of them."""
    begun = base.beginning(words.meaning("statements", token.key) or "")
    return any(
        issubclass(cls, (*_ORDERED, *_BY_ROLE)) and not issubclass(cls, statements.AirSupport) for cls in begun
    )


def _may_name(before: Token, words: Vocabulary, declared: Container[str]) -> bool:
    """Whether a unit may be named behind a word: one that does something with units, or joins them."""
    if before.kind == "mark":
        return True
    small = words.meaning("words", before.key) == "by" or words.meaning("fillers", before.key) == "and"
    return small or _tells_of_units(before, words) or naming.names_unit(before, words, declared)


def _last(tokens: Sequence[Token], at: int) -> Token:
    """A token; without the full stop behind it, if it is the last."""
    token = tokens[at]
    return replace(token, key=token.key.removesuffix(".")) if at == len(tokens) - 1 else token


def _is_said_of(token: Token, unit: str, words: Vocabulary) -> bool:
    """Whether a word behind a unit only says more of it: `V/406 VK`; not one that names another by itself."""
    if token.kind != "word" or not words.counters:
        return False
    said = words.calls.names(token.key.strip("."))
    if not said or not words.calls.is_of(unit, said):
        return False
    others = words.calls.fit((), (said,)) if words.calls.alone(said) else ()
    return len(others) != 1 or others == (unit,)


def _of_side(first: Token, second: Token, words: Vocabulary) -> str:
    """`GE 983-1` as `ge-983-1`; "" for words that are no unit together."""
    whole = f"{first.key}-{second.key}"
    said = first.kind == second.kind == "word" and words.meaning("sides", first.key) is not None
    return whole if said and whole in words.units else ""


def _battalion(first: Token, second: Token, words: Vocabulary) -> str:
    """The one unit that a battalion and its regiment are, by its name, else by its id; "" for none and several."""
    regiment = words.figures(second.key)
    number = words.figures(first.key) or first.key
    if first.kind != "word" or second.kind != "word" or not _BATTALION.fullmatch(number):
        return ""
    if not _REGIMENT.fullmatch(regiment):
        return ""
    count = ROMAN.get(number, number)
    meant = words.called.get(f"{count}/{regiment}") or words.like(f"{regiment}-{count}")
    return next(iter(meant)) if len(meant) == 1 else ""


def _without_lead(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """The line from its first word on that says something; whole where nothing of the notation follows."""
    at = 0
    if words.tell_codes([t.text for t in tokens if t.text not in "/-+"] or ["?"]):
        return tokens  # `de avb`
    while at < len(tokens) - 1 and _leads(tokens[at], words, declared):
        if is_past(tokens, at, words):
            return tokens
        at += 1
    if ordered := _intended(tokens, at, words, declared):
        return ordered
    told = at
    while at and told < len(tokens) - 1 and words.meaning("giving", tokens[told].key):
        told += 1
    if at and words.tell_codes([t.text for t in tokens[told:] if t.text not in "/-+"] or ["?"]):
        return tokens[told:]  # `It gave DRB AVI`, `which gives DRB AVI`
    if not any(DIGIT.search(t.text) or words.meaning("numbers", t.key) for t in tokens[at + 1 :]):
        return tokens  # talk begins so too: `My attack then`
    told = at > 0 or not words.begins(tokens[at].key)
    role = told and words.meaning("roles", tokens[at].key) and tokens[at + 1].key not in declared
    if role and _begins(tokens[at + 1], words, _BY_ROLE):
        return tokens[at + 1 :]
    led = _begins(tokens[at], words) or naming.names_unit(tokens[at], words, declared)
    return tokens[at:] if at and (led or order.faces(tokens[at:], words)) else tokens


def _intended(tokens: tuple[Token, ...], at: int, words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """`I will move u1 to 0907`, `vou mover u1 para 0907` as the order that it is; () for any other line.

    Who speaks of others, of what he will lose, or of another time foretells it.
    """
    for start, count in ((at, 1), (at, 2), (at - 1, 2)):
        stretch = tokens[start : start + count] if start >= 0 else ()
        if any(t.key in declared for t in stretch):
            continue
        if not words.meaning("intents", "-".join(t.key for t in stretch)):
            continue
        rest = tokens[start + count :]
        while len(rest) > 1 and _leads(rest[0], words, declared):
            rest = rest[1:]
        later = any(talk()["doubts"].get(t.key) == "later" for t in rest)
        return rest if len(rest) > 1 and _begins(rest[0], words, _ORDERED) and not later else ()
    return ()


def is_intended(line: LogicalLine, words: Vocabulary) -> bool:
    """Whether who says what a line tells has said before it, in the line as it was typed, that he will do it."""
    first = line.tokens[0]
    said = line.texts[first.line - 1][: first.column - 1].split()
    while len(said) > 1 and any(words.meaning(section, fold(said[-1])) for section in ("lead-ins", "adverbs")):
        said.pop()
    return any(words.meaning("intents", fold("-".join(said[-count:]))) for count in (1, 2) if said)


def _leads(token: Token, words: Vocabulary, declared: Container[str]) -> bool:
    if token.kind != "word" or token.key in declared or words.begins(token.key) or words.are_codes(token.text):
        return False
    small = ("fillers", "beside-turns", "copulas")
    return words.meaning("lead-ins", token.key) is not None or any(words.meaning(s, token.key) for s in small)


def _begins(token: Token, words: Vocabulary, only: tuple[type[base.Statement], ...] = ()) -> bool:
    if token.kind != "word" or HEX.fullmatch(token.text) or not words.begins(token.key):
        return False
    found = base.beginning(words.meaning("statements", token.key) or "")
    return not only or any(issubclass(cls, only) for cls in found)
