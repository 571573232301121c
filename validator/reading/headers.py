"""Lines that open a phase: their parts in any order, in one line or several, and what the one before them says.

`2nd American turn, movement`; `Turn 2` and below it `American movement`; and where a phase is open already, `Combat
phase` or `German movement` alone: the number of the turn, and the side, go on.

What a header that cannot be read surely means, so that the lines below it are not judged by the one above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from ..notation import base, statements, statements_head
from ..notation.cursor import NUMBER, Cursor, LogicalLine, Token, in_place
from ..notation.words import Vocabulary, fold

Tokens = tuple[Token, ...]

_FIGURE: Final = re.compile(r"[0-9]{1,3}")


def turn_first(tokens: Tokens, words: Vocabulary) -> Tokens:
    """A turn, a number, a side and a phase in any order: the turn and its number first."""
    parts = header_parts(tokens, words)
    if parts is None or not is_header(tokens, words):
        return tokens
    return tuple(parts[name] for name in ("turn", "number", *(n for n in parts if n in ("sides", "phases"))))


def is_header(tokens: Tokens, words: Vocabulary) -> bool:
    """Whether a line is a turn, its number, a side and a phase, and nothing else."""
    return sorted(header_parts(tokens, words) or ()) == sorted(_HEADER)


def nearly_opens(tokens: Sequence[Token], words: Vocabulary) -> bool:
    """Whether a line is that which begins a sheet, its word misspelt: `planiha 1`."""
    if len(tokens) != 2 or tokens[0].kind != "word" or not NUMBER.fullmatch(tokens[1].text):
        return False
    key = tokens[0].key
    return not words.begins(key) and words.nearly("statements", key) == base.WORDS[statements_head.SheetVersion][0]


def header_parts(tokens: Tokens, words: Vocabulary) -> dict[str, Token] | None:
    """What a line that opens a phase, or begins or ends to, says of it: a turn, its number, a side, a phase.

    None for a line that says anything else, or one of them twice. It may name the game besides: `Metz, turn 2`. One
    sentence of several may be the header, where the others greet: `Hi Bruno! My turn 2, American movement.`
    """
    found = _parts_of_all(tokens, words)
    if found is None and (called := _called(tokens, words)):
        found = _parts_of_all(called, words)
    return _parts_of_a_sentence(tokens, words) if found is None else found


def heads(tokens: Tokens, words: Vocabulary) -> bool:
    """Whether a line is a part of a header, in a sentence or alone."""
    return header_parts(tokens, words) is not None or bool(_parts_above(tokens, words))


def _called(tokens: Tokens, words: Vocabulary) -> Tokens:
    """What a line says behind the name of the player whom it calls, if it names the game: `Bruno, Metz T2 …`."""
    led = next((i for i, t in enumerate(tokens) if not _only_leads(fold(t.text.strip(_ORNAMENTS)), words)), 0)
    calls = tokens[led : led + 1]
    if not calls or not calls[0].text[:1].isupper() or not _names_game(tokens, words):
        return ()
    return () if any(_tells_of_play(token, words) for token in calls) else (*tokens[:led], *tokens[led + 1 :])


def _names_game(tokens: Tokens, words: Vocabulary) -> bool:
    return bool(words.name) and any(token.key.strip(_ORNAMENTS) == words.name for token in tokens)


def _parts_above(tokens: Tokens, words: Vocabulary) -> dict[str, Token] | None:
    """The turn, its number and side in a sentence: `Here is my turn 2 (German).`, where a phase may stand below."""
    return _parts_of_all(tokens, words, above=True) or _parts_of_a_sentence(tokens, words, above=True)


def _parts_of_a_sentence(tokens: Tokens, words: Vocabulary, *, above: bool = False) -> dict[str, Token] | None:
    """The whole header that one sentence of a line is; None where another may tell of the game too."""
    ends = [i for i, token in enumerate(tokens, 1) if token.text.endswith(_SENTENCE_ENDS)]
    if not ends or ends[0] == len(tokens):
        return None
    sentences = [tokens[a:b] for a, b in pairwise(dict.fromkeys((0, *ends, len(tokens))))]
    whole = [
        (s, parts)
        for s in sentences
        if len(parts := _parts_of_all(s, words, above=above) or {}) == len(_HEADER)
        or (parts.keys() == set(_HEADER[:3]) and (above or _names_game(s, words)))
    ]
    if len(whole) != 1:
        return None
    ((header, parts),) = whole
    others = (token for sentence in sentences if sentence is not header for token in sentence)
    return None if any(_tells_of_play(token, words) for token in others) else parts


def _tells_of_play(token: Token, words: Vocabulary) -> bool:
    """Whether a word beside a header may tell of something that is done, or where, or by whom."""
    key = fold(token.text.strip(_ORNAMENTS))
    if token.kind == "name" or any(map(str.isdigit, key)) or words.is_kind(key):
        return True
    if words.meaning("deeds", key) or words.meaning("motions", key) or words.meaning("staying", key) == "others":
        return not words.meaning("ushers", key)
    named = any(words.meaning(section, key) for section in ("sides", "phases"))
    return not _only_leads(key, words) and (
        named or words.begins(key) or words.meaning("statements", key) == "turn"
    )


def _parts_of_all(tokens: Tokens, words: Vocabulary, *, above: bool = False) -> dict[str, Token] | None:
    """The parts of a header in a line that says nothing else; `above`: in a sentence all but the phase will do."""
    found: dict[str, Token] = {}
    if any(token.key in words.units or _is_strange(token, words) for token in tokens):
        return None
    said = _numbered(_beside_game(tokens, words), words)
    if tokens and not said:
        return None
    soft = False
    for token in said:
        text = token.text.strip(_ORNAMENTS)
        bare = replace(token, text=text, key=fold(text))
        if token.kind == "word" and _only_leads(bare.key, words):
            soft = soft or not _is_part(bare, words)
            continue
        if token.kind == "name" or (text and not _is_part(bare, words)):
            return None
        for name, part in _parts(bare, words) if text else ():
            if name in found:
                return None
            found[name] = part
    if words.own is not None and tuple(n for n in found if n != "sides") == ("number", "phases") and len(found) > 2:
        # `ger 7 mvt`: a number behind the phase may be that of a combat.
        found["turn"] = in_place(found["number"], "statements", "turn", words)
    # In a sentence, `It is turn 2 and now the American movement phase`, only a whole header is one, or one that
    # says of which game the turn is, and whose.
    of_game = (above or _names_game(tokens, words)) and found.keys() == set(_HEADER[:3])
    return None if soft and not of_game and sorted(found) != sorted(_HEADER) else found


def _is_strange(token: Token, words: Vocabulary) -> bool:
    """Whether a word is in no line that opens a phase, whatever stands beside it: most lines have such a one."""
    known = words.strange
    if token.text not in known:
        if len(known) >= _REMEMBERED:
            known.clear()
        text = token.text.strip(_ORNAMENTS)
        bare = replace(token, text=text, key=fold(text))
        beside = token.key.strip(_ORNAMENTS) == words.name or words.meaning("statements", token.key) == "game"
        may_be = beside or _only_leads(bare.key, words) or words.meaning("ordinals", token.key.strip(_ORNAMENTS))
        known[token.text] = bool(text) and not may_be and not _is_part(bare, words)
    return token.kind == "word" and known[token.text]


_REMEMBERED: Final = 1024


def _only_leads(key: str, words: Vocabulary) -> bool:
    """Whether a word only leads to what is said: `here's my turn 2 …`."""
    small = any(words.meaning(section, key) for section in ("lead-ins", "fillers"))
    return small or (words.own is not None and words.meaning("ushers", key) is not None)


def _side(key: str, words: Vocabulary) -> str:
    """The side that a word shortens: `am`, `ger.`, `alem`; "" for none and for several."""
    if len(key) < _LEAST or not key.isalpha() or words.meaning("beside-turns", key):
        return ""
    found = {id_ for form, id_ in words.known.get("sides", {}).items() if form.startswith(key)}
    return found.pop() if len(found) == 1 and words.own is not None else ""


_LEAST: Final = 2


def _beside_game(tokens: Tokens, words: Vocabulary) -> Tokens:
    """A line without the name of its game, and the word for one before it."""
    at = next((i for i, t in enumerate(tokens) if words.name and t.key.strip(_ORNAMENTS) == words.name), -1)
    if at < 0:
        return tokens
    before = tuple(t for t in tokens[:at] if words.meaning("statements", t.key) != "game")
    said = (*before, *tokens[at + 1 :])
    return said if any(t.text.strip(_ORNAMENTS) for t in said) else ()


def _numbered(tokens: Tokens, words: Vocabulary) -> Tokens:
    """A line with the number of its turn in figures where a word says it beside `turn`: `second turn`."""
    return tuple(
        replace(token, text=number, key=number)
        if (number := words.meaning("ordinals", token.key.strip(_ORNAMENTS)))
        and not token.text.isdigit()
        and any(_is_turn(other, words) for other in (*tokens[max(0, i - 1) : i], *tokens[i + 1 : i + 2]))
        else token
        for i, token in enumerate(tokens)
    )


def _is_turn(token: Token, words: Vocabulary) -> bool:
    return words.meaning("statements", token.key.strip(_ORNAMENTS)) == "turn"


def _is_part(token: Token, words: Vocabulary) -> bool:
    return words.meaning("beside-turns", token.key) is not None or any(True for _ in _parts(token, words))


def _parts(token: Token, words: Vocabulary) -> Iterator[tuple[str, Token]]:
    """The parts of a header that a word is: `T2` is two."""
    abbreviated = _ABBREVIATED.fullmatch(token.key)
    if abbreviated:
        yield "turn", in_place(token, "statements", "turn", words)
        token = replace(token, text=abbreviated[1], key=abbreviated[1])
    figure = words.meaning("numbers", token.key)
    token = replace(token, text=figure, key=figure) if figure else _cardinal(token, words)
    if NUMBER.fullmatch(token.text) and _FIGURE.fullmatch(token.text):
        yield "number", token
    elif words.meaning("statements", token.key) == "turn":
        yield "turn", token
    else:
        section = next((s for s in ("sides", "phases") if words.meaning(s, token.key)), None)
        if section is None and (side := _side(token.key, words)):
            section, token = "sides", replace(token, text=side, key=side)
        if section is not None:
            yield section, token


_HEADER: Final = ("turn", "number", "sides", "phases")
_ORNAMENTS: Final = "-\u2013\u2014:/=>|*_~.!\u2022\u00b7+"
"""What stands around the words of a header, or between them, and says nothing."""
_SENTENCE_ENDS: Final = (".", "!", "?", "\u2026")
_ABBREVIATED: Final = re.compile(r"g?t\.?([0-9]{1,3})")


def together(
    lines: Iterable[LogicalLine], words: Vocabulary, beneath: set[int], open_: Open | None = None
) -> Iterator[LogicalLine]:
    """The lines, those that open a phase only together as one: `Turn 2`, and below it `American movement`.

    The numbers of those that only go on with it go into `beneath`. A sentence with all but the phase, `Thanks! My
    turn 2 (German).`, is such a line if the phase stands alone below it.

    What opens one without its turn, or side, goes on from the phase before: see `Open`. Whoever reads the lines may
    tell `open_` of phases that misspelt ones are taken to open.
    """
    held: list[LogicalLine] = []
    above: tuple[LogicalLine, dict[str, Token]] | None = None
    open_ = Open(words) if open_ is None else open_
    for line in lines:
        readable = bool(line.tokens) and not line.too_long
        parts = header_parts(line.tokens, words) if readable else None
        if above is not None:
            led, said = above
            above = None
            if parts is not None and parts.keys() == {"phases"}:
                whole = said | parts
                tokens = tuple(whole[name] for name in _HEADER)
                beneath.add(line.line)
                yield open_.note(replace(_as_one([led, line]), tokens=tokens))
                continue
            yield open_.note(led)
        if parts is None and readable and (found := _parts_above(line.tokens, words)):
            yield from open_.completed(held, beneath)
            held, above = [], (line, found)
            continue
        if parts is not None and held and _is_whole_header([*held, line], words):
            beneath.update(part.line for part in (*held[1:], line))
            yield open_.note(_as_one([*held, line]))
            held = []
            continue
        if held and (parts is None or len(held) == len(_HEADER) or not parts.keys().isdisjoint(_said(held, words))):
            yield from open_.completed(held, beneath)
            held = []
        if (parts and parts.keys() != set(_HEADER)) or (held and parts is not None and not parts):
            held.append(line)
        else:
            yield open_.note(line)
    if above is not None:
        yield open_.note(above[0])
    yield from open_.completed(held, beneath)


class Open:
    """The phase that was opened last, by which lines are completed that say only some of the next one.

    A phase of which the turn is not said is the next that has not been played yet: of the same turn, or else of the
    one after. A number alone, without the word `turn`, is none.
    """

    def __init__(self, words: Vocabulary) -> None:
        self._words = words
        self._last: tuple[int, str, str] | None = None
        self._played: set[tuple[int, str, str]] = set()

    def note(self, line: LogicalLine) -> LogicalLine:
        """The line itself, remembered if it opens a phase; after one that only tries to, nothing is known."""
        if not line.tokens or line.tokens[0].kind != "word":
            return line
        parts = header_parts(line.tokens, self._words)
        if parts is not None and sorted(parts) == sorted(_HEADER):
            self._remember(self._key(parts))
        elif self._turns(line.tokens[0].key) or _parts_above(line.tokens, self._words):
            self._last = None
        return line

    def _turns(self, key: str) -> bool:
        """Whether a word is that of a turn, misspelt as it may be."""
        words, turn = self._words, base.WORDS[statements.TurnStart][0]
        return (words.meaning if words.begins(key) else words.nearly)("statements", key) == turn

    def opened(self, turn: statements.TurnStart) -> None:
        """A phase was opened."""
        self._remember((turn.number, turn.side, turn.name or turn.phase))

    def next(self, tokens: Tokens) -> statements.TurnStart | None:
        """The phase that a line opens without saying all of it; None for any other line."""
        parts = header_parts(tokens, self._words)
        found = self._next(parts) if parts else None
        return statements.TurnStart.called(tokens[0].line, *found, self._words.kinds) if found else None

    def completed(self, held: Sequence[LogicalLine], beneath: set[int]) -> Iterator[LogicalLine]:
        """Lines that say parts of a header alone: as a whole one, if the phase before says the rest."""
        parts: dict[str, Token] = {}
        for line in held:
            parts |= header_parts(line.tokens, self._words) or {}
        found = self._next(parts)
        if found is None:
            yield from map(self.note, held)
            return
        beneath.update(line.line for line in held[1:])
        first, said = held[0].tokens[0], (str(found[0]), found[1], found[2])
        self._remember(found)
        tokens = (
            in_place(first, "statements", "turn", self._words),
            *(replace(first, kind="word", text=t, key=fold(t)) for t in said),
        )
        yield replace(_as_one(held), tokens=tokens)

    def _next(self, parts: Mapping[str, Token]) -> tuple[int, str, str] | None:
        last, words = self._last, self._words
        if last is None or "phases" not in parts or ("number" in parts) != ("turn" in parts):
            return None
        if "number" in parts and "sides" not in parts:
            return None
        phase = words.meaning("phases", parts["phases"].key) or ""
        side = (words.meaning("sides", parts["sides"].key) or "") if "sides" in parts else last[1]
        number = last[0]
        if "number" in parts:
            number = int(parts["number"].text)
        elif (number, side, phase) in self._played:
            if "sides" not in parts:
                # The same side's in the next turn, or the other's in this one.
                return None
            number += 1
        return None if (number, side, phase) == last or last[1:] == (side, phase) else (number, side, phase)

    def _key(self, parts: Mapping[str, Token]) -> tuple[int, str, str]:
        side, phase = (self._words.meaning(name, parts[name].key) or "" for name in ("sides", "phases"))
        return int(parts["number"].text), side, phase

    def _remember(self, key: tuple[int, str, str]) -> None:
        self._last = key
        self._played.add(key)


def _as_one(lines: Sequence[LogicalLine]) -> LogicalLine:
    tokens = tuple(token for line in lines for token in line.tokens)
    return replace(lines[0], tokens=tokens, end=lines[-1].end)


def _said(lines: Sequence[LogicalLine], words: Vocabulary) -> Iterator[str]:
    for line in lines:
        yield from header_parts(line.tokens, words) or ()


def _is_whole_header(lines: Sequence[LogicalLine], words: Vocabulary) -> bool:
    return sorted(_said(lines, words)) == sorted(_HEADER)


def _cardinal(token: Token, words: Vocabulary) -> Token:
    """`2nd` as `2`."""
    figures = words.figures(token.key)
    return replace(token, text=figures, key=figures) if figures.isdigit() else token


_LONGEST: Final = 9
"""Words that a header has at most; what goes on is prose."""


def surmise(at: Cursor) -> statements.TurnStart | statements.Engagement | type[base.Statement] | None:
    """The turn, or combat, that a misspelt line means, or only the class of the header; None for other lines."""
    if not at.tokens:
        return None
    first, *rest = at.tokens
    word = at.words.nearly("statements", first.key) if first.kind == "word" else None
    if len(rest) > _LONGEST:
        return statements.Engagement if _may_attack(at, first, rest) else None
    if word != "turn" and _speaks_of_a_turn(at):
        return _turn(at, [first, *rest]) or statements.TurnStart
    if _may_attack(at, first, rest):
        return statements.Engagement
    if word is None:
        return None
    if word == "turn":
        return _turn(at, rest)
    openings = (cls for cls in base.beginning(word) if issubclass(cls, base.Opening))
    if (opening := next(openings, None)) is not None:
        return opening if any(NUMBER.fullmatch(token.text) for token in rest) else None
    head = next((cls for cls in base.beginning(word) if issubclass(cls, statements.Engagement)), None)
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


FATES: Final = frozenset(
    base.WORDS[cls][0] for cls in (statements.Lose, statements.Eliminate, statements.Retreat, statements.Advance)
)
"""The words that begin what becomes of units in a combat."""
_FIGHTS: Final = frozenset(
    base.WORDS[cls][0] for cls in (statements.Attack, statements.Combat, statements.Bombard, statements.AirStrike)
)


def _speaks_of_a_turn(at: Cursor) -> bool:
    """Whether a line names a turn with a side or a phase, and nothing else of the game."""
    keys = [token.key for token in at.tokens]
    named = any(at.words.meaning(section, key) for section in ("sides", "phases") for key in keys)
    turn = any(at.words.meaning("statements", key) == "turn" for key in keys)
    return turn and named and not any(map(at.words.is_hex, keys))


def _turn(at: Cursor, rest: list[Token]) -> statements.TurnStart | type[statements.TurnStart] | None:
    """A turn needs one number, one side and one phase; it is meant where half of the words are of these kinds."""
    numbers = [int(t.text) for t in rest if NUMBER.fullmatch(t.text)]
    sides = [side for t in rest if (side := at.words.nearly("sides", t.key))]
    phases = [phase for t in rest if (phase := at.words.nearly("phases", t.key))]
    if len(numbers) == len(sides) == len(phases) == 1:
        return statements.TurnStart.called(at.line, numbers[0], sides[0], phases[0], at.words.kinds)
    spoken = len(numbers) + len(sides) + len(phases)
    return statements.TurnStart if 2 * spoken >= len(rest) else None
