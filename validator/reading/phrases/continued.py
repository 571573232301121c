"""A line that goes on with the list of units above it in words that name none: `and the third battalion as well`.

Whoever is meant is one more of the list, which is not whole without him: such a line is no talk.

Who moves as those of the line above: `112-2 idem`, `112-2 too`, `same for the 2/109`, `ditto 983-2`.

Who says that nothing is done: `combat: none`, `sem ataques neste turno`, `recovery: none`, `perdas: nenhuma`.

Who fights nobody goes on to that phase all the same; any other such line is honest and without effect. Every word
of it is one of what is not done, of none, or says no more; any other makes it another line.

Units that stay where they are: `o 3/12 fica onde está`, `the rest stays put`. An honest line without effect.

Every word of it is accounted for, by `staying` in `art/words/talk.LANGUAGE.yaml`: a hex, or anything else that the
line may say, makes it another.

Engineers and what they do, in the order of the notation: `us-1117-eng builds a bridge 0318/0418`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, TypeAlias

from ....scenarios.text.words import SOURCE
from ...notation import base, statements
from ...notation.cursor import LogicalLine, Token, ended, in_place, logical_lines
from ...notation.words import Vocabulary, fold
from . import naming, numbers, order, spoken
from .deeds import talk
from .movement import by_number, is_kind_behind
from .naming import is_kind
from .spoken import phrased

_OPEN: Final = (",", "+", "&", "/")
_MOST: Final = 10
"""Words that such a line has at most."""
_ENDS: Final = re.compile(r"[.!?]+$")
_FIGURES: Final = (statements.Declare, statements.Roll, statements.Result, statements.Announce, statements.Score)
_SMALL: Final = ("fillers", "beside-turns", "adverbs", "wholes", "ordinals")
_LEAST: Final = 3


def lists(statement: base.Statement | None) -> bool:
    """Whether a statement may end with a list of units."""
    listing = isinstance(statement, base.Act | base.Play | statements.Engagement | base.Positioned)
    return listing and not isinstance(statement, _FIGURES)


def goes_on(above: str, text: str, words: Vocabulary) -> bool:
    """Whether a line may name more units, below one that lists some."""
    line = next(logical_lines([text]), None)
    if line is None or line.too_long or not line.tokens or text.rstrip().endswith(("!", "?")):
        return False
    told = [t for t in line.tokens if t.kind == "word"]
    if not told or len(told) > _MOST or any(_speaks(t, words) for t in told):
        return False
    if _is_open(above, words):
        return True
    bare = [t for t in told if _ENDS.sub("", t.key)]
    named = any(_names(t, words) for t in bare)
    return named and (text.lstrip()[:1] in _OPEN or _joins(bare, words) or all(_may_be(t, words) for t in bare))


def _is_open(above: str, words: Vocabulary) -> bool:
    """Whether a line ends with what another of a list follows."""
    last = above.rstrip()
    return last.endswith(_OPEN) or words.meaning("fillers", last.rpartition(" ")[2].casefold()) == "and"


def _joins(told: Sequence[Token], words: Vocabulary) -> bool:
    """Whether a line begins with what leads to one more: `and`, `with`, `also`, `as well as`."""
    first = told[0].key
    small = words.meaning("fillers", first) == "and" or words.meaning("words", first) == "by"
    runs = ("-".join(t.key for t in told[:count]) for count in range(1, _LEAST + 1))
    return small or any(words.meaning(section, run) for run in runs for section in ("adverbs", "fillers"))


def _names(token: Token, words: Vocabulary) -> bool:
    """Whether a word may say who is meant: a kind, a number, all or the rest of something."""
    key = _ENDS.sub("", token.key)
    kind = is_kind(token, words) or words.meaning("arms", key) is not None or words.calls.names(key) == key
    number = key[:1].isdigit() or words.meaning("ordinals", key) is not None
    whole = words.meaning("wholes", key) is not None and words.meaning("fillers", key) is None
    return kind or number or whole or talk()["crowds"].get(key) is not None


def _may_be(token: Token, words: Vocabulary) -> bool:
    key = _ENDS.sub("", token.key)
    small = any(words.meaning(section, key) for section in _SMALL)
    return small or _names(token, words) or words.meaning("words", key) in ("from", "by")


def _speaks(token: Token, words: Vocabulary) -> bool:
    """Whether a word makes a line a sentence of its own: a verb, or what begins a statement."""
    key = _ENDS.sub("", token.key)
    if words.meaning("fillers", key) == "and":
        return False  # `e`, which `é` is too where accents count for nothing
    begun = base.beginning(words.meaning("statements", key) or "")
    supports = any(issubclass(cls, statements.Support) for cls in begun)
    said = (talk()["musings"].get(key), words.meaning("copulas", key), words.meaning("behind-units", key))
    return (bool(begun) and not supports) or any(said)


_BACK: Final = "back"


def as_before(
    line: LogicalLine, words: Vocabulary, declared: Container[str], before: Sequence[base.Statement]
) -> LogicalLine:
    """The line with the way of the move before it, from its second hex on, where it says that it is the same.

    The line itself for any other, and where no move stands before it. Where it begins is left out: the units may
    stand elsewhere, and the way says the rest.
    """
    at = next((i for i, t in enumerate(line.tokens) if _same(t, words)), -1)
    last = before[-1] if before else None
    if at < 0 or line.too_long or not isinstance(last, statements.Move):
        return line
    said = spoken.tidied(line.tokens, words, declared)
    units = [t for t in said if naming.names_unit(t, words, declared)]
    rest = [t for t in said if t not in units and not _empty(t, words)]
    if not units or rest:
        return line
    first = line.tokens[at]
    move = in_place(first, "statements", base.WORDS[statements.Move][0], words)
    way = last.path[2 if last.path[1:2] == ("-",) else 1 :] or last.path
    said_so = [move, *units, _as(first, ":", "mark"), *(_as(first, hex_) for hex_ in way)]
    return replace(line, tokens=tuple(said_so))


def without_asides(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """Units and their way without what is said between: `u1 the same way: 0806 0907`, `u1 together to 0907`."""
    if not numbers.has_way(words.meaning("statements", tokens[0].key)):
        return tokens
    asides = talk()["besides"]
    kept: list[Token] = [tokens[0]]
    goal = max((i for i, t in enumerate(tokens) if words.hexes_of(t.text)), default=0)
    for i, token in enumerate(tokens[1:], 1):
        if i > goal and asides.get(token.key) == _BACK:
            kept.append(token)  # `to 0907 and back`: they are not there
            continue
        said = token.kind == "word" and token.key not in words.units and not token.text.isdigit()
        if said and (words.meaning("besides", token.key) == "again" or token.key in asides):
            while len(kept) > 1 and words.meaning("fillers", kept[-1].key):
                kept.pop()
        else:
            kept.append(token)
    return tuple(kept)


def _same(token: Token, words: Vocabulary) -> bool:
    meant = words.meaning("besides", token.key) or words.meaning("adverbs", token.key)
    return token.kind == "word" and meant in ("again", "also")


def _empty(token: Token, words: Vocabulary) -> bool:
    """Whether a word says nothing where the rest of the line says who moves as somebody else did."""
    small = any(
        words.meaning(section, token.key) for section in ("fillers", "beside-turns", "adverbs", "behind-units")
    )
    linked = (
        words.meaning("words", token.key) in ("from", "to", "by") or words.meaning("besides", token.key) is not None
    )
    return token.kind == "mark" or token.text == "-" or small or linked


def _as(token: Token, text: str, kind: str = "word") -> Token:
    return replace(token, kind=kind, text=text, key=fold(text))


FIGHTS: Final = "combat"
"""The id of the phase of combat, whatever a game calls it."""
_ACTS: Final = (base.WORDS[statements.Combat][0], base.WORDS[statements.Attack][0])
_OTHERS: Final = frozenset(
    base.WORDS[cls][0]
    for cls in (
        statements.Enter,
        statements.Exit,
        statements.RailMove,
        statements.Recover,
        statements.BuildBridge,
        statements.ClearTrail,
        statements.Bombard,
        statements.AirStrike,
        statements.Support,
        statements.AirSupport,
        statements.Guard,
        statements.Lose,
        statements.Eliminate,
        statements.Retreat,
        statements.Advance,
    )
)
_DEEDS: Final = ("statements", "behind-units")
_IDLE_MOST: Final = 8
"""Words that a line has at most which says that something else is not done."""
_MARKS: Final = (":", "-", ",", "=", "(", ")")
_IN_THE: Final = "no"
"""What says none in one language, and `in the` in another."""


def fights_nobody(text: str, words: Vocabulary) -> bool:
    """Whether a line says that nobody is attacked, and nothing else."""
    line = next(logical_lines([text]), None)
    if line is None or line.too_long or not line.tokens or "?" in text:
        return False
    said = {token.key: _says(token, words) or _says_little(token, words) for token in ended(line.tokens, ())}
    return _is_idle({key: "none" if meant == "nobody" else meant for key, meant in said.items()}, words)


def does_nothing(
    line: LogicalLine, words: Vocabulary, declared: Container[str] = (), *, fighting: bool = False
) -> bool:
    """Whether a line says only that something is not done which is no combat: nobody recovers, advances or loses.

    `declared` are units of the sheet's own, which may be called so. `fighting`: combats are told here, so that none
    may be said to be fought either.
    """
    if line.too_long or not 1 < len(line.tokens) <= _IDLE_MOST or any(t.key in declared for t in line.tokens):
        return False
    if not any(talk()["idle"].get(token.key.rstrip(".")) == "none" for token in line.tokens):
        return False
    if line.texts[line.line - 1].rstrip().endswith(("!", "?")):
        return False
    told = phrased(ended(line.tokens, declared), words)
    if fighting and _is_idle({t.key: _says(t, words) or _says_little(t, words) for t in told}, words):
        return True
    return _is_idle({t.key: _says_of_others(t, words) for t in told}, words)


def nothing_done(text: str, words: Vocabulary, declared: Container[str] = ()) -> bool:
    """As `does_nothing`, of a line as it is typed."""
    line = next(logical_lines([text]), None)
    return line is not None and does_nothing(line, words, declared)


def denies(line: LogicalLine, words: Vocabulary) -> bool:
    """Whether a line may deny what it tells, by a word that else says nothing: `u1 no advance`."""
    return any(
        talk()["idle"].get(before.key) == "none"
        and any(words.meaning(section, before.key) for section in ("fillers", "beside-turns"))
        and _is_deed_of_source(token.key, words)
        for before, token in pairwise(line.tokens)
        if before.kind == token.kind == "word"
    )


def _is_deed_of_source(key: str, words: Vocabulary) -> bool:
    """Whether a word of the language of the notation begins a statement, says what units do, or counts steps."""
    forms = words.forms[SOURCE]
    if words.meaning("besides", key) == "step":
        return key in map(fold, forms["besides"]["step"])  # `u1 loses no step`
    if not any(words.meaning(section, key) for section in _DEEDS):
        return False
    return any(fold(form) == key for section in _DEEDS for found in forms[section].values() for form in found)


def _is_idle(said: Mapping[str, str], words: Vocabulary) -> bool:
    """Whether words, by what each says, are of something and of none, and nothing else."""
    if not {"none", "act"} <= {*said.values()} <= {"none", "act", "still"}:
        return False
    sure = any(meant == "none" and key != _IN_THE for key, meant in said.items())
    return sure or any(meant == "act" and _is_source(key, words) for key, meant in said.items())


def _says(token: Token, words: Vocabulary) -> str:
    if token.kind != "word":
        return ""
    fights = words.meaning("phases", token.key) == FIGHTS or words.meaning("statements", token.key) in _ACTS
    return "act" if fights else ""


def _says_of_others(token: Token, words: Vocabulary) -> str:
    if token.kind == "word" and words.meaning("statements", token.key) in _OTHERS:
        return "act"
    if talk()["staying"].get(token.key) == "denied" and words.meaning("fillers", token.key) is None:
        return ""  # `não recua`: somebody who is named above does not
    return _says_little(token, words)


def _says_little(token: Token, words: Vocabulary) -> str:
    if token.kind != "word":
        return "still" if token.text in _MARKS else ""
    small = words.meaning("sides", token.key) or words.meaning("fillers", token.key)
    return talk()["idle"].get(token.key) or ("still" if small else "")


def _is_source(key: str, words: Vocabulary) -> bool:
    """Whether a word is one of the language of the notation itself."""
    forms = words.forms[SOURCE]
    named = [*forms.get("phases", {}).get(FIGHTS, ())]
    named += [form for act in (*_ACTS, *_OTHERS) for form in forms.get("statements", {}).get(act, ())]
    return key in {fold(form) for form in named}


_LINKS = (",", ":", "-", "+", "/", "&")


def stays(text: str, words: Vocabulary, *, again: bool = False) -> bool:
    """Whether a line says of units that they stay, and nothing else. `again`: or that they do as the line above."""
    line = next(logical_lines([text]), None)
    if line is None or line.too_long or not line.tokens or "?" in text:
        return False
    tokens = ended(line.tokens, ())
    if not any(_may_stay(token, words, again=again) for token in tokens):
        return False
    tokens = spoken.tidied(tuple(by_number(tokens, tokens, words, ())), words, ())
    said = {_staying_says(token, words) for token in tokens}
    if "" in said or not said & {"unit", "others"}:
        return False
    if "stays" in said:
        return "denied" not in said
    return said >= {"denied", "motion"} or (again and "again" in said and not said & {"denied", "motion"})


def _may_stay(token: Token, words: Vocabulary, *, again: bool) -> bool:
    """Whether a word is one of those without which no line says that units stay: most lines have none of them."""
    meant = talk()["staying"].get(token.key)
    return meant in ("stays", "denied", "again") or (again and _repeats(token, words))


def _repeats(token: Token, words: Vocabulary) -> bool:
    return words.meaning("besides", token.key) == "again" or words.meaning("adverbs", token.key) is not None


def _staying_says(token: Token, words: Vocabulary) -> str:
    """What a word of such a line says; "" for what says anything else."""
    if token.kind != "word":
        return "still" if token.text in _LINKS else ""
    if not words.is_hex(token.text) and (token.key in words.units or words.like(token.key)):
        return "unit"
    meant = talk()["staying"].get(token.key)
    if meant is not None:
        return meant
    if _repeats(token, words):
        return "again"
    small = any(words.meaning(section, token.key) for section in ("fillers", "beside-turns", "wholes"))
    kind = is_kind(token, words) or is_kind_behind(token, words)
    return "still" if token.text in _LINKS or small or kind else ""


Tokens: TypeAlias = tuple[Token, ...]
_WORKS: Final = tuple(base.WORDS[cls][0] for cls in (statements.BuildBridge, statements.ClearTrail))


def worked_first(tokens: Tokens, words: Vocabulary, declared: Container[str]) -> Tokens:
    """`u1 clears the trail at 1108, die 4` as `clear 1108 by u1 roll 4`; other lines as they are."""
    if words.begins(tokens[0].key):
        return tokens
    at = next((i for i, t in enumerate(tokens) if i and words.meaning("statements", t.key) in _WORKS), 0)
    who, what = tokens[:at], tokens[at + 1 :]
    named = [t for t in who if naming.names_unit(t, words, declared)]
    first = next((i for i, t in enumerate(what) if words.is_hex(t.text)), -1)
    if not named or first < 0 or not all(order.is_subject(t, words, declared) for t in who):
        return tokens
    thrown = next((i for i, t in enumerate(what) if words.meaning("words", t.key) == "roll"), len(what))
    led = [t for t in what[:first] if words.meaning("words", t.key) == "bridge"]
    aside = [t for t in what[:first] if t not in led and not _says_nothing(t, words)]
    if aside or thrown < first:
        return tokens
    return (tokens[at], *led, *what[first:thrown], in_place(who[0], "words", "by", words), *named, *what[thrown:])


def _says_nothing(token: Token, words: Vocabulary) -> bool:
    small = any(words.meaning(section, token.key) for section in ("fillers", "beside-turns", "ways"))
    return small or words.meaning("numbers", token.key) == "1" or token.text == "a"
