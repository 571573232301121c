"""Who says that he fights nobody: `combat: none`, `sem ataques neste turno`. He goes on to that phase all the same.

Every word of such a line is one of combats, of none, or says no more; any other makes it another line.
"""

from __future__ import annotations

from typing import Final

from hexforge.scenarios.words import SOURCE
from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import Token, ended, logical_lines
from hexforge.validator.readers.notation.words import Vocabulary, fold
from hexforge.validator.readers.phrases.deeds import talk

FIGHTS: Final = "combat"
"""The id of the phase of combat, whatever a game calls it."""
_ACTS: Final = (base.WORDS[st.Combat][0], base.WORDS[st.Attack][0])
_MARKS: Final = (":", "-", ",", "=", "(", ")")
_IN_THE: Final = "no"
"""What says none in one language, and `in the` in another."""


def fights_nobody(text: str, words: Vocabulary) -> bool:
    """Whether a line says that nobody is attacked, and nothing else."""
    line = next(logical_lines([text]), None)
    if line is None or line.too_long or not line.tokens or "?" in text:
        return False
    said = {token.key: _says(token, words) for token in ended(line.tokens, ())}
    if "" in said.values() or not {"none", "fights"} <= {*said.values()}:
        return False
    sure = any(meant == "none" and key != _IN_THE for key, meant in said.items())
    return sure or any(meant == "fights" and _is_source(key, words) for key, meant in said.items())


def _says(token: Token, words: Vocabulary) -> str:
    if token.kind != "word":
        return "still" if token.text in _MARKS else ""
    if words.meaning("phases", token.key) == FIGHTS or words.meaning("statements", token.key) in _ACTS:
        return "fights"
    small = words.meaning("sides", token.key) or words.meaning("fillers", token.key)
    return talk()["idle"].get(token.key) or ("still" if small else "")


def _is_source(key: str, words: Vocabulary) -> bool:
    """Whether a word is one of the language of the notation itself."""
    forms = words.forms[SOURCE]
    named = [*forms.get("phases", {}).get(FIGHTS, ())]
    named += [form for act in _ACTS for form in forms.get("statements", {}).get(act, ())]
    return key in {fold(form) for form in named}
