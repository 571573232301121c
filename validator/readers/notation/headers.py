"""What a header that cannot be read surely means, so that the lines below it are not judged by the one above it."""

from __future__ import annotations

from typing import Final

from hexforge.validator.readers import phases
from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.cursor import NUMBER, Cursor
from hexforge.validator.readers.notation.lexer import Token

_LONGEST: Final = 9
"""Words that a header has at most; what goes on is prose."""


def surmise(at: Cursor) -> st.TurnStart | st.Engagement | type[st.Statement] | None:
    """The turn, or combat, that a misspelt line means, or only the class of the header; None for other lines."""
    if not at.tokens:
        return None
    first, *rest = at.tokens
    word = at.words.nearly("statements", first.key) if first.kind == "word" else None
    if len(rest) > _LONGEST:
        return st.Engagement if _may_attack(at, first, rest) else None
    if word != "turn" and not _speaks_of_a_turn(at) and (told := _told(at)) is not None:
        return told
    if word != "turn" and _speaks_of_a_turn(at):
        return _told(at) or st.TurnStart
    if _may_attack(at, first, rest):
        return st.Engagement
    if word is None:
        return None
    if word == "turn":
        return _turn(at, rest)
    openings = (cls for cls in base.beginning(word) if issubclass(cls, st.Opening))
    if (opening := next(openings, None)) is not None:
        return opening if any(NUMBER.fullmatch(token.text) for token in rest) else None
    head = next((cls for cls in base.beginning(word) if issubclass(cls, st.Engagement)), None)
    hexes = tuple(token.text.upper() for token in rest if at.words.is_hex(token.text))
    if head is None or not hexes:
        return None
    # Only its word is misspelt, or something stands there that may say more.
    return head(at.line, hexes) if all(t.text == ":" or at.words.is_hex(t.text) for t in rest) else head


def _may_attack(at: Cursor, first: Token, rest: list[Token]) -> bool:
    """Whether a line may begin a combat in words of its own: it says that somebody attacks, and names a hex."""
    words = at.words
    hexes = [i for i, t in enumerate((first, *rest)) if words.is_hex(t.text)]
    if not hexes or any(words.meaning("statements", t.key) in FATES for t in (first, *rest)):
        return False
    said = {words.meaning(section, t.key) for t in (first, *rest) for section in ("statements", "behind-units")}
    return not said.isdisjoint(_FIGHTS)


FATES: Final = frozenset(base.WORDS[cls][0] for cls in (st.Lose, st.Eliminate, st.Retreat, st.Advance))
"""The words that begin what becomes of units in a combat."""
_FIGHTS: Final = frozenset(base.WORDS[cls][0] for cls in (st.Attack, st.Combat, st.Bombard, st.AirStrike))


def _speaks_of_a_turn(at: Cursor) -> bool:
    """Whether a line names a turn with a side or a phase, and nothing else of the game."""
    keys = [token.key for token in at.tokens]
    named = any(at.words.meaning(section, key) for section in ("sides", "phases") for key in keys)
    turn = any(at.words.meaning("statements", key) == "turn" for key in keys)
    return turn and named and not any(map(at.words.is_hex, keys))


def _told(at: Cursor) -> st.TurnStart | None:
    """The turn of a line that says all of it in a sentence."""
    parts = phases.made_out(tuple(at.tokens), at.words)
    if parts is None:
        return None
    side, phase = (at.words.meaning(name, parts[name].key) or "" for name in ("sides", "phases"))
    return st.TurnStart(at.line, int(parts["number"].text), side, phase)


def _turn(at: Cursor, rest: list[Token]) -> st.TurnStart | type[st.TurnStart] | None:
    """A turn needs one number, one side and one phase; it is meant where half of the words are of these kinds."""
    numbers = [int(t.text) for t in rest if NUMBER.fullmatch(t.text)]
    sides = [side for t in rest if (side := at.words.nearly("sides", t.key))]
    phases = [phase for t in rest if (phase := at.words.nearly("phases", t.key))]
    if len(numbers) == len(sides) == len(phases) == 1:
        return st.TurnStart(at.line, numbers[0], sides[0], phases[0])
    spoken = len(numbers) + len(sides) + len(phases)
    return st.TurnStart if 2 * spoken >= len(rest) else None
