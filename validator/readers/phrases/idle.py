"""Who says that nothing is done: `combat: none`, `sem ataques neste turno`, `recovery: none`, `perdas: nenhuma`.

Who fights nobody goes on to that phase all the same; any other such line is honest and without effect. Every word
of it is one of what is not done, of none, or says no more; any other makes it another line.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from itertools import pairwise
from typing import Final

from hexforge.scenarios.words import SOURCE
from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import LogicalLine, Token, ended, logical_lines
from hexforge.validator.readers.notation.words import Vocabulary, fold
from hexforge.validator.readers.phrases.deeds import talk
from hexforge.validator.readers.phrases.spoken import phrased

FIGHTS: Final = "combat"
"""The id of the phase of combat, whatever a game calls it."""
_ACTS: Final = (base.WORDS[st.Combat][0], base.WORDS[st.Attack][0])
_OTHERS: Final = frozenset(
    base.WORDS[cls][0]
    for cls in (
        st.Enter,
        st.Exit,
        st.RailMove,
        st.Recover,
        st.BuildBridge,
        st.ClearTrail,
        st.Bombard,
        st.AirStrike,
        st.Support,
        st.AirSupport,
        st.Guard,
        st.Lose,
        st.Eliminate,
        st.Retreat,
        st.Advance,
    )
)
_DEEDS: Final = ("statements", "behind-units")
_MOST: Final = 8
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
    if line.too_long or not 1 < len(line.tokens) <= _MOST or any(t.key in declared for t in line.tokens):
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
