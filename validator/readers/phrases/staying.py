"""Units that stay where they are: `o 3/12 fica onde está`, `the rest stays put`. An honest line without effect.

Every word of it is accounted for, by `staying` in `art/words/talk.LANGUAGE.yaml`: a hex, or anything else that the
line may say, makes it another.
"""

from __future__ import annotations

from hexforge.validator.readers.notation.lexer import Token, ended, logical_lines
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phrases import spoken
from hexforge.validator.readers.phrases.company import is_kind
from hexforge.validator.readers.phrases.deeds import talk
from hexforge.validator.readers.phrases.going import by_number, is_kind_behind

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
    said = {_says(token, words) for token in tokens}
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


def _says(token: Token, words: Vocabulary) -> str:
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
